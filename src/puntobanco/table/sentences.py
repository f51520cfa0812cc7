"""An event as a sentence, from the one catalogue."""

import re
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from typing import Any

from puntobanco.rules.coup import Laid
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.notice import Limits, Notice
from puntobanco.rules.settle import Outcome
from puntobanco.rules.shoe import Last
from puntobanco.rules.wagers import Wager
from puntobanco.table import events
from puntobanco.words import BETS, COMMANDS, EVENTS, FACTS, money
from puntobanco.words.commands import INCIDENTS

_OPTIONAL = re.compile(r"\{(!?)(\w+)\?((?:[^{}]|\{\w+\})*)\}")
_UNIT = re.compile("_(cents|ms)$")
MOMENTS = ("at_ms", "closing_ms", "from_ms", "shown_ms", "until_ms")
"""Fields that are a moment, told as local time with its zone."""
QUIET = {"ordinary": "", "no": ""}
"""Values that go without saying."""


def tell(event: events.Event) -> str:
    """One sentence, without the clauses.

    >>> import puntobanco as pb
    >>> pb.tell(pb.events.GamingDayBegan("monday"))
    'Gaming day monday begins'
    """
    return put_into(EVENTS[str(event.__struct_config__.tag)], facts_told(event))


def put_into(template: str, facts: dict[str, Any]) -> str:
    """A sentence of the catalogue with its facts; parts of it only where their fact is there."""

    def keep(part: re.Match[str]) -> str:
        absent, name, text = part.groups()
        return text if bool(facts.get(name)) != bool(absent) else ""

    return _OPTIONAL.sub(keep, template).format_map(facts)


def facts_told(event: events.Event) -> dict[str, Any]:
    """The facts of an event by the names the catalogue uses."""
    facts: dict[str, Any] = {}
    for field in event.__struct_fields__:
        value = getattr(event, field)
        facts[field] = _shown(field, value)
        if field in MOMENTS and value is not None:
            facts[field] = clock(value, getattr(event, "utc_minutes", 0)) if value else ""
        facts[_UNIT.sub("", field)] = facts[field]
        if isinstance(value, Wager):
            facts["by"] = value.by
        if field in ("cents", "to_owner_cents") and value < 0:
            facts["gives"] = money(-value)
        if isinstance(value, Last):
            facts["unless"] = ", unless it is a tie" if value is Last.UNLESS_TIE else ""
    return facts | _told_of(event)


def _told_of(event: events.Event) -> dict[str, Any]:
    """What a sentence takes from the parts of an event, or from several of its fields."""
    match event:
        case events.TableOpened():
            return {
                "ruleset": event.notice.ruleset,
                "method": event.notice.method,
                "effective": event.opened.effective,
            }
        case events.WagerSettled():
            return _part(event)
        case events.RecordReplaced():
            return {"number": event.record.number, "result": event.record.result or ""}
        case events.CoupNotDealt():
            return {"unbet": not (event.shoe_over or event.disturbed)}
        case events.Proposed():
            title = COMMANDS[str(event.ask.__struct_config__.tag)].title
            return {"ask": title, "affected": "; ".join(map(tell, event.affected))}
        case _:
            return {}


def _shown(field: str, value: Any) -> object:
    """A fact as people read it; what goes without saying is empty."""
    how = BY_TYPE.get(type(value)) or BY_FIELD.get(field)
    if how is not None and value is not None:
        return how(value)
    if field == "cents" or field.endswith("_cents"):
        amounts = value if isinstance(value, tuple) else (value,)
        return ", ".join(map(money, filter(None, amounts)))
    if isinstance(value, tuple):
        return _listed(value)
    return QUIET.get(value, value) if isinstance(value, StrEnum) else value


def _part(event: events.WagerSettled) -> dict[str, str]:
    """How much of a wager won, lost or pushed, where it was not all of it, and what goes back."""
    aside = event.wager.cents - event.stake_cents
    if not event.stake_cents or not aside or event.outcome is Outcome.VOID:
        return {}
    back = "" if event.outcome is Outcome.PUSHES else money(aside)
    return {"part": money(event.stake_cents), "back": back}


def _outcome(outcome: Outcome) -> str:
    plain = outcome in (Outcome.WINS, Outcome.LOSES, Outcome.PUSHES)
    return str(outcome) if plain else f"is {outcome}"


def _breakage(cents: Fraction) -> str:
    """What rounding cost the bank: in dollars, or a fraction of a cent as it is."""
    if cents.denominator == 1:
        return money(int(cents)) if cents else ""
    return f"{cents} cents"


BY_TYPE: dict[type, Callable[[Any], str]] = {
    Wager: lambda wager: f"{money(wager.cents)} on {BETS[wager.on]} (box {wager.box})",
    Limits: lambda limits: f"{money(limits.min_cents)} to {money(limits.max_cents)}",
    Notice: lambda notice: str(notice.ruleset),
    Outcome: _outcome,
    Laid: lambda laid: FACTS[f"laid.{laid}"],
    Found: lambda found: FACTS[found],
    Verdict: lambda verdict: FACTS[verdict],
    NextCoup: lambda coup: FACTS.get(coup, ""),
}
BY_FIELD: dict[str, Callable[[Any], str]] = {
    "kind": lambda kind: INCIDENTS.get(kind, QUIET.get(kind, kind)),
    "cause": lambda cause: FACTS.get(cause, cause),
    "verdict": lambda verdict: FACTS.get(verdict, verdict),
    "odds": lambda odds: f"{odds[0]} to {odds[1]}",
    "breakage": lambda breakage: _breakage(Fraction(*breakage)),
    "seats": lambda seats: ", ".join(f"{person} at {seat}" for seat, person in seats.items()),
    "for_ms": lambda for_ms: f"{-(-for_ms // 1000)} s",
}


def _listed(values: tuple[Any, ...]) -> str:
    if values and hasattr(values[0], "laid"):
        return ", ".join(str(value.card) if value.card else "an unseen card" for value in values)
    return ", ".join(map(str, values))


def clock(at_ms: int, utc_minutes: int = 0) -> str:
    """The time of day of a moment, local time with its zone.

    >>> clock(39_600_000, 600), clock(39_600_000)
    ('21:00 UTC+10', '11:00 UTC')
    """
    return f"{hour(at_ms + utc_minutes * 60_000)} {zone(utc_minutes)}"


def hour(at_ms: int) -> str:
    minutes = at_ms // 60_000 % 1440
    return f"{minutes // 60:02}:{minutes % 60:02}"


def zone(utc_minutes: int) -> str:
    """A zone by how far it is ahead of UTC.

    >>> zone(0), zone(-210)
    ('UTC', 'UTC-3:30')
    """
    if not utc_minutes:
        return "UTC"
    hours, minutes = divmod(abs(utc_minutes), 60)
    sign = "+" if utc_minutes > 0 else "-"
    return f"UTC{sign}{hours}" + (f":{minutes:02}" if minutes else "")
