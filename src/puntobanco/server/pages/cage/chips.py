"""Fills and credits with their chips by denomination, and the trays of the tables."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.cage import commands as c
from puntobanco.cage.authority import CHARGE
from puntobanco.cage.view import view
from puntobanco.errors import Refused
from puntobanco.house.access.rights import AT_CAGE, MANAGEMENT
from puntobanco.house.till.papers import slip_shown
from puntobanco.house.till.trays import expected_trays
from puntobanco.house.till.versions import chips_version
from puntobanco.server.addresses import RowNumber, TableName
from puntobanco.server.commands.counters import COUNTERS
from puntobanco.server.commands.faults import faults_in
from puntobanco.server.errors import http_status
from puntobanco.server.pages.cage.counts import CountField, count_fields, piles_of, uncounted
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words import capitalised

A_CENT = 1
"""The smallest chip of a notice that names none."""


def chips_context(visit: Visit) -> dict[str, Any]:
    """Slips and trays as this reader may see them: the page and its live regions have it alike."""
    by = visit.check(AT_CAGE, "cage")
    return {
        "seen": view(visit.house.cage.state, by.person, by.roles),
        "expected": expected_trays(visit.house, by),
        "asks": bool(by.roles & CHARGE),
        "manages": bool(by.roles & MANAGEMENT),
        "since": chips_version(visit.house),
    }


@get("/house/cage/chips", sync_to_thread=False, include_in_schema=False)
def chips_page(visit: TheVisit) -> Response[str]:
    """What waits to be done, and what every tray must have."""
    return visit.show("pages/cage/chips.html", **chips_context(visit))


def house_chips(visit: Visit) -> list[int]:
    """The house's chips, the largest first, and the smallest that hangs at a table with a tray:
    payouts are made in it, so it lies in trays whether the house has drawn it or not.
    """
    own = {chip.cents for chip in visit.house.register.state.settings.chips}
    trays = visit.house.cage.state.trays
    hangs = {
        one.notice.chip_cents
        for one in visit.house.listed()
        if one.notice is not None and one.table in trays
    }
    return sorted(own | (hangs - {A_CENT}), reverse=True)


def again(visit: Visit, template: str, problems: dict[str, str], **context: Any) -> Response[str]:
    """A form; with all that is wrong with it, if anything is."""
    shown = visit.show(template, problems=problems, **context)
    shown.status_code = 409 if problems else 200
    return shown


def count_faults(fields: list[CountField]) -> dict[str, str]:
    return {one.name: one.problem for one in fields if one.problem}


def told(visit: Visit, error: Refused) -> str:
    """A refusal as one says it beside a field."""
    happened, remedy = visit.words_of(error)
    return f"{capitalised(happened)}. {remedy}"


def _ask_form(visit: Visit, typed: dict[str, str], problems: dict[str, str]) -> Response[str]:
    visit.check(CHARGE, "request-slip")
    return again(
        visit,
        "pages/cage/ask.html",
        problems,
        fields=count_fields("chips", house_chips(visit), typed),
        tables=sorted(visit.house.cage.state.trays),
        typed=typed,
    )


@get("/house/cage/slips/new", sync_to_thread=False, include_in_schema=False)
def ask_form(visit: TheVisit) -> Response[str]:
    """A fill or credit, by its chips."""
    typed = {name: visit.query(name)[:64] for name in ("kind", "table")}
    return _ask_form(visit, typed, {})


@post("/house/cage/slips/new", include_in_schema=False)
async def ask_for_slip(visit: TheVisit) -> Response[Any]:
    """Ask for it; then its paper is shown."""
    form = await visit.form()
    given, typed = visit.command_id(form), {name: text[:64] for name, text in form.items()}
    fields = count_fields("chips", house_chips(visit), typed)
    problems = count_faults(fields)
    if typed.get("kind") not in ("fill", "credit"):
        problems["kind"] = say("chips.kind.none")
    if typed.get("table") not in visit.house.cage.state.trays:
        problems["table"] = say("chips.table.none")
    chips = () if count_faults(fields) else piles_of(fields)
    if not chips and not count_faults(fields):
        problems["chips"] = say("count.nothing")
    if problems:
        return _ask_form(visit, typed, problems)
    kind: c.Kind = "fill" if typed["kind"] == "fill" else "credit"
    slip = c.RequestSlip(kind, typed["table"], c.worth_cents(chips), chips)
    try:
        await visit.give("cage", slip, given)
    except Refused as error:
        return _ask_form(visit, typed, {"chips": told(visit, error)})
    return Redirect("/house/cage/chips", status_code=303)


@get("/house/cage/slips/{number:int}", sync_to_thread=False, include_in_schema=False)
def slip_page(visit: TheVisit, number: RowNumber) -> Response[str]:
    """The paper of a slip, and what can be done with it."""
    return _slip(visit, number)


def slip_again(
    visit: Visit, number: int, typed: dict[str, str], problem: Exception
) -> Response[str]:
    """The paper again, with what was typed, and beside it why the slip was not voided."""
    found = faults_in(visit.told(problem), (), visit.house.register.state.currency)
    shown = _slip(visit, number, " ".join(one.says for one in found), typed.get("note", ""))
    shown.status_code = http_status(problem)
    return shown


def _slip(visit: Visit, number: int, wrong: str = "", note: str = "") -> Response[str]:
    by = visit.actor()
    slip, counter = slip_shown(book_of(visit), by, number), COUNTERS["cage"]

    def can(name: str) -> bool:
        return counter.why_not(visit.house, name, by, {"number": number}) is None

    return visit.show("pages/cage/slip.html", slip=slip, can=can, wrong=wrong, note=note)


def _tray_form(
    visit: Visit, table: str, typed: dict[str, str], problems: dict[str, str]
) -> Response[str]:
    visit.check(CHARGE, "count-tray")
    fields = count_fields("chips", house_chips(visit), typed)
    return again(visit, "pages/cage/tray.html", problems, fields=fields, table=table)


@get("/house/cage/trays/{table:str}", sync_to_thread=False, include_in_schema=False)
def tray_form(visit: TheVisit, table: TableName) -> Response[str]:
    """A tray to be counted."""
    visit.table(table)
    return _tray_form(visit, table, {}, {})


@post("/house/cage/trays/{table:str}", include_in_schema=False)
async def tray_counted(visit: TheVisit, table: TableName) -> Response[Any]:
    """What was counted, held against what must be there."""
    form = await visit.form()
    given, typed = visit.command_id(form), {name: text[:64] for name, text in form.items()}
    fields = count_fields("chips", house_chips(visit), typed)
    problems = count_faults(fields)
    if uncounted(fields):
        problems["chips"] = say("count.none")
    if problems:
        return _tray_form(visit, table, typed, problems)
    chips = piles_of(fields)
    try:
        counted = c.CountTray(table, c.worth_cents(chips), chips=chips)
        await visit.give("cage", counted, given)
    except Refused as error:
        return _tray_form(visit, table, typed, {"chips": told(visit, error)})
    return Redirect("/house/cage/chips", status_code=303)


HANDLERS = (chips_page, ask_form, ask_for_slip, slip_page, tray_form, tray_counted)
