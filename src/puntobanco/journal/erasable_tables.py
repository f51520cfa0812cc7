"""Tables beside the log that can be corrected and erased: names, credentials, sessions, aliases,
photos.

The statements are the same in both databases; `?` stands for a value.
"""

from typing import Any

STATEMENTS = (
    """CREATE TABLE people (
    person TEXT PRIMARY KEY, name TEXT NOT NULL, contact TEXT NOT NULL)""",
    """CREATE TABLE credentials (
    person TEXT NOT NULL, kind TEXT NOT NULL, secret TEXT NOT NULL, set_ms BIGINT NOT NULL,
    failures BIGINT NOT NULL, failed_ms BIGINT NOT NULL, PRIMARY KEY (person, kind))""",
    """CREATE TABLE web_sessions (
    token TEXT PRIMARY KEY, person TEXT NOT NULL, began_ms BIGINT NOT NULL,
    seen_ms BIGINT NOT NULL, scope TEXT NOT NULL, place TEXT NOT NULL)""",
)
TOKENS_END = ("ALTER TABLE web_sessions ADD COLUMN until_ms BIGINT NOT NULL DEFAULT 0",)
"""Schema 3 adds the time at which a token ends; 0 for sessions of browsers and for devices."""
SINCE = 2
"""The first schema that has these tables; schema 1 was the log alone."""

COMMANDS = (
    "ALTER TABLE rows ADD COLUMN command {blob}",
    "ALTER TABLE rows ADD COLUMN mac {blob}",
)
"""Schema 3 lets rows keep their command, and a code that only the house's key makes."""

ALIASES = ("CREATE TABLE aliases (person TEXT PRIMARY KEY, alias TEXT NOT NULL)",)
"""Schema 4 adds what a patron is called at a table, to everybody there."""
ALIASES_SINCE = 4

PHOTOS = (
    """CREATE TABLE photos (
    digest TEXT PRIMARY KEY, picture {blob} NOT NULL, kept_ms BIGINT NOT NULL)""",
)
"""Schema 5 adds photos of incidents, by the SHA-256 that is on record."""
PHOTOS_SINCE = 5

COPIED = {
    "people": SINCE,
    "credentials": SINCE,
    "aliases": ALIASES_SINCE,
    "photos": PHOTOS_SINCE,
}
"""The tables that a backup copies, and the first schema that has each; web sessions end with the
house.
"""

Values = tuple[Any, ...]
