"""What the API shows of tables, cage, register and the caller, as each may see it."""

from litestar import Router, get
from msgspec import Struct

from puntobanco.cage.view import CageView
from puntobanco.cage.view import view as cage_view
from puntobanco.house.access.rights import WATCHES, check_house_role
from puntobanco.house.access.sign_in import GUESTS
from puntobanco.house.floor.listed import ListedTable
from puntobanco.house.giving.command import dealt_at
from puntobanco.house.lookback.games import last_games
from puntobanco.house.lookback.receipts import whole_receipt
from puntobanco.house.lookback.told import Told
from puntobanco.journal.receipt import Receipt
from puntobanco.register.settings import Tempo
from puntobanco.register.view import RegisterEntry
from puntobanco.register.view import view as view_register
from puntobanco.server.addresses import Proven, RowNumber, TableName
from puntobanco.server.commands.api import check_one_id
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit
from puntobanco.table.actor import Role
from puntobanco.table.view import View, view


@get("/tables", operation_id="tables", tags=["table"], sync_to_thread=False)
def tables(visit: TheVisit) -> list[ListedTable]:
    """Every table of the house."""
    return list(visit.house.listed())


class Seen(Struct, frozen=True):
    """A table as the caller may see it, and how far its record had come."""

    seq: int
    now_ms: int
    view: View
    tempo: Tempo
    """How long bots and the house's own shoe take here."""
    aliases: dict[int, str]
    """By seat, what those who sit there want to be called; who wants nothing is not named."""
    since_ms: int
    """Since when the next step is the next, as far as this process has seen it."""
    dealt: str
    """The coup and the number of its cards; sent with a deal, the next card is dealt after this one
    or not at all."""


@get("/tables/{table:str}", operation_id="table-view", tags=["table"], sync_to_thread=False,
     opt=GUESTS)  # fmt: skip
def table_view(visit: TheVisit, table: TableName) -> Seen:
    """A table as the caller may see it."""
    stream = visit.table(table)
    seen = view(stream.state, visit.viewer(stream))
    people, tempo = visit.house.people, visit.house.register.state.settings.tempo_of(table)
    called = {seat: people.alias(person) for seat, person in stream.state.seated.items()}
    aliases = {seat: alias for seat, alias in called.items() if alias}
    since_ms = visit.kept.live_pages.step_times.note(stream).since_ms
    dealt = dealt_at(stream.state)
    return Seen(stream.seq, visit.house.time.now_ms(), seen, tempo, aliases, since_ms, dealt)


class GameShown(Struct, frozen=True):
    coup: int
    over: bool
    steps: tuple[str, ...]


@get("/tables/{table:str}/games", operation_id="table-games", tags=["table"])
@in_reader
def games(visit: TheVisit, table: TableName) -> list[GameShown]:
    """The last ten games again, step by step: for those who watch over the table."""
    visit.check_watches_over(table)
    found = last_games(visit.house.log, visit.table(table).name)
    return [GameShown(one.coup, one.over, tuple(map(_step, one.steps))) for one in found]


def _step(told: Told) -> str:
    cited = f" [{', '.join(told.clauses)}]" if told.clauses else ""
    return f"{told.says}{cited}"


@get("/tables/{table:str}/receipts/{row:int}", operation_id="receipt", tags=["table"])
@in_reader
def receipt(
    visit: TheVisit, table: TableName, row: RowNumber, inclusion: Proven = False
) -> Receipt:
    """A receipt for something the caller did, signed by the house; auditors may have any. With
    `inclusion` it proves that a root covers the row.
    """
    name = visit.table(table).name
    return whole_receipt(visit.house, visit.actor(name), name, row, proven=inclusion)


class Me(Struct, frozen=True):
    person: str
    name: str
    roles: tuple[Role, ...]


@get("/me", operation_id="me", tags=["sign-in"], sync_to_thread=False, opt=GUESTS)
def me(visit: TheVisit) -> Me:
    """Who the caller is, and their roles in the house."""
    by = visit.actor()
    return Me(by.person, visit.house.people.get(by.person).name, tuple(sorted(by.roles)))


@get("/cage", operation_id="cage", tags=["cage"], sync_to_thread=False)
def cage_seen(visit: TheVisit) -> CageView:
    """The cage: one's own account to a patron, all of it to those who keep it."""
    by = visit.actor()
    return cage_view(visit.house.cage.state, by.person, by.roles)


@get("/register", operation_id="register", tags=["register"], sync_to_thread=False)
def register_view(visit: TheVisit) -> list[RegisterEntry]:
    """Who belongs to the house."""
    by = visit.actor()
    check_house_role(by, WATCHES, "register")
    return view_register(visit.house.register.state)


HANDLERS = (
    Router(
        "/api",
        route_handlers=[tables, table_view, games, receipt, me, cage_seen, register_view],
        before_request=check_one_id,
    ),
)
