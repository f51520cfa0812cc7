"""An event as a sentence, from the one catalogue."""

import re
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Laid
from puntobanco.rules.irregularities import Found, NextCoup, Verdict
from puntobanco.rules.notice import Limits, Notice
from puntobanco.rules.paper.notation import format_drawn
from puntobanco.rules.settle import Outcome
from puntobanco.rules.shoe import Last
from puntobanco.rules.wagers import Wager
from puntobanco.table import events
from puntobanco.table.commands import Command
from puntobanco.words import (
    BETS,
    COMMANDS,
    DOCUMENTS,
    EVENTS,
    FACTS,
    money,
    told_card,
    told_money,
    told_result,
)
from puntobanco.words.commands import FIELDS, INCIDENTS, NONE, VALUES

_OPTIONAL = re.compile(r"\{(!?)(\w+)\?((?:[^{}]|\{\w+\})*)\}")
_UNIT = re.compile("_(cents|ms)$")
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
MOMENTS = ("at_ms", "closing_ms", "from_ms", "shown_ms", "until_ms")
"""Fields that are a moment, told as local time with its zone."""
QUIET = {"ordinary": "", "no": ""}
"""Values that go without saying."""


class Writing(NamedTuple):
    """How a sentence writes cards, amounts, people, documents and tables: on record they are tags
    and ids, on pages cards are drawn, amounts have a sign, and all others their names.
    """

    card: Callable[[Card], str] = str
    amount: Callable[[int], str] = money
    person: Callable[[str], str] = str
    document: Callable[[str], str] = str
    table: Callable[[str], str] = str
    ahead: int = 0
    """How far clocks are ahead of UTC by which moments of a competition are told, in minutes."""


PLAIN = Writing()


NAMED = frozenset(
    {"person", "people", "checked_by", "opened_by", "shuffled_by", "asked_by", "decided_by"}
    | {"substitute", "whose", "player", "by", "instead_of"}
)
"""Fields that are somebody's id."""


def in_currency(currency: str) -> Writing:
    """As a house writes amounts; without a currency they are bare numbers."""
    return Writing(told_card, partial(told_money, currency=currency), document=document_named)


def document_named(ruleset: str) -> str:
    return DOCUMENTS.get(ruleset, ruleset)


def tell(event: events.Event, writing: Writing = PLAIN) -> str:
    """One sentence, without the clauses.

    >>> import puntobanco as pb
    >>> pb.tell(pb.events.GamingDayBegan("monday"))
    'Gaming day monday begins'
    """
    return put_into(EVENTS[str(event.__struct_config__.tag)], facts_told(event, writing))


def put_into(template: str, facts: dict[str, Any]) -> str:
    """A sentence of the catalogue with its facts; parts of it only where their fact is there."""

    def keep(part: re.Match[str]) -> str:
        absent, name, text = part.groups()
        return text if bool(facts.get(name)) != bool(absent) else ""

    return _OPTIONAL.sub(keep, template).format_map(facts)


def facts_told(event: events.Event, writing: Writing = PLAIN) -> dict[str, Any]:
    """The facts of an event by the names the catalogue uses."""
    facts: dict[str, Any] = {}
    for field in event.__struct_fields__:
        value = getattr(event, field)
        facts[field] = _shown(field, value, writing)
        if field in MOMENTS and value is not None:
            facts[field] = clock(value, getattr(event, "utc_minutes", 0)) if value else ""
        facts[_UNIT.sub("", field)] = facts[field]
        if isinstance(value, Wager):
            facts["by"] = writing.person(value.by)
        if field in ("cents", "to_owner_cents") and value < 0:
            facts["gives"] = writing.amount(-value)
        if isinstance(value, Last):
            facts["unless"] = ", unless it is a tie" if value is Last.UNLESS_TIE else ""
    if isinstance(event, events.ResultDeclared):
        facts["told"] = told_result(event.player, event.banker)
    return facts | _told_of(event, writing)


ASKED_AS = {"position": "card number", "card": "which is"}
"""How a sentence names facts whose labels on a form ask for them."""


def tell_ask(ask: Command, coup: int = 0, writing: Writing = PLAIN) -> str:
    """A command that waits for a second person, with all that it says: nobody approves what they
    cannot read. `coup` is the last one opened, which is meant where the command names none.

    >>> import puntobanco as pb
    >>> tell_ask(pb.commands.TakeBack("void", "another table", 3))
    'Take back what was a mistake: that the coup is void, coup 3, note another table'
    """
    facts = {key: getattr(ask, key) for key in ask.__struct_fields__ if key in FIELDS}
    of_a_coup = facts.get("what", "void") in ("void", "wagers-void")
    if coup and of_a_coup and facts.get("coup", coup) is None:
        facts["coup"] = coup
    said = [
        f"{ASKED_AS.get(key) or FIELDS[key].partition(',')[0].lower()} {_said(key, value, writing)}"
        if key != "what"  # the title has said it
        else _said(key, value, writing)
        for key, value in sorted(facts.items(), key=lambda fact: fact[0] == "note")
        if value not in (None, "") and (value != () or key == "cards")
    ]
    title = COMMANDS[str(ask.__struct_config__.tag)].title
    return f"{title}: {', '.join(said)}" if said else title


def _said(key: str, value: Any, writing: Writing) -> str:
    """A fact of a command in words, or as it was typed."""
    if key.endswith("cents"):
        return writing.amount(value)
    if isinstance(value, Card):
        return writing.card(value)
    if key in NAMED:
        ids = value if isinstance(value, tuple) else (value,)
        return " ".join(writing.person(str(one)) for one in ids)
    if isinstance(value, tuple):
        drawn = all(isinstance(one, Drawn) for one in value)
        text = format_drawn(value) if drawn else " ".join(map(str, value))
        return CARD.sub(lambda card: writing.card(Card(card[0])), text) or NONE
    word = str(value).lower() if isinstance(value, bool) else str(value)
    return VALUES.get(f"{key}.{word}") or VALUES.get(word) or BETS.get(word, word)


def _told_of(event: events.Event, writing: Writing) -> dict[str, Any]:
    """What a sentence takes from the parts of an event, or from several of its fields."""
    match event:
        case events.TableOpened():
            return {
                "ruleset": writing.document(event.notice.ruleset),
                "method": event.notice.method,
                "effective": event.opened.effective,
            }
        case events.WagerSettled():
            return _part(event, writing)
        case events.RecordReplaced():
            return {"number": event.record.number, "result": event.record.result or ""}
        case events.CoupNotDealt():
            return {"unbet": not (event.shoe_over or event.disturbed)}
        case events.Proposed():
            affected = (tell(moved, writing) for moved in event.affected)
            return {"ask": tell_ask(event.ask, 0, writing), "affected": "; ".join(affected)}
        case _:
            return {}


def _shown(field: str, value: Any, writing: Writing) -> object:
    """A fact as people read it; what goes without saying is empty."""
    if field in NAMED and value:
        ids = value if isinstance(value, tuple) else (value,)
        return ", ".join(writing.person(str(one)) for one in ids)
    if field == "table" and value:
        return writing.table(value)
    how = BY_TYPE.get(type(value)) or BY_FIELD.get(field)
    if how is not None and value is not None:
        return how(value, writing)
    if field == "cents" or field.endswith("_cents"):
        amounts = value if isinstance(value, tuple) else (value,)
        return ", ".join(map(writing.amount, filter(None, amounts)))
    if isinstance(value, tuple):
        return _listed(value, writing)
    return QUIET.get(value, value) if isinstance(value, StrEnum) else value


def _part(event: events.WagerSettled, writing: Writing) -> dict[str, str]:
    """How much of a wager won, lost or pushed, where it was not all of it, and what goes back."""
    aside = event.wager.cents - event.stake_cents
    if not event.stake_cents or not aside or event.outcome is Outcome.VOID:
        return {}
    back = "" if event.outcome is Outcome.PUSHES else writing.amount(aside)
    return {"part": writing.amount(event.stake_cents), "back": back}


def _outcome(outcome: Outcome, _writing: Writing) -> str:
    plain = outcome in (Outcome.WINS, Outcome.LOSES, Outcome.PUSHES)
    return str(outcome) if plain else f"is {outcome}"


def _breakage(cents: Fraction, writing: Writing) -> str:
    """What rounding cost the bank: in dollars, or a fraction of a cent as it is."""
    if cents.denominator == 1:
        return writing.amount(int(cents)) if cents else ""
    return f"{cents} cents"


def _wager(wager: Wager, writing: Writing) -> str:
    return f"{writing.amount(wager.cents)} on {BETS[wager.on]} (box {wager.box})"


def _limits(limits: Limits, writing: Writing) -> str:
    return f"{writing.amount(limits.min_cents)} to {writing.amount(limits.max_cents)}"


BY_TYPE: dict[type, Callable[[Any, Writing], str]] = {
    Card: lambda card, writing: writing.card(card),
    Wager: _wager,
    Limits: _limits,
    Notice: lambda notice, writing: writing.document(str(notice.ruleset)),
    Outcome: _outcome,
    Laid: lambda laid, _: FACTS[f"laid.{laid}"],
    Found: lambda found, _: FACTS[found],
    Verdict: lambda verdict, _: FACTS[verdict],
    NextCoup: lambda coup, _: FACTS.get(coup, ""),
}
BY_FIELD: dict[str, Callable[[Any, Writing], str]] = {
    "kind": lambda kind, _: INCIDENTS.get(kind, QUIET.get(kind, kind)),
    "about": lambda about, _: FACTS.get(f"about.{about}", about),
    "cause": lambda cause, _: FACTS.get(cause, cause),
    "next": lambda side, _: BETS.get(side, side),
    "side": lambda side, _: BETS.get(side, side),
    "why": lambda why, _: FACTS.get(f"why.{why}", why),
    "verdict": lambda verdict, _: FACTS.get(verdict, verdict),
    "what": lambda what, _: VALUES.get(f"what.{what}", what),
    "odds": lambda odds, _: f"{odds[0]} to {odds[1]}",
    "breakage": lambda breakage, writing: _breakage(Fraction(*breakage), writing),
    "set_id": lambda set_id, _: set_id.removeprefix("set "),  # the sentence says it
    "seats": lambda seats, writing: _seated(seats, writing),  # noqa: PLW0108  it stands below
    "for_ms": lambda for_ms, _: f"{-(-for_ms // 1000)} s",
}


def _seated(seats: dict[Any, Any], writing: Writing) -> str:
    """Who sits where at a table, or at each of several."""
    if any(isinstance(seated, dict) for seated in seats.values()):
        tables = seats.items()
        return "; ".join(
            f"{writing.table(at)}: {_seated(seated, writing)}" for at, seated in tables
        )
    return ", ".join(f"{writing.person(person)} at {seat}" for seat, person in seats.items())


def _listed(values: tuple[Any, ...], writing: Writing) -> str:
    if values and hasattr(values[0], "laid"):
        return ", ".join(
            writing.card(value.card) if value.card else "an unseen card" for value in values
        )
    written = (writing.card(value) if isinstance(value, Card) else str(value) for value in values)
    return ", ".join(written)


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
