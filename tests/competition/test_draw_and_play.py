"""Draws, sessions, results: who sits where, who is through, and what equals do about it."""

from functools import reduce

import pytest
from msgspec.structs import replace

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.decide.sessions import early_verdict
from puntobanco.competition.evolve import evolve
from puntobanco.competition.state import CompetitionPhase, EntryStatus
from puntobanco.errors import Reason
from puntobanco.rules.competition.draw import Spoken, ballot, places_at
from puntobanco.rules.notice import Limits
from puntobanco.table.actor import Role
from puntobanco.table.result import SessionResult
from tests.kit.clauses import clause, tas, twin
from tests.kit.competition.cup import DAY_MS, SEED, WORDS, Cup, cup_text

SIX = tuple(f"p{i}" for i in range(1, 7))


@clause("act-2015:15.7", "tas-2018:16.2.3(d)", "tas-2018:16.2.3(e)")
def test_lots_come_from_seed_words_and_list() -> None:
    """[tas-2018:16.2.3(e)] Anyone can draw them again, by the numbers of entries; the seed was
    committed to before.
    """
    cup = Cup().entered(7).designate("table-1", "table-2")
    (drawn,) = cup.do("dora", c.Draw(WORDS, SEED.hex()))
    assert isinstance(drawn, e.SeatsDrawn)
    listed = {f"entry-{i:04}": f"p{i}" for i in range(1, 8)}
    lots = ballot(SEED, [WORDS[0].words], listed)
    places = places_at([("table-1", 4), ("table-2", 3)])
    for place, lot in zip(places, lots, strict=True):
        assert drawn.seats[place.table][place.seat] == listed[lot]
    assert drawn.first == {}
    assert cup.state.commitment == ""


@clause("act-2015:15.7", "act-2015:d.starting-marker")
def test_canberra_draws_who_bets_first_too() -> None:
    """[act-2015:d.starting-marker] By ballot, on record."""
    cup = Cup(cup_text("act-2015")).entered(4).designate("table-1")
    (drawn,) = cup.do("dora", c.Draw(WORDS, SEED.hex()))
    assert isinstance(drawn, e.SeatsDrawn)
    assert drawn.first["table-1"] in drawn.seats["table-1"]
    moved = cup.refused("dora", c.MoveSeat("p1", "table-1", 6, "please"))
    assert moved == (Reason.BALLOT_ONLY, "act-2015:15.7")


def test_a_draw_takes_the_seed_committed_to_and_a_witness() -> None:
    cup = Cup().entered()
    few = cup.refused("dora", c.Draw(WORDS, SEED.hex()))
    assert few == (Reason.TABLES_MISSING, "tas-2018:16.3.1")
    cup.designate("table-1")
    assert cup.refused("dora", c.Draw(WORDS, bytes(32).hex()))[0] is Reason.SEED_DIFFERS
    silent = (Spoken("wendy", " "),)
    assert cup.refused("dora", c.Draw(silent, SEED.hex()))[0] is Reason.WITNESS_MISSING
    cup.drawn()
    assert cup.refused("dora", c.Draw(WORDS, SEED.hex()))[0] is Reason.NO_DRAW_COMMITTED
    late = Cup().published()
    late.do("dora", c.OpenEntries())
    late.enter(*SIX)
    late.do("dora", c.CloseEntries())
    assert late.refused("dora", c.CommitDraw("0" * 64))[0] is Reason.COMMITTED_TOO_LATE


@clause("tas-2018:16.2.3(e)")
def test_a_draw_by_hand_is_keyed_by_two_and_seats_everybody_once() -> None:
    """[tas-2018:16.2.3(e)]"""
    cup = Cup().entered().designate("table-1", "table-2")
    seats = dict(enumerate(SIX, 1))

    def wrong(tables: dict[str, dict[int, str]]) -> Reason:
        return cup.refused("dora", c.KeyDraw(tables))[0]

    assert wrong({"table-1": {1: "p1"}}) is Reason.NOT_EVERYONE_SEATED
    assert wrong({"table-1": {**seats, 7: "p1"}}) is Reason.SEATED_TWICE
    assert wrong({"table-1": {**seats, 7: "zoe"}}) is Reason.NOT_TO_BE_SEATED
    assert wrong({"table-9": seats}) is Reason.NOT_DESIGNATED
    assert wrong({"table-1": {seat + 8: who for seat, who in seats.items()}}) is (
        Reason.DRAW_DOES_NOT_FIT
    )
    cup.do("dora", c.KeyDraw({"table-1": seats}))
    assert cup.state.phase is CompetitionPhase.CLOSED
    cup.do("mara", c.Approve(cup.state.proposal_number))
    assert cup.state.now.seats == {"table-1": seats}
    cup.drawn()  # again, with a seed of its own: the first was for the first draw
    assert cup.state.now.draws == 2
    cup.two(c.KeyDraw({"table-1": seats}))
    cup.do("dora", c.MoveSeat("p1", "table-1", 2, "a wheelchair"))
    assert cup.state.now.seats["table-1"] == {**seats, 1: "p2", 2: "p1"}
    assert cup.state.entries["p2"].seat == 1
    cup.started()
    again = cup.refused("dora", c.MoveSeat("p1", "table-1", 1, "back"))
    assert again[0] is Reason.WRONG_PHASE
    assert cup.refused("dora", c.Draw(WORDS, SEED.hex()))[0] is Reason.WRONG_PHASE


@clause("tas-2018:16.3.1", "act-2015:15.8")
def test_the_director_designates_tables() -> None:
    """[tas-2018:16.3.1] A table in use is not released."""
    cup = Cup().entered().designate("table-1", "table-2")
    assert cup.refused("dora", c.DesignateTable("table-1"))[0] is Reason.DESIGNATED_ALREADY
    cup.do("dora", c.ReleaseTable("table-2"))
    cup.drawn()
    assert cup.refused("dora", c.ReleaseTable("table-1"))[0] is Reason.TABLE_IN_USE


@clause("tas-2018:16.1-session", "tas-2018:16.2.2(f)", "act-2015:15.18")
def test_one_clock_runs_for_all_tables_and_stands_in_a_break() -> None:
    """[tas-2018:16.1-session] A set time; an outage and a break lengthen it for all alike."""
    cup = Cup(cup_text(ends="minutes = 10")).entered().designate("table-1").drawn().started()
    began = cup.at_ms - 1000
    assert cup.state.now.ends_ms == began + 600_000
    assert cup.refused("house", c.RunOut())[0] is Reason.NO_TIME_IS_OVER
    cup.do("dora", c.Break(5))
    assert cup.refused("dora", c.Break(5))[0] is Reason.IN_A_BREAK
    cup.at_ms += 299_000
    cup.do("dora", c.Resume())
    assert cup.state.now.ends_ms == began + 900_000
    assert cup.refused("dora", c.Resume())[0] is Reason.NOT_IN_A_BREAK
    cup.do("house", c.HoldClocks(60_000))
    cup.at_ms = began + 960_000
    (over,) = cup.do("house", c.RunOut())
    assert over.clauses == ("tas-2018:16.1-session",)
    assert cup.refused("house", c.HoldClocks(1))[0] is Reason.NO_TIME_RUNS


@clause("act-2015:15.19", "act-2015:15.18")
def test_the_director_sets_the_pace() -> None:
    """[act-2015:15.19]"""
    cup = Cup(cup_text("act-2015")).entered(4).designate("table-1").drawn().started()
    (told,) = cup.do("dora", c.GiveDirection("thirty seconds a wager"))
    assert told.clauses == ("act-2015:15.19",)
    (pause,) = cup.do("dora", c.Break(10))
    assert pause.clauses == ("act-2015:15.18",)


@clause("tas-2018:16.3.5")
def test_a_play_off_for_prizes_is_open_until_it_is_certain_who_has_which() -> None:
    """Both have a prize, and they play for the larger one [tas-2018:16.3.5, 16.8.3]."""
    cup = Cup(cup_text()).heats().drawn().started()
    cup.result("table-1", {"p1": 900_000, "p2": 900_000})
    cup.do("dora", c.OrderPlayOff(("p1", "p2"), "table-1"))
    cup.do("dora", c.SetPlayOffChips(1_000_000))
    cup.do("dora", c.StartSession())
    session = cup.state.now
    assert session.kind == "play-off"
    stands = SessionResult(session.id, "coups", 0, {"p1": 1_000_000, "p2": 1_000_000})
    assert early_verdict(cup.state, stands)[0] == "open"
    early = c.FinishEarly("table-1", standing=stands)
    assert cup.refused("dora", early)[0] == Reason.NOT_DECIDED
    left = SessionResult(session.id, "coups", 3, {"p1": 2_000_000}, {"p2": 3})
    assert early_verdict(cup.state, left)[0] == "decided"


def test_a_table_finishes_early_only_when_it_is_decided() -> None:
    """[tas-2018:16.3.5] Whatever anyone wagers and whatever cards fall."""
    cup = Cup().entered().designate("table-1").drawn().started()
    limits = Limits(10_000, 200_000, 10_000)
    chips = {**dict.fromkeys(SIX, 20_000), "p1": 9_000_000, "p2": 8_000_000}
    report = SessionResult("heats", "coups", 29, chips, limits=limits)
    (done,) = cup.do("dora", c.FinishEarly("table-1", standing=report))
    assert isinstance(done, e.TableFinishedEarly)
    assert done.proof
    close = Cup().entered().designate("table-1").drawn().started()
    level = replace(report, chips={**chips, "p2": 30_000})
    ask = c.FinishEarly("table-1", standing=level)
    assert close.refused("dora", ask) == (Reason.NOT_DECIDED, "tas-2018:16.3.5")
    forged = c.FinishEarly("table-1", ("because",), report)
    assert close.refused("dora", forged)[0] is Reason.PROOF_DIFFERS
    timed = Cup(cup_text(ends="minutes = 10")).entered().designate("table-1").drawn().started()
    whenever = c.FinishEarly("table-1", standing=report)
    assert timed.refused("dora", whenever)[0] is Reason.NOT_DECIDED
    timed.do("dora", c.LastCoup())
    timed.do("dora", whenever)
    other = c.FinishEarly("table-1", standing=replace(report, session="final"))
    assert close.refused("dora", other)[0] is Reason.ANOTHER_SESSION


def test_a_stopped_table_goes_on_elsewhere() -> None:
    cup = Cup().entered().designate("table-1", "table-2").drawn().started()
    assert cup.refused("dora", c.ResumeAt("table-1", "table-2"))[0] is Reason.TABLE_NOT_STOPPED
    cup.do("dora", c.StopTable("table-1", "a burst pipe"))
    assert cup.refused("dora", c.ResumeAt("table-1", "table-3"))[0] is Reason.NOT_DESIGNATED
    cup.do("dora", c.ResumeAt("table-1", "table-2"))
    result = SessionResult("heats", "coups", 30, {p: 1000 * i for i, p in enumerate(SIX, 1)})
    cup.do("house", c.TakeResult("table-2", 1, result, 1))
    assert cup.state.phase is CompetitionPhase.OVER


@clause("tas-2018:16.8.1", "tas-2018:16.8.2", "act-2015:15.20")
def test_a_stage_is_confirmed_once_every_result_is_in() -> None:
    """[tas-2018:16.8.2] The best of each table, by the number of [tas-2018:16.8.1]."""
    cup = Cup().entered(8).designate("table-1", "table-2").drawn().started()
    first, second = (cup.state.now.seats[f"table-{n}"].values() for n in (1, 2))
    cup.result("table-1", {p: 100_000 * i for i, p in enumerate(first, 1)})
    assert cup.refused("dora", c.ConfirmStage())[0] is Reason.WRONG_PHASE
    strangers = SessionResult("heats", "coups", 30, dict.fromkeys(first, 1))
    wrong = cup.refused("house", c.TakeResult("table-2", 1, strangers, 9))
    assert wrong == (Reason.OTHER_PLAYERS, "tas-2018:16.8.2")
    cup.result("table-2", {p: 100_000 * i for i, p in enumerate(second, 1)})
    (confirmed,) = cup.do("dora", c.ConfirmStage())
    assert isinstance(confirmed, e.StageConfirmed)
    best = {*list(first)[-2:], *list(second)[-2:]}
    assert set(confirmed.through) == best
    statuses = {person: entrant.status for person, entrant in cup.state.entries.items()}
    assert {p for p, status in statuses.items() if status is EntryStatus.THROUGH} == best


@clause("tas-2018:16.2.3(e)")
def test_a_table_from_which_everybody_is_gone_is_drawn_again() -> None:
    """[tas-2018:16.2.3(e)] It does not start without a player."""
    cup = Cup().entered(12).designate("table-1", "table-2").drawn()
    cup.do("dora", c.SignOn(Role.DIRECTOR))
    for person in cup.state.now.seats["table-2"].values():
        cup.do(person, c.Withdraw())
    cup.do("dora", c.PrepareSession())
    reason, cited = cup.refused("dora", c.StartSession())
    assert (reason, cited) == (Reason.TABLE_IS_EMPTY, "tas-2018:16.2.3(e)")
    cup.drawn()
    cup.do("dora", c.PrepareSession())
    cup.do("dora", c.StartSession())
    assert list(cup.state.now.seats) == ["table-1"]


@clause("tas-2018:16.8.3")
@pytest.mark.parametrize("at", ["table-1", "table-2"])
def test_a_play_off_with_nobody_left_to_play_against_falls(at: str) -> None:
    """[tas-2018:16.8.3] Whoever is left has the place, wherever it was to be played."""
    cup = Cup().entered().designate("table-1", "table-2").drawn().started()
    level = dict.fromkeys(SIX[1:3], 500_000)
    cup.result("table-1", {"p1": 600_000, **level, **dict.fromkeys(SIX[3:], 1000)})
    cup.do("dora", c.OrderPlayOff(("p2", "p3"), at))
    cup.two(c.Disqualify("p3", "a breach"))
    assert cup.state.phase is CompetitionPhase.OVER
    (confirmed,) = cup.do("dora", c.ConfirmStage())
    assert isinstance(confirmed, e.StageConfirmed)
    assert confirmed.through == ("p1", "p2")
    assert cup.reread() == cup.state


@clause("tas-2018:16.8.3", "tas-2018:16.1-play-off")
def test_three_level_for_two_places_play_off() -> None:
    """[tas-2018:16.8.3] With chips that the Director sets; whoever is still level plays again."""
    cup = Cup().entered().designate("table-1").drawn().started()
    cup.result("table-1", {**dict.fromkeys(SIX[:3], 500_000), **dict.fromkeys(SIX[3:], 1000)})
    reason, cited = cup.refused("dora", c.ConfirmStage())
    assert (reason, cited) == (Reason.PLAY_OFF_DUE, "tas-2018:16.8.3")
    others = c.OrderPlayOff(("p1", "p2"), "table-1")
    assert cup.refused("dora", others)[0] is Reason.NOT_LEVEL
    (ordered,) = cup.do("dora", c.OrderPlayOff(("p3", "p1", "p2"), "table-1"))
    assert isinstance(ordered, e.PlayOffOrdered)
    assert (ordered.kind, ordered.places_left) == ("play-off", 2)
    assert cup.refused("dora", c.StartSession())[0] is Reason.PLAY_OFF_CHIPS_MISSING
    assert cup.refused("dora", c.SetPlayOffChips(1))[0] is Reason.CHIPS_DO_NOT_FIT
    cup.do("dora", c.SetPlayOffChips(200_000))
    cup.do("dora", c.StartSession())
    cup.result("table-1", {"p1": 300_000, "p2": 100_000, "p3": 100_000})
    cup.do("dora", c.OrderPlayOff(("p2", "p3"), "table-1"))
    cup.do("dora", c.SetPlayOffChips(200_000))
    cup.do("dora", c.StartSession())
    cup.result("table-1", {"p3": 100_000})
    (confirmed,) = cup.do("dora", c.ConfirmStage())
    assert isinstance(confirmed, e.StageConfirmed)
    assert confirmed.through == ("p1", "p3")


@clause("act-2015:15.22")
def test_canberra_plays_more_rounds_with_what_is_held() -> None:
    """[act-2015:15.22] Additional rounds until there is a result."""
    cup = Cup(cup_text("act-2015")).entered(4).designate("table-1").drawn().started()
    cup.result("table-1", {"p1": 900, "p2": 900, "p3": 100, "p4": 50})
    wrong = cup.refused("dora", c.OrderPlayOff(("p1", "p2"), "table-1"))
    assert wrong == (Reason.ROUNDS_WHERE_THEY_SAT, "act-2015:15.22")
    (ordered,) = cup.do("dora", c.OrderPlayOff(("p1", "p2"), "table-1", 1))
    assert isinstance(ordered, e.PlayOffOrdered)
    assert ordered.kind == "more-rounds"
    assert cup.refused("dora", c.SetPlayOffChips(1000))[0] is Reason.CHIPS_AS_HELD
    cup.do("dora", c.StartSession())
    cup.result("table-1", {"p1": 800, "p2": 1000})
    cup.do("dora", c.ConfirmStage())
    (_, placed) = cup.two(c.ConfirmPlaces())
    assert placed.places[0].people == ("p2",)


@clause("act-2015:15.22")
def test_all_out_at_once_in_canberra_is_ruled_on() -> None:
    """[act-2015:15.22] The document is silent: the Director's recorded ruling."""
    cup = Cup(cup_text("act-2015")).entered(4).designate("table-1").drawn().started()
    cup.result("table-1", {}, out={"p1": 9, "p2": 9, "p3": 5, "p4": 2})
    level = c.OrderPlayOff(("p1", "p2"), "table-1", 1)
    assert cup.refused("dora", level)[0] is Reason.RULING_FIRST
    cup.do("dora", c.Rule("places", "by the cards", order=("p2", "p1")))
    cup.do("dora", c.ConfirmStage())
    (_, placed) = cup.two(c.ConfirmPlaces())
    assert [row.people for row in placed.places][:2] == [("p2",), ("p1",)]


@clause("tas-2018:16.2.3(b)")
def test_a_disqualified_player_has_no_place_and_others_move_up() -> None:
    """[tas-2018:16.2.3(b)]"""
    cup = Cup().entered().designate("table-1").drawn().started()
    cup.result("table-1", {p: 1_000_000 - 10_000 * i for i, p in enumerate(SIX)})
    cup.two(c.Disqualify("p1", "hid chips"))
    (confirmed,) = cup.do("dora", c.ConfirmStage())
    assert isinstance(confirmed, e.StageConfirmed)
    assert confirmed.through == ("p2", "p3")


@clause("tas-2018:16.3.2(b)", "tas-2018:16.3.2(d)", "tas-2018:16.1-secondary-competition")
def test_who_came_too_late_may_have_a_second_chance() -> None:
    """[tas-2018:16.3.2(d)] In a secondary competition; nobody who was disqualified."""
    text = cup_text(prizes="\n[secondary]\nwinners = 1\ninto = 'final'")
    cup = Cup(text).entered().designate("table-1").drawn().started()
    chips = {p: 1_000_000 - 10_000 * i for i, p in enumerate(SIX[:5])}
    cup.result("table-1", chips, gone={"p6": "late"})
    assert cup.state.entries["p6"].status is EntryStatus.FORFEITED
    cup.two(c.Disqualify("p5", "rude"))
    cup.do("dora", c.ConfirmStage())
    (opened,) = cup.do("dora", c.OpenSecondary("final"))
    assert isinstance(opened, e.SecondaryOpened)
    assert opened.eligible == ("p3", "p4", "p6")
    cup.drawn().started()
    cup.result("table-1", {"p3": 1000, "p4": 3000, "p6": 2000})
    cup.do("dora", c.ConfirmStage())
    cup.drawn()
    assert set(cup.state.now.seats["table-1"].values()) == {"p1", "p2", "p4"}


def test_wild_cards_by_chips_and_equals_by_ballot() -> None:
    """Only where the conditions have them [tas-2018:16.2.3(f)]."""
    cup = Cup(cup_text(more="wild = 1", advance="1")).entered(8)
    cup.designate("table-1", "table-2").drawn().started()
    for table in ("table-1", "table-2"):
        sat = cup.state.now.seats[table].values()
        cup.result(table, {p: 100_000 * i for i, p in enumerate(sat, 1)})
    assert cup.refused("dora", c.ConfirmStage())[0] is Reason.WILD_CARDS_DUE
    assert cup.refused("dora", c.NameWildCards())[0] is Reason.NO_DRAW_COMMITTED
    cup.commit()
    (named,) = cup.do("dora", c.NameWildCards(WORDS, SEED.hex()))
    assert isinstance(named, e.WildCardsNamed)
    level = [list(cup.state.now.seats[table].values())[2] for table in ("table-1", "table-2")]
    listed = {f"entry-{int(person[1:]):04}": person for person in level}
    assert named.people == (listed[ballot(SEED, [WORDS[0].words], listed)[0]],)
    (confirmed,) = cup.do("dora", c.ConfirmStage())
    assert isinstance(confirmed, e.StageConfirmed)
    assert len(confirmed.through) == 3
    assert Cup().entered().refused("dora", c.NameWildCards())[0] is Reason.WRONG_PHASE


@clause("act-2015:12.5")
@pytest.mark.parametrize("follows", [True, False])
def test_a_confirmed_result_changes_nothing_without_a_ruling(follows: bool) -> None:
    """[act-2015:12.5] The correction is on record; two people rule what follows."""
    cup = Cup().heats()
    chips = {p: 1_000_000 - 10_000 * i for i, p in enumerate(SIX)}
    (told,) = cup.result("table-1", {**chips, "p6": 9_000_000}, version=2)
    assert isinstance(told, e.ResultAmended)
    assert cup.state.entries["p6"].status is EntryStatus.OUT
    stale = SessionResult("heats", "coups", 30, chips)
    old = cup.refused("house", c.TakeResult("table-1", 2, stale, 3))
    assert old[0] is Reason.RESULT_IS_OLD
    cup.two(c.Rule("result", "coup 12 is void", "table-1", follows))
    if follows:
        assert cup.state.phase is CompetitionPhase.OVER
        (confirmed,) = cup.do("dora", c.ConfirmStage())
        assert isinstance(confirmed, e.StageConfirmed)
        assert confirmed.through == ("p1", "p6")
    else:
        assert cup.state.phase is CompetitionPhase.CONFIRMED
    assert cup.state.rulings[0].person == "mara"
    nothing = cup.refused("dora", c.Rule("result", "again", "table-1"))
    assert nothing[0] is Reason.NOTHING_AMENDED


def test_disputes_are_raised_and_decided() -> None:
    cup = Cup().entered()
    cup.do("p1", c.RaiseDispute("my seat"))
    cup.do("mara", c.DecideDispute(1, "it stands"))
    assert cup.refused("mara", c.DecideDispute(1, "no"))[0] is Reason.DISPUTE_DECIDED
    assert cup.refused("mara", c.DecideDispute(2, "no"))[0] is Reason.NO_SUCH_DISPUTE


def test_last_coup_is_declared_once() -> None:
    cup = Cup().entered().designate("table-1").drawn().started()
    cup.do("dora", c.LastCoup())
    assert cup.refused("dora", c.LastCoup())[0] is Reason.LAST_COUP_CALLED
    cup.do("dora", c.SignOff())
    cup.do("dirk", c.SignOn(Role.DIRECTOR))
    assert reduce(evolve, cup.log, type(cup.state)()) == cup.state == cup.reread()


@clause(*tas("16.3.2(lead)", "16.3.4"))
@pytest.mark.parametrize("ruleset", ["tas-2018", "tas-2013"])
def test_a_session_does_not_start_before_the_time_it_was_moved_to(ruleset: str) -> None:
    """[tas-2018:16.3.4] Whoever goes by the notice is not late; it may be moved again."""
    cup = Cup(cup_text(ruleset)).entered().designate("table-1").drawn()
    told = cup.at_ms + DAY_MS
    cup.do("dora", c.SetStart("heats", told, "a flood"))
    cup.do("dora", c.PrepareSession())
    cup.do("dora", c.SignOn(Role.DIRECTOR))
    early = cup.refused("dora", c.StartSession())
    assert early == (Reason.START_IS_TO_COME, twin(ruleset, "16.3.4"))
    cup.do("dora", c.SetStart("heats", cup.at_ms + 60_000, "the water is gone"))
    cup.at_ms += 60_000
    assert cup.at_ms < told
    cup.do("dora", c.StartSession())
