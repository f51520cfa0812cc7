"""The wrong table was closed: two people open it again as it was, with its shoe."""

import pytest

from puntobanco.errors import Reason
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import NextCoup
from puntobanco.rules.notice import Limits
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Role
from puntobanco.table.state import Life, Phase
from tests.kit.clauses import clause, tas
from tests.kit.table.at import At, contest, of, one, ready
from tests.kit.table.corrections import OVERSEER
from tests.kit.table.tas import NATURAL
from tests.kit.table.verified import sound

LIVE = pytest.mark.parametrize("doc", ["tas-2018", "tas-2013", "act-2015"])
BY_MISTAKE = c.TakeBack("close-table", "it was the next table")


def closed(at: At) -> At:
    at.do(OVERSEER[at.notice.ruleset], c.GiveClosingNotice(at.at_ms + 2000))
    at.later(1).do("mara", c.CloseTable())
    assert at.table.phase is Phase.SHUT
    return at


def opened_again(at: At) -> list[events.TableEvent]:
    one(events.Proposed, at.do(OVERSEER[at.notice.ruleset], BY_MISTAKE))
    assert at.table.phase is Phase.SHUT
    return at.approve("mara")


@clause("act-2015:13.2", *tas("4.3"))
@LIVE
def test_play_goes_on_from_the_same_shoe(doc: str) -> None:
    """[act-2015:13.2, tas-2018:4.3] Cards, places, limits and the count are as they were."""
    at = ready(doc)
    at.do("mara", c.AgreeLimits("ann", Limits(2500, 2_000_000)))
    at.coup("1 p 100, 2 b 100", NATURAL)
    before = at.table
    opened_again(closed(at))
    assert at.table.phase is Phase.READY
    for kept in ("shoe", "places", "chips", "individual", "coups", "bank_cents"):
        assert getattr(at.table, kept) == getattr(before, kept), kept
    assert at.table.closing_ms is None
    at.coup("1 p 100", NATURAL)
    assert at.table.coup_number == 2
    assert sound(at)


@clause(*tas("4.3"), "act-2015:2.5")
@LIVE
def test_cards_that_were_checked_since_are_shuffled_again(doc: str) -> None:
    """[tas-2018:4.3, act-2015:2.5]"""
    at = ready(doc)
    at.coup("1 p 100", NATURAL)
    closed(at).do("dan", c.CheckCardsAtEnd())
    assert len(of(events.TakenBack, opened_again(at))) == 1
    assert (at.table.phase, at.table.shoe) == (Phase.PREPARING, None)
    at.shoe()
    at.coup("1 p 100", NATURAL)
    assert sound(at)


@clause(*tas("14.1"), "act-2015:12.2")
@LIVE
def test_the_coup_that_was_ordered_is_still_to_be_dealt(doc: str) -> None:
    """[tas-2018:14.1, act-2015:12.2]"""
    at = ready(doc)
    at.coup("1 p 50", f"{NATURAL} 4d@p")
    at.do(OVERSEER[doc], c.GiveClosingNotice(at.at_ms + 2000))
    at.later(1).do(OVERSEER[doc], c.CloseTable("a fire"))
    at.approve("mara")
    opened_again(at)
    assert at.table.next_kind is NextCoup.NON_BETTING
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    assert sound(at)


@clause(*tas("9.4"))
def test_a_shoe_that_was_over_stays_over() -> None:
    """[tas-2018:9.4] And one that was ended before the closing can be taken back by itself."""
    at = ready("tas-2018").nearly_empty(8)
    at.coup("1 p 50", NATURAL)
    at.do("dan", c.EndShoe())
    opened_again(closed(at))
    assert (at.table.phase, at.table.pack.life) == (Phase.PREPARING, Life.CHECKED)
    at.do("ines", c.TakeBack("end-shoe", "by mistake"))
    at.approve("mara")
    assert at.table.phase is Phase.READY
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)


@clause(*tas("2"))
def test_whoever_has_signed_on_since_does_not_play() -> None:
    """[tas-2018:2]"""
    at = ready("tas-2018", "ann")
    at.do("dan", c.Sit(2, "dora"))
    closed(at).do("dora", c.SignOn(Role.DEALER))
    opened_again(at)
    assert [*at.table.places] == ["ann"]
    assert sound(at)


@LIVE
def test_one_person_alone_opens_nothing(doc: str) -> None:
    at = closed(ready(doc))
    at.do(OVERSEER[doc], BY_MISTAKE)
    at.refuse("dan", c.Approve(at.table.proposal_number), Reason.NOT_YOUR_ROLE)
    at.refuse(OVERSEER[doc], c.Approve(at.table.proposal_number), Reason.SAME_PERSON)
    at.refuse(OVERSEER[doc], c.TakeBack("end-shoe", "x"), Reason.NOTHING_TO_TAKE_BACK)


@LIVE
def test_too_late_once_it_was_opened_or_another_day_began(doc: str) -> None:
    at = ready(doc)
    at.refuse(OVERSEER[doc], BY_MISTAKE, Reason.NOTHING_TO_TAKE_BACK)
    closed(at).do("mara", c.BeginGamingDay("tuesday"))
    at.refuse(OVERSEER[doc], BY_MISTAKE, Reason.NOTHING_TO_TAKE_BACK)
    if at.table.pack.check_due:
        at.do("dan", c.CheckCardsAtEnd())
    at.open()
    at.refuse(OVERSEER[doc], BY_MISTAKE, Reason.NOTHING_TO_TAKE_BACK)


def test_not_where_chips_have_gone_back() -> None:
    at = contest("tas-2018")
    at.do("ines", c.CloseTable())
    at.refuse("ines", BY_MISTAKE, Reason.NOT_IN_A_COMPETITION)
    at = At("tas-2018").open(play_cents=100_000).staffed()
    at.do("ines", c.CloseTable())
    at.refuse("ines", BY_MISTAKE, Reason.NOTHING_TO_TAKE_BACK)


@clause("act-2015:4.9")
def test_no_bet_coups_in_a_row_are_counted_on() -> None:
    """[act-2015:4.9]"""
    at = ready("act-2015", "ann")
    for _ in range(3):
        at.do("ann", c.AskNoBetCoup())
        at.do("ann", c.AgreeNoBetCoup())
        at.do("sue", c.DirectNoBetCoup())
        at.coup("", NATURAL)
    opened_again(closed(at))
    at.do("ann", c.AskNoBetCoup())
    at.do("ann", c.AgreeNoBetCoup())
    at.refuse("sue", c.DirectNoBetCoup(), Reason.TOO_MANY_IN_A_ROW, "act-2015:4.9")


@clause(*tas("6.3"))
def test_a_coup_after_it_is_an_ordinary_one() -> None:
    """[tas-2018:6.3]"""
    at = ready("tas-2018")
    opened_again(closed(at))
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 10_000))
    assert at.table.layout_cents == 10_000
    assert sound(at)


@clause("act-2015:13.2")
@LIVE
def test_notice_at_the_wrong_table_is_taken_back(doc: str) -> None:
    """[act-2015:13.2] The sign no longer says it, and closing wants notice anew."""
    at = ready(doc)
    back = c.TakeBack("closing-notice", "the next table")
    at.refuse(OVERSEER[doc], back, Reason.NOTHING_TO_TAKE_BACK)
    at.do("mara", c.GiveClosingNotice(at.at_ms + 60_000))
    at.do(OVERSEER[doc], back)
    at.approve("mara")
    assert (at.table.closing_ms, at.table.closing_due) == (None, False)
    at.refuse(OVERSEER[doc], back, Reason.NOTHING_TO_TAKE_BACK)
    if doc == "act-2015":
        at.later(5).refuse("mara", c.CloseTable(), Reason.CLOSING_NOTICE_MISSING, "act-2015:13.2")
    assert sound(at)
