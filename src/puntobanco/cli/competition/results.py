"""`puntobanco competition results` and `export`: a competition of a house, told and taken along."""

import json
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.cli.journal import using
from puntobanco.competition.state import Competition
from puntobanco.errors import MalformedError
from puntobanco.house.competitions.report import report_of
from puntobanco.house.house import COMPETITIONS, TABLES
from puntobanco.house.lookback.competition_export import export_competition, tables_of
from puntobanco.house.lookback.export import check_stream
from puntobanco.house.stream import COMPETITION, Aggregate
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import is_url
from puntobanco.journal.rows import damaged
from puntobanco.words import money


def results(house: str, competition: str, /, *, json_: bool = False) -> int:
    """Tell what a competition of a house has come to: who is where, places, prizes and money.

    Parameters
    ----------
    house
        The house: an SQLite file, a folder with a house in it, or the URL of a PostgreSQL database.
    competition
        The competition's id, without the competition- of its stream.
    json_
        Print everything it came to as JSON.
    """

    async def read(log: EventLog) -> dict[str, Any]:
        with log.frozen():
            return _came_to(log, competition)

    came_to = using(house_file(house), read)
    print(json.dumps(came_to)) if json_ else tell_report(came_to)
    return 0


def _came_to(log: EventLog, competition: str) -> dict[str, Any]:
    name, cup = COMPETITION + competition, competition_in(log, competition)
    tables = {table: _folded(log, table, TABLES) for table in tables_of(log, competition)}
    heads = {one: log.head(one).hash.hex() for one in (name, *tables)}
    return {"ok": True, **report_of(cup, tables, heads)}


def competition_in(log: EventLog, competition: str) -> Competition:
    """A competition of a house, or it is said that there is none."""
    name = COMPETITION + competition
    check_stream(log, name)
    found: Competition = _folded(log, name, COMPETITIONS)
    return found


def _folded(log: EventLog, stream: str, aggregate: Aggregate[Any]) -> Any:
    """A stream as its rows leave it."""
    decode, state = msgspec.json.Decoder(list[aggregate.event]).decode, aggregate.empty  # type: ignore[name-defined]
    for row in log.read(stream):
        try:
            state = reduce(aggregate.evolve, decode(row.events), state)
        except (msgspec.DecodeError, UnicodeDecodeError, LookupError, AssertionError) as error:
            raise damaged(row) from error
    return state


def house_file(where: str) -> str:
    """A house by its file, its URL, or the folder that a script was played in."""
    inside = Path(where) / "house.db"
    return str(inside) if not is_url(where) and inside.is_file() else where


def export(house: str, competition: str, file: Path, /, *, json_: bool = False) -> int:
    """Write a competition into one file that stands by itself: its rows, its tables' and its pot's.

    `puntobanco verify FILE` checks it, and so does the stand-alone puntobanco_verifier.py.

    Parameters
    ----------
    house
        The house: an SQLite file, a folder with a house in it, or the URL of a PostgreSQL database.
    competition
        The competition's id, without the competition- of its stream.
    file
        The file to make.
    json_
        Print what was written as JSON.
    """
    if file.exists():
        raise MalformedError(f"{file} is there already; name a new file")

    async def write(log: EventLog) -> int:
        lines, written = export_competition(log, competition), 0
        first = next(lines)  # what cannot be exported leaves no file behind
        with file.open("xb") as made:
            for line in chain((first,), lines):
                made.write(line)
                written += 1
        return written

    lines = using(house_file(house), write)
    if json_:
        print(json.dumps({"ok": True, "file": str(file), "lines": lines}))
    return 0


def tell_report(came_to: dict[str, Any]) -> None:
    """In words: the phase, who is where, places and money."""
    print(f"phase: {came_to['phase']}")
    for entry in came_to["entries"]:
        where = f", place {entry['place']}" if entry["place"] else ""
        prize = f", {money(entry['prize_cents'])}" if entry["prize_cents"] else ""
        print(f"  {entry['person']}: {entry['status']}{where}{prize}")
    for row in came_to["places"]:
        span = str(row["from"]) if row["from"] == row["to"] else f"{row['from']}-{row['to']}"
        print(f"place {span}: {', '.join(row['people'])} ({row['how']})")
    moved = came_to["money"]
    print(f"pool {money(moved['pool_cents'])}, pot {money(moved['pot_cents'])}")
