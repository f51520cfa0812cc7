"""What a proof costs: rows linked and decided again a second and core, and the bytes of a row."""

import tempfile
import time
from pathlib import Path

import uvloop
from msgspec.structs import astuple

from bench.house import staffed
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.checks.audit import audit
from puntobanco.journal.chain import HASHED
from puntobanco.journal.log import EventLog
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import verify

COUPS = 300


async def played(folder: Path) -> EventLog:
    """An evening of bots at two tables."""
    log = open_log(folder / "proof.db")
    bots = await staffed(log, 2)
    await let_bots_play(bots, list(bots.house.tables.values()), COUPS)
    await bots.house.shut()
    return log


def rates(log: EventLog) -> tuple[float, float]:
    """Rows linked, and rows decided again, in a second of one core; the best of three."""
    linked = decided = 0.0
    for _ in range(3):
        start = time.process_time()
        rows = verify(log).rows
        middle = time.process_time()
        assert audit(log).fault is None
        linked = max(linked, rows / (middle - start))
        decided = max(decided, rows / (time.process_time() - middle))
    return linked, decided


def bytes_of_a_row(log: EventLog) -> tuple[float, float]:
    """The mean without its command and code, as rows were before, and with them."""
    before = after = count = 0
    for stream in log.streams():
        for row in log.read(stream):
            hashed = sum(len(str(fact)) if isinstance(fact, int) else len(fact)
                         for fact in astuple(row)[: HASHED + 1])  # fmt: skip
            before += hashed
            after += hashed + len(row.command or b"") + len(row.mac or b"")
            count += 1
    return before / count, after / count


def report() -> None:
    with tempfile.TemporaryDirectory(dir=".") as name:
        log = uvloop.run(played(Path(name)))
        linked, decided = rates(log)
        before, after = bytes_of_a_row(log)
        uvloop.run(log.close())
    print(f"proof, rows linked             {linked:>12,.0f} rows/s and core")
    print(f"proof, rows decided again      {decided:>12,.0f} rows/s and core (wanted 15,000)")
    print(f"a row without, with command    {before:>5,.0f} {after:>6,.0f} bytes")


if __name__ == "__main__":
    report()
