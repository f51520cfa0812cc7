"""Tables beside the log that can be corrected and erased: names, credentials, sessions, aliases,
photos, sign-ins.

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

NOTABLE = (
    """CREATE TABLE IF NOT EXISTS notable_rows (
    stream TEXT NOT NULL, seq BIGINT NOT NULL, at_ms BIGINT NOT NULL, PRIMARY KEY (stream, seq))""",
    "CREATE INDEX IF NOT EXISTS notable_rows_by_time ON notable_rows (at_ms)",
)
"""The first houses of schema 6 had none of these; schema 10 sees to it."""
FIGURES = (
    """CREATE TABLE past_coups (
    stream TEXT NOT NULL, number BIGINT NOT NULL, day TEXT NOT NULL, book TEXT NOT NULL,
    hour TEXT NOT NULL, dealer TEXT NOT NULL, ruleset TEXT NOT NULL, shoe BIGINT NOT NULL,
    at_ms BIGINT NOT NULL, hold_cents BIGINT NOT NULL, ruled TEXT NOT NULL, wagers TEXT NOT NULL,
    people TEXT NOT NULL, coup {blob} NOT NULL, PRIMARY KEY (stream, number))""",
    """CREATE INDEX past_coups_by_day ON past_coups
    (book, day, stream, hour, dealer, ruleset, shoe, ruled, wagers, hold_cents, at_ms, number)""",
    """CREATE TABLE figures (
    kind TEXT NOT NULL, day TEXT NOT NULL, stream TEXT NOT NULL, name TEXT NOT NULL,
    handle_cents BIGINT NOT NULL, sums {blob} NOT NULL, PRIMARY KEY (kind, day, stream, name))""",
    "CREATE INDEX figures_of ON figures (stream)",
    *NOTABLE,
    """CREATE TABLE figures_at (
    stream TEXT PRIMARY KEY, seq BIGINT NOT NULL, form TEXT NOT NULL, state {blob} NOT NULL)""",
)
"""Schema 6 adds the figures: each coup that is over, cells that add them up, the rows management
must see, and how far the rows of each table have been read. They can always be made again
from the rows."""
FIGURES_SINCE = 6

TRAINING = (
    """CREATE TABLE training (
    person TEXT NOT NULL, ruleset TEXT NOT NULL, topic TEXT NOT NULL, seed BIGINT NOT NULL,
    number BIGINT NOT NULL, kind TEXT NOT NULL, is_right BIGINT NOT NULL, at_ms BIGINT NOT NULL,
    PRIMARY KEY (person, ruleset, topic, seed, number))""",
    """CREATE TABLE training_scenes (
    id TEXT PRIMARY KEY, ruleset TEXT NOT NULL, scene TEXT NOT NULL, person TEXT NOT NULL,
    made_ms BIGINT NOT NULL)""",
)
"""Schema 7 adds what people answered in training, and the scenes that trainers wrote."""
TRAINING_SINCE = 7

SIGN_INS = (
    """CREATE TABLE sign_ins (
    person TEXT NOT NULL, at_ms BIGINT NOT NULL, address TEXT NOT NULL,
    PRIMARY KEY (person, at_ms))""",
    "CREATE INDEX sign_ins_by_address ON sign_ins (address, at_ms)",
)
"""Schema 8 adds when people signed in, and from which address."""
SIGN_INS_SINCE = 8

ERASED = ("CREATE TABLE erased (person TEXT PRIMARY KEY, at_ms BIGINT NOT NULL)",)
"""Schema 9 adds who was erased, so that pages call them nothing else."""
ERASED_SINCE = 9

GAMES = (
    """CREATE TABLE games (
    person TEXT NOT NULL, at_ms BIGINT NOT NULL, stream TEXT NOT NULL, number BIGINT NOT NULL,
    day TEXT NOT NULL, book TEXT NOT NULL, over_ms BIGINT NOT NULL, won_cents BIGINT NOT NULL,
    PRIMARY KEY (person, at_ms, stream, number))""",
    "CREATE INDEX games_of_coup ON games (stream, number)",
    *NOTABLE,
)
"""Schema 10 adds to the figures the games of each player, so that they are found by the player."""
GAMES_SINCE = 10

PLAYED = (
    """CREATE TABLE played (
    stream TEXT NOT NULL, day TEXT NOT NULL, person TEXT NOT NULL, book TEXT NOT NULL,
    first_ms BIGINT NOT NULL, last_ms BIGINT NOT NULL, games {blob} NOT NULL,
    PRIMARY KEY (stream, day, person, book))""",
    "CREATE INDEX played_by ON played (person, last_ms)",
)
"""Schema 12 keeps the games of a player at a table on one gaming day in one row; those in `games`
stay where they are until something is said of their coup."""
PLAYED_SINCE = 12

COPIED = {
    "people": SINCE,
    "credentials": SINCE,
    "aliases": ALIASES_SINCE,
    "photos": PHOTOS_SINCE,
    "training": TRAINING_SINCE,
    "training_scenes": TRAINING_SINCE,
    "sign_ins": SIGN_INS_SINCE,
    "erased": ERASED_SINCE,
}
"""The tables that a backup copies, and the first schema that has each; web sessions end with the
house.
"""

Values = tuple[Any, ...]
