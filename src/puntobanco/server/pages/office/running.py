"""How the house runs, in words: the same signs that `/ready` has, and a few figures."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.checks.drawing import try_again
from puntobanco.house.checks.signs import VitalSign, is_ready, signs_of, words_of_sign
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit


class HouseRuns(Struct, frozen=True):
    """The signs of a house, and how much there is of it."""

    ready: bool
    signs: tuple[VitalSign, ...]
    warning: str
    """What the house's role could do in the database, in words; empty: only add."""
    figures: dict[str, int]


def house_runs(visit: Visit) -> HouseRuns:
    visit.check(OVERSEES, "running")
    house, signs = visit.house, signs_of(visit.house)
    figures = {
        "tables": len(house.tables),
        "coups": sum(table.state.coup_number for table in house.tables.values()),
        "rows": house.written,
        "watchers": visit.kept.boards.watchers,
    }
    return HouseRuns(is_ready(signs), signs, house.log.warning, figures)


@get("/house/running", include_in_schema=False)
@in_reader
def running_page(visit: TheVisit) -> Response[str]:
    return visit.show(
        "pages/office/running.html", runs=house_runs(visit), words_of_sign=words_of_sign
    )


async def generator_again(visit: Visit) -> None:
    """Have a generator that failed tested by a megabyte; that it passed is on record by name."""
    await try_again(visit.house, visit.check(OVERSEES, "test-generator"))


@post("/house/running/chance", include_in_schema=False)
async def test_chance(visit: TheVisit) -> Response[Any]:
    """Test the generator again; it is taken again if it passes."""
    await visit.form()
    await generator_again(visit)
    return Redirect("/house/running", status_code=303)


HANDLERS = (running_page, test_chance)
