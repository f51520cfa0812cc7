"""Roads against vectors from two independent implementations, and their own laws."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.errors import MalformedError
from puntobanco.pictures.roads import ROWS
from puntobanco.roads import (
    Cell,
    Marks,
    Roads,
    derived_layout,
    draw_roads,
    format_results,
    parse_results,
)
from tests.kit.places import DATA

VECTORS = json.loads((DATA / "roads.json").read_text())["vectors"]
DERIVED = ("big_eye_boy", "small_road", "cockroach_pig")

results = st.text("PBT", max_size=90)
paired = st.lists(st.sampled_from([r + p for r in "PBT" for p in ("", "p", "b", "pb")]))


def drawn(text: str) -> Roads:
    return draw_roads(parse_results(text))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vector(vector: dict[str, object]) -> None:
    road = drawn(str(vector["results"]))
    cells = [[cell.row, cell.column, cell.side, cell.ties] for cell in road.big_road]
    assert cells == vector["big_road"]
    assert {name: getattr(road, name) for name in DERIVED} == {n: vector[n] for n in DERIVED}


@given(results)
def test_every_decision_has_a_cell_of_its_own_and_every_tie_is_counted(text: str) -> None:
    cells = drawn(text).big_road
    decisions = text.replace("T", "")
    assert [cell.side for cell in cells] == list(decisions or text[:1])
    assert len({(cell.row, cell.column) for cell in cells}) == len(cells)
    assert all(0 <= cell.row < ROWS for cell in cells)
    assert sum(cell.ties for cell in cells) == text.count("T")


@given(paired)
def test_pairs_are_read_kept_and_written_and_move_no_mark(letters: list[str]) -> None:
    text = "".join(letters)
    with_pairs, without = drawn(text), drawn(text.replace("p", "").replace("b", ""))
    assert format_results(parse_results(text)) == format_results(with_pairs.beads) == text
    assert [bead.letters for bead in with_pairs.beads] == letters
    assert [one.pairs for one in with_pairs.big_road if one.side != "T"] == [
        bead.pairs for bead in with_pairs.beads if bead.result != "tie"
    ]
    assert [
        tuple(getattr(one, n) for n in ("row", "column", "side", "ties"))
        for one in with_pairs.big_road
    ] == [
        tuple(getattr(one, n) for n in ("row", "column", "side", "ties"))
        for one in without.big_road
    ]
    assert all(getattr(with_pairs, name) == getattr(without, name) for name in DERIVED)
    assert (with_pairs.if_banker, with_pairs.if_player) == (without.if_banker, without.if_player)


def test_ties_before_any_decision_are_on_the_first_cell() -> None:
    assert drawn("TT").big_road == (Cell(0, 0, "T", 2),)
    assert drawn("TTB").big_road == (Cell(0, 0, "B", 2),)
    assert drawn("").big_road == ()


@given(results)
def test_ties_change_no_derived_road(text: str) -> None:
    with_ties, without = drawn(text), drawn(text.replace("T", ""))
    assert all(getattr(with_ties, name) == getattr(without, name) for name in DERIVED)


@given(results)
def test_swapping_the_sides_changes_no_derived_road(text: str) -> None:
    swapped = drawn(text.translate(str.maketrans("PB", "BP")))
    assert all(getattr(drawn(text), name) == getattr(swapped, name) for name in DERIVED)


@given(results)
def test_the_marks_for_the_next_coup_come_true(text: str) -> None:
    now = drawn(text)
    for letter, marks in (("B", now.if_banker), ("P", now.if_player)):
        then = drawn(text + letter)
        for name in DERIVED:
            assert getattr(then, name) == getattr(now, name) + getattr(marks, name)


def test_a_streak_turns_right_at_the_bottom_and_above_an_occupied_cell() -> None:
    tail = [(cell.row, cell.column) for cell in drawn("B" * 8).big_road]
    assert tail[5:] == [(5, 0), (5, 1), (5, 2)]
    second = [(c.row, c.column) for c in drawn("B" * 8 + "P" * 7).big_road if c.side == "P"]
    assert second == [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (4, 2), (4, 3)]


def test_a_tail_keeps_right_even_where_the_cell_below_is_free_again() -> None:
    cells = [(c.row, c.column) for c in drawn("B" * 8 + "P" * 9).big_road if c.side == "P"]
    assert cells[-4:] == [(4, 2), (4, 3), (4, 4), (4, 5)]


def test_before_anything_is_dealt() -> None:
    empty = drawn("")
    assert empty.if_banker == empty.if_player == Marks("", "", "")
    assert drawn("TTT").big_road == (Cell(0, 0, "T", 3),)


def test_a_derived_road_is_laid_out_in_streaks() -> None:
    cells = derived_layout("RRBBBR")
    assert [(c.row, c.column, c.side) for c in cells] == [
        (0, 0, "R"),
        (1, 0, "R"),
        (0, 1, "B"),
        (1, 1, "B"),
        (2, 1, "B"),
        (0, 2, "R"),
    ]


@pytest.mark.parametrize("text", ["X", "b", "P B", "PB\n", "Pbb", "pB"])
def test_what_is_no_result_says_so(text: str) -> None:
    with pytest.raises(MalformedError, match=r"not a result: .* \(P, B or T\)"):
        parse_results(text)
