"""What clients were told is on record, held against the record."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from puntobanco.house.checks.audit import audit
from puntobanco.journal.envelope import asked_in
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import verify


class Acknowledged(Struct, frozen=True):
    """A client was told in which row its command is."""

    command_id: str
    seq: int
    facts: dict[str, Any] = {}
    """What was said with it."""


class Found(Struct, frozen=True):
    """What the record says of all that was acknowledged, and of itself."""

    lost: int
    """Acknowledged, and not in the row that was told, or not as it was asked."""
    doubled: int
    """In a stream twice, or refused and there all the same."""
    rows: int
    coups: int
    fault: str
    """Empty: verified, and every row decided again."""


def held_against(
    log: EventLog, acknowledged: list[Acknowledged], refused: Iterable[str] = ()
) -> Found:
    """Read every row: each acknowledged command is in the row that was told, as it was asked; no
    command at all is in its stream twice, and none that was refused is anywhere.
    """
    rows: dict[str, list[tuple[str, int]]] = defaultdict(list)
    told = {one.command_id: one for one in acknowledged}
    lost = set(told)
    count = coups = 0
    for stream in log.streams():
        for row in log.read(stream):
            rows[row.command_id].append((stream, row.seq))
            count += 1
            if (one := told.get(row.command_id)) and one.seq == row.seq and _says(row, one.facts):
                lost.discard(row.command_id)
            coups += b'"is":"coup-ended"' in row.events
    doubled = sum(len({stream for stream, _ in at}) < len(at) for at in rows.values())
    doubled += sum(command_id in rows for command_id in refused)
    fault = verify(log).fault or audit(log).fault
    return Found(len(lost), doubled, count, coups, str(fault or ""))


def _says(row: Row, facts: dict[str, Any]) -> bool:
    asked = asked_in(row)
    return asked is not None and facts.items() <= msgspec.json.decode(asked[1]).items()
