"""Templates, styles and scripts stand in the same rooms as the code that uses them; and what each
room answers is taken into the application.
"""

import re
from importlib import resources
from pathlib import Path

import pytest
from litestar import Router, get, post, put
from litestar.handlers import HTTPRouteHandler

from puntobanco.server.app import Application
from puntobanco.server.live.lobby import REGIONS as LOBBY
from puntobanco.server.live.regions import REGIONS
from puntobanco.server.pages.competitions.papers.shelf import PAPERS

SERVER = Path(str(resources.files("puntobanco.server")))
SHARED = {
    *("base.html", "macros.html", "error.html"),
    *("tokens.css", "style.css", "desk.css", "page.js", "shell.js", "locale.js", "chip.svg"),
}
"""What every page has; all else belongs to a room."""
FILES = sorted(
    file.relative_to(SERVER)
    for folder in ("templates", "static")
    for file in (SERVER / folder).rglob("*.*")
)
SOURCES = "\n".join(
    file.read_text("utf-8")
    for ending in ("py", "html", "js")
    for file in SERVER.rglob(f"*.{ending}")
)
BOARDS = (SERVER / "pages/competitions/boards/drawn.py").read_text("utf-8")
MADE_UP = {
    *(f"live/{region}.html" for regions in REGIONS.values() for region in regions),
    *(f"pages/table/{page}.html" for page in REGIONS),
    *(f"pages/odds/{page}.html" for page in ("index", "composition", "course", "runs")),
    *(f"live/floor/{part}.html" for part in ("row", "totals")),
    *(f"live/lobby/{region}.html" for region in LOBBY),
    *(f"pages/competitions/papers/{paper.replace('-', '_')}.html" for paper in PAPERS),
    *(f"pages/competitions/boards/{part}.html" for part in re.findall(r'"(\w+)"', BOARDS)),
}
"""Templates whose names the code puts together."""


def room_of(file: Path) -> Path:
    """The package or module that shows it: of its folder, or among all pages of its own name.
    Parts of pages stand below the pages that have them.
    """
    within = Path(*(part for part in file.parts[1:] if part != "parts"))
    return within.with_suffix("") if within.parent == Path("pages") else within.parent


@pytest.mark.parametrize("file", FILES, ids=str)
def test_every_file_is_in_the_room_of_the_code_that_shows_it(file: Path) -> None:
    if len(file.parts) == 2:
        assert file.name in SHARED
        return
    if file.parts[:2] == ("static", "stage"):  # the felt in a browser, which `live` draws
        return
    room = SERVER / room_of(file)
    assert (room / "__init__.py").exists() or room.with_suffix(".py").exists()


@pytest.mark.parametrize("file", FILES, ids=str)
def test_every_file_is_used(file: Path) -> None:
    name = Path(*file.parts[1:]).as_posix()
    beside = f'"./{file.name}"' in SOURCES  # imported by a script of the same room
    beside = beside or f'FOLDER}}/{file.name}"' in SOURCES  # or named by the folder of its room
    assert name in MADE_UP or beside or re.search(rf"""["/]{re.escape(name)}["?#]""", SOURCES)


@get("/tables", sync_to_thread=False)
def seen() -> None: ...


@post("/tables", sync_to_thread=False)
def opened() -> None: ...


@put("/tables", sync_to_thread=False)
def changed() -> None: ...


def others(number: int) -> list[HTTPRouteHandler]:
    def told() -> None: ...

    return [get(f"/{at}", sync_to_thread=False)(told) for at in range(number)]


def test_what_a_path_answers_is_known_by_every_method_that_came_to_it() -> None:
    app = Application([seen, *others(3), opened, Router("/room", route_handlers=[seen]), changed])
    kept = app.route_handler_method_map
    assert kept == Router.route_handler_method_map.fget(app)  # type: ignore[attr-defined]
    assert set(kept["/tables"]) == {"GET", "POST", "PUT", "OPTIONS"}
    assert set(kept["/room/tables"]) == {"GET", "OPTIONS"}


def test_all_routes_are_not_looked_through_for_each_one(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Router] = []
    whole = Router.route_handler_method_map.fget  # type: ignore[attr-defined]

    def through(app: Router) -> object:
        looked.append(app)
        return whole(app)

    monkeypatch.setattr(Router, "route_handler_method_map", property(through))
    Application([seen, *others(20), opened, changed], openapi_config=None)
    assert len(looked) == 1  # for the path that came to answer another method
