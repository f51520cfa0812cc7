"""What odds and simulation cost, and how the kernel compares with the same algorithm in C."""

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puntobanco.odds.composition import full
from puntobanco.odds.distribution import distribution
from puntobanco.odds.kernel import count as count_one
from puntobanco.odds.kernel import count_batch
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.sim import kernels
from puntobanco.sim.kernels import state_of
from puntobanco.sim.run import CHUNK, Job, Totals, play_chunks
from puntobanco.sim.shoes import ShoePlan, kernel_plan, lookup_tables, new_shoes, plan_for

COUPS = 40_000_000


def odds_batch_us() -> float:
    """Microseconds a composition, in batches, exhausted values among them."""
    batch = np.random.default_rng(1).integers(0, 33, (20_000, 10)).astype(np.int64)
    batch[::3, 4] = 0
    batch[:, 0] += 6
    tableau = load_ruleset("tas-2018").tableau
    count_batch(batch[:10], tableau)
    return min(_seconds(lambda: count_batch(batch, tableau)) for _ in range(5)) / 20_000 * 1e6


def odds_single_us() -> float:
    tableau, by_value = load_ruleset("tas-2018").tableau, full(8).by_value
    count_one(by_value, tableau)

    def many() -> None:
        for _ in range(10_000):
            count_one(by_value, tableau)

    return min(_seconds(many) for _ in range(5)) / 10_000 * 1e6


def distribution_ms() -> float:
    tableau = load_ruleset("tas-2018").tableau
    return min(_seconds(lambda: distribution(full(8), tableau)) for _ in range(5)) * 1e3


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Rates:
    """Millions of coups a second: numba and C, taking turns, best of five each."""

    def __init__(self, plan: ShoePlan) -> None:
        self.plan = plan
        self.numba = self.c = 0.0
        in_c = compiled_c()
        self._numba()  # compile, or load what was compiled
        for _ in range(5):
            self.numba = max(self.numba, self._numba())
            if in_c:
                self.c = max(self.c, self._c(in_c))

    def _numba(self) -> float:
        counts, pairs = np.zeros((8, 16), np.int64), np.zeros((2, 4), np.int64)
        args = (
            state_of(1, 0),
            new_shoes(self.plan),
            kernel_plan(self.plan),
            lookup_tables(self.plan),
        )
        seconds = _seconds(lambda: kernels.count_coups(*args, COUPS, counts, pairs))
        self.totals = counts
        return COUPS / seconds / 1e6

    def _c(self, library: ctypes.CDLL) -> float:
        counts, pairs = np.zeros((8, 16), np.int64), np.zeros((2, 4), np.int64)
        cards, behind, extra, burn = kernel_plan(self.plan)
        *arrays, shift = lookup_tables(self.plan)
        state, shoes = state_of(1, 0), new_shoes(self.plan)
        number = ctypes.c_uint64
        args = [
            _at(state),
            _at(shoes),
            number(int(cards)),
            number(int(behind)),
            ctypes.c_int(extra),
        ]
        args += [number(int(burn)), *map(_at, arrays), number(int(shift)), ctypes.c_int64(COUPS)]
        seconds = _seconds(lambda: library.count(*args, _at(counts), _at(pairs)))
        assert (counts == self.totals).all(), "C and numba must deal the same coups"
        return COUPS / seconds / 1e6


def _at(array: NDArray[Any]) -> ctypes.c_void_p:
    """An array's address; the caller keeps the array alive."""
    return ctypes.c_void_p(array.ctypes.data)


def compiled_c() -> ctypes.CDLL | None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        print("no C compiler: the comparison with C is left out")
        return None
    target = Path(tempfile.mkdtemp()) / "shoes.so"
    source = Path(__file__).with_name("shoes.c")
    options = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([compiler, *options, str(source), "-o", str(target)], check=True)
    return ctypes.CDLL(str(target))


def all_cores() -> float:
    job = Job(plan_for(load_ruleset("tas-2018"), 8), 60 * CHUNK, 1)
    best = 0.0
    for _ in range(3):
        totals = Totals()
        start = time.perf_counter()
        for chunk in play_chunks(job):
            totals += chunk
        best = max(best, totals.coups / (time.perf_counter() - start) / 1e6)
    return best


def report() -> None:
    print(f"odds, in batches               {odds_batch_us():>12.2f} µs (wanted 5 or less)")
    print(f"odds, one call                 {odds_single_us():>12.2f} µs (wanted 10 or less)")
    print(f"all ends of a coup, in Python  {distribution_ms():>12.1f} ms")
    rules = load_ruleset("tas-2018")
    for name, suits in (("ranks", False), ("suits", True)):
        rates = Rates(plan_for(rules, 8, suits=suits))
        print(f"simulation, {name}, one core     {rates.numba:>12.1f} million coups/s (wanted 60)")
        if rates.c:
            print(f"  the same in C                {rates.c:>12.1f} million coups/s")
            print(f"  ratio                        {rates.numba / rates.c:>12.2f} (wanted 0.90)")
    print(f"simulation, all cores          {all_cores():>12.1f} million coups/s")
