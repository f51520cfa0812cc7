"""Every game of a player as data: 50 at a time, the newest first; `before` leads on."""

from typing import Annotated

from litestar import Router, get
from litestar.params import QueryParameter

from puntobanco.house.trust.games import GamesShown
from puntobanco.server.addresses import PersonId
from puntobanco.server.pages.trust.games import games_of
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit

Day = Annotated[str, QueryParameter(max_length=10, description="A gaming day; none: any")]
Before = Annotated[str, QueryParameter(max_length=120, description="As the page before said")]


@get("/me/games", operation_id="own-games")
@in_reader
def own_games(visit: TheVisit, first: Day = "", last: Day = "", before: Before = "") -> GamesShown:
    """The caller's own games: wagers, what came of them, chips before and after."""
    return games_of(visit, visit.actor().person, first, last, before)


@get("/people/{person:str}/games", operation_id="person-games")
@in_reader
def person_games(
    visit: TheVisit, person: PersonId, first: Day = "", last: Day = "", before: Before = ""
) -> GamesShown:
    """The same of anybody, for those who oversee the house."""
    return games_of(visit, person, first, last, before)


HANDLERS = (Router("/api", route_handlers=[own_games, person_games], tags=["people"]),)
