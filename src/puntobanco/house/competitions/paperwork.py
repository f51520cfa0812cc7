"""What a competition's papers say that its state no longer does: draws, rulings and payments.

All of it is read from the rows, so that what is printed is what is on record.
"""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition import events as e
from puntobanco.competition.dates import clocks_ahead
from puntobanco.competition.queries import entry_words
from puntobanco.competition.sentences import tell_competition
from puntobanco.competition.state import Competition
from puntobanco.house.house import House
from puntobanco.house.lookback.told import tell_row
from puntobanco.house.stream import COMPETITION
from puntobanco.house.till.book import CageBook, Movement
from puntobanco.journal import envelope
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row, damaged
from puntobanco.rules.competition.draw import (
    ApartList,
    Certificate,
    Spoken,
    certify,
    places_at,
)
from puntobanco.table import events as t
from puntobanco.table.sentences import PLAIN, Writing, tell

_decode = msgspec.json.Decoder(list[e.CompetitionEvent]).decode
RULED = (
    e.RulingMade, e.EntryDisqualified, e.EntryForfeited, e.SubstituteAccepted, e.StartSet,
    e.SeatMoved, e.PaceDirected, e.TableStopped, e.TableResumed, e.TableFinishedEarly,
    e.ResultAmended, e.PlayOffOrdered, e.WildCardsNamed, e.DisputeDecided, e.PlacesConfirmed,
    e.CompetitionCancelled,
)  # fmt: skip
"""What somebody ruled, directed or put in the place of something else."""
RULED_AT_TABLE = (
    t.IrregularityRuled, t.RulingGiven, t.CoupVoided, t.EarlierCoupVoided, t.NextCoupRuled,
    t.CardCorrected, t.CardsCorrected, t.WagerCorrected, t.PaymentCorrected, t.ChipsCorrected,
    t.PlayerReinstated, t.NoBetCoupDirected, t.DirectionGiven, t.DisputeDecided,
)  # fmt: skip
"""The same at a table of the competition."""
WITNESS = "witness"
OF_NUMBERS = 8
"""The edition since which lots are drawn of the numbers of entries, which everybody may see."""
PAYMENTS = {"fee": "fee-taken", "refund": "fee-refunded", "prize": "paid-from-pot"}
"""What money a receipt is for, and the cage's event that moved it."""


class DrawOnRecord(Struct, frozen=True):
    """One draw of one session, with all that anybody needs to draw it again."""

    session: str
    draw: int
    at_ms: int
    by: str
    seats: dict[str, dict[int, str]]
    first: dict[str, int]
    words: tuple[Spoken, ...]
    """Empty: two people keyed the seats in."""
    committed_ms: int | None
    certificate: Certificate | None
    """None: it was keyed in, and there is nothing to draw again."""
    lots: dict[str, int] = {}
    """Who had which lot."""
    of_ids: bool = False
    """Lots were drawn of the ids of people, as they were up to edition 7."""
    apart: tuple[tuple[str, ...], ...] = ()
    """For whoever is in charge: those who were kept apart."""


class RulingOnRecord(Struct, frozen=True):
    at_ms: int
    where: str
    """The table; empty: the competition itself."""
    says: str
    clauses: tuple[str, ...]
    by: str


def events_in(row: Row) -> list[e.CompetitionEvent]:
    try:
        return _decode(row.events)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
        raise damaged(row) from error


def draws_on_record(
    log: EventLog, competition: Competition, *, whole: bool = False
) -> list[DrawOnRecord]:
    """Every draw there was, the first one first [tas-2018:16.2.3(e), act-2015:15.7]; `whole`, for
    whoever is in charge, with those who were kept apart: everybody else has the fingerprint of the
    list.
    """
    found, committed, apart = list[DrawOnRecord](), {}, ApartList()
    for row in log.read(COMPETITION + competition.id):
        for event in events_in(row):
            if isinstance(event, e.DrawCommitted):
                committed[event.session, event.draw] = row.at_ms
            elif isinstance(event, e.ApartListKept):
                apart = ApartList(event.groups, event.salt) if whole else apart
            elif isinstance(event, e.SeatsDrawn):
                known = committed.get((event.session, event.draw))
                found.append(_drawn(competition, row, event, known, apart))
    return found


def _drawn(
    competition: Competition, row: Row, event: e.SeatsDrawn, known: int | None, apart: ApartList
) -> DrawOnRecord:
    """A draw; lots were drawn of ids up to edition 7, of the numbers of entries since."""
    people = [person for sat in event.seats.values() for person in sat.values()]
    of_ids = row.command is None or envelope.decode(row.command).edition < OF_NUMBERS
    called = {who: who for who in people} if of_ids else entry_words(competition)
    sizes = [(table, len(sat)) for table, sat in event.seats.items()]
    made = (
        certify(
            (competition.id, event.session, event.draw),
            bytes.fromhex(event.seed),
            event.words,
            [called[who] for who in people],
            places_at(sizes),
            event.order,
            event.apart,
        )
        if event.seed
        else None
    )
    groups = apart.groups if made and made.order else ()
    if made and groups:
        listed = tuple(tuple(called.get(who, who) for who in group) for group in groups)
        made = replace(made, apart=listed, salt=apart.salt)
    whose = {called[who]: who for who in people}
    lots = {whose[lot]: number for number, lot in enumerate(made.lots, 1)} if made else {}
    drawn = event.session, event.draw, row.at_ms, row.actor, event.seats, event.first
    known = known if made else None
    return DrawOnRecord(*drawn, event.words, known, made, lots, bool(made) and of_ids, groups)


def told_to_all(competition: Competition, draws: Iterable[DrawOnRecord]) -> list[DrawOnRecord]:
    """The same for everybody: people are the numbers of their entries, and who keyed it in, gave
    the command or spoke the words is not said. What was drawn of ids cannot be drawn again by
    everybody: the house has its file.
    """
    return [_told_to_all(entry_words(competition), one) for one in draws]


def _told_to_all(called: dict[str, str], one: DrawOnRecord) -> DrawOnRecord:
    words = tuple(replace(spoken, by=WITNESS) for spoken in one.words)
    made = one.certificate
    return replace(
        one,
        by="",
        seats={
            table: {seat: called[person] for seat, person in sat.items()}
            for table, sat in one.seats.items()
        },
        words=words,
        certificate=replace(made, words=words) if made and not one.of_ids else None,
        lots={called[person]: number for person, number in one.lots.items()},
        apart=(),
    )


def rulings_on_record(
    house: House, competition: str, writing: Writing = PLAIN
) -> list[RulingOnRecord]:
    """All that people ruled, directed or overrode, in the competition and at its tables."""
    name = COMPETITION + competition
    writing = writing._replace(ahead=clocks_ahead(house.competitions[name].state))
    own = (
        RulingOnRecord(row.at_ms, "", tell_competition(event, writing), event.clauses, row.actor)
        for row in house.log.read(name)
        for event in events_in(row)
        if isinstance(event, RULED)
    )
    tables = house.competitions[name].state.tables
    at_tables = (
        one for table in tables for one in _ruled_at(house.log, table, competition, writing)
    )
    return sorted((*own, *at_tables), key=lambda one: one.at_ms)


def _ruled_at(
    log: EventLog, table: str, competition: str, writing: Writing
) -> Iterator[RulingOnRecord]:
    """Of a table only what belongs to this competition: it may be another's on another day."""
    ours = False
    for row in log.read(table):
        for told in tell_row(row):
            if isinstance(told.event, t.TableOpened):
                held = told.event.conditions
                ours = held is not None and held.competition == competition
            if ours and isinstance(told.event, RULED_AT_TABLE):
                says = tell(told.event, writing)
                yield RulingOnRecord(row.at_ms, table, says, told.clauses, row.actor)


def payments_of(book: CageBook, competition: str, person: str, kind: str) -> list[Movement]:
    """The movements of one kind between an entrant and the competition's pot."""
    return [
        line
        for line in book.whole_ledger(person)
        if line.place == competition and line.kind == PAYMENTS[kind]
    ]


def due_from_pots(house: House, person: str) -> list[tuple[Competition, str, int]]:
    """What competitions still have to pay somebody, a prize or a refund, for the cage to pay."""
    due = []
    for stream in house.competitions.values():
        entrant = stream.state.entries.get(person)
        if entrant is None:
            continue
        if entrant.prize_cents and not entrant.prize_paid:
            due.append((stream.state, "pay-prize", entrant.prize_cents))
        if entrant.owed_cents:
            due.append((stream.state, "pay-refund", entrant.owed_cents))
    return due


def public_names(house: House, competition: Competition, people: Iterable[str]) -> dict[str, str]:
    """What entrants are called outside staff: by the alias each chose; empty: they chose none."""
    aliases = house.people.aliases()
    return {person: aliases.get(person, "") for person in people if person in competition.entries}
