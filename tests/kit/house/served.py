"""Processes that each run a house and take money in over a socket, and may be killed at any moment.

Run as a program it loads what a house needs, and for each line "ADDRESS SOCKET" parts into a
process that serves the house at the one by the other; it prints the process's number.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from puntobanco.cage.commands import Deposit
from puntobanco.errors import UnusableError
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import Pace
from puntobanco.house.house import CAGE, House
from puntobanco.house.loop import Running
from puntobanco.house.system import CHANCE, CLOCK
from puntobanco.journal.log import AwayError
from puntobanco.journal.opening import journal_at
from tests.kit.house.driver import KEY
from tests.kit.places import ROOT

CASHIER = "bot-cashier"
BRISK = Pace(act_ms=100)
AGAIN_S = 0.1
AWAY = b"away\n"


async def serve_by(address: str, socket: str) -> None:
    """Each line "ID PERSON CENTS" is a deposit; the answer is the number of its row."""
    async with journal_at(address) as log:
        house = House(log, CLOCK, CHANCE, KEY)
        running = Running(house, Bots(house, BRISK))
        await running.start()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while line := await reader.readline():
                command_id, person, cents = line.decode().split()
                try:
                    done = await house.give(CAGE, Deposit(person, int(cents)), CASHIER, command_id)
                    writer.write(b"%d\n" % done[0].seq)
                except AwayError:
                    writer.write(AWAY)

        await asyncio.start_unix_server(answer, socket)
        await running.run()


def serve_for_ever(address: str, socket: str) -> None:
    """While the database is away nobody can begin: try again, as a supervisor would."""
    while True:
        try:
            asyncio.run(serve_by(address, socket))
        except (UnusableError, AwayError):
            time.sleep(AGAIN_S)


class Nursery:
    """Starts servers quickly: what they need is loaded once."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.pids: list[int] = []

    def start(self, address: str, socket: Path) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{address} {socket}\n")
        self._process.stdin.flush()
        self.pids.append(int(self._process.stdout.readline()))
        return self.pids[-1]

    def kill(self, pid: int) -> None:
        self.pids.remove(pid)
        os.kill(pid, signal.SIGKILL)


@contextmanager
def nursery(said: Path) -> Iterator[Nursery]:
    """What the servers say goes into a file."""
    with (
        said.open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "tests.kit.house.served"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=ROOT,
        ) as process,
    ):
        made = Nursery(process)
        try:
            yield made
        finally:
            for pid in list(made.pids):
                made.kill(pid)
            process.kill()


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that were killed
    for asked in sys.stdin:
        child = os.fork()
        if not child:
            serve_for_ever(*asked.split())
        print(child, flush=True)  # noqa: T201
