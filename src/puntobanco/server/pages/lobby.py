"""The lobby: every table of the house, and the way to what the reader may open."""

from litestar import Response, get

from puntobanco.house.access.rights import OVERSEES, WORKS_HERE
from puntobanco.server.visit import TheVisit


@get("/", sync_to_thread=False, include_in_schema=False)
def lobby(visit: TheVisit) -> Response[str]:
    """Open to all."""
    context = {"oversees": bool(visit.roles & OVERSEES), "staff": bool(visit.roles & WORKS_HERE)}
    return visit.show("pages/lobby.html", tables=list(visit.house.listed()), **context)


HANDLERS = (lobby,)
