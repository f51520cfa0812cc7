"""A page of the back office: never kept by a browser, its moments written out in full."""

from datetime import UTC, datetime  # noqa: TID251  to write a moment down, not to ask for one
from typing import Any

from litestar import Request, Response
from litestar.datastructures import State

from puntobanco.errors import Reason, Refused
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.journal import OVERSEES
from puntobanco.server.office import Office
from puntobanco.server.signin import Caller

LAST_MS = 253_402_300_799_000
"""The end of the year 9999."""


def moment(at_ms: int) -> str:
    """A moment as it stands in the record, in UTC.

    >>> moment(1_700_000_000_000)
    '2023-11-14 22:13:20'
    """
    at = datetime.fromtimestamp(min(max(at_ms, 0), LAST_MS) // 1000, UTC)
    return at.strftime("%Y-%m-%d %H:%M:%S")


def show(
    request: Request[Any, Any, State], caller: Caller, template: str, **context: object
) -> Response[str]:
    html = request.app.state.pages.render(template, person=caller.person, moment=moment, **context)
    return Response(html, media_type="text/html", headers={"Cache-Control": "no-store"})


def oversees(office: Office, caller: Caller) -> bool:
    member = office.house.register.state.people.get(caller.person)
    return bool(member and member.enabled and member.roles_at("") & OVERSEES and not caller.scope)


def check_oversees(office: Office, caller: Caller, what: str) -> None:
    """Only those who oversee the whole house, not one table of it."""
    office.actor(caller)
    if not oversees(office, caller):
        allowed = ", ".join(sorted(OVERSEES))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=what, allowed=allowed)
