"""A house in which a written session was played, without its commands; and forgeries of it."""

import asyncio
import json
import sqlite3
from pathlib import Path

import msgspec

from puntobanco.journal.chain import link
from puntobanco.journal.log import Append
from puntobanco.journal.rows import Entry
from puntobanco.journal.sqlite import open_log
from puntobanco.table.session import parse_session, play_session


def kept(path: Path, session: Path) -> Path:
    """A house with one table, as it was played."""
    played = play_session(parse_session(session.read_text()))

    async def main() -> None:
        log = open_log(path)
        for seq, step in enumerate((one for one in played if one.events), 1):
            raw = msgspec.json.encode(step.events)
            by = step.said.by
            entry = Entry("table-1", seq, by.at_ms, by.person, f"c{seq}", b"", (), raw)
            await log.append(Append((entry,)))
        await log.close()

    asyncio.run(main())
    return path


def forged(path: Path, kind: str, change: dict[str, object], which: int = 0) -> Path:
    """Change one event of a kind, and make every hash anew."""
    log = open_log(path)
    rows = list(log.read("table-1"))
    asyncio.run(log.close())
    places = [
        (row.seq, number)
        for row in rows
        for number, event in enumerate(json.loads(row.events))
        if event["is"] == kind
    ]
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DROP TRIGGER rows_stay")
    previous = bytes(32)
    for row in rows:
        raw = row.events
        if row.seq == places[which][0]:
            events = json.loads(raw)
            events[places[which][1]] |= change
            raw = json.dumps(events).encode()
        entry = Entry(row.stream, row.seq, row.at_ms, row.actor, row.command_id, b"", (), raw)
        made = link(entry, previous)
        previous = made.hash
        values = (made.events, made.command_hash, made.previous, made.hash, made.seq)
        db.execute(
            "UPDATE rows SET events = ?, command_hash = ?, previous = ?, hash = ? WHERE seq = ?",
            values,
        )
    db.close()
    return path
