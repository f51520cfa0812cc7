"""Conditions and entries: what is told beforehand, who is in, and whose money comes back."""

import pytest

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.state import CompetitionPhase, EntryStatus
from puntobanco.errors import Reason
from puntobanco.table.actor import Role
from tests.kit.clauses import clause
from tests.kit.competition.cup import DAY_MS, Cup, cup_text


@clause("tas-2018:16.2.2(lead)", "tas-2018:16.2.2(a)", "act-2015:15.3")
def test_nothing_is_published_that_is_incomplete() -> None:
    """[tas-2018:16.2.2(lead)] Every item is settled and told; [act-2015:15.3] and approved."""
    cup = Cup(cup_text().replace('form = "form A"', ""))
    assert cup.refused("mara", c.Publish())[0] is Reason.NOTHING_DRAFTED
    cup.do("mara", c.Draft(cup.text, "spring"))
    assert cup.refused("mara", c.Publish()) == (Reason.CONDITIONS_FAULTY, "tas-2018:16.2.2(a)")
    canberra = Cup(cup_text("act-2015").replace("GRC 15/2026", ""))
    canberra.do("mara", c.Draft(canberra.text, "spring"))
    assert canberra.refused("mara", c.Publish()) == (Reason.CONDITIONS_FAULTY, "act-2015:15.3")
    unsound = Cup(cup_text(advance="3"))
    unsound.do("mara", c.Draft(unsound.text, "spring"))
    assert unsound.refused("mara", c.Publish())[0] is Reason.STRUCTURE_FAULTY
    assert unsound.refused("mara", c.Draft("name = ", "spring"))[0] is Reason.CONDITIONS_UNREADABLE


def test_publishing_takes_two_people_and_freezes_the_text() -> None:
    cup = Cup()
    cup.do("mara", c.Draft(cup.text, "spring"))
    cup.do("mara", c.Publish())
    assert cup.refused("mara", c.Approve(1))[0] is Reason.SAME_PERSON
    assert cup.refused("dora", c.Publish())[0] is Reason.ALREADY_PROPOSED
    assert cup.state.version == 0
    cup.do("dora", c.Approve(1))
    assert cup.state.versions[1].text == cup.text
    assert cup.state.phase is CompetitionPhase.PUBLISHED
    cup.do("mara", c.Draft(cup.text.replace("Spring", "Summer"), "spring"))
    assert cup.state.conditions.name == "Spring Cup"
    cup.do("mara", c.Publish())
    cup.do("mara", c.DropProposal(2))
    assert cup.refused("dora", c.Approve(2))[0] is Reason.NO_SUCH_PROPOSAL


@clause("tas-2018:16.2.6")
def test_a_walk_in_is_entered_in_one_step_or_not_at_all() -> None:
    """Whatever is missing comes in its order; a refusal anywhere leaves nothing behind."""
    cup = Cup().entering()
    assert cup.refused("carol", c.EnterAtDesk("p1", 2)) == (
        Reason.ANOTHER_VERSION,
        "tas-2018:16.2.6",
    )
    assert "p1" not in cup.state.entries
    kinds = [type(event) for event in cup.do("carol", c.EnterAtDesk("p1", 1))]
    assert kinds == [
        e.ApplicationReceived,
        e.ApplicationAccepted,
        e.ConditionsEndorsed,
        e.EntryPaid,
    ]
    assert cup.refused("carol", c.EnterAtDesk("p1", 1))[0] is Reason.ENTERED_ALREADY
    cup.do("p2", c.Apply())
    cup.do("p3", c.Apply())
    cup.do("carol", c.Accept("p3"))
    cup.do("p3", c.Endorse(1))
    assert [type(event) for event in cup.do("carol", c.EnterAtDesk("p2", 1))] == kinds[1:]
    assert [type(event) for event in cup.do("carol", c.EnterAtDesk("p3", 1))] == kinds[3:]
    assert cup.refused("dora", c.EnterAtDesk("p4", 1))[0] is Reason.NOT_YOUR_ROLE
    for number in range(4, 13):
        cup.do("carol", c.EnterAtDesk(f"p{number}", 1))
    assert cup.refused("carol", c.EnterAtDesk("p13", 1))[0] is Reason.ENTRIES_FULL
    assert cup.state.money.entries == 12


@clause("tas-2018:16.2.6")
def test_the_desk_endorses_the_version_in_force_and_no_other() -> None:
    cup = Cup().entering()
    cup.do("p1", c.Apply())
    cup.do("carol", c.Accept("p1"))
    cup.do("p1", c.Endorse(1))
    cup.do("mara", c.Draft(cup.text.replace("Spring", "Summer"), "spring"))
    cup.two(c.Publish(), "mara", "dora")
    assert cup.refused("carol", c.EnterAtDesk("p1", 1))[0] is Reason.ANOTHER_VERSION
    cup.do("carol", c.EnterAtDesk("p1", 2))
    assert cup.state.entries["p1"].version == 2
    assert cup.state.entries["p1"].status is EntryStatus.PAID


@clause("tas-2018:16.2.6", "tas-2018:16.2.5")
def test_an_entrant_endorses_the_version_in_force() -> None:
    """[tas-2018:16.2.6] A new version must be endorsed anew before anybody is seated."""
    cup = Cup().entering().enter("p1")
    cup.do("p2", c.Apply())
    cup.do("carol", c.Accept("p2"))
    assert cup.refused("p2", c.PayEntry())[0] is Reason.WRONG_STATUS
    assert cup.refused("p2", c.Endorse(2)) == (Reason.ANOTHER_VERSION, "tas-2018:16.2.6")
    cup.do("mara", c.Draft(cup.text.replace("Spring", "Summer"), "spring"))
    cup.two(c.Publish(), "mara", "dora")
    assert cup.refused("p2", c.Endorse(1))[0] is Reason.ANOTHER_VERSION
    cup.enter("p3", "p4", "p5", "p6", "p7")
    assert cup.refused("dora", c.CloseEntries())[0] is Reason.TOO_FEW_ENTRIES
    cup.do("p1", c.Endorse(2))
    assert cup.state.entries["p1"].status is EntryStatus.PAID
    (closed,) = cup.do("dora", c.CloseEntries())
    assert isinstance(closed, e.EntriesClosed)
    assert closed.people == ("p1", "p3", "p4", "p5", "p6", "p7")


@clause("tas-2018:16.2.2(c)")
def test_what_was_paid_for_does_not_change() -> None:
    """[tas-2018:16.2.2(c)] The fee that was disclosed is the fee."""
    cup = Cup().entering().enter("p1")
    cup.do("mara", c.Draft(cup.text.replace("5555", "6000"), "spring"))
    assert cup.refused("mara", c.Publish())[0] is Reason.CONDITIONS_FIXED


@clause("act-2015:15.6", "tas-2018:16.1-player", "tas-2018:16.1-applicant")
@pytest.mark.parametrize("ruleset", ["tas-2018", "act-2015"])
def test_nobody_enters_twice(ruleset: str) -> None:
    """[act-2015:15.6] One entry each; elsewhere, too, unless conditions allow more to all."""
    cup = Cup(cup_text(ruleset)).entering().enter("p1")
    reason, cited = cup.refused("p1", c.Apply())
    assert reason is Reason.ENTERED_ALREADY
    assert cited == ("act-2015:15.6" if ruleset == "act-2015" else "tas-2018:16.1-player")
    cup.do("p1", c.Withdraw())
    assert cup.refused("p1", c.Apply())[0] is Reason.ENTERED_ALREADY
    cup.do("p2", c.Apply())
    cup.do("p2", c.Withdraw())
    cup.do("p2", c.Apply())
    assert cup.refused("p2", c.Accept("p2"))[0] is Reason.NOT_YOUR_ROLE
    assert cup.refused("p2", c.Apply("p3"))[0] is Reason.NOT_YOURSELF


@clause("tas-2018:16.2.3(a)", "tas-2018:16.2.3(lead)")
def test_any_application_may_be_refused() -> None:
    """[tas-2018:16.2.3(a)]"""
    cup = Cup().entering()
    cup.do("p1", c.Apply())
    (refused,) = cup.do("mara", c.Refuse("p1", "barred"))
    assert refused.clauses == ("tas-2018:16.2.3(a)",)
    assert cup.refused("p1", c.Endorse(1))[0] is Reason.WRONG_STATUS
    assert cup.refused("p9", c.Endorse(1))[0] is Reason.NOT_ENTERED


@clause("act-2015:15.4(f)")
def test_whom_the_conditions_shut_out_is_refused() -> None:
    text = cup_text("act-2015").replace("[entry]\n", '[entry]\ngroups = "nobody on the staff"\n')
    cup = Cup(text).entering()
    cup.do("p1", c.Apply())
    (refused,) = cup.do("mara", c.Refuse("p1", "on the staff"))
    assert refused.clauses == ("act-2015:15.4(f)",)
    assert cup.refused("p1", c.Endorse(1))[0] is Reason.WRONG_STATUS


@clause("tas-2018:16.2.2(d)", "act-2015:15.4(e)")
def test_no_more_than_the_most_are_accepted() -> None:
    """[tas-2018:16.2.2(d)] The thirteenth waits as a reserve."""
    cup = Cup().entering().enter(*(f"p{i}" for i in range(1, 13)))
    for person in ("r1", "r2", "r3"):
        cup.do(person, c.Apply())
    assert cup.refused("carol", c.Accept("r1")) == (Reason.ENTRIES_FULL, "tas-2018:16.2.2(d)")
    cup.do("carol", c.AddReserve("r1"))
    cup.do("carol", c.AddReserve("r2"))
    assert cup.refused("carol", c.AddReserve("r3"))[0] is Reason.RESERVES_FULL


@clause("tas-2018:16.2(lead)")
@pytest.mark.parametrize(("day", "refund"), [(6, 5555), (7, 0)])
def test_whoever_withdraws_a_week_before_has_the_fee_back(day: int, refund: int) -> None:
    """[tas-2018:16.2(lead)] By the casino's calendar: the 7th of March is the last day."""
    cup = Cup().entering().enter("p1")
    cup.at_ms = 1_772_368_200_000 + day * DAY_MS  # 23:30 on the day, in Hobart
    (gone,) = cup.do("p1", c.Withdraw())
    assert isinstance(gone, e.EntryWithdrawn)
    assert (gone.refund_cents, gone.deadline) == (refund, "2026-03-07")
    assert gone.clauses == ("tas-2018:16.2(lead)",)
    assert cup.state.money.pot_cents == 5555 - refund
    assert cup.state.money.entries == (0 if refund else 1)


@clause("tas-2018:16.3.4")
def test_a_start_that_moves_takes_nothing_from_anybody() -> None:
    """[tas-2018:16.3.4] The kinder of the day on the receipt and the one before the new start."""
    later = Cup().entering().enter("p1")
    later.do("dora", c.SetStart("heats", later.at_ms + 30 * DAY_MS, "flood"))
    later.at_ms += 15 * DAY_MS
    (gone,) = later.do("p1", c.Withdraw())
    assert isinstance(gone, e.EntryWithdrawn)
    assert gone.refund_cents == 5555
    sooner = Cup().entering().enter("p1")
    sooner.do("dora", c.SetStart("heats", sooner.at_ms + 3 * DAY_MS, "festival"))
    sooner.at_ms += DAY_MS
    (gone,) = sooner.do("p1", c.Withdraw())
    assert isinstance(gone, e.EntryWithdrawn)
    assert (gone.refund_cents, gone.deadline) == (5555, "2026-03-07")
    past = sooner.refused("dora", c.SetStart("heats", 1, "now"))
    assert past == (Reason.START_IS_PAST, "tas-2018:16.3.4")
    assert sooner.refused("dora", c.SetStart("semi", 1, ""))[0] is Reason.NO_SUCH_STAGE


@clause("act-2015:15.25(1)", "act-2015:15.4(c)", "act-2015:15.24")
def test_canberra_gives_nothing_back() -> None:
    """[act-2015:15.25(1)] Neither the fee nor the commission beside it."""
    cup = Cup(cup_text("act-2015")).entering().enter("p1")
    entrant = cup.state.entries["p1"]
    assert (entrant.fee_cents, entrant.commission_cents, entrant.refund_until) == (5000, 500, "")
    (gone,) = cup.do("p1", c.Withdraw())
    assert isinstance(gone, e.EntryWithdrawn)
    assert (gone.refund_cents, gone.clauses) == (0, ("act-2015:15.25(1)",))


@clause("tas-2018:16.2.4", "tas-2018:16.2.3(b)", "act-2015:15.25(2)")
@pytest.mark.parametrize(("ruleset", "owed"), [("tas-2018", 0), ("act-2015", 5500)])
def test_disqualified_and_then_cancelled(ruleset: str, owed: int) -> None:
    """[tas-2018:16.2.4] No refund to a disqualified player; [act-2015:15.25(2)] to all."""
    cup = Cup(cup_text(ruleset)).entering().enter("p1", "p2")
    cup.two(c.Disqualify("p1", "hid chips"))
    assert cup.refused("dora", c.Disqualify("p1", "again"))[0] is Reason.NO_LONGER_IN
    (_, ended) = cup.two(c.Cancel("flood"))
    paid = cup.state.entries["p2"].paid_cents
    wanted = {"p1": owed, "p2": paid} if owed else {"p2": paid}
    assert ended.refunds == wanted
    assert ended.retained_cents == 2 * paid - sum(wanted.values())
    for person in wanted:
        cup.do("carol", c.PayRefund(person))
    assert cup.state.money.pot_cents == 0
    assert cup.refused("carol", c.PayRefund("p2"))[0] is Reason.NOTHING_OWED_TO
    assert cup.refused("p3", c.Apply())[0] is Reason.WRONG_PHASE


@clause("act-2015:15.9", "act-2015:15.10")
def test_a_reserve_takes_a_seat_that_was_not_taken() -> None:
    """[act-2015:15.10] On payment of the fee; [act-2015:15.9] the other fee stays in the pool."""
    cup = Cup(cup_text("act-2015")).entering()
    cup.do("r1", c.Apply())
    cup.do("carol", c.AddReserve("r1"))
    cup.enter("p1", "p2", "p3", "p4")
    cup.do("dora", c.CloseEntries())
    cup.designate("table-1").drawn()
    seat = cup.state.entries["p1"].seat
    unread = cup.refused("dora", c.TakeReserve("r1", "p1"))
    assert unread == (Reason.NOT_ENDORSED, "act-2015:15.3")
    cup.do("r1", c.Endorse(1))
    forfeited, taken, paid = cup.do("dora", c.TakeReserve("r1", "p1"))
    assert (forfeited.clauses, taken.clauses) == (("act-2015:15.9",), ("act-2015:15.10",))
    assert isinstance(paid, e.EntryPaid)
    assert cup.state.now.seats["table-1"][seat] == "r1"
    assert cup.state.entries["p1"].status is EntryStatus.FORFEITED
    assert cup.state.entries["r1"].status is EntryStatus.SEATED
    assert cup.state.money.entries == 5


@clause("tas-2018:16.3.3", "act-2015:15.11")
def test_a_substitute_is_in_it_for_nobody_else() -> None:
    """[tas-2018:16.3.3] The entry stays one; nobody has two chances."""
    cup = Cup().entered()
    cup.do("dora", c.Substitute("p1", "sam"))
    assert cup.state.entries["p1"].substitute == "sam"
    for person, substitute in (("p2", "sam"), ("p2", "p3")):
        wrong = cup.refused("dora", c.Substitute(person, substitute))
        assert wrong == (Reason.SUBSTITUTE_IS_IN, "tas-2018:16.3.3")
    cup.do("dora", c.Substitute("p1", ""))
    assert cup.refused("dora", c.Substitute("p1", ""))[0] is Reason.SUBSTITUTE_AS_BEFORE
    cup.do("dora", c.Substitute("p1", "sam"))


@clause("tas-2018:16.2.7", "tas-2018:16.1-competition-director", "act-2015:15.2")
def test_nothing_starts_without_a_director_present() -> None:
    """[tas-2018:16.2.7] The Director is present while the competition is in progress."""
    cup = Cup().entered().designate("table-1").drawn()
    cup.do("dora", c.PrepareSession())
    absent = (Reason.DIRECTOR_NOT_SIGNED_ON, "tas-2018:16.2.7")
    assert cup.refused("dora", c.StartSession()) == absent
    (on,) = cup.do("dora", c.SignOn(Role.DIRECTOR))
    assert on.clauses == ("tas-2018:16.1-competition-director", "tas-2018:16.2.7")
    cup.do("dora", c.StartSession())
    (off,) = cup.do("dora", c.SignOff())
    assert isinstance(off, e.StaffSignedOff)
    assert off.gap


def test_a_late_applicant_and_a_second_entry_only_where_all_are_allowed_it() -> None:
    """Late entry and re-entry are open to all, by conditions alone [tas-2018:16.1-player]."""
    told = 'reserves = 2\nre_entries = 1\nuntil = "2026-03-20T18:00:00+11:00"'
    cup = Cup(cup_text().replace("reserves = 2", told)).entered()
    cup.enter("late")
    cup.designate("table-1", "table-2").drawn()
    cup.do("late", c.Withdraw())
    cup.do("late", c.Apply())
    assert cup.state.entries["late"].number == 2
    closed = Cup().entered()
    assert closed.refused("late", c.Apply())[0] is Reason.ENTRIES_ARE_CLOSED
