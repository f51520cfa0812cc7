"""Print what things cost here."""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle

from bench import (
    competition,
    cups,
    floor,
    hall,
    house,
    journal,
    live,
    lobby,
    numbers,
    proof,
    stage,
    table,
)
from puntobanco.roads import draw_roads, parse_results
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.competition.shipped import template_text
from puntobanco.rules.coup import Drawn
from puntobanco.rules.drawing import fold
from puntobanco.rules.notice import post, sample_notice
from puntobanco.rules.paper.notation import parse_wager
from puntobanco.rules.settle import settle
from puntobanco.rules.wagers import take

COUPS = ["9c Kd 2h 3s 5h 6d", "9c Kd Kh 5s", "6c Kd Kh 5s 4d", "2c Kd 3h 7s 4d", "7c Kd Kh 7s"]
WAGERS = [
    "1 p 100",
    "2 b 75",
    "3 t 10",
    "4 pp 20",
    "5 b 500",
    "6 p 25",
    "7 b 100",
    "8 bp 5",
    "9 p 50",
]
SHOE = "PBTBPTPBPBBBBPBPPBPPBPBBBPTPBBBPTPPPPBBPBBBBPPBBBPPPPBTPBTBPTPPBBBBBBPPPBPBPPBTB"


def rate(what: Callable[[], object], seconds: float = 1.0) -> float:
    """Calls a second, the best of three rounds."""
    best = 0.0
    for _ in range(3):
        calls, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds / 3:
            for _ in range(100):
                what()
            calls += 100
        best = max(best, calls / spent)
    return best


def fold_and_settle() -> float:
    terms = post(sample_notice("tas-2018"))
    coups = cycle([[Drawn(card) for card in parse_cards(text)] for text in COUPS])
    wagers = [parse_wager(text) for text in WAGERS]
    return rate(lambda: settle(fold(next(coups), terms.rules.tableau), take(wagers, terms), terms))


def lines_a_second(command: str, line: str, lines: int = 100_000) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "puntobanco", command, "-"],
        input=f"{line}\n" * lines,
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return lines / (time.perf_counter() - start)


def seconds_of(*args: str) -> float:
    """The quickest of five runs of the program, with the time it takes to start."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "puntobanco", *args], check=False, stdout=subprocess.DEVNULL
        )
        best = min(best, time.perf_counter() - start)
    return best


def proved() -> float:
    """`competition prove` of conditions that go up to a thousand entries."""
    text = re.sub(r"(?m)^max = \d+", "max = 1000", template_text("four-heats"), count=1)
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        return seconds_of("competition", "prove", file.name)


print(f"fold and settle, nine boxes    {fold_and_settle():>12,.0f} coups/s (wanted 20,000)")
drawn = rate(lambda: draw_roads(parse_results(SHOE)))
print(f"roads of an 80-coup shoe       {drawn:>12,.0f} shoes/s")
print(f"deal -                         {lines_a_second('deal', COUPS[0]):>12,.0f} lines/s")
settled = lines_a_second("settle", f"1 p 100, 2 b 75 : {COUPS[0]}")
print(f"settle -                       {settled:>12,.0f} lines/s")
print(f"roads -                        {lines_a_second('roads', SHOE):>12,.0f} lines/s")
print(f"puntobanco --help              {seconds_of('--help'):>12.2f} s (wanted under 0.30)")
print(f"prove up to 1,000 entries      {proved():>12.2f} s (wanted under 1.00)")
table.report()
journal.report()
proof.report()
house.report()
competition.report()
cups.report()
live.report()
hall.report()
lobby.report()
floor.report()
stage.report()
numbers.report()
