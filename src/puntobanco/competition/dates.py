"""Dates by the casino's calendar: the day of a moment, and the last day for a refund.

The days before a competition are counted in dates of the place where it starts; its conditions
name the offset [tas-2018:16.2(lead)].
"""

from datetime import UTC, datetime  # noqa: TID251  to read a moment, not to ask for one

from puntobanco.competition.state import Competition
from puntobanco.rules.competition.conditions import minutes_ahead, read_moment
from puntobanco.rules.competition.money import Day, read_day, refund_deadline


def start_ms(competition: Competition, stage: str) -> int:
    """When a stage starts, as it was set last, or told in the conditions; 0: no time was set."""
    if stage in competition.starts:
        return competition.starts[stage][-1]
    held = competition.conditions
    told = held.stage_named(stage)
    if told is not None and told.start:
        return moment_ms(told.start)
    first = bool(held.stage) and held.stage[0].name == stage
    return moment_ms(held.start) if first and held.start else 0


def is_moved(competition: Competition, stage: str) -> bool:
    """Whether everybody was told another start before the one that holds now."""
    held = competition.conditions
    first = held.stage[0].name == stage
    told = held.stage_named(stage)
    before = first or bool(told and told.start)
    return len(competition.starts.get(stage, ())) > (0 if before else 1)


def began_ms(competition: Competition, stage: str) -> int | None:
    """When the first session of a stage was started, whatever start was told; None: not yet."""
    sessions = (one for one in competition.sessions.values() if one.stage == stage)
    return min((one.started_ms for one in sessions if one.started_ms is not None), default=None)


def moment_ms(written: str) -> int:
    return int(read_moment(written).timestamp() * 1000)


def clocks_ahead(competition: Competition) -> int:
    """How far the clocks are ahead of UTC by which its conditions give a start, in minutes."""
    return minutes_ahead(competition.conditions.start) if competition.version else 0


def day_at(competition: Competition, at_ms: int) -> Day:
    """The casino's date at a moment."""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC).isoformat()
    return read_day(moment, beside=competition.conditions.start)


def entries_until_ms(competition: Competition) -> int:
    """Until when entries are taken: the start as it holds now, or the moment that was told."""
    until = competition.conditions.entry.until
    first = competition.conditions.stage[0].name
    return start_ms(competition, first) if until == "start" else moment_ms(until)


def receipt_deadline(competition: Competition) -> str:
    """The last day for a refund by the start that holds now, for a receipt; empty: none."""
    first = competition.conditions.stage[0].name
    starts = day_at(competition, start_ms(competition, first))
    days = competition.conditions.entry.refund_days
    deadline = refund_deadline([starts], competition.rules, days)
    return deadline.isoformat() if deadline else ""


def kinder_deadline(competition: Competition, receipt: str) -> str:
    """The later of the day on the receipt and the one by the start as it holds now: a moved
    start takes nothing from anybody [tas-2018:16.3.4].
    """
    return max(receipt, receipt_deadline(competition))
