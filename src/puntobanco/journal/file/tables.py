"""The tables and settings of a journal in an SQLite file: checked, made, and brought forward."""

from pathlib import Path
from typing import Any

from puntobanco.errors import UnusableError
from puntobanco.journal.sql import NEWER, SCHEMA, steps

APPLICATION = 0x70756E74
"""The application id that marks a file as ours: `punt`."""
CACHE_KIB, CHECKPOINT = 8192, 4000
"""A cache, in KiB, that holds what appends touch: it fills as the file grows, and what it does not
hold the system does. Pages of the write-ahead log between checkpoints."""

LOG = """
CREATE TABLE rows (
    stream TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, actor TEXT NOT NULL,
    command_id TEXT NOT NULL, command_hash BLOB NOT NULL, clauses TEXT NOT NULL,
    events BLOB NOT NULL, previous BLOB NOT NULL, hash BLOB NOT NULL,
    UNIQUE (stream, seq), UNIQUE (command_id, stream)
);
CREATE TRIGGER rows_stay BEFORE UPDATE ON rows
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER rows_remain BEFORE DELETE ON rows
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TABLE sealed (
    commitment TEXT PRIMARY KEY, nonce BLOB NOT NULL, content BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE snapshots (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL,
    kind TEXT NOT NULL, state BLOB NOT NULL) WITHOUT ROWID;
"""
STEPS = steps(tuple(filter(None, map(str.strip, LOG.split(";\n")))), "BLOB")


def fault_in_words(error: Exception) -> str:
    said = str(error)
    if "not a database" in said:
        return "this is not a journal, nor any SQLite file; name another, nothing was touched"
    if "locked" in said:
        return "another program holds it; close that first"
    if "unable to open" in said:
        return "it cannot be opened; see that the folder is there and may be written to"
    return said


def prepare_file(db: Any, path: Path, *, create: bool) -> None:
    """Make the settings that durability rests on and read each back; then the tables."""
    objects = one_value(db, "SELECT count(*) FROM sqlite_master")
    application = one_value(db, "PRAGMA application_id")
    version = one_value(db, "PRAGMA user_version")
    if objects and application != APPLICATION:
        raise UnusableError(f"{path}: this is another program's database; nothing was touched")
    if not objects and not create:
        raise UnusableError(f"{path}: there is no journal here")
    if version > SCHEMA:
        raise UnusableError(f"{path}: {NEWER.format(version=version, known=SCHEMA)}")
    db.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
    db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    db.execute("PRAGMA secure_delete = ON").fetchall()  # what is erased is overwritten
    for name, wanted in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
        db.execute(f"PRAGMA {name} = {wanted}").fetchall()
        held = one_value(db, f"PRAGMA {name}")
        if held != wanted:
            raise UnusableError(f"{path}: {name} is {held}, not {wanted}; a journal needs it")
    if create and version < SCHEMA:
        _migrate(db)


def _migrate(db: Any) -> None:
    """Make the tables, or add those an older program did not have; all or none."""
    db.execute("BEGIN IMMEDIATE")
    version = one_value(
        db, "PRAGMA user_version"
    )  # read again under the lock: it may be done by now
    for step in STEPS[version:]:
        for statement in step:
            db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {max(version, SCHEMA)}")
    db.execute("COMMIT")


def one_value(db: Any, query: str, *values: object) -> Any:
    row = db.execute(query, values).fetchone()
    return row[0] if row else None
