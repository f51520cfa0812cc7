"""Which clauses a refusal may cite: `tests/data/refusals.toml`, written from the documents."""

import tomllib
from functools import cache

from puntobanco.reasons import Reason
from puntobanco.rules.documents.ruleset import CONDITIONS
from tests.kit.clauses import twin
from tests.kit.places import DATA

WRITTEN: dict[str, dict[str, list[str]]] = tomllib.loads((DATA / "refusals.toml").read_text())
NEW = ("15", "14.6")
"""What the edition of 2013 does not have."""
NAMES = {"tas-2018": "tas", "act-2015": "act", "mbs-2017": "mbs"}


@cache
def about(reason: Reason, document: str) -> frozenset[str]:
    """The clauses of a document that are about the matter of a refusal."""
    entry = WRITTEN.get(reason.value, {})
    if document == "tas-2013" and document not in entry:
        kept = [number for number in entry.get("tas", ["-"]) if not number.startswith(NEW)]
        return frozenset(CONDITIONS if one == "-" else twin(document, one) for one in kept)
    numbers = entry.get(NAMES.get(document, document), ["-"])
    return frozenset(CONDITIONS if number == "-" else f"{document}:{number}" for number in numbers)
