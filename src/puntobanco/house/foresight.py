"""What a command would bring about, worked out before it is given."""

from msgspec import Struct

from puntobanco.competition.commands import CompetitionCommand
from puntobanco.competition.decide import look_forward, second_person
from puntobanco.competition.events import CompetitionEvent
from puntobanco.competition.state import Competition
from puntobanco.errors import Refused
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.decide import foresee, run, second_for
from puntobanco.table.events import IrregularityRuled, TableEvent
from puntobanco.table.evolve import evolve_all
from puntobanco.table.queries.notice import change_due_ms
from puntobanco.table.state import Table


class Foresight(Struct, frozen=True):
    """The events of a command that has not been given."""

    events: tuple[TableEvent, ...]
    """Once everybody has agreed to it."""
    second: frozenset[Role] = frozenset()
    """Who else must approve it; nobody: it takes effect at once."""
    put_right: tuple[TableEvent, ...] = ()
    """What the sequence will make of a card laid wrong, when the result is declared."""
    change_ms: int | None = None
    """The first moment at which a change of the notice can hold."""
    after: Table | None = None
    """The table as it would be then."""


class ForesightIn(Struct, frozen=True):
    """The same of a competition."""

    events: tuple[CompetitionEvent, ...]
    second: frozenset[Role] = frozenset()


def look_ahead_in(competition: Competition, ask: CompetitionCommand, by: Actor) -> ForesightIn:
    """What will follow of a command to a competition, or it is refused."""
    events = tuple(look_forward(competition, ask, by))
    second = frozenset[Role]() if isinstance(ask, c.Approve) else second_person(competition, ask)
    return ForesightIn(events, second)


def look_ahead(table: Table, ask: c.TableCommand, by: Actor) -> Foresight:
    """What will follow of a command, or it is refused."""
    events = tuple(foresee(table, ask, by))
    if isinstance(ask, c.PostChange) and table.notice is not None:
        after, _ = run(table, ask, by)
        return Foresight(events, change_ms=change_due_ms(after))
    right = _put_right(table, ask, by)
    return Foresight(events, second_for(table, ask, events), right, after=evolve_all(events, table))


def _put_right(table: Table, ask: c.TableCommand, by: Actor) -> tuple[TableEvent, ...]:
    if not isinstance(ask, c.DrawCard) or ask.laid is None:
        return ()
    try:
        after, _ = run(table, ask, by)
        declared = foresee(after, c.DeclareResult(), by)
    except Refused:  # cards are still owed: it shows when they have come
        return ()
    return tuple(event for event in declared if isinstance(event, IrregularityRuled))
