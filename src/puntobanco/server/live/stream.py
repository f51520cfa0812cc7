"""Streams: the live pages of every table, and that something happened in the house."""

import asyncio

from litestar import get
from litestar.response import Stream

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import Short, TableName
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.board import Board, once_a_beat, pulse
from puntobanco.server.live.regions import REGIONS, STAFF_PAGES, LivePages
from puntobanco.server.visit import TheVisit
from puntobanco.table.view import Viewer

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


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
                table, self.pages.regions, lambda: house.cage.seq + house.noted
            )
        return self._boards[name]

    def close(self) -> None:
        self.closing.set()
        for board in self._boards.values():
            board.close()


@get("/live/{table:str}/{page_name:str}", include_in_schema=False)
async def live_table(visit: TheVisit, table: TableName, page_name: Short) -> Stream:
    """The regions of a page as they change."""
    if page_name not in REGIONS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    boards: Boards = visit.kept.boards
    board = boards.board(table)
    if page_name in STAFF_PAGES:
        visit.check_staff(table)

    still_good = once_a_beat(lambda: visit.signin.is_good(visit.caller))

    def viewer() -> Viewer | None:
        return visit.viewer(board.table) if still_good() else None

    messages = board.stream(page_name, viewer)
    return Stream(messages, media_type="text/event-stream", headers=HEADERS)


@get("/live/house", include_in_schema=False)
async def live_house(visit: TheVisit) -> Stream:
    """Whenever anything happened; what, each page asks for itself, as its reader may see it."""
    boards: Boards = visit.kept.boards
    beats = pulse(visit.house, lambda: visit.signin.is_good(visit.caller), boards.closing)
    return Stream(beats, media_type="text/event-stream", headers=HEADERS)


HANDLERS = (live_table, live_house)
