"""What one person cannot take back alone, and what a correction leaves as it was."""

from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found
from puntobanco.table import commands as c
from puntobanco.table import events
from tests.kit.table.at import At, balanced, of, one, ready


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


def test_nor_alone_by_too_few_cards_in_a_shoe_with_a_deck_left() -> None:
    """[act-2015:12.6]"""
    at = with_pairs_paid()
    ask = c.ReportIrregularity(Found.INSUFFICIENT_CARDS, "trust me")
    full = at.table
    assert of(events.Proposed, at.do("sue", ask))
    at.table = full
    one(events.CoupVoided, at.nearly_empty().do("sue", ask))  # the round itself brings it


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
