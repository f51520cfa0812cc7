"""A route of the API for every command that is given from outside."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Request, Router, post
from litestar.datastructures import State
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, JSONBody, QueryParameter
from msgspec import Struct

from puntobanco.cage import authority as cage_authority
from puntobanco.competition.authority import AUTHORITY as COMPETITION_AUTHORITY
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.rights import check_house_role
from puntobanco.house.access.sign_in import PLAY, PLAY_OR_GUESTS
from puntobanco.house.may import ENTRIES
from puntobanco.house.stream import COMPETITION as AT_COMPETITION
from puntobanco.house.stream import TABLE as AT_TABLE
from puntobanco.register import authority as register_authority
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName, TableName
from puntobanco.server.gateway import Done
from puntobanco.server.visit import TheVisit, Visit, find_visit
from puntobanco.table.actor import Role
from puntobanco.table.authority import Allowed, Giver, from_outside, name_of

CommandId = Annotated[
    str,
    HeaderParameter(
        name="Command-Id",
        min_length=8,
        max_length=64,
        pattern=r"^[A-Za-z0-9_.-]+$",
        description="Chosen by whoever asks: the same id and command again gives the first outcome",
    ),
]
Shown = Annotated[
    str,
    QueryParameter(
        max_length=64,
        pattern=r"^([0-9a-f]{64})?$",
        description="`shown` of a preview: it happens as it was shown, or not at all",
    ),
]
Dealt = Annotated[
    str,
    QueryParameter(
        max_length=24,
        pattern=r"^([0-9]+[.][0-9]+)?$",
        description="`dealt` of the table's view, the coup and the number of its cards: if another"
        " card has come since, nothing is dealt",
    ),
]
Ask = TypeVar("Ask", bound=Struct)
First = Callable[[Request[Any, Any, State]], Awaitable[None]]
"""What is asked before anything that was sent is read."""
TABLE = from_outside(ENTRIES)
CAGE = from_outside(cage_authority.AUTHORITY)
REGISTER = from_outside(register_authority.AUTHORITY)
COMPETITION = from_outside(COMPETITION_AUTHORITY)


async def strictly(visit: Visit, read: Ask) -> Ask:
    """The body read again as it stands: the framework lets the text "500" pass for a number."""
    return msgspec.convert(await visit.request.json(), type(read), str_keys=True)


def _route(
    kind: type[Struct],
    path: str,
    tag: str,
    give: Callable[..., Any],
    first: First,
    opt: Mapping[str, Any] | None = None,
) -> HTTPRouteHandler:
    name = name_of(kind)
    doc = (kind.__doc__ or "").strip()
    return post(
        path.format(name=name),
        operation_id=f"{tag}-{name}",
        tags=[tag],
        status_code=200,
        summary=name.replace("-", " "),
        description=None if doc.startswith(kind.__name__) else doc,
        opt=opt,
        before_request=first,
    )(give)


def roles_first(
    roles: frozenset[Role], what: str, where: str = "", at: str = "", *, drawn: bool = False
) -> First:
    """Make the check that comes before what was sent is read: whoever has none of these roles is
    told that and nothing else, whatever it was; without roles, whoever has not signed in. `where`
    is the part of the address that names a table or competition, `at` what its stream is called
    before that; what is `drawn` comes from devices, too.
    """

    async def check(request: Request[Any, Any, State]) -> None:
        await check_one_id(request)
        visit = await find_visit(request)
        if visit.caller.is_device and drawn:
            return  # it draws for whoever deals
        by = visit.actor(f"{at}{request.path_params[where]}" if where else "")
        if roles and not roles & by.roles:
            await visit.gateway.check_pace(visit.caller)  # it counts as given
            check_house_role(by, roles, what)

    return check


SIGNED_IN = roles_first(frozenset(), "")
"""The same for what is everybody's own."""


def rights_first(kind: type[Struct], allowed: Allowed, where: str = "", at: str = "") -> First:
    """The same for a kind of command, by its entry."""
    drawn = Giver.DEVICE in allowed.given_by
    return roles_first(allowed.roles, name_of(kind), where, at, drawn=drawn)


def table_rights(kind: type[Struct]) -> First:
    return rights_first(kind, ENTRIES[kind], "table")


def competition_rights(kind: type[Struct]) -> First:
    return rights_first(kind, COMPETITION_AUTHORITY[kind], "competition", AT_COMPETITION)


def check_is_table(name: str) -> None:
    """A table's door leads to tables and to nothing else."""
    if not name.startswith(AT_TABLE):
        raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])


def _table_command(kind: type[Struct]) -> HTTPRouteHandler:
    async def give(
        visit: TheVisit,
        table: TableName,
        data: JSONBody[kind],  # type: ignore[valid-type]
        command_id: CommandId,
        shown: Shown = "",
        dealt: Dealt = "",
    ) -> Done:
        check_is_table(table)  # signing on, say, is a command of a competition, too
        ask = await strictly(visit, data)
        return await visit.give(table, ask, command_id, shown, dealt)

    roles = ENTRIES[kind].roles
    played: dict[str, Any] | None = PLAY if Role.PATRON in roles else None
    opt = PLAY_OR_GUESTS if Role.GUEST in roles else played
    return _route(kind, "/tables/{{table:str}}/{name}", "table", give, table_rights(kind), opt)


def _house_command(kind: type[Struct], at: str, allowed: Allowed) -> HTTPRouteHandler:
    """A command to the cage or the register."""

    async def give(
        visit: TheVisit,
        data: JSONBody[kind],  # type: ignore[valid-type]
        command_id: CommandId,
    ) -> Done:
        return await visit.give(at, await strictly(visit, data), command_id)

    return _route(kind, f"/{at}/{{name}}", at, give, rights_first(kind, allowed))


def _competition_command(kind: type[Struct]) -> HTTPRouteHandler:
    async def give(
        visit: TheVisit,
        competition: CompetitionName,
        data: JSONBody[kind],  # type: ignore[valid-type]
        command_id: CommandId,
        shown: Shown = "",
    ) -> Done:
        ask = await strictly(visit, data)
        return await visit.give(f"{AT_COMPETITION}{competition}", ask, command_id, shown)

    entered = Role.PATRON in COMPETITION_AUTHORITY[kind].roles
    path = "/competitions/{{competition:str}}/{name}"
    opt = PLAY if entered else None
    return _route(kind, path, "competition", give, competition_rights(kind), opt)


async def check_one_id(request: Request[Any, Any, Any]) -> None:
    """Of two ids nobody can say which one was meant."""
    if len(request.headers.getall("command-id", [])) > 1:
        raise MalformedError("there is more than one Command-Id")


HANDLERS = (
    Router(
        "/api",
        route_handlers=[
            *map(_table_command, TABLE),
            *(_house_command(kind, "cage", cage_authority.AUTHORITY[kind]) for kind in CAGE),
            *(
                _house_command(kind, "register", register_authority.AUTHORITY[kind])
                for kind in REGISTER
            ),
            *map(_competition_command, COMPETITION),
        ],
    ),
)
