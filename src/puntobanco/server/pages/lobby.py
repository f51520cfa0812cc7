"""The lobby: every table of the house, and the way to what the reader may open."""

from typing import TYPE_CHECKING

from litestar import Response, get

from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.access.sign_in import GUESTS
from puntobanco.house.floor.listed import ListedTable
from puntobanco.server.api.competitions import listed_for
from puntobanco.server.live.lobby import tempo_word
from puntobanco.server.live.tiles import TileShown
from puntobanco.server.shell import TABLE_PAGES
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import STAFF

if TYPE_CHECKING:
    from puntobanco.server.live.lobby import Lobby

MOST_CUPS = 3
"""Competitions that the lobby names; the rest are listed on their own page."""
FILTERS = ("all", "free", "quick", "face-down", "play")


@get("/", sync_to_thread=False, include_in_schema=False, opt=GUESTS)
def lobby(visit: TheVisit) -> Response[str]:
    """Open to all; `show` chooses among the tables, with scripts or without."""
    tables: Lobby = visit.kept.lobby
    tables.refresh()
    asked = visit.query("show", "all")
    show = asked if asked in FILTERS else "all"
    kinds = {name: kinds_of(one) for name, one in tables.tables.items()}
    member = visit.house.register.state.people.get(visit.person)
    staff = member is not None and member.kind == "staff"
    return visit.show(
        "pages/lobby.html",
        tables=tables.tables,
        kinds=kinds,
        filters=FILTERS,
        show=show,
        shown=[name for name, kind in kinds.items() if show in ("all", *kind)],
        beat=tables.beat,
        now_ms=visit.house.time.now_ms() - tables.began_ms,
        guests_at=visit.guests.table,
        oversees=bool(visit.roles & OVERSEES),
        staff=staff,
        works_at={name: works_at(visit, name) for name in kinds if staff},
        cups=[one for one in listed_for(visit) if one.name and one.when != "past"][:MOST_CUPS],
    )


def works_at(visit: Visit, table: str) -> str:
    """The page from which the reader works at a table: as a dealer only who does nothing else."""
    pages = {TABLE_PAGES[role] for role in visit.actor(table).roles & STAFF}
    return max(pages, default="")


def kinds_of(shown: TileShown[ListedTable]) -> list[str]:
    """The filters, besides that for all, that a table comes under."""
    one = shown.listed
    is_open = one.notice is not None and one.phase != "shut"
    found = {
        "free": is_open and one.seats_free > 0 and not one.competition,
        "quick": is_open and tempo_word(one) == "quick",
        "face-down": is_open and one.face_down,
        "play": is_open and one.play_cents > 0,
    }
    return [name for name, holds in found.items() if holds]


HANDLERS = (lobby,)
