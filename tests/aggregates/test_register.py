"""Who belongs to the house: enrolled, given roles, disabled at once; names that can be erased."""

from pathlib import Path

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.people import Credential, Person, WebSession
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as m
from puntobanco.register.authority import AUTHORITY
from puntobanco.register.decide import ROOMS
from puntobanco.register.state import Register
from puntobanco.rules.documents.texts import text_of
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.words import one_line
from tests.kit.aggregates import run_register
from tests.kit.house.driver import house_over
from tests.kit.journal import using

MANAGER = frozenset({Role.MANAGEMENT})


def by(person: str, *roles: Role) -> Actor:
    return Actor(person, frozenset(roles), 0)


class Book:
    """A register of its own, founded by mara."""

    def __init__(self) -> None:
        self.register, _ = run_register(Register(), m.FoundHouse(), by("mara"))

    def do(self, ask: m.RegisterCommand, actor: Actor | None = None) -> None:
        self.register, _ = run_register(self.register, ask, actor or by("mara", Role.MANAGEMENT))

    def refuse(self, ask: m.RegisterCommand, reason: Reason, actor: Actor | None = None) -> None:
        with pytest.raises(Refused) as caught:
            run_register(self.register, ask, actor or by("mara", Role.MANAGEMENT))
        assert caught.value.reason is reason
        assert "{" not in one_line(caught.value)

    def roles(self, person: str, table: str = "") -> frozenset[Role]:
        return self.register.people[person].roles_at(table)


def test_the_first_manager_is_made_once() -> None:
    book = Book()
    assert book.roles("mara") == MANAGER
    book.refuse(m.FoundHouse(), Reason.HOUSE_IS_FOUNDED, by("eve"))


def test_nobody_is_enrolled_as_somebody_else_in_capitals() -> None:
    book = Book()
    book.do(m.Enrol("ann", "patron"))
    for other in ("Ann", "ANN", "Mara", "House"):
        book.refuse(m.Enrol(other, "patron"), Reason.ENROLLED_ALREADY)
        book.refuse(m.NameFounder(other), Reason.ENROLLED_ALREADY, by("house", Role.HOUSE))
    with pytest.raises(Refused):
        run_register(Register(), m.FoundHouse("Mara"), by("mara"))


@pytest.mark.parametrize("back", [m.Enable("fay", "here again"), m.NameFounder("fay")])
def test_whoever_comes_back_is_not_erased_when_they_go_again(back: m.RegisterCommand) -> None:
    """It was agreed to, and kept back while the house owed them something."""
    book = Book()
    for ask in (m.Enrol("fay", "staff"), m.Disable("fay", "gone"), m.Erase("fay")):
        book.do(ask)
    assert book.register.to_erase == {"fay"}
    book.do(back, by("mara", Role.MANAGEMENT))
    assert book.register.people["fay"].enabled
    assert not book.register.to_erase


def test_roles_are_per_house_and_per_table() -> None:
    book = Book()
    book.do(m.Enrol("dan", "staff"))
    assert book.roles("dan") == frozenset()
    book.do(m.Grant("dan", Role.DEALER, "table-1"))
    book.do(m.Grant("dan", Role.CASHIER))
    assert book.roles("dan", "table-1") == {Role.DEALER, Role.CASHIER}
    assert book.roles("dan", "table-2") == {Role.CASHIER}
    book.refuse(m.Grant("dan", Role.DEALER, "table-1"), Reason.ROLE_HELD)
    book.refuse(m.Revoke("dan", Role.DEALER, "table-2"), Reason.ROLE_NOT_HELD)
    book.do(m.Revoke("dan", Role.DEALER, "table-1"))
    assert book.roles("dan", "table-1") == {Role.CASHIER}


def test_a_patron_is_a_patron_everywhere_and_nothing_else() -> None:
    book = Book()
    book.do(m.Enrol("ann", "patron"), by("carol", Role.CASHIER))
    assert book.roles("ann", "table-9") == {Role.PATRON}
    book.refuse(m.Grant("ann", Role.DEALER), Reason.ROLE_NOT_GRANTED)
    book.do(m.Enrol("dan", "staff"))
    for role in (Role.PATRON, Role.HOUSE):
        book.refuse(m.Grant("dan", role), Reason.ROLE_NOT_GRANTED)


def test_nobody_raises_or_restores_themselves() -> None:
    book = Book()
    book.do(m.Enrol("max", "staff"))
    book.do(m.Grant("max", Role.MANAGEMENT))
    book.refuse(m.Grant("mara", Role.CASHIER), Reason.SAME_PERSON)
    book.refuse(m.Disable("mara", "why"), Reason.SAME_PERSON)
    book.do(m.Disable("mara", "on leave"), by("max", Role.MANAGEMENT))
    assert book.roles("mara") == frozenset()
    book.refuse(m.Disable("mara", ""), Reason.DISABLED, by("max", Role.MANAGEMENT))
    book.refuse(m.Enable("mara", "back"), Reason.SAME_PERSON)
    book.refuse(m.Revoke("max", Role.MANAGEMENT), Reason.LAST_MANAGER, by("max", Role.MANAGEMENT))
    book.do(m.Enable("mara", "back"), by("max", Role.MANAGEMENT))
    book.refuse(m.Enable("mara", ""), Reason.ENABLED_ALREADY, by("max", Role.MANAGEMENT))
    assert book.roles("mara") == MANAGER


@pytest.mark.parametrize("role", sorted(set(Role) - {Role.MANAGEMENT}))
def test_only_management_changes_the_register(role: Role) -> None:
    book = Book()
    book.do(m.Enrol("ann", "patron"))
    asks = (
        m.Enrol("eve", "staff"),
        m.Enrol("bot", "patron", m.Bot("banker", "table-1")),
        m.Disable("ann", ""),
        m.Enable("ann", ""),
        m.Grant("ann", Role.DEALER),
        m.Revoke("ann", Role.DEALER),
    )
    for ask in asks:
        book.refuse(ask, Reason.NOT_YOUR_ROLE, by("eve", role))
    if role is not Role.DIRECTOR:  # who publishes a competition, with which its text is kept
        keep = m.KeepRuleset("x", "0" * 64, "text")
        book.refuse(keep, Reason.NOT_YOUR_ROLE, by("eve", role))
    if role is not Role.CASHIER:
        book.refuse(m.Enrol("bob", "patron"), Reason.NOT_YOUR_ROLE, by("eve", role))


def test_every_command_has_an_authority_and_a_room() -> None:
    assert set(AUTHORITY) == set(ROOMS)


def test_whoever_is_not_enrolled_or_was_disabled_acts_no_more(place: str) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log)
        await house.found("mara", "f")
        with pytest.raises(Refused) as caught:
            house.actor("eve")
        assert caught.value.reason is Reason.NOT_ENROLLED
        await house.give("register", m.Enrol("dan", "staff"), "mara", "1")
        await house.give("register", m.Grant("dan", Role.DEALER), "mara", "2")
        house.people.put(Person("dan", "Daniel", "dan@house"))
        house.people.begin(WebSession("t" * 64, "dan", 1, 1))
        assert house.actor("dan").roles == {Role.DEALER}
        await house.give("register", m.Disable("dan", "left"), "mara", "3")
        with pytest.raises(Refused) as caught:
            house.actor("dan")
        assert caught.value.reason is Reason.DISABLED
        assert house.people.session("t" * 64) is None

    using(place, use)


def test_names_can_be_corrected_and_erased_and_the_journal_still_verifies(
    place: str,
) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log)
        people = house.people
        people.put(Person("ann", "Ann Example", "ann@example"))
        people.put(Person("ann", "Anne Example", "anne@example"))
        assert people.get("ann") == Person("ann", "Anne Example", "anne@example")
        await house.issue(Credential("ann", "pin", "hash", 5), "mara")
        await house.issue(Credential("ann", "pin", "hash", 5, 2, 9), "mara")
        assert people.credential("ann", "pin") == Credential("ann", "pin", "hash", 5, 2, 9)
        people.begin(WebSession("t", "ann", 1, 1))
        people.seen("t", 7)
        assert people.session("t") == WebSession("t", "ann", 1, 7)
        assert list(people.all()) == ["ann"]
        await house.erase("ann", "mara")
        assert people.get("ann") == Person("ann")
        assert people.credential("ann", "pin") is None
        assert people.session("t") is None
        assert people.all() == {}

    using(place, use)


def test_an_erased_name_is_nowhere_in_the_file(tmp_path: Path) -> None:
    where = tmp_path / "house.db"

    async def use(log: EventLog) -> None:
        house = house_over(log)
        house.people.put(Person("p1", "Wilhelmina Unmistakable", "+61 400 000 000"))
        assert b"Unmistakable" in where.with_name("house.db-wal").read_bytes()
        await house.erase("p1", "mara")
        for file in where.parent.iterdir():
            assert b"Unmistakable" not in file.read_bytes()

    using(str(where), use)


def test_the_text_of_a_rule_set_is_kept_with_the_first_table_opened_by_it(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log)
        await house.found("mara", "f")
        mara = house.actor("mara")
        opening = c.OpenTable(
            sample_notice("tas-2018"), "monday", "shoe 1", effective="1 July 2018"
        )
        for number in (1, 2):
            await house.give(f"table-{number}", opening, mara.person, f"open-{number}")
        assert len(house.register.state.rulesets) == 1
        assert sum(b"ruleset-kept" in row.events for row in log.read("register")) == 1
        assert house.table("table-1").state.opened is not None
        digest = house.table("table-1").state.opened.digest  # type: ignore[union-attr]
        assert house.register.state.rulesets == {digest: text_of(digest)}
        assert [one.table for one in house.listed()] == ["table-1", "table-2"]
        assert [one.seats_free for one in house.listed()] == [opening.notice.seats] * 2

    using(str(tmp_path / "house.db"), use)
