"""What the caller may do now, as data: at a table, at the cage, in the register."""

from typing import Annotated

from litestar import Router, get
from msgspec import Meta, Struct

from puntobanco.errors import Refused
from puntobanco.house.access.sign_in import GUESTS
from puntobanco.house.may import GIVEN, why_not
from puntobanco.server.addresses import TableName
from puntobanco.server.commands.counters import COUNTERS, Counter
from puntobanco.server.errors import Error, error_of
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Role
from puntobanco.table.authority import Allowed, counting_roles
from puntobanco.table.state import Phase, Table
from puntobanco.words.commands import COMMANDS


class May(Struct, frozen=True):
    """One command, as far as the caller is concerned."""

    command: Annotated[str, Meta(description="Its name, as in the address it is given to")]
    title: str
    when: Annotated[str, Meta(description="When people give it, in plain words")]
    possible: Annotated[bool, Meta(description="Can the caller give it now, with some facts?")]
    final: Annotated[bool, Meta(description="It cannot be taken back: ask for a preview first")]
    roles: Annotated[tuple[Role, ...], Meta(description="Whose command it is")]
    second: Annotated[
        tuple[Role, ...],
        Meta(description="Of these another person must approve it; empty: it takes effect at once"),
    ]
    phases: Annotated[
        tuple[Phase, ...], Meta(description="While the table is one of these; elsewhere empty")
    ]
    why_not: Annotated[Error | None, Meta(description="What it would be refused for now")]


def _may(name: str, allowed: Allowed, refused: Refused | None, table: Table | None = None) -> May:
    def count(roles: frozenset[Role]) -> tuple[Role, ...]:
        return tuple(sorted(counting_roles(table, roles) if table else roles))

    return May(
        name,
        COMMANDS[name].title,
        COMMANDS[name].when,
        possible=refused is None,
        final=allowed.final,
        roles=count(allowed.roles),
        second=count(allowed.second),
        phases=tuple(phase for phase in Phase if table and phase in allowed.phases),
        why_not=error_of(refused) if refused else None,
    )


@get("/tables/{table:str}/may", operation_id="table-may", tags=["table"], sync_to_thread=False,
     opt=GUESTS)  # fmt: skip
def table_may(visit: TheVisit, table: TableName) -> list[May]:
    """Every command of a table: whether the caller can give it now, and if not, why not.

    It goes by the person; a token of limited scope lets through what it is for.
    """
    state, by, bot = (
        visit.table(table).state,
        visit.actor(table),
        visit.gateway.bot_dealer(table),
    )
    return [
        _may(name, allowed, why_not(state, name, by, bot_dealer=bot), state)
        for name, allowed in GIVEN.items()
    ]


@get("/cage/may", operation_id="cage-may", tags=["cage"], sync_to_thread=False)
def cage_may(visit: TheVisit) -> list[May]:
    """Every command of the cage: whether the caller can give it now, and if not, why not."""
    return _at_counter(visit, COUNTERS["cage"])


@get("/register/may", operation_id="register-may", tags=["register"], sync_to_thread=False)
def register_may(visit: TheVisit) -> list[May]:
    """Every command of the register: whether the caller can give it now, and if not, why not."""
    return _at_counter(visit, COUNTERS["register"])


def _at_counter(visit: Visit, counter: Counter) -> list[May]:
    by = visit.actor()
    return [
        _may(name, counter.allowed[kind], counter.why_not(visit.house, name, by))
        for name, kind in counter.kinds.items()
    ]


HANDLERS = (Router("/api", route_handlers=[table_may, cage_may, register_may]),)
