"""A coup as it stands after everything that was said of it: the one fold for looking back."""

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.lookback.told import events_of
from puntobanco.journal.rows import Row
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Result
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.settle import Line, Outcome
from puntobanco.rules.wagers import Wager
from puntobanco.table import events as e
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.queries.coup import is_same, void_line

Changes = dict[str, object]
Key = tuple[str, str, int, int]
"""A wager by owner, option, box, and 1 for the form of a secret wager beside chips there."""


class PastCoup(Struct, frozen=True):
    """One coup, as far as the rows that were read tell."""

    table: str
    number: int
    seq: int
    """The row that opened it."""
    at_ms: int
    kind: CoupKind
    day: str = ""
    """The gaming day; empty where the rows that were read began later."""
    shoe: int = 0
    competition: str = ""
    """Which competition's chips were bet; empty: money, or play chips."""
    play: bool = False
    """Play chips were bet, which are worth nothing."""
    drawn: tuple[Drawn, ...] = ()
    result: Result | None = None
    void: bool = False
    corrected: bool = False
    corrections: int = 0
    """How many of its cards were corrected."""
    over: bool = False
    undealt: bool = False
    """It was opened and closed again: no wager lay on it."""
    forms: tuple[Wager, ...] = ()
    """The secret wagers that were told in it."""
    lines: dict[Key, Line] = {}
    """The last line of each wager; chips and a form on one option are two [tas-2018:16.6.8]."""
    paid_later: tuple[tuple[str, int], ...] = ()
    """Payments put right afterwards: to whom, and how much the bank paid."""
    disputes: tuple[int, ...] = ()
    """The disputes that were raised about it, by their numbers."""

    @property
    def book(self) -> Literal["money", "competition", "play"]:
        """The books that it stands in."""
        if self.play:
            return "play"
        return "competition" if self.competition else "money"


class PastCoups:
    """The coups of a table, from the rows that are read."""

    def __init__(self) -> None:
        self.coups: dict[int, PastCoup] = {}
        self.current = 0
        self._day, self._shoe, self._competition = "", 0, ""
        self._play = False

    def read(self, row: Row) -> None:
        """Apply a row to the coups it speaks of."""
        for event in events_of(row):
            match event:
                case e.TableOpened():
                    self._day = event.gaming_day
                    own = event.conditions
                    in_chips = own is not None and own.chips == "competition"
                    self._competition = own.competition if own and in_chips else ""
                    self._play = bool(event.play_cents)
                case e.GamingDayBegan():
                    self._day = event.gaming_day
                case e.ShoeLoaded():
                    self._shoe += 1
                case e.CoupOpened():
                    self.current = event.number
                    self.coups[event.number] = PastCoup(
                        row.stream, event.number, row.seq, row.at_ms, event.kind, self._day,
                        self._shoe, self._competition, self._play,
                    )  # fmt: skip
                case _:
                    self._say(event)

    def _say(self, event: e.TableEvent) -> None:
        coup = self.coups.get(coup_of(event) or self.current)
        if coup is not None:
            self.coups[coup.number] = coup_after(coup, event)


def coup_after(coup: PastCoup, event: e.TableEvent) -> PastCoup:
    """A coup as an event that speaks of it leaves it."""
    changes = CHANGES.get(type(event))
    return replace(coup, **changes(coup, event)) if changes else coup


def coup_of(event: e.TableEvent) -> int:
    """The coup an event names; 0 if it is about the one in play."""
    match event:
        case e.RecordReplaced():
            return event.record.number
        case (
            e.CardCorrected()
            | e.CardsCorrected()
            | e.WagerCorrected()
            | e.TransferReversed()
            | e.TakenBack()
            | e.PaymentCorrected()
            | e.WagerSettled()
            | e.SecretAnnounced()
        ):
            return event.coup
        case (
            e.ResultDeclared()
            | e.CoupEnded()
            | e.CoupNotDealt()
            | e.CoupVoided()
            | e.CoupReopened()
            | e.EarlierCoupVoided()
            | e.ErrorNoted()
        ):
            return event.number
        case e.DisputeRaised():
            return event.coup or 0
        case _:
            return 0


def _card_corrected(coup: PastCoup, event: e.CardCorrected) -> Changes:
    drawn = _named(coup.drawn, event.position, event.card)
    return {"drawn": drawn, "corrected": True, "corrections": coup.corrections + 1}


def _cards_corrected(coup: PastCoup, event: e.CardsCorrected) -> Changes:
    drawn = event.cards
    return {"drawn": drawn, "corrected": True, "corrections": coup.corrections + 1}


def _wager_corrected(coup: PastCoup, event: e.WagerCorrected) -> Changes:
    """What was settled of it goes back first and is settled anew: its line is not there then."""
    if _beside_form(coup, event.wager):  # which of the two it was, the record says that follows
        return {"corrected": True}
    key = _key(event.wager)
    lines = {known: line for known, line in coup.lines.items() if known != key}
    return {"corrected": True, "lines": lines}


def _record_replaced(coup: PastCoup, event: e.RecordReplaced) -> Changes:
    void = coup.void or event.record.verdict is Verdict.VOID
    result = None if void else event.record.result
    changes: Changes = {
        "drawn": event.record.drawn,
        "result": result,
        "void": void,
        "corrected": True,
    }
    return {**changes, "lines": _lines(coup, event.record.lines)} if coup.forms else changes


def _payment_corrected(coup: PastCoup, event: e.PaymentCorrected) -> Changes:
    return {"corrected": True, "paid_later": (*coup.paid_later, (event.person, event.cents))}


def _transfer_reversed(coup: PastCoup, event: e.TransferReversed) -> Changes:
    """A page of the list may begin after the wager was settled, and then has no line of it."""
    key = _key(event.wager)
    if _beside_form(coup, event.wager) and not _is_live(coup, key, event.wager):
        key = _key(event.wager, 1)
    line = coup.lines.get(key)
    undone = {key: void_line(line, event.clauses)} if line else {}
    return {"corrected": True, "lines": coup.lines | undone}


def _settled(coup: PastCoup, event: e.WagerSettled) -> Changes:
    return {"lines": _with_line(coup, event.line)}


def _with_line(coup: PastCoup, line: Line) -> dict[Key, Line]:
    """Of two wagers on one option the chips are settled first, then the form."""
    form = _beside_form(coup, line.wager) and _is_live(coup, _key(line.wager))
    return {**coup.lines, _key(line.wager, int(form)): line}


def _lines(coup: PastCoup, record: tuple[Line, ...]) -> dict[Key, Line]:
    """The lines of a record; of two on one option the order says which is which."""
    found: dict[Key, Line] = {}
    for line in record:
        beside = _beside_form(coup, line.wager) and _key(line.wager) in found
        found[_key(line.wager, int(beside))] = line
    return found


def _beside_form(coup: PastCoup, wager: Wager) -> bool:
    return any(is_same(form, wager) for form in coup.forms)


def _is_live(coup: PastCoup, key: Key, wager: Wager | None = None) -> bool:
    """Is a line of this wager there that has not gone back?"""
    line = coup.lines.get(key)
    there = line is not None and line.outcome is not Outcome.VOID
    return there and (wager is None or wager == coup.lines[key].wager)


def _named(drawn: tuple[Drawn, ...], position: int, card: Card) -> tuple[Drawn, ...]:
    return tuple(
        replace(known, card=card) if index == position else known
        for index, known in enumerate(drawn, 1)
    )


def _key(wager: Wager, form: int = 0) -> Key:
    return wager.by, wager.on, wager.box, form


CHANGES: dict[type[e.Event], Callable[[PastCoup, Any], Changes]] = {
    e.CardDrawn: lambda coup, event: {"drawn": (*coup.drawn, Drawn(event.card, event.laid))},
    e.CarriedDealt: lambda coup, event: {"drawn": (*coup.drawn, Drawn(event.card))},
    e.CardTurned: lambda coup, event: {"drawn": _named(coup.drawn, event.position, event.card)},
    e.CardCorrected: _card_corrected,
    e.CardsCorrected: _cards_corrected,
    e.WagerCorrected: _wager_corrected,
    e.CoupReopened: lambda _coup, _event: {"result": None, "corrected": True},
    e.ResultDeclared: lambda _coup, event: {"result": event.result},
    e.WagerSettled: _settled,
    e.SecretAnnounced: lambda coup, event: {
        "forms": (*coup.forms, event.wager) if event.wager else coup.forms,
    },
    e.CoupVoided: lambda _coup, _event: {"void": True, "result": None},
    e.EarlierCoupVoided: lambda _coup, _event: {"void": True, "result": None},
    e.TakenBack: lambda _coup, event: {"void": False} if event.what == "void" else {},
    e.RecordReplaced: _record_replaced,
    e.PaymentCorrected: _payment_corrected,
    e.TransferReversed: _transfer_reversed,
    e.DisputeRaised: lambda coup, event: {
        "disputes": (*coup.disputes, event.number) if event.coup else coup.disputes,
    },
    e.CoupEnded: lambda _coup, _event: {"over": True},
    e.CoupNotDealt: lambda _coup, _event: {"over": True, "undealt": True},
}
"""What each event makes of the coup it speaks of; docs/journal.md says the same in words."""
