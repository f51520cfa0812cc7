"""Whatever management must see is found, however much is written after it; and nobody hides it.

`NOISE=1000000 pytest tests/house/lookback/test_significant.py -k noise` writes a million rows.
"""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from puntobanco.cage import commands as cage
from puntobanco.house.checks.audit import audit
from puntobanco.house.figures.check import rebuild
from puntobanco.house.figures.noted import STREAMS, keep, wrongly_kept
from puntobanco.house.house import House
from puntobanco.house.lookback.significant import significant
from puntobanco.house.loop import KEEP_MS, Running
from puntobanco.house.notes import ClockJumped, SignInFailed
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.rows import Entry
from puntobanco.journal.verify import HOUSE
from puntobanco.register import commands as register
from puntobanco.table import commands as table
from puntobanco.table.actor import Role
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import using

NOISE = int(os.environ.get("NOISE", "40000"))
"""Rows written after what must be found, in all streams together."""
QUIET_ROW = b'[{"is":"root-recorded","root":"","rows":0}]'


async def noise(log: EventLog, stream: str, rows: int) -> None:
    """Rows that nobody need look at."""
    body, seq = QUIET_ROW if stream == HOUSE else b"[]", log.head(stream).seq
    for start in range(seq + 1, seq + rows + 1, 5000):
        numbers = range(start, min(start + 5000, seq + rows + 1))
        entries = tuple(
            Entry(stream, number, 10**9, "ann", f"noise-{number}", b"", (), body)
            for number in numbers
        )
        await log.append(Append(entries))


async def eventful(house: House) -> None:
    """One thing to be seen in each stream: a failed sign-in, a short tray, a grant and a leaver."""
    await Driver(house).open()
    await house.note(SignInFailed("dan", "203.0.113.9", 3))
    await house.give("cage", cage.CountTray("table-1", 4_990_000), "mara", "count-tray")
    await house.give("register", register.Disable("dan", "left us"), "mara", "leaver")
    incident = table.RecordIncident("other", "a glass was thrown")
    await house.give("table-1", incident, "ines", "incident")


FOUND = (
    "Failed sign-in as Dan",
    "mara gave carol the role",
    "shut dan out of the house: left us",
    "a glass was thrown",
)


def told(house: House) -> str:
    return "\n".join(one.says for one in significant(house)).casefold()


def with_house(tmp_path: Path, use: Callable[[House, Time], Awaitable[None]]) -> None:
    async def main(log: EventLog) -> None:
        time = Time()
        house = house_over(log, time.clock)
        await eventful(house)
        await use(house, time)

    using(str(tmp_path / "house.db"), main)


@pytest.mark.parametrize("kept", [False, True])
def test_nothing_is_lost_in_noise(tmp_path: Path, kept: bool) -> None:
    async def use(house: House, _time: Time) -> None:
        if kept:
            keep(house.log)
        before = significant(house)
        for said in FOUND:
            assert said.casefold() in told(house), said
        assert any(one.stream == "cage" for one in before)
        streams = (*STREAMS, "table-1")
        for stream in streams:
            await noise(house.log, stream, NOISE // len(streams))
        assert significant(house) == before
        while keep(house.log):
            pass
        while house.figures.of("table-1").catch_up(5000):
            pass
        house.figures.save()
        assert significant(house) == before
        assert wrongly_kept(house.log) is None

    with_house(tmp_path, use)


def test_they_are_kept_as_they_come_and_none_is_told_twice(tmp_path: Path) -> None:
    async def use(house: House, time: Time) -> None:
        running = Running(house)
        await running.start()
        await running.tick()
        listed = [(one.stream, one.seq, one.says) for one in significant(house)]
        assert len(listed) == len(set(listed))
        await house.note(ClockJumped(5000))
        assert len(significant(house)) == len(listed) + 1  # before it is kept
        time.steady_ms += KEEP_MS
        await running.tick()
        assert len(significant(house)) == len(listed) + 1
        kept = house.log.beside("SELECT stream FROM notable_rows")
        assert {stream for (stream,) in kept} >= set(STREAMS)

    with_house(tmp_path, use)


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize(
    "forgery",
    ["DELETE FROM notable_rows WHERE stream = ?", "INSERT INTO notable_rows VALUES (?, 1, 1)"],
)
def test_whoever_hides_one_or_makes_one_up_is_found(
    tmp_path: Path, stream: str, forgery: str
) -> None:
    async def use(house: House, _time: Time) -> None:
        keep(house.log)
        assert audit(house.log).fault is None
        seen = {seq for (seq,) in house.log.beside(
            "SELECT seq FROM notable_rows WHERE stream = ?", stream
        )}  # fmt: skip
        if forgery.startswith("INSERT") and 1 in seen:
            return  # the first row of the house's own stream is one of them
        house.log.together([(forgery, (stream,))])
        fault = audit(house.log).fault
        assert fault is not None
        assert fault.stream == stream
        assert "must be seen" in str(fault)
        rebuild(house.log)
        assert audit(house.log).fault is None

    with_house(tmp_path, use)


def test_a_role_at_one_table_is_told_with_its_table(tmp_path: Path) -> None:
    async def use(house: House, _time: Time) -> None:
        grant = register.Grant("carol", Role.DEALER, "table-1")
        await house.give("register", grant, "mara", "grant-at-table")
        revoke = register.Revoke("carol", Role.DEALER, "table-1")
        await house.give("register", revoke, "mara", "revoke-at-table")
        of_people = [one.says for one in significant(house) if one.stream == "register"]
        revoked, granted = of_people[:2]
        assert "dealer" in granted
        assert "Table 1" in granted
        assert revoked.startswith("mara took the role")
        assert "in the whole house" in told(house)

    with_house(tmp_path, use)
