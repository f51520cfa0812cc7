"""Staff who say nothing play a shoe that was written down, at a live table."""

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.rules.coup import Drawn, Result
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.paper.notation import CoupText, ShoeText
from puntobanco.rules.settle import Line
from puntobanco.rules.settle import Outcome as Paid
from puntobanco.rules.wagers import Wager
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.coup_record import CoupRecord
from tests.kit.table.at import At, of

RICH = 10**7
"""Dollars: nobody runs out of chips."""
OVERSEER = {"act-2015": "sue"}
"""Who makes findings: the casino supervisor in Canberra, elsewhere the inspector."""


class Outcome(Struct, frozen=True):
    """What came of a coup, in terms that paper and table share."""

    betting: bool
    verdict: Verdict
    result: Result | None
    lines: tuple[Line, ...]
    carried: tuple[Drawn, ...]


def play_at_table(text: ShoeText) -> list[Outcome]:
    """Every coup as the table decides it."""
    at = At(text.notice.ruleset)
    at.notice = text.notice
    at.open().staffed()
    boxes = sorted({wager.box for coup in text.coups for wager in coup.wagers} | {1})
    for box in boxes:
        at.do("dan", c.Sit(box, person_at(box)))
        at.do("dan", c.BuyIn(RICH * 100, person_at(box)))
    at.shoe(burn=False)
    if text.burned:
        exposed = text.burned[0].card
        at.do("dan", c.BurnCards(exposed, len(text.burned) - (exposed is not None)))
    return [_coup(at, coup) for coup in text.coups]


def person_at(box: int) -> str:
    return f"p{box}"


def _coup(at: At, coup: CoupText) -> Outcome:
    at.do("dan", c.OpenCoup())
    assert at.table.coup is not None
    betting = at.table.coup.takes_wagers
    for wager in coup.wagers:
        person = person_at(wager.box)
        at.do("dan", c.PlaceWager(wager.box, wager.on, wager.in_time_cents, person))
    if at.table.terms.rules.wagers.close.call and betting:
        at.do("dan", c.NoMoreBets())
    for drawn in coup.carried:
        at.do("dan", c.DealCarried(drawn.card))
    for drawn in coup.drawn:
        at.do("dan", c.DrawCard(drawn.card, drawn.laid))
        if drawn is coup.drawn[0]:
            _too_late(at, coup.wagers)
    overseer = OVERSEER.get(at.notice.ruleset, "ines")
    for found in coup.found:
        at.do(overseer, c.ReportIrregularity(found))
        if at.table.coup and at.table.coup.found is not None:
            at.do(overseer, c.RuleOn("void", "as it was written"))
        if at.table.proposals:  # the void takes back what was paid, pairs too: two people
            at.approve("mara")
    if at.table.coup and at.table.coup.verdict is None:
        at.do("dan", c.DeclareResult())
    ended = at.do("dan", c.EndCoup())
    record = at.table.coups[-1]
    return _outcome(record, of(events.CoupEnded, ended)[0], betting=betting)


def _too_late(at: At, wagers: tuple[Wager, ...]) -> None:
    """What players do to their wagers after the first card."""
    for wager in wagers:
        on, person = wager.on, person_at(wager.box)
        if wager.late_cents:
            at.do("dan", c.ChangeWager(wager.box, on, wager.cents, person))
        if wager.withdrawn:
            at.do("dan", c.WithdrawWager(wager.box, on, person))


def _outcome(record: CoupRecord, ended: events.CoupEnded, *, betting: bool) -> Outcome:
    return Outcome(betting, record.verdict, record.result, record.lines, ended.carried)


def nameless(line: Line) -> Line:
    """A line without its owner's name, which paper does not have.

    Nor, if it is void, with its clauses: a wager that was paid and undone cites what undid it,
    one that was never paid also why it was late.
    """
    clauses = () if line.outcome is Paid.VOID else line.clauses
    return replace(line, wager=replace(line.wager, by=""), clauses=clauses)
