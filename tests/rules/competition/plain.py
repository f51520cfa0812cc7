"""The arithmetic of a competition a second time, plainly, importing nothing of the program."""

# ruff: noqa: C901, PLR0912, PLR0917  one rule after another, as the clauses have them

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

Limits = tuple[int, int]
Wager = tuple[str, int, int]

TAS = {"equal": "play-off", "all_out": "new-chips", "share": True}
ACT = {"equal": "more-rounds", "all_out": "ruling", "share": True}
MBS = {"equal": "ruling", "all_out": "ruling", "share": False}


def groups(
    chips: Mapping[str, int], out: Mapping[str, int], gone: Collection[str]
) -> list[list[Any]]:
    """Equals, best first: (people, kind, level), the kind being chips, zero, or out."""
    kept = {name: value for name, value in chips.items() if name not in gone}
    lost = {name: coup for name, coup in out.items() if name not in gone}
    found = list[list[Any]]()
    for value in sorted(set(kept.values()), reverse=True):
        people = sorted(name for name in kept if kept[name] == value)
        found.append([people, "chips" if value else "zero"])
    for coup in sorted(set(lost.values()), reverse=True):
        people = sorted(name for name in lost if lost[name] == coup)
        found.append([people, "out"])
    if found and found[0][1] != "chips":
        found[0].append("all")
    return found


def contest(kind: str, everyone: object, way: Mapping[str, Any]) -> Any:
    if everyone:
        return way["all_out"]
    if way["equal"] == "more-rounds" and kind != "chips":
        return "ruling"
    return way["equal"]


def places(
    chips: Mapping[str, int],
    out: Mapping[str, int],
    gone: Collection[str],
    way: Mapping[str, Any],
    prizes: Sequence[int] = (),
    advance: int | None = None,
) -> Any:
    """Rows of (from, to, people, how, each, added), then through, contested, places left."""
    rows, through, contested, left, before = list[Any](), list[str](), list[str](), 0, 0
    for people, kind, *everyone in groups(chips, out, gone):
        first, last = before + 1, before + len(people)
        how: Any = "coup" if kind == "out" else "chips"
        each: int | None = 0
        added = 0
        if advance is not None:
            if last <= advance:
                through += people
            elif first <= advance < last:
                how, each = contest(kind, everyone, way), None
                contested += people
                left += advance - before
        else:
            mine = [prizes[n] if n < len(prizes) else 0 for n in range(before, last)]
            if min(mine) == max(mine):
                each = mine[0]
                if kind != "chips" and not everyone and len(people) > 1 and each and way["share"]:
                    how = "shared"
            elif kind != "chips" and not everyone and way["share"]:
                how = "shared"
                share = next(cents for cents in range(10**6) if cents * len(people) >= sum(mine))
                each, added = share, share * len(people) - sum(mine)
            else:
                how, each = contest(kind, everyone, way), None
                contested += people
                left += len([prize for prize in mine if prize > 0])
        rows.append((first, last, people, how, each, added))
        before = last
    return rows, through, contested, left


def secret(
    held: int,
    laid: Mapping[str, int],
    figures: int,
    words: int,
    on: str,
    limits: Limits,
    tie_limits: Limits,
    unit: int,
    left: int,
    absent: bool,
) -> tuple[list[str], tuple[int, int, str]]:
    """All reasons, and (amount, taken, letters of the steps) for a form; amounts in cents."""
    low, high = tie_limits if on == "t" else limits
    hands = laid.get("p", 0) + laid.get("b", 0)
    free = held - hands - laid.get("t", 0)
    reasons = []
    if left < 1:
        reasons.append("none-left")
    if absent:
        reasons.append("absent")
    if on not in ("p", "b", "t"):
        reasons.append("type-not-shown")
    if words != figures:
        reasons.append("words-and-figures-differ")
    if figures % unit:
        reasons.append("not-in-units")
    if figures < low:
        reasons.append("below-minimum")
    room = limits[1] - hands
    if on == "t" and tie_limits[1] - laid.get("t", 0) < room:
        room = tie_limits[1] - laid.get("t", 0)
    if figures > high or figures > room:
        reasons.append("above-maximum")
    both = (on == "p" and laid.get("b", 0) > 0) or (on == "b" and laid.get("p", 0) > 0)
    if both:
        reasons.append("both-sides")
    if on == "t" and hands == 0:
        reasons.append("no-wager-on-banker-or-player")
    if figures > free:
        reasons.append("more-than-held")
    if absent:
        return reasons, (0, 0, "-")
    if left < 1 or on not in ("p", "b", "t") or words != figures or both:
        return reasons, (0, limits[0], "d")
    amount, steps = figures, ""
    if amount % unit:
        amount, steps = amount - amount % unit, steps + "u"
    if amount < low:
        amount, steps = low, steps + "a"
    if amount > high:
        amount, steps = high, steps + "b"
    if amount > room:
        amount, steps = (max(0, room)), steps + "3"
    if amount > free:
        amount, steps = free, steps + "c"
    return reasons, (amount, 0, steps)


def holds(
    held: int,
    laid: Mapping[str, int],
    on: str,
    deemed: int,
    taken: int,
    result: str,
    method: str,
    six: bool,
    unit: int,
    limits: Limits,
    tie_limits: Limits,
) -> int:
    """What the player holds after the coup."""
    chips = held
    wagers = [
        (bet, min(cents, (tie_limits if bet == "t" else limits)[1])) for bet, cents in laid.items()
    ]
    for bet, cents in [*wagers, (on, deemed)]:
        if not cents:
            continue
        if bet == result:
            if bet == "t":
                won = cents * 8
            elif bet == "p":
                won = cents
            elif method == "commission":
                won = -(-cents * 19 // 20)
            else:
                won = -(-cents // 2) if six else cents
            chips += -(-won // unit) * unit
        elif result != "t" or bet == "t":
            chips -= cents
    return max(0, chips - taken)


def wagers(held: int, limits: Limits, tie_limits: Limits, tie_alone: bool) -> Iterator[Wager]:
    """All (hand or none, on hand, on Tie) that may be staked, in units of one."""
    ties = [0, *range(tie_limits[0], tie_limits[1] + 1)]
    for tie in ties:
        for main in range(limits[0], limits[1] + 1):
            if main + tie <= held:
                yield from ((hand, main, tie) for hand in "pb")
        if tie_alone and limits[0] <= tie <= held:
            yield "", 0, tie


def settled(held: int, wager: Wager, result: str) -> int:
    hand, main, tie = wager
    after = held - tie if result != "t" else held + 8 * tie
    if result == "t" or not main:
        return after
    if hand != result:
        return after - main
    return after + main


def ends(
    held: int,
    results: Sequence[str],
    limits: Limits,
    tie_limits: Limits,
    careful: bool,
    tie_alone: bool,
) -> set[tuple[int, int]]:
    """All (coup out or last, chips) that a player can come to; out counts no chips."""
    least, standing, found = limits[0], {held}, set[tuple[int, int]]()
    for number, result in enumerate(results):
        nxt = set[int]()
        for chips in standing:
            if chips < least:
                found.add((number, 0))
                continue
            every = ((hand, least, 0) for hand in "pb") if careful else None
            for wager in every or wagers(chips, limits, tie_limits, tie_alone):
                nxt.add(settled(chips, wager, result))
        standing = nxt
    return found | {(len(results), chips) for chips in standing}


def caught(
    chips: Mapping[str, int],
    ahead: Collection[str],
    results: Sequence[str],
    limits: Limits,
    tie_limits: Limits,
    careful: bool,
    tie_alone: bool,
) -> bool:
    """Whether somebody behind can be level with or before somebody ahead after these results."""
    low = min(
        min(ends(chips[who], results, limits, tie_limits, careful, tie_alone)) for who in ahead
    )
    high = max(
        max(ends(chips[who], results, limits, tie_limits, False, tie_alone))
        for who in chips
        if who not in ahead
    )
    return high >= low


def verdict(
    chips: Mapping[str, int],
    places: int,
    coups: int,
    limits: Limits,
    tie_limits: Limits,
    tie_alone: bool = False,
) -> str:
    """Decided, secured or open, by trying everything."""
    if places >= len(chips):
        return "decided"
    order = sorted(chips, key=lambda who: -chips[who])
    ahead = set(order[:places])
    for careful, name in ((False, "decided"), (True, "secured")):
        if not any(
            caught(chips, ahead, results, limits, tie_limits, careful, tie_alone)
            for results in product("pbt", repeat=coups)
        ):
            return name
    return "open"
