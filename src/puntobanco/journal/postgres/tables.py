"""The tables of a journal in PostgreSQL: checked, made, and brought forward."""

from typing import Any, cast

import psycopg

from puntobanco.errors import UnusableError
from puntobanco.journal.sql import NEWER, SCHEMA, steps

LOG = """
CREATE TABLE puntobanco (schema integer NOT NULL, since timestamptz NOT NULL DEFAULT now());
CREATE TABLE rows (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream text NOT NULL, seq bigint NOT NULL, at_ms bigint NOT NULL, actor text NOT NULL,
    command_id text NOT NULL, command_hash bytea NOT NULL, clauses text NOT NULL,
    events bytea NOT NULL, previous bytea NOT NULL, hash bytea NOT NULL,
    UNIQUE (stream, seq), UNIQUE (command_id, stream)
);
CREATE TABLE sealed (commitment text PRIMARY KEY, nonce bytea NOT NULL, content bytea NOT NULL);
CREATE TABLE snapshots (stream text NOT NULL, seq bigint NOT NULL, hash bytea NOT NULL,
    kind text NOT NULL, state bytea NOT NULL, PRIMARY KEY (stream, kind, seq));
"""
STEPS = steps((LOG,), "bytea", ("ALTER TABLE rows DROP COLUMN IF EXISTS id",))
"""Rows had a number across all streams by which nothing was ever found; its index went with it."""
TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
OURS = TABLES + " AND tablename = 'puntobanco'"
"""Asks the catalogue itself: `to_regclass` may answer from a cache that is out of date."""
OTHERS = TABLES + " HAVING count(*) FILTER (WHERE tablename = 'puntobanco') = 0"
"""Asks for both at one moment: another process may be making the tables of this journal."""
LOCK = 0x70756E74
"""The seed of the advisory locks' numbers, `punt`: other programs' locks have other numbers."""
SETTINGS = ("fsync", "full_page_writes", "synchronous_commit")
"""The server settings that durability rests on; each must be on."""

MAKES_NONE = (
    "the role {role} may make no tables here; have their owner run:"
    " puntobanco prepare --house URL --for {role}"
)
Db = psycopg.AsyncConnection[Any]


async def prepare_tables(db: Db, *, create: bool) -> None:
    """Check the settings that durability rests on, then the tables."""
    for name in SETTINGS:
        held = await _one(db, f"SHOW {name}")
        if held not in ("on", "remote_apply", "remote_write"):
            raise UnusableError(f"{name} is {held} on this server; a journal needs it on")
    version = await schema_in(db)
    if version > SCHEMA:
        raise UnusableError(NEWER.format(version=version, known=SCHEMA))
    if not version and await _one(db, OTHERS):
        raise UnusableError("this is another program's database; nothing was touched")
    if not version and not create:
        raise UnusableError("there is no journal in this database")
    if create and version < SCHEMA:
        try:
            await _migrate(db)
        except psycopg.errors.InsufficientPrivilege as error:
            raise UnusableError(MAKES_NONE.format(role=db.info.user)) from error


async def schema_in(db: Db) -> int:
    """Read the schema of the journal in this database; 0 for none."""
    if not await _one(db, OURS):
        return 0
    return int(await _one(db, "SELECT max(schema) FROM puntobanco"))


async def _migrate(db: Db) -> None:
    """Make the tables, or add those an older program did not have; all or none."""
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        version = await schema_in(db)  # read again under the lock: another process may be done
        for step in STEPS[version:]:
            for statement in step:
                await db.execute(cast("Any", statement))
        if version < SCHEMA:
            await db.execute("INSERT INTO puntobanco VALUES (%s)", (SCHEMA,))


async def _one(db: Db, query: str, *values: object) -> Any:
    row = await (await db.execute(cast("Any", query), values)).fetchone()
    return row[0] if row else None
