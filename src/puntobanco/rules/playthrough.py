"""Play a shoe that was written down: every coup folded, ruled on and settled by its notice."""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup, Drawn, Result
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, NextCoup, Ruling, Verdict, rule_on
from puntobanco.rules.notation import CoupText, ShoeText, cards_of, format_drawn
from puntobanco.rules.notice import Notice, Terms, post
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.rules.settle import Reversal, Settlement, hold, reverse, settle, settle_void
from puntobanco.rules.shoe import (
    Last,
    Shoe,
    check_copies,
    check_set,
    check_start,
    draw,
    end_coup,
    last_coup,
    marker_out,
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
    late: tuple[tuple[int, Ruling], ...] = ()
    """Errors in earlier coups found now, by their number."""
    reversals: tuple[Reversal, ...] = ()
    """What undoes the wagers of those that are void after all."""

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
    played: tuple[Played, ...] = ()
    kind: NextCoup = NextCoup.ORDINARY
    kind_clause: str = ""
    carried: tuple[Drawn, ...] = ()
    warned: frozenset[str] = frozenset()
    void: frozenset[int] = frozenset()
    """Numbers of coups made void after they were settled."""


def play(text: ShoeText) -> Iterator[Played]:
    """Play each coup in turn; what a writer claims must be what the cards give."""
    terms = post(text.notice)
    _check_burn(text, terms)
    check_copies(_all_cards(text), terms)
    unnoticed = {number for coup in text.coups for number in coup.late}
    paper = Paper(terms, draw(new_shoe(terms), len(text.burned)))
    for number, coup in enumerate(text.coups, 1):
        try:
            paper = play_coup(paper, coup, noticed=number not in unnoticed)
        except MalformedError as error:
            raise MalformedError(f"coup {number}: {error}") from error
        yield paper.played[-1]


def _all_cards(text: ShoeText) -> tuple[Card, ...]:
    """Every card named once: one drawn unseen when it is carried over and gets its name."""
    cards = list(cards_of(text.burned))
    for before, coup in pairwise((CoupText(()), *text.coups)):
        unnamed = sum(one.card is None for one in before.drawn)
        cards += [*cards_of(coup.drawn), *cards_of(coup.carried)[:unnamed]]
    return tuple(cards)


def _check_burn(text: ShoeText, terms: Terms) -> None:
    """Refuse a burn that is not the one the notice says; forgotten, it must say so."""
    rule, burned = terms.rules.shoe.burn, text.burned
    forgotten = any(Found.BURN_FORGOTTEN in coup.found for coup in text.coups)
    if rule is None:
        if burned or forgotten:
            raise Refused(Reason.BURN_NOT_PROVIDED, CONDITIONS)
        return
    if forgotten or not text.coups:
        return
    first = burned[0].card if burned and terms.notice.burn == "exposed" else None
    due = to_burn(first, terms)
    exposed = terms.notice.burn != "exposed" or first is not None
    if len(burned) != due or not exposed:
        wanted = (
            "one card unseen" if terms.notice.burn == "unseen" else "the card exposed, then as many"
        )
        raise MalformedError(
            f"the burn line has {len(burned)} cards; burned are {wanted} [{rule.count}];"
            " or the first coup says ! burn-forgotten"
        )


def play_coup(paper: Paper, text: CoupText, *, noticed: bool = True) -> Paper:
    """One coup: fold its cards, rule on what went wrong, settle, and say what comes next.

    An error nobody noticed in time leaves the hands as the dealer laid them, and is ruled on
    when it is found.
    """
    terms, number = paper.terms, len(paper.played) + 1
    check_start(paper.shoe, terms, len(paper.carried))
    if paper.kind is NextCoup.NON_BETTING and text.wagers:
        raise Refused(Reason.NON_BETTING_COUP, paper.kind_clause)
    for index, wager in enumerate(text.wagers):
        check_place(wager, text.wagers[:index], terms)
    coup = fold((*_begun(paper, text), *text.drawn), terms.rules.tableau)
    shoe = _after_drawing(paper.shoe, text)
    last = last_coup(shoe, terms, 0 if coup.owed is None else 1)
    rulings = _rulings(coup, text, shoe, terms, last) if noticed else ()
    if not noticed:
        coup = coup.as_laid()
    verdict = _verdict(rulings, text.claim)
    settlement = _settlement(coup, text, paper, verdict, rulings)
    late, reversals = _found_late(paper, text, shoe)
    played = Played(number, paper.kind, coup, verdict, settlement, last, rulings, late, reversals)
    if text.claim and text.claim != played.outcome:
        raise MalformedError(f"claims {text.claim!r}, but the cards give {played.outcome!r}")
    return _next(paper, played, shoe)


def _begun(paper: Paper, text: CoupText) -> tuple[Drawn, ...]:
    """The cards carried into a coup, named by now if they were not before."""
    if not text.carried:
        return tuple(Drawn(one.card) for one in paper.carried)
    same = len(text.carried) == len(paper.carried) and all(
        before.card in (None, now.card)
        for before, now in zip(paper.carried, text.carried, strict=True)
    )
    if not same:
        due = format_drawn(paper.carried) or "none"
        raise MalformedError(f"begins with {format_drawn(text.carried)}; carried over: {due}")
    return tuple(Drawn(one.card) for one in text.carried)


def _after_drawing(shoe: Shoe, text: CoupText) -> Shoe:
    """The shoe once the cards have left it, the marker where the writer saw it."""
    if len(text.drawn) > shoe.left:
        raise MalformedError(f"draws {len(text.drawn)} cards, but only {shoe.left} are left")
    if text.marker_at is None:
        return draw(shoe, len(text.drawn))
    if shoe.since_marker is not None:
        raise MalformedError("the marker has come out already")
    unmarked = replace(shoe, behind_marker=None)
    shoe = marker_out(draw(unmarked, text.marker_at))
    return draw(shoe, len(text.drawn) - text.marker_at)


def _rulings(
    coup: Coup, text: CoupText, shoe: Shoe, terms: Terms, last: Last
) -> tuple[Ruling, ...]:
    """Rule on everything found; once the coup is void, its own cards are of no account."""
    others = [
        rule_on(one, coup, shoe, terms, last)
        for one in text.found
        if one not in (Found.CARDS_OUT_OF_ORDER, Found.FACE_UP_IN_SHOE)
    ]
    stands = all(one.verdict is Verdict.STANDS for one in others)
    if stands and (coup.misplaced or coup.excess):
        others.insert(0, rule_on(Found.CARDS_OUT_OF_ORDER, coup, shoe, terms, last))
    if Found.FACE_UP_IN_SHOE in text.found:
        at = coup if stands else Coup()
        others.append(rule_on(Found.FACE_UP_IN_SHOE, at, end_coup(shoe, None, terms), terms, last))
    return tuple(others)


def _verdict(rulings: tuple[Ruling, ...], claim: str) -> Verdict:
    """The gravest verdict; what the writer claims is the ruling, where one was needed."""
    verdicts = {ruling.verdict for ruling in rulings}
    if Verdict.VOID in verdicts:
        return Verdict.VOID
    if Verdict.RULING not in verdicts:
        return Verdict.STANDS
    return {"": Verdict.RULING, "void": Verdict.VOID}.get(claim, Verdict.STANDS)


def _settlement(
    coup: Coup, text: CoupText, paper: Paper, verdict: Verdict, rulings: tuple[Ruling, ...]
) -> Settlement:
    terms = paper.terms
    taken = take(text.wagers, terms, paper.warned)
    if verdict is not Verdict.STANDS:
        clauses = tuple(
            one.clauses[0] for one in rulings if one.verdict in (Verdict.VOID, Verdict.RULING)
        )
        return (
            settle_void(taken, clauses, terms) if verdict is Verdict.VOID else hold(taken, clauses)
        )
    if not coup.is_complete:
        wanting = f"{coup.owed} is owed a card" if coup.owed else "cards are still face down"
        raise MalformedError(f"not finished: {wanting}")
    return settle(coup, taken, terms)


def _found_late(
    paper: Paper, text: CoupText, shoe: Shoe
) -> tuple[tuple[tuple[int, Ruling], ...], tuple[Reversal, ...]]:
    """Rule on errors in earlier coups, and undo the wagers of those that are void."""
    late: list[tuple[int, Ruling]] = []
    reversals: list[Reversal] = []
    for number in text.late:
        if not 1 <= number <= len(paper.played):
            raise MalformedError(f"finds an error in coup {number}, which has not been played")
        earlier = paper.played[number - 1]
        if earlier.verdict is not Verdict.STANDS or number in paper.void:
            raise MalformedError(f"finds an error in coup {number}, which is void already")
        sequence = fold(earlier.coup.drawn, paper.terms.rules.tableau)
        ruling = rule_on(Found.FOUND_LATE, sequence, shoe, paper.terms)
        late.append((number, ruling))
        if ruling.verdict is Verdict.VOID:
            reversals += reverse(earlier.settlement, ruling.clauses, paper.terms)
    return tuple(late), tuple(reversals)


def _next(paper: Paper, played: Played, shoe: Shoe) -> Paper:
    order = {kind: index for index, kind in enumerate(WORST_FIRST)}
    worst = min(played.rulings, key=lambda one: order[one.next_coup], default=None)
    kind = worst.next_coup if worst else NextCoup.ORDINARY
    clause = worst.clauses[-1] if worst and worst.clauses else ""
    shoe = end_coup(shoe, played.result, paper.terms)
    if kind is NextCoup.NONE and not shoe.ended:
        shoe = replace(shoe, ended=clause)
    warned = {line.wager.owner for line in played.settlement.lines if line.warn}
    return replace(
        paper,
        shoe=shoe,
        played=(*paper.played, played),
        kind=kind,
        kind_clause=clause,
        carried=tuple(chain(*(ruling.carried for ruling in played.rulings))),
        warned=paper.warned | warned,
        void=paper.void | {n for n, ruling in played.late if ruling.verdict is Verdict.VOID},
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
        paper = play_coup(paper, CoupText(coup.drawn, marker_at=marker_at))
        outcome = paper.played[-1].outcome
        coups.append(CoupText(coup.drawn, marker_at=marker_at, claim=outcome))
    return ShoeText(notice, tuple(coups), burned)


def _burn(order: list[Card], terms: Terms) -> tuple[Drawn, ...]:
    """Burn as the notice says, off the end of a reversed order; only an exposed card is named."""
    if not terms.notice.burn:
        return ()
    exposed = order.pop() if terms.notice.burn == "exposed" else None
    face_down = to_burn(exposed, terms) - (exposed is not None)
    del order[-face_down:]
    return (*([Drawn(exposed)] if exposed else []), *[Drawn()] * face_down)
