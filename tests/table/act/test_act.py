"""Canberra's table before any wager: opening, the sign, staff, cards and limits."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits, sample_notice
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Role
from puntobanco.words import Step
from tests.kit.clauses import clause
from tests.kit.table.act import ACT, act, empty
from tests.kit.table.at import At, of, one

NOTICE = sample_notice(ACT)
HIGHER = Limits(NOTICE.limits.min_cents, 800_000)


# opening


@clause("act-2015:ni.1", "act-2015:ni.2", "act-2015:ni.3", "act-2015:ni.4")
def test_the_instrument_its_date_and_its_predecessor_are_on_record() -> None:
    opened = one(events.TableOpened, At(ACT).open(effective="14 February 2015").log)
    record = opened.opened
    assert (record.reference, record.replaces) == ("NI2015-63", "NI2012-170")
    assert record.effective == "14 February 2015"
    assert len(record.digest) == 64
    assert {f"act-2015:ni.{n}" for n in range(1, 5)} <= {*opened.clauses}


@clause("act-2015:ni.2")
def test_no_table_opens_without_the_date_the_document_does_not_give() -> None:
    ask = c.OpenTable(NOTICE, "monday", "shoe 1", "GRC 1/15")
    At(ACT).refuse("mara", ask, Reason.EFFECTIVE_DATE_MISSING, "act-2015:ni.2")


@clause("act-2015:1.1", "act-2015:9.2", "act-2015:d.shoe", "act-2015:d.approved")
def test_every_approval_is_on_record() -> None:
    at = At(ACT, table_approval="GRC 7/15", pairs_approval="GRC 8/15")
    opened = one(events.TableOpened, at.open(shoe_approval="GRC 9/15").log)
    assert (opened.notice.table_approval, opened.notice.pairs_approval) == ("GRC 7/15", "GRC 8/15")
    assert (opened.opened.shoe, opened.opened.shoe_approval) == ("shoe 1", "GRC 9/15")
    assert {"act-2015:1.1", "act-2015:9.2", "act-2015:d.shoe"} <= {*opened.clauses}


@clause("act-2015:1.1", "act-2015:9.2", "act-2015:d.shoe", "act-2015:d.approved")
@pytest.mark.parametrize(
    ("what", "number"),
    [("table_approval", "1.1"), ("pairs_approval", "9.2"), ("shoe_approval", "d.shoe")],
)
def test_what_is_not_approved_is_not_used(what: str, number: str) -> None:
    shoe_approval = " " if what == "shoe_approval" else "GRC 9/15"
    notice = NOTICE if what == "shoe_approval" else replace(NOTICE, **{what: " "})
    ask = c.OpenTable(notice, "monday", "shoe 1", shoe_approval, "14 February 2015")
    At(ACT).refuse("mara", ask, Reason.APPROVAL_MISSING, f"act-2015:{number}")


@clause("act-2015:8.1", "act-2015:8.2")
@pytest.mark.parametrize("method", ["A", "B"])
@pytest.mark.parametrize("pairs", ["perfect-pairs", "canberra-pairs"])
def test_the_method_and_the_pairs_option_are_chosen_at_the_opening(method: str, pairs: str) -> None:
    opened = one(events.TableOpened, At(ACT, method=method, pairs=pairs).open().log)
    assert (opened.notice.method, opened.notice.pairs) == (method, pairs)
    assert {"act-2015:8.1", "act-2015:8.2"} <= {*opened.clauses}


@clause("act-2015:8.2", "act-2015:9.2")
def test_a_table_without_pairs_records_no_choice_of_them() -> None:
    at = At(ACT, pairs="", pairs_limits=None, pairs_approval="")
    assert "act-2015:8.2" not in one(events.TableOpened, at.open().log).clauses
    assert at.view().sign is not None
    assert at.view().sign.pairs == ""  # type: ignore[union-attr]


@clause("act-2015:d.casino-operator")
def test_only_the_operators_representative_opens_a_table() -> None:
    ask = c.OpenTable(NOTICE, "monday", "shoe 1", "GRC 9/15", "14 February 2015")
    for person in ("sue", "dan", "ann", "otto"):
        At(ACT).refuse(person, ask, Reason.NOT_YOUR_ROLE)


@clause("act-2015:13.1")
def test_the_hours_of_gaming_are_on_record_and_in_view() -> None:
    at = At(ACT).open(hours="noon to 6 am")
    opened = one(events.TableOpened, at.log)
    assert opened.opened.hours == "noon to 6 am"
    assert "act-2015:13.1" in opened.clauses
    assert at.view("dan").sign.hours == "noon to 6 am"  # type: ignore[union-attr]


@clause("act-2015:13.1")
def test_hours_nobody_entered_are_not_on_record_as_given() -> None:
    opened = one(events.TableOpened, At(ACT).open(hours="").log)
    assert "act-2015:13.1" not in opened.clauses


# the sign


@clause("act-2015:3.1", "act-2015:3.3", "act-2015:3.6", "act-2015:8.3", "act-2015:9.3")
def test_the_sign_shows_everyone_limits_multiples_method_and_pairs() -> None:
    at = At(ACT, table_differential_cents=300_000).open()
    for person in ("", "ann", "dan"):
        sign = at.view(person).sign
        assert sign is not None
        assert sign.notice.limits == NOTICE.limits
        assert sign.notice.limits.multiple_cents == 500
        assert sign.notice.pairs_limits == NOTICE.pairs_limits
        assert sign.notice.table_differential_cents == 300_000
        assert (sign.notice.pairs, sign.method[:8]) == ("canberra-pairs", "Method A")
        assert "11 to 1" in sign.pairs


@clause("act-2015:d.box")
def test_every_box_of_the_layout_is_in_view() -> None:
    at = act("ann")
    boxes = at.view().boxes
    assert [box.seat for box in boxes] == [1, 2, 3, 4, 5, 6, 7]
    assert [box.taken for box in boxes] == [True] + [False] * 6
    at.bet("1 p 50, 1 b 50, 1 t 10, 1 pp 10, 1 bp 10")
    laid = at.view().play.wagers  # type: ignore[union-attr]
    assert {(wager.box, wager.on) for wager in laid} == {(1, bet) for bet in Bet}


# staff


@clause("act-2015:d.dealer", "act-2015:d.casino-supervisor")
@pytest.mark.parametrize(("person", "role"), [("dan", "dealer"), ("sue", "casino supervisor")])
def test_staff_sign_on_and_off_on_record(person: str, role: str) -> None:
    at = At(ACT).open()
    number = f"act-2015:d.{role.replace(' ', '-')}"
    on = one(events.StaffSignedOn, at.do(person, c.SignOn(Role(role))))
    assert (on.person, on.role, on.at_ms, on.clauses) == (person, Role(role), at.at_ms, (number,))
    assert [duty.person for duty in at.view("otto").floor.staff] == [person]  # type: ignore[union-attr]
    off = one(events.StaffSignedOff, at.do(person, c.SignOff()))
    assert (off.role, off.clauses) == (Role(role), (number,))


@clause("act-2015:d.dealer", "act-2015:d.casino-supervisor")
def test_no_round_without_a_casino_supervisor() -> None:
    at = act()
    at.do("sue", c.SignOff())
    where = "act-2015:d.casino-supervisor"
    assert at.refuse("dan", c.OpenCoup(), Reason.STAFF_MISSING, where).facts["role"] == (
        "casino supervisor"
    )
    step = at.view("dan").next
    assert step is not None
    assert (step.step, step.clause) == (Step.SIGN_ON, where)
    at.do("dan", c.SignOff())
    at.refuse("dan", c.OpenCoup(), Reason.NOT_ON_DUTY)


@clause("act-2015:d.casino-supervisor")
def test_a_supervisor_leaving_a_round_in_play_leaves_a_gap_on_record() -> None:
    at = act()
    at.bet("1 p 50")
    assert one(events.StaffSignedOff, at.do("sue", c.SignOff())).gap


# cards


@clause("act-2015:2.5")
def test_both_checks_of_the_cards_are_on_record() -> None:
    at = empty()
    checked = one(events.CardsChecked, at.do("dan", c.CheckCards("set A")))
    assert (checked.set_id, checked.decks, checked.checked_by) == ("set A", 8, "dan")
    assert checked.clauses == ("act-2015:2.5",)
    at.seat("ann").shoe().coup("1 p 50", "9c Kd Kh 3s")
    at.do("dan", c.EndShoe("early"))
    at_end = one(events.CardsCheckedAtEnd, at.do("dan", c.CheckCardsAtEnd((Card("2c"),))))
    assert (at_end.checked_by, at_end.missing) == ("dan", (Card("2c"),))
    assert at_end.clauses == ("act-2015:2.5",)


@clause("act-2015:2.5")
def test_unchecked_or_incomplete_cards_are_not_shuffled() -> None:
    at = empty()
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED, "act-2015:2.5")
    at.do("dan", c.CheckCards("set A", missing=(Card("7h"),)))
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED, "act-2015:2.5")
    step = at.view("dan").next
    assert step is not None
    assert (step.step, step.clause) == (Step.CHECK_CARDS, "act-2015:2.5")


@clause("act-2015:2.5")
def test_the_check_is_the_dealers() -> None:
    at = empty()
    at.refuse("sue", c.CheckCards("set A"), Reason.NOT_YOUR_ROLE, "act-2015:2.5")


def _closed(at: At) -> At:
    at.do("mara", c.GiveClosingNotice(at.at_ms + 2000))
    at.later(1)
    at.do("mara", c.CloseTable())
    return at


@clause("act-2015:2.5")
def test_a_table_closed_after_play_does_not_open_before_its_cards_are_checked() -> None:
    at = act()
    at.coup("1 p 50", "9c Kd Kh 3s")
    _closed(at)
    again = c.OpenTable(NOTICE, "tuesday", "shoe 1", "GRC 1/15", "14 February 2015")
    at.refuse("mara", again, Reason.CLOSING_CHECK_DUE, "act-2015:2.5")
    assert at.view("dan").next.step is Step.CHECK_AT_END  # type: ignore[union-attr]
    at.do("dan", c.CheckCardsAtEnd())
    at.open()


@clause("act-2015:2.5")
def test_cards_are_checked_anew_when_gaming_begins_again() -> None:
    at = act()
    at.coup("1 p 50", "9c Kd Kh 3s")
    _closed(at).do("dan", c.CheckCardsAtEnd())
    at.open(gaming_day="tuesday")
    at.refuse("dan", c.Shuffle(), Reason.CARDS_NOT_CHECKED, "act-2015:2.5")


@clause("act-2015:2.3")
def test_cards_are_changed_between_rounds_by_dealer_and_supervisor_together() -> None:
    at = act()
    worn = c.ChangeCards((Card("2c"), Card("2c")))
    assert of(events.CardsChanged, at.do("dan", worn)) == []
    at.refuse("dan", c.Approve(1), Reason.SAME_PERSON)
    changed = one(events.CardsChanged, at.approve("sue"))
    assert changed.cards == (Card("2c"), Card("2c"))
    assert changed.checked_by == ("dan", "sue")
    assert changed.clauses == ("act-2015:2.3",)
    at.bet("1 p 50")
    at.refuse("dan", worn, Reason.WRONG_MOMENT)


@clause("act-2015:2.3")
@pytest.mark.parametrize("second", ["dora", "ines"])
def test_new_cards_want_one_dealer_and_one_casino_supervisor(second: str) -> None:
    at = act()
    at.do("dora", c.SignOn(Role.DEALER))
    at.refuse("ines", c.ChangeCards((Card("2c"),)), Reason.NOT_YOUR_ROLE)
    at.do("dan", c.ChangeCards((Card("2c"),)))
    at.refuse(second, c.Approve(1), Reason.NOT_YOUR_ROLE)
    changed = one(events.CardsChanged, at.do("sue", c.Approve(1)))
    assert changed.checked_by == ("dan", "sue")


@clause("act-2015:2.3")
def test_a_dealer_who_went_off_duty_is_still_a_dealer_who_checked() -> None:
    at = act()
    at.do("dora", c.SignOn(Role.DEALER))
    at.do("dan", c.ChangeCards((Card("2c"),)))
    at.do("dan", c.SignOff())
    at.refuse("dora", c.Approve(1), Reason.NOT_YOUR_ROLE)


@clause("act-2015:2.3")
def test_no_card_is_changed_more_often_than_the_set_holds_it() -> None:
    nine = c.ChangeCards((Card("2c"),) * 9)
    act().refuse("dan", nine, Reason.TOO_MANY_COPIES, "act-2015:2.1")


# limits


def _posted(at: At, **changes: object) -> events.ChangePosted:
    return one(
        events.ChangePosted,
        at.do("mara", c.PostChange(replace(at.table.terms.notice, **changes), at.at_ms + 600_000)),
    )


@clause("act-2015:3.1", "act-2015:3.7", "act-2015:8.1", "act-2015:8.3", "act-2015:9.3")
@pytest.mark.parametrize(
    ("field", "value", "notice", "held"),
    [
        ("limits", Limits(5000, 400_000, 500), "3.1", "3.1"),
        ("table_differential_cents", 400_000, "3.7", "3.7"),
        ("method", "B", "8.3", "8.1"),
        ("pairs", "perfect-pairs", "9.3", "8.2"),
    ],
)
def test_a_change_is_announced_shown_and_only_then_holds(
    field: str, value: object, notice: str, held: str
) -> None:
    at = act(table_differential_cents=300_000)
    posted = _posted(at, **{field: value})
    assert posted.clauses == (f"act-2015:{notice}",)
    assert (posted.shown_ms, posted.from_ms) == (at.at_ms, at.at_ms + 599_000)
    sign = at.view("ann").sign
    assert sign is not None
    assert getattr(sign.change, field) == value
    assert getattr(sign.notice, field) != value
    assert sign.change_ms == posted.from_ms
    at.refuse("mara", c.ApplyChange(), Reason.CHANGE_TOO_EARLY, f"act-2015:{notice}")
    changed = one(events.NoticeChanged, at.later(10).do("mara", c.ApplyChange()))
    assert changed.fields == (field,)
    assert {f"act-2015:{held}", f"act-2015:{notice}"} == {*changed.clauses}
    assert getattr(at.view().sign.notice, field) == value  # type: ignore[union-attr]


@clause("act-2015:3.1", "act-2015:8.1")
def test_nothing_changes_within_a_round_nor_without_an_announcement() -> None:
    at = act()
    at.refuse("mara", c.ApplyChange(), Reason.NO_CHANGE_POSTED)
    _posted(at, method="B")
    at.later(11).bet("1 b 100").deal("Kc 6d Kh Ks")
    at.refuse("mara", c.ApplyChange(), Reason.WRONG_MOMENT)
    at.do("dan", c.DrawCard(Card("2h")))
    at.do("dan", c.DeclareResult())
    at.refuse("mara", c.ApplyChange(), Reason.WRONG_MOMENT)
    at.do("dan", c.EndCoup())
    assert at.table.chips["ann"] == 1_000_000 + 9500
    at.do("mara", c.ApplyChange())
    at.coup("1 b 100", "Kc 6d Kh Ks 2h")
    assert at.table.chips["ann"] == 1_000_000 + 9500 + 5000


@clause("act-2015:3.2")
def test_a_marker_at_the_place_shows_a_players_own_maximum() -> None:
    at = act()
    agreed = one(events.LimitsAgreed, at.do("mara", c.AgreeLimits("bob", HIGHER)))
    assert (agreed.person, agreed.limits, agreed.clauses) == ("bob", HIGHER, ("act-2015:3.2",))
    assert [box.marker for box in at.view().boxes[:3]] == [None, HIGHER, None]
    at.bet()
    at.do("bob", c.PlaceWager(2, Bet.PLAYER, 800_000))
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 500_500), Reason.ABOVE_MAXIMUM, "act-2015:3.1")
    lower = c.AgreeLimits("ann", Limits(2500, 400_000))
    at.refuse("mara", lower, Reason.INDIVIDUAL_LIMITS_NOT_ALLOWED, "act-2015:3.2")


@clause("act-2015:3.2")
def test_a_standing_players_marker_is_in_view_too() -> None:
    at = act("ann")
    at.do("cy", c.StandAt(1))
    at.do("mara", c.AgreeLimits("cy", HIGHER))
    assert at.view().boxes[0].marker == HIGHER


@clause("act-2015:3.2")
def test_only_the_maximum_is_a_players_own() -> None:
    at = act()
    at.do("mara", c.AgreeLimits("ann", HIGHER))
    _posted(at, limits=Limits(5000, 900_000, 500))
    at.later(11).do("mara", c.ApplyChange())
    at.bet()
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 2500), Reason.BELOW_MINIMUM)
    at.do("ann", c.PlaceWager(1, Bet.PLAYER, 900_000))


@clause("act-2015:3.3")
def test_a_device_takes_only_the_displayed_multiples() -> None:
    at = act()
    at.bet()
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 2750), Reason.NOT_A_MULTIPLE, "act-2015:3.3")


@clause("act-2015:3.4")
def test_the_first_wager_below_the_minimum_counts_and_its_owner_is_warned_on_record() -> None:
    at = act()
    happened = at.coup("1 p 10, 2 p 50", "9c Kd Kh 3s")
    warning = one(events.WarningGiven, happened)
    assert (warning.person, warning.clauses) == ("ann", ("act-2015:3.4",))
    assert at.table.chips["ann"] == 1_001_000
    assert at.view("ann").own.warned  # type: ignore[union-attr]
    assert not at.view("bob").own.warned  # type: ignore[union-attr]
    again = at.coup("1 p 10", "9c Kd Kh 3s")
    line = one(events.WagerSettled, again)
    assert (line.outcome, line.won_cents, at.table.chips["ann"]) == ("returned", 0, 1_001_000)
    assert "act-2015:3.4" in line.clauses
    assert of(events.WarningGiven, again) == []


@clause("act-2015:3.4")
@pytest.mark.parametrize("ending", ["tie", "void"])
def test_a_wager_neither_paid_nor_collected_draws_no_warning(ending: str) -> None:
    at = act()
    if ending == "tie":
        happened = at.coup("1 p 10", "9c 9d Kh Ks")
    else:
        at.bet("1 p 10").deal("9c Kd Kh 3s")
        at.do("sue", c.VoidCoup("disrupted", "fire"))
        at.approve("mara")
        happened = at.do("dan", c.EndCoup())
    assert of(events.WarningGiven, happened) == []
    assert at.table.warned == frozenset()


@clause("act-2015:3.4")
def test_a_warning_lasts_until_the_gaming_day_ends() -> None:
    at = act()
    at.coup("1 p 10", "9c Kd Kh 3s")
    at.do("mara", c.BeginGamingDay("tuesday"))
    assert one(events.WarningGiven, at.coup("1 p 10", "9c Kd Kh 3s")).person == "ann"


@clause("act-2015:3.5")
def test_above_the_maximum_only_the_maximum_is_at_risk() -> None:
    at = act()
    line = one(events.WagerSettled, at.coup("1 p 6000", "2c 9d Kh Ks"))
    assert (line.stake_cents, line.returned_cents) == (500_000, 100_000)
    assert "act-2015:3.5" in line.clauses


@clause("act-2015:3.6")
def test_the_dealer_sees_the_differential_and_what_must_come_off() -> None:
    at = act(table_differential_cents=100_000)
    at.bet("1 b 900, 2 b 600")
    floor = at.view("dan").floor
    assert floor is not None
    assert floor.differential_cents == 150_000
    assert [(cut.wager.by, cut.to_cents, cut.clause) for cut in floor.reductions] == [
        ("bob", 10_000, "act-2015:3.6")
    ]
    reduced = one(events.WagerReduced, at.do("dan", c.ReduceWagers()))
    assert (reduced.wager.by, reduced.wager.cents) == ("bob", 10_000)
    assert reduced.clauses == ("act-2015:3.6",)
    assert at.view("dan").floor.reductions == ()  # type: ignore[union-attr]


@clause("act-2015:3.6")
def test_a_differential_left_standing_is_on_record() -> None:
    at = act(table_differential_cents=100_000)
    locked = one(events.BetsLocked, at.bet("1 b 1500").deal("9c Kd Kh 3s"))
    assert locked.unreduced == (Bet.BANKER,)
    assert "act-2015:3.6" in locked.clauses
