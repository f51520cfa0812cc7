"""Settlement: every wager of a coup, with its odds, its payout and the clauses that say so."""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction
from math import lcm
from typing import cast

from puntobanco import notebook
from puntobanco.brief import Brief
from puntobanco.errors import Reason, Refused
from puntobanco.rules.announce import next_card_clause
from puntobanco.rules.bounds import Whole, Words
from puntobanco.rules.cards import Card, pair
from puntobanco.rules.coup import Coup, Result
from puntobanco.rules.documents.ruleset import Bet, Ends, Pays, Ratio
from puntobanco.rules.notice import PAIR_BETS, Limits, Rounding, Terms
from puntobanco.rules.wagers import Taken, Wager, limits_for
from puntobanco.words import money


class Outcome(StrEnum):
    """What became of a wager; a push is a result, a void is no result at all."""

    WINS = "wins"
    LOSES = "loses"
    PUSHES = "pushes"
    VOID = "void"
    RETURNED = "returned"
    """It was not taken as a wager: it came late, or below the minimum after a warning."""
    PENDING = "pending"
    """It is held until a person has ruled."""


ROUND = (Outcome.LOSES, *(outcome for outcome in Outcome if outcome is not Outcome.LOSES))
"""A dealer's way round the table: what is taken, what is paid, what goes back, what waits."""


class Line(Brief, frozen=True):
    """The settlement of one wager."""

    wager: Wager
    outcome: Outcome
    stake_cents: Whole
    """The part of the wager that was at risk."""
    returned_cents: Whole
    """The owner's own chips that go back: the stake unless lost, and what was not taken."""
    won_cents: Whole
    """What the bank pays, in chips it can pay."""
    odds: Ratio | None
    breakage: Ratio
    """Cents paid less exact winnings, as a fraction: above zero the bank paid more."""
    clauses: Words
    warn: bool = False

    @property
    def collected_cents(self) -> int:
        """Cents that the bank takes."""
        if self.outcome is Outcome.PENDING:
            return 0
        return self.wager.cents - self.returned_cents


class Reversal(Brief, frozen=True):
    """The transfer that undoes a wager settled in a coup that is void after all."""

    wager: Wager
    to_owner_cents: int
    """Cents from the bank to the owner; below zero, from the owner to the bank."""
    clauses: tuple[str, ...]


class Settlement(Brief, frozen=True):
    """The settlement of all wagers of a coup, in the order in which they are settled.

    >>> import puntobanco as pb
    >>> terms = pb.post(pb.sample_notice("tas-2018"))
    >>> coup = pb.fold(pb.parse_drawn("Kc 7d / Kh 8s"), terms.rules.tableau)
    >>> pb.settle(coup, pb.take([pb.parse_wager("3 b 75")], terms), terms)
    Settlement(1 line: staked 75, won 72.50, returned 75, bank -72.50)
    """

    lines: tuple[Line, ...]

    def __repr__(self) -> str:
        lines = "1 line" if len(self.lines) == 1 else f"{len(self.lines)} lines"
        sums = (self.staked_cents, self.won_cents, self.returned_cents, self.bank_cents)
        staked, won, returned, bank = map(money, sums)
        return f"Settlement({lines}: staked {staked}, won {won}, returned {returned}, bank {bank})"

    def _repr_html_(self) -> str:
        """A line for each wager, in a notebook."""
        rows = [
            (
                line.wager.box,
                line.wager.on,
                money(line.wager.cents),
                line.outcome,
                f"{line.odds[0]}:{line.odds[1]}" if line.odds else "",
                money(line.won_cents),
                money(line.returned_cents),
                " ".join(line.clauses),
            )
            for line in self.lines
        ]
        headings = ("Box", "On", "Staked", "Outcome", "Odds", "Won", "Returned", "Why")
        return notebook.html_table(headings, rows)

    @property
    def staked_cents(self) -> int:
        return sum(line.wager.cents for line in self.lines)

    @property
    def returned_cents(self) -> int:
        return sum(line.returned_cents for line in self.lines)

    @property
    def won_cents(self) -> int:
        return sum(line.won_cents for line in self.lines)

    @property
    def bank_cents(self) -> int:
        """Cents that the bank gained; below zero, that it lost."""
        return sum(line.collected_cents - line.won_cents for line in self.lines)

    @property
    def held_cents(self) -> int:
        """Cents of stakes that await a ruling: staked = won + returned + bank + held."""
        return sum(line.wager.cents for line in self.lines if line.outcome is Outcome.PENDING)

    @property
    def breakage(self) -> Fraction:
        """Exact cents that rounding cost the bank."""
        broken = (Fraction(*line.breakage) for line in self.lines if line.breakage[0])
        return sum(broken, Fraction(0))


def settle(coup: Coup, taken: Iterable[Taken], terms: Terms) -> Settlement:
    """Settle a finished coup, pairs first or last as the rule set says.

    A coup whose only wagers are on pairs is dealt to its end like any other
    [tas-2018:15.5, act-2015:9.4(a)].

    >>> import puntobanco as pb
    >>> terms = pb.post(pb.sample_notice("tas-2018"))
    >>> coup = pb.fold(pb.parse_drawn("Kc 7d / Kh 8s"), terms.rules.tableau)
    >>> (line,) = pb.settle(coup, pb.take([pb.parse_wager("3 b 75")], terms), terms).lines
    >>> line.won_cents, line.odds, line.clauses
    (7250, (19, 20), ('tas-2018:12.2', 'tas-2018:6.6'))
    """
    if coup.owed is not None:
        clause = next_card_clause(coup, terms.rules)
        raise Refused(Reason.COUP_INCOMPLETE, clause, owed=coup.owed)
    if not coup.is_complete:
        raise Refused(Reason.CARDS_FACE_DOWN, terms.rules.dealing.face_down.clause)
    taken = tuple(taken)
    pairs, main = settle_pairs(coup, taken, terms), settle_main(coup, taken, terms)
    first = terms.rules.settlement.pairs_paid == "before-third-cards"
    return Settlement(pairs + main if first else main + pairs)


def as_made(lines: Iterable[Line], terms: Terms) -> tuple[Line, ...]:
    """The lines of a settlement as a dealer goes round the table: what loses is taken, box
    after box is paid, pairs last, then comes what only goes back; pairs paid before third cards
    are first.

    No document says it of all wagers; of pairs, and of secret ones beside others, it is the order
    in which they are named [tas-2018:15.7, act-2015:9.9(a), tas-2018:16.6.8,
    mbs-2017:1.1.6-round-of-play].
    """
    early = terms.rules.settlement.pairs_paid == "before-third-cards"

    def place(line: Line) -> tuple[int, ...]:
        wager, loses = line.wager, line.outcome is Outcome.LOSES
        is_pair = wager.on in PAIR_BETS
        pair_paid = is_pair and line.outcome is Outcome.WINS
        rank = ROUND.index(line.outcome), loses and line.returned_cents > 0, pair_paid
        return (early and not is_pair, *rank, wager.box, wager.standing)

    return tuple(sorted(lines, key=place))


def settle_main(coup: Coup, taken: Iterable[Taken], terms: Terms) -> tuple[Line, ...]:
    """Settle Player, Banker and Tie by the points of a finished coup."""
    result = coup.result
    assert result is not None, "only a finished coup is settled"
    rules, on_tie = terms.rules.settlement, result is Result.TIE
    points = coup.banker_points if result is Result.BANKER else coup.player_points
    ends = {Bet.PLAYER: rules.player, Bet.BANKER: rules.banker, Bet.TIE: rules.tie}
    lines = []
    for laid in taken:
        on = laid.wager.on
        if on not in ends:
            continue
        if on.value == result.value:
            pays = terms.main_pays.get((on, points)) or terms.main_pays[on, None]
            lines.append(_won(laid, pays.odds, (pays.clause, ends[on].wins), terms))
        elif on_tie:
            lines.append(_even(laid, Outcome.PUSHES, (ends[on].pushes,)))
        else:
            lines.append(_lost(laid, ends[on].loses))
    return tuple(lines)


def settle_pairs(coup: Coup, taken: Iterable[Taken], terms: Terms) -> tuple[Line, ...]:
    """Settle pairs by the first two cards of the hand that was bet on, and no others.

    By rank: a ten and a king are no pair. One class of pair is paid, the one the cards make
    [tas-2018:15.6, act-2015:9.6, 9.8, 10.5, mbs-2017:3.8]. Losing wagers are taken before
    winning ones are paid [tas-2018:15.7, act-2015:9.9].
    """
    option = terms.pairs
    if option is None:
        return ()
    hands = {Bet.PLAYER_PAIR: coup.player, Bet.BANKER_PAIR: coup.banker}
    ends = {
        Bet.PLAYER_PAIR: Ends(option.wins, option.loses),
        Bet.BANKER_PAIR: Ends(
            option.banker_wins or option.wins, option.banker_loses or option.loses
        ),
    }
    by_method = terms.method.pairs.get(option.name)
    lines = []
    for laid in taken:
        on = laid.wager.on
        if on not in PAIR_BETS:
            continue
        kind = pair(*cast("tuple[Card, Card]", hands[on][:2]))
        if kind is None:
            lines.append(_lost(laid, ends[on].loses))
        else:
            pays = terms.pair_pays[kind]
            clauses = (pays.clause, *([by_method] if by_method else []), ends[on].wins)
            lines.append(_won(laid, pays.odds, clauses, terms))
    return tuple(sorted(lines, key=lambda line: line.outcome is not Outcome.LOSES))


def settle_void(taken: Iterable[Taken], clauses: tuple[str, ...], terms: Terms) -> Settlement:
    """Give everything back as if the coup had never been [act-2015:d.void]."""
    void = terms.rules.settlement.void
    cited = (*clauses, void) if void else clauses
    return Settlement(tuple(_even(laid, Outcome.VOID, cited) for laid in taken))


def hold(taken: Iterable[Taken], clauses: tuple[str, ...]) -> Settlement:
    """Hold every wager until a person has ruled."""
    return Settlement(
        tuple(
            Line(laid.wager, Outcome.PENDING, laid.stake_cents, 0, 0, None, (0, 1), clauses)
            for laid in taken
        )
    )


def reverse(settlement: Settlement, clauses: tuple[str, ...], terms: Terms) -> tuple[Reversal, ...]:
    """Undo a settlement already made: every stake and payment goes back [act-2015:12.5, d.void]."""
    void = terms.rules.settlement.void
    cited = (*clauses, void) if void else clauses
    moved = ((line.wager, line.collected_cents - line.won_cents) for line in settlement.lines)
    return tuple(Reversal(wager, cents, cited) for wager, cents in moved if cents)


def payable(cents: Ratio, chip: int, rounding: Rounding) -> int:
    """Round an exact amount up or down to whole chips.

    >>> payable((4875, 2), 250, Rounding.UP), payable((4875, 2), 250, Rounding.DOWN)
    (2500, 2250)
    """
    exact, per = cents
    chips = -(-exact // (per * chip)) if rounding is Rounding.UP else exact // (per * chip)
    return chips * chip


def check_payouts(terms: Terms, individual: Limits | None = None) -> None:
    """Refuse limits and chips under which a wager within them could win and be paid nothing
    [tas-2018:12.2, 12.4, act-2015:8.8(b), 8.9(b)].
    """
    notice = terms.notice
    odds = {pays.on: pays for _, pays in sorted(terms.main_pays.items(), key=_generous)}
    for on, pays in odds.items():
        least = _least_wager(limits_for(on, terms, individual), notice.chip_cents)
        won, staked = pays.odds
        if not payable((least * won, staked), notice.chip_cents, notice.rounding):
            raise Refused(
                Reason.WIN_ROUNDS_TO_NOTHING,
                pays.clause,
                on=on,
                amount=money(least),
                won=won,
                staked=staked,
                chip=money(notice.chip_cents),
            )


def _generous(offer: tuple[object, Pays]) -> Fraction:
    """The odds, negated: of two for one bet the meaner comes last, and counts."""
    return -Fraction(*offer[1].odds)


def most_paid_cents(on: Bet, cents: int, terms: Terms) -> int:
    """The most that a wager can bring back, its stake with it, in whole chips.

    >>> from puntobanco.rules.notice import post, sample_notice
    >>> most_paid_cents(Bet.TIE, 50_00, post(sample_notice("tas-2018")))
    45000
    """
    pays = terms.pair_pays if on in PAIR_BETS else terms.main_pays
    offers = [one.odds for one in pays.values() if on in PAIR_BETS or getattr(one, "on", on) == on]
    best = max((Fraction(*odds) for odds in offers), default=Fraction(0))
    won = best * cents
    return cents + payable((won.numerator, won.denominator), terms.notice.chip_cents, Rounding.UP)


def _least_wager(limits: Limits, chip_cents: int) -> int:
    """The smallest wager within limits that the chips can make, in the multiples posted."""
    step = lcm(chip_cents, limits.multiple_cents or 1)
    return -(-limits.min_cents // step) * step


def _won(laid: Taken, odds: Ratio, clauses: tuple[str, ...], terms: Terms) -> Line:
    """A winner is paid in whole chips, and never nothing: where the whole would be rounded away,
    as of a wager below the minimum or cut back to one chip, the smallest chip is paid
    [tas-2018:12.2, 12.4, act-2015:8.8(b), 8.9(b)].
    """
    if not laid.stake_cents:
        return _returned(laid)
    for_each, staked = odds
    exact, chip = laid.stake_cents * for_each, terms.notice.chip_cents
    won = payable((exact, staked), chip, terms.notice.rounding) or chip
    breakage = (won * staked - exact, staked)
    wager = laid.wager
    cited = clauses + laid.clauses
    return Line(
        wager, Outcome.WINS, laid.stake_cents, wager.cents, won, odds, breakage, cited, laid.warn
    )


def _lost(laid: Taken, clause: str) -> Line:
    if not laid.stake_cents:
        return _returned(laid)
    stake, cited = laid.stake_cents, (clause, *laid.clauses)
    back = laid.wager.cents - stake
    return Line(laid.wager, Outcome.LOSES, stake, back, 0, None, (0, 1), cited, laid.warn)


def _even(laid: Taken, outcome: Outcome, clauses: tuple[str, ...]) -> Line:
    """Give the stake back; it was neither paid nor collected, so nobody is warned."""
    if not laid.stake_cents and outcome is not Outcome.VOID:
        return _returned(laid)
    stake, cited = laid.stake_cents, (*clauses, *laid.clauses)
    return Line(laid.wager, outcome, stake, laid.wager.cents, 0, None, (0, 1), cited)


def _returned(laid: Taken) -> Line:
    cents = laid.wager.cents
    return Line(laid.wager, Outcome.RETURNED, 0, cents, 0, None, (0, 1), laid.clauses)
