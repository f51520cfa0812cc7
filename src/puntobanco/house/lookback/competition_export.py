"""A whole competition in one file: its own rows, those of its tables, and the cage's with its pot.

Every stream is in it from its first row to its last, for only a whole chain proves that nothing
was left out. The cage has no shorter proof: a row that is not shown could be any row.
"""

from collections.abc import Iterator

import msgspec

from puntobanco.house.house import CAGE
from puntobanco.house.lookback.export import check_stream, ruleset_texts, stream_lines
from puntobanco.house.stream import COMPETITION
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in

FORM = "puntobanco-export-2"
"""Names an export of several streams; permanent, as exports are."""


def export_competition(log: EventLog, competition: str) -> Iterator[bytes]:
    """A head with the streams and the rule sets, then the rows of one stream after another: its
    tables, the cage, and last the competition, which speaks of all of them.

    Forms of secret wagers are in it as far as they have been told; of the others the log holds
    the commitments alone.
    """
    name = COMPETITION + competition
    with log.frozen():
        check_stream(log, name)
        streams = [*tables_of(log, competition), CAGE, name]
        heads = {one: log.head(one) for one in streams}
        first = {
            "form": FORM,
            "stream": name,
            "streams": [
                {"stream": one, "rows": head.seq, "head": head.hash.hex()}
                for one, head in heads.items()
            ],
            "rulesets": ruleset_texts(log, streams),
        }
        yield msgspec.json.encode(first) + b"\n"
        for one, head in heads.items():
            yield from stream_lines(log, one, head.seq)


def tables_of(log: EventLog, competition: str) -> list[str]:
    """The tables that were opened for a competition, of those that it designated."""
    designated = {
        str(fact.get("table"))
        for row in log.read(COMPETITION + competition)
        for fact in facts_in(row)
        if fact.get("is") == "table-designated"
    }
    return [table for table in sorted(designated) if _opened_for(log, table, competition)]


def _opened_for(log: EventLog, table: str, competition: str) -> bool:
    return any(
        fact.get("is") == "table-opened"
        and (fact.get("conditions") or {}).get("competition") == competition
        for row in log.read(table)
        if b'"table-opened"' in row.events
        for fact in facts_in(row)
    )
