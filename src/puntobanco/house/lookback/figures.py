"""What a house reports: coups, shoes, tables, gaming days and people, from the record alone."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.stream import TABLE
from puntobanco.journal.log import EventLog
from puntobanco.rules.coup import Result
from puntobanco.rules.settle import Line, Outcome
from puntobanco.rules.wagers import Wager
from puntobanco.table import events as e

By = Literal["coup", "shoe", "table", "day", "person"]
_decode = msgspec.json.Decoder(list[e.TableEvent]).decode


class Coup(Struct, frozen=True):
    """One coup as it stands in the end, after every correction."""

    table: str
    day: str
    shoe: int
    number: int
    at_ms: int
    result: Result | None = None
    void: bool = False
    corrections: int = 0
    lines: dict[tuple[str, str, int], Line] = {}
    paid_later: tuple[tuple[str, int], ...] = ()
    """Payments put right afterwards: to whom, and how much the bank paid."""


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


def coups(log: EventLog, streams: Iterable[str] | None = None) -> Iterator[Coup]:
    """Every coup of every table, in order."""
    for stream in streams if streams is not None else log.streams():
        if stream.startswith(TABLE):
            yield from _coups_of(log, stream).values()


def _coups_of(log: EventLog, stream: str) -> dict[int, Coup]:
    found: dict[int, Coup] = {}
    day, shoe = "", 0
    for row in log.read(stream):
        for event in _decode(row.events):
            match event:
                case e.TableOpened() | e.GamingDayBegan():
                    day = event.gaming_day
                case e.ShoeLoaded():
                    shoe += 1
                case e.CoupOpened():
                    new = Coup(stream, day, shoe, event.number, row.at_ms)
                    found[event.number] = new
                case _:
                    _told(found, event)
    return found


def _told(found: dict[int, Coup], event: e.TableEvent) -> None:
    match event:
        case e.ResultDeclared():
            found[event.number] = replace(found[event.number], result=event.result)
        case e.WagerSettled():
            _settled(found, event.coup, event.line)
        case e.TransferReversed():
            void = {"outcome": Outcome.VOID, "stake_cents": 0, "won_cents": 0, "breakage": (0, 1)}
            line = found[event.coup].lines[_key(event.wager)]
            back = replace(line, returned_cents=line.wager.cents, **void)
            _settled(found, event.coup, back)
        case e.CoupVoided() | e.EarlierCoupVoided():
            found[event.number] = replace(found[event.number], void=True, result=None)
        case e.CardCorrected():
            coup = found[event.coup]
            found[event.coup] = replace(coup, corrections=coup.corrections + 1)
        case e.PaymentCorrected():
            coup = found[event.coup]
            paid = (*coup.paid_later, (event.person, event.cents))
            found[event.coup] = replace(coup, paid_later=paid)
        case e.RecordReplaced():
            record = event.record
            found[record.number] = replace(found[record.number], result=record.result)
        case _:
            pass


def _key(wager: Wager) -> tuple[str, str, int]:
    return wager.by, wager.on, wager.box


def _settled(found: dict[int, Coup], number: int, line: Line) -> None:
    coup = found[number]
    found[number] = replace(coup, lines={**coup.lines, _key(line.wager): line})


def report(played: Iterable[Coup], by: By) -> list[Figures]:
    """The figures of each coup, shoe, table, gaming day or person."""
    groups: dict[str, list[tuple[Coup, list[Line]]]] = {}
    for coup in played:
        if by == "person":
            for person in dict.fromkeys(line.wager.by for line in coup.lines.values()):
                theirs = [line for line in coup.lines.values() if line.wager.by == person]
                groups.setdefault(person, []).append((coup, theirs))
        else:
            groups.setdefault(_group(coup, by), []).append((coup, list(coup.lines.values())))
    return [_figures(key, members, by) for key, members in groups.items()]


def _group(coup: Coup, by: By) -> str:
    return {
        "coup": f"{coup.table} coup {coup.number}",
        "shoe": f"{coup.table} shoe {coup.shoe}",
        "table": coup.table,
        "day": coup.day,
    }[by]


def _figures(key: str, members: list[tuple[Coup, list[Line]]], by: By) -> Figures:
    lines = [line for _, many in members for line in many]
    at_risk = [line for line in lines if line.outcome is not Outcome.VOID]
    breakage = sum((Fraction(*line.breakage) for line in at_risk), Fraction(0))
    later = [paid for coup, _ in members for paid in coup.paid_later]
    paid_later = sum(cents for person, cents in later if by != "person" or person == key)
    results = [coup.result for coup, _ in members]
    counts = [results.count(one) for one in (Result.PLAYER, Result.BANKER, Result.TIE)]
    return Figures(
        key,
        len(members),
        sum(line.stake_cents for line in at_risk),
        sum(line.won_cents for line in at_risk),
        sum(line.collected_cents - line.won_cents for line in lines) - paid_later,
        str(breakage),
        sum(coup.void for coup, _ in members),
        sum(coup.corrections for coup, _ in members),
        "/".join(map(str, counts)),
    )
