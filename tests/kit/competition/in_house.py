"""A competition in a house of its own, with the people who run it."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from puntobanco.cage import commands as cage
from puntobanco.competition import commands as c
from puntobanco.errors import Reason, Refused
from puntobanco.house.house import House
from puntobanco.journal import sqlite
from puntobanco.register import commands as register
from puntobanco.table.actor import Role
from tests.kit.competition.cup import MARCH_1_MS, STAFF, cup_text
from tests.kit.house.driver import Time, house_over

CUP = "competition-spring"


class CupHouse:
    """A house with a competition in it, and the people who run it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.ids = (f"cup{number}" for number in count(1))

    @property
    def cup(self) -> Any:
        return self.house.competitions[CUP].state

    async def do(self, person: str, ask: Any, at: str = CUP, command_id: str = "") -> Any:
        return await self.house.give(at, ask, person, command_id or next(self.ids))

    async def refused(self, person: str, ask: Any, at: str = CUP) -> Reason:
        with pytest.raises(Refused) as caught:
            await self.do(person, ask, at)
        return caught.value.reason

    async def two(self, ask: Any, first: str = "dora", second: str = "mara") -> None:
        await self.do(first, ask)
        await self.do(second, c.Approve(self.cup.proposal_number))

    async def staffed(self) -> "CupHouse":
        await self.house.found("mara", "founding")
        for person, roles in STAFF.items():
            if person in ("mara", "house"):
                continue
            await self.do("mara", register.Enrol(person, "staff"), "register")
            for role in roles:
                grant = register.Grant(person, role, CUP if role is Role.DIRECTOR else "")
                await self.do("mara", grant, "register")
        return self

    async def opened(self, text: str = "") -> "CupHouse":
        await self.staffed()
        await self.do("mara", c.Draft(text or cup_text()))
        await self.two(c.Publish(), "mara", "dora")
        await self.do("dora", c.OpenEntries())
        await self.do("dora", c.CommitDraw())
        return self

    async def enter(self, *people: str) -> "CupHouse":
        for person in people:
            await self.do("mara", register.Enrol(person, "patron"), "register")
            await self.do("carol", cage.OpenAccount(person), "cage")
            await self.do("carol", cage.Deposit(person, 10_000), "cage")
            await self.do(person, c.Apply())
            await self.do("carol", c.Accept(person))
            await self.do(person, c.Endorse(1))
            await self.do(person, c.PayEntry())
        return self


def in_house(
    tmp_path: Path, play: Callable[[CupHouse], Awaitable[None]], at_ms: int = MARCH_1_MS
) -> None:
    async def run() -> None:
        log = sqlite.open_log(tmp_path / "house.db")
        try:
            await play(CupHouse(house_over(log, Time(at_ms).clock)))
        finally:
            await log.close()

    asyncio.run(run())
