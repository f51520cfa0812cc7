"""What is found on video after the table was closed is put right, and everybody can pay."""

import pytest

from puntobanco.errors import Reason
from puntobanco.house.may import possible
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found, Verdict
from puntobanco.table import commands as c
from puntobanco.table.state import Phase
from puntobanco.words import explain
from tests.kit.clauses import clause, tas
from tests.kit.table.at import At, balanced, contest, events, of, one, ready
from tests.kit.table.corrections import OVERSEER, cards, pair
from tests.kit.table.tas import NATURAL, STOOD
from tests.kit.table.verified import sound

EVERY = pytest.mark.parametrize("doc", RULESETS)


def cash_all(at: At) -> None:
    for person, cents in at.table.chips.items():
        if cents > 0:
            at.do("dan", c.CashOut(cents, person))


def close(at: At) -> At:
    """Everybody has cashed out and gone, and the table is closed for the night."""
    cash_all(at)
    for person in tuple(at.table.places):
        at.do(person, c.Leave())
    at.do("mara", c.GiveClosingNotice(at.at_ms + 60_000))
    at.later(2)
    at.do("mara", c.CloseTable())
    assert at.table.phase is Phase.SHUT
    return at


def reopened(at: At) -> At:
    """Closed, its cards checked, and opened again for another gaming day."""
    close(at)
    at.do("dan", c.CheckCardsAtEnd())
    return at.open(gaming_day="tuesday")


def two(at: At, ask: c.TableCommand) -> list[events.TableEvent]:
    return pair(at, ask, "mara") if not isinstance(ask, OVERSEERS) else overseen(at, ask)


OVERSEERS = (c.VoidEarlier, c.VoidWagers, c.CorrectPayment)


def overseen(at: At, ask: c.TableCommand) -> list[events.TableEvent]:
    one(events.Proposed, at.do(OVERSEER[at.notice.ruleset], ask))
    done = at.approve("mara")
    assert balanced(at.table)
    return done


# at a closed table


@EVERY
@clause(*tas("3"), "act-2015:14.4")
def test_a_card_is_put_right_after_the_table_closed(doc: str) -> None:
    """[tas-2018:3, act-2015:14.4] What was short is the player's to cash."""
    at = ready(doc)
    at.coup("1 p 100, 2 b 100", STOOD)
    close(at)
    two(at, c.CorrectCard(1, 1, Card("8c"), "seen on video"))
    assert at.table.chips["bob"] < 0 < at.table.chips["ann"]
    assert at.table.phase is Phase.SHUT
    at.do("dan", c.BuyIn(-at.table.chips["bob"], "bob"))
    cash_all(at)
    assert not any(at.table.chips.values())
    assert sound(at)


@EVERY
@clause("act-2015:12.5", "mbs-2017:5.2")
def test_closing_is_no_round(doc: str) -> None:
    """[act-2015:12.5, mbs-2017:5.2] The last coup is not one that another has followed."""
    at = ready(doc)
    at.coup("1 p 100, 2 b 100", STOOD)
    close(at)
    overseer = OVERSEER[doc]
    at.refuse(overseer, c.VoidEarlier(1, "laid wrong", 1), Reason.NOTICED_IN_TIME)
    done = two(at, c.CorrectCoup(1, cards(NATURAL), "seen on video"))
    assert not of(events.EarlierCoupVoided, done)
    assert one(events.RecordReplaced, done).record.result == "player"
    assert sound(at)


@clause("act-2015:12.5")
def test_a_misplaced_card_of_a_coup_before_the_last_voids_it() -> None:
    """[act-2015:12.5] Whether or not its result would change; the later one stands."""
    at = ready("act-2015")
    at.coup("1 p 100, 2 b 100", STOOD)
    at.coup("1 p 100", NATURAL)
    close(at)
    done = two(at, c.VoidEarlier(1, "seen on video", 1))
    assert one(events.EarlierCoupVoided, done).number == 1
    assert at.table.chips["ann"] > 0 > at.table.chips["bob"]
    assert at.table.coups[1].verdict is Verdict.STANDS
    assert sound(at)


@clause("act-2015:14.3", "act-2015:14.2(a)")
@pytest.mark.parametrize("shoes", [1, 2])
def test_fraud_is_learned_of_after_the_table_closed(shoes: int) -> None:
    """[act-2015:14.3, 14.2(a)] In the last shoe, and in one before it."""
    at = ready("act-2015")
    at.coup("1 p 100, 2 b 100", STOOD)
    at.coup("1 p 100", NATURAL)
    first, second = at.table.coups
    if shoes == 2:
        at.do("dan", c.EndShoe("end"))
        at.shoe()
    close(at)
    older = (first, second) if shoes == 2 else (None, None)
    two(at, c.VoidEarlier(1, "a confederate", older=older[0], cause="fraud"))
    two(at, c.VoidWagers("ann", "past posting", 2, older=older[1]))
    assert at.table.chips == {"ann": 0, "bob": -9500}
    assert sound(at)


@EVERY
@clause(*tas("6.3"), "act-2015:4.6", "mbs-2017:5.6")
def test_a_wager_keyed_wrong_is_put_right_after_the_table_closed(doc: str) -> None:
    """[tas-2018:6.3, act-2015:4.6, mbs-2017:5.6]"""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    close(at)
    done = two(at, c.CorrectWager(1, "bob", 2, Bet.PLAYER, 10_000, "it lay in time"))
    assert one(events.WagerSettled, done).won_cents == 10_000
    assert at.table.chips["bob"] == 10_000
    at.do("dan", c.CashOut(10_000, "bob"))
    assert "bob" not in at.table.chips
    assert sound(at)


@EVERY
@clause(*tas("3"), "act-2015:14.4")
def test_a_payment_is_put_right_after_the_table_closed(doc: str) -> None:
    """[act-2015:14.4] Whoever left everything with a nought is still known."""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    close(at)
    assert "ann" not in at.table.chips
    two(at, c.CorrectPayment("ann", -5000, 1, "paid twice"))
    assert at.table.chips["ann"] == -5000
    at.do("dan", c.BuyIn(5000, "ann"))
    assert at.table.chips["ann"] == 0
    assert sound(at)


@clause("mbs-2017:5.2")
def test_a_wrong_number_of_cards_is_noticed_in_time_after_closing() -> None:
    """[mbs-2017:5.2] Until the next game begins, and that begins with the call for bets."""
    at = ready("mbs-2017")
    at.coup("1 p 100, 2 b 100", NATURAL)
    close(at)
    one(events.Proposed, at.do("ines", c.ReportIrregularity(Found.WRONG_NUMBER, "on video")))
    assert one(events.EarlierCoupVoided, at.approve("mara")).number == 1
    assert at.table.chips["ann"] < 0 < at.table.chips["bob"]
    assert sound(at)


def test_nothing_else_is_reported_at_a_closed_table() -> None:
    at = ready("mbs-2017")
    at.coup("1 p 100", NATURAL)
    close(at)
    for found in (Found.FOREIGN_CARD, Found.SHOE_DISTURBED, Found.ORDER_UNKNOWN):
        at.refuse("ines", c.ReportIrregularity(found), Reason.WRONG_MOMENT)
    for ask in (c.CorrectBurn(""), c.CorrectMarker(""), c.VoidCoup("disrupted", "")):
        at.refuse("ines", ask, Reason.WRONG_MOMENT)
    at.refuse("ines", c.VoidWagers("ann", ""), Reason.NO_WAGERS_OF_THEIRS)


@EVERY
def test_two_people_on_duty_at_a_closed_table_too(doc: str) -> None:
    """[conditions] One alone takes nothing back, and nobody who has gone home."""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    close(at)
    overseer = OVERSEER[doc]
    at.do(overseer, c.CorrectPayment("ann", -5000, 1, "paid twice"))
    assert "ann" not in at.table.chips
    at.refuse(overseer, c.Approve(1), Reason.SAME_PERSON)
    at.do(overseer, c.SignOff())
    at.refuse(overseer, c.CorrectPayment("ann", -1, 1, "more"), Reason.NOT_ON_DUTY)
    at.approve("mara")
    assert at.table.chips["ann"] == -5000


def test_at_a_table_that_was_never_opened_there_is_nothing_to_put_right() -> None:
    at = At("tas-2018").staffed()
    for ask in (
        c.VoidEarlier(1, "", cause="fraud"),
        c.VoidWagers("ann", "", 1),
        c.CorrectCard(1, 1, Card("Ac"), ""),
        c.CorrectCoup(1, cards(NATURAL), ""),
        c.CorrectWager(1, "ann", 1, Bet.PLAYER, 100, ""),
        c.CorrectPayment("ann", 100, 1, ""),
    ):
        at.refuse("ines", ask, Reason.NO_SUCH_COUP)


@EVERY
def test_what_can_be_put_right_is_offered_at_a_closed_table(doc: str) -> None:
    """[conditions] And nothing while no coup is at hand."""
    records = {"void-earlier", "void-wagers", "correct-card", "correct-coup", "correct-wager"}
    at, overseer = ready(doc), OVERSEER[doc]
    at.coup("1 p 100", NATURAL)
    close(at)
    offered = {*possible(at.table, at.by(overseer))}
    assert offered >= {*records, "correct-payment"}
    assert ("report-irregularity" in offered) == (doc == "mbs-2017")
    assert "buy-in" not in offered
    two(at, c.CorrectPayment("ann", -10_000, 1, "paid twice"))
    assert "buy-in" in {*possible(at.table, at.by(overseer))}
    never = At(doc).staffed()
    assert not {*possible(never.table, never.by(overseer))} & {*records, "correct-payment"}


# opened again


@EVERY
@clause(*tas("3"), "act-2015:14.4")
def test_of_an_earlier_opening_payments_are_put_right(doc: str) -> None:
    """[act-2015:14.4] The refusal says so, and it can be done, for somebody who has gone."""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    reopened(at)
    overseer = OVERSEER[doc]
    for ask in (
        c.VoidEarlier(1, "", cause="disrupted"),
        c.CorrectCard(1, 1, Card("Ac"), ""),
        c.CorrectCoup(1, cards(STOOD), ""),
        c.CorrectWager(1, "bob", 2, Bet.PLAYER, 10_000, ""),
        c.VoidWagers("ann", "", 1),
    ):
        refused = at.refuse(overseer, ask, Reason.EARLIER_OPENING)
        assert "as a payment" in explain(refused).remedy
    two(at, c.CorrectPayment("ann", -10_000, 1, "the round is void by ruling"))
    assert at.table.chips["ann"] == -10_000
    at.do("dan", c.BuyIn(10_000, "ann"))
    assert doc == "mbs-2017" or sound(at)  # no house opens that again for money


@clause("mbs-2017:5.2")
def test_a_wrong_number_before_a_closing_is_not_said_to_stand() -> None:
    """[mbs-2017:5.2] No game was called since: people rule on what is paid."""
    at = ready("mbs-2017")
    at.coup("1 p 100", NATURAL)
    reopened(at)
    report = c.ReportIrregularity(Found.WRONG_NUMBER, "on video")
    at.refuse("ines", report, Reason.EARLIER_OPENING, "mbs-2017:5.2")
    at.seat("ann").shoe().bet("1 p 100")
    assert one(events.IrregularityRuled, at.do("ines", report)).verdict is Verdict.STANDS


# competitions


@pytest.mark.parametrize("doc", ["tas-2018", "act-2015"])
def test_a_closed_session_is_the_competitions(doc: str) -> None:
    """[tas-2018:16.4.9] Its chips went back, and are no money."""
    at = contest(doc, "ann", "bob")
    at.coup("1 p 100, 2 p 100", NATURAL)
    at.do("mara", c.GiveClosingNotice(at.at_ms + 60_000))
    at.later(2)
    at.do("mara", c.CloseTable())
    overseer = OVERSEER[doc]
    at.refuse(overseer, c.CorrectCard(1, 1, Card("Ac"), ""), Reason.SESSION_IS_CLOSED)
    at.refuse(overseer, c.CorrectPayment("ann", 100, 1, ""), Reason.OTHER_CHIPS)
    at.do("dan", c.CheckCardsAtEnd())
    at.open(gaming_day="tuesday")
    at.refuse(overseer, c.CorrectPayment("ann", 100, 1, ""), Reason.OTHER_CHIPS)


def test_money_is_not_put_right_in_competition_chips() -> None:
    at = ready("tas-2018")
    at.coup("1 p 100", NATURAL)
    close(at)
    at.do("dan", c.CheckCardsAtEnd())
    at.open(conditions=contest("tas-2018").table.conditions)
    at.do("dan", c.Sit(1, "ann"))
    at.refuse("ines", c.CorrectPayment("ann", 100, 1, ""), Reason.OTHER_CHIPS)


# who has gone, and who may not play


@EVERY
@clause("act-2015:14.4")
def test_a_payment_to_somebody_who_left_a_shoe_ago(doc: str) -> None:
    """[act-2015:14.4]"""
    at = ready(doc)
    at.coup("1 p 100, 2 b 100", NATURAL)
    at.do("dan", c.CashOut(at.table.chips["ann"], "ann"))
    at.do("ann", c.Leave())
    at.do("dan", c.EndShoe("end"))
    at.shoe()
    assert "ann" not in at.table.chips
    two(at, c.CorrectPayment("ann", 5000, 1, "one chip short"))
    at.do("dan", c.CashOut(5000, "ann"))
    overseer = OVERSEER[doc]
    at.refuse(overseer, c.CorrectPayment("zoe", 5000, 1, "who?"), Reason.NEVER_HERE)
    assert sound(at)


@EVERY
@clause("act-2015:14.2(b)")
def test_somebody_excluded_pays_what_is_owed_and_no_more(doc: str) -> None:
    """[act-2015:14.2(b)] To pay is not to play."""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    cash_all(at)
    two(at, c.CorrectPayment("ann", -10_000, 1, "past posting"))
    at.do("mara", c.Exclude("ann", "past posting"))
    at.refuse("dan", c.BuyIn(10_100, "ann"), Reason.NO_MORE_THAN_OWED)
    at.do("dan", c.BuyIn(4000, "ann"))
    at.do("dan", c.BuyIn(6000, "ann"))
    at.refuse("dan", c.BuyIn(100, "ann"), Reason.EXCLUDED)
    assert at.table.chips["ann"] == 0
    assert sound(at)


@EVERY
def test_somebody_who_left_pays_what_is_owed_without_a_seat(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    cash_all(at)
    at.do("ann", c.Leave())
    two(at, c.CorrectPayment("ann", -10_000, 1, "paid twice"))
    at.refuse("dan", c.BuyIn(10_100, "ann"), Reason.NO_MORE_THAN_OWED)
    at.do("dan", c.BuyIn(10_000, "ann"))
    at.refuse("dan", c.BuyIn(100, "ann"), Reason.NOT_AT_TABLE)
    assert sound(at)


@EVERY
def test_nobody_buys_chips_to_play_with_at_a_closed_table(doc: str) -> None:
    """[tas-2018:6.1, act-2015:4.2]"""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    close(at)
    at.refuse("dan", c.BuyIn(100, "ann"), Reason.NO_MORE_THAN_OWED)
    two(at, c.CorrectPayment("ann", -10_000, 1, "paid twice"))
    at.refuse("dan", c.BuyIn(10_100, "ann"), Reason.NO_MORE_THAN_OWED)
