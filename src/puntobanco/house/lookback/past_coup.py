"""A coup as it stands after everything that was said of it: the one fold for looking back."""

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.lookback.told import events_of
from puntobanco.journal.rows import Row
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Result
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.notice import Notice
from puntobanco.rules.settle import Line, Outcome
from puntobanco.rules.wagers import Wager
from puntobanco.table import events as e
from puntobanco.table.actor import Role
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
    dealer: str = ""
    """Who was on duty as the dealer when it was opened."""
    ruleset: str = ""
    odds: str = ""
    """What decided its odds: the digest of the rule set's text, decks, method, pairs."""
    utc_minutes: int = 0
    """How far the table's local time was ahead of UTC."""
    own: bool = False
    """It was dealt from the house's own shoe."""
    nth: int = 0
    """The coups of the same shoe before it of which cards were dealt."""
    after: Result | None = None
    """The last win before it in the same shoe, as it was known then."""
    over_ms: int = 0
    """When it was over."""
    had_before: dict[str, int] = {}
    """What each player had at the table, chips that lay there with it, at their first wager; money
    and play chips alone."""
    had_after: dict[str, int] = {}
    """The same when the coup was over."""

    def won_by(self, person: str) -> int:
        """What a player has won of the bank by it, all that was put right later with it."""
        lines = (one for one in self.lines.values() if one.wager.by == person)
        later = sum(cents for whom, cents in self.paid_later if whom == person)
        return later + sum(one.won_cents - one.collected_cents for one in lines)

    @property
    def players(self) -> set[str]:
        """Whoever had a wager on it, or was paid something by it."""
        wagers = {line.wager.by for line in self.lines.values()}
        return wagers | {person for person, _ in self.paid_later}

    @property
    def book(self) -> Literal["money", "competition", "play"]:
        """The books that it stands in."""
        if self.play:
            return "play"
        return "competition" if self.competition else "money"


class Circumstances(Struct, frozen=True):
    """What every coup has in common that is opened as things stand."""

    day: str = ""
    shoe: int = 0
    competition: str = ""
    play: bool = False
    dealers: tuple[str, ...] = ()
    """Who is signed on as a dealer; the last one deals."""
    ruleset: str = ""
    digest: str = ""
    odds: str = ""
    utc_minutes: int = 0
    own: bool = False
    """The cards were last shuffled by the house itself."""
    order: str = ""
    """The ranks of the house's own shoe that was last opened here."""
    funds: dict[str, int] = {}
    """What each player has at the table, in the chips of now, those that lie there with them."""

    def opens(
        self, stream: str, seq: int, at_ms: int, event: e.CoupOpened, before: PastCoup | None
    ) -> PastCoup:
        """The coup that is opened now, after another."""
        same = before is not None and before.shoe == self.shoe
        return PastCoup(
            stream,
            event.number,
            seq,
            at_ms,
            event.kind,
            day=self.day,
            shoe=self.shoe,
            competition=self.competition,
            play=self.play,
            dealer=self.dealers[-1] if self.dealers else "",
            ruleset=self.ruleset,
            odds=self.odds,
            utc_minutes=self.utc_minutes,
            own=self.own,
            nth=before.nth + bool(before.drawn) if before and same else 0,
            after=_won(before) if before and same else None,
        )


def _won(coup: PastCoup) -> Result | None:
    return coup.after if coup.result in (None, Result.TIE) else coup.result


class PastCoups:
    """The coups of a table, from the rows that are read."""

    def __init__(
        self,
        standing: Circumstances = Circumstances(),  # noqa: B008  it cannot be changed
        current: int = 0,
        recall: Callable[[int], PastCoup | None] = lambda _number: None,
    ) -> None:
        self.coups: dict[int, PastCoup] = {}
        self.current = current
        self.standing = standing
        self.touched: set[int] = set()
        """The coups of which something was said; whoever follows takes them out."""
        self._recall = recall
        """Finds a coup that is no longer among those in memory."""

    def read(self, row: Row) -> None:
        """Apply a row to the coups it speaks of."""
        self.take(row.stream, row.seq, row.at_ms, events_of(row))

    def take(self, stream: str, seq: int, at_ms: int, events: Iterable[e.TableEvent]) -> None:
        """Apply the events of a row."""
        for event in events:
            if isinstance(event, e.CoupOpened):
                before, self.current = self.coups.get(self.current), event.number
                self.coups[event.number] = self.standing.opens(stream, seq, at_ms, event, before)
            elif isinstance(event, e.WagerPlaced):
                self._wagered(event.wager.by)
            elif (stands := STANDS.get(type(event))) is not None:
                self.standing = replace(self.standing, **stands(self.standing, event))
            else:
                self._say(event)
                if isinstance(event, e.SecretAnnounced) and event.wager is not None:
                    self._wagered(event.person)
                if isinstance(event, e.CoupEnded):
                    self._ended(event.number, at_ms)

    def _wagered(self, person: str) -> None:
        """What somebody has at their first wager of a coup."""
        coup = self.coups.get(self.current)
        if coup is not None and coup.book != "competition" and person not in coup.had_before:
            has = {**coup.had_before, person: self.standing.funds.get(person, 0)}
            self.coups[self.current] = replace(coup, had_before=has)

    def _ended(self, number: int, at_ms: int) -> None:
        """What everybody who wagered on a coup has when it is over."""
        coup, funds = self.coups.get(number), self.standing.funds
        if coup is not None:
            has = {person: funds.get(person, 0) for person in coup.had_before}
            self.coups[number] = replace(coup, over_ms=at_ms, had_after=has)

    def _say(self, event: e.TableEvent) -> None:
        if type(event) not in CHANGES:
            return
        number = coup_of(event) or self.current
        coup = self.coups.get(number) or self._recall(number)
        if coup is not None:
            now = self.coups[number] = coup_after(coup, event)
            self.touched.add(number)
            if type(event) in PAYING:
                self._paid(coup, now)

    def _paid(self, before: PastCoup, now: PastCoup) -> None:
        """Chips went from the bank to players, or back."""
        moved = {
            person: now.won_by(person) - before.won_by(person)
            for person in before.players | now.players
        }
        funds = {who: self.standing.funds.get(who, 0) + cents for who, cents in moved.items()}
        self.standing = replace(self.standing, funds={**self.standing.funds, **funds})


def coup_after(coup: PastCoup, event: e.TableEvent) -> PastCoup:
    """A coup as an event that speaks of it leaves it."""
    changes = CHANGES.get(type(event))
    return replace(coup, **changes(coup, event)) if changes else coup


def _opened(_standing: Circumstances, event: e.TableOpened) -> Changes:
    own = event.conditions
    in_chips = own is not None and own.chips == "competition"
    return {
        "day": event.gaming_day,
        "competition": own.competition if own and in_chips else "",
        "play": bool(event.play_cents),
        "utc_minutes": event.utc_minutes,
        "digest": event.opened.digest,
        **_noticed(event.opened.digest, event.notice),
    }


def _noticed(digest: str, notice: Notice) -> Changes:
    odds = f"{digest} {notice.decks} {notice.method} {notice.pairs}".strip()
    return {"ruleset": notice.ruleset, "odds": odds}


def _signed_off(standing: Circumstances, event: e.StaffSignedOff) -> Changes:
    return {"dealers": tuple(one for one in standing.dealers if one != event.person)}


def _signed_on(standing: Circumstances, event: e.StaffSignedOn) -> Changes:
    deals = event.role is Role.DEALER
    return {"dealers": (*standing.dealers, event.person)} if deals else {}


def ranks_of(order: Iterable[Card]) -> str:
    """An order by its ranks alone, one letter each."""
    return "".join(str(card)[0] for card in order)


def _has(sign: int) -> Callable[[Circumstances, Any], Changes]:
    """Chips that somebody gets, or gives back; whoever has none any more is forgotten."""

    def after(standing: Circumstances, event: Any) -> Changes:
        cents = standing.funds.get(event.person, 0) + sign * event.cents
        others = {who: has for who, has in standing.funds.items() if who != event.person}
        return {"funds": {**others, event.person: cents} if cents else others}

    return after


STANDS: dict[type[e.Event], Callable[[Circumstances, Any], Changes]] = {
    e.TableOpened: _opened,
    e.NoticeChanged: lambda standing, event: _noticed(standing.digest, event.notice),
    e.GamingDayBegan: lambda _standing, event: {"day": event.gaming_day},
    e.CardsShuffled: lambda _standing, event: {"own": bool(event.commitment)},
    e.ShoeLoaded: lambda standing, _event: {"shoe": standing.shoe + 1},
    e.CommitmentOpened: lambda _standing, event: {"order": ranks_of(event.order)},
    e.StaffSignedOn: _signed_on,
    e.StaffSignedOff: _signed_off,
    e.ChipsBought: _has(1),
    e.ChipsCashed: _has(-1),
    e.PlayChipsGiven: _has(1),
    e.PlayChipsReturned: _has(-1),
    e.SecretDeducted: _has(-1),
    e.SecretLapsed: _has(1),
    e.AbsenceDeducted: _has(-1),
    e.LatenessDeducted: _has(-1),
}
"""What each event changes for the coups that are opened after it."""


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


PAYING = frozenset(
    {e.WagerSettled, e.WagerCorrected, e.TransferReversed, e.PaymentCorrected, e.RecordReplaced}
)
"""Events by which chips move between bank and players."""
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
