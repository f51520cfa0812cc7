"""The JSON API: every command and every view, documented by OpenAPI."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Request, Router, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter
from msgspec import Struct

from puntobanco.cage import authority as cage_authority
from puntobanco.cage.view import View as CageView
from puntobanco.cage.view import view as cage_view
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.sign_in import PLAY
from puntobanco.house.house import Listed
from puntobanco.house.lookback.games import last_games
from puntobanco.house.lookback.told import Told
from puntobanco.house.may import ENTRIES
from puntobanco.journal.receipt import Receipt, give_receipt
from puntobanco.register import authority as register_authority
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.gateway import Done, TheCaller, TheOffice, is_own
from puntobanco.server.page_access import WATCH_OVER, WATCHES, check_role, check_watches_over
from puntobanco.server.reader_threads import in_reader
from puntobanco.table.actor import Role
from puntobanco.table.authority import from_outside, name_of
from puntobanco.table.view import View, view

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
TableName = Annotated[str, PathParameter(max_length=64, pattern=r"^[A-Za-z0-9_.-]+$")]
Ask = TypeVar("Ask", bound=Struct)
TABLE = from_outside(ENTRIES)
CAGE = from_outside(cage_authority.AUTHORITY)
REGISTER = from_outside(register_authority.AUTHORITY)


async def strictly(request: Request[Any, Any, Any], read: Ask) -> Ask:
    """The body read again as it stands: the framework lets the text "500" pass for a number."""
    return msgspec.convert(await request.json(), type(read))


def _route(
    kind: type[Struct],
    path: str,
    tag: str,
    give: Callable[..., Any],
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
    )(give)


def _table_command(kind: type[Struct]) -> HTTPRouteHandler:
    async def give(
        request: Request[Any, Any, Any],
        table: TableName,
        data: JSONBody[kind],  # type: ignore[valid-type]
        office: TheOffice,
        caller: TheCaller,
        command_id: CommandId,
        shown: Shown = "",
    ) -> Done:
        ask = await strictly(request, data)
        return await office.give(caller, table, ask, command_id, shown)

    played = Role.PATRON in ENTRIES[kind].roles
    return _route(kind, "/tables/{{table:str}}/{name}", "table", give, PLAY if played else None)


def _house_command(kind: type[Struct], at: str) -> HTTPRouteHandler:
    """A command to the cage or the register."""

    async def give(
        request: Request[Any, Any, Any],
        data: JSONBody[kind],  # type: ignore[valid-type]
        office: TheOffice,
        caller: TheCaller,
        command_id: CommandId,
    ) -> Done:
        return await office.give(caller, at, await strictly(request, data), command_id)

    return _route(kind, f"/{at}/{{name}}", at, give)


@get("/tables", operation_id="tables", tags=["table"], sync_to_thread=False)
def tables(office: TheOffice) -> list[Listed]:
    """Every table of the house."""
    return list(office.house.listed())


class Seen(Struct, frozen=True):
    """A table as the caller may see it, and how far its record had come."""

    seq: int
    now_ms: int
    view: View


@get("/tables/{table:str}", operation_id="table-view", tags=["table"], sync_to_thread=False)
def table_view(table: TableName, office: TheOffice, caller: TheCaller) -> Seen:
    """A table as the caller may see it."""
    stream = office.table(table)
    seen = view(stream.state, office.viewer(caller, stream))
    return Seen(stream.seq, office.house.time.now_ms(), seen)


class GameShown(Struct, frozen=True):
    coup: int
    over: bool
    steps: tuple[str, ...]


@get("/tables/{table:str}/games", operation_id="table-games", tags=["table"])
@in_reader
def games(table: TableName, office: TheOffice, caller: TheCaller) -> list[GameShown]:
    """The last ten games again, step by step: for those who watch over the table."""
    check_watches_over(office, caller, table)
    found = last_games(office.house.log, office.table(table).name)
    return [GameShown(one.coup, one.over, tuple(map(_step, one.steps))) for one in found]


def _step(told: Told) -> str:
    cited = f" [{', '.join(told.clauses)}]" if told.clauses else ""
    return f"{told.says}{cited}"


Row = Annotated[int, PathParameter(ge=1, le=2**53)]


@get("/tables/{table:str}/receipts/{row:int}", operation_id="receipt", tags=["table"])
@in_reader
def receipt(table: TableName, row: Row, office: TheOffice, caller: TheCaller) -> Receipt:
    """A receipt for something the caller did, signed by the house; auditors may have any."""
    name = office.table(table).name
    by = office.actor(caller, name)
    found = next(office.house.log.read(name, row - 1), None)
    own = found is not None and found.actor == by.person and is_own(found, by.person)
    if found is None or not (own or by.roles & WATCH_OVER):
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return give_receipt(found, office.house.key)


class Me(Struct, frozen=True):
    person: str
    name: str
    roles: tuple[Role, ...]


@get("/me", operation_id="me", tags=["sign-in"], sync_to_thread=False)
def me(office: TheOffice, caller: TheCaller) -> Me:
    """Who the caller is, and what they may be in this house."""
    by = office.actor(caller)
    return Me(by.person, office.house.people.get(by.person).name, tuple(sorted(by.roles)))


@get("/cage", operation_id="cage", tags=["cage"], sync_to_thread=False)
def cage_seen(office: TheOffice, caller: TheCaller) -> CageView:
    """The cage: one's own account to a patron, all of it to those who keep it."""
    by = office.actor(caller)
    return cage_view(office.house.cage.state, by.person, by.roles)


class Entry(Struct, frozen=True):
    person: str
    kind: str
    enabled: bool
    roles: dict[str, tuple[Role, ...]]
    bot: bool


@get("/register", operation_id="register", tags=["register"], sync_to_thread=False)
def register_view(office: TheOffice, caller: TheCaller) -> list[Entry]:
    """Who belongs to the house."""
    by = office.actor(caller)
    check_role(by, WATCHES, "register")
    return [
        Entry(
            person,
            one.kind,
            one.enabled,
            {table: tuple(sorted(held)) for table, held in one.roles.items()},
            one.bot is not None,
        )
        for person, one in office.house.register.state.people.items()
    ]


async def check_one_id(request: Request[Any, Any, Any]) -> None:
    """Of two ids nobody can say which one was meant."""
    if len(request.headers.getall("command-id", [])) > 1:
        raise MalformedError("there is more than one Command-Id")


def router() -> Router:
    """Everything under /api."""
    handlers = [
        *map(_table_command, TABLE),
        *(_house_command(kind, "cage") for kind in CAGE),
        *(_house_command(kind, "register") for kind in REGISTER),
        *(tables, table_view, games, receipt, me),
        *(cage_seen, register_view),
    ]
    return Router("/api", route_handlers=handlers, before_request=check_one_id)
