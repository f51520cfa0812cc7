"""What everybody at a competition's table sees of the session: whose turn it is, who is away."""

from puntobanco.brief import Brief
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.notice import Limits
from puntobanco.table.queries.competition import (
    betting_order,
    circuit,
    coup_of_session,
    have_bet,
    rules_of,
    seat_to_bet,
)
from puntobanco.table.state import Table


class ContestSeen(Brief, frozen=True):
    """One session of a competition, as it stands at this table."""

    session: str
    """The stage, and which of its sessions; empty at a table that plays without one."""
    coup: int
    """Counted from the session's first."""
    coups: int
    """Those that count: wagers were taken, and the coup stands."""
    ends: SessionEnds
    to_play: int | None
    """Coups that a card has given [tas-2018:16.8.3]."""
    last: bool
    """The coup in play, or the next, is the session's last."""
    order: tuple[int, ...]
    """Every seat of a player, from the puck on in the direction in which bets are made; empty
    where all bet together [tas-2018:16.5.4, act-2015:15.15]."""
    turn: int | None
    """The seat that is to bet now."""
    asked: int | None
    """The seat that the dealer has asked for its wager."""
    until_ms: int | None
    """When the time of the seat that was asked is over."""
    time_over: bool
    bet: tuple[int, ...]
    """Seats that have wagered on this coup, by chips or by a form that lies."""
    restricted: tuple[int, ...]
    """Seats whose time is over: the minimum only [tas-2018:16.4.8]."""
    away: dict[int, str]
    """Seats whose player is `absent`, `late` or came too late for this coup (`missed`)."""
    out: dict[int, str]
    """Seats whose player is out, and why."""
    wager_seconds: int
    """The time for a wager that was announced; 0: none."""
    raised: Limits | None
    """Limits announced to hold after the indicator card [tas-2018:16.5.1-16.5.3]."""
    indicator: str
    """Of the indicator card: `none` is in the shoe, it is `in` it, or it is `out`."""


def contest_of(table: Table) -> ContestSeen | None:
    """The session at a competition's table; None at any other."""
    if not table.is_contest:
        return None
    contest, session, own = table.contest, table.session, table.conditions
    in_shoe = "in" if table.pack.indicator else "none"
    return ContestSeen(
        session.id if session else "",
        coup_of_session(table),
        contest.coups,
        session.ends if session and not contest.continued else SessionEnds(),
        None if contest.continued else contest.to_play,  # more rounds end with a result alone
        contest.last,
        _order(table),
        seat_to_bet(table) if rules_of(table).order else None,
        contest.asked,
        contest.until_ms,
        contest.time_over,
        tuple(sorted(have_bet(table))),
        tuple(sorted(contest.restricted)),
        _away(table),
        {
            seat: contest.gone.get(who, "out")
            for seat, who in contest.drawn.items()
            if who not in table.places and who not in contest.expected
        },
        session.wager_seconds if session else 0,
        own.raised_limits if own else None,
        "out" if contest.indicator_out else in_shoe,
    )


def _order(table: Table) -> tuple[int, ...]:
    if not rules_of(table).order:
        return ()
    theirs = {*table.seated, *table.contest.drawn}
    first = table.contest.puck or table.terms.seats.at_dealers_right
    start = (betting_order(table) or (first,))[0] if table.contest.puck is None else first
    return tuple(seat for seat in circuit(table, start) if seat in theirs)


def _away(table: Table) -> dict[int, str]:
    contest = table.contest
    kinds = {"late": contest.expected, "absent": contest.absent, "missed": contest.missed}
    by_seat = {**contest.drawn, **table.seated}
    return {
        seat: kind
        for seat, person in by_seat.items()
        for kind, people in kinds.items()
        if person in people
    }
