"""Rule sets: every value's clause exists, and no code branches on a document's name."""

import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

import puntobanco
from puntobanco.rules.announce import next_card_clause
from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import fold
from puntobanco.rules.paper.notation import parse_drawn
from puntobanco.table import events
from tests.kit.clauses import clause
from tests.kit.table.at import At, one

CLAUSE = re.compile(r"(tas-2018|tas-2013|act-2015|mbs-2017):\S+")
SOURCE = Path(puntobanco.__file__).parent


def texts(value: object) -> Iterator[str]:
    """Every text in a rule set's file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


@pytest.mark.parametrize("document", RULESETS)
def test_every_value_cites_a_clause_of_its_own_document(document: str) -> None:
    raw = (
        resources.files("puntobanco.rules.documents")
        .joinpath("rulesets", f"{document}.toml")
        .read_text()
    )
    cited = [text for text in texts(tomllib.loads(raw)) if CLAUSE.fullmatch(text)]
    assert len(cited) > 30
    for clause_id in cited:
        assert clause_id.startswith(f"{document}:")
        assert rulebook.find_clause(clause_id).id == clause_id


@pytest.mark.parametrize("document", RULESETS)
def test_a_rule_set_is_stamped_with_the_hash_of_its_file(document: str) -> None:
    rules = load_ruleset(document)
    assert re.fullmatch(r"[0-9a-f]{64}", rules.digest)
    assert rules.id == document
    assert len({load_ruleset(one).digest for one in RULESETS}) == 4


def test_code_never_branches_on_a_documents_name() -> None:
    """Names of documents stand in docstrings, in lists of them, and as defaults; nowhere else."""
    for file in SOURCE.rglob("*.py"):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if re.search(r"(==|!=|\bin\b|case)\s*[(\[{]?\s*[\"'](tas|act|mbs)-", line):
                pytest.fail(f"{file.name}:{number} branches on a document: {line.strip()}")


def test_docstrings_and_comments_cite_only_clauses_that_exist() -> None:
    """[tas-2018:14.1-14.3, act-2015:12.1] cites three documents' clauses; ranges by their ends."""
    known = set(rulebook.load_clauses())
    seen = 0
    for file in SOURCE.rglob("*.py"):
        for cited in re.findall(r"\[((?:tas|act|mbs)-20\d\d:[^\]]+)\]", file.read_text()):
            document = ""
            for part in re.split(r",\s+", " ".join(cited.split())):
                if ":" in part:
                    document, _, part = part.partition(":")  # noqa: PLW2901
                for number in re.split(r"-(?=\d)", part):
                    seen += 1
                    clause_id = f"{document}:{number}"
                    parent = any(
                        one.startswith((f"{clause_id}(", f"{clause_id}.")) for one in known
                    )
                    assert clause_id in known or parent, f"{file.name}: {clause_id}"
    assert seen > 40


@pytest.mark.parametrize(
    ("document", "closes", "begins"),
    [
        ("tas-2018", "first-card", "first-card"),
        ("tas-2013", "first-card", "first-card"),
        ("act-2015", "first-card", "first-card"),
        ("mbs-2017", "no-more-bets", "place-your-bets"),
    ],
)
def test_when_betting_closes_and_the_next_coup_begins(
    document: str, closes: str, begins: str
) -> None:
    rules = load_ruleset(document)
    assert (rules.wagers.close.at, rules.irregularities.next_begins) == (closes, begins)


@pytest.mark.parametrize(
    ("document", "cards", "cited"),
    [
        ("tas-2018", "6c Ad Kh Ks", "11(banker)"),
        ("tas-2018", "6c 4d Kh Ks", "11(table)"),
        ("tas-2018", "2c 4d Kh Ks 3c", "11(table)"),
        ("mbs-2017", "6c 4d Kh Ks", "3.9.3"),
        ("mbs-2017", "2c 4d Kh Ks 3c", "3.9.4"),
        ("mbs-2017", "2c", "3.7.2"),
        ("act-2015", "2c Kd", "6.2(b)"),
        ("act-2015", "2c Kd Kh 5s", "7.2"),
    ],
)
def test_the_clause_of_the_next_card(document: str, cards: str, cited: str) -> None:
    rules = load_ruleset(document)
    coup = fold(parse_drawn(cards), rules.tableau)
    assert next_card_clause(coup, rules) == f"{document}:{cited}"


def test_conditions_are_never_taken_for_a_clause() -> None:
    assert CONDITIONS not in rulebook.load_clauses()


@clause("tas-2018:0.front", "tas-2013:0.front", "act-2015:ni.1", "mbs-2017:0.front")
def test_a_table_records_the_fingerprint_of_the_document_and_not_of_our_file() -> None:
    fingerprints = {name: load_ruleset(name).document.fingerprint for name in RULESETS}
    assert len(set(fingerprints.values())) == len(RULESETS)
    for name, fingerprint in fingerprints.items():
        assert len(fingerprint) == 64
        assert fingerprint != load_ruleset(name).digest
        opened = one(events.TableOpened, At(name).open().log)
        assert (opened.source, opened.opened.digest) == (fingerprint, load_ruleset(name).digest)
