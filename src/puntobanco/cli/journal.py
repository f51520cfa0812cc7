"""`puntobanco verify`, `export`, `backup` and `restore`: what is kept, checked and copied."""

import asyncio
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rich.progress import Progress, TextColumn

import puntobanco_verifier as verifier
from puntobanco.cli import show
from puntobanco.errors import DamagedError, MalformedError
from puntobanco.house.audit import audit
from puntobanco.house.export import export as export_stream
from puntobanco.journal.backup import copy
from puntobanco.journal.log import EventLog
from puntobanco.journal.receipt import FORM, Receipt, read_receipt, receipt_fault
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import Checked
from puntobanco.journal.verify import verify as verify_journal

SQLITE = b"SQLite format 3\x00"
Value = TypeVar("Value")


def verify(what: str, /, *, head: str = "", house: str | None = None, key: str = "") -> int:
    """Verify a house, an export or a receipt: every link, root, result, payout and balance.

    Exits with 0 when all holds, with 1 and the first fault when something does not.

    Parameters
    ----------
    what
        A house (an SQLite file, or the URL of a PostgreSQL database), an exported file, or a
        receipt.
    head
        A root noted down earlier, in hexadecimal: the house must have had it.
    house
        For a receipt: the house to hold it against.
    key
        For a receipt: the public key the house publishes, in hexadecimal.
    """
    noted = _noted(head)
    if _is_house(what):
        if house is not None or key:
            raise MalformedError("--house and --key belong to a receipt")
        try:
            return using(what, lambda log: _verify_house(log, noted))
        except DamagedError as error:
            print(f"FAULT: {error}")
            return 1
    if head:
        raise MalformedError("--head belongs to a house, not to an export")
    file = Path(what)
    if _is_receipt(file):
        return _verify_receipt(file, house, key)
    if house is not None or key:
        raise MalformedError("--house and --key belong to a receipt, not to an export")
    return _verify_export(file)


def _is_receipt(file: Path) -> bool:
    with file.open("rb") as opened:
        return FORM.encode() in opened.read(200)


def _verify_receipt(file: Path, house: str | None, key: str) -> int:
    """Sound only if somebody vouches for the key it is signed with."""
    receipt = read_receipt(file.read_bytes())
    fault = receipt_fault(receipt)
    if not fault and key and key.lower() != receipt.key:
        fault = f"was signed with another key: {receipt.key}"
    if not fault and house is not None:
        fault = using(house, lambda log: _held_against(log, receipt))
    if not fault and house is None and not key:
        fault = f"is whole, but nobody vouches for its key {receipt.key}: give --key or --house"
    where = f"{receipt.stream} row {receipt.seq}"
    if fault:
        print(f"FAULT: {where}: {fault}")
        return 1
    print(f"{where}: sound{', and in the house' if house else ''}")
    return 0


async def _held_against(log: EventLog, receipt: Receipt) -> str:
    row = next(log.read(receipt.stream, receipt.seq - 1), None)
    if row is None or row.seq != receipt.seq:
        return "is not in this house: it is gone, or was never there"
    if row.hash.hex() != receipt.hash:
        return "is another in this house: one of the two was changed"
    shown = f'{{"is":"key-shown","public":"{receipt.key}"}}'.encode()
    known = any(shown in row.events for row in log.read("register"))
    return "" if known else "was signed with a key this house never showed"


def _noted(head: str) -> bytes | None:
    try:
        noted = bytes.fromhex(head)
    except ValueError as error:
        raise MalformedError("a root is 64 hexadecimal digits") from error
    if head and len(noted) != 32:
        raise MalformedError("a root is 64 hexadecimal digits")
    return noted or None


def _is_house(what: str) -> bool:
    if what.startswith(("postgresql:", "postgres:")):
        return True
    with Path(what).open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


async def open_house(where: str, *, create: bool = False) -> EventLog:
    if not where.startswith(("postgresql:", "postgres:")):
        return open_log(Path(where), create=create)
    try:
        from puntobanco.journal import postgres  # noqa: PLC0415  an extra
    except ImportError as error:
        wants = "PostgreSQL wants an extra: pip install puntobanco[postgres]"
        raise MalformedError(wants) from error
    return await postgres.open_log(where, create=create)


def using(where: str, use: Callable[[EventLog], Awaitable[Value]]) -> Value:
    """Open a house that is there, use it, close it."""

    async def main() -> Value:
        log = await open_house(where)
        try:
            return await use(log)
        finally:
            await log.close()

    try:
        return asyncio.run(main())
    except sqlite3.Error as error:
        raise DamagedError(f"{where}: the database cannot be read: {error}") from error
    except Exception as error:
        if type(error).__module__.startswith("psycopg"):  # an extra, perhaps not there
            said = " ".join(str(error).split())
            raise DamagedError(f"the database cannot be read: {said}") from error
        raise


async def _verify_house(log: EventLog, noted: bytes | None) -> int:
    unchecked: list[str] = []
    with log.frozen():  # it may be in use
        with _bar("rows linked") as tick:
            found = verify_journal(log, noted, tick)
        fault = found.fault
        if fault is None:
            with _bar("rows played back") as tick:
                fault = audit(log, tick, unchecked)
    if fault is not None:
        print(f"FAULT: {fault}")
        return 1
    for one in unchecked:
        print(f"only its links were checked: {one}")
    _print_sound(found, "sound")
    return 0


def _print_sound(found: Checked, what: str) -> None:
    rows, streams = show.counted(found.rows, "row"), show.counted(found.streams, "stream")
    print(f"{rows} in {streams}: {what}")
    print(f"root {found.root.hex()}")


def _verify_export(file: Path) -> int:
    try:
        with file.open(encoding="utf-8") as lines:
            found: dict[str, object] = verifier.verify(iter(lines))  # type: ignore[no-untyped-call]
    except verifier.Fault as fault:
        print(f"FAULT: {fault}")
        return 1
    counted = ", ".join(f"{count} {name}" for name, count in found.items() if name != "head")
    print(f"{counted}: sound")
    print(f"head {found['head']}")
    return 0


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int], object]]:
    """Progress, for a person who waits; nothing in a pipe."""
    column = TextColumn("{task.completed:,.0f} {task.description}")
    quiet = not sys.stderr.isatty()
    with Progress(column, console=show.errors, transient=True, disable=quiet) as progress:
        task = progress.add_task(what)
        yield lambda count: progress.update(task, completed=count)


def export(stream: str, /, *, house: str, to: Path | None = None) -> int:
    """Write one stream into a file that stands by itself: rule set, rows, hashes.

    Parameters
    ----------
    stream
        Which one, such as table-1.
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    to
        Where to; standard output if it is left out.
    """

    async def write(log: EventLog) -> int:
        with _bar("rows exported") as tick:
            lines = _counted(export_stream(log, stream), tick)
            if to is None:
                sys.stdout.buffer.writelines(lines)
            else:
                first = next(lines)  # what cannot be exported leaves no file behind
                with to.open("xb") as file:
                    file.write(first)
                    file.writelines(lines)
        return 0

    return using(house, write)


def _counted(lines: Iterator[bytes], tick: Callable[[int], object]) -> Iterator[bytes]:
    for count, line in enumerate(lines):
        yield line
        if not count % 1000:
            tick(count)


def backup(*, house: str, to: Path) -> int:
    """Copy a house, while it is in use, into one SQLite file; the copy is verified.

    Parameters
    ----------
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    to
        The file to make. It is a house by itself.
    """
    if to.exists():
        raise MalformedError(f"{to} is there already; name a new file")
    return _copied(house, str(to))


def restore(file: Path, /, *, to: str) -> int:
    """Bring a backup back into a new house; the copy is verified.

    Parameters
    ----------
    file
        The backup.
    to
        The house to make: an SQLite file that is not there, or an empty PostgreSQL database.
    """
    if not to.startswith(("postgresql:", "postgres:")) and Path(to).exists():
        raise MalformedError(f"{to} is there already; name a new file")
    return _copied(str(file), to)


def _copied(source: str, target: str) -> int:
    async def main(log: EventLog) -> int:
        made = await open_house(target, create=True)
        try:
            with _bar("rows copied") as tick:
                found = await copy(log, made, tick)
        except BaseException:
            await made.close()
            _remove(target)  # half a copy is none
            raise
        await made.close()
        if found.fault is not None:
            print(f"FAULT: {found.fault}")
            return 1
        _print_sound(found, "copied")
        return 0

    return using(source, main)


def _remove(target: str) -> None:
    """A file that was begun; a database in PostgreSQL is left to its owner."""
    if not target.startswith(("postgresql:", "postgres:")):
        for file in (target, f"{target}-wal", f"{target}-shm"):
            Path(file).unlink(missing_ok=True)
