"""An evening in which everything is asked for that the house completes, for a forger to try.

Bots deal from the house's own shoe; a player buys chips, bets more, squeezes and cashes; slips are
asked for, trays counted, people enrolled, granted roles and disabled.
"""

from typing import Any

from puntobanco.cage import commands as cage
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.intents import BetMore, BuyChips, CashChips, Turn
from puntobanco.journal.log import EventLog
from puntobanco.journal.receipt import public_key
from puntobanco.register import commands as register
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.state import Phase
from tests.kit.house.driver import KEY
from tests.kit.house.evening import evening, turning

TABLE, DEALER, INSPECTOR = "table-1", "bot-dealer-table-1", "bot-inspector-table-1"
CASHIER = "bot-cashier"


class Evening:
    """Gives the commands of one evening, each with an id of its own."""

    def __init__(self, bots: Bots) -> None:
        self.bots = bots
        self.house = bots.house
        self.table = bots.house.table(TABLE)

    async def give(self, person: str, *asked: Any) -> None:
        for ask in asked:
            at = TABLE
            if isinstance(ask, cage.ToCage):
                at = "cage"
            elif isinstance(ask, register.ToRegister):
                at = "register"
            await self.house.give(at, ask, person, self.house.own_id("said"))

    async def until_bets(self) -> None:
        """Bots go on until a fresh coup takes wagers."""
        number = self.table.state.coup_number
        while self.table.state.coup_number == number or self.table.state.phase is not Phase.BETTING:
            assert await self.bots.step(self.table)


async def whole_evening(log: EventLog) -> None:
    """One table under the Tasmanian rules, a root after each part of the evening."""
    bots = await evening(log, 3, "tas-2018")
    told = Evening(bots)
    await let_bots_play(bots, [told.table], 1)
    for part in (_people, _chips, _wagers, _squeeze, _tray, _shoe):
        await told.house.record_root()
        await part(told)
    await told.house.shut()


async def _people(told: Evening) -> None:
    await told.give(
        "mara",
        register.Enrol("ann", "patron"),
        register.Enrol("dora", "staff"),
        register.Grant("dora", Role.DEALER, TABLE),
        register.Grant("dora", Role.INSPECTOR),
        register.Revoke("dora", Role.INSPECTOR),
        register.Disable("dora", "on leave"),
        register.Enable("dora", "back"),
    )
    await told.house.give("register", register.ShowKey(public_key(KEY)), "house", "key")


async def _chips(told: Evening) -> None:
    await told.give(CASHIER, cage.OpenAccount("ann"), cage.Deposit("ann", 100_000))
    await told.give("ann", c.StandAt(1), BuyChips(60_000), CashChips(10_000))
    await told.give(CASHIER, cage.Withdraw("ann", 5000))


async def _wagers(told: Evening) -> None:
    await told.until_bets()
    await told.give("ann", BetMore(Bet.TIE, 2500), BetMore(Bet.TIE, 2500))
    await told.give(DEALER, c.PlaceWager(2, Bet.TIE, 2500))
    await told.give(DEALER, c.ChangeWager(2, Bet.TIE, 5000), c.WithdrawWager(2, Bet.TIE))


async def _squeeze(told: Evening) -> None:
    person, position = await turning(told.bots)
    await told.give(person, Turn(position))


async def _tray(told: Evening) -> None:
    slips = (cage.RequestSlip("fill", TABLE, 100_000), cage.RequestSlip("credit", TABLE, 5000))
    await told.give("mara", *slips, cage.CountTray(TABLE, 999_000_000))
    await told.give(CASHIER, cage.CompleteSlip(1), cage.VoidSlip(2, "not needed"))


async def _shoe(told: Evening) -> None:
    """A shoe is ended before its time; its order is opened, and another is shuffled."""
    while told.table.state.phase is not Phase.READY:
        assert await told.bots.step(told.table)
    await told.give(INSPECTOR, c.EndShoe("worn"))
    await let_bots_play(told.bots, [told.table], 1)
