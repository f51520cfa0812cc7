"""Seats around a table, and who sits next to whom.

The diagrams of the documents are lost. Offering the cut "clockwise from the highest numbered
place" [tas-2018:5.3] reads naturally as 9, 8 ... 1, so seats are numbered anticlockwise from the
dealer's right; a table that is numbered the other way says so on its notice.
"""

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

Numbering = Literal["anticlockwise", "clockwise"]


class Seats(Struct, frozen=True):
    count: int
    numbering: Numbering = "anticlockwise"

    def clockwise_from(self, seat: int) -> tuple[int, ...]:
        """Every seat once, clockwise, starting with this one.

        >>> Seats(7).clockwise_from(2)
        (2, 1, 7, 6, 5, 4, 3)
        """
        step = -1 if self.numbering == "anticlockwise" else 1
        return tuple((seat - 1 + step * turn) % self.count + 1 for turn in range(self.count))

    def anticlockwise_from(self, seat: int) -> tuple[int, ...]:
        """Every seat once, anticlockwise, starting with this one.

        >>> Seats(7).anticlockwise_from(6)
        (6, 7, 1, 2, 3, 4, 5)
        """
        first, *others = self.clockwise_from(seat)
        return (first, *reversed(others))

    def left_of(self, seat: int) -> int:
        """The neighbour on a seated player's left: clockwise seen from above.

        >>> Seats(9).left_of(4), Seats(9).left_of(1)
        (3, 9)
        """
        return self.clockwise_from(seat)[1]

    def right_of(self, seat: int) -> int:
        return self.clockwise_from(seat)[-1]

    def neighbours(self, seat: int) -> tuple[int, int]:
        """The seats on the left and on the right of this one."""
        return self.left_of(seat), self.right_of(seat)

    @property
    def at_dealers_right(self) -> int:
        """The seat at the dealer's immediate right [tas-2018:16.5.4]."""
        return 1 if self.numbering == "anticlockwise" else self.count

    def next_in(self, order: tuple[int, ...], taken: Collection[int]) -> int | None:
        """Find the first seat of an order that somebody sits in."""
        return next((seat for seat in order if seat in taken), None)
