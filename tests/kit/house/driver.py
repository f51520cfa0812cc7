"""A house to test with: a clock that does as it is told, chance from a seed, people with roles."""

import asyncio
from itertools import count
from random import Random
from typing import Any, TypeVar

from puntobanco.cage import commands as m
from puntobanco.house.clock import Clock
from puntobanco.house.house import House
from puntobanco.house.stream import StreamChange
from puntobanco.house.virtual_shoe import Chance
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.table.at import PEOPLE

KEY = b"k" * 32
ROLES = {who: roles for who, roles in PEOPLE.items() if Role.HOUSE not in roles}
ROLES["carol"] = frozenset({Role.CASHIER})
Value = TypeVar("Value")


class Time:
    """A clock for tests: it goes on when somebody sleeps, and jumps when it is told to."""

    def __init__(self, start_ms: int = 1_000_000) -> None:
        self.steady_ms = start_ms
        self.off_ms = 0

    async def sleep(self, seconds: float) -> None:
        self.steady_ms += int(seconds * 1000)
        await asyncio.sleep(0)

    def wall_ms(self) -> int:
        return self.steady_ms + self.off_ms

    @property
    def clock(self) -> Clock:
        return Clock(self.wall_ms, lambda: self.steady_ms, self.sleep, is_machines=False)


def ticking() -> Clock:
    """A second goes by whenever anyone looks."""
    times = count(1_000_000, 1000)
    time = Time()
    return Clock(lambda: 1_000_000, lambda: next(times), time.sleep, is_machines=False)


def seeded(seed: int) -> Chance:
    source = Random(seed)
    return Chance(source.randrange, source.randbytes)


def house_over(log: EventLog, clock: Clock | None = None, seed: int = 1) -> House:
    return House(log, clock or ticking(), seeded(seed), KEY)


async def enrol(house: House, person: str) -> None:
    """Somebody of the tests, with the roles they have there; mara founds the house."""
    people = house.register.state.people
    if not people:
        await house.found("mara", "founding")
    if not person or person in house.register.state.people:
        return
    roles = ROLES.get(person, frozenset())
    kind: register.Kind = "staff" if roles else "patron"
    await house.give("register", register.Enrol(person, kind), "mara", f"enrol-{person}")
    for role in sorted(roles):
        grant = register.Grant(person, role)
        await house.give("register", grant, "mara", f"grant-{person}-{role}")


class Driver:
    """Gives commands to a house as the people of the tests, each with an id of its own."""

    def __init__(self, house: House, name: str = "c") -> None:
        self.house = house
        self.ids = (f"{name}{number}" for number in count(1))

    async def do(self, person: str, ask: Any, command_id: str = "") -> tuple[StreamChange, ...]:
        """Whoever acts, or is acted for, is enrolled first."""
        for someone in (person, getattr(ask, "person", "")):
            await enrol(self.house, someone)
        at = "cage" if isinstance(ask, m.ToCage) else "table-1"
        return await self.house.give(at, ask, person, command_id or next(self.ids))

    async def open(self) -> "Driver":
        """A Tasmanian table with ann at it, who has 1,000 in her account."""
        notice = sample_notice("tas-2018")
        opening = c.OpenTable(notice, "monday", "shoe 1", effective="1 July 2018")
        for person, ask in (
            ("carol", m.OpenAccount("ann")),
            ("carol", m.Deposit("ann", 100_000)),
            ("mara", opening),
            ("mara", m.OpenTray("table-1", 5_000_000)),
            ("dan", c.SignOn(Role.DEALER)),
            ("ines", c.SignOn(Role.INSPECTOR)),
            ("ann", c.Sit(1)),
        ):
            await self.do(person, ask)
        return self

    async def shoe(self) -> "Driver":
        """With chips, and a shoe in place."""
        for ask in (
            c.BuyIn(50_000, "ann"),
            c.CheckCards("set A", player="ann"),
            c.Shuffle(),
            c.CutCards(100, 1),
            c.LoadShoe(),
        ):
            await self.do("dan", ask)
        return self
