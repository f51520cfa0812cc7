"""What a table decided, held against the stand-alone verifier."""

import json

import puntobanco_verifier as verifier
from puntobanco.table import commands as c
from tests.kit.forgery.export import Line, as_text, compact, exported_table, row_of
from tests.kit.table.at import At, balanced, rebuilt


def sound(at: At) -> bool:
    """Its log makes the same table again, its chips add up, and the verifier works out the same."""
    rows = [row_of(ask, by, new) for ask, by, new in at.given]
    rows[0] = opening_row(rows[0], at.given[0][0])
    verifier.verify(as_text(exported_table(rows)))  # type: ignore[no-untyped-call]
    return rebuilt(at) == at.table and balanced(at.table)


def opening_row(row: Line, ask: c.TableCommand) -> Line:
    """A table without a house is opened as the second edition opened it, for whatever game."""
    if not isinstance(ask, c.OpenTable) or ask.session is not None:
        return row
    return {**row, "command": compact({**json.loads(row["command"]), "edition": 2})}
