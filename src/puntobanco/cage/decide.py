"""What may happen at the cage."""

from collections.abc import Callable
from functools import reduce
from typing import Any

from puntobanco.cage import messages as m
from puntobanco.cage.evolve import evolve
from puntobanco.cage.state import Cage, Slip, Tray
from puntobanco.errors import Reason, Refused
from puntobanco.rules.checked import checker
from puntobanco.rules.ruleset import CONDITIONS
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import (
    FLOOR,
    MANAGEMENT,
    OTHER_HALF,
    OVERSEER,
    Allowed,
    check_listed,
)
from puntobanco.table.likely import for_each
from puntobanco.words import money

CASHIER = frozenset({Role.CASHIER})
CHARGE = OVERSEER | MANAGEMENT

AUTHORITY: dict[type[m.CageCommand], Allowed] = {
    m.OpenAccount: Allowed(CASHIER),
    m.Deposit: Allowed(CASHIER),
    m.Withdraw: Allowed(CASHIER),
    m.SellChips: Allowed(CASHIER | FLOOR, given_by=OTHER_HALF),
    m.RedeemChips: Allowed(CASHIER | FLOOR, given_by=OTHER_HALF),
    m.OpenTray: Allowed(MANAGEMENT),
    m.RequestSlip: Allowed(CHARGE),
    m.CompleteSlip: Allowed(CASHIER, likely=for_each(m.CompleteSlip, lambda cage: cage.slips)),
    m.VoidSlip: Allowed(CASHIER | CHARGE, likely=for_each(m.VoidSlip, lambda cage: cage.slips, "")),
    m.CountTray: Allowed(CHARGE, likely=for_each(m.CountTray, lambda cage: cage.trays, 0)),
}
"""All that is known about each command; what is not listed is refused."""
checked: Callable[[object], m.Ask] = checker(m.Ask)
"""The command as its declared types read it, or it is refused."""


def decide(cage: Cage, ask: m.Ask, by: Actor) -> list[m.Happened]:
    """The events that a command brings about, or it is refused and nothing is recorded."""
    ask = checked(ask)
    check_listed(AUTHORITY, type(ask), by)
    return [ROOMS[type(ask)](cage, ask, by)]


def run(cage: Cage, ask: m.Ask, by: Actor) -> tuple[Cage, list[m.Happened]]:
    """Decide, and apply what was decided."""
    events = decide(cage, ask, by)
    return reduce(evolve, events, cage), events


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


def open_account(cage: Cage, ask: m.OpenAccount, _by: Actor) -> m.Happened:
    if ask.person in cage.accounts:
        raise Refused(Reason.ACCOUNT_IS_OPEN, CONDITIONS, person=ask.person)
    return m.AccountOpened(ask.person)


def deposit(cage: Cage, ask: m.Deposit, _by: Actor) -> m.Happened:
    _account(cage, ask.person)
    return m.MoneyDeposited(ask.person, ask.cents)


def withdraw(cage: Cage, ask: m.Withdraw, _by: Actor) -> m.Happened:
    _check_account(cage, ask.person, ask.cents)
    return m.MoneyWithdrawn(ask.person, ask.cents)


def sell_chips(cage: Cage, ask: m.SellChips, _by: Actor) -> m.Happened:
    _tray(cage, ask.table)
    _check_account(cage, ask.person, ask.cents)
    return m.ChipsSold(ask.person, ask.table, ask.cents)


def redeem_chips(cage: Cage, ask: m.RedeemChips, _by: Actor) -> m.Happened:
    _tray(cage, ask.table)
    _account(cage, ask.person)
    return m.ChipsRedeemed(ask.person, ask.table, ask.cents)


def open_tray(cage: Cage, ask: m.OpenTray, _by: Actor) -> m.Happened:
    if ask.table in cage.trays:
        raise Refused(Reason.TRAY_IS_OPEN, CONDITIONS, table=ask.table)
    return m.TrayOpened(ask.table, ask.cents)


def request_slip(cage: Cage, ask: m.RequestSlip, by: Actor) -> m.Happened:
    _tray(cage, ask.table)
    number = cage.slip_number + 1
    return m.SlipRequested(number, ask.kind, ask.table, ask.cents, by.person)


def complete_slip(cage: Cage, ask: m.CompleteSlip, by: Actor) -> m.Happened:
    """The cage hands over or takes in; never the person who asked for it."""
    slip = _slip(cage, ask.number)
    if slip.person == by.person:
        raise Refused(Reason.SAME_PERSON, CONDITIONS, person=by.person)
    return m.SlipCompleted(ask.number, by.person)


def void_slip(cage: Cage, ask: m.VoidSlip, by: Actor) -> m.Happened:
    _slip(cage, ask.number)
    return m.SlipVoided(ask.number, by.person, ask.note)


def count_tray(cage: Cage, ask: m.CountTray, by: Actor) -> m.Happened:
    """What is counted stands beside what must be there: a difference is never hidden."""
    expected = _tray(cage, ask.table).expected_cents(ask.bank_cents)
    return m.TrayCounted(ask.table, expected, ask.counted_cents, by.person)


ROOMS: dict[type, Callable[[Cage, Any, Actor], m.Happened]] = {
    m.OpenAccount: open_account,
    m.Deposit: deposit,
    m.Withdraw: withdraw,
    m.SellChips: sell_chips,
    m.RedeemChips: redeem_chips,
    m.OpenTray: open_tray,
    m.RequestSlip: request_slip,
    m.CompleteSlip: complete_slip,
    m.VoidSlip: void_slip,
    m.CountTray: count_tray,
}
