"""Each thing that management must see is done once in a house: it is in the file of significant
events once, whatever else is there, and with who looked into it, when, and what they found.
"""

import csv
from pathlib import Path

import pytest

from puntobanco.cage import commands as cage
from puntobanco.errors import Refused
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.figures.noted import keep
from puntobanco.house.house import House
from puntobanco.house.intents import ShuffleHouse
from puntobanco.house.lookback.significant import review, significant
from puntobanco.house.loop import LEAST_FREE_MB, Running
from puntobanco.journal.log import EventLog, FullError
from puntobanco.register import commands as register
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import sample_notice
from puntobanco.server.pages.journal.downloads import FORMS
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.house.driver import KEY, Driver, Time, enrol, seeded
from tests.kit.journal import using

HOUR_MS = 3_600_000
SAID = {
    "a payment in": "ann paid 300 in at the cage",
    "a payment out": "300 were paid out to ann at the cage",
    "a large wager": "wagers 200 on player",
    "a large win": "paid 200",
    "a shoe ended early": "The shoe is over: the shoe is worn",
    "an order never opened": "never opened",
    "a grant": "mara gave carol the role “dealer”, Table 1",
    "a leaver": "mara shut ben out of the house: left us",
    "a low disk": f"{LEAST_FREE_MB - 1} MB",
    "a clock that drifts": "The clock was moved by +5.0 s",
    "a root not noted": "There was no room to note roots beside the key",
    "a failed sign-in": "Failed sign-in as dan",
}
"""What each is told as."""


async def at_the_table(driver: Driver) -> None:
    """A large wager that wins, among small ones; and the shoe is taken away."""
    await driver.shoe()
    await driver.do("dan", c.OpenCoup())
    await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 20_000))
    await driver.do("ann", c.PlaceWager(1, Bet.TIE, 1_000))
    cards = [c.DrawCard(Card(card)) for card in ("9c", "2d", "Kh", "3s")]
    for ask in (c.NoMoreBets(), *cards, c.DeclareResult(), c.EndCoup()):
        await driver.do("dan", ask)
    await driver.do("ines", c.EndShoe("the shoe is worn"))


async def an_order_is_lost(driver: Driver, log: EventLog) -> None:
    """One that was committed to, and never opened."""
    house, table = driver.house, driver.house.tables["table-1"]
    await driver.do("dan", c.CheckCardsAtEnd())
    await driver.do("dan", c.CheckCards("set B", player="ann"))
    await house.give("table-1", ShuffleHouse(), "dan", "shuffle")
    await driver.do("ines", c.CloseTable("another order, please"))
    await driver.do("mara", c.Approve(max(table.state.proposals)))
    log.together([("DELETE FROM sealed", ())])
    opening = c.OpenTable(sample_notice("tas-2018"), "tuesday", "s", effective="2018")
    await house.give("table-1", opening, "mara", "again")


async def of_people(house: House) -> None:
    await enrol(house, "ben")
    grant = register.Grant("carol", Role.DEALER, "table-1")
    await house.give("register", grant, "mara", "grant-at-table")
    await house.give("register", register.Disable("ben", "left us"), "mara", "leaver")
    signin = SignIn(house)
    await signin.set_password("dan", "a long enough password", "mara")
    with pytest.raises(Refused):
        await signin.sign_in("dan", "password", "wrong", "10.0.0.9")


def told(house: House) -> list[dict[str, str]]:
    _, write = FORMS["csv"]
    return list(csv.DictReader(write(significant(house)).decode("utf-8-sig").splitlines()))


def test_each_is_told_once_and_is_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main(log: EventLog) -> None:
        time, root = Time(), tmp_path / "house.root"
        house = House(log, time.clock, seeded(1), KEY, root)
        driver = await Driver(house).open()
        running = Running(house)
        await running.start()
        amounts = register.SetWatch(wager_cents=20_000, win_cents=20_000, payment_cents=30_000)
        await house.give("register", amounts, "mara", "set-watch")
        time.steady_ms += HOUR_MS
        for ask in (cage.Deposit("ann", 30_000), cage.Withdraw("ann", 30_000)):
            await driver.do("carol", ask)
        await at_the_table(driver)
        await an_order_is_lost(driver, log)
        await of_people(house)
        monkeypatch.setattr(log, "free_mb", lambda: LEAST_FREE_MB - 1)
        time.steady_ms += HOUR_MS
        await running.tick()
        time.off_ms += 5000
        await running.tick()
        full = tmp_path / "house.root.new"
        full.symlink_to("/dev/full")
        await enrol(house, "zoe")
        with pytest.raises(FullError):
            await house.record_root()
        full.unlink()
        await house.record_root()
        rows = told(house)
        for what, says in SAID.items():
            assert sum(says.casefold() in row["says"].casefold() for row in rows) == 1, (what, rows)
        await _looked_into(house, time)

    using(str(tmp_path / "house.db"), main)


async def _looked_into(house: House, time: Time) -> None:
    await house.give("register", register.Enrol("otto", "staff"), "mara", "enrol-otto")
    await house.give("register", register.Grant("otto", Role.AUDITOR), "mara", "grant-otto")
    by = house.actor("otto", "register")
    due = [
        row
        for row in told(house)
        if any(says.casefold() in row["says"].casefold() for says in SAID.values())
    ]
    for row in due:
        time.steady_ms += 60_000
        await review(house, by, row["stream"], int(row["row"]), f"seen {row['row']}")
    for kept in (False, True):
        if kept:
            keep(house.log, house.register.state.settings.watch)
            house.figures.save()
        after = {(row["stream"], row["row"]): row for row in told(house)}
        for row in due:
            found = after[row["stream"], row["row"]]
            assert (found["reviewed_by"], found["note"]) == ("otto", f"seen {row['row']}")
            assert found["reviewed"] > found["time"]
