"""The house on the web under attack: many at once, old previews, devices, idle pages."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from puntobanco.cage import commands as cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.secrets import kind_of
from puntobanco.house.access.door.throttle import LOCK_AT
from puntobanco.house.access.sign_in import STAFF_IDLE_MS, Caller, Scope, SignIn
from puntobanco.house.house import House
from puntobanco.house.intents import BetMore, Deal, ShuffleHouse
from puntobanco.house.lookback.receipts import is_for, is_own
from puntobanco.journal.envelope import decode
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.server import files
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.board import LiveScreen
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.session import parse_session, play_session
from tests.kit.house.driver import Time
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.office import app_over
from tests.kit.places import PLAYTHROUGHS

TABLE = "table-1"


class Site:
    """A house of bots with ann, dan and mara in it, and its web application without a socket."""

    def __init__(self, house: House, time: Time) -> None:
        self.house = house
        self.time = time
        self.signin = SignIn(house)
        self.gateway = Gateway(house, self.signin)
        self.app = app_over(house)

    def caller(self, person: str, scope: Scope = "") -> Caller:
        return self.signin.caller(self.signin._begin(person, scope, TABLE if scope else ""))

    def client(self, person: str, scope: Scope = "") -> httpx.AsyncClient:
        token = self.signin._begin(person, scope, TABLE if scope else "")
        transport = httpx.ASGITransport(cast("Any", self.app))
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.AsyncClient(transport=transport, base_url="http://x", headers=headers)

    async def do(self, person: str, ask: c.TableCommand) -> None:
        by = self.house.actor(person, TABLE)
        await self.house.give(TABLE, ask, by.person, self.house.own_id("t"))


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
        await house.give("register", register.Enrol(person, kind), "mara", f"e-{person}")  # type: ignore[arg-type]
        if role:
            await house.give("register", register.Grant(person, role), "mara", f"g-{person}")
    one = Site(house, time)
    await one.do("dan", c.SignOn(Role.DEALER))
    await one.do("ines", c.SignOn(Role.INSPECTOR))
    cashier = house.actor("bot-cashier")
    await house.give("cage", cage.OpenAccount("ann"), cashier.person, "account-ann")
    await house.give("cage", cage.Deposit("ann", 10_000_000), cashier.person, "money-ann")
    await one.do("ann", c.Sit(1))
    await one.do("dan", c.BuyIn(1_000_000, "ann"))
    yield one


async def open_bets(site: Site) -> None:
    """A shoe of the house's own, and a coup to bet on."""
    await site.do("dan", c.CheckCards("set 1", player="ann"))
    await site.house.give(TABLE, ShuffleHouse(), "dan", "shuffle")
    for ask in (c.CutCards(100, 1), c.LoadShoe(), c.OpenCoup()):
        await site.do("dan", ask)


def test_guesses_made_at_once_count_one_by_one(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one:
            pin = await one.signin.issue_pin("ann", "mara")
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
            bets = (
                one.gateway.give(ann, TABLE, BetMore(Bet.PLAYER, 2500), f"chip-{n}")
                for n in range(6)
            )
            await asyncio.gather(*bets)
            first = await one.gateway.give(ann, TABLE, BetMore(Bet.PLAYER, 2500), "chip-again")
            again = await one.gateway.give(ann, TABLE, BetMore(Bet.PLAYER, 2500), "chip-again")
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
            await one.gateway.give(ann, TABLE, BetMore(Bet.PLAYER, 2500), "chip-one")
            path = f"/tables/{TABLE}/do/void-coup"
            html = {"accept": "text/html"}
            form = {"cause": "disrupted", "note": "a glass fell over"}
            page = await ines.post(path, data={**form, "preview": "1"}, headers=html)
            hidden = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', page.text))
            assert "ann" in page.text
            seq = one.house.tables[TABLE].seq
            await one.gateway.give(ann, TABLE, BetMore(Bet.PLAYER, 2500), "chip-two")
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
FOR_STRANGERS = ("/api/guest", "/api/sign-in/passkey")
UNREAD = ("token_not_for_this", "malformed", "not_found")


@pytest.mark.parametrize("scope", ["draw", "watch"])
def test_a_device_does_only_what_its_token_is_for(tmp_path: Path, scope: Scope) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("mara", scope) as device:
            schema = (await device.get("/api/schema/openapi.json")).json()
            for path, operations in schema["paths"].items():
                if "post" not in operations or path in FOR_STRANGERS:
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
            path = f"/api/tables/{TABLE}/shuffle-house"
            answer = await device.post(path, json={}, headers=shuffle)
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


def test_no_id_from_outside_can_be_one_of_the_houses_own(tmp_path: Path) -> None:
    """Whoever could use up the ids of its clock and bots could stop the house."""

    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("ann") as ann:
            own = one.house.own_id("bot")
            body = {"about": "nothing"}
            path = f"/api/tables/{TABLE}/raise-dispute"
            answer = await ann.post(path, json=body, headers={"Command-Id": own})
            assert answer.status_code == 400
            form = {"command_id": own, "about": "nothing"}
            answer = await ann.post(f"/tables/{TABLE}/do/raise-dispute", data=form)
            assert answer.status_code == 400
            await ann.post(f"/tables/{TABLE}/do/raise-dispute", data={"about": "nothing"})
            row = next(log.read(TABLE, one.house.tables[TABLE].seq - 1))
            assert one.house._ident not in row.command_id

    using(str(tmp_path / "house.db"), use)


async def nobody_comes_in(site: Site, trying: asyncio.Task[str]) -> None:
    """A sign-in by what is void now is refused, or was in time and its session is over."""
    with suppress(Refused):
        assert site.signin.caller(await trying) == Caller()


def test_a_sign_in_under_way_undoes_no_reset(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one:
            old = await one.signin.issue_pin("ann", "mara")
            trying = asyncio.create_task(one.signin.sign_in("ann", "pin", old, "10.0.0.9"))
            await asyncio.sleep(0)
            fresh = await one.signin.issue_pin("ann", "mara")
            await nobody_comes_in(one, trying)
            with pytest.raises(Refused):
                await one.signin.sign_in("ann", "pin", old, "10.0.0.9")
            assert await one.signin.sign_in("ann", "pin", fresh, "10.0.0.9")
            trying = asyncio.create_task(one.signin.sign_in("ann", "pin", old, "10.0.0.9"))
            await asyncio.sleep(0)
            await one.signin.erase("ann", "mara")
            await nobody_comes_in(one, trying)
            assert one.house.people.credential("ann", "pin") is None
            assert one.signin.caller("").person == ""

    using(str(tmp_path / "house.db"), use)


STAFF_ONLY = (
    *("/house/people/dan/password", "/house/people/dan/unlock", "/house/people/dan/name"),
    *("/house/people/dan/erase", "/house/people/dan/slip", "/house/devices"),
    *("/api/people/dan/password", "/api/people/dan/pin", "/api/people/dan/erase", "/api/devices"),
)


@pytest.mark.parametrize("path", STAFF_ONLY)
def test_the_cage_sees_to_patrons_and_to_no_staff(tmp_path: Path, path: str) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one:
            await one.house.give("register", register.Enrol("carol", "staff"), "mara", "e-carol")
            grant = register.Grant("carol", Role.CASHIER)
            await one.house.give("register", grant, "mara", "g-carol")
            async with one.client("carol") as carol, one.client("ann") as ann:
                form = {"sure": "dan", "name": "X", "scope": "draw", "table": TABLE}
                body: dict[str, Any] = {"json": {"table": TABLE, "may": "draw"}}
                for client in (carol, ann):
                    sent = body if path.startswith("/api") else {"data": form}
                    answer = await client.post(path, **sent)
                    assert answer.status_code == 403, answer.text
                assert (await ann.get("/house/people/dan")).status_code == 403
                assert one.house.people.credential("dan", "pin") is None

    using(str(tmp_path / "house.db"), use)


def test_what_people_are_called_is_text_and_nothing_else(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("mara") as mara:
            name = "<script>alert(1)</script>"
            await mara.post("/house/people/ann/name", data={"name": name, "contact": name})
            page = await mara.get("/house/people/ann", headers={"accept": "text/html"})
            assert name not in page.text
            assert "&lt;script&gt;" in page.text
            table = one.house.tables[TABLE]
            viewer = one.gateway.viewer(one.caller("mara"), table)
            live = one.app.state.live_pages.regions(LiveScreen("pit"), table, viewer)
            assert "<script>" not in "".join(live.values())

    using(str(tmp_path / "house.db"), use)


PAGE_JS = files.address("page.js")


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/api/me", "/api/nothing", "/house", PAGE_JS, "/static/x"]
)
def test_every_answer_carries_what_protects_its_reader(tmp_path: Path, path: str) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("ann") as ann:
            answer = await ann.get(path)
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["x-content-type-options"] == "nosniff"
            kept = "max-age=31536000, public, immutable" if path == PAGE_JS else "no-store"
            assert answer.headers["cache-control"] == kept

    using(str(tmp_path / "house.db"), use)


def test_a_password_is_changed_by_whoever_knows_it_and_nobody_unlocks_themselves(
    tmp_path: Path,
) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("mara") as mara:
            await one.signin.set_password("mara", "the password until now", "mara")
            mara.headers["Authorization"] = f"Bearer {one.signin._begin('mara')}"
            form = {"old": "a wrong one altogether", "new": "something else to remember"}
            assert (await mara.post("/account/password", data=form)).status_code == 401
            assert (await mara.post("/house/people/mara/unlock")).status_code == 409
            assert (await mara.post("/house/people/mara/password")).status_code == 409
            long = {"old": "the password until now", "new": "x" * 300}
            assert (await mara.post("/account/password", data=long)).status_code == 409
            good = {"old": "the password until now", "new": "eighteen of something"}
            assert (await mara.post("/account/password", data=good)).status_code == 303
            sign_in = {"who": "mara", "secret": "eighteen of something"}
            foreign = await mara.post("/sign-in", data=sign_in, headers={"origin": "http://y"})
            assert foreign.status_code == 403
            headers = {"origin": "http://x"}
            answer = await mara.post("/sign-in", data=sign_in, headers=headers)
            assert answer.status_code == 303
            cookie = answer.headers["set-cookie"].lower()
            assert "httponly" in cookie
            assert "samesite=strict" in cookie

    using(str(tmp_path / "house.db"), use)


def test_chips_are_bought_for_oneself_and_a_device_is_good_at_its_own_table(
    tmp_path: Path,
) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one:
            await one.do("dan", c.SignOff())
            by = one.house.actor("bot-dealer-table-1", TABLE)
            await one.house.give(TABLE, c.SignOn(Role.DEALER), by.person, "on")
            before = dict(one.house.tables[TABLE].state.chips)
            async with one.client("ann") as ann:
                form = {"cents": "5000", "person": "bot-2-table-1", "command_id": "buy-chips"}
                answer = await ann.post(f"/tables/{TABLE}/chips/buy", data=form)
                assert answer.status_code == 200, answer.text
            chips = one.house.tables[TABLE].state.chips
            assert chips["ann"] == before["ann"] + 5000
            token = one.signin.device("mara", "draw", "table-other")
            with pytest.raises(Refused) as caught:
                one.gateway.drawer(one.signin.caller(token), TABLE)
            assert caught.value.reason is Reason.TOKEN_NOT_FOR_THIS

    using(str(tmp_path / "house.db"), use)


def test_a_patron_reads_of_nobody_elses_wager(tmp_path: Path) -> None:
    """Whoever turns the fourth card gives the command that settles everybody's pairs
    [act-2015:9.9]: neither its answer nor its receipt tells them of the others.
    """
    played = play_session(parse_session((PLAYTHROUGHS / "canberra-2015.session").read_text()))
    events = [one for step in played for one in step.events]
    owned = [one for one in events if getattr(one, "wager", None)]
    assert len(owned) > 20
    assert all(is_for(one, one.wager.by) and not is_for(one, "somebody") for one in owned)  # type: ignore[union-attr]
    assert all(is_for(one, "somebody") for one in events if not hasattr(one, "wager"))

    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("ann") as ann:
            await open_bets(one)
            by = one.house.actor("dan", TABLE)
            wager = c.PlaceWager(1, Bet.PLAYER, 2500, "ann")
            await one.house.give(TABLE, wager, by.person, "for-ann")
            body = {"box": 1, "on": "player"}
            path = f"/api/tables/{TABLE}/withdraw-wager"
            done = await ann.post(path, json=body, headers={"Command-Id": "own-wager-1"})
            seq = done.json()["seq"]
            own = await ann.get(f"/api/tables/{TABLE}/receipts/{seq}")
            assert own.status_code == 200
            row = next(log.read(TABLE, seq - 1))
            assert is_own(row, "ann")
            assert not is_own(row, "somebody")

    using(str(tmp_path / "house.db"), use)


def test_a_slip_of_the_pen_excludes_nobody(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one:
            ines = one.caller("ines")
            seq = one.house.tables[TABLE].seq
            with pytest.raises(Refused) as caught:
                await one.gateway.give(ines, TABLE, c.Exclude("anne", "loud"), "exclude-anne")
            assert caught.value.reason is Reason.NOT_ENROLLED
            assert one.house.tables[TABLE].seq == seq
            await one.gateway.give(ines, TABLE, c.Exclude("ann", "loud"), "exclude-ann")
            assert "ann" in one.house.tables[TABLE].state.excluded

    using(str(tmp_path / "house.db"), use)


def test_of_fifty_deals_pressed_after_the_same_card_one_counts(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one, one.client("dan") as dan:
            await open_bets(one)
            await one.gateway.give(one.caller("ann"), TABLE, BetMore(Bet.PLAYER, 2500), "a-bet-1")
            await one.do("dan", c.NoMoreBets())
            dealt = (await dan.get(f"/api/tables/{TABLE}")).json()["dealt"]
            path = f"/api/tables/{TABLE}/deal?dealt={dealt}"
            answers = await asyncio.gather(
                *(
                    dan.post(path, json={}, headers={"Command-Id": f"deal-{n:04}"})
                    for n in range(50)
                )
            )
            told = [answer.json().get("reason", "") for answer in answers]
            assert sorted(told) == ["", *["dealt_already"] * 49]
            coup = one.house.tables[TABLE].state.coup
            assert coup is not None
            assert len(coup.drawn) == 1
            which = told.index("")
            again = await dan.post(path, json={}, headers={"Command-Id": f"deal-{which:04}"})
            assert again.json() == answers[which].json()  # the same press again: its first outcome
            form = {"command_id": "pressed-again", "dealt": dealt, "page": "dealer"}
            late = await dan.post(f"/tables/{TABLE}/do/deal", data=form)
            assert late.json()["reason"] == "dealt_already"
            page = await dan.get(f"/tables/{TABLE}/dealer", headers={"accept": "text/html"})
            coups = one.house.tables[TABLE].state.coup_number
            assert f'name="dealt" value="{coups}.1"' in page.text

    using(str(tmp_path / "house.db"), use)


def test_what_a_device_draws_is_on_record_as_its_own_for_the_dealer_on_duty(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        async with site(log) as one:
            await open_bets(one)
            await one.gateway.give(one.caller("ann"), TABLE, BetMore(Bet.PLAYER, 2500), "a-bet-1")
            await one.do("dan", c.NoMoreBets())
            shoe = one.caller("mara", "draw")
            assert shoe.session is not None
            for who, number in ((shoe, 1), (one.caller("dan"), 2)):
                await one.gateway.give(who, TABLE, Deal(), f"card-{number}")
            rows = {row.command_id: row for row in log.read(TABLE)}
            by_device, by_hand = (
                decode(rows[f"card-{number}"].command or b"").by for number in (1, 2)
            )
            assert rows["card-1"].actor == "dan"
            assert (by_device.device, by_hand.device) == (shoe.session.token[:12], "")
            assert b"device" not in (rows["card-2"].command or b"")  # as it was always stored

    using(str(tmp_path / "house.db"), use)
