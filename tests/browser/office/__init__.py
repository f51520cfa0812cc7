"""The till in a real browser."""
