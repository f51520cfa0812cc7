"""A patron's own limits: lower at once, higher a day later, held against wagers and chips."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import puntobanco_verifier as verifier
from puntobanco.errors import Reason, Refused
from puntobanco.house.checks.audit import audit
from puntobanco.house.house import House
from puntobanco.house.lookback.export import export
from puntobanco.house.trust.limits import check_own_limits, count_played, limited, minutes_of
from puntobanco.house.trust.played import PlayedGame
from puntobanco.house.trust.reminder import KNOWN, Reminders
from puntobanco.journal.envelope import PlayedBefore, decode
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in
from puntobanco.journal.verify import HOUSE
from puntobanco.register import events as e
from puntobanco.register.commands import OwnLimits, SetOwnLimits, SetReminder
from puntobanco.register.decide import decide
from puntobanco.register.evolve import evolve
from puntobanco.register.state import Member, Register
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.state import Table
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import using
from tests.kit.office import asked, office_of

DAY_MS, MINUTE_MS = 86_400_000, 60_000
WEEK_MS = 7 * DAY_MS
NONE, LOW, HIGH = OwnLimits(), OwnLimits(10_000, minutes=60), OwnLimits(50_000, minutes=60)


def after(asks: list[tuple[OwnLimits, int]]) -> tuple[OwnLimits, list[str]]:
    """The limits that hold in the end, and what each asking brought; by program and by the verifier
    that stands alone.
    """
    book, told = Register({"ann": Member("patron")}), list[str]()
    twin: Any = verifier.Register()  # type: ignore[no-untyped-call]
    twin.people["ann"] = {"enabled": True, "roles": set()}
    for limits, at_ms in asks:
        ask, by = SetOwnLimits(limits), Actor("ann", frozenset({Role.PATRON}), at_ms)
        asked_of = msgspec.to_builtins(ask)
        try:
            came = decide(book, ask, by)
        except Refused as refused:
            told.append(refused.reason)
            with pytest.raises(verifier.Fault):
                list(twin.do_set_own_limits(asked_of, verifier.By("ann", (), at_ms, 7)))  # type: ignore[no-untyped-call]
            continue
        found = list(twin.do_set_own_limits(asked_of, verifier.By("ann", (), at_ms, 7)))  # type: ignore[no-untyped-call]
        assert found == msgspec.to_builtins(came)
        for event, fact in zip(came, found, strict=True):
            book = evolve(book, event)
            room = "set" if isinstance(event, e.OwnLimitsSet) else "asked"
            getattr(twin, f"on_own_limits_{room}")(fact)
        told.append(" ".join(str(type(event).__struct_config__.tag) for event in came))
    return book.people["ann"].limits, told


SET, ASKED = "own-limits-set", "own-limits-asked"


@pytest.mark.parametrize(
    ("asks", "limits", "told"),
    [
        ([(LOW, 0)], LOW, [SET]),
        ([(LOW, 0), (LOW, 1)], LOW, [SET, Reason.LIMITS_ARE_SO]),
        ([(LOW, 0), (HIGH, 1)], LOW, [SET, ASKED]),
        ([(LOW, 0), (HIGH, 1), (HIGH, DAY_MS)], LOW, [SET, ASKED, Reason.LIMITS_WAIT]),
        ([(LOW, 0), (HIGH, 1), (HIGH, DAY_MS + 1)], HIGH, [SET, ASKED, SET]),
        ([(LOW, 0), (NONE, 1), (NONE, DAY_MS + 1)], NONE, [SET, ASKED, SET]),
        ([(LOW, 0), (NONE, 1), (HIGH, DAY_MS + 1)], LOW, [SET, ASKED, ASKED]),
        ([(LOW, 0), (HIGH, 1), (HIGH, 1 + DAY_MS + WEEK_MS)], LOW, [SET, ASKED, ASKED]),
        ([(LOW, 0), (HIGH, 1), (HIGH, DAY_MS + WEEK_MS)], HIGH, [SET, ASKED, SET]),
        ([(LOW, 0), (HIGH, 1), (LOW, 2), (HIGH, DAY_MS + 1)], LOW, [SET, ASKED, SET, ASKED]),
        (
            [(LOW, 0), (OwnLimits(50_000, minutes=30), 1)],
            OwnLimits(10_000, minutes=30),
            [SET, f"{SET} {ASKED}"],
        ),
        (
            [(LOW, 0), (OwnLimits(10_000, minutes=60, remind_minutes=15), 1)],
            OwnLimits(10_000, minutes=60, remind_minutes=15),
            [SET, SET],
        ),
    ],
)
def test_lower_at_once_and_higher_when_it_is_still_wanted_a_day_later(
    asks: list[tuple[OwnLimits, int]], limits: OwnLimits, told: list[str]
) -> None:
    assert after(asks) == (limits, told)


def game(began: int, over: int, won: int = 0, day: str = "2026-03-10", book: str = "money") -> Any:
    return PlayedGame(began * MINUTE_MS, over * MINUTE_MS, day, book, won)


def test_what_counts() -> None:
    """Money of seven gaming days, stakes at other tables; time with pauses of ten minutes."""
    games = [
        game(0, 1, -500),
        game(3, 4, 200),
        game(0, 9, -9000, book="competition"),
        game(0, 9, -9000, book="play"),
        game(0, 9, -1000, day="2026-03-04"),
        game(0, 9, -9000, day="2026-03-03"),
    ]
    found = count_played(games, "2026-03-10", 50, 5 * MINUTE_MS)
    assert found == PlayedBefore("2026-03-10", 350, 1350, 5)
    behind = count_played(games, "2026-03-09", 50, 5 * MINUTE_MS)  # as at a table further west
    assert behind == PlayedBefore("2026-03-09", 350, 10_350, 5)
    assert minutes_of([game(0, 1), game(11, 12)], 12 * MINUTE_MS) == 12
    assert minutes_of([game(0, 1), game(12, 13)], 30 * MINUTE_MS) == 2
    assert minutes_of([game(0, 5), game(2, 3), game(4, 6)], 99 * MINUTE_MS) == 6
    assert minutes_of([game(0, 5)], 14 * MINUTE_MS) == 14
    assert minutes_of([], 5) == 0


async def why(house: House, ask: object, who: str, at: str = "table-1") -> str:
    try:
        await house.give(at, ask, who, house.own_id("try").replace("~", "-"))
    except Refused as refused:
        return str(refused.reason)
    return ""


async def coup(driver: Driver, *wagers: tuple[str, Any]) -> None:
    """One that Player wins by a natural."""
    await driver.do("dan", c.OpenCoup())
    for who, ask in wagers:
        await driver.do(who, ask)
    for card in ("9c", "2h", "Kd", "5s"):
        await driver.do("dan", c.DrawCard(Card(card)))
    await driver.do("dan", c.DeclareResult())
    await driver.do("dan", c.EndCoup())


def test_a_wager_that_could_lose_too_much_is_refused_at_any_hand(tmp_path: Path) -> None:
    time = Time(10**9)

    async def main(log: EventLog) -> None:
        house = house_over(log, time.clock)
        driver = await (await Driver(house).open()).shoe()
        own = c.PlaceWager(1, Bet.BANKER, 10_000)
        assert await why(house, SetOwnLimits(OwnLimits(25_000)), "ann", "register") == ""
        time.steady_ms += MINUTE_MS
        await coup(driver, ("ann", own))
        (row,) = [one for one in log.read("table-1") if b'"wager-placed"' in one.events]
        assert decode(row.command or b"").played == PlayedBefore(day_of(house))
        await driver.do("dan", c.OpenCoup())
        assert await why(house, c.PlaceWager(1, Bet.BANKER, 15_100), "ann") == "own_day_limit"
        dealers = c.PlaceWager(1, Bet.BANKER, 15_100, "ann")
        assert await why(house, dealers, "dan") == "own_day_limit"
        assert await why(house, c.BuyIn(100, "ann"), "dan") == "own_day_limit"
        assert await why(house, c.PlaceWager(1, Bet.BANKER, 15_000), "ann") == ""
        assert await why(house, c.PlaceWager(1, Bet.PLAYER, 2_500), "ann") == "own_day_limit"
        more = c.ChangeWager(1, Bet.BANKER, 15_100)
        assert await why(house, more, "ann") == "own_day_limit"
        lay = c.LayWagers((c.Stake(Bet.PLAYER, 10_000), c.Stake(Bet.BANKER, 6_000)))
        assert await why(house, lay, "ann") == "own_day_limit"
        assert await why(house, SetOwnLimits(OwnLimits(11_000)), "ann", "register") == ""
        assert await why(house, c.ChangeWager(1, Bet.BANKER, 12_000), "ann") == ""
        assert await why(house, c.WithdrawWager(1, Bet.BANKER), "ann") == ""
        assert await why(house, c.PlaceWager(1, Bet.BANKER, 2_500), "ann") == "own_day_limit"
        last = [row for row in log.read("table-1") if b'"wager-changed"' in row.events][-1]
        played = decode(last.command or b"").played
        assert played is not None
        assert played.day_cents == 10_000
        assert audit(log).fault is None
        for stream in ("register", "table-1"):
            lines = [line.decode() for line in export(log, stream)]
            verifier.verify(iter(lines))  # type: ignore[no-untyped-call]

    using(str(tmp_path / "house.db"), main)


def day_of(house: House) -> str:
    return house.register.state.settings.day_of(
        house.time.now_ms(), house.tables["table-1"].state.utc_minutes
    )


def test_when_the_time_is_over_the_coup_in_play_is_finished_and_no_other_begun(
    tmp_path: Path,
) -> None:
    time = Time(10**9)

    async def main(log: EventLog) -> None:
        house = house_over(log, time.clock)
        driver = await (await Driver(house).open()).shoe()
        asked_for = SetOwnLimits(OwnLimits(minutes=5, remind_minutes=5))
        assert await why(house, asked_for, "ann", "register") == ""
        await driver.do("dan", c.OpenCoup())
        await driver.do("ann", c.PlaceWager(1, Bet.BANKER, 5_000))
        time.steady_ms += 6 * MINUTE_MS
        await driver.do("ann", c.ChangeWager(1, Bet.BANKER, 10_000))  # the coup in play
        for card in ("9c", "2h", "Kd", "5s"):
            await driver.do("dan", c.DrawCard(Card(card)))
        await driver.do("dan", c.DeclareResult())
        await driver.do("dan", c.EndCoup())
        await driver.do("dan", c.OpenCoup())
        own = c.PlaceWager(1, Bet.BANKER, 5_000)
        assert await why(house, own, "ann") == "own_time_limit"
        assert await why(house, c.BuyIn(100, "ann"), "dan") == "own_time_limit"
        async with office_of(house) as office:
            assert "Played 6 min" in (await office.get("/tables/table-1", "ann")).text
            page = (await office.get("/account/limits?table=table-1", "ann")).text
            assert "You have played 6 minutes" in page
            assert (await office.get("/api/me/limits", "ann")).json()["reminder"] is True
            done = await office.post("/account/reminder?table=table-1", "ann")
            assert done.headers["location"] == "/tables/table-1"
            assert "Played 6 min" not in (await office.get("/tables/table-1", "ann")).text
            assert (await office.get("/api/me/limits", "dan")).status_code == 403
        time.steady_ms += DAY_MS
        assert await why(house, own, "ann") == ""
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), main)


def test_a_reminder_is_known_to_every_process_and_after_a_restart(tmp_path: Path) -> None:
    """As the house has set it, for whoever has chosen no other interval."""
    time = Time(10**9)

    async def main(log: EventLog) -> None:
        house = house_over(log, time.clock)
        driver = await (await Driver(house).open()).shoe()
        await house.give("register", SetReminder(5), "mara", "interval")
        here, there = Reminders(house), Reminders(house)  # as in two processes
        await driver.do("dan", c.OpenCoup())
        await driver.do("ann", c.PlaceWager(1, Bet.BANKER, 5_000))
        time.steady_ms += 4 * MINUTE_MS
        await here.know("ann")  # who was told nothing knows nothing
        assert here.due("ann") is None
        time.steady_ms += 2 * MINUTE_MS
        for card in ("9c", "2h", "Kd", "5s"):
            await driver.do("dan", c.DrawCard(Card(card)))
        for ask in (c.DeclareResult(), c.EndCoup()):
            await driver.do("dan", ask)
        assert [one.due("ann") is not None for one in (here, there)] == [True, True]
        for _ in range(2):
            await here.know("ann")
        assert [one.due("ann") for one in (here, there, Reminders(house))] == [None] * 3
        time.steady_ms += 4 * MINUTE_MS
        assert there.due("ann") is None
        time.steady_ms += 2 * MINUTE_MS
        assert all(one.due("ann") for one in (here, there, Reminders(house)))
        known = [event for row in log.find(HOUSE, 0, KNOWN) for event in facts_in(row)]
        assert [(one["person"], one["minutes"]) for one in known] == [("ann", 6)]
        async with office_of(house) as office:
            page = " ".join((await office.get("/house/settings", "mara")).text.split())
            assert "told after 5 minutes of play" in page
        assert audit(log).fault is None
        verifier.verify(iter([one.decode() for one in export(log, "register")]))  # type: ignore[no-untyped-call]

    using(str(tmp_path / "house.db"), main)


def test_on_the_page_what_is_raised_waits_and_is_confirmed(tmp_path: Path) -> None:
    time = Time(10**9)

    async def use(office: Any) -> None:
        limits = "/account/limits"
        low = {"day_cents": "200", "minutes": "90"}
        assert (await office.post(limits, "ann", low)).status_code == 303
        high = {"day_cents": "500.50", "minutes": "90"}
        assert (await office.post(limits, "ann", high)).status_code == 303
        page = (await office.get(limits, "ann")).text
        assert "It can hold from" in page
        assert "I still want it" not in page
        soon = await office.post(limits, "ann", high)
        assert soon.status_code == 409
        assert "24 hours" in soon.text
        assert 'value="500.50"' in soon.text
        typo = await office.post(limits, "ann", {"day_cents": "a lot"})
        assert typo.status_code == 400
        assert "Write an amount, such as 200." in typo.text
        assert 'value="a lot"' in typo.text
        long = await office.post(limits, "ann", {"minutes": "1441", "remind_minutes": "soon"})
        assert "1,440 at most" in long.text
        assert "240 at most" in long.text
        time.steady_ms += DAY_MS
        office.sign_in_again()
        assert "I still want it" in (await office.get(limits, "ann")).text
        assert (await office.post(limits, "ann", high)).status_code == 303
        now = (await office.get("/api/me/limits", "ann")).json()
        assert (now["limits"], now["asked"]) == ({"day_cents": 50_050, "minutes": 90}, None)
        assert (await office.post(limits, "mara", low)).status_code == 403

    asked(tmp_path / "house.db", use, clock=time)


def forged(change: Callable[[PlayedBefore | None], PlayedBefore | None]) -> str:
    """What is wrong with a wager whose count was changed."""
    people = Register({"ann": Member("patron", limits=OwnLimits(10_000))})
    table = Table()
    played = change(PlayedBefore("2026-03-10", 5_000))
    ask = c.BuyIn(5_000, "ann")
    by = Actor("dan", frozenset({Role.DEALER}), 0)
    person = limited(ask, table, by, people)
    if bool(person) != (played is not None):
        return "missing"
    assert played is not None
    try:
        check_own_limits(ask, table, person, people, played)
    except Refused as refused:
        return str(refused.reason)
    return ""


def test_nobody_is_held_against_limits_without_a_count() -> None:
    assert forged(lambda one: one) == ""
    assert forged(lambda _: None) == "missing"
    assert forged(lambda one: PlayedBefore(one.day, 5_001) if one else None) == "own_day_limit"
