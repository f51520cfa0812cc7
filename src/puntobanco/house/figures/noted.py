"""The rows of the house's own stream, the cage, the register and competitions that management must
see.

Their numbers are kept beside those of the tables, as the rows come and for ever: however much is
written after one, it is found. What has not been kept yet is read with them.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from puntobanco.cage import events as cage_events
from puntobanco.cage.commands import worth_cents
from puntobanco.house.figures import stored
from puntobanco.house.stream import COMPETITION
from puntobanco.journal.log import EventLog, Statement
from puntobanco.journal.rows import Row, facts_in
from puntobanco.journal.verify import HOUSE, REGISTER, ROOT_TAGS
from puntobanco.register.settings import Watch

CAGE = "cage"
STREAMS = (HOUSE, CAGE, REGISTER)
QUIET = frozenset(
    {*ROOT_TAGS, "program-checked", "generator-checked", "clock-followed", "writing-began"}
    | {"reminder-known"}
)
"""What the house records of itself and nobody need look at."""
OF_PEOPLE = frozenset(
    {"role-granted", "role-revoked", "person-disabled", "person-enabled"}
    | {"founder-named", "two-people-set", "watch-set", "self-excluded"}
    | {"gaming-day-set", "time-zone-set", "retention-set"}
)
"""What the register says of grants and leavers, founders, where two people are wanted, what must be
seen, by which clock days go, what is kept, and who wants to be kept out.
"""
OF_COMPETITIONS = frozenset(
    {"conditions-published", "value-added", "seat-moved", "entry-disqualified", "entry-forfeited"}
    | {"ruling-made", "result-amended", "competition-cancelled"}
)
"""What changes a competition's rules, money, seats or results otherwise than by play."""
COUNTS = (b'"tray-counted"', b'"drawer-closed"')
PAID = (cage_events.MoneyDeposited, cage_events.MoneyWithdrawn, cage_events.PaidFromPot)
PAYMENTS = (b'"money-deposited"', b'"money-withdrawn"', b'"paid-from-pot"')
WatchAt = Callable[[int], Watch]
"""The amounts to be seen, as they were set for a time."""
NONE = Watch()
FORM = "noted 4"
"""Raised when other rows of the same streams are to be seen: their numbers are kept anew."""
SINCE = "SELECT seq FROM figures_at WHERE stream = ? AND form = ?"
AT_ONCE = 5000
"""Rows that are read in one go while the house runs, so that nobody waits long."""
decode_cage = msgspec.json.Decoder(list[cage_events.CageEvent]).decode


def streams_in(log: EventLog) -> tuple[str, ...]:
    """These streams, of the competitions all that there are."""
    return (*STREAMS, *(name for name in log.streams() if name.startswith(COMPETITION)))


def must_be_seen(row: Row, watch: Watch) -> bool:
    """Whether management must see a row of these streams."""
    if row.stream.startswith(COMPETITION):
        return any(is_of_competition(event) for event in facts_in(row))
    match row.stream:
        case "cage":
            told = any(tag in row.events for tag in (*COUNTS, *PAYMENTS))
            events = decode_cage(row.events) if told else []
            return any(differs(event) or is_large(event, watch) for event in events)
        case "register":
            return any(is_of_people(event) for event in facts_in(row))
        case _:
            return any(event.get("is") not in QUIET for event in facts_in(row))


def is_of_people(event: dict[str, Any]) -> bool:
    """Whether the register says something that must be seen: also that a key was changed."""
    tag = event.get("is")
    return tag in OF_PEOPLE or (tag == "key-shown" and "first" in event)


def is_of_competition(event: dict[str, Any]) -> bool:
    """Whether a competition says something that must be seen: also seats that were keyed in."""
    tag = event.get("is")
    return tag in OF_COMPETITIONS or (tag == "seats-drawn" and not event.get("seed"))


def differs(event: cage_events.CageEvent) -> bool:
    """Whether a tray or a drawer was counted otherwise than it had to be."""
    match event:
        case cage_events.TrayCounted():
            return event.expected_cents != event.counted_cents
        case cage_events.DrawerClosed():
            cash = worth_cents(event.cash) - event.expected_cash_cents
            return bool(cash or worth_cents(event.chips) - event.expected_chips_cents)
        case _:
            return False


def is_large(event: cage_events.CageEvent, watch: Watch) -> bool:
    """Whether so much was paid in or out that management must see it."""
    return isinstance(event, PAID) and 0 < watch.payment_cents <= event.cents


def kept_up_to(log: EventLog, stream: str) -> int:
    """The row up to which the numbers of a stream are kept."""
    if not stored.are_kept(log):
        return 0
    return next((int(seq) for (seq,) in log.beside(SINCE, stream, FORM)), 0)


def not_kept(log: EventLog, watch: WatchAt) -> Iterator[tuple[str, int]]:
    """The rows to be seen that have come since: stream and number."""
    for stream in streams_in(log):
        for row in log.read(stream, kept_up_to(log, stream)):
            if must_be_seen(row, watch(row.at_ms)):
                yield stream, row.seq


def keep(
    log: EventLog,
    watch: WatchAt = lambda _: NONE,
    most: int = AT_ONCE,
    streams: Iterable[str] | None = None,
) -> int:
    """Read on, of all of these streams or of some, and keep the numbers of the rows to be seen; say
    how many rows were read.
    """
    if not stored.are_kept(log):
        return 0
    read = 0
    for stream in streams_in(log) if streams is None else streams:
        since = seq = kept_up_to(log, stream)
        found: list[Statement] = list(stored.drop(stream)) if not since else []
        for row in log.read(stream, since):
            if read == most:
                break
            read, seq = read + 1, row.seq
            if must_be_seen(row, watch(row.at_ms)):
                found.append((stored.PUT_NOTABLE, (stream, row.seq, row.at_ms)))
        if seq > since:
            log.together([*found, (stored.PUT_AT, (stream, seq, FORM, b""))])
    return read


def wrongly_kept(log: EventLog, watch: WatchAt = lambda _: NONE) -> tuple[str, int] | None:
    """The first row that is wrongly among those kept, or missing there: stream and number."""
    if not stored.are_kept(log):
        return None
    for stream in streams_in(log):
        upto = kept_up_to(log, stream)
        kept = {int(seq) for seq, _ in log.beside(stored.ALL_NOTABLE, stream)} if upto else set()
        rows = (row for row in log.read(stream) if row.seq <= upto)
        wrong = kept ^ {row.seq for row in rows if must_be_seen(row, watch(row.at_ms))}
        if wrong:
            return stream, min(wrong)
    return None
