"""A cashier's drawer: the float it is opened with, the count at the shift's end, its sheet."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.cage import commands as c
from puntobanco.cage.authority import CASHIER
from puntobanco.cage.view import KEEPERS
from puntobanco.errors import Refused
from puntobanco.house.access.rights import MANAGEMENT
from puntobanco.house.till.cash import notes_and_coins
from puntobanco.house.till.papers import shift_shown
from puntobanco.server.addresses import RowNumber
from puntobanco.server.pages.cage.chips import again, count_faults, house_chips, told
from puntobanco.server.pages.cage.counts import count_fields, piles_of, uncounted
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit


def _form(visit: Visit, typed: dict[str, str], problems: dict[str, str]) -> Response[str]:
    """The float of a drawer that is not open, or the count of one that is."""
    by, house = visit.check(KEEPERS, "cage"), visit.house
    person = typed.get("person") or by.person
    others = {who: drawer for who, drawer in house.cage.state.drawers.items() if who != by.person}
    currency = house.register.state.settings.look.currency
    return again(
        visit,
        "pages/cage/drawer.html",
        problems,
        cash=count_fields("cash", notes_and_coins(currency), typed),
        chips=count_fields("chips", house_chips(visit), typed),
        drawer=house.cage.state.drawers.get(person),
        whose=person,
        own=person == by.person,
        may=bool(by.roles & (CASHIER if person == by.person else MANAGEMENT)),
        others=others,
        shifts=[shift_shown(one) for one in book_of(visit).shifts()],
        manages=bool(by.roles & MANAGEMENT),
        note=typed.get("note", ""),
    )


@get("/house/cage/drawer", sync_to_thread=False, include_in_schema=False)
def drawer_page(visit: TheVisit) -> Response[str]:
    """One's own drawer; management counts another's."""
    return _form(visit, {"person": visit.query("person")[:64]}, {})


@post("/house/cage/drawer", include_in_schema=False)
async def drawer_counted(visit: TheVisit) -> Response[Any]:
    """Open it with its float, or close it with its count."""
    form = await visit.form()
    given, typed = visit.command_id(form), {name: text[:1000] for name, text in form.items()}
    by, person = visit.check(KEEPERS, "cage"), form.get("person", "")
    currency = visit.house.register.state.settings.look.currency
    cash = count_fields("cash", notes_and_coins(currency), typed)
    chips = count_fields("chips", house_chips(visit), typed)
    problems = {**count_faults(cash), **count_faults(chips)}
    if uncounted(cash, chips):
        problems["cash"] = say("count.none")
    if problems:
        return _form(visit, typed, problems)
    counted = piles_of(cash), piles_of(chips)
    closes = form.get("do") == "close"
    whose = "" if person == by.person else person[:64]
    ask: c.OpenDrawer | c.CloseDrawer = (
        c.CloseDrawer(*counted, whose, typed.get("note", "")) if closes else c.OpenDrawer(*counted)
    )
    try:
        done = await visit.give("cage", ask, given)
    except Refused as error:
        return _form(visit, typed, {"cash": told(visit, error)})
    to = f"/house/cage/drawers/{done.seq}" if closes else "/house/cage"
    return Redirect(to, status_code=303)


@get("/house/cage/drawers/{row:int}", sync_to_thread=False, include_in_schema=False)
def sheet(visit: TheVisit, row: RowNumber) -> Response[str]:
    """What was counted beside what had to be there, to print and to sign."""
    by = visit.check(KEEPERS, "cage")
    shown = shift_shown(book_of(visit).shift(row))
    own = shown.shift.closed.person == by.person
    return visit.show("pages/cage/sheet.html", shown=shown, own=own)


HANDLERS = (drawer_page, drawer_counted, sheet)
