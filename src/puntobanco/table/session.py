"""A session at a table, written down: who said what, when; and playing it back.

A TOML head between two lines of `+++` has the people with their roles, the notice, and what is
put on record at the opening; then a line for each command. `docs/notation.md` has the details.
"""

import re
import shlex
import tomllib
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, get_args

import msgspec

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError, Refused
from puntobanco.rules.competition.secret import SecretForm, content
from puntobanco.rules.coup import Drawn
from puntobanco.rules.paper.notation import BETS, FENCE, parse_amount, parse_drawn, parse_wager
from puntobanco.rules.seal import commit
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.decide import run
from puntobanco.table.events import TableEvent
from puntobanco.table.queries.secrets import unopened
from puntobanco.table.state import Table

COMMANDS: dict[str, type[c.Command]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(c.TableCommand)
}
MOST_LINES = 20_000
PLAIN = {"none": None, "yes": True, "no": False}
WORDS = ("note", "about", "decision", "person", "kind", "set_id", "gaming_day", "shoe")
"""Facts that are words, even if they look like numbers."""
DAY_MS = 86_400_000
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_SAID = re.compile(r"(!\s*)?([\w.-]+):\s*([a-z-]+)(.*)", re.ASCII)


class Said(Brief, frozen=True):
    """One command as it was written down."""

    line: int
    text: str
    by: Actor
    command: str
    words: tuple[str, ...]
    refused: bool = False
    """The writer says it is refused."""


class Session(Brief, frozen=True):
    head: dict[str, Any]
    said: tuple[Said, ...]


class Played(Brief, frozen=True):
    """One command played: what came of it, and the table afterwards."""

    said: Said
    ask: c.TableCommand
    events: tuple[TableEvent, ...]
    refused: Refused | None
    table: Table


def parse_session(text: str) -> Session:
    """Read a session.

    >>> import puntobanco as pb
    >>> pb.parse_session("ann: sit 3")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: a session begins with +++, its head in TOML, and +++
    """
    lines = text.splitlines()
    if not lines or lines[0].strip() != FENCE or FENCE not in map(str.strip, lines[1:]):
        raise MalformedError(f"a session begins with {FENCE}, its head in TOML, and {FENCE}")
    if len(lines) > MOST_LINES:
        raise MalformedError(f"a session has at most {MOST_LINES} lines")
    end = next(i for i, line in enumerate(lines[1:], 1) if line.strip() == FENCE)
    try:
        head = tomllib.loads("\n".join(lines[1:end]))
        msgspec.convert(head, dict[str, dict[str, Any]])
        roles = msgspec.convert(head.get("people", {}), dict[str, frozenset[Role]])
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"the head of the session: {error}") from error
    said = tuple(_said(lines, end + 1, roles))
    if not said:
        raise MalformedError("the session has no commands")
    return Session(head, said)


def _said(lines: list[str], first: int, roles: dict[str, frozenset[Role]]) -> Iterator[Said]:
    at_ms = 0
    for number, line in enumerate(lines[first:], first + 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if time := _TIME.fullmatch(text.partition("#")[0].strip()):
            at_ms = _next(_of_day(time), at_ms)
            continue
        said = _SAID.fullmatch(text)
        if said is None:
            raise MalformedError(f"line {number}: write who: command, not {text[:40]!r}")
        refused, who, command, words = said.groups()
        if who not in roles:
            raise MalformedError(f"line {number}: {who} is not among the people of the head")
        at_ms += 1000
        by = Actor(who, roles[who], at_ms)
        yield Said(number, text, by, command, _split(number, words), bool(refused))


def _of_day(time: re.Match[str]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in time.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def _next(of_day_ms: int, now_ms: int) -> int:
    """The next moment at this time of day: a session may run past midnight."""
    days = max(0, -(-(now_ms - of_day_ms) // DAY_MS))
    return of_day_ms + days * DAY_MS


def _split(number: int, words: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(words, comments=True))
    except ValueError as error:
        raise MalformedError(f"line {number}: {error}") from error


def play_session(session: Session) -> Iterator[Played]:
    r"""Play every command in turn; what is refused must have been written as refused.

    >>> import puntobanco as pb
    >>> text = '+++\n[people]\nann = ["patron"]\n+++\n! ann: sit 3'
    >>> for played in pb.play_session(pb.parse_session(text)):
    ...     print(played.refused)
    “Seat a player” cannot be done while the table is shut [conditions]. It can be done ...
    """
    table = Table()
    for said in session.said:
        for ask in commands_of(session, said, table):
            events: list[TableEvent] = []
            refused = None
            try:
                table, events = run(table, ask, said.by)
            except Refused as error:
                refused = error
            if said.refused and refused is None:
                raise MalformedError(f"line {said.line}: written as refused, but it is allowed")
            if refused is not None and not said.refused:
                raise MalformedError(f"line {said.line}: refused: {refused}")
            yield Played(said, ask, tuple(events), refused, table)


def commands_of(session: Session, said: Said, table: Table) -> Iterator[c.TableCommand]:
    """The commands of one line: `draw` has a card for each word."""
    try:
        if said.command == "draw":
            for drawn in _drawn(said):
                yield c.DrawCard(drawn.card, drawn.laid)
        else:
            yield _command(session, said, table)
    except (MalformedError, ValueError) as error:
        what = re.sub(r" - at `\$\.?(.*?)`", r" (\1)", str(error))
        raise MalformedError(f"line {said.line}: {what}") from error


def _drawn(said: Said) -> tuple[Drawn, ...]:
    if not said.words:
        raise MalformedError("draw what? Name a card for each, or ?? for one face down")
    drawn = parse_drawn(" ".join(said.words))
    if any(card_drawn.unseen for card_drawn in drawn):
        raise MalformedError("a card nobody has seen is drawn as ??, and named when it is turned")
    return drawn


def _command(session: Session, said: Said, table: Table) -> c.TableCommand:
    kind = COMMANDS.get(said.command)
    if kind is None:
        raise MalformedError(f"no command {said.command!r}")
    facts: dict[str, Any] = {"do": said.command}
    fields = list(kind.__struct_fields__)
    if kind is c.OpenTable:
        facts |= {"notice": session.head.get("notice", {}), **session.head.get("open", {})}
    if kind is c.PostChange and table.notice is not None:
        facts["notice"] = msgspec.to_builtins(table.notice)
        fields.remove("notice")
    for index, word in enumerate(said.words):
        name, equals, value = word.partition("=")
        if not equals or not re.fullmatch(r"[a-z_][a-z0-9_.]*", name):
            if index >= len(fields):
                raise MalformedError(f"{said.command} has no place for {word!r}")
            name, value = fields[index], word
        if kind is c.CorrectCoup and name == "cards":
            facts[name] = msgspec.to_builtins(parse_drawn(value.replace(",", " ")))
        else:
            _put(facts, name, _value(name.rpartition(".")[2], value, said.by.at_ms))
    if kind is c.LodgeSecret and "|" in str(facts.get("commitment", "")):
        facts["commitment"] = written_form(said)[0]
    if kind in (c.DeclareResult, c.AnnounceSecrets) and table.coup and table.coup.forms:
        forms = dict(map(written_form, _lodged(session)))
        lie = unopened(table).values()
        facts["forms"] = [forms[form.commitment] for form in lie if form.commitment in forms]
    ask: c.TableCommand = msgspec.convert(facts, c.TableCommand, strict=False, from_attributes=True)
    return ask


def _lodged(session: Session) -> Iterator[Said]:
    """The lines that hand in a form as it is written: `lodge-secret "500|five hundred|b" ann`."""
    return (
        said
        for said in session.said
        if said.command == "lodge-secret" and said.words and "|" in said.words[0]
    )


def written_form(said: Said) -> tuple[str, c.OpenedForm]:
    """A form of a session under a salt of its own line: the commitment, and the form opened."""
    figures, words, on = [*said.words[0].split("|"), "", ""][:3]
    salt = sha256(f"{said.line} {said.text}".encode())
    text = content(SecretForm(figures, words, on))
    person = said.words[1] if len(said.words) > 1 else said.by.person
    opened = c.OpenedForm(person, salt.hexdigest(), text.decode())
    return commit(salt.digest(), text), opened


def wager_of(text: str) -> c.PlaceWager:
    """A wager the dealer finds on the layout, in the notation of shoes: `3 b 500`.

    A live table knows by itself what is late or withdrawn, and a person by their id alone.

    >>> wager_of("3 b 500 late 40")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: a wager at a live table is box, bet and amount: ...
    """
    wager = parse_wager(text)
    unknown = wager.by.startswith(f"{wager.box}+")  # a player by number, as shoes have them
    if wager.late_cents or wager.withdrawn or wager.reduced or unknown:
        raise MalformedError(
            "a wager at a live table is box, bet and amount: '3 b 500', or '3@ann b 500' for a"
            " person by id; lateness, withdrawals and reductions the table works out itself"
        )
    return c.PlaceWager(wager.box, wager.on, wager.cents, wager.by)


def _put(facts: dict[str, Any], name: str, value: object) -> None:
    """Set a fact, or one within another."""
    *path, last = name.split(".")
    within: Any = facts
    for part in path:
        if within.get(part) is None:
            within[part] = {}
        within = within[part]
        if not isinstance(within, dict):
            raise MalformedError(f"{part} has nothing within it")
    within[last] = value


def _value(name: str, value: str, now_ms: int) -> object:
    """Amounts are in dollars, times of day in hours and minutes, cards in a list."""
    if value in PLAIN and name not in WORDS:
        return PLAIN[value]
    if name == "cents" or name.endswith("_cents"):
        return -parse_amount(value[1:]) if value.startswith("-") else parse_amount(value)
    if name.endswith("_ms") and (time := _TIME.fullmatch(value)):
        return _of_day(time) + now_ms // DAY_MS * DAY_MS
    if name in ("cards", "missing", "surplus", "order", "people", "reasons"):
        return value.replace(",", " ").split()
    if name == "on":
        return BETS.get(value, value)
    return value
