"""What a form lets one choose is what can be needed: nothing that is given is missing from it.

Every written session is gone through, command by command, in one house whose people are those of
the session; the forms are made at each table as it stands.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from puntobanco.errors import Refused
from puntobanco.house.house import House
from puntobanco.house.may import possible
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.server.commands.forms import Field
from puntobanco.server.commands.prefill import filled
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, name_of
from puntobanco.table.decide import foresee
from puntobanco.table.likely import SOMEBODY_NEW
from puntobanco.table.session import COMMANDS, Played, Session, parse_session, play_session
from puntobanco.table.state import Table
from tests.kit.house.driver import house_over
from tests.kit.journal import using
from tests.kit.places import HOUSE_SESSIONS

NOT_TYPED = (c.OpenTable, c.PostChange, c.OpenCommitment)
"""Opened from presets, changed on a page of its own, given by the house."""
ONLY_CHOSEN = frozenset({"coup", "proposal", "dispute", "role", "on", "found", "kind", "machine"})
"""Facts that stand for something there is: where there is nothing, nothing can be typed either."""


async def people_of(house: House, session: Session) -> None:
    """Everybody of a session belongs to the house."""
    await house.found("founder", "founding-of-the-house")
    for person, roles in {line.by.person: line.by.roles for line in session.said}.items():
        kind: register.Kind = "patron" if Role.PATRON in roles else "staff"
        if Role.HOUSE not in roles:
            await house.give("register", register.Enrol(person, kind), "founder", f"en-{person}")


def form_at(house: House, table: Table, kind: type[c.Command], by: Actor) -> tuple[Field, ...]:
    """The form of a command for somebody, at a table that stands so."""
    visit, stream = SimpleNamespace(house=house), SimpleNamespace(state=table)
    return filled(cast("Any", visit), cast("Any", stream), kind, by, {})


def prefilled_amiss(fields: tuple[Field, ...]) -> Iterator[str]:
    """Fields that start from something which is not among their own choices."""
    for field in fields:
        listed = {value for value, _ in field.choices}
        chosen = field.chosen if field.is_many else {field.value} - {""}
        if listed and not chosen <= listed:
            yield f"{field.path} starts from {field.value}, of {sorted(listed)}"
        if field.required and field.path in ONLY_CHOSEN and not listed:
            yield f"{field.path} must be chosen, and there is nothing to choose"


def left_out(fields: tuple[Field, ...], ask: c.Command) -> Iterator[str]:
    """Facts of a command that its form does not let anybody choose, or asks for in vain."""
    facts: dict[str, Any] = msgspec.to_builtins(ask)
    for field in fields:
        fact, listed = facts.get(field.path), {value for value, _ in field.choices}
        if field.path == "card" and field.required and fact is None:
            yield f"{name_of(type(ask))}: {field.path} is asked for, and nobody saw it"
        if not listed or fact in (None, "", [], ()):
            continue
        for one in fact if isinstance(fact, (list, tuple)) else (fact,):
            text = str(one).lower() if isinstance(one, bool) else str(one)
            if text not in listed:
                yield f"{name_of(type(ask))}: {field.path} is {text}, of {sorted(listed)}"


def situation(table: Table) -> tuple[object, ...]:
    """Whether a form may be otherwise than at the step before."""
    coup = table.coup
    earlier = min(len(table.coups), 2)
    return (
        table.phase,
        earlier,
        len(table.proposals),
        len(table.disputes),
        bool(coup and coup.drawn),
    )


def offered_amiss(house: House, table: Table, people: list[Actor]) -> Iterator[str]:
    for by in people:
        for name in possible(table, by):
            if name in COMMANDS and COMMANDS[name] not in NOT_TYPED:
                fields = form_at(house, table, COMMANDS[name], by)
                wrong = [*prefilled_amiss(fields)]
                for ask in accepted_now(table, COMMANDS[name], by):
                    wrong += left_out(fields, ask)
                yield from (f"{table.phase}, {by.person}, {name}: {one}" for one in wrong)


def accepted_now(table: Table, kind: type[c.Command], by: Actor) -> Iterator[c.Command]:
    """The command in each way in which it would likely be given, if the rules let it happen."""
    likely = AUTHORITY[kind].likely
    for ask in likely(table, by) if likely else ():
        if getattr(ask, "person", "") != SOMEBODY_NEW:
            with suppress(Refused):
                foresee(table, ask, by)
                yield ask


def gone_through(house: House, session: Session) -> Iterator[str]:
    people = {one.by.person: one.by for one in session.said if Role.HOUSE not in one.by.roles}
    table, seen = Table(), set[tuple[object, ...]]()
    for step in play_session(session):
        now = situation(table)
        if now not in seen and table.opened:
            seen.add(now)
            yield from offered_amiss(house, table, list(people.values()))
        if step.events and type(step.ask) not in NOT_TYPED and _by_a_person(step):
            fields = form_at(house, table, type(step.ask), step.said.by)
            yield from left_out(fields, step.ask)
        table = step.table


def _by_a_person(step: Played) -> bool:
    return Role.HOUSE not in step.said.by.roles and name_of(type(step.ask)) in COMMANDS


@pytest.mark.parametrize("file", HOUSE_SESSIONS, ids=lambda file: file.stem)
def test_every_choice_starts_from_one_that_is_listed_and_leaves_nothing_out(
    tmp_path: Path, file: Path
) -> None:
    session = parse_session(file.read_text())

    async def amiss(log: EventLog) -> list[str]:
        house = house_over(log)
        await people_of(house, session)
        return list(dict.fromkeys(gone_through(house, session)))

    assert using(str(tmp_path / "house"), amiss) == []
