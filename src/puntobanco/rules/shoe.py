"""The shoe: check, shuffle, cut, marker, burn, and which coup is the last.

A Shoe knows how many cards have left it, never their order, so the rules treat a physical and a
virtual shoe alike.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Literal, TypeVar

from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import DECK, Card, burn_value
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.notice import Terms
from puntobanco.rules.seal import below_by, framed_parts

DECK_SIZE = len(DECK)
SHOE_FORMAT: Literal["puntobanco-shoe-1"] = "puntobanco-shoe-1"
"""Names how words shuffle an order and how its file is checked; permanent, as the files are."""
Lot = TypeVar("Lot")
"""What is shuffled: cards of a shoe, or people for whom lots are drawn."""


def full_set(decks: int) -> tuple[Card, ...]:
    """All cards of this number of decks, in suits, as they are spread for the check.

    >>> import puntobanco as pb
    >>> len(pb.full_set(8))
    416
    """
    return DECK * decks


def check_set(cards: Iterable[Card], terms: Terms) -> None:
    """Refuse a set that is not every deck in full, 52 cards each [tas-2018:4.2, act-2015:2.5]."""
    counted, wanted = Counter(cards), Counter(full_set(terms.notice.decks))
    if counted != wanted:
        raise Refused(
            Reason.SHOE_INCOMPLETE,
            terms.rules.cards.check,
            decks=terms.notice.decks,
            missing=_listed(wanted - counted),
            surplus=_listed(counted - wanted),
        )


def check_copies(cards: Sequence[Card], terms: Terms) -> None:
    """Refuse a sequence with more copies of a card than the decks on the notice have."""
    if len(cards) > terms.notice.decks:
        ((card, copies),) = Counter(cards).most_common(1)
        check_copy(card, copies, terms)


def check_copy(card: Card, copies: int, terms: Terms) -> None:
    """Refuse a card of which the decks on the notice do not have so many copies."""
    decks = terms.notice.decks
    if copies > decks:
        clause = terms.rules.cards.decks.clause
        raise Refused(Reason.TOO_MANY_COPIES, clause, card=card, copies=copies, decks=decks)


def tally(seen: Iterable[Card], terms: Terms) -> tuple[Counter[Card], Counter[Card]]:
    """Count, for the check at the end of play, the cards not seen yet and those seen too often."""
    counted, wanted = Counter(seen), Counter(full_set(terms.notice.decks))
    return wanted - counted, counted - wanted


def _listed(cards: Counter[Card]) -> str:
    return " ".join(f"{count}×{card}" for card, count in sorted(cards.items())) or "none"


def shuffled(cards: Sequence[Lot], below: Callable[[int], int]) -> tuple[Lot, ...]:
    """Shuffle with a bounded draw from outside: `below(n)` gives 0 to n-1, each as likely.

    Every order is equally likely when every draw is, for each card in turn is picked from all
    that are left.

    >>> import puntobanco as pb
    >>> pb.shuffled(pb.parse_cards("Ac Ad Ah"), lambda below: 0)
    (<Card.Ad: 'Ad'>, <Card.Ah: 'Ah'>, <Card.Ac: 'Ac'>)
    """
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        pick = below(last + 1)
        assert 0 <= pick <= last, "a bounded draw keeps its bound"
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)


def commitment(order: Sequence[Card], salt: str) -> str:
    """The hash that commits a house to the order of a virtual shoe before anyone bets on it.

    >>> commitment(DECK[:2], "salt")[:16]
    'c9f00276ce7ef426'
    """
    return hashlib.sha256(f"{salt} {' '.join(order)}".encode()).hexdigest()


def mixed_by_words(order: Sequence[Card], committed: str, words: Sequence[str]) -> tuple[Card, ...]:
    """The order of a virtual shoe once players have added their words: the house's own, shuffled
    again by what commitment and words give. The house cannot choose it, for it was bound before
    there were words; players cannot, for what they shuffle is unknown to them. Without words it
    stays as it was.

    >>> " ".join(mixed_by_words(DECK[:5], "00", ("rain", "again")))
    'Ac 2c Ah Ad As'
    """
    if not words:
        return tuple(order)
    key = hashlib.sha256(framed_parts([SHOE_FORMAT, committed, *words])).digest()
    return shuffled(order, below_by(key))


def cut_offers(
    seated: Sequence[int], terms: Terms, last_cutter: int | None = None
) -> tuple[int, ...]:
    """List the seats that are offered the cut, in order; when all refuse, staff cut.

    First game: the player first to sit down, then clockwise from the highest numbered seat
    [tas-2018:5.3]. Later: the player on the left of the last cutter's position, then on
    clockwise [tas-2018:5.5]; when staff cut last, as in a first game. Where any player may be
    asked [act-2015:5.2], clockwise from the highest seat.

    `seated` lists the seats taken, in the order they were taken.
    """
    rule, seats = terms.rules.shoe.cut, terms.seats
    circuit = seats.clockwise_from(seats.count)
    first = seated[:1] if rule.offered == "first-seated" else ()
    if last_cutter is not None and rule.later_first:
        first, circuit = (), seats.clockwise_from(seats.left_of(last_cutter))
    return tuple(dict.fromkeys((*first, *(seat for seat in circuit if seat in seated))))


def check_cut(depth: int, terms: Terms) -> None:
    """Refuse a cut too near either end [tas-2018:5.3, act-2015:5.3]."""
    rule, cards = terms.rules.shoe.cut_depth, terms.notice.decks * DECK_SIZE
    if not rule.least <= depth <= cards - rule.least:
        raise Refused(
            Reason.CUT_TOO_SHALLOW,
            rule.clause,
            depth=depth,
            cards=cards,
            least=rule.least,
            most=cards - rule.least,
        )


def cut(cards: Sequence[Card], depth: int, terms: Terms) -> tuple[Card, ...]:
    """Cut the cards at this depth: those that lay in front go to the back."""
    check_cut(depth, terms)
    return (*cards[depth:], *cards[:depth])


def to_burn(first: Card | None, terms: Terms) -> int:
    """Count the cards that are burned before the first coup, the first card included.

    A first card burned unseen is the only one; an exposed one burns as many more as its value,
    ten to king counting ten [act-2015:5.4-5.6].
    """
    if terms.rules.shoe.burn is None:
        return 0
    return 1 if first is None else 1 + burn_value(first)


def indicator_depth(terms: Terms) -> int:
    """The number of cards in front of the indicator card [tas-2018:16.5.1]."""
    rule = terms.rules.shoe.indicator
    if rule is None:
        raise Refused(Reason.INDICATOR_NOT_PROVIDED, CONDITIONS)
    return (terms.notice.decks - rule.decks_from_rear) * DECK_SIZE


def replaced_after(*, handled: bool, terms: Terms) -> str | None:
    """Give the clause that retires the whole set when a player handled cards of the shoe.

    A card passed or touched was handled; a face-down card that the dealer turned was not
    [tas-2018:4.4].
    """
    rule = terms.rules.cards.handled_replaced
    return rule.clause if handled and rule else None


class Shoe(Brief, frozen=True):
    """What is known of the cards in play from one shuffle to the next.

    >>> import puntobanco as pb
    >>> pb.Shoe(416, behind_marker=14, drawn=10).before_marker
    392
    """

    cards: int
    behind_marker: int | None = None
    """None: there is no marker, or nobody counted."""
    drawn: int = 0
    """Cards that have left the shoe, whether dealt, burned or in excess."""
    since_marker: int | None = None
    """Cards drawn since the marker showed; None while it is in the shoe."""
    extra_round: bool = False
    """Whether the extra round after a tie with the marker out has been granted."""
    ended: str = ""
    """The clause by which no further coup may start; empty while one may."""

    @property
    def left(self) -> int:
        return self.cards - self.drawn

    @property
    def before_marker(self) -> int | None:
        """Cards still in front of the marker, where its place is known and it is in the shoe."""
        if self.behind_marker is None or self.since_marker is not None:
            return None
        return self.left - self.behind_marker

    @property
    def marker_shows(self) -> bool:
        """Whether the marker is out, or lies exposed at the mouth."""
        return self.since_marker is not None or self.before_marker == 0


class Last(StrEnum):
    """Whether the coup in play, or the next one, is the last of the shoe."""

    NO = "no"
    UNLESS_TIE = "unless-tie"
    YES = "yes"


def new_shoe(terms: Terms) -> Shoe:
    return Shoe(terms.notice.decks * DECK_SIZE, terms.behind_marker)


def draw(shoe: Shoe, cards: int = 1) -> Shoe:
    """Count cards out of the shoe; a marker whose place is known comes out with them."""
    since = shoe.since_marker
    if since is not None:
        since += cards
    elif shoe.before_marker is not None and cards > shoe.before_marker:
        since = cards - shoe.before_marker
    return replace(shoe, drawn=shoe.drawn + cards, since_marker=since)


def recounted(shoe: Shoe, more: int) -> Shoe:
    """Count cards out that were not keyed, or (below zero) back in that never left the shoe.

    A marker whose place is known follows the count; where it was seen, it was after those cards.
    """
    drawn, since = shoe.drawn + more, shoe.since_marker
    by_count = None
    if shoe.behind_marker is not None:
        by_count = drawn - (shoe.cards - shoe.behind_marker)
        if since is None or since == by_count - more:
            return replace(shoe, drawn=drawn, since_marker=by_count if by_count > 0 else None)
    return replace(shoe, drawn=drawn, since_marker=None if since is None else max(0, since + more))


def marker_out(shoe: Shoe) -> Shoe:
    """Take the marker out, wherever it was thought to lie."""
    return replace(shoe, since_marker=shoe.since_marker or 0)


def check_start(shoe: Shoe, terms: Terms, carried: int = 0) -> None:
    """Refuse to start a coup from a shoe that has ended or has too few cards.

    A marker that shows before any card of a coup still allows that coup [tas-2018:9.4].
    """
    if shoe.ended:
        raise Refused(Reason.SHOE_ENDED, shoe.ended)
    rule = terms.rules.shoe.least_to_start
    if shoe.left + carried < rule.least:
        raise Refused(Reason.TOO_FEW_CARDS, rule.clause, left=shoe.left)


def shoe_after_coup(shoe: Shoe, result: Result | None, terms: Terms) -> Shoe:
    """Say whether the shoe has ended after a coup with this result (None: it was void)."""
    rule = terms.rules.shoe.last_coup
    if rule.rule == "cards-after-marker":
        ended = (shoe.since_marker or 0) >= rule.cards
    elif rule.rule == "cards-left":
        ended = shoe.left < _fewest(terms)
    else:
        ended = shoe.since_marker is not None
        if ended and rule.extra_after_tie and result is Result.TIE and not shoe.extra_round:
            # only one extra round: the marker was not drawn in that one [act-2015:5.7]
            return replace(shoe, extra_round=True)
    return replace(shoe, ended=rule.clause) if ended else shoe


def _fewest(terms: Terms) -> int:
    """The fewest cards that may start a coup where only the cards left decide."""
    return max(terms.rules.shoe.least_to_start.least, terms.behind_marker or 0)


def last_coup(shoe: Shoe, terms: Terms, least_to_come: int = 4) -> Last:
    """Say whether this coup is certain to be the last; at least `least_to_come` cards follow."""
    rule = terms.rules.shoe.last_coup
    after = draw(shoe, least_to_come)
    if rule.rule == "cards-after-marker":
        return Last.YES if (after.since_marker or 0) >= rule.cards else Last.NO
    if rule.rule == "cards-left":
        return Last.YES if after.left < _fewest(terms) else Last.NO
    if after.since_marker is None:
        return Last.NO
    return Last.UNLESS_TIE if rule.extra_after_tie and not shoe.extra_round else Last.YES


RUN = 7
"""The shortest run, in cards, reported as repeated from the shoe before."""


def longest_repeat(before: tuple[Card, ...], now: tuple[Card, ...]) -> int:
    """The longest run of cards dealt in the same order as in the shoe before, or backwards.

    Cards that kept together through a shuffle show that it was none. By chance a run of seven
    comes about twice in ten million shoes; anything shorter is given as 0.
    """
    return max(_repeated(before, now), _repeated(before[::-1], now))


def _repeated(before: tuple[Card, ...], now: tuple[Card, ...]) -> int:
    longest, length = 0, RUN
    while (runs := _runs(before, length)) and runs & _runs(now, length):
        longest, length = length, length + 1
    return longest


def _runs(cards: tuple[Card, ...], length: int) -> set[tuple[Card, ...]]:
    return {cards[at : at + length] for at in range(len(cards) - length + 1)}
