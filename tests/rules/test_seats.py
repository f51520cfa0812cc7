"""Seats: numbering, neighbours, both ways round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.seats import Numbering, Seats
from tests.kit.clauses import clause, tas

tables = st.builds(Seats, st.sampled_from([7, 9]), st.sampled_from(["anticlockwise", "clockwise"]))


@given(tables, st.data())
def test_both_ways_round_visit_every_seat_once_and_mirror_each_other(
    seats: Seats, data: st.DataObject
) -> None:
    start = data.draw(st.integers(1, seats.count))
    clockwise, back = seats.clockwise_from(start), seats.anticlockwise_from(start)
    assert sorted(clockwise) == sorted(back) == list(range(1, seats.count + 1))
    assert clockwise[0] == back[0] == start
    assert clockwise[1:] == back[:0:-1]
    left, right = seats.neighbours(start)
    assert seats.right_of(left) == start == seats.left_of(right)


@clause(*tas("5.5"))
def test_the_left_of_a_player_is_the_next_seat_clockwise() -> None:
    assert Seats(9).left_of(4) == 3
    assert Seats(9, "clockwise").left_of(4) == 5


@pytest.mark.parametrize(
    ("numbering", "seat", "order"),
    [("anticlockwise", 1, (1, 2, 3, 4, 5, 6, 7)), ("clockwise", 7, (7, 6, 5, 4, 3, 2, 1))],
)
def test_the_puck_starts_at_the_dealers_right_and_goes_anticlockwise(
    numbering: Numbering, seat: int, order: tuple[int, ...]
) -> None:
    seats = Seats(7, numbering)
    assert seats.at_dealers_right == seat
    assert seats.anticlockwise_from(seat) == order


def test_the_next_taken_seat() -> None:
    seats = Seats(7)
    assert seats.next_in(seats.clockwise_from(3), {6, 1}) == 1
    assert seats.next_in(seats.clockwise_from(3), set()) is None
