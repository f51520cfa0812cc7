"""The virtual shoe: shuffled by the house, committed to before anyone bets, opened when it is over.

Its order is kept encrypted beside the log. The table never holds it: it counts what has left the
shoe, and from that count and the cut the house knows which card is next, after a restart too.
"""

from base64 import urlsafe_b64encode
from collections.abc import Callable

import msgspec
from msgspec import Struct

from puntobanco.house.checks.generator import Watched
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.seal import NONCE_BYTES, SALT_BYTES, SealError, seal, unseal
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.shoe import commitment, full_set, shuffled
from puntobanco.table import commands as c
from puntobanco.table.authority import AUTHORITY, Giver
from puntobanco.table.next_step import next_step
from puntobanco.table.queries.face_down import face_down_position
from puntobanco.table.queries.shoe import shoe_order
from puntobanco.table.state import Table
from puntobanco.words import Step


class Chance(Struct, frozen=True):
    """Where chance comes from: the operating system, or a seed under test."""

    below: Callable[[int], int]
    """Draws a number from 0 to n-1, each equally likely."""
    some_bytes: Callable[[int], bytes]
    watch: Watched | None = None
    """Tests each byte that is drawn; None: a seed is not watched."""

    def new_id(self) -> str:
        """An id that no other has, in as few characters as can be: ids are kept for ever."""
        return urlsafe_b64encode(self.some_bytes(8)).decode().rstrip("=")


class Order(Struct, frozen=True):
    """The order of a shoe and its salt, to which the house is committed."""

    cards: tuple[Card, ...]
    salt: str


def shuffle_and_seal(
    table: Table, chance: Chance, key: bytes, machine: str = ""
) -> tuple[c.Shuffle, Sealed]:
    """Shuffle a fresh order: the command that commits to it, and the order under seal.

    Every swap is drawn by itself, so that every possible order can come out.
    """
    cards = shuffled(full_set(table.terms.notice.decks), chance.below)
    order = Order(cards, chance.some_bytes(SALT_BYTES).hex())
    committed = commitment(order.cards, order.salt)
    sealed = seal(committed, msgspec.json.encode(order), key, chance.some_bytes(NONCE_BYTES))
    return c.Shuffle(machine, committed), sealed


def order_of(table: Table, log: EventLog, *keys: bytes) -> Order:
    """Open the order of the shoe in play, and check it against its commitment."""
    sealed = log.sealed(table.pack.commitment)
    if sealed is None:
        raise SealError("what was committed to is not here any more")
    order = msgspec.json.decode(unseal(sealed, *keys), type=Order)
    if commitment(order.cards, order.salt) != table.pack.commitment:
        raise SealError("it is not what was committed to")
    return order


def dealt(table: Table, order: Order) -> tuple[Card, ...]:
    """The cards as they leave the shoe: with the players' words, and what lay in front of the cut
    goes to the back.
    """
    cut, cards = table.pack.cut_depth, shoe_order(table, order.cards)
    return (*cards[cut:], *cards[:cut])


CardAt = Callable[[int], Card]
"""A function that gives the card at a place of the shoe, counted from 0 as cards leave it."""


def shoe_cards(table: Table, order: Callable[[], Order]) -> CardAt:
    """Make a function that gives the cards of a table's shoe; it opens the seal when first used."""
    return lambda place: dealt(table, order())[place]


def next_card(table: Table, card_at: CardAt) -> Card:
    """The card that leaves the shoe next."""
    assert table.shoe is not None
    return card_at(table.shoe.drawn)


def face_down_card(table: Table, card_at: CardAt, position: int) -> Card:
    """The face of a card of the coup in play that lies face down, or was carried over unseen."""
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
"""The steps at which a card leaves the shoe, or is turned."""


def is_virtual(table: Table) -> bool:
    """Say whether a table is dealt from the house's own shoe."""
    return bool(table.pack.commitment) and table.shoe is not None


def deal_next(table: Table, card_at: CardAt) -> c.TableCommand:
    """Make the command that the next step wants from the house's own shoe: burn, draw or turn."""
    step, coup = next_step(table), table.coup
    match step.step:
        case Step.BURN if table.terms.notice.burn == "exposed" and not table.pack.burned:
            return c.BurnCards(next_card(table, card_at))
        case Step.BURN:
            return c.BurnCards(face_down=table.burn_due)
        case Step.DRAW_FOR_COUPS:
            return c.DrawForCoups(next_card(table, card_at))
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
