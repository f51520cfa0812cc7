"""The servers of a house under soak, and who starts them again when they are gone."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
from msgspec import Struct
from tests.kit.web import free_port

from bench.soak.place import Place

LOOK_S, AGAIN_S = 0.1, 0.5
"""Seconds between two looks at a process, and until one that is gone is started again."""
SAMPLE_S = 2.0
TICKS = os.sysconf("SC_CLK_TCK")
HELD = re.compile(r"^puntobanco_tables_held (\S+)$", re.MULTILINE)


class Sample(Struct, frozen=True):
    """What a process takes at a moment."""

    at: float
    kilobytes: int
    files: int
    cpu_s: float


class HouseServer:
    """One process; killed, it is started again at once."""

    def __init__(self, place: Place, number: int) -> None:
        self._place = place
        self._said = place.folder / f"server-{number}.log"
        self._off = place.folder / f"server-{number}.clock"
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.is_open = False
        self.gone_alone = 0
        """How often it ended though nobody had killed it."""
        self.lives: list[list[Sample]] = []
        self._begin()

    def _begin(self) -> None:
        """Start it as it is where it was installed: compiled, whatever the shell says."""
        self._off.write_text("0")
        command = [sys.executable, "-m", "bench.soak.server", self._place.address]
        with self._said.open("ab") as said:
            self._process = subprocess.Popen(
                [*command, str(self._place.key), str(self.port), str(self._off)],
                stdout=said,
                stderr=said,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
            )
        self.lives.append([])

    def kill(self) -> None:
        self.is_open = False
        self._process.kill()
        self._process.wait()
        self._begin()

    def move_clock(self, ms: int) -> None:
        """Only a server that is open takes it; one that starts has the right time."""
        if self.is_open:
            self._off.write_text(str(ms))
            self._process.send_signal(signal.SIGUSR1)

    async def keep(self) -> None:
        """Look after the process until cancelled: is it there, is it open, what does it take?"""
        async with httpx.AsyncClient(base_url=self.base, timeout=5) as client:
            while True:
                if self._process.poll() is not None:
                    self.gone_alone += self.is_open
                    self.is_open = False
                    await asyncio.sleep(AGAIN_S)
                    self._begin()
                elif not self.is_open:
                    self.is_open = await _answers(client)
                elif not self.lives[-1] or time.monotonic() - self.lives[-1][-1].at > SAMPLE_S:
                    self._measure()
                await asyncio.sleep(LOOK_S)

    def _measure(self) -> None:
        place = Path(f"/proc/{self._process.pid}")
        try:
            status = (place / "status").read_text()
            clock = (place / "stat").read_text().rpartition(")")[2].split()
            files = len(list((place / "fd").iterdir()))
        except OSError:
            return
        (resident,) = (line.split()[1] for line in status.splitlines() if "VmRSS" in line)
        cpu_s = (int(clock[11]) + int(clock[12])) / TICKS
        self.lives[-1].append(Sample(time.monotonic(), int(resident), files, cpu_s))

    def stop(self) -> str:
        """As Ctrl-C does; what it said, with tracebacks if there were any."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        return self._said.read_text()


async def _answers(client: httpx.AsyncClient) -> bool:
    try:
        return (await client.get("/health")).is_success
    except httpx.HTTPError:
        return False


async def tables_held(servers: list[HouseServer]) -> int:
    """The tables whose clocks some server runs."""
    held = 0
    async with httpx.AsyncClient(timeout=5) as client:
        for server in servers:
            try:
                told = (await client.get(f"{server.base}/metrics")).text
            except httpx.HTTPError:
                continue
            held += int(float(HELD.search(told)[1]))  # type: ignore[index]
    return held
