"""The roads: bead plate, big road and the three roads derived from it.

All are folds over results. The derived roads depend only on how long each streak of the big road
is, so they are the same everywhere. Where the big road bends is a matter of taste; here:

- a streak runs down its column; at the sixth row, or above an occupied cell, it turns right and
  from then on keeps right (the dragon's tail), even where the cell below is free again;
- the next streak starts at the top of the column right of where the last one started, or of the
  first column after it whose top is free;
- ties are counted on the cell they follow, and ties before the first decision on the first cell,
  which has no side until there is one.
"""

from collections.abc import Iterable
from itertools import groupby

from puntobanco import notebook
from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.coup import Result, Side

ROWS = 6
"""The rows of every road, before it turns right."""

LETTERS = {"P": Result.PLAYER, "B": Result.BANKER, "T": Result.TIE}
COLOUR = {"P": notebook.PLAYER, "B": notebook.BANKER, "T": notebook.TIE}
MARKED = {"R": notebook.BANKER, "B": notebook.PLAYER}
"""The derived roads are red and blue, and mean neither side by it."""
LETTER = {result: letter for letter, result in LETTERS.items()}


class Cell(Brief, frozen=True, array_like=True):
    """One entry of the big road; rows and columns count from zero.

    Its side is P or B, or T as long as a shoe has had ties alone.
    """

    row: int
    column: int
    side: str
    ties: int


class Marks(Brief, frozen=True):
    """The mark that each derived road would show next: R, B, or nothing yet."""

    big_eye_boy: str
    small_road: str
    cockroach_pig: str


class Roads(Brief, frozen=True):
    """All five roads, and what the derived ones would show next.

    >>> import puntobanco as pb
    >>> pb.draw_roads(pb.parse_results("BBPT"))
    Roads('BBPT')
    """

    bead_plate: str
    """Every result in order, a letter each; it is drawn six to a column."""
    big_road: tuple[Cell, ...]
    big_eye_boy: str
    small_road: str
    cockroach_pig: str
    if_banker: Marks
    if_player: Marks

    def __repr__(self) -> str:
        return f"Roads({self.bead_plate!r})"

    def _repr_svg_(self) -> str:
        """All five below one another, in a notebook."""
        beads = [
            notebook.Mark(at % ROWS, at // ROWS, COLOUR[letter], filled=True, text=letter)
            for at, letter in enumerate(self.bead_plate)
        ]
        big = [
            notebook.Mark(cell.row, cell.column, COLOUR[cell.side], text=str(cell.ties or ""))
            for cell in self.big_road
        ]
        derived = {
            "Big eye boy": self.big_eye_boy,
            "Small road": self.small_road,
            "Cockroach pig": self.cockroach_pig,
        }
        return notebook.grids(
            [
                ("Bead plate", beads),
                ("Big road", big),
                *((name, _marks(letters)) for name, letters in derived.items()),
            ]
        )


def parse_results(text: str) -> tuple[Result, ...]:
    """Read results from letters.

    >>> import puntobanco as pb
    >>> [str(result) for result in pb.parse_results("BPT")]
    ['banker', 'player', 'tie']
    >>> pb.parse_results("BX")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a result: 'X' (P, B or T)
    """
    for letter in text:
        if letter not in LETTERS:
            raise MalformedError(f"not a result: {letter!r} (P, B or T)")
    return tuple(LETTERS[letter] for letter in text)


def draw_roads(results: Iterable[Result]) -> Roads:
    """Draw all five roads.

    >>> import puntobanco as pb
    >>> pb.draw_roads(pb.parse_results("BBPPPPPP")).big_eye_boy
    'RBRRR'
    """
    letters = "".join(LETTER[result] for result in results)
    streaks = _streaks(letters)
    lengths = [len(streak) for streak in streaks]
    big_eye_boy, small_road, cockroach_pig = (_derived(lengths, gap) for gap in (1, 2, 3))
    return Roads(
        letters,
        _big_road(streaks) or _only_ties(letters),
        big_eye_boy,
        small_road,
        cockroach_pig,
        _next_marks(streaks, Side.BANKER),
        _next_marks(streaks, Side.PLAYER),
    )


def derived_layout(marks: str) -> tuple[Cell, ...]:
    """Lay a derived road out as the big road is: a column per streak of one colour."""
    return _big_road([[[mark, 0] for mark in streak] for _, streak in groupby(marks)])


def _marks(letters: str) -> list[notebook.Mark]:
    return [
        notebook.Mark(cell.row, cell.column, MARKED[cell.side], filled=cell.side == "R")
        for cell in derived_layout(letters)
    ]


def _streaks(letters: str) -> list[list[list[str | int]]]:
    """Split results into streaks of one side, each decision with the ties that followed it."""
    streaks: list[list[list[str | int]]] = []
    early_ties = 0
    for letter in letters:
        if letter == "T":
            if streaks:
                entry = streaks[-1][-1]
                entry[1] = int(entry[1]) + 1
            else:
                early_ties += 1
        elif streaks and streaks[-1][0][0] == letter:
            streaks[-1].append([letter, 0])
        else:
            streaks.append([[letter, 0 if streaks else early_ties]])
    return streaks


def _big_road(streaks: list[list[list[str | int]]]) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    start = -1
    for streak in streaks:
        start += 1
        while (0, start) in taken:
            start += 1
        row, column, turned = 0, start, False
        for step, (side, ties) in enumerate(streak):
            if step:
                turned = turned or row == ROWS - 1 or (row + 1, column) in taken
                row, column = (row, column + 1) if turned else (row + 1, column)
            taken.add((row, column))
            cells.append(Cell(row, column, str(side), int(ties)))
    return tuple(cells)


def _only_ties(letters: str) -> tuple[Cell, ...]:
    """Ties before any decision, on the first cell, which nobody has yet."""
    return (Cell(0, 0, "T", len(letters)),) if letters else ()


def _derived(lengths: list[int], gap: int) -> str:
    return "".join(
        mark
        for column, length in enumerate(lengths)
        for row in range(length)
        if (mark := _mark(lengths, column, row, gap))
    )


def _mark(lengths: list[int], column: int, row: int, gap: int) -> str:
    """Make one mark of a derived road: red where the big road repeats itself, blue where not.

    Starting a column asks whether the two columns before, `gap` apart, are equally long. Going
    on down asks whether the column `gap` to the left ended exactly one row above.
    """
    if row == 0:
        if column <= gap:
            return ""
        return "R" if lengths[column - 1] == lengths[column - 1 - gap] else "B"
    if column < gap:
        return ""
    return "B" if lengths[column - gap] == row else "R"


def _next_marks(streaks: list[list[list[str | int]]], side: Side) -> Marks:
    """Make the marks that would follow if the next coup went to this side."""
    lengths = [len(streak) for streak in streaks]
    column, row = len(lengths), 0
    if streaks and streaks[-1][0][0] == LETTER[Result(side)]:
        column, row = column - 1, lengths[-1]
    return Marks(*(_mark(lengths, column, row, gap) for gap in (1, 2, 3)))
