"""How the shoe stands once the record of its last coup is put right."""

import pytest

from puntobanco.rules.cards import Card
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.state import Phase
from tests.kit.clauses import clause
from tests.kit.table.at import At, of, one, ready
from tests.kit.table.corrections import cards, pair
from tests.kit.table.verified import sound

TIE = "9c 9d Kh Ks"
NO_TIE = "9c 8d Kh Ks"


def last_round(dealt: str) -> At:
    """The round in which the cutting card came out, cleared away."""
    at = ready("act-2015")
    at.bet("1 p 100").deal(dealt)
    at.do("dan", c.SeeMarker())
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    return at


@clause("act-2015:5.7")
@pytest.mark.parametrize(
    "right", [c.CorrectCard(1, 2, Card("8d"), "an eight"), c.CorrectCoup(1, cards(NO_TIE), "seen")]
)
def test_a_tie_that_was_none_brings_no_extra_round(right: c.TableCommand) -> None:
    """[act-2015:5.7] The extra round that was opened is not dealt, and its wagers go back."""
    at = last_round(TIE)
    at.bet("1 p 200, 2 b 50")
    done = pair(at, right)
    closed = one(events.CoupNotDealt, done)
    assert (closed.number, closed.shoe_over, closed.clauses) == (2, True, ("act-2015:5.7",))
    back = [event for event in of(events.WagerSettled, done) if event.coup == 2]
    assert [event.outcome for event in back] == [Outcome.VOID, Outcome.VOID]
    assert at.table.phase is Phase.READY
    assert at.table.shoe is not None
    assert at.table.shoe.ended == "act-2015:5.7"
    assert at.table.chips == {"ann": 1_010_000, "bob": 1_000_000}
    assert sound(at)
    at.do("dan", c.EndShoe())


@clause("act-2015:5.7")
def test_a_tie_that_is_found_brings_the_extra_round() -> None:
    """[act-2015:5.7] While the shoe has not been ended; and it goes again with the tie."""
    at = last_round(NO_TIE)
    pair(at, c.CorrectCard(1, 2, Card("9d"), "a nine"))
    at.bet("1 p 200")
    pair(at, c.CorrectCard(1, 2, Card("8d"), "an eight after all"))
    pair(at, c.CorrectCard(1, 2, Card("9d"), "no, a nine"))
    at.coup("1 p 200", TIE)
    assert at.table.shoe is not None
    assert at.table.shoe.ended == "act-2015:5.7"
    assert sound(at)


@clause("act-2015:5.7", "act-2015:14.3")
def test_a_void_tie_brings_no_extra_round() -> None:
    """[act-2015:5.7, 14.3]"""
    at = last_round(TIE)
    at.bet("1 p 200")
    at.do("sue", c.VoidEarlier(1, "seen on video", cause="fraud"))
    assert one(events.CoupNotDealt, at.approve("mara")).shoe_over
    assert at.table.chips["ann"] == 1_000_000
    assert sound(at)


@clause("act-2015:5.7", "act-2015:12.2")
@pytest.mark.parametrize(("named", "closed"), [("8d", True), ("9h", False)])
def test_a_card_left_over_begins_the_extra_round_only_if_there_is_one(
    named: str, closed: bool
) -> None:
    """[act-2015:5.7, 12.2] Another correction leaves it where it is."""
    at = last_round(TIE + " 5d@p")
    at.do("dan", c.OpenCoup())
    pair(at, c.CorrectCard(1, 2, Card(named), "keyed wrong"))
    assert (at.table.coup is None) is closed
    left = at.table.carried if at.table.coup is None else at.table.coup.carried
    assert bool(left) is not closed
    assert sound(at)


@clause("act-2015:5.7")
def test_a_cutting_card_seen_since_then_makes_the_open_round_the_last() -> None:
    """[act-2015:5.7] It came out first in this round: the result before decides nothing."""
    at = ready("act-2015")
    at.coup("1 p 100", TIE)
    at.bet("1 p 100")
    at.do("dan", c.SeeMarker())
    pair(at, c.CorrectCard(1, 2, Card("8d"), "an eight"))
    at.deal(NO_TIE)
    at.do("dan", c.DeclareResult())
    assert sound(at)
