"""The whole of what a competition came to: entries, money, sessions, places."""

from collections.abc import Mapping
from typing import Any

from puntobanco.competition.queries import own_standings, pool_cents, standings
from puntobanco.competition.state import Competition, CompetitionPhase, PlaySession
from puntobanco.rules.competition.places import PlaceRow, Standing
from puntobanco.table.result import standing
from puntobanco.table.state import Table


def stage_standings(competition: Competition) -> list[Standing]:
    found = standings(competition, competition.stage_name) if competition.version else {}
    return [one for one in found.values() if one is not None]


def place_rows(competition: Competition) -> list[PlaceRow]:
    """Places as they are confirmed, or as the stage in play stands; none if it was cancelled."""
    if competition.phase is CompetitionPhase.CANCELLED:
        return []
    if competition.places:
        return list(competition.places)
    return [row for one in stage_standings(competition) for row in one.places]


def report_of(
    competition: Competition, tables: Mapping[str, Table], heads: Mapping[str, str]
) -> dict[str, Any]:
    """Everything a competition has come to, as `results` and `run` tell it.

    >>> report_of(Competition(), {}, {})["phase"]
    'drafting'
    """
    entries = [
        {
            "person": person,
            "status": entrant.status.value,
            "paid_cents": entrant.paid_cents,
            "refunded_cents": entrant.refunded_cents,
            "table": entrant.table.removeprefix("table-"),
            "seat": entrant.seat,
            "place": entrant.place,
            "prize_cents": entrant.prize_cents,
        }
        for person, entrant in competition.entries.items()
    ]
    moved = competition.money
    return {
        "phase": competition.phase.value,
        "entries": entries,
        "money": {
            "fees_cents": moved.fees_cents,
            "refunded_cents": moved.refunded_cents,
            "retained_cents": moved.retained_cents,
            "added_cents": moved.added_cents,
            "pool_cents": pool_cents(competition),
            "paid_cents": moved.paid_cents,
            "pot_cents": moved.pot_cents,
        },
        "sessions": [
            _session(competition, session, tables) for session in competition.sessions.values()
        ],
        "places": [_row(row) for row in place_rows(competition)],
        "refused": [],
        "rulings": [
            {"about": one.about, "note": one.note, "person": one.person}
            for one in competition.rulings
        ],
        "heads": dict(heads),
    }


def _row(row: PlaceRow) -> dict[str, Any]:
    return {
        "from": row.from_,
        "to": row.to,
        "people": list(row.people),
        "how": row.how.value,
        "each_cents": row.each_cents,
        "added_cents": row.added_cents,
        "clauses": list(row.clauses),
    }


def _session(
    competition: Competition, session: PlaySession, now: Mapping[str, Table]
) -> dict[str, Any]:
    tables: list[dict[str, Any]] = []
    for drawn in session.seats:
        at = session.moved.get(drawn, drawn)
        taken = session.results.get(drawn)
        found = taken.result if taken else (standing(now[at]) if at in now else None)
        tables.append(
            {
                "table": drawn.removeprefix("table-"),
                "coups": found.coups if found else 0,
                "chips_cents": found.chips if found else {},
                "out": found.out if found else {},
                "gone": found.gone if found else {},
                "left": found.secrets_left if found else {},
                "puck": found.puck if found else None,
            }
        )
    known = list(own_standings(competition, session).values())
    return {
        "stage": session.stage,
        "kind": session.kind,
        "tables": tables,
        "through": [who for one in known for who in one.through],
        "contested": [who for one in known for who in one.contested],
        "places_left": sum(one.places_left for one in known),
        "how": next((row.how.value for one in known for row in one.places if row.at_stake), ""),
    }
