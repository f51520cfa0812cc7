"""Servers of one house are killed, and its database is started anew, while money is paid in and
bots play: what was acknowledged is on record, once, and play goes on.

`KILLS=200 RESTARTS=100 pytest -s tests/house/test_under_faults.py` tries more, and says how long it
took each time. `make soak` does the same, and worse, to whole servers with everybody who plays.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from statistics import median, quantiles

import pytest

from puntobanco.cage.commands import OpenAccount
from puntobanco.house.house import CAGE
from puntobanco.journal import postgres
from puntobanco.journal.log import AwayError, EventLog
from tests.kit.house.acknowledged import Acknowledged, held_against
from tests.kit.house.evening import evening
from tests.kit.house.served import AWAY, CASHIER, Nursery, nursery
from tests.kit.journal import using
from tests.kit.places import ROOT
from tests.kit.postgres import Server, binaries, new_database, own_server

KILLS, RESTARTS = int(os.environ.get("KILLS", "10")), int(os.environ.get("RESTARTS", "5"))
SERVERS, PAYING = 2, 6
TRY_S, MOST_TRIES = 0.02, 3000
TABLE = "table-1"


def paid_by(number: int) -> str:
    return f"bot-{number}-{TABLE}"


class Paying:
    """Somebody who pays in again and again, at whichever server answers."""

    def __init__(self, number: int, sockets: list[Path]) -> None:
        self.number = number
        self.sockets = sockets
        self.acknowledged: list[Acknowledged] = []
        self.done_at = 0.0
        """When the last command that was acknowledged had been sent."""

    async def pay(self) -> None:
        while True:
            command_id = f"pays-{self.number}-{len(self.acknowledged)}"
            line = f"{command_id} {paid_by(self.number)} {self.number}\n"
            seq, self.done_at = await self._told(line.encode())
            self.acknowledged.append(Acknowledged(command_id, seq))
            await asyncio.sleep(TRY_S)

    async def _told(self, line: bytes) -> tuple[int, float]:
        for at in range(MOST_TRIES):
            sent = time.monotonic()
            with suppress(OSError):
                answer = await self._asked(self.sockets[(self.number + at) % SERVERS], line)
                if answer not in (AWAY, b""):
                    return int(answer), sent
            await asyncio.sleep(TRY_S)
        raise AssertionError(f"{line!r} was never answered")

    async def _asked(self, socket: Path, line: bytes) -> bytes:
        reader, writer = await asyncio.open_unix_connection(socket)
        try:
            writer.write(line)
            return await reader.readline()
        finally:
            writer.close()


@asynccontextmanager
async def all_paying(sockets: list[Path]) -> AsyncIterator[list[Paying]]:
    everybody = [Paying(number, sockets) for number in range(1, PAYING + 1)]
    tasks = [asyncio.create_task(one.pay()) for one in everybody]
    yield everybody
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(ended, asyncio.CancelledError), ended


async def play_goes_on(log: EventLog, everybody: list[Paying], since: float) -> float:
    """Seconds until bots dealt on and everybody was answered again."""
    before = None
    for _ in range(MOST_TRIES):
        with suppress(AwayError):
            head = log.head(TABLE).seq
            before = before or head
            if head > before and all(one.done_at > since for one in everybody):
                return time.monotonic() - since
        await asyncio.sleep(TRY_S)
    raise AssertionError("play never went on")


@pytest.mark.skipif(binaries() is None, reason="PostgreSQL is not installed")
def test_killed_servers_and_restarted_databases_lose_and_double_nothing(tmp_path: Path) -> None:
    faults = ["kill"] * KILLS + ["restart"] * RESTARTS
    chance = Random(1)
    chance.shuffle(faults)
    took: dict[str, list[float]] = {"kill": [], "restart": []}
    sockets = [tmp_path / f"{number}" for number in range(SERVERS)]

    async def main(server: Server, where: str, servers: Nursery) -> list[Acknowledged]:
        pids = [servers.start(where, socket) for socket in sockets]
        log = await postgres.open_log(where, create=False)
        async with all_paying(sockets) as everybody:
            for fault in faults:
                await play_goes_on(log, everybody, time.monotonic())
                since = time.monotonic()
                if fault == "kill":
                    which = chance.randrange(SERVERS)
                    servers.kill(pids[which])
                    pids[which] = servers.start(where, sockets[which])
                else:
                    await asyncio.to_thread(server.stop)
                    await asyncio.to_thread(server.start)
                    since = time.monotonic()
                took[fault].append(await play_goes_on(log, everybody, since))
        await log.close()
        return [told for one in everybody for told in one.acknowledged]

    async def begin(log: EventLog) -> None:
        house = (await evening(log, 1, "tas-2018")).house
        for number in range(1, PAYING + 1):
            account = OpenAccount(paid_by(number))
            await house.give(CAGE, account, CASHIER, f"opens-{number}")

    said = tmp_path / "said"
    with own_server() as server, nursery(said) as servers:
        where = new_database(server.folder)
        using(where, begin)
        acknowledged = asyncio.run(main(server, where, servers))
        for pid in list(servers.pids):
            servers.kill(pid)

        async def check(log: EventLog) -> None:
            found = held_against(log, acknowledged)
            assert (found.lost, found.doubled, found.fault) == (0, 0, "")
            assert found.coups

        using(where, check)
    assert len(acknowledged) > len(faults)
    assert "Traceback" not in said.read_text()
    for fault, seconds in took.items():
        if len(seconds) > 1:
            p95 = quantiles(seconds, n=20, method="inclusive")[18]
            after = f"{median(seconds):.2f} s, p95 {p95:.2f} s, at most {max(seconds):.2f} s"
            print(f"{fault}: {len(seconds)} times, goes on after {after}")  # noqa: T201  by -s


def test_a_short_soak_holds() -> None:
    """Whole servers, people and watchers; `make soak` goes on for a quarter of an hour."""
    options = {"minutes": 0.3, "pause": 1, "tables": 2, "watchers": 12, "seed": 2}
    said = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    program = [sys.executable, "-m", "bench.soak", *said, "--record-only"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 lost, 0 doubled" in done.stdout
    assert "verified and decided again: sound" in done.stdout
    for fault in ("a server killed", "a clock moved", "clients that do not read", "the disk full"):
        assert fault in done.stdout, done.stdout  # full: or said that it cannot be tried here
