"""Intents: commands that are asked for in part, which the house completes.

Nobody outside knows the next card of the house's own shoe, and nobody need say what lies in a box
already. An intent is kept beside the command that came of it; one pure function makes the command
out of the intent, when it is given and again when it is verified.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any, get_args

import msgspec
from msgspec import UNSET, Meta, Struct
from msgspec.structs import replace

from puntobanco.cage import commands as cage
from puntobanco.competition import commands as competition
from puntobanco.errors import Reason, Refused
from puntobanco.house.stream import COMPETITION
from puntobanco.house.virtual_shoe import (
    DEALT_AT,
    CardAt,
    Order,
    deal_next,
    face_down_card,
    is_virtual,
)
from puntobanco.register import commands as register
from puntobanco.register.pictures import MOST_BYTES, bare
from puntobanco.register.settings import ClockChanges
from puntobanco.register.state import Register
from puntobanco.rules.competition.secret import FormFault, SecretForm, examine_alone
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet
from puntobanco.rules.irregularities import Found
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, check_role, is_staff, name_of, stands_for
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.likely import UNKNOWN
from puntobanco.table.next_step import next_step
from puntobanco.table.queries.secrets import position, secret_rules
from puntobanco.table.result import SessionResult
from puntobanco.table.state import Table


class Intent(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """A command to a table that is asked for in part, and completed by the house."""


class Deal(Intent, frozen=True, tag="deal"):
    """The next card from the house's own shoe, to whomever the rules give it."""


class Turn(Intent, frozen=True, tag="turn"):
    """A card of the house's own shoe that lies face down before the caller is turned."""

    position: Annotated[int, Meta(ge=1, le=12)]
    """The number of the card in the coup, in the order the cards left the shoe."""


class BetMore(Intent, frozen=True, tag="bet-more"):
    """Chips on an option, in one's own box: a new wager, or more on the one that lies there."""

    on: Bet
    cents: c.Cents


class ShuffleHouse(Intent, frozen=True, tag="shuffle-house"):
    """The house's own shuffle: the order is committed to before anyone bets."""

    machine: c.Note = ""


class OpenOrder(Intent, frozen=True, tag="open-order"):
    """The order of the house's own shoe that is over, for all to compare with what was dealt."""


class BuyChips(Intent, frozen=True, tag="buy-chips"):
    """Chips for the money in one's own account; a dealer who is a bot sees to it."""

    cents: c.Cents


class LodgeForm(Intent, frozen=True, tag="lodge-form"):
    """The form of a secret wager: the house seals it, and it is kept nowhere else."""

    figures: Annotated[str, Meta(max_length=20)]
    words: Annotated[str, Meta(max_length=120)]
    on: Annotated[str, Meta(max_length=10)]
    """The type circled: p, b or t."""
    person: c.Someone = ""

    @property
    def form(self) -> SecretForm:
        return SecretForm(self.figures, self.words, self.on)


class NoteIncident(Intent, frozen=True, tag="note-incident"):
    """An incident with a photo: its digest goes on record, the photo beside the journal."""

    kind: c.Name
    note: c.Note
    photo: Annotated[bytes, Meta(min_length=1, max_length=MOST_BYTES)]
    people: Annotated[tuple[c.Person, ...], Meta(max_length=20)] = ()
    coup: c.Number | None = None


class CashChips(Intent, frozen=True, tag="cash-chips"):
    """One's own chips back into money; a dealer who is a bot sees to it."""

    cents: c.Cents


TableIntent = (
    Deal | Turn | BetMore | ShuffleHouse | OpenOrder | BuyChips | CashChips | LodgeForm
    | NoteIncident
)  # fmt: skip
AtTable = c.TableCommand | TableIntent
"""Everything that can be asked of a table: its commands, and intents."""
CHIPS = (BuyChips, CashChips)
Themselves = (
    c.Sit | c.StandAt | c.Leave | c.SignOff | c.AskNoBetCoup | c.AgreeNoBetCoup
    | c.ConsentToChange | c.AskFaceDown | c.WithdrawFaceDown | c.RefuseCards
    | c.RaiseDispute | c.RequestReview
    | c.PlaceWager | c.ChangeWager | c.WithdrawWager | c.LodgeSecret | c.InspectForm
)  # fmt: skip
"""Commands that are for the person who gives them, unless they name another."""
OwnEntry = competition.Apply | competition.Endorse | competition.PayEntry | competition.Withdraw
"""The same of a competition."""


class KnownToHouse(Struct, frozen=True):
    """The facts of the house that completing a command may need."""

    table: Table
    by: Actor
    """The person who gives the command, with their roles."""
    asker: str
    """The person who asked for it."""
    card_at: CardAt
    """The cards of the house's own shoe."""
    order: Callable[[], Order]
    """Opens the order of the house's own shoe."""
    commitment: str
    """The commitment to a fresh order, for a shuffle."""
    record: Callable[[int], CoupRecord | None]
    """Finds the record of a coup of an earlier shoe by its number."""
    digest: Callable[[str], str]
    """Finds the digest of a rule set's text as the house has it now, by name."""
    bank_cents: int = 0
    """Cents that the bank has gained at the table whose tray is counted."""
    stream: str = ""
    """The stream that the command is for."""
    seed: Callable[[], str] = str
    """Opens the seed of a competition's draw."""
    ruleset: str = ""
    """The rule set that a competition's draft names."""
    standing: Callable[[str], SessionResult | None] = lambda _: None
    """How the session at a table stands."""
    forms: Callable[[], tuple[c.OpenedForm, ...]] = tuple
    """Opens the forms of secret wagers that are to be told now."""
    salt: str = ""
    """For a list whose fingerprint is public."""
    clocks: Callable[[str], ClockChanges] = lambda _: ()
    """What clocks of a time zone show from when on."""
    limit: tuple[int, str] | None = None
    """The most that one person pays in or out, and on which gaming day; None: there is none."""


def resolved(ask: Any, known: KnownToHouse) -> Any:
    """Complete a command or intent into the command that is decided and stored."""
    resolve = RESOLVE.get(type(ask))
    return resolve(ask, known) if resolve else ask


def giver_of(ask: Any, asker: str, table: Table, register: Register) -> str:
    """The person who gives the command: the asker, or a bot dealer for a patron's chips."""
    if not isinstance(ask, CHIPS):
        return asker
    dealers = [duty.person for duty in table.staff if duty.role is Role.DEALER]
    people = register.people
    for dealer in dealers:
        if dealer in people and people[dealer].bot:
            return dealer
    raise Refused(Reason.ASK_THE_DEALER, CONDITIONS)


# the house's own shoe


def _deal(_ask: Deal, known: KnownToHouse) -> c.TableCommand:
    _check_own_shoe(known.table)
    if next_step(known.table).step not in DEALT_AT:
        raise Refused(Reason.NOTHING_OWED, CONDITIONS)
    return deal_next(known.table, known.card_at)


def _turn(ask: Turn, known: KnownToHouse) -> c.TableCommand:
    table = known.table
    _check_own_shoe(table)
    if table.coup is None or not 1 <= ask.position <= len(table.coup.drawn):
        raise Refused(Reason.NO_SUCH_CARD, CONDITIONS, position=ask.position)
    return c.TurnCard(face_down_card(table, known.card_at, ask.position), ask.position)


def _check_own_shoe(table: Table) -> None:
    if not is_virtual(table):
        raise Refused(Reason.NOT_THE_HOUSES_SHOE, CONDITIONS)


def _names_a_card(ask: Any, known: KnownToHouse) -> Any:
    """Refuse to name a card of the house's own shoe; first of all to whoever may name none."""
    if is_virtual(known.table):
        if allowed := AUTHORITY.get(type(ask)):
            check_role(known.table, name_of(type(ask)), allowed.roles, known.by)
        raise Refused(Reason.HOUSE_DEALS, CONDITIONS)
    return ask


def _shuffle_house(ask: ShuffleHouse, known: KnownToHouse) -> c.TableCommand:
    return c.Shuffle(ask.machine, known.commitment)


def _shuffle(ask: c.Shuffle, _known: KnownToHouse) -> c.TableCommand:
    """Refuse a commitment from outside: only the house could open it again."""
    if ask.commitment:
        raise Refused(Reason.HOUSE_COMMITS, CONDITIONS)
    return ask


def _open_order(_ask: OpenOrder, known: KnownToHouse) -> c.TableCommand:
    order = known.order()
    return c.OpenCommitment(order.cards, order.salt)


def _open_commitment(ask: c.OpenCommitment, known: KnownToHouse) -> c.TableCommand:
    """Refuse a false order, which would stand in the way of the true one while that is there."""
    try:
        order = known.order()
    except Refused:
        return ask
    if (order.cards, order.salt) != (ask.order, ask.salt):
        raise Refused(Reason.HOUSE_COMMITS, CONDITIONS)
    return ask


# wagers and chips


def _bet_more(ask: BetMore, known: KnownToHouse) -> c.TableCommand:
    """Place a wager in the player's box, or raise the one that they have there; a substitute does
    so for the player [tas-2018:16.3.3, act-2015:15.11].
    """
    table = known.table
    person = stands_for(table, known.by).person
    place = table.places.get(person)
    if place is None:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=person)
    wagers = table.coup.wagers if table.coup else ()
    lies = next((wager.cents for wager in wagers if (wager.by, wager.on) == (person, ask.on)), 0)
    facts = {"box": place.box, "on": ask.on, "cents": lies + ask.cents}
    kind: type[c.ChangeWager | c.PlaceWager] = c.ChangeWager if lies else c.PlaceWager
    return msgspec.convert(facts, kind)


def _place_wager(ask: c.PlaceWager, known: KnownToHouse) -> c.TableCommand:
    """Fill in the player seated at the box that staff name."""
    if not is_staff(known.table, known.by):
        return _for_oneself(ask, known)
    if ask.person:
        return ask
    person = known.table.seated.get(ask.box, "")
    if not person:
        raise Refused(Reason.NOBODY_SEATED, CONDITIONS, box=ask.box)
    return replace(ask, person=person)


def _own_wager(ask: c.ChangeWager | c.WithdrawWager, known: KnownToHouse) -> c.TableCommand:
    """Fill in whose wager lies on the option of the box that staff name."""
    if not is_staff(known.table, known.by):
        return _for_oneself(ask, known)
    if ask.person:
        return ask
    wagers = known.table.coup.wagers if known.table.coup else ()
    owners = {wager.by for wager in wagers if (wager.box, wager.on) == (ask.box, ask.on)}
    if len(owners) > 1:
        raise Refused(Reason.SAY_WHOSE, CONDITIONS, box=ask.box, people=", ".join(sorted(owners)))
    if not owners:
        raise Refused(Reason.NO_SUCH_WAGER, CONDITIONS, box=ask.box, on=ask.on)
    return replace(ask, person=owners.pop())


def _buy_chips(ask: BuyChips, known: KnownToHouse) -> c.TableCommand:
    return c.BuyIn(ask.cents, known.asker)


def _cash_chips(ask: CashChips, known: KnownToHouse) -> c.TableCommand:
    return c.CashOut(ask.cents, known.asker)


# secret wagers


def _lodge_form(ask: LodgeForm, known: KnownToHouse) -> c.TableCommand:
    """The commitment stands for the form, which is first looked at by itself; what chips may
    still change about it is not said now [tas-2018:16.6.2].
    """
    table = known.table
    person = ask.person or stands_for(table, known.by).person
    if table.coup is not None and table.is_contest:
        faults = examine_alone(ask.form, position(table, person))
        if told := [fault for fault in faults if fault is not FormFault.NONE_LEFT]:
            reasons = ", ".join(told)
            raise Refused(Reason.FORM_AMISS, secret_rules(table).form, reasons=reasons)
    lodged = c.LodgeSecret(known.commitment or UNKNOWN, ask.person)
    return _for_oneself(lodged, known)


def _lodge_secret(ask: c.LodgeSecret, known: KnownToHouse) -> c.TableCommand:
    """Refuse a commitment from outside: only the house could open it again."""
    if ask.commitment != known.commitment:
        raise Refused(Reason.HOUSE_COMMITS, CONDITIONS)
    return _for_oneself(ask, known)


def _with_forms(ask: c.DeclareResult | c.AnnounceSecrets, known: KnownToHouse) -> c.TableCommand:
    """Fill in the forms that are to be told, which the house alone can open."""
    if ask.forms:
        raise Refused(Reason.HOUSE_OPENS_FORMS, CONDITIONS)
    return replace(ask, forms=known.forms())


# incidents


def kept_photo(ask: NoteIncident) -> bytes:
    """The photo as it is kept: the picture alone, without where, when and by what it was taken."""
    photo = bare(ask.photo)
    if photo is None:
        raise Refused(Reason.PHOTO_UNFIT, CONDITIONS, most=MOST_BYTES // 1000)
    return photo


def _note_incident(ask: NoteIncident, _known: KnownToHouse) -> c.TableCommand:
    digest = sha256(kept_photo(ask)).hexdigest()
    return c.RecordIncident(ask.kind, ask.note, ask.people, ask.coup, digest)


# what is left out because it follows from the rest


def _for_oneself(ask: Themselves, known: KnownToHouse) -> c.TableCommand:
    """Leave out a person who acts for themselves, so that one meaning is stored in one form; a
    substitute does so as the player [tas-2018:16.3.3, act-2015:15.11].
    """
    themselves = {known.by.person, stands_for(known.table, known.by).person}
    return replace(ask, person="") if ask.person in themselves else ask


def _load_shoe(ask: c.LoadShoe, known: KnownToHouse) -> c.TableCommand:
    """Leave out the marker's place where the rule fixes it."""
    fixed = known.table.notice and known.table.terms.rules.shoe.marker
    is_said = fixed and fixed.exact and ask.behind == fixed.behind
    return replace(ask, behind=None) if is_said else ask


def _allow_free_coups(ask: c.AllowFreeCoups, known: KnownToHouse) -> c.TableCommand:
    """Leave out who asked for free coups where the rule set does not ask for it."""
    rule = known.table.notice and known.table.terms.rules.wagers.free_coups
    return ask if rule and rule.asked_by_player else replace(ask, asked_by="")


# what is on record elsewhere


AboutEarlier = (
    c.VoidEarlier | c.VoidWagers | c.CorrectCard | c.CorrectCoup | c.CorrectWager
    | c.ReportIrregularity | c.TakeBack
)  # fmt: skip
"""Commands that may be about a coup of an earlier shoe."""


def coup_meant(ask: AboutEarlier, table: Table) -> int:
    """The coup a command is about: what is reported between coups is about the last."""
    if isinstance(ask, c.ReportIrregularity):
        late = ask.found is Found.WRONG_NUMBER and table.coup is None
        return table.coup_number if late else 0
    voids = isinstance(ask, c.TakeBack) and ask.what in ("void", "wagers-void")
    last = voids and table.coup is None
    return ask.coup or (table.coup_number if last else 0)


def _with_record(ask: AboutEarlier, known: KnownToHouse) -> c.TableCommand:
    """Fill in the record of a coup of an earlier shoe, which nobody could type."""
    if isinstance(ask, c.CorrectCard | c.CorrectCoup):
        _names_a_card(ask, known)
    coup = coup_meant(ask, known.table)
    if ask.older is not None or coup not in known.table.past:
        return ask
    return replace(ask, older=known.record(coup))


def _open_table(ask: c.OpenTable, known: KnownToHouse) -> c.TableCommand:
    """Fill in the digest of the rule set's text that the table is played by from now on."""
    return ask if ask.digest else replace(ask, digest=known.digest(ask.notice.ruleset))


def _with_limit(ask: cage.ByTwo, known: KnownToHouse) -> cage.ByTwo:
    """Fill in the most that one person pays in or out on a gaming day, as the house has set it."""
    limit_cents, day = known.limit or (UNSET, UNSET)
    return replace(ask, limit_cents=limit_cents, day=day)


# competitions


def _publish(ask: competition.Publish, known: KnownToHouse) -> competition.Publish:
    """Fill in the digest of the rule set's text that the competition is played by."""
    return ask if ask.digest else replace(ask, digest=known.digest(known.ruleset))


def _commit_draw(ask: competition.CommitDraw, known: KnownToHouse) -> competition.CommitDraw:
    """Fill in the commitment; one from outside only the house could open again."""
    if ask.commitment:
        raise Refused(Reason.HOUSE_COMMITS, CONDITIONS)
    return replace(ask, commitment=known.commitment)


def _keep_apart(ask: competition.KeepApart, known: KnownToHouse) -> competition.KeepApart:
    """Salt the list, so that its fingerprint can be public and it cannot be guessed."""
    if ask.salt:
        raise Refused(Reason.HOUSE_COMMITS, CONDITIONS)
    return replace(ask, salt=known.salt)


def _opened(
    ask: competition.Draw | competition.NameWildCards, known: KnownToHouse
) -> competition.Draw | competition.NameWildCards:
    """Open the seed for a draw, and for wild cards where witnesses have spoken for a ballot."""
    if ask.seed:
        raise Refused(Reason.HOUSE_COMMITS, CONDITIONS)
    return replace(ask, seed=known.seed()) if ask.words else ask


def _finish_early(ask: competition.FinishEarly, known: KnownToHouse) -> competition.FinishEarly:
    """Fill in what the table reports now: nobody else can say it."""
    if ask.standing is not None:
        raise Refused(Reason.HOUSE_DEALS, CONDITIONS)
    return replace(ask, standing=known.standing(ask.table))


def _own_entry(ask: OwnEntry, known: KnownToHouse) -> OwnEntry:
    """Leave out a person who acts for themselves, so that one meaning is stored in one form."""
    return replace(ask, person="") if ask.person == known.by.person else ask


RESOLVE: dict[type, Callable[[Any, KnownToHouse], Any]] = {
    Deal: _deal,
    Turn: _turn,
    BetMore: _bet_more,
    ShuffleHouse: _shuffle_house,
    OpenOrder: _open_order,
    BuyChips: _buy_chips,
    CashChips: _cash_chips,
    NoteIncident: _note_incident,
    **{kind: _names_a_card for kind, allowed in AUTHORITY.items() if allowed.keyed},
    c.Shuffle: _shuffle,
    c.OpenCommitment: _open_commitment,
    **dict.fromkeys(get_args(Themselves), _for_oneself),
    LodgeForm: _lodge_form,
    c.LodgeSecret: _lodge_secret,
    c.DeclareResult: _with_forms,
    c.AnnounceSecrets: _with_forms,
    c.LoadShoe: _load_shoe,
    c.AllowFreeCoups: _allow_free_coups,
    c.PlaceWager: _place_wager,
    c.ChangeWager: _own_wager,
    c.WithdrawWager: _own_wager,
    **dict.fromkeys(get_args(AboutEarlier), _with_record),
    c.OpenTable: _open_table,
    cage.CountTray: lambda ask, known: replace(ask, bank_cents=known.bank_cents),
    cage.Deposit: _with_limit,
    cage.Withdraw: _with_limit,
    register.SetTimeZone: lambda ask, known: replace(ask, offsets=known.clocks(ask.zone)),
    competition.Draft: lambda ask, known: replace(
        ask,
        competition=known.stream.removeprefix(COMPETITION),  # its draws are bound to it
    ),
    competition.Publish: _publish,
    competition.CommitDraw: _commit_draw,
    competition.KeepApart: _keep_apart,
    competition.Draw: _opened,
    competition.NameWildCards: _opened,
    competition.FinishEarly: _finish_early,
    **dict.fromkeys(get_args(OwnEntry), _own_entry),
}
"""The function that completes or refuses each kind of command or intent."""
