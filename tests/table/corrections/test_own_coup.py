"""Reports, voids and lists of cards keep to the coup they are about, and to its moment."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Phase
from tests.kit.clauses import clause
from tests.kit.table.at import of, one, ready, rebuilt
from tests.kit.table.corrections import OVERSEER, cards, pair
from tests.kit.table.verified import sound

NATURAL = "9c Kd Kh 5s"


@clause("tas-2018:14.6", "act-2015:14.3")
@pytest.mark.parametrize(("ruleset", "who"), [("tas-2018", "ines"), ("act-2015", "sue")])
def test_a_report_that_was_proposed_dies_with_its_coup(ruleset: str, who: str) -> None:
    at = ready(ruleset)
    at.bet("1 p 100").deal(NATURAL)
    at.do("dan", c.DeclareResult())
    report = c.ReportIrregularity(Found.FOREIGN_CARD, "a blue back")
    one(events.Proposed, at.do(who, report))
    assert of(events.CoupVoided, at.do("dan", report)) == []  # a dealer's finding is no inspector's
    at = ready(ruleset)
    at.bet("1 p 100").deal(NATURAL)
    at.do("dan", c.DeclareResult())
    at.do(who, report)
    at.do("dan", c.EndCoup())
    at.bet("1 p 100").deal(NATURAL)
    at.refuse("mara", c.Approve(1), Reason.NO_SUCH_PROPOSAL)


def test_two_people_void_a_coup_that_was_paid_and_reopened() -> None:
    at = ready()
    at.bet("1 p 100").deal(NATURAL)
    at.do("dan", c.DeclareResult())
    pair(at, c.CorrectCard(1, 4, Card("6s"), "a six"))
    one(events.Proposed, at.do("ines", c.ReportIrregularity(Found.FOREIGN_CARD, "blue back")))


@clause("act-2015:12.2", "act-2015:12.5")
def test_what_was_ruled_on_in_time_is_no_error_found_late() -> None:
    at = ready("act-2015")
    at.coup("1 p 100", "9c Kd Kh 5s 5d@p")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    pair(at, c.CorrectCard(1, 1, Card("9d"), "a diamond"))
    assert at.table.coups[-1].verdict is Verdict.STANDS
    assert at.table.chips["ann"] == 1_010_000


@clause("tas-2018:14.1")
def test_a_correction_moves_money_though_a_card_had_been_left_over() -> None:
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 8s 5d@p")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    pair(at, c.CorrectCard(1, 1, Card("7c"), "a seven"))
    assert at.table.chips["ann"] == 990_000


@clause("tas-2018:14.4", "act-2015:12.2")
@pytest.mark.parametrize("ruleset", ["tas-2018", "act-2015"])
def test_a_void_takes_nothing_from_the_next_coup_but_its_own_cards(ruleset: str) -> None:
    at = ready(ruleset)
    at.coup("1 p 100", NATURAL)
    at.do("dan", c.DrawCard(Card("5h"), Laid.NOWHERE))
    at.do(OVERSEER[ruleset], c.VoidEarlier(1, "seen on video", cause="fraud"))
    at.approve("mara")
    assert at.table.next_kind is NextCoup.NON_BETTING
    assert [left.card for left in at.table.carried] == [Card("5h")]
    assert rebuilt(at) == at.table


@clause("tas-2018:14.1")
def test_a_void_coups_own_card_left_over_goes_with_it() -> None:
    at = ready()
    at.coup("1 p 100", "9c Kd Kh 5s 5d@p")
    at.do("dan", c.OpenCoup())
    at.do("ines", c.VoidEarlier(1, "seen on video", cause="fraud"))
    at.approve("mara")
    assert at.table.coup is not None
    assert (at.table.coup.kind, at.table.coup.carried) == (CoupKind.ORDINARY, ())


@clause("tas-2018:6.3", "act-2015:4.6")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_cards_said_while_bets_are_open_lock_them(ruleset: str) -> None:
    """They were dealt and not keyed; and a card that was keyed and never dealt locks none."""
    at = ready(ruleset)
    at.bet("1 p 100")
    locked = one(events.BetsLocked, pair(at, c.CorrectCoup(1, cards(NATURAL), "not keyed")))
    assert locked.clauses
    at.refuse("bob", c.PlaceWager(2, Bet.PLAYER, 10_000), Reason.BETS_CLOSED)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    if at.table.terms.rules.wagers.close.at == "no-more-bets":
        return
    at.bet("1 p 100").deal("9c")
    pair(at, c.CorrectCoup(2, (), "no card was dealt"))
    assert at.table.phase is Phase.BETTING


@pytest.mark.parametrize("ruleset", ["tas-2018", "act-2015"])
def test_the_list_of_a_coup_has_the_card_carried_over_too(ruleset: str) -> None:
    at = ready(ruleset)
    at.coup("1 p 100", "9c Kd Kh 5s 5d@p")
    at.do("dan", c.OpenCoup())
    drawn = at.table.shoe.drawn if at.table.shoe else 0
    pair(at, c.CorrectCoup(2, cards("5d 9d 4h Ks"), "not keyed"))
    assert at.table.shoe is not None
    assert at.table.shoe.drawn == drawn + 3
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.coup("1 p 100", NATURAL)


def test_a_wager_is_nobodys_who_was_never_here() -> None:
    at = ready()
    at.coup("1 p 100", NATURAL)
    ask = c.CorrectWager(1, "nobody", 3, Bet.PLAYER, 10_000, "typed wrong")
    at.refuse("dan", ask, Reason.NEVER_HERE)


@clause("tas-2018:9.2", "act-2015:2.2")
@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("over", [False, True])
def test_every_card_of_a_hand_dealt_face_up_has_a_name(ruleset: str, over: bool) -> None:
    at = ready(ruleset)
    at.bet("1 p 100").deal(NATURAL)
    if over:
        at.do("dan", c.DeclareResult())
        at.do("dan", c.EndCoup())
    unnamed = c.CorrectCoup(1, cards("9c ?? Kh 5s"), "the second is not known")
    at.refuse("dan", unnamed, Reason.DEALT_FACE_UP, at.table.terms.rules.dealing.face_up)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("when", ["lying", "declared", "over"])
@clause("act-2015:14.2(a)")
def test_a_wager_laid_again_is_put_right_beside_the_one_that_is_void(
    ruleset: str, when: str
) -> None:
    """[act-2015:14.2(a)] Void stays void, with its clause; what lies is the one meant."""
    at = ready(ruleset).bet("1 p 50, 2 b 50")
    at.do(OVERSEER[ruleset], c.VoidWagers("ann", "a partner's"))
    at.approve("mara")
    laid = c.CorrectWager(1, "ann", 1, Bet.PLAYER, 8000, "two more chips")
    at.refuse("dan", laid, Reason.NO_WAGERS_OF_THEIRS)
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 5000, "ann"))
    at.deal(NATURAL)
    if when != "lying":
        at.do("dan", c.DeclareResult())
    if when == "over":
        at.do("dan", c.EndCoup())
    pair(at, laid)
    if when == "lying":
        at.do("dan", c.DeclareResult())
    coup = at.table.coups[-1] if when == "over" else live(at.table)
    (void,) = (line for line in coup.lines if line.outcome is Outcome.VOID)
    (won,) = (line for line in coup.lines if line.outcome is Outcome.WINS)
    assert (void.wager.cents, won.wager.cents, won.won_cents) == (5000, 8000, 8000)
    assert void.clauses[0] == at.table.terms.rules.people.wager_void
    assert at.table.chips["ann"] == 1_000_000 + 8000
    assert sound(at)
