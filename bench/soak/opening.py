"""A house is founded for a soak: tables with bots, a player from outside at each, a cashier."""

import asyncio
from typing import Any

import psycopg
from tests.kit.postgres import url

from bench.soak.place import DATABASE, OWNER, ROLE, Place
from puntobanco.cage import commands as cage
from puntobanco.cli.keys import house_under
from puntobanco.cli.serve import own
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import hire_cashier, open_bot_table, staff_table
from puntobanco.house.house import House
from puntobanco.journal.opening import journal_at
from puntobanco.journal.postgres import rights
from puntobanco.register import commands as register
from puntobanco.register.settings import NO_LIMIT_CENTS
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import sample_notice
from puntobanco.table.actor import Role

MANAGER, CASHIER = "manager", "cashier"
BEGIN_CENTS = 10**9
"""What a player from outside has at the beginning."""
COUPS_APART = 3
"""Coups that each table has played more than the one before: a shoe takes an hour and more, and all
that a house knows of its coups goes with it. Were all begun at once, the last part of a soak would
be held against one in which every shoe was new."""
LONGEST = 61
"""Coups that are in every shoe."""


class Opened:
    """The tables, whoever plays at each from outside with their secret, and the cashier's."""

    def __init__(self) -> None:
        self.players: dict[str, tuple[str, str, int]] = {}
        """By table: person, secret, seat."""
        self.cashier = ""


async def opened(place: Place, tables: int) -> Opened:
    if place.database is not None:
        await _prepare(place.database.folder)
    found = Opened()
    async with journal_at(place.address, create=True) as log:
        await own(log)
        house = house_under(place.key, log)
        signin = SignIn(house)
        await house.found(MANAGER, "founding")
        rule = register.SetTwoPeople(0, NO_LIMIT_CENTS)
        await house.give("register", rule, MANAGER, "two-people")
        await hire_cashier(house, MANAGER)
        await enrol(house, CASHIER, "staff", Role.CASHIER)
        found.cashier = await signin.issue_password(CASHIER, MANAGER)
        for number in range(1, tables + 1):
            table, ruleset = f"table-{number}", for_money()[number % len(for_money())]
            notice = sample_notice(ruleset)
            await staff_table(house, table, MANAGER, notice.seats - 1)
            await open_bot_table(house, table, notice, MANAGER, "tonight")
            person = f"player-{number}"
            await enrol(house, person, "patron")
            for ask in (cage.OpenAccount(person), cage.Deposit(person, BEGIN_CENTS)):
                await house.give("cage", ask, "bot-cashier", house.own_id("begin"))
            pin = await signin.issue_pin(person, MANAGER)
            found.players[table] = person, pin, notice.seats
        await asyncio.gather(
            *(
                played(house, f"table-{number}", COUPS_APART * number % LONGEST)
                for number in range(1, tables + 1)
            )
        )
        await house.shut()
    return found


async def played(house: House, name: str, coups: int) -> None:
    """Let bots play at a table, as fast as they can."""
    table, bots = house.table(name), Bots(house)
    while table.state.coup_number < coups:
        assert await bots.step(table)


async def enrol(house: Any, person: str, kind: register.Kind, role: Role | None = None) -> None:
    await house.give("register", register.Enrol(person, kind), MANAGER, f"enrol-{person}")
    if role is not None:
        await house.give("register", register.Grant(person, role), MANAGER, f"grant-{person}")


async def _prepare(folder: str) -> None:
    """The two roles of docs/operations.md."""
    with psycopg.connect(url(folder, "postgres", OWNER), autocommit=True) as db:
        db.execute(f"CREATE ROLE {ROLE} LOGIN")
        db.execute(f"CREATE DATABASE {DATABASE}")
    await rights.prepare_for(url(folder, DATABASE, OWNER), ROLE)
