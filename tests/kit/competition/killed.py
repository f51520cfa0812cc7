"""A competition played by a process of its own, which may be killed at any moment.

Run as a program with a house's file and a plan: it gives every command of the plan that is not on
record yet, lets the house bring competition and tables into line, and prints how far it came.
"""

import asyncio
import pickle
import sys
from pathlib import Path
from random import Random
from typing import Any

from puntobanco.house.competitions.playing import NAME, Player
from puntobanco.house.competitions.relay import Relay
from puntobanco.house.competitions.script import parse_script
from puntobanco.house.house import House
from puntobanco.house.virtual_shoe import Chance
from puntobanco.house.written_session import FOUNDER, SessionTime
from puntobanco.journal import sqlite

Plan = list[tuple[int, str, Any, str, str]]
"""Each command with its time: to which stream, by whom, with which id."""
KEY = b"\0" * 32


def house_in(log: Any, time: SessionTime) -> House:
    source = Random(1)
    return House(log, time.clock, Chance(source.randrange, source.randbytes), KEY)


class Planning(Player):
    """Plays a script, and keeps the commands that people gave."""

    plan: Plan

    async def give(self, at: str, ask: Any, who: str) -> None:
        await super().give(at, ask, who)
        self.plan.append((self.time.now_ms, at, ask, who, f"script-{self._ids}"))


async def plan_of(file: Path, script: str, conditions: str) -> Plan:
    """What people do in a script."""
    said, time = parse_script(script), SessionTime()
    log = sqlite.open_log(file, passing=True)
    try:
        player = Planning(house_in(log, time), time, said, conditions)
        player.plan = []
        await player.play()
        return player.plan
    finally:
        await log.close()


async def play_plan(file: Path, plan: Plan) -> None:
    time = SessionTime()
    log = sqlite.open_log(file)
    try:
        time.now_ms = max(plan[0][0], *map(log.head_ms, log.streams()), 0)
        house = house_in(log, time)
        if not house.register.state.people:
            await house.found(FOUNDER, "founding")
        relay = Relay(house)
        begun = False
        for number, (at_ms, at, ask, who, command_id) in enumerate(plan):
            if log.by_command(at, command_id) is None:
                if not begun:
                    await _line_up(house, relay)
                begun = True
                time.now_ms = at_ms
                await house.give(at, ask, who, command_id)
                _tell(str(number))
                await _line_up(house, relay)
            time.now_ms = at_ms
        await _line_up(house, relay)
    finally:
        await log.close()
    _tell("done")


def _tell(how_far: str) -> None:
    sys.stdout.write(how_far + "\n")
    sys.stdout.flush()


async def _line_up(house: House, relay: Relay) -> None:
    if NAME in house.competitions:
        await relay.bring_into_line(NAME)


if __name__ == "__main__":
    asyncio.run(play_plan(Path(sys.argv[1]), pickle.loads(Path(sys.argv[2]).read_bytes())))  # noqa: S301  the test's own file
