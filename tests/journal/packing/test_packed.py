"""Rows are packed in the database, and come out as they were; what is packed is permanent."""

import json
import sqlite3
import tracemalloc
import zlib
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import astuple, replace

from puntobanco.journal.chain import FIRST, hash_of, link
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.packing.packed import (
    DICTIONARY,
    MOST,
    SIGN,
    SOUGHT,
    Stored,
    adopted,
    is_packed,
    pack_row,
    row_from,
    stored_events,
)
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import verify
from tests.kit.journal import entry, one, using

PLAYED = b'[{"is":"card-drawn","card":"9c","clauses":["tas-2018:9.2"]}]'
KEPT = "01c3e550437487a238d000d97d609729e177872581596200"
"""A row as the first program that packed rows stored it; it is read for ever."""


def made(**facts: object) -> Row:
    return link(entry("table-1", 1, **facts), FIRST, lambda _: b"k" * 40)


def test_a_packed_row_is_the_same_and_much_smaller() -> None:
    row = made(events=PLAYED)
    stored = pack_row(row)
    assert is_packed(stored)
    assert row_from(stored, FIRST) == row
    assert len(bytes(stored[7])) < (len(row.events) + len(row.command or b"")) / 3  # type: ignore[call-overload]
    assert stored_events(stored) == PLAYED


def test_what_was_packed_once_is_read_for_ever() -> None:
    never = {"cards-touched", "commitment-opened", "conditions-published", "gaming-day-began"}
    assert never | {"incident-recorded", "proposed", "table-opened"} >= SOUGHT
    assert (
        sha256(DICTIONARY).hexdigest()
        == "28798dc0ae9d978503548717f7dedf952ead66f39c1e738690016c4143b377dc"
    )
    row = made(events=PLAYED)
    stored = (*pack_row(row)[:7], bytes.fromhex(KEPT), *pack_row(row)[8:])
    assert row_from(stored, FIRST) == row


@pytest.mark.parametrize(
    "facts",
    [
        {"events": json.dumps([{"is": kind}], separators=(",", ":")).encode()}
        for kind in sorted(SOUGHT)
    ]
    + [{"events": b"[" + b'"x"' * MOST + b"]"}, {"clauses": ("a\nb",)}],
)
def test_a_row_that_is_looked_for_or_odd_stays_as_it_is(facts: dict[str, object]) -> None:
    row = made(**facts)
    assert pack_row(row) == astuple(row)
    assert row_from(astuple(row), b"") == row


def test_a_row_that_does_not_hold_is_copied_as_it_stands() -> None:
    row = made(events=PLAYED)
    assert adopted(row) == pack_row(row)
    for broken in (
        replace(row, events=b"[]"),
        replace(row, command=b"{}"),
        replace(row, previous=b"p" * 32),
        replace(row, actor=7),
    ):
        assert adopted(broken) == astuple(broken)


def packed_against(dictionary: bytes, plain: bytes) -> bytes:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 5, zlib.Z_DEFAULT_STRATEGY, dictionary)
    return SIGN + deflate.compress(plain) + deflate.flush()


CHANGES: dict[str, Callable[[Stored], Stored]] = {
    "an actor beside it": lambda stored: (*stored[:3], "eve", *stored[4:]),
    "a hash of another command": lambda stored: (*stored[:5], b"h" * 32, *stored[6:]),
    "clauses beside it": lambda stored: (*stored[:6], "tas-2018:1", *stored[7:]),
    "another link": lambda stored: (*stored[:8], b"p" * 32, *stored[9:]),
    "a command beside it": lambda stored: (*stored[:10], b"{}", *stored[11:]),
    "cut off": lambda stored: (*stored[:7], bytes(stored[7])[:-3], *stored[8:]),  # type: ignore[call-overload]
    "gone on with": lambda stored: (*stored[:7], bytes(stored[7]) + b"x", *stored[8:]),  # type: ignore[call-overload]
    "nothing in it": lambda stored: (*stored[:7], SIGN, *stored[8:]),
    "packed against another dictionary": lambda stored: (
        *(*stored[:7], packed_against(b"another", PLAYED)),
        *stored[8:],
    ),
    "said to be of a form to come": lambda stored: (
        *(*stored[:7], b"\x02" + bytes(stored[7])[1:]),  # type: ignore[call-overload]
        *stored[8:],
    ),
    "a hundred megabytes in little": lambda stored: (
        *(*stored[:7], packed_against(DICTIONARY, bytes(100_000_000))),
        *stored[8:],
    ),
    "no bytes": lambda stored: (*stored[:7], None, *stored[8:]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_of_a_packed_row_its_hash_does_not_hold(change: str) -> None:
    stored = CHANGES[change](pack_row(made(events=PLAYED)))
    tracemalloc.start()
    row = row_from(stored, FIRST)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 16 * MOST, "no more is unpacked than a row may have"
    try:
        holds = hash_of(row) == row.hash and sha256(row.command or b"").digest() == row.command_hash
    except (TypeError, AttributeError):
        holds = False
    assert not holds


def test_a_link_that_is_left_out_is_the_hash_of_the_row_before(place: str) -> None:
    async def use(log: EventLog) -> None:
        rows = [(await log.append(one("table-1", seq, events=PLAYED)))[0] for seq in range(1, 41)]
        assert list(log.read("table-1")) == rows
        assert list(log.read("table-1", 17)) == rows[17:]
        assert [log.row("table-1", seq) for seq in (1, 2, 40)] == [rows[0], rows[1], rows[39]]
        assert log.by_command("table-1", "c33") == rows[32]
        assert await log.append(one("table-1", 33, events=PLAYED)) == (rows[32],)
        assert list(log.find("table-1", 30, b'"is":"card-drawn"')) == rows[30:]
        assert list(log.find("table-1", 0, b"no such text")) == []

    using(place, use)


def test_rows_that_are_looked_for_are_found_among_packed_ones(place: str) -> None:
    told = b'[{"is":"incident-recorded","note":"card-drawn"}]'

    async def use(log: EventLog) -> None:
        both = (entry("table-1", 1, events=PLAYED), entry("table-1", 2, events=told))
        rows = await log.append(Append(both))
        assert list(log.find("table-1", 0, b'"is":"incident-recorded"')) == [rows[1]]
        assert list(log.find("table-1", 0, b"card-drawn")) == list(rows)

    using(place, use)


def test_a_packed_row_changed_in_the_file_is_named(tmp_path: Path) -> None:
    where = tmp_path / "house.db"

    async def fill(log: EventLog) -> None:
        log.sign = lambda _: b"k" * 40
        for seq in range(1, 6):
            await log.append(one("table-1", seq, events=PLAYED))

    async def fault(log: EventLog) -> str:
        return str(verify(log).fault)

    using(str(where), fill)
    assert using(str(where), fault) == "None"
    with closing(sqlite3.connect(where, isolation_level=None)) as db:
        db.execute("DROP TRIGGER rows_stay")
        other = pack_row(made(events=PLAYED.replace(b"9c", b"9d")))[7]
        db.execute("UPDATE rows SET events = ? WHERE seq = 3", (other,))
    assert using(str(where), fault).startswith("table-1 row 3: was changed")
