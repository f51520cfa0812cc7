"""What a visitor can do as a guest over HTTP, and that they can do nothing else by any route."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx

from puntobanco.house.access.guests import MOST_ASKED
from puntobanco.house.access.sign_in import OPEN_TO
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import open_bot_table, staff_table
from puntobanco.house.house import House
from puntobanco.journal.chain import Head
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.register import commands as register
from puntobanco.rules.notice import sample_notice
from puntobanco.table.state import LiveCoup
from tests.kit.house.driver import Time, house_over
from tests.kit.journal import using
from tests.kit.office import BASE, HTML, app_over, office_of

TABLE, OTHER, CENTS = "table-5", "table-1", 100_000
OWN = {"origin": BASE, "sec-fetch-site": "same-origin"}
ONCE = {"command-id": "guest-tries-it"}
MAY = {
    "sit",
    "leave",
    "place-wager",
    "change-wager",
    "withdraw-wager",
    "lay-wagers",
    "add-words",
    "bet-more",
    "bet",
    "lay",
}
"""Commands that are a guest's to give, and the two forms of the felt."""
FOR_STRANGERS = {
    f"{at}/{name}"
    for at in ("", "/api")
    for name in ("guest", "guest/leave", "sign-in", "sign-out")
}
PARTS = {
    "table": OTHER,
    "page_name": "player",
    "person": "guest-1",
    "name": "raise-dispute",
    "competition": "spring",
    "ruleset": "tas-2018",
    "clause": "tas-2018:9.4",
    "row": "3",
    "stream": "house",
    "number": "1",
    "coup": "1",
    "token": "0123456789ab",
    "device": "0123456789ab",
    "way": "buy",
    "at": "cage",
    "path": "1",
    "dispute": "1",
    "what": "table",
    "form": "entry",
    "proposal": "1",
    "topic": "drawing",
    "scene": "1",
    "paper": "entry-form",
    "file": "draw.csv",
}
"""What stands in the gaps of addresses."""


class Site:
    """A house with a table for money and one for guests, and visitors to it."""

    def __init__(self, house: House, client: httpx.AsyncClient, app: Any, time: Time) -> None:
        self.house, self.client, self.app, self.time = house, client, app, time
        self.bots = Bots(house)

    async def guest(self) -> dict[str, str]:
        """Press "Try a seat"; the headers with which a browser goes on."""
        answer = await self.client.post("/guest", headers={**HTML, **OWN})
        assert answer.status_code == 303, answer.text
        assert answer.headers["location"] == f"/tables/{TABLE}"
        cookie = answer.headers["set-cookie"]
        self.client.cookies.clear()  # or a stranger would send it too
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        return {**HTML, **OWN, "cookie": cookie.partition(";")[0]}

    def heads(self) -> dict[str, Head]:
        """Of all streams but the house's own, which may note that somebody tries too much."""
        log = self.house.log
        return {stream: log.head(stream) for stream in log.streams() if stream != HOUSE}

    @property
    def coup(self) -> LiveCoup:
        coup = self.house.tables[TABLE].state.coup
        assert coup is not None
        return coup

    async def until_betting(self) -> None:
        state = self.house.tables[TABLE].state
        while not (state.coup and not state.coup.locked):
            assert await self.bots.step(self.house.tables[TABLE])
            state = self.house.tables[TABLE].state


@asynccontextmanager
async def site_over(log: EventLog) -> AsyncIterator[Site]:
    time = Time()
    house = house_over(log, time.clock)
    await house.found("mara", "founding")
    for name, play in ((OTHER, 0), (TABLE, CENTS)):
        await staff_table(house, name, "mara", 4)
        await open_bot_table(house, name, sample_notice("tas-2018"), "mara", "monday", play)
    await house.give("register", register.SetGuests(TABLE, 2), "mara", "guests")
    app = app_over(house)
    transport = httpx.ASGITransport(cast("Any", app))
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
        yield Site(house, client, app, time)


def at_site(where: Path, use: Callable[[Site], Awaitable[None]]) -> None:
    async def main(log: EventLog) -> None:
        async with site_over(log) as site:
            await use(site)

    using(str(where / "house.db"), main)


def test_a_guest_sits_down_bets_and_leaves(tmp_path: Path) -> None:
    async def use(site: Site) -> None:
        before = (site.house.register.seq, site.house.cage.seq)
        headers = await site.guest()
        page = (await site.client.get(f"/tables/{TABLE}", headers=headers)).text
        assert 'action="/guest/leave"' in page
        assert "worth nothing" in page
        assert "/receipts" not in page
        assert "/account" not in page
        await site.until_betting()
        bet = {"on": "banker", "cents": "2500"}
        answer = await site.client.post(f"/tables/{TABLE}/bet", headers=headers, data=bet)
        assert answer.status_code == 303
        laid = [wager for wager in site.coup.wagers if wager.by == "guest-1"]
        assert [(wager.on, wager.cents) for wager in laid] == [("banker", 2500)]
        form = {"box": str(laid[0].box), "on": "banker"}
        taken = await site.client.post(
            f"/tables/{TABLE}/do/withdraw-wager", headers=headers, data=form
        )
        assert taken.status_code == 303
        again = await site.client.post("/guest", headers=headers)
        assert again.status_code == 303
        assert "set-cookie" not in again.headers, "whoever sits stays who they are"
        left = await site.client.post("/guest/leave", headers=headers)
        assert left.headers["location"] == "/"
        assert "guest-1" not in site.house.tables[TABLE].state.places
        assert (await site.client.get("/api/me", headers=headers)).status_code == 401
        assert (site.house.register.seq, site.house.cage.seq) == before

    at_site(tmp_path, use)


def test_a_guest_is_a_stranger_on_every_other_page(tmp_path: Path) -> None:
    """Every address that is asked for, with a guest's cookie and without any: the same answer."""

    async def use(site: Site) -> None:
        guest = await site.guest()
        open_to_guests = set()
        for path, handler in handlers(site.app, "GET"):
            if "{file" in path or path.startswith(("/live", "/schema", "/static")):
                continue
            address = filled_in(path)
            if "guest" in handler.opt.get(OPEN_TO, ()):
                open_to_guests.add(path)
                continue
            as_guest = await site.client.get(address, headers=guest)
            stranger = await site.client.get(address, headers=HTML)
            if path.startswith(("/odds", "/api/odds")) and as_guest.status_code == 403:
                continue  # nobody at a table is advised [act-2015:14.5(a)]
            assert as_guest.status_code == stranger.status_code, path
            assert ("guest-1" in as_guest.text) == ("guest-1" in stranger.text), path
        assert open_to_guests == {
            "/",
            "/tables/{table}",
            "/api/me",
            "/api/tables/{table}",
            "/api/tables/{table}/may",
        }

    at_site(tmp_path, use)


def test_nothing_else_is_a_guests_to_give(tmp_path: Path) -> None:
    """Every route that could change anything, at the guests' table and at another one."""

    async def use(site: Site) -> None:
        guest = await site.guest()
        given = {*[path for path, _ in handlers(site.app, "POST")]}
        tried = 0
        for path in sorted(given):
            for table in (OTHER, TABLE):
                own = table == TABLE and bool(set(path.split("/")) & MAY)
                if own or path in FOR_STRANGERS:
                    continue
                heads = site.heads()
                await site.time.sleep(0.2)  # nobody may try as fast as this test
                address = filled_in(path).replace(OTHER, table)
                answer = await site.client.post(
                    address, headers={**guest, **ONCE, "accept": "application/json"}, json={}
                )
                assert 400 <= answer.status_code < 500, (path, answer.status_code)
                assert site.heads() == heads, path
                tried += 1
        assert tried > 200

    at_site(tmp_path, use)


def test_every_command_of_a_table_is_refused_but_those_of_a_guest(tmp_path: Path) -> None:
    """By the form for any command, whose name is in the address."""

    async def use(site: Site) -> None:
        guest = await site.guest()
        may = (await site.client.get(f"/api/tables/{TABLE}/may", headers=guest)).json()
        theirs = [one for one in may if (one["why_not"] or {}).get("reason") != "not_your_role"]
        assert {one["command"] for one in theirs} == MAY - {"bet", "lay"}
        elsewhere = (await site.client.get(f"/api/tables/{OTHER}/may", headers=guest)).json()
        assert not [one for one in elsewhere if one["possible"]]

    at_site(tmp_path, use)


def test_another_sites_page_takes_no_seat_and_one_address_only_so_many(tmp_path: Path) -> None:
    async def use(site: Site) -> None:
        foreign = {**HTML, "origin": "http://elsewhere.test", "sec-fetch-site": "cross-site"}
        for path in ("/guest", "/api/guest"):
            assert (await site.client.post(path, headers=foreign)).status_code == 403
        for _ in range(MOST_ASKED):
            headers = await site.guest()
            await site.client.post("/guest/leave", headers=headers)
        answer = await site.client.post("/guest", headers={**HTML, **OWN})
        assert answer.status_code == 429
        assert "Try again in" in answer.text

    at_site(tmp_path, use)


def test_a_program_takes_a_guest_seat(tmp_path: Path) -> None:
    async def use(site: Site) -> None:
        seated = (await site.client.post("/api/guest")).json()
        bearer = {"authorization": f"Bearer {seated['token']}"}
        me = (await site.client.get("/api/me", headers=bearer)).json()
        assert (me["person"], me["roles"]) == ("guest-1", [])
        await site.until_betting()
        body = {"on": "player", "cents": 5000}
        answer = await site.client.post(
            f"/api/tables/{seated['table']}/bet-more", headers={**bearer, **ONCE}, json=body
        )
        assert answer.status_code == 200
        assert (await site.client.post("/api/guest/leave", headers=bearer)).status_code == 204
        assert (await site.client.get("/api/me", headers=bearer)).status_code == 401

    at_site(tmp_path, use)


def handlers(app: Any, method: str) -> list[tuple[str, Any]]:
    """Every address of the application that takes this method, with its handler."""
    found = []
    for route in app.routes:
        methods = getattr(route, "route_handler_map", None)
        if methods and method in methods:
            handler, *_ = methods[method]
            found.append((re.sub(r":\w+}", "}", route.path_format), handler))
    return found


def filled_in(path: str) -> str:
    return re.sub(r"{(\w+)}", lambda gap: PARTS.get(gap.group(1), "1"), path)


def test_the_test_knows_every_gap(tmp_path: Path) -> None:
    """An address whose gap is filled in at random would be refused for that alone."""

    async def use(site: Site) -> None:
        await asyncio.sleep(0)
        paths = [path for method in ("GET", "POST") for path, _ in handlers(site.app, method)]
        gaps = {gap for path in paths for gap in re.findall(r"{(\w+)}", path)}
        assert gaps - {"file_path"} <= set(PARTS)

    at_site(tmp_path, use)


def test_management_sees_who_they_are_and_gives_them_no_account(tmp_path: Path) -> None:
    async def use(site: Site) -> None:
        async with office_of(site.house) as office:
            listed = await office.get("/house/people", "mara")
            assert listed.status_code == 200
            assert "guest-1" in listed.text
            for path in ("name", "password", "slip"):
                refused = await office.post(f"/house/people/guest-1/{path}", "mara", {"name": "x"})
                assert refused.status_code == 409, path
                assert "not a person" in refused.text
            settings = await office.get("/house/settings", "mara")
            assert settings.status_code == 200
            assert TABLE in settings.text

    at_site(tmp_path, use)
