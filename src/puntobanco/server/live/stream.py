"""Streams: the live pages of every table, and the lists of all tables."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Annotated, Literal

from litestar import get
from litestar.params import QueryParameter
from litestar.response import Stream

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.sign_in import GUESTS
from puntobanco.journal.log import AwayError
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import Short, TableName
from puntobanco.server.edge.metrics import LAG
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.board import Board, LiveScreen, once_a_beat
from puntobanco.server.live.regions import REGIONS, STAFF_PAGES, LivePages, shape_of
from puntobanco.server.live.wall import together
from puntobanco.server.sight import overseen, oversees_all, sees_floor
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.view import Viewer

if TYPE_CHECKING:
    from puntobanco.server.live.floor import FloorTiles
    from puntobanco.server.live.lobby import Lobby
    from puntobanco.server.live.waits import Waits

WallPage = Annotated[Literal["display", "pit-tile"], QueryParameter()]
Tables = Annotated[str, QueryParameter(max_length=2000)]
"""Names of tables with commas between them; none: all there are."""
MOST_DIGITS = 18
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def event_stream(messages: AsyncGenerator[bytes, None]) -> Stream:
    """What happens, as it happens. It ends where the database is away and something of it must be
    read; whoever watches comes back.
    """
    return Stream(_until_away(messages), media_type="text/event-stream", headers=HEADERS)


async def _until_away(messages: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    with suppress(AwayError):
        async with aclosing(messages):
            async for message in messages:
                yield message


def wall_tables(visit: Visit, asked: str) -> tuple[str, ...]:
    """The tables that a wall shows, in the order asked for; each must be there."""
    names = [one.strip() for one in asked.split(",") if one.strip()]
    names = names or sorted(visit.house.tables)
    return tuple(dict.fromkeys(visit.table(name).name for name in names))


class Boards:
    """The board of each table whose pages somebody watches."""

    def __init__(self, gateway: Gateway, pages: LivePages) -> None:
        self.gateway = gateway
        self.pages = pages
        self.closing = asyncio.Event()
        self._boards: dict[str, Board] = {}

    def board(self, name: str) -> Board:
        table, house = self.gateway.table(name), self.gateway.house
        if name not in self._boards:
            self._boards[name] = Board(
                table,
                self.pages.regions,
                lambda: house.cage.seq + house.noted,
                lambda at_ms: LAG.observe(max(0, house.time.now_ms() - at_ms) / 1000),
            )
        return self._boards[name]

    @property
    def watchers(self) -> int:
        """The streams of tables' pages that are open."""
        return sum(board.watchers for board in self._boards.values())

    def close(self) -> None:
        self.closing.set()
        for board in self._boards.values():
            board.close()


@get("/live/{table:str}/{page_name:str}", include_in_schema=False, opt=GUESTS)
async def live_table(visit: TheVisit, table: TableName, page_name: Short) -> Stream:
    """The regions of a page as they change."""
    if page_name not in REGIONS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    boards: Boards = visit.kept.boards
    board = boards.board(table)
    looked_at_on_the_floor = page_name == "floor" and table in overseen(visit)
    if page_name in STAFF_PAGES and not looked_at_on_the_floor:
        visit.check_staff(table)

    is_there = visit.signin.is_watching if page_name == "pit" else visit.signin.is_good
    still_good = once_a_beat(lambda: is_there(visit.caller))

    def viewer() -> Viewer | None:
        return visit.viewer(board.table) if still_good() else None

    messages = board.stream(LiveScreen(page_name, shape_of(visit.query("shape"))), viewer)
    return event_stream(messages)


@get("/live/walls", include_in_schema=False)
async def live_walls(stranger: TheVisit, page: WallPage = "display", tables: Tables = "") -> Stream:
    """The boards of several tables, or of all, for a screen that shows what everybody may see."""
    boards: Boards = stranger.kept.boards
    names = wall_tables(stranger, tables)
    streams = {name: boards.board(name).stream(LiveScreen(page), Viewer) for name in names}
    messages = together(streams, lambda: bool(tables) or names == wall_tables(stranger, ""))
    return event_stream(messages)


@get("/live/lobby", include_in_schema=False, opt=GUESTS)
async def live_lobby(visit: TheVisit) -> Stream:
    """What changes at the tables of the house, since the beat that a page was drawn at."""
    tables: Lobby = visit.kept.lobby
    boards: Boards = visit.kept.boards
    since = visit.request.headers.get("last-event-id") or visit.query("since")
    beat = int(since) if since.isdecimal() and len(since) < MOST_DIGITS else None
    still_good = once_a_beat(lambda: visit.signin.is_good(visit.caller))
    messages = tables.stream(beat, still_good, boards.closing)
    return event_stream(messages)


@get("/live/waits", include_in_schema=False)
async def live_waits(visit: TheVisit) -> Stream:
    """What waits for the caller, as it changes."""
    waits: Waits = visit.kept.waits
    boards: Boards = visit.kept.boards
    still_good = once_a_beat(lambda: visit.signin.is_good(visit.caller))
    messages = waits.stream(visit.actor().person, still_good, boards.closing)
    return event_stream(messages)


@get("/live/floor", include_in_schema=False)
async def live_floor(visit: TheVisit) -> Stream:
    """What changes at the tables that the reader oversees; to watch them is to be there."""
    floor: FloorTiles = visit.kept.floor
    boards: Boards = visit.kept.boards
    overseen(visit)
    since = visit.request.headers.get("last-event-id") or visit.query("since")
    beat = int(since) if since.isdecimal() and len(since) < MOST_DIGITS else None
    watching = once_a_beat(lambda: visit.signin.is_watching(visit.caller) and sees_floor(visit))

    def only() -> frozenset[str] | None:
        return None if oversees_all(visit) else overseen(visit)

    messages = floor.stream(beat, watching, boards.closing, only)
    return event_stream(messages)


HANDLERS = (live_floor, live_table, live_walls, live_lobby, live_waits)
