"""Files that browsers keep: each is found under the version of them all, and so kept for ever."""

import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from litestar import Request, Response, Router, get
from litestar.datastructures import CacheControlHeader, State
from litestar.handlers import HTTPRouteHandler
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

from puntobanco.errors import Reason, Refused
from puntobanco.pictures import cards
from puntobanco.rules.documents.ruleset import CONDITIONS

FOLDER = Path(str(resources.files("puntobanco.server").joinpath("static")))
YEAR_S = 31_536_000
KEPT = CacheControlHeader(public=True, max_age=YEAR_S, immutable=True)
"""What is under a version never changes."""
DRAWN = {
    "cards.svg": cache(cards.cards_file),
    "squeeze.svg": cache(cards.squeeze_file),
}
"""Files that are drawn when the house starts: the faces of cards."""


@cache
def version() -> str:
    """Changes whenever a file that browsers keep does."""
    digest = hashlib.sha256()
    for file in sorted(FOLDER.rglob("*.*")):
        digest.update(file.read_bytes())
    for drawn in DRAWN.values():
        digest.update(drawn().encode())
    return digest.hexdigest()[:12]


def address(name: str) -> str:
    """Where a file is found; modules that it imports beside it are of the same version."""
    return f"/static/{version()}/{name}"


async def check_path(request: Request[Any, Any, State]) -> None:
    """No file has a name that the operating system refuses to look for."""
    if "\0" in request.scope["path"]:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)


def _drawn(name: str) -> HTTPRouteHandler:
    @get(address(name), sync_to_thread=False, include_in_schema=False, cache_control=KEPT)
    def drawn() -> Response[str]:
        return Response(DRAWN[name](), media_type="image/svg+xml")

    return drawn


def handlers() -> tuple[ControllerRouterHandler, ...]:
    """The routes of all files."""
    return (*map(_drawn, DRAWN), _folder())


def _folder() -> Router:
    return create_static_files_router(
        f"/static/{version()}",
        directories=[FOLDER],
        cache_control=KEPT,
        include_in_schema=False,
        before_request=check_path,
    )
