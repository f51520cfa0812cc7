"""Signing in and out."""

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import URLEncodedBody
from litestar.response import Redirect
from msgspec import Meta, Struct

from puntobanco.errors import Refused
from puntobanco.house.access.door.passkey import LONGEST_ANSWER
from puntobanco.house.access.door.secrets import Kind, kind_of
from puntobanco.house.access.sign_in import ITS_END
from puntobanco.server.edge.passkeys import code_shown, host_of
from puntobanco.server.errors import error_of, http_status
from puntobanco.server.session_cookie import known_cookie, session_cookie, session_token
from puntobanco.server.shell import local_path
from puntobanco.server.visit import TheVisit, Visit, check_origin
from puntobanco.table.commands import Name

SET_UP = "/account/second"
"""Where staff set up a second factor."""
CHOOSE = "/account/first"
"""Where they choose a password of their own."""


@get("/sign-in", sync_to_thread=False, include_in_schema=False)
def sign_in_page(visit: TheVisit) -> Response[str]:
    """A reader who was on the way to a page comes back to it."""
    return _show(visit, visit.query("to"), excluded=bool(visit.query("excluded")))


def _show(
    visit: Visit, to: str, who: str = "", problem: Refused | None = None, *, excluded: bool = False
) -> Response[str]:
    to = local_path(to)
    shown = visit.show(
        "pages/sign_in.html",
        problem=error_of(problem) if problem else None,
        who=who,
        to=to,
        cup=_cup(to),
        excluded=excluded,
        host=host_of(visit),
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


def _cup(to: str) -> str:
    """The competition that somebody was about to enter, from the code on a poster; else nothing."""
    found = re.fullmatch(r"/competitions/([\w.-]+)/me(\?.*)?", to)
    return found[1] if found else ""


class SignInForm(Struct, frozen=True):
    who: Name
    secret: Annotated[str, Meta(max_length=256)]
    how: Literal["", "card"] = ""
    """By the code on a slip: its script says so."""
    code: Annotated[str, Meta(max_length=40)] = ""
    """Of a second factor."""
    passkey: Annotated[str, Meta(max_length=LONGEST_ANSWER)] = ""
    """What a passkey answered, in its place."""
    to: Annotated[str, Meta(max_length=2048)] = "/"
    """The page that the reader was on the way to."""


@post("/sign-in", include_in_schema=False)
async def sign_in(stranger: TheVisit, data: URLEncodedBody[SignInForm]) -> Response[Any]:
    """Begin a new session; nothing of an earlier one is carried over."""
    check_origin(stranger.request)
    kind: Kind = data.how or kind_of(data.secret)
    try:
        token = await stranger.signin.sign_in(
            *(data.who, kind, data.secret, stranger.address, stranger.shown),
            code_shown(stranger, data.passkey or data.code),
        )
    except Refused as refused:
        if not stranger.wants_page:
            raise
        return _show(stranger, data.to, data.who, refused)
    before = stranger.signin.caller(session_token(stranger.request))
    stranger.signin.sign_out(before)
    done = Redirect(_first_page(stranger, data), status_code=303)
    done.set_cookie(session_cookie(token, secure=stranger.kept.secure))
    proofs = stranger.signin.proofs(data.who, kind, stranger.shown)
    done.set_cookie(known_cookie(proofs, secure=stranger.kept.secure))
    return done


def _first_page(stranger: Visit, data: SignInForm) -> str:
    """Where a reader was on the way to; whoever came by a slip, which is used up, chooses a PIN."""
    to = local_path(data.to)
    member = stranger.house.register.state.people[data.who]
    if stranger.signin.is_first(data.who):
        return CHOOSE
    if stranger.signin.second.is_due(data.who):
        return SET_UP
    if member.kind != "patron" or stranger.signin.has_own_pin(data.who):
        return to
    return f"/account?{urlencode({'slip': '1', 'to': to})}"


@post("/sign-out", sync_to_thread=False, include_in_schema=False, opt=ITS_END)
def sign_out(visit: TheVisit) -> Response[Any]:
    visit.signin.sign_out(visit.caller)
    done = Redirect("/", status_code=303)
    done.set_cookie(session_cookie("", secure=visit.kept.secure))
    return done


HANDLERS = (sign_in_page, sign_in, sign_out)
