"""Bad input to the commands that read a house: one clear line, and nothing is left behind."""

from pathlib import Path

import pytest

from puntobanco.house.access.sign_in import SignIn
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.table import commands as c
from tests.kit.house.driver import KEY, Driver, house_over
from tests.kit.journal import using
from tests.kit.program import refused, run


@pytest.fixture
def house(tmp_path: Path) -> Path:
    where = tmp_path / "house.db"

    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        for _ in range(300):
            await driver.do("bob", c.Sit(2))
            await driver.do("bob", c.Leave())
        await driver.house.shut()

    using(str(where), use)
    return where


def damage(house: Path) -> None:
    """Overwrite a little of every third page after the first few."""
    body = bytearray(house.read_bytes())
    for page in range(12, len(body) // 4096, 3):
        body[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    house.write_bytes(body)


def test_a_damaged_file_is_a_fault_and_no_traceback(house: Path, tmp_path: Path) -> None:
    damage(house)
    assert run("verify", str(house), code=1, out=True).startswith("FAULT: ")
    copy = tmp_path / "copy.db"
    for command in (
        ("games", "table-1", "--house", str(house)),
        ("report", "--house", str(house)),
        ("export", "table-1", "--house", str(house)),
        ("backup", "--house", str(house), "--to", str(copy)),
    ):
        assert "Traceback" not in refused(*command)
    assert not copy.exists()


def test_numbers_and_names_that_cannot_be(house: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text(KEY.hex())
    for row in ("99999999999999999999999999", "0", "-1"):
        asked = ("receipt", "table-1", row, "--house", str(house), "--key", str(key))
        assert "rows are numbered from 1" in refused(*asked) or row == "-1"
    assert "no 'table-9'" in refused("games", "table-9", "--house", str(house))
    assert "not text" in refused("games", "\udcff", "--house", str(house))
    assert "--last takes" in refused("games", "table-1", "--house", str(house), "--last", "0")
    receipt = tmp_path / "receipt.json"
    receipt.write_text(
        run("receipt", "table-1", "3", "--house", str(house), "--key", str(key)).replace(
            '"seq":3', '"seq":99999999999999999999999'
        )
    )
    assert "not a receipt" in refused("verify", str(receipt), "--house", str(house))
    assert refused("verify", str(receipt), "--house", "")
    deep = tmp_path / "deep.jsonl"
    deep.write_text("[" * 100_000)
    assert "FAULT" in run("verify", str(deep), code=1, out=True)


def test_a_fresh_password_for_whoever_has_the_machine(tmp_path: Path) -> None:
    """When every manager is locked out, or the last one forgot: there is a way back in."""
    where, key = tmp_path / "new.db", tmp_path / "key"
    key.write_text(KEY.hex())

    async def found(log: EventLog) -> None:
        await house_over(log).found("mara", "founding")

    using(str(where), found)
    assert where.stat().st_mode & 0o077 == 0  # names and hashes are nobody else's to read
    at = ("--house", str(where), "--secret", str(key))
    fresh = run("password", "mara", *at, out=True).strip()

    async def sign_in(log: EventLog) -> None:
        signin = SignIn(house_over(log))
        assert await signin.sign_in("mara", "password", fresh, "here")
        issued, root = list(log.read(HOUSE))[-2:]
        assert b'"credential-issued"' in issued.events
        assert b'"root-recorded"' in root.events  # and it is covered at once

    using(str(where), sign_in)
    assert "no member of staff" in refused("password", "nobody", *at)
    fresh = run("founder", "cleo", *at, out=True).strip()  # a second person, from the machine

    async def two(log: EventLog) -> None:
        house = house_over(log, seed=2)  # of another chance, for another session
        assert await SignIn(house).sign_in("cleo", "password", fresh, "here")
        assert house.register.state.settings.two_people.since_ms is not None

    using(str(where), two)
