"""The cookie that a browser's session is known by."""

from typing import Any

from litestar import Request
from litestar.datastructures import Cookie, State


def cookie_name(*, secure: bool) -> str:
    """With TLS, one that no other host or path can set."""
    return "__Host-session" if secure else "session"


def session_token(request: Request[Any, Any, State]) -> str:
    """The session that a browser sends with its cookie."""
    return request.cookies.get(cookie_name(secure=request.app.state.secure), "")


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
