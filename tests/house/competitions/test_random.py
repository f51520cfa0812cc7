"""Random competitions under every rule set, in a house: what must hold at the end of each, holds.

`COMPETITION_RUNS=5000 pytest tests/house/competitions/test_random.py` tries more,
`COMPETITION_RUNS=200-5000` those from the 200th on.
"""

import asyncio
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

import puntobanco_verifier as verifier
from puntobanco.competition.state import Competition, CompetitionPhase, EntryStatus
from puntobanco.house.checks.audit import audit
from puntobanco.house.competitions.playing import ID, NAME, Player
from puntobanco.house.house import House
from puntobanco.house.lookback.competition_export import export_competition
from puntobanco.house.lookback.export import export
from puntobanco.house.virtual_shoe import Chance
from puntobanco.house.written_session import SessionTime
from puntobanco.journal import sqlite
from puntobanco.journal.verify import REGISTER
from tests.kit.competition.at_random import RandomCompetition, patrons_of, people_of
from tests.kit.competition.random_conditions import random_conditions
from tests.kit.competition.seeds import seeds
from tests.kit.table.at import balanced

RUNS = seeds("COMPETITION_RUNS", 200)
BATCHES = 8
"""Parts that the workers share."""
KEY = b"\0" * 32


@cache
def set_up(patrons: tuple[str, ...]) -> tuple[bytes, int]:
    """A house in which everyone is enrolled and has money, and what time it is there: the same
    for every competition, so it is made once.
    """
    time, text = SessionTime(), random_conditions(Random(0), "tas-2018")

    async def make(file: Path) -> None:
        log = sqlite.open_log(file, passing=True)
        house = House(log, time.clock, Chance(Random(0).randrange, Random(0).randbytes), KEY)
        await Player(house, time, people_of([*patrons]), text).set_up()
        await log.close()

    with TemporaryDirectory() as folder:
        asyncio.run(make(Path(folder) / "house.db"))
        return (Path(folder) / "house.db").read_bytes(), time.now_ms


async def play(file: Path, seed: int, now_ms: int) -> RandomCompetition:
    log, time, source = sqlite.open_log(file, passing=True), SessionTime(), Random(seed)
    time.now_ms = now_ms
    try:
        house = House(log, time.clock, Chance(source.randrange, source.randbytes), KEY)
        run = RandomCompetition(house, time, seed)
        await run.play()
        check(run)
        again = House(log, time.clock, Chance(source.randrange, source.randbytes), KEY)
        assert again.competitions[NAME].state == run.now
        assert all(again.tables[at].state == one.state for at, one in house.tables.items())
        assert audit(log).fault is None
        for exported in (export_competition(log, ID), export(log, REGISTER)):
            verifier.verify(line.decode() for line in exported)  # type: ignore[no-untyped-call]
        return run
    finally:
        await log.close()


def check(run: RandomCompetition) -> None:
    """Chips and pots are conserved, nobody is both in and out, nothing is left to do or open."""
    house, now = run.player.house, run.now
    assert all(balanced(stream.state) for stream in house.tables.values())
    assert house.cage.state.balances
    pot = house.cage.state.pots.get(ID)
    assert (pot.cents if pot else 0) == now.money.pot_cents == 0
    nobody_twice(now)
    assert not run.player.relay.due(NAME)
    assert not any(stream.state.is_open for stream in house.tables.values())


def nobody_twice(now: Competition) -> None:
    for session in now.sessions.values():
        for taken in session.results.values():
            came = taken.result
            assert not came.chips.keys() & came.out.keys()
            assert not came.gone.keys() & (came.chips.keys() | came.out.keys())
    placed = [who for row in now.places for who in row.people]
    assert len(placed) == len(set(placed))
    if now.phase is CompetitionPhase.DONE:
        assert {*placed} == {w for w, e in now.entries.items() if e.status is EntryStatus.PLACED}


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_competitions_hold_whatever_happens(batch: int, tmp_path: Path) -> None:
    for seed in RUNS[batch::BATCHES]:
        try:
            house, now_ms = set_up(tuple(patrons_of(seed)))
            file = tmp_path / f"{seed}.db"
            file.write_bytes(house)
            asyncio.run(play(file, seed, now_ms))
            file.unlink()
        except Exception as error:
            error.add_note(f"competition {seed}")
            raise
