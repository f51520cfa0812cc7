"""What takes two people is offered to whoever would be taken as the second, and to nobody else."""

from pathlib import Path
from typing import Any

from puntobanco.cage import commands as m
from puntobanco.cage import events as m_events
from puntobanco.house.checks.audit import audit
from puntobanco.house.lookback.significant import review, significant
from puntobanco.register import commands as register
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.office import Office, asked, two_founders

APPROVE, DROP = "/approve?proposal=1", "/drop-proposal?proposal=1"


def test_only_a_second_person_is_offered_to_agree_and_others_read_who_can(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await two_founders(office)
        await office.house.give("register", register.Grant("carl", Role.DEALER), "mara", "grant")
        await office.house.give("register", register.SetTwoPeople(1, 5), "mara", "set")
        own = (await office.get("/house/people/carl", "mara")).text
        assert APPROVE not in own
        assert DROP in own
        assert "Can agree: " in own
        assert "fay" in own.split("Can agree: ")[1].split("<")[0]
        for person in ("fay", "sven"):
            assert APPROVE in (await office.get("/house/people/carl", person)).text
        settings = "/approve?proposal=2"
        assert settings not in (await office.get("/house/settings", "mara")).text
        assert settings in (await office.get("/house/settings", "fay")).text
        looks_on = (await office.get("/house/settings", "cass")).text
        assert settings not in looks_on
        assert "/drop-proposal?proposal=2" not in looks_on

    asked(tmp_path / "house.db", use)


def test_whoever_proposed_a_role_does_not_review_it(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await two_founders(office)
        house = office.house
        await house.give("register", register.Grant("carl", Role.DEALER), "mara", "grant")
        await house.give("register", c.Approve(1), "fay", "agree")
        row = house.log.head("register").seq
        assert significant(house)[0].seq == row
        page = (await office.get(f"/house/events/register/{row}", "mara")).text
        assert "proposed this yourself" in page
        for person in ("mara", "fay"):
            answer = await office.json(
                f"/api/events/register/{row}/review", person, {"note": "all fine"}
            )
            assert answer.json()["reason"] == "same_person"
        await review(house, house.actor("otto"), "register", row, "asked both")

    asked(tmp_path / "house.db", use)


async def pay(office: Office, ask: m.ByTwo) -> list[Any]:
    given = await office.house.give("cage", ask, "cass", office.house.own_id("pay"))
    return list(given[0].events)


def test_payments_of_a_gaming_day_count_together(tmp_path: Path) -> None:
    """Ten payments just below the limit are as much as one of ten times as much."""

    async def use(office: Office) -> None:
        await two_founders(office)
        house = office.house
        below = house.register.state.settings.two_people.cash_cents - 1
        assert isinstance((await pay(office, m.Deposit("ann", below)))[0], m_events.MoneyDeposited)
        (waits,) = await pay(office, m.Deposit("ann", below))
        assert isinstance(waits, m_events.Proposed)
        assert isinstance((await pay(office, m.Deposit("ann", 1)))[0], m_events.MoneyDeposited)
        assert isinstance((await pay(office, m.Deposit("ann", 1)))[0], m_events.Proposed)
        out = (await pay(office, m.Withdraw("ann", below)))[0]  # the other way is apart
        assert isinstance(out, m_events.MoneyWithdrawn)
        assert isinstance((await pay(office, m.Deposit("bob", below)))[0], m_events.MoneyDeposited)
        agreed = await house.give("cage", c.Approve(waits.number), "fay", "agreed")
        assert agreed[0].events[1] == m_events.MoneyDeposited("ann", below)  # counts for no day
        for person, ways in (("cass", 0), ("carl", 1)):
            page = await office.get("/house/cage/patrons/ann", person)
            assert page.status_code == 200
            assert page.text.count("/approve?proposal=2") == 2 * ways  # and in the bar
        assert audit(house.log).fault is None

    asked(tmp_path / "house.db", use)


def test_settings_show_for_how_long_a_newcomer_is_no_second_person(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await two_founders(office)
        page = (await office.get("/house/settings", "mara")).text
        assert "whoever enrolled them for 7 days" in " ".join(page.split())
        done = await office.house.give(
            "register", register.SetTwoPeople(0, 10**6), "mara", "no-days"
        )
        number = done[0].events[0].number
        await office.house.give("register", c.Approve(number), "fay", "no-days-agreed")
        page = (await office.get("/house/settings", "mara")).text
        assert "for 7 days" not in page
        assert "at once" in page

    asked(tmp_path / "house.db", use)


def test_the_book_of_the_cage_goes_on_while_payments_wait(tmp_path: Path) -> None:
    """What is proposed moves nothing; what was agreed to is a movement, with its receipt."""

    async def use(office: Office) -> None:
        await two_founders(office)
        above = office.house.register.state.settings.two_people.cash_cents + 1
        await pay(office, m.Deposit("ann", 100))
        (waits,) = await pay(office, m.Deposit("ann", above))
        (other,) = await pay(office, m.Deposit("ann", above))
        agreed = await office.house.give("cage", c.Approve(waits.number), "fay", "agreed-to-it")
        await office.house.give("cage", c.DropProposal(other.number), "fay", "not-to-the-other")
        ledger = (await office.get("/api/people/ann/ledger", "cass")).json()
        assert [line["cents"] for line in ledger] == [above, 100, 0]
        assert ledger[0]["balance_cents"] == above + 100
        for path in (
            "/house/cage/patrons/ann",
            "/house/people/ann/ledger",
            f"/house/cage/receipts/{agreed[0].seq}",
            "/account",
        ):
            person = "ann" if path == "/account" else "cass"
            assert (await office.get(path, person)).status_code == 200, path

    asked(tmp_path / "house.db", use)


def test_a_slip_with_half_a_password_has_a_heading(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await two_founders(office)
        page = (await office.post("/house/people/cass/password", "mara", {})).text
        assert page.count("<h1") == 1

    asked(tmp_path / "house.db", use)


def test_a_house_without_a_limit_says_so(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await two_founders(office)
        house = office.house
        assert "10,000" in (await office.get("/house/settings", "mara")).text
        form = (await office.get("/house/do/register/set-two-people", "mara")).text
        assert "Leave it empty for no limit" in form
        unlimited = {"days": "1", "cash_cents@limit": ""}
        sent = await office.post("/house/do/register/set-two-people", "mara", unlimited)
        assert sent.status_code == 303
        waits = (await office.get("/house/settings", "fay")).text
        assert "money of any amount by one person" in waits
        await house.give("register", c.Approve(1), "fay", "agreed")
        page = (await office.get("/house/settings", "mara")).text
        assert "no limit is set" in page
        assert "10,000,000" not in page
        assert "money of any amount" in significant(house)[0].says
        assert isinstance((await pay(office, m.Deposit("ann", 10**12)))[0], m_events.MoneyDeposited)
        assert isinstance((await pay(office, m.Deposit("ann", 10**12)))[0], m_events.MoneyDeposited)
        assert audit(house.log).fault is None

    asked(tmp_path / "house.db", use)
