"""The pages of one table, and the plain forms by which commands are given from them."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.response import Redirect
from msgspec import Meta

from puntobanco.errors import Reason, Refused
from puntobanco.rules.notation import parse_wager
from puntobanco.rules.ruleset import CONDITIONS, Bet
from puntobanco.server.api import HOUSE_ONLY, TableName
from puntobanco.server.faults import wants_page
from puntobanco.server.office import Done, Office, Short, TheCaller, TheOffice
from puntobanco.server.pages import REGIONS
from puntobanco.server.signin import Caller
from puntobanco.table import commands as c
from puntobanco.table.actor import STAFF
from puntobanco.table.session import COMMANDS

FORM_ID = "command_id"
FormId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"\A[A-Za-z0-9_.-]+\Z")]
CHIPS: dict[str, type[c.BuyIn] | type[c.CashOut]] = {"buy": c.BuyIn, "cash": c.CashOut}


def check_staff(office: Office, caller: Caller, table: str) -> None:
    """Only staff of this table open the pages of staff."""
    if not office.actor(caller, table).roles & STAFF:
        raise Refused(
            Reason.NOT_YOUR_ROLE, CONDITIONS, command="console", allowed=", ".join(sorted(STAFF))
        )


@get("/tables/{table:str}", sync_to_thread=False, include_in_schema=False)
def player_page(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[str]:
    return _live_page(request, office, caller, table, "player")


@get("/tables/{table:str}/dealer", sync_to_thread=False, include_in_schema=False)
def dealer_page(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[str]:
    check_staff(office, caller, table)
    return _live_page(request, office, caller, table, "dealer")


@get("/tables/{table:str}/display", sync_to_thread=False, include_in_schema=False)
def display_page(
    request: Request[Any, Any, State], table: TableName, office: TheOffice
) -> Response[str]:
    return _live_page(request, office, Caller(), table, "display")


def _live_page(
    request: Request[Any, Any, State], office: Office, caller: Caller, name: str, page: str
) -> Response[str]:
    stream = office.table(name)
    viewer = office.viewer(caller, stream)
    pages = request.app.state.pages
    html = pages.render(
        f"{page}.html",
        regions=pages.regions(page, stream, viewer),
        names=REGIONS[page],
        table=name,
        page=page,
        person=caller.person,
        staff=bool(viewer.roles & STAFF),
        ruleset=stream.state.notice.ruleset if stream.state.notice else "",
    )
    return Response(html, media_type="text/html", headers={"Cache-Control": "no-store"})


# commands from forms


async def _form(request: Request[Any, Any, State]) -> dict[str, str]:
    form = await request.form()
    return {key: str(value) for key, value in form.items()}


def _answer(request: Request[Any, Any, State], table: str, page: str, done: Done) -> Response[Any]:
    """Back to the page; a script gets data, for its page is live."""
    if not wants_page(request):
        return Response(done)
    where = f"/tables/{table}" + ("/dealer" if page == "dealer" else "")
    return Redirect(where, status_code=303)


def _command_id(form: dict[str, str], office: Office) -> str:
    """From the script that sends the form, so that sending it twice does nothing twice."""
    given = form.pop(FORM_ID, "") or office.house.own_id("plain-form")
    return msgspec.convert(given, FormId)


@post("/tables/{table:str}/do/{name:str}", include_in_schema=False)
async def give(
    request: Request[Any, Any, State],
    table: TableName,
    name: Short,
    office: TheOffice,
    caller: TheCaller,
) -> Response[Any]:
    """Any command at a table, from a plain form."""
    form = await _form(request)
    page, command_id = form.pop("page", ""), _command_id(form, office)
    if name == "deal":
        return _answer(request, table, page, await office.deal(caller, table, command_id))
    if name == "shuffle-house":
        return _answer(request, table, page, await office.shuffle(caller, table, command_id))
    kind = COMMANDS.get(name)
    if kind is None or kind in HOUSE_ONLY:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    facts = {key: value for key, value in form.items() if value}
    ask = msgspec.convert({**facts, "do": name}, c.TableCommand, strict=False)
    return _answer(request, table, page, await office.at_table(caller, table, ask, command_id))


@post("/tables/{table:str}/bet", include_in_schema=False)
async def bet(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[Any]:
    """A chip on an option: a new wager, or more on the one that lies there."""
    form = await _form(request)
    command_id = _command_id(form, office)
    state = office.table(table).state
    place = state.places.get(caller.person)
    if place is None:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=caller.person or "nobody")
    on = msgspec.convert(form.get("on", ""), Bet)
    cents = msgspec.convert(form.get("cents", ""), c.Cents, strict=False)
    wagers = state.coup.wagers if state.coup else ()
    lies = next((one for one in wagers if one.by == caller.person and one.on == on), None)
    ask: c.TableCommand = c.PlaceWager(place.box, on, cents)
    if lies is not None:
        ask = c.ChangeWager(place.box, on, lies.cents + cents)
    ask = msgspec.convert(msgspec.to_builtins(ask), c.TableCommand)
    return _answer(request, table, "", await office.at_table(caller, table, ask, command_id))


@post("/tables/{table:str}/chips/{way:str}", include_in_schema=False)
async def chips(
    request: Request[Any, Any, State],
    table: TableName,
    way: Short,
    office: TheOffice,
    caller: TheCaller,
) -> Response[Any]:
    """Chips bought with the money in one's account, or cashed."""
    form = await _form(request)
    command_id = _command_id(form, office)
    if way not in CHIPS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    facts = {"cents": form.get("cents", ""), "person": caller.person}
    ask: c.BuyIn | c.CashOut = msgspec.convert(facts, CHIPS[way], strict=False)
    return _answer(request, table, "", await office.chips(caller, table, ask, command_id))


@post("/tables/{table:str}/box", include_in_schema=False)
async def box_wager(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[Any]:
    """A wager the dealer finds on the layout, in the notation: `3 b 500`."""
    form = await _form(request)
    command_id = _command_id(form, office)
    wager = parse_wager(form.get("wager", ""))
    person = wager.by or office.table(table).state.seated.get(wager.box, "")
    if not person:
        raise Refused(Reason.NOBODY_SEATED, CONDITIONS, box=wager.box)
    facts = msgspec.to_builtins(c.PlaceWager(wager.box, wager.on, wager.cents, person))
    ask = msgspec.convert(facts, c.PlaceWager)
    return _answer(request, table, "dealer", await office.at_table(caller, table, ask, command_id))


HANDLERS = (player_page, dealer_page, display_page, give, bet, chips, box_wager)
