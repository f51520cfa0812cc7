"""A dispute with all that belongs to it, as one file for whoever reviews it [act-2015:14.4]."""

from collections.abc import Iterator

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.house import House
from puntobanco.house.lookback.coups import find_coup
from puntobanco.house.lookback.receipts import concerns
from puntobanco.house.lookback.replay import Replay, Replays
from puntobanco.house.lookback.told import Told, events_of, tell_row
from puntobanco.journal.receipt import Receipt, give_receipt
from puntobanco.journal.rows import Row
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import events as e
from puntobanco.table.sentences import Writing, in_currency, tell

ABOUT_DISPUTES = (b'"dispute-', b'"review-requested"')
RULINGS = (
    e.IrregularityRuled,
    e.RulingAwaited,
    e.RulingGiven,
    e.CoupVoided,
    e.EarlierCoupVoided,
    e.TakenBack,
    e.ErrorNoted,
    e.TransferReversed,
    e.CardCorrected,
    e.RecordReplaced,
    e.PaymentCorrected,
)


class DossierLine(Struct, frozen=True):
    """One thing that happened: its row, when, by whom, what and why."""

    row: int
    at_ms: int
    actor: str
    says: str
    clauses: tuple[str, ...]


class Dossier(Struct, frozen=True):
    """A dispute: what was said and decided, the coup, whose wagers, the rulings, the receipts."""

    table: str
    dispute: int
    person: str
    coup: int | None
    course: tuple[DossierLine, ...]
    """The dispute itself: raised, decided, given to review."""
    wagers: tuple[DossierLine, ...]
    """What became of the person's wagers in that coup."""
    events: tuple[DossierLine, ...]
    """Everything that happened in the coup, and was ruled on it later."""
    rulings: tuple[DossierLine, ...]
    receipts: tuple[Receipt, ...]
    """Of every row named above, signed by the house."""


class Papers(Struct, frozen=True):
    """What a dossier is made of, for whoever tells it in another way."""

    raised: e.DisputeRaised
    course: tuple[Told, ...]
    replay: Replay | None
    """The coup that it is about, if it is about one."""

    @property
    def happened(self) -> tuple[Told, ...]:
        """Everything that happened in the coup, and was ruled on it later."""
        if self.replay is None:
            return ()
        return (*(step.told for step in self.replay.steps), *self.replay.later)

    @property
    def wagers(self) -> tuple[Told, ...]:
        return tuple(one for one in self.happened if concerns(one.event, self.raised.person))

    @property
    def rulings(self) -> tuple[Told, ...]:
        return tuple(one for one in self.happened if isinstance(one.event, RULINGS))


def papers_of(house: House, replays: Replays, stream: str, number: int) -> Papers:
    """The rows of a dispute, and the coup that it is about."""
    course = tuple(_course(house, stream, number))
    if not course:
        raise Refused(Reason.NO_SUCH_DISPUTE, CONDITIONS, number=number)
    raised = course[0].event
    assert isinstance(raised, e.DisputeRaised)
    return Papers(raised, course, replays.replay(stream, raised.coup) if raised.coup else None)


def dossier(house: House, replays: Replays, stream: str, number: int) -> Dossier:
    """All that belongs to one dispute at a table."""
    papers = papers_of(house, replays, stream, number)
    told_in = in_currency(house.register.state.currency)

    def lines(told: tuple[Told, ...]) -> tuple[DossierLine, ...]:
        return tuple(_line(one, told_in) for one in told)

    return Dossier(
        stream,
        number,
        papers.raised.person,
        papers.raised.coup,
        lines(papers.course),
        lines(papers.wagers),
        lines(papers.happened),
        lines(papers.rulings),
        receipts_of(house, stream, papers),
    )


def receipts_of(house: House, stream: str, papers: Papers) -> tuple[Receipt, ...]:
    """A receipt of every row of a dossier."""
    named = sorted({telling.seq for telling in (*papers.course, *papers.happened)})
    return tuple(give_receipt(row, house.key) for row in _rows(house, stream, named))


def _course(house: House, stream: str, number: int) -> Iterator[Told]:
    """The rows of a dispute, from its beginning."""
    about = (e.DisputeRaised, e.DisputeDecided, e.ReviewRequested)
    for row in house.log.read(stream, _begins(house, stream, number)):
        if not any(tag in row.events for tag in ABOUT_DISPUTES):
            continue
        if any(isinstance(one, about) and one.number == number for one in events_of(row)):
            yield from (
                one
                for one in tell_row(row)
                if isinstance(one.event, about) and one.event.number == number
            )


def _begins(house: House, stream: str, number: int) -> int:
    """The row after which a dispute was raised: it is about a coup that had been opened."""
    raised = house.table(stream).state.disputes.get(number)
    opened = find_coup(house.log, stream, raised.coup) if raised and raised.coup else None
    return opened.seq if opened else 0


def _line(one: Told, told_in: Writing) -> DossierLine:
    return DossierLine(one.seq, one.at_ms, one.actor, tell(one.event, told_in), one.clauses)


def _rows(house: House, stream: str, numbers: list[int]) -> Iterator[Row]:
    for number in numbers:
        row = next(house.log.read(stream, number - 1), None)
        if row is not None and row.seq == number:
            yield row
