"""A patron shuts themselves out, and nobody lets them play before it is over."""

from pathlib import Path

import pytest

from puntobanco.cage import commands as cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.checks.audit import audit
from puntobanco.house.house import House
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.table import commands as c
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import using
from tests.kit.office import Office, asked

DAY_MS = 86_400_000


async def why(house: House, at: str, ask: object, who: str, number: int) -> str:
    try:
        await house.give(at, ask, who, f"tried-{number}")
    except Refused as refused:
        return str(refused.reason)
    return ""


def test_who_shut_themselves_out_neither_signs_in_nor_plays_until_it_is_over(
    tmp_path: Path,
) -> None:
    time = Time(10**9)

    async def use(office: Office) -> None:
        house, signin = office.house, SignIn(office.house)
        pin = await signin.issue_pin("ann", "mara")
        page = (await office.get("/account", "ann")).text
        assert 'action="/account/exclude"' in page
        assert (await office.post("/account/exclude", "mara", {"days": "1"})).status_code == 403
        assert (await office.post("/account/exclude", "ann", {"days": "0"})).status_code == 400
        assert (await office.post("/account/exclude", "ann", {"days": "7"})).status_code == 303
        assert (await office.get("/account", "ann")).status_code == 302  # signed out at once
        with pytest.raises(Refused) as refused:
            await signin.sign_in("ann", "pin", pin, "10.0.0.1")
        assert refused.value.reason is Reason.SELF_EXCLUDED
        shorter = await why(house, "register", register.ExcludeOneself(6), "ann", 1)
        assert shorter == Reason.EXCLUDED_LONGER
        assert audit(house.log).fault is None
        time.steady_ms += 7 * DAY_MS
        assert await signin.sign_in("ann", "pin", pin, "10.0.0.1")

    asked(tmp_path / "house.db", use, clock=time)


def test_nothing_is_taken_in_for_them_and_what_is_theirs_is_paid_out(tmp_path: Path) -> None:
    time = Time(10**9)

    async def use(office: Office) -> None:
        house = office.house
        await house.give("register", register.ExcludeOneself(7), "ann", "exclude-ann")
        assert house.register.state.people["ann"].excluded_until_ms == 10**9 + 7 * DAY_MS
        assert await why(house, "cage", cage.OpenAccount("ann"), "mara", 1) != Reason.SELF_EXCLUDED
        assert await why(house, "cage", cage.Deposit("ann", 100), "mara", 2) == Reason.SELF_EXCLUDED
        out = await why(house, "cage", cage.Withdraw("ann", 100), "mara", 3)
        assert out != Reason.SELF_EXCLUDED

    asked(tmp_path / "house.db", use, clock=time)


def test_no_seat_and_no_chips_at_a_table(tmp_path: Path) -> None:
    async def main(log: EventLog) -> None:
        time = Time()
        house = house_over(log, time.clock)
        await Driver(house).open()
        await house.give("register", register.ExcludeOneself(1), "ann", "exclude-ann")
        asks = ((c.BuyIn(100, "ann"), "dan"), (c.Sit(3), "ann"))
        for number, (ask, who) in enumerate(asks):
            assert await why(house, "table-1", ask, who, number) == Reason.SELF_EXCLUDED
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), main)
