"""The page of an event: what was published, how it was drawn and what came of it, for everybody,
while it lasts and ever after. Entrants are their aliases; nothing here is for staff alone.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition import events as e
from puntobanco.competition.dates import began_ms, is_moved, start_ms
from puntobanco.competition.path import stage_names
from puntobanco.competition.queries import (
    apart_listed,
    entries_in,
    promised_pool_cents,
    promised_prizes,
)
from puntobanco.competition.state import Competition, CompetitionPhase, PlaySession
from puntobanco.errors import Reason, Refused
from puntobanco.house.competitions.paperwork import DrawOnRecord, draws_on_record, events_in
from puntobanco.house.competitions.public.board import BoardPlace, BoardRow, ranked
from puntobanco.house.competitions.public.names import PublicNames
from puntobanco.house.house import House
from puntobanco.house.stream import Stream
from puntobanco.rules.competition.draw import check
from puntobanco.rules.competition.sheet import sheet_values
from puntobanco.rules.documents.ruleset import CONDITIONS

PUBLISHED = b'"conditions-published"'
PLACED = frozenset({CompetitionPhase.PLACED, CompetitionPhase.PAID, CompetitionPhase.DONE})


class ChangedItem(Struct, frozen=True):
    """One item of the conditions that another version has otherwise."""

    item: str
    was: str
    now: str


class PublishedVersion(Struct, frozen=True):
    """One version of the conditions, as it was published."""

    number: int
    published_ms: int
    hash: str
    text: str
    changed: tuple[ChangedItem, ...] = ()
    """Against the version before."""


class EventStage(Struct, frozen=True):
    """One stage, with its date and, once it is confirmed, what each table came to."""

    name: str
    start_ms: int | None
    moved: bool
    confirmed: bool
    tables: tuple["EventTable", ...] = ()
    began_ms: int | None = None
    """When it did start."""


class EventTable(Struct, frozen=True):
    name: str
    session: str
    coups: int
    rows: tuple[BoardRow, ...]
    line: int


class EventDraw(Struct, frozen=True):
    """A draw, with all that anybody needs to draw it again."""

    session: str
    draw: int
    at_ms: int
    committed_ms: int | None
    commitment: str = ""
    seed: str = ""
    words: tuple[str, ...] = ()
    people: int = 0
    people_hash: str = ""
    order: int = 0
    """Which of the orders drawn kept everybody apart who was to be; 0: nobody was."""
    apart_hash: str = ""
    """The fingerprint of the list of those; who is on it is not told."""
    holds: bool = True
    """Whether seed, words and list give these very lots."""
    keyed: bool = False
    """Two people keyed the seats in: there is nothing to draw again."""
    of_ids: bool = False
    """Lots were drawn of ids, up to edition 7: only the house has the file to draw them again."""
    seats: dict[str, tuple[BoardRow, ...]] = {}


class EventSeen(Struct, frozen=True):
    """An event as everybody sees it."""

    competition: str
    name: str
    phase: CompetitionPhase
    ruleset: str
    chips: str
    start: str
    cancelled: str
    entries_in: int
    least: int
    most: int
    fee_cents: int
    pool_cents: int
    prizes_cents: tuple[int, ...]
    goods: tuple[str, ...]
    stages: tuple[EventStage, ...]
    versions: tuple[PublishedVersion, ...]
    draws: tuple[EventDraw, ...]
    commitment: str
    places: tuple[BoardPlace, ...]
    apart_hash: str = ""
    """The fingerprint of the list of those who are not drawn to one table."""


class CupEvents:
    """Works the pages of events out, and reads the rows behind one only when it has moved."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._read: dict[str, tuple[int, tuple[list[DrawOnRecord], dict[int, int]]]] = {}

    def event(self, stream: Stream[Competition]) -> EventSeen:
        competition = stream.state
        if not competition.version:
            raise Refused(Reason.NOT_FOUND, CONDITIONS)
        held, names = competition.conditions, PublicNames(self._house, competition)
        draws, published = self._on_record(stream)
        called = self._called
        return EventSeen(
            competition.id,
            held.name,
            competition.phase,
            held.ruleset,
            held.chips,
            held.start,
            competition.cancelled,
            entries_in(competition),
            held.entry.min,
            held.entry.max,
            held.entry.fee_cents or 0,
            promised_pool_cents(competition),
            promised_prizes(competition),
            held.prizes.goods,
            tuple(self._stage(competition, one, names) for one in stage_names(competition)),
            tuple(_versions(competition, published)),
            tuple(_draw(one, names, called) for one in draws),
            competition.commitment,
            tuple(
                BoardPlace(row.from_, row.to, names.all(row.people), row.each_cents)
                for row in competition.places
            )
            if competition.phase in PLACED
            else (),
            apart_listed(competition).hash,
        )

    def _called(self, table: str) -> str:
        return self._house.register.state.settings.called(table)

    def _on_record(self, stream: Stream[Competition]) -> tuple[list[DrawOnRecord], dict[int, int]]:
        """Draws, and when each version was published, from the rows."""
        held = self._read.get(stream.name)
        if held is None or held[0] != stream.seq:
            draws = draws_on_record(self._house.log, stream.state)
            held = self._read[stream.name] = (stream.seq, (draws, self._published(stream)))
        return held[1]

    def _published(self, stream: Stream[Competition]) -> dict[int, int]:
        rows = (row for row in self._house.log.read(stream.name) if PUBLISHED in row.events)
        return {
            event.version: row.at_ms
            for row in rows
            for event in events_in(row)
            if isinstance(event, e.ConditionsPublished)
        }

    def _stage(self, competition: Competition, name: str, names: PublicNames) -> EventStage:
        """A stage; how its tables stood is public once it is confirmed."""
        confirmed = name in competition.confirmed
        sessions = [one for one in competition.sessions.values() if one.stage == name]
        tables = tuple(
            self._table(competition, session, table, names)
            for session in (sessions if confirmed else ())
            for table in session.results
        )
        start, moved = start_ms(competition, name) or None, is_moved(competition, name)
        began = began_ms(competition, name)
        return EventStage(name, start, moved, confirmed, tables, began)

    def _table(
        self, competition: Competition, session: PlaySession, table: str, names: PublicNames
    ) -> EventTable:
        result = session.results[table].result
        called = {person: names(person) for person in session.seats[table].values()}
        rows, line = ranked(competition, session, result, called)
        kind = "" if session.kind == "session" else session.kind
        return EventTable(self._called(table), kind, result.coups, rows, line)


def _versions(competition: Competition, published: dict[int, int]) -> list[PublishedVersion]:
    found, before = list[PublishedVersion](), dict[str, str]()
    for number, one in sorted(competition.versions.items()):
        values = sheet_values(one.text)
        keys = sorted({*values, *before}) if before else ()
        changed = tuple(
            ChangedItem(key, before.get(key, ""), values.get(key, ""))
            for key in keys
            if before.get(key, "") != values.get(key, "")
        )
        at_ms = published.get(number, 0)
        found.append(PublishedVersion(number, at_ms, one.hash, one.text, changed))
        before = values
    return found[::-1]


def _draw(one: DrawOnRecord, names: PublicNames, called: Callable[[str], str]) -> EventDraw:
    made = one.certificate
    seats = {
        called(table): tuple(
            BoardRow(names(person), seat, lot=one.lots.get(person, 0))
            for seat, person in sorted(sat.items())
        )
        for table, sat in one.seats.items()
    }
    seen = EventDraw(one.session, one.draw, one.at_ms, one.committed_ms, seats=seats)
    if made is None:
        return replace(seen, keyed=True)
    return replace(
        seen,
        commitment=made.commitment,
        seed=made.seed,
        words=tuple(spoken.words for spoken in one.words),
        people=len(made.people),
        people_hash=made.people_hash,
        order=made.order,
        apart_hash=made.apart_hash,
        holds=not check(made),
        of_ids=one.of_ids,
    )
