"""Figures that follow the play are those of all rows, whatever was corrected, voided or undone."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from puntobanco.house.checks.proof import prove
from puntobanco.house.figures import stored
from puntobanco.house.figures.check import FiguresCheck, rebuild, settings_in
from puntobanco.house.figures.parts import KINDS
from puntobanco.house.figures.projection import FiguresRead, TableFigures, Unkept, cells
from puntobanco.house.figures.sums import Sums, add, less, plus
from puntobanco.house.lookback.tonight import hold_tonight
from puntobanco.journal.log import EventLog
from puntobanco.journal.sqlite import open_log
from puntobanco.register.commands import SetGamingDay
from puntobanco.register.settings import GamingDay, Settings
from tests.kit.house.driver import Time, house_over
from tests.kit.house.evening import evening
from tests.kit.house.figures import coups_in
from tests.kit.house.kept import kept
from tests.kit.journal import using
from tests.kit.places import PLAYTHROUGHS
from tests.kit.postgres import new_database

SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))
EVER = ("0000", "9999")


def wrong(log: EventLog, stream: str = "table-1") -> str:
    """What is wrong with the figures that are kept."""
    check = FiguresCheck(log, stream, settings_in(log))
    return check.wrong()


@pytest.fixture
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventLog]:
    opened = open_log(kept(tmp_path / "house.db", request.param))
    yield opened
    asyncio.run(opened.close())


@pytest.mark.parametrize("log", SESSIONS, ids=lambda file: file.stem, indirect=True)
@pytest.mark.parametrize("often", [1, 7, 10_000])
def test_however_often_they_are_kept_they_are_those_of_the_rows(log: EventLog, often: int) -> None:
    """Each time as after a restart: memory is empty, and what is kept is all there is."""
    while True:
        figures = TableFigures(log, "table-1", lambda: settings_in(log))
        read = figures.catch_up(often)
        figures.save()
        if read < often:
            break
    assert stored.kept_to(log, "table-1") == log.head("table-1").seq
    assert wrong(log) == ""
    kinds = [kind for kind in KINDS if kind in ("rules", "competition", "play")]
    found = FiguresRead(log, Unkept({}, {}))
    held = [sums for kind in kinds for *_, sums in cells(found, kind, *EVER)]
    wanted = [coup for coup in coups_in(log) if coup.over and not coup.undealt]
    assert sum(one.coups for one in held) == len(wanted)
    assert sum(one.voids for one in held) == sum(coup.void for coup in wanted)
    lines = [line for coup in wanted for line in coup.lines.values()]
    later = sum(cents for coup in wanted for _, cents in coup.paid_later)
    bank = sum(line.collected_cents - line.won_cents for line in lines) - later
    assert sum(one.hold_cents for one in held) == bank


async def played(log: EventLog, coups: int) -> None:
    """Three tables of bots; the house shuts, and keeps its figures."""
    bots = await evening(log)
    for name in ("table-1", "table-2", "table-3"):
        while bots.house.tables[name].state.coup_number < coups:
            assert await bots.step(bots.house.tables[name])
    await bots.house.shut()


PLANTED = {
    "UPDATE figures SET handle_cents = handle_cents + 1 WHERE": "handle_cents",
    "DELETE FROM figures WHERE kind = 'dealer' AND": "dealer",
    "DELETE FROM figures WHERE kind = 'sides' AND": "sides",
    "UPDATE past_coups SET dealer = 'nobody' WHERE number = 2 AND": "coup 2",
    "DELETE FROM past_coups WHERE number = 3 AND": "coup 3",
    "UPDATE figures_at SET seq = seq + 1 WHERE": "up to",
    "DELETE FROM notable_rows WHERE": "must be seen",
}


def test_a_wrong_figure_is_found_by_the_verification_and_mended(place: str) -> None:
    async def find(log: EventLog) -> None:
        assert prove(log).fault is None
        for planted, named in PLANTED.items():
            log.together([(f"{planted} stream = ?", ("table-2",))])
            fault = prove(log).fault
            assert fault is not None, planted
            assert (fault.stream, named in fault.what) == ("table-2", True), planted
            assert "--rebuild" in fault.what
            assert rebuild(log)["table-2"] == log.head("table-2").seq
        assert prove(log).fault is None

    using(place, lambda log: played(log, 5))
    using(place, find)


def test_a_house_that_starts_again_goes_on_from_what_it_kept(place: str) -> None:
    async def again(log: EventLog) -> None:
        house = house_over(log, Time(2_000_000).clock)
        before = stored.kept_to(log, "table-1")
        assert house.figures.of("table-1").seq == before == house.tables["table-1"].seq
        tonight = hold_tonight(house, "table-1")
        state = house.tables["table-1"].state
        assert (tonight.coups, tonight.hold_cents) == (len(state.coups), state.bank_cents)
        assert tonight.expected_cents is not None
        assert 0 < tonight.expected_cents < tonight.handle_cents // 20
        assert tonight.spread_cents

    async def lost(log: EventLog) -> None:
        """Nothing is kept any more: the loop reads on, a little at a time."""
        log.together(stored.drop("table-1"))
        house = house_over(log, Time(2_000_000).clock)
        heads = {name: table.seq for name, table in house.tables.items()}
        assert [table.stream for table in house.figures.behind(heads)] == ["table-1"]
        house.figures.catch_up(heads, 10)
        assert house.figures.of("table-1").seq == 10
        house.figures.catch_up(heads)
        assert not list(house.figures.behind(heads))
        house.figures.save()
        assert wrong(log) == ""

    using(place, lambda log: played(log, 5))
    using(place, again)
    using(place, lost)


def test_two_processes_that_follow_one_table_keep_it_once(pg: str) -> None:
    """One saves while the other is behind: the other begins again from what was kept."""

    async def both(log: EventLog) -> None:
        settings = Settings()
        one, two = (TableFigures(log, "table-1", lambda: settings) for _ in range(2))
        one.begin(stored.ReadTo())
        two.begin(stored.ReadTo())
        log.together(stored.drop("table-1"))
        one.catch_up(60)
        two.catch_up(40)
        one.save()
        while two.seq < log.head("table-1").seq:
            two.catch_up(1)
        two.save()
        assert wrong(log) == ""

    where = new_database(pg)
    using(where, lambda log: played(log, 6))
    using(where, both)


def test_a_gaming_day_begins_when_the_house_says() -> None:
    """What is played before it belongs to the day before; a new time counts from an hour on."""
    hour, day = 3_600_000, 86_400_000
    usual = Settings()
    assert usual.day_of(day + 5 * hour) == "1970-01-01"
    assert usual.day_of(day + 6 * hour) == "1970-01-02"
    assert usual.day_of(day + 5 * hour, utc_minutes=60) == "1970-01-02"
    later = Settings(gaming_days=(GamingDay(), GamingDay("12:00", 10 * day)))
    assert later.day_of(9 * day + 7 * hour) == "1970-01-10"
    assert later.day_of(11 * day + 7 * hour) == "1970-01-11"


def test_the_gaming_day_is_a_setting_on_record(place: str) -> None:
    async def main(log: EventLog) -> None:
        house = house_over(log, Time(7_000).clock)
        await house.found("mara", "found")
        await house.give("register", SetGamingDay("09:30"), "mara", "set")
        given_ms = house.register.at_ms
        wanted = (GamingDay(), GamingDay("09:30", given_ms + 3_600_000))
        assert house.register.state.settings.gaming_days == wanted
        assert settings_in(log).gaming_days == wanted
        assert prove(log).fault is None

    using(place, main)


def test_two_sums_together_are_what_all_of_them_are() -> None:
    """The quick way of adding two, and taking away again, against the plain one."""
    one = Sums(1, 1, 0, 0, 0, 2, 500, 475, -5, (1, 3), {"a": {"banker": 500, "banker banker": 9}})
    two = Sums(2, 0, 1, 1, 1, 0, 70, 0, 70, (1, 6), {"a": {"banker": 70}, "b": {"tie": 1}})
    assert plus(one, two) == add((one, two)) == plus(two, one)
    assert less(plus(one, two), two) == one
    assert less(one, one) == Sums()
