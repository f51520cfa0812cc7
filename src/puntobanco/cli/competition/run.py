"""`puntobanco competition run`: a written competition, played in a house of its own."""

import asyncio
import json
import tempfile
from pathlib import Path
from random import Random  # noqa: TID251  a script plays the same way every time
from typing import Any

from puntobanco.cli.competition.results import tell_report
from puntobanco.cli.keys import write_secret
from puntobanco.errors import MalformedError
from puntobanco.house.competitions.playing import Player
from puntobanco.house.competitions.report import report_of
from puntobanco.house.competitions.script import parse_script
from puntobanco.house.house import House
from puntobanco.house.virtual_shoe import Chance
from puntobanco.house.written_session import SessionTime
from puntobanco.journal import sqlite

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
        key = Path(f"{file}.key")
        for there in (file, key):
            if there.exists():
                raise MalformedError(f"{there}: there is a house already")
        write_secret(key, f"{KEY.hex()}\n")  # so that it can be gone on with like any house
        came_to, wrong = asyncio.run(_played(file, said, conditions, passing=house is None))
    if json_:
        print(json.dumps({**came_to, "ok": not wrong, **({"wrong": wrong} if wrong else {})}))
    else:
        _tell(came_to, wrong)
    return 1 if wrong else 0


async def _played(
    file: Path, said: Any, conditions: str, *, passing: bool
) -> tuple[dict[str, Any], str]:
    log = sqlite.open_log(file, passing=passing)
    time, source = SessionTime(), Random(1)  # noqa: S311  a script's
    try:
        house = House(log, time.clock, Chance(source.randrange, source.randbytes), KEY)
        player, wrong = Player(house, time, said, conditions), ""
        try:
            await player.play()
        except MalformedError as error:
            wrong = str(error)
        return _report(player), wrong
    finally:
        await log.close()


def _report(player: Player) -> dict[str, Any]:
    """Everything the script came to, with what was refused in it."""
    log, streams = player.house.log, player.house.tables.items()
    heads = {name: log.head(name).hash.hex() for name in log.streams()}
    tables = {name: stream.state for name, stream in streams}
    refused = [
        {"line": one.line, "reason": one.reason, "clause": one.clause} for one in player.refused
    ]
    return {"ok": True, **report_of(player.competition, tables, heads), "refused": refused}


def _tell(came_to: dict[str, Any], wrong: str) -> None:
    """In words: what it came to, and whether that is as written."""
    tell_report(came_to)
    print(wrong or "everything is as written")
