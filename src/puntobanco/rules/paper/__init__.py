"""Shoes written down, and played from what is written."""
