"""What a result that changes would change: shown before anyone approves it.

Nothing follows from it by itself: before its stage is confirmed standings follow the table, and
afterwards two people rule whether the new result counts [act-2015:15.20, tas-2018:16.8.2].
"""

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition.queries import end_rules, prize_list, standing_at
from puntobanco.competition.state import Competition, PlaySession, TakenResult
from puntobanco.rules.competition.places import Standing, give_prizes_over
from puntobanco.table.result import SessionResult


class Impact(Struct, frozen=True):
    """What would be otherwise, by person: before and after."""

    session: str
    table: str
    """The table that was drawn for, wherever it was played."""
    confirmed: bool
    """Its stage is confirmed: nothing follows without a ruling."""
    chips: dict[str, tuple[int | None, int | None]] = {}
    """None: not in play at the end."""
    out: dict[str, tuple[int, int]] = {}
    """The coup in which each went out; 0: not at all."""
    through: tuple[str, ...] = ()
    """Who would be through, and is not."""
    not_through: tuple[str, ...] = ()
    """Who is through, and would not be."""
    contested: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    places: dict[str, tuple[int, int]] = {}
    """The place of each at this table, the first of those they share; 0: none."""
    prizes_cents: dict[str, tuple[int, int]] = {}

    @property
    def changes_nothing(self) -> bool:
        """Whether only chips would differ, and nobody's place or prize."""
        same = self.contested[0] == self.contested[1]
        return same and not (self.through or self.not_through or self.places or self.prizes_cents)


def result_impact(
    competition: Competition, session: str, table: str, result: SessionResult
) -> Impact:
    """What would be otherwise if a table's session had come to this."""
    held = competition.sessions[session]
    known = held.results.get(table)
    before = known.result if known else SessionResult(session, "", 0)
    would = _with_result(competition, held, table, result)
    was, now = _standing(competition, held, table), _standing(would, held, table)
    return Impact(
        session,
        table,
        held.stage in competition.confirmed,
        _changed(before.chips, result.chips, None),
        _changed(before.out, result.out, 0),
        tuple(sorted({*now.through} - {*was.through})),
        tuple(sorted({*was.through} - {*now.through})),
        (was.contested, now.contested),
        _changed(_places(was), _places(now), 0),
        _changed(_prizes(competition), _prizes(would), 0),
    )


def amended_impacts(competition: Competition) -> tuple[Impact, ...]:
    """What each result would change that came after its stage was confirmed."""
    return tuple(
        result_impact(competition, session.id, table, taken.result)
        for session in competition.sessions.values()
        for table, taken in session.amended.items()
    )


def _with_result(
    competition: Competition, session: PlaySession, table: str, result: SessionResult
) -> Competition:
    results = {**session.results, table: TakenResult(0, result)}
    sessions = {**competition.sessions, session.id: replace(session, results=results)}
    return replace(competition, sessions=sessions)


def _standing(competition: Competition, session: PlaySession, table: str) -> Standing:
    """How the table stands after whatever was played off there."""
    of = session.of or table
    return standing_at(competition, session.stage, of) or Standing((), ())


def _places(standing: Standing) -> dict[str, int]:
    return {person: row.from_ for row in standing.places for person in row.people}


def _prizes(competition: Competition) -> dict[str, int]:
    """The prizes of the final, as far as its result is in."""
    final = competition.sessions.get(competition.conditions.final.name)
    table = next(iter(final.seats), "") if final else ""
    found = standing_at(competition, final.id, table) if final and table else None
    if found is None:
        return {}
    stands = give_prizes_over(found, prize_list(competition), end_rules(competition))
    return {person: row.each_cents or 0 for row in stands.places for person in row.people}


Value = TypeVar("Value", int, int | None)


def _changed(
    before: Mapping[str, int], after: Mapping[str, int], none: Value
) -> dict[str, tuple[Value, Value]]:
    pairs = {
        person: (before.get(person, none), after.get(person, none))
        for person in sorted({*before, *after})
    }
    return {person: pair for person, pair in pairs.items() if pair[0] != pair[1]}
