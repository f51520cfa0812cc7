"""Looking back on the web: the last games of a table step by step, and what management must see."""

from collections.abc import Iterator
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from msgspec import Struct

from puntobanco.house.games import last_games
from puntobanco.house.house import House
from puntobanco.journal.verify import HOUSE
from puntobanco.server.api import TableName
from puntobanco.server.asking import show
from puntobanco.server.office import TheCaller, TheOffice
from puntobanco.server.pages import say
from puntobanco.server.reading import in_reader
from puntobanco.server.roles import check_oversees, check_watches_over
from puntobanco.table import events as e
from puntobanco.table.telling import tell

ROWS = 500
"""So far back the list of significant events looks in each stream."""
SIGNIFICANT = (
    e.CoupVoided,
    e.EarlierCoupVoided,
    e.TransferReversed,
    e.CardCorrected,
    e.PaymentCorrected,
    e.NoticeChanged,
    e.PatronExcluded,
    e.RulingGiven,
    e.IncidentRecorded,
    e.DisputeRaised,
    e.ClocksHeld,
    e.TableOpened,
    e.TableClosed,
)
QUIET = frozenset({"heads-recorded"})
"""What the house records of itself and nobody need look at."""
_decode = msgspec.json.Decoder(list[e.TableEvent]).decode


class Noted(Struct, frozen=True):
    """One thing management must see."""

    at_ms: int
    stream: str
    seq: int
    actor: str
    says: str
    clauses: tuple[str, ...] = ()


def significant(house: House) -> list[Noted]:
    """Voids, corrections, changes, failed sign-ins, clock jumps; the newest first."""
    found = list(_of_house(house))
    for name in tuple(house.tables):
        found += _of_table(house, name)
    return sorted(found, key=lambda one: (one.at_ms, one.stream, one.seq), reverse=True)


def _of_house(house: House) -> Iterator[Noted]:
    end = house.log.head(HOUSE).seq
    for row in house.log.read(HOUSE, max(0, end - ROWS)):
        for event in msgspec.json.decode(row.events):
            kind = event.pop("is")
            if kind not in QUIET:
                yield Noted(row.at_ms, HOUSE, row.seq, row.actor, say(f"event.{kind}", **event))


def _of_table(house: House, name: str) -> Iterator[Noted]:
    end = house.log.head(name).seq
    for row in house.log.read(name, max(0, end - ROWS)):
        for event in _decode(row.events):
            suspected = isinstance(event, e.ShoeEnded) and event.repeats
            if isinstance(event, SIGNIFICANT) or suspected:
                says = tell(event)
                yield Noted(row.at_ms, name, row.seq, row.actor, says, event.clauses)


@get("/tables/{table:str}/games", include_in_schema=False)
@in_reader
def games(
    request: Request[Any, Any, State], table: TableName, office: TheOffice, caller: TheCaller
) -> Response[str]:
    """The last ten games again, for those who watch over the table."""
    name = office.table(table).name
    check_watches_over(office, caller, name)
    shown = list(last_games(office.house.log, name))[::-1]
    return show(request, caller, "games.html", table=name, games=shown)


@get("/house/events", include_in_schema=False)
@in_reader
def house_events(
    request: Request[Any, Any, State], office: TheOffice, caller: TheCaller
) -> Response[str]:
    """Significant events of the whole house."""
    check_oversees(office, caller, "events")
    return show(request, caller, "events.html", events=significant(office.house), rows=ROWS)


HANDLERS = (games, house_events)
