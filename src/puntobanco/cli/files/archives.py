"""`puntobanco archive`: closed days sealed into a file, and what `verify` does with one."""

import lzma
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from puntobanco.cli import show
from puntobanco.cli.journal import (
    print_proof,
    print_sound,
    progress_bar,
    prove_house,
    using,
)
from puntobanco.errors import DamagedError, MalformedError
from puntobanco.house.archives.opened import (
    archives_in,
    chain_to,
    chains,
    check_alone,
    head_fault,
    head_of,
    joined_fault,
    unfold,
)
from puntobanco.house.archives.sealing import ArchiveHead, archive_lines
from puntobanco.house.checks.proof import Against, Proof
from puntobanco.journal.chain import Fault
from puntobanco.journal.log import EventLog


def archive(*, house: str, until: str, to: Path, after: Path | None = None) -> int:
    """Seal closed days into one compressed file that verifies by itself; the house keeps its rows.

    It has every row, with its command and code, from the first, or from where the archive `after`
    ended, to the root that was recorded when the day was over everywhere. Names, credentials and
    sealed values are not in it.

    Parameters
    ----------
    house
        The house: an SQLite file, or the URL of a PostgreSQL database. It may be in use.
    until
        The last gaming day that is to be whole in it, such as 2026-03-14.
    to
        The file to make.
    after
        The archive of the days before: this one goes on where it ended, and has only what came
        since.
    """
    if to.exists():
        raise MalformedError(f"{to} is there already; name a new file")
    begun = to.with_name(f"{to.name}.new")
    before = head_of(after) if after else None
    if before and (fault := using(house, lambda log: _joined(log, before))):
        print(f"FAULT: {fault}")
        return 1
    try:
        using(house, lambda log: _write(log, until, begun, before))
        code = verify_archive(begun, Against(), links=True, house=house)
        if not code:
            begun.replace(to)
    finally:
        begun.unlink(missing_ok=True)
    return code


async def _write(log: EventLog, until: str, to: Path, before: ArchiveHead | None) -> None:
    with log.frozen(), progress_bar("rows sealed") as tick:
        lines = archive_lines(log, until, before)
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
    file: Path,
    against: Against,
    *,
    links: bool = False,
    house: str | None = None,
    archives: Path | None = None,
) -> int:
    """Unfold an archive into a house of its own, with those before it if they are in the folder
    `archives`, and prove that; hold it against the house that it was made of.
    """
    try:
        if archives:
            files = chain_to(file, {one: head_of(one) for one in (file, *archives_in(archives))})
        else:
            files = [file]
            if head_of(file).after:
                return _verify_alone(file, against, house)
        head, proof = _proved(files, against, links=links)
        fault = proof.fault or (using(house, lambda log: _joined(log, head)) if house else None)
    except DamagedError as error:
        print(f"FAULT: {error}")
        return 1
    if fault:
        print(f"FAULT: {fault}")
        return 1
    print_proof(proof)
    _print_sealed(head, files, house=house)
    return 0


def verify_chains(folder: Path, against: Against, *, links: bool, house: str) -> int:
    """Prove all archives of a folder, from the first rows on, and join the last to its house."""
    try:
        found = chains(folder)
    except DamagedError as error:
        print(f"FAULT: {error}")
        return 1
    codes = []
    for files in found:
        print(f"{files[-1].name}: {show.counted(len(files), 'archive')}")
        codes.append(verify_archive(files[-1], against, links=links, house=house, archives=folder))
    return max(codes)


def _proved(files: list[Path], against: Against, *, links: bool) -> tuple[ArchiveHead, Proof]:
    """The last of some archives, each going on from the one before, and the proof of all."""
    with TemporaryDirectory(prefix="puntobanco-archive-") as place:
        where = str(Path(place) / "house.db")
        return using(where, lambda log: _unfolded(files, log, against, links=links), create=True)


def _verify_alone(file: Path, against: Against, house: str | None) -> int:
    """Follow what can be followed of an archive that goes on from another, without that one."""
    if against.noted or against.testimony or against.since:
        raise MalformedError(
            "--head, --witness and --since need the archives before it, too: --archives DIR"
        )
    keys = (against.key, *against.older) if against.key else ()
    head, checked = check_alone(file, keys)
    fault = checked.fault or (using(house, lambda log: _joined(log, head)) if house else None)
    if fault:
        print(f"FAULT: {fault}")
        return 1
    print_sound(checked, "sound, as far as links and roots go")
    print(
        f"not decided again: it goes on from the archive that ends with root {head.after}; with"
        " that and those before it in a folder, --archives DIR decides every row"
    )
    if not keys:
        print("the house's key is not here: codes of rows were not checked")
    _print_sealed(head, [file], house=house)
    return 0


def _print_sealed(head: ArchiveHead, files: list[Path], *, house: str | None) -> None:
    joined = ", and joined to the house" if house else ""
    print(f"sealed until {head.until}, under the root of house row {head.row}{joined}")
    size = sum(file.stat().st_size for file in files)
    print(show.counted(size, "byte"))


async def _unfolded(
    files: list[Path], log: EventLog, against: Against, *, links: bool
) -> tuple[ArchiveHead, Proof]:
    for file in files:
        head = await unfold(file, log)
        if fault := head_fault(log, head):
            raise DamagedError(f"{file}: {fault}")
    proof = await prove_house(log, against, links_only=links)
    return head, proof


async def _joined(log: EventLog, head: ArchiveHead) -> Fault | None:
    return joined_fault(log, head)
