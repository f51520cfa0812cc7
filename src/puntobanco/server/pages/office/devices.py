"""Card scanners, electronic shoes and displays: each has a token for one thing at one table.
And stations: browsers that the house knows, whoever signs in there.
"""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Meta, Struct

from puntobanco.house.access import desk
from puntobanco.server.addresses import Short
from puntobanco.server.session_cookie import station_cookie
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.commands import Name
from puntobanco.words import name_order


@get("/house/devices", sync_to_thread=False, include_in_schema=False)
def devices(visit: TheVisit) -> Response[str]:
    """Every device that has a token."""
    return _devices(visit)


def _devices(visit: Visit, token: str = "", *, wrong: str | None = None) -> Response[str]:
    """The list; again with the name of a station that cannot be, if one was typed."""
    listed, tables = (
        desk.devices(visit.house, visit.actor()),
        sorted(visit.house.tables, key=name_order),
    )
    context = {"devices": listed, "tables": tables, "token": token, "wrong": wrong}
    shown = visit.show("pages/office/devices.html", **context)
    shown.status_code = 200 if wrong is None else 400
    return shown


class DeviceForm(Struct, frozen=True):
    """What the form for a new device has in it."""

    scope: Literal["draw", "watch"]
    table: Annotated[str, Meta(min_length=1, max_length=64)]


@post("/house/devices", include_in_schema=False)
async def new_device(visit: TheVisit) -> Response[str]:
    """A token that may only draw cards, or only watch; shown once."""
    form, by = await visit.form(), visit.actor()
    asked = msgspec.convert(form, DeviceForm)
    table = visit.table(asked.table).name
    return _devices(visit, await desk.issue_device(visit.signin, by, asked.scope, table))


class StationForm(Struct, frozen=True):
    name: Name


@post("/house/stations", include_in_schema=False)
async def new_station(visit: TheVisit) -> Response[Any]:
    """The browser that sends this is a station of the house from now on."""
    form, by = await visit.form(), visit.actor()
    try:
        asked = msgspec.convert(form, StationForm)
    except msgspec.ValidationError:
        return _devices(visit, wrong=form.get("name", ""))
    token = await desk.enrol_station(visit.signin, by, asked.name)
    done = Redirect("/house/devices", status_code=303)
    done.set_cookie(station_cookie(token, secure=visit.kept.secure))
    return done


@post("/house/devices/{device:str}/end", include_in_schema=False)
async def end_device(visit: TheVisit, device: Short) -> Response[Any]:
    """Good for nothing from now on."""
    await desk.end_device(visit.signin, visit.actor(), device)
    return Redirect("/house/devices", status_code=303)


HANDLERS = (devices, new_device, new_station, end_device)
