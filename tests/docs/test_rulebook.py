"""The rulebook: all 599 clauses, each doing what a test can show."""

import csv
import json
import subprocess
import sys

import pytest

from puntobanco.errors import MalformedError
from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.rulebook import VERBS
from puntobanco.rules.documents.ruleset import RULESETS
from tests.kit.clauses import naming
from tests.kit.places import DATA, ROOT, TESTS

UPDATE = "run: pytest tests/docs/test_rulebook.py --update"
TESTED = ROOT / "src/puntobanco/rules/documents/rulebook/tested.json"
IDS = [row["id"] for row in csv.DictReader((DATA / "clauses.csv").read_text().splitlines())]


@pytest.fixture(scope="module")
def named(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[str]]:
    """Which tests name which clause: those of this run, if it has them all."""
    tests = request.session.items
    if {test.path for test in tests} >= set(TESTS.rglob("test_*.py")):
        return naming(tests)
    target = tmp_path_factory.mktemp("named") / "clauses.json"
    collect = ("pytest", "--collect-only", "-p", "no:cacheprovider", "-n", "0", "tests")
    subprocess.run(
        [sys.executable, "-m", *collect, f"--named-clauses={target}"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    found: dict[str, list[str]] = json.loads(target.read_text())
    return found


def test_the_rulebook_holds_the_599_clauses_in_order() -> None:
    assert len(IDS) == 599
    for document in RULESETS:
        held = [one for one in rulebook.load_clauses() if one.startswith(document)]
        assert held == [one for one in IDS if one.startswith(document)]
    assert len(rulebook.load_clauses()) == 599


def test_tests_name_only_clauses_that_exist(named: dict[str, list[str]]) -> None:
    assert set(named) <= set(IDS)


def test_whatever_a_clause_does_a_test_names_it(named: dict[str, list[str]]) -> None:
    untested = [
        one.id for one in rulebook.load_clauses().values() if one.does and one.id not in named
    ]
    assert untested == []


def test_what_a_test_names_the_clause_does(named: dict[str, list[str]]) -> None:
    """A tested clause does something: the rulebook keeps up with the code."""
    idle = [one for one in named if not rulebook.find_clause(one).does]
    assert idle == []


def test_tested_json_says_which_tests_name_a_clause(
    named: dict[str, list[str]], request: pytest.FixtureRequest
) -> None:
    if request.config.getoption("--update"):
        TESTED.write_text(json.dumps(named, indent=1) + "\n")
    assert json.loads(TESTED.read_text()) == named, UPDATE


def test_nothing_is_planned_any_more() -> None:
    assert [one.id for one in rulebook.load_clauses().values() if one.planned] == []


def test_every_clause_does_or_plans_something_or_says_why_not() -> None:
    for clause in rulebook.load_clauses().values():
        assert bool(clause.outside) == (not clause.does and not clause.planned), clause.id
        assert not set(clause.does) & set(clause.planned), clause.id
        assert len(clause.paraphrase) > 15, clause.id
        assert clause.section, clause.id
        assert clause.same_as == "" or clause.same_as in IDS, clause.id


def test_every_clause_stands_under_exactly_one_matter() -> None:
    listed = [
        f"{document}:{local}"
        for matter in rulebook.matters()
        for document, locals_ in matter.clauses.items()
        for local in locals_
    ]
    assert sorted(listed) == sorted(IDS)
    assert all(set(matter.says) == set(matter.clauses) for matter in rulebook.matters())
    assert len({matter.name for matter in rulebook.matters()}) == len(rulebook.matters())


def test_compare_tells_same_from_different_from_silent() -> None:
    verdicts = {
        matter.name: verdict for matter, verdict in rulebook.compare("tas-2018", "act-2015")
    }
    assert verdicts["Decks"] == "differs"
    assert set(verdicts.values()) == {"same", "differs", "only tas-2018", "only act-2015"}
    itself = {verdict for _, verdict in rulebook.compare("mbs-2017", "mbs-2017")}
    assert itself == {"same"}


def test_coverage_adds_up() -> None:
    counted = rulebook.coverage()
    assert counted.total == 599 == sum(counted.by_status.values())
    assert counted.untested == ()
    assert set(counted.by_verb) == set(VERBS)


def test_finding_a_clause_that_is_not_there_suggests_those_that_are() -> None:
    assert rulebook.find_clause("TAS-2018:4.1").id == "tas-2018:4.1"
    with pytest.raises(MalformedError, match=r"did you mean tas-2018:4.1, tas-2013:4.1"):
        rulebook.find_clause("4.1")
    with pytest.raises(MalformedError, match="rules list"):
        rulebook.find_clause("tas-2018:99")


def test_search_finds_words_in_texts_and_readings() -> None:
    assert "act-2015:12.7" in {clause.id for clause in rulebook.search("burn")}
    assert list(rulebook.search("no such word anywhere")) == []
