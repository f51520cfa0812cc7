"""A hand lacks a card that it should have had: whatever is ruled, there is a way on.

No document lets hands that lack a card decide: they are made up by the table of play, or the coup
is void.
"""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.irregularities import Found, Verdict
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.state import Phase
from tests.kit.clauses import clause
from tests.kit.table.at import At, of, one, ready
from tests.kit.table.corrections import OVERSEER, cards, pair
from tests.kit.table.verified import sound

SHORT = "2c Kd Kh 7s"
"""Player has two points and is owed a third card."""
DOCS = ("tas-2018", "tas-2013", "act-2015", "mbs-2017")
RULED = [
    (doc, found)
    for doc in DOCS
    for found in (Found.WRONG_NUMBER, Found.ORDER_UNKNOWN, Found.SHOE_DISTURBED)
]


def ruled(doc: str, found: Found, verdict: str) -> At:
    """Four cards lie, or are gone to the discards; the dealer reports it, and it is ruled on."""
    at = ready(doc)
    at.bet("1 p 100").deal(SHORT)
    at.do("dan", c.ReportIrregularity(found, "they went to the discards"))
    assert at.table.phase is Phase.HELD
    coup = at.table.coup
    assert coup is not None
    if coup.found_verdict is Verdict.RULING:
        ruling = c.RuleOn("stands" if verdict == "stands" else "void", "on the spot")
        at.do(OVERSEER[doc], ruling)
        at.approve("mara")
    else:
        at.do(OVERSEER[doc], c.ConfirmFinding(verdict == "void", "on the spot"))
    return at


@clause("tas-2018:14.3", "tas-2013:14.3", "act-2015:12.4", "mbs-2017:5.2")
@pytest.mark.parametrize(("doc", "found"), RULED)
def test_a_coup_that_stands_is_made_up_by_the_table_of_play(doc: str, found: Found) -> None:
    """[tas-2018:14.3, tas-2013:14.3, act-2015:12.4, mbs-2017:5.2] The card still owed is dealt,
    wherever the others lie by now: hands without it give no result.
    """
    at = ruled(doc, found, "stands")
    at.refuse("dan", c.DeclareResult(), Reason.COUP_INCOMPLETE)
    at.do("dan", c.DrawCard(Card("6d")))
    assert one(events.ResultDeclared, at.do("dan", c.DeclareResult())).player == 8
    at.do("dan", c.EndCoup())
    assert sound(at)


@clause("tas-2018:14.6", "tas-2013:3", "act-2015:14.3", "mbs-2017:5.2")
@pytest.mark.parametrize(("doc", "found"), RULED)
def test_or_it_is_void(doc: str, found: Found) -> None:
    """[tas-2018:14.6, tas-2013:3, act-2015:14.3, mbs-2017:5.2]"""
    at = ruled(doc, found, "void")
    assert at.table.chips["ann"] == 1_000_000
    at.do("dan", c.EndCoup())
    assert sound(at)


@clause("act-2015:14.3", "conditions")
@pytest.mark.parametrize(("doc", "found"), RULED)
def test_and_void_later_if_the_card_cannot_be_dealt_after_all(doc: str, found: Found) -> None:
    """[act-2015:14.3, conditions] Two people find that it is impractical to go on."""
    at = ruled(doc, found, "stands")
    at.do(OVERSEER[doc], c.VoidCoup("impractical", "the shoe is gone"))
    back = of(events.WagerSettled, at.approve("mara"))
    assert [event.outcome for event in back] == [Outcome.VOID]
    at.do("dan", c.EndCoup())
    assert sound(at)


@clause("tas-2018:14.3", "tas-2013:14.3", "act-2015:12.4", "mbs-2017:5.2")
@pytest.mark.parametrize("doc", DOCS)
@pytest.mark.parametrize("void", [False, True])
def test_what_was_paid_on_short_hands_goes_back_first(doc: str, void: bool) -> None:
    """[tas-2018:14.3, tas-2013:14.3, act-2015:12.4, mbs-2017:5.2] A third card was keyed that was
    never dealt: the coup is open again, and goes on or is void.
    """
    at = ready(doc)
    at.bet("1 p 100").deal(SHORT + " 6d")
    at.do("dan", c.DeclareResult())
    pair(at, c.CorrectCoup(1, cards(SHORT), "no third card was dealt"))
    assert at.table.phase is Phase.DEALING
    if void:
        at.do(OVERSEER[doc], c.VoidCoup("impractical", "all is cleared away"))
        at.approve("mara")
    else:
        at.do("dan", c.DrawCard(Card("5d")))
        at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert sound(at)
