"""The web application: routes, who is asking, headers, errors; nothing decides here."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from litestar import Litestar, Request, Response, get, post
from litestar.connection import ASGIConnection
from litestar.datastructures import CacheControlHeader, Cookie, State
from litestar.di import NamedDependency, Provide
from litestar.handlers import BaseRouteHandler
from litestar.params import URLEncodedBody
from litestar.response import Redirect, Stream
from litestar.static_files import create_static_files_router
from litestar.types import Scope
from msgspec import Meta, Struct

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.checking import Checking
from puntobanco.house.replay import Replays
from puntobanco.house.running import Running
from puntobanco.journal.log import StoppedError
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server import (
    acts,
    api,
    backoffice,
    coups,
    downloads,
    journal,
    odds,
    odds_course,
    odds_data,
    odds_runs,
    paper,
    people,
    people_api,
    receipts,
    rules,
    schema,
    tables,
    training,
    verification,
)
from puntobanco.server.asking import show
from puntobanco.server.faults import OF_THE_HOUSE, FaultFound, answer, as_refused
from puntobanco.server.live import Board, once_a_beat, pulse
from puntobanco.server.office import Office, Short, TheCaller, TheOffice
from puntobanco.server.pages import REGIONS, STAFF_PAGES, Pages
from puntobanco.server.roles import OVERSEES, WORKS_HERE, check_staff, roles_of
from puntobanco.server.signin import Caller, Kind, SignIn, kind_of
from puntobanco.table.commands import Name
from puntobanco.table.view import Viewer

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'; manifest-src 'self'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
YEAR_S = 31_536_000
MOST_BYTES = 64 * 1024
"""No request is longer."""
Connection = ASGIConnection[Any, Any, Any, State]
FOLLOWS = "follows"
"""The header by which a page that follows the house asks for itself anew."""
SAFE = ("GET", "HEAD", "OPTIONS")
LOGGER = logging.getLogger(__name__)


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


def cookie_name(*, secure: bool) -> str:
    """With TLS, one that no other host or path can set."""
    return "__Host-session" if secure else "session"


async def find_caller(request: Request[Any, Any, State], office: TheOffice) -> Caller:
    """From the session's cookie, or a device's token; what changes anything comes from here."""
    name = cookie_name(secure=request.app.state.secure)
    cookie = request.cookies.get(name, "")
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if cookie and not bearer and request.method not in SAFE:
        check_origin(request)
    return office.signin.caller(bearer or cookie, touch=FOLLOWS not in request.headers)


def check_origin(request: Request[Any, Any, State]) -> None:
    """A request that a browser sends with its cookie must come from a page of this house."""
    origin = request.headers.get("origin", "")
    fetched = request.headers.get("sec-fetch-site", "same-origin")
    host = request.headers.get("host", "")
    if origin.partition("://")[2] != host or fetched != "same-origin":
        raise Refused(Reason.FOREIGN_PAGE, CONDITIONS)


@get("/", sync_to_thread=False, include_in_schema=False)
def lobby(request: Request[Any, Any, State], office: TheOffice, caller: TheCaller) -> Response[str]:
    roles = roles_of(office, caller)
    context = {"oversees": bool(roles & OVERSEES), "staff": bool(roles & WORKS_HERE)}
    return show(request, caller, "lobby.html", tables=list(office.house.listed()), **context)


@get("/sign-in", sync_to_thread=False, include_in_schema=False)
def sign_in_page(request: Request[Any, Any, State], caller: TheCaller) -> Response[str]:
    return show(request, caller, "sign-in.html")


class SigningIn(Struct, frozen=True):
    who: Name
    secret: Annotated[str, Meta(max_length=256)]
    how: Literal["", "card"] = ""
    """By the code on a slip: its script says so."""


@post("/sign-in", include_in_schema=False)
async def sign_in(
    request: Request[Any, Any, State],
    office: TheOffice,
    data: URLEncodedBody[SigningIn],
) -> Response[Any]:
    """A new session; whatever was there before is not carried over."""
    check_origin(request)
    address = request.client.host if request.client else ""
    kind: Kind = data.how or kind_of(data.secret)
    token = await office.signin.sign_in(data.who, kind, data.secret, address)
    done = Redirect("/", status_code=303)
    done.set_cookie(session_cookie(token, secure=request.app.state.secure))
    return done


def session_cookie(token: str, *, secure: bool) -> Cookie:
    return Cookie(
        key=cookie_name(secure=secure),
        value=token,
        path="/",
        httponly=True,
        secure=secure,
        samesite="strict",
        max_age=None if token else 0,
    )


@post("/sign-out", sync_to_thread=False, include_in_schema=False)
def sign_out(
    request: Request[Any, Any, State], office: TheOffice, caller: TheCaller
) -> Response[Any]:
    office.signin.sign_out(caller)
    done = Redirect("/", status_code=303)
    done.set_cookie(session_cookie("", secure=request.app.state.secure))
    return done


@get("/live/{table:str}/{page_name:str}", include_in_schema=False)
async def live(
    table: api.TableName,
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

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    messages: AsyncGenerator[bytes, None] = board.stream(page_name, viewer)
    return Stream(messages, media_type="text/event-stream", headers=headers)


@get("/live/house", include_in_schema=False)
async def live_house(office: TheOffice, desk: TheDesk, caller: TheCaller) -> Stream:
    """Whenever anything happened; what, each page asks for itself, as its reader may see it."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    beats = pulse(office.house, lambda: office.signin.is_good(caller), desk.closing)
    return Stream(beats, media_type="text/event-stream", headers=headers)


async def check_host(connection: Connection, _handler: BaseRouteHandler) -> None:
    """The framework reads the URL, and the URL has in it whatever the client calls the host."""
    try:
        connection.url  # noqa: B018
    except ValueError as error:
        raise MalformedError(f"the request's Host is none: {error}") from error


async def check_path(request: Request[Any, Any, State]) -> None:
    """No file has a name that the operating system refuses to look for."""
    if "\0" in request.scope["path"]:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)


def create_app(
    running: Running,
    *,
    secure: bool = False,
    stopped: Callable[[BaseException], None] | None = None,
) -> Litestar:
    """A house that has been started, on the web; `stopped` is told if it cannot go on."""
    office = Office(running.house, SignIn(running.house))
    pages = Pages(office)
    desk = Desk(office, pages)

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        def ended(task: asyncio.Task[None]) -> None:
            error = None if task.cancelled() else task.exception()
            if error is not None and stopped is not None:
                stopped(error)

        task = asyncio.create_task(running.run(), name="house")
        task.add_done_callback(ended)
        try:
            yield
        finally:
            desk.close()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def fault_found(error: Exception, scope: Scope) -> None:
        """For management to see, and for whoever reads the log."""
        if as_refused(error).reason not in OF_THE_HOUSE:
            return
        where = str(scope.get("path", ""))[:200]
        LOGGER.error("fault at %s", where, exc_info=error)
        with suppress(StoppedError):
            await office.house.note(FaultFound(type(error).__name__, where))

    headers = dict(HEADERS)
    if secure:
        headers["Strict-Transport-Security"] = f"max-age={YEAR_S}"
    static = Path(str(resources.files("puntobanco.server").joinpath("static")))
    return Litestar(
        route_handlers=[
            *(lobby, sign_in_page, sign_in, sign_out, live, live_house),
            *tables.HANDLERS,
            *acts.HANDLERS,
            *backoffice.HANDLERS,
            *people.HANDLERS,
            *people_api.HANDLERS,
            *paper.HANDLERS,
            *rules.HANDLERS,
            *journal.HANDLERS,
            *training.HANDLERS,
            *(*coups.HANDLERS, *downloads.HANDLERS, *verification.HANDLERS, *receipts.HANDLERS),
            *(*odds.HANDLERS, *odds_course.HANDLERS, *odds_data.HANDLERS, *odds_runs.HANDLERS),
            api.router(),
            create_static_files_router(
                "/static",
                directories=[static],
                cache_control=CacheControlHeader(no_cache=True),
                include_in_schema=False,
                before_request=check_path,
            ),
        ],
        dependencies={
            "office": Provide(lambda: office, sync_to_thread=False),
            "desk": Provide(lambda: desk, sync_to_thread=False),
            "caller": Provide(find_caller),
        },
        exception_handlers={Exception: answer},
        after_exception=[fault_found],
        guards=[check_host],
        response_headers=headers,
        request_max_body_size=MOST_BYTES,
        lifespan=[lifespan],
        openapi_config=schema.config(),
        state=State(
            {
                "pages": pages,
                "secure": secure,
                "desk": desk,
                "replays": Replays(running.house.log),
                "checking": Checking(running.house.log, running.house.time.now_ms),
            }
        ),
        debug=False,
        signature_namespace={"Desk": Desk, "Office": Office, "Caller": Caller},
    )
