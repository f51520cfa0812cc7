"""Running a simulation in chunks, on the cores of this machine or on a Dask cluster.

A chunk is a number of coups with a random stream of its own, so its totals depend on the seed and
its number alone. Totals are whole numbers and add up the same in any order: the seed fixes them,
on any number of cores or machines, and a chunk run twice by a cluster counts once.
"""

import os
import re
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from importlib import import_module
from itertools import islice
from typing import Any, Self

import numpy as np

from puntobanco import notebook
from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.sim import kernels
from puntobanco.sim.kernels import state_of
from puntobanco.sim.shoes import ENDS, ShoePlan, kernel_plan, lookup_tables, new_shoes, plan_for

CHUNK = 2**22
ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?[^\s/:]+:\d{1,5}")
NUMBERS, STREAK, TIES = 512, 512, 512
"""Longer than any shoe of 26 decks can show."""


class Job(Brief, frozen=True):
    plan: ShoePlan
    coups: int
    seed: int
    details: bool = False
    """Streaks, ties and results by coup number too: slower."""

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Each chunk's number, and its coups."""
        for index, start in enumerate(range(0, self.coups, CHUNK)):
            yield index, min(CHUNK, self.coups - start)


class Totals:
    """What was counted; totals of chunks add up.

    >>> import puntobanco as pb
    >>> totals = pb.simulate("mbs-2017", coups=1000, seed=7)
    >>> totals.coups, sum(totals.cards(number) for number in (4, 5, 6))
    (1000, 1000)
    """

    def __init__(self, details: bool = False) -> None:
        self.ends = np.zeros(ENDS * 3, np.int64)
        self.pairs = np.zeros((2, 4), np.int64)
        self.by_number = np.zeros((NUMBERS, ENDS * 3), np.int64)
        self.streaks = np.zeros((2, STREAK), np.int64)
        self.ties = np.zeros(TIES, np.int64)
        self.lengths = np.zeros(NUMBERS, np.int64)
        self.details = details

    def __iadd__(self, other: "Totals") -> Self:
        for name in ("ends", "pairs", "by_number", "streaks", "ties", "lengths"):
            getattr(self, name).__iadd__(getattr(other, name))
        return self

    def __repr__(self) -> str:
        player, banker, tie, on_6 = (self.end(end) for end in range(ENDS))
        return f"Totals({self.coups} coups: Player {player}, Banker {banker + on_6}, Tie {tie})"

    def _repr_html_(self) -> str:
        """Ends and lengths, in a notebook."""
        player, banker, tie, on_6 = (self.end(end) for end in range(ENDS))
        counted = {"Player": player, "Banker": banker + on_6, "of these on 6": on_6, "Tie": tie}
        counted |= {f"{cards} cards": self.cards(cards) for cards in (4, 5, 6)}
        coups = self.coups
        rows = [
            (name, f"{n:,}", f"{n / coups:.4%}" if coups else "") for name, n in counted.items()
        ]
        return notebook.html_table(("", "Coups", "Share"), rows, f"{coups:,} coups")

    @property
    def coups(self) -> int:
        return int(self.ends.sum())

    def first_coups(self, number: int) -> "Totals":
        """Totals of the first `number` coups of each shoe; counted only with details."""
        first = Totals(details=True)
        first.by_number = self.by_number[:number]
        first.ends = first.by_number.sum(0)
        return first

    def end(self, end: int) -> int:
        """Coups with this end: PLAYER, BANKER (not on 6), TIE or BANKER_ON_6."""
        return int(self.ends[end::ENDS].sum())

    def cards(self, cards: int) -> int:
        """Coups that took this many cards."""
        return int(self.ends[ENDS * (cards - 4) : ENDS * (cards - 3)].sum())


def simulate(ruleset: str = "", decks: int = 8, *, coups: int, seed: int) -> Totals:
    """Play whole shoes under a rule set and count how their coups end; needs the extra `sim`.

    >>> import puntobanco as pb
    >>> pb.simulate("tas-2018", coups=100_000, seed=1)
    Totals(100000 coups: Player 44805, Banker 45718, Tie 9477)
    """
    totals = Totals()
    for chunk in play_chunks(
        Job(plan_for(load_ruleset(ruleset or RULESETS[0]), decks), coups, seed)
    ):
        totals += chunk
    return totals


def play_chunk(job: Job, index: int, coups: int) -> Totals:
    """Play one chunk of a job, on one core; the same chunk comes out the same everywhere."""
    totals, plan = Totals(job.details), kernel_plan(job.plan)
    shoes, lookup = new_shoes(job.plan), lookup_tables(job.plan)
    state = state_of(job.seed, index)
    if not job.details:
        counts = np.zeros((kernels.LANES, 16), np.int64)
        kernels.count_coups(state, shoes, plan, lookup, coups, counts, totals.pairs)
        totals.ends += counts.sum(0)[: ENDS * 3]
        return totals
    results = np.empty(coups, np.uint8)
    kernels.trace(state, shoes[0], plan, lookup, results)
    kernels.statistics(results, totals.by_number, totals.streaks, totals.ties, totals.lengths)
    totals.ends += totals.by_number.sum(0)
    return totals


def play_chunks(job: Job, cluster: str | None = None) -> Generator[Totals, None, None]:
    """Yield each chunk's totals as it is done."""
    return _on_cores(job) if cluster is None else _on_cluster(job, cluster)


def _on_cores(job: Job) -> Generator[Totals, None, None]:
    """Threads are enough: the kernels run without the interpreter's lock."""
    cores = os.cpu_count() or 1
    chunks = job.chunks()
    pool = ThreadPoolExecutor(cores)
    try:
        pending = {pool.submit(play_chunk, job, *chunk) for chunk in islice(chunks, 2 * cores)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {pool.submit(play_chunk, job, *chunk) for chunk in islice(chunks, len(done))}
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _on_cluster(job: Job, address: str) -> Generator[Totals, None, None]:
    """A worker that is lost loses no chunk: the scheduler gives it to another."""
    client = _connect(address)
    try:
        chunks = job.chunks()
        completed: Any = import_module("distributed").as_completed
        at_once = max(64, 4 * sum(client.nthreads().values()))
        futures = [_submit(client, job, *chunk) for chunk in islice(chunks, at_once)]
        results = completed(futures, loop=client.loop, with_results=True, raise_errors=False)
        for _, totals in results:
            if not isinstance(totals, Totals):
                raise MalformedError(f"the cluster at {address[:80]!r} gave up a chunk of coups")
            for chunk in islice(chunks, 1):
                results.add(_submit(client, job, *chunk))
            yield totals
    finally:
        client.close()


def _submit(client: Any, job: Job, index: int, coups: int) -> Any:
    return client.submit(play_chunk, job, index, coups, pure=False)


def _connect(address: str) -> Any:
    try:
        client: Any = import_module("distributed").Client
    except ImportError as error:
        raise MalformedError("a cluster needs Dask: pip install 'puntobanco[cluster]'") from error
    if not ADDRESS.fullmatch(address):
        raise MalformedError(
            f"no cluster answers at {address[:80]!r}: not host:port, tcp://host:port"
        )
    try:
        connected = client(address, timeout="5s", set_as_default=False)
    except OSError as error:
        raise MalformedError(f"no cluster answers at {address[:80]!r}: {error}") from error
    try:
        connected.wait_for_workers(1, timeout=15)
    except TimeoutError as error:
        connected.close()
        raise MalformedError(f"the cluster at {address[:80]!r} has no workers") from error
    return connected
