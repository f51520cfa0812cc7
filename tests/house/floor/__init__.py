"""The floor of a house."""
