"""`puntobanco verify` and `export`: what is kept, checked and shown."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace
from rich.progress import Progress, TextColumn

from puntobanco.cli import show
from puntobanco.cli.keys import key_of, load_keys, root_beside
from puntobanco.cli.show import Flag, Json
from puntobanco.errors import DamagedError, MalformedError, UnusableError
from puntobanco.house.archives.opened import is_archive
from puntobanco.house.checks.proof import Against, Proof, prove, under
from puntobanco.house.lookback.export import export as export_stream
from puntobanco.house.lookback.exported import read_export, verify_export
from puntobanco.house.roots import read_noted
from puntobanco.journal.chain import BEGINNING
from puntobanco.journal.log import EventLog
from puntobanco.journal.opening import is_url, journal_at
from puntobanco.journal.receipt import (
    FORM,
    SHORT_FORM,
    Receipt,
    ShortReceipt,
    read_receipt,
    receipt_fault,
)
from puntobanco.journal.shown_keys import shown_keys
from puntobanco.journal.verify import Checked
from puntobanco.journal.witness.testimony import Witnessed, read_testimony, streams_fault

SQLITE = b"SQLite format 3\x00"
Value = TypeVar("Value")


def verify(
    what: str,
    /,
    *,
    head: str = "",
    house: str | None = None,
    key: str = "",
    secret: Path | None = None,
    witness: Path | None = None,
    since: str = "",
    archives: Path | None = None,
    links: Flag = False,
    strict: Flag = False,
    json: Json = False,
) -> int:
    """Verify a house, an export, an archive or a receipt: every link and root, every row decided.

    Exits with 0 when all holds, with 1 and the first fault when something does not.

    Parameters
    ----------
    what
        A house (an SQLite file, or the URL of a PostgreSQL database), an exported file, an archive
        or a receipt.
    head
        A root noted down earlier, in hexadecimal: the house must have had it.
    house
        For a receipt or an archive: the house to hold it against.
    key
        For a receipt: the public key the house publishes, in hexadecimal.
    secret
        The file with the house's key: with it, codes of rows, seals and credentials are checked
        too, and the root that is kept beside it. By default, where the house keeps it.
    witness
        What a witness of the house kept (`puntobanco witness`): every row that it saw must be
        there as it was seen; of an export, those of its streams; of a receipt with a proof, the
        root that it leads to.
    since
        A root on record, by its digest (or the digits that a witness prints) or the house's row:
        only rows after it are decided again. Every link, root and code is still followed from the
        beginning, and what was not decided is said.
    archives
        A folder of archives: for a house, all of them are proved from the first row on, and joined
        to it; for an archive that goes on from another, those before it are there.
    links
        Follow links and roots alone, which is much faster.
    strict
        Exit with 1 also if rows of an earlier edition come out otherwise today.
    json
        For a house: one JSON object with what was checked.
    """
    noted = _noted(head)
    testimony = _testimony(witness) if witness else None
    if _is_house(what):
        if house is not None or key:
            raise MalformedError("--house and --key belong to a receipt")
        if since and links:
            raise MalformedError("--links decides no row again, so --since has nothing to begin")
        key_side = held_against_key(what, secret, noted)
        against = replace(key_side, testimony=testimony, since=since)
        code = _verify_house(what, against, links=links, strict=strict, json=json)
        if archives and not code:
            from puntobanco.cli.files.archives import verify_chains  # noqa: PLC0415  it imports from here

            of_archives = Against(key=key_side.key, older=key_side.older, alone=True)
            return verify_chains(archives, of_archives, links=links, house=what)
        return code
    file = Path(what)
    if is_archive(file):
        from puntobanco.cli.files.archives import verify_archive  # noqa: PLC0415  it imports from here

        if key or strict or json:
            raise MalformedError("--key belongs to a receipt, --strict and --json to a house")
        keys = under(load_keys(secret) if secret else ())
        against = replace(keys, noted=noted, testimony=testimony, since=since, alone=True)
        return verify_archive(file, against, links=links, house=house, archives=archives)
    if head or secret or since or archives or links or strict or json:
        raise MalformedError(
            "--head, --secret, --since, --archives, --links, --strict and --json belong to a house"
        )
    if _is_receipt(file):
        return _verify_receipt(file, house, key, testimony)
    if house is not None or key:
        raise MalformedError("--house and --key belong to a receipt, not to an export")
    return _verify_export(file, testimony)


def _verify_house(what: str, against: Against, *, links: bool, strict: bool, json: bool) -> int:
    try:
        proof = using(what, lambda log: prove_house(log, against, links_only=links))
    except DamagedError as error:
        print(f"FAULT: {error}")
        return 1
    _print_json(proof) if json else print_proof(proof)
    if against.testimony and not json and not proof.fault:
        _print_witnessed(against.testimony)
    return int(proof.fault is not None or (strict and bool(proof.otherwise)))


def _is_receipt(file: Path) -> bool:
    with file.open("rb") as opened:
        start = opened.read(200)
    return FORM.encode() in start or SHORT_FORM.encode() in start


def _verify_receipt(file: Path, house: str | None, key: str, testimony: Witnessed | None) -> int:
    """A receipt is sound only if its signature is by a key that the house, or the user, names."""
    receipt = read_receipt(file.read_bytes())
    fault = receipt_fault(receipt)
    if not fault and key and key.lower() != receipt.key:
        fault = f"was signed with another key: {receipt.key}"
    if not fault and house is not None:
        fault = using(house, lambda log: _held_against(log, receipt))
    if not fault and testimony:
        fault = _witnessed(receipt, testimony)
    if not fault and house is None and not key:
        fault = f"is whole, but nobody vouches for its key {receipt.key}: give --key or --house"
    where = f"{receipt.stream} row {receipt.seq}"
    if fault:
        print(f"FAULT: {where}: {fault}")
        return 1
    print(f"{where}: sound{', and in the house' if house else ''}")
    if isinstance(receipt, ShortReceipt) and house is None:
        print("it is a short one: what the row says, --house shows")
    return 0


def _testimony(witness: Path) -> Witnessed:
    """What a witness kept; a file that was emptied confirms nothing."""
    testimony = read_testimony(witness)
    if not testimony.lines:
        raise UnusableError(f"{witness}: the witness has kept no root to hold anything against")
    return testimony


def _witnessed(receipt: Receipt | ShortReceipt, testimony: Witnessed) -> str:
    """Say why a witness cannot confirm a receipt; empty if it can."""
    if receipt.inclusion is None:
        return "carries no proof to hold against a witness: get it with --proof"
    roots = {line.shown.root for line in testimony.lines}
    return "" if receipt.inclusion.root in roots else "leads to a root that the witness never saw"


def _print_witnessed(testimony: Witnessed) -> None:
    roots = show.counted(len(testimony.lines), "root")
    print(f"as the witness saw it: {roots}, to house row {testimony.seen.row}")
    print(f"witness {testimony.key}")


async def _held_against(log: EventLog, receipt: Receipt | ShortReceipt) -> str:
    row = next(log.read(receipt.stream, receipt.seq - 1), None)
    if row is None or row.seq != receipt.seq:
        return "is not in this house: it is gone, or was never there"
    if (row.hash.hex(), row.at_ms) != (receipt.hash, receipt.at_ms):
        return "is another in this house: one of the two was changed"
    shown = shown_keys(log)
    at = [number for number, one in enumerate(shown, 1) if one.public == receipt.key]
    if not at:
        return "was signed with a key this house never showed"
    given_up = next((one for one in shown[at[-1] :] if one.first), None)
    if given_up is not None and receipt.seq > given_up.rows.get(receipt.stream, 0):
        return "was signed with a key that the house had given up before this row"
    return ""


def _noted(head: str) -> bytes | None:
    try:
        noted = bytes.fromhex(head)
    except ValueError as error:
        raise MalformedError("a root is 64 hexadecimal digits") from error
    if head and len(noted) != 32:
        raise MalformedError("a root is 64 hexadecimal digits")
    return noted or None


def _is_house(what: str) -> bool:
    if is_url(what):
        return True
    with Path(what).open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def using(
    where: str, use: Callable[[EventLog], Awaitable[Value]], *, create: bool = False
) -> Value:
    """Open a house that is there, use it, close it; with `create`, to write into it."""

    async def main() -> Value:
        async with journal_at(where, create=create) as log:
            return await use(log)

    return asyncio.run(main())


def held_against_key(what: str, secret: Path | None, noted: bytes | None) -> Against:
    """What the journal is held against: a root noted down, and what the house's key can check.

    The key is the file that was named, or the default one if it is there.
    """
    file = secret or key_of(what)
    if file is None or (secret is None and not file.exists()):
        return Against(noted)
    key, *older = load_keys(file)
    return Against(noted, read_noted(root_beside(file)), key, tuple(older))


async def prove_house(log: EventLog, against: Against, *, links_only: bool) -> Proof:
    with (
        log.frozen(),
        progress_bar("rows linked") as linked,
        progress_bar("rows decided again") as decided,
    ):
        workers = os.cpu_count() or 1
        return prove(log, against, linked, decided, links_only=links_only, workers=workers)


def _print_json(proof: Proof) -> None:
    facts = msgspec.to_builtins(proof)
    print(msgspec.json.encode({**facts, "sound": proof.fault is None}).decode())


def print_proof(proof: Proof) -> None:
    if proof.fault is not None:
        print(f"FAULT: {proof.fault}")
        return
    rows, streams = show.counted(proof.rows, "row"), show.counted(proof.streams, "stream")
    print(f"{rows} in {streams}: sound{', as far as links go' if proof.links_only else ''}")
    if not proof.links_only:
        print(f"decided again: {show.counted(proof.decided, 'row')}")
    if proof.since:
        taken = show.counted(proof.taken, "row")
        print(
            f"not decided again: {taken}, up to the root of house row {proof.since}; their links"
            " hold, and whether they were decided by the rules is for whoever verified them then"
        )
    if proof.without:
        print(f"kept no command, checked as far as can be: {show.counted(proof.without, 'row')}")
    if proof.otherwise:
        print(f"of an earlier edition, otherwise today: {show.counted(proof.otherwise, 'row')}")
    if not proof.key:
        which = f", {proof.fingerprint}" if proof.fingerprint else ""
        print(
            "the house's key is not here: codes of rows, seals and credentials were not checked,"
            f" which takes it{which}"
        )
    if proof.former:
        former = show.counted(proof.former, "row")
        print(f"of a former key, whose codes and seals were not checked: {former}")
    if not proof.recorded:
        print("no root is on record yet; this one is over all there is now")
    elif proof.after_root:
        print(f"no root covers yet: {show.counted(proof.after_root, 'row')}")
    print(f"root {proof.root}")


def print_sound(found: Checked, what: str) -> None:
    rows, streams = show.counted(found.rows, "row"), show.counted(found.streams, "stream")
    print(f"{rows} in {streams}: {what}")
    print(f"root {found.root.hex()}")


def _verify_export(file: Path, testimony: Witnessed | None) -> int:
    try:
        found = verify_export(file)
        seen = _export_witnessed(file, testimony) if testimony else ()
    except DamagedError as fault:
        print(f"FAULT: {fault}")
        return 1
    counts = {"rows": found.rows, "commands": found.commands, **found.counted}
    print(f"{', '.join(f'{count} {name}' for name, count in counts.items())}: sound")
    print(f"head {found.head}")
    for line in seen:
        print(line)
    return 0


def _export_witnessed(file: Path, testimony: Witnessed) -> list[str]:
    """How far a witness saw the streams of an export; one that departs from it is damaged."""
    hashes: dict[str, dict[int, str]] = {}
    for row in read_export(file).rows:
        hashes.setdefault(row.stream, {})[row.seq] = row.hash
    ends = {stream: max(rows) for stream, rows in hashes.items()}
    if fault := streams_fault(testimony, hashes, ends):
        raise DamagedError(str(fault))
    said = []
    for stream, end in ends.items():
        seen = max((seq for seq in testimony.heads(stream) if seq <= end), default=0)
        later = testimony.seen.heads.get(stream, BEGINNING).seq
        more = f"; the witness has seen it to row {later}" if later > end else ""
        said.append(f"{stream}: as the witness saw it to row {seen} of {end}{more}")
    return said


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int], object]]:
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
        with progress_bar("rows exported") as tick:
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
