"""The rule browser as data: documents, clauses, tables of play, two documents side by side."""

from typing import Annotated

from litestar import Router, get
from litestar.params import PathParameter
from msgspec import Struct

from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.rulebook import Clause, Coverage, Verb
from puntobanco.rules.documents.ruleset import RULESETS, TableOfPlay
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import Notice
from puntobanco.rules.notice import sample_notice as sample
from puntobanco.server.clauses import check_ruleset, clause_of, clauses_of
from puntobanco.server.pages.rules import Ruleset, Word

Document = Annotated[str, PathParameter(max_length=20)]
ClauseId = Annotated[str, PathParameter(max_length=64)]


class ClauseShown(Struct, frozen=True):
    """One clause in our own words, and what the software does about it."""

    id: str
    section: str
    paraphrase: str
    status: str
    """`done`, `partly`, `planned` or `outside`."""
    does: tuple[Verb, ...]
    planned: tuple[Verb, ...]
    outside: str
    actors: tuple[str, ...]
    reading: str
    note: str
    same_as: str
    tests: tuple[str, ...]
    """Tests that put the clause to the proof."""


class DocumentShown(Struct, frozen=True):
    name: str
    title: str
    clauses: int
    issuer: str
    reference: str
    effective: str
    """As printed; empty where the document gives no date."""
    fingerprint: str
    """SHA-256 of the regulator's document; our clauses are a paraphrase of it."""


class RulesShown(Struct, frozen=True):
    documents: tuple[DocumentShown, ...]
    coverage: Coverage
    found: tuple[ClauseShown, ...]
    """Clauses of all documents that the search found."""


class MatterCompared(Struct, frozen=True):
    """One subject in two documents: by document, what it lays down, and in which clauses."""

    name: str
    verdict: str
    says: dict[str, str]
    clauses: dict[str, tuple[str, ...]]


def _document(name: str) -> DocumentShown:
    source = load_ruleset(name).document
    return DocumentShown(
        name,
        source.title,
        len(clauses_of(name)),
        source.issuer,
        source.reference,
        source.effective,
        source.fingerprint,
    )


def _shown(clause: Clause) -> ClauseShown:
    return ClauseShown(
        clause.id,
        clause.section,
        clause.paraphrase,
        clause.status,
        clause.does,
        clause.planned,
        clause.outside,
        clause.actors,
        clause.reading,
        clause.note,
        clause.same_as,
        tuple(rulebook.tested().get(clause.id, ())),
    )


@get("/", operation_id="rules", sync_to_thread=False)
def rules(word: Word = "") -> RulesShown:
    """The documents, how much of them the software does, and a search over all clauses."""
    found = rulebook.search(word) if word.strip() else ()
    documents = tuple(map(_document, RULESETS))
    return RulesShown(documents, rulebook.coverage(), tuple(map(_shown, found)))


@get("/compare", operation_id="rules-compare", sync_to_thread=False)
def compare(one: Ruleset = RULESETS[0], other: Ruleset = RULESETS[2]) -> list[MatterCompared]:
    """Two documents, matter by matter."""
    for name in (one, other):
        check_ruleset(name)
    return [
        MatterCompared(
            matter.name,
            verdict,
            {name: matter.says[name] for name in (one, other) if name in matter.says},
            {name: matter.clauses.get(name, ()) for name in (one, other)},
        )
        for matter, verdict in rulebook.compare(one, other)
    ]


@get("/clauses/{clause:str}", operation_id="rules-clause", sync_to_thread=False)
def one_clause(clause: ClauseId) -> ClauseShown:
    """One clause by its id, such as `tas-2018:6.6`."""
    return _shown(clause_of(clause))


@get("/{ruleset:str}", operation_id="rules-document", sync_to_thread=False)
def document(ruleset: Document) -> list[ClauseShown]:
    """Every clause of a document, in its order."""
    check_ruleset(ruleset)
    return [_shown(clause) for clause in clauses_of(ruleset)]


@get("/{ruleset:str}/play", operation_id="rules-table-of-play", sync_to_thread=False)
def table_of_play(ruleset: Document) -> TableOfPlay:
    """The table of play as the document prints it: D draws, S stands."""
    check_ruleset(ruleset)
    return load_ruleset(ruleset).table_of_play


@get("/{ruleset:str}/sample", operation_id="rules-sample-notice", sync_to_thread=False)
def sample_notice(ruleset: Document) -> Notice:
    """A notice to start from when a table is opened under a rule set."""
    check_ruleset(ruleset)
    return sample(ruleset)


HANDLERS = (
    Router(
        "/api/rules",
        route_handlers=[rules, compare, one_clause, document, table_of_play, sample_notice],
        tags=["rules"],
    ),
)
