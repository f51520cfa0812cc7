"""What happened? What can go wrong, as people say it, and what follows, for both who decide."""

from collections.abc import Iterable

from litestar import Response, get

from puntobanco.server.addresses import TableName
from puntobanco.server.commands.offered import acts, shut_because
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.authority import name_of
from puntobanco.table.next_step import awaited_roles
from puntobanco.table.view import view
from puntobanco.words.commands import HAPPENED, LAST_COUP, LIKELY, WhatHappened


@get("/tables/{table:str}/what-happened", sync_to_thread=False, include_in_schema=False)
def what_happened(visit: TheVisit, table: TableName) -> Response[str]:
    """What can go wrong, as people say it; each leads to what the rule makes of it."""
    stream = visit.table(table)
    by = visit.actor(table)
    names = acts(stream.state, by)
    page = visit.query("page")[:10]
    shut = {
        member.command: shut_because(stream.state, by, member.command, visit.words_of)
        for _, members in HAPPENED
        for member in members
        if member.command not in names
    }
    members = {_key(one): one for _, group in HAPPENED for one in group}
    likely = [
        members[key] for key in LIKELY[stream.state.phase] if members[key].command not in shut
    ]
    context = {"shut": shut, "happened": HAPPENED, "likely": likely, "count": len(members)}
    instead = bool(visit.query("instead"))
    return visit.show("commands/happened.html", table=table, page=page, instead=instead, **context)


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
