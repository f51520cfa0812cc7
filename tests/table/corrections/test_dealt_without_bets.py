"""A coup that was dealt without bets by mistake: the wagers that lay are put on record."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table.coup_record import CoupKind
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, events, one, ready
from tests.kit.table.corrections import pair
from tests.kit.table.verified import sound

DOCS = pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])
LAY = c.CorrectWager(1, "ann", 1, Bet.PLAYER, 10_000, "it was an ordinary coup")


def barred(doc: str) -> At:
    """A card was keyed as drawn and seen between coups; the first coup is opened without bets."""
    at = ready(doc)
    at.do("dan", c.DrawCard(Card("9c"), Laid.NOWHERE))
    at.do("dan", c.OpenCoup())
    assert at.table.coup is not None
    assert at.table.coup.kind is CoupKind.NON_BETTING
    return at


def dealt(at: At) -> At:
    at.do("dan", c.DealCarried())
    at.deal("Kd Kh 5s")
    return at


@DOCS
@clause(*tas("14.1", "6.3"), "act-2015:12.2", "act-2015:4.6")
def test_wagers_that_lay_on_a_coup_that_is_over_are_settled(doc: str) -> None:
    """[tas-2018:6.3, 14.1, act-2015:4.6, 12.2] Two people say that it was an ordinary coup."""
    at = dealt(barred(doc))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    done = pair(at, LAY)
    line = one(events.WagerSettled, done)
    assert (line.outcome, line.won_cents) == (Outcome.WINS, 10_000)
    record = one(events.RecordReplaced, done).record
    assert (record.kind, len(record.lines)) == (CoupKind.ORDINARY, 1)
    assert sound(at)


@DOCS
@clause(*tas("14.1", "6.3"), "act-2015:12.2", "act-2015:4.6")
@pytest.mark.parametrize("declared", [False, True])
def test_wagers_that_lie_on_a_coup_in_play_are_settled_with_it(doc: str, declared: bool) -> None:
    """[tas-2018:6.3, 14.1, act-2015:4.6, 12.2]"""
    at = dealt(barred(doc))
    if declared:
        at.do("dan", c.DeclareResult())
    done = pair(at, LAY)
    assert at.table.coup is not None
    assert at.table.coup.kind is CoupKind.ORDINARY
    if not declared:
        done = at.do("dan", c.DeclareResult())
    assert one(events.WagerSettled, done).won_cents == 10_000
    at.do("dan", c.EndCoup())
    assert at.table.coups[-1].kind is CoupKind.ORDINARY
    assert sound(at)


@DOCS
@clause(*tas("7.5"), "act-2015:3.4")
def test_who_had_been_warned_before_it_had(doc: str) -> None:
    """[tas-2018:7.5, act-2015:3.4] The wager below the minimum goes back."""
    at = ready(doc)
    at.coup("1 p 10", "9c Kd Kh 5s")
    at.do("dan", c.DrawCard(Card("9c"), Laid.NOWHERE))
    at.do("dan", c.OpenCoup())
    dealt(at)
    low = c.CorrectWager(2, "ann", 1, Bet.PLAYER, 1_000, "it was an ordinary coup")
    pair(at, low)
    settled = one(events.WagerSettled, at.do("dan", c.DeclareResult()))
    assert settled.outcome is Outcome.RETURNED
    assert sound(at)


@DOCS
@clause(*tas("14.1"), "act-2015:12.2")
def test_before_its_first_card_nothing_lies_on_it(doc: str) -> None:
    """[tas-2018:14.1, act-2015:12.2] What bars bets on it is to be put right instead."""
    at = barred(doc)
    rule = "act-2015:12.2" if doc == "act-2015" else twin(doc, "14.1")
    at.refuse("dan", LAY, Reason.NON_BETTING_COUP, rule)
