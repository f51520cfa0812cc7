"""An entrant's papers: receipts of fee and prize, what they endorsed, and withdrawing."""

from litestar import Response, get

from puntobanco.competition.commands import Withdraw
from puntobanco.competition.events import EntryWithdrawn
from puntobanco.errors import Refused
from puntobanco.house.competitions.paperwork import PAYMENTS, payments_of
from puntobanco.house.foresight import look_ahead_in
from puntobanco.house.till.papers import CageReceipt, receipt_at_cage
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.commands.preview import foreseen_in
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.pages.competitions.entrant.now import FOLDER, entrant_context, told
from puntobanco.server.pages.journal.receipts import code_of
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit


@get("/competitions/{competition:str}/me/papers", include_in_schema=False)
@in_reader
def papers_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """What was paid and won, each with the house's signature, and the last day for a refund."""
    context = entrant_context(visit, competition)
    state, entry = visit.competition(competition).state, context["me"].entry
    receipts = {kind: _receipts(visit, competition, kind) for kind in PAYMENTS}
    endorsed = state.versions.get(entry.version) if entry else None
    return visit.show(
        f"{FOLDER}/papers.html",
        **context,
        receipts=receipts,
        codes={
            one.receipt.seq: code_of(one.receipt, whole=True)
            for many in receipts.values()
            for one in many
        },
        endorsed=endorsed,
    )


def _receipts(visit: Visit, cup: str, kind: str) -> list[CageReceipt]:
    by, book = visit.actor(), book_of(visit)
    lines = payments_of(book, cup, by.person, kind)
    return [receipt_at_cage(visit.house, book, by, line.seq) for line in lines]


@get("/competitions/{competition:str}/me/withdraw", include_in_schema=False)
async def withdraw_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """What would come back, before anything is given up."""
    context, preview, problem, back_cents = entrant_context(visit, competition), None, None, 0
    try:
        preview = await foreseen_in(visit, competition, Withdraw())
        back_cents = _coming_back(visit, competition)
    except Refused as refused:
        problem = refused
    return visit.show(
        f"{FOLDER}/withdraw.html",
        **context,
        preview=preview,
        back_cents=back_cents,
        problem=told(problem, visit.house.register.state.currency),
    )


def _coming_back(visit: Visit, cup: str) -> int:
    stream = visit.competition(cup)
    by = visit.actor(stream.name)
    events = look_ahead_in(stream.state, Withdraw(by.person), by).events
    return sum(one.refund_cents for one in events if isinstance(one, EntryWithdrawn))


HANDLERS = (papers_page, withdraw_page)
