"""Where a house and its key are, to be started, played in, shut and tampered with."""

import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from puntobanco.cli.keys import root_beside
from puntobanco.house.house import House
from puntobanco.house.loop import Running
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from tests.kit.house.driver import KEY, Driver, Time, seeded
from tests.kit.journal import using


class Place:
    """Where a house and its key are."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "house.db"
        self.key = folder / "keys" / "house.key"
        self.key.parent.mkdir()
        self.key.write_text(KEY.hex())

    async def started(self, log: EventLog, key: bytes = KEY) -> Driver:
        house = House(log, Time(10**9).clock, seeded(4), key, root_beside(self.key))
        running = Running(house)
        await running.start()
        return Driver(house, f"at{log.head(HOUSE).seq}-")

    def run(self, use: Callable[[Driver], Awaitable[None]], key: bytes = KEY) -> None:
        """Start the house, use it, and shut it."""

        async def main(log: EventLog) -> None:
            driver = await self.started(log, key)
            await use(driver)
            await driver.house.shut()

        using(str(self.file), main)

    def start(self, key: bytes = KEY) -> None:
        async def main(log: EventLog) -> None:
            await self.started(log, key)

        using(str(self.file), main)

    def sql(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.file, isolation_level=None)) as db:
            for trigger in ("rows_remain", "rows_stay"):
                db.execute(f"DROP TRIGGER IF EXISTS {trigger}")
            for statement in statements:
                assert db.execute(statement).rowcount
