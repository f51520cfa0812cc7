"""What a command would bring about, worked out before it is given."""

from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition.commands import CompetitionCommand
from puntobanco.competition.decide import look_forward, second_person
from puntobanco.competition.events import CompetitionEvent
from puntobanco.competition.state import Competition
from puntobanco.errors import Refused
from puntobanco.rules.notice import Notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.decide import foresee, run, second_for
from puntobanco.table.events import IrregularityRuled, TableEvent
from puntobanco.table.evolve import evolve_all
from puntobanco.table.queries.notice import change_due_ms, changes_to
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
    return Foresight(
        events, second_for(table, ask, events, by), right, after=evolve_all(events, table)
    )


class ChangeAhead(Struct, frozen=True):
    """What follows of a change of the notice that has not been posted."""

    notice: Notice
    due_ms: int
    """When all of it may hold, without anyone's consent."""
    at_once: bool
    """Nothing has to be waited for: nobody plays here, or the document asks for no notice."""
    by_consent: tuple[str, ...]
    """The clauses by which it holds at once if everybody at the table agrees; none: it does not."""
    clauses: tuple[str, ...]
    """The clauses that ask for the notice, or let it hold at once."""
    digest: str
    """By which it is known whether it is still so when it is confirmed."""


def change_ahead(table: Table, ask: c.PostChange, by: Actor) -> ChangeAhead:
    """What a change means: consent, half an hour's notice, or at once; or it is refused."""
    after, posted = run(table, ask, by)
    rules = [rule for _, rule in changes_to(table, ask.notice)]
    try:
        events = foresee(after, c.ApplyChange(), replace(by, at_ms=by.at_ms + 1))
    except Refused:
        events = []
    consents = [rule.consent_clause for rule in rules]
    due_ms = change_due_ms(after)
    clauses = [clause for event in (events or posted) for clause in event.clauses]
    shown = (msgspec.json.encode(ask.notice), bool(events), due_ms - by.at_ms, sorted(table.places))
    return ChangeAhead(
        ask.notice,
        due_ms,
        bool(events),
        () if events or not all(consents) else tuple(dict.fromkeys(filter(None, consents))),
        tuple(dict.fromkeys(clauses)),
        sha256(repr(shown).encode()).hexdigest(),
    )


def _put_right(table: Table, ask: c.TableCommand, by: Actor) -> tuple[TableEvent, ...]:
    if not isinstance(ask, c.DrawCard) or ask.laid is None:
        return ()
    try:
        after, _ = run(table, ask, by)
        declared = foresee(after, c.DeclareResult(), by)
    except Refused:  # cards are still owed: it shows when they have come
        return ()
    return tuple(event for event in declared if isinstance(event, IrregularityRuled))
