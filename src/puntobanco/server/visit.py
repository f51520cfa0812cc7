"""One request: who asks, what they sent, and the page in answer.

Every handler takes `visit: TheVisit`; the framework makes it with `find_visit`.
"""

from base64 import b64encode
from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import State, UploadFile
from litestar.di import NamedDependency
from msgspec import Meta

from puntobanco.competition.state import Competition
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.known import BrowserShown
from puntobanco.house.access.guests import GuestSeats
from puntobanco.house.access.names import with_names
from puntobanco.house.access.rights import OVERSEES, WATCH_OVER, check_house_role
from puntobanco.house.access.sign_in import ANONYMOUS, OPEN_TO, Caller, SignIn
from puntobanco.house.house import House
from puntobanco.house.stream import Stream
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.edge.proxy import client_of
from puntobanco.server.errors import wants_page
from puntobanco.server.gateway import Done, Gateway
from puntobanco.server.look import LOOK, worn_of
from puntobanco.server.session_cookie import session_token, shown_by
from puntobanco.server.shell import shell_of
from puntobanco.table.actor import STAFF, Actor, Role
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer
from puntobanco.training.book import CourseBook
from puntobanco.words import explain
from puntobanco.words.refusals import Words

FORM_ID = "command_id"
FormId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
FOLLOWS = "follows"
"""The header by which a page that follows the house asks for itself anew."""
ELSEWHERE_STRANGERS = ("guest", "second", "first")
"""Who is somebody only on the pages that are open to them."""
SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""


class Visit:
    """A request, its caller, and the house that is asked."""

    def __init__(
        self,
        request: Request[Any, Any, State],
        gateway: Gateway,
        caller: Caller,
        signed_in_as: str = "",
    ) -> None:
        self.request = request
        self.gateway = gateway
        self.caller = caller
        self.signed_in_as = signed_in_as or caller.person
        """The person of the session; also where a guest counts as a stranger."""

    # the house

    @property
    def house(self) -> House:
        return self.gateway.house

    @property
    def signin(self) -> SignIn:
        return self.gateway.signin

    @property
    def kept(self) -> State:
        """What the application keeps besides the house: pages, boards, replays, verification."""
        return self.request.app.state

    @property
    def guests(self) -> GuestSeats:
        """The seats of visitors without an account."""
        seats: GuestSeats = self.kept.guests
        return seats

    @property
    def course(self) -> CourseBook:
        """What people have learned in training."""
        return CourseBook(self.house.log)

    def table(self, name: str) -> Stream[Table]:
        """A table that is there; asking for another makes none."""
        return self.gateway.table(name)

    def competition(self, name: str) -> Stream[Competition]:
        """A competition that is there and shown to the caller."""
        return self.gateway.competition(self.caller, name)

    async def give(
        self, at: str, ask: Any, command_id: str, shown: str = "", dealt: str = ""
    ) -> Done:
        """Give a command in the caller's name; if its outcome was shown, so or not at all."""
        return await self.gateway.give(self.caller, at, ask, command_id, shown, dealt)

    def told(self, problem: Exception) -> Exception:
        """What went wrong, with people in it as this reader knows them."""
        return self.named(problem) or problem if isinstance(problem, Refused) else problem

    def words_of(self, refused: Refused) -> Words:
        """A refusal as this reader is told it."""
        named = with_names(self.house, refused, self.person)
        return explain(named, self.house.register.state.currency)

    def named(self, refused: Refused | None) -> Refused | None:
        """A refusal, if it is one, with people in it as this reader knows them."""
        return with_names(self.house, refused, self.person) if refused else None

    # who asks

    @property
    def person(self) -> str:
        """Empty: nobody has signed in."""
        return self.caller.person

    @property
    def roles(self) -> frozenset[Role]:
        """The roles a caller has in the whole house; none for a caller who is not signed in."""
        member = self.house.register.state.people.get(self.person)
        good = member is not None and member.enabled and not self.caller.is_device
        return member.roles_at("") if member is not None and good else frozenset()

    def actor(self, table: str = "") -> Actor:
        """The caller with their roles in the house, or at a table; refused without a sign-in."""
        return self.gateway.actor(self.caller, table)

    def viewer(self, table: Stream[Table]) -> Viewer:
        """How much of a table the caller sees."""
        return self.gateway.viewer(self.caller, table)

    def check(self, roles: frozenset[Role], what: str, table: str = "") -> Actor:
        """The caller, refused without one of these roles in the house or at a table."""
        by = self.actor(table)
        check_house_role(by, roles, what)
        return by

    def check_staff(self, table: str) -> None:
        """Only staff of a table open its pages of staff."""
        self.check(STAFF, "console", table)

    def check_watches_over(self, table: str) -> None:
        self.check(WATCH_OVER, "games", table)

    def check_oversees(self, what: str) -> None:
        self.check(OVERSEES, what)

    # what was sent

    @property
    def address(self) -> str:
        """Where the request comes from: before the house's own proxies, if it has any."""
        peer = self.request.client.host if self.request.client else ""
        forwarded = ",".join(self.request.headers.getall("x-forwarded-for", []))
        return client_of(peer, forwarded, self.kept.proxies)

    @property
    def shown(self) -> BrowserShown:
        """What the browser shows of itself to whoever signs in with it."""
        return shown_by(self.request)

    @property
    def wants_page(self) -> bool:
        """Does a browser ask for a page, rather than a program for data?"""
        return wants_page(self.request)

    def query(self, name: str, default: str = "") -> str:
        return str(self.request.query_params.get(name, default))

    async def form(self) -> dict[str, str]:
        """What was typed, by field; a file as base64, several choices one after another."""
        sent: dict[str, str] = {}
        for key, value in (await self.request.form()).multi_items():
            text = await _sent(value)
            sent[key] = f"{sent[key]} {text}" if key in sent else text
        return sent

    def command_id(self, form: dict[str, str]) -> str:
        """From the script that sends the form, so that sending it twice does nothing twice."""
        given = form.pop(FORM_ID, "") or self.house.chance.some_bytes(16).hex()
        return msgspec.convert(given, FormId)

    @property
    def worn(self) -> dict[str, str]:
        """Light or dark, and the contrast, as the reader chose them in this browser."""
        return worn_of(self.request.cookies.get(LOOK, ""))

    # the answer

    def show(self, template: str, **context: object) -> Response[str]:
        """A page for one reader: nobody keeps it."""
        guest = self.caller.is_guest
        waits = self.kept.waits.of(self.person)
        shell = shell_of(self.house, self.person, self.request.url.path, waits)
        html = self.kept.pages.render(
            template, person=self.person, guest=guest, shell=shell, worn=self.worn, **context
        )
        headers = {"Cache-Control": "no-store"}
        return Response(html, status_code=200, media_type="text/html", headers=headers)


async def _sent(value: object) -> str:
    return b64encode(await value.read()).decode() if isinstance(value, UploadFile) else str(value)


TheVisit = NamedDependency[Visit]
"""What handlers ask for by the name `visit`; or by `stranger`, before anyone has signed in."""


def token_of(request: Request[Any, Any, State]) -> str:
    """A program's token, or the session that a browser sends with its cookie."""
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    return bearer or session_token(request)


async def find_visit(request: Request[Any, Any, State]) -> Visit:
    """The caller by cookie or token; what changes anything must come from a page of this house."""
    gateway: Gateway = request.app.state.gateway
    token = token_of(request)
    if token and token == session_token(request) and request.method not in SAFE:
        check_origin(request)
    caller = gateway.signin.caller(token, touch=FOLLOWS not in request.headers)
    check_scope(request, caller)
    is_open = caller.scope in request.route_handler.opt.get(OPEN_TO, ())
    seen = ANONYMOUS if caller.scope in ELSEWHERE_STRANGERS and not is_open else caller
    return Visit(request, gateway, seen, caller.person)


async def find_stranger(request: Request[Any, Any, State]) -> Visit:
    """A visitor who is not asked for a name: one who signs in, or a display on the wall."""
    return Visit(request, request.app.state.gateway, ANONYMOUS)


def check_scope(request: Request[Any, Any, State], caller: Caller) -> None:
    """A person's token of limited scope reads all; what it may give, the route says."""
    if request.method in SAFE or not caller.scope or caller.is_device:
        return
    if caller.scope not in request.route_handler.opt.get(OPEN_TO, ()):
        raise Refused(Reason.TOKEN_NOT_FOR_THIS, CONDITIONS)


def check_origin(request: Request[Any, Any, State]) -> None:
    """A request that a browser sends with its cookie must come from a page of this house."""
    scheme, _, place = request.headers.get("origin", "").partition("://")
    fetched = request.headers.get("sec-fetch-site", "same-origin")
    plain = request.app.state.secure and scheme != "https"  # whoever is on the line could write it
    if plain or place != request.headers.get("host", "") or fetched != "same-origin":
        raise Refused(Reason.FOREIGN_PAGE, CONDITIONS)
