"""The coup as a fold over the cards in the order they left the shoe."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.cards import DECK, Card
from puntobanco.rules.coup import Coup, Drawn, Laid, Side
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import fold
from puntobanco.rules.paper.notation import parse_drawn
from tests.kit.clauses import clause, tas

TABLEAU = load_ruleset("tas-2018").tableau

cards = st.sampled_from(DECK)
streams = st.lists(cards, max_size=9)


def folded(text: str) -> Coup:
    return fold(parse_drawn(text), TABLEAU)


@clause(
    *tas("9.2"),
    "act-2015:6.2(a)",
    "act-2015:6.2(b)",
    "mbs-2017:3.6",
    "mbs-2017:3.7",
    "mbs-2017:3.7.1",
    "mbs-2017:3.7.2",
    "mbs-2017:1.1.1-hand",
    "mbs-2017:1.1.2-initial-deal",
    "act-2015:d.hand",
    "act-2015:d.player",
    "act-2015:d.banker",
    "act-2015:d.initial-deal",
)
def test_the_first_four_cards_go_player_banker_player_banker() -> None:
    owed = [fold(map(Drawn, DECK[:n]), TABLEAU).owed for n in range(4)]
    assert owed == [Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER]
    coup = folded("9c Kd 2h 3s")
    assert coup.player == (Card("9c"), Card("2h"))
    assert coup.banker == (Card("Kd"), Card("3s"))


OWED = [
    ("tas-2018:11(player)", "2c 3d / Kh 7s", Side.PLAYER, "Player draws to 5"),
    ("tas-2018:11(table)", "2c 3d 8h / Kh 3s", None, "Banker 3 stands against an 8"),
    ("tas-2018:11(table)", "2c 3d 9h / Kh 3s", Side.BANKER, "Banker 3 draws against a 9"),
    ("mbs-2017:3.9.3", "2c 4d / Kh 5s", Side.BANKER, "Player stood: Banker 5 draws"),
    ("mbs-2017:3.9.1", "9c Kd / 2h 3s", None, "a natural ends it"),
    ("act-2015:7.3", "2c 3d 6h / Kh 6s", Side.BANKER, "Banker 6 draws against a 6"),
    ("act-2015:7.3", "2c 3d Kh / Kd 6s", None, "Banker 6 stands against a picture"),
]


@pytest.mark.parametrize(
    ("hands", "side"),
    [pytest.param(hands, side, id=f"{c} {why}", marks=clause(c)) for c, hands, side, why in OWED],
)
def test_whose_card_is_next(hands: str, side: Side | None) -> None:
    assert folded(hands).owed is side


@given(streams)
def test_no_card_is_lost_or_dealt_twice(stream: list[Card]) -> None:
    coup = fold(map(Drawn, stream), TABLEAU)
    dealt = [*coup.player, *coup.banker, *(one.card for one in coup.excess)]
    assert sorted(map(str, dealt)) == sorted(stream)
    assert len(coup.player) <= 3
    assert len(coup.banker) <= 3
    assert [coup.given(n) for n in range(len(stream))].count(None) == len(coup.excess)


@given(streams)
def test_where_the_dealer_put_a_card_never_changes_the_hands(stream: list[Card]) -> None:
    plain = fold(map(Drawn, stream), TABLEAU)
    for laid in Laid:
        coup = fold([Drawn(card, laid) for card in stream], TABLEAU)
        assert (coup.player, coup.banker, coup.owed) == (plain.player, plain.banker, plain.owed)


@given(streams)
def test_given_agrees_with_the_hands(stream: list[Card]) -> None:
    coup = fold(map(Drawn, stream), TABLEAU)
    for side, hand in ((Side.PLAYER, coup.player), (Side.BANKER, coup.banker)):
        mine = [one.card for n, one in enumerate(coup.drawn) if coup.given(n) is side]
        assert tuple(mine) == hand


@given(st.lists(cards, min_size=6, max_size=6), st.sets(st.integers(0, 5)))
def test_a_face_down_card_hides_only_what_depends_on_it(stream: list[Card], down: set[int]) -> None:
    """What the fold says with cards face down, it still says when they are turned."""
    hidden = fold([Drawn(None if n in down else c) for n, c in enumerate(stream)], TABLEAU)
    shown = fold(map(Drawn, stream), TABLEAU)
    assert len(hidden.player) <= len(shown.player)
    assert len(hidden.banker) <= len(shown.banker)
    if not hidden.hidden:
        assert len(hidden.excess) == len(shown.excess)
    if hidden.result is not None:
        assert hidden.result is shown.result


def test_four_face_down_cards_hide_what_is_next() -> None:
    coup = folded("?? ?? ?? ??")
    assert coup.hidden
    assert coup.owed is None
    assert not coup.is_complete
    assert coup.result is None


def test_a_face_down_third_card_hides_nothing_when_bankers_row_is_all_draws() -> None:
    assert folded("2c Kd 3h 2s ??").owed is Side.BANKER  # Banker 2 draws whatever it is
    assert folded("2c Kd 3h 7s ??").owed is None  # Banker 7 stands whatever it is
    assert not folded("2c Kd 3h 7s ??").hidden
    assert folded("2c Kd 3h 5s ??").hidden  # Banker 5 must know


def test_a_coup_that_wants_a_card_does_not_take_one_from_the_next() -> None:
    """An under-dealt coup leaves a card owed; nothing else fills it."""
    coup = folded("2c Kd 3h 7s")
    assert coup.owed is Side.PLAYER
    assert not coup.is_complete


def test_misplaced_cards_are_on_record() -> None:
    coup = folded("6c Kd Kh 5s 4d@p")  # Player stands on 6; the card is Banker's
    assert coup.misplaced == (4,)
    assert coup.given(4) is Side.BANKER
    assert folded("6c Kd Kh 5s 4d@b").misplaced == ()
    assert folded("6c@b Kd@p Kh 5s 4d").misplaced == (0, 1)
