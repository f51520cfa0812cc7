"""A proposal, as both see it who decide: what follows, who approves, and the answer to it."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import PathParameter
from litestar.response import Redirect

from puntobanco.errors import Reason, Refused
from puntobanco.house.may import why_not
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import TableName
from puntobanco.server.commands.offered import in_words
from puntobanco.server.commands.preview import Preview, foreseen_at
from puntobanco.server.errors import http_status
from puntobanco.server.sight import sees_floor
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.authority import name_of
from puntobanco.table.view import view

ProposalNumber = Annotated[int, PathParameter(ge=1, le=10**9)]
ANSWERS = ("approve", "drop-proposal")


@get("/tables/{table:str}/proposals/{proposal:int}", include_in_schema=False)
async def proposal_page(
    visit: TheVisit, table: TableName, proposal: ProposalNumber
) -> Response[str]:
    """What would come of it, for whoever may approve it; others are told whom it waits for."""
    return await _page(visit, table, proposal, visit.query("page"))


async def _page(
    visit: Visit, table: str, proposal: int, page: str, problem: Refused | None = None
) -> Response[str]:
    stream, by = visit.table(table), visit.actor(table)
    seen = view(stream.state, visit.viewer(stream))
    floor = seen.floor
    if floor is None:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    page, others = _came_from(visit, page), _others(visit, table, proposal)
    waiting = floor.proposals.get(proposal)
    if waiting is None:
        return visit.show("commands/proposal_over.html", table=table, page=page, others=others)
    can = {name: why_not(stream.state, name, by, {"proposal": proposal}) for name in ANSWERS}
    ask = c.Approve(proposal) if can["approve"] is None else waiting.ask
    shown_to = can["approve"] is None or waiting.person == by.person
    preview, refused = await _foreseen(visit, table, ask) if shown_to else (None, None)
    shown = visit.show(
        "commands/proposal.html",
        table=table,
        page=page,
        number=proposal,
        name=name_of(type(waiting.ask)),
        what=visit.kept.pages.told_ask(waiting.ask, seen.play.number if seen.play else 0),
        asker=waiting.person,
        note=getattr(waiting.ask, "note", ""),
        preview=preview,
        refused=in_words(visit.named(problem or refused), visit.house.register.state.currency),
        second=floor.seconds[proposal],
        staff=floor.staff,
        approves=can["approve"] is None,
        drops=can["drop-proposal"] is None,
        name_of=visit.kept.live_pages.name_of,
        others=others,
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


async def _foreseen(
    visit: Visit, table: str, ask: c.TableCommand
) -> tuple[Preview | None, Refused | None]:
    """What would follow, to whoever may approve it and to whoever said it; or why it cannot."""
    try:
        return await foreseen_at(visit, table, ask, visit.kept.pages.when), None
    except Refused as refused:
        return None, refused


def _came_from(visit: Visit, page: str) -> str:
    """The page that a reader came from and goes back to, if it is one of theirs."""
    return "pit" if page == "floor" and not sees_floor(visit) else page[:10]


def _others(visit: Visit, table: str, proposal: int) -> list[Any]:
    """What else waits for the reader."""
    this = (table, "approve", proposal)
    waits = visit.kept.waits.of(visit.person)
    return [one for one in waits if (one.what.at, one.what.kind, one.what.number) != this]


@post("/tables/{table:str}/proposals/{proposal:int}", include_in_schema=False)
async def answer_proposal(
    visit: TheVisit, table: TableName, proposal: ProposalNumber
) -> Response[Any]:
    """Approved as it was shown, or not so; what is refused is said on the same page."""
    form = await visit.form()
    given, page = visit.command_id(form), form.get("page", "")
    approves = form.get("answer") == "approve"
    ask = c.Approve(proposal) if approves else c.DropProposal(proposal)
    floor = view(visit.table(table).state, visit.viewer(visit.table(table))).floor
    asked = floor.proposals.get(proposal) if floor else None
    try:
        await visit.give(table, ask, given, form.get("shown", "") if approves else "")
    except Refused as refused:
        if not visit.wants_page or not visit.person:
            raise
        return await _page(visit, table, proposal, page, refused)
    declined = not approves and asked is not None and asked.person != visit.person
    return Redirect(_onwards(visit, table, page, approves, declined), status_code=303)


def _onwards(visit: Visit, table: str, page: str, approved: bool, declined: bool) -> str:
    """Back to where one came from; at the table, whoever said "not so" is asked what is right."""
    page = _came_from(visit, page)
    if page == "floor":
        return f"/floor?table={table}&told={'approved' if approved else 'declined'}"
    if declined:
        return f"/tables/{table}/what-happened?page={page}&instead=1"
    return f"/tables/{table}/{page}" if page in ("dealer", "pit") else f"/tables/{table}"


@get("/floor/decide/{table:str}/{proposal:int}", sync_to_thread=False, include_in_schema=False)
def where_it_was(table: TableName, proposal: ProposalNumber) -> Redirect:
    """Links that were kept lead to the one page."""
    return Redirect(f"/tables/{table}/proposals/{proposal}?page=floor", status_code=301)


HANDLERS = (proposal_page, answer_proposal, where_it_was)
