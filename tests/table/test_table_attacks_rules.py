"""Attacks on the rules themselves: coups nobody may deal, cards everyone has seen, nonsense."""

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.errors import Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import Limits, sample_notice
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.competition_terms import Conditions
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.decide import decide, run
from puntobanco.table.next_step import next_step
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Phase
from tests.kit.table.at import At, contest, one, ready
from tests.kit.table.attacks import P_WINS, TIE, close, pair, two_shoes

# 3 rules


def test_ten_free_coups_in_a_shoe() -> None:
    at = At("tas-2013").open().staffed().seat("ann")
    at.do("mara", c.AllowFreeCoups(5, "ann"))
    at.shoe()
    with pytest.raises(Refused):
        at.do("mara", c.AllowFreeCoups(5, "ann"))


def test_correction_forgets_the_card_face_up_in_the_shoe() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.deal(P_WINS)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    pair(at, "dan", c.CorrectCard(1, 1, Card("9s"), "wrong suit"), "ines")
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    assert live(at.table).kind is CoupKind.NON_BETTING


def test_non_betting_coup_void_before_the_seen_card_left_the_shoe() -> None:
    at = ready("tas-2018")
    at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    at.do("dan", c.OpenCoup())
    assert live(at.table).kind is CoupKind.NON_BETTING
    pair(at, "ines", c.VoidCoup("disrupted", "n"))
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    assert live(at.table).kind is CoupKind.NON_BETTING  # the same card still shows


def test_face_up_card_found_once_the_coup_is_void() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.deal("9c 9d")
    pair(at, "ines", c.VoidCoup("disrupted", "n"))
    at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    assert live(at.table).kind is CoupKind.NON_BETTING


def test_mbs_ruling_lets_them_bet_into_the_seen_card() -> None:
    at = ready("mbs-2017").bet("1 p 100")
    at.deal(P_WINS)
    at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    pair(at, "ines", c.RuleOn("stands", "n"))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    assert live(at.table).kind is CoupKind.NON_BETTING


def test_closed_window_restricts_the_next_coup_too() -> None:
    at = contest("tas-2018", "ann", "bob")
    at.bet()
    at.do("dan", c.AskForWager(1, at.at_ms + 2000))
    at.later(1).do("dan", c.CloseWindow(1))
    pair(at, "ines", c.VoidCoup("disrupted", "n"), "cora")
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 5000, "ann"))


def test_mbs_closed_window_lasts_for_ever() -> None:
    at = contest("mbs-2017", "ann", "bob")
    at.bet()
    at.do("dan", c.AskForWager(1, at.at_ms + 2000))
    at.later(1).do("dan", c.CloseWindow(1))
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 10_000, "ann"))
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, 10_000, "bob"))
    at.deal(P_WINS)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 20_000, "ann"))


def test_standing_player_bets_at_an_empty_box() -> None:
    at = ready("tas-2018", "ann", "bob")
    at.do("cy", c.StandAt(1))
    at.do("dan", c.BuyIn(100_000, "cy"))
    at.do("dan", c.CashOut(at.table.chips["ann"], "ann"))
    at.do("ann", c.Leave())
    at.do("dan", c.OpenCoup())
    with pytest.raises(Refused):
        at.do("cy", c.PlaceWager(1, Bet.PLAYER, 5000))


def test_competition_player_changes_seats() -> None:
    at = contest("tas-2018", "ann", "bob")
    with pytest.raises(Refused):
        at.do("ann", c.Sit(7))


def test_anyone_sits_down_at_a_competition_table_and_stops_it() -> None:
    at = contest("tas-2018", "ann")
    at.bet("1 p 50")
    with pytest.raises(Refused):
        at.do("zed", c.Sit(5))
    at.do("dan", c.DrawCard(Card("9c")))


def test_own_limits_in_a_competition() -> None:
    at = contest("tas-2018", "ann", "bob")
    with pytest.raises(Refused):
        at.do("mara", c.AgreeLimits("ann", Limits(100, 10_000_000)))


def test_many_left_over_the_next_step_can_be_done() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.deal(P_WINS)
    for _ in range(6):
        at.do("dan", c.DrawCard(None, Laid.NOWHERE))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.bet("1 p 50")
    for card in ("9c", "2d", "Kh", "5s"):
        at.do("dan", c.DealCarried(Card(card)))
    assert next_step(at.table).step == "deal-carried"


def test_card_left_over_is_corrected_where_it_went() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.deal(P_WINS)
    at.do("dan", c.DrawCard(Card("4h"), Laid.PLAYER))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    pair(at, "dan", c.CorrectCard(1, 5, Card("5h"), "n"), "ines")
    assert at.table.carried[0].card == "5h"


def test_noted_error_leaves_the_wrong_card_on_record() -> None:
    at = ready("tas-2018")
    at.coup("1 p 50", P_WINS)
    pair(at, "dan", c.CorrectCard(1, 1, Card("8s"), "n"), "ines")
    with pytest.raises(Refused):
        pair(at, "dan", c.CorrectCard(1, 1, Card("8s"), "n"), "ines")  # done already


def test_extra_round_after_a_tie_that_was_none() -> None:
    at = ready("act-2015")
    at.bet("1 p 50")
    at.do("dan", c.SeeMarker())
    at.deal(TIE)
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    pair(at, "dan", c.CorrectCard(1, 1, Card("7s"), "n"), "sue")  # 7 to 9
    with pytest.raises(Refused):
        at.do("dan", c.OpenCoup())  # 5.7: one more only after a tie


def test_insufficient_cards_with_a_full_shoe() -> None:
    at = ready("tas-2018").bet("1 p 5000")
    at.deal("2c 9d")
    with pytest.raises(Refused):
        at.do("ines", c.ReportIrregularity(Found.INSUFFICIENT_CARDS))  # 414 are left


def test_wagers_are_held_while_play_is_stopped() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.do("dan", c.ReportIrregularity(Found.FOREIGN_CARD))
    assert at.table.phase is Phase.HELD
    with pytest.raises(Refused):
        at.do("ann", c.WithdrawWager(1, Bet.PLAYER))


def test_void_coup_keeps_the_next_one_barred_though_its_card_is_gone() -> None:
    at = ready("tas-2018").bet("1 p 50")
    at.deal(P_WINS)
    at.do("dan", c.DrawCard(Card("4h"), Laid.PLAYER))
    at.do("dan", c.DeclareResult())
    pair(at, "ines", c.VoidCoup("disrupted", "n"))
    at.do("dan", c.EndCoup())
    at.do("dan", c.OpenCoup())
    assert live(at.table).kind is CoupKind.ORDINARY


def test_closing_notice_in_the_past() -> None:
    at = ready("act-2015")
    with pytest.raises(Refused):
        at.do("sue", c.GiveClosingNotice(0))


def test_mbs_seen_card_begins_a_coup_they_may_bet_on() -> None:
    at = ready("mbs-2017", leftover="first-of-next").bet("1 p 100")
    at.deal(P_WINS)
    at.do("dan", c.DrawCard(Card("9h"), Laid.NOWHERE))  # for all to see
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    assert at.table.carried[0].card == "9h"
    at.do("dan", c.OpenCoup())
    with pytest.raises(Refused):
        at.do("ann", c.PlaceWager(1, Bet.PLAYER, 1_000_000))


# 4 crashes


def test_unknown_rule_set_is_refused() -> None:
    at = At()
    notice = replace(sample_notice("tas-2018"), ruleset="nsw-2020")
    with pytest.raises(Refused):
        at.do("mara", c.OpenTable(notice, "monday", "shoe 1"))


def test_unknown_rule_set_in_a_change() -> None:
    at = ready()
    with pytest.raises(Refused):
        at.do("mara", c.PostChange(replace(at.notice, ruleset="x"), 0))


def test_unknown_rule_set_in_an_older_record() -> None:
    at = ready("tas-2018")
    record = two_shoes(at)
    older = replace(record, notice=replace(record.notice, ruleset="x"))
    with pytest.raises(Refused):
        at.do("dan", c.CorrectCard(1, 1, Card("9s"), "n", older))


def test_a_competition_is_not_opened_over_chips_somebody_holds() -> None:
    at = ready("tas-2018", "ann")
    close(at)
    cup = Conditions("cup", "competition", 100_000, face_down=False)
    with pytest.raises(Refused):
        at.open(conditions=cup)


def test_nobody_leaves_or_moves_once_chips_are_allotted() -> None:
    at = contest("tas-2018", "ann", "bob")
    for ask in (c.Leave(), c.Sit(7)):
        with pytest.raises(Refused):
            at.do("ann", ask)


def test_the_record_names_both_who_checked() -> None:
    at = ready("act-2015")
    at.do("dan", c.ChangeCards((Card("9c"),)))
    at.do("dan", c.ChangeCards((Card("9c"),)))
    changed = one(events.CardsChanged, at.do("sue", c.Approve(2)))
    assert changed.checked_by == ("dan", "sue")


def test_whoever_plays_acts_for_nobody_else() -> None:
    at = ready("tas-2018")
    xena = Actor("xena", frozenset({Role.PATRON, Role.SURVEILLANCE}), at.at_ms)
    at.table, _ = run(at.table, c.Sit(5), xena)
    at.do("dan", c.OpenCoup())
    with pytest.raises(Refused):
        decide(at.table, c.PlaceWager(1, Bet.PLAYER, 5000, "ann"), xena)


@pytest.mark.parametrize(
    "facts", [{"allotment_cents": -100}, {"allotment_cents": 1, "first_seat": 99}]
)
def test_conditions_out_of_bounds_do_not_decode(facts: dict[str, int]) -> None:
    conditions = {"competition": "cup", "chips": "competition", **facts}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(conditions, Conditions)
