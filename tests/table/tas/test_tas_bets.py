"""A live Tasmanian table while bets are made: wagers and limits."""

from contextlib import suppress

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits
from puntobanco.rules.settle import Outcome
from puntobanco.rules.wagers import Wager
from puntobanco.table import commands as c
from puntobanco.table.coup_record import CoupKind
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, balanced, events, of, one, ready
from tests.kit.table.tas import BOTH, NATURAL, TIE, floor, oversight, sign, stand

HALF_HOUR = 30 * 60_000


def raised(at: At, least: int, most: int) -> c.PostChange:
    """A change of the limits, to hold as soon as the rules let it."""
    notice = replace(at.notice, limits=Limits(least * 100, most * 100))
    return c.PostChange(notice, at.at_ms)


# 6 wagers


@BOTH
@clause(*tas("6.1"))
def test_a_wager_is_made_of_chips_the_player_holds(doc: str) -> None:
    at = At(doc).open().staffed()
    at.do("ann", c.Sit(1))
    bought = one(events.ChipsBought, at.do("dan", c.BuyIn(10_000, "ann")))
    assert bought.clauses == (twin(doc, "6.1"),)
    at.shoe()
    at.do("dan", c.OpenCoup())
    chips = twin(doc, "6.1")
    for person in ("ann", "dan"):
        ask = c.PlaceWager(1, Bet.PLAYER, 10_250, "ann")
        at.refuse(person, ask, Reason.NOT_ENOUGH_CHIPS, chips)
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 10_000))
    assert at.table.chips["ann"] == 0
    at.refuse("ann", c.ChangeWager(1, Bet.PLAYER, 10_250), Reason.NOT_ENOUGH_CHIPS, chips)
    assert balanced(at.table)


@clause("tas-2018:6.2")
def test_free_coups_are_managements_to_ask_for_in_2018() -> None:
    at = ready("tas-2018").bet()
    at.refuse("dan", c.DrawCard(Card("9c")), Reason.NO_WAGERS, "tas-2018:6.2")
    at = ready("tas-2018")
    for person in ("ann", "dan", "ines"):
        at.refuse(person, c.AllowFreeCoups(3), Reason.NOT_YOUR_ROLE)
    allowed = one(events.FreeCoupsAllowed, at.do("mara", c.AllowFreeCoups(6)))
    assert (allowed.coups, allowed.asked_by) == (6, "mara")
    assert allowed.clauses == ("tas-2018:6.2",)
    coup = one(events.CoupOpened, at.coup("", NATURAL))
    assert coup.kind is CoupKind.FREE
    assert "tas-2018:6.2" in coup.clauses
    assert at.table.free_coups == 5


@clause("tas-2018:6.2")
def test_the_2018_record_names_nobody_but_management_as_asking() -> None:
    at = ready("tas-2018")
    with suppress(Refused):
        at.do("mara", c.AllowFreeCoups(1, "zoe"))
    assert {event.asked_by for event in of(events.FreeCoupsAllowed, at.log)} <= {"mara"}


@clause("tas-2018:6.2")
def test_a_free_coup_takes_wagers_all_the_same() -> None:
    at = ready("tas-2018")
    at.do("mara", c.AllowFreeCoups(1))
    assert one(events.WagerSettled, at.coup("1 p 50", NATURAL)).won_cents == 5000
    at.bet()
    at.refuse("dan", c.DrawCard(Card("9c")), Reason.NO_WAGERS, "tas-2018:6.2")


@clause("tas-2018:6.2")
def test_management_may_ask_for_a_free_coup_once_nobody_has_bet() -> None:
    at = ready("tas-2018").bet()
    at.do("mara", c.AllowFreeCoups(1))
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())


@clause("tas-2013:6.2")
def test_free_coups_are_a_players_request_that_management_approves_in_2013() -> None:
    at = ready("tas-2013")
    at.refuse("mara", c.AllowFreeCoups(1), Reason.REQUEST_MISSING, "tas-2013:6.2")
    at.refuse("mara", c.AllowFreeCoups(1, "zoe"), Reason.REQUEST_MISSING, "tas-2013:6.2")
    at.refuse("ann", c.AllowFreeCoups(1, "ann"), Reason.NOT_YOUR_ROLE)
    allowed = one(events.FreeCoupsAllowed, at.do("mara", c.AllowFreeCoups(3, "ann")))
    assert (allowed.coups, allowed.asked_by) == (3, "ann")
    assert allowed.clauses == ("tas-2013:6.2",)
    at.refuse("mara", c.AllowFreeCoups(3, "bob"), Reason.FREE_COUPS_USED, "tas-2013:6.2")
    at.do("mara", c.AllowFreeCoups(2, "bob"))
    for _ in range(5):
        at.coup("", TIE)
    at.refuse("mara", c.AllowFreeCoups(1, "ann"), Reason.FREE_COUPS_USED, "tas-2013:6.2")
    at.bet()
    at.refuse("dan", c.DrawCard(Card("9c")), Reason.NO_WAGERS, "tas-2013:6.2")


@clause("tas-2013:6.2")
def test_free_coups_left_over_count_among_the_five_of_the_next_shoe() -> None:
    at = ready("tas-2013")
    at.do("mara", c.AllowFreeCoups(5, "ann"))
    at.do("dan", c.EndShoe("none of them was used"))
    at.shoe()
    at.refuse(
        "mara",
        c.AllowFreeCoups(6 - at.table.free_coups, "ann"),
        Reason.FREE_COUPS_USED,
        "tas-2013:6.2",
    )


@BOTH
@clause(*tas("6.3"))
def test_no_wager_is_made_changed_or_withdrawn_after_the_first_card(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.do("ann", c.ChangeWager(1, Bet.PLAYER, 7500))
    at.do("bob", c.PlaceWager(2, Bet.TIE, 2500))
    at.do("bob", c.WithdrawWager(2, Bet.TIE))
    locked = one(events.BetsLocked, at.deal("9c"))
    assert locked.clauses == (twin(doc, "6.3"),)
    closed = twin(doc, "6.3")
    late = c.PlaceWager(2, Bet.BANKER, 5000)
    at.refuse("bob", late, Reason.BETS_CLOSED, closed)
    at.refuse("ann", c.ChangeWager(1, Bet.PLAYER, 10_000), Reason.BETS_CLOSED, closed)
    at.refuse("ann", c.ChangeWager(1, Bet.PLAYER, 2500), Reason.BETS_CLOSED, closed)
    at.refuse("ann", c.WithdrawWager(1, Bet.PLAYER), Reason.BETS_CLOSED, closed)


@BOTH
@clause(*tas("6.3"))
def test_what_the_dealer_finds_laid_down_late_is_returned_whatever_the_result(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal("9c")
    at.do("dan", c.ChangeWager(1, Bet.PLAYER, 8000, "ann"))
    late = at.do("dan", c.PlaceWager(2, Bet.BANKER, 5000, "bob"))
    assert one(events.WagerPlaced, late).clauses == (twin(doc, "6.3"),)
    at.deal("Kd Kh 2s")
    ann, bob = of(events.WagerSettled, at.do("dan", c.DeclareResult()))
    assert (ann.stake_cents, ann.returned_cents, ann.won_cents) == (5000, 8000, 5000)
    assert (bob.outcome, bob.returned_cents) == (Outcome.RETURNED, 5000)
    assert twin(doc, "6.3") in bob.clauses


@BOTH
@clause(*tas("6.3"))
def test_what_was_taken_away_late_still_loses(doc: str) -> None:
    at = ready(doc).bet("1 b 50")
    at.deal("9c")
    gone = one(events.WagerWithdrawn, at.do("dan", c.WithdrawWager(1, Bet.BANKER, "ann")))
    assert gone.clauses == (twin(doc, "6.3"),)
    at.deal("Kd Kh 2s")
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == 995_000


@BOTH
@clause(*tas("6.4"))
def test_two_stand_beside_a_seated_player_and_no_third(doc: str) -> None:
    at = ready(doc)
    at.refuse("zoe", c.StandAt(3), Reason.NOBODY_SEATED, twin(doc, "6.4"))
    stand(at, "zoe", 1)
    stand(at, "yan", 1)
    at.refuse("xia", c.StandAt(1), Reason.BOX_FULL, twin(doc, "6.4"))
    assert at.view().boxes[0].standing == 2
    at.bet("1 p 50")
    at.refuse("zoe", c.PlaceWager(2, Bet.PLAYER, 5000), Reason.NOT_YOUR_BOX, twin(doc, "6.4"))
    at.do("zoe", c.PlaceWager(1, Bet.PLAYER, 5000))


@BOTH
@clause(*tas("6.4"))
def test_a_standing_player_bets_with_a_seated_one_or_not_at_all(doc: str) -> None:
    at = ready(doc)
    stand(at, "zoe", 1)
    at.do("dan", c.CashOut(1_000_000, "ann"))
    at.do("ann", c.Leave())
    at.do("dan", c.OpenCoup())
    alone = c.PlaceWager(1, Bet.PLAYER, 5000)
    at.refuse("zoe", alone, Reason.NOBODY_SEATED, twin(doc, "6.4"))


# 7 limits


@BOTH
@clause(*tas("7.1"))
def test_everyone_sees_the_notice_with_its_limits(doc: str) -> None:
    at = ready(doc)
    for person in ("", "ann", "dan"):
        assert sign(at, person).notice.limits == Limits(2500, 500_000)
        assert sign(at, person).notice.tie_limits == Limits(500, 50_000)
    at.bet()
    low, high = c.PlaceWager(1, Bet.PLAYER, 2250), c.PlaceWager(1, Bet.PLAYER, 500_250)
    at.refuse("ann", low, Reason.BELOW_MINIMUM, twin(doc, "7.1"))
    at.refuse("ann", high, Reason.ABOVE_MAXIMUM, twin(doc, "7.1"))


@BOTH
@clause(*tas("7.2"))
def test_limits_agreed_with_a_player_are_recorded_kept_and_marked_at_the_place(doc: str) -> None:
    at = ready(doc)
    own = Limits(1000, 800_000)
    at.refuse("ines", c.AgreeLimits("ann", own), Reason.NOT_YOUR_ROLE)
    agreed = one(events.LimitsAgreed, at.do("mara", c.AgreeLimits("ann", own)))
    assert (agreed.person, agreed.limits, agreed.clauses) == ("ann", own, (twin(doc, "7.2"),))
    assert [box.marker for box in at.view().boxes[:2]] == [own, None]
    at.bet()
    at.refuse("bob", c.PlaceWager(2, Bet.PLAYER, 1000), Reason.BELOW_MINIMUM, twin(doc, "7.1"))
    at.refuse("ann", c.PlaceWager(1, Bet.BANKER, 750), Reason.BELOW_MINIMUM, twin(doc, "7.2"))
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 1000))
    at.do("dan", c.PlaceWager(1, Bet.BANKER, 800_000, "ann"))
    at.deal(NATURAL)
    done = at.do("dan", c.DeclareResult())
    assert [line.stake_cents for line in of(events.WagerSettled, done)] == [1000, 800_000]
    assert not of(events.WarningGiven, done)


@BOTH
@clause(*tas("7.2"))
def test_the_marker_goes_when_the_agreement_ends_or_its_player_leaves(doc: str) -> None:
    at = ready(doc)
    at.do("mara", c.AgreeLimits("ann", Limits(1000, 800_000)))
    at.do("mara", c.AgreeLimits("bob", Limits(1000, 800_000)))
    at.do("mara", c.AgreeLimits("ann", None))
    at.do("dan", c.CashOut(1_000_000, "bob"))
    at.do("bob", c.Leave())
    at.seat("cy")
    assert [box.marker for box in at.view().boxes[:2]] == [None, None]


@BOTH
@clause(*tas("7.2"))
def test_limits_agreed_with_a_standing_player_are_marked_too(doc: str) -> None:
    at = ready(doc)
    stand(at, "zoe", 1)
    at.do("mara", c.AgreeLimits("zoe", Limits(1000, 800_000)))
    assert at.view().boxes[0].marker == Limits(1000, 800_000)


@BOTH
@clause(*tas("7.3"))
def test_players_of_one_box_who_pass_the_maximum_together_are_pointed_out(doc: str) -> None:
    at = ready(doc)
    stand(at, "zoe", 1)
    at.bet("1 p 3000, 2 p 5000")
    assert oversight(at).together_above == ()
    at.do("zoe", c.PlaceWager(1, Bet.PLAYER, 200_250))
    assert oversight(at).together_above == ((1, Bet.PLAYER, 500_250),)
    assert at.view("ann").oversight is None
    at.deal(NATURAL)
    done = at.do("ines", c.RecordIncident("partnership", "one stake, two hands", ("ann", "zoe")))
    recorded = one(events.IncidentRecorded, done)
    assert recorded.people == ("ann", "zoe")
    assert recorded.clauses == (twin(doc, "7.3"),)


@BOTH
@clause(*tas("7.3(a)", "7.6"))
def test_management_puts_up_a_collective_liability_at_once(doc: str) -> None:
    at = ready(doc)
    notice = replace(at.notice, collective_liability_cents=100_000)
    at.refuse("ines", c.PostChange(notice, at.at_ms), Reason.NOT_YOUR_ROLE)
    at.do("mara", c.PostChange(notice, at.at_ms))
    changed = one(events.NoticeChanged, at.do("mara", c.ApplyChange()))
    assert changed.fields == ("collective_liability_cents",)
    assert changed.notice.collective_liability_cents == 100_000
    assert sign(at).notice.collective_liability_cents == 100_000


@BOTH
@clause(*tas("7.3(a)"))
def test_a_collective_liability_is_on_record_under_its_clause(doc: str) -> None:
    opened = one(events.TableOpened, At(doc, collective_liability_cents=100_000).open().log)
    assert opened.notice.collective_liability_cents == 100_000
    assert twin(doc, "7.3(a)") in opened.clauses


@BOTH
@clause(*tas("7.3(b)"))
def test_the_dealer_cuts_all_wagers_on_a_hand_in_proportion(doc: str) -> None:
    at = ready(doc, "ann", "bob", "cy", collective_liability_cents=100_000)
    at.bet("1 p 800, 2 p 700, 3 b 900")
    proposed = floor(at).reductions
    assert [(cut.wager.by, cut.to_cents) for cut in proposed] == [("ann", 53_250), ("bob", 46_500)]
    done = of(events.WagerReduced, at.do("dan", c.ReduceWagers()))
    assert {event.clauses for event in done} == {(twin(doc, "7.3(b)"),)}
    assert at.table.chips["ann"] == 1_000_000 - 53_250
    at.refuse("dan", c.ReduceWagers(), Reason.NOTHING_TO_REDUCE)
    assert one(events.BetsLocked, at.deal(NATURAL)).unreduced == ()
    assert balanced(at.table)


@BOTH
@clause(*tas("7.3(b)"))
def test_a_collective_liability_the_dealer_did_not_keep_to_is_on_record(doc: str) -> None:
    at = ready(doc, collective_liability_cents=100_000).bet("1 b 800, 2 b 700")
    locked = one(events.BetsLocked, at.deal(NATURAL))
    assert locked.unreduced == (Bet.BANKER,)
    assert twin(doc, "7.3(b)") in locked.clauses


@BOTH
@clause(*tas("7.3(b)", "7.5"))
def test_a_wager_cut_below_the_minimum_by_the_dealer_draws_no_warning(doc: str) -> None:
    at = ready(doc, collective_liability_cents=100_000).bet("1 p 5000, 2 p 25")
    at.do("dan", c.ReduceWagers())
    at.deal(NATURAL)
    done = at.do("dan", c.DeclareResult())
    bob = of(events.WagerSettled, done)[1]
    assert (bob.wager.by, bob.stake_cents, bob.outcome) == ("bob", 250, Outcome.WINS)
    assert not of(events.WarningGiven, done)


@BOTH
@clause(*tas("7.4", "7.5"))
def test_the_first_under_minimum_wager_is_settled_and_its_owner_warned(doc: str) -> None:
    at = ready(doc)
    happened = at.coup("1 p 10, 2 b 10", NATURAL)
    assert [line.outcome for line in of(events.WagerSettled, happened)] == ["wins", "loses"]
    warnings = of(events.WarningGiven, happened)
    assert [event.person for event in warnings] == ["ann", "bob"]
    assert {event.clauses for event in warnings} == {(twin(doc, "7.5"),)}
    own = at.view("ann").own
    assert own is not None
    assert own.warned
    assert oversight(at).warned == {"ann", "bob"}


@BOTH
@clause(*tas("7.5"))
def test_after_a_warning_under_minimum_wagers_go_back_until_the_gaming_day_is_over(
    doc: str,
) -> None:
    at = ready(doc)
    at.coup("1 p 10", NATURAL)
    happened = at.coup("1 b 10, 2 b 10", NATURAL)
    ann, bob = of(events.WagerSettled, happened)
    assert (ann.outcome, ann.returned_cents) == (Outcome.RETURNED, 1000)
    assert bob.outcome is Outcome.LOSES
    assert [event.person for event in of(events.WarningGiven, happened)] == ["bob"]
    at.do("mara", c.BeginGamingDay("tuesday"))
    happened = at.coup("1 b 10", NATURAL)
    assert one(events.WagerSettled, happened).outcome is Outcome.LOSES
    assert one(events.WarningGiven, happened).person == "ann"


@BOTH
@clause(*tas("7.5"))
def test_a_warning_outlasts_a_closing_within_the_gaming_day(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 10", NATURAL)
    at.do("ines", c.CloseTable())
    at.do("dan", c.CheckCardsAtEnd())
    at.open()
    assert oversight(at).warned == {"ann"}


@BOTH
@clause(*tas("7.5"))
def test_a_gaming_day_that_already_runs_does_not_begin_again(doc: str) -> None:
    at = ready(doc)
    at.coup("1 p 10", NATURAL)
    with suppress(Refused):
        at.do("mara", c.BeginGamingDay("monday"))
    assert oversight(at).warned == {"ann"}


@BOTH
@clause(*tas("7.5"))
def test_a_coup_declared_anew_after_a_correction_warns_nobody_twice(doc: str) -> None:
    """[tas-2018:7.5] What the first result told ann is taken back with it."""
    at = ready(doc).bet("1 p 10")
    at.deal(NATURAL)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.CorrectCard(1, 1, Card("9d"), "misread"))
    at.approve("ines")
    at.do("dan", c.DeclareResult())
    told = (events.WarningGiven, events.WarningWithdrawn, events.WarningGiven)
    assert [type(event) for event in at.log if isinstance(event, told)] == list(told)
    assert at.table.chips["ann"] == 1_001_000


@BOTH
@clause(*tas("7.5"))
def test_a_tie_settles_nothing_so_nobody_is_warned(doc: str) -> None:
    at = ready(doc)
    happened = at.coup("1 p 10", TIE)
    assert one(events.WagerSettled, happened).outcome is Outcome.PUSHES
    assert not of(events.WarningGiven, happened)


@BOTH
@clause(*tas("7.4"))
def test_a_wager_above_the_maximum_counts_up_to_it(doc: str) -> None:
    at = ready(doc)
    ann, bob = of(events.WagerSettled, at.coup("1 p 6000, 2 b 7000", NATURAL))
    assert (ann.stake_cents, ann.won_cents, ann.returned_cents) == (500_000, 500_000, 600_000)
    assert (bob.stake_cents, bob.returned_cents) == (500_000, 200_000)
    assert twin(doc, "7.4") in ann.clauses
    assert balanced(at.table)


@BOTH
@clause(*tas("7.6", "7.6(a)"))
def test_limits_change_at_once_when_everyone_consents_standing_players_too(doc: str) -> None:
    at = ready(doc)
    stand(at, "zoe", 1)
    at.refuse("ines", raised(at, 50, 9000), Reason.NOT_YOUR_ROLE)
    at.do("mara", raised(at, 50, 9000))
    consented = one(events.ChangeConsented, at.do("ann", c.ConsentToChange()))
    assert (consented.person, consented.clauses) == ("ann", (twin(doc, "7.6(a)"),))
    at.do("dan", c.ConsentToChange("bob"))
    early = at.refuse("mara", c.ApplyChange(), Reason.CHANGE_TOO_EARLY, twin(doc, "7.6(b)"))
    assert early.facts["missing"] == "zoe"
    at.do("zoe", c.ConsentToChange())
    changed = one(events.NoticeChanged, at.do("mara", c.ApplyChange()))
    assert changed.clauses == (twin(doc, "7.6"), twin(doc, "7.6(a)"))
    assert sign(at).notice.limits == Limits(5000, 900_000)


@BOTH
@clause(*tas("7.6(a)"))
def test_consent_is_asked_of_those_at_the_table_when_the_change_comes(doc: str) -> None:
    at = ready(doc)
    at.do("mara", raised(at, 50, 9000))
    at.do("ann", c.ConsentToChange())
    at.do("bob", c.ConsentToChange())
    at.seat("cy")
    at.refuse("mara", c.ApplyChange(), Reason.CHANGE_TOO_EARLY)
    at.refuse("zoe", c.ConsentToChange(), Reason.NOT_AT_TABLE)
    at.do("dan", c.CashOut(1_000_000, "cy"))
    at.do("cy", c.Leave())
    at.do("mara", c.ApplyChange())


@BOTH
@clause(*tas("7.6(a)"))
def test_consent_to_one_change_is_none_to_the_next(doc: str) -> None:
    at = ready(doc, "ann")
    at.do("mara", raised(at, 50, 9000))
    at.do("ann", c.ConsentToChange())
    at.do("mara", raised(at, 100, 9000))
    at.refuse("mara", c.ApplyChange(), Reason.CHANGE_TOO_EARLY, twin(doc, "7.6(b)"))


@BOTH
@clause(*tas("7.6", "7.6(b)"))
def test_without_consent_a_notice_of_half_an_hour_comes_first(doc: str) -> None:
    at = ready(doc)
    posted = one(events.ChangePosted, at.do("mara", raised(at, 50, 9000)))
    assert (posted.shown_ms, posted.clauses) == (at.at_ms, (twin(doc, "7.6(b)"),))
    shown = sign(at)
    assert shown.change is not None
    assert shown.change.limits == Limits(5000, 900_000)
    assert shown.change_ms == posted.shown_ms + HALF_HOUR
    at.at_ms = posted.shown_ms + HALF_HOUR - 1
    early = at.refuse("mara", c.ApplyChange(), Reason.CHANGE_TOO_EARLY, twin(doc, "7.6(b)"))
    assert early.facts["minutes"] == 1
    at.at_ms = posted.shown_ms + HALF_HOUR - 1000
    changed = one(events.NoticeChanged, at.do("mara", c.ApplyChange()))
    assert at.at_ms == posted.shown_ms + HALF_HOUR
    assert changed.clauses == (twin(doc, "7.6"), twin(doc, "7.6(b)"))
    assert sign(at).change is None


@BOTH
@clause(*tas("7.6"))
@pytest.mark.parametrize("field", ["limits", "tie_limits"])
def test_no_minimum_or_maximum_slips_in_beside_a_liability(doc: str, field: str) -> None:
    at = ready(doc)
    limits = {field: Limits(1000, 900_000)}
    notice = replace(at.notice, collective_liability_cents=100_000, **limits)
    at.do("mara", c.PostChange(notice, at.at_ms))
    at.refuse("mara", c.ApplyChange(), Reason.CHANGE_TOO_EARLY, twin(doc, "7.6(b)"))


@BOTH
@clause(*tas("7.6"))
def test_limits_never_change_within_a_coup(doc: str) -> None:
    at = ready(doc)
    at.do("mara", raised(at, 50, 9000))
    at.later(31).bet("1 p 25")
    at.refuse("mara", c.ApplyChange(), Reason.WRONG_MOMENT)
    assert at.table.coup is not None
    assert at.table.coup.wagers == (Wager(1, Bet.PLAYER, 2500, "ann"),)
