"""Cards, chips and the felt as they are drawn: nothing missing, nothing outside the picture."""

from xml.etree import ElementTree as ET

import pytest

from puntobanco.pictures import cards, chips
from puntobanco.pictures.felt import furniture
from puntobanco.pictures.geometry import SHAPES, FeltLayout, layout

SVG = "{http://www.w3.org/2000/svg}"
PACK = [rank + suit for rank in cards.RANKS for suit in cards.SUITS]
ALL = frozenset({"player", "banker", "tie", "player-pair", "banker-pair"})
PIPS = {**{str(number): number for number in range(2, 10)}, "A": 1, "T": 10}


def symbols(text: str) -> dict[str, ET.Element]:
    root = ET.fromstring(text)  # noqa: S314  our own drawing
    return {symbol.get("id", ""): symbol for symbol in root.findall(f"{SVG}symbol")}


def test_the_pack_is_whole_in_every_drawing() -> None:
    drawn = symbols(cards.cards_file())
    assert {f"card-{card}" for card in PACK} | {f"index-{card}" for card in PACK} < set(drawn)
    assert "card-back" in drawn
    squeezed = symbols(cards.squeeze_file())
    assert {f"squeeze-{card}" for card in PACK} == set(squeezed) - set(cards.SUITS)


@pytest.mark.parametrize("card", [card for card in PACK if card[0] in PIPS])
def test_a_squeezed_card_shows_its_pips_and_no_corner(card: str) -> None:
    """As many suits as its rank, and no rank: it is read from the side."""
    face = symbols(cards.squeeze_file())[f"squeeze-{card}"]
    used = [use.get("href") for use in face.iter(f"{SVG}use")]
    assert used == [f"#{card[1]}"] * PIPS[card[0]]
    assert not list(face.iter(f"{SVG}path"))


def test_an_amount_is_made_of_the_fewest_chips() -> None:
    kinds = [chips.Chip(cents, "#25282e", "#fff6e6") for cents in (500, 2500, 10_000)]
    for cents in range(0, 50_000, 500):
        stack = chips.in_chips(cents, kinds)
        assert sum(stack) == cents
        assert stack == sorted(stack, reverse=True)


def of(shape: str, seats: int, own: int, bets: frozenset[str] = ALL) -> FeltLayout:
    return layout(shape, tuple(range(1, seats + 1)), own, bets)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seats", [1, 5, 7, 9, 14])
def test_everything_lies_on_the_felt_and_boxes_lie_in_order(shape: str, seats: int) -> None:
    """Whoever looks: at each seat, and from no seat."""
    width, height = SHAPES[shape]
    for own in range(seats + 1):
        at = of(shape, seats, own)
        assert sorted(box.seat for box in at.boxes) == list(range(1, seats + 1))
        assert [box.seat for box in at.boxes if box.own] == ([own] if own else [])
        for box in at.boxes:
            assert set(box.areas) == ALL
            for area in box.areas.values():
                assert 0 <= area.at.x <= width
                assert 0 <= area.at.y <= height
                assert area.width > 0
                assert area.height > 0
        for hand in (at.player, at.banker):
            for spot in (*hand.cards, hand.points):
                assert 0 <= spot.x <= width
                assert 0 <= spot.y <= height
        others = [box.areas["banker"].at.x for box in at.boxes if at.kind == "arc"]
        assert others == sorted(others)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_area_is_drawn_for_each_bet_on_offer_and_no_other(shape: str) -> None:
    bets = frozenset({"player", "banker", "tie"})
    for box in of(shape, 9, 5, bets).boxes:
        assert set(box.areas) == bets


@pytest.mark.parametrize("shape", ["phone", "small", "upright", "sideways", "short"])
def test_ones_own_areas_can_be_hit_with_a_thumb(shape: str) -> None:
    """44 pixels at the size they are drawn for, on every phone."""
    own = next(box for box in of(shape, 9, 5).boxes if box.own)
    for area in own.areas.values():
        assert min(area.width, area.height) >= 44, area


def test_a_mini_table_is_flatter_than_a_midi() -> None:
    curved, flat = of("wide", 7, 0), layout("wide", tuple(range(1, 8)), 0, ALL, 0.6)
    drops = [
        max(box.number.y for box in at.boxes) - min(box.number.y for box in at.boxes)
        for at in (curved, flat)
    ]
    assert drops[1] < drops[0]


@pytest.mark.parametrize("words", ["Banker pays 19 to 20", "Banker pays 1 to 1, no commission"])
def test_words_on_the_placard_stay_on_it(words: str) -> None:
    at = of("wide", 7, 0)
    assert at.placard
    drawn = ET.fromstring(f"<g>{furniture(at, None, [(words, '')], '')}</g>")  # noqa: S314  ours
    size = float(next(drawn.iter("text")).get("font-size", ""))
    assert size >= 9
    assert len(words) * size * 0.5 <= at.placard.width - 18
