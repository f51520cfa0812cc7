"""A live Tasmanian table when something went wrong."""

import msgspec
import pytest

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid, Result
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.settle import Outcome
from puntobanco.rules.shoe import Last
from puntobanco.table import commands as c
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.state import Phase
from puntobanco.words import Step
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import balanced, events, of, one, ready
from tests.kit.table.tas import (
    BANKER_DRAWS,
    BOTH,
    NATURAL,
    PLAYER_DRAWS,
    STOOD,
    finish,
    left,
    play,
    step,
    with_cards_left,
)


def face_up(note: str = "") -> c.ReportIrregularity:
    return c.ReportIrregularity(Found.FACE_UP_IN_SHOE, note)


def short() -> c.ReportIrregularity:
    return c.ReportIrregularity(Found.INSUFFICIENT_CARDS, "shoe empty")


def unknown() -> c.ReportIrregularity:
    return c.ReportIrregularity(Found.ORDER_UNKNOWN, "cards dropped")


def foreign() -> c.ReportIrregularity:
    return c.ReportIrregularity(Found.FOREIGN_CARD)


# 14.1 a card dealt to Player in error


@BOTH
@clause(*tas("14.1"))
def test_a_card_dealt_to_player_in_error_is_bankers_when_banker_draws(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{BANKER_DRAWS} 3d@p")
    assert (play(at).player, play(at).banker) == (("6c", "Kh"), ("Kd", "5s", "3d"))
    done = finish(at)
    ruled = one(events.IrregularityRuled, done)
    assert ruled.clauses == (twin(doc, "14.1"),)
    assert (ruled.next_coup, ruled.carried) == (NextCoup.ORDINARY, ())
    assert one(events.ResultDeclared, done).banker == 8
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@BOTH
@clause(*tas("14.1"))
def test_a_card_nobody_could_use_begins_a_coup_on_which_nobody_bets(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} 4d@p")
    assert play(at).left_over == ("4d",)
    done = finish(at)
    ruled = one(events.IrregularityRuled, done)
    assert [one_.card for one_ in ruled.carried] == ["4d"]
    assert (ruled.next_coup, ruled.clauses) == (NextCoup.NON_BETTING, (twin(doc, "14.1"),))
    assert one(events.ResultDeclared, done).result is Result.PLAYER
    assert one(events.WagerSettled, done).outcome is Outcome.WINS
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert (opened.kind, opened.clauses) == (CoupKind.NON_BETTING, (twin(doc, "14.1"),))
    assert play(at).wagers == ()
    for person in ("ann", "dan"):
        ask = c.PlaceWager(1, Bet.PLAYER, 5000, "ann")
        at.refuse(person, ask, Reason.NON_BETTING_COUP, twin(doc, "14.1"))
    at.refuse("dan", c.DrawCard(Card("5c")), Reason.CARRIED_FIRST, twin(doc, "14.1"))
    assert step(at).step is Step.DEAL_CARRIED
    other = c.DealCarried(Card("5c"))
    at.refuse("dan", other, Reason.CARD_IS_NAMED, twin(doc, "14.1"))
    at.do("dan", c.DealCarried())
    at.deal("Kc Ks 7d 5d")
    assert play(at).player == ("4d", "Ks", "5d")
    assert one(events.ResultDeclared, finish(at)).result is Result.PLAYER
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@BOTH
@clause(*tas("14.1"))
def test_before_a_coup_without_wagers_the_dealer_is_not_told_to_call_for_them(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} 4d@p")
    finish(at)
    assert step(at).clause == twin(doc, "14.1")


@BOTH
@clause(*tas("14.1"))
def test_the_card_at_the_mouth_of_the_shoe_is_in_view_between_the_coups(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} 4d@p")
    finish(at)
    assert b"4d" in msgspec.json.encode(at.view())


@BOTH
@clause(*tas("14.1"))
def test_after_an_announced_last_hand_no_card_is_dealt_until_the_reshuffle(doc: str) -> None:
    at = with_cards_left(doc, 10).bet("1 p 50")
    at.deal(f"{NATURAL} 4d@p")
    ruled = one(events.IrregularityRuled, finish(at))
    assert (ruled.next_coup, ruled.carried) == (NextCoup.NONE, ())
    assert [one_.card for one_ in ruled.discarded] == ["4d"]
    assert twin(doc, "14.1") in ruled.clauses
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)
    at.do("dan", c.EndShoe())
    at.shoe()
    assert one(events.CoupOpened, at.coup("1 p 50", NATURAL)).kind is CoupKind.ORDINARY


@BOTH
@clause(*tas("14.1", "9.4"))
def test_an_error_card_that_follows_the_marker_is_discarded(doc: str) -> None:
    at = with_cards_left(doc, 11).bet("1 p 50")
    done = at.deal(f"{NATURAL} 4d@p")
    assert not of(events.LastCoupAnnounced, done)
    ruled = one(events.IrregularityRuled, finish(at))
    assert (ruled.next_coup, ruled.carried) == (NextCoup.NONE, ())
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, twin(doc, "9.4"))


@BOTH
@clause(*tas("14.1"))
def test_two_cards_left_over_begin_a_coup_barred_by_the_one_dealt_to_player(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} 4d@p ??@-")
    assert [drawn.card for drawn in one(events.CoupEnded, finish(at)).carried] == ["4d", None]
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert (opened.kind, opened.clauses) == (CoupKind.NON_BETTING, (twin(doc, "14.1"),))


@clause("tas-2018:14.1", "tas-2018:14.6")
def test_a_void_coup_leaves_no_card_and_no_bar_behind() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.deal(f"{NATURAL} 4d@p")
    at.do("dan", c.DeclareResult())
    at.do("ines", unknown())
    at.approve("mara")
    at.do("dan", c.EndCoup())
    assert at.table.carried == ()
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


# 14.2 a card in excess


@BOTH
@clause(*tas("14.2", "6.3"))
def test_an_unseen_card_in_excess_begins_the_next_coup_and_locks_its_bets_when_dealt(
    doc: str,
) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} ??@-")
    drawn = left(at)
    ruled = one(events.IrregularityRuled, finish(at))
    assert (ruled.next_coup, len(ruled.carried)) == (NextCoup.ORDINARY, 1)
    assert ruled.clauses == (twin(doc, "14.2"),)
    assert left(at) == drawn == 411
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 5000))
    at.refuse("dan", c.DrawCard(Card("5c")), Reason.CARRIED_FIRST)
    at.refuse("dan", c.DealCarried(), Reason.DEALT_FACE_UP)
    at.do("ann", c.ChangeWager(1, Bet.PLAYER, 7500))
    dealt = at.do("dan", c.DealCarried(Card("9d")))
    assert len(of(events.BetsLocked, dealt)) == 1
    assert one(events.CarriedDealt, dealt).card == "9d"
    assert left(at) == 411
    more = c.ChangeWager(1, Bet.PLAYER, 10_000)
    at.refuse("ann", more, Reason.BETS_CLOSED, twin(doc, "6.3"))
    at.deal("Kc Ks 7d")
    assert play(at).player == ("9d", "Ks")


@BOTH
@clause(*tas("14.2"))
def test_the_card_carried_over_is_dealt_under_the_clause_that_carried_it(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} ??@-")
    finish(at)
    at.bet("1 p 50")
    carried = one(events.CarriedDealt, at.do("dan", c.DealCarried(Card("9d"))))
    assert carried.clauses == (twin(doc, "14.2"),)


@BOTH
@clause(*tas("14.2"))
def test_with_the_marker_in_view_a_card_in_excess_is_discarded(doc: str) -> None:
    at = with_cards_left(doc, 12).bet("1 p 50")
    at.deal(f"{NATURAL} ??@-")
    ruled = one(events.IrregularityRuled, finish(at))
    assert (len(ruled.carried), len(ruled.discarded)) == (0, 1)
    assert twin(doc, "14.2") in ruled.clauses
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).last is Last.YES
    assert play(at).left_over == ()


@BOTH
@clause(*tas("14.2"))
def test_a_card_drawn_after_the_result_is_in_excess_too(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.DrawCard(None, Laid.NOWHERE))
    at.do("dan", c.EndCoup())
    assert len(at.table.carried) == 1


@BOTH
@clause(*tas("14.1", "14.2"))
def test_an_unseen_card_dealt_to_player_is_a_card_in_error_all_the_same(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} ??@p")
    ruled = one(events.IrregularityRuled, finish(at))
    assert (ruled.next_coup, ruled.clauses) == (NextCoup.NON_BETTING, (twin(doc, "14.1"),))


# 14.3, 14.4


@BOTH
@clause(*tas("14.3"))
def test_a_card_dealt_to_banker_that_was_players_goes_to_player(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal("2c Kd Kh 5s 4d@b")
    assert play(at).player == ("2c", "Kh", "4d")
    assert step(at).step is Step.CARD_FOR_BANKER
    at.deal("3s")
    done = finish(at)
    assert one(events.IrregularityRuled, done).clauses == (twin(doc, "14.3"),)
    declared = one(events.ResultDeclared, done)
    assert (declared.player, declared.banker) == (6, 8)


@BOTH
@clause(*tas("14.4"))
def test_a_card_face_up_in_the_shoe_is_used_by_the_coup_that_needs_it(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(PLAYER_DRAWS)
    ruled = one(events.IrregularityRuled, at.do("dan", face_up("the 4d")))
    assert (ruled.verdict, ruled.next_coup) == (Verdict.STANDS, NextCoup.ORDINARY)
    assert (ruled.clauses, ruled.note) == ((twin(doc, "14.4"),), "the 4d")
    at.deal("4d")
    finish(at)
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@BOTH
@clause(*tas("14.4", "14.1"))
@pytest.mark.parametrize("moment", [Phase.DEALING, Phase.SETTLED, Phase.READY])
def test_nobody_bets_into_a_face_up_card_that_the_coup_could_not_use(
    doc: str, moment: Phase
) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(NATURAL)
    if moment is Phase.SETTLED:
        at.do("dan", c.DeclareResult())
    if moment is Phase.READY:
        finish(at)
    assert at.table.phase is moment
    ruled = one(events.IrregularityRuled, at.do("dan", face_up()))
    assert (ruled.verdict, ruled.next_coup) == (Verdict.STANDS, NextCoup.NON_BETTING)
    assert ruled.clauses == (twin(doc, "14.4"), twin(doc, "14.1"))
    if moment is Phase.DEALING:
        at.do("dan", c.DeclareResult())
    if moment is not Phase.READY:
        at.do("dan", c.EndCoup())
    opened = one(events.CoupOpened, at.do("dan", c.OpenCoup()))
    assert opened.kind is CoupKind.NON_BETTING
    assert twin(doc, "14.1") in opened.clauses
    ask = c.PlaceWager(1, Bet.PLAYER, 5000)
    at.refuse("ann", ask, Reason.NON_BETTING_COUP, twin(doc, "14.1"))
    at.deal(STOOD)
    finish(at)
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@BOTH
@clause(*tas("14.4", "14.1"))
def test_wagers_come_off_the_layout_when_a_face_up_card_is_found_during_betting(doc: str) -> None:
    at = ready(doc).bet("1 p 50, 2 t 25")
    awaited = one(events.RulingAwaited, at.do("dan", face_up()))
    assert awaited.person == "dan"
    done = at.do("ines", c.ConfirmFinding(upheld=True))
    assert one(events.IrregularityRuled, done).next_coup is NextCoup.NON_BETTING
    returned = of(events.WagerSettled, done)
    assert [(line.outcome, line.returned_cents) for line in returned] == [
        (Outcome.VOID, 5000),
        (Outcome.VOID, 2500),
    ]
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_000_000}
    at.do("dan", c.EndCoup())
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.NON_BETTING


@BOTH
@clause(*tas("14.4", "14.2"))
def test_a_card_carried_over_is_not_lost_when_a_face_up_card_stops_the_betting(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} ??@-")
    finish(at)
    at.bet("1 p 50")
    at.do("ines", face_up())
    at.do("dan", c.EndCoup())
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.NON_BETTING
    assert play(at).left_over == (None,)


@BOTH
@clause(*tas("14.4"))
def test_a_coup_without_wagers_uses_up_a_face_up_card_found_at_its_beginning(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(f"{NATURAL} 4d@p")
    finish(at)
    at.do("dan", c.OpenCoup())
    at.do("dan", face_up())
    at.do("dan", c.DealCarried())
    at.deal("Kc Ks 7d 5d")
    finish(at)
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@BOTH
@clause(*tas("14.4"))
def test_a_correction_of_the_coup_does_not_let_anyone_bet_into_a_face_up_card(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())
    at.do("dan", face_up())
    at.do("dan", c.CorrectCard(1, 1, Card("9d"), "misread"))
    at.approve("ines")
    finish(at)
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.NON_BETTING


# 14.5, 14.6


@BOTH
@clause(*tas("14.5"))
def test_a_hand_the_shoe_cannot_finish_is_void_and_everything_goes_back(doc: str) -> None:
    at = ready(doc).bet("1 p 50, 2 t 25")
    at.deal(PLAYER_DRAWS)
    at.do("dan", c.SeeMarker())
    at.do("ines", short())
    done = at.approve("mara")  # by the count there are cards
    ruled = one(events.IrregularityRuled, done)
    assert (ruled.verdict, ruled.clauses) == (Verdict.VOID, (twin(doc, "14.5"),))
    assert (ruled.note, len(ruled.discarded)) == ("shoe empty", 4)
    assert one(events.CoupVoided, done).clauses == (twin(doc, "14.5"),)
    assert {line.outcome for line in of(events.WagerSettled, done)} == {Outcome.VOID}
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_000_000}
    assert play(at).verdict is Verdict.VOID
    at.do("dan", c.EndCoup())
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED)


@BOTH
@clause(*tas("14.5"))
def test_a_complete_coup_is_not_void_for_want_of_cards(doc: str) -> None:
    at = ready(doc).bet("1 b 50")
    at.deal(NATURAL)
    at.do("dan", c.SeeMarker())
    at.refuse("ines", short(), Reason.CARDS_SUFFICE, twin(doc, "14.5"))


@BOTH
@clause(*tas("14.5"))
def test_no_coup_is_void_for_want_of_cards_while_the_marker_is_in_a_full_shoe(doc: str) -> None:
    at = ready(doc).bet("1 b 50")
    at.deal(PLAYER_DRAWS)
    assert left(at) == 412
    at.refuse("ines", short(), Reason.CARDS_SUFFICE, twin(doc, "14.5"))


@clause("tas-2018:14.6")
def test_a_dealer_reports_an_unknown_order_and_the_inspector_finds_it() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.deal(PLAYER_DRAWS)
    awaited = one(events.RulingAwaited, at.do("dan", unknown()))
    assert (awaited.found, awaited.verdict) == (Found.ORDER_UNKNOWN, Verdict.VOID)
    assert (awaited.clauses, awaited.note) == (("tas-2018:14.6",), "cards dropped")
    assert (step(at).step, step(at).clause) == (Step.RULE, "tas-2018:14.6")
    at.refuse("dan", c.DrawCard(Card("4d")), Reason.WRONG_MOMENT)
    at.refuse("dan", c.ConfirmFinding(upheld=True), Reason.NOT_YOUR_ROLE)
    at.refuse("ines", c.RuleOn("stands", "no"), Reason.NOTHING_TO_RULE_ON, "tas-2018:14.6")
    done = at.do("ines", c.ConfirmFinding(upheld=True, note="seen on camera"))
    given = one(events.RulingGiven, done)
    assert (given.verdict, given.note) == (Verdict.VOID, "seen on camera")
    assert one(events.CoupVoided, done).clauses == ("tas-2018:14.6",)
    assert at.table.chips["ann"] == 1_000_000
    at.do("dan", c.EndCoup())
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).kind is CoupKind.ORDINARY


@clause("tas-2018:14.6")
def test_a_finding_the_inspector_does_not_share_lets_the_coup_go_on() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.deal(PLAYER_DRAWS)
    at.do("dan", unknown())
    given = one(events.RulingGiven, at.do("ines", c.ConfirmFinding(upheld=False)))
    assert (given.verdict, given.clauses) == (Verdict.STANDS, ("tas-2018:14.6",))
    at.deal("4d")
    assert one(events.ResultDeclared, finish(at)).banker == 7


@clause("tas-2018:14.6")
@pytest.mark.parametrize("found", [Found.ORDER_UNKNOWN, Found.WRONG_NUMBER])
def test_what_was_paid_is_taken_back_by_two_people_only(found: Found) -> None:
    """An inspector's own finding after payment is a proposal, with the transfers it would undo."""
    at = ready("tas-2018").bet("1 p 50, 2 b 50")
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())
    proposed = one(events.Proposed, at.do("ines", c.ReportIrregularity(found, "trust me")))
    assert [event.to_owner_cents for event in proposed.affected] == [-5000, 5000]
    assert at.table.chips == {"ann": 1_005_000, "bob": 995_000}
    at.refuse("ines", c.Approve(1), Reason.SAME_PERSON)
    at.refuse("dan", c.Approve(1), Reason.NOT_YOUR_ROLE)
    done = at.approve("mara")
    assert one(events.CoupVoided, done).clauses == ("tas-2018:14.6",)
    assert [event.to_owner_cents for event in of(events.TransferReversed, done)] == [-5000, 5000]
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_000_000}
    assert balanced(at.table)


@clause("tas-2013:3")
def test_without_that_clause_the_2013_inspector_rules_and_management_approves() -> None:
    at = ready("tas-2013").bet("1 p 50")
    at.deal(PLAYER_DRAWS)
    awaited = one(events.RulingAwaited, at.do("ines", unknown()))
    assert (awaited.verdict, awaited.clauses) == (Verdict.RULING, ("tas-2013:3",))
    at.refuse("ines", c.ConfirmFinding(upheld=True), Reason.RULING_NEEDED, "tas-2013:3")
    at.do("ines", c.RuleOn("void", "nobody knows"))
    assert at.table.phase is Phase.HELD
    at.refuse("ines", c.Approve(1), Reason.SAME_PERSON)
    done = at.approve("mara")
    given = one(events.RulingGiven, done)
    assert (given.verdict, given.note, given.clauses) == (
        Verdict.VOID,
        "nobody knows",
        ("tas-2013:3",),
    )
    assert at.table.chips["ann"] == 1_000_000


# 3 what the document leaves to the inspector


@BOTH
@clause(*tas("3"))
def test_a_foreign_card_voids_the_coup_it_is_found_in(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal("9c Kd")
    assert one(events.RulingAwaited, at.do("dan", foreign())).verdict is Verdict.VOID
    done = at.do("ines", c.ConfirmFinding(upheld=True))
    assert one(events.CoupVoided, done).clauses == (twin(doc, "3"),)
    assert at.table.chips["ann"] == 1_000_000


@BOTH
@clause(*tas("3"))
def test_an_earlier_coup_stands_when_a_foreign_card_is_found_after_it(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 50", NATURAL)
    ruled = one(events.IrregularityRuled, at.do("ines", foreign()))
    assert (ruled.verdict, ruled.clauses) == (Verdict.STANDS, (twin(doc, "3"),))
    assert at.table.chips["ann"] == 1_005_000


@BOTH
@clause(*tas("3"))
def test_an_error_noticed_after_the_next_coup_began_is_on_record_and_stands(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 50", f"{PLAYER_DRAWS} 4d")
    at.bet("1 p 50")
    error = c.VoidEarlier(1, "seen on tape", 5)
    at.refuse("ines", error, Reason.NOTICED_IN_TIME, twin(doc, "3"))
    at.deal("9c")
    at.do("ines", error)
    done = at.approve("mara")
    noted = one(events.ErrorNoted, done)
    assert (noted.number, noted.note, noted.clauses) == (1, "seen on tape", (twin(doc, "3"),))
    assert not of(events.TransferReversed, done)
