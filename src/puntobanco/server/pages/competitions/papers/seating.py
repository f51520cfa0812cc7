"""Papers of the draw and the tables: who sits where, who has come, the proof, the score."""

from math import ceil
from typing import Any

from litestar.exceptions import NotFoundException

from puntobanco.competition.queries import entry_numbers
from puntobanco.competition.view import sees_ids
from puntobanco.house.access.names import person_called
from puntobanco.house.access.people import Person
from puntobanco.house.competitions.paperwork import (
    DrawOnRecord,
    draws_on_record,
    public_names,
)
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.competition.draw import check
from puntobanco.rules.competition.ways import ways_of
from puntobanco.server.pages.competitions.papers.before import cup_address, cup_code, phone_code
from puntobanco.server.pages.competitions.papers.terms import (
    allows_secrets,
    casino_moment,
    chips_shown,
    stage_start,
)
from puntobanco.server.rendering import say
from puntobanco.server.visit import Visit

COUPS_A_PAGE = 15
LONGEST_NAME = 80
SLIPS_A_PAGE = 8
LONG_FROM = 24
"""A name of more letters is set smaller on a slip, so that nothing of the rest is pushed off it."""


def session_asked(visit: Visit, competition: Any) -> Any:
    """The session whose papers are wanted: the one named, or the last that was drawn."""
    drawn = [one for one in competition.sessions.values() if one.seats]
    named = [one for one in drawn if one.id == visit.query("session")[:LONGEST_NAME]]
    return (named or drawn)[-1]


def written_names(visit: Visit, competition: Any) -> dict[str, Person]:
    """What entrants are called, for papers that only staff may print."""
    house, known = visit.house, visit.house.people.all()
    return {
        who: known.get(who) or Person(who, person_called(house, who)) for who in competition.entries
    }


def slip_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """A slip for each player: where, when, and what becomes of one who is late
    [tas-2018:16.3.2(a), act-2015:15.9].
    """
    session, names = session_asked(visit, competition), written_names(visit, competition)
    aliases, numbers = visit.house.people.aliases(), entry_numbers(competition)
    slips = [
        {
            "name": aliases.get(who) or names[who].name or who,
            "number": numbers[who],
            "table": table,
            "seat": seat,
        }
        for table, seats in session.seats.items()
        for seat, who in sorted(seats.items())
    ]
    by_name = visit.query("by") == "name"
    if by_name:
        slips.sort(key=lambda slip: str(slip["name"]).casefold())
    late = ways_of(competition.conditions.play, competition.rules)["late"]
    return {
        "slips": slips,
        "per_page": SLIPS_A_PAGE,
        "long_from": LONG_FROM,
        "by": "name" if by_name else "table",
        "stage": session.stage,
        "starts": stage_start(competition, session.stage),
        "late": (say(f"paper.way.late.{late.value}"), late.clause),
        "code": phone_code(visit, competition),
    }


def sign_in_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """Who has come, signed by each: by table once seats are drawn, before that by name."""
    names, numbers = written_names(visit, competition), entry_numbers(competition)
    aliases = visit.house.people.aliases()
    drawn = any(one.seats for one in competition.sessions.values())

    def line(who: str, seat: int | None) -> dict[str, Any]:
        entrant = competition.entries[who]
        sits = names.get(entrant.substitute) or visit.house.people.get(entrant.substitute)
        return {
            "seat": seat,
            "number": numbers[who],
            "name": names[who].name or who,
            "alias": aliases.get(who, ""),
            "substitute": (sits.name or entrant.substitute) if entrant.substitute else "",
        }

    if drawn:
        session = session_asked(visit, competition)
        sheets = [
            (table, [line(who, seat) for seat, who in sorted(seats.items())])
            for table, seats in session.seats.items()
        ]
        stage = session.stage
    else:
        expected = [line(who, None) for who, one in competition.entries.items() if one.is_in]
        sheets = [("", sorted(expected, key=lambda one: one["name"].casefold()))]
        stage = competition.conditions.stage[0].name
    return {"sheets": sheets, "stage": stage, "starts": stage_start(competition, stage)}


def certificate_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """One draw with all that anybody needs to draw it again [tas-2018:16.2.3(e), act-2015:15.7].
    It is for everybody, so that people stand on it by alias and number.
    """
    draws = draws_on_record(visit.house.log, competition)
    asked = visit.query("show")[:LONGEST_NAME]
    named = [one for one in draws if f"{one.session}.{one.draw}" == asked]
    if not draws or (asked and not named):
        raise NotFoundException
    shown: DrawOnRecord = (named or draws)[-1]
    made = shown.certificate
    people = [who for seats in shown.seats.values() for who in seats.values()]
    names, numbers = public_names(visit.house, competition, people), entry_numbers(competition)
    return {
        "shown": shown,
        "made": made,
        "lots": shown.lots,
        "faults": check(made) if made else (),
        "entry_called": {
            who: names.get(who) or say("paper.entry", number=numbers.get(who, 0)) for who in people
        },
        "numbers": numbers,
        "chose": {who for who in people if names.get(who)},
        "staff": sees_ids(visit.gateway.spectator(visit.caller, COMPETITION + competition.id)),
        "drawn_at": casino_moment(competition, shown.at_ms),
        "sealed_at": casino_moment(competition, shown.committed_ms) if shown.committed_ms else "",
        "drawn_by_clause": competition.says.conduct.seats_drawn,
        "code": cup_code(visit, competition),
        "file": f"{cup_address(visit, competition)}/draws.json?draw={draws.index(shown) + 1}",
    }


def score_sheet_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """For a table without power: every coup, what each player wagers and then has."""
    session, names = session_asked(visit, competition), written_names(visit, competition)
    aliases = visit.house.people.aliases()
    stage = competition.conditions.stage_named(session.stage) or competition.conditions.stage[-1]
    currency = visit.house.register.state.currency
    coups = (stage.ends.coups or 2 * COUPS_A_PAGE) if session.kind == "session" else COUPS_A_PAGE
    pages = ceil(coups / COUPS_A_PAGE)
    return {
        "session": session,
        "stage": stage,
        "starts": stage_start(competition, session.stage),
        "sheets": [
            (table, [(seat, aliases.get(who) or names[who].name or who)
                     for seat, who in sorted(seats.items())])
            for table, seats in session.seats.items()
        ],
        "pages": [
            range(first, min(first + COUPS_A_PAGE, coups + 1))
            for first in range(1, coups + 1, COUPS_A_PAGE)
        ][:pages],
        "chips": lambda cents: chips_shown(competition, cents, currency),
        "pairs": competition.conditions.table.pairs,
        "secrets": stage.secrets and allows_secrets(competition),
    }  # fmt: skip
