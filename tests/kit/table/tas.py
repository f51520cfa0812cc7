"""A Tasmanian table to test with: what its viewers see, and the ways to rarer moments."""

import pytest

from puntobanco.rules.coup import Laid
from puntobanco.rules.irregularities import Found
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.events import TableEvent
from puntobanco.table.next_step import Next
from puntobanco.table.view import Play, Sign
from puntobanco.table.view.staff import Floor, Oversight
from tests.kit.table.at import At, ready

BOTH = pytest.mark.parametrize("doc", ["tas-2018", "tas-2013"])
NATURAL = "9c Kd Kh 2s"  # Player 9, Banker 2: four cards
STOOD = "6c Kd Kh 7s"  # Player 6, Banker 7: four cards
TIE = "6c 6d Kh Ks"
BANKER_DRAWS = "6c Kd Kh 5s"
PLAYER_DRAWS = "2c Kd Kh 7s"


def sign(at: At, person: str = "") -> Sign:
    shown = at.view(person).sign
    assert shown is not None
    return shown


def play(at: At, person: str = "") -> Play:
    shown = at.view(person).play
    assert shown is not None
    return shown


def step(at: At) -> Next:
    shown = at.view("dan").next
    assert shown is not None
    return shown


def floor(at: At) -> Floor:
    shown = at.view("dan").floor
    assert shown is not None
    return shown


def oversight(at: At) -> Oversight:
    shown = at.view("ines").oversight
    assert shown is not None
    return shown


def left(at: At) -> int:
    """Cards still in the shoe."""
    assert at.table.shoe is not None
    return at.table.shoe.left


def stand(at: At, person: str, box: int, dollars: int = 10_000) -> None:
    at.do(person, c.StandAt(box))
    at.do("dan", c.BuyIn(dollars * 100, person))


def finish(at: At) -> list[TableEvent]:
    return [*at.do("dan", c.DeclareResult()), *at.do("dan", c.EndCoup())]


def with_cards_left(doc: str, cards: int) -> At:
    """A table with so few cards in its shoe: a void coup took the others with it."""
    at = ready(doc).bet("1 p 50")
    at.deal(NATURAL)
    while left(at) > cards:
        at.do("dan", c.DrawCard(None, Laid.NOWHERE))
    at.do("ines", c.ReportIrregularity(Found.FOREIGN_CARD))
    at.do("dan", c.EndCoup())
    assert (left(at), at.table.carried) == (cards, ())
    return at


def face_down(at: At) -> At:
    """Coups are dealt face down from now on."""
    at.do("ann", c.AskFaceDown())
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    at.do("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
    at.do("dan", c.SetFaceDown(down=True))
    return at


def squeezed(doc: str, wagers: str = "1 p 50, 2 b 50", *people: str) -> At:
    """Cards of a coup lie face down."""
    at = face_down(ready(doc, *people)).bet(wagers)
    at.deal("?? ?? ?? ??")
    return at
