"""`puntobanco simulate`: whole shoes, very many of them, with the exact odds beside each figure."""

import csv
import secrets  # noqa: TID251  a seed for those who do not name one
import signal
import sys
import time  # noqa: TID251  how long it took
from collections.abc import Generator
from contextlib import AbstractContextManager, closing
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from puntobanco.cli import show
from puntobanco.cli.files.tidy_file import Write, tidy_file
from puntobanco.cli.show import Flag, Json
from puntobanco.errors import MalformedError
from puntobanco.odds.composition import full
from puntobanco.odds.course import is_simple, simple_ends
from puntobanco.odds.distribution import Distribution, distribution
from puntobanco.odds.wagers import PAIR_KINDS, PricedWager, pairs, wagers_of, worth
from puntobanco.rules.documents.ruleset import Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.sim.coups import columns_of, play_coups
from puntobanco.sim.run import Job, Totals, play_chunk, play_chunks
from puntobanco.sim.shoes import BANKER, BANKER_ON_6, ENDS, PLAYER, TIE, plan_for

MOST_COUPS = 10**13
USUAL_COUPS = 10**8
MOST_LINES = 10**9
"""Most coups written to a file; as CSV these take some 55 gigabytes."""
USUAL_LINES = 10**6
STOPPED = "stopped"


class Figure(Struct):
    """Something counted, its standard error, and what it should be."""

    name: str
    observed: float
    standard_error: float
    exact: float

    @property
    def z(self) -> float:
        off = self.observed - self.exact
        return off / self.standard_error if self.standard_error else 0.0


def simulate(
    *,
    ruleset: str = "tas-2018",
    decks: int = 8,
    coups: int | None = None,
    seed: int | None = None,
    suits: Flag = False,
    details: Flag = False,
    cluster: str | None = None,
    coups_to: Path | None = None,
    csv_file: Annotated[Path | None, Parameter(name="--csv")] = None,
    json: Json = False,
) -> int:
    """Simulate whole shoes on all cores, each figure with its standard error and exact value.

    Parameters
    ----------
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017: burn, marker and last coup are its own.
    decks
        How many decks.
    coups
        How many coups: 100 million when left out, 1 million with --coups-to.
    seed
        The same seed gives the same totals, on any number of cores or machines.
    suits
        Tell suits apart, for the kinds of pair.
    details
        Results by coup number, streaks and ties too; slower.
    cluster
        The address of a Dask scheduler to run on, such as tcp://127.0.0.1:8786.
    coups_to
        Write every coup to a file, one line each, such as coups.csv; .parquet and .arrow
        need the extra `arrow`. Figures are then of just these coups, with suits.
    csv_file
        Write the figures to a CSV file.
    json
        Print JSON.
    """
    rules = load_ruleset(ruleset)
    if not 1 <= decks <= 26:
        raise MalformedError(f"{decks} decks cannot be simulated: 1 to 26")
    most, usual = (MOST_COUPS, USUAL_COUPS) if coups_to is None else (MOST_LINES, USUAL_LINES)
    coups = usual if coups is None else coups
    if not 1 <= coups <= most:
        where = "" if coups_to is None else " into a file"
        raise MalformedError(f"{coups} coups cannot be simulated{where}: 1 to {most}")
    if seed is not None and seed < 0:
        raise MalformedError("a seed is a whole number, 0 or more")
    show.refuse_together(suits=suits, details=details)
    show.refuse_together(coups_to=coups_to, details=details)
    show.refuse_together(coups_to=coups_to, cluster=cluster is not None)
    writing = None if coups_to is None else tidy_file(coups_to)
    suits = suits or writing is not None
    chosen = secrets.randbits(48) if seed is None else seed
    if csv_file is not None:
        csv_file.touch()  # better to fail now than after the run
    job = Job(plan_for(rules, decks, suits=suits), coups, chosen, details)
    play_chunk(job, 0, 1)  # compile, or load what was compiled, before the clock starts
    start = time.perf_counter()
    chunks = play_chunks(job, cluster) if writing is None else _unbroken(_written(job, writing))
    totals, stopped = _run(job, chunks)
    seconds = time.perf_counter() - start
    if not totals.coups and stopped == STOPPED:
        print("puntobanco: stopped before the first coups were counted", file=sys.stderr)
        return 130
    if not totals.coups:
        raise MalformedError(stopped)
    counted = totals.first_coups(job.plan.always_dealt) if details else totals
    figures = _figures(counted, rules, decks, suits=suits)
    if json:
        show.print_json(_as_json(job, rules, totals, figures, seconds, counted.coups))
    else:
        _print(job, rules, totals, figures, seconds)
    if csv_file is not None:
        _write_csv(csv_file, figures, job, counted.coups)
    if stopped:
        said = f"{stopped} after {totals.coups:,} of {coups:,} coups"
        print(f"puntobanco: {said}", file=sys.stderr)
        return 130 if stopped == STOPPED else 2
    return 0


def _written(job: Job, file: AbstractContextManager[Write]) -> Generator[Totals, None, None]:
    """Write every coup to a file; yield the totals of those that have been written."""
    with file as write:
        for some in play_coups(job.plan, job.coups, job.seed):
            write(columns_of(some, job.plan.tableau))
            yield some.totals()


def _unbroken(chunks: Generator[Totals, None, None]) -> Generator[Totals, None, None]:
    """Hear an interrupt only between two chunks, so that what is written is what is counted."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with closing(chunks):
            for chunk in chunks:
                yield chunk
                if heard:
                    raise KeyboardInterrupt
    finally:
        signal.signal(signal.SIGINT, before)


def _run(job: Job, chunks: Generator[Totals, None, None]) -> tuple[Totals, str]:
    """Run to the end, or until something stops it: what is done so far is kept."""
    totals = Totals(job.details)
    columns = (
        TextColumn("coups"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    quiet, start = not sys.stderr.isatty(), time.perf_counter()
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=quiet
    ) as progress:
        task = progress.add_task("", total=job.coups, rate="")
        with closing(chunks):
            try:
                for chunk in chunks:
                    totals += chunk
                    rate = totals.coups / (time.perf_counter() - start) / 1e6
                    progress.update(task, completed=totals.coups, rate=f"{rate:.0f} M/s")
            except KeyboardInterrupt:
                return totals, STOPPED
            except MalformedError as error:
                return totals, str(error)
    return totals, ""


def _figures(totals: Totals, rules: Ruleset, decks: int, *, suits: bool) -> list[Figure]:
    """Every counted figure with its exact value."""
    ends, n = distribution(full(decks), rules.tableau), totals.coups
    banker = totals.end(BANKER) + totals.end(BANKER_ON_6)
    shares = {
        "player": (totals.end(PLAYER), Fraction(ends.where(result="player"), ends.total)),
        "banker": (banker, Fraction(ends.where(result="banker"), ends.total)),
        "tie": (totals.end(TIE), Fraction(ends.where(result="tie"), ends.total)),
        "banker on 6": (totals.end(BANKER_ON_6), Fraction(ends.banker_on_6, ends.total)),
    }
    for cards, count in ends.by_cards().items():
        shares[f"{cards} cards"] = (totals.cards(cards), Fraction(count, ends.total))
    if not totals.details:
        shares |= _pair_shares(totals, decks, suits=suits)
    figures = [_share(name, count, n, exact) for name, (count, exact) in shares.items()]
    counted = (totals.end(PLAYER), banker, totals.end(TIE), totals.end(BANKER_ON_6))
    seen = simple_ends(counted, rules.tableau.naturals)
    figures += [_return(wager, seen, ends, decks) for wager in wagers_of(rules) if is_simple(wager)]
    return figures


def _pair_shares(totals: Totals, decks: int, *, suits: bool) -> dict[str, tuple[int, Fraction]]:
    found = pairs(full(decks))
    assert found is not None, "a full shoe knows its cards"
    total, kinds = found
    shares: dict[str, tuple[int, Fraction]] = {}
    for hand, counts in zip(("player", "banker"), totals.pairs, strict=True):
        every = Fraction(sum(kinds.values()), total)
        shares[f"{hand} pair"] = (int(counts[1:].sum()), every)
        for kind, count in zip(PAIR_KINDS, counts[1:], strict=True):
            if suits:
                shares[f"{hand} pair, {kind}"] = (int(count), Fraction(kinds[kind], total))
    return shares


def _share(name: str, count: int, n: int, exact: Fraction) -> Figure:
    p = float(exact)
    return Figure(name, count / n, sqrt(p * (1 - p) / n), p)


def _return(wager: PricedWager, seen: Distribution, ends: Distribution, decks: int) -> Figure:
    """What a wager returned per coup."""
    exact = worth(wager, full(decks), ends)
    got = worth(wager, full(decks), seen)
    assert exact is not None
    assert got is not None
    error = sqrt(exact.variance / seen.total)
    return Figure(f"{wager.name}, return", float(got.ev), error, float(exact.ev))


def _as_json(
    job: Job, rules: Ruleset, totals: Totals, figures: list[Figure], seconds: float, counted: int
) -> dict[str, object]:
    player_pairs, banker_pairs = totals.pairs[:, 1:].sum(1).tolist()
    answer: dict[str, object] = {
        "ruleset": rules.id,
        "decks": job.plan.decks,
        "seed": job.seed,
        "coups": totals.coups,
        "results": {
            "player": totals.end(PLAYER),
            "banker": totals.end(BANKER) + totals.end(BANKER_ON_6),
            "tie": totals.end(TIE),
        },
        "banker_on_6": totals.end(BANKER_ON_6),
        "pairs": {"player": player_pairs, "banker": banker_pairs},
        "seconds": seconds,
        "coups_per_second": totals.coups / seconds,
        "figures_of_coups": counted,
        "figures": [
            {
                "name": figure.name,
                "observed": figure.observed,
                "standard_error": figure.standard_error,
                "exact": figure.exact,
                "z": figure.z,
            }
            for figure in figures
        ],
    }
    if job.plan.suits:
        answer["pair_kinds"] = {
            hand: dict(zip(PAIR_KINDS, counts[1:].tolist(), strict=True))
            for hand, counts in zip(("player", "banker"), totals.pairs, strict=True)
        }
    if job.details:
        answer["details"] = _details(totals)
        del answer["pairs"]
    return answer


def _details(totals: Totals) -> dict[str, object]:
    return {
        "by_coup_number": [
            {
                "player": int(row[PLAYER::ENDS].sum()),
                "banker": int(row[BANKER::ENDS].sum() + row[BANKER_ON_6::ENDS].sum()),
                "tie": int(row[TIE::ENDS].sum()),
            }
            for row in totals.by_number
            if row.any()
        ],
        "streaks": {
            side: {str(length): int(n) for length, n in enumerate(row) if n}
            for side, row in zip(("player", "banker"), totals.streaks, strict=True)
        },
        "ties_per_shoe": {str(ties): int(n) for ties, n in enumerate(totals.ties) if n},
        "coups_per_shoe": {str(coups): int(n) for coups, n in enumerate(totals.lengths) if n},
    }


def _print(job: Job, rules: Ruleset, totals: Totals, figures: list[Figure], seconds: float) -> None:
    show.console.print(
        f"{totals.coups:,} coups of {job.plan.decks} decks under {rules.id}, seed {job.seed}:"
        f" {seconds:.1f} s, {totals.coups / seconds / 1e6:.1f} million a second"
    )
    table = show.plain_table(
        "Figure", "Observed %", "± error", "Exact %", "Off by", right=(1, 2, 3, 4)
    )
    for figure in figures:
        table.add_row(
            figure.name,
            f"{figure.observed * 100:.5f}",
            f"{figure.standard_error * 100:.5f}",
            f"{figure.exact * 100:.5f}",
            f"{figure.z:+.2f} errors",
        )
    show.console.print(table)
    if job.details:
        always = job.plan.always_dealt
        show.console.print(f"Figures are of the first {always} coups of a shoe, always dealt.")
        _print_details(totals)
    else:
        show.console.print(
            "Exact is a coup from a full shoe. Shoes end by cards, so the cards a coup takes come"
            " out a little different over whole shoes; --details compares coups always dealt."
        )


def _print_details(totals: Totals) -> None:
    shoes = int(totals.lengths.sum())
    if not shoes:
        return
    coups = sum(length * int(n) for length, n in enumerate(totals.lengths)) / shoes
    ties = sum(number * int(n) for number, n in enumerate(totals.ties)) / shoes
    show.console.print(f"{shoes:,} whole shoes: {coups:.2f} coups and {ties:.2f} ties a shoe.")
    table = show.plain_table("Streaks of", "Player", "Banker", right=(0, 1, 2))
    for length in range(1, 13):
        player, banker = (int(row[length]) for row in totals.streaks)
        table.add_row(str(length), f"{player:,}", f"{banker:,}")
    longest = [max((at for at, n in enumerate(row) if n), default=0) for row in totals.streaks]
    show.console.print(table)
    show.console.print(f"Longest: Player {longest[0]}, Banker {longest[1]}.")


def _write_csv(file: Path, figures: list[Figure], job: Job, counted: int) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["figure", "observed", "standard_error", "exact", "z", "coups", "seed"])
        for figure in figures:
            row = [
                figure.name,
                figure.observed,
                figure.standard_error,
                figure.exact,
                figure.z,
                counted,
                job.seed,
            ]
            writer.writerow(row)
