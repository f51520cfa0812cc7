"""One decision a screen: a proposal with its rule, result and money before and after."""

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import PathParameter
from litestar.response import Redirect

from puntobanco.errors import Reason, Refused
from puntobanco.house.floor.decision import foresee_decision
from puntobanco.house.may import why_not
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import TableName
from puntobanco.server.commands.offered import in_words
from puntobanco.server.commands.preview import foreseen_at
from puntobanco.server.rendering import when
from puntobanco.server.sight import overseen
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.sentences import tell_ask

ProposalNumber = Annotated[int, PathParameter(ge=1, le=10**9)]


@get("/floor/decide/{table:str}/{proposal:int}", include_in_schema=False)
async def decision_page(
    visit: TheVisit, table: TableName, proposal: ProposalNumber
) -> Response[str]:
    """What would come of it, for whoever may approve it; others are told whom it waits for."""
    return await _page(visit, table, proposal)


async def _page(
    visit: Visit, table: str, proposal: int, problem: Refused | None = None
) -> Response[str]:
    check_sees(visit, table)
    stream, by = visit.table(table), visit.actor(table)
    seen = visit.viewer(stream)
    waiting = stream.state.proposals.get(proposal)
    facts = {"proposal": proposal}
    refused = why_not(stream.state, "approve", by, facts) if waiting else None
    able = waiting is not None and refused is None
    return visit.show(
        "pages/floor/decide.html",
        table=table,
        proposal=proposal,
        waiting=waiting,
        what=tell_ask(waiting.ask, stream.state.coup_number) if waiting else "",
        viewer=seen,
        preview=await foreseen_at(visit, table, c.Approve(proposal), when) if able else None,
        decision=foresee_decision(stream.state, proposal, by) if able else None,
        why_not=in_words(refused),
        may_drop=why_not(stream.state, "drop-proposal", by, facts) is None,
        problem=in_words(problem),
        name_of=visit.kept.live_pages.name_of,
        others=[
            line
            for line in visit.kept.waits.of(visit.person)
            if _is_other(line.what, table, proposal)
        ],
    )


def _is_other(what: Any, table: str, proposal: int) -> bool:
    return (what.at, what.kind, what.number) != (table, "approve", proposal)


def check_sees(visit: Visit, table: str) -> None:
    """Refuse a table that the reader does not oversee, as if it were not there."""
    if visit.table(table).name not in overseen(visit):
        raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=table)


@post("/floor/decide/{table:str}/{proposal:int}", include_in_schema=False)
async def decide_proposal(
    visit: TheVisit, table: TableName, proposal: ProposalNumber
) -> Response[Any]:
    """Approve it as it was shown, or not so; what is refused is said on the same page."""
    form = await visit.form()
    given, shown = visit.command_id(form), form.get("shown", "")
    approves = form.get("answer") == "approve"
    ask = c.Approve(proposal) if approves else c.DropProposal(proposal)
    try:
        await visit.give(table, ask, given, shown if approves else "")
    except Refused as refused:
        return await _page(visit, table, proposal, refused)
    told = "approved" if approves else "declined"
    return Redirect(f"/floor?table={table}&told={told}", status_code=303)


HANDLERS = (decision_page, decide_proposal)
