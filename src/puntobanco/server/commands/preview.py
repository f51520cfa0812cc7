"""What a command would bring about, shown before it is given."""

from collections.abc import Callable, Iterator

import msgspec
from msgspec import Struct

from puntobanco.errors import Refused
from puntobanco.house.house import outcome
from puntobanco.rules.notice import Notice
from puntobanco.server.clauses import paraphrased
from puntobanco.server.commands.forms import written
from puntobanco.server.rendering import say
from puntobanco.server.visit import Visit
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, counting
from puntobanco.table.decide import foresee, run
from puntobanco.table.events import IrregularityRuled, TableEvent
from puntobanco.table.queries.notice import change_due_ms
from puntobanco.table.sentences import tell
from puntobanco.table.state import Table
from puntobanco.words.commands import FIELDS


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


async def foreseen_at(
    visit: Visit, name: str, ask: c.TableCommand, write_time: WriteTime
) -> Preview:
    """What a command of the caller's would bring about at a table, or at one not opened yet."""
    whole = await visit.gateway.completed(visit.caller, name, ask)
    tables = visit.house.tables
    table = tables[name].state if name in tables else Table()
    return preview(table, whole, visit.actor(name), write_time)


def preview(table: Table, ask: c.TableCommand, by: Actor, write_time: WriteTime) -> Preview:
    """What the rule says and what will happen."""
    following = foresee(table, ask, by)
    events = [*following, *_put_right(table, ask, by)]
    said = paraphrased(clause for event in events for clause in event.clauses)
    foreseen = tuple(Foreseen(tell(event), event.clauses) for event in events)
    changes = tuple(_changes(table, ask, by, write_time))
    second = second_of(table, type(ask))
    return Preview((*foreseen, *changes), said, second, outcome(following))


def second_of(table: Table, kind: type[c.Command]) -> tuple[Role, ...]:
    """Who may approve it here."""
    return tuple(sorted(counting(table, AUTHORITY[kind].second)))


def _put_right(table: Table, ask: c.TableCommand, by: Actor) -> list[TableEvent]:
    """What the sequence makes of a card laid wrong, when the result is declared."""
    if not isinstance(ask, c.DrawCard) or ask.laid is None:
        return []
    try:
        after, _ = run(table, ask, by)
        declared = foresee(after, c.DeclareResult(), by)
    except Refused:  # cards are still owed: it shows when they have come
        return []
    return [one for one in declared if isinstance(one, IrregularityRuled)]


def _changes(
    table: Table, ask: c.TableCommand, by: Actor, write_time: WriteTime
) -> Iterator[Foreseen]:
    """What a new notice changes, and the first moment it can hold."""
    if not isinstance(ask, c.PostChange) or table.notice is None:
        return
    after, _ = run(table, ask, by)
    yield Foreseen(say("change.due", time=write_time(change_due_ms(after))))
    old, new = (_plain(one) for one in (table.notice, ask.notice))
    for path in sorted({*old, *new}):
        if old.get(path) != new.get(path):
            name = FIELDS.get(f"notice.{path}") or FIELDS.get(path.rpartition(".")[2], path)
            facts = {"was": old.get(path, "–"), "will": new.get(path, "–")}
            yield Foreseen(say("change.of", name=name, **facts))


def _plain(notice: Notice) -> dict[str, str]:
    return dict(written(msgspec.to_builtins(notice)))
