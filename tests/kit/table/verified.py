"""What a table decided, held against the stand-alone verifier."""

import puntobanco_verifier as verifier
from tests.kit.forgery.export import as_text, exported_table, row_of
from tests.kit.table.at import At, balanced, rebuilt


def sound(at: At) -> bool:
    """Its log makes the same table again, its chips add up, and the verifier works out the same."""
    rows = [row_of(ask, by, new) for ask, by, new in at.given]
    verifier.verify(as_text(exported_table(rows)))  # type: ignore[no-untyped-call]
    return rebuilt(at) == at.table and balanced(at.table)
