"""The file of a journal in SQLite."""
