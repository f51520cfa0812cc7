"""Which program writes, where several processes share a house: never an older one after a newer.

Whoever writes holds a lock that all who write share, by the session that writes. A newer program
says that it is there, waits until it has that lock alone, and puts on record that it has begun;
whoever takes the lock after that finds it on record, and writes nothing.
"""

from typing import Any, cast

import msgspec

from puntobanco.journal.postgres.tables import LOCK, Db
from puntobanco.journal.sql import OURS, Generation

SAID = " ~newer"
"""What stands, for a stream's name, after the number by which a newer program says it is there."""
SHIFT = 10_000
"""Such a number is the edition times this, and the schema."""
KEY = f"hashtextextended(current_schema() || ' ~writers', {LOCK})"
BESIDE = f"SELECT pg_advisory_lock_shared({KEY})"
ALONE = f"SELECT pg_try_advisory_lock({KEY})"
NOT_ALONE = f"SELECT pg_advisory_unlock({KEY})"
LEAVE = "SELECT pg_advisory_unlock_all()"
NEWEST = """SELECT events FROM rows WHERE stream = 'house' AND position(%s in events) > 0
    ORDER BY seq DESC LIMIT 1"""  # no later one is older
MARK = b'"is":"writing-began"'
TRIES, PAUSE_S = 150, 0.2
"""Looks whether older programs have stopped, and seconds between them: half a minute in all."""
STILL_THERE = (
    "a process of an older program still writes here, and did not stop within half a minute: end"
    " it, and start this one again"
)


def who_writes(newer: Generation) -> str:
    edition, schema = newer
    return (
        f"a newer puntobanco writes here now (edition {edition}, schema {schema}; this one is"
        f" edition {OURS[0]}, schema {OURS[1]}): it goes on, and this process takes nothing more"
    )


def announcement() -> str:
    edition, schema = OURS
    return f"{edition * SHIFT + schema}{SAID}"


def said_newer(payload: str) -> Generation | None:
    """The program that says by this that it is there; none: it says something else."""
    number, _, rest = payload.partition(" ")
    return divmod(int(number), SHIFT) if f" {rest}" == SAID else None


async def one(db: Db, query: str, *values: object) -> Any:
    row = await (await db.execute(cast("Any", query), values)).fetchone()
    return row[0] if row else None


async def newest_on_record(db: Db) -> Generation:
    """The newest program that has begun to write here."""
    events = await one(db, NEWEST, MARK)
    if events is None:
        return 0, 0
    found = next(event for event in msgspec.json.decode(events) if event["is"] == "writing-began")
    return found["edition"], found["schema"]
