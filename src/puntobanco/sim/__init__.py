"""Simulation of whole shoes, very fast.

Shares with the rule engine only the rule-set files: shoes are dealt here anew.
"""
