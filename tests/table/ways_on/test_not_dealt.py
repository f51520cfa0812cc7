"""A coup that was opened and on which no wager lies has an ordinary way out."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import Phase
from puntobanco.words import Step
from tests.kit.clauses import clause, tas
from tests.kit.table.at import At, contest, events, of, one, ready
from tests.kit.table.tas import NATURAL, step
from tests.kit.table.verified import sound

EVERY = pytest.mark.parametrize("doc", RULESETS)
NO_WAGER = {
    "tas-2018": "tas-2018:6.2",
    "tas-2013": "tas-2013:6.2",
    "act-2015": "act-2015:4.1",
    "mbs-2017": "mbs-2017:3.1",
}


@EVERY
@clause(*NO_WAGER.values())
def test_a_coup_on_which_nobody_bets_is_closed_undealt(doc: str) -> None:
    """[tas-2018:6.2, tas-2013:6.2, act-2015:4.1, mbs-2017:3.1] No false void is on record."""
    at = ready(doc)
    at.do("dan", c.OpenCoup())
    done = at.do("dan", c.CloseCoup())
    closed = one(events.CoupNotDealt, done)
    assert (closed.number, closed.clauses) == (1, (NO_WAGER[doc],))
    assert (at.table.phase, at.table.coups) == (Phase.READY, ())
    assert not of(events.CoupVoided, at.log)
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).number == 2
    assert sound(at)


@EVERY
def test_everybody_has_left_and_the_next_step_is_to_close_the_coup(doc: str) -> None:
    """What was withdrawn stays on record."""
    at = ready(doc, "ann").bet("1 p 50")
    at.do("dan", c.WithdrawWager(1, Bet.PLAYER, "ann"))
    at.do("dan", c.CashOut(1_000_000, "ann"))
    at.do("ann", c.Leave())
    assert step(at).step is Step.CLOSE_COUP
    at.do("dan", c.CloseCoup())
    assert len(of(events.WagerWithdrawn, at.log)) == 1
    assert sound(at)


@EVERY
def test_no_more_bets_was_called_and_no_wager_lies(doc: str) -> None:
    at = ready(doc)
    at.do("dan", c.OpenCoup())
    at.do("dan", c.NoMoreBets())
    assert step(at).step is Step.CLOSE_COUP
    at.do("dan", c.CloseCoup())
    assert at.table.phase is Phase.READY
    assert sound(at)


@EVERY
def test_while_players_may_still_bet_the_next_step_is_to_take_bets(doc: str) -> None:
    at = ready(doc)
    at.do("dan", c.OpenCoup())
    assert step(at).step in (Step.TAKE_BETS, Step.CALL)


@EVERY
def test_a_coup_with_a_wager_or_a_card_is_dealt(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.refuse("dan", c.CloseCoup(), Reason.WAGERS_LIE, NO_WAGER[doc])
    at.deal(NATURAL)
    at.refuse("dan", c.CloseCoup(), Reason.COUP_IS_DEALT)
    at.refuse("ann", c.CloseCoup(), Reason.NOT_YOUR_ROLE)


@clause(*tas("14.1"))
def test_a_coup_on_which_nobody_may_bet_is_dealt() -> None:
    """[tas-2018:14.1] The non-betting coup is played to a conclusion."""
    at = ready("tas-2018")
    at.coup("1 p 50", f"{NATURAL} 4d@p")
    at.do("dan", c.OpenCoup())
    at.refuse("dan", c.CloseCoup(), Reason.COUP_IS_DEALT, "tas-2018:14.1")


@clause(*tas("14.2"))
def test_a_card_left_over_begins_the_coup_that_is_dealt_after_all() -> None:
    """[tas-2018:14.2]"""
    at = ready("tas-2018")
    at.coup("1 p 50", f"{NATURAL} ??@-")
    at.do("dan", c.OpenCoup())
    closed = one(events.CoupNotDealt, at.do("dan", c.CloseCoup()))
    assert [card.card for card in closed.carried] == [None]
    at.bet("1 p 50")
    assert step(at).step is Step.TAKE_BETS
    at.do("dan", c.DealCarried(Card("2c")))
    assert sound(at)


@clause("tas-2018:6.2")
def test_a_free_coup_that_was_not_dealt_is_still_free() -> None:
    """[tas-2018:6.2]"""
    at = ready("tas-2018")
    at.do("mara", c.AllowFreeCoups(1))
    at.do("dan", c.OpenCoup())
    at.do("dan", c.CloseCoup())
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.FREE
    assert sound(at)


def test_a_player_of_a_competition_is_not_passed_over() -> None:
    """[tas-2018:16.5.11] Only when everyone is gone may the coup stay undealt."""
    at = contest("tas-2018", "ann", "bob")
    at.do("dan", c.OpenCoup())
    at.refuse("dan", c.CloseCoup(), Reason.MUST_WAGER, "tas-2018:16.5.11")
    for person in ("ann", "bob"):
        at.do("cora", c.MarkAbsent(person))
    assert step(at).step is Step.CLOSE_COUP
    at.do("dan", c.CloseCoup())
    assert not of(events.AbsenceDeducted, at.log)
    assert sound(at)


def test_the_next_coup_does_not_ride_over_what_was_found() -> None:
    """What was ruled while bets were open holds for the coup that comes."""
    at = ready("mbs-2017")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    at.do("sue", c.RuleOn("stands", "seen by nobody who bet"))
    at.approve("mara")
    at.do("dan", c.CloseCoup())
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert opened.kind is CoupKind.NON_BETTING
    assert sound(at)


def test_an_empty_table_is_closed_in_the_ordinary_way() -> None:
    at = At("tas-2018").open().staffed().shoe()
    at.do("dan", c.OpenCoup())
    assert step(at).step is Step.CLOSE_COUP
    assert step(at).roles == (Role.DEALER,)
    at.do("dan", c.CloseCoup())
    at.do("mara", c.CloseTable())
    assert at.table.phase is Phase.SHUT
    assert sound(at)
