"""Who may do what, for whoever looks through it and signs for it."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.lookback.significant import Finding
from puntobanco.house.spreadsheet import csv_table
from puntobanco.house.trust.access import (
    COLUMNS,
    AccessBooks,
    AccessShown,
    access,
    lines_of,
    review_access,
)
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.commands.faults import FaultyFormError, ToPutRight, faults_in
from puntobanco.server.commands.form_cycle import or_again
from puntobanco.server.errors import http_status
from puntobanco.server.pages.office.person import people_book
from puntobanco.server.reader_threads import in_reader, read
from puntobanco.server.rendering import moment
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words.commands import MISSING


def access_books(visit: Visit) -> AccessBooks:
    return AccessBooks(people_book(visit), visit.kept.last_acts)


def access_shown(visit: Visit) -> AccessShown:
    return access(visit.house, access_books(visit), visit.check(OVERSEES, "access"))


@get("/house/access", include_in_schema=False)
@in_reader
def access_page(visit: TheVisit) -> Response[str]:
    """Everybody who works here with what they may do, leavers, devices, and the last reviews."""
    return _show(visit, access_shown(visit))


def _show(
    visit: Visit, shown: AccessShown, note: str = "", problem: Exception | None = None
) -> Response[str]:
    currency = visit.house.register.state.currency
    wrong = (
        "; ".join(one.says for one in faults_in(visit.told(problem), (), currency))
        if problem
        else ""
    )
    context = {"shown": shown, "now_ms": visit.house.time.now_ms(), "note": note, "wrong": wrong}
    page = visit.show("pages/trust/access.html", **context)
    page.status_code = http_status(problem) if problem else 200
    return page


@post("/house/access", include_in_schema=False)
async def sign_for_access(visit: TheVisit) -> Response[Any]:
    """Put on record that the reader has looked through it."""
    form, by = await visit.form(), visit.check(OVERSEES, "access")
    books = access_books(visit)

    async def sign() -> Response[Any]:
        row = form.get("row", "")
        if not row.isdecimal() or len(row) > 15:
            raise Refused(Reason.NOT_AS_SHOWN, CONDITIONS)
        if not form.get("note", "").strip():
            raise FaultyFormError((ToPutRight(MISSING["text"], "note"),))
        note = msgspec.convert(form.get("note", "").strip(), Finding)
        await review_access(visit.house, books, by, int(row), note)
        return Redirect("/house/access", status_code=303)

    shown = await read(lambda: access(visit.house, books, by))

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _show(visit, shown, typed.get("note", ""), problem)

    return await or_again(visit, form, sign(), again)


@get("/house/access/csv", include_in_schema=False)
@in_reader
def access_csv(visit: TheVisit) -> Response[bytes]:
    """The same as a table: a line for each role of each person, and for each device."""
    lines = lines_of(access_shown(visit), lambda at_ms: moment(at_ms) if at_ms else "")
    headers = {
        "Content-Disposition": 'attachment; filename="access.csv"',
        "Cache-Control": "no-store",
    }
    return Response(csv_table(COLUMNS, lines).encode(), media_type="text/csv", headers=headers)


HANDLERS = (access_page, sign_for_access, access_csv)
