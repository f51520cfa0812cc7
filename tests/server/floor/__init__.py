"""The floor on the web."""
