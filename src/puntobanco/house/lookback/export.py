"""One stream in one file that stands by itself, for a regulator to check with other means."""

from collections.abc import Iterable, Iterator

import msgspec

from puntobanco.errors import UnusableError
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row, damaged, facts_in
from puntobanco.rules.documents.texts import text_of

FORM = "puntobanco-export-1"


def export(log: EventLog, stream: str) -> Iterator[bytes]:
    """A head with the rule sets as they were played by, then a line for each row.

    Secrets that were not opened are not in it: the log holds their commitments alone.
    """
    check_stream(log, stream)
    head = log.head(stream)
    first = {
        "form": FORM,
        "stream": stream,
        "rows": head.seq,
        "head": head.hash.hex(),
        "rulesets": ruleset_texts(log, [stream]),
    }
    yield msgspec.json.encode(first) + b"\n"
    yield from stream_lines(log, stream, head.seq)


def ruleset_texts(log: EventLog, streams: Iterable[str]) -> dict[str, str]:
    """By digest, the texts of the rule sets that tables were opened and conditions published by."""
    rows = (row for stream in streams for row in log.read(stream))
    opened = {ruleset for row in rows for ruleset in _rulesets(row)}
    return {digest: _ruleset(log, name, digest) for name, digest in sorted(opened)}


def stream_lines(log: EventLog, stream: str, rows: int) -> Iterator[bytes]:
    """A line for each of so many rows."""
    for row in log.read(stream):
        if row.seq <= rows:
            try:
                yield msgspec.json.encode(_line(row)) + b"\n"
            except (UnicodeDecodeError, AttributeError) as error:  # a field is not of its kind
                raise damaged(row) from error


def check_stream(log: EventLog, stream: str) -> None:
    """Refuse a stream that is not there, and say which are."""
    if not log.head(stream).seq:
        known = ", ".join(log.streams()) or "none"
        raise UnusableError(f"there is no {stream[:80]!r} in this house; there is: {known}")


def _rulesets(row: Row) -> Iterator[tuple[str, str]]:
    """The rule sets by which a row opens a table or publishes conditions, each with its digest."""
    if b'"table-opened"' not in row.events and b'"conditions-published"' not in row.events:
        return
    try:
        for event in facts_in(row):
            if event["is"] == "table-opened":
                yield event["notice"]["ruleset"], event["opened"]["digest"]
            elif event["is"] == "conditions-published":
                yield f"of version {event['version']} of the conditions", event["digest"]
    except (KeyError, TypeError) as error:
        raise damaged(row) from error


def _ruleset(log: EventLog, name: str, digest: str) -> str:
    """The text it was played by: kept in the journal, or known to this program."""
    text = _kept(log, digest) or text_of(digest)
    if not text:
        raise UnusableError(
            f"the rule set {name} as it was then ({digest[:12]}…) is not in this journal,"
            " and this program does not know it; export with the program it was played with"
        )
    return text


def _kept(log: EventLog, digest: str) -> str:
    for row in log.read("register"):
        for event in facts_in(row):
            if event.get("is") == "ruleset-kept" and event.get("digest") == digest:
                return str(event.get("text", ""))
    return ""


def _line(row: Row) -> dict[str, object]:
    """A row as text; its events stay the very bytes that were hashed."""
    return {
        "stream": row.stream,
        "seq": row.seq,
        "at_ms": row.at_ms,
        "actor": row.actor,
        "command_id": row.command_id,
        "command_hash": row.command_hash.hex(),
        "clauses": row.clauses,
        "events": row.events.decode(),
        "previous": row.previous.hex(),
        "hash": row.hash.hex(),
    } | ({"command": row.command.decode()} if row.command else {})
