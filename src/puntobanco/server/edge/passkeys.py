"""Where a passkey is used, as the browser says it; checked as every press on a page is."""

from litestar.datastructures import Cookie

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.passkey import GOOD_MS, AtPlace, Code, PasskeyShown, is_number
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.visit import Visit, check_origin

NONCE_BYTES = 16


def _name(*, secure: bool) -> str:
    return "__Host-passkey" if secure else "passkey"


def browser_cookie(browser: str, *, secure: bool) -> Cookie:
    """By it a browser that nobody has signed in with shows that it was given the challenge."""
    return Cookie(
        key=_name(secure=secure),
        value=browser,
        path="/",
        httponly=True,
        secure=secure,
        samesite="strict",
        max_age=GOOD_MS // 1000,
    )


def place_of(visit: Visit, browser: str = "") -> AtPlace:
    """The address as people reach the house by it, and the session or the cookie of a sign-in."""
    check_origin(visit.request)
    if not browser and visit.caller.session is not None:
        browser = visit.caller.session.token
    browser = browser or visit.request.cookies.get(_name(secure=visit.kept.secure), "")
    return AtPlace(visit.request.headers["origin"], browser)


def place_to_ask(visit: Visit, browser: str = "") -> AtPlace:
    """The same; refused where no passkey can work."""
    at = place_of(visit, browser)
    if not at.host:
        raise Refused(Reason.PASSKEY_UNFIT, CONDITIONS)
    return at


def code_shown(visit: Visit, said: str) -> Code:
    """What was typed; or what a passkey answered, where it reads so."""
    said = said.strip()
    return PasskeyShown(said, place_of(visit)) if said.startswith("{") else said


def host_of(visit: Visit) -> str:
    """The name by which the reader reaches the house; empty if it is a number."""
    host = visit.request.url.hostname or ""
    return "" if is_number(host) else host
