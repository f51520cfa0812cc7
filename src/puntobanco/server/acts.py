"""Commands given from pages: one form for each, what it would bring about, and what happened?"""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.stream import Stream
from puntobanco.rules import rulebook
from puntobanco.rules.notation import parse_wager
from puntobanco.rules.notice import sample
from puntobanco.rules.ruleset import CONDITIONS, RULESETS, Bet, load
from puntobanco.server.api import HOUSE_ONLY, TableName
from puntobanco.server.asking import FORM_ID, command_id, form_of, show
from puntobanco.server.faults import wants_page
from puntobanco.server.forms import facts_of, fields_of, resolved, written
from puntobanco.server.may import acts, grouped, why_not
from puntobanco.server.office import Done, Office, Short, TheCaller, TheOffice, outcome
from puntobanco.server.signin import Caller
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, check_open, is_staff
from puntobanco.table.decide import foresee, run
from puntobanco.table.events import IrregularityRuled, TableEvent
from puntobanco.table.session import COMMANDS
from puntobanco.table.state import Table
from puntobanco.table.telling import tell
from puntobanco.words.commands import HAPPENED

BACK = {"dealer": "/dealer", "pit": "/pit"}
"""Where a page's commands lead back to."""
OF_THE_HOUSE: dict[str, Callable[..., Awaitable[Done]]] = {
    "deal": Office.deal,
    "shuffle-house": Office.shuffle,
    "open-commitment": Office.open_order,
}
"""What the house does with a shoe of its own: there is nothing to be typed."""
CHIPS: dict[str, type[c.BuyIn] | type[c.CashOut]] = {"buy": c.BuyIn, "cash": c.CashOut}
CONFIRMED = frozenset(
    {
        "report-irregularity", "confirm-finding", "rule-on", "void-coup", "void-wagers",
        "void-earlier", "correct-card", "correct-payment", "exclude", "close-table", "open-table",
        "post-change", "apply-change", "approve", "change-cards",
    }
)  # fmt: skip
"""What cannot be taken back is shown before it is done."""


# what is known before anything is typed


def _known(stream: Stream[Table], given: dict[str, str]) -> dict[str, str]:
    """Values to start from: what the link said, or what is so at the table."""
    table = stream.state
    ruleset = given.get("notice.ruleset", "")
    notice = table.notice
    if ruleset in RULESETS and (notice is None or notice.ruleset != ruleset):
        notice = sample(ruleset)
    shoe = table.opened.shoe if table.opened else ""
    known = {"gaming_day": table.gaming_day, "shoe": shoe, "coup": str(table.coup_number or "")}
    if notice is not None:
        known |= {f"notice.{path}": value for path, value in written(msgspec.to_builtins(notice))}
    for name, many in (("proposal", table.proposals), ("dispute", _undecided(table))):
        if many:
            known[name] = str(next(iter(many)))
    return known | given


def _undecided(table: Table) -> list[int]:
    return [number for number, one in table.disputes.items() if not one.decision]


def _suggest(
    office: Office, stream: Stream[Table], by: Actor, ruleset: str
) -> dict[str, tuple[str, ...]]:
    """What a field may take here; who else there is, only staff are told."""
    table = stream.state
    patrons = [
        person
        for person, one in office.house.register.state.people.items()
        if one.kind == "patron" and one.enabled and person not in table.places
    ]
    people = (*table.places, *patrons[:200]) if is_staff(table, by) else (by.person,)
    seats = range(1, (table.notice.seats if table.notice else 14) + 1)
    found: dict[str, tuple[str, ...]] = dict.fromkeys(
        ("person", "to", "asked_by", "player", "people"), people
    )
    found |= dict.fromkeys(("seat", "box"), tuple(map(str, seats)))
    found["coup"] = tuple(str(one.number) for one in reversed(table.coups))
    found["proposal"] = tuple(map(str, table.proposals))
    found["dispute"] = tuple(map(str, table.disputes))
    found["machine"] = tuple(table.opened.machines) if table.opened else ()
    found["notice.ruleset"] = RULESETS
    if ruleset in RULESETS:
        rules = load(ruleset)
        found["notice.method"] = tuple(one.name for one in rules.settlement.methods)
        found["notice.pairs"] = tuple(one.name for one in rules.settlement.pairs)
        found["notice.layout"] = tuple(one.name for one in rules.table.layouts)
        found["kind"] = tuple(rules.people.incidents)
    return found


# pages


@get("/tables/{table:str}/do", sync_to_thread=False, include_in_schema=False)
def all_acts(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[str]:
    """Everything one may do here now."""
    stream = office.table(table)
    names = acts(stream.state, office.actor(caller, table))
    groups = list(grouped(names))
    page = str(request.query_params.get("page", ""))[:10]
    return show(request, caller, "acts/all.html", table=table, groups=groups, page=page)


@get("/tables/{table:str}/what-happened", sync_to_thread=False, include_in_schema=False)
def what_happened(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[str]:
    """What can go wrong, as people say it; each leads to what the rule makes of it."""
    stream = office.table(table)
    by = office.actor(caller, table)
    names = acts(stream.state, by)
    page = str(request.query_params.get("page", ""))[:10]
    shut = {
        one.command: why_not(stream.state, by, one.command)
        for _, members in HAPPENED
        for one in members
        if one.command not in names
    }
    context = {"shut": shut, "happened": HAPPENED}
    return show(request, caller, "acts/happened.html", table=table, page=page, **context)


class Foreseen(Struct, frozen=True):
    """One thing that will happen, and why."""

    says: str
    clauses: tuple[str, ...]


@get("/tables/{table:str}/do/{name:str}", sync_to_thread=False, include_in_schema=False)
def act_form(
    request: Request[Any, Any, State],
    table: TableName,
    name: Short,
    office: TheOffice,
    caller: TheCaller,
) -> Response[str]:
    """The form of one command, filled in as far as anything is known."""
    stream, kind = office.table(table), _kind(name)
    by = office.actor(caller, table)
    check_open(stream.state, kind, by)
    asked = {key: str(value)[:200] for key, value in request.query_params.items()}
    page = asked.pop("page", "")[:10]
    known = _known(stream, asked)
    suggest = _suggest(office, stream, by, known.get("notice.ruleset", ""))
    said = _as_happened(name, asked)
    return show(
        request, caller, "acts/form.html", table=table, name=name, page=page,
        fields=fields_of(kind, known, suggest), confirmed=bool(name in CONFIRMED or said),
        second=_second(kind), rulesets=RULESETS if name == "open-table" else (),
        chosen=known.get("notice.ruleset", ""), happened=said,
    )  # fmt: skip


def _as_happened(name: str, given: dict[str, str]) -> str:
    for _, members in HAPPENED:
        for one in members:
            if one.command == name and one.facts and one.facts.items() <= given.items():
                return one.says
    return ""


def _kind(name: str) -> type[c.Command]:
    kind = COMMANDS.get(name)
    if kind is None or kind in HOUSE_ONLY:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return kind


def _second(kind: type[c.Command]) -> tuple[Role, ...]:
    return tuple(sorted(AUTHORITY[kind].second))


def _preview(
    request: Request[Any, Any, State],
    office: Office,
    caller: Caller,
    stream: Stream[Table],
    ask: c.TableCommand,
    form: dict[str, str],
) -> Response[str]:
    """What the rule says and what will happen; nothing has happened yet."""
    by = office.actor(caller, stream.name)
    following = foresee(stream.state, ask, by)
    events = [*following, *_put_right(stream.state, ask, by)]
    clauses = tuple(dict.fromkeys(one for event in events for one in event.clauses))
    said = [(one, rulebook.find(one).paraphrase) for one in clauses if ":" in one]
    foreseen = [Foreseen(tell(event), event.clauses) for event in events]
    return show(
        request, caller, "acts/preview.html", table=stream.name, page=form.get("page", ""),
        name=str(ask.__struct_config__.tag), foreseen=foreseen, said=said,
        second=_second(type(ask)), form={k: v for k, v in form.items() if k not in UNSENT},
        shown=outcome(following),
    )  # fmt: skip


def _put_right(table: Table, ask: c.TableCommand, by: Actor) -> list[TableEvent]:
    """What the sequence makes of a card laid wrong, when the result is declared."""
    if not isinstance(ask, c.DrawCard) or ask.laid is None:
        return []
    try:
        after, _ = run(table, ask, by)
        declared = foresee(after, c.DeclareResult(), by)
    except Refused:  # cards are still owed: it shows when they have come
        return []
    return [one for one in declared if isinstance(one, IrregularityRuled)]


Position = Annotated[int, msgspec.Meta(ge=1, le=12)]
UNSENT = frozenset({FORM_ID, "preview", "page", "shown"})


# commands from forms


def _answer(request: Request[Any, Any, State], table: str, page: str, done: Done) -> Response[Any]:
    """Back to the page; a script gets data, for its page is live."""
    if not wants_page(request):
        return Response(done, status_code=200)
    return Redirect(f"/tables/{table}{BACK.get(page, '')}", status_code=303)


@post("/tables/{table:str}/do/{name:str}", include_in_schema=False)
async def give(
    request: Request[Any, Any, State],
    table: TableName,
    name: Short,
    office: TheOffice,
    caller: TheCaller,
) -> Response[Any]:
    """Any command at a table, from a form; or what it would bring about."""
    form = await form_of(request)
    sent = dict(form)
    page, given = form.pop("page", ""), command_id(form, office)
    preview, shown = form.pop("preview", ""), form.pop("shown", "")
    if name in OF_THE_HOUSE:
        done = await OF_THE_HOUSE[name](office, caller, table, given)
        return _answer(request, table, page, done)
    _kind(name)
    facts = facts_of(form, office.house.time.now_ms())
    ask = msgspec.convert({**facts, "do": name}, c.TableCommand, strict=False)
    if not preview:
        done = await office.at_table(caller, table, ask, given, shown)
        return _answer(request, table, page, done)
    stream = office.table(table)
    whole = await office.complete(stream, ask, office.actor(caller, table))
    return _preview(request, office, caller, stream, whole, resolved(sent, facts))


@post("/tables/{table:str}/bet", include_in_schema=False)
async def bet(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[Any]:
    """A chip on an option: a new wager, or more on the one that lies there."""
    form = await form_of(request)
    given = command_id(form, office)
    on = msgspec.convert(form.get("on", ""), Bet)
    cents = msgspec.convert(form.get("cents", ""), c.Cents, strict=False)
    return _answer(request, table, "", await office.bet(caller, table, on, cents, given))


@post("/tables/{table:str}/turn", include_in_schema=False)
async def turn(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[Any]:
    """A player turns the next card of the hand before them."""
    form = await form_of(request)
    given = command_id(form, office)
    position = msgspec.convert(form.get("position", ""), Position, strict=False)
    return _answer(request, table, "", await office.turn(caller, table, position, given))


@post("/tables/{table:str}/chips/{way:str}", include_in_schema=False)
async def chips(
    request: Request[Any, Any, State],
    table: TableName,
    way: Short,
    office: TheOffice,
    caller: TheCaller,
) -> Response[Any]:
    """Chips bought with the money in one's account, or cashed."""
    form = await form_of(request)
    given = command_id(form, office)
    if way not in CHIPS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    facts = {"cents": form.get("cents", ""), "person": caller.person}
    ask: c.BuyIn | c.CashOut = msgspec.convert(facts, CHIPS[way], strict=False)
    return _answer(request, table, "", await office.chips(caller, table, ask, given))


@post("/tables/{table:str}/box", include_in_schema=False)
async def box_wager(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[Any]:
    """A wager the dealer finds on the layout, in the notation: `3 b 500`."""
    form = await form_of(request)
    given = command_id(form, office)
    wager = parse_wager(form.get("wager", ""))
    person = wager.by or office.table(table).state.seated.get(wager.box, "")
    if not person:
        raise Refused(Reason.NOBODY_SEATED, CONDITIONS, box=wager.box)
    facts = msgspec.to_builtins(c.PlaceWager(wager.box, wager.on, wager.cents, person))
    ask = msgspec.convert(facts, c.PlaceWager)
    return _answer(request, table, "dealer", await office.at_table(caller, table, ask, given))


HANDLERS = (all_acts, what_happened, act_form, give, bet, turn, chips, box_wager)
