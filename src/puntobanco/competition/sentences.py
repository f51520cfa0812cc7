"""An event of a competition as a sentence, from the one catalogue."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime  # noqa: TID251  to write a moment, not to ask for one
from typing import Any

from puntobanco.competition import events as e
from puntobanco.competition.impact import Impact
from puntobanco.rules.competition.places import PlaceRow
from puntobanco.table.authority import name_of
from puntobanco.table.result import SessionResult
from puntobanco.table.sentences import PLAIN, Writing, clock, facts_told, put_into
from puntobanco.words import EVENTS, FACTS, told_money
from puntobanco.words.competition import (
    COMPETITION_COMMANDS,
    COMPETITION_EVENTS,
    IMPACT,
    IN_CHIPS,
)

SENTENCES: Mapping[str, str] = {**EVENTS, **COMPETITION_EVENTS}


def tell_competition(event: e.CompetitionEvent, writing: Writing = PLAIN) -> str:
    """One sentence, without the clauses.

    >>> tell_competition(e.EntryPaid("ann", 5555, refund_until="2026-03-07"))
    'ann pays 55.55; refunded on withdrawal up to 2026-03-07'
    """
    own = OWN[type(event)](event, writing) if type(event) in OWN else {}
    return put_into(SENTENCES[name_of(type(event))], facts_told(event, writing) | own)


def came_to(result: SessionResult, writing: Writing = PLAIN) -> str:
    """Chips, who went out in which coup, and who is gone.

    >>> came_to(SessionResult("final", "coups", 30, {"ann": 120000}, {"bob": 12}, {"eve": "late"}))
    'ann 1,200 in chips, bob out in coup 12, eve came too late'
    """
    named = writing.person
    chips = [
        IN_CHIPS.format(person=named(person), chips=told_money(cents))
        for person, cents in result.chips.items()
    ]
    out = [f"{named(person)} out in coup {coup}" for person, coup in result.out.items()]
    gone = [
        f"{named(person)} {FACTS.get(f'why.{why}', why)}" for person, why in result.gone.items()
    ]
    return ", ".join((*chips, *out, *gone))


def _day_and_time(at_ms: int, ahead: int) -> str:
    """A start, which may be on another day.

    >>> _day_and_time(1_773_471_600_000, 660)
    '2026-03-14 18:00 UTC+11'
    """
    day = datetime.fromtimestamp(at_ms / 1000 + ahead * 60, UTC).date()
    return f"{day} {clock(at_ms, ahead)}"


def _place(row: PlaceRow, writing: Writing) -> str:
    places = str(row.from_) if row.from_ == row.to else f"{row.from_}-{row.to}"
    prize = f" ({writing.amount(row.each_cents)} each)" if row.each_cents else ""
    return f"{places} {', '.join(map(writing.person, row.people))}{prize}"


def _amounts(owed: dict[str, int], writing: Writing) -> str:
    return ", ".join(
        f"{writing.person(person)} {writing.amount(cents)}" for person, cents in owed.items()
    )


def tell_impact(impact: Impact, writing: Writing = PLAIN) -> list[str]:
    """What a result that changes would change, one sentence for each kind of thing.

    >>> tell_impact(Impact("final", "table-1", False, {"ann": (90000, None)}, {"ann": (0, 7)}))
    ['Chips at the end of final at table-1: ann – instead of 900', 'Out: ann in coup 7']
    """
    named = writing.person
    lines = {
        "chips": _pairs(
            impact.chips, writing, lambda cents: "–" if cents is None else told_money(cents)
        ),
        "out": ", ".join(_out(named(person), *coups) for person, coups in impact.out.items()),
        "through": ", ".join(map(named, impact.through)),
        "not-through": ", ".join(map(named, impact.not_through)),
        "contested": _contested(writing, *impact.contested),
        "places": _pairs(impact.places, writing, lambda place: str(place or "–")),
        "prizes": _pairs(impact.prizes_cents, writing, writing.amount),
        "confirmed": impact.confirmed,
    }
    facts = {"session": impact.session, "table": writing.table(impact.table)}
    return [put_into(IMPACT[name], {**facts, "what": what}) for name, what in lines.items() if what]


def _pairs(
    changed: Mapping[str, tuple[Any, Any]], writing: Writing, told: Callable[[Any], str]
) -> str:
    """Each person with what they would have, and what they have."""
    pairs = (
        put_into(
            IMPACT["instead"],
            {"person": writing.person(person), "now": told(now), "was": told(was)},
        )
        for person, (was, now) in changed.items()
    )
    return ", ".join(pairs)


def _out(person: str, _was: int, coup: int) -> str:
    return put_into(IMPACT["out-in" if coup else "not-out"], {"person": person, "coup": coup})


def _contested(writing: Writing, was: tuple[str, ...], now: tuple[str, ...]) -> str:
    return "" if was == now else ", ".join(map(writing.person, now)) or IMPACT["nobody"]


OWN: dict[type, Callable[[Any, Writing], dict[str, Any]]] = {
    e.ApplicationReceived: lambda event, _: {"again": event.number > 1},
    e.EntriesClosed: lambda event, _: {"count": len(event.people)},
    e.ApartListKept: lambda event, _: {"sizes": ", ".join(str(len(one)) for one in event.groups)},
    e.StartSet: lambda event, writing: {"start": _day_and_time(event.start_ms, writing.ahead)},
    e.SessionStarted: lambda event, writing: {
        "ends": clock(event.ends_ms, writing.ahead) if event.ends_ms else ""
    },
    e.SecondaryOpened: lambda event, writing: {
        "eligible": ", ".join(map(writing.person, event.eligible))
    },
    e.PlayOffChipsSet: lambda event, _: {"cents": told_money(event.cents)},
    e.ResultTaken: lambda event, writing: {"result": came_to(event.result, writing)},
    e.ResultAmended: lambda event, writing: {"result": came_to(event.result, writing)},
    e.StageConfirmed: lambda event, writing: {
        "through": ", ".join(map(writing.person, event.through))
    },
    e.Proposed: lambda event, _: {"ask": COMPETITION_COMMANDS[name_of(type(event.ask))].title},
    e.RulingMade: lambda event, writing: {"order": ", ".join(map(writing.person, event.order))},
    e.PlacesConfirmed: lambda event, writing: {
        "places": "; ".join(_place(one, writing) for one in event.places)
    },
    e.CompetitionCancelled: lambda event, writing: {"refunds": _amounts(event.refunds, writing)},
}
"""What a sentence takes from the parts of an event."""
