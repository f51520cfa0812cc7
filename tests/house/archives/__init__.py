"""Closed days sealed."""
