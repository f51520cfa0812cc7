"""The house's settings: what is set now, each with the form that changes it."""

from collections.abc import Callable
from typing import Any

from litestar import Response, get
from msgspec import to_builtins
from msgspec.structs import asdict

from puntobanco.house.access.rights import MANAGEMENT, WORKS_HERE
from puntobanco.house.access.waiting import proposals_about
from puntobanco.house.trust.retention import overdue
from puntobanco.register.settings import ClockChange, Settings, is_no_limit
from puntobanco.server.commands.typed import written
from puntobanco.server.visit import TheVisit
from puntobanco.table.sentences import zone
from puntobanco.words import money, name_order


@get("/house/settings", sync_to_thread=False, include_in_schema=False)
def settings_page(visit: TheVisit) -> Response[str]:
    """Shown to all who work here; management changes it."""
    by, house = visit.check(WORKS_HERE, "settings"), visit.house
    settings = house.register.state.settings
    return visit.show(
        "pages/office/settings.html",
        settings=settings,
        now_ms=house.time.now_ms(),
        next_clock=_next_clock(settings, house.time.now_ms()),
        utc_told=zone,
        overdue=overdue(house),
        tables=sorted({*house.tables, *settings.tables, *settings.tempo} - {""}, key=name_order),
        manages=bool(by.roles & MANAGEMENT),
        proposals=proposals_about(house, house.register, by, ""),
    )


def _next_clock(settings: Settings, now_ms: int) -> ClockChange | None:
    """When clocks will next be put forward or back."""
    offsets = settings.time_zones[-1].offsets if settings.time_zones else ()
    return next((one for one in offsets if one.from_ms > now_ms), None)


def set_now(settings: Settings, name: str, table: str) -> dict[str, str]:
    """What a form that changes a setting starts from: what is set now."""
    start = STARTS.get(name)
    return dict(written(start(settings, table))) if start else {}


def _chips(settings: Settings) -> dict[str, str]:
    lines = (f"{money(chip.cents)} {chip.face} {chip.spot}" for chip in settings.chips)
    return {"chips": "\n".join(lines)}


STARTS: dict[str, Callable[[Settings, str], dict[str, Any]]] = {
    "set-look": lambda settings, _: to_builtins(settings.look),
    "name-table": lambda settings, table: to_builtins(settings.table_look(table)),
    "set-tempo": lambda settings, table: (
        {"tempo": asdict(settings.tempo[table])} if table in settings.tempo else {}
    ),
    "set-two-people": lambda settings, _: {
        name: fact
        for name, fact in to_builtins(settings.two_people).items()
        if name == "days" or (name == "cash_cents" and not is_no_limit(fact))
    },
    "set-gaming-day": lambda settings, _: {"begins": settings.gaming_days[-1].begins},
    "set-time-zone": lambda settings, _: (
        {"zone": settings.time_zones[-1].name} if settings.time_zones else {}
    ),
    "set-reminder": lambda settings, _: {"minutes": settings.remind_minutes},
    "set-retention": lambda settings, _: to_builtins(settings.retention),
    "set-watch": lambda settings, _: {
        name: fact for name, fact in to_builtins(settings.watches[-1]).items() if name != "from_ms"
    },
    "set-guests": lambda settings, _: to_builtins(settings.guests),
    "set-chips": lambda settings, _: _chips(settings),
}
"""By command, what its form starts from."""


HANDLERS = (settings_page,)
