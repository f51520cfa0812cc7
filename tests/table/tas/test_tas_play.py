"""A live Tasmanian table while the cards fall: dealing, face-down play, results, pairs."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result, Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found, Verdict
from puntobanco.rules.notice import Limits
from puntobanco.rules.settle import Outcome
from puntobanco.rules.shoe import Last
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.events import TableEvent
from puntobanco.words import Step
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, events, of, one, ready
from tests.kit.table.tas import (
    BOTH,
    NATURAL,
    STOOD,
    face_down,
    finish,
    floor,
    play,
    sign,
    squeezed,
    step,
    with_cards_left,
)


def turn(at: At, position: int, card: str) -> list[TableEvent]:
    return at.do("dan", c.TurnCard(Card(card), position))


# 9.2 the initial deal


@BOTH
@clause(*tas("9.2"))
def test_cards_are_dealt_face_up_and_only_as_long_as_one_is_owed(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.refuse("dan", c.DrawCard(), Reason.DEALT_FACE_UP, twin(doc, "9.2"))
    places = []
    for card in NATURAL.split():
        places.append((step(at).step, step(at).clause))
        drawn = one(events.CardDrawn, at.deal(card))
        assert twin(doc, "9.2") in drawn.clauses
    assert places[1:] == [
        (Step.CARD_FOR_BANKER, twin(doc, "9.2")),
        (Step.CARD_FOR_PLAYER, twin(doc, "9.2")),
        (Step.CARD_FOR_BANKER, twin(doc, "9.2")),
    ]
    assert (play(at).player, play(at).banker) == (("9c", "Kh"), ("Kd", "2s"))
    at.refuse("dan", c.DrawCard(Card("3c")), Reason.NOTHING_OWED, twin(doc, "11(player)"))


@BOTH
@clause(*tas("9.2", "10.1"))
def test_no_result_is_declared_while_a_card_is_owed(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal("2c Kd Kh")
    at.refuse("dan", c.DeclareResult(), Reason.COUP_INCOMPLETE, twin(doc, "9.2"))
    at.deal("7s")
    at.refuse("dan", c.DeclareResult(), Reason.COUP_INCOMPLETE, twin(doc, "11(player)"))
    at.refuse("dan", c.DrawCard(), Reason.DEALT_FACE_UP, twin(doc, "9.2"))


@BOTH
@clause(*tas("9.2"))
def test_a_slip_among_the_first_four_is_put_right_by_the_order_they_came_in(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal("6c@b Kd@p Kh 7s")
    done = at.do("dan", c.DeclareResult())
    ruled = one(events.IrregularityRuled, done)
    assert (ruled.found, ruled.verdict) == (Found.CARDS_OUT_OF_ORDER, Verdict.STANDS)
    assert twin(doc, "9.2") in ruled.clauses
    assert one(events.ResultDeclared, done).result is Result.BANKER


# 9.3 face-down play


@BOTH
@clause(*tas("9.3", "9.3(e)"))
def test_face_down_play_waits_for_a_request_and_for_both_to_be_told(doc: str) -> None:
    at = ready(doc)
    down, told = c.SetFaceDown(down=True), twin(doc, "9.3(e)")
    at.refuse("dan", down, Reason.REQUEST_MISSING, twin(doc, "9.3"))
    asked = one(events.FaceDownAsked, at.do("ann", c.AskFaceDown()))
    assert (asked.person, asked.clauses) == ("ann", (twin(doc, "9.3"),))
    missing = at.refuse("dan", down, Reason.NOT_INFORMED, told)
    assert missing.facts["missing"] == "management representative, surveillance"
    heard = one(events.FaceDownAcknowledged, at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT)))
    assert (heard.person, heard.role, heard.clauses) == ("mara", Role.MANAGEMENT, (told,))
    at.refuse("dan", down, Reason.NOT_INFORMED, told)
    other = c.AcknowledgeFaceDown(Role.SURVEILLANCE)
    at.refuse("mara", other, Reason.NOT_YOUR_ROLE, told)
    at.do("sol", other)
    was_set = one(events.FaceDownSet, at.do("dan", down))
    assert was_set.down
    assert set(was_set.clauses) == {twin(doc, "9.3"), told}
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).face_down


@BOTH
@clause(*tas("9.3"))
def test_a_request_is_a_players_and_made_anew_after_face_up_play(doc: str) -> None:
    at = ready(doc)
    at.refuse("zoe", c.AskFaceDown(), Reason.NOT_AT_TABLE)
    face_down(at)
    at.do("dan", c.SetFaceDown(down=False))
    at.refuse("dan", c.SetFaceDown(down=True), Reason.REQUEST_MISSING, twin(doc, "9.3"))


@BOTH
@clause(*tas("9.3"))
def test_third_cards_come_face_down_too(doc: str) -> None:
    at = squeezed(doc)
    at.refuse("dan", c.DrawCard(), Reason.CARDS_FACE_DOWN)
    for position, card in enumerate(["2c", "Kd", "Kh", "7s"], 1):
        turn(at, position, card)
    at.do("dan", c.DrawCard())
    assert play(at).player == ("2c", "Kh", None)
    assert play(at, "ann").player_points is None
    at.refuse("dan", c.DeclareResult(), Reason.CARDS_FACE_DOWN)
    turned = one(events.CardTurned, turn(at, 5, "4d"))
    assert turned.clauses == (twin(doc, "9.3"),)
    assert one(events.ResultDeclared, at.do("dan", c.DeclareResult())).player == 6


@BOTH
@clause(*tas("9.3(a)"))
def test_each_hand_goes_to_its_highest_seated_bettor(doc: str) -> None:
    at = squeezed(doc, "1 p 50, 2 p 75, 3 b 25, 2 b 30", "ann", "bob", "cy")
    assert floor(at).in_line == {Side.PLAYER: ("bob", "ann"), Side.BANKER: ("bob", "cy")}
    assert step(at).step is Step.PASS_CARDS
    assert step(at).clause == twin(doc, "9.3(a)")
    assert step(at).facts == {"side": Side.PLAYER, "person": "bob"}
    own = at.view("bob").own
    assert own is not None
    assert own.may_turn == (Side.PLAYER, Side.BANKER)
    passed = one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER)))
    assert (passed.person, passed.side, passed.in_error) == ("bob", Side.PLAYER, False)
    assert twin(doc, "9.3(a)") in passed.clauses
    at.refuse("ann", c.TurnCard(Card("2c"), 1), Reason.NOT_THE_HOLDER)
    assert one(events.CardTurned, turn(at, 1, "2c")).person == "bob"


@BOTH
@clause(*tas("9.3(a)", "6.4"))
def test_a_standing_player_is_never_passed_cards(doc: str) -> None:
    at = ready(doc)
    at.do("zoe", c.StandAt(1))
    at.do("dan", c.BuyIn(100_000, "zoe"))
    face_down(at)
    at.bet("1 p 50")
    at.do("zoe", c.PlaceWager(1, Bet.PLAYER, 90_000))
    at.do("zoe", c.PlaceWager(1, Bet.BANKER, 5000))
    at.deal("?? ?? ?? ??")
    assert floor(at).in_line == {Side.PLAYER: ("ann",), Side.BANKER: ()}
    at.refuse("dan", c.PassCards(Side.BANKER), Reason.DEALER_TURNS)


@BOTH
@clause(*tas("9.3(a)"))
def test_a_player_shown_from_the_table_is_not_in_line_whoever_takes_the_seat(doc: str) -> None:
    at = squeezed(doc, "1 p 50, 2 p 25")
    at.do("ines", c.Exclude("ann", "for the test"))
    at.do("cy", c.Sit(1))
    assert floor(at).in_line[Side.PLAYER] == ("bob",)


@BOTH
@clause(*tas("9.3(b)"))
def test_refused_cards_go_to_the_next_highest_and_at_last_to_the_dealer(doc: str) -> None:
    at = squeezed(doc, "1 p 50, 2 p 75, 1 b 25")
    at.refuse("ann", c.RefuseCards(Side.PLAYER), Reason.NOT_THE_HOLDER)
    refused = one(events.CardsRefused, at.do("bob", c.RefuseCards(Side.PLAYER)))
    assert (refused.side, refused.person) == (Side.PLAYER, "bob")
    assert refused.clauses == (twin(doc, "9.3(b)"),)
    assert step(at).facts["person"] == "ann"
    at.do("dan", c.RefuseCards(Side.PLAYER))
    assert step(at).step is Step.TURN_CARDS
    at.refuse("dan", c.PassCards(Side.PLAYER), Reason.DEALER_TURNS, twin(doc, "9.3(b)"))
    turn(at, 1, "9c")
    assert floor(at).in_line[Side.BANKER] == ("ann",)


@BOTH
@clause(*tas("9.3(b)"))
def test_cards_taken_off_the_table_are_a_breach_on_record(doc: str) -> None:
    at = squeezed(doc)
    at.do("dan", c.PassCards(Side.PLAYER))
    done = at.do("ines", c.RecordIncident("cards-removed", "under the rail", ("ann",)))
    assert one(events.IncidentRecorded, done).people == ("ann",)
    assert one(events.IncidentRecorded, done).clauses == (twin(doc, "9.3(b)"),)


@BOTH
@clause(*tas("9.3(c)"))
def test_of_equal_highest_wagers_the_lowest_seat_comes_first(doc: str) -> None:
    at = ready(doc, "ann")
    at.do("cy", c.Sit(9))
    at.do("dan", c.BuyIn(100_000, "cy"))
    at.seat("bob")
    face_down(at)
    at.bet("9 p 50, 2 p 50, 1 p 25, 9 b 25")
    at.deal("?? ?? ?? ??")
    assert floor(at).in_line[Side.PLAYER] == ("bob", "cy", "ann")
    passed = one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER)))
    assert passed.person == "bob"
    assert twin(doc, "9.3(c)") in passed.clauses


@BOTH
@clause(*tas("9.3(d)"))
def test_a_disc_lies_before_whoever_has_accepted_a_hand(doc: str) -> None:
    at = squeezed(doc)
    assert [box.discs for box in at.view().boxes[:2]] == [(), ()]
    passed = one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER)))
    assert twin(doc, "9.3(d)") in passed.clauses
    at.do("dan", c.PassCards(Side.BANKER))
    assert [box.discs for box in at.view().boxes[:2]] == [(Side.PLAYER,), (Side.BANKER,)]
    turn(at, 1, "9c")
    turn(at, 3, "Kc")
    assert [box.discs for box in at.view().boxes[:2]] == [(), (Side.BANKER,)]


@BOTH
@clause(*tas("9.3(f)"))
def test_a_player_highest_on_both_hands_has_one_set_at_a_time(doc: str) -> None:
    at = squeezed(doc, "1 p 50, 1 b 50, 2 b 25")
    at.do("dan", c.PassCards(Side.PLAYER))
    banker = c.PassCards(Side.BANKER)
    at.refuse("dan", banker, Reason.ONE_SET_AT_A_TIME, twin(doc, "9.3(f)"))
    turn(at, 1, "9c")
    at.refuse("dan", banker, Reason.ONE_SET_AT_A_TIME, twin(doc, "9.3(f)"))
    turn(at, 3, "Kc")
    assert one(events.CardsPassed, at.do("dan", banker)).person == "ann"


@BOTH
@clause(*tas("4.4"))
def test_cards_passed_to_a_player_are_replaced_after_the_shoe(doc: str) -> None:
    at = squeezed(doc)
    at.do("dan", c.PassCards(Side.PLAYER))
    for position, card in enumerate(NATURAL.split(), 1):
        turn(at, position, card)
    finish(at)
    assert one(events.ShoeEnded, at.do("dan", c.EndShoe("early"))).set_retired


@BOTH
@clause(*tas("4.4"))
def test_face_down_cards_that_the_dealer_turned_himself_stay_in_use(doc: str) -> None:
    at = squeezed(doc)
    for position, card in enumerate(NATURAL.split(), 1):
        turn(at, position, card)
    finish(at)
    assert not one(events.ShoeEnded, at.do("dan", c.EndShoe("early"))).set_retired


# 9.4 the last hand


@BOTH
@clause(*tas("9.4"))
def test_a_coup_that_must_pass_the_marker_is_announced_as_the_last(doc: str) -> None:
    at = with_cards_left(doc, 10)
    opened = one(events.CoupOpened, at.bet("1 p 50").log[-2:])
    assert opened.last is Last.YES
    assert play(at).last is Last.YES
    at.deal(NATURAL)
    finish(at)
    assert (step(at).step, step(at).clause) == (Step.END_SHOE, twin(doc, "9.4"))
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, twin(doc, "9.4"))


@BOTH
@clause(*tas("9.4"))
def test_a_marker_that_shows_before_any_card_still_allows_that_coup(doc: str) -> None:
    at = with_cards_left(doc, 7)
    assert one(events.CoupOpened, at.coup("1 p 50", NATURAL)).last is Last.YES
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, twin(doc, "9.4"))


@BOTH
@clause(*tas("9.4"))
def test_a_coup_that_ends_at_the_marker_is_not_the_last(doc: str) -> None:
    at = with_cards_left(doc, 11)
    happened = at.coup("1 p 50", NATURAL)
    assert one(events.CoupOpened, happened).last is Last.NO
    assert not of(events.LastCoupAnnounced, happened)
    assert one(events.CoupOpened, at.do("dan", c.OpenCoup())).last is Last.YES


@BOTH
@clause(*tas("9.4"))
def test_the_last_hand_is_announced_with_the_card_that_makes_it_so(doc: str) -> None:
    at = with_cards_left(doc, 11).bet("1 p 50")
    assert not of(events.LastCoupAnnounced, at.deal("2c Kd Kh"))
    announced = one(events.LastCoupAnnounced, at.deal("7s"))
    assert (announced.last, announced.clauses) == (Last.YES, (twin(doc, "9.4"),))
    assert play(at).last is Last.YES
    at.deal("3c")
    finish(at)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, twin(doc, "9.4"))


@BOTH
@clause(*tas("9.4"))
def test_a_marker_seen_before_its_time_counts_from_where_it_is_seen(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal("9c Kd Kh")
    seen = at.do("dan", c.SeeMarker())
    assert one(events.MarkerSeen, seen).clauses == (twin(doc, "9.4"),)
    assert one(events.LastCoupAnnounced, seen).last is Last.YES
    at.deal("2s")
    finish(at)
    at.refuse("dan", c.OpenCoup(), Reason.SHOE_ENDED, twin(doc, "9.4"))


@BOTH
@clause(*tas("9.4"))
def test_a_marker_comes_out_once(doc: str) -> None:
    at = ready(doc)
    at.do("dan", c.SeeMarker())
    at.refuse("dan", c.SeeMarker(), Reason.MARKER_IS_OUT, twin(doc, "9.4"))


# 10 the play, 11 the table of play


@BOTH
@clause(*tas("10.1"))
@pytest.mark.parametrize(
    ("cards", "points", "following", "number"),
    [
        ("2c Kd Kh 7s", (2, 7), Side.PLAYER, "11(player)"),
        ("6c Kd Kh 5s", (6, 5), Side.BANKER, "11(table)"),
        ("6c Kd Kh 2s", (6, 2), Side.BANKER, "11(banker)"),
        ("9c Kd Kh 2s", (9, 2), None, "11(player)"),
    ],
)
def test_points_are_announced_with_whose_card_is_next(
    doc: str, cards: str, points: tuple[int, int], following: Side | None, number: str
) -> None:
    at = ready(doc).bet("1 p 50")
    announced = one(events.PointsAnnounced, at.deal(cards))
    assert (announced.player, announced.banker) == points
    assert announced.next == following
    assert announced.clauses == (twin(doc, "10.1"), twin(doc, number))
    shown = play(at)
    assert (shown.player_points, shown.banker_points) == points
    assert shown.next == following
    steps = {Side.PLAYER: Step.CARD_FOR_PLAYER, Side.BANKER: Step.CARD_FOR_BANKER}
    assert step(at).step == (steps[following] if following else Step.DECLARE)
    assert step(at).clause == twin(doc, number)


@BOTH
@clause(*tas("10.2"))
def test_the_result_is_announced_recorded_and_shown(doc: str) -> None:
    at = ready(doc).bet("1 p 50")
    at.deal(STOOD)
    assert step(at).facts == {"result": Result.BANKER, "player": 6, "banker": 7}
    declared = one(events.ResultDeclared, at.do("dan", c.DeclareResult()))
    assert (declared.number, declared.result) == (1, Result.BANKER)
    assert (declared.player, declared.banker) == (6, 7)
    assert twin(doc, "10.2") in declared.clauses
    assert play(at).result is Result.BANKER
    at.do("dan", c.EndCoup())
    assert [coup.result for coup in at.view().past] == [Result.BANKER]


# 12, 13 Federal Baccarat


@BOTH
@clause(*tas("13"))
def test_federal_baccarat_is_on_record_and_on_the_sign(doc: str) -> None:
    at = At(doc, method="federal").open()
    opened = one(events.TableOpened, at.log)
    assert opened.notice.method == "federal"
    assert twin(doc, "13") in opened.clauses
    assert "Federal" in sign(at).method
    assert "Federal" not in sign(ready(doc)).method


@BOTH
@clause(*tas("13"))
def test_the_form_of_the_game_is_fixed_while_the_table_is_open(doc: str) -> None:
    at = ready(doc)
    federal = c.PostChange(replace(at.notice, method="federal"), at.at_ms)
    at.refuse("mara", federal, Reason.CHANGE_FIXED, twin(doc, "13"))


@BOTH
@clause(*tas("12.4", "13"))
@pytest.mark.parametrize(
    ("cards", "won"),
    [
        pytest.param("5c 2d Kh 4s Kc", 5000, id="six"),
        pytest.param("Kc 9d Kh Ks", 10_000, id="nine"),
    ],
)
def test_federal_pays_half_on_a_banker_six(doc: str, cards: str, won: int) -> None:
    line = one(events.WagerSettled, ready(doc, method="federal").coup("1 b 100", cards))
    assert line.won_cents == won
    assert twin(doc, "12.4") in line.clauses


# 15 perfect pairs


@clause("tas-2018:15(lead)", "tas-2018:15.3")
def test_perfect_pairs_are_on_record_and_their_limits_on_the_sign() -> None:
    at = ready("tas-2018")
    assert "tas-2018:15(lead)" in one(events.TableOpened, at.log).clauses
    assert sign(at).notice.pairs_limits == Limits(500, 20_000)
    assert "Perfect Pairs" in sign(at).pairs
    at.bet()
    low, high = (c.PlaceWager(1, Bet.PLAYER_PAIR, cents) for cents in (250, 20_250))
    at.refuse("ann", low, Reason.BELOW_MINIMUM, "tas-2018:15.3")
    at.refuse("ann", high, Reason.ABOVE_MAXIMUM, "tas-2018:15.3")


@clause("tas-2018:15(lead)")
def test_a_table_without_pairs_takes_none_and_says_so() -> None:
    at = ready("tas-2018", pairs="", pairs_limits=None)
    assert "tas-2018:15(lead)" not in one(events.TableOpened, at.log).clauses
    assert not sign(at).pairs
    at.bet()
    ask = c.PlaceWager(1, Bet.PLAYER_PAIR, 500)
    at.refuse("ann", ask, Reason.BET_NOT_OFFERED, "tas-2018:15(lead)")


@clause("tas-2013:6.5")
def test_the_2013_edition_has_no_pairs() -> None:
    at = ready("tas-2013").bet()
    ask = c.PlaceWager(1, Bet.BANKER_PAIR, 500)
    at.refuse("ann", ask, Reason.BET_NOT_OFFERED, "tas-2013:6.5")


@clause("tas-2018:15.2", "tas-2018:15.4", "tas-2018:15.5")
def test_pairs_are_bet_until_the_first_card_and_need_no_other_wager() -> None:
    at = ready("tas-2018").bet()
    at.do("ann", c.PlaceWager(1, Bet.PLAYER_PAIR, 500))
    at.do("ann", c.PlaceWager(1, Bet.BANKER_PAIR, 500))
    at.deal("2c")
    late = c.PlaceWager(2, Bet.PLAYER_PAIR, 500)
    at.refuse("bob", late, Reason.BETS_CLOSED)
    at.deal("Kd 2h 7s")
    at.refuse("dan", c.DeclareResult(), Reason.COUP_INCOMPLETE)
    at.deal("4d")
    assert one(events.ResultDeclared, finish(at)).player == 8


@clause("tas-2018:15.7", "tas-2018:15.7(a)", "tas-2018:15.7(b)")
def test_pairs_wait_for_the_end_of_the_coup_and_the_losing_ones_go_first() -> None:
    at = ready("tas-2018").bet("1 pp 5, 2 bp 5, 2 pp 10")
    done = at.deal("2c Kd 2h 7s")
    assert not of(events.WagerSettled, done)
    assert floor(at).payouts == ()
    at.deal("4d")
    at.do("dan", c.DeclareResult())
    listed = [(line.wager.by, line.outcome, line.won_cents) for line in floor(at).payouts]
    assert listed == [
        ("bob", Outcome.LOSES, 0),
        ("ann", Outcome.WINS, 3000),
        ("bob", Outcome.WINS, 6000),
    ]


@clause("tas-2018:15.4")
def test_pairs_may_be_wagered_at_another_place() -> None:
    at = ready("tas-2018").bet("1 p 50")
    placed = one(events.WagerPlaced, at.do("bob", c.PlaceWager(1, Bet.BANKER_PAIR, 1000)))
    assert (placed.wager.by, placed.wager.box) == ("bob", 1)
    at.refuse("bob", c.PlaceWager(1, Bet.BANKER, 5000), Reason.NOT_YOUR_BOX, "tas-2018:6.4")
