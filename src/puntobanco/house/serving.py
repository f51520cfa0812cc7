"""Whom the house serves: what a command names must be known to it.

The check is a pure function of the register and the tables, made when a command is given and again
when it is verified.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.cage.state import Cage
from puntobanco.competition import commands as competition
from puntobanco.errors import Reason, Refused
from puntobanco.house.stream import Stream
from puntobanco.register import commands as register
from puntobanco.register.state import Register
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as at_table
from puntobanco.table.actor import Actor, Role
from puntobanco.words import money

PLAYING = (
    *(cage.OpenAccount, cage.Deposit, at_table.BuyIn),
    *(at_table.Sit, at_table.StandAt, at_table.TakeSeat),
    *(competition.Apply, competition.PayEntry, competition.EnterAtDesk),
    *(competition.AddReserve, competition.TakeReserve),
)
"""What nobody does, or has done for them, who is shut out of the house or of play."""
NEW_PEOPLE = (register.Enrol, register.FoundHouse, register.NameFounder)
"""Commands that name a person who need not be enrolled yet."""


def taking_effect(state: Any, ask: Any) -> Any:
    """The command that takes effect: at the cage an approval does what was proposed. Approvals
    elsewhere say of themselves whom they serve, and their rows are older than this.
    """
    if isinstance(state, Cage) and isinstance(ask, at_table.Approve):
        proposal = state.proposals.get(ask.proposal)
        return proposal.ask if proposal else ask  # who may not ask is not told whether it is there
    return ask


def _named(ask: Any) -> Iterator[str]:
    """The people besides `person` whom a command to a competition names."""
    match ask:
        case competition.TakeReserve() if ask.instead_of:
            yield ask.instead_of
        case competition.Substitute() | at_table.NameSubstitute() if ask.substitute:
            yield ask.substitute
        case _:
            pass


def _check_chips(piles: tuple[cage.Pile, ...], people: Register) -> None:
    chips = [chip.cents for chip in people.settings.chips]
    for pile in piles:
        if pile.cents not in chips:
            facts = {"chip": money(pile.cents), "chips": ", ".join(map(money, chips))}
            raise Refused(Reason.NO_SUCH_CHIP, CONDITIONS, **facts)


class Begun(Struct, frozen=True):
    """The number of a table's last row, which is all that serving asks of it."""

    seq: int


def _player(ask: Any, by: Actor) -> str:
    """Who would play by a command; empty: nobody."""
    if isinstance(ask, competition.Substitute):
        return str(ask.substitute)
    if isinstance(ask, at_table.NameSubstitute):  # of one accepted there the competition has asked
        return "" if Role.HOUSE in by.roles else str(ask.substitute)
    return (ask.person or by.person) if isinstance(ask, PLAYING) else ""


def check_plays(people: Register, person: str, at_ms: int) -> None:
    """Refuse to let somebody play who is shut out, by the house or at their own wish."""
    member = people.people.get(person)
    if member is None:
        return
    if not member.enabled:
        raise Refused(Reason.ACCOUNT_IS_SHUT, CONDITIONS, person=person)
    if member.excluded_until_ms > at_ms:
        until = people.settings.day_of(member.excluded_until_ms)
        raise Refused(Reason.SELF_EXCLUDED, CONDITIONS, person=person, until=until)


def check_served(
    ask: Any, people: Register, tables: Mapping[str, Begun | Stream[Any]], by: Actor
) -> dict[str, int]:
    """Refuse a command that names an unknown person or table; return the rows that were read.

    Accounts are opened for patrons, trays for tables that have been opened; a slip names chips of
    the house; and nobody plays who is shut out.
    """
    person = getattr(ask, "person", "")
    if person and person not in people.people and not isinstance(ask, NEW_PEOPLE):
        raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=person)
    if isinstance(ask, cage.OpenAccount) and people.people[person].kind != "patron":
        raise Refused(Reason.NOT_A_PATRON, CONDITIONS, person=person)
    if isinstance(ask, competition.Apply) and person and people.people[person].kind != "patron":
        raise Refused(Reason.NOT_A_PATRON, CONDITIONS, person=person)
    check_plays(people, _player(ask, by), by.at_ms)
    if isinstance(ask, cage.RequestSlip):
        _check_chips(ask.chips or (), people)
    for other in _named(ask):
        if other not in people.people:
            raise Refused(Reason.NOT_ENROLLED, CONDITIONS, person=other)
    if isinstance(ask, cage.OpenTray | cage.CountTray):
        table = tables.get(ask.table)
        if table is None or not table.seq:
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=ask.table[:40])
        return {ask.table: table.seq}
    return {}
