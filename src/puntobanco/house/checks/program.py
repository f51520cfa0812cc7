"""The program's own files, held against the list that its wheel came with.

A wheel names each of its files with a SHA-256 in RECORD, and installers keep that list. A checkout
that is installed in place has none: its files are hashed all the same, so that a change shows
between two checks.
"""

from base64 import urlsafe_b64encode
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

import puntobanco
from puntobanco.house.notes import ProgramChecked, ProgramDiffers, last_note
from puntobanco.journal.chain import netstrings

if TYPE_CHECKING:
    from puntobanco.house.house import House

NAME = "puntobanco"
OWN = ("puntobanco/", "puntobanco_verifier.py")
"""What of a wheel is the program."""
LIST = "RECORD"
NAMED = 20
"""The most files by name that a check puts on record."""
OF_THE_PROGRAM = b'"is":"program-'
"""How notes begin that say what a check found."""
MADE = ("__pycache__", ".nbi", ".nbc")
"""What Python and its compiler put beside it."""


class Program(Struct, frozen=True):
    """The findings of one check."""

    version: str
    files: int
    digest: str
    """The SHA-256 of the names and hashes of all files, by which two checks are compared."""
    listed: bool
    """Whether there is a list that the files were held against."""
    differ: tuple[str, ...] = ()
    """Files that were changed, are missing, or are on no list."""


def listed_files() -> dict[str, str]:
    """By name, the SHA-256 of each file of the program as its wheel has it; none of a checkout."""
    try:
        files = distribution(NAME).files or []
    except PackageNotFoundError:
        return {}
    return {
        str(file): file.hash.value
        for file in files
        if str(file).startswith(OWN) and file.hash is not None and not _is_made(str(file))
    }


def check_program(root: Path | None = None, listed: dict[str, str] | None = None) -> Program:
    """Hash every file of the program as it is now, and hold it against the list."""
    root = root or Path(puntobanco.__file__).parent.parent
    known = listed_files() if listed is None else listed
    there = {name: _hash(root / name) for name in _names(root)}
    differ = {name for name in known.keys() | there.keys() if known.get(name) != there.get(name)}
    texts = [text for name in sorted(there) for text in (name, there[name])]
    return Program(
        puntobanco.__version__,
        len(there),
        sha256(netstrings(texts)).hexdigest(),
        bool(known),
        tuple(sorted(differ)) if known else (),
    )


def _names(root: Path) -> list[str]:
    files = [*(root / OWN[0]).rglob("*"), root / OWN[1]]
    names = [file.relative_to(root).as_posix() for file in files if file.is_file()]
    return [name for name in names if not _is_made(name)]


def _is_made(name: str) -> bool:
    return any(part in name for part in MADE)


def _hash(file: Path) -> str:
    """As RECORD writes it: in base64 for addresses, without padding."""
    return urlsafe_b64encode(sha256(file.read_bytes()).digest()).rstrip(b"=").decode()


async def note_program(house: "House", found: Program) -> None:
    """Put on record what a check found: also where the list was changed together with the files,
    which then are not those of the check before, though the version is the same.
    """
    last = last_note(house.log, OF_THE_PROGRAM)
    changed = last.get("version") == found.version and last["digest"] != found.digest
    if not found.differ and not changed:
        facts = found.version, found.files, found.digest, found.listed
        await house.note(ProgramChecked(*facts))
        return
    differ = found.differ or ((LIST,) if found.listed else ())
    await house.note(ProgramDiffers(found.version, found.digest, differ[:NAMED], len(differ)))
