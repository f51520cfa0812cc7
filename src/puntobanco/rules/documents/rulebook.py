"""The rulebook: every clause of every document, and what the software does about it.

`tested.json` beside the clauses names the tests of each clause; a test keeps that list true.
"""

import json
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal
from zipfile import ZipFile

import msgspec

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.documents.ruleset import RULESETS

Verb = Literal["enforces", "computes", "records", "displays", "advises"]
VERBS: tuple[Verb, ...] = ("enforces", "computes", "records", "displays", "advises")


class Clause(Brief, frozen=True, forbid_unknown_fields=True):
    id: str
    section: str
    paraphrase: str
    does: tuple[Verb, ...]
    planned: tuple[Verb, ...] = ()
    outside: str = ""
    """Why the software has nothing to do with this clause."""
    actors: tuple[str, ...] = ()
    note: str = ""
    reading: str = ""
    """How a fault or a silence of the document is read here, and why."""
    same_as: str = ""

    @property
    def document(self) -> str:
        return self.id.partition(":")[0]

    @property
    def status(self) -> str:
        """How far the software is with this clause: `done`, `partly`, `planned` or `outside`."""
        if self.outside:
            return "outside"
        if self.planned:
            return "partly" if self.does else "planned"
        return "done"


class Matter(Brief, frozen=True, forbid_unknown_fields=True):
    """One subject, and what each document that speaks of it lays down.

    Two documents say the same in substance exactly when their texts here are equal.
    """

    name: str
    says: dict[str, str]
    clauses: dict[str, tuple[str, ...]]
    see: dict[str, tuple[str, ...]] = {}
    """Clauses of other matters that speak of this one too, by document."""


class Coverage(Brief, frozen=True):
    total: int
    by_status: dict[str, int]
    by_verb: dict[Verb, dict[str, int]]
    tests: int
    """The number of test functions that name a clause."""
    untested: tuple[str, ...]
    planned: tuple[str, ...]


def _data(name: str) -> bytes:
    """A file of the rulebook, from its folder, or packed as a wheel carries it."""
    beside = resources.files(__package__)
    folder = beside.joinpath("rulebook", name)
    if folder.is_file():
        return folder.read_bytes()
    with beside.joinpath("rulebook.zip").open("rb") as packed, ZipFile(packed) as archive:
        return archive.read(name)


@cache
def load_clauses() -> dict[str, Clause]:
    """Every clause by its id, document by document, in the documents' order."""
    clauses: dict[str, Clause] = {}
    for document in RULESETS:
        entries = tomllib.loads(_data(f"{document}.toml").decode())["clause"]
        for clause in msgspec.convert(entries, list[Clause]):
            assert clause.id not in clauses, clause.id
            clauses[clause.id] = clause
    return clauses


@cache
def matters() -> tuple[Matter, ...]:
    entries = tomllib.loads(_data("matters.toml").decode())["matter"]
    return tuple(msgspec.convert(entries, list[Matter]))


@cache
def tested() -> dict[str, list[str]]:
    """The tests that name each clause."""
    named: dict[str, list[str]] = json.loads(_data("tested.json"))
    return named


def find_clause(clause_id: str) -> Clause:
    """Look a clause up.

    >>> import puntobanco as pb
    >>> pb.find_clause("act-2015:2.1").section
    '2 Cards'
    """
    clause = load_clauses().get(clause_id.lower())
    if clause is None:
        wanted = clause_id.lower()
        known = load_clauses()
        near = [
            near_id for near_id in known if near_id.startswith((f"{wanted}(", f"{wanted}."))
        ] or [near_id for near_id in known if near_id.endswith(f":{wanted.rpartition(':')[2]}")]
        hint = f"did you mean {', '.join(near)}?" if near else "`rules list` shows them all"
        raise MalformedError(f"no clause {clause_id[:40]!r}; {hint}")
    return clause


def search(word: str) -> Iterator[Clause]:
    """Find the clauses whose matter, section, text, note or reading has the word in it."""
    wanted = word.casefold()
    matter_of = {
        f"{document}:{local}": matter.name
        for matter in matters()
        for document, locals_ in matter.clauses.items()
        for local in locals_
    }
    for clause in load_clauses().values():
        words = (matter_of[clause.id], clause.id, clause.section, clause.paraphrase)
        if wanted in " ".join((*words, clause.note, clause.reading)).casefold():
            yield clause


def compare(first: str, second: str) -> Iterator[tuple[Matter, str]]:
    """List every matter of either document: the same in both, different, or only in one."""
    for matter in matters():
        ours, theirs = matter.says.get(first), matter.says.get(second)
        if ours is None and theirs is None:
            continue
        if ours is None or theirs is None:
            yield matter, f"only {first if theirs is None else second}"
        else:
            yield matter, "same" if ours == theirs else "differs"


def coverage() -> Coverage:
    """Count clauses by status, by verb and by tests."""
    clauses = load_clauses().values()
    by_status = dict.fromkeys(("done", "partly", "planned", "outside"), 0)
    by_verb: dict[Verb, dict[str, int]] = {verb: {"does": 0, "planned": 0} for verb in VERBS}
    for clause in clauses:
        by_status[clause.status] += 1
        for verb in clause.does:
            by_verb[verb]["does"] += 1
        for verb in clause.planned:
            by_verb[verb]["planned"] += 1
    return Coverage(
        len(clauses),
        by_status,
        by_verb,
        len({test for tests in tested().values() for test in tests}),
        tuple(clause.id for clause in clauses if clause.does and clause.id not in tested()),
        tuple(clause.id for clause in clauses if clause.planned),
    )
