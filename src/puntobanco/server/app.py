"""The web application: routes, who is asking, headers, errors; nothing decides here."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

from litestar import Litestar, Request
from litestar.config.compression import CompressionConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import Headers, MutableScopeHeaders, State
from litestar.di import Provide
from litestar.handlers import BaseRouteHandler
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import Message, Scope
from litestar.types.internal_types import RouteHandlerMapItem

from puntobanco.errors import MalformedError
from puntobanco.house.access.guests import GuestSeats
from puntobanco.house.access.history import PeopleBook
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.checks.background import Checking
from puntobanco.house.checks.proof import under
from puntobanco.house.competitions.glance import CupGlances
from puntobanco.house.competitions.public.event import CupEvents
from puntobanco.house.floor.incidents import IncidentLog
from puntobanco.house.floor.now import FloorWatch
from puntobanco.house.house import House
from puntobanco.house.lookback.replay import Replays
from puntobanco.house.loop import Running
from puntobanco.house.notes import FaultFound
from puntobanco.house.till.book import CageBook
from puntobanco.house.trust.access import LastActs
from puntobanco.journal.log import AwayError, FullError, StoppedError
from puntobanco.server import api, files, openapi, pages
from puntobanco.server.commands import routes as commands
from puntobanco.server.edge import metrics, signs
from puntobanco.server.edge.proxy import Networks
from puntobanco.server.errors import OF_THE_HOUSE, WITHOUT_RIGHT, as_refused, error_response
from puntobanco.server.gateway import Gateway
from puntobanco.server.live import office
from puntobanco.server.live import stream as live
from puntobanco.server.live.floor import FloorTiles
from puntobanco.server.live.lobby import Lobby
from puntobanco.server.live.regions import LivePages
from puntobanco.server.live.stream import Boards
from puntobanco.server.live.waits import Waits
from puntobanco.server.pages.competitions.boards.live import CupWalls
from puntobanco.server.reader_threads import read
from puntobanco.server.rendering import Pages
from puntobanco.server.session_cookie import cookie_name
from puntobanco.server.visit import Visit, find_stranger, find_visit, token_of

ROOMS = (pages, live, office, commands, api, signs)
"""Each has its routes in `HANDLERS`."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'; manifest-src 'self'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(),"
    " publickey-credentials-create=(self), publickey-credentials-get=(self)",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
APART = {"Cross-Origin-Opener-Policy": "same-origin"}
"""No window that opened this one reaches into it, nor leads it elsewhere. A browser begins a
process of its own for such a page, which takes as long as drawing a table: so it is for pages of
whoever has a session, and for the one that begins it; what a stranger sees, everybody sees."""
SIGN_IN = "/sign-in"
COMPRESSED = CompressionConfig(
    "gzip", minimum_size=1000, gzip_compress_level=6, exclude=["^/live", "^/static"]
)
"""Pages and files, not streams: a message must not wait for the next one to fill a block."""
MOST_BYTES = 64 * 1024
"""No request is longer."""
Connection = ASGIConnection[Any, Any, Any, State]
LOGGER = logging.getLogger(__name__)


class Application(Litestar):
    """Litestar looks through all of its routes for each one that it takes in, a quarter of what a
    house's start took of a processor; here only those are looked at that it did not know.
    """

    _known: tuple[list[BaseRoute], dict[str, RouteHandlerMapItem]] = [], {}

    @property
    def route_handler_method_map(self) -> dict[str, RouteHandlerMapItem]:
        """What answers at each path, by method."""
        known, found = self._known
        new = [route for route in self.routes[len(known) :] if isinstance(route, HTTPRoute)]
        if self.routes != [*known, *new]:  # a path has come to answer another method, too
            found = super().route_handler_method_map
        else:
            found = dict(found)
            for route in new:
                methods = (
                    (method, by) for by in route.route_handlers for method in by.http_methods
                )
                found[route.path] = dict(methods)
        self._known = list(self.routes), found
        return found


async def check_host(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Refuse a request whose Host the framework cannot read as part of a URL."""
    try:
        connection.url  # noqa: B018
    except ValueError as error:
        raise MalformedError(f"the request's Host is none: {error}") from error


def _life(
    running: Running, kept: State, stopped: Callable[[BaseException], None] | None
) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    """Run the house while the application runs; `stopped` is told if the house cannot go on."""

    def ended(task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None and stopped is not None:
            stopped(error)

    @asynccontextmanager
    async def life(_app: Litestar) -> AsyncIterator[None]:
        task = asyncio.create_task(running.run(), name="house")
        task.add_done_callback(ended)
        reading = asyncio.create_task(read(kept.cage_book.catch_up), name="cage book")
        pricing = asyncio.create_task(read(running.house.figures.learn_odds), name="odds")
        try:
            yield
        finally:
            kept.boards.close()
            task.cancel()
            await asyncio.gather(task, reading, pricing, return_exceptions=True)

    return life


async def to_be_seen(error: Exception, scope: Scope) -> None:
    """Put a fault on record for management, and who tries many times what they may not."""
    reason, where = as_refused(error).reason, str(scope.get("path", ""))[:200]
    metrics.REFUSALS.labels(reason).inc()
    gateway: Gateway = scope["litestar_app"].state.gateway
    with suppress(StoppedError, AwayError, FullError):
        if reason in OF_THE_HOUSE:
            LOGGER.error("fault at %s", scope.get("path_template", ""), exc_info=error)
            await gateway.house.note(FaultFound(type(error).__name__, where))
        elif reason in WITHOUT_RIGHT:
            token = token_of(Request(scope))
            await gateway.tried(gateway.signin.caller(token, touch=False), where)


def _is_apart(scope: Scope) -> bool:
    """Has the reader a session, or is about to begin one?"""
    if scope["path"] == SIGN_IN:
        return True
    secure = scope["litestar_app"].state.secure
    return f"{cookie_name(secure=secure)}=" in Headers.from_scope(scope).get("cookie", "")


def _guarded(headers: dict[str, str]) -> Callable[[Message, Scope], Awaitable[None]]:
    """Every answer carries what protects its reader, errors and files too; only files are kept."""

    async def guarded(message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        sent = MutableScopeHeaders.from_message(message)
        for name, value in (headers | (APART if _is_apart(scope) else {})).items():
            sent.setdefault(name, value)
        sent.setdefault("Cache-Control", "no-store")

    return guarded


def kept_for(house: House, *, secure: bool = False, proxies: Networks = ()) -> State:
    """All that an application knows of its house; the rest of it is the same for every house."""
    gateway = Gateway(house, SignIn(house))
    rendering = Pages(house)
    live_pages = LivePages(gateway, rendering)
    watch = FloorWatch(house)
    boards = Boards(gateway, live_pages)
    return State(
        {
            "gateway": gateway,
            "pages": rendering,
            "secure": secure,
            "proxies": proxies,
            "guests": GuestSeats(house),
            "lobby": Lobby(house, rendering),
            "floor": FloorTiles(house, rendering, watch, live_pages.name_of),
            "floor_watch": watch,
            "cup_glances": CupGlances(house),
            "incidents": IncidentLog(house),
            "waits": Waits(house, rendering),
            "live_pages": live_pages,
            "boards": boards,
            "cup_events": CupEvents(house),
            "cup_walls": CupWalls(house, rendering, boards.closing),
            "replays": Replays(
                house.log, lambda stream, seq: house.table(stream).saved_before(seq)
            ),
            "cage_book": CageBook(house.log),
            "people_book": PeopleBook(house.log),
            "last_acts": LastActs(house.log),
            "checking": Checking(house.log, house.time.now_ms, against=under(house.keys)),
        }
    )


def create_app(
    running: Running,
    *,
    secure: bool = False,
    proxies: Networks = (),
    stopped: Callable[[BaseException], None] | None = None,
) -> Application:
    """A house that has been started, on the web; `stopped` is told if it cannot go on."""
    state = kept_for(running.house, secure=secure, proxies=proxies)
    state["running"] = running
    running.house.log.wrote = metrics.wrote
    strict = {"Strict-Transport-Security": f"max-age={files.YEAR_S}"} if secure else {}
    handlers = [handler for room in ROOMS for handler in room.HANDLERS]
    return Application(
        route_handlers=[*handlers, *files.handlers()],
        dependencies={
            "visit": Provide(find_visit),
            "stranger": Provide(find_stranger),
        },
        exception_handlers={Exception: error_response},
        after_exception=[to_be_seen],
        guards=[check_host],
        middleware=[metrics.REQUESTS.middleware],
        before_send=[_guarded({**HEADERS, **strict})],
        request_max_body_size=MOST_BYTES,
        compression_config=COMPRESSED,
        lifespan=[_life(running, state, stopped)],
        openapi_config=openapi.config(),
        state=state,
        debug=False,
        logging_config=None,  # whoever serves says where lines go
        signature_namespace={"Visit": Visit},
    )
