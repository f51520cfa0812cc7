"""The journal of a table on the web: its coups, and any of them played back step by step."""

from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.lookback.coups import Page, coup_page
from puntobanco.house.lookback.replay import Replay
from puntobanco.rules.cards import Card, points
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import Tableau
from puntobanco.server.addresses import TableName
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Role
from puntobanco.table.view import Viewer, beads, view

AUDITOR = Viewer("", frozenset({Role.AUDITOR}))
"""Through whose eyes a coup is shown again."""
Before = Annotated[int | None, QueryParameter(ge=1, le=2**53)]
Step = Annotated[int | None, QueryParameter(ge=1, le=100_000)]
CoupNumber = Annotated[int, PathParameter(ge=1, le=2**53)]


def page_of(visit: Visit, table: str, before: int | None) -> Page:
    stream = visit.table(table)
    visit.check_watches_over(stream.name)
    return coup_page(visit.house.log, stream.name, _tableau(visit, table), before)


def _tableau(visit: Visit, table: str) -> Tableau:
    state = visit.table(table).state
    return (state.terms.rules if state.notice else load_ruleset(RULESETS[0])).tableau


def replay_of(visit: Visit, table: str, coup: int) -> Replay:
    name = visit.table(table).name
    visit.check_watches_over(name)
    found: Replay = visit.kept.replays.replay(name, coup)
    return found


@get("/tables/{table:str}/journal", include_in_schema=False)
@in_reader
def journal(visit: TheVisit, table: TableName, before: Before = None) -> Response[str]:
    """Every coup of a table, the newest first, a page at a time."""
    return visit.show(
        "pages/journal/list.html",
        table=table,
        page=page_of(visit, table, before),
        newest=before is None,
        points_of=_points,
        may_export=bool(visit.roles & OVERSEES),
    )


def _points(hand: tuple[Card | None, ...]) -> int | None:
    shown = [card for card in hand if card is not None]
    return points(tuple(shown)) if len(shown) == len(hand) > 1 else None


@get("/tables/{table:str}/journal/{coup:int}", include_in_schema=False)
@in_reader
def coup_replayed(
    visit: TheVisit, table: TableName, coup: CoupNumber, step: Step = None
) -> Response[str]:
    """One coup again: what happened, by which clauses, and the table after each step."""
    replay = replay_of(visit, table, coup)
    at = min(step or 1, len(replay.steps))
    shown = replay.steps[at - 1]
    seen = view(shown.table, AUDITOR)
    return visit.show(
        "pages/journal/coup.html",
        table=table,
        replay=replay,
        at=at,
        told=shown.told,
        page="journal",
        picture=visit.kept.live_pages.standing(seen),
        view=seen,
        beads=beads(seen),
    )


# the same as data


HANDLERS = (journal, coup_replayed)
