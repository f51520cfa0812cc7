"""The roads: bead plate, big road and the three roads derived from it.

All are folds over results. The derived roads depend only on how long each streak of the big road
is, so they are the same everywhere. Where the big road bends is a matter of taste; here:

- a streak runs down its column; at the sixth row, or above an occupied cell, it turns right and
  from then on keeps right (the dragon's tail), even where the cell below is free again;
- the next streak starts at the top of the column right of where the last one started, or of the
  first column after it whose top is free;
- ties are counted on the cell they follow, and ties before the first decision on the first cell,
  which has no side until there is one; pairs of a tied coup are on the bead plate alone.
"""

import re
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.pictures.roads import ROWS, Mark, Road, board
from puntobanco.rules.coup import Result, Side
from puntobanco.words.pages import PAGES

LETTERS = {"P": Result.PLAYER, "B": Result.BANKER, "T": Result.TIE}
LETTER = {result: letter for letter, result in LETTERS.items()}
PAIRS = {"p": Side.PLAYER, "b": Side.BANKER}
RESULT = re.compile(r"([PBT])(pb|bp|p|b|)")
"""A letter, and of each hand that was a pair its own small one."""
RED, BLUE = "R", "B"
"""The derived roads are red and blue, and mean neither side by it."""
TONES = {RED: "B", BLUE: "P"}
LAST = 3
"""How many of the newest marks a road says in words."""


class Bead(Brief, frozen=True):
    """The result of one coup, and the hands whose first two cards were a pair."""

    result: Result
    pairs: tuple[Side, ...] = ()

    @property
    def letters(self) -> str:
        """As `parse_results` reads it."""
        return LETTER[self.result] + "".join(key for key in PAIRS if PAIRS[key] in self.pairs)


class Cell(Brief, frozen=True, array_like=True):
    """One entry of the big road; rows and columns count from zero.

    Its side is P or B, or T as long as a shoe has had ties alone.
    """

    row: int
    column: int
    side: str
    ties: int
    pairs: tuple[Side, ...] = ()


class Marks(Brief, frozen=True):
    """The mark that each derived road would show next: R, B, or nothing yet."""

    big_eye_boy: str
    small_road: str
    cockroach_pig: str


class Roads(Brief, frozen=True):
    """All five roads, and what the derived ones would show next.

    >>> import puntobanco as pb
    >>> pb.draw_roads(pb.parse_results("BBpPT"))
    Roads('BBpPT')
    """

    bead_plate: str
    """Every result in order, a letter each; it is drawn six to a column."""
    big_road: tuple[Cell, ...]
    big_eye_boy: str
    small_road: str
    cockroach_pig: str
    if_banker: Marks
    if_player: Marks
    pairs: tuple[tuple[Side, ...], ...] = ()
    """By result, the hands whose first two cards were a pair."""

    @property
    def beads(self) -> tuple[Bead, ...]:
        pairs = self.pairs or ((),) * len(self.bead_plate)
        return tuple(map(Bead, (LETTERS[letter] for letter in self.bead_plate), pairs))

    def __repr__(self) -> str:
        return f"Roads({format_results(self.beads)!r})"

    def _repr_svg_(self) -> str:
        """All five below one another, in a notebook."""
        return board(pictured(self))


def parse_results(text: str) -> tuple[Result | Bead, ...]:
    """Read results from letters; a hand that was a pair adds its own small letter.

    >>> import puntobanco as pb
    >>> [str(result) for result in pb.parse_results("BPT")]
    ['banker', 'player', 'tie']
    >>> pb.parse_results("Tpb")
    (Bead(result=<Result.TIE: 'tie'>, pairs=(<Side.PLAYER: 'player'>, <Side.BANKER: 'banker'>)),)
    >>> pb.parse_results("BX")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a result: 'X' (P, B or T)
    """
    read, at = list[Result | Bead](), 0
    while at < len(text):
        found = RESULT.match(text, at)
        if found is None:
            raise MalformedError(f"not a result: {text[at]!r} (P, B or T)")
        result, pairs = LETTERS[found[1]], tuple(PAIRS[key] for key in PAIRS if key in found[2])
        read.append(Bead(result, pairs) if pairs else result)
        at = found.end()
    return tuple(read)


def format_results(results: Iterable[Result | Bead]) -> str:
    """Write results as `parse_results` reads them.

    >>> format_results([Result.BANKER, Bead(Result.TIE, (Side.BANKER,))])
    'BTb'
    """
    return "".join(bead.letters for bead in _as_beads(results))


def _as_beads(results: Iterable[Result | Bead]) -> tuple[Bead, ...]:
    return tuple(one if isinstance(one, Bead) else Bead(one) for one in results)


def draw_roads(results: Iterable[Result | Bead]) -> Roads:
    """Draw all five roads.

    >>> import puntobanco as pb
    >>> pb.draw_roads(pb.parse_results("BBPPPPPP")).big_eye_boy
    'RBRRR'
    """
    beads = _as_beads(results)
    streaks = _streaks(beads)
    lengths = [len(streak) for streak in streaks]
    big_eye_boy, small_road, cockroach_pig = (_derived(lengths, gap) for gap in (1, 2, 3))
    return Roads(
        "".join(LETTER[bead.result] for bead in beads),
        _big_road(streaks) or _only_ties(beads),
        big_eye_boy,
        small_road,
        cockroach_pig,
        _next_marks(streaks, Side.BANKER),
        _next_marks(streaks, Side.PLAYER),
        tuple(bead.pairs for bead in beads) if any(bead.pairs for bead in beads) else (),
    )


def derived_layout(marks: str) -> tuple[Cell, ...]:
    """Lay a derived road out as the big road is: a column per streak of one colour."""
    return _big_road([[_Entry(mark) for mark in streak] for _, streak in groupby(marks)])


class _Entry(NamedTuple):
    """One decision, with the ties that followed it."""

    side: str
    pairs: tuple[Side, ...] = ()
    ties: int = 0


def _streaks(beads: tuple[Bead, ...]) -> list[list[_Entry]]:
    """Split results into streaks of one side."""
    streaks: list[list[_Entry]] = []
    early_ties = 0
    for bead in beads:
        letter = LETTER[bead.result]
        if letter != "T":
            entry = _Entry(letter, bead.pairs, 0 if streaks else early_ties)
            if streaks and streaks[-1][0].side == letter:
                streaks[-1].append(entry)
            else:
                streaks.append([entry])
        elif streaks:
            last = streaks[-1][-1]
            streaks[-1][-1] = last._replace(ties=last.ties + 1)
        else:
            early_ties += 1
    return streaks


def _big_road(streaks: list[list[_Entry]]) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    start = -1
    for streak in streaks:
        start += 1
        while (0, start) in taken:
            start += 1
        row, column, turned = 0, start, False
        for step, entry in enumerate(streak):
            if step:
                turned = turned or row == ROWS - 1 or (row + 1, column) in taken
                row, column = (row, column + 1) if turned else (row + 1, column)
            taken.add((row, column))
            cells.append(Cell(row, column, entry.side, entry.ties, entry.pairs))
    return tuple(cells)


def _only_ties(beads: tuple[Bead, ...]) -> tuple[Cell, ...]:
    """Ties before any decision, on the first cell, which nobody has yet."""
    return (Cell(0, 0, "T", len(beads)),) if beads else ()


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
        return RED if lengths[column - 1] == lengths[column - 1 - gap] else BLUE
    if column < gap:
        return ""
    return BLUE if lengths[column - gap] == row else RED


def _next_marks(streaks: list[list[_Entry]], side: Side) -> Marks:
    """Make the marks that would follow if the next coup went to this side."""
    lengths = [len(streak) for streak in streaks]
    column, row = len(lengths), 0
    if streaks and streaks[-1][0].side == LETTER[Result(side)]:
        column, row = column - 1, lengths[-1]
    return Marks(*(_mark(lengths, column, row, gap) for gap in (1, 2, 3)))


# as pictures


def pictured(drawn: Roads) -> tuple[Road, ...]:
    """All five as `pictures.roads` draws them, each with its name and what it says in words."""
    beads = [
        Mark(at % ROWS, at // ROWS, LETTER[bead.result], pairs=_tones(bead.pairs))
        for at, bead in enumerate(drawn.beads)
    ]
    big = [
        Mark(cell.row, cell.column, cell.side, cell.ties, _tones(cell.pairs))
        for cell in drawn.big_road
    ]
    derived = {
        "big-eye-boy": drawn.big_eye_boy,
        "small-road": drawn.small_road,
        "cockroach-pig": drawn.cockroach_pig,
    }
    return (
        Road("bead-plate", PAGES["bead-plate"], _say_beads(drawn.beads), beads),
        Road("big-road", PAGES["big-road"], _say_big(drawn.big_road), big),
        *(_derived_picture(kind, marks) for kind, marks in derived.items()),
    )


def _derived_picture(kind: str, marks: str) -> Road:
    laid = [Mark(cell.row, cell.column, TONES[cell.side]) for cell in derived_layout(marks)]
    newest = ", ".join(PAGES[f"road.{mark}"] for mark in reversed(marks[-LAST:]))
    said = {"name": PAGES[kind], "count": len(marks), "newest": newest}
    return Road(
        kind, PAGES[kind], PAGES["road.derived" if marks else "road.empty"].format(**said), laid
    )


def _tones(pairs: tuple[Side, ...]) -> str:
    return "".join(LETTER[Result(side)] for side in pairs)


def _say_beads(beads: tuple[Bead, ...]) -> str:
    name = PAGES["bead-plate"]
    if not beads:
        return PAGES["road.empty"].format(name=name)
    counts = {str(result): sum(bead.result is result for bead in beads) for result in Result}
    pairs = sum(len(bead.pairs) for bead in beads)
    newest = ", ".join(PAGES[bead.result] for bead in reversed(beads[-LAST:]))
    return PAGES["road.beads"].format(name=name, **counts, pairs=pairs, newest=newest)


def _say_big(cells: tuple[Cell, ...]) -> str:
    name = PAGES["big-road"]
    if not cells:
        return PAGES["road.empty"].format(name=name)
    last = cells[-1]
    streak = next(
        (at for at, cell in enumerate(reversed(cells)) if cell.side != last.side), len(cells)
    )
    said = {"streaks": len(list(groupby(cell.side for cell in cells))), "streak": streak}
    return PAGES["road.big"].format(
        name=name, **said, side=PAGES[LETTERS[last.side]], ties=last.ties
    )
