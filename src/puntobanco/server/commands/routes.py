"""Commands given from pages: a form for each, a preview, and the list under "What happened?"."""

from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.sign_in import GUESTS
from puntobanco.house.intents import BetMore, BuyChips, CashChips, Turn
from puntobanco.house.may import GIVEN, INTENTS
from puntobanco.house.till.time_zone import house_ahead
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import Short, TableName
from puntobanco.server.commands import api
from puntobanco.server.commands.form_cycle import Sheet, by_path, command_of, or_again, show_form
from puntobanco.server.commands.happened import as_happened, as_told, what_happened
from puntobanco.server.commands.offered import acts, grouped
from puntobanco.server.commands.prefill import filled, newest_coup, rules_named
from puntobanco.server.commands.preview import approvers_here, foreseen_at
from puntobanco.server.commands.typed import wager_typed
from puntobanco.server.gateway import Done
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.authority import Form, check_open, check_theirs, name_of
from puntobanco.table.next_step import next_step
from puntobanco.table.session import COMMANDS
from puntobanco.table.view import view
from puntobanco.words import Step
from puntobanco.words.commands import COMMANDS as WORDS
from puntobanco.words.commands import LAST_COUP, OWN

BACK = {"dealer": "/dealer", "pit": "/pit"}
"""Where a page's commands lead back to."""
PRESSED = {
    name_of(kind): kind() for kind, allowed in INTENTS.items() if allowed.form is Form.NOTHING
}
"""What the house does with a shoe of its own: there is nothing to be typed."""
CHIPS: dict[str, type[BuyChips] | type[CashChips]] = {"buy": BuyChips, "cash": CashChips}


# pages


@get("/tables/{table:str}/do", sync_to_thread=False, include_in_schema=False)
def all_acts(visit: TheVisit, table: TableName) -> Response[str]:
    """Everything one may do here now."""
    stream = visit.table(table)
    names = acts(stream.state, visit.actor(table))
    groups = list(grouped(names))
    page = visit.query("page")[:10]
    return visit.show("commands/all.html", table=table, groups=groups, page=page)


@get("/tables/{table:str}/do/{name:str}", sync_to_thread=False, include_in_schema=False)
def act_form(visit: TheVisit, table: TableName, name: Short) -> Response[Any]:
    """The form of one command, filled in as far as anything is known."""
    if name == name_of(c.PostChange):
        return Redirect(f"/tables/{visit.table(table).name}/limits", status_code=303)
    asked = {key: str(value)[:200] for key, value in visit.request.query_params.items()}
    if name == name_of(c.Approve):
        waiting = visit.table(table).state.proposals
        asked.setdefault("proposal", str(next(iter(waiting), "")))
        if asked["proposal"].isdecimal():
            return Redirect(_proposal(visit.table(table).name, asked), status_code=303)
    return _form(visit, table, name, asked)


def _proposal(table: str, asked: dict[str, str]) -> str:
    """A proposal is approved where all that follows from it is shown, and nowhere else."""
    page = urlencode({"page": asked.get("page", "")})
    return f"/tables/{table}/proposals/{int(asked['proposal'])}?{page}"


def _form(
    visit: Visit, table: str, name: str, asked: dict[str, str], problem: Exception | None = None
) -> Response[str]:
    """The form; again, with what was typed, if it was refused: also where somebody else has moved
    the table on meanwhile.
    """
    stream, kind = visit.table(table), _kind(name)
    by = visit.actor(table)
    check = check_theirs if problem else check_open
    check(stream.state, kind, by)
    page, happened = asked.pop("page", "")[:10], asked.pop("happened", "")
    last = newest_coup(stream.state)
    if asked.get("coup") == LAST_COUP:
        asked["coup"] = last
    said, fixed = as_happened(name, asked, last)
    return show_form(
        visit,
        "commands/form.html",
        problem,
        filled(visit, stream, kind, by, asked),
        fixed,
        table=table,
        name=name,
        page=page,
        happened=happened,
        said=said,
        confirmed=GIVEN[name].final or bool(happened),
        second=approvers_here(stream.state, kind),
        words=WORDS if page in BACK else {**WORDS, **OWN},
    )


def _sheet(visit: Visit, table: str, name: str, form: dict[str, str]) -> Sheet:
    """The form as this person was handed it."""
    stream = visit.table(table)
    state = stream.state
    fields = filled(visit, stream, _kind(name), visit.actor(table), by_path(form))
    ruleset = form.get("notice.ruleset", "")
    rules = state.terms.rules if state.notice else rules_named(ruleset)
    return Sheet(fields, state.utc_minutes if state.opened else house_ahead(visit.house), rules)


def _kind(name: str) -> type[c.Command]:
    kind = COMMANDS.get(name)
    if kind is None or name not in GIVEN:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return kind


# commands from forms


def _answer(visit: Visit, table: str, page: str, done: Done) -> Response[Any]:
    """Back to the page; a script gets data, for its page is live."""
    if not visit.wants_page:
        return Response(done, status_code=200)
    return Redirect(f"/tables/{table}{BACK.get(page, '')}", status_code=303)


SHOWN_CARD = {"burn-cards": "exposed"}
"""What a command calls the card that was keyed, if not simply the card."""


def _read_card(name: str, form: dict[str, str]) -> None:
    """The card as it was keyed, or touched on the pad, under the command's own name for it."""
    typed, touched = form.pop("card", ""), form.pop("touched", "")
    if card := touched or typed:
        form[f"{SHOWN_CARD.get(name, 'card')}@card"] = card


@post("/tables/{table:str}/do/{name:str}", include_in_schema=False, opt=GUESTS)
async def give_from_form(visit: TheVisit, table: TableName, name: Short) -> Response[Any]:
    """Any command at a table, from a form; or what it would bring about."""
    if name not in GIVEN:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    visit.check(GIVEN[name].roles, name, table)
    form = await visit.form()
    given = visit.command_id(form)
    page, shown = form.pop("page", ""), form.pop("shown", "")
    preview_wanted, happened = form.pop("preview", ""), form.pop("happened", "")
    instead, dealt = form.pop("instead", ""), form.pop("dealt", "")
    _read_card(name, form)
    if name in PRESSED:
        done = await visit.give(table, PRESSED[name], given, dealt=dealt)
        return _answer(visit, table, page, done)
    _kind(name)

    async def work() -> Response[Any]:
        ask, fixed = command_of(visit, form, name, c.TableCommand, _sheet(visit, table, name, form))
        if preview_wanted:
            foreseen = await foreseen_at(visit, table, ask, visit.kept.pages.when)
            told = as_told(visit, table, ask, by_path(form), foreseen.second)
            context = {"table": table, "page": page, "name": name, "form": fixed, **told}
            return visit.show("commands/preview.html", preview=foreseen, **context)
        done = await visit.give(table, ask, given, shown)
        not_so = isinstance(ask, c.ConfirmFinding) and not ask.upheld
        if visit.wants_page and (instead or not_so):
            address = f"/tables/{table}/what-happened?page={page}&instead=1"
            return Redirect(address, status_code=303)
        return _answer(visit, table, page, done)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _form(visit, table, name, {**typed, "page": page, "happened": happened}, problem)

    return await or_again(visit, form, work(), again)


def _check(visit: Visit, kind: type[Any], table: str) -> None:
    """Who gives it comes before what they sent."""
    visit.check(GIVEN[name_of(kind)].roles, name_of(kind), table)


@post("/tables/{table:str}/bet", include_in_schema=False, opt=GUESTS)
async def bet(visit: TheVisit, table: TableName) -> Response[Any]:
    """A chip on an option: a new wager, or more on the one that lies there."""
    _check(visit, BetMore, table)
    form = await visit.form()
    given = visit.command_id(form)
    ask = msgspec.convert(
        {"on": form.get("on", ""), "cents": form.get("cents", "")}, BetMore, strict=False
    )
    return _answer(visit, table, "", await visit.give(table, ask, given))


@post("/tables/{table:str}/lay", include_in_schema=False, opt=GUESTS)
async def lay(visit: TheVisit, table: TableName) -> Response[Any]:
    """All of a player's wagers at once, in cents: `banker=20000,tie=500`; empty: none."""
    _check(visit, c.LayWagers, table)
    form = await visit.form()
    given = visit.command_id(form)
    pairs = [one.partition("=") for one in form.get("wagers", "").split(",") if one.strip()]
    wagers = [{"on": on.strip(), "cents": cents.strip()} for on, _, cents in pairs]
    ask = msgspec.convert({"wagers": wagers}, c.LayWagers, strict=False)
    return _answer(visit, table, "", await visit.give(table, ask, given))


@post("/tables/{table:str}/turn", include_in_schema=False)
async def turn(visit: TheVisit, table: TableName) -> Response[Any]:
    """A player turns the next card of the hand before them."""
    _check(visit, Turn, table)
    form = await visit.form()
    given = visit.command_id(form)
    ask = msgspec.convert({"position": form.get("position", "")}, Turn, strict=False)
    return _answer(visit, table, "", await visit.give(table, ask, given))


@post("/tables/{table:str}/squeeze", include_in_schema=False)
async def squeeze(visit: TheVisit, table: TableName) -> Response[Any]:
    """A player looks at a face-down card of the hand before them: the one answer that names it."""
    visit.actor(table)
    form = await visit.form()
    given = visit.command_id(form)
    ask = msgspec.convert({"position": form.get("position", "")}, c.SqueezeCard, strict=False)
    seen = await visit.gateway.squeeze(visit.caller, table, ask.position, given)
    return Response(seen, status_code=200, headers={"Cache-Control": "no-store"})


@post("/tables/{table:str}/chips/{way:str}", include_in_schema=False)
async def chips(visit: TheVisit, table: TableName, way: Short) -> Response[Any]:
    """Chips bought with the money in one's account, or cashed."""
    if way not in CHIPS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    _check(visit, CHIPS[way], table)
    form = await visit.form()
    given = visit.command_id(form)
    ask = msgspec.convert({"cents": form.get("cents", "")}, CHIPS[way], strict=False)
    return _answer(visit, table, "", await visit.give(table, ask, given))


@post("/tables/{table:str}/box", include_in_schema=False)
async def box_wager(visit: TheVisit, table: TableName) -> Response[Any]:
    """A wager the dealer finds on the layout, in the notation: `3 b 500`."""
    _check(visit, c.PlaceWager, table)
    form = await visit.form()
    given = visit.command_id(form)
    ask = wager_typed(form.get("wager", ""))
    return _answer(visit, table, "dealer", await visit.give(table, ask, given))


@post("/tables/{table:str}/next-coup", include_in_schema=False)
async def next_coup(visit: TheVisit, table: TableName) -> Response[Any]:
    """The cards are cleared away and bets are open again, in one press; where something else comes
    first, only that they are cleared. A clock runs if one ran for the coup before.
    """
    _check(visit, c.OpenCoup, table)
    form = await visit.form()
    given = visit.command_id(form)
    stream, done = visit.table(table), None
    coup, with_clock = view(stream.state, visit.viewer(stream)).play, bool(form.get("clock"))
    if coup is not None and coup.verdict is not None:
        with_clock = coup.until_ms is not None
        done = await visit.give(table, c.EndCoup(), given)
    if done is None or next_step(stream.state).step is Step.OPEN_COUP:
        bets_ms = visit.house.register.state.settings.tempo_of(table).bets_ms
        until_ms = visit.house.time.now_ms() + bets_ms if with_clock else None
        done = await visit.give(table, c.OpenCoup(until_ms), f"{given[:58]}-open")
    return _answer(visit, table, "dealer", done)


@post("/tables/{table:str}/ask-turn", include_in_schema=False)
async def ask_turn(visit: TheVisit, table: TableName) -> Response[Any]:
    """The seat whose turn it is is asked for its wager; the time that was announced runs."""
    _check(visit, c.AskForWager, table)
    form = await visit.form()
    given = visit.command_id(form)
    stream = visit.table(table)
    contest = view(stream.state, visit.viewer(stream)).contest
    seconds = contest.wager_seconds if contest else 0
    until_ms = visit.house.time.now_ms() + 1000 * seconds if seconds else None
    asked = {"seat": form.get("seat", ""), "until_ms": until_ms}
    ask = msgspec.convert(asked, c.AskForWager, strict=False)
    return _answer(visit, table, "dealer", await visit.give(table, ask, given))


HANDLERS = (
    *(all_acts, what_happened, act_form, give_from_form, next_coup, ask_turn),
    *(bet, lay, turn, squeeze, chips, box_wager),
    *api.HANDLERS,
)
