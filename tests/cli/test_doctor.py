"""A host is looked over before opening night: what is wrong is named, with what to do."""

import asyncio
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from puntobanco.cli.house import doctor as looked_over
from puntobanco.cli.house.config import FILE, fault_of, sources
from puntobanco.cli.house.doctor import doctor
from puntobanco.cli.keys import made_keys, root_beside
from puntobanco.cli.replay import replay
from puntobanco.cli.serve import begun, serve
from puntobanco.errors import UnusableError
from puntobanco.house.clock import Clock
from puntobanco.journal.opening import journal_at, open_journal
from tests.kit.commands_once import PLAYED
from tests.kit.postgres import new_database
from tests.kit.web import free_port

Look = Callable[..., dict[str, str]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    replay(PLAYED / "singapore-2017.session", house=folder / "a.db", secret=folder / "a.key")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A house that was shut in good order, and its key."""
    for file in made.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
        (tmp_path / file.name).chmod(0o600)
    return tmp_path


@pytest.fixture
def look(folder: Path, capsys: pytest.CaptureFixture[str]) -> Look:
    def look(**given: object) -> dict[str, str]:
        """What is not as it should be, by name; the exit code says the same."""
        settings = {"house": str(folder / "a.db"), "secret": folder / "a.key", "port": free_port()}
        code = doctor(**{**settings, **given})  # type: ignore[arg-type]
        lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
        assert code == any(how == "FAULT" for how, _ in lines)
        wrong = [(how, *says.split(maxsplit=1)) for how, says in lines if how != "ok"]
        return {f"{how} {name}": says for how, name, says in wrong if name != "user"}

    return look


ONE_DISK = "warning key"


def test_a_host_that_is_ready_is_told_so_and_nothing_is_made(look: Look, folder: Path) -> None:
    there = sorted(folder.iterdir())
    assert set(look()) == {ONE_DISK}  # who takes the disk has both
    assert look(house=str(folder / "new.db"), secret=folder / "keys" / "new.key") == {}
    assert sorted(folder.iterdir()) == there


def test_the_key_of_a_new_house_is_on_the_disk_before_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lost with the power, it would leave a house that nobody opens again."""
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: flushed.append(os.fstat(file).st_ino))
    (key,) = made_keys(tmp_path / "keys" / "house.key")
    made = tmp_path / "keys" / "house.key"
    assert flushed == [made.stat().st_ino, made.parent.stat().st_ino]
    assert made.read_text() == key.hex() + "\n"


def test_each_thing_that_is_wrong_is_named(look: Look, folder: Path) -> None:
    assert "is not there" in look(house=str(folder / "none" / "a.db"))["FAULT house"]
    (folder / "text").write_text("no house\n" * 100)
    assert "not a journal" in look(house=str(folder / "text"))["FAULT house"]
    assert "bring back the copy" in look(secret=folder / "lost.key")["FAULT key"]
    (folder / "a.db").chmod(0o644)
    assert "chmod 600" in look()["warning house"]
    (folder / "a.key").chmod(0o640)
    assert "chmod 600" in look()["FAULT key"]
    root_beside(folder / "a.key").unlink()
    assert "none beside" in look()["warning root"]


def test_a_record_that_was_cut_back_is_not_opened(look: Look, folder: Path) -> None:
    root = root_beside(folder / "a.key")
    root.write_text(root.read_text().replace('"root":"', '"root":"00', 1))
    assert "cut back or changed" in look()["FAULT root"]


def test_no_house_is_founded_where_one_was_under_its_key(look: Look, folder: Path) -> None:
    """Its disk is not there, say: a house made in its place would stand in the way of the other."""
    (folder / "a.db").rename(folder / "elsewhere.db")
    there = sorted(folder.iterdir())
    assert "not where it was looked for" in look()["FAULT root"]
    with pytest.raises(UnusableError, match="nothing was made"):
        serve(house=str(folder / "a.db"), secret=folder / "a.key", port=free_port())
    assert sorted(folder.iterdir()) == there

    async def in_an_empty_database() -> None:
        async with journal_at(str(folder / "empty.db"), create=True) as log:
            await begun(log, folder / "a.key")

    with pytest.raises(UnusableError, match="nothing was made"):
        asyncio.run(in_an_empty_database())


def test_a_clock_behind_the_last_row_and_a_full_disk_are_faults(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looked_over, "CLOCK", Clock(lambda: 0, lambda: 0, asyncio.sleep))
    assert "behind the last row" in look()["FAULT clock"]
    monkeypatch.setattr(looked_over, "LEAST_FREE_MB", 10**12)
    assert "make room" in look()["FAULT disk"]


def test_a_program_older_than_the_one_that_writes_is_a_fault(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looked_over, "newest_writer", lambda _log: (99, 99))
    assert "edition 99, schema 99" in look()["FAULT program"]


def test_the_network_is_free_and_encrypted_or_it_is_said(look: Look, folder: Path) -> None:
    assert "in the clear" in look(host="0.0.0.0")["FAULT TLS"]  # noqa: S104  that is the point
    assert "FAULT TLS" not in look(host="0.0.0.0", behind_tls="10.0.0.2")  # noqa: S104
    assert not [what for what in look(host="::1") if what.startswith("FAULT")]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "in use" in look(port=taken.getsockname()[1])["FAULT network"]
    assert "go together" in look(cert=folder / "a.db")["FAULT network"]
    no_pair = look(cert=folder / "a.key", key=folder / "a.key")
    assert "no certificate" in no_pair["FAULT TLS"]


def test_a_database_wants_its_tables_and_a_role_that_only_adds(look: Look, pg: str) -> None:
    url = new_database(pg)
    assert "puntobanco prepare" in look(house=url)["FAULT house"]

    async def opened() -> None:
        await (await open_journal(url, create=True)).close()

    asyncio.run(opened())
    assert "only adds" in look(house=url)["warning rights"]
    unreached = look(house=f"{url}-none")["FAULT house"]
    assert "cannot be reached" in unreached
    assert "do its address and the password hold?" in unreached
    assert "prepare" not in unreached


def test_a_mistyped_setting_is_named_and_those_of_serve_hold(
    look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "PUNTOBANCO_PROT", "80")
    assert look()["FAULT settings"].startswith("PUNTOBANCO_PROT")
    assert len(sources("doctor") or ()) == len(sources("serve") or ())


def test_what_serve_would_refuse_of_its_file_is_a_fault(
    look: Look, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also settings that nothing else here looks at."""
    file = tmp_path / "house.toml"
    monkeypatch.setenv(FILE, str(file))
    for said, wrong in (
        ("prot = 1", "prot"),
        ('log-level = "loud"', "loud"),
        ('root-rows = "many"', "many"),
    ):
        file.write_text(said)
        assert wrong in look()["FAULT settings"]
    file.write_text("root-rows = 50")
    assert set(look()) == {ONE_DISK}
    file.write_text('house = "x')
    with pytest.raises(UnusableError, match=r"house\.toml: "):
        fault_of(serve, "a.db")
