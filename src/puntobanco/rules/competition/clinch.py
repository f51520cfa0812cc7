"""Is a session decided before it is over? [tas-2018:16.3.5]

*Decided*: whatever anyone wagers and whatever cards fall, the same people are through. *Secured*:
they cannot be caught if they bet the minimum, on whichever hand; that is no ground to finish early.
Level counts as caught.

Who is through changes only if one who is behind catches one who is ahead, and wagers of different
players do not touch each other. So it is enough to follow the best placed of those behind and the
worst placed of those ahead, coup by coup, at the worst for the one ahead. There are two kinds of
coup, and both players have the same: one in which a hand wins, where one ahead may lose a wager
on the other hand and one on Tie while one behind wins; and a Tie, where one behind wins at the
odds of Tie, while wagers on Banker and Player come back. More chips are never worse, so of all
orders with as many Ties the best result after each coup is enough to know.

It is exact for players who stay and make wagers that the rules allow, with one exception, on the
safe side: where a Tie minimum is above the difference between maximum and minimum, some totals
cannot be staked at all, and more than one coup ahead this is overlooked in favour of *open*. What
is taken for absence or for a bad form is no wager; it is not reckoned with.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.documents.ruleset import Bet, Ratio, Ruleset
from puntobanco.rules.notice import Limits
from puntobanco.words import money

Verdict = Literal["decided", "secured", "open"]
NOTHING: Ratio = (0, 1)
EVENS: Ratio = (1, 1)
MOST_STEPS = 12
"""The most steps a proof tells one by one; of more, the closest."""


class Stake(Brief, frozen=True):
    """One wager that can be made in a coup, and what each cent on it comes to."""

    least: int
    most: int
    odds: Ratio
    required: bool = False
    """It must be made whatever else is."""


class CoupStakes(Brief, frozen=True):
    """What can be staked in each coup that is left."""

    main: Limits
    tie: Limits
    main_odds: Ratio = EVENS
    tie_odds: Ratio = (8, 1)
    pairs: Limits | None = None
    """The limits of a pairs wager on either hand, where the conditions offer it."""
    pairs_odds: Ratio = NOTHING
    needs_main: bool = True
    """A wager on Banker or Player must be made whatever else is [tas-2018:16.4.4]."""
    unit_cents: int = 1


class Clinched(Brief, frozen=True):
    """The verdict, who stands ahead of the line, and why, step by step."""

    verdict: Verdict
    ahead: tuple[str, ...]
    proof: tuple[str, ...]


Change = Callable[[int], int]
"""From what a player holds before a coup to what they hold after it, at best or at worst."""


class _Coups(Brief, frozen=True):
    """The two kinds of coup, for one player."""

    hand: Change
    tie: Change


def play_under(
    rules: Ruleset,
    limits: Limits,
    tie_limits: Limits | None = None,
    pairs_limits: Limits | None = None,
    unit_cents: int = 1,
) -> CoupStakes:
    """What can be staked under a document, at the best odds that any of its methods pays."""
    pays = [pays for method in rules.settlement.methods for pays in method.pays]
    tie = [one.odds for one in pays if one.on is Bet.TIE]
    main = [one.odds for one in pays if one.on is not Bet.TIE]
    pairs = [one.odds for option in rules.settlement.pairs for one in option.pays]
    one_wager = bool(rules.competition and rules.competition.one_wager)
    return CoupStakes(
        limits,
        tie_limits or limits,
        max(main, key=_worth),
        max(tie, key=_worth),
        None if one_wager else pairs_limits,
        max(pairs, key=_worth, default=NOTHING),
        one_wager,
        unit_cents,
    )


def clinch(chips: Mapping[str, int], places: int, coups: int, play: CoupStakes) -> Clinched:
    """Say whether who advances is decided, secured or open [tas-2018:16.3.5, 16.8.2].

    Whoever is below the minimum is out, but nobody is once the last coup is played.

    >>> play = CoupStakes(Limits(10_000, 200_000), Limits(10_000, 200_000))
    >>> clinched = clinch({"A": 2_100_100, "B": 500_000}, 1, 1, play)
    >>> clinched.verdict, clinched.ahead
    ('decided', ('A',))
    >>> clinch({"A": 2_100_000, "B": 500_000}, 1, 1, play).proof[-1]
    'With 1 Tie: B at most 21000, A at least 21000: caught.'
    """
    if places < 1 or coups < 0 or any(cents < 0 for cents in chips.values()):
        raise MalformedError("places from 1, coups from 0, and nobody with less than no chips")
    order = sorted(chips, key=lambda who: (-chips[who], who))
    least = play.main.min_cents
    inside = [who for who in order if chips[who] >= least or not coups]
    out = [who for who in order if who not in inside]
    said = [f"Out, below the minimum of {money(least)}: {', '.join(out)}."] if out else []
    if places >= len(order):
        return Clinched("decided", tuple(order), (*said, "Everyone advances."))
    if len(inside) <= places:
        return _nobody_behind(inside, places, said)
    ahead, behind = inside[:places], inside[places:]
    level = chips[behind[0]]
    said.append(
        f"Ahead: {ahead[-1]} is the last, with {money(chips[ahead[-1]])};"
        f" {behind[0]} is next, with {money(level)}."
    )
    if chips[ahead[-1]] == level:
        clear = tuple(who for who in ahead if chips[who] > level)
        return Clinched("open", clear, (*said, "They are level."))
    if not coups:
        return Clinched("decided", tuple(ahead), (*said, "No coup is left."))
    return _raced(tuple(ahead), behind[0], chips, coups, play, said)


def _nobody_behind(inside: Sequence[str], places: int, said: Sequence[str]) -> Clinched:
    """Nobody who could still play is behind the line; those out are level among themselves."""
    if len(inside) == places:
        why = "Nobody else is left: whoever goes out now goes out later than they did."
        return Clinched("decided", tuple(inside), (*said, why))
    why = "Those who are out are level for the places that are left."
    return Clinched("open", tuple(inside), (*said, why))


def _raced(
    ahead: tuple[str, ...],
    chaser: str,
    chips: Mapping[str, int],
    coups: int,
    play: CoupStakes,
    said: Sequence[str],
) -> Clinched:
    """Follow the race, first with any wagers of those ahead, then with the minimum."""
    watched = ahead if coups == 1 else ahead[-1:]  # with more than one, more is never worse
    held = {who: chips[who] for who in (*watched, chaser)}
    anyhow = _Race(chaser, watched, held, coups, _behind(play), _ahead(play, coups))
    steps, caught = anyhow.run(play.main.min_cents)
    any_wagers = "Whatever they wager and whatever cards fall:"
    if not caught:
        return Clinched("decided", ahead, (*said, any_wagers, *steps))
    careful = _Race(chaser, watched, held, coups, _behind(play), _minimum(play))
    slow, still = careful.run(play.main.min_cents)
    if not still:
        told = (any_wagers, steps[-1], "If those ahead bet the minimum:", *slow)
        return Clinched("secured", ahead, (*said, *told))
    return Clinched("open", ahead, (*said, "Even if those ahead bet the minimum:", slow[-1]))


class _Race(Brief, frozen=True):
    """One behind at their best against those ahead at their worst."""

    chaser: str
    ahead: tuple[str, ...]
    chips: Mapping[str, int]
    coups: int
    up: _Coups
    down: _Coups

    def run(self, least: int) -> tuple[list[str], bool]:
        """Tell the steps up to the first that catches somebody, and whether one does.

        After each coup but the last, less than the minimum is out, and so caught.
        """
        best = [self.chips[self.chaser]]  # by how many of the coups so far a hand has won
        worst = {who: [self.chips[who]] for who in self.ahead}
        for played in range(1, self.coups):
            best = _after(best, self.up, max)
            worst = {who: _after(held, self.down, min) for who, held in worst.items()}
            for who, held in worst.items():
                if min(held) < least:
                    text = f"{who} may be out after {_counted(played, 'coup')}"
                    return [f"{text}, with {money(min(held))}: caught."], True
        return self._ends(best, worst)

    def _ends(self, best: list[int], worst: dict[str, list[int]]) -> tuple[list[str], bool]:
        """Compare after the last coup, however many of them were Ties."""
        steps, closest = list[str](), list[int]()
        for ties in range(self.coups + 1):
            hands = self.coups - ties
            found = [
                (self.up.hand(best[hands - 1]), self.down.hand(held[hands - 1]), who)
                for who, held in worst.items()
                if hands
            ] + [
                (self.up.tie(best[hands]), self.down.tie(held[hands]), who)
                for who, held in worst.items()
                if ties
            ]
            most, left, who = max(found, key=lambda one: one[0] - one[1])
            text = f"With {_kinds(ties, hands)}: {self.chaser} at most {money(most)}"
            steps.append(f"{text}, {who} at least {money(left)}")
            if most >= left:
                steps[-1] += ": caught."
                return steps, True
            steps[-1] += "."
            closest.append(left - most)
        if len(steps) > MOST_STEPS:
            steps = ["Closest of all:", steps[closest.index(min(closest))]]
        return steps, False


def _after(held: list[int], coups: _Coups, pick: Callable[[int, int], int]) -> list[int]:
    """What is held one coup on, by how many hands have won, in whichever order is best."""
    by_hand = [coups.hand(cents) for cents in held]
    by_tie = [coups.tie(cents) for cents in held]
    return [by_tie[0], *map(pick, by_tie[1:], by_hand), by_hand[-1]]


def _behind(play: CoupStakes) -> _Coups:
    """What a player behind holds after each kind of coup at best."""
    main, tie, pairs = _stakes(play)
    back = Stake(main.least, main.most, NOTHING, main.required)
    by_hand, by_tie = (main, *pairs), (back, tie, *pairs)
    return _Coups(
        lambda held: held + _most(held, by_hand, play),
        lambda held: held + _most(held, by_tie, play),
    )


def _ahead(play: CoupStakes, coups: int) -> _Coups:
    """What a player ahead holds after each kind of coup at worst."""
    main, tie, pairs = _stakes(play)
    lost = [Stake(one.least, one.most, EVENS, one.required) for one in (main, tie, *pairs)]
    back = Stake(main.least, main.most, NOTHING, main.required)
    by_hand, by_tie = tuple(lost), (back, *lost[2:])
    if coups > 1:  # any total up to all: never too little, and the more held the more is left
        by_hand = tuple(Stake(0, one.most, EVENS) for one in by_hand)
        by_tie = tuple(Stake(0, one.most, one.odds) for one in by_tie)
    return _Coups(
        lambda held: held - _most(held, by_hand, play),
        lambda held: held - _most(held, by_tie, play),
    )


def _minimum(play: CoupStakes) -> _Coups:
    """What a player ahead holds who bets the minimum: less by it when the other hand wins."""
    least = _stakes(play)[0].least
    return _Coups(lambda held: held - min(held, least), lambda held: held)


def _stakes(play: CoupStakes) -> tuple[Stake, Stake, tuple[Stake, ...]]:
    """The wagers of a coup: on a hand, on Tie, and on the pairs of either hand."""
    main = _stake(play.main, play.main_odds, play, required=play.needs_main)
    tie = _stake(play.tie, play.tie_odds, play)
    pairs = _stake(play.pairs, play.pairs_odds, play) if play.pairs else None
    return main, tie, (pairs, pairs) if pairs else ()


def _stake(limits: Limits, odds: Ratio, play: CoupStakes, *, required: bool = False) -> Stake:
    unit = play.unit_cents
    least, most = -(-limits.min_cents // unit) * unit, limits.max_cents // unit * unit
    return Stake(least, most, odds, required)


def _most(held: int, stakes: Sequence[Stake], play: CoupStakes) -> int:
    """The most that wagers can come to, out of what is held.

    Whichever of them are made have their minimum; the rest goes where it counts most. Together
    they are at least the table minimum [tas-2018:16.5.11, act-2015:15.14].
    """
    held -= held % play.unit_cents
    return max((_worth_of(chosen, held) for chosen in _choices(stakes, held, play)), default=0)


def _choices(stakes: Sequence[Stake], held: int, play: CoupStakes) -> Iterator[tuple[Stake, ...]]:
    required = [stake for stake in stakes if stake.required]
    others = [stake for stake in stakes if not stake.required]
    for count in range(len(others) + 1):
        for some in combinations(others, count):
            chosen = (*required, *some)
            enough = sum(stake.most for stake in chosen) >= min(held, play.main.min_cents)
            if enough and sum(stake.least for stake in chosen) <= held:
                yield chosen


def _worth_of(chosen: Sequence[Stake], held: int) -> int:
    free, total = held - sum(stake.least for stake in chosen), 0
    for stake in sorted(chosen, key=lambda one: _worth(one.odds), reverse=True):
        cents = stake.least + min(free, stake.most - stake.least)
        free -= cents - stake.least
        won, staked = stake.odds
        total += -(-cents * won // staked)
    return total


def _worth(odds: Ratio) -> float:
    return odds[0] / odds[1]


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _kinds(ties: int, hands: int) -> str:
    """How many coups of each kind."""
    said = [_counted(ties, "Tie")] if ties else []
    if hands:
        said.append(f"{_counted(hands, 'coup')} won by a hand")
    return " and ".join(said)
