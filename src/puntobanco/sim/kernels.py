"""The kernels: shoes dealt by Fisher and Yates, several side by side.

A shoe is an array of cards. Drawing swaps a uniformly chosen card to the end of what is left, and
a new shuffle needs no reset, for it may start from any order. Six cards are drawn for every coup;
those it does not use are simply still in the shoe. Eight shoes take turns, so that the processor
works on the next while it waits for the last.

The same code counts with thirteen ranks or with fifty-two cards: the tables differ.

Random bounded integers come without bias, six from one 64-bit word. The generator is
xoshiro256++. A chunk's state comes from numpy's SeedSequence of (seed, chunk), so
chunks have streams of their own and the seed fixes the totals, on any number of workers.

`six` takes six bounded integers from one word: multiplying by a bound leaves the integer in the
high half and a fresh fraction in the low half, which the next bound multiplies. The last low half
tells, as for a single bound, whether the word fell into the incomplete part of the range; it is
then thrown away, so every outcome is exactly as likely as any other.

All of it is one file because numba caches what it compiled by the file it stands in.
"""

import os
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

CACHE = any(os.access(place, os.W_OK) for place in (Path(__file__).parent, Path.home()))
"""Can compiled kernels be kept? Where nothing can be written they are compiled in every run."""
U = np.uint64


def state_of(seed: int, chunk: int) -> NDArray[np.uint64]:
    """The generator's state at the start of a chunk."""
    sequence = np.random.SeedSequence(seed, spawn_key=(chunk,))
    return sequence.generate_state(4, np.uint64).astype(np.uint64)


def products(cards: int) -> NDArray[np.uint64]:
    """n(n-1)...(n-5) for every n up to the cards of a shoe: how many outcomes six draws have."""
    return np.array([prod(range(n - 5, n + 1)) if n > 5 else 1 for n in range(cards + 1)], U)


@intrinsic
def multiply(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """The high and the low half of a 128-bit product."""
    signature = types.UniTuple(types.uint64, 2)(types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        both = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(both, ir.Constant(wide, 64)), word)
        halves = [high, builder.trunc(both, word)]
        return context.make_tuple(builder, signature.return_type, halves)

    return signature, generate


@njit(inline="always")
def step(s0, s1, s2, s3):  # pragma: no cover
    """One step of xoshiro256++: a word, and the next state."""
    mixed = s0 + s3
    word = ((mixed << U(23)) | (mixed >> U(41))) + s0
    shifted = s1 << U(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << U(45)) | (s3 >> U(19))
    return word, s0, s1, s2, s3


@njit(inline="always")
def six(s0, s1, s2, s3, n, outcomes):  # pragma: no cover
    """Integers below n, n-1 ... n-5, and the next state."""
    while True:
        word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
        j0, low = multiply(word, n)
        j1, low = multiply(low, n - U(1))
        j2, low = multiply(low, n - U(2))
        j3, low = multiply(low, n - U(3))
        j4, low = multiply(low, n - U(4))
        j5, low = multiply(low, n - U(5))
        # 2**64 mod outcomes is below outcomes, so the division is hardly ever reached
        if low >= outcomes or low >= (U(0) - outcomes) % outcomes:
            return j0, j1, j2, j3, j4, j5, s0, s1, s2, s3


LANES = 8
EXPOSE = U(100)
"""To burn: first expose a card, then as many as its value."""


@njit(inline="always")
def draw_six(row, j0, j1, j2, j3, j4, j5, n):  # pragma: no cover
    """Swap six chosen cards to the end of what is left."""
    c0, row[j0] = row[j0], row[n - U(1)]
    row[n - U(1)] = c0
    c1, row[j1] = row[j1], row[n - U(2)]
    row[n - U(2)] = c1
    c2, row[j2] = row[j2], row[n - U(3)]
    row[n - U(3)] = c2
    c3, row[j3] = row[j3], row[n - U(4)]
    row[n - U(4)] = c3
    c4, row[j4] = row[j4], row[n - U(5)]
    row[n - U(5)] = c4
    c5, row[j5] = row[j5], row[n - U(6)]
    row[n - U(6)] = c5
    return c0, c1, c2, c3, c4, c5


@njit(inline="always")
def burned(to_burn, first):  # pragma: no cover
    """Of six cards drawn to burn: how many are used, and how many are still to come."""
    if to_burn == EXPOSE:
        more = first or U(10)
        now = min(more, U(5))
        return now + U(1), more - now
    now = min(to_burn, U(6))
    return now, to_burn - now


@njit(cache=CACHE, nogil=True, boundscheck=False)
def count_coups(state, shoes, plan, tables, coups, counts, pairs):  # pragma: no cover
    """Play `coups` coups; count how they end, and the pairs of either hand."""
    outcomes, ends, player_of, banker_of, tens, value, pair_of, shift = tables
    cards, behind, extra, burn = plan
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    left = np.zeros(LANES, np.uint64)
    stop = np.full(LANES, behind)
    to_burn = np.zeros(LANES, np.uint64)
    played = 0
    while played < coups:
        for lane in range(LANES):
            row, n = shoes[lane], left[lane]
            if n < stop[lane]:
                n = cards
                to_burn[lane] = burn
            j0, j1, j2, j3, j4, j5, s0, s1, s2, s3 = six(s0, s1, s2, s3, n, outcomes[n])
            c0, c1, c2, c3, c4, c5 = draw_six(row, j0, j1, j2, j3, j4, j5, n)
            if to_burn[lane]:
                used, to_burn[lane] = burned(to_burn[lane], value[c0])
                left[lane] = n - used
                continue
            player, banker = (U(c0) << shift) | U(c2), (U(c1) << shift) | U(c3)
            end = ends[player_of[player] + banker_of[banker] + tens[c4] + value[c5]]
            pairs[0, pair_of[player]] += 1
            pairs[1, pair_of[banker]] += 1
            counts[lane, end] += 1
            after = n - U(4) - U(end >> 2)
            left[lane] = after
            if after < behind:  # past the marker: a tie may grant one more round, once
                stop[lane] = U(0) if extra and stop[lane] and end & 3 == 2 else behind
            played += 1
            if played == coups:
                break


@njit(cache=CACHE, nogil=True, boundscheck=False)
def trace(state, shoe, plan, tables, results):  # pragma: no cover
    """Play one shoe after another; write down how each coup ends, a shoe's first with 16 added."""
    under_way = np.array([U(0), plan[1], U(0)], np.uint64)
    record(state, shoe, plan, tables, under_way, np.empty((0, 6), np.uint8), results)


@njit(cache=CACHE, nogil=True, boundscheck=False)
def record(state, shoe, plan, tables, under_way, drawn, results):  # pragma: no cover
    """Play on from where a shoe was left; write down the six cards drawn for each coup too.

    `under_way` has the cards left in the shoe, the cards at which it ends, and the cards still
    to be burned. `drawn` has room for the cards of some coups, or of none.
    """
    outcomes, ends, player_of, banker_of, tens, value, _, shift = tables
    cards, behind, extra, burn = plan
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    n, stop, to_burn = under_way[0], under_way[1], under_way[2]
    first, played = 0, 0
    while played < results.size:
        if n < stop:
            n, to_burn, first = cards, burn, 16
        j0, j1, j2, j3, j4, j5, s0, s1, s2, s3 = six(s0, s1, s2, s3, n, outcomes[n])
        c0, c1, c2, c3, c4, c5 = draw_six(shoe, j0, j1, j2, j3, j4, j5, n)
        if to_burn:
            used, to_burn = burned(to_burn, value[c0])
            n -= used
            continue
        player, banker = (U(c0) << shift) | U(c2), (U(c1) << shift) | U(c3)
        end = ends[player_of[player] + banker_of[banker] + tens[c4] + value[c5]]
        results[played] = end + first
        if played < drawn.shape[0]:
            row = drawn[played]
            row[0], row[1], row[2], row[3], row[4], row[5] = c0, c1, c2, c3, c4, c5
        first = 0
        n -= U(4) + U(end >> 2)
        if n < behind:
            stop = U(0) if extra and stop and end & 3 == 2 else behind
        played += 1
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    under_way[0], under_way[1], under_way[2] = n, stop, to_burn


@njit(cache=CACHE, nogil=True, boundscheck=False)
def statistics(results, by_number, streaks, ties, lengths):  # pragma: no cover
    """What a trace shows: results by coup number, streaks, ties and coups a shoe.

    Only whole shoes count for streaks, ties and lengths.
    """
    number = tied = streak = 0
    side = 2
    for result in results:
        if result >= 16:
            if number:
                lengths[number] += 1
                ties[tied] += 1
                if streak:
                    streaks[side, streak] += 1
            number = tied = streak = 0
            side = 2
        by_number[number, result & 15] += 1
        number += 1
        end = result & 3
        if end == 2:
            tied += 1
            continue
        won = 1 if end else 0
        if won == side:
            streak += 1
            continue
        if streak:
            streaks[side, streak] += 1
        side, streak = won, 1


@njit(cache=CACHE, nogil=True, boundscheck=False)
def bankrolls(results, gains, unit, rules, run, finals, spans, walk):  # pragma: no cover
    """Play a betting plan over a trace, one run after another; return how many were finished.

    `walk` has room for some coups, or for none: the bankroll after each, and the stake on it.

    Amounts are in parts of a unit, so that 19 to 20 stays whole. A run ends when the bankroll
    is below one unit, has reached the target, or has lasted long enough. One that is under way
    when the trace ends goes on in the next: leaving it out would favour short runs.
    """
    start, target, longest, limit, plan = rules
    have, stake, wins, span = run[0], run[1], run[2], run[3]
    runs = 0
    for at, result in enumerate(results):
        bet = min(stake, have // unit)
        gain = gains[result & 3] * bet
        have += gain
        if at < walk.shape[0]:
            walk[at, 0], walk[at, 1] = have, bet
        span += 1
        if gain > 0:
            wins += 1
            stake = min(next_after_win(plan, stake, wins), limit)
            wins = 0 if stake == 1 else wins
        elif gain < 0:
            wins = 0
            stake = min(next_after_loss(plan, stake), limit)
        if have < unit or have >= target or span == longest:
            finals[runs], spans[runs] = have, span
            runs += 1
            have, stake, wins, span = start, 1, 0, 0
            if runs == finals.size:
                break
    run[0], run[1], run[2], run[3] = have, stake, wins, span
    return runs


@njit(inline="always")
def next_after_win(plan, stake, wins):  # pragma: no cover
    if plan == 2:  # Paroli: 1, 2, 4, and after the third win from the start
        return stake * 2 if wins < 3 else 1
    if plan == 3:  # d'Alembert: one unit less
        return max(1, stake - 1)
    return 1  # flat, and Martingale starting again


@njit(inline="always")
def next_after_loss(plan, stake):  # pragma: no cover
    if plan == 1:  # Martingale: double after a loss
        return stake * 2
    if plan == 3:
        return stake + 1
    return 1
