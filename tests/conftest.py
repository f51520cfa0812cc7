"""What all tests share: the terms of a table under each rule set, and the names of clauses."""

import json
from pathlib import Path

import pytest
from hypothesis import settings
from msgspec.structs import replace

from puntobanco.rules.notice import Notice, Terms, post, sample

# Deadlines are wall-clock speed, on which no test depends.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")


def terms_of(ruleset: str, **choices: object) -> Terms:
    """A table under a rule set's sample notice, with some choices of its own."""
    notice: Notice = replace(sample(ruleset), **choices)
    return post(notice)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write golden files and tested.json anew"
    )
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes too")
    parser.addoption("--named-clauses", metavar="FILE", help="write which test names which clause")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write which tests name which clause, for tests/test_rulebook.py and tested.json."""
    target = session.config.getoption("--named-clauses")
    if not target:
        return
    named: dict[str, set[str]] = {}
    for item in session.items:
        where = f"{item.path.name}::{getattr(item, 'originalname', item.name)}"
        for mark in item.iter_markers("clause"):
            for clause_id in mark.args:
                named.setdefault(clause_id, set()).add(where)
    Path(target).write_text(
        json.dumps({key: sorted(tests) for key, tests in sorted(named.items())}, indent=1) + "\n"
    )
