"""The search, and what waits for the caller, as data."""

from typing import TYPE_CHECKING, Annotated

from litestar import Router, get
from litestar.params import QueryParameter
from msgspec import Struct

from puntobanco.house.access.search import FoundLine, find
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit

if TYPE_CHECKING:
    from puntobanco.server.live.waits import Waits

Words = Annotated[str, QueryParameter(name="q", max_length=80, description="What to look for")]


class WaitSaid(Struct, frozen=True):
    """One thing that waits for the caller."""

    at: str
    kind: str
    number: int
    says: str
    since_ms: int
    href: str
    """The page where it is done."""


@get("/search", operation_id="search")
@in_reader
def search(visit: TheVisit, words: Words = "") -> list[FoundLine]:
    """Tables, people, coups, clauses, receipts and competitions, as far as the caller sees them."""
    return list(find(visit.house, visit.person, words))


@get("/waiting", operation_id="waiting", sync_to_thread=False)
def waiting(visit: TheVisit) -> list[WaitSaid]:
    """What waits for the caller: approvals, disputes, slips, the next step of a table."""
    waits: Waits = visit.kept.waits
    said = visit.kept.pages.told_wait
    return [
        WaitSaid(
            *(line.what.at, line.what.kind, line.what.number),
            *(str(said(line.what)), line.since_ms, line.href),
        )
        for line in waits.of(visit.actor().person)
    ]


HANDLERS = (Router("/api", route_handlers=[search, waiting], tags=["house"]),)
