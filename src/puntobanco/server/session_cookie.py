"""Cookies: a browser's session, and what a browser is known by when somebody signs in."""

from typing import Any

from litestar import Request
from litestar.datastructures import Cookie, State

from puntobanco.house.access.door.known import BrowserShown

KEPT_S = 400 * 86_400
"""Seconds that a browser keeps what it is known by; none keeps a cookie longer."""
KNOWN, STATION = "known", "station"


def cookie_name(*, secure: bool) -> str:
    """With TLS, one that no other host or path can set."""
    return "__Host-session" if secure else "session"


def session_token(request: Request[Any, Any, State]) -> str:
    """The session that a browser sends with its cookie."""
    return request.cookies.get(cookie_name(secure=request.app.state.secure), "")


def shown_by(request: Request[Any, Any, State]) -> BrowserShown:
    """What a browser shows of itself: a station's token, and who has signed in there before."""
    secure = request.app.state.secure
    station, known = (
        request.cookies.get(_kept_name(name, secure=secure), "")[:2000] for name in (STATION, KNOWN)
    )
    return BrowserShown(station, tuple(filter(None, known.split("."))))


def _kept_name(name: str, *, secure: bool) -> str:
    return f"__Host-{name}" if secure else name


def known_cookie(proofs: tuple[str, ...], *, secure: bool) -> Cookie:
    """The cookie by which a browser is known to those who have signed in with it."""
    return _kept(KNOWN, ".".join(proofs), secure=secure)


def station_cookie(token: str, *, secure: bool) -> Cookie:
    """The cookie by which a browser is known to the house."""
    return _kept(STATION, token, secure=secure)


def _kept(name: str, value: str, *, secure: bool) -> Cookie:
    return Cookie(
        key=_kept_name(name, secure=secure),
        value=value,
        path="/",
        httponly=True,
        secure=secure,
        samesite="strict",
        max_age=KEPT_S,
    )


def session_cookie(token: str, *, secure: bool) -> Cookie:
    """The cookie of a session that begins; without a token, of one that ends."""
    return Cookie(
        key=cookie_name(secure=secure),
        value=token,
        path="/",
        httponly=True,
        secure=secure,
        samesite="strict",
        max_age=None if token else 0,
    )
