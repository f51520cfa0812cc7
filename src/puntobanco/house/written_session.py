"""A written session played into a house: its people, its money, its commands.

A written case can then be verified, exported, tampered with and shown on pages like any evening.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from puntobanco.cage import commands as cage
from puntobanco.errors import MalformedError, Refused
from puntobanco.house.clock import Clock
from puntobanco.house.giving.forms import form_in
from puntobanco.house.house import CAGE, House
from puntobanco.house.intents import LodgeForm
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register import commands as register
from puntobanco.register.settings import Guests
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.session import Played, Session, play_session, written_form

FOUNDER = "founder"
CASHIER = "cashier"
ORDINARY = "table-ordinary"
"""Tables on which nothing is played: they are opened for the text of their rule set alone."""
TRAY_CENTS = 10**11
"""Cents in the tray of a written session's table: more than any session pays out."""


class SessionTime:
    """A clock that shows the times of the session."""

    def __init__(self) -> None:
        self.now_ms = 0

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.now_ms, lambda: self.now_ms, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.now_ms += int(seconds * 1000)


async def write_session(
    session: Session, house: House, time: SessionTime, table: str = "table-1"
) -> list[str]:
    """Play a session at a table of a new house; return, in words, what was left out."""
    steps = list(play_session(session))
    await _people(session, house, table)
    await _money(steps, house)
    await _texts(steps, house, time)
    left_out: list[str] = []
    for number, step in enumerate(steps, 1):
        time.now_ms = step.said.by.at_ms
        if said := _left_out(step):
            left_out.append(f"line {step.said.line}: {said}")
        if isinstance(step.ask, c.OpenCommitment | c.AddWords):
            continue
        await _given(house, table, step, f"line-{step.said.line}-{number}")
        for_money = isinstance(step.ask, c.OpenTable) and not step.ask.play_cents
        if for_money and table not in house.cage.state.trays:
            tray = cage.OpenTray(table, TRAY_CENTS)
            await house.give(CAGE, tray, FOUNDER, f"tray-{table}")
    return left_out


async def _people(session: Session, house: House, table: str) -> None:
    """Enrol the people of the session in their roles, and two who look after the house."""
    await house.found(FOUNDER, "founding")
    for enrol in _enrolments(session, table):
        await house.give(REGISTER, enrol, FOUNDER, house.own_id("people"))


def _enrolments(session: Session, table: str) -> Iterator[register.RegisterCommand]:
    yield register.Enrol(CASHIER, "staff")
    yield register.Grant(CASHIER, Role.CASHIER)
    head = msgspec.convert(session.head.get("people", {}), dict[str, frozenset[Role]])
    guests = [person for person, roles in head.items() if Role.GUEST in roles]
    if set(guests) != {*Guests(table, len(guests)).ids}:
        raise MalformedError("guests are called guest-1, guest-2 and so on")
    if guests:
        yield register.SetGuests(table, len(guests))
    for person, roles in head.items():
        if person in guests:
            continue
        if person in (FOUNDER, CASHIER) or (Role.HOUSE in roles) != (person == HOUSE):
            raise MalformedError(f"{person}: the house has this name for somebody of its own")
        if person == HOUSE:
            continue
        if Role.PATRON in roles and len(roles) > 1:
            raise MalformedError(f"{person}: nobody is both patron and staff of one house")
        yield register.Enrol(person, "patron" if Role.PATRON in roles else "staff")
        for role in sorted(roles - {Role.PATRON}):
            yield register.Grant(person, role, table)


async def _money(steps: list[Played], house: House) -> None:
    """Open an account for every patron who buys chips, with the money for all they will buy."""
    wanted: dict[str, int] = {}
    for step in steps:
        if isinstance(step.ask, c.BuyIn) and step.events:
            wanted[step.ask.person] = wanted.get(step.ask.person, 0) + step.ask.cents
    for person, cents in wanted.items():
        for ask in (cage.OpenAccount(person), cage.Deposit(person, cents)):
            await house.give(CAGE, ask, CASHIER, house.own_id("money"))


async def _texts(steps: list[Played], house: House, time: SessionTime) -> None:
    """Have management open and close an ordinary table by each rule set that the house opens a
    session's table by: its text is in the register then, as after a competition was published.
    """
    first: dict[str, c.OpenTable] = {}
    for step in steps:
        if isinstance(step.ask, c.OpenTable) and step.events and step.said.by.person == HOUSE:
            first.setdefault(step.ask.notice.ruleset, step.ask)
    for ruleset, ask in first.items():
        for told in (
            replace(ask, conditions=None, session=None),
            c.GiveClosingNotice(time.now_ms + 1),
        ):
            await house.give(f"{ORDINARY}-{ruleset}", told, FOUNDER, house.own_id("text"))
        time.now_ms += 1
        await house.give(f"{ORDINARY}-{ruleset}", c.CloseTable(), FOUNDER, house.own_id("text"))


def _left_out(step: Played) -> str:
    if isinstance(step.ask, c.Shuffle) and step.ask.commitment:
        return "only the house itself commits to a shoe: this one is written as shuffled by hand"
    if isinstance(step.ask, c.OpenCommitment):
        return "there is nothing to open: the shoe was not one of the house's own"
    if isinstance(step.ask, c.AddWords):
        return "there is no order to add words to: the shoe was not one of the house's own"
    return ""


def as_given(step: Played) -> Any:
    """A command of a session as it is given in a house, which alone commits, seals and opens."""
    ask = step.ask
    match ask:
        case c.Shuffle():
            return replace(ask, commitment="")
        case c.LodgeSecret():
            form = form_in(written_form(step.said)[1])
            return LodgeForm(form.figures, form.words, form.on, ask.person)
        case c.DeclareResult() | c.AnnounceSecrets():
            return replace(ask, forms=())
        case _:
            return ask


async def _given(house: House, table: str, step: Played, command_id: str) -> None:
    """Give one command; what was refused in the session must be refused in the house too."""
    try:
        await house.give(table, as_given(step), step.said.by.person, command_id)
    except Refused as refused:
        if step.refused is None:
            raise MalformedError(f"line {step.said.line}: {refused}") from refused
    else:
        if step.refused is not None:
            raise MalformedError(f"line {step.said.line}: a house allows what was refused here")
