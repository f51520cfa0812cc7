"""Coups of a table and the verification of the journal, as data."""

from functools import partial
from typing import Annotated

from litestar import get, post
from litestar.params import QueryParameter
from msgspec import Struct

from puntobanco.house.lookback.course import Moment, Part, Versions, retraced, versions_of
from puntobanco.house.lookback.dossier import Dossier
from puntobanco.journal.witness.shown import ShownRoot, newest_root, roots_since
from puntobanco.rules.cards import Card
from puntobanco.rules.drawing import Tableau, fold
from puntobanco.server.addresses import TableName
from puntobanco.server.pages.journal.coups import (
    Before,
    CoupNumber,
    drawing_table,
    page_of,
    proof_of,
    replay_of,
)
from puntobanco.server.pages.journal.downloads import DisputeNumber, dossier_of
from puntobanco.server.pages.journal.keys import PublicKey, public_keys
from puntobanco.server.pages.journal.verification import Status, begin_check, verification_status
from puntobanco.server.reader_threads import in_reader, read
from puntobanco.server.visit import TheVisit


class CoupShown(Struct, frozen=True):
    coup: int
    row: int
    at_ms: int
    kind: str
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    result: str | None
    void: bool
    corrected: bool
    over: bool
    undealt: bool
    """Opened and closed again without a wager or a card."""
    disputes: tuple[int, ...]
    """The disputes that were raised about it, by their numbers."""


class CoupsShown(Struct, frozen=True):
    """Coups, the newest first, from a bounded window of rows."""

    coups: tuple[CoupShown, ...]
    ruled_to: int
    """Later rulings are known up to this row."""
    before: int | None
    """Ask with this for the page before; null on the oldest."""


@get("/api/tables/{table:str}/journal", operation_id="table-journal", tags=["table"])
@in_reader
def journal_data(visit: TheVisit, table: TableName, before: Before = None) -> CoupsShown:
    """The coups of a table, fifty at a time: for those who watch over it."""
    page = page_of(visit, table, before)
    coups = tuple(
        CoupShown(
            record.number,
            record.seq,
            record.at_ms,
            record.kind,
            record.player,
            record.banker,
            record.result,
            record.void,
            record.corrected,
            record.over,
            record.undealt,
            record.disputes,
        )
        for record in page.coups
    )
    return CoupsShown(coups, page.ruled_to, page.before)


class StepShown(Struct, frozen=True):
    row: int
    at_ms: int
    actor: str
    says: str
    clauses: tuple[str, ...]
    part: Part
    """The part of the coup that it belongs to."""
    counts: bool
    """False: a later step replaced it."""
    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    result: str | None
    """The hands and the result as they stood after it."""


class CoupReplayed(Struct, frozen=True):
    coup: int
    over: bool
    steps: tuple[StepShown, ...]
    later: tuple[StepShown, ...]
    """Rulings on this coup after later coups had begun."""
    versions: Versions | None
    """If it was put right: its first version, how it stands, and the money between them."""
    disputes: tuple[int, ...]
    links_hold: bool
    """Each of its rows is whole, and linked to the one before."""
    sound_ms: int | None
    """When the whole record was last found sound, if that reached this coup."""


@get("/api/tables/{table:str}/journal/{coup:int}", operation_id="table-coup", tags=["table"])
@in_reader
def coup_data(visit: TheVisit, table: TableName, coup: CoupNumber) -> CoupReplayed:
    """One coup, step by step with its clauses: for those who watch over the table."""
    replay = replay_of(visit, table, coup)
    course, tableau = retraced(replay, table), drawing_table(visit, table)
    steps = [_step(moment, tableau) for moment in course]
    proof, own = proof_of(visit, table, course), len(replay.steps)
    return CoupReplayed(
        coup,
        replay.over,
        tuple(steps[:own]),
        tuple(steps[own:]),
        versions_of(course),
        course[-1].coup.disputes,
        proof.holds,
        proof.checked.ended_ms if proof.checked else None,
    )


def _step(moment: Moment, tableau: Tableau) -> StepShown:
    told, hands = moment.told, fold(moment.coup.drawn, tableau)
    return StepShown(
        told.seq,
        told.at_ms,
        told.actor,
        told.says,
        told.clauses,
        moment.part,
        moment.counts,
        hands.player,
        hands.banker,
        moment.coup.result,
    )


@get("/api/tables/{table:str}/disputes/{dispute:int}", operation_id="dispute", tags=["table"])
@in_reader
def dossier_data(visit: TheVisit, table: TableName, dispute: DisputeNumber) -> Dossier:
    """A dispute with its coup, wagers, events, rulings and receipts: for a review of it."""
    return dossier_of(visit, table, dispute)


@get("/api/house/verification", operation_id="verification", tags=["journal"])
@in_reader
def verification_data(visit: TheVisit) -> Status:
    """What the last verification of the journal found: for those who oversee the house."""
    return verification_status(visit)


@post("/api/house/verification", operation_id="verify", tags=["journal"], status_code=200)
async def verify_data(visit: TheVisit) -> Status:
    """Verify every link, root, result, payout and balance; one at a time."""
    await begin_check(visit)
    return await read(partial(verification_status, visit))


HouseRow = Annotated[int, QueryParameter(ge=0, le=2**53)]


@get("/api/house/roots", operation_id="roots", tags=["journal"])
@in_reader
def roots_data(visit: TheVisit, since: HouseRow = 0) -> tuple[ShownRoot, ...]:
    """Roots on record from a row of the house on, for a witness; of `since` 0, the newest alone
    with the last row of every stream.
    """
    visit.check_oversees("verification")
    if since:
        return roots_since(visit.house.log, since)
    newest = newest_root(visit.house.log)
    return (newest,) if newest else ()


@get("/api/keys", operation_id="public-keys", tags=["journal"])
@in_reader
def keys_data(visit: TheVisit) -> list[PublicKey]:
    """The public keys that receipts are signed with, the newest first, for anybody to check by."""
    return public_keys(visit)


HANDLERS = (
    *(journal_data, coup_data, dossier_data, verification_data, verify_data, roots_data),
    keys_data,
)
