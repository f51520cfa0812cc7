"""What staff see of a table besides: the floor for a dealer, and more for those over him."""

from puntobanco.brief import Brief
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found
from puntobanco.rules.settle import Line, as_made
from puntobanco.rules.shoe import tally
from puntobanco.rules.wagers import Reduction, differential
from puntobanco.table.actor import Role
from puntobanco.table.authority import second_of
from puntobanco.table.next_step import awaited_roles, next_step
from puntobanco.table.queries.betting import reductions
from puntobanco.table.queries.coup import live_proposals
from puntobanco.table.queries.face_down import face_down_position, in_line
from puntobanco.table.queries.people import incident_kinds
from puntobanco.table.queries.shoe import offers
from puntobanco.table.sentences import tell_ask
from puntobanco.table.state import Dispute, OnDuty, Phase, Place, Proposal, Table
from puntobanco.words import Step


class Held(Brief, frozen=True):
    """What was reported of the coup in play and waits for a ruling."""

    found: Found
    by: str
    clauses: tuple[str, ...]


class Floor(Brief, frozen=True):
    """What a dealer and everyone over him sees besides."""

    staff: tuple[OnDuty, ...]
    people: dict[str, Place]
    chips: dict[str, int]
    cut_offers: tuple[int, ...]
    in_line: dict[Side, tuple[str, ...]]
    payouts: tuple[Line, ...]
    """In the order they are made: what is taken before what is paid."""
    reductions: tuple[Reduction, ...]
    differential_cents: int
    handled: bool
    proposals: dict[int, Proposal]
    proposed: dict[int, str]
    """By the number of a proposal, what it says, in words."""
    off_count: dict[Card, int] | None
    """For the check at the end of play, once the shoe is over: cards not seen in play, and
    (below zero) seen too often."""
    check_clause: str
    """The clause by which the cards are checked at the end of play [tas-2018:4.3]."""
    seconds: dict[int, tuple[Role, ...]]
    """By the number of a proposal, of whom one must approve it."""
    held: Held | None
    turned_next: int | None
    """The number in the coup of the face-down card that is turned next."""
    incidents: dict[str, str]
    """The clause of each kind of incident that can be noted here."""
    next_set: str = ""
    """The set of cards that is likely to be checked next: the one in use, or a fresh one."""


class Oversight(Brief, frozen=True):
    """What an inspector, management, surveillance and an auditor see besides."""

    bank_cents: int
    competition_cents: int | None
    """What the bank has gained in competition chips, which are no money; None: none are played."""
    warned: frozenset[str]
    excluded: frozenset[str]
    abstained: dict[str, int]
    together_above: tuple[tuple[int, Bet, int], ...]
    """Boxes where several players together pass the maximum: it may be a partnership
    [tas-2018:7.3]. Whether it is, people judge."""
    owing: dict[str, int]
    """Who owes the bank after a reversal."""
    disputes: dict[int, Dispute]
    partnership: str
    """The clause on partnerships, where the document has one."""
    free_coups: int
    """Coups that may still be dealt without a wager on the layout, out of this shoe."""
    asked_face_down: tuple[str, ...]
    informed: dict[Role, str]
    """Who was told that cards are to be dealt face down."""
    play_bank_cents: int | None = None
    """What the bank has gained in play chips, which are no money; None: none are played."""


def payouts_of(table: Table) -> tuple[Line, ...]:
    """Of the coup in play, or the last one, as the dealer makes them."""
    coup = table.coup or (table.coups[-1] if table.coups else None)
    return as_made(coup.lines, table.terms) if coup else ()


def turned_next(table: Table) -> int | None:
    """Which card is turned next, where some lie face down."""
    step = next_step(table) if table.coup and table.coup.face_down else None
    if step is None or step.step is not Step.TURN_CARDS:
        return None
    return face_down_position(table, Side(str(step.facts["side"])))


def floor_of(table: Table) -> Floor:
    coup = table.coup
    face_down = coup is not None and coup.face_down and coup.locked
    counted = table.shoe is None and table.pack.check_due
    waiting = live_proposals(table)
    return Floor(
        table.staff,
        table.places,
        table.chips,
        offers(table) if table.phase is Phase.PREPARING else (),
        {side: in_line(table, side) for side in Side} if face_down else {},
        payouts_of(table),
        reductions(table),
        differential(coup.wagers) if coup else 0,
        table.pack.handled,
        waiting,
        {number: tell_ask(one.ask, table.coup_number) for number, one in waiting.items()},
        _off_count(table) if counted else None,
        table.terms.rules.cards.check_at_end,
        {
            number: awaited_roles(table, second_of(type(proposal.ask)))
            for number, proposal in waiting.items()
        },
        Held(coup.found, coup.found_by, coup.found_clauses) if coup and coup.found else None,
        turned_next(table),
        incident_kinds(table),
        _next_set(table),
    )


def _next_set(table: Table) -> str:
    pack = table.pack
    is_good = pack.set_id and pack.set_id not in pack.retired
    return pack.set_id if is_good else f"set {len(pack.retired) + 1}"


def _off_count(table: Table) -> dict[Card, int]:
    """How many of each card the software has not seen, or (below zero) has seen too often."""
    seen = [card for card, count in table.pack.seen.items() for _ in range(count)]
    unseen, surplus = tally(seen, table.terms)
    return {**unseen, **{card: -count for card, count in surplus.items()}}


def oversight_of(table: Table) -> Oversight:
    own = table.conditions
    in_chips = own is not None and own.chips == "competition"
    return Oversight(
        table.money_bank_cents,
        table.bank_cents - table.money_bank_cents if in_chips else None,
        table.warned,
        table.excluded,
        table.abstained,
        _together_above(table),
        {person: -cents for person, cents in table.chips.items() if cents < 0},
        table.disputes,
        table.terms.rules.people.incidents.get("partnership", ""),
        table.free_coups,
        tuple(sorted(table.face_down.asked_by)),
        table.face_down.informed,
        table.bank_cents - table.money_bank_cents if table.play_cents else None,
    )


def _together_above(table: Table) -> tuple[tuple[int, Bet, int], ...]:
    if table.coup is None:
        return ()
    totals: dict[tuple[int, Bet], list[int]] = {}
    for wager in table.coup.wagers:
        totals.setdefault((wager.box, wager.on), []).append(wager.cents)
    limits = table.terms.limits
    return tuple(
        (box, on, sum(cents))
        for (box, on), cents in totals.items()
        if len(cents) > 1 and sum(cents) > limits[on].max_cents
    )
