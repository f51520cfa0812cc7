"""What follows when something went wrong: the hands put right, the card left over, the next coup.

The order in which the cards left the shoe settles the hands, so long as the error is noticed
before the next coup begins. What a document adds to that is in its rule set's policy.
"""

from enum import StrEnum

from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.errors import Reason, Refused
from puntobanco.rules.announce import next_card_clause
from puntobanco.rules.coup import Coup, Drawn, Side
from puntobanco.rules.documents.ruleset import CONDITIONS, Excess, Policy
from puntobanco.rules.notice import Terms
from puntobanco.rules.shoe import Last, Shoe, shoe_after_coup


class Found(StrEnum):
    """The kinds of irregularity that can be found.

    >>> import puntobanco as pb
    >>> pb.Found("foreign-card") is pb.Found.FOREIGN_CARD
    True
    """

    CARDS_OUT_OF_ORDER = "cards-out-of-order"
    """Cards lie on the wrong hand, or are too many or too few, and their order is known."""
    WRONG_NUMBER = "wrong-number-of-cards"
    """A hand has too many or too few cards, and they cannot be put in order."""
    FACE_UP_IN_SHOE = "face-up-in-shoe"
    ORDER_UNKNOWN = "order-unknown"
    INITIAL_ORDER_UNKNOWN = "initial-order-unknown"
    """Cards of the initial deal came together, and nobody knows in which order."""
    SHOE_DISTURBED = "shoe-disturbed"
    """The order of the cards still in the shoe was changed."""
    INSUFFICIENT_CARDS = "insufficient-cards"
    FOREIGN_CARD = "foreign-card"
    BURN_FORGOTTEN = "burn-forgotten"
    FOUND_LATE = "found-late"
    """An error in this coup was noticed after the next one began."""


class Verdict(StrEnum):
    """What a ruling makes of the coup it is about."""

    STANDS = "stands"
    VOID = "void"
    RULING = "ruling"
    """The document leaves the decision to a person, whose ruling is recorded."""


class NextCoup(StrEnum):
    """What may follow a coup that was ruled on."""

    ORDINARY = "ordinary"
    NON_BETTING = "non-betting"
    NONE = "none-until-reshuffle"


WORST_FIRST = (NextCoup.NONE, NextCoup.NON_BETTING, NextCoup.ORDINARY)
"""Of several rulings in one coup, the gravest says what follows."""


class Ruling(Brief, frozen=True):
    """The answer of the rule set to one irregularity."""

    found: Found
    verdict: Verdict
    coup: Coup
    """The coup with its hands as the sequence gives them; meaningless when void."""
    next_coup: NextCoup = NextCoup.ORDINARY
    carried: tuple[Drawn, ...] = ()
    """Cards that begin the next coup, in the order they were drawn."""
    discarded: tuple[Drawn, ...] = ()
    clauses: tuple[str, ...] = ()
    next_clause: str = ""
    """The clause that makes the next coup what it is, where several are cited."""


def rule_on(finding: Found, coup: Coup, shoe: Shoe, terms: Terms, last: Last = Last.NO) -> Ruling:
    """Rule on an irregularity in a coup; `shoe` is as it is now, `last` as it was announced.

    >>> import puntobanco as pb
    >>> terms = pb.post(pb.sample_notice("act-2015"))
    >>> coup = pb.fold(pb.parse_drawn("6c Kd Kh 7s 4d@p"), terms.rules.tableau)
    >>> ruling = pb.rule_on(pb.Found.CARDS_OUT_OF_ORDER, coup, pb.Shoe(416, drawn=5), terms)
    >>> str(ruling.next_coup), ruling.clauses
    ('non-betting', ('act-2015:12.2',))
    """
    match finding:
        case Found.CARDS_OUT_OF_ORDER:
            ruling = _put_in_order(coup, shoe, terms, last)
        case Found.FACE_UP_IN_SHOE:
            ruling = _face_up(coup, shoe, terms, last)
        case Found.FOUND_LATE:
            ruling = _found_late(coup, terms)
        case _:
            ruling = _by_policy(finding, coup, shoe, terms)
    return replace(ruling, clauses=tuple(dict.fromkeys(ruling.clauses)))


def _put_in_order(coup: Coup, shoe: Shoe, terms: Terms, last: Last) -> Ruling:
    """The sequence decides the hands; what is left over goes by the rule set's policy.

    [tas-2018:14.1-14.3, act-2015:12.1-12.4, mbs-2017:5.2]
    """
    _refuse_face_down(coup, terms)
    clauses = _placement_clauses(coup, terms)
    if coup.owed is not None:
        clauses.append(next_card_clause(coup, terms.rules))
    ruling = Ruling(Found.CARDS_OUT_OF_ORDER, Verdict.STANDS, coup, clauses=tuple(clauses))
    if not coup.excess:
        return ruling
    return _left_over(ruling, shoe, terms, _no_next_coup(coup, shoe, terms, last))


def rule_between_coups(card: Drawn, shoe: Shoe, terms: Terms) -> Ruling:
    """Rule on a card that left the shoe between two coups: it is in excess, of no coup
    [tas-2018:14.1-14.2, act-2015:12.2-12.3, mbs-2017:5.2].
    """
    ruling = Ruling(Found.CARDS_OUT_OF_ORDER, Verdict.STANDS, Coup((card,), owed=None))
    by_round = terms.rules.shoe.last_coup.rule == "round-of-marker"  # and this card is of none
    after = "" if by_round else shoe_after_coup(shoe, None, terms).ended
    return _left_over(ruling, shoe, terms, shoe.ended or after)


def _left_over(ruling: Ruling, shoe: Shoe, terms: Terms, no_more: str) -> Ruling:
    """Say of each card in excess whether it begins the next coup, and what that makes of it."""
    excess = ruling.coup.excess
    entries = [_entry(card, terms) for card in excess]
    clauses = [*ruling.clauses, *(entry.clause for entry in entries)]
    if no_more:
        return replace(
            ruling,
            next_coup=NextCoup.NONE,
            discarded=excess,
            clauses=(*clauses, no_more),
        )
    left = list(zip(excess, entries, strict=True))
    carried = [(card, entry) for card, entry in left if _is_carried(entry, shoe, terms)]
    barred = [entry.clause for card, entry in carried if _bars_bets(card, entry)]
    return replace(
        ruling,
        next_coup=NextCoup.NON_BETTING if barred else NextCoup.ORDINARY,
        next_clause=barred[0] if barred else "",
        carried=tuple(card for card, _ in carried),
        discarded=tuple(card for card, entry in left if (card, entry) not in carried),
        clauses=tuple(clauses),
    )


def _bars_bets(card: Drawn, entry: Excess) -> bool:
    """A card carried over by the conditions alone, once seen, bars bets as one by the document."""
    return entry.next == "non-betting" or (entry.next == "by-conditions" and card.is_seen)


def begun_by(card: Drawn, terms: Terms) -> tuple[NextCoup, str]:
    """What a card left over makes of the coup that it begins, and by which clause
    [tas-2018:14.1-14.2, act-2015:12.2-12.3, mbs-2017:5.2].
    """
    entry = _entry(card, terms)
    barred = _bars_bets(card, entry)
    return NextCoup.NON_BETTING if barred else NextCoup.ORDINARY, entry.clause


def begins_next(card: Drawn, terms: Terms) -> bool:
    """Whether a card in excess begins the next coup while the marker is in the shoe."""
    entry = _entry(card, terms)
    return entry.next != "by-conditions" or terms.notice.leftover == "first-of-next"


def _refuse_face_down(coup: Coup, terms: Terms) -> None:
    if coup.hidden:
        raise Refused(Reason.CARDS_FACE_DOWN, terms.rules.dealing.face_down.clause)


def _placement_clauses(coup: Coup, terms: Terms) -> list[str]:
    """List the clauses that move each card laid on the wrong hand."""
    rules = terms.rules.irregularities
    moved = {Side.BANKER: rules.player_card_to_banker, Side.PLAYER: rules.banker_card_to_player}
    clauses: list[str] = []
    for index in coup.misplaced:
        side = coup.given(index)
        if index < 4:
            dealt = terms.rules.table_of_play.initial[index]
            clauses += [rules.initial_deal, dealt] if rules.initial_deal else [dealt]
        elif side is not None:
            clauses.append(moved[side])
    return clauses


def _entry(card: Drawn, terms: Terms) -> Excess:
    """Find the first entry of the policy that fits a card left over."""
    return next(
        entry
        for entry in terms.rules.irregularities.excess
        if entry.laid in (None, card.laid) and entry.seen in (None, card.is_seen)
    )


def lies_face_up(card: Drawn, terms: Terms) -> bool:
    """Whether a card left over was turned face up at the mouth of the shoe, seen before or not
    [tas-2018:14.1].
    """
    return _entry(card, terms).next == "non-betting"


def past_marker(
    carried: tuple[Drawn, ...], terms: Terms
) -> tuple[tuple[Drawn, ...], tuple[str, ...]]:
    """The cards left over that still begin the next coup once the marker has shown, and the
    clauses by which others do not [tas-2018:14.2].
    """
    entries = [(card, _entry(card, terms)) for card in carried]
    kept = tuple(card for card, entry in entries if not entry.discard_once_marker_shows)
    gone = (entry.clause for _, entry in entries if entry.discard_once_marker_shows)
    return kept, tuple(dict.fromkeys(gone))


def _is_carried(entry: Excess, shoe: Shoe, terms: Terms) -> bool:
    if entry.next == "by-conditions":
        return terms.notice.leftover == "first-of-next"
    return not (entry.discard_once_marker_shows and shoe.marker_shows)


def _no_next_coup(coup: Coup, shoe: Shoe, terms: Terms, last: Last) -> str:
    """Give the clause by which no coup follows from this shoe, or nothing.

    A last hand that was announced, or the card after the marker being the one in excess
    [tas-2018:14.1, 9.4]; a round with the cutting card that was no tie [act-2015:5.7].
    """
    if not coup.drawn:  # found between two coups: an announced last hand is still to come
        return shoe.ended
    ended = shoe_after_coup(shoe, coup.result, terms).ended
    if ended:
        return ended
    return terms.rules.irregularities.no_more_coups if last is Last.YES else ""


def _face_up(coup: Coup, shoe: Shoe, terms: Terms, last: Last) -> Ruling:
    """Rule on a card face up in the shoe: the table of play uses it, or nobody may bet into it.

    It never left the shoe, so nothing is carried: it will be the next card drawn
    [tas-2018:14.4].
    """
    _refuse_face_down(coup, terms)
    rules = terms.rules.irregularities
    policy = rules.face_up_in_shoe
    ruling = Ruling(Found.FACE_UP_IN_SHOE, Verdict.STANDS, coup)
    if coup.drawn and coup.owed is not None:
        used = rules.face_up_used or next_card_clause(coup, terms.rules)
        return replace(ruling, clauses=(used,))
    if policy.verdict == "ruling":
        return replace(ruling, verdict=Verdict.RULING, clauses=(policy.clause,))
    clauses = (policy.clause, rules.excess[0].clause)
    if no_more := _no_next_coup(coup, shoe, terms, last):
        return replace(ruling, next_coup=NextCoup.NONE, clauses=(*clauses, no_more))
    return replace(ruling, next_coup=NextCoup(policy.next), clauses=clauses)


def _found_late(coup: Coup, terms: Terms) -> Ruling:
    """Rule on an error in a coup after which another has begun: the policy says if it is void.

    Whether the result would change does not matter, and later coups stand as they were played
    [act-2015:12.5].
    """
    policy = terms.rules.irregularities.found_after_next_began
    if not has_error(coup):
        return Ruling(Found.FOUND_LATE, Verdict.STANDS, coup)
    return Ruling(Found.FOUND_LATE, Verdict(policy.verdict), coup, clauses=(policy.clause,))


def has_error(coup: Coup) -> bool:
    """Say whether the hands as laid differ from those of the sequence, or lack a card."""
    laid = coup.as_laid()
    return (laid.player, laid.banker) != (coup.player, coup.banker) or coup.owed is not None


def _by_policy(finding: Found, coup: Coup, shoe: Shoe, terms: Terms) -> Ruling:
    policy = _policy(finding, coup, terms)
    over = coup.is_complete and policy.once_dealt  # its order is known [tas-2018:14.6]
    verdict, next_coup = Verdict(over or policy.verdict), NextCoup(policy.next)
    if verdict is not Verdict.STANDS and shoe_after_coup(shoe, None, terms).ended:
        next_coup = NextCoup.NONE
    discarded = coup.drawn if verdict is Verdict.VOID else ()
    return Ruling(finding, verdict, coup, next_coup, (), discarded, (policy.clause,))


def _policy(finding: Found, coup: Coup, terms: Terms) -> Policy:
    rules = terms.rules.irregularities
    if finding is Found.ORDER_UNKNOWN and len(coup.drawn) < 4:
        return rules.order_unknown_in_initial_deal
    none_burned = Policy(verdict="stands", clause=CONDITIONS)
    return {
        Found.ORDER_UNKNOWN: rules.order_unknown,
        Found.INITIAL_ORDER_UNKNOWN: rules.order_unknown_in_initial_deal,
        Found.WRONG_NUMBER: rules.wrong_number,
        Found.SHOE_DISTURBED: rules.shoe_disturbed,
        Found.INSUFFICIENT_CARDS: rules.insufficient_cards,
        Found.FOREIGN_CARD: rules.foreign_card,
        Found.BURN_FORGOTTEN: rules.burn_forgotten or none_burned,
    }[finding]
