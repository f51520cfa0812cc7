"""The recorded sessions given again through the web: one house, a table for each, day after day."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, cast

import httpx
import msgspec
from msgspec.structs import replace

from puntobanco.house.running import Running
from puntobanco.house.virtual import opening as opening_of
from puntobanco.journal.log import EventLog
from puntobanco.rules.notice import sample
from puntobanco.server.app import create_app
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.session import DAY_MS, Played, parse_session, play_session
from tests.at_house import ROLES, Time, house_over
from tests.program import SHOES

SESSIONS = sorted(SHOES.glob("*.session"))
PATRONS = ("ann", "bob", "cy", "dee", "eve")
"""Eve belongs to the house and sits at no table."""
STAFF = {who: roles for who, roles in ROLES.items() if who != "jill"}
MANAGER = "max"
CENTS = 10**10


class Token(NamedTuple):
    """What a device has instead of a person."""

    scope: str
    table: str


class Asker:
    """A house on the web, asked in one loop with it: no thread, no chance, no clock but ours."""

    def __init__(self, log: EventLog, time: Time) -> None:
        self.log = log
        self.time = time
        self.house = house_over(log, time.clock)
        self.app = create_app(Running(self.house))
        self.desk = self.app.state.desk
        self.accepted: set[str] = set()
        """Paths of commands that were carried out at least once."""
        self.ids = (f"asked-{number:06}" for number in count(1))
        self._tokens: dict[str | Token, str] = {}
        transport = httpx.ASGITransport(cast("Any", self.app))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://house.test")

    def token(self, who: str | Token) -> str:
        """Good now: sessions of staff go idle while a recorded evening goes on."""
        signin = self.desk.office.signin
        held = self._tokens.get(who, "")
        if not signin.caller(held).person:
            if isinstance(who, Token):
                held = signin.device(MANAGER, who.scope, who.table)
            else:
                held = signin._begin(who)
            self._tokens[who] = held
        return held

    def headers(self, who: str | Token | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token(who)}"} if who else {}

    async def give(self, who: str, path: str, body: object = None) -> httpx.Response:
        """A command, under an id of its own."""
        headers = {**self.headers(who), "Command-Id": next(self.ids)}
        content = msgspec.json.encode(body if body is not None else {})
        headers["Content-Type"] = "application/json"
        answer = await self.client.post(f"/api{path}", content=content, headers=headers)
        if answer.status_code == 200:
            self.accepted.add(documented(path))
        return answer

    async def must(self, who: str, path: str, body: object = None) -> httpx.Response:
        answer = await self.give(who, path, body)
        assert answer.status_code == 200, (who, path, answer.text)
        return answer

    def heads(self) -> dict[str, int]:
        """How far every stream has come, the house's notes of itself aside."""
        streams: list[Any] = [self.house.register, self.house.cage, *self.house.tables.values()]
        return {one.name: self.log.head(one.name).seq for one in streams}


def documented(path: str) -> str:
    """A path as the API's description has it."""
    for found, name in PARAMETERS.items():
        path = re.sub(found, name, path)
    return path


PARAMETERS = {
    r"^/tables/[^/]+/": "/tables/{table}/",
    r"^/people/[^/]+/": "/people/{person}/",
    r"^/devices/[^/]+/": "/devices/{device}/",
}


@asynccontextmanager
async def asked(log: EventLog, time: Time) -> AsyncIterator[Asker]:
    asker = Asker(log, time)
    try:
        yield asker
    finally:
        await asker.client.aclose()


async def furnish(asker: Asker) -> None:
    """People with their roles and their money, as management and the cage would see to it."""
    await asker.house.found(MANAGER, "founding-of-the-house")
    for person, roles in STAFF.items():
        if person != MANAGER:
            await asker.must(MANAGER, "/register/enrol", {"person": person, "kind": "staff"})
            for role in roles:
                await asker.must(MANAGER, "/register/grant", {"person": person, "role": role})
    for person in PATRONS:
        await asker.must("carol", "/register/enrol", {"person": person, "kind": "patron"})
        await asker.must("carol", "/cage/open-account", {"person": person})
        await asker.must("carol", "/cage/deposit", {"person": person, "cents": CENTS})


def steps_of(file: Path, day: int) -> Iterator[Played]:
    """A session as it was recorded, on a day of its own."""
    session = parse_session(file.read_text())
    said = tuple(
        replace(one, by=replace(one.by, at_ms=one.by.at_ms + day * DAY_MS)) for one in session.said
    )
    return play_session(replace(session, said=said))


def table_of(file: Path) -> str:
    return f"table-{file.stem}"


async def replay(asker: Asker, file: Path, day: int) -> AsyncGenerator[Played, None]:
    """Give every command of a session; what was refused then is refused now, and changes nothing.

    In a house, the house itself commits to its own shoes: a session that does so plays by hand.
    """
    table = table_of(file)
    await asker.must(MANAGER, "/cage/open-tray", {"table": table, "cents": CENTS})
    for step in steps_of(file, day):
        asker.time.steady_ms = step.said.by.at_ms
        ask, who = step.ask, step.said.by.person
        if isinstance(ask, c.OpenCommitment):
            continue
        if isinstance(ask, c.Shuffle):
            ask = replace(ask, commitment="")
        if Role.HOUSE in step.said.by.roles:
            if step.events:
                await asker.house.at_table(table, ask, asker.house.clockwork, next(asker.ids))
        else:
            before = asker.heads()
            answer = await asker.give(who, f"/tables/{table}/{_tag(ask)}", ask)
            assert (answer.status_code == 200) == bool(step.events), (step.said, answer.text)
            assert step.events or asker.heads() == before
        yield step


def _tag(ask: msgspec.Struct) -> str:
    return str(ask.__struct_config__.tag)


async def the_rest(asker: Asker) -> None:
    """What no session has: the house's own shoe, slips and counts, people who come and go."""
    table = "table-own"
    await asker.must(MANAGER, "/cage/open-tray", {"table": table, "cents": CENTS})
    opening = c.OpenTable(sample("tas-2018"), "monday", "the house's own", effective="1 July 2018")
    at = f"/tables/{table}"
    for who, path, body in (
        ("mara", f"{at}/open-table", opening),
        ("dan", f"{at}/sign-on", {"role": "dealer"}),
        ("ines", f"{at}/sign-on", {"role": "inspector"}),
        ("ann", f"{at}/sit", {"seat": 1}),
        ("dan", f"{at}/check-cards", {"set_id": "set A", "player": "ann"}),
        ("dan", f"{at}/shuffle-house", None),
        ("ann", f"{at}/cut-cards", {"depth": 100, "seat": 1}),
        ("dan", f"{at}/load-shoe", {}),
        ("dan", f"{at}/buy-in", {"person": "ann", "cents": 10_000}),
        ("ann", f"{at}/ask-face-down", {}),
        ("mara", f"{at}/acknowledge-face-down", {"role": "management representative"}),
        ("sol", f"{at}/acknowledge-face-down", {"role": "surveillance"}),
        ("dan", f"{at}/set-face-down", {"down": True}),
        ("dan", f"{at}/open-coup", {}),
        ("ann", f"{at}/place-wager", {"box": 1, "on": "player", "cents": 2500}),
        *(("dan", f"{at}/deal", None) for _ in range(4)),
        ("dan", f"{at}/pass-cards", {"side": "player"}),
        ("ann", f"{at}/turn", {"position": 1}),
        ("otto", "/house/verification", {}),
        ("max", "/people/eve/name", {"name": "Somebody Else"}),
        ("carol", "/people/eve/pin", None),
        ("max", "/people/dora/password", None),
        ("max", "/people/eve/unlock", None),
        ("max", "/devices", {"table": table, "may": "watch"}),
        ("max", "/devices/000000000000/end", None),
        ("sol", f"{at}/record-incident", {"kind": "influence", "note": "seen"}),
        ("mara", "/cage/request-slip", {"kind": "fill", "table": table, "cents": 5000}),
        ("carol", "/cage/complete-slip", {"number": 1}),
        ("mara", "/cage/request-slip", {"kind": "credit", "table": table, "cents": 5000}),
        ("carol", "/cage/void-slip", {"number": 2, "note": "not wanted"}),
        ("mara", "/cage/count-tray", {"table": table, "counted_cents": 5000}),
        ("carol", "/cage/withdraw", {"person": "ann", "cents": 100}),
        ("max", "/register/disable", {"person": "eve", "note": "asked to leave"}),
        ("max", "/people/eve/erase", None),
        ("max", "/register/enable", {"person": "eve", "note": "came back"}),
        ("max", "/register/revoke", {"person": "dora", "role": "dealer"}),
        ("max", "/register/grant", {"person": "dora", "role": "dealer"}),
    ):
        await asker.must(who, path, body)
    await _end_shoe(asker, at)


async def _end_shoe(asker: Asker, at: str) -> None:
    """Deal the coup to its end, and open what the house had committed to."""
    stream = asker.house.tables[at.removeprefix("/tables/")]
    for _ in range(8):
        await asker.give("dan", f"{at}/deal")
        await asker.give("dan", f"{at}/pass-cards", {"side": "player"})
    for who, name in (("dan", "declare-result"), ("dan", "end-coup")):
        await asker.must(who, f"{at}/{name}", {})
    order = asker.house.order(stream.state)
    await asker.must("ines", f"{at}/end-shoe", {"note": "the shoe is worn"})
    await asker.must("dan", f"{at}/open-commitment", opening_of(order))
