"""Is what runs what was released: every file held against its list, at the start and each day."""

import json
import py_compile
import runpy
from base64 import urlsafe_b64encode
from hashlib import sha256
from importlib.metadata import distributions, version
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode
from shutil import copytree
from typing import Any

import pytest

from puntobanco.house.checks.program import CheckProgram, Program, check_program
from puntobanco.house.house import House
from puntobanco.house.lookback.significant import significant
from puntobanco.house.loop import DAY_MS, SOON_MS, Running
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in
from puntobanco.journal.verify import HOUSE
from tests.kit.house.driver import KEY, Time, seeded
from tests.kit.journal import using
from tests.kit.places import ROOT
from tests.kit.program import run, run_json

LOCKED = runpy.run_path(str(ROOT / "tools" / "locked.py"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program's files as an installer leaves them; a few folders are enough."""
    made = tmp_path_factory.mktemp("installed")
    for part in ("journal", "rules", "server/templates"):
        copytree(ROOT / "src/puntobanco" / part, made / "puntobanco" / part)
    return made


def listed(place: Path) -> dict[str, str]:
    """The list of a wheel, worked out anew."""
    files = [file for file in place.rglob("*") if file.is_file() and "__pycache__" not in str(file)]
    return {file.relative_to(place).as_posix(): listed_hash(file) for file in files}


def listed_hash(file: Path) -> str:
    """As a list of files has it."""
    return urlsafe_b64encode(sha256(file.read_bytes()).digest()).decode().rstrip("=")


def one_after_another(found: list[Program]) -> CheckProgram:
    """What a check finds, each time."""

    def check(*, compiled: bool) -> Program:
        del compiled
        return found.pop(0)

    return check


def test_a_byte_changed_in_any_file_is_named(place: Path) -> None:
    """Modules, templates, rule texts and data alike [G19 2.3.2]."""
    known = listed(place)
    whole = check_program(place, known)
    assert (whole.differ, whole.listed, whole.files) == ((), True, len(known))
    for name in sorted(known)[::25]:
        before = (place / name).read_bytes()
        (place / name).write_bytes(before + b" ")
        found = check_program(place, known)
        (place / name).write_bytes(before)
        assert found.differ == (name,)
        assert found.digest != whole.digest


def test_a_file_that_is_gone_or_was_put_in_is_named(place: Path) -> None:
    known = listed(place)
    name = "puntobanco/journal/chain.py"
    new = place / "puntobanco/journal/extra.py"
    text = (place / name).read_bytes()
    (place / name).unlink()
    new.write_text("")
    found = check_program(place, known)
    new.unlink()
    (place / name).write_bytes(text)
    assert found.differ == (name, "puntobanco/journal/extra.py")


@pytest.mark.parametrize(
    "mode", [PycInvalidationMode.TIMESTAMP, PycInvalidationMode.UNCHECKED_HASH]
)
def test_what_python_would_run_in_the_place_of_a_file_is_named(
    place: Path, tmp_path: Path, mode: PycInvalidationMode
) -> None:
    """A compiled copy of something else, with the time and length of the file it stands for."""
    known, name = listed(place), "puntobanco/journal/chain.py"
    source, other = place / name, tmp_path / "other.py"
    kept = Path(cache_from_source(str(source)))

    def found() -> tuple[str, ...]:
        return check_program(place, known).differ

    py_compile.compile(str(source), str(kept), doraise=True, invalidation_mode=mode)
    assert found() == ()
    head = kept.read_bytes()[:16]
    other.write_text(source.read_text() + "SEEN = True\n")
    py_compile.compile(str(other), str(tmp_path / "other.pyc"), doraise=True)
    evil = head + (tmp_path / "other.pyc").read_bytes()[16:]
    for planted in (evil, evil[:40]):
        kept.write_bytes(planted)
        assert found() == (f"puntobanco/journal/__pycache__/{kept.name}",)
        assert check_program(place, known, compiled=False).differ == ()
    kept.write_bytes(b"old " + evil[4:])  # of another Python, which this one does not run
    assert found() == ()
    kept.unlink()


def test_a_house_puts_it_on_record_at_its_start_and_each_day(tmp_path: Path) -> None:
    sound = Program("1", 2, "ab" * 32, True)
    found = [sound, sound, Program("1", 2, "cd" * 32, True, ("a.py",))]
    time = Time(10**9)

    async def use(log: EventLog) -> list[dict[str, Any]]:
        house = House(log, time.clock, seeded(1), KEY)
        running = Running(house, program=one_after_another(found))
        await running.start()
        await running.tick()
        for later_ms in (SOON_MS, DAY_MS):
            time.steady_ms += later_ms
            await running.tick()
        said = [one.says for one in significant(house)]
        assert said == ["Files of the program are not those it was installed with: 1"]
        return [event for row in log.read(HOUSE) for event in facts_in(row)]

    events = using(str(tmp_path / "house.db"), use)
    kinds = [event["is"] for event in events if event["is"].startswith("program")]
    assert kinds == ["program-checked", "program-checked", "program-differs"]


def test_a_list_that_was_changed_with_its_files_is_found_by_the_check_before(
    tmp_path: Path,
) -> None:
    """Once for each change: an installation of another version is another, and says so."""
    lists = [("1", "ab"), ("1", "cd"), ("1", "cd"), ("2", "ef"), ("2", "ef"), ("2", "00")]
    found = [Program(version, 2, twice * 32, True) for version, twice in lists]
    time = Time(10**9)

    async def use(log: EventLog) -> list[str]:
        house = House(log, time.clock, seeded(1), KEY)
        for _ in lists:
            running = Running(house, program=one_after_another(found))
            await running.start()
        said = [one.says for one in significant(house)]
        assert sum("checked before" in one for one in said) == 2
        events = [event for row in log.read(HOUSE) for event in facts_in(row)]
        return [event["is"] for event in events if event["is"].startswith("program")]

    kinds = using(str(tmp_path / "house.db"), use)
    assert [kind == "program-differs" for kind in kinds] == [0, 1, 0, 0, 0, 1]


def test_the_program_checks_itself_and_says_what_it_is_made_of() -> None:
    assert "puntobanco " in run("program")
    assert run_json("program")["digest"] == check_program().digest
    bill = json.loads(run("program", "--sbom"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["name"]: part for part in bill["components"]}
    assert parts["msgspec"]["purl"] == f"pkg:pypi/msgspec@{version('msgspec')}"


def test_what_is_installed_is_held_against_the_lock() -> None:
    lock = (ROOT / "requirements.txt").read_text()
    wanted = LOCKED["locked"](lock)
    assert wanted["msgspec"] == version("msgspec")
    assert LOCKED["differences"](wanted, {**wanted, "puntobanco": "1"}) == []
    typo = {**wanted, "msgspecs": "1.0"}
    assert LOCKED["differences"](wanted, typo) == ["msgspecs: not in the lock, installed 1.0"]
    other = LOCKED["differences"](wanted, {**wanted, "msgspec": "0.1"})
    assert other == [f"msgspec: {wanted['msgspec']}, installed 0.1"]
    with pytest.raises(SystemExit, match="no hash"):
        LOCKED["locked"]("msgspec==0.20.0\n")


def test_a_package_twice_or_a_file_of_one_changed_is_not_what_is_locked(tmp_path: Path) -> None:
    """Python takes the first on its path, whatever stands behind it."""
    for where, number in (("first", "2"), ("second", "1")):
        info = tmp_path / where / f"thing-{number}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: thing\nVersion: {number}\n")
        (tmp_path / where / "thing.py").write_text("one = 1\n")
        digest = listed_hash(tmp_path / where / "thing.py")
        (info / "RECORD").write_text(f"thing.py,sha256={digest},8\n")
    path = [str(tmp_path / "first"), str(tmp_path / "second")]
    there = LOCKED["installed"](list(distributions(path=path)))
    assert LOCKED["differences"]({"thing": "1"}, there) == ["thing: 1, installed 2 and 1"]
    (second,) = distributions(path=path[1:])
    assert list(LOCKED["altered"](second)) == []
    (tmp_path / "second" / "thing.py").write_text("one = 2\n")
    assert list(LOCKED["altered"](second)) == ["thing: thing.py is not as it was installed"]
    (tmp_path / "second" / "thing.py").unlink()
    assert list(LOCKED["altered"](second)) == ["thing: thing.py is not as it was installed"]
