"""A patron shuts themselves out, and nobody lets them play before it is over."""

from pathlib import Path

import pytest

from puntobanco.cage import commands as cage
from puntobanco.competition import commands as cup
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.history import PeopleBook
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.checks.audit import audit
from puntobanco.house.house import House
from puntobanco.house.lookback.significant import significant
from puntobanco.house.serving import check_served
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.register.state import Member, Register
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import using
from tests.kit.office import Office, asked

DAY_MS = 86_400_000
PLAYING = (
    *(cage.OpenAccount("ann"), cage.Deposit("ann", 100)),
    *(c.BuyIn(100, "ann"), c.Sit(1, "ann"), c.StandAt(1, "ann")),
    *(cup.Apply("ann"), cup.PayEntry("ann"), cup.AddReserve("ann"), cup.TakeReserve("ann")),
    *(cup.EnterAtDesk("ann", 1), cup.Substitute("bob", "ann")),
    *(c.TakeSeat("ann"), c.NameSubstitute("bob", "ann", 7)),
)
PAID_OUT = (cage.Withdraw("ann", 100), c.CashOut(100, "ann"), c.Leave("ann"), cup.Withdraw("ann"))


@pytest.mark.parametrize("ask", [*PLAYING, *PAID_OUT], ids=lambda ask: type(ask).__name__)
def test_whoever_is_shut_out_does_not_play_and_is_paid_out(ask: object) -> None:
    """By the house, or at their own wish until that is over."""
    by = Actor("mara", frozenset(), 1000)
    for member, reason in (
        (Member("patron", enabled=False), Reason.ACCOUNT_IS_SHUT),
        (Member("patron", excluded_until_ms=1001), Reason.SELF_EXCLUDED),
        (Member("patron", excluded_until_ms=1000), None),
        (Member("patron"), None),
    ):
        people = Register({"ann": member, "bob": Member("patron")})
        expected = reason if ask in PLAYING else None
        assert _refused(ask, people, by) is expected


def test_what_the_competition_has_asked_is_not_asked_again() -> None:
    """Its table is told who plays, and nothing that was accepted waits there for ever."""
    people = Register({"ann": Member("patron", enabled=False), "bob": Member("patron")})
    told = c.NameSubstitute("bob", "ann", 7)
    assert _refused(told, people, Actor("house", frozenset({Role.HOUSE}), 1000)) is None
    assert _refused(c.NameSubstitute("bob", "eve"), people, Actor("cora", frozenset(), 0)) is (
        Reason.NOT_ENROLLED
    )


def _refused(ask: object, people: Register, by: Actor) -> Reason | None:
    try:
        check_served(ask, people, {}, by)
    except Refused as refused:
        return refused.reason
    return None


async def why(house: House, at: str, ask: object, who: str) -> str:
    try:
        await house.give(at, ask, who, f"tried-{type(ask).__name__}")
    except Refused as refused:
        return str(refused.reason)
    return ""


def test_who_shut_themselves_out_neither_signs_in_nor_stays(tmp_path: Path) -> None:
    time = Time(10**9)

    async def use(office: Office) -> None:
        house, signin = office.house, SignIn(office.house)
        pin = await signin.issue_pin("ann", "mara")
        page = (await office.get("/account", "ann")).text
        assert 'action="/account/exclude"' in page
        sure = {"days": "7", "sure": "ann"}
        assert (
            await office.post("/account/exclude", "mara", sure | {"sure": "mara"})
        ).status_code == 403
        unsure = await office.post("/account/exclude", "ann", {"days": "7", "sure": "an"})
        assert unsure.status_code == 409
        assert 'value="7" selected' in unsure.text
        assert 'value="an"' in unsure.text
        assert (await office.post("/account/exclude", "ann", sure)).status_code == 303
        assert (await office.get("/account", "ann")).status_code == 302  # signed out at once
        with pytest.raises(Refused) as refused:
            await signin.sign_in("ann", "pin", pin, "10.0.0.1")
        assert refused.value.reason is Reason.SELF_EXCLUDED
        shorter = await why(house, "register", register.ExcludeOneself(6), "ann")
        assert shorter == Reason.EXCLUDED_LONGER
        assert PeopleBook(house.log).of("ann").excluded[0].until_ms == 10**9 + 7 * DAY_MS
        assert "at their own wish" in significant(house)[0].says
        person = (await office.get("/house/people/ann", "mara")).text
        assert "Asked to be shut out of play until" in person
        assert (
            "shut out at their own wish"
            in (await office.get("/house/people?show=out", "mara")).text
        )
        assert audit(house.log).fault is None
        time.steady_ms += 7 * DAY_MS
        assert await signin.sign_in("ann", "pin", pin, "10.0.0.1")

    asked(tmp_path / "house.db", use, clock=time)


def test_no_seat_and_no_chips_at_a_table(tmp_path: Path) -> None:
    async def main(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        await Driver(house).open()
        assert await why(house, "register", register.ExcludeOneself(1), "ann") == ""
        for ask, who in ((c.BuyIn(100, "ann"), "dan"), (c.Sit(3), "ann")):
            assert await why(house, "table-1", ask, who) == Reason.SELF_EXCLUDED
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), main)


def test_nobody_wagers_the_chips_that_somebody_has_who_was_shut_out(tmp_path: Path) -> None:
    """A dealer could key what they say; what lay in time is played, and can be made smaller."""

    async def main(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        driver = await (await Driver(house).open()).shoe()
        await driver.do("dan", c.OpenCoup())
        await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 5_000))
        assert await why(house, "register", register.ExcludeOneself(1), "ann") == ""
        for ask in (
            c.PlaceWager(1, Bet.TIE, 1_000, "ann"),
            c.ChangeWager(1, Bet.PLAYER, 7_500, "ann"),
        ):
            assert await why(house, "table-1", ask, "dan") == Reason.SELF_EXCLUDED
        await driver.do("dan", c.ChangeWager(1, Bet.PLAYER, 2_500, "ann"))
        await driver.do("dan", c.WithdrawWager(1, Bet.PLAYER, "ann"))
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), main)
