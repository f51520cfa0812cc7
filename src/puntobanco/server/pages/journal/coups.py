"""The journal of a table on the web: its coups, and any of them played back step by step."""

from collections.abc import Callable
from typing import Annotated, Literal

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter
from markupsafe import Markup
from msgspec import Struct

from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.checks.background import Verification
from puntobanco.house.lookback.coups import ListedCoup, Page, coup_page
from puntobanco.house.lookback.course import Moment, Versions, retraced, versions_of
from puntobanco.house.lookback.replay import Replay, Replays
from puntobanco.house.may import why_not
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import Tableau
from puntobanco.server.addresses import TableName
from puntobanco.server.live.felt import framed, result_told
from puntobanco.server.pages.journal.steps import (
    StepDrawn,
    cardlet,
    drawn_course,
    hand_of,
    lit,
    marks_of,
    points_shown,
    wager_table,
)
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.view import beads

Before = Annotated[int | None, QueryParameter(ge=1, le=2**53)]
Step = Annotated[int | None, QueryParameter(ge=1, le=100_000)]
Both = Annotated[bool, QueryParameter()]
CoupNumber = Annotated[int, PathParameter(ge=1, le=2**53)]
Only = Annotated[
    Literal["", "corrected", "void", "disputed"], QueryParameter(description="Which coups")
]
AROUND = 600
"""Rows after a coup from which the list beside it begins."""
PAIR = "upright"
"""The shape of two felts side by side."""


def page_of(visit: Visit, table: str, before: int | None) -> Page:
    stream = visit.table(table)
    visit.check_watches_over(stream.name)
    replays: Replays = visit.kept.replays
    tableau = drawing_table(visit, table)
    return coup_page(visit.house.log, stream.name, tableau, before, replays.rulings)


def drawing_table(visit: Visit, table: str) -> Tableau:
    state = visit.table(table).state
    return (state.terms.rules if state.notice else load_ruleset(RULESETS[0])).tableau


def replay_of(visit: Visit, table: str, coup: int) -> Replay:
    name = visit.table(table).name
    visit.check_watches_over(name)
    replays: Replays = visit.kept.replays
    return replays.replay(name, coup)


MARKS: dict[str, Callable[[ListedCoup], bool]] = {
    "corrected": lambda coup: coup.corrected,
    "void": lambda coup: coup.void,
    "disputed": lambda coup: bool(coup.disputes),
}
"""What a coup in the list may be marked with."""


@get("/tables/{table:str}/journal", include_in_schema=False)
@in_reader
def journal(
    visit: TheVisit, table: TableName, before: Before = None, only: Only = ""
) -> Response[str]:
    """Every coup of a table, the newest first, a page at a time."""
    page = page_of(visit, table, before)
    return visit.show(
        "pages/journal/list.html",
        table=table,
        page=page,
        coups=[coup for coup in page.coups if not only or MARKS[only](coup)],
        counts={name: sum(map(has, page.coups)) for name, has in MARKS.items()},
        only=only,
        before=before,
        newest=before is None,
        points_of=points_shown,
        cardlet=cardlet,
        result_told=result_told,
        may_export=bool(visit.roles & OVERSEES),
    )


# one coup


class CoupProof(Struct, frozen=True):
    """What is known of whether a coup's record was altered, for one sentence."""

    holds: bool
    """Each of its rows is whole, and linked to the one before."""
    checked: Verification | None
    """The last verification of everything, if it was sound and reached this coup."""


def proof_of(visit: Visit, table: str, course: tuple[Moment, ...]) -> CoupProof:
    replays: Replays = visit.kept.replays
    first, last = course[0].told.seq, max(moment.told.seq for moment in course if moment.table)
    checked: Verification | None = visit.kept.checking.last
    if checked and (checked.fault or not checked.complete or checked.heads.get(table, 0) < last):
        checked = None
    return CoupProof(replays.links_hold(table, first, last), checked)


def _around(visit: Visit, table: str, replay: Replay) -> tuple[ListedCoup, ...]:
    """The coups before and after one, for the list beside it."""
    page = page_of(visit, table, replay.steps[0].told.seq + AROUND)
    return page.coups


@get("/tables/{table:str}/journal/{coup:int}", include_in_schema=False)
@in_reader
def coup_replayed(
    visit: TheVisit,
    table: TableName,
    coup: CoupNumber,
    step: Step = None,
    both: Both = False,
) -> Response[str]:
    """One coup again: what happened, by which clauses, and the table after each step."""
    replay = replay_of(visit, table, coup)
    course = retraced(replay, table)
    steps = drawn_course(course, drawing_table(visit, table), hand_of(visit))
    versions = versions_of(course)
    at = min(step or 1, len(steps))
    shown = steps[at - 1]
    return visit.show(
        "pages/journal/coup.html",
        table=table,
        replay=replay,
        steps=steps,
        marks=marks_of(steps),
        at=at,
        shown=shown,
        picture=_picture(visit, shown),
        wagers=wager_table(shown.seen, shown.moment.told.event),
        versions=versions,
        boards=_boards(visit, steps, versions) if versions else (),
        both=both and versions is not None,
        around=_around(visit, table, replay),
        beads=beads(steps[-1].seen),
        proof=proof_of(visit, table, course),
        may_verify=bool(visit.roles & OVERSEES),
        may_dispute=why_not(visit.table(table).state, "raise-dispute", visit.actor(table)) is None,
        name_of=visit.kept.live_pages.name_of,
        result_told=result_told,
    )


def _layers(visit: Visit, step: StepDrawn, shape: str = "wide") -> dict[str, str]:
    layers: dict[str, str] = visit.kept.live_pages.layers(step.seen, shape)
    return {**layers, "stage": lit(layers["stage"], step.fresh)}


def _picture(visit: Visit, step: StepDrawn, shape: str = "wide") -> Markup:
    return framed(_layers(visit, step, shape), shape)


def _boards(
    visit: Visit, steps: tuple[StepDrawn, ...], versions: Versions
) -> list[tuple[StepDrawn, Markup]]:
    """Both versions of a coup that was put right, each with its step and its picture."""
    pair = (steps[versions.first - 1], steps[versions.last - 1])
    return [(step, _picture(visit, step, PAIR)) for step in pair]


class StepParts(Struct, frozen=True):
    """Of one step, which of the pieces it shows, and what it says."""

    layers: dict[str, int]
    wagers: int
    line: str


class CoupParts(Struct, frozen=True):
    """Every step of a coup for the page's script: each piece of drawing once."""

    pieces: list[str]
    steps: list[StepParts]


@get("/tables/{table:str}/journal/{coup:int}/steps", include_in_schema=False)
@in_reader
def coup_steps(visit: TheVisit, table: TableName, coup: CoupNumber) -> CoupParts:
    """All steps at once, so that whoever leafs through them waits for nothing."""
    course = retraced(replay_of(visit, table, coup), table)
    steps = drawn_course(course, drawing_table(visit, table), hand_of(visit))
    pieces: dict[str, int] = {}

    def piece(text: str) -> int:
        return pieces.setdefault(text, len(pieces))

    name_of = visit.kept.live_pages.name_of
    parts = []
    for step in steps:
        layers = {name: piece(layer) for name, layer in _layers(visit, step).items()}
        wagers = wager_table(step.seen, step.moment.told.event)
        drawn = visit.kept.pages.render("pages/journal/wagers.html", wagers=wagers, name_of=name_of)
        line = visit.kept.pages.render("pages/journal/step.html", shown=step, last=len(steps))
        parts.append(StepParts(layers, piece(drawn), line))
    return CoupParts(list(pieces), parts)


HANDLERS = (journal, coup_replayed, coup_steps)
