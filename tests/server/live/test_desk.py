"""What the dealer's instrument is made of: payouts in order and in chips, waits since when."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace

from puntobanco.pictures.chips import Chip
from puntobanco.pictures.felt import PictureFiles
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.drawing import fold
from puntobanco.rules.notice import post, sample_notice
from puntobanco.rules.paper.notation import parse_drawn, parse_wager
from puntobanco.rules.settle import as_made, settle
from puntobanco.rules.wagers import take
from puntobanco.server.commands.offered import StepTold, turn_of
from puntobanco.server.live.desk import Desk, box_rows, desk_of
from puntobanco.server.live.felt import standing_layers
from puntobanco.server.live.paying import in_order
from puntobanco.server.live.regions import may_change_one
from puntobanco.server.live.step_times import StepTimes
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.may import refusal
from puntobanco.table.session import COMMANDS
from puntobanco.table.view import Viewer, view
from tests.kit.clauses import clause
from tests.kit.table.at import At, competing, contest, ready

if TYPE_CHECKING:
    from puntobanco.house.stream import Stream
    from puntobanco.table.state import Table

CHIPS = [Chip(cents, "#000000", "#ffffff") for cents in (250, 500, 2500, 10_000, 100_000)]


@clause("tas-2018:12.2")
def test_payouts_come_in_the_rules_order_each_in_the_houses_chips() -> None:
    terms = post(sample_notice("tas-2018"))
    coup = fold(parse_drawn("9c 2h 4d / Kd 3s 5h"), terms.rules.tableau)
    wagers = [parse_wager(text) for text in ("1 b 1200", "2 p 75", "4 b 25", "4 t 5")]
    steps = in_order(as_made(settle(coup, take(wagers, terms), terms).lines, terms), CHIPS, 250)
    assert [(one.kind, one.boxes) for one in steps] == [
        ("take", (2, 4)),
        ("pay", (1,)),
        ("pay", (4,)),
    ]
    pays = [one for one in steps if one.kind == "pay"]
    assert [(one.boxes, one.cents, one.odds) for one in pays] == [
        ((1,), 114_000, (19, 20)),
        ((4,), 2500, (19, 20)),
    ]
    assert pays[0].chips == ((100_000, 1), (10_000, 1), (2500, 1), (500, 3))
    assert pays[1].exact_cents == 2375  # the chips made it more, and the dealer is told
    taken = [one for one in steps if one.kind == "take"]
    assert sum(one.cents for one in taken) == 8000
    assert all(one.clauses for one in steps)


def test_what_no_chip_of_the_house_can_make_is_said() -> None:
    terms = post(sample_notice("tas-2018"))
    coup = fold(parse_drawn("9c 2h 4d / Kd 3s 5h"), terms.rules.tableau)
    lines = settle(coup, take([parse_wager("1 b 50")], terms), terms).lines
    (step,) = in_order(lines, CHIPS[1:], 250)
    assert (step.chips, step.rest_cents) == (((2500, 1), (500, 4)), 250)
    ones = [Chip(100, "#000000", "#ffffff"), *CHIPS[1:]]
    assert in_order(lines, ones, 250) == (step,), "chips of 1 are not on this table"


def desk_at(at: At, person: str) -> tuple[Desk, StepTold]:
    seen = view(at.table, Viewer(person, at.by(person).roles))
    told = turn_of(at.table, at.by(person))

    def can(name: str, **facts: object) -> bool:
        return refusal(at.table, COMMANDS[name], at.by(person), facts) is None

    return desk_of(seen, told, can), told


def test_a_dealer_is_offered_the_card_and_the_call_and_an_inspector_is_not() -> None:
    at = ready("tas-2018")
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.BANKER, 2500))
    desk, _ = desk_at(at, "dan")
    assert desk.keyed is not None
    assert desk.keyed.at == "do/draw-card"
    assert desk.first is not None
    assert desk.first.at == "do/no-more-bets"
    assert desk.side is Side.PLAYER
    other, told = desk_at(at, "ines")
    assert (other.first, other.keyed, told.yours) == (None, None, False)


@pytest.mark.parametrize("goes_on", ["do/declare-result", "next-coup"])
def test_nothing_goes_on_by_the_first_press_while_a_coup_waits_to_be_put_right(
    goes_on: str,
) -> None:
    """No result is announced of cards that are said to be others, nor the next coup opened."""
    at = ready("tas-2018")
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.BANKER, 2500))
    for card in ("9c", "Kd", "Th", "3s"):
        at.do("dan", c.DrawCard(Card(card)))
    if goes_on == "next-coup":
        at.do("dan", c.DeclareResult())
    desk, _ = desk_at(at, "dan")
    assert desk.first is not None
    assert desk.first.at == goes_on
    at.do("dan", c.CorrectCard(position=4, card=Card("8s"), coup=1, note="keyed 3 for 8"))
    desk, _ = desk_at(at, "dan")
    assert (desk.first, desk.yours) == (None, False)
    assert desk.head.startswith("Waiting for the inspector")
    assert [one.at for one in desk.seconds] == [goes_on]  # a press of its own
    assert desk.seconds[0].key != "Space"
    at.do("dan", c.DropProposal(1))
    desk, _ = desk_at(at, "dan")
    assert desk.first is not None


def test_a_wait_for_a_second_person_counts_from_when_they_were_asked() -> None:
    at, times = ready("tas-2018"), StepTimes()

    def since() -> int:
        stream = SimpleNamespace(name="table-1", state=at.table, at_ms=at.at_ms)
        return times.note(cast("Stream[Table]", stream)).since_ms

    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.BANKER, 2500))
    for card in ("9c", "Kd", "Th", "3s"):
        at.do("dan", c.DrawCard(Card(card)))
    dealt_ms = since()
    at.at_ms += 60_000
    at.do("dan", c.CorrectCard(position=4, card=Card("8s"), coup=1, note="keyed 3 for 8"))
    assert since() == at.at_ms > dealt_ms + 60_000
    at.do("dan", c.DropProposal(1))
    assert since() == at.at_ms


def test_every_seat_and_everybody_who_stands_has_a_row() -> None:
    at = ready("tas-2018")
    rows = box_rows(view(at.table, Viewer("dan", at.by("dan").roles)))
    assert len({row.box for row in rows}) == at.notice.seats
    assert {row.person for row in rows if row.person} == set(at.table.places)


@clause("tas-2018:16.4.7", "tas-2018:16.5.5")
def test_a_competitor_is_asked_in_turn_and_the_wager_is_laid_for_that_seat() -> None:
    at = contest("tas-2018", "ann", "bob", "cy")
    at.do("dan", c.OpenCoup())
    desk, _ = desk_at(at, "dan")
    assert (desk.work, desk.head) == ("order", "Seat 1, ann")
    assert desk.first is not None
    assert (desk.first.at, desk.first.fields) == ("ask-turn", {"seat": 1})
    at.do("dan", c.AskForWager(1))
    desk, _ = desk_at(at, "dan")
    assert desk.first is not None
    assert desk.first.at == "do/place-wager"
    assert desk.first.fields == {"box": 1, "person": "ann"}
    at.do("dan", c.PlaceWager(1, Bet.BANKER, 2500, "ann"))
    seen = view(at.table, Viewer("dan", at.by("dan").roles)).contest
    assert seen is not None
    assert (seen.turn, seen.bet, seen.order) == (2, (1,), (1, 2, 3))
    for seat, person in ((2, "bob"), (3, "cy")):
        at.do("dan", c.PlaceWager(seat, Bet.PLAYER, 2500, person))
    desk, _ = desk_at(at, "dan")
    assert desk.work == "pad"  # all have wagered: the first card is keyed
    assert desk.keyed is not None


def test_no_dealer_is_told_to_call_for_bets_in_a_break() -> None:
    at = competing("tas-2018", "session", "ann", "bob")
    assert desk_at(at, "dan")[0].says
    at.do("house", c.PauseSession("a break", 31))
    desk, _ = desk_at(at, "dan")
    assert (desk.head, desk.says, desk.first) == ("No betting yet", "", None)
    assert "a break" in desk.rest


@clause("tas-2018:16.5.6", "act-2015:15.15", "act-2015:15.16")
@pytest.mark.parametrize(
    ("ruleset", "asked_by", "alters"),
    [("tas-2018", "tas-2018:16.5.4", False), ("act-2015", "act-2015:15.15", True)],
)
def test_whether_a_wager_that_lies_can_be_altered_is_as_the_document_has_it(
    ruleset: str, asked_by: str, alters: bool
) -> None:
    at = contest(ruleset, "ann", "bob")
    at.do("dan", c.OpenCoup())
    assert desk_at(at, "dan")[0].clause == asked_by
    first = "ann" if at.table.contest.puck == 1 else "bob"
    at.do(first, c.PlaceWager(at.table.contest.puck or 1, Bet.PLAYER, at.notice.limits.min_cents))

    def may() -> bool:
        by = at.by(first)
        return may_change_one(at.table, view(at.table, Viewer(first, by.roles)), by)

    assert may() is alters
    at.do("dan", c.AskForWager(2 if at.table.contest.puck == 1 else 1))
    assert not may()


@clause("tas-2018:9.3")
def test_a_card_that_is_dealt_face_down_is_pressed_and_keyed_when_it_is_turned() -> None:
    at = ready("tas-2018")
    at.do("ann", c.AskFaceDown())
    at.do("mara", c.AcknowledgeFaceDown(Role.MANAGEMENT))
    at.do("sol", c.AcknowledgeFaceDown(Role.SURVEILLANCE))
    at.do("ines", c.SetFaceDown(down=True))
    at.do("dan", c.OpenCoup())
    at.do("ann", c.PlaceWager(1, Bet.BANKER, 2500))
    desk, _ = desk_at(at, "dan")
    assert desk.keyed is None
    assert desk.first is not None
    assert desk.first.at == "do/draw-card"
    assert desk.work == "roads"


def test_a_felt_that_is_looked_back_at_has_no_bet_timer() -> None:
    """It had counted the seconds from 1970."""
    at = ready("tas-2018")
    at.do("dan", c.OpenCoup())
    seen = view(at.table, Viewer("", frozenset()))
    assert seen.play is not None
    timed = replace(seen, play=replace(seen.play, until_ms=1_800_000_000_000))
    drawn = standing_layers(timed, CHIPS, PictureFiles("", ""))
    assert not [name for name, layer in drawn.items() if "1800000000" in layer]
    assert drawn == standing_layers(seen, CHIPS, PictureFiles("", ""))
