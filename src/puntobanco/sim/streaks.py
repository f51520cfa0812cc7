"""Streaks and ties: how long one side goes on winning, and how many ties a shoe has."""

from msgspec import Struct

from puntobanco.rules.documents.ruleset import Ruleset

LONGEST_STREAK = 12
"""Longer streaks are counted together."""


class Streaks(Struct, frozen=True):
    """Streaks and ties, counted over whole simulated shoes."""

    shoes: int
    coups_a_shoe: float
    ties_a_shoe: float
    streaks: dict[str, tuple[int, ...]]
    """For Player and Banker: how many of length 1, 2 and so on; the last, of that or more."""
    longest: dict[str, int]
    ties: tuple[float, ...]
    """The share of shoes with 0, 1, 2 ... ties."""


def streaks_of(ruleset: Ruleset, decks: int, coups: int, seed: int) -> Streaks:
    """Streaks and ties of shoes that were dealt to their end; the same seed, the same figures."""
    from puntobanco.sim.run import Job, play_chunk  # noqa: PLC0415  compiled only when needed
    from puntobanco.sim.shoes import plan_for  # noqa: PLC0415

    job = Job(plan_for(ruleset, decks), coups, seed, details=True)
    totals = play_chunk(job, 0, coups)
    shoes = int(totals.lengths.sum())
    lengths, ties = ([int(n) for n in counts] for counts in (totals.lengths, totals.ties))
    rows = {
        side: [int(n) for n in row]
        for side, row in zip(("player", "banker"), totals.streaks, strict=True)
    }
    most = max(at for at, n in enumerate(ties) if n)
    return Streaks(
        shoes,
        sum(at * n for at, n in enumerate(lengths)) / shoes,
        sum(at * n for at, n in enumerate(ties)) / shoes,
        {side: (*row[1:LONGEST_STREAK], sum(row[LONGEST_STREAK:])) for side, row in rows.items()},
        {side: max(at for at, n in enumerate(row) if n) for side, row in rows.items()},
        tuple(n / shoes for n in ties[: most + 1]),
    )
