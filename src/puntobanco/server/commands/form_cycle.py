"""A form sent: read, made a command, given; and if that is refused, shown again as it was typed."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar import Response

from puntobanco.errors import MalformedError, Refused
from puntobanco.server.commands.forms import facts_of, fix_moments
from puntobanco.server.errors import as_refused, error_of, http_status
from puntobanco.server.visit import Visit

CORRECTABLE = (Refused, MalformedError, msgspec.ValidationError)
"""Errors that the person who typed can put right; all others get an error page."""
ShowAgain = Callable[[dict[str, str], Exception], Response[str]]
"""The form once more, from what was typed and why it was refused."""


def command_of(
    visit: Visit, form: dict[str, str], name: str, union: Any
) -> tuple[Any, dict[str, str]]:
    """The command that a form says, and the form with its moments fixed, to be sent again."""
    facts = facts_of(form, visit.house.time.now_ms())
    ask = msgspec.convert({**facts, "do": name}, union, strict=False)  # a form has only text
    return ask, fix_moments(form, facts)


async def or_again(
    visit: Visit, form: dict[str, str], work: Awaitable[Response[Any]], again: ShowAgain
) -> Response[Any]:
    """What came of a form, or the form again; a script, or nobody, gets the refusal itself."""
    try:
        return await work
    except CORRECTABLE as error:
        if not visit.wants_page or not visit.person:
            raise
        return again({name.partition("@")[0]: text for name, text in form.items()}, error)


def show_form(
    visit: Visit, template: str, problem: Exception | None, **context: object
) -> Response[str]:
    """A form, with what is wrong with it if it was refused."""
    shown = visit.show(
        template, problem=error_of(as_refused(problem)) if problem else None, **context
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown
