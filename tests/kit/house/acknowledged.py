"""What clients were told is on record, held against the record."""

from collections import defaultdict

from msgspec import Struct

from puntobanco.house.checks.audit import audit
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import verify


class Acknowledged(Struct, frozen=True):
    """A client was told in which row its command is."""

    command_id: str
    seq: int


class Found(Struct, frozen=True):
    """What the record says of all that was acknowledged, and of itself."""

    lost: int
    doubled: int
    rows: int
    coups: int
    fault: str
    """Empty: verified, and every row decided again."""


def held_against(log: EventLog, acknowledged: list[Acknowledged]) -> Found:
    """Read every row: each acknowledged command is in the row that was told, and no command at all
    is in its stream twice.
    """
    rows: dict[str, list[tuple[str, int]]] = defaultdict(list)
    count = coups = 0
    for stream in log.streams():
        for row in log.read(stream):
            rows[row.command_id].append((stream, row.seq))
            count += 1
            coups += b'"is":"coup-ended"' in row.events
    doubled = sum(len({stream for stream, _ in at}) < len(at) for at in rows.values())
    lost = sum(one.seq not in (seq for _, seq in rows[one.command_id]) for one in acknowledged)
    fault = verify(log).fault or audit(log).fault
    return Found(lost, doubled, count, coups, str(fault or ""))
