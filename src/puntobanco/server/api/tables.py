"""What is shown of a table beside the play: its notice, a patron's receipts, its own shoes that are
over, its export.
"""

from typing import Annotated

from litestar import Router, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from puntobanco.house.access.sign_in import PLAY
from puntobanco.house.giving.forms import FormShown
from puntobanco.house.house import CardSeen
from puntobanco.house.lookback.receipts import Fact, Kept, kept_by, receipt_of, signed_part
from puntobanco.house.lookback.shoes import ShoeListed
from puntobanco.journal.receipt import ShortReceipt
from puntobanco.rules.documents.ruleset import PairPays, Pays, TableOfPlay
from puntobanco.rules.opened_shoe import OpenedShoe
from puntobanco.server.addresses import PersonId, Proven, RowNumber, TableName
from puntobanco.server.commands.api import CommandId, strictly, table_rights
from puntobanco.server.pages.journal.downloads import FILE, table_export
from puntobanco.server.pages.journal.shoes import ShoeNumber, shoe_of, shoes_of
from puntobanco.server.pages.print import main_pays, pair_pays, posted
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit
from puntobanco.table import commands as c
from puntobanco.table.view import Sign


class NoticeShown(Struct, frozen=True):
    """The sign of a table, and what must be at hand beside it."""

    sign: Sign | None
    pays: tuple[Pays, ...]
    pairs: dict[str, PairPays]
    """By the kind of pair; `any` where all are paid alike."""
    play: TableOfPlay


class Squeezed(Struct, frozen=True, forbid_unknown_fields=True):
    """Which card of the coup, counted as they left the shoe."""

    position: Annotated[int, Meta(ge=1, le=12)]


class ReceiptPart(Struct, frozen=True):
    """A row of the journal as far as it is the caller's, signed by the house.

    The signature is over the row's hash: a reader who may see the whole row finds it unchanged.
    """

    stream: str
    seq: int
    at_ms: int
    hash: str
    key: str
    signature: str
    whole: bool
    """The caller may have the whole row as a receipt."""
    facts: tuple[Fact, ...]
    play: bool
    """It was played for play money, which is worth nothing."""


@get("/notice", operation_id="table-notice", sync_to_thread=False)
def notice(visit: TheVisit, table: TableName) -> NoticeShown:
    """Limits, payments with their clauses, and the table of play."""
    sign, terms = posted(visit, table)
    pays = tuple(pays for _, _, pays in main_pays(terms))
    return NoticeShown(sign, pays, dict(pair_pays(terms)), terms.rules.table_of_play)


@get("/receipts", operation_id="table-receipts")
@in_reader
def receipts(visit: TheVisit, table: TableName) -> list[Kept]:
    """What the caller wagered and was paid at this table, the newest first."""
    name = visit.table(table).name
    return kept_by(visit.house, name, visit.actor(name).person)


@get("/receipts/{row:int}/part", operation_id="table-receipt-part")
@in_reader
def receipt_part(visit: TheVisit, table: TableName, row: RowNumber) -> ReceiptPart:
    """What a row says of the caller, as it is printed for them."""
    name = visit.table(table).name
    shown = receipt_of(visit.house, visit.actor(name), name, row)
    receipt = shown.receipt
    return ReceiptPart(
        receipt.stream,
        receipt.seq,
        receipt.at_ms,
        receipt.hash,
        receipt.key,
        receipt.signature,
        shown.whole,
        shown.facts,
        shown.play,
    )


@get("/receipts/{row:int}/short", operation_id="table-receipt-short")
@in_reader
def receipt_short(
    visit: TheVisit, table: TableName, row: RowNumber, inclusion: Proven = False
) -> ShortReceipt:
    """The hash of a row that says something of the caller, signed: a file to keep and to verify.
    With `inclusion` it proves that a root covers the row.
    """
    name = visit.table(table).name
    return signed_part(visit.house, visit.actor(name), name, row, proven=inclusion)


@get("/shoes", operation_id="table-shoes")
@in_reader
def shoes(visit: TheVisit, table: TableName) -> list[ShoeListed]:
    """The orders of the house's own shoes that were opened here, the newest first."""
    return shoes_of(visit, table)


@get("/shoes/{number:int}", operation_id="table-shoe")
@in_reader
def shoe(visit: TheVisit, table: TableName, number: ShoeNumber) -> OpenedShoe:
    """One of them with all that it came from: the file that anybody checks it by."""
    return shoe_of(visit, table, number)


@post(
    "/forms/{person:str}",
    operation_id="table-form",
    status_code=200,
    before_request=table_rights(c.ExamineSecret),
)
async def form(visit: TheVisit, table: TableName, person: PersonId) -> FormShown:
    """The form of a secret wager, to the inspector on duty alone; that it was shown is noted."""
    name = visit.table(table).name
    return await visit.house.form(name, person, visit.actor(name).person)


@post(
    "/squeeze",
    operation_id="table-squeeze",
    status_code=200,
    opt=PLAY,
    before_request=table_rights(c.SqueezeCard),
)
async def squeeze(
    visit: TheVisit, table: TableName, data: JSONBody[Squeezed], command_id: CommandId
) -> CardSeen:
    """A face-down card of the house's own shoe, to the player who holds it, and to nobody else."""
    name, asked = visit.table(table).name, await strictly(visit, data)
    return await visit.gateway.squeeze(visit.caller, name, asked.position, command_id)


export = get("/export", operation_id="table-export", media_type=FILE)(table_export)
HANDLERS = (
    Router(
        "/api/tables/{table:str}",
        route_handlers=[
            notice,
            receipts,
            receipt_part,
            receipt_short,
            shoes,
            shoe,
            form,
            squeeze,
            export,
        ],
        tags=["table"],
    ),
)
