"""Entrants from a list: what each row would do, and then all rows or none.

Names, contacts and aliases go to the tables that can be erased, by whoever sees to patrons;
commands carry ids alone. A row that whoever hands the list in may not bring about is wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date  # noqa: TID251  to read a day, not to ask for one
from functools import reduce
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition import commands as c
from puntobanco.competition.dates import day_at
from puntobanco.competition.decide import decide
from puntobanco.competition.evolve import evolve
from puntobanco.competition.state import Competition
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.desk import fit_alias
from puntobanco.house.access.names import fit_name
from puntobanco.house.access.people import Person
from puntobanco.house.access.rights import DESK, check_house_role
from puntobanco.house.competitions.entry_list import EntryRow, read_entry_list
from puntobanco.house.house import House
from puntobanco.house.serving import check_plays
from puntobanco.house.stream import COMPETITION
from puntobanco.journal.verify import REGISTER
from puntobanco.register import commands as register
from puntobanco.register.decide import decide as decide_register
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor
from puntobanco.words import explain, money


class PlannedRow(Struct, frozen=True):
    """What a row of a list would do, or what is wrong with it."""

    number: int
    person: str
    name: str
    does: tuple[str, ...] = ()
    """In order: `enrol`, `name`, `alias`, `apply`, `enter`, `reserve`; nothing where all of it was
    done."""
    column: str = ""
    wrong: str = ""

    @property
    def told(self) -> str:
        place = f"row {self.number}" + (f", column {self.column}" if self.column else "")
        return f"{place}: {self.wrong}"


class _Wrong(Exception):  # noqa: N818  it is caught where it is raised
    """What a column of a row is wrong by."""

    def __init__(self, column: str, why: str) -> None:
        super().__init__(why)
        self.column, self.why = column, why


def plan_list(house: House, competition: str, text: str, who: str) -> list[PlannedRow]:
    """Try all rows, one after another, and say of each what it would do; nothing is done."""
    return [planned for _, planned in _plan(house, competition, text, who)]


async def import_entries(house: House, competition: str, text: str, who: str) -> int:
    """Enrol those who are not known, write names down, and apply, enter or put on the reserve
    list. One row that is refused refuses them all. Whoever repeats a list that was broken off
    brings about the rest of it.
    """
    name, mark = f"{COMPETITION}{competition}", _mark(text)
    planned = _plan(house, competition, text, who)
    for _, one in planned:
        if one.wrong:
            raise MalformedError(one.told)
    for row, one in planned:
        if "enrol" in one.does:
            enrol = register.Enrol(row.person, "patron")
            await house.give(REGISTER, enrol, who, f"enrol-{_id(mark, row, '')}")
        if {"enrol", "name"} & {*one.does}:
            house.people.put(_called(house, row))
        if "alias" in one.does:
            house.people.put_alias(row.person, fit_alias(house, row.person, row.alias))
        for step, ask in _asks(house.competitions[name].state, row):
            if step in one.does:
                await house.give(name, ask, who, _id(mark, row, step))
    return len(planned)


def _mark(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def _id(mark: str, row: EntryRow, step: str) -> str:
    """A reserve takes two commands, and each has its id."""
    return f"list-{mark}-{row.number}" + ("-reserve" if step == "reserve" else "")


def _asks(state: Competition, row: EntryRow) -> list[tuple[str, c.CompetitionCommand]]:
    if row.paid == "yes":
        return [("enter", c.EnterAtDesk(row.person, state.version))]
    applied: list[tuple[str, c.CompetitionCommand]] = [("apply", c.Apply(row.person))]
    return [*applied, ("reserve", c.AddReserve(row.person))] if row.reserve == "yes" else applied


def _plan(house: House, cup: str, text: str, who: str) -> list[tuple[EntryRow, PlannedRow]]:
    name, rows = f"{COMPETITION}{cup}", read_entry_list(text)
    if name not in house.competitions:
        raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=cup[:40])
    by, state, mark = house.actor(who, name), house.competitions[name].state, _mark(text)
    seen: dict[str, int] = {}
    aliases: dict[str, int] = {}
    planned = []
    for given in rows:
        row = given
        try:
            row = _known(house, given)
            _once(seen, row, "person", row.person)
            _once(aliases, row, "alias", row.alias.casefold())
            left = [
                (step, ask)
                for step, ask in _asks(state, row)
                if house.log.by_command(name, _id(mark, row, step)) is None
            ]
            before = _before(house, state, row, by) if left else []
            for step, ask in left:
                state = _tried(state, row, step, ask, by)
                _check_fee(house, state, row)
            does = (*before, *(step for step, _ in left))
            one = PlannedRow(row.number, row.person, row.name, does)
        except _Wrong as wrong:
            by_name = wrong.column == "person" and row.person and not given.person
            column = "name" if by_name else wrong.column
            one = PlannedRow(row.number, row.person, row.name, (), column, wrong.why)
        planned.append((row, one))
    return planned


def _once(seen: dict[str, int], row: EntryRow, column: str, said: str) -> None:
    if said and said in seen:
        raise _Wrong(column, f"{said} is in row {seen[said]} already")
    seen[said] = row.number


def _known(house: House, row: EntryRow) -> EntryRow:
    """The row with its id: whoever is given by name alone must be known by it, and only one."""
    if row.wrong:
        raise _Wrong(row.column, row.wrong)
    if row.person:
        if not row.name and row.person not in house.register.state.people:
            raise _Wrong("name", f"{row.person} is not known here; give a name")
        return row
    wanted = row.name.casefold()
    called = [who for who, one in house.people.all().items() if one.name.casefold() == wanted]
    if len(called) != 1:
        many = "nobody is" if not called else f"{len(called)} people are"
        raise _Wrong("name", f"{many} called {row.name} here; give an id")
    return replace(row, person=called[0], name="")


def _called(house: House, row: EntryRow) -> Person:
    """How the row's person is called and reached from now on; what it does not say stays."""
    kept = house.people.get(row.person)
    return Person(row.person, fit_name(row.name) or kept.name, row.contact or kept.contact)


def _before(house: House, state: Competition, row: EntryRow, by: Actor) -> list[str]:
    """What must be so, or be done, before anything is asked of the competition."""
    if row.received and date.fromisoformat(row.received) > day_at(state, by.at_ms):
        raise _Wrong("received", f"{row.received} is still to come")
    member = house.register.state.people.get(row.person)
    if member is not None and member.kind != "patron":
        raise _Wrong("person", f"{row.person} is no patron who may enter")
    with _column("person"):
        check_plays(house.register.state, row.person, by.at_ms)
    done = []
    if member is None:
        with _column("person", f"{row.person}: "):
            decide_register(house.register.state, register.Enrol(row.person, "patron"), by)
        done.append("enrol")
    with _column("name"):
        renamed = _called(house, row) != house.people.get(row.person)
    if member is not None and renamed:
        done.append("name")
    with _column("alias"):
        if row.alias and fit_alias(house, row.person, row.alias) != house.people.alias(row.person):
            done.append("alias")
    for column in {"name", "alias"} & {*done}:
        with _column(column):
            check_house_role(by, DESK, "people")
    return done


def _check_fee(house: House, state: Competition, row: EntryRow) -> None:
    """The fee is taken from the account, so it must be there."""
    if row.paid != "yes":
        return
    entry = state.conditions.entry
    beside = entry.commission_cents if entry.commission == "beside" else 0
    fee = (entry.fee_cents or 0) + beside
    has = house.cage.state.accounts.get(row.person)
    if has is None or has < fee:
        there = "there is no account" if has is None else f"the account has {money(has)}"
        raise _Wrong("paid", f"{there} and the fee is {money(fee)}; see to it at the cage")


@contextmanager
def _column(column: str, whose: str = "") -> Iterator[None]:
    """A refusal within is what this column is wrong by."""
    try:
        yield
    except Refused as refused:
        raise _Wrong(column, whose + ". ".join(explain(refused))) from refused


def _tried(
    state: Competition, row: EntryRow, step: str, ask: c.CompetitionCommand, by: Actor
) -> Competition:
    column = {"enter": "paid", "reserve": "reserve"}.get(step, "person")
    with _column(column, f"{row.person}: "):
        return reduce(evolve, decide(state, ask, by), state)
