"""Play a shoe that was written down: every coup folded, ruled on and settled by its notice."""

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import MalformedError
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup, Drawn, Result
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, NextCoup, Ruling, Verdict, rule_on
from puntobanco.rules.notation import CoupText, ShoeText, cards_of, format_drawn
from puntobanco.rules.notice import Notice, Terms, post
from puntobanco.rules.settle import Settlement, settle, settle_void
from puntobanco.rules.shoe import (
    Last,
    Shoe,
    check_copies,
    check_set,
    check_start,
    draw,
    end_coup,
    last_coup,
    marker_shows,
    new_shoe,
    to_burn,
)
from puntobanco.rules.wagers import check_place, take

WORST_FIRST = (NextCoup.NONE, NextCoup.NON_BETTING, NextCoup.ORDINARY)


class Played(Struct, frozen=True):
    """One coup of a shoe, played out on paper."""

    number: int
    kind: NextCoup
    """Ordinary or non-betting."""
    coup: Coup
    verdict: Verdict
    settlement: Settlement
    last: Last
    rulings: tuple[Ruling, ...] = ()
    voided: tuple[int, ...] = ()
    """Earlier coups that an error found now makes void; their transfers are to be reversed."""

    @property
    def result(self) -> Result | None:
        """None when the coup is void, or a ruling must decide."""
        return self.coup.result if self.verdict is Verdict.STANDS else None

    @property
    def outcome(self) -> str:
        """As the notation writes it: `player 9-3`, `void`."""
        if self.result is None:
            return str(self.verdict)
        return f"{self.result} {self.coup.player_points}-{self.coup.banker_points}"


class Paper(Struct, frozen=True):
    """Where a shoe stands between two coups."""

    terms: Terms
    shoe: Shoe
    coups: tuple[Coup, ...] = ()
    kind: NextCoup = NextCoup.ORDINARY
    carried: tuple[Drawn, ...] = ()
    warned: frozenset[str] = frozenset()


def play(text: ShoeText) -> Iterator[Played]:
    """Play each coup in turn; what a writer claims must be what the cards give."""
    terms = post(text.notice)
    drawn = tuple(chain(text.burned, *(coup.drawn for coup in text.coups)))
    check_copies(cards_of(drawn), terms)
    paper = Paper(terms, draw(new_shoe(terms), len(text.burned)))
    for coup in text.coups:
        played, paper = play_coup(paper, coup)
        if coup.claim and coup.claim != played.outcome:
            raise MalformedError(
                f"coup {played.number} claims {coup.claim!r}, but the cards give {played.outcome!r}"
            )
        yield played


def play_coup(paper: Paper, text: CoupText) -> tuple[Played, Paper]:
    """One coup: fold its cards, rule on what went wrong, settle, and say what comes next."""
    terms, number = paper.terms, len(paper.coups) + 1
    check_start(paper.shoe, terms)
    if paper.kind is NextCoup.NON_BETTING and text.wagers:
        raise MalformedError(f"coup {number} is a non-betting coup and can have no wagers")
    for index, wager in enumerate(text.wagers):
        check_place(wager, text.wagers[:index], terms)
    coup = fold((*_begun(paper, text, number), *text.drawn), terms.rules.tableau)
    shoe = _after_drawing(paper.shoe, text)
    last = last_coup(shoe, terms, 0 if coup.owed is None else 1)
    rulings = _rulings(coup, text, shoe, terms, last)
    verdict = _verdict(rulings)
    settlement = _settlement(coup, text, paper, verdict, rulings, number)
    late = [
        (one, rule_on(Found.FOUND_LATE, paper.coups[one - 1], shoe, terms)) for one in text.late
    ]
    voided = tuple(one for one, ruling in late if ruling.verdict is Verdict.VOID)
    all_rulings = (*rulings, *(ruling for _, ruling in late))
    played = Played(number, paper.kind, coup, verdict, settlement, last, all_rulings, voided)
    return played, _next(paper, played, shoe)


def _begun(paper: Paper, text: CoupText, number: int) -> tuple[Drawn, ...]:
    """The cards carried into a coup, named by now if they were not before."""
    if not text.carried:
        return paper.carried
    same = len(text.carried) == len(paper.carried) and all(
        before.card in (None, now.card)
        for before, now in zip(paper.carried, text.carried, strict=True)
    )
    if not same:
        due = format_drawn(paper.carried) or "none"
        raise MalformedError(
            f"coup {number} begins with {format_drawn(text.carried)}; carried over: {due}"
        )
    return tuple(Drawn(one.card) for one in text.carried)


def _after_drawing(shoe: Shoe, text: CoupText) -> Shoe:
    """The shoe once the cards have left it, the marker where the writer saw it."""
    if text.marker_at is None:
        return draw(shoe, len(text.drawn))
    unmarked = replace(shoe, behind_marker=None)
    shoe = marker_shows(draw(unmarked, text.marker_at))
    return draw(shoe, len(text.drawn) - text.marker_at)


def _rulings(
    coup: Coup, text: CoupText, shoe: Shoe, terms: Terms, last: Last
) -> tuple[Ruling, ...]:
    found: list[Found] = [one for one in text.found if one is not Found.CARDS_OUT_OF_ORDER]
    void = any(rule_on(one, coup, shoe, terms, last).verdict is not Verdict.STANDS for one in found)
    if not void and (coup.misplaced or coup.excess):
        found.insert(0, Found.CARDS_OUT_OF_ORDER)
    return tuple(rule_on(one, coup, shoe, terms, last) for one in found)


def _verdict(rulings: tuple[Ruling, ...]) -> Verdict:
    verdicts = {ruling.verdict for ruling in rulings}
    return next((one for one in (Verdict.VOID, Verdict.RULING) if one in verdicts), Verdict.STANDS)


def _settlement(
    coup: Coup,
    text: CoupText,
    paper: Paper,
    verdict: Verdict,
    rulings: tuple[Ruling, ...],
    number: int,
) -> Settlement:
    taken = take(text.wagers, paper.terms, paper.warned)
    if verdict is Verdict.VOID:
        clause = next(one.clauses[0] for one in rulings if one.verdict is Verdict.VOID)
        return settle_void(taken, clause)
    if verdict is Verdict.RULING:
        return Settlement(())
    if not coup.is_complete:
        wanting = f"{coup.owed} is owed a card" if coup.owed else "cards are still face down"
        raise MalformedError(f"coup {number} is not finished: {wanting}")
    return settle(coup, taken, paper.terms)


def _next(paper: Paper, played: Played, shoe: Shoe) -> Paper:
    kinds = {ruling.next_coup for ruling in played.rulings} | {NextCoup.ORDINARY}
    kind = next(one for one in WORST_FIRST if one in kinds)
    shoe = end_coup(shoe, played.result, paper.terms)
    if kind is NextCoup.NONE and not shoe.ended:
        clause = next(r.clauses[-1] for r in played.rulings if r.next_coup is NextCoup.NONE)
        shoe = replace(shoe, ended=clause)
    warned = {line.wager.owner for line in played.settlement.lines if line.warn}
    return replace(
        paper,
        shoe=shoe,
        coups=(*paper.coups, played.coup),
        kind=kind,
        carried=tuple(chain(*(ruling.carried for ruling in played.rulings))),
        warned=paper.warned | warned,
    )


def deal_shoe(cards: Sequence[Card], notice: Notice) -> ShoeText:
    """Deal a whole shoe in the order given, until its rule set says it has ended.

    The order comes from outside, shuffled and cut. Nobody bets: the notation of the result can
    be given wagers, and played.
    """
    terms = post(notice)
    check_set(cards, terms)
    order = list(reversed(cards))
    burned = _burn(order, terms)
    paper = Paper(terms, draw(new_shoe(terms), len(burned)))
    coups: list[CoupText] = []
    while not paper.shoe.ended and paper.shoe.left >= terms.rules.shoe.least_to_start.least:
        coup = fold((), terms.rules.tableau)
        while coup.owed is not None:
            coup = fold((*coup.drawn, Drawn(order.pop())), terms.rules.tableau)
        marker_at = paper.shoe.before_marker
        if marker_at is not None and marker_at >= len(coup.drawn):
            marker_at = None
        played, paper = play_coup(paper, CoupText(coup.drawn, marker_at=marker_at))
        coups.append(CoupText(coup.drawn, marker_at=marker_at, claim=played.outcome))
    return ShoeText(notice, tuple(coups), burned)


def _burn(order: list[Card], terms: Terms) -> tuple[Drawn, ...]:
    """Burn as the notice says, off the end of a reversed order; only an exposed card is named."""
    if not terms.notice.burn:
        return ()
    exposed = order.pop() if terms.notice.burn == "exposed" else None
    face_down = to_burn(exposed, terms) - (exposed is not None)
    del order[-face_down:]
    return (*([Drawn(exposed)] if exposed else []), *[Drawn()] * face_down)
