"""The program's own files, held against the list that its wheel came with.

A wheel names each of its files with a SHA-256 in RECORD, and installers keep that list. A checkout
that is installed in place has none: its files are hashed all the same, so that a change shows
between two checks. What Python keeps compiled beside them is on no list, and runs in their place:
it is held against what the files come to.
"""

import marshal
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

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
CACHE, CHECKED = "__pycache__", 2
"""The folder of compiled copies; the flag of one that is known by its source's hash."""
MADE = (CACHE, ".nbi", ".nbc")
"""What Python and its compiler put beside it."""


class CheckProgram(Protocol):
    """Checks the program; what is compiled of it if that is asked for."""

    def __call__(self, *, compiled: bool) -> "Program": ...


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


def check_program(
    root: Path | None = None, listed: dict[str, str] | None = None, *, compiled: bool = True
) -> Program:
    """Hash every file of the program as it is now, and hold it against the list; with what Python
    keeps compiled of it, which takes half a second of processor.
    """
    root = root or Path(puntobanco.__file__).parent.parent
    known = listed_files() if listed is None else listed
    there = {name: _hash(root / name) for name in _names(root)}
    differ = {name for name in known.keys() | there.keys() if known.get(name) != there.get(name)}
    other = set(_compiled_otherwise(root, there)) if compiled else set()
    texts = [text for name in sorted(there) for text in (name, there[name])]
    return Program(
        puntobanco.__version__,
        len(there),
        sha256(netstrings(texts)).hexdigest(),
        bool(known),
        tuple(sorted(differ | other if known else other)),
    )


def _compiled_otherwise(root: Path, there: dict[str, str]) -> Iterator[str]:
    """Compiled copies that Python would run, and that are not what their sources come to."""
    for name in there:
        source = root / name
        if source.suffix != ".py":
            continue
        for level, optimization in ((0, ""), (1, "1"), (2, "2")):
            kept = Path(cache_from_source(str(source), optimization=optimization))
            if kept.is_file() and _is_other(source, kept.read_bytes(), level):
                yield name.replace(source.name, f"{CACHE}/{kept.name}")


def _is_other(source: Path, kept: bytes, level: int) -> bool:
    """Whether a compiled copy is another, of those that Python takes for its source's: by its time
    and length, by its hash, or unasked.
    """
    text, flags = source.read_bytes(), int.from_bytes(kept[4:8], "little")
    stat = source.stat()
    by_time = (int(stat.st_mtime), stat.st_size)
    said = (int.from_bytes(kept[8:12], "little"), int.from_bytes(kept[12:16], "little"))
    stale = said != by_time if not flags else flags & CHECKED and kept[8:16] != source_hash(text)
    if kept[:4] != MAGIC_NUMBER or stale:
        return False  # Python makes it anew
    try:
        return bool(marshal.loads(kept[16:]) != compile(text, source, "exec", optimize=level))  # noqa: S302  it would be run
    except (ValueError, EOFError, TypeError):
        return True


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
