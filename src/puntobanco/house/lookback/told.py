"""Rows told in words: what happened, when, by whom and why; read here and nowhere else."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from puntobanco.journal.rows import Row, damaged
from puntobanco.table import events as e
from puntobanco.table.sentences import PLAIN, Writing, tell

_decode = msgspec.json.Decoder(list[e.TableEvent]).decode


class Told(Struct, frozen=True):
    """One event: when, by whom, what happened, and why."""

    seq: int
    at_ms: int
    actor: str
    says: str
    clauses: tuple[str, ...]
    event: e.TableEvent


def events_of(row: Row) -> list[e.TableEvent]:
    """The events of a table's row; a row that somebody changed may hold none that can be read."""
    try:
        return _decode(row.events)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError) as error:
        raise damaged(row) from error


def tell_row(row: Row, writing: Writing = PLAIN) -> Iterator[Told]:
    """Each event of a row as a sentence."""
    for event in events_of(row):
        yield Told(row.seq, row.at_ms, row.actor, tell(event, writing), event.clauses, event)
