"""A patron's own limits of loss and time, held against wagers and chips that are bought.

What counts is money: coups that are over, as they stand now, and stakes that lie. Fees, entries and
chips of competitions and play chips do not: what can be lost by them is their price.
"""

from datetime import date, timedelta  # noqa: TID251  days of the calendar, and no clock
from typing import Any

from puntobanco.errors import Reason, Refused
from puntobanco.house.serving import check_plays
from puntobanco.house.trust.played import PlayedGame
from puntobanco.journal.envelope import PlayedBefore
from puntobanco.register.commands import OwnLimits
from puntobanco.register.state import Register
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor
from puntobanco.table.authority import stands_for, subject
from puntobanco.table.state import Table
from puntobanco.words import money

NONE = OwnLimits()
WAGERS = c.PlaceWager | c.ChangeWager | c.LayWagers
MINUTE_MS, DAY_MS = 60_000, 86_400_000
PAUSE_MS = 10 * MINUTE_MS
"""Whoever has no wager for longer has not played meanwhile."""
WEEK_DAYS = 7
OF_LOSS = {"day_cents": Reason.OWN_DAY_LIMIT, "week_cents": Reason.OWN_WEEK_LIMIT}


def limited(ask: Any, table: Table, by: Actor, people: Register) -> str:
    """Whose own limits a command at a table is held against; empty: nobody's."""
    if not isinstance(ask, WAGERS | c.BuyIn) or table.plays_for_chips:
        return ""
    if not isinstance(ask, c.BuyIn) and (table.coup is None or table.coup.locked):
        return ""  # it is refused, or comes too late and is not honoured
    person = subject(ask, stands_for(table, by))
    member = people.people.get(person)
    own = without_reminder(member.limits) if member else NONE
    return person if own != NONE else ""


def check_may_wager(ask: Any, table: Table, by: Actor, people: Register) -> None:
    """Refuse a wager of somebody who is shut out, whoever keys it: they may still have chips. What
    makes a wager smaller is never refused; what they entered before is the director's to end.
    """
    if not isinstance(ask, WAGERS) or table.plays_for_chips or table.coup is None:
        return
    person = subject(ask, stands_for(table, by))
    now = lies(table, person)
    if _after(ask, table, person, now) > now:
        check_plays(people, person, by.at_ms)


def without_reminder(limits: OwnLimits) -> OwnLimits:
    """The limits alone: a reminder is none."""
    return OwnLimits(limits.day_cents, limits.week_cents, limits.minutes)


def check_own_limits(
    ask: Any, table: Table, person: str, people: Register, played: PlayedBefore
) -> None:
    """Refuse a wager, or chips, by which a patron could lose more than they let themselves, or play
    for longer; what makes a wager smaller is never refused.
    """
    limits, now = people.people[person].limits, lies(table, person)
    after = _after(ask, table, person, now)
    if not isinstance(ask, c.BuyIn) and after <= now:
        return
    if limits.minutes and played.minutes >= limits.minutes:
        facts = {"person": person, "minutes": limits.minutes}
        raise Refused(Reason.OWN_TIME_LIMIT, CONDITIONS, **facts)
    for name, reason in OF_LOSS.items():
        limit = getattr(limits, name)
        left = max(0, limit - getattr(played, name))
        if limit and after > left:
            facts = {"person": person, "limit": money(limit), "left": money(left)}
            raise Refused(reason, CONDITIONS, **facts)


def lies(table: Table, person: str) -> int:
    """The stakes of a player that lie at a table."""
    wagers = table.coup.wagers if table.coup and table.coup.verdict is None else ()
    return sum(one.cents for one in wagers if one.by == person)


def _after(ask: Any, table: Table, person: str, now: int) -> int:
    """What could be lost at the table if the command is taken: the stakes that lie then, or all
    chips.
    """
    wagers = table.coup.wagers if table.coup else ()
    match ask:
        case c.BuyIn():
            return table.chips.get(person, 0) + now + int(ask.cents)
        case c.LayWagers():
            place = table.places.get(person)
            own = [one for one in wagers if one.by == person and place and one.box == place.box]
            return now - sum(one.cents for one in own) + sum(stake.cents for stake in ask.wagers)
        case c.ChangeWager():
            was = [
                one.cents
                for one in wagers
                if (one.by, one.box, one.on) == (person, ask.box, ask.on)
            ]
            return now - sum(was) + int(ask.cents)
        case _:
            return now + int(ask.cents)


def count_played(
    games: list[PlayedGame], day: str, elsewhere_cents: int, now_ms: int
) -> PlayedBefore:
    """What somebody has lost and played by a moment of a gaming day; at a table whose clock is
    ahead it may be the next one already.
    """
    first = first_of_week(day)
    money_games = [one for one in games if one.book == "money" and first <= one.day]
    today = [one for one in money_games if day <= one.day]
    return PlayedBefore(
        day,
        elsewhere_cents - sum(one.won_cents for one in today),
        elsewhere_cents - sum(one.won_cents for one in money_games),
        minutes_of(today, now_ms),
    )


def first_of_week(day: str) -> str:
    """The first of seven gaming days of which this is the last.

    >>> first_of_week("2026-03-02")
    '2026-02-24'
    """
    return days_before(day, WEEK_DAYS - 1)


def days_before(day: str, days: int) -> str:
    """The gaming day so many days earlier."""
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()


def minutes_of(games: list[PlayedGame], now_ms: int) -> int:
    """How long somebody has played: from the opening of a coup to its end and on to the next, if
    that comes within ten minutes; up to now, if the last was over so lately.
    """
    played = last = 0
    for one in sorted(games, key=lambda game: game.at_ms):
        begins = last if last and one.at_ms - last <= PAUSE_MS else one.at_ms
        played += max(0, one.over_ms - max(begins, last))
        last = max(last, one.over_ms)
    if last and 0 < now_ms - last <= PAUSE_MS:
        played += now_ms - last
    return played // MINUTE_MS
