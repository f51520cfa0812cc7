"""League tables, for everybody."""

from litestar import Response, get

from puntobanco.house.competitions.lists.league import league_tables
from puntobanco.server.visit import TheVisit


@get("/leagues", sync_to_thread=False, include_in_schema=False)
def leagues_page(visit: TheVisit) -> Response[str]:
    """Every league: its events, and everybody with points, by alias."""
    return visit.show("pages/competitions/leagues.html", leagues=league_tables(visit.house))


HANDLERS = (leagues_page,)
