"""Competitions to test with."""
