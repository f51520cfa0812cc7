"""A house at whose door people sign in."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.sign_in import (
    SignIn,
)
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.register import commands as register
from puntobanco.table.actor import Role
from tests.kit.house.driver import Time
from tests.kit.house.evening import evening
from tests.kit.journal import using

PASSWORD = "a long enough password"  # noqa: S105  of nobody


class Door:
    """A house with a dealer, a manager and a patron who can sign in."""

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self.time = Time(10**9)

    async def open(self) -> "Door":
        bots = await evening(self.log, 1, "tas-2018")
        self.house = bots.house
        self.house.time._clock = self.time.clock
        self.signin = SignIn(self.house)
        for person, kind, role in (
            ("dan", "staff", Role.DEALER),
            ("max", "staff", Role.MANAGEMENT),
            ("ann", "patron", None),
        ):
            ask = register.Enrol(person, kind)  # type: ignore[arg-type]
            await self.house.give("register", ask, "mara", f"e-{person}")
            if role:
                await self.house.give(
                    "register", register.Grant(person, role), "mara", f"g-{person}"
                )
        await self.signin.set_password("dan", PASSWORD, "mara")
        self.pin = await self.signin.issue_pin("ann", "mara")
        return self

    async def fails(self, person: str, reason: Reason, secret: str = "wrong") -> None:  # noqa: S107
        with pytest.raises(Refused) as caught:
            await self.signin.sign_in(person, "password", secret, "10.0.0.9")
        assert caught.value.reason is reason

    def later(self, ms: int) -> None:
        self.time.steady_ms += ms


def at_the_door(tmp_path: Path, use: Callable[[Door], Awaitable[None]]) -> None:
    async def main(log: EventLog) -> None:
        await use(await Door(log).open())

    using(str(tmp_path / "house.db"), main)


def noted(log: EventLog) -> list[dict[str, object]]:
    return [event for row in log.read(HOUSE) for event in msgspec.json.decode(row.events)]
