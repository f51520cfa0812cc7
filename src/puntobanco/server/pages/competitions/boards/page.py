"""The board of a competition as a page for a wall, and the stream that keeps it as things are."""

from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import QueryParameter
from litestar.response import Redirect, Stream

from puntobanco.errors import Reason, Refused
from puntobanco.house.competitions.public.board import wanted_board
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.api.competitions import listed_for
from puntobanco.server.live.stream import event_stream
from puntobanco.server.visit import TheVisit

if TYPE_CHECKING:
    from puntobanco.server.pages.competitions.boards.live import CupWalls

SomeTables = Annotated[str, QueryParameter(max_length=2000)]
"""Names of tables with commas between them; none: all of the session."""
Pit = Annotated[str, QueryParameter(max_length=64)]
Shows = Annotated[Literal["tables", "overall"], QueryParameter()]
ON = ("past", "coming", "running")
"""What is on, the least likely first."""
BoardTheme = Annotated[Literal["dark", "light"], QueryParameter()]


@get("/competitions/{competition:str}/board", sync_to_thread=False, include_in_schema=False)
def board_page(
    stranger: TheVisit,
    competition: CompetitionName,
    tables: SomeTables = "",
    pit: Pit = "",
    show: Shows = "tables",
    theme: BoardTheme = "dark",
) -> Response[str]:
    """For a wall: what everybody may see, no matter who opened it."""
    stream = stranger.competition(competition)
    walls: CupWalls = stranger.kept.cup_walls
    regions = walls.of(stream).regions(wanted_board(tables, pit, show))
    frame = regions.pop("frame")
    asked = {"tables": tables, "pit": pit, "show": show}
    query = urlencode({name: one for name, one in asked.items() if one})
    return stranger.show(
        "pages/competitions/boards/board.html",
        cup=competition,
        name=stream.state.conditions.name,
        frame=frame,
        kinds=frame.partition("|")[0],
        regions=regions,
        theme=theme,
        source=f"/live/competitions/{competition}/board?{query}",
    )


@get("/live/competitions/{competition:str}/board", include_in_schema=False)
async def live_board(
    stranger: TheVisit,
    competition: CompetitionName,
    tables: SomeTables = "",
    pit: Pit = "",
    show: Shows = "tables",
) -> Stream:
    """The regions of a board as they change."""
    walls: CupWalls = stranger.kept.cup_walls
    messages = walls.of(stranger.competition(competition)).stream(wanted_board(tables, pit, show))
    return event_stream(messages)


@get("/display/competition", sync_to_thread=False, include_in_schema=False)
def board_now(stranger: TheVisit) -> Redirect:
    """For a wall that shows whatever is on: the board of the competition that runs, or comes."""
    shown = [one for one in listed_for(stranger) if one.name]
    latest = sorted(shown, key=lambda one: (ON.index(one.when), one.start))
    if not latest:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return Redirect(f"/competitions/{latest[-1].id}/board", status_code=303)


HANDLERS = (board_page, board_now, live_board)
