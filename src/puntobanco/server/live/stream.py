"""Streams: the live pages of every table, and that something happened in the house."""

import asyncio

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Stream

from puntobanco.errors import Reason, Refused
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.commands.api import TableName
from puntobanco.server.gateway import Office, Short, TheCaller, TheOffice
from puntobanco.server.live.board import Board, once_a_beat, pulse
from puntobanco.server.page_access import check_staff
from puntobanco.server.rendering import REGIONS, STAFF_PAGES, Pages
from puntobanco.table.view import Viewer

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class Desk:
    """What the application keeps besides the house: boards of live pages."""

    def __init__(self, office: Office, pages: Pages) -> None:
        self.office = office
        self.pages = pages
        self.closing = asyncio.Event()
        self._boards: dict[str, Board] = {}

    def board(self, name: str) -> Board:
        table, house = self.office.table(name), self.office.house
        if name not in self._boards:
            self._boards[name] = Board(
                table, self.pages.regions, lambda: house.cage.seq + house.noted
            )
        return self._boards[name]

    def close(self) -> None:
        self.closing.set()
        for board in self._boards.values():
            board.close()


TheDesk = NamedDependency[Desk]


@get("/live/{table:str}/{page_name:str}", include_in_schema=False)
async def live(
    table: TableName,
    page_name: Short,
    office: TheOffice,
    desk: TheDesk,
    caller: TheCaller,
) -> Stream:
    """The regions of a page as they change."""
    if page_name not in REGIONS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    board = desk.board(table)
    if page_name in STAFF_PAGES:
        check_staff(office, caller, table)

    still_good = once_a_beat(lambda: office.signin.is_good(caller))

    def viewer() -> Viewer | None:
        return office.viewer(caller, board.table) if still_good() else None

    messages = board.stream(page_name, viewer)
    return Stream(messages, media_type="text/event-stream", headers=HEADERS)


@get("/live/house", include_in_schema=False)
async def live_house(office: TheOffice, desk: TheDesk, caller: TheCaller) -> Stream:
    """Whenever anything happened; what, each page asks for itself, as its reader may see it."""
    beats = pulse(office.house, lambda: office.signin.is_good(caller), desk.closing)
    return Stream(beats, media_type="text/event-stream", headers=HEADERS)


HANDLERS = (live, live_house)
