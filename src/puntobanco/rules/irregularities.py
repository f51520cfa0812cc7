"""What follows when something went wrong: the hands put right, the card left over, the next coup.

The order in which the cards left the shoe settles the hands, so long as the error is noticed
before the next coup begins. What a document adds to that is in its rule set's policy.
"""

from enum import StrEnum

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup, Drawn, Laid, Side
from puntobanco.rules.notice import Terms
from puntobanco.rules.ruleset import CONDITIONS, Excess, Policy
from puntobanco.rules.shoe import Last, Shoe, end_coup


class Found(StrEnum):
    """What was found to be wrong."""

    CARDS_OUT_OF_ORDER = "cards-out-of-order"
    """Cards laid on the wrong hand, too many or too few; the order they came in is known."""
    FACE_UP_IN_SHOE = "face-up-in-shoe"
    ORDER_UNKNOWN = "order-unknown"
    SHOE_DISTURBED = "shoe-disturbed"
    """The order of the cards still in the shoe was changed."""
    INSUFFICIENT_CARDS = "insufficient-cards"
    FOREIGN_CARD = "foreign-card"
    BURN_FORGOTTEN = "burn-forgotten"
    FOUND_LATE = "found-late"
    """An error in this coup, noticed after the next one began."""


class Verdict(StrEnum):
    """What becomes of the coup."""

    STANDS = "stands"
    VOID = "void"
    RULING = "ruling"
    """The document is silent: a recorded ruling decides."""


class NextCoup(StrEnum):
    """What the next coup is."""

    ORDINARY = "ordinary"
    NON_BETTING = "non-betting"
    NONE = "none-until-reshuffle"


class Ruling(Struct, frozen=True):
    """The rule's answer to an irregularity."""

    found: Found
    verdict: Verdict
    coup: Coup
    """With the hands as the sequence gives them; of no account when void."""
    next_coup: NextCoup
    carried: tuple[Drawn, ...]
    """Cards that begin the next coup, in the order they were drawn."""
    discarded: tuple[Drawn, ...]
    clauses: tuple[str, ...]


def rule_on(found: Found, coup: Coup, shoe: Shoe, terms: Terms, last: Last = Last.NO) -> Ruling:
    """Rule on an irregularity in a coup; `shoe` as it is now, `last` as it was announced."""
    match found:
        case Found.CARDS_OUT_OF_ORDER:
            return _put_in_order(coup, shoe, terms, last)
        case Found.FACE_UP_IN_SHOE:
            return _face_up(coup, shoe, terms, last)
        case Found.FOUND_LATE:
            return _found_late(coup, terms)
        case _:
            return _by_policy(found, coup, shoe, terms)


def _put_in_order(coup: Coup, shoe: Shoe, terms: Terms, last: Last) -> Ruling:
    """The sequence decides the hands; what is left over goes by the rule set's policy.

    [tas-2018:14.1-14.3, act-2015:12.1-12.4, mbs-2017:5.2]
    """
    if coup.hidden:
        raise Refused(Reason.CARDS_FACE_DOWN, terms.rules.irregularities.card_owed.clause)
    clauses = _placement_clauses(coup, terms)
    if coup.owed is not None:
        clauses.append(terms.rules.irregularities.card_owed.clause)
    if not coup.excess:
        return _ruled(Found.CARDS_OUT_OF_ORDER, coup, NextCoup.ORDINARY, clauses=clauses)
    entries = [_entry(one, terms) for one in coup.excess]
    clauses += [entry.clause for entry in entries]
    if no_more := _no_next_coup(coup, shoe, terms, last):
        return _ruled(
            Found.CARDS_OUT_OF_ORDER, coup, NextCoup.NONE, (), coup.excess, [*clauses, no_more]
        )
    carried, discarded, next_coup = [], [], NextCoup.ORDINARY
    for one, entry in zip(coup.excess, entries, strict=True):
        if _is_carried(entry, shoe, terms):
            carried.append(one)
            if entry.next == "non-betting":
                next_coup = NextCoup.NON_BETTING
        else:
            discarded.append(one)
    return _ruled(
        Found.CARDS_OUT_OF_ORDER, coup, next_coup, tuple(carried), tuple(discarded), clauses
    )


def _placement_clauses(coup: Coup, terms: Terms) -> list[str]:
    """The clause that moves each card laid on the wrong hand."""
    rules = terms.rules.irregularities
    moved = {Side.BANKER: rules.player_card_to_banker, Side.PLAYER: rules.banker_card_to_player}
    given = ((index, coup.given(index)) for index in coup.misplaced)
    return [rules.initial_deal if index < 4 else moved[side] for index, side in given if side]


def _entry(one: Drawn, terms: Terms) -> Excess:
    """The first entry of the policy that fits the card left over."""
    return next(
        entry
        for entry in terms.rules.irregularities.excess
        if entry.laid in (None, one.laid) and entry.seen in (None, one.is_seen)
    )


def _is_carried(entry: Excess, shoe: Shoe, terms: Terms) -> bool:
    if entry.next == "by-conditions":
        return terms.notice.leftover == "first-of-next"
    return not (entry.discard_once_marker_shows and shoe.since_marker is not None)


def _no_next_coup(coup: Coup, shoe: Shoe, terms: Terms, last: Last) -> str:
    """The clause by which no coup follows from this shoe, or nothing.

    A last hand that was announced, or the card after the marker being the one in excess
    [tas-2018:14.1, 9.4]; a round with the cutting card that was no tie [act-2015:5.7].
    """
    ended = end_coup(shoe, coup.result, terms).ended
    if ended:
        return ended
    return terms.rules.irregularities.no_more_coups if last is Last.YES else ""


def _face_up(coup: Coup, shoe: Shoe, terms: Terms, last: Last) -> Ruling:
    """A card lies face up in the shoe: the table of play uses it, or nobody may bet into it.

    It never left the shoe, so nothing is carried: it will be the next card drawn
    [tas-2018:14.4].
    """
    policy = terms.rules.irregularities.face_up_in_shoe
    if coup.drawn and coup.owed is not None:
        return _ruled(Found.FACE_UP_IN_SHOE, coup, NextCoup.ORDINARY, clauses=[policy.clause])
    clauses = [policy.clause, terms.rules.irregularities.excess[0].clause]
    if no_more := _no_next_coup(coup, shoe, terms, last):
        return _ruled(Found.FACE_UP_IN_SHOE, coup, NextCoup.NONE, clauses=[*clauses, no_more])
    if policy.verdict == "ruling":
        return _ruled(
            Found.FACE_UP_IN_SHOE,
            coup,
            NextCoup.ORDINARY,
            clauses=[policy.clause],
            verdict=Verdict.RULING,
        )
    return _ruled(Found.FACE_UP_IN_SHOE, coup, NextCoup(policy.next), clauses=clauses)


def _found_late(coup: Coup, terms: Terms) -> Ruling:
    """An error in a coup after which another has begun: the policy decides whether it falls.

    Void or not does not hang on whether the result would change, and later coups stand as
    they were played [act-2015:12.5].
    """
    policy = terms.rules.irregularities.found_after_next_began
    if not has_error(coup):
        return _ruled(Found.FOUND_LATE, coup, NextCoup.ORDINARY)
    verdict = Verdict(policy.verdict)
    return _ruled(
        Found.FOUND_LATE, coup, NextCoup.ORDINARY, clauses=[policy.clause], verdict=verdict
    )


def has_error(coup: Coup) -> bool:
    """Was a card laid on the wrong hand, laid on a hand that wanted none, or never dealt?"""
    dealt = (Laid.PLAYER, Laid.BANKER)
    on_a_hand = any(one.laid in dealt for one in coup.excess)
    return bool(coup.misplaced) or on_a_hand or coup.owed is not None


def _by_policy(found: Found, coup: Coup, shoe: Shoe, terms: Terms) -> Ruling:
    policy = _policy(found, coup, terms)
    verdict, next_coup = Verdict(policy.verdict), NextCoup(policy.next)
    if verdict is not Verdict.VOID:
        return _ruled(found, coup, next_coup, clauses=[policy.clause], verdict=verdict)
    if end_coup(shoe, None, terms).ended:
        next_coup = NextCoup.NONE
    return _ruled(found, coup, next_coup, (), coup.drawn, [policy.clause], verdict)


def _policy(found: Found, coup: Coup, terms: Terms) -> Policy:
    rules = terms.rules.irregularities
    if found is Found.ORDER_UNKNOWN and len(coup.drawn) <= 4:
        return rules.order_unknown_in_initial_deal
    none_burned = Policy(verdict="stands", clause=CONDITIONS)
    return {
        Found.ORDER_UNKNOWN: rules.order_unknown,
        Found.SHOE_DISTURBED: rules.shoe_disturbed,
        Found.INSUFFICIENT_CARDS: rules.insufficient_cards,
        Found.FOREIGN_CARD: rules.foreign_card,
        Found.BURN_FORGOTTEN: rules.burn_forgotten or none_burned,
    }[found]


def _ruled(
    found: Found,
    coup: Coup,
    next_coup: NextCoup,
    carried: tuple[Drawn, ...] = (),
    discarded: tuple[Drawn, ...] = (),
    clauses: list[str] | None = None,
    verdict: Verdict = Verdict.STANDS,
) -> Ruling:
    cited = tuple(dict.fromkeys(clauses or ()))
    return Ruling(found, verdict, coup, next_coup, carried, discarded, cited)
