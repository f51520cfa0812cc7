"""Changing what a notice says while the table is open: three fields, and what follows of them.

What follows is asked of the deciders themselves: the change is posted to a table that nobody sees,
and it is tried whether it could hold at once.
"""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.house.foresight import ChangeAhead, change_ahead
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.notice import Limits, Notice
from puntobanco.server.addresses import TableName
from puntobanco.server.commands.faults import check_fields, check_notice
from puntobanco.server.commands.form_cycle import by_path, or_again, show_form
from puntobanco.server.commands.forms import Field, fields_of
from puntobanco.server.commands.prefill import by_ruleset
from puntobanco.server.commands.typed import Now, Typed, read_form, written
from puntobanco.server.pages.office.open_table import notice_sheet
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table import commands as c
from puntobanco.table.authority import check_open, check_theirs
from puntobanco.words import capitalised, told_money

FIRST = ("notice.limits.min_cents", "notice.limits.max_cents", "notice.limits.multiple_cents")


@get("/tables/{table:str}/limits", sync_to_thread=False, include_in_schema=False)
def limits_form(visit: TheVisit, table: TableName) -> Response[str]:
    """Minimum, maximum and multiple; all else that may change here is folded away."""
    return _form(visit, table, {})


def _notice(visit: Visit, table: str, problem: Exception | None = None) -> Notice:
    """The notice that is to change; if that was refused, also where it cannot any more."""
    state = visit.table(table).state
    check = check_theirs if problem else check_open
    check(state, c.PostChange, visit.actor(table))
    if state.notice is None:
        raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=table[:40])
    return state.notice


class Changed(Struct, frozen=True):
    """What a form of a change asks for: a notice."""

    notice: Notice


def _fields(visit: Visit, table: str, values: dict[str, str]) -> tuple[Field, ...]:
    """What the document lets change at an open table, as it is now or as it was typed."""
    state = visit.table(table).state
    now = dict(written({"notice": msgspec.to_builtins(state.notice)}))
    rules = state.terms.rules
    may = {f"notice.{field}" for rule in rules.changes for field in rule.fields}
    everything = fields_of(Changed, {**now, **values}, by_ruleset(rules.id))
    found = [one for one in everything if ".".join(one.path.split(".")[:2]) in may]
    limits = state.notice.limits if state.notice else None
    currency = visit.house.register.state.currency
    return tuple(_short(one, limits, currency) for one in found)


def _short(field: Field, now: Limits | None, currency: str) -> Field:
    """The three that are changed most are named shortly, beside what they are now."""
    if field.path not in FIRST:
        return replace(field, hint="")
    cents = getattr(now, field.path.rpartition(".")[2], None)
    hint = (
        say("limits.now", amount=told_money(cents, currency)) if cents else say("limits.none-now")
    )
    label = field.label.rpartition(": ")[2]
    return replace(field, label=capitalised(label), hint=hint)


def _form(
    visit: Visit,
    table: str,
    values: dict[str, str],
    problem: Exception | None = None,
    ahead: ChangeAhead | None = None,
) -> Response[str]:
    """The form; again with what was typed, and with what follows once it can."""
    now, state = _notice(visit, table, problem), visit.table(table).state
    will = ahead.notice if ahead else now
    return show_form(
        visit,
        "commands/limits.html",
        problem,
        _fields(visit, table, values),
        table=table,
        first=FIRST,
        ahead=ahead,
        players=len(state.places),
        sheet=notice_sheet(will),
        was=notice_sheet(now)["terms"] if ahead else None,
    )


def _typed(visit: Visit, table: str, form: dict[str, str]) -> Notice:
    """The notice that was typed: as it is now but for the fields of the form."""
    now, state = _notice(visit, table), visit.table(table).state
    fields = _fields(visit, table, by_path(form))
    typed = read_form(form, Now(visit.house.time.now_ms(), state.utc_minutes))
    facts = msgspec.to_builtins(now)
    asked: dict[str, Any] = typed.facts.get("notice", {})
    for name in {field.path.split(".")[1] for field in fields}:
        facts[name] = asked.get(name)
    kept = {name: fact for name, fact in facts.items() if fact is not None}
    rules, currency = state.terms.rules, visit.house.register.state.currency
    check_fields(fields, Typed({"notice": kept}, typed.wrong), rules, currency)
    notice = msgspec.convert(kept, Notice, strict=False)
    check_notice(fields, Changed(notice), rules, currency)
    return notice


@post("/tables/{table:str}/limits", include_in_schema=False)
async def change_limits(visit: TheVisit, table: TableName) -> Response[Any]:
    """What would follow; or, once that was seen, the change is put up.

    A script that asks while somebody types (`look`) is told what follows so far, or nothing yet:
    half a number is no mistake.
    """
    form = await visit.form()
    given, sure = visit.command_id(form), form.pop("sure", "")
    looks = bool(form.pop("look", ""))

    async def work() -> Response[Any]:
        state = visit.table(table).state
        notice = _typed(visit, table, form)
        now_ms = visit.house.time.now_ms()
        ask = c.PostChange(notice, now_ms)
        ahead = change_ahead(state, ask, visit.actor(table))
        if looks or sure != ahead.digest:
            return _form(visit, table, by_path(form), ahead=ahead)
        await visit.give(table, ask, given)
        if ahead.at_once:
            await visit.give(table, c.ApplyChange(), f"{given}-now"[-64:])
        return Redirect(f"/tables/{table}/pit", status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _form(visit, table, typed, None if looks else problem)

    return await or_again(visit, form, work(), again)


HANDLERS = (limits_form, change_limits)
