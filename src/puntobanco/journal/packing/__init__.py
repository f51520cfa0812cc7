"""Rows packed for the database: smaller, and the same when they are read."""
