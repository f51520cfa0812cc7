"""Play a shoe that was written down: every coup folded, ruled on and settled by its notice."""

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup, Drawn, Result
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import WORST_FIRST, Found, NextCoup, Ruling, Verdict, rule_on
from puntobanco.rules.notice import Notice, Terms, post
from puntobanco.rules.paper.notation import CoupText, ShoeText, cards_of, format_drawn
from puntobanco.rules.settle import Reversal, Settlement, hold, reverse, settle, settle_void
from puntobanco.rules.shoe import (
    Last,
    Shoe,
    check_copies,
    check_set,
    check_start,
    draw,
    indicator_depth,
    last_coup,
    marker_out,
    new_shoe,
    shoe_after_coup,
    to_burn,
)
from puntobanco.rules.wagers import check_place, take

BURN = Found.BURN_FORGOTTEN


class PlayedCoup(Brief, frozen=True):
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
    """Errors in earlier coups found now, by the number of the coup."""
    reversals: tuple[Reversal, ...] = ()
    """The transfers that undo the wagers of earlier coups found void."""

    @property
    def result(self) -> Result | None:
        """The result; None when the coup is void, or a ruling must decide."""
        return self.coup.result if self.verdict is Verdict.STANDS else None

    @property
    def outcome(self) -> str:
        """The outcome as the notation writes it: `player 9-3`, `void`."""
        if self.result is None:
            return str(self.verdict)
        return f"{self.result} {self.coup.player_points}-{self.coup.banker_points}"


class Paper(Brief, frozen=True):
    """The state of a shoe on paper between two coups."""

    terms: Terms
    shoe: Shoe
    played: tuple[PlayedCoup, ...] = ()
    kind: NextCoup = NextCoup.ORDINARY
    kind_clause: str = ""
    carried: tuple[Drawn, ...] = ()
    warned: frozenset[str] = frozenset()
    void: frozenset[int] = frozenset()
    """Numbers of coups made void after they were settled."""


def play_shoe(text: ShoeText) -> Iterator[PlayedCoup]:
    """Play each coup in turn; every result that a writer claims must be what the cards give.

    >>> import puntobanco as pb
    >>> shoe = pb.deal_shoe(pb.full_set(8), pb.sample_notice("mbs-2017"))
    >>> next(pb.play_shoe(shoe)).coup.result
    <Result.TIE: 'tie'>
    """
    terms = post(text.notice)
    _check_burn(text, terms)
    seen = list(cards_of(text.burned))
    unnoticed = {number for coup in text.coups for number in coup.late}
    paper = Paper(terms, draw(new_shoe(terms), len(text.burned)))
    for number, coup in enumerate(text.coups, 1):
        seen += _named(paper, coup)
        check_copies(seen, terms)
        try:
            paper = play_coup(paper, coup, noticed=number not in unnoticed)
        except MalformedError as error:
            raise MalformedError(f"coup {number}: {error}") from error
        yield paper.played[-1]


def _named(paper: Paper, text: CoupText) -> tuple[Card, ...]:
    """The cards first named in this coup, with any carried into it unseen."""
    unnamed = [now for was, now in zip(paper.carried, text.carried, strict=False) if not was.card]
    return cards_of((*text.drawn, *unnamed))


def _check_burn(text: ShoeText, terms: Terms) -> None:
    """Refuse a burn other than the notice's; a forgotten one must be said of the first coup."""
    rule, burned, way = terms.rules.shoe.burn, text.burned, terms.notice.burn
    says_forgotten = [number for number, coup in enumerate(text.coups) if BURN in coup.found]
    if rule is None and (burned or says_forgotten):
        raise Refused(Reason.BURN_NOT_PROVIDED, CONDITIONS)
    if rule is None or not text.coups:
        return
    if says_forgotten:
        if says_forgotten != [0] or burned:
            raise MalformedError("only a first coup without a burn line can say ! burn-forgotten")
        return
    first = burned[0].card if burned and way == "exposed" else None
    faces = [card.card for card in burned[way == "exposed" :]]
    plain = all(card == Drawn(card.card) for card in burned) and not any(faces)
    if len(burned) != to_burn(first, terms) or (way == "exposed" and not first) or not plain:
        wanted = "one card unseen" if way == "unseen" else "one exposed, then as many unseen"
        raise MalformedError(
            f"the burn line has {format_drawn(burned) or 'no cards'}; burned are {wanted}"
            f" [{rule.count}]; or the first coup says ! burn-forgotten"
        )


def play_coup(paper: Paper, text: CoupText, *, noticed: bool = True) -> Paper:
    """Play one coup: fold its cards, rule on what went wrong, settle, and say what comes next.

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
    _check_findings(coup, text, terms)
    shoe = _after_drawing(paper.shoe, text)
    last = last_coup(shoe, terms, 0 if coup.owed is None else 1)
    rulings = _rulings(coup, text, shoe, terms, last, noticed=noticed)
    if not noticed:
        coup = _as_announced(coup, rulings)
    verdict = _verdict(rulings, text.claim)
    settlement = _settlement(coup, text, paper, verdict, rulings)
    late, reversals = _found_late(paper, text, shoe)
    played = PlayedCoup(
        number, paper.kind, coup, verdict, settlement, last, rulings, late, reversals
    )
    if text.claim and text.claim != played.outcome:
        raise MalformedError(f"claims {text.claim!r}, but the cards give {played.outcome!r}")
    return _next(paper, played, shoe)


def _check_findings(coup: Coup, text: CoupText, terms: Terms) -> None:
    """Refuse findings that contradict the cards of the coup or its notice."""
    if not coup.drawn:
        raise MalformedError("has no cards")
    if Found.INSUFFICIENT_CARDS in text.found and coup.is_complete:
        raise MalformedError("says the cards ran out, but they finish the coup")
    if text.marker_at is not None and terms.behind_marker is None:
        raise MalformedError("has a marker, but the notice places none")
    if text.indicator_at is not None:
        indicator_depth(terms)


def _as_announced(coup: Coup, rulings: tuple[Ruling, ...]) -> Coup:
    """The coup with its hands as laid: what a dealer who notices nothing announces."""
    if _verdict(rulings, "") is not Verdict.STANDS:
        return coup
    laid = coup.as_laid()
    if not all(len(hand) in (2, 3) and None not in hand for hand in (laid.player, laid.banker)):
        raise MalformedError("as laid, a hand has not two or three cards: that is noticed at once")
    return laid


def _begun(paper: Paper, text: CoupText) -> tuple[Drawn, ...]:
    """The cards carried into a coup; by now each may have been named."""
    same = len(text.carried) == len(paper.carried) and all(
        before.card in (None, now.card)
        for before, now in zip(paper.carried, text.carried, strict=True)
    )
    if not same:
        due = " ".join(f"^{word}" for word in format_drawn(paper.carried).split()) or "none"
        begins = format_drawn(text.carried) or "none"
        raise MalformedError(f"begins with these carried over: {begins}; due: {due}")
    return tuple(Drawn(card.card) for card in text.carried)


def _after_drawing(shoe: Shoe, text: CoupText) -> Shoe:
    """The shoe after the cards have left it, with the marker where the writer saw it."""
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
    coup: Coup, text: CoupText, shoe: Shoe, terms: Terms, last: Last, *, noticed: bool
) -> tuple[Ruling, ...]:
    """Rule on everything found; in a void coup the order of its own cards is not ruled on."""
    others = [
        rule_on(finding, coup, shoe, terms, last)
        for finding in text.found
        if finding not in (Found.CARDS_OUT_OF_ORDER, Found.FACE_UP_IN_SHOE)
    ]
    stands = all(ruling.verdict is Verdict.STANDS for ruling in others)
    if stands and noticed and (coup.misplaced or coup.excess):
        others.insert(0, rule_on(Found.CARDS_OUT_OF_ORDER, coup, shoe, terms, last))
    if Found.FACE_UP_IN_SHOE in text.found:
        at = coup if stands else Coup()
        others.append(rule_on(Found.FACE_UP_IN_SHOE, at, shoe, terms, last))
    return tuple(others)


def _verdict(rulings: tuple[Ruling, ...], claim: str) -> Verdict:
    """The gravest verdict; where a person had to rule, the writer's claim is that ruling."""
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
            ruling.clauses[0]
            for ruling in rulings
            if ruling.verdict in (Verdict.VOID, Verdict.RULING)
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


def _next(paper: Paper, played: PlayedCoup, shoe: Shoe) -> Paper:
    order = {kind: index for index, kind in enumerate(WORST_FIRST)}
    worst = min(played.rulings, key=lambda ruling: order[ruling.next_coup], default=None)
    kind = worst.next_coup if worst else NextCoup.ORDINARY
    clause = worst.clauses[-1] if worst and worst.clauses else ""
    shoe = shoe_after_coup(shoe, played.result, paper.terms)
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

    >>> import puntobanco as pb
    >>> len(pb.deal_shoe(pb.full_set(8), pb.sample_notice("mbs-2017")).coups)
    80
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
