"""An exported file, read and verified: what a regulator does with it, as two functions."""

from pathlib import Path
from typing import Any

import msgspec

import puntobanco_verifier as verifier
from puntobanco.brief import Brief
from puntobanco.errors import DamagedError, MalformedError
from puntobanco.house.lookback.competition_export import FORM as SEVERAL
from puntobanco.house.lookback.export import FORM
from puntobanco.table import events as e
from puntobanco.table.sentences import tell


class ExportedRow(Brief, frozen=True):
    """One row of an export: an accepted command, and its events as the text that was hashed."""

    stream: str
    seq: int
    at_ms: int
    actor: str
    command_id: str
    command_hash: str
    clauses: str
    events: str
    previous: str
    hash: str
    command: str = ""

    def told(self) -> list[str]:
        """What happened, a sentence for each event; only of rows of a table."""
        try:
            return [tell(one) for one in _decode(self.events)]
        except msgspec.ValidationError as error:
            raise MalformedError(f"{self.stream} row {self.seq} is not of a table") from error


class Export(Brief, frozen=True):
    """One stream as it was exported, or a competition with its tables and its pot."""

    stream: str
    head: str
    """The hash of its last row."""
    rulesets: dict[str, str]
    """By digest, the texts it was played by."""
    rows: tuple[ExportedRow, ...]
    heads: dict[str, str]
    """Of an export of several streams: the hash of the last row of each."""

    def __repr__(self) -> str:
        return f"Export({self.stream!r}, {len(self.rows)} rows, head {self.head[:12]}…)"


class Verified(Brief, frozen=True):
    """What was checked in an export that is sound."""

    rows: int
    commands: int
    head: str
    counted: dict[str, int]
    """What else was worked out again, and how often."""


_decode = msgspec.json.Decoder(list[e.TableEvent]).decode


def read_export(file: Path) -> Export:
    """Read an exported file, as it stands; whether it is sound, `verify_export` says.

    >>> from pathlib import Path
    >>> import puntobanco as pb
    >>> exported = pb.read_export(Path("docs/table-1.jsonl"))
    >>> exported.stream, exported.rows[0].actor
    ('table-1', 'mara')
    """
    try:
        head, *lines = file.read_bytes().splitlines()
        facts: dict[str, Any] = msgspec.json.decode(head, type=dict[str, Any])
        if facts.get("form") not in (FORM, SEVERAL):
            raise MalformedError(f"{file}: not an export of the form {FORM} or {SEVERAL}")
        rows = tuple(msgspec.json.decode(line, type=ExportedRow) for line in lines)
        heads = {one["stream"]: one["head"] for one in facts.get("streams", ())}
        head = heads[facts["stream"]] if heads else facts["head"]
        return Export(facts["stream"], head, facts["rulesets"], rows, heads)
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, MalformedError):
            raise
        raise MalformedError(f"{file}: not an export: {error}") from error


def verify_export(file: Path) -> Verified:
    """Work out every event of an exported file again, and say what was checked.

    A file that is not sound is a `DamagedError` whose message names the row.

    >>> from pathlib import Path
    >>> import puntobanco as pb
    >>> pb.verify_export(Path("docs/table-1.jsonl")).rows
    25
    """
    try:
        with file.open(encoding="utf-8") as lines:
            found: dict[str, Any] = verifier.verify(iter(lines))  # type: ignore[no-untyped-call]
    except verifier.Fault as fault:
        raise DamagedError(str(fault)) from fault
    rows, commands, head = (found.pop(name) for name in ("rows", "commands", "head"))
    return Verified(rows, commands, head, found)
