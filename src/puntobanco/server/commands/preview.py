"""What a command would bring about, shown before it is given."""

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition import commands as k
from puntobanco.competition.dates import clocks_ahead
from puntobanco.competition.impact import Impact
from puntobanco.competition.sentences import tell_competition, tell_impact
from puntobanco.competition.state import Competition
from puntobanco.house.access.names import told_to_staff
from puntobanco.house.access.rights import WORKS_HERE
from puntobanco.house.competitions.foreseen import foreseen_impact
from puntobanco.house.foresight import look_ahead, look_ahead_in
from puntobanco.house.giving.command import outcome
from puntobanco.house.stream import COMPETITION
from puntobanco.server.clauses import paraphrased
from puntobanco.server.commands.compared import Compared, compared
from puntobanco.server.commands.forms import changed
from puntobanco.server.rendering import say
from puntobanco.server.visit import Visit
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, counting_roles
from puntobanco.table.next_step import awaited_roles
from puntobanco.table.sentences import PLAIN, Writing, in_currency, tell
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer, view
from puntobanco.words import money

UNSEEN: tuple[type, ...] = (k.CommitDraw, k.Draw, k.NameWildCards)
"""Commands of a competition without a preview: it would show lots before they are drawn."""


class Foreseen(Struct, frozen=True):
    """One thing that will happen, and why."""

    says: str
    clauses: tuple[str, ...] = ()


WriteTime = Callable[[int], str]
"""How a moment is written: for a page with markup, for a program as plain text."""


class Preview(Struct, frozen=True):
    """What a command would bring about; nothing has happened yet."""

    foreseen: tuple[Foreseen, ...]
    said: dict[str, str]
    """Each clause behind it, in our own words."""
    second: tuple[Role, ...]
    """Who else must approve."""
    shown: str
    """By which it is known whether it is still so when it is confirmed."""
    impact: Impact | None = None
    """What it would change in the competition whose session is over at the table."""
    compared: Compared | None = None
    """The coup and its money before and after, to whoever works at the table."""


async def foreseen_at(
    visit: Visit, name: str, ask: c.TableCommand, write_time: WriteTime
) -> Preview:
    """What a command of the caller's would bring about at a table, or at one not opened yet."""
    whole = await visit.gateway.completed(visit.caller, name, ask)
    tables = visit.house.tables
    table = tables[name].state if name in tables else Table()
    by = visit.actor(name)
    seen = preview(table, whole, by, write_time, writing_to(visit))
    impact = foreseen_impact(visit.house, name, look_ahead(table, whole, by).events)
    if impact is None:
        return seen
    told = tuple(Foreseen(line) for line in tell_impact(impact, writing_to(visit)))
    return replace(seen, foreseen=(*seen.foreseen, *told), impact=impact)


def writing_to(visit: Visit) -> Writing:
    """As what happened is told: a program gets tags and ids, as it does afterwards; on pages cards
    and documents have their names, and to those who work here people too.
    """
    currency = visit.house.register.state.currency
    if not visit.wants_page:
        return PLAIN._replace(amount=partial(money, currency=currency))
    return told_to_staff(visit.house) if visit.roles & WORKS_HERE else in_currency(currency)


async def foreseen_in(visit: Visit, cup: str, ask: k.CompetitionCommand) -> Preview:
    """What a command of the caller's would bring about in a competition, or in a new one. No seed
    is opened for it: nobody sees lots before they are drawn.
    """
    at = f"{COMPETITION}{cup}"
    whole = await visit.gateway.completed(visit.caller, at, ask)
    held = visit.house.competitions.get(at)
    competition = held.state if held else Competition()
    ahead = look_ahead_in(competition, whole, visit.actor(at))
    events = ahead.events
    said = paraphrased(clause for event in events for clause in event.clauses)
    writing = writing_to(visit)._replace(ahead=clocks_ahead(competition))
    foreseen = tuple(Foreseen(tell_competition(one, writing), one.clauses) for one in events)
    return Preview(foreseen, said, tuple(sorted(ahead.second)), outcome(list(events)))


def preview(
    table: Table, ask: c.TableCommand, by: Actor, write_time: WriteTime, writing: Writing = PLAIN
) -> Preview:
    """What the rule says and what will happen."""
    ahead = look_ahead(table, ask, by)
    events = (*ahead.events, *ahead.put_right)
    said = paraphrased(clause for event in events for clause in event.clauses)
    foreseen = tuple(Foreseen(tell(event, writing), event.clauses) for event in events)
    changes = tuple(_changes(table, ask, ahead.change_ms, write_time, writing))
    second = tuple(sorted(counting_roles(table, ahead.second)))
    shown = outcome(list(ahead.events))
    both = _compared(table, ahead.after, ask, by)
    return Preview((*foreseen, *changes), said, second, shown, compared=both)


def _compared(table: Table, after: Table | None, ask: c.TableCommand, by: Actor) -> Compared | None:
    if after is None or table.notice is None:
        return None
    viewer = Viewer(by.person, by.roles)
    proposed = table.proposals.get(ask.proposal) if isinstance(ask, c.Approve) else None
    number: int | None = getattr(proposed.ask if proposed else ask, "coup", None)
    return compared(view(table, viewer), view(after, viewer), number)


def approvers_here(table: Table, kind: type[c.Command]) -> tuple[Role, ...]:
    """Who may approve it here."""
    return awaited_roles(table, AUTHORITY[kind].second)


def _changes(
    table: Table,
    ask: c.TableCommand,
    change_ms: int | None,
    write_time: WriteTime,
    writing: Writing,
) -> Iterator[Foreseen]:
    """What a new notice changes, and the first moment it can hold."""
    if not isinstance(ask, c.PostChange) or table.notice is None or change_ms is None:
        return
    yield Foreseen(say("change.due", time=write_time(change_ms)))
    for name, was, will in changed(table.notice, ask.notice, writing.amount):
        yield Foreseen(say("change.of", name=name, was=was, will=will))
