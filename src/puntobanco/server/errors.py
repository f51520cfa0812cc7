"""The one shape of an error: what happened, what the rule says, what to do next."""

from string import Formatter
from typing import Any
from urllib.parse import quote

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.response import Redirect
from msgspec import Struct, ValidationError
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Reason, Refused, UnusableError
from puntobanco.house.access.names import with_names
from puntobanco.journal.log import AwayError, FullError, ReusedError, StoppedError, SucceededError
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.look import LOOK, worn_of
from puntobanco.server.session_cookie import session_token
from puntobanco.server.shell import came_from, shell_of, ways_on
from puntobanco.words import REFUSALS, explain

WAIT = 429
"""What came too soon, or too often."""
STATUS = {
    Reason.SIGN_IN_NEEDED: 401,
    Reason.SIGN_IN_FAILED: 401,
    Reason.SLIP_USED: 401,
    Reason.SECOND_FACTOR_DUE: 403,
    Reason.SELF_EXCLUDED: 403,
    Reason.SIGN_IN_LOCKED: 403,
    Reason.SIGN_IN_WAIT: WAIT,
    Reason.GUESTS_WAIT: WAIT,
    Reason.TOO_FAST: WAIT,
    Reason.NOT_YOUR_ROLE: 403,
    Reason.NOT_ON_DUTY: 403,
    Reason.DIRECTOR_NOT_SIGNED_ON: 403,
    Reason.NOT_YOURSELF: 403,
    Reason.NOT_ENROLLED: 403,
    Reason.DISABLED: 403,
    Reason.FOREIGN_PAGE: 403,
    Reason.ODDS_AT_A_TABLE: 403,
    Reason.TOKEN_NOT_FOR_THIS: 403,
    Reason.NO_SUCH_TABLE: 404,
    Reason.NO_SUCH_INCIDENT: 404,
    Reason.NO_SUCH_PHOTO: 404,
    Reason.NO_SUCH_COMPETITION: 404,
    Reason.NOT_FOUND: 404,
    Reason.MALFORMED: 400,
    Reason.HOUSE_STOPPED: 503,
    Reason.DATABASE_AWAY: 503,
    Reason.HANDED_OVER: 503,
    Reason.DISK_FULL: 503,
    Reason.FAULT: 500,
    Reason.RECORD_UNUSABLE: 503,
}
UNREADABLE = (ValidationError, UnicodeDecodeError, RecursionError)
"""What reading a body may end in, besides what the framework itself answers to."""
REASONS: dict[type[Exception], Reason] = {
    ReusedError: Reason.ID_USED,
    SucceededError: Reason.HANDED_OVER,
    StoppedError: Reason.HOUSE_STOPPED,
    AwayError: Reason.DATABASE_AWAY,
    FullError: Reason.DISK_FULL,
    HTTPException: Reason.MALFORMED,
    MalformedError: Reason.MALFORMED,
    UnusableError: Reason.RECORD_UNUSABLE,
    **dict.fromkeys(UNREADABLE, Reason.MALFORMED),
}
"""What a request may end in besides a refusal; anything else is a fault of the house."""
SAYS_WHAT = (Reason.MALFORMED, Reason.RECORD_UNUSABLE)
OF_THE_HOUSE = (Reason.FAULT, Reason.RECORD_UNUSABLE)
"""Nobody who asks can help it; management must see it."""
WITHOUT_RIGHT = (Reason.NOT_YOUR_ROLE, Reason.TOKEN_NOT_FOR_THIS)
"""Many of these of one person, management must see too."""
SHUT = (Reason.DATABASE_AWAY, Reason.HOUSE_STOPPED)
"""Nobody's session can be read."""
AGAIN_S = {Reason.DATABASE_AWAY: "1", Reason.HANDED_OVER: "1", Reason.DISK_FULL: "30"}
"""Seconds after which the same may be asked again, where that helps."""
RELOAD_S = "3"
"""Seconds after which a page that could not be had is asked for again, by the browser itself."""
REFUSED = 409
"""What the rules do not let happen now."""


PLACES = {"on", "box"}
"""Facts by which a page says a refusal where it belongs."""


class Error(Struct, frozen=True):
    reason: str
    clause: str
    """The clause that says so; `conditions` where the house decides."""
    detail: str
    remedy: str
    facts: dict[str, int | str] = {}
    """What the words are about, by name: the option of the layout (`on`), an amount, a person."""


def error_of(refused: Refused, currency: str = "") -> Error:
    happened, remedy = explain(refused, currency)
    return Error(refused.reason, refused.clause, happened, remedy, _told(refused))


def _told(refused: Refused) -> dict[str, int | str]:
    """The facts that the words say anyway, and the place on the layout; no others are told."""
    said = {name for text in REFUSALS[refused.reason] for _, name, _, _ in Formatter().parse(text)}
    found = {name: fact for name, fact in refused.facts.items() if name in said | PLACES}
    return {name: fact if type(fact) is int else str(fact) for name, fact in found.items()}


def as_refused(error: Exception) -> Refused:
    """Anything that can go wrong with a request, as a refusal."""
    if isinstance(error, Refused):
        return error
    reason = next((one for kind, one in REASONS.items() if isinstance(error, kind)), Reason.FAULT)
    if isinstance(error, HTTPException) and error.status_code == 404:
        reason = Reason.NOT_FOUND
    facts = {"what": _what(error)[:200]} if reason in SAYS_WHAT else {}
    return Refused(reason, CONDITIONS, **facts)


def _what(error: Exception) -> str:
    match error:
        case HTTPException(extra=list() as extra):
            return "; ".join(f"{one.get('key', '')}: {one.get('message', '')}" for one in extra)
        case HTTPException():
            return str(error.detail)
        case UnicodeDecodeError():
            return "it is not UTF-8"
        case RecursionError():
            return "one thing is in another too many times"
        case _:
            return str(error)


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Does a browser ask for a page, rather than a program for data?"""
    return not _is_programs(request) and "text/html" in request.headers.get("accept", "")


def _is_programs(request: Request[Any, Any, Any]) -> bool:
    """Is it an address for programs, who go by ids? (The URL may be unreadable.)"""
    return bool(request.scope["path"].startswith(("/api", "/live")))


def http_status(error: Exception) -> int:
    if isinstance(error, HTTPException) and error.status_code in (405, 413):
        return error.status_code
    return STATUS.get(as_refused(error).reason, REFUSED)


def _asked(request: Request[Any, Any, Any]) -> str:
    """The page that somebody was on the way to; what they sent, they send again themselves."""
    if request.method != "GET":
        return "/"
    query = request.scope["query_string"].decode("latin-1")
    return request.scope["path"] + (f"?{query}" if query else "")


def _retry(refused: Refused) -> dict[str, str]:
    """When to come again, for whoever is to wait."""
    if STATUS.get(refused.reason) == WAIT:
        return {"Retry-After": str(refused.facts["seconds"])}
    again = AGAIN_S.get(refused.reason)
    return {"Retry-After": again} if again else {}


def error_response(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """One error, as data or as a page."""
    refused, status = as_refused(error), http_status(error)
    retry = _retry(refused)
    gateway = request.app.state.gateway
    currency = gateway.house.register.state.currency
    if wants_page(request) and refused.reason is Reason.SIGN_IN_NEEDED:
        return Redirect(f"/sign-in?to={quote(_asked(request))}")
    shown = error_of(refused, currency)
    if not _is_programs(request):
        token = "" if refused.reason in SHUT else session_token(request)
        caller = gateway.signin.caller(token, touch=False)
        told = error_of(with_names(gateway.house, refused, caller.person), currency)
        shown = replace(told, facts=shown.facts)  # a page's script reads them
    if wants_page(request):
        waits = request.app.state.waits.of(caller.person)
        shell = shell_of(gateway.house, caller.person, request.scope["path"], waits)
        worn = worn_of(request.cookies.get(LOOK, ""))
        was = came_from(request.headers.get("referer", ""), request.headers.get("host", ""))
        was = was if was != _asked(request) else ""
        ways = ways_on(gateway.house, shell, was)
        facts = {"person": caller.person, "shell": shell, "worn": worn, "ways": ways}
        html = request.app.state.pages.render("error.html", error=shown, **facts)
        if refused.reason in AGAIN_S and request.method == "GET":
            retry["Refresh"] = RELOAD_S
        return Response(html, status_code=status, media_type=MediaType.HTML, headers=retry)
    return Response(shown, status_code=status, media_type=MediaType.JSON, headers=retry)
