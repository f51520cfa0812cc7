"""What a house reports: coups, shoes, tables, gaming days and people, from the record alone."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.lookback.past_coup import PastCoup, PastCoups
from puntobanco.house.stream import TABLE
from puntobanco.journal.log import EventLog
from puntobanco.rules.coup import Result
from puntobanco.rules.settle import Line, Outcome

By = Literal["coup", "shoe", "table", "day", "person", "competition", "play"]


class Figures(Struct, frozen=True):
    """A line of a report. Money is in cents."""

    key: str
    coups: int
    handle_cents: int
    """What was at risk."""
    paid_cents: int
    hold_cents: int
    """What the bank kept; below zero, what it lost."""
    breakage_cents: str
    """What rounding cost the bank, exactly."""
    voids: int
    corrections: int
    results: str
    """Player, Banker and Tie."""
    player_wins: int = 0
    banker_wins: int = 0
    ties: int = 0
    table: str = ""
    """What the line is about, each part by itself; empty or null what it is not about."""
    gaming_day: str = ""
    shoe: int | None = None
    coup: int | None = None
    person: str = ""
    competition: str = ""


def coups(log: EventLog, streams: Iterable[str] | None = None) -> Iterator[PastCoup]:
    """Every coup of every table, in order."""
    for stream in streams if streams is not None else log.streams():
        if stream.startswith(TABLE):
            past = PastCoups()
            for row in log.read(stream):
                past.read(row)
            yield from past.coups.values()


def report(played: Iterable[PastCoup], by: By) -> list[Figures]:
    """The figures of each coup, shoe, table, gaming day or person, in money; or, in books of their
    own, of each competition that was played in competition chips, or of each table that was
    played for play money.
    """
    groups: dict[str, list[tuple[PastCoup, list[Line]]]] = {}
    about: dict[str, dict[str, str | int]] = {}
    for coup in (coup for coup in played if not coup.undealt):
        if coup.book != (by if by in ("competition", "play") else "money"):
            continue
        if by == "person":
            later = (person for person, _ in coup.paid_later)  # with a wager on record or without
            for person in dict.fromkeys((*(line.wager.by for line in coup.lines.values()), *later)):
                theirs = [line for line in coup.lines.values() if line.wager.by == person]
                groups.setdefault(person, []).append((coup, theirs))
                about[person] = {"person": person}
        else:
            key, parts = _group(coup, by)
            groups.setdefault(key, []).append((coup, list(coup.lines.values())))
            about[key] = parts
    return [replace(_figures(key, members, by), **about[key]) for key, members in groups.items()]


def _group(coup: PastCoup, by: By) -> tuple[str, dict[str, str | int]]:
    """The line a coup belongs to, in one word and in its parts."""
    table: dict[str, str | int] = {"table": coup.table}
    day: dict[str, str | int] = {"gaming_day": coup.day}
    match by:
        case "coup":
            parts = {**table, **day, "shoe": coup.shoe, "coup": coup.number}
            return f"{coup.table} coup {coup.number}", parts
        case "shoe":
            return f"{coup.table} shoe {coup.shoe}", {**table, "shoe": coup.shoe}
        case "day":
            return coup.day, day
        case "competition":
            return coup.competition, {"competition": coup.competition}
        case _:
            return coup.table, table


def _figures(key: str, members: list[tuple[PastCoup, list[Line]]], by: By) -> Figures:
    lines = [line for _, many in members for line in many]
    at_risk = [line for line in lines if line.outcome is not Outcome.VOID]
    breakage = sum((Fraction(*line.breakage) for line in at_risk), Fraction(0))
    later = [paid for coup, _ in members for paid in coup.paid_later]
    paid_later = sum(cents for person, cents in later if by != "person" or person == key)
    results = [coup.result for coup, _ in members]
    player, banker, tie = (results.count(one) for one in (Result.PLAYER, Result.BANKER, Result.TIE))
    return Figures(
        key,
        len(members),
        sum(line.stake_cents for line in at_risk),
        sum(line.won_cents for line in at_risk),
        sum(line.collected_cents - line.won_cents for line in lines) - paid_later,
        str(breakage),
        sum(coup.void for coup, _ in members),
        sum(coup.corrections for coup, _ in members),
        f"{player}/{banker}/{tie}",
        player,
        banker,
        tie,
    )
