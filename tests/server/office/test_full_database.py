"""A disk that is full under PostgreSQL: read on, refuse in words, go on when there is room."""

import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from puntobanco.house.loop import Running
from puntobanco.journal.log import EventLog, FullError
from puntobanco.table.actor import Role
from tests.kit.house.driver import Time, house_over
from tests.kit.journal import using
from tests.kit.office import office_of
from tests.kit.postgres import NUMBERS, url

DISK = "size=48m"
MOST_TRIES = 400


@pytest.fixture
def small_disk(pg: str) -> Iterator[tuple[str, Path]]:
    """A database on a disk of its own that holds nothing else; gone however the test ends."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a disk of its own: a full one was not tried")
    folder = Path(tempfile.mkdtemp(prefix="full-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", DISK, "tmpfs", folder], check=False, capture_output=True
    )
    if mounted.returncode:
        folder.rmdir()
        pytest.skip(f"no disk of its own can be mounted here: {mounted.stderr.decode().strip()}")
    name = f"full{next(NUMBERS)}"
    try:
        place = folder / "tables"
        place.mkdir()
        shutil.chown(place, "postgres")
        with psycopg.connect(url(pg, "postgres"), autocommit=True) as db:
            db.execute(f"CREATE TABLESPACE {name} LOCATION '{place}'")
            db.execute(f"CREATE DATABASE {name} TABLESPACE {name}")
        try:
            yield url(pg, name), folder
        finally:
            with psycopg.connect(url(pg, "postgres"), autocommit=True) as db:
                db.execute(f"DROP DATABASE {name} WITH (FORCE)")
                db.execute(f"DROP TABLESPACE {name}")
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


def fill(disk: Path) -> None:
    """Leave no room at all, also where the database has given some back since."""
    with (disk / "filler").open("ab", buffering=0) as file, suppress(OSError):
        while file.write(b"\0" * 4096):
            pass


def test_a_full_disk_under_the_database_refuses_in_words_and_goes_on(
    small_disk: tuple[str, Path], caplog: pytest.LogCaptureFixture
) -> None:
    where, disk = small_disk
    caplog.set_level(logging.WARNING)

    async def use(log: EventLog) -> None:
        running = Running(house_over(log, Time().clock))
        house = running.house
        async with office_of(house) as office:
            await office.enrol("mara")
            await office.enrol("carol", Role.CASHIER)
            await office.enrol("ann")
            assert (
                await office.json("/api/cage/open-account", "carol", {"person": "ann"})
            ).is_success
            await running.start()
            known = set[str]()

            async def deposit(number: int) -> tuple[int, str, str | None]:
                headers = {**office._headers("carol"), "Command-Id": f"payment-{number:05}"}
                body = {"person": "ann", "cents": 1000 + number}
                answer = await office._client.post("/api/cage/deposit", headers=headers, json=body)
                if answer.is_success:
                    known.add(f"payment-{number:05}")
                    return answer.status_code, "", None
                said = answer.json()
                assert said["detail"]
                assert said["remedy"]
                return answer.status_code, said["reason"], answer.headers.get("Retry-After")

            refused = -1
            for number in range(MOST_TRIES):  # pages of the tables still have some room
                fill(disk)
                answered = await deposit(number)
                if answered[0] == 503:
                    assert answered == (503, "disk_full", "30")
                    refused = number
                    break
            assert refused >= 0
            assert (await office.get("/api/cage", "carol")).status_code == 200
            assert (await office.get("/house/cage/patrons/ann", "carol")).status_code == 200
            ready = await office.get("/ready")
            assert (ready.status_code, ready.json()["journal"]) == (503, False)
            assert (await office.get("/health")).status_code == 200
            for _ in range(3):  # the house itself goes on, whatever it would have noted
                with suppress(FullError):
                    await running.tick()
            (disk / "filler").unlink()
            assert await deposit(refused) == (200, "", None)
            await running.tick()
            assert (await office.get("/ready")).json()["journal"]
            rows = [row for row in log.read("cage") if row.command_id.startswith("payment-")]
            assert [row.command_id for row in rows] == sorted(known)
            assert not [record for record in caplog.records if record.exc_info]
            said = [record.getMessage().partition(":")[0] for record in caplog.records]
            told = [line for line in said if "full" in line or "room" in line]
            assert told == ["the disk is full, and nothing is taken", "there is room again"]

    using(where, use)
