"""What one person cannot take back alone, and what a correction leaves as it was."""

import pytest

from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found
from puntobanco.table import commands as c
from puntobanco.table import events
from tests.kit.clauses import clause
from tests.kit.table.at import At, balanced, of, one, ready
from tests.kit.table.corrections import OVERSEER
from tests.kit.table.verified import sound


def with_pairs_paid() -> At:
    at = ready("act-2015", "ann", "bob")
    at.bet("1 pp 50")
    at.deal("2c 3d 2h 3h")
    assert at.table.coup is not None
    assert at.table.coup.lines
    return at


def test_pairs_that_were_paid_are_taken_back_by_two_people() -> None:
    """[act-2015:14.3, act-2015:9.9]"""
    at = with_pairs_paid()
    held = at.table.chips["ann"]
    happened = at.do("sue", c.ReportIrregularity(Found.FOREIGN_CARD, "another back"))
    assert of(events.Proposed, happened) == happened
    assert at.table.chips["ann"] == held
    undone = at.approve("mara")
    assert one(events.TransferReversed, undone).to_owner_cents < 0
    assert balanced(at.table)


def test_nor_alone_by_too_few_cards_in_a_shoe_that_has_enough_by_its_count() -> None:
    """[act-2015:12.6] Player is owed a card, and Banker may be: two suffice."""
    at = with_pairs_paid()
    ask = c.ReportIrregularity(Found.INSUFFICIENT_CARDS, "trust me")
    full = at.table
    assert of(events.Proposed, at.do("sue", ask))
    at.table = full
    assert of(events.Proposed, at.nearly_empty(2).do("sue", ask))
    at.table = full
    one(events.CoupVoided, at.nearly_empty(1).do("sue", ask))  # the round itself brings it


@clause("tas-2018:14.5", "tas-2013:14.5", "act-2015:12.6", "mbs-2017:5.5")
@pytest.mark.parametrize("doc", RULESETS)
def test_too_few_cards_by_two_people_while_the_count_has_enough(doc: str) -> None:
    """[tas-2018:14.5, act-2015:12.6, mbs-2017:5.5] Nothing is paid yet, the marker is out, and by
    the count there are cards: one person alone does not take a coup away.
    """
    at = ready(doc)
    at.bet("1 p 100").deal("2c Kd Kh 3s")
    at.do("dan", c.SeeMarker())
    ask = c.ReportIrregularity(Found.INSUFFICIENT_CARDS, "the shoe is empty")
    assert of(events.Proposed, at.do(OVERSEER[doc], ask))
    assert at.table.coup is not None
    assert at.table.coup.verdict is None
    one(events.CoupVoided, at.approve("mara"))
    assert at.table.chips["ann"] == 1_000_000
    assert sound(at)


def test_a_wager_that_was_cut_back_stays_cut_when_it_is_put_right() -> None:
    """[tas-2018:7.3(b), tas-2018:7.5]"""
    at = ready("tas-2018", "ann", "bob", collective_liability_cents=2800)
    at.coup("1 p 10", "9c 3d Kc 3h")
    at.bet("1 p 25, 2 p 25")
    at.do("dan", c.ReduceWagers())
    at.deal("9c 3d Kc 3h")
    at.do("dan", c.DeclareResult())
    at.do("ines", c.CorrectWager(2, "ann", 1, Bet.PLAYER, 1000, "ten lay there after the cut"))
    line = one(events.WagerSettled, at.approve("mara"))
    assert (line.stake_cents, line.won_cents) == (1000, 1000)
    assert balanced(at.table)
