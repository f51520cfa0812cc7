"""The list of what a pot was paid reads the days of its competition, and no others."""

from pathlib import Path
from typing import Any

import pytest

from puntobanco.cage import commands as cage
from puntobanco.house.competitions.lists.records import rows_between
from puntobanco.house.till.book import CAGE
from puntobanco.journal.log import EventLog
from tests.kit.house.driver import Time, enrol, house_over
from tests.kit.journal import using

PAYMENTS = 60


def test_rows_of_a_time_are_found_by_halving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the time; three rows of sixty are found by looking at fewer than a dozen."""

    async def main(log: EventLog) -> None:
        time = Time()
        house = house_over(log, time.clock)
        for person in ("carol", "ann"):
            await enrol(house, person)
        await house.give(CAGE, cage.OpenAccount("ann"), "carol", "open")
        for number in range(PAYMENTS):
            await time.sleep(0.5 if number % 3 else 60)
            await house.give(CAGE, cage.Deposit("ann", 100), "carol", f"pay-{number}")
        rows = list(log.read(CAGE))
        times = sorted({row.at_ms for row in rows})
        for first in (0, times[0], times[9], times[30] + 1, times[-1], times[-1] + 1):
            for last in (first - 1, first, first + 60_000, times[-1]):
                wanted = [row.seq for row in rows if first <= row.at_ms <= last]
                assert [row.seq for row in rows_between(log, CAGE, first, last)] == wanted
        kind: Any = type(log)
        looked, plain = [], kind._row

        def counted(*asked: object) -> object:
            looked.append(asked)
            return plain(*asked)

        monkeypatch.setattr(kind, "_row", counted)
        assert len(list(rows_between(log, CAGE, times[30], times[32]))) == 3
        assert len(looked) < 12

    using(str(tmp_path / "house.db"), main)
