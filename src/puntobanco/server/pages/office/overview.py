"""The back office's first page: what waits for staff."""

from litestar import Response, get

from puntobanco.house.access.rights import AT_CAGE, MANAGEMENT, OVERSEES, WATCHES, WORKS_HERE
from puntobanco.server.visit import TheVisit
from puntobanco.table.actor import STAFF


@get("/house", sync_to_thread=False, include_in_schema=False)
def overview(visit: TheVisit) -> Response[str]:
    """Tables, and the way to what the reader may open."""
    by, house = visit.check(WORKS_HERE, "back office"), visit.house
    return visit.show(
        "pages/office/overview.html",
        roles=by.roles,
        tables=list(house.listed()),
        floor=bool(by.roles & STAFF),
        people=bool(by.roles & WATCHES),
        cage=bool(by.roles & AT_CAGE),
        reports=bool(by.roles & OVERSEES),
        manages=bool(by.roles & MANAGEMENT),
        count=len(house.register.state.people),
        slips=len(house.cage.state.slips),
    )


HANDLERS = (overview,)
