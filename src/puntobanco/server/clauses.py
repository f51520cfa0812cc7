"""Documents and clauses as pages and API look them up."""

from collections.abc import Iterable

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS


def check_ruleset(name: str) -> None:
    """Refuse a document that there is not."""
    if name not in RULESETS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)


def clauses_of(ruleset: str) -> list[rulebook.Clause]:
    """Every clause of a document, in its order."""
    return [clause for clause in rulebook.load_clauses().values() if clause.document == ruleset]


def clause_of(clause_id: str) -> rulebook.Clause:
    """One clause, refused where there is none of this id."""
    try:
        return rulebook.find_clause(clause_id)
    except MalformedError as error:
        raise Refused(Reason.NOT_FOUND, CONDITIONS) from error


def paraphrased(clauses: Iterable[str]) -> dict[str, str]:
    """Each clause in our own words, once; what the house's conditions say stands in no document."""
    texts = rulebook.load_clauses()
    return {clause: texts[clause].paraphrase for clause in clauses if clause in texts}
