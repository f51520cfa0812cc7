"""A shoe of the house's own, its order committed to."""

from collections.abc import Iterator
from itertools import count

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid
from puntobanco.rules.shoe import commitment, cut, full_set, mixed_by_words, shuffled
from puntobanco.table import commands as c
from tests.kit.table.at import At

SALT = "00ff"


def order_of(at: At) -> tuple[Card, ...]:
    draws = count(1)
    decks = at.notice.decks
    return shuffled(full_set(decks), lambda n: next(draws) * 2_654_435_761 % 2**32 % n)


def committed(
    ruleset: str, words: tuple[str, ...] = ()
) -> tuple[At, tuple[Card, ...], Iterator[Card]]:
    """A shoe whose order was fixed before the cut, cut 100 deep, and burned as wanted; the words
    are ann's and bob's.
    """
    at = At(ruleset).open().staffed().seat("ann", *("bob" for _ in words[1:]))
    at.do("dan", c.CheckCards("set A", player="ann"))
    order = order_of(at)
    at.do("dan", c.Shuffle(commitment=commitment(order, SALT)))
    for person, said in zip(("ann", "bob"), words, strict=False):
        at.do(person, c.AddWords(said))
    at.do("ann", c.CutCards(100, 1))
    at.do("dan", c.LoadShoe(at.table.terms.behind_marker))
    dealt = mixed_by_words(order, commitment(order, SALT), words)
    left = iter(cut(dealt, 100, at.table.terms))
    if at.notice.burn:
        at.do("dan", c.BurnCards(next(left)))
        due = at.table.burn_due
        at.do("dan", c.BurnCards(face_down=due))
        for _ in range(due):
            next(left)
    return at, order, left


def play_out(at: At, left: Iterator[Card]) -> None:
    """Deal the whole shoe from the order, a card in excess now and then."""
    unseen: list[Card] = []
    while at.table.shoe and not at.table.shoe.ended:
        at.bet("1 b 100")
        coup = at.table.coup
        assert coup is not None
        if at.table.terms.rules.wagers.close.call and not coup.locked:
            at.do("dan", c.NoMoreBets())
        while at.table.coup and at.table.coup.carried:
            at.do("dan", c.DealCarried(unseen.pop()))
        while at.table.coup and at.table.coup.hands(at.table.terms).owed:
            at.do("dan", c.DrawCard(next(left)))
        if coup.number == 5:
            unseen = [next(left)]
            at.do("dan", c.DrawCard(None, Laid.NOWHERE))
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
