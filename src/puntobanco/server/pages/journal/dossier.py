"""A dispute's dossier as a page: to read, and to print for whoever reviews it [act-2015:14.4]."""

from typing import Any

from litestar import Response, get
from markupsafe import Markup
from msgspec import Struct

from puntobanco.house.lookback.course import retraced
from puntobanco.house.lookback.dossier import Papers, papers_of, receipts_of
from puntobanco.house.lookback.replay import Replay
from puntobanco.house.lookback.told import Told
from puntobanco.house.may import why_not
from puntobanco.server.addresses import TableName
from puntobanco.server.live.felt import result_told
from puntobanco.server.pages.journal.coups import drawing_table
from puntobanco.server.pages.journal.downloads import DisputeNumber
from puntobanco.server.pages.journal.steps import (
    PageHand,
    cardlet,
    clause_links,
    drawn_course,
    hand_of,
    points_shown,
    told_in_pictures,
    wager_table,
)
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import events as e


class DossierEntry(Struct, frozen=True):
    """One thing that happened, as it stands on the page."""

    row: int
    at_ms: int
    actor: str
    words: Markup
    clauses: Markup
    counts: bool = True
    """False: a later line replaced it."""


@get("/tables/{table:str}/disputes/{dispute:int}", include_in_schema=False)
@in_reader
def dossier_page(visit: TheVisit, table: TableName, dispute: DisputeNumber) -> Response[str]:
    """What was said and decided, the wager, the coup with its events and rulings, the receipts."""
    name = visit.table(table).name
    visit.check_watches_over(name)
    papers = papers_of(visit.house, visit.kept.replays, name, dispute)
    hand = hand_of(visit)
    decided = [one for one in papers.course if isinstance(one.event, e.DisputeDecided)]
    return visit.show(
        "pages/journal/dossier.html",
        table=name,
        number=dispute,
        raised=papers.raised,
        raised_ms=papers.course[0].at_ms,
        decided=decided[-1] if decided else None,
        reviewed=any(isinstance(one.event, e.ReviewRequested) for one in papers.course),
        course=[_line(one, hand) for one in papers.course],
        wagers=[_line(one, hand) for one in papers.wagers],
        rulings=[_line(one, hand) for one in papers.rulings],
        receipts=receipts_of(visit.house, name, papers),
        root=visit.house.roots.noted,
        may_decide=not why_not(
            visit.table(name).state, "decide-dispute", visit.actor(name), {"dispute": dispute}
        ),
        now_ms=visit.house.time.now_ms(),
        name_of=visit.kept.live_pages.name_of,
        **_coup(visit, table, papers),
    )


def _line(one: Told, hand: PageHand) -> DossierEntry:
    words = told_in_pictures(one.event, hand)
    return DossierEntry(one.seq, one.at_ms, one.actor, words, clause_links(one.clauses))


def _coup(visit: Visit, table: str, papers: Papers) -> dict[str, Any]:
    """The coup as it stands after everything that was said of it, and its events."""
    if papers.replay is None:
        return {"coup": None, "events": []}
    steps = drawn_course(
        retraced(papers.replay, table), drawing_table(visit, table), hand_of(visit)
    )
    last = steps[-1]
    return {
        "coup": last.moment.coup,
        "hands": {"player": last.hands.player, "banker": last.hands.banker},
        "laid": wager_table(last.seen, papers.raised),
        "events": [
            DossierEntry(
                step.moment.told.seq,
                step.moment.told.at_ms,
                step.moment.told.actor,
                step.words,
                step.clauses,
                step.moment.counts,
            )
            for step in steps
        ],
        "staff": _staff(papers.replay),
        "cardlet": cardlet,
        "points_of": points_shown,
        "result_told": result_told,
    }


def _staff(replay: Replay) -> Any:
    """Who was on duty as the coup was opened."""
    table = replay.steps[0].table
    return table.staff if table else ()


HANDLERS = (dossier_page,)
