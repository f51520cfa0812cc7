"""A damaged file: one bit of it flipped, anywhere. Never a traceback, never sound without being so.

The ordinary run flips a sample; FLIPS=all flips one bit of every byte, for an hour or two; the
parts of the file run side by side with `-n`.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from puntobanco.cli import journal as program
from puntobanco.cli.keys import root_beside
from puntobanco.errors import MalformedError, Refused, UnusableError
from puntobanco.house.access.credentials_digest import credentials_in
from puntobanco.house.access.people import Credential, Person
from puntobanco.house.house import House
from puntobanco.house.intents import ShuffleHouse
from puntobanco.house.lookback.export import export
from puntobanco.house.loop import Running
from puntobanco.journal.log import EventLog
from puntobanco.table import commands as c
from tests.kit.forgery.rows import rows_of
from tests.kit.house.driver import KEY, Driver, seeded, ticking
from tests.kit.journal import using

ALL = os.environ.get("FLIPS") == "all"
PARTS, SAMPLE = 12, 15
"""The file in parts, and how many bytes of each are tried."""
HEADER = 100
ONE_LINE = (MalformedError, UnusableError, Refused, UnicodeDecodeError)
"""What the program says in one line, and exits with 2."""
FAULT = re.compile(r"FAULT: \S+( row \d+)?: ")
"""By stream and number; or the file, which cannot be read."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small house with something in every table, its key, and the root beside it."""
    folder = tmp_path_factory.mktemp("house")
    key = folder / "house.key"
    key.write_text(KEY.hex())

    async def use(log: EventLog) -> None:
        house = House(log, ticking(), seeded(1), KEY, root_beside(key))
        await Running(house).start()
        driver = await Driver(house).open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))
        await driver.do("dan", c.CheckCards("set A", player="ann"))
        await house.give("table-1", ShuffleHouse(), "dan", "shuffle")
        await house.issue(Credential("mara", "password", "hashed", 1), "mara")
        house.people.put(Person("ann", "Ann"))
        await house.shut()
        await driver.do("dan", c.CutCards(100, 1))

    using(str(folder / "house.db"), use)
    return folder / "house.db"


def flips(size: int, part: int) -> Iterable[int]:
    """Which bytes of a part are flipped; of the first one, some of the header always."""
    within = range(part * size // PARTS, (part + 1) * size // PARTS)
    if ALL:
        return within
    header = range(0, HEADER, 9) if part == 0 else ()
    return [*header, *Random(part).sample(within, SAMPLE)]


def put_back(house: Path, body: bytearray) -> Path:
    """The house's file again, in a folder of its own with key and root."""
    at = house.parent / "flipped"
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir()
    for file in house.parent.glob("house.key*"):
        shutil.copy(file, at)
    (at / house.name).write_bytes(body)
    return at / house.name


def contents(file: Path) -> list[Any]:
    """All that verification is about, as the house itself reads it: rows by their index.

    Names, web sessions and snapshots are no evidence.
    """

    async def use(log: EventLog) -> list[Any]:
        return [rows_of(log), sorted(map(str, log.all_sealed())), credentials_in(log)]

    return using(str(file), use)


def said_of(ask: Callable[[], int]) -> int:
    """What a command exits with; anything that is not one line of it fails the test."""
    try:
        return ask()
    except ONE_LINE:
        return 2


def exported(file: Path, stream: str) -> int:
    async def use(log: EventLog) -> int:
        return len(list(export(log, stream)))

    return 0 if program.using(str(file), use) else 2


def started(file: Path) -> int:
    async def use(log: EventLog) -> int:
        house = House(log, ticking(), seeded(2), KEY, root_beside(file.with_name("house.key")))
        await Running(house).start()
        return 0

    return program.using(str(file), use, create=True)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_flipped_bit_ends_in_a_traceback_or_passes_for_sound(
    part: int, house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, chance = house.read_bytes(), Random(part)
    before = contents(house)
    for at in flips(len(whole), part):
        body = bytearray(whole)
        body[at] ^= 1 << chance.randrange(8)
        file = put_back(house, body)
        key = file.with_name("house.key")
        code = said_of(lambda: program.verify(str(file), secret=key))  # noqa: B023  called at once
        said = capsys.readouterr().out
        assert code != 1 or FAULT.match(said), (at, said)
        assert code != 0 or contents(file) == before, (at, said)
        for stream in ("table-1", "register"):
            said_of(lambda: exported(file, stream))  # noqa: B023
        said_of(lambda: started(file))  # noqa: B023
