"""Applies events to the cage. Nothing is refused here: an event has already happened."""

from msgspec.structs import replace

from puntobanco.cage import events as e
from puntobanco.cage.commands import worth_cents
from puntobanco.cage.state import Cage, Drawer, PaidAlone, Pot, ProposedMoney, Slip, Tray
from puntobanco.table.events import Approved, ProposalDropped
from puntobanco.table.proposals import without_proposal


def evolve(cage: Cage, event: e.CageEvent) -> Cage:  # noqa: C901, PLR0911, PLR0912  a case for each event
    match event:
        case e.AccountOpened():
            return _account(cage, event.person, 0)
        case e.MoneyDeposited():
            cage = _drawer(cage, event.drawer, in_cents=event.cents)
            cage = _alone(cage, event, in_cents=event.cents)
            return _cash(_account(cage, event.person, event.cents), event.cents)
        case e.MoneyWithdrawn():
            cage = _drawer(cage, event.drawer, out_cents=event.cents)
            cage = _alone(cage, event, out_cents=event.cents)
            return _cash(_account(cage, event.person, -event.cents), -event.cents)
        case e.ChipsSold():
            sold = cage.trays[event.table].sold_cents + event.cents
            cage = _account(cage, event.person, -event.cents)
            return _tray(cage, event.table, replace(cage.trays[event.table], sold_cents=sold))
        case e.ChipsRedeemed():
            back = cage.trays[event.table].redeemed_cents + event.cents
            cage = _account(cage, event.person, event.cents)
            return _tray(cage, event.table, replace(cage.trays[event.table], redeemed_cents=back))
        case e.TrayOpened():
            return _tray(cage, event.table, Tray(event.cents))
        case e.SlipRequested():
            slip = Slip(event.kind, event.table, event.cents, event.person, event.chips)
            slips = {**cage.slips, event.number: slip}
            return replace(cage, slips=slips, slip_number=event.number)
        case e.SlipCompleted():
            return _completed(cage, event)
        case e.SlipVoided():
            return _without(cage, event.number)
        case e.TrayCounted():
            short = event.expected_cents - event.counted_cents
            tray = cage.trays[event.table]
            tray = replace(
                tray, counted_cents=event.counted_cents, short_cents=short, chips=event.chips
            )
            return _tray(cage, event.table, tray)
        case e.DrawerOpened() | e.DrawerClosed():
            return _shift(cage, event)
        case e.Proposed() | Approved() | ProposalDropped():
            return _proposal(cage, event)
        case _:
            return _pot(cage, event)


def _proposal(cage: Cage, event: e.OfProposal) -> Cage:
    proposals = without_proposal(cage.proposals, event.number)
    if not isinstance(event, e.Proposed):
        return replace(cage, proposals=proposals)
    proposals[event.number] = ProposedMoney(event.ask, event.person)
    return replace(cage, proposals=proposals, proposal_number=event.number)


def _pot(cage: Cage, event: e.PotEvent) -> Cage:
    """Money that the operator adds comes to what the house holds for others, what it retains
    leaves it; between accounts and pots nothing comes or goes.
    """
    match event:
        case e.FeeTaken():
            cage = _account(cage, event.person, -event.cents - event.commission_cents)
            facts = {"fees_cents": event.cents, "commission_cents": event.commission_cents}
        case e.FeeRefunded():
            cage, facts = _account(cage, event.person, event.cents), {"refunded_cents": event.cents}
        case e.PotAddedTo():
            cage, facts = _cash(cage, event.cents), {"added_cents": event.cents}
        case e.PotRetained():
            cage, facts = _cash(cage, -event.cents), {"retained_cents": event.cents}
        case e.PaidFromPot():
            cage, facts = _account(cage, event.person, event.cents), {"paid_cents": event.cents}
    pot = cage.pots.get(event.competition, Pot())
    more = {name: getattr(pot, name) + cents for name, cents in facts.items()}
    return replace(cage, pots={**cage.pots, event.competition: replace(pot, **more)})


def _account(cage: Cage, person: str, cents: int) -> Cage:
    return replace(cage, accounts={**cage.accounts, person: cage.accounts.get(person, 0) + cents})


def _cash(cage: Cage, cents: int) -> Cage:
    return replace(cage, cash_cents=cage.cash_cents + cents)


def _tray(cage: Cage, table: str, tray: Tray) -> Cage:
    return replace(cage, trays={**cage.trays, table: tray})


def _without(cage: Cage, number: int) -> Cage:
    return replace(cage, slips={key: slip for key, slip in cage.slips.items() if key != number})


def _shift(cage: Cage, event: e.DrawerOpened | e.DrawerClosed) -> Cage:
    drawers = {who: one for who, one in cage.drawers.items() if who != event.person}
    if isinstance(event, e.DrawerOpened):
        drawers[event.person] = Drawer(worth_cents(event.cash), worth_cents(event.chips))
    return replace(cage, drawers=drawers)


def _drawer(cage: Cage, person: str, **cents: int) -> Cage:
    """Cash or chips into a drawer or out of it, if that person has one open."""
    if person not in cage.drawers:
        return cage
    drawer = cage.drawers[person]
    moved = {name: getattr(drawer, name) + more for name, more in cents.items()}
    return replace(cage, drawers={**cage.drawers, person: replace(drawer, **moved)})


def _alone(cage: Cage, event: e.MoneyDeposited | e.MoneyWithdrawn, **cents: int) -> Cage:
    """Money that one person moved counts against the limit of its gaming day."""
    if not event.day:
        return cage
    return replace(
        cage,
        alone={**cage.alone, event.person: _more(cage.alone_on(event.person, event.day), cents)},
        through={
            **cage.through,
            event.drawer: _more(cage.alone_through(event.drawer, event.day), cents),
        },
    )


def _more(paid: PaidAlone, cents: dict[str, int]) -> PaidAlone:
    return replace(paid, **{name: getattr(paid, name) + more for name, more in cents.items()})


def _completed(cage: Cage, event: e.SlipCompleted) -> Cage:
    """The chips of a slip move between the tray and the drawer of whoever completes it."""
    slip = cage.slips[event.number]
    tray = cage.trays[slip.table]
    if slip.kind == "fill":
        cage = _drawer(cage, event.person, filled_cents=slip.cents)
        tray = replace(tray, filled_cents=tray.filled_cents + slip.cents)
    else:
        cage = _drawer(cage, event.person, credited_cents=slip.cents)
        tray = replace(tray, credited_cents=tray.credited_cents + slip.cents)
    return _tray(_without(cage, event.number), slip.table, tray)
