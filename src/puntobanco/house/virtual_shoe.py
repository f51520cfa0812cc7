"""The virtual shoe: shuffled by the house, committed to before anyone bets, opened when it is over.

Its order is kept encrypted beside the log. The table never holds it: it counts what has left the
shoe, and from that count and the cut the house knows which card is next, after a restart too.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.seal import NONCE_BYTES, SALT_BYTES, SealError, seal, unseal
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.shoe import commitment, full_set, shuffled
from puntobanco.table import commands as c
from puntobanco.table.authority import AUTHORITY, Giver
from puntobanco.table.next_step import next_step
from puntobanco.table.queries.face_down import face_down_position
from puntobanco.table.state import Table
from puntobanco.words import Step


class Chance(Struct, frozen=True):
    """Where chance comes from: the operating system, or a seed under test."""

    below: Callable[[int], int]
    """A number from 0 to n-1, each as likely."""
    some_bytes: Callable[[int], bytes]


class Order(Struct, frozen=True):
    """What a commitment to a shoe stands for."""

    cards: tuple[Card, ...]
    salt: str


def shuffle(
    table: Table, chance: Chance, key: bytes, machine: str = ""
) -> tuple[c.Shuffle, Sealed]:
    """A fresh order, committed to: the command for the table, and the order under seal.

    Every swap is drawn by itself, so that every order there is can come out.
    """
    cards = shuffled(full_set(table.terms.notice.decks), chance.below)
    order = Order(cards, chance.some_bytes(SALT_BYTES).hex())
    committed = commitment(order.cards, order.salt)
    sealed = seal(committed, msgspec.json.encode(order), key, chance.some_bytes(NONCE_BYTES))
    return c.Shuffle(machine, committed), sealed


def order_of(table: Table, log: EventLog, key: bytes) -> Order:
    """The order of the shoe in play, from under its seal; checked against what was committed to."""
    sealed = log.sealed(table.pack.commitment)
    if sealed is None:
        raise SealError("what was committed to is not here any more")
    order = msgspec.json.decode(unseal(sealed, key), type=Order)
    if commitment(order.cards, order.salt) != table.pack.commitment:
        raise SealError("it is not what was committed to")
    return order


def dealt(table: Table, order: Order) -> tuple[Card, ...]:
    """The cards as they leave the shoe: what lay in front of the cut goes to the back."""
    cut = table.pack.cut_depth
    return (*order.cards[cut:], *order.cards[:cut])


CardAt = Callable[[int], Card]
"""The card at a place of the shoe, counted from 0 as they leave it."""


def cards_of(table: Table, order: Callable[[], Order]) -> CardAt:
    """The cards of the shoe on a table, by its order; the seal is opened only when one is due."""
    return lambda place: dealt(table, order())[place]


def next_card(table: Table, card_at: CardAt) -> Card:
    """The card that leaves the shoe next."""
    assert table.shoe is not None
    return card_at(table.shoe.drawn)


def face_down_card(table: Table, card_at: CardAt, position: int) -> Card:
    """What a card of the coup in play is that lies face down, or was carried over unseen."""
    coup, shoe = table.coup, table.shoe
    assert coup is not None
    assert shoe is not None
    first = shoe.drawn - (len(coup.drawn) - coup.begun)
    left_over = coup.begun + len(coup.carried)  # the last to leave the shoe in the coup before
    return card_at(first - left_over + position - 1)


DEALT_AT = frozenset(
    step
    for allowed in AUTHORITY.values()
    if Giver.DEVICE in allowed.given_by
    for step in allowed.steps
)
"""When a card leaves the shoe next, or is turned."""


def is_virtual(table: Table) -> bool:
    """Is it dealt from the house's own shoe?"""
    return bool(table.pack.commitment) and table.shoe is not None


def deal(table: Table, card_at: CardAt) -> c.TableCommand:
    """The next card out of the house's own shoe, or the next to be turned: as the rules want it."""
    step, coup = next_step(table), table.coup
    match step.step:
        case Step.BURN if table.terms.notice.burn == "exposed" and not table.pack.burned:
            return c.BurnCards(next_card(table, card_at))
        case Step.BURN:
            return c.BurnCards(face_down=table.burn_due)
        case Step.DEAL_CARRIED:
            assert coup is not None
            known = coup.carried[0].card is not None
            return c.DealCarried(None if known else face_down_card(table, card_at, coup.begun + 1))
        case Step.TURN_CARDS:
            position = face_down_position(table, Side(str(step.facts["side"])))
            return c.TurnCard(face_down_card(table, card_at, position), position)
        case _:
            assert coup is not None
            return c.DrawCard(None if coup.face_down else next_card(table, card_at))
