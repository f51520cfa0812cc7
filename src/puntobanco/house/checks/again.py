"""Rows decided again, from the state before, the command that is kept, and the register.

A row that keeps its command must be, to the byte, the one that deciding the command brings about.
Chance and sealed values, which cannot be repeated, are recorded in the command itself.
"""

from bisect import bisect_right
from collections.abc import Iterable
from functools import reduce
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.cage import authority as cage_authority
from puntobanco.cage import commands as cage
from puntobanco.competition import commands as competition
from puntobanco.competition.state import Competition
from puntobanco.editions import CHANGES, EDITION, Change, change_of
from puntobanco.errors import Refused
from puntobanco.house.giving.draws import ruleset_of
from puntobanco.house.intents import RESOLVE, AtTable, KnownToHouse, giver_of, resolved
from puntobanco.house.serving import Begun, check_served, taking_effect
from puntobanco.house.stream import COMPETITION, TABLE, Aggregate, encoded
from puntobanco.house.trust.limits import check_may_wager, check_own_limits, limited
from puntobanco.house.virtual_shoe import Order
from puntobanco.journal.envelope import Envelope
from puntobanco.journal.envelope import decode as decode_envelope
from puntobanco.journal.envelope import encode as encode_envelope
from puntobanco.journal.rows import Row
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register import authority as register_authority
from puntobanco.register import events as register_events
from puntobanco.register.commands import RegisterCommand
from puntobanco.register.settings import Settings
from puntobanco.register.state import Hired, Member, Register
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.texts import remember
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import Giver
from puntobanco.table.commands import Approve
from puntobanco.table.events import TableOpened
from puntobanco.table.state import Table

State = TypeVar("State")
Held = TypeVar("Held")
Thresholds = list[tuple[int, int]]
"""Pairs of row numbers: rows of a stream after the first were written when the register had at
least the second."""
HALVES = tuple(
    kind
    for authority in (cage_authority.AUTHORITY, register_authority.AUTHORITY)
    for kind, allowed in authority.items()
    if Giver.HALF in allowed.given_by
)
"""Commands of cage and register that are the second half of one to a table or competition."""
OF_SETTINGS = (
    register_events.ChipsSet,
    register_events.FounderNamed,
    register_events.TwoPeopleSet,
)
"""What changes settings by which commands elsewhere are decided."""
OF_HIRING = (register_events.PersonEnrolled, register_events.FounderNamed)
_decode_asked = msgspec.json.Decoder(AtTable).decode
_decode_asked_of_register = msgspec.json.Decoder(RegisterCommand).decode
_decode_asked_of_cage = msgspec.json.Decoder(cage.CageCommand).decode
_decode_asked_of_competition = msgspec.json.Decoder(competition.CompetitionCommand).decode


class ForgedError(Exception):
    """A row that cannot be the one that was written; the message says why."""


class History:
    """The roles that every person had at every row of the register."""

    def __init__(self) -> None:
        self._members: dict[str, list[tuple[int, Member]]] = {}
        self.texts: dict[str, str] = {}
        """The rule-set texts that the register keeps, by digest."""
        self.settings = Settings()
        """The settings of the house, as they are in the end."""
        self._settings: list[tuple[int, Settings]] = []
        self._hired: list[tuple[int, dict[str, Hired]]] = []
        self.end = 0
        self._at: tuple[int, Register] = (0, Register())

    def add(
        self, row: Row, events: Iterable[register_events.RegisterEvent], after: Register
    ) -> None:
        self.end = row.seq
        self.settings = after.settings
        for event in events:
            if isinstance(event, register_events.RulesetKept):
                self.texts[event.digest] = event.text
                remember(event.text)
            elif isinstance(event, register_events.GuestsSet):
                guests = [who for who, one in after.people.items() if one.kind == "guest"]
                self._add(row, guests, after)
            elif isinstance(event, register_events.OfPerson):
                self._add(row, [event.person], after)
            if isinstance(event, OF_SETTINGS):
                self._settings.append((row.seq, after.settings))
            if isinstance(event, OF_HIRING):
                self._hired.append((row.seq, after.hired))

    def _add(self, row: Row, people: Iterable[str], after: Register) -> None:
        for person in people:
            self._members.setdefault(person, []).append((row.seq, after.people[person]))

    def keeps(self, opened: TableOpened) -> bool:
        """Say whether the register keeps the text that a table was opened by."""
        return opened.opened.digest in self.texts

    def at(self, seq: int) -> Register:
        """The people and the house's chips as they were after a row; the last is remembered, for
        rows share it.
        """
        if self._at[0] != seq or not seq:
            people = {
                person: changes[index - 1][1]
                for person, changes in self._members.items()
                if (index := bisect_right(changes, seq, key=lambda change: change[0]))
            }
            settings = _last(self._settings, seq, Settings())
            hired = _last(self._hired, seq, {})
            self._at = seq, Register(people, settings=settings, hired=hired)
        return self._at[1]


def _last(changes: list[tuple[int, Held]], seq: int, first: Held) -> Held:
    """What held after a row of the register."""
    index = bisect_right(changes, seq, key=lambda change: change[0])
    return changes[index - 1][1] if index else first


class Counts(Struct):
    """The numbers of rows of a stream, by how they were checked."""

    decided: int = 0
    without: int = 0
    """Rows of older programs, which kept no command."""
    otherwise: int = 0
    """Rows of an earlier edition that are decided differently now, by a change that is named."""
    taken: int = 0
    """Rows up to a root from which on rows were to be decided: taken as they are stored."""


class Went(NamedTuple):
    """A row that was checked and applied."""

    events: list[Any]
    command: Any = None
    envelope: Envelope | None = None
    decided: bool = True
    """False: its events were taken as stored, and still need the checks of older rows."""


class Again(Generic[State]):
    """One stream decided again, row by row."""

    def __init__(
        self,
        stream: str,
        aggregate: Aggregate[State],
        history: History,
        thresholds: Thresholds,
        changes: tuple[Change, ...] = CHANGES,
        after: int = 0,
    ) -> None:
        self.stream = stream
        self._after = after
        """The row after which rows are decided; those up to it are taken as they are stored."""
        self.state = aggregate.empty
        self.counts = Counts()
        self._aggregate = aggregate
        self._history = history
        self._thresholds = thresholds
        self._changes = changes
        self._decode = msgspec.json.Decoder(list[aggregate.event]).decode  # type: ignore[name-defined]
        self._decode_command = msgspec.json.Decoder(aggregate.command).decode
        self._register = self._edition = 0
        """The largest register row and edition so far: neither may fall from row to row."""

    def row(self, row: Row) -> Went:
        """Check a row, and apply it."""
        if row.command is None:
            if self._edition:
                raise ForgedError("keeps no command, though rows before it do")
            if row.seq <= self._after:
                self.counts.taken += 1
                return Went(self._stored(row))
            self.counts.without += 1
            return Went(self._stored(row), decided=False)
        envelope = _envelope(row.command)
        self._check_order(row, envelope)
        command = self._command(envelope)
        if row.seq <= self._after:
            self.counts.taken += 1
            return Went(self._stored(row), command, envelope)
        by = self._actor(row, envelope)
        events = self._decided(row, envelope, command, by)
        if events is None:
            self.counts.otherwise += 1
            return Went(self._stored(row), command, envelope, decided=False)
        self.state = reduce(self._aggregate.evolve, events, self.state)
        self.counts.decided += 1
        return Went(events, command, envelope)

    def _stored(self, row: Row) -> list[Any]:
        """Apply the events of a row as they are stored."""
        events = self._decode(row.events)
        self.state = reduce(self._aggregate.evolve, events, self.state)
        return events

    def _check_order(self, row: Row, envelope: Envelope) -> None:
        if envelope.edition > EDITION:
            raise ForgedError(
                f"was written by a newer program (edition {envelope.edition}, this one knows"
                f" {EDITION}); verify it with that"
            )
        if envelope.edition < max(1, self._edition):
            raise ForgedError(f"is of edition {envelope.edition}, after one of {self._edition}")
        least = self._register
        while self._thresholds and self._thresholds[0][0] < row.seq:
            least = max(least, self._thresholds.pop(0)[1])
        known = envelope.by.register
        if known < least or known > self._history.end:
            raise ForgedError(
                f"looked roles up by row {known} of the register, which then was at"
                f" {least} or later and is at {self._history.end} now"
            )
        if row.stream == REGISTER and known != row.seq - 1:
            raise ForgedError(f"looked roles up by row {known} of its own stream")
        self._register, self._edition = known, envelope.edition

    def _command(self, envelope: Envelope) -> Any:
        try:
            command = self._decode_command(envelope.command)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ForgedError(f"has a command that cannot be read: {error}") from error
        if encoded(command) != bytes(envelope.command):
            raise ForgedError("has a command that is not written as commands are")
        if bool(envelope.by.at) != isinstance(command, HALVES):
            raise ForgedError("has a command that is not given here by itself")
        return command

    def _actor(self, row: Row, envelope: Envelope) -> Actor:
        """The person who gave the command, in the roles that the register had for them."""
        own = row.stream if row.stream.startswith((TABLE, COMPETITION)) else ""
        place = envelope.by.at or own
        people = self._history.at(envelope.by.register).people
        member = people.get(row.actor)
        roles: frozenset[Role] = frozenset()
        if row.actor == HOUSE:
            roles = frozenset({Role.HOUSE})
        elif member is not None:
            if not member.enabled:
                raise ForgedError(f"was given by {row.actor}, who had been disabled")
            roles = member.roles_at(place)
        elif people or row.stream != REGISTER:  # only a founder is not enrolled yet
            raise ForgedError(f"was given by {row.actor}, whom nobody had enrolled")
        if envelope.by.roles != tuple(sorted(roles)):
            had = ", ".join(sorted(roles)) or "none"
            raise ForgedError(f"names other roles of {row.actor} than the register had: {had}")
        one_with = self._history.at(envelope.by.register).one_with(row.actor, row.at_ms)
        return Actor(row.actor, roles, row.at_ms, one_with)

    def _decided(self, row: Row, envelope: Envelope, command: Any, by: Actor) -> list[Any] | None:
        """Decide the command again, and return its events; None if a later edition differs."""
        try:
            self._check_asked(envelope, command, by)
            events = self._aggregate.decide(self.state, command, by)
            wrong = _difference(row, events)
        except Refused as refused:
            events, wrong = [], f"was accepted, and the rules refuse it: {refused.reason}"
        except AssertionError:
            events, wrong = [], "cannot have happened as things were"
        if not wrong:
            return events
        tag = str(self._taking_effect(command).__struct_config__.tag)
        if envelope.edition < EDITION and change_of(tag, envelope.edition, self._changes):
            return None
        raise ForgedError(wrong)

    def _taking_effect(self, command: Any) -> Any:
        """The command that takes effect: an approval decides what was proposed."""
        if isinstance(command, Approve):
            proposal = self.state.proposals.get(command.proposal)  # type: ignore[attr-defined]
            return proposal.ask if proposal is not None else command
        return command

    def _check_asked(self, envelope: Envelope, command: Any, by: Actor) -> None:
        """Complete what was asked again: it must name known people and give the kept command."""
        if envelope.by.asker == by.person:
            raise ForgedError("names who gave it as who asked for it, too")
        if envelope.by.at:  # the second half of a command: the first keeps what was asked
            if envelope.seen or envelope.played or bytes(envelope.asked):
                raise ForgedError("is half of a command, and says more than half of one does")
            return
        people = self._history.at(envelope.by.register)
        asked = self._asked(envelope, command)
        tables = {name: Begun(seq) for name, seq in envelope.seen.items()} if envelope.seen else {}
        if check_served(taking_effect(self.state, asked), people, tables, by) != envelope.seen:
            raise ForgedError("says it has looked at other streams than it needed")
        table = self.state if isinstance(self.state, Table) else Table()
        asker = envelope.by.asker or by.person
        if giver_of(asked, asker, table, people) != by.person:
            raise ForgedError(f"was given by {by.person}, but asked by {asker}")
        comes_to = asked
        if type(asked) in RESOLVE:
            known = _known(table, command, by, asker)
            ruleset = ruleset_of(self.state) if isinstance(self.state, Competition) else ""
            facts = {"stream": self.stream, "ruleset": ruleset}
            limit = _limit(people.settings, command, by.at_ms)
            comes_to = resolved(asked, replace(known, limit=limit, **facts))
        if comes_to != command:
            raise ForgedError("has another command than what was asked comes to")
        self._check_own_limits(envelope, command, by, people)

    def _check_own_limits(
        self, envelope: Envelope, command: Any, by: Actor, people: Register
    ) -> None:
        """Whoever has limits of their own was within them, by what was counted then; and nobody
        wagered who was shut out.
        """
        table = self.state if isinstance(self.state, Table) else Table()
        check_may_wager(command, table, by, people)
        person = limited(command, table, by, people)
        played = envelope.played
        if bool(person) != (played is not None):
            raise ForgedError("is held against limits that nobody has, or against none")
        if played is None:
            return
        if not people.settings.is_somewhere(played.day, by.at_ms):
            raise ForgedError("counts for a gaming day that it was nowhere")
        check_own_limits(command, table, person, people, played)

    def _asked(self, envelope: Envelope, command: Any) -> Any:
        if not bytes(envelope.asked):
            return command
        decode = _decode_asked_of_cage if isinstance(command, cage.ToCage) else _decode_asked
        if self.stream == REGISTER:
            decode = _decode_asked_of_register
        if self.stream.startswith(COMPETITION):
            decode = _decode_asked_of_competition
        try:
            asked = decode(envelope.asked)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ForgedError(f"was asked for what cannot be read: {error}") from error
        if encoded(asked) != bytes(envelope.asked) or bytes(envelope.asked) == bytes(
            envelope.command
        ):
            raise ForgedError("was asked for what is not written as commands are")
        return asked


def _envelope(stored: bytes) -> Envelope:
    try:
        envelope = decode_envelope(stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ForgedError(f"keeps a command that cannot be read: {error}") from error
    if encode_envelope(envelope) != stored:
        raise ForgedError("keeps a command that is not written as commands are")
    return envelope


def _known(table: Table, command: Any, by: Actor, asker: str) -> KnownToHouse:
    """The facts by which the house completed the command, read back from the command itself."""

    def card_at(_place: int) -> Card:
        named = getattr(command, "card", None) or getattr(command, "exposed", None)
        if named is None:
            raise ForgedError("names no card, though one was due")
        return Card(named)

    return KnownToHouse(
        table,
        by,
        asker,
        card_at,
        lambda: Order(getattr(command, "order", ()), getattr(command, "salt", "")),
        getattr(command, "commitment", ""),
        lambda _: getattr(command, "older", None),
        lambda _: getattr(command, "digest", ""),
        getattr(command, "bank_cents", 0),
        seed=lambda: getattr(command, "seed", ""),
        standing=lambda _: getattr(command, "standing", None),
        forms=lambda: getattr(command, "forms", ()),
        salt=getattr(command, "salt", ""),
        clocks=lambda _: getattr(command, "offsets", ()),
    )


def _limit(settings: Settings, command: Any, at_ms: int) -> tuple[int, str] | None:
    """The most that one person pays in or out, and the gaming day that the command names, if it
    was that day anywhere.
    """
    most = settings.two_people.limit_cents
    if most is None or not isinstance(command, cage.ByTwo):
        return None
    if not settings.is_somewhere(str(command.day), at_ms):
        raise ForgedError("counts for a gaming day that it was nowhere")
    return most, str(command.day)


def _difference(row: Row, events: list[Any]) -> str:
    """Say how a row differs from what the rules give; empty if it does not."""
    if encoded(events) == row.events:
        cited = dict.fromkeys(
            clause for event in events for clause in getattr(event, "clauses", ())
        )
        return "" if " ".join(cited) == row.clauses else "cites other clauses than its events"
    try:
        stored = [msgspec.json.encode(event) for event in msgspec.json.decode(row.events)]
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        return "has events that cannot be read"
    due = [encoded(event) for event in events]
    for want, have in zip(due, stored, strict=False):
        if want != have:
            return f"has {have.decode()[:400]}; the rules give {want.decode()[:400]}"
    return f"has {len(stored)} events where the rules give {len(due)}"
