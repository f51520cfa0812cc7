"""The journal in PostgreSQL, for a house of several processes or machines."""

from puntobanco.journal.postgres.log import PostgresLog, open_log

__all__ = ["PostgresLog", "open_log"]
