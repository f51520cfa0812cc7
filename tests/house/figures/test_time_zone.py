"""Where the house is: gaming days of 23, 24 and 25 hours, on record and worked out again alike."""

from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

import puntobanco_verifier
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.photos import put_photo
from puntobanco.house.access.waiting import waiting_for
from puntobanco.house.checks.proof import prove
from puntobanco.house.clock import HouseTime
from puntobanco.house.figures.check import FiguresCheck, settings_in
from puntobanco.house.figures.chosen import EVERY
from puntobanco.house.lookback.export import export
from puntobanco.house.lookback.significant import significant
from puntobanco.house.till.time_zone import by_the_clock, clock_changes
from puntobanco.house.trust.retention import Overdue, overdue
from puntobanco.journal.log import EventLog
from puntobanco.register.commands import SetGamingDay, SetRetention, SetTimeZone
from puntobanco.register.settings import DAY_MS, ClockChange, GamingDay, Settings, TimeZone
from tests.kit.house.driver import Time, house_over
from tests.kit.house.evening import evening
from tests.kit.journal import using

HOUR_MS = 3_600_000
HOBART = "Australia/Hobart"


def at(said: str, zone: str = HOBART) -> int:
    """A moment by the clock on a wall there; `fold` for the second time it shows it."""
    said, again, _ = said.partition(" again")
    moment = datetime.fromisoformat(said).replace(tzinfo=ZoneInfo(zone), fold=int(bool(again)))
    return int(moment.timestamp() * 1000)


def here(begins: str, zone: str = HOBART, since: str = "2026-01-01") -> Settings:
    since_ms = at(since, zone)
    clocks = TimeZone(zone, clock_changes(zone, since_ms, since_ms), since_ms)
    return Settings(gaming_days=(GamingDay(begins),), time_zones=(clocks,))


def test_clocks_are_looked_up_for_twenty_years() -> None:
    """As the database of time zones has them, to the millisecond; also since the house began, for
    what was then is shown as clocks showed it then.
    """
    now_ms, zone = at("2026-06-01"), ZoneInfo(HOBART)
    found = clock_changes(HOBART, at("2026-01-15"), now_ms)
    then, back = ClockChange(0, 660), ClockChange(at("2026-04-05 02:00 again"), 600)
    assert found[:3] == (then, back, ClockChange(at("2026-10-04 03:00"), 660))
    assert len(found) == 42
    assert len(clock_changes(HOBART, 0, now_ms)) == 81
    clocks = TimeZone(HOBART, found, 0)
    for change in found[1:]:
        for ms in (change.from_ms - 1, change.from_ms):
            shown = datetime.fromtimestamp(ms / 1000, zone).utcoffset()
            assert timedelta(minutes=clocks.ahead(ms)) == shown
    assert clock_changes("Asia/Singapore", now_ms, now_ms) == (ClockChange(0, 480),)


@pytest.mark.parametrize("name", ["Nowhere/Land", "Australia", "../etc/passwd", "Hobart"])
def test_a_zone_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(Refused) as caught:
        clock_changes(name, 0, 0)
    assert caught.value.reason is Reason.NO_SUCH_TIME_ZONE


@pytest.mark.parametrize("begins", ["00:00", "02:30", "06:00"])
@pytest.mark.parametrize(("night", "hours"), [("2026-04-05", 25), ("2026-10-04", 23)])
def test_a_gaming_day_is_as_long_as_its_clocks_say(begins: str, night: str, hours: int) -> None:
    """Each date once, one after another, in whichever night clocks are put forward or back."""
    settings = here(begins)
    first = at(f"{night} 12:00") - 48 * HOUR_MS
    days = [settings.day_of(first + minute * 60_000) for minute in range(4 * 24 * 60)]
    assert days == sorted(days)
    begun = [index for index in range(1, len(days)) if days[index] != days[index - 1]]
    lengths = [(later - sooner) / 60 for sooner, later in pairwise(begun)]
    split = (begins, hours) == ("02:30", 23)  # no clock shows 02:30 that night: it begins at 03:00
    assert [one for one in lengths if one != 24] == ([23.5, 23.5] if split else [hours])


def test_what_was_played_before_it_was_set_stays_on_its_day() -> None:
    """By the table's own clock until then; and no day comes twice, however far away the zone is."""
    since = at("2026-06-01 12:00")
    clocks = TimeZone(
        "America/Los_Angeles", clock_changes("America/Los_Angeles", since, since), since
    )
    plain, moved = Settings(), Settings(time_zones=(clocks,))
    hours = range(-72, 72)
    for hour in hours:
        at_ms = since + hour * HOUR_MS
        if hour < 0:
            assert moved.day_of(at_ms, 600) == plain.day_of(at_ms, 600)
        if hour > 48:
            assert moved.day_of(at_ms, 600) == plain.day_of(at_ms, -420)
    days = [moved.day_of(since + hour * HOUR_MS, 600) for hour in hours]
    assert days == sorted(days)
    assert moved.hour_of(since, 600) == "19"


def test_a_house_that_says_where_it_is_counts_by_it_and_verifies(tmp_path: Path) -> None:
    """Coups before and after; the zones of whoever verifies are not asked."""
    start_ms = at("2026-10-03 22:30")

    async def main(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018", start_ms=start_ms)
        house, stream, time = bots.house, bots.house.tables["table-1"], Time(start_ms)
        house.time = HouseTime(time.clock, lambda: None)
        zone = SetTimeZone(HOBART)
        first = await house.give("register", zone, "mara", "zone")
        assert await house.give("register", zone, "mara", "zone") == first
        await house.give("register", SetGamingDay("00:00"), "mara", "day")
        await house.give("register", SetRetention(3650, 90), "mara", "kept")
        clocks = house.register.state.settings.time_zones[-1]
        assert (clocks.name, clocks.from_ms) == (HOBART, start_ms + HOUR_MS)
        for coups in (3, 6):
            while stream.state.coup_number < coups:
                await bots.step(stream)
            await time.sleep(2 * 3600)
        house.figures.catch_up({"table-1": stream.seq})
        house.figures.save()
        assert FiguresCheck(log, "table-1", settings_in(log)).wrong() == ""
        days = log.ordinary("SELECT DISTINCT day, hour FROM past_coups ORDER BY 1")
        assert days == [("2026-10-03", "12"), ("2026-10-04", "00")]
        assert prove(log).fault is None
        register = (line.decode() for line in export(log, "register"))
        puntobanco_verifier.verify(register)  # type: ignore[no-untyped-call]
        said = [one.says for one in significant(house, EVERY)]
        assert "mara set the time zone of the house: Australia/Hobart" in said
        assert any("the record 3650 days, photos 90 days, logs for ever" in one for one in said)
        assert clocks.ahead(start_ms) == 600
        noon = datetime(2026, 12, 1, 12)  # noqa: DTZ001  as a wall shows it
        assert by_the_clock(house, noon).utcoffset() == timedelta(hours=11)

    using(str(tmp_path / "house.db"), main)


def test_what_has_been_kept_for_too_long_is_told(tmp_path: Path) -> None:
    """Photos that are due wait for management; the record that goes too far back is counted."""

    async def main(log: EventLog) -> None:
        time = Time(0)
        house = house_over(log, time.clock)
        await house.found("mara", "found")
        await house.give("register", SetRetention(30, 10), "mara", "kept")
        log.together([*put_photo(b"one", 0), *put_photo(b"two", 15 * DAY_MS)])
        for day, wanted in ((9, Overdue()), (11, Overdue(0, 1)), (31, Overdue(1, 2))):
            time.steady_ms = day * DAY_MS + 1
            assert overdue(house) == wanted
        assert ("photos", 2) in [(one.kind, one.number) for one in waiting_for(house, "mara")]
        await house.give("register", SetRetention(), "mara", "ever")
        assert overdue(house) == Overdue()

    using(str(tmp_path / "house.db"), main)
