"""What all tests share: the terms of a table under each rule set, and the names of clauses."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from msgspec import Struct, to_builtins

from tests.kit.clauses import naming
from tests.kit.postgres import binaries, new_database, server

# Deadlines are wall-clock speed, on which no test depends.
settings.register_profile("steady", deadline=None, max_examples=50)
settings.register_profile("slow", deadline=None, max_examples=500)  # of --slow
settings.register_profile("quick", deadline=None, max_examples=10)  # of `make quick`
settings.load_profile("steady")


@pytest.fixture(scope="session")
def pg() -> Iterator[str]:
    if binaries() is None:
        pytest.skip("PostgreSQL is not installed: its half of the journal was not tested")
    with server() as folder:
        yield folder


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a journal may be: a file, or a database of a real server."""
    if request.param == "sqlite":
        return str(tmp_path / "house.db")
    return new_database(request.getfixturevalue("pg"))


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Values print briefly; of two that should be equal, show the fields in which they differ."""
    if op != "==" or not isinstance(left, Struct) or type(left) is not type(right):
        return None
    fields = [(name, getattr(left, name), getattr(right, name)) for name in left.__struct_fields__]
    return [
        f"two of {type(left).__name__} differ",
        *(
            f"{name}: {to_builtins(a, enc_hook=repr)} == {to_builtins(b, enc_hook=repr)}"
            for name, a, b in fields
            if a != b
        ),
    ]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write golden files and tested.json anew"
    )
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes too")
    parser.addoption("--named-clauses", metavar="FILE", help="write which test names which clause")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--slow"):
        settings.load_profile("slow")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write which tests name which clause, where tests/docs/test_rulebook.py asks for it."""
    target = session.config.getoption("--named-clauses")
    if target:
        Path(target).write_text(json.dumps(naming(session.items)))
