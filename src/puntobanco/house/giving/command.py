"""One command on its way to its streams: prepared, completed by the house, and with its half."""

import asyncio
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.competition import commands as competition
from puntobanco.competition import decide as competition_decide
from puntobanco.competition.authority import check_entitled
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.photos import put_photo
from puntobanco.house.checks.generator import check_generator
from puntobanco.house.giving.draws import open_seed, ruleset_of, seal_seed
from puntobanco.house.giving.forms import form_in, forms_to_tell, seal_form, unseal_form
from puntobanco.house.giving.halves import MOVING, pot_half
from puntobanco.house.giving.orders import open_order
from puntobanco.house.intents import (
    RESOLVE,
    AboutEarlier,
    BuyChips,
    CashChips,
    KnownToHouse,
    LodgeForm,
    NoteIncident,
    ShuffleHouse,
    coup_meant,
    giver_of,
    kept_photo,
    resolved,
)
from puntobanco.house.lookback.games import find_past_record
from puntobanco.house.serving import check_served, taking_effect
from puntobanco.house.stream import (
    COMPETITION,
    TABLE,
    TABLE_NAME,
    Attempt,
    Given,
    Stream,
    StreamChange,
)
from puntobanco.house.till.gaming_day import gaming_day_now
from puntobanco.house.till.time_zone import house_clocks
from puntobanco.house.trust.limits import check_may_wager, check_own_limits, limited
from puntobanco.house.virtual_shoe import Order, shoe_cards, shuffle_and_seal
from puntobanco.journal.envelope import GivenBy, PlayedBefore, decode
from puntobanco.journal.log import ReusedError, Statement
from puntobanco.journal.verify import HOUSE, REGISTER
from puntobanco.register import commands as register
from puntobanco.rules.competition.draw import SEED_BYTES
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.documents.texts import ruleset_text
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor
from puntobanco.table.authority import check_authority
from puntobanco.table.decide import foresee
from puntobanco.table.events import SecretLodged
from puntobanco.table.queries.shoe import opening_is_due
from puntobanco.table.result import standing
from puntobanco.table.state import Table

if TYPE_CHECKING:
    from puntobanco.house.house import House, Who
    from puntobanco.journal.log import Sealed
    from puntobanco.journal.rows import Row
    from puntobanco.table.coup_record import CoupRecord
    from puntobanco.table.result import SessionResult


class Sent(Struct, frozen=True):
    """What came with a command."""

    shown: str = ""
    """The digest of the outcome that was shown beforehand; empty: none was."""
    device: str = ""
    """The device that draws for the dealer on duty; empty: a person gives it."""
    dealt: str = ""
    """The coup and the number of its cards, as `dealt_at`, that were on the table when it was
    pressed: if another card has come since, nothing is dealt. Empty: whatever lies there."""


PERSON = Sent()
DRAWING = ShuffleHouse | competition.CommitDraw | competition.KeepApart | LodgeForm
"""What the house draws for: nothing of it comes from a generator that failed."""


class Giving:
    """One command on its way: the streams it concerns, and how it is completed and decided."""

    def __init__(
        self,
        house: "House",
        stream: Stream[Any],
        ask: Any,
        who: "Who",
        command_id: str,
        sent: Sent = PERSON,
        *,
        preview: bool = False,
    ) -> None:
        self._house = house
        self._stream = stream
        self._ask = ask
        self._who = who
        self._command_id = command_id
        self._sent = sent
        self._preview = preview
        """Nothing is given: no seal is made for it, and no form opened."""
        self._record: CoupRecord | None = None
        self._salt = ""
        self._shuffled: tuple[str, tuple[Sealed, ...]] = ("", ())
        self.streams = [stream, *self._others()]

    def _others(self) -> list[Stream[Any]]:
        """The streams in which a second half of the command may have to be written."""
        if isinstance(self._ask, c.BuyIn | c.CashOut | BuyChips | CashChips):
            return [self._house.cage]
        if isinstance(self._ask, c.OpenTable | competition.Publish):
            return [self._house.register]
        if self._stream.name.startswith(COMPETITION) and isinstance(self._ask, MOVING):
            return [self._house.cage]
        return []

    async def prepare(self) -> None:
        """Shuffle or read old records before the streams are locked, so that nobody waits."""
        ask, table = self._ask, self._stream.state
        await self._open_the_last()
        if isinstance(ask, ShuffleHouse):
            if table.notice is None:
                raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=self._stream.name)
            made, sealed = shuffle_and_seal(table, self._house.chance, self._house.key, ask.machine)
            self._shuffled = made.commitment, (sealed,)
        if isinstance(ask, competition.DesignateTable) and not TABLE_NAME.fullmatch(ask.table):
            check_entitled(table, ask, self._house.actor(self._asker(), self._stream.name))
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=ask.table[:40])
        if isinstance(ask, competition.CommitDraw):
            self._shuffled = seal_seed(table, self._house.chance, self._house.key)
        if isinstance(ask, competition.KeepApart):
            self._salt = self._house.chance.some_bytes(SEED_BYTES).hex()
        if isinstance(ask, LodgeForm) and not self._preview:
            sealed = seal_form(ask.form, self._house.chance, self._house.key)
            self._shuffled = sealed.commitment, (sealed,)
        if isinstance(ask, DRAWING) and not self._preview:
            check_generator(self._house.chance.watch, self._house.log)
        if isinstance(ask, AboutEarlier) and ask.older is None:
            check_authority(table, ask, self._house.actor(self._asker(), self._stream.name))
            coup = coup_meant(ask, table)
            digest = table.past.get(coup)
            if digest is not None:
                log, name = self._house.log, self._stream.name
                self._record = await asyncio.to_thread(find_past_record, log, name, coup, digest)

    async def _open_the_last(self) -> None:
        """What was committed to is opened before another order takes its place."""
        ask = c.Shuffle() if isinstance(self._ask, ShuffleHouse) else self._ask
        if self._preview or not isinstance(ask, c.Shuffle | c.OpenTable):
            return
        name, table = self._stream.name, self._stream.state
        if opening_is_due(table):
            check_authority(table, ask, self._house.actor(self._asker(), name))
            await open_order(self._house, name, table)

    def _asker(self) -> str:
        return self._who() if callable(self._who) else self._who

    def first_time(self) -> tuple[StreamChange, ...]:
        """The change that this very command brought about before; empty if it is new."""
        if isinstance(self._ask, LodgeForm):
            return self._lodged_before(self._ask)
        asked = self._ask
        if isinstance(asked, NoteIncident):
            asked = resolved(asked, self._known(Table(), self._actor(HOUSE, ""), ""))
        change = self._stream.before(asked, self._asker(), self._command_id)
        return () if change is None else (change,)

    def _lodged_before(self, ask: LodgeForm) -> tuple[StreamChange, ...]:
        """The same form under the same id was lodged once: another salt changes nothing."""
        house, stream = self._house, self._stream
        row = house.log.by_command(stream.name, self._command_id)
        if row is None:
            return ()
        for event in stream.decode(row.events):
            if isinstance(event, SecretLodged):
                opened = unseal_form(event.person, event.commitment, house.log, *house.keys)
                kept = _lodged_in(row)
                same = {kept.person} if kept.person else {"", self._asker(), event.person}
                if form_in(opened) == ask.form and ask.person in same:
                    change = stream.before(kept, self._asker(), self._command_id)
                    return () if change is None else (change,)
        raise ReusedError(stream.name, self._command_id)

    def attempt(self) -> Attempt:
        """Complete the command as things are now, with its second half where it has one."""
        house, name = self._house, self._stream.name
        asker = self._asker()
        if isinstance(self._ask, LodgeForm) and house.log.by_command(name, self._command_id):
            raise Refused(Reason.FORM_LIES, CONDITIONS, person=asker)  # the first outcome is given
        at_table = name.startswith(TABLE)
        table = self._stream.state if at_table else Table()
        if self._sent.dealt and self._sent.dealt != dealt_at(table):
            raise Refused(Reason.DEALT_ALREADY, CONDITIONS)
        giver = giver_of(self._ask, asker, table, house.register.state)
        by = self._actor(giver, name if name.startswith((TABLE, COMPETITION)) else "")
        served = taking_effect(self._stream.state, self._ask)
        seen = check_served(served, house.register.state, house.tables, by)
        command = self._ask
        if type(command) in RESOLVE:
            command = resolved(command, self._known(table, by, asker))
        played = self._held_against_limits(command, by)
        self._check_shown(command, by)
        roles = GivenBy(
            tuple(sorted(by.roles)),
            house.register.seq,
            asker="" if asker == giver else asker,
            device=self._sent.device,
        )
        # a form is kept nowhere but under its seal, and a photo where it can be erased: not even
        # as what was asked
        asked = command if isinstance(self._ask, LodgeForm | NoteIncident) else self._ask
        given = [Given(asked, command, by, roles, self._command_id, seen, played)]
        if (half := self._half(command, by)) is not None:
            beside = msgspec.structs.replace(roles, at=name)
            given.append(Given(half, half, by, beside, self._command_id))
        _, sealed = self._shuffled
        photo = self._photo(command)
        return Attempt(tuple(given), sealed, (REGISTER, house.register.seq), photo)

    def _held_against_limits(self, command: Any, by: Actor) -> PlayedBefore | None:
        """What was counted of a player with limits of their own, who is within them."""
        if not self._stream.name.startswith(TABLE):
            return None
        people, table = self._house.register.state, self._stream.state
        check_may_wager(command, table, by, people)
        person = limited(command, table, by, people)
        if not person:
            return None
        played = self._house.played_before(person, self._stream.name)
        check_own_limits(command, table, person, people, played)
        return played

    def _photo(self, command: Any) -> tuple[Statement, ...]:
        """The photo of an incident, kept in the same append as its digest."""
        if isinstance(self._ask, NoteIncident):
            return put_photo(kept_photo(self._ask), self._house.time.now_ms())
        if isinstance(command, c.RecordIncident) and command.photo:
            raise Refused(Reason.PHOTO_NOT_SENT, CONDITIONS)
        return ()

    def _actor(self, person: str, table: str) -> Actor:
        if isinstance(self._ask, register.FoundHouse):
            return Actor(person, frozenset(), self._house.time.now_ms())
        return self._house.actor(person, table)

    def _known(self, table: Table, by: Actor, asker: str) -> KnownToHouse:
        house = self._house

        def order() -> Order:
            return house.order(table)

        counted = house.tables.get(getattr(self._ask, "table", ""))
        return KnownToHouse(
            table,
            by,
            asker,
            shoe_cards(table, order),
            order,
            self._shuffled[0],
            lambda _: self._record,
            digest_of,
            counted.state.money_bank_cents if counted else 0,
            self._stream.name,
            str if self._preview else lambda: open_seed(self._stream.state, house.log, *house.keys),
            ruleset_of(self._stream.state) if at_competition(self._stream) else "",
            self._standing,
            tuple if self._preview else lambda: forms_to_tell(table, house.log, *house.keys),
            self._salt,
            lambda zone: house_clocks(house, zone, by.at_ms),
            self._limit(),
        )

    def _limit(self) -> tuple[int, str] | None:
        """The most that one person pays in or out, and the gaming day that it is for."""
        most = self._house.register.state.settings.two_people.limit_cents
        return None if most is None else (most, gaming_day_now(self._house))

    def _standing(self, drawn: str) -> "SessionResult | None":
        """How the session stands that was drawn for a table, wherever it is played now."""
        session = self._stream.state.sessions.get(self._stream.state.session)
        at = session.moved.get(drawn, drawn) if session else drawn
        table = self._house.tables.get(at)
        return standing(table.state) if table is not None and table.state.session else None

    def _half(self, command: Any, by: Actor) -> Any:
        """The second half of a command, written to the other stream in the same append."""
        name = self._stream.name
        if name.startswith(COMPETITION) and isinstance(command, MOVING):
            return pot_half(name, self._stream.aggregate.decide(self._stream.state, command, by))
        match command:
            case competition.Publish():
                drafted = ruleset_of(self._stream.state)
                return self._house.ruleset_to_keep(command.digest, drafted)
            case c.BuyIn():
                return cage.SellChips(command.person, name, command.cents)
            case c.CashOut():
                return cage.RedeemChips(command.person, name, command.cents)
            case c.OpenTable():
                return self._house.ruleset_to_keep(command.digest, command.notice.ruleset)
            case _:
                return None

    def _check_shown(self, command: Any, by: Actor) -> None:
        """Refuse a confirmed command whose outcome is no longer the one that was shown."""
        if not self._sent.shown or isinstance(self._ask, LodgeForm):
            return
        ahead = competition_decide.look_forward if at_competition(self._stream) else foresee
        if self._sent.shown != outcome(ahead(self._stream.state, command, by)):
            raise Refused(Reason.NOT_AS_SHOWN, CONDITIONS)


def _lodged_in(row: "Row") -> c.LodgeSecret:
    """The command of a row by which a form was lodged: it names nobody who lodged their own."""
    return msgspec.json.decode(decode(row.command or b"").command, type=c.LodgeSecret)


def dealt_at(table: Table) -> str:
    """The coup and how many cards it has, for whoever deals the next."""
    return f"{table.coup_number}.{len(table.coup.drawn) if table.coup else 0}"


def at_competition(stream: Stream[Any]) -> bool:
    return stream.name.startswith(COMPETITION)


def digest_of(name: str) -> str:
    """The digest of this program's text of a rule set; empty if it has none of this name."""
    try:
        return ruleset_text(name)[1]
    except OSError:
        return ""


def outcome(events: Sequence[Struct]) -> str:
    """Digest events without their times, so that the same outcome a moment later is the same."""
    return sha256(msgspec.json.encode(_timeless(msgspec.to_builtins(events)))).hexdigest()


def _timeless(fact: Any) -> Any:
    if isinstance(fact, list):
        return [_timeless(item) for item in fact]
    if isinstance(fact, dict):
        kept = {name: value for name, value in fact.items() if not str(name).endswith("_ms")}
        return {name: _timeless(value) for name, value in kept.items()}
    return fact
