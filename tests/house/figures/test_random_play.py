"""Random evenings with corrections, voids, take-backs and reopened coups: figures stay true.

`TABLE_RUNS=2500 pytest tests/house/figures/test_random_play.py` tries more.
"""

import asyncio
import os
from collections.abc import Iterator
from itertools import count, islice

import msgspec
import pytest
from hypothesis import HealthCheck, settings

from puntobanco.house.figures.check import FiguresCheck
from puntobanco.house.figures.projection import FiguresRead, TableFigures, Unkept, cells
from puntobanco.house.lookback.past_coup import PastCoups
from puntobanco.journal.chain import FIRST, link
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Entry, Row
from puntobanco.journal.sqlite import open_log
from puntobanco.register.settings import Settings
from puntobanco.table import events as e
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Table
from tests.kit.table.machine import TableMachine

RUNS = int(os.environ.get("TABLE_RUNS", "40"))
LOGS: list[EventLog] = []
NUMBERS = count(1)
EVER = ("", "9999-12-31")


@pytest.fixture(scope="module", autouse=True)
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One journal for all evenings, a table for each."""
    where = tmp_path_factory.mktemp("figures") / "house.db"
    LOGS.append(open_log(where, passing=True))
    yield
    asyncio.run(LOGS.pop().close())


def rows_of(stream: str, told: list[TableEvent]) -> Iterator[Row]:
    """Some events a row, five minutes apart, so that evenings go on into another gaming day."""
    before, rest = FIRST, iter(told)
    for seq in count(1):
        events = list(islice(rest, 1 + seq % 3))
        if not events:
            return
        raw = msgspec.json.encode(events)
        made = link(Entry(stream, seq, seq * 300_000, "dan", f"c{seq}", b"", (), raw), before)
        before = made.hash
        yield made


def check_funds(told: list[TableEvent]) -> None:
    """What players have before and after each coup is what the table says that they have."""
    table, past, first = Table(), PastCoups(), dict[tuple[int, str], int]()
    for seq, event in enumerate(told, 1):
        if isinstance(event, e.WagerPlaced | e.SecretAnnounced) and event.wager is not None:
            who = event.wager.by
            first.setdefault((table.coup_number, who), has(table, who))
        table = evolve(table, event)
        past.take("table-1", seq, seq, [event])
        if isinstance(event, e.CoupEnded) and event.number in past.coups:
            coup = past.coups[event.number]
            if coup.book == "competition":
                assert coup.had_before == coup.had_after == {}
                continue
            assert coup.over_ms == seq
            for person in coup.had_before:
                assert coup.had_before[person] == first[coup.number, person], (coup.number, person)
                assert coup.had_after[person] == has(table, person), (coup.number, person)
            assert {line.wager.by for line in coup.lines.values()} <= coup.had_before.keys()


def has(table: Table, person: str) -> int:
    """What a player has at a table, in chips there and on the layout."""
    coup = table.coup
    lies = coup.wagers if coup is not None and coup.verdict is None else ()
    return table.chips.get(person, 0) + sum(one.cents for one in lies if one.by == person)


class FiguresMachine(TableMachine):
    """After an evening its figures are kept bit by bit, and held against all of its rows."""

    def teardown(self) -> None:
        if not hasattr(self, "at"):
            return
        log, stream, usual = LOGS[0], f"table-{next(NUMBERS)}", Settings()
        rows = list(rows_of(stream, self.at.log))
        asyncio.run(log.adopt(rows, []))
        often, done = 1 + len(rows) % 11, 0
        while done < len(rows):  # each time as after a restart
            figures = TableFigures(log, stream, lambda: usual)
            done += figures.catch_up(often)
            figures.save()
        assert FiguresCheck(log, stream, usual).wrong() == ""
        self.check_bank(log, stream, rows)
        check_funds(self.at.log)

    def check_bank(self, log: EventLog, stream: str, rows: list[Row]) -> None:
        """For money, figures and the coup in play have all that the bank gained."""
        if self.at.table.conditions is not None:
            return
        read = FiguresRead(log, Unkept({}, {}))
        held = sum(sums.hold_cents for *_, sums in cells(read, "rules", *EVER, stream))
        for kind in ("person", "wager", "hour", "dealer", "shoe"):
            found = cells(read, kind, *EVER, stream)
            assert sum(sums.hold_cents for *_, sums in found) == held, kind
        past = PastCoups()
        for row in rows:
            past.read(row)
        in_play = [coup for coup in past.coups.values() if not coup.over]
        lines = [line for coup in in_play for line in coup.lines.values()]
        later = sum(cents for coup in in_play for _, cents in coup.paid_later)
        live = sum(line.collected_cents - line.won_cents for line in lines) - later
        assert held + live == self.at.table.bank_cents


TestFigures = FiguresMachine.TestCase
TestFigures.settings = settings(
    max_examples=RUNS,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
