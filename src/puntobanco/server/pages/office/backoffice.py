"""The back office: cage, tables and reports; commands to cage and register from forms."""

from typing import Any, get_args

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.cage import authority as cage_authority
from puntobanco.cage import commands as cage
from puntobanco.cage import decide as cage_decide
from puntobanco.cage.view import view as cage_view
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.rights import (
    AT_CAGE,
    MANAGEMENT,
    OVERSEES,
    WATCHES,
    WORKS_HERE,
    check_role,
)
from puntobanco.house.house import TABLE_NAME
from puntobanco.house.lookback.figures import By, Figures, coups, report
from puntobanco.register import authority as register_authority
from puntobanco.register import commands as register
from puntobanco.rules.notice import sample
from puntobanco.rules.ruleset import CONDITIONS, RULESETS
from puntobanco.server.addresses import Short
from puntobanco.server.commands.api import CAGE, REGISTER
from puntobanco.server.commands.forms import facts_of, fields_of, written
from puntobanco.server.commands.prefill import by_ruleset
from puntobanco.server.errors import as_refused, error_of, status_of
from puntobanco.server.reader_threads import read
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.actor import STAFF, Actor
from puntobanco.table.authority import Allowed, name_of
from puntobanco.table.may import counter_refusal
from puntobanco.words.commands import COMMANDS as WORDS


class Counter(Struct, frozen=True):
    """One place where commands are given: which there are, who may, and how."""

    kinds: tuple[type[Struct], ...]
    union: Any
    allowed: dict[Any, Allowed]
    back: str


COUNTERS = {
    "cage": Counter(CAGE, cage.CageCommand, cage_authority.AUTHORITY, "/house/cage"),
    "register": Counter(
        REGISTER, register.RegisterCommand, register_authority.AUTHORITY, "/house/people"
    ),
}


@get("/house", sync_to_thread=False, include_in_schema=False)
def overview(visit: TheVisit) -> Response[str]:
    """What there is to see to, for whoever works here."""
    by = visit.actor()
    check_role(by, WORKS_HERE, "back office")
    house = visit.house
    return visit.show("office/overview.html", roles=by.roles, tables=list(house.listed()),
        floor=bool(by.roles & STAFF),
        people=bool(by.roles & WATCHES), cage=bool(by.roles & AT_CAGE),
        reports=bool(by.roles & OVERSEES), manages=bool(by.roles & MANAGEMENT),
        count=len(house.register.state.people), slips=len(house.cage.state.slips),
    )  # fmt: skip


# the cage


@get("/house/cage", sync_to_thread=False, include_in_schema=False)
def cage_page(visit: TheVisit) -> Response[str]:
    """Accounts, trays and slips, to those who keep them; the floor asks for fills here."""
    by = visit.actor()
    check_role(by, AT_CAGE, "cage")
    cage_now, kinds = visit.house.cage.state, {name_of(kind): kind for kind in CAGE}

    def can(name: str, **facts: object) -> bool:
        place = (cage_authority.AUTHORITY, cage_decide.decide, cage_now)
        return counter_refusal(*place, kinds[name], by, facts) is None

    names = [name for name in kinds if can(name)]
    seen = cage_view(cage_now, by.person, by.roles)
    context = {"seen": seen, "expected": expected_trays(visit, by), "names": names, "can": can}
    return visit.show("office/cage.html", **context)


def expected_trays(visit: Visit, by: Actor) -> dict[str, int]:
    """What must be in each tray now, of those that the caller may see."""
    seen = cage_view(visit.house.cage.state, by.person, by.roles)
    return {
        name: tray.expected_cents(visit.house.tables[name].state.bank_cents)
        for name, tray in seen.trays.items()
        if name in visit.house.tables
    }


# commands


def _counter(at: str, name: str) -> tuple[Counter, type[Struct]]:
    counter = COUNTERS.get(at)
    kinds = {name_of(kind): kind for kind in counter.kinds} if counter else {}
    if counter is None or name not in kinds:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return counter, kinds[name]


@get("/house/do/{at:str}/{name:str}", sync_to_thread=False, include_in_schema=False)
def house_form(visit: TheVisit, at: Short, name: Short) -> Response[str]:
    """The form of one command to the cage or the register."""
    counter, kind = _counter(at, name)
    visit.check(counter.allowed[kind].roles, name)
    given = {key: str(value)[:200] for key, value in visit.request.query_params.items()}
    house = visit.house
    suggest = {
        "person": tuple(house.register.state.people)[:300],
        "table": tuple(house.tables),
        "number": tuple(map(str, house.cage.state.slips)),
    }
    action, back = f"/house/do/{at}/{name}", given.pop("back", counter.back)
    fields = fields_of(kind, given, suggest)
    context = {"fields": fields, "action": action, "back": _local(back), "said": WORDS[name]}
    return visit.show("office/form.html", **context)


@post("/house/do/{at:str}/{name:str}", include_in_schema=False)
async def house_give(visit: TheVisit, at: Short, name: Short) -> Response[Any]:
    """Any command to the cage or the register, from a form."""
    counter, _ = _counter(at, name)
    form = await visit.form()
    given, back = visit.command_id(form), form.pop("back", "")
    facts = facts_of(form, visit.house.time.now_ms())
    ask = msgspec.convert({**facts, "do": name}, counter.union, strict=False)
    await visit.give(at, ask, given)
    return Redirect(_local(back or counter.back), status_code=303)


def _local(path: str) -> str:
    """A page of this house, and no other."""
    good = path.startswith("/house") and "//" not in path and "\\" not in path
    return path if good and path.isprintable() else "/house"


# tables


@get("/house/open-table", sync_to_thread=False, include_in_schema=False)
def open_form(visit: TheVisit) -> Response[str]:
    """A new table, or one that is shut: its notice, filled in by the rule set's sample."""
    ruleset = str(visit.request.query_params.get("ruleset", RULESETS[0]))
    if ruleset not in RULESETS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    filled = dict(written({"notice": msgspec.to_builtins(sample(ruleset))}))
    return _open_form(visit, filled)


def _open_form(
    visit: Visit, values: dict[str, str], problem: Exception | None = None
) -> Response[str]:
    visit.check(MANAGEMENT, "open-table")
    chosen = values.get("notice.ruleset", "")
    suggest = by_ruleset(chosen)
    shut = [one.table for one in visit.house.listed() if one.phase == "shut"]
    shown = visit.show("office/open-table.html", fields=fields_of(c.OpenTable, values, suggest),
        rulesets=RULESETS, chosen=chosen, shut=shut, table=values.get("table", ""),
        problem=error_of(as_refused(problem)) if problem else None,
    )  # fmt: skip
    shown.status_code = status_of(problem) if problem else 200
    return shown


@post("/house/open-table", include_in_schema=False)
async def open_table(visit: TheVisit) -> Response[Any]:
    form = await visit.form()
    given, typed = visit.command_id(form), form.pop("table", "").strip()
    name = typed if typed.startswith("table-") else f"table-{typed}"
    try:
        if not TABLE_NAME.fullmatch(name):
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])  # noqa: TRY301
        facts = facts_of(form, visit.house.time.now_ms())
        ask = msgspec.convert({**facts, "do": "open-table"}, c.TableCommand, strict=False)
        await visit.give(name, ask, given)
    except (Refused, MalformedError, msgspec.ValidationError) as error:
        if not visit.wants_page or not visit.person:
            raise
        values = {key.partition("@")[0]: text for key, text in form.items()}
        return _open_form(visit, {**values, "table": typed}, error)
    return Redirect(f"/tables/{name}/pit", status_code=303)


# reports


@get("/house/reports", include_in_schema=False)
async def reports(visit: TheVisit) -> Response[str]:
    """Coups, shoes, tables, gaming days and people in figures, from the record alone."""
    by = visit.query("by", "table")
    if by not in get_args(By):
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    table = visit.query("table")
    figures, count = await figures_by(visit, by, table)  # type: ignore[arg-type]
    return visit.show("office/reports.html", figures=figures, count=count, by=by,
        kinds=get_args(By), table=table, tables=sorted(visit.house.tables),
    )  # fmt: skip


MOST_LINES = 500


async def figures_by(visit: Visit, by: By, table: str) -> tuple[list[Figures], int]:
    """The last lines of a report, and how many it has in all; of one table, or of every one."""
    visit.check(OVERSEES, "reports")
    streams = [visit.table(table).name] if table else None
    figures = await read(lambda: report(coups(visit.house.log, streams), by))
    return figures[-MOST_LINES:], len(figures)


HANDLERS = (
    overview, cage_page, house_form, house_give, open_form, open_table, reports,
)  # fmt: skip
