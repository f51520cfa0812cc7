"""What a proposal would change, for the second person who decides on it: result and money."""

from functools import reduce

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.foresight import look_ahead
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Table


class ChipsMoved(Struct, frozen=True):
    """The chips of one person, before and after; or the bank's gain."""

    person: str
    """Empty: the bank."""
    before_cents: int
    after_cents: int

    @property
    def by_cents(self) -> int:
        return self.after_cents - self.before_cents


class Decision(Struct, frozen=True):
    """What approving a proposal would change."""

    coup: int | None
    before: Result | None
    after: Result | None
    money: tuple[ChipsMoved, ...]
    """Whose chips would change, the bank's gain last; nobody's if it is empty."""


def foresee_decision(table: Table, proposal: int, by: Actor) -> Decision:
    """What would be so after this person approved it; nothing has happened yet."""
    if proposal not in table.proposals:
        raise Refused(Reason.NO_SUCH_PROPOSAL, CONDITIONS, number=proposal)
    ahead = look_ahead(table, c.Approve(proposal), by)
    then = reduce(evolve, ahead.events, table)
    people = sorted({*table.chips, *then.chips})
    moved = [
        ChipsMoved(person, table.chips.get(person, 0), then.chips.get(person, 0))
        for person in people
    ]
    bank = ChipsMoved("", table.bank_cents, then.bank_cents)
    coup = getattr(table.proposals[proposal].ask, "coup", None) or table.coup_number or None
    return Decision(
        coup,
        _result(table, coup),
        _result(then, coup),
        tuple(one for one in (*moved, bank) if one.by_cents),
    )


def _result(table: Table, coup: int | None) -> Result | None:
    if table.coup is not None and table.coup.number == coup:
        return table.coup.result
    return next((one.result for one in table.coups if one.number == coup), None)
