"""Decides the commands of the cage: the events each brings about, or why it is refused."""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from puntobanco.cage import commands as c
from puntobanco.cage import events as e
from puntobanco.cage.authority import AUTHORITY
from puntobanco.cage.state import Cage, Slip, Tray
from puntobanco.errors import Reason, Refused
from puntobanco.rules.checked import checker
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import check_listed
from puntobanco.table.commands import Approve, DropProposal
from puntobanco.table.events import Approved
from puntobanco.table.proposals import check_both_before, drop_proposal, find_proposal
from puntobanco.words import money

Decided = list[e.CageEvent]
checked: Callable[[object], c.CageCommand] = checker(c.CageCommand)
"""Reads a command back by its declared types and bounds, or refuses it."""
DRAWER_TIMES = 10
"""So many times what one person moves for a patron on a gaming day they move for all of them; what
was moved past all drawers, by whoever had none open, counts with everybody's."""


def decide(cage: Cage, ask: c.CageCommand, by: Actor) -> list[e.CageEvent]:
    """Return the events that a command brings about, or refuse it."""
    ask = checked(ask)
    check_listed(AUTHORITY, type(ask), by)
    events = ROOMS[type(ask)](cage, ask, by)
    if isinstance(ask, c.ByTwo) and _takes_two(cage, ask, by):
        return [e.Proposed(cage.proposal_number + 1, ask, by.person)]
    return events


def _takes_two(cage: Cage, ask: c.ByTwo, by: Actor) -> bool:
    """Whether it is more than one person takes in or pays out, counted with what was already moved
    that gaming day, for the patron, through the drawers of the cashier and of all who count as one
    with them, and past all drawers: else two people's money would be one person's, in parts, by way
    of many patrons, of cashiers whom one manager has just enrolled, or by closing a drawer.
    """
    if ask.limit_cents is UNSET:
        return False
    paid = cage.alone_on(ask.person, _day(ask))
    ways = [cage.alone_through(one, _day(ask)) for one in ("", by.person, *by.one_with)]
    if isinstance(ask, c.Deposit):
        before, drawers = paid.in_cents, sum(way.in_cents for way in ways)
    else:
        before, drawers = paid.out_cents, sum(way.out_cents for way in ways)
    most = DRAWER_TIMES * ask.limit_cents
    return before + ask.cents > ask.limit_cents or drawers + ask.cents > most


def _day(ask: c.ByTwo) -> str:
    return "" if ask.day is UNSET else ask.day


def _approve(cage: Cage, ask: Approve, by: Actor) -> Decided:
    """Another person, who was there before, agrees; the money goes through the drawer of whoever
    proposed it, and counts against no limit of one person.
    """
    proposal = find_proposal(cage.proposals, ask.proposal)
    check_both_before(proposal.person, by)
    first = replace(by, person=proposal.person)
    return [
        Approved(ask.proposal, by.person),
        *ROOMS[type(proposal.ask)](cage, replace(proposal.ask, day=UNSET), first),
    ]


def _drop(cage: Cage, ask: DropProposal, by: Actor) -> Decided:
    return [drop_proposal(cage.proposals, ask, by)]


def _account(cage: Cage, person: str) -> int:
    if person not in cage.accounts:
        raise Refused(Reason.NO_ACCOUNT, CONDITIONS, person=person)
    return cage.accounts[person]


def _check_account(cage: Cage, person: str, cents: int) -> None:
    has = _account(cage, person)
    if cents > has:
        raise Refused(Reason.ACCOUNT_SHORT, CONDITIONS, has=money(has), wanted=money(cents))


def _tray(cage: Cage, table: str) -> Tray:
    if table not in cage.trays:
        raise Refused(Reason.NO_TRAY, CONDITIONS, table=table)
    return cage.trays[table]


def _slip(cage: Cage, number: int) -> Slip:
    if number not in cage.slips:
        raise Refused(Reason.NO_SUCH_SLIP, CONDITIONS, number=number)
    return cage.slips[number]


def open_account(cage: Cage, ask: c.OpenAccount, _by: Actor) -> Decided:
    if ask.person in cage.accounts:
        raise Refused(Reason.ACCOUNT_IS_OPEN, CONDITIONS, person=ask.person)
    return [e.AccountOpened(ask.person)]


def deposit(cage: Cage, ask: c.Deposit, by: Actor) -> Decided:
    _account(cage, ask.person)
    return [e.MoneyDeposited(ask.person, ask.cents, _own_drawer(cage, by), _day(ask))]


def withdraw(cage: Cage, ask: c.Withdraw, by: Actor) -> Decided:
    _check_account(cage, ask.person, ask.cents)
    return [e.MoneyWithdrawn(ask.person, ask.cents, _own_drawer(cage, by), _day(ask))]


def _own_drawer(cage: Cage, by: Actor) -> str:
    return by.person if by.person in cage.drawers else ""


def _check_piles(piles: tuple[c.Pile, ...], cents: int | None = None) -> tuple[c.Pile, ...]:
    """Refuse a count with one denomination twice, or one that does not come to the amount."""
    if len({pile.cents for pile in piles}) != len(piles):
        raise Refused(Reason.COUNTED_TWICE, CONDITIONS)
    comes_to = c.worth_cents(piles)
    if piles and cents is not None and comes_to != cents:
        facts = {"counted": money(comes_to), "amount": money(cents)}
        raise Refused(Reason.COUNT_NOT_THE_AMOUNT, CONDITIONS, **facts)
    return piles


def sell_chips(cage: Cage, ask: c.SellChips, _by: Actor) -> Decided:
    _tray(cage, ask.table)
    _check_account(cage, ask.person, ask.cents)
    return [e.ChipsSold(ask.person, ask.table, ask.cents)]


def redeem_chips(cage: Cage, ask: c.RedeemChips, _by: Actor) -> Decided:
    _tray(cage, ask.table)
    _account(cage, ask.person)
    return [e.ChipsRedeemed(ask.person, ask.table, ask.cents)]


def open_tray(cage: Cage, ask: c.OpenTray, _by: Actor) -> Decided:
    if ask.table in cage.trays:
        raise Refused(Reason.TRAY_IS_OPEN, CONDITIONS, table=ask.table)
    return [e.TrayOpened(ask.table, ask.cents)]


def request_slip(cage: Cage, ask: c.RequestSlip, by: Actor) -> Decided:
    _tray(cage, ask.table)
    number, chips = cage.slip_number + 1, _check_piles(ask.chips or (), ask.cents)
    return [e.SlipRequested(number, ask.kind, ask.table, ask.cents, by.person, chips)]


def complete_slip(cage: Cage, ask: c.CompleteSlip, by: Actor) -> Decided:
    """Record that the cage handed chips over or took them in; never by the person who asked, nor
    by somebody who is one with them.
    """
    check_both_before(_slip(cage, ask.number).person, by)
    return [e.SlipCompleted(ask.number, by.person)]


def void_slip(cage: Cage, ask: c.VoidSlip, by: Actor) -> Decided:
    _slip(cage, ask.number)
    return [e.SlipVoided(ask.number, by.person, ask.note)]


def count_tray(cage: Cage, ask: c.CountTray, by: Actor) -> Decided:
    """Record what was counted beside what must be there, so that no difference is hidden."""
    expected = _tray(cage, ask.table).expected_cents(ask.bank_cents)
    chips = _check_piles(ask.chips or (), ask.counted_cents)
    return [e.TrayCounted(ask.table, expected, ask.counted_cents, by.person, chips)]


def open_drawer(cage: Cage, ask: c.OpenDrawer, by: Actor) -> Decided:
    """A cashier's own drawer; from then on their movements of cash and chips are its."""
    if by.person in cage.drawers:
        raise Refused(Reason.DRAWER_IS_OPEN, CONDITIONS, person=by.person)
    return [e.DrawerOpened(by.person, _check_piles(ask.cash), _check_piles(ask.chips))]


def close_drawer(cage: Cage, ask: c.CloseDrawer, by: Actor) -> Decided:
    """Put on record what was counted beside what must be there; the difference is theirs to
    explain. Another's drawer is counted by management, for a cashier who is gone.
    """
    person = ask.person or by.person
    if person != by.person and Role.MANAGEMENT not in by.roles:
        raise Refused(
            Reason.NOT_YOUR_ROLE, CONDITIONS, command="close-drawer", allowed=Role.MANAGEMENT
        )
    if person not in cage.drawers:
        raise Refused(Reason.NO_DRAWER, CONDITIONS, person=person)
    drawer = cage.drawers[person]
    cash, chips = _check_piles(ask.cash), _check_piles(ask.chips)
    must = drawer.cash_cents, drawer.chips_cents
    return [e.DrawerClosed(person, by.person, *must, cash, chips, ask.note)]


# the pots of competitions


def take_fee(cage: Cage, ask: c.TakeFee, _by: Actor) -> Decided:
    """Take what an entrant pays from the account they have here [tas-2018:16.2(lead)]."""
    _check_account(cage, ask.person, ask.cents + ask.commission_cents)
    return [e.FeeTaken(ask.competition, ask.person, ask.cents, ask.commission_cents)]


def _check_pot(cage: Cage, competition: str, cents: int) -> None:
    has = cage.pots[competition].cents if competition in cage.pots else 0
    if cents > has:
        raise Refused(Reason.POT_SHORT, CONDITIONS, has=money(has), wanted=money(cents))


def refund_fee(cage: Cage, ask: c.RefundFee, _by: Actor) -> Decided:
    _account(cage, ask.person)
    _check_pot(cage, ask.competition, ask.cents)
    return [e.FeeRefunded(ask.competition, ask.person, ask.cents)]


def add_to_pot(_cage: Cage, ask: c.AddToPot, _by: Actor) -> Decided:
    return [e.PotAddedTo(ask.competition, ask.cents)]


def retain(cage: Cage, ask: c.Retain, _by: Actor) -> Decided:
    _check_pot(cage, ask.competition, ask.cents)
    return [e.PotRetained(ask.competition, ask.cents)]


def pay_from_pot(cage: Cage, ask: c.PayFromPot, _by: Actor) -> Decided:
    """Pay a prize; what the operator adds for equal shares is a line of its own."""
    _account(cage, ask.person)
    _check_pot(cage, ask.competition, ask.cents - ask.added_cents)
    added = [e.PotAddedTo(ask.competition, ask.added_cents)] if ask.added_cents else []
    return [*added, e.PaidFromPot(ask.competition, ask.person, ask.cents)]


ROOMS: dict[type, Callable[[Cage, Any, Actor], Decided]] = {
    Approve: _approve,
    DropProposal: _drop,
    c.OpenAccount: open_account,
    c.Deposit: deposit,
    c.Withdraw: withdraw,
    c.SellChips: sell_chips,
    c.RedeemChips: redeem_chips,
    c.OpenTray: open_tray,
    c.RequestSlip: request_slip,
    c.CompleteSlip: complete_slip,
    c.VoidSlip: void_slip,
    c.CountTray: count_tray,
    c.OpenDrawer: open_drawer,
    c.CloseDrawer: close_drawer,
    c.TakeFee: take_fee,
    c.RefundFee: refund_fee,
    c.AddToPot: add_to_pot,
    c.Retain: retain,
    c.PayFromPot: pay_from_pot,
}
