"""A competition, written down: a head with conditions and people, then a line for each thing done.

`docs/competition.md` has the notation.
"""

import re
import shlex
import tomllib
from datetime import datetime  # noqa: TID251  to read a date, not to ask for one
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.competition.commands import CompetitionCommand
from puntobanco.errors import MalformedError
from puntobanco.house.competitions.checking import unreadable
from puntobanco.rules.paper.notation import FENCE, CoupText, parse_coup, parse_wager
from puntobanco.rules.wagers import Wager
from puntobanco.table.actor import Role
from puntobanco.table.session import COMMANDS

MOST_LINES = 20_000
_DATE = re.compile(r"(\d{4}-\d\d-\d\d)?\s*([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
_SAID = re.compile(r"(?:([a-z0-9_.-]+)\s*>\s*)?([\w.-]+):\s*(.+)", re.ASCII)
_REMARKED = re.compile(r"""((?:"[^"]*"|'[^']*'|[^"'#])*)#.*""")
"""A line up to a # that stands in no quotes; what follows is a remark, whatever it has in it."""
_COUP = re.compile(r"([a-z0-9_.-]+)\s+coups?(?:\s+(\d{1,4}))?\s*:(.*)", re.ASCII)
_RESULT = re.compile(r"((player|banker|tie)( \d-\d)?|void)?", re.ASCII)
EVERYONE = "*"
EVERY_BOX = 0
"""The box of a wager that everyone makes who is there."""
IN_COMPETITION = frozenset(str(kind.__struct_config__.tag) for kind in get_args(CompetitionCommand))
LODGE = "lodge-form"
AT_TABLE = frozenset({*COMMANDS, "draw", LODGE})
"""A table's own commands, `draw` with a card for each word, and the form of a secret wager."""
Kind = Literal["time", "said", "coup", "check"]


class FormWritten(Brief, frozen=True):
    """The form of a secret wager in a script: `3 s 500|five hundred|b`."""

    box: int
    figures: str
    words: str
    on: str


class ScriptLine(Brief, frozen=True):
    """One line of a script."""

    number: int
    kind: Kind
    text: str
    """A date with a time, or what must be so."""
    who: str = ""
    table: str = ""
    asks: tuple[tuple[str, ...], ...] = ()
    """The commands of the line, each as words."""
    times: int = 1
    wagers: tuple[Wager | FormWritten, ...] = ()
    dealt: CoupText = CoupText(())
    """Cards, the marker and the indicator card as they came out, and what was found."""
    result: str = ""
    refused: bool = False


class Script(Brief, frozen=True):
    conditions: str
    """The file with the conditions."""
    people: dict[str, frozenset[Role]]
    lines: tuple[ScriptLine, ...]


def parse_script(text: str) -> Script:
    """Read a script; what cannot be read is named with its line."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FENCE or FENCE not in map(str.strip, lines[1:]):
        raise MalformedError(f"a script begins with {FENCE}, its head in TOML, and {FENCE}")
    if len(lines) > MOST_LINES:
        raise MalformedError(f"a script has at most {MOST_LINES} lines")
    end = next(i for i, line in enumerate(lines[1:], 1) if line.strip() == FENCE)
    try:
        head = tomllib.loads("\n".join(lines[1:end]))
        people = msgspec.convert(head.get("people", {}), dict[str, frozenset[Role]])
        conditions = msgspec.convert(head.get("conditions"), str)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"the head of the script: {error}") from error
    read = [
        _line(number, stripped)
        for number, line in enumerate(lines[end + 1 :], end + 2)
        if (stripped := line.strip()) and not stripped.startswith("#")
    ]
    for line in read:
        if line.who and line.who != "all" and line.who not in people:
            raise MalformedError(f"line {line.number}: {line.who} is not among the people")
        if line.kind == "check" and (fault := unreadable(line.text, people)):
            raise MalformedError(f"line {line.number}: {fault}")
    return Script(conditions, people, tuple(read))


def _line(number: int, text: str) -> ScriptLine:
    remarked = _REMARKED.fullmatch(text)
    text = remarked[1] if remarked else text
    refused = text.startswith("!")
    text = text.removeprefix("!").strip()
    if refused and text.startswith("="):
        raise MalformedError(f"line {number}: a command is written as refused, not what must be so")
    if text.startswith("="):
        return ScriptLine(number, "check", " ".join(_split(number, text[1:])))
    if _DATE.fullmatch(text):
        return _time(number, text)
    if coup := _COUP.fullmatch(text):
        return _coup(number, coup, refused=refused)
    said = _SAID.fullmatch(text)
    if said is None:
        raise MalformedError(f"line {number}: write who: command, not {text[:40]!r}")
    table, who, rest = said.groups()
    asks = tuple(_split(number, part) for part in _commas(rest))
    if not all(asks):
        raise MalformedError(f"line {number}: {who} does what?")
    known = AT_TABLE if table else IN_COMPETITION
    for words in asks:
        if words[0] not in known:
            where = "at a table" if table else "in a competition"
            raise MalformedError(f"line {number}: there is no command {words[0]!r} {where}")
    return ScriptLine(number, "said", text, who, table or "", asks, refused=refused)


def _time(number: int, text: str) -> ScriptLine:
    date = text.rpartition(" ")[0].strip()
    try:
        datetime.fromisoformat(date or "2026-01-01")
    except ValueError as error:
        raise MalformedError(f"line {number}: {date} is no date: {error}") from error
    return ScriptLine(number, "time", text)


def _coup(number: int, found: re.Match[str], *, refused: bool) -> ScriptLine:
    """A coup as in the notation, findings too; its result may be written without the points."""
    table, times, rest = found.groups()
    wagers, colon, dealt = rest.partition(":")
    if not colon:
        raise MalformedError(f"line {number}: a coup is wagers : cards, and = its result if wished")
    if times and not int(times):
        raise MalformedError(f"line {number}: no coup is played")
    cards, *findings = dealt.split("!")
    cards, _, result = cards.partition("=")
    if not _RESULT.fullmatch(result.strip()):
        raise MalformedError(f"line {number}: {result.strip()[:40]!r} is no result of a coup")
    try:
        laid = tuple(written_wager(part) for part in map(str.strip, wagers.split(",")) if part)
        came_out = parse_coup(" ! ".join((cards, *findings)))
    except MalformedError as error:
        raise MalformedError(f"line {number}: {error}") from error
    return ScriptLine(
        number,
        "coup",
        "",
        table=table,
        times=int(times or 1),
        wagers=laid,
        dealt=came_out,
        result=result.strip(),
        refused=refused,
    )


def written_wager(text: str) -> Wager | FormWritten:
    """`2 b 300`, `* p 100` for everyone who is there, or the form of a secret wager.

    >>> written_wager("* s 500|five hundred|b").box
    0
    """
    seat, _, rest = text.partition(" ")
    everyone = seat == EVERYONE
    if not rest.startswith("s "):
        read = parse_wager(f"1 {rest}" if everyone else text)
        return replace(read, box=EVERY_BOX) if everyone else read
    parts = [part.strip() for part in rest[2:].split("|")]
    if len(parts) != 3 or not (everyone or seat.isdecimal()):
        raise MalformedError("a secret wager is written: seat s figures|words|type")
    return FormWritten(EVERY_BOX if everyone else int(seat), *parts)


def _commas(text: str) -> list[str]:
    """Commands of one line are parted by commas; those within quotes part nothing."""
    return re.split(r""",\s+(?=(?:[^"]*"[^"]*")*[^"]*$)""", text)


def _split(number: int, text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text, comments=True))
    except ValueError as error:
        raise MalformedError(f"line {number}: {error}") from error


def written_facts(words: tuple[str, ...], fields: tuple[str, ...]) -> dict[str, Any]:
    """The facts of a command: by name, or in the order of its fields."""
    facts: dict[str, Any] = {}
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if equals and name in fields:
            facts[name] = value
            continue
        if index >= len(fields):
            raise MalformedError(f"there is no place for {word!r}")
        facts[fields[index]] = word
    return facts
