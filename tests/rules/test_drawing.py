"""The drawing table, cell by cell from each document, and exhaustively against a second opinion."""

from itertools import product

import pytest

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Coup, Drawn, Result, Side
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import NO_CARD, fold
from puntobanco.rules.paper.notation import parse_drawn
from tests.kit.clauses import clause, tas

# The tables as each document prints them. Tasmania gives Banker 3 to 6, by the card Player was
# given, no card last; Canberra 0 to 7, no card first, with O-slash for S in five cells; Singapore
# lists the third cards on which Banker draws.
TASMANIA = {
    3: "D D D D D D D D S D D",
    4: "S S D D D D D D S S D",
    5: "S S S S D D D D S S D",
    6: "S S S S S S D D S S S",
}
CANBERRA = {
    0: "D D D D D D D D D D D",
    1: "D D D D D D D D D D D",
    2: "D D D D D D D D D D D",
    3: "D D D D D D D D D S D",
    4: "D S S D D D D D D S S",
    5: "D S Ø Ø S D D D D S S",
    6: "S S Ø Ø S Ø S D D S S",
    7: "S S S S S S S S S S S",
}
SINGAPORE = {
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}

VALUE_CARDS = [Card("Kd"), *(Card(f"{rank}d") for rank in "A23456789")]


def coup_with(player: int, third: int | None, banker: int) -> Coup:
    """Player's and Banker's points on two cards, and Player's third card if any."""
    cards = [VALUE_CARDS[player], VALUE_CARDS[banker], Card("Kc"), Card("Kh")]
    if third is not None:
        cards.append(VALUE_CARDS[third])
    return fold(map(Drawn, cards), load_ruleset("tas-2018").tableau)


def banker_draws(document: str, banker: int, third: int | None) -> bool:
    row = load_ruleset(document).tableau.banker_draws[banker]
    return row[NO_CARD if third is None else third]


@pytest.mark.parametrize("document", ["tas-2018", "tas-2013"])
@pytest.mark.parametrize("banker", TASMANIA)
@clause(*tas("11(table)"))
def test_tasmanias_table_cell_by_cell(document: str, banker: int) -> None:
    cells = TASMANIA[banker].split()
    for third, cell in zip([*range(10), None], cells, strict=True):
        assert banker_draws(document, banker, third) is (cell == "D"), (banker, third)


@pytest.mark.parametrize("banker", CANBERRA)
@clause("act-2015:7.3", "act-2015:d.tableau", "act-2015:d.stand", "act-2015:d.draw")
def test_canberras_table_cell_by_cell_reading_o_slash_as_stand(banker: int) -> None:
    cells = CANBERRA[banker].replace("Ø", "S").split()
    for third, cell in zip([None, *range(10)], cells, strict=True):
        assert banker_draws("act-2015", banker, third) is (cell == "D"), (banker, third)


@pytest.mark.parametrize("banker", SINGAPORE)
@clause("mbs-2017:3.9.4")
def test_singapores_table_cell_by_cell(banker: int) -> None:
    for third in range(10):
        assert banker_draws("mbs-2017", banker, third) is (str(third) in SINGAPORE[banker])


@clause("mbs-2017:3.9.3")
def test_when_player_stands_banker_draws_to_five() -> None:
    assert [banker_draws("mbs-2017", banker, None) for banker in range(8)] == [True] * 6 + [
        False
    ] * 2


@pytest.mark.parametrize("document", RULESETS)
@clause(*tas("11(player)"), "act-2015:7.2", "act-2015:7.1", "mbs-2017:3.9.2")
def test_player_draws_to_five_and_stands_on_six_and_seven(document: str) -> None:
    tableau = load_ruleset(document).tableau
    for player in range(8):
        coup = coup_with(player, None, 0 if player else 1)
        assert (player in tableau.player_draws) is (player <= 5)
        assert (coup.owed is Side.PLAYER) is (player <= 5)


@pytest.mark.parametrize("document", RULESETS)
@clause(*tas("11(banker)"))
def test_banker_draws_below_three_and_stands_on_seven_whatever_player_did(document: str) -> None:
    for third in [*range(10), None]:
        assert all(banker_draws(document, banker, third) for banker in (0, 1, 2))
        assert not banker_draws(document, 7, third)


@clause(
    *tas("11(player)", "11(banker)"),
    "act-2015:6.4",
    "mbs-2017:3.9.1",
    "act-2015:d.natural",
    "mbs-2017:1.1.3-natural",
)
def test_a_natural_on_either_hand_ends_the_coup() -> None:
    for player, banker in product(range(10), repeat=2):
        coup = coup_with(player, None, banker)
        assert (player >= 8 or banker >= 8) == (
            coup.owed is None and not (player in (6, 7) and banker in (6, 7))
        )


def test_the_documents_agree_in_all_88_cells() -> None:
    assert len({load_ruleset(document).tableau for document in RULESETS}) == 1


def second_opinion(cards: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The drawing rules as a gambler would state them, on point values alone."""
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    p, b = sum(player) % 10, sum(banker) % 10
    rest = list(cards[4:])
    if p >= 8 or b >= 8:
        return player, banker
    if p >= 6:
        if b <= 5:
            banker.append(rest.pop(0))
        return player, banker
    third = rest.pop(0)
    player.append(third)
    wants = {3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: third in (6, 7), 7: False}
    if wants.get(b, True):
        banker.append(rest.pop(0))
    return player, banker


def test_every_coup_by_point_value_is_dealt_as_a_gambler_would() -> None:
    """All 10^4 initial deals with every pair of third cards that can matter: 10^6 coups.

    The initial deal and Player's third card decide the draws; Banker's third card is checked
    on two values, which the result then tells apart.
    """
    tableau = load_ruleset("tas-2018").tableau
    drawn = [Drawn(card) for card in VALUE_CARDS]
    for cards in product(range(10), repeat=5):
        for last in (0, 7):
            dealt = (*cards, last)
            player, banker = second_opinion(dealt)
            coup = fold([drawn[value] for value in dealt], tableau)
            assert coup.owed is None
            assert [card.points for card in coup.player if card] == player
            assert [card.points for card in coup.banker if card] == banker


RESULTS = [
    ("2c 2d / Kh 3s", None, "cards still owed"),
    ("9c Kd / Kh 8s", Result.PLAYER, "nine beats eight"),
    ("Kc 8d / 7h 2s", Result.BANKER, "eight loses to nine"),
    ("Kc 7d / 6h Ks", Result.PLAYER, "seven beats six"),
    ("Kc 7d / 7h Ks", Result.TIE, "equal points tie"),
    ("2c 3d 5h / Kh 5s 5d", Result.TIE, "Baccarat against Baccarat ties"),
    ("2c 3d 6h / Kh 5s 5d", Result.PLAYER, "one beats Baccarat"),
]


@clause(
    *tas("10.3", "10.3(a)", "10.3(b)", "10.3(c)"),
    "mbs-2017:3.10",
    "mbs-2017:1.1.7-tie",
    "act-2015:d.tie",
)
@pytest.mark.parametrize(
    ("hands", "result"), [pytest.param(hands, result, id=why) for hands, result, why in RESULTS]
)
def test_order_of_merit(hands: str, result: Result | None) -> None:
    assert fold(parse_drawn(hands), load_ruleset("tas-2018").tableau).result is result
