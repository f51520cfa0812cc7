"""The kernels: shoes dealt by Fisher and Yates, several side by side.

A shoe is an array of cards. Drawing swaps a uniformly chosen card to the end of what is left, and
a new shuffle needs no reset, for it may start from any order. Six cards are drawn for every coup;
those it does not use are simply still in the shoe. Eight shoes take turns, so that the processor
works on the next while it waits for the last.

The same code counts with thirteen ranks or with fifty-two cards: the tables differ.
"""

import numpy as np
from numba import njit

from puntobanco.sim.generator import U, six

LANES = 8
EXPOSE = U(100)
"""To burn: first expose a card, then as many as its value."""


@njit(inline="always")
def draw(row, j0, j1, j2, j3, j4, j5, n):  # pragma: no cover
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


@njit(cache=True, nogil=True, boundscheck=False)
def count(state, shoes, plan, tables, coups, counts, pairs):  # pragma: no cover
    """Play so many coups; count how they end, and the pairs of either hand."""
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
            c0, c1, c2, c3, c4, c5 = draw(row, j0, j1, j2, j3, j4, j5, n)
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


@njit(cache=True, nogil=True, boundscheck=False)
def trace(state, shoe, plan, tables, results):  # pragma: no cover
    """Play one shoe after another; write down how each coup ends, a shoe's first with 16 added."""
    outcomes, ends, player_of, banker_of, tens, value, _, shift = tables
    cards, behind, extra, burn = plan
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    n, stop, to_burn, first, played = U(0), behind, U(0), 0, 0
    while played < results.size:
        if n < stop:
            n, to_burn, first = cards, burn, 16
        j0, j1, j2, j3, j4, j5, s0, s1, s2, s3 = six(s0, s1, s2, s3, n, outcomes[n])
        c0, c1, c2, c3, c4, c5 = draw(shoe, j0, j1, j2, j3, j4, j5, n)
        if to_burn:
            used, to_burn = burned(to_burn, value[c0])
            n -= used
            continue
        player, banker = (U(c0) << shift) | U(c2), (U(c1) << shift) | U(c3)
        end = ends[player_of[player] + banker_of[banker] + tens[c4] + value[c5]]
        results[played] = end + first
        first = 0
        n -= U(4) + U(end >> 2)
        if n < behind:
            stop = U(0) if extra and stop and end & 3 == 2 else behind
        played += 1
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3


@njit(cache=True, nogil=True, boundscheck=False)
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


@njit(cache=True, nogil=True, boundscheck=False)
def bankrolls(results, gains, unit, rules, finals, spans):  # pragma: no cover
    """Play a betting plan over a trace, one run after another; how many runs were finished.

    Amounts are in parts of a unit, so that 19 to 20 stays whole. A run ends when the bankroll
    is below one unit, has reached the target, or has lasted long enough.
    """
    start, target, longest, limit, plan = rules
    runs, have, stake, wins, span = 0, start, 1, 0, 0
    for result in results:
        bet = min(stake, limit, have // unit)
        gain = gains[result & 3] * bet
        have += gain
        span += 1
        if gain > 0:
            wins += 1
            stake = next_after_win(plan, stake, wins)
            wins = 0 if stake == 1 else wins
        elif gain < 0:
            wins = 0
            stake = next_after_loss(plan, stake)
        if have < unit or have >= target or span == longest:
            finals[runs], spans[runs] = have, span
            runs += 1
            if runs == finals.size:
                break
            have, stake, wins, span = start, 1, 0, 0
    return runs


@njit(inline="always")
def next_after_win(plan, stake, wins):  # pragma: no cover
    if plan == 2:  # Paroli: double after a win, three times at most
        return stake * 2 if wins < 3 else 1
    if plan == 3:  # d'Alembert: one unit less
        return max(1, stake - 1)
    return 1  # flat, and Martingale starting again


@njit(inline="always")
def next_after_loss(plan, stake):  # pragma: no cover
    if plan == 1:  # Martingale: double after a loss
        return min(stake * 2, 2**40)
    if plan == 3:
        return stake + 1
    return 1
