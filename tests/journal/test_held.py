"""One process runs a house in SQLite, whatever names its file has or is given."""

import asyncio
from pathlib import Path

import pytest

from puntobanco.cli.serve import begun, own, warn_if_plain
from puntobanco.errors import UnusableError
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.loop import TAKE_OVER_MS, Running
from puntobanco.journal.file.held import HeldFile
from puntobanco.journal.log import StoppedError
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import HOUSE
from puntobanco.register import commands as register
from puntobanco.server.edge.proxy import is_this_machine
from tests.kit.house.driver import Time, house_over


def test_a_link_to_the_journal_is_the_same_house(tmp_path: Path) -> None:
    one, link = tmp_path / "house.db", tmp_path / "other.db"
    one.touch()
    link.symlink_to(one)
    first, second = HeldFile(one), HeldFile(link)
    assert first.take()
    assert first.take()
    assert not second.take()
    first.close()
    assert second.take()
    second.close()


def test_a_second_name_of_the_journal_is_refused(tmp_path: Path) -> None:
    one = tmp_path / "house.db"
    one.touch()
    (tmp_path / "other.db").hardlink_to(one)
    for name in ("house.db", "other.db"):
        with pytest.raises(UnusableError, match="hard link"):
            HeldFile(tmp_path / name).take()


def test_a_link_in_the_locks_place_is_refused_and_what_it_leads_to_is_untouched(
    tmp_path: Path,
) -> None:
    one, precious = tmp_path / "house.db", tmp_path / "precious.txt"
    one.touch()
    precious.write_text("kept")
    (tmp_path / "house.db-held").symlink_to(precious)
    with pytest.raises(UnusableError, match="remove it"):
        HeldFile(one).take()
    assert precious.read_text() == "kept"


def test_a_lock_that_is_taken_away_is_put_back_or_the_house_stops(tmp_path: Path) -> None:
    one = tmp_path / "house.db"
    one.touch()
    first, second = HeldFile(one), HeldFile(one)
    assert first.take()
    (tmp_path / "house.db-held").unlink()
    assert first.fault() == ""
    assert not second.take()  # it is locked again
    (tmp_path / "house.db-held").unlink()
    assert second.take()
    for _ in range(2):
        assert "another process runs the house now" in first.fault()
    assert second.fault() == ""
    first.close()
    second.close()
    precious = tmp_path / "precious.txt"
    precious.write_text("kept")
    assert first.take()
    (tmp_path / "house.db-held").unlink()
    (tmp_path / "house.db-held").symlink_to(precious)
    assert "was taken away" in first.fault()
    assert precious.read_text() == "kept"
    first.close()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_journal_that_is_moved_under_a_house_stops_it(tmp_path: Path, replaced: bool) -> None:
    async def main() -> None:
        path = tmp_path / "house.db"
        log = open_log(path)
        time = Time()
        house = house_over(log, time.clock)
        await house.found("mara", "founding")
        running = Running(house)
        await running.start()
        before = log.head("register")
        path.rename(tmp_path / "moved.db")
        if replaced:
            path.touch()
        with pytest.raises(StoppedError, match="moved or replaced"):
            await house.give("register", register.Enrol("eve", "staff"), "mara", "enrol-eve")
        assert log.head("register") == before
        time.steady_ms += TAKE_OVER_MS
        with pytest.raises(StoppedError, match="moved or replaced"):
            await running.tick()
        await log.close()

    asyncio.run(main())


def test_a_quiet_house_notices_too(tmp_path: Path) -> None:
    async def main() -> None:
        path, time = tmp_path / "house.db", Time()
        log = open_log(path)
        running = Running(house_over(log, time.clock))
        await running.start()
        path.rename(tmp_path / "moved.db")
        time.steady_ms += TAKE_OVER_MS
        with pytest.raises(StoppedError, match="put it back"):
            await running.tick()
        await log.close()

    asyncio.run(main())


def test_of_two_first_starts_one_founds_the_house_and_its_password_is_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def main() -> None:
        logs = [open_log(tmp_path / "house.db") for _ in range(2)]
        keys = [tmp_path / "key" / f"{number}.key" for number in range(2)]
        found = await asyncio.gather(
            *(begun(log, key) for log, key in zip(logs, keys, strict=True)),
            return_exceptions=True,
        )
        (refused,) = (one for one in found if isinstance(one, BaseException))
        assert isinstance(refused, UnusableError)
        (house,) = (one for one in found if not isinstance(one, BaseException))
        said = capsys.readouterr().out
        lines = [line for line in said.splitlines() if "which is not shown again" in line]
        passwords = [line.split(": ")[1] for line in lines]
        for person, password in zip(("manager", "deputy"), passwords, strict=True):
            assert await SignIn(house).sign_in(person, "password", password, "")
        assert sum(key.exists() for key in keys) == 1
        for log in logs:
            await log.close()

    asyncio.run(main())


def test_a_house_that_runs_is_not_taken_by_a_second_start(tmp_path: Path) -> None:
    async def main() -> None:
        one, other = (open_log(tmp_path / "house.db") for _ in range(2))
        await own(one)
        await own(one)
        with pytest.raises(UnusableError, match="one at a time"):
            await own(other)
        assert not await other.hold([HOUSE])
        await one.close()
        await own(other)
        await other.close()

    asyncio.run(main())


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.7", "house.test"])  # noqa: S104
def test_a_house_beyond_this_machine_without_tls_warns(
    host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not is_this_machine(host)
    warn_if_plain(host, secure=True)
    warn_if_plain("127.0.0.1", secure=False)
    assert capsys.readouterr().err == ""
    warn_if_plain(host, secure=False)
    said = capsys.readouterr().err
    assert said.startswith("Warning: ")
    assert host in said
    assert "--behind-tls" in said
