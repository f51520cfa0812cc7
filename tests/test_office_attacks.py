"""The house on the web under attack: many at once, old previews, devices, idle pages."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from puntobanco.cage import messages as cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.house import House
from puntobanco.house.running import Running
from puntobanco.journal.log import EventLog
from puntobanco.register import messages as register
from puntobanco.rules.ruleset import Bet
from puntobanco.server.app import create_app
from puntobanco.server.office import Office
from puntobanco.server.signin import LOCK_AT, STAFF_IDLE_MS, Caller, Scope, SignIn, kind_of
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.at_house import Time
from tests.test_bots import evening
from tests.test_house import using

TABLE = "table-1"


class Site:
    """A house of bots with ann, dan and mara in it, and its web application without a socket."""

    def __init__(self, house: House, time: Time) -> None:
        self.house = house
        self.time = time
        self.signin = SignIn(house)
        self.office = Office(house, self.signin)
        self.app = create_app(Running(house))

    def caller(self, person: str, scope: Scope = "") -> Caller:
        return self.signin.caller(self.signin._begin(person, scope, TABLE if scope else ""))

    def client(self, person: str, scope: Scope = "") -> httpx.AsyncClient:
        token = self.signin._begin(person, scope, TABLE if scope else "")
        transport = httpx.ASGITransport(cast("Any", self.app))
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.AsyncClient(transport=transport, base_url="http://x", headers=headers)

    async def do(self, person: str, ask: c.TableCommand) -> None:
        by = self.house.actor(person, TABLE)
        await self.house.at_table(TABLE, ask, by, self.house.own_id("t"))


@asynccontextmanager
async def site(log: EventLog) -> AsyncIterator[Site]:
    bots = await evening(log, 1, "tas-2018")
    house, time = bots.house, Time(10**9)
    house.time._clock = time.clock
    for person, kind, role in (
        ("dan", "staff", Role.DEALER),
        ("ines", "staff", Role.INSPECTOR),
        ("ann", "patron", None),
    ):
        await house.at_register(register.Enrol(person, kind), "mara", f"e-{person}")  # type: ignore[arg-type]
        if role:
            await house.at_register(register.Grant(person, role), "mara", f"g-{person}")
    one = Site(house, time)
    await one.do("dan", c.SignOn(Role.DEALER))
    await one.do("ines", c.SignOn(Role.INSPECTOR))
    cashier = house.actor("bot-cashier")
    await house.at_cage(cage.OpenAccount("ann"), cashier, "account-ann")
    await house.at_cage(cage.Deposit("ann", 10_000_000), cashier, "money-ann")
    await one.do("ann", c.Sit(1))
    await one.do("dan", c.BuyIn(1_000_000, "ann"))
    yield one


async def open_bets(site: Site) -> None:
    """A shoe of the house's own, and a coup to bet on."""
    await site.do("dan", c.CheckCards("set 1", player="ann"))
    await site.house.shuffle(TABLE, site.house.actor("dan", TABLE), "shuffle")
    for ask in (c.CutCards(100, 1), c.LoadShoe(), c.OpenCoup()):
        await site.do("dan", ask)


def test_guesses_made_at_once_count_one_by_one(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one:
            pin = one.signin.new_pin("ann")
            wrong = "000000" if pin != "000000" else "111111"

            async def guess() -> Reason:
                with pytest.raises(Refused) as caught:
                    await one.signin.sign_in("ann", "pin", wrong, "10.0.0.9")
                return caught.value.reason

            reasons = await asyncio.gather(*(guess() for _ in range(30)))
            assert reasons.count(Reason.SIGN_IN_FAILED) == 3  # then one must wait
            for _ in range(LOCK_AT):
                one.time.steady_ms += 3_600_000
                await asyncio.gather(*(guess() for _ in range(5)))
            held = one.house.people.credential("ann", "pin")
            assert held is not None
            assert held.failures == LOCK_AT

    using(str(tmp_path / "house.db"), use)


def test_chips_put_down_at_once_all_lie_there_and_a_repeated_one_once(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one:
            await open_bets(one)
            ann = one.caller("ann")
            bets = (one.office.bet(ann, TABLE, Bet.PLAYER, 2500, f"chip-{n}") for n in range(6))
            await asyncio.gather(*bets)
            first = await one.office.bet(ann, TABLE, Bet.PLAYER, 2500, "chip-again")
            again = await one.office.bet(ann, TABLE, Bet.PLAYER, 2500, "chip-again")
            assert again == first
            coup = one.house.tables[TABLE].state.coup
            assert coup is not None
            assert [wager.cents for wager in coup.wagers if wager.by == "ann"] == [7 * 2500]

    using(str(tmp_path / "house.db"), use)


def test_what_is_confirmed_is_what_was_shown_or_nothing(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("ines") as ines:
            await open_bets(one)
            ann = one.caller("ann")
            await one.office.bet(ann, TABLE, Bet.PLAYER, 2500, "chip-one")
            path = f"/tables/{TABLE}/do/void-coup"
            html = {"accept": "text/html"}
            form = {"cause": "disrupted", "note": "a glass fell over"}
            page = await ines.post(path, data={**form, "preview": "1"}, headers=html)
            hidden = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', page.text))
            assert "ann" in page.text
            seq = one.house.tables[TABLE].seq
            await one.office.bet(ann, TABLE, Bet.PLAYER, 2500, "chip-two")
            late = await ines.post(path, data={**hidden, "command_id": "confirm-1"})
            assert late.json()["reason"] == "not_as_shown"
            assert one.house.tables[TABLE].seq == seq + 1
            page = await ines.post(path, data={**form, "preview": "1"}, headers=html)
            hidden = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', page.text))
            done = await ines.post(path, data={**hidden, "command_id": "confirm-2"})
            assert done.status_code == 200
            assert done.json()["happened"][0]["is"] == "proposed"

    using(str(tmp_path / "house.db"), use)


DRAWN = (
    *("deal", "draw-card", "turn-card", "turn", "deal-carried", "burn-cards"),
    *("see-marker", "see-indicator"),
)
UNREAD = ("token_not_for_this", "malformed", "not_found")


@pytest.mark.parametrize("scope", ["draw", "watch"])
def test_a_device_does_only_what_its_token_is_for(tmp_path: Path, scope: Scope) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("mara", scope) as device:
            schema = (await device.get("/api/schema/openapi.json")).json()
            for path, operations in schema["paths"].items():
                if "post" not in operations:
                    continue
                where = path.replace("{table}", TABLE)
                headers = {"Command-Id": one.house.own_id("device")}
                answer = await device.post(where, json={}, headers=headers)
                allowed = scope == "draw" and path.rpartition("/")[2] in DRAWN
                refused = answer.json()["reason"] in (
                    "token_not_for_this",
                    "malformed",
                    "not_found",
                )
                assert answer.status_code != 200 or allowed, path
                assert refused or allowed, (path, answer.text)
            for path in ("dealer", "pit", "do", "receipts", "journal"):
                page = await device.get(f"/tables/{TABLE}/{path}")
                assert page.status_code == 403, path
            assert (await device.get("/house")).status_code == 403
            shuffle = {"Command-Id": "shuffle-by-device"}
            answer = await device.post(f"/api/tables/{TABLE}/shuffle-house", headers=shuffle)
            assert answer.json()["reason"] == "token_not_for_this"

    using(str(tmp_path / "house.db"), use)


def test_a_page_that_follows_the_house_keeps_nobody_signed_in(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("mara") as mara:
            for _ in range(20):  # the page asks for itself every minute, and nobody is there
                one.time.steady_ms += STAFF_IDLE_MS // 10
                await mara.get("/house", headers={"follows": "1", "accept": "text/html"})
            assert (await mara.get("/api/me")).status_code == 401

    using(str(tmp_path / "house.db"), use)


def test_a_form_is_shown_to_whoever_may_give_the_command_and_tells_patrons_of_nobody(
    tmp_path: Path,
) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("ann") as ann, one.client("ines") as ines:
            html = {"accept": "text/html"}
            refused = await ann.get(f"/tables/{TABLE}/do/exclude", headers=html)
            assert refused.status_code == 403
            own = await ann.get(f"/tables/{TABLE}/do/raise-dispute", headers=html)
            assert own.status_code == 200
            assert "bot-2" not in own.text
            staff = await ines.get(f"/tables/{TABLE}/do/exclude", headers=html)
            assert "ann" in staff.text

    using(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize(
    ("secret", "kind"),
    [("123456", "pin"), ("1234567", "password"), ("123456789012345678", "password")],
)
def test_a_password_of_digits_is_a_password(secret: str, kind: str) -> None:
    assert kind_of(secret) == kind
