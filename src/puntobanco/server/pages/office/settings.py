"""The house's settings: what is set now, each with the form that changes it."""

from litestar import Response, get
from msgspec import to_builtins
from msgspec.structs import asdict

from puntobanco.house.access.rights import MANAGEMENT, WORKS_HERE
from puntobanco.register.settings import Settings
from puntobanco.server.commands.forms import written
from puntobanco.server.visit import TheVisit
from puntobanco.words import money


@get("/house/settings", sync_to_thread=False, include_in_schema=False)
def settings_page(visit: TheVisit) -> Response[str]:
    """Shown to all who work here; management changes it."""
    by, house = visit.check(WORKS_HERE, "settings"), visit.house
    settings = house.register.state.settings
    return visit.show(
        "pages/office/settings.html",
        settings=settings,
        tables=sorted({*house.tables, *settings.tables, *settings.tempo} - {""}),
        manages=bool(by.roles & MANAGEMENT),
    )


def set_now(settings: Settings, name: str, table: str) -> dict[str, str]:
    """What a form that changes a setting starts from: what is set now."""
    if name == "set-look":
        return dict(written(to_builtins(settings.look)))
    if name == "name-table":
        return dict(written(to_builtins(settings.table_look(table))))
    if name == "set-tempo" and table in settings.tempo:
        return dict(written({"tempo": asdict(settings.tempo[table])}))
    if name == "set-guests":
        return dict(written(to_builtins(settings.guests)))
    if name == "set-chips":
        lines = (f"{money(chip.cents)} {chip.face} {chip.spot}" for chip in settings.chips)
        return {"chips": "\n".join(lines)}
    return {}


HANDLERS = (settings_page,)
