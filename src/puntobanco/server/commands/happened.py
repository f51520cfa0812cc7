"""What happened? What can go wrong, as people say it, and what follows, for both who decide."""

from collections.abc import Iterable
from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter

from puntobanco.errors import Reason, Refused
from puntobanco.house.may import why_not
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import TableName
from puntobanco.server.commands.offered import acts, in_words, shut_because
from puntobanco.server.commands.preview import foreseen_at
from puntobanco.server.rendering import when
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.authority import name_of
from puntobanco.table.next_step import awaited_roles
from puntobanco.table.view import view
from puntobanco.words.commands import HAPPENED, LIKELY, WhatHappened

ANSWERS = ("approve", "drop-proposal")
Proposed = Annotated[int, PathParameter(ge=1, le=10**9)]


@get("/tables/{table:str}/what-happened", sync_to_thread=False, include_in_schema=False)
def what_happened(visit: TheVisit, table: TableName) -> Response[str]:
    """What can go wrong, as people say it; each leads to what the rule makes of it."""
    stream = visit.table(table)
    by = visit.actor(table)
    names = acts(stream.state, by)
    page = visit.query("page")[:10]
    shut = {
        member.command: shut_because(stream.state, by, member.command)
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


@get("/tables/{table:str}/proposals/{proposal:int}", include_in_schema=False)
async def proposal_page(visit: TheVisit, table: TableName, proposal: Proposed) -> Response[str]:
    """What waits for a second person, as both of them see it: what follows, and who approves."""
    stream, by = visit.table(table), visit.actor(table)
    floor = view(stream.state, visit.viewer(stream)).floor
    waiting = floor.proposals.get(proposal) if floor else None
    if floor is None or waiting is None:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    can = {name: why_not(stream.state, name, by, {"proposal": proposal}) for name in ANSWERS}
    ask = c.Approve(proposal) if can["approve"] is None else waiting.ask
    seen, refused = None, ""
    if can["approve"] is None or waiting.person == by.person:
        try:
            seen = await foreseen_at(visit, table, ask, when)
        except Refused as problem:
            refused = in_words(problem)
    return visit.show(
        "commands/proposal.html",
        table=table,
        page=visit.query("page")[:10],
        number=proposal,
        name=name_of(type(waiting.ask)),
        asker=waiting.person,
        note=getattr(waiting.ask, "note", ""),
        preview=seen,
        refused=refused,
        second=floor.seconds[proposal],
        staff=floor.staff,
        approves=can["approve"] is None,
        drops=can["drop-proposal"] is None,
        name_of=visit.kept.live_pages.name_of,
    )


def as_happened(name: str, given: dict[str, str]) -> tuple[str, frozenset[str]]:
    """What was chosen as having happened, and which fields that has settled."""
    for _, members in HAPPENED:
        for member in members:
            if member.command == name and member.facts and member.facts.items() <= given.items():
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
