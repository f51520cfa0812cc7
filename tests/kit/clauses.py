"""Naming the clauses a test puts to the proof."""

from collections.abc import Iterable

import pytest

from puntobanco.rules.documents.ruleset import CONDITIONS
from tests.kit.places import TESTS

RENUMBERED = {"5.3": "5.2", "5.4": "5.3", "5.5": "5.4"}
"""The 2018 edition put the shuffle machine in as 5.2."""


def clause(*ids: str) -> pytest.MarkDecorator:
    """Name the clauses; what the operator's conditions decide has none."""
    return pytest.mark.clause(*(one for one in ids if one != CONDITIONS))


def tas(*numbers: str) -> tuple[str, ...]:
    """The ids of a 2018 clause and of its twin in the 2013 edition."""
    ids: list[str] = []
    for number in numbers:
        twin = RENUMBERED.get(number, number)
        if number.startswith("16."):
            twin = f"15.{number[3:]}"
        ids += [f"tas-2018:{number}", f"tas-2013:{twin}"]
    return tuple(ids)


def twin(document: str, number: str) -> str:
    """The id of a 2018 clause in one of the two Tasmanian editions."""
    return next(one for one in tas(number) if one.startswith(document))


def naming(tests: Iterable[pytest.Item]) -> dict[str, list[str]]:
    """Which of these tests name which clause."""
    named: dict[str, set[str]] = {}
    for test in tests:
        for mark in test.iter_markers("clause"):
            file = test.path.relative_to(TESTS).as_posix()
            where = f"{file}::{getattr(test, 'originalname', test.name)}"
            for clause_id in mark.args:
                named.setdefault(clause_id, set()).add(where)
    return {clause_id: sorted(where) for clause_id, where in sorted(named.items())}
