"""What happened? What can go wrong, as people say it, and what follows, for both who decide."""

from collections.abc import Iterable

from litestar import Response, get

from puntobanco.rules.irregularities import Found
from puntobanco.server.addresses import TableName
from puntobanco.server.commands.offered import shut_because
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import name_of
from puntobanco.table.next_step import awaited_roles
from puntobanco.table.state import Table
from puntobanco.table.view import view
from puntobanco.words.commands import HAPPENED, LAST_COUP, LIKELY, WhatHappened

FOUND = name_of(c.ReportIrregularity)
"""What is reported with it is looked at by itself: each is for its own moment."""


@get("/tables/{table:str}/what-happened", sync_to_thread=False, include_in_schema=False)
def what_happened(visit: TheVisit, table: TableName) -> Response[str]:
    """What can go wrong, as people say it; each leads to what the rule makes of it."""
    stream = visit.table(table)
    by = visit.actor(table)
    page = visit.query("page")[:10]
    members = {_key(one): one for _, group in HAPPENED for one in group}
    found = {key: _shut(visit, stream.state, by, one) for key, one in members.items()}
    shut = {key: why for key, why in found.items() if why[0]}
    likely = [members[key] for key in LIKELY[stream.state.phase] if key not in shut]
    context = {
        "shut": shut,
        "key_of": _key,
        "happened": HAPPENED,
        "likely": likely,
        "count": len(members),
    }
    instead = bool(visit.query("instead"))
    return visit.show("commands/happened.html", table=table, page=page, instead=instead, **context)


def _shut(visit: Visit, table: Table, by: Actor, one: WhatHappened) -> tuple[str, str]:
    """Why it cannot have happened, or is somebody else's to say; empty: it is offered."""
    why = shut_because(table, by, one.command, visit.words_of)
    if why[0] or one.command != FOUND:
        return why
    return shut_because(
        table, by, one.command, visit.words_of, {"found": Found(one.facts["found"])}
    )


def _key(member: WhatHappened) -> str:
    """What tells one answer from the others."""
    return ":".join((member.command, *member.facts.values()))


def as_happened(
    name: str, given: dict[str, str], newest_coup: str = ""
) -> tuple[str, frozenset[str]]:
    """What was chosen as having happened, and which fields that has settled."""
    now = (
        {**given, "coup": LAST_COUP} if newest_coup and given.get("coup") == newest_coup else given
    )
    for _, members in HAPPENED:
        for member in members:
            if member.command == name and member.facts and member.facts.items() <= now.items():
                return member.says, frozenset(member.facts)
    return "", frozenset()


def as_told(
    visit: Visit, table: str, ask: c.TableCommand, given: dict[str, str], second: Iterable[Role]
) -> dict[str, object]:
    """What was chosen as having happened, in whose words, and who is there to approve it."""
    stream = visit.table(table) if table in visit.house.tables else None
    floor = view(stream.state, visit.viewer(stream)).floor if stream else None
    return {
        "said": as_happened(name_of(type(ask)), given)[0],
        "note": getattr(ask, "note", ""),
        "staff": floor.staff if floor else (),
        "second": awaited_roles(stream.state, second) if stream else tuple(second),
        "name_of": visit.kept.live_pages.name_of,
    }
