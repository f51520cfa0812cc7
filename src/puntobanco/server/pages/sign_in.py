"""The door: who is asking, signing in and out."""

from typing import Annotated, Any, Literal

from litestar import Request, Response, get, post
from litestar.datastructures import Cookie, State
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Meta, Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.sign_in import OPEN_TO, Caller, Kind, kind_of
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.errors import error_of, status_of, wants_page
from puntobanco.server.gateway import TheCaller, TheOffice
from puntobanco.server.visit import address_of, show
from puntobanco.table.commands import Name

FOLLOWS = "follows"
"""The header by which a page that follows the house asks for itself anew."""
SAFE = ("GET", "HEAD", "OPTIONS")


def cookie_name(*, secure: bool) -> str:
    """With TLS, one that no other host or path can set."""
    return "__Host-session" if secure else "session"


async def find_caller(request: Request[Any, Any, State], office: TheOffice) -> Caller:
    """From the session's cookie, or a token; what changes anything comes from here."""
    name = cookie_name(secure=request.app.state.secure)
    cookie = request.cookies.get(name, "")
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ").strip()
    if cookie and not bearer and request.method not in SAFE:
        check_origin(request)
    caller = office.signin.caller(bearer or cookie, touch=FOLLOWS not in request.headers)
    check_scope(request, caller)
    return caller


def check_scope(request: Request[Any, Any, State], caller: Caller) -> None:
    """A person's token of limited scope reads all; what it may give, the route says."""
    if request.method in SAFE or not caller.scope or caller.is_device:
        return
    if caller.scope not in request.route_handler.opt.get(OPEN_TO, ()):
        raise Refused(Reason.TOKEN_NOT_FOR_THIS, CONDITIONS)


def check_origin(request: Request[Any, Any, State]) -> None:
    """A request that a browser sends with its cookie must come from a page of this house."""
    origin = request.headers.get("origin", "")
    fetched = request.headers.get("sec-fetch-site", "same-origin")
    host = request.headers.get("host", "")
    if origin.partition("://")[2] != host or fetched != "same-origin":
        raise Refused(Reason.FOREIGN_PAGE, CONDITIONS)


@get("/sign-in", sync_to_thread=False, include_in_schema=False)
def sign_in_page(request: Request[Any, Any, State], caller: TheCaller) -> Response[str]:
    return show(request, caller, "sign-in.html", problem=None, who="")


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
    kind: Kind = data.how or kind_of(data.secret)
    try:
        token = await office.signin.sign_in(data.who, kind, data.secret, address_of(request))
    except Refused as refused:
        if not wants_page(request):
            raise
        problem = error_of(refused)
        again = show(request, Caller(), "sign-in.html", problem=problem, who=data.who)
        again.status_code = status_of(refused)
        return again
    cookie = request.cookies.get(cookie_name(secure=request.app.state.secure), "")
    office.signin.sign_out(office.signin.caller(cookie))
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


HANDLERS = (sign_in_page, sign_in, sign_out)
