"""The rule browser: documents, clauses, tables of play, two documents side by side, coverage."""

from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter

from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.addresses import Short
from puntobanco.server.clauses import check_ruleset, clause_of, clauses_of
from puntobanco.server.visit import TheVisit

Word = Annotated[str, QueryParameter(name="q", max_length=80)]
Ruleset = Annotated[str, QueryParameter(max_length=20)]


@get("/rules", sync_to_thread=False, include_in_schema=False)
def documents(visit: TheVisit, word: Word = "") -> Response[str]:
    """The four documents, how much of each the software does, and a search over all."""
    found = list(rulebook.search(word)) if word.strip() else []
    context = {"found": found, "word": word, "documents": _documents()}
    return visit.show("pages/rules/index.html", **context, counted=rulebook.coverage())


def _documents() -> list[tuple[str, str, int]]:
    return [(name, load_ruleset(name).document.title, len(clauses_of(name))) for name in RULESETS]


@get("/rules/compare", sync_to_thread=False, include_in_schema=False)
def compare(
    visit: TheVisit, one: Ruleset = RULESETS[0], other: Ruleset = RULESETS[2]
) -> Response[str]:
    """Two documents, matter by matter."""
    for name in (one, other):
        check_ruleset(name)
    rows = list(rulebook.compare(one, other))
    context = {"one": one, "other": other, "rows": rows, "rulesets": RULESETS}
    return visit.show("pages/rules/compare.html", **context)


@get("/rules/play/{ruleset:str}", sync_to_thread=False, include_in_schema=False)
def table_of_play(visit: TheVisit, ruleset: Short) -> Response[str]:
    """The table of play, to be at hand at a table at all times."""
    check_ruleset(ruleset)
    play = load_ruleset(ruleset).table_of_play
    return visit.show("pages/rules/play.html", ruleset=ruleset, play=play)


@get("/rules/{what:str}", sync_to_thread=False, include_in_schema=False)
def browse(visit: TheVisit, what: Short) -> Response[str]:
    """A whole document, or one clause of it."""
    if what in RULESETS:
        document = load_ruleset(what).document
        sections: dict[str, list[rulebook.Clause]] = {}
        for clause in clauses_of(what):
            sections.setdefault(clause.section, []).append(clause)
        context = {"ruleset": what, "document": document, "sections": sections}
        return visit.show("pages/rules/document.html", **context)
    found = clause_of(what)
    tests = rulebook.tested().get(found.id, [])
    return visit.show("pages/rules/clause.html", clause=found, tests=tests)


HANDLERS = (documents, compare, table_of_play, browse)
