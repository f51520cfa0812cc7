"""The JSON API: every command and every view, documented by OpenAPI."""

from collections.abc import Callable
from typing import Annotated, Any, get_args

from litestar import Router, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter, JSONBody, PathParameter
from msgspec import Struct

from puntobanco.cage import messages as cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.games import Told, last_games
from puntobanco.house.house import Listed
from puntobanco.journal.receipt import Receipt, give_receipt
from puntobanco.register import messages as register
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.server.office import Done, Office, TheCaller, TheOffice
from puntobanco.server.signin import Caller
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
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
TableName = Annotated[str, PathParameter(max_length=64, pattern=r"^[A-Za-z0-9_.-]+$")]
SEEN_BY_ALL_OF = frozenset({Role.MANAGEMENT, Role.SURVEILLANCE, Role.AUDITOR, Role.INSPECTOR})
HOUSE_ONLY = (c.RunOut, c.HoldClocks)
"""Only the house's own clock gives these."""
INTERNAL = (register.FoundHouse, register.KeepRuleset, register.ShowKey)
HALVES = (cage.SellChips, cage.RedeemChips)
"""Given as buy-in and cash-out at the table, never by themselves."""


def _route(kind: type[Struct], path: str, tag: str, give: Callable[..., Any]) -> HTTPRouteHandler:
    name = str(kind.__struct_config__.tag)
    doc = (kind.__doc__ or "").strip()
    return post(
        path.format(name=name),
        operation_id=f"{tag}-{name}",
        tags=[tag],
        status_code=200,
        summary=name.replace("-", " "),
        description=None if doc.startswith(kind.__name__) else doc,
    )(give)


def _table_command(kind: type[c.Command]) -> HTTPRouteHandler:
    async def give(
        table: TableName,
        data: JSONBody[kind],  # type: ignore[valid-type]
        office: TheOffice,
        caller: TheCaller,
        command_id: CommandId,
    ) -> Done:
        return await office.at_table(caller, table, data, command_id)

    return _route(kind, "/tables/{{table:str}}/{name}", "table", give)


def _cage_command(kind: type[cage.CageCommand]) -> HTTPRouteHandler:
    async def give(
        data: JSONBody[kind],  # type: ignore[valid-type]
        office: TheOffice,
        caller: TheCaller,
        command_id: CommandId,
    ) -> Done:
        return await office.at_cage(caller, data, command_id)

    return _route(kind, "/cage/{name}", "cage", give)


def _register_command(kind: type[register.RegisterCommand]) -> HTTPRouteHandler:
    async def give(
        data: JSONBody[kind],  # type: ignore[valid-type]
        office: TheOffice,
        caller: TheCaller,
        command_id: CommandId,
    ) -> Done:
        return await office.at_register(caller, data, command_id)

    return _route(kind, "/register/{name}", "register", give)


@post("/tables/{table:str}/deal", operation_id="table-deal", tags=["table"], status_code=200)
async def deal_next(
    table: TableName, office: TheOffice, caller: TheCaller, command_id: CommandId
) -> Done:
    """The next card from the house's own shoe, to whomever the rules give it."""
    return await office.deal(caller, table, command_id)


@post("/tables/{table:str}/shuffle-house", operation_id="table-shuffle-house", tags=["table"],
      status_code=200)  # fmt: skip
async def shuffle_house(
    table: TableName, office: TheOffice, caller: TheCaller, command_id: CommandId
) -> Done:
    """The house's own shuffle: the order is committed to before anyone bets."""
    return await office.shuffle(caller, table, command_id)


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


@get("/tables/{table:str}/games", operation_id="table-games", tags=["table"], sync_to_thread=False)
def games(table: TableName, office: TheOffice, caller: TheCaller) -> list[GameShown]:
    """The last ten games again, step by step: for those who watch over the table."""
    check_sees_all(office, caller, table)
    found = last_games(office.house.log, office.table(table).name)
    return [GameShown(one.coup, one.over, tuple(map(_step, one.steps))) for one in found]


def _step(told: Told) -> str:
    cited = f" [{', '.join(told.clauses)}]" if told.clauses else ""
    return f"{told.says}{cited}"


def check_sees_all(office: Office, caller: Caller, table: str) -> None:
    if not office.actor(caller, table).roles & SEEN_BY_ALL_OF:
        allowed = ", ".join(sorted(SEEN_BY_ALL_OF))
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command="games", allowed=allowed)


Row = Annotated[int, PathParameter(ge=1, le=2**53)]


@get("/tables/{table:str}/receipts/{row:int}", operation_id="receipt", tags=["table"],
     sync_to_thread=False)  # fmt: skip
def receipt(table: TableName, row: Row, office: TheOffice, caller: TheCaller) -> Receipt:
    """A receipt for something the caller did, signed by the house; auditors may have any."""
    name = office.table(table).name
    by = office.actor(caller, name)
    found = next(office.house.log.read(name, row - 1), None)
    own = found is not None and found.actor == by.person
    if found is None or not (own or by.roles & SEEN_BY_ALL_OF):
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


class Accounts(Struct, frozen=True):
    accounts: dict[str, int]
    trays: dict[str, int]
    slips: dict[int, str]


@get("/cage", operation_id="cage", tags=["cage"], sync_to_thread=False)
def cage_view(office: TheOffice, caller: TheCaller) -> Accounts:
    """The accounts and trays: one's own to a patron, all to cashiers and management."""
    by = office.actor(caller)
    state = office.house.cage.state
    if not by.roles & {Role.CASHIER, Role.MANAGEMENT, Role.SURVEILLANCE, Role.AUDITOR}:
        own = {who: cents for who, cents in state.accounts.items() if who == by.person}
        return Accounts(own, {}, {})
    trays = {name: tray.expected_cents(_bank(office, name)) for name, tray in state.trays.items()}
    slips = {number: f"{one.kind} {one.table}" for number, one in state.slips.items()}
    return Accounts(dict(state.accounts), trays, slips)


def _bank(office: Office, name: str) -> int:
    table = office.house.tables.get(name)
    return table.state.bank_cents if table else 0


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
    if not by.roles & {Role.MANAGEMENT, Role.SURVEILLANCE, Role.AUDITOR}:
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command="register", allowed="management")
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


def _kinds(union: object, without: tuple[type, ...]) -> list[Any]:
    return [kind for kind in get_args(union) if kind not in without]


def router() -> Router:
    """Everything under /api."""
    handlers = [
        *map(_table_command, _kinds(c.TableCommand, HOUSE_ONLY)),
        *map(_cage_command, _kinds(cage.Ask, HALVES)),
        *map(_register_command, _kinds(register.Ask, INTERNAL)),
        *(deal_next, shuffle_house, tables, table_view, games, receipt, me),
        *(cage_view, register_view),
    ]
    return Router("/api", route_handlers=handlers)
