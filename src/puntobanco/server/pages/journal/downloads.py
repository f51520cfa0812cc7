"""Files to take away: a table's export, which verifies by itself, and the significant events."""

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from itertools import islice
from typing import Annotated

import msgspec
from litestar import Response, get
from litestar.params import PathParameter
from litestar.response import Stream

from puntobanco.errors import Reason, Refused
from puntobanco.house.lookback.dossier import Dossier, dossier
from puntobanco.house.lookback.export import export
from puntobanco.house.lookback.significant import Noted, significant
from puntobanco.house.spreadsheet import csv_table
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import TableName
from puntobanco.server.reader_threads import in_reader, read
from puntobanco.server.rendering import moment
from puntobanco.server.visit import TheVisit, Visit

LINES = 500
"""Lines of an export that are read and sent at a time."""
FILE = "application/octet-stream"
"""Kept as it is: no reader makes anything else of its lines."""
Form = Annotated[str, PathParameter(max_length=8)]
DisputeNumber = Annotated[int, PathParameter(ge=1, le=2**53)]


def _attached(name: str) -> dict[str, str]:
    return {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }


def _chunk(lines: Iterator[bytes]) -> bytes:
    return b"".join(islice(lines, LINES))


async def _chunks(first: bytes, lines: Iterator[bytes]) -> AsyncIterator[bytes]:
    chunk = first
    while chunk:
        yield chunk
        chunk = await read(partial(_chunk, lines))


async def table_export(visit: TheVisit, table: TableName) -> Stream:
    """The same file that `puntobanco export` writes.

    Its first lines are read before it begins: what cannot be exported is refused, not cut off.
    """
    visit.check_oversees("export")
    name = visit.table(table).name
    lines = export(visit.house.log, name)
    first = await read(partial(_chunk, lines))
    return Stream(
        _chunks(first, lines),
        media_type=FILE,
        headers=_attached(f"{name}.jsonl"),
    )


exported = get("/tables/{table:str}/export", include_in_schema=False)(table_export)


@get("/house/events/{form:str}", include_in_schema=False)
@in_reader
def events_file(visit: TheVisit, form: Form) -> Response[bytes]:
    """Significant events as a table (csv) or as data (json)."""
    visit.check_oversees("events")
    if form not in FORMS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    media_type, write = FORMS[form]
    body = write(significant(visit.house))
    return Response(body, media_type=media_type, headers=_attached(f"significant-events.{form}"))


def _csv(events: list[Noted]) -> bytes:
    head = ("time", "at_ms", "stream", "row", "actor", "says", "clauses")
    reviewed = ("reviewed_by", "reviewed", "note")
    rows = (
        (
            *(moment(one.at_ms), one.at_ms, one.stream, one.seq, one.actor, one.says, _cited(one)),
            *_reviewed(one),
        )
        for one in events
    )
    return csv_table((*head, *reviewed), rows).encode()


def _cited(event: Noted) -> str:
    return " ".join(event.clauses)


def _reviewed(event: Noted) -> tuple[str, str, str]:
    done = event.reviewed
    return (done.by, moment(done.at_ms), done.note) if done else ("", "", "")


def dossier_of(visit: Visit, table: str, dispute: int) -> Dossier:
    """A dispute with all that belongs to it: for those who watch over the table."""
    name = visit.table(table).name
    visit.check_watches_over(name)
    return dossier(visit.house, visit.kept.replays, name, dispute)


@get("/tables/{table:str}/disputes/{dispute:int}/file", include_in_schema=False)
@in_reader
def dossier_file(visit: TheVisit, table: TableName, dispute: DisputeNumber) -> Response[bytes]:
    """One file for whoever reviews it [act-2015:14.4]."""
    body = msgspec.json.format(msgspec.json.encode(dossier_of(visit, table, dispute)), indent=1)
    name = f"{table}-dispute-{dispute}.json"
    return Response(body, media_type=FILE, headers=_attached(name))


FORMS: dict[str, tuple[str, Callable[[list[Noted]], bytes]]] = {
    "csv": ("text/csv", _csv),
    "json": ("application/json", msgspec.json.encode),
}
HANDLERS = (exported, events_file, dossier_file)
