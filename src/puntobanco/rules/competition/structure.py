"""Does the structure add up? From the fewest entries to the most, stage by stage, on paper.

Every number of entries that the conditions allow must lead to a final at one table. The tables of
a stage are as few as seat all, of sizes within one of each other [tas-2018:16.2.3(e),
act-2015:15.8], and the numbers advancing are settled beforehand [tas-2018:16.8.1].
"""

from typing import Literal, get_args

from puntobanco.brief import Brief
from puntobanco.rules.competition.conditions import CompetitionConditions, StageConditions
from puntobanco.rules.documents.ruleset import CONDITIONS, Ruleset

StructureReason = Literal[
    "fewer-losers-than-secondary-winners",
    "nobody-left",
    "more-tables-than-there-are",
    "too-few-at-a-table",
    "fewer-tables-than-kept-apart",
    "final-does-not-fit-one-table",
    "more-prizes-than-players",
    "no-number-advancing-for-so-many-tables",
    "everyone-at-a-table-advances",
    "everyone-advances",
]
"""In the order in which a stage is looked at: the first that fails counts."""
STRUCTURE_REASONS: tuple[StructureReason, ...] = get_args(StructureReason)


class StagePlan(Brief, frozen=True):
    """One stage with a number of players: its tables, and how many advance in all."""

    name: str
    players: int
    tables: tuple[int, ...]
    advance: int


class StageFault(Brief, frozen=True):
    stage: str
    reason: StructureReason


class EntryPlan(Brief, frozen=True):
    """What becomes of one number of entries; stages end with the one that fails."""

    entries: int
    stages: tuple[StagePlan, ...]
    fault: StageFault | None


def balanced_tables(players: int, seats: int) -> tuple[int, ...]:
    """As few tables as seat all, their sizes within one, the larger first.

    >>> balanced_tables(37, 9)
    (8, 8, 7, 7, 7)
    """
    if not players:
        return ()
    count = -(-players // seats)
    each, more = divmod(players, count)
    return (each + 1,) * more + (each,) * (count - more)


def advancing(stage: StageConditions, tables: int) -> int | None:
    """How many advance from each of so many tables; None where no number is given
    [tas-2018:16.8.1].
    """
    by_tables = stage.advance
    return by_tables.get(tables) if isinstance(by_tables, dict) else by_tables


def plan_entries(conditions: CompetitionConditions, entries: int) -> EntryPlan:
    """Lead one number of entries through all stages, up to the first that fails."""
    plans: list[StagePlan] = []
    players = entries
    for stage in conditions.stage:
        losers = entries - players
        back = conditions.secondary.winners if stage.name == conditions.secondary.into else 0
        players += back
        is_final = stage is conditions.final
        tables = balanced_tables(players, stage.seats)
        each = None if is_final else advancing(stage, len(tables))
        total = 0 if each is None else each * len(tables) + stage.wild
        plans.append(StagePlan(stage.name, players, tables, total))
        reason: StructureReason | None = (
            "fewer-losers-than-secondary-winners"
            if losers < back
            else _room_fault(conditions, stage, tables)
            or (
                _final_fault(conditions, plans[-1]) if is_final else _advance_fault(each, plans[-1])
            )
        )
        if reason:
            return EntryPlan(entries, tuple(plans), StageFault(stage.name, reason))
        players = total
    return EntryPlan(entries, tuple(plans), None)


def _room_fault(
    conditions: CompetitionConditions, stage: StageConditions, tables: tuple[int, ...]
) -> StructureReason | None:
    """Whether the players of a stage can be seated; at one table nobody is kept apart."""
    if not tables:
        return "nobody-left"
    if stage.tables and len(tables) > stage.tables:
        return "more-tables-than-there-are"
    if tables[-1] < stage.least:
        return "too-few-at-a-table"
    return "fewer-tables-than-kept-apart" if 1 < len(tables) < conditions.apart.most else None


def _final_fault(conditions: CompetitionConditions, plan: StagePlan) -> StructureReason | None:
    """Places are known only within one table, so that is where every prize is won."""
    if len(plan.tables) > 1:
        return "final-does-not-fit-one-table"
    return "more-prizes-than-players" if conditions.prizes.places > plan.players else None


def _advance_fault(each: int | None, plan: StagePlan) -> StructureReason | None:
    if each is None:
        return "no-number-advancing-for-so-many-tables"
    if each >= plan.tables[-1]:
        return "everyone-at-a-table-advances"
    return "everyone-advances" if plan.advance >= plan.players else None


def plan_all(conditions: CompetitionConditions) -> tuple[EntryPlan, ...]:
    """Every number of entries from the fewest to the most; none while these are not settled."""
    settled = conditions.stage and all(stage.seats for stage in conditions.stage)
    least, most = conditions.entry.min, conditions.entry.max
    if not settled or not least or not most:
        return ()
    return tuple(plan_entries(conditions, entries) for entries in range(least, most + 1))


def structure_clause(reason: StructureReason, rules: Ruleset) -> str:
    """The clause that a fault of the structure goes against."""
    stages = rules.competition.stages
    clauses: dict[StructureReason, str] = {
        "fewer-losers-than-secondary-winners": stages.secondary,
        "more-tables-than-there-are": stages.designated,
        "too-few-at-a-table": stages.tables,
        "fewer-tables-than-kept-apart": rules.competition.conduct.groups or CONDITIONS,
        "final-does-not-fit-one-table": stages.tables,
        "more-prizes-than-players": rules.competition.prizes.divided,
    }
    return clauses.get(reason, stages.advancing)
