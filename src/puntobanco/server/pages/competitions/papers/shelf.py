"""The shelf of a competition's papers: which there are, and for whom each is."""

from collections.abc import Callable
from typing import Any

from litestar import Response, get
from msgspec import Struct

from puntobanco.competition.view import IN_CHARGE, SEES_ENTRIES
from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName, Short
from puntobanco.server.pages.competitions.papers.after import receipt_facts, results_facts
from puntobanco.server.pages.competitions.papers.before import (
    entry_form_facts,
    has_secrets,
    secret_form_facts,
    table_sign_facts,
)
from puntobanco.server.pages.competitions.papers.seating import (
    certificate_facts,
    score_sheet_facts,
    sign_in_facts,
    slip_facts,
)
from puntobanco.server.pages.competitions.papers.terms import document_told, signers
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Role

EVERYBODY: frozenset[Role] = frozenset()


class PaperKind(Struct, frozen=True):
    """One paper: for whom, from when on, and what stands on it."""

    roles: frozenset[Role]
    """Empty: for everybody who is shown the competition."""
    facts: Callable[[Visit, Any], dict[str, Any]]
    there: Callable[[Any], bool] = lambda _: True
    """Whether there is anything to print yet."""
    listed: bool = True
    widths: tuple[str, ...] = ("a4",)
    """A4, or as wide as a till's paper."""


def _is_drawn(competition: Any) -> bool:
    return any(session.seats for session in competition.sessions.values())


PAPERS = {
    "entry-form": PaperKind(EVERYBODY, entry_form_facts),
    "sign-in": PaperKind(SEES_ENTRIES, sign_in_facts, lambda cup: bool(cup.entries)),
    "seat-slips": PaperKind(SEES_ENTRIES, slip_facts, _is_drawn, widths=("a4", "roll")),
    "secret-form": PaperKind(SEES_ENTRIES, secret_form_facts, has_secrets, widths=("a4", "roll")),
    "table-sign": PaperKind(EVERYBODY, table_sign_facts),
    "certificate": PaperKind(EVERYBODY, certificate_facts, _is_drawn),
    "score-sheet": PaperKind(SEES_ENTRIES, score_sheet_facts, _is_drawn),
    "results": PaperKind(IN_CHARGE, results_facts, lambda cup: bool(cup.sessions)),
    "receipt": PaperKind(EVERYBODY, receipt_facts, listed=False, widths=("a4", "roll")),
}
"""In the order in which they are wanted. A receipt looks itself who asks for it: the cage, and the
entrant whose money it was."""


def papers_for(visit: Visit, competition: str) -> list[str]:
    """The papers that the reader may have, and for which there is something to print."""
    stream = visit.competition(competition)
    by = visit.gateway.spectator(visit.caller, stream.name)
    state = stream.state
    return [
        name
        for name, paper in PAPERS.items()
        if state.version and paper.listed and paper.there(state)
        and (not paper.roles or by.roles & paper.roles)
    ]  # fmt: skip


@get("/competitions/{competition:str}/papers", sync_to_thread=False, include_in_schema=False)
def papers_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """All papers that the reader may print."""
    state = visit.competition(competition).state
    return visit.show(
        "pages/competitions/papers/shelf.html",
        cup=competition,
        name=state.conditions.name if state.version else "",
        papers=papers_for(visit, competition),
        widths={name: paper.widths for name, paper in PAPERS.items()},
    )


@get("/competitions/{competition:str}/papers/{paper:str}", include_in_schema=False)
@in_reader
def paper_page(visit: TheVisit, competition: CompetitionName, paper: Short) -> Response[str]:
    """One paper, as it is printed."""
    stream = visit.competition(competition)
    state, asked = stream.state, PAPERS.get(paper)
    if asked is None or not state.version:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    if asked.roles:
        visit.check(asked.roles, paper, stream.name)
    if not asked.there(state):
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    width = visit.query("width")
    return visit.show(
        f"pages/competitions/papers/{paper.replace('-', '_')}.html",
        **asked.facts(visit, state),
        cup=competition,
        held=state.conditions,
        version=state.version,
        rules=state.rules,
        document=document_told(state.rules.document),
        signers=signers(state.rules),
        paper=paper,
        papers=papers_for(visit, competition),
        width=width if width in asked.widths else "a4",
        widths=asked.widths,
        printed_ms=visit.house.time.now_ms(),
    )


HANDLERS = (papers_page, paper_page)
