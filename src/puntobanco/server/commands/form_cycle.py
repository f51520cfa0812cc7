"""A form sent: read, made a command, given; and if that is refused, shown again as it was typed."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar import Response

from puntobanco.errors import MalformedError, Refused
from puntobanco.house.access.rights import WORKS_HERE
from puntobanco.rules.documents.ruleset import Ruleset
from puntobanco.server.commands.faults import check_fields, check_notice, faults_in, marked
from puntobanco.server.commands.forms import PEOPLE, Field
from puntobanco.server.commands.typed import Now, fix_moments, read_form
from puntobanco.server.errors import http_status
from puntobanco.server.visit import Visit
from puntobanco.table.commands import Someone

CORRECTABLE = (Refused, MalformedError, msgspec.ValidationError)
"""Errors that the person who typed can put right; all others get an error page."""
ShowAgain = Callable[[dict[str, str], Exception], Response[str]]
"""The form once more, from what was typed and why it was refused."""


class Sheet(msgspec.Struct, frozen=True):
    """A form as it was handed out: what it asks for, and where and by what it is read."""

    fields: tuple[Field, ...]
    utc_minutes: int = 0
    rules: Ruleset | None = None
    """The rule set that a notice in it is held against."""


def command_of(
    visit: Visit,
    form: dict[str, str],
    name: str,
    union: Any,
    sheet: Sheet,
    besides: tuple[str, ...] = (),
) -> tuple[Any, dict[str, str]]:
    """The command that a form says, and the form with its moments fixed, to be sent again.

    What it asks besides is checked, and is no part of the command.
    """
    now = Now(visit.house.time.now_ms(), sheet.utc_minutes)
    typed = read_form(form, now)
    _name_people(visit, sheet.fields, typed.facts)
    currency = visit.house.register.state.currency
    check_fields(sheet.fields, typed, sheet.rules, currency)
    nobody = {field.path: "" for field in sheet.fields if field.type == Someone}
    facts = {key: fact for key, fact in typed.facts.items() if key not in besides} | {"do": name}
    ask = msgspec.convert(nobody | facts, union, strict=False, str_keys=True)  # forms have text
    check_notice(sheet.fields, ask, sheet.rules, currency)
    return ask, fix_moments(form, typed.facts)


def _name_people(visit: Visit, fields: tuple[Field, ...], facts: dict[str, Any]) -> None:
    """Staff may write somebody's name for their id, where only one person has it."""
    known = visit.house.register.state.people
    unknown = [
        field.path
        for field in fields
        if field.path in PEOPLE
        and isinstance(facts.get(field.path), str)
        and facts[field.path] not in known
    ]
    if not unknown or not visit.roles & WORKS_HERE:
        return
    names = visit.house.people.all()
    for path in unknown:
        wanted = facts[path].casefold()
        called = [who for who, one in names.items() if one.name.casefold() == wanted]
        if len(called) == 1 and called[0] in known:
            facts[path] = called[0]


async def or_again(
    visit: Visit, form: dict[str, str], work: Awaitable[Response[Any]], again: ShowAgain
) -> Response[Any]:
    """What came of a form, or the form again; a script, or nobody, gets the refusal itself."""
    try:
        return await work
    except CORRECTABLE as error:
        if not visit.wants_page or not visit.person:
            raise
        return again(by_path(form), error)


def by_path(form: dict[str, str]) -> dict[str, str]:
    """What was typed, by the paths of the fields; a colour that is as usual is none."""
    usual = {name.partition("@")[0] for name in form if name.endswith("@usual")}
    typed = {name.partition("@")[0]: text for name, text in form.items()}
    return {path: "" if path in usual else text for path, text in typed.items()}


def show_form(
    visit: Visit,
    template: str,
    problem: Exception | None,
    fields: tuple[Field, ...],
    fixed: frozenset[str] = frozenset(),
    **context: object,
) -> Response[str]:
    """A form, with all that is wrong with it if it was refused; what is fixed is not shown, so
    that nothing can stand beside it.
    """
    currency = visit.house.register.state.currency
    found = faults_in(visit.told(problem), fields, currency) if problem else ()
    shown = visit.show(
        template,
        fields=marked(fields, found),
        faults=found,
        labels={field.path: field for field in fields if field.path not in fixed},
        fixed=fixed,
        **context,
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown
