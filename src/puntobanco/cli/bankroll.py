"""`puntobanco bankroll`: what becomes of a bankroll under a betting plan."""

import secrets  # noqa: TID251  a seed for those who do not name one
import sys
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress

from puntobanco.cli import show
from puntobanco.cli.files import drawing
from puntobanco.cli.files.tidy_file import Columns, tidy_file
from puntobanco.cli.show import Json
from puntobanco.errors import MalformedError
from puntobanco.odds.course import gains, is_simple
from puntobanco.odds.plot import Panel
from puntobanco.odds.wagers import wagers_of
from puntobanco.rules.documents.ruleset import Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.sim.bankroll import (
    PLANS,
    Betting,
    Fates,
    Paths,
    Runs,
    fates,
    paths_of,
    run_bankrolls,
    run_columns,
)
from puntobanco.sim.shoes import ShoePlan, plan_for

MOST_KEPT = 50_000_000
"""Coups of paths held in memory, 32 bytes each."""
MOST_DRAWN, MOST_POINTS = 200, 500
"""Paths in one drawing, and points of each."""


def bankroll(
    units: int,
    /,
    *,
    plan: str = "flat",
    bet: str = "player",
    target: int | None = None,
    longest: int = 500,
    limit: int = 1000,
    runs: int = 10_000,
    ruleset: str = "tas-2018",
    decks: int = 8,
    seed: int | None = None,
    runs_to: Path | None = None,
    paths: int = 50,
    paths_to: Path | None = None,
    plot: Path | None = None,
    json: Json = False,
) -> int:
    """Play a betting plan with a bankroll, many times over.

    Parameters
    ----------
    units
        The bankroll, in units of the smallest stake.
    plan
        flat, martingale, paroli or dalembert.
    bet
        player, tie, or a Banker wager of the rule set by name.
    target
        Units at which a run ends; twice the bankroll when left out.
    longest
        Coups after which a run ends.
    limit
        The most units on one coup.
    runs
        How many runs.
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017.
    decks
        How many decks.
    seed
        The same seed gives the same runs.
    runs_to
        Write one line per run to a file, such as runs.csv: coups, units at the end, fate.
        .parquet and .arrow need the extra `arrow`.
    paths
        Of how many runs, the first ones, --paths-to and --plot have every coup.
    paths_to
        Write one line per coup of these runs, such as to paths.csv: stake, units after it.
    plot
        Draw these runs, such as to paths.svg; .png and .pdf need the extra `plot`.
    json
        Print JSON.
    """
    rules = load_ruleset(ruleset)
    if not 1 <= runs <= 10**7:
        raise MalformedError(f"{runs} runs cannot be played: 1 to {10**7}")
    if not 1 <= decks <= 26:
        raise MalformedError(f"{decks} decks cannot be simulated: 1 to 26")
    if seed is not None and seed < 0:
        raise MalformedError("a seed is a whole number, 0 or more")
    kept = _paths_kept(paths, runs, longest) if paths_to or plot else 0
    writing = [None if file is None else tidy_file(file) for file in (runs_to, paths_to)]
    if plot is not None:
        drawing.check_drawable(plot)
    goal = 2 * units if target is None else target
    betting = _betting(rules, bet, plan, (units, goal, longest, limit))
    chosen = secrets.randbits(32) if seed is None else seed
    done, stopped = _run(plan_for(rules, decks), betting, runs, chosen, kept)
    found = fates(done, betting)
    for file, columns in zip(writing, _lines(done, betting, kept), strict=True):
        if file is not None:
            with file as write:
                write(columns)
    if plot is not None:
        _draw(plot, paths_of(done, kept), betting)
    if json:
        names = ("plan", "bankroll", "target", "longest", "limit")
        asked = {name: getattr(betting, name) for name in names}
        settings = {"ruleset": rules.id, "decks": decks, "bet": bet, **asked, "seed": chosen}
        show.print_json({**settings, "fates": found})
    else:
        _print_fates(betting, found, chosen)
    if stopped:
        print(f"puntobanco: stopped after {found.runs:,} of {runs:,} runs", file=sys.stderr)
    return 130 if stopped else 0


def _paths_kept(paths: int, runs: int, longest: int) -> int:
    """Of how many runs every coup is kept; refused if memory might not hold them."""
    kept = min(paths, runs)
    if paths < 1 or kept * longest > MOST_KEPT:
        raise MalformedError(
            f"{paths} paths of up to {longest} coups cannot be kept: 1 path or more, and no more"
            f" than {MOST_KEPT:,} coups in all"
        )
    return kept


def _lines(done: list[Runs], betting: Betting, kept: int) -> tuple[Columns, Columns]:
    """What the two files have: a line for each run, and one for each coup of the paths."""
    return run_columns(done, betting), paths_of(done, kept).columns()


def _draw(file: Path, found: Paths, betting: Betting) -> None:
    """Every path from the bankroll on; long ones are thinned to a point every few coups."""
    step = -(-int(found.coup.max()) // MOST_POINTS)
    begins = np.flatnonzero(found.coup == 1)[:MOST_DRAWN]
    ends = [*begins[1:], begins[-1] + int((found.run == begins.size).sum())]
    drawn = {
        str(run): [float(betting.bankroll), *found.units[begin:end].tolist()][::step]
        for run, (begin, end) in enumerate(zip(begins, ends, strict=True), 1)
    }
    xs = range(0, step * max(map(len, drawn.values())), step)
    title = f"{betting.plan}, {betting.bankroll} units: {show.counted(len(drawn), 'run')}"
    drawing.draw_panels(file, title, "coup", [Panel("units", xs, drawn, named=False)])


def _run(
    plan: ShoePlan, betting: Betting, runs: int, seed: int, paths: int
) -> tuple[list[Runs], bool]:
    """Play all runs, or until somebody stops it: those finished are kept."""
    done: list[Runs] = []
    quiet, console = not sys.stderr.isatty(), Console(stderr=True)
    with Progress(console=console, transient=True, disable=quiet) as progress:
        task = progress.add_task("runs", total=runs)
        try:
            for some in run_bankrolls(plan, betting, runs, seed, paths=paths):
                done.append(some)
                progress.update(task, advance=some.spans.size)
        except KeyboardInterrupt:
            return done, True
    return done, False


def _betting(rules: Ruleset, bet: str, plan: str, amounts: tuple[int, int, int, int]) -> Betting:
    wagers = {wager.name: wager for wager in wagers_of(rules) if is_simple(wager)}
    if bet not in wagers:
        raise MalformedError(f"no wager {bet[:40]!r} to simulate; choose {', '.join(wagers)}")
    for known in PLANS:
        if plan == known:
            return Betting(known, gains(wagers[bet]), *amounts)
    raise MalformedError(f"no betting plan {plan[:40]!r}; choose {', '.join(PLANS)}")


def _print_fates(betting: Betting, found: Fates, seed: int) -> None:
    show.console.print(
        f"{found.runs:,} runs of {betting.plan}, {betting.bankroll} units, to {betting.target}"
        f" or ruin or {betting.longest} coups; seed {seed}"
    )
    table = show.plain_table("", "", right=(1,))
    table.show_header = False
    rows = {
        "mean at the end": f"{found.mean:.3f} ± {found.standard_error:.3f}",
        "median": f"{found.median:.2f}",
        "least, most": f"{found.least:.2f}, {found.most:.2f}",
        "ruined": f"{found.ruined / found.runs * 100:.2f} %",
        "reached the target": f"{found.reached / found.runs * 100:.2f} %",
        "coups a run": f"{found.mean_coups:.1f}",
    }
    for name, text in rows.items():
        table.add_row(name, text)
    show.console.print(table)
