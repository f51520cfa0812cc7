"""All that a house has of one person, as one file: theirs to have."""

from msgspec import Struct

from puntobanco.competition.state import Entrant
from puntobanco.house.access.door.passkey import Passkey, Passkeys
from puntobanco.house.access.history import PeopleBook, PersonHistory
from puntobanco.house.access.rights import MANAGEMENT, check_house_role, member_of
from puntobanco.house.figures.chosen import Chosen, coups
from puntobanco.house.figures.projection import FiguresRead
from puntobanco.house.house import House
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.house.till.book import CageBook, Movement
from puntobanco.register.commands import OwnLimits
from puntobanco.register.state import LimitsAsked
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import Bet, Ratio
from puntobanco.rules.settle import Line, Outcome
from puntobanco.table.actor import Actor


class OwnWager(Struct, frozen=True):
    box: int
    on: Bet
    cents: int
    outcome: Outcome
    returned_cents: int
    won_cents: int
    """What the bank paid for it, commission taken off."""
    odds: Ratio | None
    """What it was paid at; none: it did not win."""
    commission_cents: int = 0
    """What was kept of even money, rounding and all."""


class OwnCoup(Struct, frozen=True):
    """A coup in which they had a wager, with theirs alone."""

    table: str
    coup: int
    at_ms: int
    gaming_day: str
    shoe: int
    ruleset: str
    book: str
    """`money`, `competition` or `play`: what the chips were worth."""
    competition: str
    cards: tuple[str, ...]
    """As they left the shoe; `?`: nobody saw it."""
    result: Result | None
    void: bool
    corrected: bool
    wagers: tuple[OwnWager, ...]
    paid_later_cents: int
    """What was put right afterwards."""
    row: int
    """The row of the table that opened it."""
    over_ms: int
    staked_cents: int
    net_cents: int
    """What they won of the bank by it; below nothing: lost."""
    before_cents: int | None
    """What they had at the table at their first wager on it, chips that lay there with it; none of
    a competition's chips, which its own record counts."""
    after_cents: int | None
    """The same when it was over."""


class OwnSession(Struct, frozen=True):
    began_ms: int
    seen_ms: int


class OwnSignIn(Struct, frozen=True):
    at_ms: int
    address: str


class PersonData(Struct, frozen=True):
    """What stands of somebody in tables that can be erased, and what the journal has under their
    id; never a secret, and nothing of anybody else.
    """

    person: str
    kind: str
    name: str
    contact: str
    alias: str
    excluded_until_ms: int
    history: PersonHistory
    signs_in_with: dict[str, int]
    """What they sign in with, each since when."""
    passkeys: tuple[Passkey, ...]
    signed_in: tuple[OwnSession, ...]
    """Where they are now."""
    sign_ins: tuple[OwnSignIn, ...]
    """When and from where they signed in, as long as it is kept."""
    limits: OwnLimits
    limits_asked: LimitsAsked | None
    account_cents: int | None
    ledger: tuple[Movement, ...]
    coups: tuple[OwnCoup, ...]
    entries: dict[str, Entrant]
    """Their entry in each competition."""


class Books(Struct, frozen=True):
    """Where it is read."""

    people: PeopleBook
    cage: CageBook
    figures: FiguresRead


def person_data(house: House, books: Books, by: Actor, person: str) -> PersonData:
    """All that the house has of a person: for themselves, and for management."""
    if person != by.person:
        check_house_role(by, MANAGEMENT, "data")
    member = member_of(house.register.state, person)
    named = house.people.get(person)
    return PersonData(
        person,
        member.kind,
        named.name,
        named.contact,
        house.people.alias(person),
        member.excluded_until_ms,
        books.people.of(person),
        {kind: one.set_ms for kind, one in house.people.credentials(person).items()},
        Passkeys(house).listed(person),
        tuple(OwnSession(one.began_ms, one.seen_ms) for one in house.people.sessions_of(person)),
        tuple(OwnSignIn(*one) for one in house.people.sign_ins(person)),
        member.limits,
        member.limits_asked,
        house.cage.state.accounts.get(person),
        tuple(books.cage.whole_ledger(person)),
        tuple(_coups(books.figures, person)),
        {
            name: stream.state.entries[person]
            for name, stream in house.competitions.items()
            if person in stream.state.entries
        },
    )


def _coups(figures: FiguresRead, person: str) -> list[OwnCoup]:
    """Every coup that is over, the oldest first."""
    found = coups(figures, Chosen(person=person, book=""))
    return [own_coup(coup, person) for coup, _ in found if coup.over][::-1]


def commission_cents(line: Line) -> int:
    """What the bank kept of even money on a win [tas-2018:12.2, act-2015:8.8(b)]: 19 to 20 is even
    money less one part in twenty. Half, as a Banker's six pays without commission, is odds and no
    commission [tas-2018:12.4, act-2015:8.9(b)].
    """
    paid, on = line.odds or (1, 1)
    return line.stake_cents - line.won_cents if on < 2 * paid < 2 * on else 0


def own_coup(coup: PastCoup, person: str) -> OwnCoup:
    """A coup as one of its players has it."""
    lines = [line for line in coup.lines.values() if line.wager.by == person]
    return OwnCoup(
        coup.table,
        coup.number,
        coup.at_ms,
        coup.day,
        coup.shoe,
        coup.ruleset,
        coup.book,
        coup.competition,
        tuple(str(drawn.card or "?") for drawn in coup.drawn),
        coup.result,
        coup.void,
        coup.corrected,
        tuple(
            OwnWager(
                line.wager.box,
                line.wager.on,
                line.wager.cents,
                line.outcome,
                line.returned_cents,
                line.won_cents,
                line.odds,
                commission_cents(line),
            )
            for line in lines
        ),
        sum(cents for whom, cents in coup.paid_later if whom == person),
        coup.seq,
        coup.over_ms,
        sum(line.stake_cents for line in lines),
        coup.won_by(person),
        coup.had_before.get(person),
        coup.had_after.get(person),
    )
