"""The incident log: what was noted at the tables, one more of it, and photos."""

import re
from base64 import b64decode, b64encode
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.params import QueryParameter
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.photos import erase_photo, is_kept, photo
from puntobanco.house.access.rights import MANAGEMENT
from puntobanco.house.floor.incidents import Incident, IncidentLog
from puntobanco.house.intents import NoteIncident
from puntobanco.house.may import GIVEN, why_not
from puntobanco.register.pictures import MOST_BYTES, bare, media_type
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import RowNumber, TableName
from puntobanco.server.commands.faults import FaultyFormError, ToPutRight
from puntobanco.server.commands.form_cycle import or_again
from puntobanco.server.commands.offered import in_words
from puntobanco.server.commands.typed import wrong
from puntobanco.server.errors import as_refused, http_status
from puntobanco.server.pages.office.report_sheet import told_day
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.sight import overseen, sees_floor
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.authority import name_of
from puntobanco.table.view import view
from puntobanco.words import name_order
from puntobanco.words.commands import INCIDENTS, MISSING

MOST_SENT = MOST_BYTES * 3
"""Bytes of a request that brings a photo: one that was sent before comes in base64, a third more,
and another beside it.
"""
MOST_LISTED = 200
AT_FIELD = {Reason.PHOTO_UNFIT: "photo", Reason.NO_SUCH_COUP: "coup"}
"""Where a refusal stands, if not above the form."""
COUP = re.compile("[1-9][0-9]{0,8}")
Chosen = Annotated[str, QueryParameter(max_length=80)]


class IncidentsShown(Struct, frozen=True):
    """Some incidents, and what they can be chosen by."""

    found: list[Incident]
    all: int
    tables: list[str]
    days: list[str]
    kinds: list[str]


def log_of(visit: Visit) -> IncidentLog:
    log: IncidentLog = visit.kept.incidents
    return log


def shown_incidents(visit: Visit, table: str, day: str, kind: str) -> IncidentsShown:
    """The incidents of the tables that the reader oversees; the newest first."""
    every = log_of(visit).all(overseen(visit))
    wanted = [
        one
        for one in every
        if table in ("", one.table) and day in ("", one.gaming_day) and kind in ("", one.kind)
    ]
    return IncidentsShown(
        wanted[:MOST_LISTED],
        len(wanted),
        sorted({one.table for one in every}, key=name_order),
        list(dict.fromkeys(one.gaming_day for one in every)),
        sorted({one.kind for one in every}),
    )


@get("/floor/incidents", include_in_schema=False)
@in_reader
def incidents_page(
    visit: TheVisit, table: Chosen = "", day: Chosen = "", kind: Chosen = ""
) -> Response[str]:
    shown = shown_incidents(visit, table, day, kind)
    return visit.show(
        "pages/floor/incidents.html",
        shown=shown,
        chosen={"table": table, "day": day, "kind": kind},
        kinds=INCIDENTS,
        day_called=day_called,
        kept=lambda digest: is_kept(visit.house.log, digest),
        name_of=visit.kept.live_pages.name_of,
        tables=[name for name in sorted(overseen(visit), key=name_order) if may_note(visit, name)],
    )


def day_called(day: str) -> str:
    """A gaming day as people say it, or as whoever opened the table named it.

    >>> day_called("2026-11-18"), day_called("the second night")
    ('18 November 2026', 'the second night')
    """
    try:
        return told_day(day)
    except ValueError:
        return day


def may_note(visit: Visit, table: str) -> bool:
    """Whether the reader can put an incident of this table on record now."""
    noting = name_of(c.RecordIncident)
    return why_not(visit.table(table).state, noting, visit.actor(table)) is None


def incident_at(visit: Visit, table: str, row: int) -> Incident:
    """An incident of a table that the reader oversees."""
    if visit.table(table).name not in overseen(visit):
        raise Refused(Reason.NO_SUCH_INCIDENT, CONDITIONS)
    return log_of(visit).get(table, row)


@get("/floor/incidents/{table:str}/{row:int}", sync_to_thread=False, include_in_schema=False)
def incident_page(visit: TheVisit, table: TableName, row: RowNumber) -> Response[str]:
    one = incident_at(visit, table, row)
    alike = [
        other
        for other in log_of(visit).all(overseen(visit))
        if other.kind == one.kind and (other.table, other.row) != (table, row)
    ]
    return visit.show(
        "pages/floor/incident.html",
        one=one,
        alike=alike[:5],
        kinds=INCIDENTS,
        day_called=day_called,
        kept=is_kept(visit.house.log, one.photo),
        may_erase=bool(visit.roles & MANAGEMENT),
        may_note=may_note(visit, table),
        name_of=visit.kept.live_pages.name_of,
    )


@get("/floor/incidents/{table:str}/{row:int}/photo", sync_to_thread=False, include_in_schema=False)
def photo_page(visit: TheVisit, table: TableName, row: RowNumber) -> Response[bytes]:
    """The photo itself, for those who oversee the table; nobody keeps it."""
    kept = photo(visit.house.log, incident_at(visit, table, row).photo)
    return Response(kept.picture, media_type=kept.kind, headers={"Cache-Control": "no-store"})


async def erase(visit: Visit, table: str, row: int) -> None:
    """Erase a photo: for management, and on record."""
    by = visit.check(MANAGEMENT, "erase-photo")
    one = incident_at(visit, table, row)
    await erase_photo(visit.house, table, row, one.photo, by.person)


@post("/floor/incidents/{table:str}/{row:int}/erase", include_in_schema=False)
async def erase_from_page(visit: TheVisit, table: TableName, row: RowNumber) -> Response[Any]:
    await erase(visit, table, row)
    return Redirect(f"/floor/incidents/{table}/{row}", status_code=303)


# one more


@get("/tables/{table:str}/note", sync_to_thread=False, include_in_schema=False)
def note_page(visit: TheVisit, table: TableName) -> Response[str]:
    """The form of an incident: what kind, in one's own words, a photo."""
    asked = {name: visit.query(name)[:80] for name in ("kind", "coup")}
    return _form(visit, table, {name: text for name, text in asked.items() if text})


def _form(
    visit: Visit, table: str, typed: dict[str, str], problem: Exception | None = None
) -> Response[str]:
    visit.check_staff(table)
    stream = visit.table(table)
    seen = view(stream.state, visit.viewer(stream))
    known = stream.state.terms.rules.people.incidents if seen.sign else {}  # on duty or not
    numbers = [seen.play.number] if seen.play else [one.number for one in seen.past[-1:]]
    shown = visit.show(
        "pages/floor/note.html",
        wrong=_wrong(problem, visit.house.register.state.currency),
        table=table,
        kinds={kind: INCIDENTS.get(kind, kind) for kind in known},
        clauses=known,
        typed={"coup": "".join(map(str, numbers)), "note": "", "kind": "", **typed},
        seated=seen.floor.people if seen.floor else {},
        name_of=visit.kept.live_pages.name_of,
        most_kb=MOST_BYTES // 1000,
        kept=_kept_photo(typed.get("photo", "")),
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


def _kept_photo(sent: str) -> str:
    """The address of a photo that was sent with a form that comes back; empty if it is none. No
    browser fills it in again, and nobody would notice that it is gone.
    """
    try:
        picture = bare(b64decode(sent, validate=True))
    except ValueError:
        return ""
    return f"data:{media_type(picture)};base64,{b64encode(picture).decode()}" if picture else ""


def _wrong(problem: Exception | None, currency: str) -> dict[str, str]:
    """What is to be put right, by field."""
    if problem is None:
        return {}
    if isinstance(problem, FaultyFormError):
        return {one.path: one.says for one in problem.found}
    refused = as_refused(problem)
    return {AT_FIELD.get(refused.reason, ""): in_words(refused, currency)}


@post("/tables/{table:str}/note", include_in_schema=False, request_max_body_size=MOST_SENT)
async def note_from_page(visit: TheVisit, table: TableName) -> Response[Any]:
    """Put it on record, with the photo if there is one; what was typed stays if it is refused."""
    noting = name_of(c.RecordIncident)
    visit.check(GIVEN[noting].roles, noting, table)
    data = await visit.request.form()
    form = await visit.form()
    given, before = visit.command_id(form), form.pop("kept", "").rpartition(",")[2]
    sent = form.pop("photo", "") or before
    people = [str(one) for one in data.getall("people", [])]

    async def work() -> Response[Any]:
        done = await visit.give(table, incident_of(form, people, sent), given)
        if not visit.wants_page:
            return Response(done, status_code=200)
        seen = visit.person and sees_floor(visit)
        where = f"/floor/incidents/{table}/{done.seq}" if seen else f"/tables/{table}/dealer"
        return Redirect(where, status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _form(visit, table, {**typed, "people": ",".join(people), "photo": sent}, problem)

    return await or_again(visit, form, work(), again)


def incident_of(form: dict[str, str], people: list[str], sent: str) -> Any:
    """What was typed, as the command or intent that it is; a photo in base64."""
    coup = form.get("coup", "").strip()
    found = [] if form.get("kind") else [ToPutRight(MISSING["choice"], "kind")]
    if coup and not COUP.fullmatch(coup):
        found.append(ToPutRight(str(wrong("number", coup)), "coup"))
    if found:
        raise FaultyFormError(tuple(found))
    facts: dict[str, object] = {"kind": form.get("kind", ""), "people": people}
    facts["note"] = form.get("note", "").strip().replace("\r\n", "\n")
    if coup:
        facts["coup"] = coup
    if sent:
        return msgspec.convert({**facts, "photo": sent}, NoteIncident, strict=False)
    return msgspec.convert(facts, c.RecordIncident, strict=False)


HANDLERS = (
    *(incidents_page, incident_page, photo_page, erase_from_page),
    *(note_page, note_from_page),
)
