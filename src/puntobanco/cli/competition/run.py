"""`puntobanco competition run`: a written competition, played in a house of its own."""

import asyncio
import json
import tempfile
from pathlib import Path
from random import Random  # noqa: TID251  a script plays the same way every time
from typing import Any

from puntobanco.errors import MalformedError
from puntobanco.house.competitions.checking import script_report
from puntobanco.house.competitions.playing import Player
from puntobanco.house.competitions.script import parse_script
from puntobanco.house.house import House
from puntobanco.house.virtual_shoe import Chance
from puntobanco.house.written_session import SessionTime
from puntobanco.journal import sqlite
from puntobanco.words import money

KEY = b"\0" * 32
"""The key of a house that is a script's: there is nothing in it to hide."""


def run_script(script: Path, *, house: Path | None = None, json_: bool = False) -> int:
    """Play a written competition through a house, and check what it says.

    Parameters
    ----------
    script
        The script: a head with the conditions' file and the people, then a line for each thing.
    house
        A folder for the house in which it is played, to be looked at afterwards; by default it
        is gone when the script ends.
    json_
        Print everything it came to as JSON.
    """
    text = script.read_text(encoding="utf-8")
    said = parse_script(text)
    conditions = (script.parent / said.conditions).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as passing:
        folder = house or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "house.db"
        if file.exists():
            raise MalformedError(f"{file}: there is a house already")
        came_to, wrong = asyncio.run(_played(file, said, conditions))
    if json_:
        print(json.dumps({**came_to, "ok": not wrong, **({"wrong": wrong} if wrong else {})}))
    else:
        _tell(came_to, wrong)
    return 1 if wrong else 0


async def _played(file: Path, said: Any, conditions: str) -> tuple[dict[str, Any], str]:
    log, time, source = sqlite.open_log(file), SessionTime(), Random(1)  # noqa: S311  a script's
    try:
        house = House(log, time.clock, Chance(source.randrange, source.randbytes), KEY)
        player, wrong = Player(house, time, said, conditions), ""
        try:
            await player.play()
        except MalformedError as error:
            wrong = str(error)
        return script_report(player), wrong
    finally:
        await log.close()


def _tell(came_to: dict[str, Any], wrong: str) -> None:
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
    print(wrong or "everything is as written")
