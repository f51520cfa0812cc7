"""Files that browsers keep: each is found under the version of them all, and so kept for ever.

They are few and small, so that a house has them in memory, packed once: whoever comes for the
first time asks for a dozen at a time, and should not wait for a disk or for packing.
"""

import gzip
import hashlib
from functools import cache
from importlib import resources
from mimetypes import guess_type
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from litestar import Request, Response, get
from litestar.datastructures import CacheControlHeader, State
from litestar.params import PathParameter
from litestar.types import ControllerRouterHandler

from puntobanco.errors import Reason, Refused
from puntobanco.pictures import cards
from puntobanco.rules.documents.ruleset import CONDITIONS

FOLDER = Path(str(resources.files("puntobanco.server").joinpath("static")))
YEAR_S = 31_536_000
KEPT = CacheControlHeader(public=True, max_age=YEAR_S, immutable=True)
"""What is under a version never changes."""
FileName = Annotated[str, PathParameter(max_length=80)]
TOGETHER = ("tokens.css", "style.css", "commands/outlook.css", "live/felt.css", "live/roads.css")
JOINED = {
    "page.css": (*TOGETHER[:2], "desk.css", *TOGETHER[2:]),
    "table.css": (*TOGETHER, "stage/stage.css"),
    "entrant.css": ("tokens.css", "style.css", "desk.css", "pages/competitions/entrant.css"),
    "display.css": (*TOGETHER, "live/wall.css"),
    "board.css": ("tokens.css", "style.css", "pages/competitions/board.css"),
}
"""Styles that a page wants together: it is painted when the last of them is there."""
DRAWN = {"cards.svg": cards.cards_file, "squeeze.svg": cards.squeeze_file}
"""Files that are drawn when the house starts: the faces of cards."""


class KeptFile(NamedTuple):
    kind: str
    plain: bytes
    packed: bytes


@cache
def kept_files() -> dict[str, KeptFile]:
    """Every file by its name below the version."""
    found = {
        file.relative_to(FOLDER).as_posix(): file.read_bytes()
        for file in sorted(FOLDER.rglob("*.*"))
    }
    found |= {name: b"".join(found[part] for part in parts) for name, parts in JOINED.items()}
    found |= {name: drawn().encode() for name, drawn in DRAWN.items()}
    return {
        name: KeptFile(guess_type(name)[0] or "", text, gzip.compress(text, 9, mtime=0))
        for name, text in found.items()
    }


@cache
def version() -> str:
    """Changes whenever a file that browsers keep does."""
    digest = hashlib.sha256()
    for file in kept_files().values():
        digest.update(file.plain)
    return digest.hexdigest()[:12]


def address(name: str) -> str:
    """Where a file is found; modules that it imports beside it are of the same version."""
    return f"/static/{version()}/{name}"


def handlers() -> tuple[ControllerRouterHandler, ...]:
    """The route of all files."""

    @get(address("{name:path}"), sync_to_thread=False, include_in_schema=False, cache_control=KEPT)
    def kept_file(request: Request[Any, Any, State], name: FileName) -> Response[bytes]:
        file = kept_files().get(name.removeprefix("/"))
        if file is None:
            raise Refused(Reason.NOT_FOUND, CONDITIONS)
        headers = {"Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(file.plain, media_type=file.kind, headers=headers)
        headers["Content-Encoding"] = "gzip"
        return Response(file.packed, media_type=file.kind, headers=headers)

    return (kept_file,)
