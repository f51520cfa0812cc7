"""Whole sessions at a table, one for each rule set: every command, event by event.

`pytest tests/table/test_sessions.py --update` writes the golden files anew; read the difference.
"""

from pathlib import Path

import msgspec
import pytest

from puntobanco.errors import MalformedError
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve_all
from puntobanco.table.sentences import hour, tell
from puntobanco.table.session import Played, parse_session, play_session
from puntobanco.words import EVENTS, one_line
from tests.kit.places import PLAYTHROUGHS, STORED
from tests.kit.table.at import balanced

SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))


def played(file: Path) -> list[Played]:
    return list(play_session(parse_session(file.read_text())))


def told(steps: list[Played]) -> str:
    """The session as a text to review: who asked what, and what came of it, with the clauses."""
    lines: list[str] = []
    last = None
    for step in steps:
        if step.said is not last:
            lines.append(f"{hour(step.said.by.at_ms)} {step.said.text}")
        last = step.said
        if step.refused:
            lines.append(f"    refused: {one_line(step.refused)}")
        lines += [f"    {tell(event)} [{', '.join(event.clauses)}]" for event in step.events]
    return "\n".join(lines) + "\n"


def test_every_rule_set_has_a_session() -> None:
    heads = [parse_session(file.read_text()).head for file in SESSIONS]
    assert {head["notice"]["ruleset"] for head in heads} == set(RULESETS)


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_a_session_goes_as_it_was_reviewed(file: Path, request: pytest.FixtureRequest) -> None:
    steps = played(file)
    golden = file.with_suffix(".session.txt")
    if request.config.getoption("--update"):
        golden.write_text(told(steps))
    assert told(steps) == golden.read_text(), "run: pytest tests/table/test_sessions.py --update"
    assert all(balanced(step.table) for step in steps)


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_the_events_of_a_session_are_the_reviewed_ones(
    file: Path, request: pytest.FixtureRequest
) -> None:
    """Event by event, field by field."""
    steps = played(file)
    events = [event for step in steps for event in step.events]
    stored = file.with_suffix(".events.jsonl")
    if request.config.getoption("--update"):
        stored.write_bytes(b"".join(msgspec.json.encode(event) + b"\n" for event in events))
    lines = stored.read_bytes().splitlines()
    assert [msgspec.json.encode(event) for event in events] == lines
    assert evolve_all(events) == steps[-1].table


@pytest.mark.parametrize("file", sorted(STORED.glob("*.jsonl")), ids=lambda file: file.stem)
def test_stored_events_decode_forever(file: Path) -> None:
    """What a journal may hold must be read for ever: files are added here, never changed."""
    table = None
    for line in file.read_bytes().splitlines():
        event = msgspec.json.decode(line, type=TableEvent)
        assert msgspec.json.decode(msgspec.json.encode(event), type=TableEvent) == event
        table = evolve_all([event], table)


@pytest.mark.parametrize("folder", [STORED, PLAYTHROUGHS], ids=lambda folder: folder.name)
def test_every_kind_of_event_is_among_them(folder: Path) -> None:
    lines = [line for file in folder.glob("*.jsonl") for line in file.read_bytes().splitlines()]
    assert {msgspec.json.decode(line)["is"] for line in lines} == set(EVENTS)


HEAD = '+++\n[people]\nann = ["patron"]\n+++\n'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("ann: sit 3", "begins with"),
        ("+++\npeople = 3\n+++\n", "the head of the session"),
        (HEAD + "bob: sit 3", "line 5: bob is not among the people"),
        (HEAD + "sit 3", "line 5: write who: command"),
        (HEAD + "ann: jump 3", "line 5: no command 'jump'"),
        (HEAD + "ann: sit x", "line 5: Expected `int`"),
        (HEAD + "ann: sit 3 ann more", "line 5: sit has no place for 'more'"),
        (HEAD + "ann: sit 99", "line 5: Expected `int` <= 14"),
        (HEAD + 'ann: sit "3', "line 5: No closing quotation"),
        (HEAD + "ann: buy-in x ann", "line 5: not an amount"),
        (HEAD + "ann: sit 3", "line 5: refused: “Seat a player” cannot be done"),
        (HEAD + "# nothing", "the session has no commands"),
        (HEAD + "ann: sit 3 seat.x=4", "line 5: seat has nothing within it"),
        (HEAD + "ann: draw", "line 5: draw what"),
        (HEAD + "ann: draw (5h)", "line 5: a card nobody has seen"),
        (HEAD + "! ann: raise-dispute why", "line 5: written as refused, but it is allowed"),
    ],
)
def test_a_session_that_cannot_be_played_says_where(text: str, fault: str) -> None:
    with pytest.raises(MalformedError, match=fault):
        list(play_session(parse_session(text)))
