"""`puntobanco roads`: draw the five roads of a string of results."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.text import Text

from puntobanco import roads as road
from puntobanco.cli import show
from puntobanco.cli.show import Json, Words
from puntobanco.errors import MalformedError
from puntobanco.pictures.roads import ROWS
from puntobanco.roads import Marks, Roads
from puntobanco.rules.paper.notation import parse_shoe
from puntobanco.rules.paper.playthrough import PlayedCoup, play_shoe

SIDES = {"P": "bold blue", "B": "bold red", "T": "bold green"}
MARKS = {"R": ("●", "red"), "B": ("○", "blue")}
TIES = " ¹²³⁴⁵⁶⁷⁸⁹"
DERIVED = {
    "big_eye_boy": "Big eye boy",
    "small_road": "Small road",
    "cockroach_pig": "Cockroach pig",
}


def roads(results: Words = "", /, *, shoe: Path | None = None, json: Json = False) -> int:
    """Draw bead plate, big road, big eye boy, small road and cockroach pig.

    Parameters
    ----------
    results
        Letters P, B and T in order, such as BBPTB; a hand that was a pair adds p or b (BbPTp).
        Or - for one string a line.
    shoe
        Take the results of a whole shoe in the notation.
    json
        Print JSON: big_road has [row, column, side, ties, pairs]; the derived roads R red, B blue.
    """
    show.refuse_options([results], "roads")
    if results and shoe is not None:
        raise MalformedError("--shoe brings its own results; name no others")
    if results == "-":
        return show.json_lines(lambda line: road.draw_roads(road.parse_results(line.strip())))
    if shoe is not None:
        played = play_shoe(parse_shoe(show.read_file(shoe)))
        drawn = road.draw_roads(beads_of(played))
    else:
        drawn = road.draw_roads(road.parse_results(results))
    if json:
        show.print_json(drawn)
    else:
        print_roads(drawn)
    return 0


def beads_of(played: Iterable[PlayedCoup]) -> Iterator[road.Bead]:
    """The results of coups that came to one, with their pairs."""
    return (road.Bead(one.result, one.coup.pairs) for one in played if one.result)


def print_roads(drawn: Roads) -> None:
    """Draw all five, six rows each, the newest columns that fit; legible without colour."""
    beads = [divmod(index, ROWS) for index in range(len(drawn.bead_plate))]
    plate = zip(beads, drawn.bead_plate, strict=True)
    _draw("Bead plate", {(row, column): (mark, SIDES[mark]) for (column, row), mark in plate})
    _draw(
        "Big road (raised figures count ties)",
        {
            (cell.row, cell.column): (cell.side + _ties(cell.ties), SIDES[cell.side])
            for cell in drawn.big_road
        },
    )
    for name, title in DERIVED.items():
        cells = road.derived_layout(getattr(drawn, name))
        _draw(f"{title} (● red, ○ blue)", {(one.row, one.column): MARKS[one.side] for one in cells})
    _draw_next("Banker", drawn.if_banker)
    _draw_next("Player", drawn.if_player)


def _ties(count: int) -> str:
    return "" if not count else TIES[count] if count < len(TIES) else "⁺"


def _draw(title: str, cells: dict[tuple[int, int], tuple[str, str]]) -> None:
    width = max((column for _, column in cells), default=-1) + 1
    first = max(0, width - show.console.width // 2)
    cut = f", last {width - first} columns" if first else ""
    show.console.print(Text(title + cut, style="dim"))
    for row in range(ROWS if cells else 0):
        line = Text()
        for column in range(first, width):
            mark, style = cells.get((row, column), ("·", "dim"))
            line.append(f"{mark:2}", style=style)
        show.console.print(line)
    show.console.print()


def _draw_next(side: str, marks: Marks) -> None:
    """What the derived roads would show if the next coup went to this side."""
    line = Text(f"If the next is {side}:")
    for name, title in DERIVED.items():
        mark, style = MARKS.get(getattr(marks, name), ("–", "dim"))
        line.append(f"  {title.lower()} ")
        line.append(mark, style=style)
    show.console.print(line)
