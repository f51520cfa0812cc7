"""What competition chips may be wagered, who keeps them, and who turns the cards."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.next_step import next_step
from puntobanco.table.state import Phase
from puntobanco.table.view import Viewer, view
from puntobanco.words import Step
from tests.kit.clauses import clause, tas, twin
from tests.kit.table.at import At, balanced, of, one
from tests.kit.table.sessions import MIN, begun, coup

EDITIONS = ("tas-2018", "tas-2013")


@clause(*tas("16.4.6"))
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_wagers_are_in_the_units_on_the_sign(ruleset: str) -> None:
    at = begun(ruleset, limits=Limits(MIN, 200_000, 1000))
    assert at.table.terms.limits[Bet.PLAYER].multiple_cents == 1000
    at.do("dan", c.OpenCoup())
    odd = c.PlaceWager(1, Bet.PLAYER, MIN + 500)
    at.refuse("ann", odd, Reason.NOT_A_MULTIPLE, twin(ruleset, "16.4.6"))
    found = one(events.WagerPlaced, at.do("dan", replace(odd, person="ann")))
    assert twin(ruleset, "16.4.6") in found.clauses


@clause(*tas("16.5.10(a)", "16.5.13"))
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_nobody_wagers_above_the_maximum_and_what_lies_there_plays_up_to_it(ruleset: str) -> None:
    at = begun(ruleset, limits=Limits(MIN, 50_000, 500))
    at.do("dan", c.OpenCoup())
    at.refuse("ann", c.PlaceWager(1, Bet.PLAYER, 60_000), Reason.ABOVE_MAXIMUM)
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, 60_000, "ann"))
    for seat, person in ((2, "bob"), (3, "cy")):
        at.do(person, c.PlaceWager(seat, Bet.BANKER, MIN))
    at.deal("9c Kd Kh 7s")
    settled = at.do("dan", c.DeclareResult())
    line = next(one.line for one in of(events.WagerSettled, settled) if one.line.wager.by == "ann")
    assert (line.stake_cents, line.won_cents) == (50_000, 50_000)
    assert balanced(at.table)


@clause(*tas("16.4.3"))
def test_everyone_sees_what_everyone_holds() -> None:
    at = begun()
    coup(at, bob=("banker", 2 * MIN))
    for person in ("ann", "cy", "a guest"):
        seats = view(at.table, Viewer(person)).boxes
        assert {at.table.seated[seat.seat]: seat.chips for seat in seats if seat.taken} == (
            at.table.chips
        )
    away = c.RecordIncident("chips-hidden", "took chips from the table", ("bob",))
    assert one(events.IncidentRecorded, at.do("dan", away)).people == ("bob",)


@clause(*tas("16.7.7"))
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_whoever_hides_chips_is_disqualified_before_another_coup(ruleset: str) -> None:
    at = begun(ruleset)
    coup(at)
    at.do("ines", c.RecordIncident("chips-hidden", "pocketed 100", ("ann",)))
    at.refuse("dan", c.OpenCoup(), Reason.DISQUALIFICATION_DUE, twin(ruleset, "16.7.7"))
    at.do("house", c.RemovePlayer("ann", "disqualified", "hid chips", 9))
    at.do("dan", c.OpenCoup())
    assert "ann" not in at.table.places


@clause(*tas("16.7.7"))
def test_where_chips_were_not_hidden_the_director_lets_play_go_on() -> None:
    at = begun()
    at.do("ines", c.RecordIncident("chips-hidden", "a pile behind a bag", ("ann",)))
    at.refuse("dan", c.OpenCoup(), Reason.DISQUALIFICATION_DUE)
    at.do("cora", c.GiveDirection("looked at on video: they lay in view", "ann"))
    at.do("dan", c.OpenCoup())


@clause(*tas("16.4.9"))
@pytest.mark.parametrize(("chips", "left"), [("competition", {}), ("cash", {"ann": 110_000})])
def test_chips_without_value_are_the_operators_at_the_end_and_money_the_players(
    chips: str, left: dict[str, int]
) -> None:
    at = begun("tas-2018", "ann", chips=chips, ends=SessionEnds(coups=1))
    coup(at)
    assert at.table.phase is Phase.OVER
    if not left:
        at.refuse("dan", c.CashOut(110_000, "ann"), Reason.CHIPS_ARE_ALLOTTED)
    closed = at.do("house", c.CloseTable())
    collected = of(events.ChipsCollected, closed)
    assert at.table.chips == left
    assert bool(collected) != bool(left)
    assert balanced(at.table)


@clause(*tas("16.3.6(b)"))
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_a_live_player_who_is_away_has_a_substitute_or_is_out(ruleset: str) -> None:
    at = begun(ruleset, chips="cash")
    at.do("dan", c.MarkAbsent("bob"))
    waits = (Reason.AWAY_WITHOUT_SUBSTITUTE, twin(ruleset, "16.3.6(b)"))
    at.refuse("dan", c.OpenCoup(), *waits)
    named = one(events.SubstituteNamed, at.do("cora", c.NameSubstitute("bob", "dee")))
    assert (named.person, named.substitute) == ("bob", "dee")
    at.do("dan", c.OpenCoup())
    at.do("dan", c.PlaceWager(1, Bet.PLAYER, MIN, "ann"))
    at.do("dee", c.PlaceWager(2, Bet.PLAYER, MIN, "bob"))


@clause(*tas("16.7.1(a)", "16.7.1(b)"))
@pytest.mark.parametrize("ruleset", EDITIONS)
def test_in_tasmania_nobody_does_away_with_face_down_cards(ruleset: str) -> None:
    """[tas-2018:16.7.1] The dealer shall pass them face down; elsewhere the operator determines."""
    at = begun(ruleset)
    at.refuse(
        "ines", c.SetFaceDown(down=False), Reason.FACE_DOWN_BY_RULE, twin(ruleset, "16.7.1(a)")
    )
    act = begun("act-2015")
    act.do("sue", c.SetFaceDown(down=True))
    act.do("sue", c.SetFaceDown(down=False))


def face_down(on: Bet = Bet.PLAYER) -> At:
    """Four cards lie face down; everyone has wagered the same on one hand."""
    at = begun()
    at.do("ines", c.SetFaceDown(down=True))
    at.do("dan", c.OpenCoup())
    for seat, person in ((1, "ann"), (2, "bob"), (3, "cy")):
        at.do(person, c.PlaceWager(seat, on, MIN))
    at.deal("?? ?? ?? ??")
    return at


def turn(at: At, *cards: str) -> None:
    for position, card in enumerate(cards, 1):
        at.do("dan", c.TurnCard(Card(card), position))


@clause(*tas("16.7.5"))
def test_the_dealer_turns_a_hand_that_nobody_backs() -> None:
    at = face_down()
    at.refuse("dan", c.PassCards(Side.BANKER), Reason.DEALER_TURNS, "tas-2018:16.7.5")
    at.do("dan", c.PassCards(Side.PLAYER))
    turn(at, "2c", "Kd", "3c", "7d")


@clause(*tas("16.7.4"))
def test_the_dealer_turns_what_no_player_turns() -> None:
    at = face_down()
    for person in ("ann", "bob", "cy"):
        at.do("dan", c.PassCards(Side.PLAYER))
        refused = one(events.CardsRefused, at.do(person, c.RefuseCards(Side.PLAYER)))
        assert refused.clauses == ("tas-2018:16.7.4",)
    at.refuse("dan", c.PassCards(Side.PLAYER), Reason.DEALER_TURNS)
    assert next_step(at.table).step is Step.TURN_CARDS
    turn(at, "2c", "Kd", "3c", "7d")


@clause(*tas("16.7.1(c)"))
def test_the_dealer_is_told_who_turns_a_third_card() -> None:
    at = face_down()
    at.do("dan", c.PassCards(Side.PLAYER))
    turn(at, "2c", "Kd", "3c", "7d")
    at.do("dan", c.DrawCard(None))
    told = next_step(at.table)
    assert (told.step, told.facts["side"], told.facts["person"]) == (
        Step.PASS_CARDS,
        Side.PLAYER,
        "ann",
    )
    assert one(events.CardsPassed, at.do("dan", c.PassCards(Side.PLAYER))).person == "ann"


@clause("act-2015:15.17")
def test_advice_that_a_player_sought_is_on_record() -> None:
    at = begun("act-2015")
    asked = c.RecordIncident("advice-sought", "asked somebody behind the rope", ("ann",))
    assert one(events.IncidentRecorded, at.do("sue", asked)).clauses == ("act-2015:15.17",)
