"""Simulation: fair draws, shoes that end where the rules say, totals that the seed alone fixes."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from numba import njit

from puntobanco.cli.simulate import _figures
from puntobanco.errors import MalformedError
from puntobanco.rules.cards import Card, pair
from puntobanco.rules.coup import Drawn
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import fold
from puntobanco.sim import bankroll, kernels
from puntobanco.sim import run as running
from puntobanco.sim.bankroll import PLANS, Betting, Plan, fates, run_bankrolls
from puntobanco.sim.kernels import U, multiply, products, six, state_of, step
from puntobanco.sim.run import Job, Totals, play_chunk, play_chunks
from puntobanco.sim.shoes import (
    ENDS,
    ShoePlan,
    end_table,
    kernel_plan,
    lookup_tables,
    new_shoes,
    plan_for,
)

TAS = load_ruleset("tas-2018")
halves: Any = multiply  # numba's stubs count the compiler's own argument


def totals_of(job: Job, cluster: str | None = None) -> Totals:
    totals = Totals(job.details)
    for chunk in play_chunks(job, cluster):
        totals += chunk
    return totals


# Fair draws
@njit
def _step(state: Any) -> Any:
    return step(state[0], state[1], state[2], state[3])


@njit
def _six(state: Any, n: Any, outcomes: Any) -> Any:
    return six(state[0], state[1], state[2], state[3], n, outcomes)


@njit
def _multiply(a: Any, b: Any) -> Any:
    return halves(a, b)


def test_the_generator_is_xoshiro256_plus_plus() -> None:
    """The reference sequence from the state 1, 2, 3, 4."""
    state = [U(1), U(2), U(3), U(4)]
    words = []
    for _ in range(3):
        word, *state = _step(np.array(state, np.uint64))
        words.append(int(word))
    assert words == [41943041, 58720359, 3588806011781223]


def test_the_halves_of_a_product() -> None:
    rng = np.random.default_rng(1)
    for a, b in rng.integers(0, 2**64, (100, 2), np.uint64):
        high, low = _multiply(a, b)
        assert (int(high) << 64) + int(low) == int(a) * int(b)


def reference_six(word: int, n: int, bits: int) -> tuple[int, ...] | None:
    """Six bounded draws from a word of so many bits; None when it must be thrown away."""
    draws = []
    for bound in range(n, n - 6, -1):
        word *= bound
        draws.append(word >> bits)
        word &= 2**bits - 1
    outcomes = math.prod(range(n - 5, n + 1))
    return tuple(draws) if word >= 2**bits % outcomes else None


def test_six_draws_from_one_word_are_exactly_uniform() -> None:
    """Every 20-bit word, six bounds from 8: each of the 20,160 outcomes equally often."""
    seen = Counter(reference_six(word, 8, 20) for word in range(2**20))
    thrown_away = seen.pop(None)
    assert len(seen) == 8 * 7 * 6 * 5 * 4 * 3
    assert len(set(seen.values())) == 1
    assert thrown_away == 2**20 % 20160


@pytest.mark.parametrize("n", [6, 7, 52, 416, 520])
def test_the_kernel_draws_as_the_reference_does(n: int) -> None:
    outcomes = products(n)[n]
    for seed in range(200):
        state = state_of(seed, 0)
        word = int(_step(state)[0])
        drawn = _six(state, U(n), outcomes)
        assert tuple(int(j) for j in drawn[:6]) == reference_six(word, n, 64)


def test_chunks_have_streams_of_their_own() -> None:
    states = {tuple(state_of(seed, chunk)) for seed in range(20) for chunk in range(50)}
    assert len(states) == 1000


# The tables agree with the rule engine
def test_the_end_table_agrees_with_the_engine() -> None:
    names = ["Kd", *(f"{rank}d" for rank in "A23456789")]
    table = end_table(TAS.tableau).reshape(10, 10, 10, 10)
    for player, banker, fifth, sixth in product(range(10), repeat=4):
        cards = [names[player], names[banker], "Kc", "Kh", names[fifth], names[sixth]]
        coup = fold([Drawn(Card(name)) for name in cards], TAS.tableau)
        end = {"player": 0, "banker": 1, "tie": 2}[str(coup.result)]
        if coup.result == "banker" and coup.banker_points == 6:
            end = 3
        used = len(coup.player) + len(coup.banker) - 4
        assert table[player, banker, fifth, sixth] == end + ENDS * used


def test_the_pair_table_agrees_with_the_engine() -> None:
    plan = plan_for(TAS, 8, suits=True)
    pairs, shift = lookup_tables(plan)[6], int(lookup_tables(plan)[7])
    kinds = {None: 0, "mixed": 1, "coloured": 2, "perfect": 3}
    deck = list(Card)
    for first, second in product(range(52), repeat=2):
        assert pairs[(first << shift) | second] == kinds[pair(deck[first], deck[second])]


# Shoes
@pytest.mark.parametrize("ruleset", RULESETS)
def test_shoes_end_where_the_rule_set_says(ruleset: str) -> None:
    """Cards are counted coup by coup from the trace of a shoe's lengths."""
    rules = load_ruleset(ruleset)
    plan = plan_for(rules, 8)
    assert (plan.behind_marker, plan.extra_after_tie, plan.burn) == {
        "tas-2018": (7, False, ""),
        "tas-2013": (7, False, ""),
        "act-2015": (14, True, "exposed"),
        "mbs-2017": (6, False, ""),
    }[ruleset]
    totals = totals_of(Job(plan, 400_000, 1, details=True))
    lengths = totals.lengths.nonzero()[0]
    assert lengths.min() > 60
    assert lengths.max() < 104


class Replay:
    """The same draws in plain Python."""

    def __init__(self, plan: ShoePlan, seed: int) -> None:
        self.plan, self.state = plan, state_of(seed, 0)
        self.shoe, self.left = [int(card) for card in new_shoes(plan)[0]], 0
        self.outcomes = products(plan.cards)

    def six(self) -> list[int]:
        """Swap six cards to the end of what is left, and name them."""
        drawn = _six(self.state, U(self.left), self.outcomes[self.left])
        self.state = np.array(drawn[6:], np.uint64)
        cards = []
        for at, j in enumerate(int(j) for j in drawn[:6]):
            last = self.left - 1 - at
            self.shoe[j], self.shoe[last] = self.shoe[last], self.shoe[j]
            cards.append(self.shoe[last])
        return cards

    def burn(self) -> None:
        if self.plan.burn == "unseen":
            self.six()
            self.left -= 1
        elif self.plan.burn == "exposed":
            value = min(self.six()[0] + 1, 10)  # ranks count from the ace
            self.left -= 1 + min(value, 5)
            if value > 5:
                self.six()
                self.left -= value - 5

    def coups(self) -> Iterator[tuple[int, int, bool]]:
        """Each coup's end and the cards it used, and whether it began a shoe."""
        deck = [Card(f"{rank}s") for rank in "A23456789TJQK"]
        while True:
            self.left, first, extra = self.plan.cards, True, False
            self.burn()
            while self.left >= self.plan.behind_marker or extra:
                more = not extra
                coup = fold([Drawn(deck[card]) for card in self.six()], self.plan.tableau)
                end = {"player": 0, "banker": 1, "tie": 2}[str(coup.result)]
                if coup.result == "banker" and coup.banker_points == 6:
                    end = 3
                used = len(coup.player) + len(coup.banker)
                yield end, used, first
                self.left, first = self.left - used, False
                past = self.left < self.plan.behind_marker
                extra = past and more and self.plan.extra_after_tie and end == 2


@pytest.mark.parametrize("burn", ["", "unseen", "exposed"])
@pytest.mark.parametrize(("behind", "extra"), [(6, False), (14, False), (14, True)])
def test_a_trace_is_what_the_rule_engine_deals_from_the_same_draws(
    burn: Literal["", "unseen", "exposed"], behind: int, extra: bool
) -> None:
    plan = ShoePlan(8, behind, extra, burn, TAS.tableau)
    found = np.zeros(3000, np.uint8)
    kernels.trace(state_of(5, 0), new_shoes(plan)[0], kernel_plan(plan), lookup_tables(plan), found)
    expected = islice(Replay(plan, 5).coups(), 3000)
    assert found.tolist() == [end + 4 * (used - 4) + 16 * first for end, used, first in expected]


def test_counting_and_tracing_agree_on_the_odds() -> None:
    """Eight shoes side by side, or one after the other: the same law."""
    plan = plan_for(load_ruleset("act-2015"), 8)
    counted = totals_of(Job(plan, 4_000_000, 1))
    traced = totals_of(Job(plan, 4_000_000, 2, details=True))
    for end in range(4):
        p = counted.end(end) / counted.coups
        error = math.sqrt(2 * p * (1 - p) / counted.coups)
        assert abs(p - traced.end(end) / traced.coups) < 5 * error


def test_statistics_of_a_trace_by_hand() -> None:
    """BBTB P | PP: streaks of 3 Banker and 1 Player; the second shoe is not whole."""
    by_number, streaks = np.zeros((10, 12), np.int64), np.zeros((2, 10), np.int64)
    ties, lengths = np.zeros(10, np.int64), np.zeros(10, np.int64)
    shoe = np.array([1 + 16, 3, 2 + 4, 1, 0, 0 + 16, 0], np.uint8)
    kernels.statistics(shoe, by_number, streaks, ties, lengths)
    assert streaks[1].tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    assert streaks[0].tolist() == [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert (ties[1], lengths[5]) == (1, 1)
    assert by_number[0].tolist() == [1, 1] + [0] * 10
    assert by_number[1].tolist() == [1, 0, 0, 1] + [0] * 8
    assert by_number[2, 6] == 1


# The seed fixes the totals
def same(first: Totals, second: Totals) -> bool:
    names = ("ends", "pairs", "by_number", "streaks", "ties", "lengths")
    return all((getattr(first, name) == getattr(second, name)).all() for name in names)


@pytest.mark.parametrize("details", [False, True])
def test_the_seed_fixes_the_totals_whatever_the_number_of_cores(
    details: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "CHUNK", 50_000)
    job = Job(plan_for(TAS, 8), 430_000, 7, details)
    chunks = list(job.chunks())
    assert len(chunks) == 9
    alone = Totals(details)
    for index, coups in reversed(chunks):
        alone += play_chunk(job, index, coups)
    for cores in (1, 2, 5):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert same(totals_of(job), alone)
    assert alone.coups == 430_000
    assert not same(totals_of(Job(plan_for(TAS, 8), 430_000, 8, details)), alone)


@pytest.mark.parametrize("coups", [1, 7, 8, 9, 1000])
def test_exactly_as_many_coups_as_asked_for(coups: int) -> None:
    totals = totals_of(Job(plan_for(load_ruleset("act-2015"), 8), coups, 1))
    assert totals.coups == coups == totals.pairs[0].sum() == totals.pairs[1].sum()
    assert sum(totals.cards(n) for n in (4, 5, 6)) == coups


# Against the exact odds
@pytest.mark.parametrize("ruleset", RULESETS)
def test_twenty_million_coups_agree_with_the_exact_odds(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    totals = totals_of(Job(plan_for(rules, 8, suits=True), 20_000_000, 20))
    figures = _figures(totals, rules, 8, suits=True)
    assert len(figures) > 14
    for figure in figures:
        assert abs(figure.z) < 4.5, figure


@pytest.mark.skipif("not config.getoption('--slow')", reason="a billion coups: --slow")
@pytest.mark.parametrize("suits", [False, True])
def test_a_billion_coups_agree_with_the_exact_odds_within_four_errors(suits: bool) -> None:
    totals = totals_of(Job(plan_for(TAS, 8, suits=suits), 10**9, 2026))
    for figure in _figures(totals, TAS, 8, suits=suits):
        if not figure.name.endswith("cards"):  # whole shoes end by cards: see the next test
            assert abs(figure.z) < 4, figure


@pytest.mark.skipif("not config.getoption('--slow')", reason="a billion coups: --slow")
def test_a_billion_coups_that_are_always_dealt_agree_on_every_figure() -> None:
    """Past these, whether a coup is dealt depends on the cards the earlier ones took."""
    plan = plan_for(TAS, 8)
    totals = totals_of(Job(plan, 1_250_000_000, 2026, details=True)).first_coups(plan.always_dealt)
    assert totals.coups > 10**9
    figures = _figures(totals, TAS, 8, suits=False)
    assert {"4 cards", "5 cards", "6 cards"} <= {figure.name for figure in figures}
    for figure in figures:
        assert abs(figure.z) < 4, figure


@pytest.mark.parametrize("ruleset", RULESETS)
def test_coups_that_are_always_dealt_agree_on_every_figure(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    plan = plan_for(rules, 8)
    totals = totals_of(Job(plan, 8_000_000, 4, details=True))
    assert plan.always_dealt <= totals.lengths.nonzero()[0].min()
    assert plan.always_dealt == {"act-2015": 66}.get(ruleset, 69)
    for figure in _figures(totals.first_coups(plan.always_dealt), rules, 8, suits=False):
        assert abs(figure.z) < 4.5, figure


# Bankrolls
def by_hand(results: list[int], betting: Betting) -> list[tuple[Fraction, int]]:
    """A betting plan played in plain Python."""
    ended: list[tuple[Fraction, int]] = []
    have, stake, wins, span = Fraction(betting.bankroll), 1, 0, 0
    for end in results:
        bet = min(stake, int(have))
        gain = betting.gains[end] * bet
        have, span = have + gain, span + 1
        if gain > 0:
            wins += 1
            match betting.plan:
                case "paroli":
                    stake = stake * 2 if wins < 3 else 1
                case "dalembert":
                    stake = max(1, stake - 1)
                case _:
                    stake = 1
            wins = 0 if stake == 1 else wins
        elif gain < 0:
            wins = 0
            stake = {"martingale": stake * 2, "dalembert": stake + 1}.get(betting.plan, 1)
        stake = min(stake, betting.limit)
        if have < 1 or have >= betting.target or span == betting.longest:
            ended.append((have, span))
            have, stake, wins, span = Fraction(betting.bankroll), 1, 0, 0
    return ended


@pytest.mark.parametrize("plan", PLANS)
def test_betting_plans_are_played_as_by_hand(plan: Plan) -> None:
    gains = (Fraction(-1), Fraction(19, 20), Fraction(0), Fraction(19, 20))
    betting = Betting(plan, gains, 12, 30, 90, 16)
    shoes = plan_for(TAS, 8)
    trace = np.zeros(20_000, np.uint8)
    kernels.trace(
        state_of(3, 0), new_shoes(shoes)[0], kernel_plan(shoes), lookup_tables(shoes), trace
    )
    expected = by_hand([int(end) & 3 for end in trace], betting)
    found = fates(run_bankrolls(shoes, betting, 100, 3), betting)
    first = expected[:100]
    assert found.runs == 100
    assert found.mean == pytest.approx(float(sum(have for have, _ in first)) / 100)
    assert found.ruined == sum(have < 1 for have, _ in first)
    assert found.reached == sum(have >= 30 for have, _ in first)
    assert found.mean_coups == pytest.approx(sum(span for _, span in first) / 100)


def test_long_runs_are_not_lost_between_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the length of a trace, each run goes on to its end: all coups are accounted for."""
    gains = (Fraction(-1), Fraction(1), Fraction(0), Fraction(1))
    betting = Betting("flat", gains, 20, 10**6, 700, 10)
    monkeypatch.setattr(bankroll, "TRACE", 1000)
    chunks = list(run_bankrolls(plan_for(TAS, 8), betting, 50, 1))
    coups = sum(int(some.spans.sum()) for some in chunks)
    assert 1000 * (len(chunks) - 1) <= coups <= 1000 * len(chunks)
    assert sum(some.spans.size for some in chunks) == 50


def test_ruin_comes_as_often_as_the_gamblers_formula_says() -> None:
    """Even money at p: a bankroll of 8 against 16 is ruined with (r^8 - r^16) / (1 - r^16)."""
    betting = Betting(
        "flat", (Fraction(-1), Fraction(1), Fraction(0), Fraction(1)), 8, 16, 10**6, 1
    )
    found = fates(run_bankrolls(plan_for(load_ruleset("mbs-2017"), 8), betting, 20_000, 9), betting)
    ratio = 2230518282592256 / 2292252566437888  # Player over Banker
    expected = (ratio**8 - ratio**16) / (1 - ratio**16)
    error = math.sqrt(expected * (1 - expected) / 20_000)
    assert abs(found.ruined / 20_000 - expected) < 4 * error


def test_a_bankroll_run_must_make_sense() -> None:
    gains = (Fraction(-1),) * 4
    for units, target, longest in ((0, 10, 10), (10, 5, 10), (10, 20, 0), (10**20, 10**21, 1)):
        betting = Betting("flat", gains, units, target, longest, 10)
        with pytest.raises(MalformedError, match="a bankroll run needs"):
            next(run_bankrolls(plan_for(TAS, 8), betting, 1, 1))


# A cluster
def start(module: str, *options: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.{module}", *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A real Dask scheduler on loopback, and two worker processes."""
    file = tmp_path / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    processes = [start("dask_scheduler", *options, "--scheduler-file", str(file))]
    alone = ["--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1"]
    processes += [start("dask_worker", "--scheduler-file", str(file), *alone) for _ in range(2)]
    try:
        for _ in range(600):
            if file.exists() and file.stat().st_size:
                break
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_cluster_gives_the_same_totals(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, _ = scheduler
    job = Job(plan_for(TAS, 8), 10_000_000, 7)
    assert same(totals_of(job, address), totals_of(job))


def test_a_lost_worker_neither_loses_nor_doubles_a_chunk(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    """One of the two workers is killed after the first chunk has come back."""
    address, processes = scheduler
    job = Job(plan_for(TAS, 8), 30 * running.CHUNK, 7)
    totals, killed = Totals(), False
    for chunk in play_chunks(job, address):
        totals += chunk
        if not killed:
            processes[1].send_signal(signal.SIGKILL)
            killed = True
    assert same(totals, totals_of(job))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "http://x", "", "tcp://x:y"])
def test_an_unreachable_cluster_is_one_clear_refusal(address: str) -> None:
    with pytest.raises(MalformedError, match="no cluster answers at"):
        next(iter(play_chunks(Job(plan_for(TAS, 8), 10, 1), address)))


def test_a_cluster_that_goes_away_is_said_and_what_is_done_is_kept(
    scheduler: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, processes = scheduler
    totals = Totals()
    chunks = play_chunks(Job(plan_for(TAS, 8), 10**11, 7), address)
    totals += next(chunks)
    for process in processes:
        process.kill()
    with pytest.raises(MalformedError, match="gave up a chunk"):
        list(chunks)
    assert totals.coups >= running.CHUNK
