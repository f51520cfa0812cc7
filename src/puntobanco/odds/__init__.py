"""Exact odds of any wager from any composition of the shoe.

Shares with the rule engine only the rule-set files: everything is counted here anew.
"""
