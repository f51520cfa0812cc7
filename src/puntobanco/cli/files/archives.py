"""`puntobanco archive`: closed days sealed into a file, and what `verify` does with one."""

import lzma
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from puntobanco.cli import show
from puntobanco.cli.journal import print_proof, progress_bar, prove_house, using
from puntobanco.errors import DamagedError, MalformedError
from puntobanco.house.archives.opened import head_fault, joined_fault, unfold
from puntobanco.house.archives.sealing import ArchiveHead, archive_lines
from puntobanco.house.checks.proof import Against, Proof
from puntobanco.journal.chain import Fault
from puntobanco.journal.log import EventLog


def archive(*, house: str, until: str, to: Path) -> int:
    """Seal closed days into one compressed file that verifies by itself; the house keeps its rows.

    It has every row, with its command and code, from the first to the root that was recorded when
    the day was over everywhere. Names, credentials and sealed values are not in it.

    Parameters
    ----------
    house
        The house: an SQLite file, or the URL of a PostgreSQL database. It may be in use.
    until
        The last gaming day that is to be whole in it, such as 2026-03-14.
    to
        The file to make.
    """
    if to.exists():
        raise MalformedError(f"{to} is there already; name a new file")
    begun = to.with_name(f"{to.name}.new")
    try:
        using(house, lambda log: _write(log, until, begun))
        code = verify_archive(begun, Against(), links=True, house=house)
        if not code:
            begun.replace(to)
    finally:
        begun.unlink(missing_ok=True)
    return code


async def _write(log: EventLog, until: str, to: Path) -> None:
    with log.frozen(), progress_bar("rows sealed") as tick:
        lines = archive_lines(log, until)
        first = next(lines)  # what cannot be sealed leaves no file behind
        with to.open("xb") as file:
            with lzma.open(file, "wb") as sealed:
                sealed.write(first)
                for count, line in enumerate(lines):
                    sealed.write(line)
                    if not count % 1000:
                        tick(count)
            file.flush()
            os.fsync(file.fileno())


def verify_archive(
    file: Path, against: Against, *, links: bool = False, house: str | None = None
) -> int:
    """Unfold an archive into a house of its own, and prove that; hold it against the house that it
    was made of.
    """
    try:
        with TemporaryDirectory(prefix="puntobanco-archive-") as place:
            where = str(Path(place) / "house.db")
            head, proof = using(
                where, lambda log: _unfolded(file, log, against, links=links), create=True
            )
        fault = proof.fault or (using(house, lambda log: _joined(log, head)) if house else None)
    except DamagedError as error:
        print(f"FAULT: {error}")
        return 1
    if fault:
        print(f"FAULT: {fault}")
        return 1
    print_proof(proof)
    joined = ", and joined to the house" if house else ""
    print(f"sealed until {head.until}, under the root of house row {head.row}{joined}")
    print(f"{show.counted(file.stat().st_size, 'byte')}")
    return 0


async def _unfolded(
    file: Path, log: EventLog, against: Against, *, links: bool
) -> tuple[ArchiveHead, Proof]:
    head = await unfold(file, log)
    proof = await prove_house(log, against, links_only=links)
    return head, replace(proof, fault=proof.fault or head_fault(log, head))


async def _joined(log: EventLog, head: ArchiveHead) -> Fault | None:
    return joined_fault(log, head)
