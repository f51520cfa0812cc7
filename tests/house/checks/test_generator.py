"""The generator is watched: what a good one never gives is found, on record, and stops what is
drawn for play; and no stream can be had twice.
"""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.house.checks.drawing import note_failure, note_generator, try_again
from puntobanco.house.checks.generator import (
    AGAIN_BYTES,
    MOST_TRIES,
    PROPORTION,
    REPETITION,
    START_BYTES,
    Watched,
    failed_on_record,
)
from puntobanco.house.house import House
from puntobanco.house.intents import ShuffleHouse
from puntobanco.house.lookback.significant import significant
from puntobanco.house.loop import DAY_MS, Running
from puntobanco.house.system import watched_chance
from puntobanco.house.virtual_shoe import Chance
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in
from puntobanco.journal.verify import HOUSE
from puntobanco.register import commands as register
from puntobanco.table import commands as c
from tests.kit.house.driver import KEY, Driver, Time
from tests.kit.journal import opened, using
from tests.kit.office import Office, office_of
from tests.kit.postgres import new_database


class Source:
    """Bytes of a seed, until somebody breaks it."""

    def __init__(self, seed: int = 1) -> None:
        self.random = Random(seed)
        self.broken: Callable[[int], bytes] | None = None

    def __call__(self, number: int) -> bytes:
        return (self.broken or self.random.randbytes)(number)


def stuck(number: int) -> bytes:
    return b"\xff" * number


def watched(source: Source) -> Chance:
    watch = Watched(source)
    return Chance(watch.below, watch.some_bytes, watch)


def test_a_good_generator_passes_a_million_bytes() -> None:
    watch = Watched(Random(7).randbytes)
    watch.test(AGAIN_BYTES)
    assert watch.fault is None
    seen = watch.seen()
    assert seen.tested == watch.tested == AGAIN_BYTES
    assert 1 < seen.longest < REPETITION
    assert 2 < seen.most < PROPORTION
    assert watch.seen().tested == 0  # since the last time


def leaning(share: float) -> Iterator[int]:
    """Bytes of which one comes too often, but never twice in a row."""
    random, last = Random(3), -1
    while True:
        value = 65 if random.random() < share and last != 65 else random.randrange(256)
        last = value
        yield value


LEANING = leaning(0.1)


@pytest.mark.parametrize(
    ("broken", "test"),
    [
        (bytes, "repetition"),
        (lambda number: b"\x07" * 6 + Random(1).randbytes(number), "repetition"),
        (lambda number: b"\x01\x02" * number, "proportion"),
        (lambda number: bytes(next(LEANING) for _ in range(number)), "proportion"),
    ],
    ids=["nothing", "six in a row", "two by turns", "one in ten"],
)
def test_a_bad_one_fails_within_a_start(broken: Callable[[int], bytes], test: str) -> None:
    """[SP 800-90B 4.4.1, 4.4.2]"""
    watch = Watched(broken)
    watch.test(8 * START_BYTES)
    assert watch.fault is not None
    assert watch.fault.test == test
    assert watch.fault.found == watch.fault.cutoff == {
        "repetition": REPETITION, "proportion": PROPORTION}[test]  # fmt: skip


def test_numbers_are_drawn_without_bias_and_a_stuck_generator_ends_the_draw() -> None:
    watch = Watched(Random(5).randbytes)
    drawn = [watch.below(6) for _ in range(6000)]
    assert all(900 < drawn.count(face) < 1100 for face in range(6))
    assert watch.below(1) == 0
    assert {watch.below(300) for _ in range(5000)} == set(range(300))
    # a byte that is too large is drawn again, never folded back
    given = iter([b"\xff", b"\xfe", b"\x20"])
    assert Watched(lambda _: next(given)).below(7) == 0x20 >> 5
    high = Watched(stuck)
    with pytest.raises(Refused) as caught:
        high.below(5)
    assert caught.value.reason is Reason.GENERATOR_FAILED
    assert high.tested == MOST_TRIES

    def gone(_: int) -> bytes:
        raise OSError("no entropy")

    none = Watched(gone)
    with pytest.raises(Refused):
        none.some_bytes(1)
    assert none.fault is not None
    assert none.fault.test == "source"


DRAW = """
import os, sys
from random import Random
from puntobanco.house.checks.generator import Watched
from puntobanco.house.system import watched_chance
chance = watched_chance() if sys.argv[1] == "own" else None
watch = chance.watch if chance else Watched(Random(1).randbytes)
def draw():
    for _ in range(200):
        os.write(1, watch.some_bytes(16).hex().encode() + b"\\n")
draw()
for _ in range(3):
    if not os.fork():
        draw()
        os._exit(0)
for _ in range(3):
    os.wait()
draw()
"""


@pytest.mark.parametrize("source", ["own", "seeded"])
def test_no_stream_can_be_had_twice(source: str) -> None:
    """[CFR 547.14(d)] Neither by a copy of the process, nor by starting it again."""
    drawn: list[str] = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", DRAW, source], check=True, capture_output=True, text=True
        )
        drawn += done.stdout.split()
    assert len(drawn) == 2 * 5 * 200
    repeated = len(drawn) - len(set(drawn))
    assert (repeated == 0) == (source == "own"), repeated  # a seed would show


def with_house(where: Path, source: Source, use: Callable[[House, Time], Awaitable[None]]) -> None:
    time = Time(10**9)

    async def main(log: EventLog) -> None:
        await use(House(log, time.clock, watched(source), KEY), time)

    using(str(where), main)


def notes(log: EventLog) -> list[dict[str, Any]]:
    events = [event for row in log.read(HOUSE) for event in facts_in(row)]
    return [event for event in events if str(event["is"]).startswith("generator")]


def test_it_is_on_record_at_the_start_and_each_day(tmp_path: Path) -> None:
    async def use(house: House, time: Time) -> None:
        running = Running(house)
        await running.start()
        house.chance.some_bytes(1000)
        await running.tick()
        time.steady_ms += DAY_MS
        await running.tick()
        first, second = notes(house.log)
        assert first["is"] == second["is"] == "generator-checked"
        assert first["tested"] == START_BYTES + 8  # with the id of this process
        assert second["tested"] == START_BYTES + 1000
        assert (first["repetition"], first["proportion"]) == (REPETITION, PROPORTION)
        assert significant(house) == []  # nobody need look at it

    with_house(tmp_path / "house.db", Source(), use)


async def to_shuffle(house: House) -> Driver:
    """A table whose cards are to be shuffled."""
    driver = await Driver(house).open()
    await driver.do("dan", c.CheckCards("set A", player="ann"))
    return driver


IDS = count(1)


async def shuffle(house: House) -> str:
    """Why the house does not shuffle; empty if it does."""
    head = house.log.head("table-1").seq
    try:
        await house.give("table-1", ShuffleHouse(), "dan", f"shuffle-{next(IDS)}")
    except Refused as refused:
        assert house.log.head("table-1").seq == head
        return str(refused.reason)
    return ""


def test_a_failure_stops_what_is_drawn_for_play_and_nothing_else(tmp_path: Path) -> None:
    """[CFR 547.10, G19 A.6.2]"""
    source = Source()

    async def use(house: House, _time: Time) -> None:
        running = Running(house)
        await running.start()
        await to_shuffle(house)
        source.broken = stuck
        assert await shuffle(house) == "generator_failed"
        source.broken = None  # it is not trusted for coming to its senses
        assert await shuffle(house) == "generator_failed"
        await running.tick()
        await running.tick()
        assert [one["is"] for one in notes(house.log)] == ["generator-checked", "generator-failed"]
        (seen,) = [one for one in significant(house) if one.stream == HOUSE]
        assert "The generator failed a test" in seen.says
        assert await house.give("register", register.Enrol("sam", "patron"), "mara", "goes-on")
        await house.give("table-1", c.Shuffle(), "dan", "by-hand")

    with_house(tmp_path / "house.db", source, use)


def test_what_one_process_finds_stops_the_others_at_once(pg: str) -> None:
    """[CFR 547.10] Two of them run one house: the other looks before each draw for play, and is
    told at once. Whoever had it tested lets both go on; a fault of one's own stays.
    """
    where, source = new_database(pg), Source()

    async def two() -> None:
        logs = [await opened(where) for _ in range(2)]
        try:
            time = Time(10**9)
            first = House(logs[0], time.clock, watched(source), KEY)
            await to_shuffle(first)
            second = House(logs[1], time.clock, watched(Source()), KEY)
            listens = asyncio.create_task(Running(second)._listen())
            await found_out(first, second)
            listens.cancel()
        finally:
            for log in logs:
                await log.close()

    async def found_out(first: House, second: House) -> None:
        source.broken = stuck
        assert await shuffle(first) == "generator_failed"
        source.broken = None
        await note_failure(first)
        assert await shuffle(second) == "generator_failed"
        watch = second.chance.watch
        assert watch is not None
        await note_failure(second)  # it is on record already
        assert [one["is"] for one in notes(first.log)] == ["generator-failed"]
        await try_again(first, first.actor("mara"))
        for _ in range(200):  # it listens, and need not be asked to shuffle
            if watch.fault is None:
                break
            await asyncio.sleep(0.02)
        assert watch.fault is None
        await note_generator(second)
        assert await shuffle(second) == ""

    asyncio.run(two())


def test_it_fails_until_somebody_has_it_tested_again(tmp_path: Path) -> None:
    """[AGCO 11.1.3] Neither a new start nor a day makes it good."""
    source = Source()

    async def fail(house: House, _time: Time) -> None:
        await to_shuffle(house)
        source.broken = stuck
        assert await shuffle(house) == "generator_failed"
        source.broken = None
        await Running(house).tick()

    async def again(house: House, time: Time) -> None:
        running = Running(house)
        await running.start()
        assert failed_on_record(house.log)
        assert await shuffle(house) == "generator_failed"
        time.steady_ms += DAY_MS
        await running.tick()
        assert notes(house.log)[-1]["is"] == "generator-failed"
        async with office_of(house) as office:
            await look(office)
        cleared = {"is": "generator-cleared", "by": "mara", "tested": AGAIN_BYTES}
        assert notes(house.log)[-1] == cleared
        assert await shuffle(house) == ""
        assert any("mara had the generator" in one.says for one in significant(house))

    async def look(office: Office) -> None:
        ready = await office.get("/ready")
        assert (ready.status_code, ready.json()["chance"]) == (503, False)
        assert "Test it again" in (await office.get("/house/running", "mara")).text
        for person in ("ann", "dan"):
            assert (await office.post("/house/running/chance", person)).status_code == 403
            assert (await office.json("/api/house/running/chance", person, {})).status_code == 403
        source.broken = stuck
        assert (await office.post("/house/running/chance", "mara")).status_code == 409
        source.broken = None
        assert failed_on_record(office.house.log)
        assert (await office.post("/house/running/chance", "mara")).status_code == 303
        assert (await office.get("/ready")).json()["chance"] is True
        assert "each of them tested" in (await office.get("/house/running", "mara")).text

    with_house(tmp_path / "house.db", source, fail)
    with_house(tmp_path / "house.db", source, again)


def test_the_house_that_runs_is_watched() -> None:
    """What `serve` opens draws from the operating system, and every byte of it is tested."""
    chance = watched_chance()
    assert chance.watch is not None
    chance.below(416)
    chance.some_bytes(16)
    assert chance.watch.tested >= 18
