"""People sign in through the API: tokens of limited scope and life, throttled as at the page."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from puntobanco.house.access import desk
from puntobanco.house.access.sign_in import LONGEST_MS, OPEN_TO, STAFF_IDLE_MS
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import facts_in
from puntobanco.register import commands as register
from tests.kit.house.sign_in import PASSWORD, Door, noted
from tests.kit.journal import using
from tests.kit.office import app_over

MINUTE_MS = 60_000
STRANGERS = {"/api/sign-in/passkey", "/api/sign-in", "/api/guest"}
"""What is a POST of somebody who has no token yet: one that is sent along is not looked at."""
TAKEN = {"/api/sign-out", "/sign-out", "/api/odds/course"}
"""What is a POST and changes nothing, or only who is signed in."""
PREVIEW = "/preview"
"""So end the paths by which nothing happens."""


class Programs:
    """Programs that ask a house for tokens, and use them."""

    def __init__(self, door: Door, client: httpx.AsyncClient) -> None:
        self.door = door
        self.client = client
        self.app: Any = None
        self._asked = 0

    async def sign_in(self, who: str, secret: str, **more: object) -> httpx.Response:
        return await self.client.post("/api/sign-in", json={"who": who, "secret": secret, **more})

    async def token(self, who: str, secret: str = PASSWORD, **more: object) -> str:
        answer = await self.sign_in(who, secret, **more)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["token"])

    async def get(self, token: str, path: str) -> httpx.Response:
        return await self.client.get(path, headers={"Authorization": f"Bearer {token}"})

    async def post(self, token: str, path: str, body: object = None) -> httpx.Response:
        self._asked += 1
        headers = {"Authorization": f"Bearer {token}", "Command-Id": f"program-{self._asked}"}
        return await self.client.post(path, json=body or {}, headers=headers)

    async def is_good(self, token: str) -> bool:
        return (await self.get(token, "/api/me")).status_code == 200


def with_programs(tmp_path: Path, use: Callable[[Programs], Awaitable[None]]) -> None:
    async def main(log: EventLog) -> None:
        door = await Door(log).open()
        app = app_over(door.house)
        transport = httpx.ASGITransport(cast("Any", app), client=("10.0.0.9", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as client:
            programs = Programs(door, client)
            programs.app = app
            await use(programs)

    using(str(tmp_path / "house.db"), main)


def reason(answer: httpx.Response) -> str:
    return str(answer.json()["reason"])


def test_a_token_is_good_until_its_time_is_over_idle_or_not(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        door = programs.door
        answer = await programs.sign_in("dan", PASSWORD, minutes=30)
        signed = answer.json()
        assert signed["person"] == "dan"
        assert signed["until_ms"] == door.house.time.now_ms() + 30 * MINUTE_MS
        token = signed["token"]
        assert (await programs.get(token, "/api/me")).json()["person"] == "dan"
        door.later(STAFF_IDLE_MS * 2)
        assert await programs.is_good(token)
        door.later(30 * MINUTE_MS - STAFF_IDLE_MS * 2 - 1)
        assert await programs.is_good(token)
        door.later(1)
        assert not await programs.is_good(token)

    with_programs(tmp_path, use)


@pytest.mark.parametrize("minutes", [0, -1, LONGEST_MS // MINUTE_MS + 1, 1.5, "60"])
def test_no_token_is_good_for_ever(tmp_path: Path, minutes: object) -> None:
    async def use(programs: Programs) -> None:
        answer = await programs.sign_in("dan", PASSWORD, minutes=minutes)
        assert (answer.status_code, reason(answer)) == (400, "malformed")
        assert programs.door.house.people.sessions_of("dan") == []

    with_programs(tmp_path, use)


def test_failures_count_together_at_the_page_and_at_the_api(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        own = {"origin": "http://house.test", "accept": "application/json"}
        for number in range(3):
            if number % 2:
                form = {"who": "dan", "secret": "wrong"}
                answer = await programs.client.post("/sign-in", data=form, headers=own)
            else:
                answer = await programs.sign_in("dan", "wrong")
            assert (answer.status_code, reason(answer)) == (401, "sign_in_failed")
        answer = await programs.sign_in("dan", PASSWORD)
        assert (answer.status_code, reason(answer)) == (429, "sign_in_wait")
        failures = [one for one in noted(programs.door.log) if one["is"] == "sign-in-failed"]
        assert [one["failures"] for one in failures] == [1, 2, 3]
        assert {one["address"] for one in failures} == {"10.0.0.9"}
        nobody = await programs.sign_in("nobody", "wrong")
        assert (nobody.status_code, reason(nobody)) == (401, "sign_in_failed")

    with_programs(tmp_path, use)


def test_a_token_to_read_gives_no_command_at_all(tmp_path: Path) -> None:
    """Every operation that is a POST is refused, but for those that change nothing."""

    async def use(programs: Programs) -> None:
        await programs.door.signin.set_password("max", PASSWORD, "mara")
        token = await programs.token("max", scope="read")
        assert (await programs.get(token, "/api/register")).status_code == 200
        described = (await programs.client.get("/api/schema/openapi.json")).json()
        posts = [path for path, operations in described["paths"].items() if "post" in operations]
        refused = {"token_not_for_this", "malformed"}  # a body is read before it is known whose
        for path in posts:
            if path in TAKEN | STRANGERS or path.endswith(PREVIEW):
                continue
            assert reason(await programs.post(token, _filled(path))) in refused, path
        assert (await programs.post(token, "/api/sign-out")).status_code == 204
        assert not await programs.is_good(token)

    with_programs(tmp_path, use)


def test_no_route_is_open_to_a_token_to_read_but_those_that_change_nothing(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        open_to_read = {
            route.path
            for route in programs.app.routes
            for handler in getattr(route, "route_handlers", ())
            if "read" in handler.opt.get(OPEN_TO, ())
        }
        beside = {path for path in open_to_read if not path.endswith(PREVIEW)}
        assert beside == TAKEN

    with_programs(tmp_path, use)


def _filled(path: str) -> str:
    names = {"{table}": "table-1", "{person}": "ann", "{device}": "0" * 12, "{token}": "0" * 12}
    names |= {"{row}": "1", "{number}": "1"}
    for name, value in names.items():
        path = path.replace(name, value)
    return path


def test_a_token_to_play_takes_a_seat_and_nothing_beside_the_table(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        door = programs.door
        token = await programs.token("ann", door.pin, scope="play")
        seats = door.house.tables["table-1"].state.seated
        seat = next(number for number in range(1, 8) if number not in seats)
        answer = await programs.post(token, "/api/tables/table-1/sit", {"seat": seat})
        assert answer.status_code == 200, answer.text
        for path in ("/api/me/password", "/api/me/tokens/000000000000/end", "/api/cage/withdraw"):
            assert reason(await programs.post(token, path)) == "token_not_for_this"
        everything = await programs.token("ann", door.pin)
        assert (await programs.post(everything, "/api/tables/table-1/leave")).status_code == 200

    with_programs(tmp_path, use)


def test_a_patrons_slip_signs_in_by_its_code_or_by_its_pin(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        slip = await programs.door.signin.issue_slip("ann", "mara", "card", "pin")
        person, _, code = slip["card"].partition(".")
        assert reason(await programs.sign_in(person, code)) == "sign_in_failed"
        token = await programs.token(person, code, how="card")
        assert await programs.is_good(token)
        assert reason(await programs.sign_in(person, slip["pin"])) == "slip_used"
        await programs.post(token, "/api/me/pin", {"new": "907132"})
        assert await programs.is_good(token)
        assert await programs.is_good(await programs.token(person, "907132"))

    with_programs(tmp_path, use)


def test_a_token_to_play_is_for_patrons(tmp_path: Path) -> None:
    """A dealer places wagers for others, which are not their own."""

    async def use(programs: Programs) -> None:
        answer = await programs.sign_in("dan", PASSWORD, scope="play")
        assert (answer.status_code, reason(answer)) == (403, "not_your_role")
        assert programs.door.house.people.sessions_of("dan") == []

    with_programs(tmp_path, use)


def test_ones_own_tokens_are_listed_and_ended_and_nobody_elses(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        door = programs.door
        kept = await programs.token("dan")
        door.later(10)
        lost = await programs.token("dan", scope="read")
        others = await programs.token("ann", door.pin)
        listed = (await programs.get(kept, "/api/me/tokens")).json()
        assert [(one["scope"], one["is_this"]) for one in listed] == [
            ("all", True),
            ("read", False),
        ]
        anns = (await programs.get(others, "/api/me/tokens")).json()[0]["name"]
        for name in (listed[1]["name"], anns):
            answer = await programs.post(kept, f"/api/me/tokens/{name}/end")
            assert [one["is_this"] for one in answer.json()] == [True]
        assert not await programs.is_good(lost)
        assert await programs.is_good(others)
        assert (await programs.post(kept, "/api/sign-out")).status_code == 204
        assert not await programs.is_good(kept)

    with_programs(tmp_path, use)


CLOSED = (
    *("/api/tables/table-1/sign-on", "/api/tables/table-1/sign-on/preview", "/api/odds/course"),
    *("/api/me/tokens/000000000000/end", "/api/register/enrol"),
)
"""Closed to whoever has only just come: previews show what people may see, and change nothing."""


def test_by_a_password_that_others_were_shown_one_chooses_another_alone(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        door, house = programs.door, programs.door.house
        await house.give("register", register.SetWatch(second_factor=True), "mara", "watch")
        given = await desk.issue_password(door.signin, house.actor("mara"), "dan")
        signed = (await programs.sign_in("dan", given.secret, scope="read")).json()
        token = signed["token"]
        assert signed["scope"] == "first"
        for path in ("/api/me", "/api/me/tokens", "/api/people", "/api/me/second"):
            answer = await programs.get(token, path)
            assert answer.status_code == 401, path
        for scope in (token, door.signin._begin("dan", "second")):
            for path in CLOSED:
                answer = await programs.post(scope, path, {})
                assert answer.status_code in (401, 403), path
        for old, new in (("wrong", "something much longer"), (given.secret, given.secret)):
            change = {"old": old, "new": new}
            assert not (await programs.post(token, "/api/me/password", change)).is_success
        good = {"old": given.secret, "new": "something much longer"}
        assert (await programs.post(token, "/api/me/password", good)).status_code == 204
        assert reason(await programs.sign_in("dan", good["new"])) == "second_factor_due"
        issued = [
            (event["by"], event["person"])
            for row in house.log.read("house")
            for event in facts_in(row)
            if event["is"] == "credential-issued"
        ]
        assert issued[-2:] == [("mara", "dan"), ("dan", "dan")]

    with_programs(tmp_path, use)


def test_a_password_changed_by_its_owner_ends_every_token(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        token, other = await programs.token("dan"), await programs.token("dan", scope="read")
        change = {"old": "wrong", "new": f"{PASSWORD}!"}
        assert reason(await programs.post(token, "/api/me/password", change)) == "sign_in_failed"
        change["old"] = PASSWORD
        assert (await programs.post(token, "/api/me/password", change)).status_code == 204
        assert not await programs.is_good(token)
        assert not await programs.is_good(other)
        assert await programs.token("dan", f"{PASSWORD}!")

    with_programs(tmp_path, use)


def test_whoever_is_disabled_has_no_token_any_more(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        token = await programs.token("dan", scope="read")
        await programs.door.house.give("register", register.Disable("dan", "left"), "mara", "off")
        assert not await programs.is_good(token)
        assert programs.door.house.people.sessions_of("dan") == []

    with_programs(tmp_path, use)


def test_a_token_is_no_device_and_a_device_no_token(tmp_path: Path) -> None:
    async def use(programs: Programs) -> None:
        door = programs.door
        door.signin.device("dan", "watch", "table-1")
        await programs.token("dan", scope="read")
        assert [one.scope for one in door.house.people.devices()] == ["watch"]
        assert [one.scope for one in door.house.people.sessions_of("dan")] == ["read"]

    with_programs(tmp_path, use)
