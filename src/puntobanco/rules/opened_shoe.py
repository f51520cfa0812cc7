"""One of the house's own shoes that is over, as anybody can check it: what it came from, and what
came out of it.
"""

from collections import Counter
from typing import Literal

from msgspec import Struct

from puntobanco.rules.cards import DECK, Card
from puntobanco.rules.shoe import commitment, mixed_by_words


class OpenedShoe(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of one shoe."""

    format: Literal["puntobanco-shoe-1"]
    table: str
    number: int
    """The number of the opening at that table, from 1."""
    commitment: str
    """On record before there was any of the words."""
    words: tuple[str, ...]
    """What players added, one after another."""
    cut: int
    """Cards that went from the front to the back; 0: they were not cut."""
    order: tuple[Card, ...]
    """What the house had committed to; empty: it never showed it."""
    salt: str
    dealt: tuple[Card | None, ...]
    """The cards as they left the shoe; None: nobody saw it."""


ShoeFault = Literal["", "never-opened", "not-committed", "not-full", "dealt-otherwise"]


def shoe_fault(shoe: OpenedShoe) -> ShoeFault:
    """Work the shoe out again, and say what does not agree; empty: everything does."""
    if not shoe.order:
        return "never-opened"
    if commitment(shoe.order, shoe.salt) != shoe.commitment:
        return "not-committed"
    decks = len(shoe.order) // len(DECK)
    if Counter(shoe.order) != Counter(DECK * decks):
        return "not-full"
    cards = mixed_by_words(shoe.order, shoe.commitment, shoe.words)
    left = (*cards[shoe.cut :], *cards[: shoe.cut])
    same = len(shoe.dealt) <= len(left) and all(
        seen in (None, card) for seen, card in zip(shoe.dealt, left, strict=False)
    )
    return "" if same else "dealt-otherwise"
