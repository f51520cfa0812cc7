"""The floor as data: all tables, incidents with their photos, a shift's handover."""

from typing import Annotated

from litestar import Response, Router, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Struct

from puntobanco.house.access.photos import is_kept, photo
from puntobanco.house.floor.handover import Handover
from puntobanco.house.floor.incidents import Incident
from puntobanco.house.floor.now import TableAtGlance
from puntobanco.house.intents import NoteIncident
from puntobanco.house.lookback.tonight import Tonight
from puntobanco.server.addresses import RowNumber, TableName
from puntobanco.server.commands.api import CommandId, check_is_table, strictly, table_rights
from puntobanco.server.gateway import Done
from puntobanco.server.live.floor import FloorTotals, totals_of
from puntobanco.server.pages.floor.handover import Hours, handed_over
from puntobanco.server.pages.floor.incidents import (
    MOST_SENT,
    IncidentsShown,
    erase,
    incident_at,
    shown_incidents,
)
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.sight import overseen
from puntobanco.server.visit import TheVisit

Table = Annotated[str, QueryParameter(max_length=64, description="One table; none: all of them")]
Day = Annotated[str, QueryParameter(max_length=80, description="One gaming day; none: all")]
Kind = Annotated[str, QueryParameter(max_length=80, description="One kind; none: all")]


class FloorLine(Struct, frozen=True):
    """One table, and what it has held tonight."""

    now: TableAtGlance
    tonight: Tonight
    level: str
    """`alarm`: play is held up; `late`: somebody is waited for; empty: nobody."""


class FloorShown(Struct, frozen=True):
    totals: FloorTotals
    tables: list[FloorLine]


@get("/floor", operation_id="floor", sync_to_thread=False)
def floor(visit: TheVisit) -> FloorShown:
    """Every table that the caller oversees: phase and since when, people, who waits for whom."""
    names = overseen(visit)
    visit.kept.floor.refresh()
    rows = visit.kept.floor.rows(names)
    lines = [FloorLine(row.now, row.tonight, row.level) for row in rows]
    return FloorShown(totals_of(rows), lines)


@get("/floor/handover", operation_id="handover")
@in_reader
def handover(visit: TheVisit, hours: Hours = 8) -> Handover:
    """What is open now, and the incidents of the last hours."""
    return handed_over(visit, hours)


@get("/floor/incidents", operation_id="incidents")
@in_reader
def incident_list(
    visit: TheVisit, table: Table = "", day: Day = "", kind: Kind = ""
) -> IncidentsShown:
    """What was noted at the tables that the caller oversees; the newest first."""
    return shown_incidents(visit, table, day, kind)


class IncidentShown(Struct, frozen=True):
    incident: Incident
    photo_kept: bool
    """Whether there is a photo that was not erased."""


@get("/floor/incidents/{table:str}/{row:int}", operation_id="incident", sync_to_thread=False)
def incident(visit: TheVisit, table: TableName, row: RowNumber) -> IncidentShown:
    one = incident_at(visit, table, row)
    return IncidentShown(one, bool(one.photo) and is_kept(visit.house.log, one.photo))


@get("/floor/incidents/{table:str}/{row:int}/photo", operation_id="photo", sync_to_thread=False)
def incident_photo(visit: TheVisit, table: TableName, row: RowNumber) -> Response[bytes]:
    """The photo itself, a PNG or JPEG."""
    kept = photo(visit.house.log, incident_at(visit, table, row).photo)
    return Response(kept.picture, media_type=kept.kind, headers={"Cache-Control": "no-store"})


@post(
    "/floor/incidents/{table:str}/{row:int}/erase-photo",
    operation_id="erase-photo",
    status_code=200,
)
async def erase_incident_photo(visit: TheVisit, table: TableName, row: RowNumber) -> IncidentShown:
    """Erase the photo for good, by management; the incident and its digest stay on record."""
    await erase(visit, table, row)
    return IncidentShown(incident_at(visit, table, row), photo_kept=False)


@post(
    "/tables/{table:str}/note-incident",
    operation_id="note-incident",
    tags=["table"],
    status_code=200,
    request_max_body_size=MOST_SENT,
    before_request=table_rights(NoteIncident),
)
async def note_incident(
    visit: TheVisit, table: TableName, data: JSONBody[NoteIncident], command_id: CommandId
) -> Done:
    """An incident with a photo, in base64; without one it is `record-incident`."""
    check_is_table(table)
    return await visit.give(table, await strictly(visit, data), command_id)


HANDLERS = (
    Router(
        "/api",
        route_handlers=[
            *(floor, handover, incident_list, incident, incident_photo, erase_incident_photo),
            note_incident,
        ],
        tags=["floor"],
    ),
)
