"""Canberra's table and its people: closing, disruption, exclusion, disputes, conduct."""

import msgspec
import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.competition_terms import Conditions
from puntobanco.table.decide import run
from puntobanco.words import Step
from tests.kit.clauses import clause
from tests.kit.table.act import ACT, PLAYER_WINS, STOOD, act, finish, void
from tests.kit.table.at import At, contest, of, one

# closing


@clause("act-2015:13.2")
def test_a_table_closes_early_only_after_notice_that_all_can_see() -> None:
    at = act()
    at.refuse("mara", c.CloseTable(), Reason.CLOSING_NOTICE_MISSING, "act-2015:13.2")
    until = at.at_ms + 1_800_000
    given = one(events.ClosingNoticeGiven, at.do("mara", c.GiveClosingNotice(until, "few players")))
    assert (given.closing_ms, given.note) == (until, "few players")
    assert given.clauses == ("act-2015:13.2",)
    assert at.view().sign.closing_ms == until  # type: ignore[union-attr]
    at.refuse("mara", c.CloseTable(), Reason.CLOSING_NOTICE_MISSING, "act-2015:13.2")
    at.later(30).bet("1 p 50")
    at.refuse("mara", c.CloseTable(), Reason.WRONG_MOMENT)
    at.deal(PLAYER_WINS)
    finish(at)
    closed = one(events.TableClosed, at.do("mara", c.CloseTable("few players")))
    assert closed.clauses == ("act-2015:13.2",)


# general provisions


@clause("act-2015:14.1", "act-2015:d.void")
@pytest.mark.parametrize("moment", ["betting", "dealing", "settled"])
def test_a_disrupted_round_never_occurred(moment: str) -> None:
    at = act()
    at.bet("1 p 50, 2 b 50, 2 pp 10")
    if moment != "betting":
        at.deal(PLAYER_WINS)
    if moment == "settled":
        at.do("dan", c.DeclareResult())
    assert of(events.CoupVoided, at.do("sue", c.VoidCoup("disrupted", "fire"))) == []
    at.refuse("sue", c.Approve(1), Reason.SAME_PERSON)
    at.refuse("ines", c.Approve(1), Reason.NOT_YOUR_ROLE)
    voided = one(events.CoupVoided, at.approve("mara"))
    assert (voided.number, voided.cause, voided.note) == (1, "disrupted", "fire")
    assert voided.clauses == ("act-2015:14.1", "act-2015:d.void")
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_000_000}
    at.do("dan", c.EndCoup())
    assert [past.result for past in at.view().past] == [None]


@clause("act-2015:14.3")
@pytest.mark.parametrize("cause", ["impractical", "fraud"])
def test_the_operator_voids_a_round_for_a_reason_on_record(cause: str) -> None:
    at = act()
    at.bet("1 p 50").deal("9c Kd")
    happened = void(at, cause)
    voided = one(events.CoupVoided, happened)
    assert (voided.cause, voided.note, voided.clauses[0]) == (cause, "riot", "act-2015:14.3")
    assert one(events.WagerSettled, happened).outcome == "void"


@clause("act-2015:14.1", "act-2015:14.2(a)", "act-2015:14.3")
@pytest.mark.parametrize(
    "ask", [c.VoidCoup("disrupted", "fire"), c.VoidWagers("ann", "signals")], ids=["round", "wager"]
)
def test_what_was_proposed_for_one_round_is_not_done_to_another(ask: c.TableCommand) -> None:
    at = act()
    at.bet("1 p 50").deal(PLAYER_WINS)
    at.do("sue", ask)
    finish(at)
    at.bet("1 p 50").deal("9c Kd")
    with pytest.raises(Refused):
        at.approve("mara")


@clause("act-2015:14.2(a)")
@pytest.mark.parametrize("settled", [False, True])
def test_the_wagers_of_one_who_broke_a_rule_are_void_and_no_others(settled: bool) -> None:
    at = act()
    at.bet("1 p 50, 1 pp 10, 2 p 50").deal("9c Kd 9h 3s")
    if settled:
        at.do("dan", c.DeclareResult())
    at.do("sue", c.VoidWagers("ann", "signals"))
    happened = at.approve("mara")
    incident = one(events.IncidentRecorded, happened)
    assert (incident.people, incident.note) == (("ann",), "signals")
    assert incident.clauses == ("act-2015:14.2(a)",)
    assert at.table.chips["ann"] == 1_000_000
    if not settled:
        at.do("dan", c.DeclareResult())
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_005_000}


@clause("act-2015:14.2(a)")
def test_a_void_wager_stays_void_when_a_card_is_corrected() -> None:
    at = act()
    at.bet("1 p 50, 2 p 50").deal(PLAYER_WINS)
    at.do("sue", c.VoidWagers("ann", "signals"))
    at.approve("mara")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.CorrectCard(1, 1, Card("8c"), "keyed wrong"))
    at.approve("sue")
    at.do("dan", c.DeclareResult())
    assert at.table.chips == {"ann": 1_000_000, "bob": 1_005_000}


@clause("act-2015:14.2(b)")
def test_an_excluded_player_takes_no_further_part() -> None:
    at = act()
    at.bet("1 p 50, 2 p 50")
    happened = at.do("mara", c.Exclude("ann", "past posting"))
    gone = one(events.PatronExcluded, happened)
    assert (gone.person, gone.note, gone.clauses) == ("ann", "past posting", ("act-2015:14.2(b)",))
    assert one(events.WagerSettled, happened).returned_cents == 5000
    for ask in (c.Sit(3), c.StandAt(2)):
        at.refuse("ann", ask, Reason.EXCLUDED, "act-2015:14.2(b)")
    at.refuse("dan", c.BuyIn(100, "ann"), Reason.EXCLUDED, "act-2015:14.2(b)")
    assert at.view("ann").own.excluded  # type: ignore[union-attr]
    at.do("dan", c.CashOut(1_000_000, "ann"))


@clause("act-2015:14.2(b)")
def test_an_excluded_players_wager_is_refused_by_the_clause_that_excludes() -> None:
    at = act()
    at.do("mara", c.Exclude("ann", "past posting"))
    at.bet()
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 5000), Reason.EXCLUDED, "act-2015:14.2(b)")


@clause("act-2015:14.2(b)")
def test_an_excluded_players_returned_wager_stays_returned_when_a_card_is_corrected() -> None:
    at = act()
    at.bet("1 p 50")
    at.do("mara", c.Exclude("ann", "past posting"))
    at.deal(PLAYER_WINS)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.CorrectCard(1, 1, Card("8c"), "keyed wrong"))
    at.approve("sue")
    at.do("dan", c.DeclareResult())
    assert at.table.chips["ann"] == 1_000_000


@clause("act-2015:14.4")
def test_a_dispute_is_decided_once_and_reviewed_on_request() -> None:
    at = act()
    at.coup("1 p 50", PLAYER_WINS)
    raised = one(events.DisputeRaised, at.do("ann", c.RaiseDispute("short paid", 1)))
    assert (raised.number, raised.person, raised.coup) == (1, "ann", 1)
    at.refuse("ann", c.RequestReview(1), Reason.DISPUTE_UNDECIDED, "act-2015:14.4")
    at.refuse("sue", c.DecideDispute(1, "no"), Reason.NOT_YOUR_ROLE)
    decided = one(events.DisputeDecided, at.do("mara", c.DecideDispute(1, "paid in full")))
    assert (decided.decision, decided.decided_by) == ("paid in full", "mara")
    at.refuse("mara", c.DecideDispute(1, "or not"), Reason.DISPUTE_DECIDED, "act-2015:14.4")
    at.refuse("bob", c.RequestReview(1), Reason.NOT_YOURSELF, "act-2015:14.4")
    review = one(events.ReviewRequested, at.do("ann", c.RequestReview(1)))
    assert {raised.clauses, decided.clauses, review.clauses} == {("act-2015:14.4",)}
    dossier = at.view("otto").oversight.disputes[1]  # type: ignore[union-attr]
    assert (dossier.about, dossier.decision, dossier.review) == ("short paid", "paid in full", True)


@clause("act-2015:14.5(a)")
def test_no_patron_and_no_screen_is_told_how_to_play_or_what_is_left() -> None:
    at = act()
    at.bet("1 p 50").deal("2c Kd Kh")
    for person in ("", "ann"):
        seen = at.view(person)
        assert (seen.next, seen.floor, seen.oversight) == (None, None, None)
        shown = msgspec.to_builtins(msgspec.structs.replace(seen, sign=None, boxes=()))
        assert not {"2d", "4h", "edge", "advice", "left", "seen"} & {*_words(shown)}
    for person in ("dan", "sue", "mara", "otto"):
        assert at.view(person).floor.off_count is None  # type: ignore[union-attr]


def _words(shown: object) -> list[str]:
    """Every key and value, flat."""
    if isinstance(shown, dict):
        return [*shown, *(word for value in shown.values() for word in _words(value))]
    if isinstance(shown, list | tuple):
        return [word for value in shown for word in _words(value)]
    return [str(shown)]


@clause("act-2015:14.5(b)", "act-2015:14.7", "act-2015:14.8", "act-2015:14.5(a)")
@pytest.mark.parametrize(
    ("kind", "number"),
    [("advice", "14.5(a)"), ("advantage", "14.5(b)"), ("influence", "14.7"), ("side-bet", "14.8")],
)
def test_misconduct_is_on_record_with_the_rule_it_offends(kind: str, number: str) -> None:
    at = act()
    ask = c.RecordIncident(kind, "seen by sue", ("ann", "bob"))
    incident = one(events.IncidentRecorded, at.do("sue", ask))
    assert (incident.kind, incident.note, incident.people) == (kind, "seen by sue", ("ann", "bob"))
    assert incident.clauses == (f"act-2015:{number}",)
    at.refuse("sue", c.RecordIncident("mood", "grim"), Reason.INCIDENT_UNKNOWN)
    at.refuse("ann", ask, Reason.NOT_YOUR_ROLE)


@clause("act-2015:14.5(c)")
def test_staff_are_told_the_next_step_of_the_procedure_from_first_to_last() -> None:
    at = At(ACT)
    told: list[Step] = []

    def look() -> None:
        step = at.view("dan").next
        assert step is not None
        assert step.clause
        told.append(step.step)

    at.open().staffed().seat("ann")
    look()
    asks: list[c.TableCommand] = [
        c.CheckCards("set A"),
        c.Shuffle(),
        c.CutCards(99, 1),
        c.LoadShoe(),
        c.BurnCards(Card("Ah"), 1),
        c.OpenCoup(),
        c.PlaceWager(1, Bet.PLAYER, 5000, "ann"),
        c.NoMoreBets(),
        *(c.DrawCard(Card(name)) for name in STOOD.split()),
        c.DeclareResult(),
    ]
    for ask in asks:
        at.do("dan", ask)
        look()
    assert told == [
        Step.CHECK_CARDS,
        Step.SHUFFLE,
        Step.OFFER_CUT,
        Step.LOAD_SHOE,
        Step.BURN,
        Step.OPEN_COUP,
        Step.CALL,
        Step.CALL,
        Step.CARD_FOR_PLAYER,
        Step.CARD_FOR_BANKER,
        Step.CARD_FOR_PLAYER,
        Step.CARD_FOR_BANKER,
        Step.DECLARE,
        Step.CLEAR,
    ]


ABSTAINS = "2 p 50, 3 p 50, 4 p 50, 5 p 50, 6 p 50, 7 p 50"
SEVEN = ("ann", "bob", "cy", "dee", "eve", "fay", "gus")


@clause("act-2015:14.6")
def test_three_rounds_let_pass_at_a_full_table_may_cost_the_seat() -> None:
    at = act(*SEVEN)
    for rounds in (1, 2):
        assert of(events.VacateAdvised, at.coup(ABSTAINS, PLAYER_WINS)) == []
        assert at.view("sue").oversight.abstained == {"ann": rounds}  # type: ignore[union-attr]
        at.refuse("sue", c.RequireVacate(1), Reason.NOT_ABSTAINING, "act-2015:14.6")
    advised = one(events.VacateAdvised, at.coup(ABSTAINS, PLAYER_WINS))
    assert (advised.person, advised.seat, advised.rounds) == ("ann", 1, 3)
    assert advised.clauses == ("act-2015:14.6",)
    vacated = one(events.SeatVacated, at.do("sue", c.RequireVacate(1)))
    assert (vacated.person, vacated.clauses) == ("ann", ("act-2015:14.6",))
    assert 1 not in at.table.seated


@clause("act-2015:14.6")
def test_a_bet_breaks_the_row_of_rounds_let_pass() -> None:
    at = act(*SEVEN)
    for wagers in (ABSTAINS, ABSTAINS, f"1 bp 10, {ABSTAINS}", ABSTAINS):
        at.coup(wagers, PLAYER_WINS)
    assert at.table.abstained == {"ann": 1}


@clause("act-2015:14.6")
def test_rounds_nobody_could_bet_on_void_ones_and_those_with_a_free_seat_do_not_count() -> None:
    at = act(*SEVEN[:6])
    at.coup("", PLAYER_WINS)
    assert at.table.abstained == {}
    at.seat("gus")
    at.bet(ABSTAINS).deal("9c")
    void(at)
    at.do("dan", c.EndCoup())
    assert at.table.abstained == {}
    at.do("ann", c.AskNoBetCoup())
    for person in SEVEN[1:]:
        at.do(person, c.AgreeNoBetCoup())
    at.do("sue", c.DirectNoBetCoup())
    at.coup("", f"{STOOD} 4d@-")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.DealCarried())
    at.deal("Kd 4h Ks")
    finish(at)
    assert at.table.abstained == {}


@clause("act-2015:14.6")
def test_a_wager_that_was_not_honoured_is_no_bet() -> None:
    at = act(*SEVEN)
    at.bet(ABSTAINS)
    at.deal("9c")
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 5000, "ann"))
    at.deal("Kd Kh 3s")
    finish(at)
    assert at.table.abstained == {"ann": 1}


@clause("act-2015:d.casino-operator")
def test_who_decided_for_the_operator_is_on_record() -> None:
    at = act()
    at.bet("1 p 50")
    assert one(events.Approved, void(at)).person == "mara"
    at.do("ann", c.RaiseDispute("why void"))
    assert one(events.DisputeDecided, at.do("max", c.DecideDispute(1, "riot"))).decided_by == "max"


# tournament terms that concern a table


@clause("act-2015:d.starting-marker")
def test_the_starting_marker_passes_clockwise_but_not_after_a_void_round() -> None:
    at = contest(ACT)
    at.do("dan", c.OpenCoup())
    first = at.table.contest.puck
    assert first is not None
    for seat in range(1, 4):
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, 10_000, at.table.seated[seat]))
    at.do("sue", c.VoidCoup("disrupted", "alarm"))
    at.approve("cora")
    at.do("dan", c.EndCoup())
    assert at.table.contest.puck == first
    for seat in at.bet().table.seated:
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, 10_000, at.table.seated[seat]))
    at.deal("9c Kd Kh 3s")
    at.do("dan", c.DeclareResult())
    moved = one(events.PuckMoved, at.do("dan", c.EndCoup()))
    circuit = [s for s in at.table.terms.seats.clockwise_from(first) if s in at.table.seated]
    assert moved.seat == circuit[1]
    assert moved.clauses == ("act-2015:d.starting-marker",)


@clause("act-2015:d.tournament-chips")
def test_tournament_chips_never_turn_into_money() -> None:
    at = contest(ACT)
    at.refuse("dan", c.CashOut(100, "ann"), Reason.CHIPS_ARE_ALLOTTED)
    at.refuse("dan", c.BuyIn(100, "ann"), Reason.CHIPS_ARE_ALLOTTED)


@clause("act-2015:d.tournament-chips")
def test_a_tournament_is_not_opened_with_cash_chips() -> None:
    at = At(ACT)
    cash = Conditions("cup", "cash", 100_000, face_down=False)
    ask = c.OpenTable(sample_notice(ACT), "monday", "s", "GRC 1", "2015", conditions=cash)
    with pytest.raises(Refused):
        run(at.table, ask, at.by("mara"))


@clause("act-2015:d.tournament-director-assistant")
def test_no_tournament_round_without_its_director() -> None:
    at = contest(ACT)
    where = "act-2015:d.tournament-director-assistant"
    on = [event for event in of(events.StaffSignedOn, at.log) if event.person == "cora"]
    assert on[0].clauses == (where,)
    at.do("cora", c.SignOff())
    at.refuse("dan", c.OpenCoup(), Reason.STAFF_MISSING, where)
