"""What happened, kept for good: an append-only log with a hash chain, in SQLite or PostgreSQL.

The journal sees bytes and versions, never an event class.
"""
