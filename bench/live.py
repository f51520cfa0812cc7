"""Five hundred watchers of one table: how long until each of them has seen what happened."""

import asyncio
import json
import statistics
import tempfile
import time
import uuid
from pathlib import Path

import httpx
import uvloop
from tests.kit.web import Web, demo_house

WATCHERS, EVENTS, EVERY_S = 500, 200, 0.05
FREE_SEAT = 9


async def watch(host: str, port: int, seen: dict[int, list[float]], ready: asyncio.Event) -> None:
    """One client: note when each number came."""
    reader, writer = await asyncio.open_connection(host, port, limit=2**22)
    writer.write(b"GET /live/table-1/player?shape=wide HTTP/1.1\r\nHost: x\r\n\r\n")
    try:
        while line := await reader.readline():
            if line.startswith(b"id: "):
                seen.setdefault(int(line[4:]), []).append(time.perf_counter())
                ready.set()
    except asyncio.CancelledError:
        writer.close()
        raise


async def measure(web: Web) -> tuple[float, float, int]:
    """Median and p99 of delivery in ms, and how many deliveries there were."""
    host, _, port = web.base.removeprefix("http://").partition(":")
    seen: dict[int, list[float]] = {}
    flags = [asyncio.Event() for _ in range(WATCHERS)]
    tasks = [asyncio.create_task(watch(host, int(port), seen, flag)) for flag in flags]
    await asyncio.gather(*(flag.wait() for flag in flags))
    sent: dict[int, float] = {}
    cookies = dict(web.client("player").cookies)
    headers = {"origin": web.base, "sec-fetch-site": "same-origin"}
    async with httpx.AsyncClient(base_url=web.base, cookies=cookies, headers=headers) as client:
        for number in range(EVENTS):
            start = time.perf_counter()
            path = "sit" if number % 2 == 0 else "leave"  # everyone sees the box change
            body = {"seat": FREE_SEAT} if number % 2 == 0 else {}
            command_id = {"Command-Id": str(uuid.uuid4())}
            answer = await client.post(f"/api/tables/table-1/{path}", json=body, headers=command_id)
            if answer.status_code == 200:
                sent[json.loads(answer.content)["seq"]] = start
            await asyncio.sleep(max(0.0, EVERY_S - (time.perf_counter() - start)))
    await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    took = [at - sent[seq] for seq, times in seen.items() if seq in sent for at in times]
    return statistics.median(took) * 1000, statistics.quantiles(took, n=100)[98] * 1000, len(took)


def report() -> None:
    with tempfile.TemporaryDirectory() as name, demo_house(Path(name)) as web:
        middle, worst, count = uvloop.run(measure(web))
    shown = f"{middle:.0f} ms, p99 {worst:.0f} ms"
    print(f"{WATCHERS} watchers, delivery       {shown:>18} (wanted p99 100) of {count:,}")
