"""The pages over any house a test has made: the real application, asked without a network."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from copy import copy
from pathlib import Path
from typing import Any, cast

import httpx
from litestar import Litestar

from puntobanco.cage import commands as m
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.house import House
from puntobanco.house.loop import Running
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.server.app import create_app, kept_for
from puntobanco.server.edge import metrics
from puntobanco.server.edge.proxy import Networks
from puntobanco.table.actor import Role
from tests.kit.house.driver import Time, house_over
from tests.kit.journal import using

HTML = {"accept": "text/html"}
BASE = "http://house.test"

BUILT: list[Litestar] = []


def app_over(house: House, *, secure: bool = False, proxies: Networks = ()) -> Litestar:
    """The application of a house, without its life; its routes are built once for all tests."""
    if not BUILT:
        BUILT.append(create_app(Running(house)))
    app = copy(BUILT[0])
    app.state = kept_for(house, secure=secure, proxies=proxies)
    house.log.wrote = metrics.wrote  # each house has a journal of its own
    return app


class Office:
    """Asks for pages as anyone who belongs to the house."""

    def __init__(self, house: House, client: httpx.AsyncClient) -> None:
        self.house = house
        self._client = client
        self._tokens: dict[str, str] = {}

    async def enrol(self, person: str, *roles: Role, table: str = "") -> None:
        """Someone who belongs to the house; the first one founds it."""
        people = self.house.register.state.people
        if not people:
            await self.house.found(person, "founding-of-the-house")
            return
        manager = next(iter(people))
        kind: register.Kind = "staff" if roles else "patron"
        await self.house.give("register", register.Enrol(person, kind), manager, f"enrol-{person}")
        for role in roles:
            grant = register.Grant(person, role, table)
            await self.house.give("register", grant, manager, f"grant-{person}-{role}-{table}")

    def sign_in_again(self) -> None:
        """Everybody, at their next request: after a long while sessions have gone idle."""
        self._tokens.clear()

    def _headers(self, person: str) -> dict[str, str]:
        if not person:
            return HTML
        if person not in self._tokens:
            self._tokens[person] = SignIn(self.house).device(person, "", "")
        own = {"origin": BASE, "sec-fetch-site": "same-origin"}
        return {**HTML, **own, "cookie": f"session={self._tokens[person]}"}

    async def get(self, path: str, person: str = "", **headers: str) -> httpx.Response:
        return await self._client.get(path, headers={**self._headers(person), **headers})

    async def post(
        self, path: str, person: str = "", data: dict[str, str] | None = None
    ) -> httpx.Response:
        return await self._client.post(path, headers=self._headers(person), data=data or {})

    async def send(
        self, path: str, person: str, data: dict[str, str], files: dict[str, tuple[str, bytes, str]]
    ) -> httpx.Response:
        """A form with files, as a browser sends it."""
        parts = files or {"none": ("", b"", "application/octet-stream")}
        headers = self._headers(person)
        return await self._client.post(path, headers=headers, data=data, files=parts)

    async def json(self, path: str, person: str, body: object) -> httpx.Response:
        """A command of a program."""
        headers = {**self._headers(person), "Command-Id": "a-command-of-a-program"}
        return await self._client.post(path, headers=headers, json=body)


@asynccontextmanager
async def office_of(house: House) -> AsyncIterator[Office]:
    transport = httpx.ASGITransport(cast("Any", app_over(house)))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        yield Office(house, client)


def asked(
    where: Path, use: Callable[[Office], Awaitable[None]], *, clock: Time | None = None
) -> None:
    """Ask for pages of a house; mara founded it or does now, ann is a patron of it."""

    async def main(log: EventLog) -> None:
        async with office_of(house_over(log, (clock or Time()).clock)) as office:
            if "mara" not in office.house.register.state.people:
                await office.enrol("mara")
            await office.enrol("ann")
            await office.enrol("ines", Role.INSPECTOR, table="table-1")
            await use(office)

    using(str(where), main)


async def two_founders(office: Office) -> None:
    """Mara and fay found the house together, cass is there before either is a founder."""
    await office.enrol("cass", Role.CASHIER)
    await office.enrol("carl", Role.CASHIER)
    await office.enrol("sven", Role.SURVEILLANCE)
    await office.enrol("otto", Role.AUDITOR)
    await office.enrol("fay", Role.DEALER)
    await office.enrol("bob")
    for person in ("ann", "bob"):
        await office.house.give("cage", m.OpenAccount(person), "cass", f"account-{person}")
    await office.house.give("register", register.NameFounder("fay"), "mara", "second-founder")
