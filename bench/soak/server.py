"""One server of the house under soak: as `puntobanco serve`, with bots, and a clock that can jump.

Run as a program with the house's address, its key, a port and a file: on SIGUSR1 it takes from the
file by how many milliseconds its machine's clock is wrong.
"""

import gc
import signal
import sys
from pathlib import Path

import uvloop
from msgspec.structs import replace

from puntobanco.cli.keys import house_under
from puntobanco.cli.serve import Web, own, run_app
from puntobanco.errors import UnusableError
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import LIVE
from puntobanco.house.clock import Clock
from puntobanco.house.system import CLOCK
from puntobanco.journal.opening import journal_at
from puntobanco.server.edge.logs import log_to_stderr


def moved_by(file: Path) -> Clock:
    """The machine's clock, wrong by what a file says."""
    off_ms = 0

    def move(*_: object) -> None:
        nonlocal off_ms
        off_ms = int(file.read_text())

    signal.signal(signal.SIGUSR1, move)
    return replace(CLOCK, wall_ms=lambda: CLOCK.wall_ms() + off_ms)


async def run(where: str, key: Path, port: int, clock: Clock) -> None:
    async with journal_at(where, create=True) as log:
        await own(log)
        house = house_under(key, log, clock)
        await run_app(house, Bots(house, LIVE), Web("127.0.0.1", port))


if __name__ == "__main__":
    gc.disable()  # as the command line does, until the house is open
    log_to_stderr("text", "warning")
    address, key, port, off = sys.argv[1:]
    try:
        uvloop.run(run(address, Path(key), int(port), moved_by(Path(off))))
    except UnusableError as error:
        sys.exit(str(error))
