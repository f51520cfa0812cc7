"""Tables with bots at them: set up for a demonstration, a load test, or an evening from a seed."""

from typing import Any

from puntobanco.cage import commands as cage
from puntobanco.cage import events as cage_events
from puntobanco.house.access.people import Person
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import Pace
from puntobanco.house.bots.tournament import FINISHED, tournament_named
from puntobanco.house.competitions.relay import Relay
from puntobanco.house.house import House
from puntobanco.house.stream import Stream
from puntobanco.register import commands as register
from puntobanco.register import events as register_events
from puntobanco.register.commands import Bot, Plan
from puntobanco.rules.notice import Notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.state import Table

STAFF: dict[Plan, tuple[Role, ...]] = {
    "dealer": (Role.DEALER,),
    "inspector": (Role.INSPECTOR, Role.CASINO_SUPERVISOR),
    "manager": (Role.MANAGEMENT,),
    "surveillance": (Role.SURVEILLANCE,),
}
PATRONS: tuple[Plan, ...] = ("banker", "player", "double", "follow", "tie")
PATIENT = 5
"""Rounds in which nobody does anything after which a competition stands still."""
TRAY_CENTS = 10**9
"""Cents in the tray of a table that bots play at."""


async def staff_table(house: House, table: str, manager: str, patrons: int) -> None:
    """Enrol a crew of bots for one table: its staff, and patrons at its first seats."""
    people = house.register.state.people
    for plan, roles in STAFF.items():
        person = f"bot-{plan}-{table}"
        if person not in people:
            await _enrol(house, manager, person, "staff", Bot(plan, table))
        for role in roles:
            await _grant(house, manager, person, role, table)
    for seat in range(1, patrons + 1):
        person = f"bot-{seat}-{table}"
        if person not in people:
            plan = PATRONS[(seat - 1) % len(PATRONS)]
            await _enrol(house, manager, person, "patron", Bot(plan, table, seat))


async def staff_tournament(house: House, table: str, manager: str, patrons: int) -> None:
    """Enrol bots who play one tournament after another at a table, under a director of theirs."""
    await staff_table(house, table, manager, patrons)
    director = f"bot-director-{table}"
    if director not in house.register.state.people:
        await _enrol(house, manager, director, "staff", Bot("director", table))
    await _grant(house, manager, director, Role.DIRECTOR, "")
    await _grant(house, manager, f"bot-manager-{table}", Role.MANAGEMENT, "")


def name_bot(house: House, person: str, name: str) -> None:
    """Give a bot a name that everybody reads: staff in their lists, others on boards and felts."""
    house.people.put(Person(person, name))
    house.people.put_alias(person, name)


async def staff_cup(
    house: House, tables: tuple[str, ...], manager: str, aliases: tuple[str, ...]
) -> None:
    """Enrol bots who play heats at several tables of one pit and a final, again and again; each
    patron has an alias, which is what boards show.
    """
    seats = len(aliases) // len(tables)
    for number, table in enumerate(tables):
        await staff_table(house, table, manager, seats)
        for seat in range(1, seats + 1):
            name_bot(house, f"bot-{seat}-{table}", aliases[number * seats + seat - 1])
    await staff_tournament(house, tables[0], manager, seats)


async def play_cup(house: House, director_at: str, coups: int) -> None:
    """Let bots play one competition from its conditions to its prizes, at once."""
    bots, relay = Bots(house, Pace(coups=coups)), Relay(house)
    name, still = tournament_named(director_at, 1), 0
    while name not in house.competitions or house.competitions[name].state.phase not in FINISHED:
        moved = await bots.step_tournament(director_at)
        relay.refused.clear()  # tried again at once: nobody waits here
        await relay.bring_into_line(name)
        for table in house.competitions[name].state.tables:
            while table in house.tables and await bots.step(house.tables[table]):
                moved = True
        still = 0 if moved else still + 1
        assert still < PATIENT, f"{name} does not go on: {relay.refused}"


async def prepare_tournament(house: House, table: str) -> None:
    """Let bots bring their first tournament so far that its table is open."""
    bots, relay = Bots(house), Relay(house)
    while table not in house.tables and await bots.step_tournament(table):
        for name in list(house.competitions):
            await relay.bring_into_line(name)


async def _enrol(house: House, manager: str, person: str, kind: register.Kind, bot: Bot) -> None:
    await house.give("register", register.Enrol(person, kind, bot), manager, house.own_id("enrol"))


async def hire_cashier(house: House, manager: str) -> None:
    """Enrol a cashier bot for the whole house, which tops up bots' accounts."""
    if "bot-cashier" not in house.register.state.people:
        await _enrol(house, manager, "bot-cashier", "staff", Bot("cashier", ""))
    await _grant(house, manager, "bot-cashier", Role.CASHIER, "")


async def _grant(house: House, manager: str, person: str, role: Role, table: str) -> None:
    """Grant a role, unless it is held: a set-up that was broken off can then go on."""
    held = house.register.state.people[person].roles.get(table, frozenset())
    if role not in held:
        await by_two(house, "register", register.Grant(person, role, table), manager)


async def by_two(house: House, at: str, ask: Any, first: str) -> None:
    """Give a command, and have another manager agree to it where that is wanted."""
    done = await house.give(at, ask, first, house.own_id("first"))
    told = done[0].events[-1]
    if isinstance(told, register_events.Proposed | cage_events.Proposed):
        by = house.actor(first)
        others = set(house.register.state.managers) - by.one_with - {first}
        await house.give(at, c.Approve(told.number), min(others), house.own_id("second"))


async def open_bot_table(
    house: House, table: str, notice: Notice, manager: str, day: str, play_cents: int = 0
) -> None:
    """Open a table dealt from the house's own shoe, with its tray of chips; with `play_cents`, for
    play money, which needs none.
    """
    opening = c.OpenTable(
        notice,
        day,
        shoe="the house's own",
        shoe_approval="as announced",
        effective="as published",
        backs="as announced",
        hours="as announced",
        play_cents=play_cents,
    )
    seq = house.tables[table].seq if table in house.tables else 0
    await house.give(table, opening, manager, f"open-{table}-{seq}")
    if not play_cents and table not in house.cage.state.trays:
        await house.give("cage", cage.OpenTray(table, TRAY_CENTS), manager, f"tray-{table}")


async def let_bots_play(bots: Bots, tables: list[Stream[Table]], coups: int) -> int:
    """Let bots play until every table is `coups` coups further; return the commands it took.

    They take turns, one command at each table: the same seed gives the same evening every time.
    """
    wanted = {table.name: table.state.coup_number + coups for table in tables}
    commands = 0
    while going := [table for table in tables if table.state.coup_number < wanted[table.name]]:
        for table in going:
            if not await bots.step(table):
                return commands
            commands += 1
    return commands
