"""The back office's first page: what waits for staff."""

from typing import Any

from litestar import Response, get

from puntobanco.house.access.rights import AT_CAGE, MANAGEMENT, OVERSEES, WATCHES, WORKS_HERE
from puntobanco.house.till.versions import house_version
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import STAFF

HOUSE_REGIONS = {
    "ways": "pages/office/parts/ways.html",
    "tables": "pages/office/parts/tables.html",
}
"""What of the page changes while it is looked at, with the templates."""


@get("/house", sync_to_thread=False, include_in_schema=False)
def overview(visit: TheVisit) -> Response[str]:
    """Tables, and the way to what the reader may open."""
    return visit.show("pages/office/overview.html", **overview_context(visit))


def overview_context(visit: Visit) -> dict[str, Any]:
    """All that the page shows. Whether a table is open, not what is done there: that is the
    floor's, and would change every few seconds.
    """
    by, house = visit.check(WORKS_HERE, "back office"), visit.house
    return {
        "since": house_version(house),
        "tables": list(house.listed()),
        "floor": bool(by.roles & STAFF),
        "people": bool(by.roles & WATCHES),
        "cage": bool(by.roles & AT_CAGE),
        "reports": bool(by.roles & OVERSEES),
        "manages": bool(by.roles & MANAGEMENT),
        "count": len(house.register.state.people),
        "slips": len(house.cage.state.slips),
    }


HANDLERS = (overview,)
