"""The course of every wager's edge through a shoe that is over: an example, or one pasted in."""

import asyncio
from functools import lru_cache
from importlib import resources
from typing import Annotated

from litestar import Response, get, post
from litestar.params import URLEncodedBody
from msgspec import Meta, Struct

from puntobanco.errors import MalformedError, Refused
from puntobanco.house.access.advice import check_not_at_table
from puntobanco.odds.course import Exposure, Point, course_of, edges, exposures
from puntobanco.odds.plot import line_plot
from puntobanco.odds.priced import Choice, chosen_by, wagers_for
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.paper.notation import parse_shoe
from puntobanco.server.errors import as_refused, error_of, http_status
from puntobanco.server.pages.odds.exact import show_odds
from puntobanco.server.visit import TheVisit, Visit

MOST_SHOE = 20_000
"""A shoe of ten decks in the notation is a quarter as long."""


class PastedCourse(Struct, frozen=True):
    """The edge of every wager before each coup of one shoe."""

    choice: Choice
    points: tuple[Point, ...]
    exposures: tuple[Exposure, ...]


@lru_cache(maxsize=32)
def course_through(text: str) -> PastedCourse:
    """A shoe in the notation; refused if it could not have been dealt so."""
    shoe = parse_shoe(text)
    choice = chosen_by(shoe.notice)
    points = course_of(shoe, wagers_for(choice), load_ruleset(choice.ruleset).tableau)
    if not points:
        raise MalformedError("this shoe has no coup that anyone could bet on")
    return PastedCourse(choice, tuple(points), exposures(points))


@lru_cache(maxsize=1)
def example() -> str:
    return resources.files("puntobanco.odds").joinpath("example.shoe").read_text("utf-8")


def _show_course(visit: Visit, text: str, *, own: bool) -> Response[str]:
    """The course through a shoe; through the example if that cannot be read, with what is wrong."""
    problem: Exception | None = None
    try:
        found = course_through(text)
    except (MalformedError, Refused) as error:
        if not visit.wants_page:
            raise
        found, problem, own = course_through(example()), error, False
    coups = [point.coup for point in found.points]
    shown = show_odds(
        visit,
        "course.html",
        found=found,
        plots=tuple(line_plot(coups, some) for some in edges(found.points)),
        text=text,
        own=own,
        most=MOST_SHOE,
        problem=error_of(as_refused(problem)) if problem else None,
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


@get("/odds/course", include_in_schema=False)
async def course_page(visit: TheVisit) -> Response[str]:
    """The course of the edge through an example shoe."""
    check_not_at_table(visit.house, visit.signed_in_as)
    return await asyncio.to_thread(_show_course, visit, example(), own=False)


class Pasted(Struct, frozen=True, forbid_unknown_fields=True):
    shoe: Annotated[str, Meta(min_length=1, max_length=MOST_SHOE)]


@post("/odds/course", status_code=200, include_in_schema=False)
async def course_pasted(visit: TheVisit, data: URLEncodedBody[Pasted]) -> Response[str]:
    """The course of the edge through a shoe that is over, as it was written down."""
    check_not_at_table(visit.house, visit.signed_in_as)
    text = data.shoe.replace("\r\n", "\n")
    return await asyncio.to_thread(_show_course, visit, text, own=True)


HANDLERS = (course_page, course_pasted)
