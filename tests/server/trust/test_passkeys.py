"""Passkeys as a second factor: bound to one address, a challenge good once, copies found."""

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from puntobanco.house.access import sign_in as module
from puntobanco.house.access.door.passkey import GOOD_MS, MOST_PASSKEYS, AtPlace
from puntobanco.house.access.door.second import MOST_WRONG, RECOVERY_CODES
from puntobanco.house.access.issuing import erase_person
from puntobanco.house.checks.audit import audit
from puntobanco.house.lookback.significant import significant
from puntobanco.register import commands as register
from puntobanco.table.actor import Role
from tests.kit import office as kit
from tests.kit.house.authenticator import NONE_AT_ALL, UP, Device, read, written
from tests.kit.house.driver import Time
from tests.kit.house.sign_in import PASSWORD
from tests.kit.office import HTML, Office, asked

HERE = "https://house.test"
PASSKEYS = "/account/second/passkeys"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(module, "HASHER", quick)
    monkeypatch.setattr(module, "NOBODY", quick.hash("nobody"))
    monkeypatch.setattr(kit, "BASE", HERE)


class Staff:
    """Dan, at a browser."""

    def __init__(self, office: Office, time: Time) -> None:
        self.office, self.time, self.client = office, time, office._client
        self.signin = module.SignIn(office.house)
        self.stays = False
        """In the session that there is; else with a new one each time, for sessions go idle."""

    async def come(self) -> "Staff":
        for person in ("dan", "dora"):
            await self.office.enrol(person, Role.DEALER)
            await self.signin.set_password(person, PASSWORD, "mara")
        return self

    @property
    def own(self) -> dict[str, str]:
        return {**HTML, "origin": HERE, "sec-fetch-site": "same-origin"}

    def later(self) -> None:
        self.time.steady_ms += 70_000  # past every wait after failures

    async def ask(self) -> dict[str, Any]:
        """What the sign-in asks a passkey for; the cookie comes with it."""
        self.later()
        found = await self.client.post("/api/sign-in/passkey", headers=self.own)
        assert found.status_code == 200, found.text
        use: dict[str, Any] = found.json()["use"]
        return use

    async def ask_own(self, person: str = "dan") -> dict[str, Any]:
        """What is asked of a device in somebody's own session."""
        self.later()
        if not self.stays:
            self.office.sign_in_again()
        ways: dict[str, Any] = (await self.office.post("/api/me/passkeys/ask", person)).json()
        return ways

    async def sign_in(self, answer: str = "", code: str = "", who: str = "dan") -> int:
        form = {"who": who, "secret": PASSWORD, "code": code, "passkey": answer}
        done = await self.client.post("/sign-in", headers=self.own, data=form)
        return done.status_code

    async def comes(self, device: Device, who: str = "dan") -> bool:
        return await self.sign_in(device.use(await self.ask()), who=who) == 303

    async def add(
        self, device: Device, person: str = "dan", before: str = "", **form: str
    ) -> list[str]:
        ways = await self.ask_own(person)
        form = {"name": "My phone", "answer": device.make(ways["make"])} | form
        done = await self.office.post(PASSKEYS, person, form | {"before": before})
        return re.findall(r"<code>([a-z0-9-]{19})</code>", done.text)

    async def listed(self, person: str = "dan") -> list[dict[str, Any]]:
        if not self.stays:
            self.office.sign_in_again()
        found: list[dict[str, Any]] = (await self.office.get("/api/me/passkeys", person)).json()
        return found

    def said(self) -> list[str]:
        return [one.says for one in significant(self.office.house)]

    async def is_whole(self) -> bool:
        await self.office.house.record_root()
        return audit(self.office.house.log).fault is None


def with_staff(tmp_path: Path, use: Callable[[Staff], Awaitable[None]]) -> None:
    time = Time(10**9)

    async def main(office: Office) -> None:
        office._client.base_url = HERE
        await use(await Staff(office, time).come())

    asked(tmp_path / "house.db", main, clock=time)


@pytest.mark.parametrize("counts", [True, False], ids=["counts", "does not count"])
def test_whoever_has_one_signs_in_by_it(tmp_path: Path, counts: bool) -> None:
    async def use(dan: Staff) -> None:
        device = Device(HERE, counts=counts)
        codes = await dan.add(device)
        assert len(set(codes)) == RECOVERY_CODES
        (held,) = await dan.listed()
        assert (held["name"], held["host"], held["good"]) == ("My phone", "house.test", True)
        assert await dan.sign_in() == 401
        assert await dan.sign_in(code="000000") == 401
        assert await dan.comes(device)
        assert await dan.comes(device)
        assert (await dan.listed())[0]["used_ms"] > held["used_ms"]
        dan.later()
        assert await dan.sign_in(code=codes[0]) == 303
        dan.office.sign_in_again()
        page = (await dan.office.get("/account/second", "dan")).text
        assert "house.test" in page
        assert "My phone" in page
        assert "Remove My phone" in page
        assert any("A fresh passkey for dan" in one for one in dan.said())
        assert await dan.is_whole()

    with_staff(tmp_path, use)


def test_only_what_was_made_here_and_now_is_taken_on(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        elsewhere, number_two = Device("https://evil.test"), Device(HERE, 2)
        assert await dan.add(elsewhere) == []
        elsewhere.origin = HERE  # a page that lies, on a device that does not
        assert await dan.add(elsewhere) == []
        elsewhere.origin, elsewhere.host = "https://evil.test", "house.test"
        assert await dan.add(elsewhere) == []
        number_two.flags = UP
        assert await dan.add(number_two) == []
        theirs = number_two.make((await dan.ask_own("dora"))["make"])
        assert await dan.add(number_two, answer=theirs) == []
        old = Device(HERE).make((await dan.ask_own())["make"])
        dan.time.steady_ms += GOOD_MS
        assert await dan.add(number_two, answer=old) == []
        assert await dan.add(number_two, answer="{") == []
        assert await dan.listed() == []
        assert len(await dan.add(Device(HERE))) == RECOVERY_CODES

    with_staff(tmp_path, use)


def test_at_the_door_nothing_else_is_good(tmp_path: Path) -> None:
    """Another address, another person's, no finger, an old challenge, another browser's."""

    async def use(dan: Staff) -> None:
        device, hers = Device(HERE), Device(HERE, 2)
        await dan.add(device)
        await dan.add(hers, "dora")
        for change in (
            {"origin": "https://evil.test"},
            {"host": "evil.test"},
            {"origin": "http://house.test"},
            {"origin": HERE + ":8443"},
            {"flags": UP},
            {"flags": NONE_AT_ALL},
            {"key": hers.key},
        ):
            false = Device(HERE)
            false.count = device.count
            vars(false).update(change)
            assert not await dan.comes(false), change
        assert not await dan.comes(hers)
        answer = device.use(await dan.ask())
        assert await dan.sign_in(answer) == 303
        dan.later()
        assert await dan.sign_in(answer) == 401  # again
        answer = device.use(await dan.ask())
        dan.time.steady_ms += GOOD_MS + 1
        assert await dan.sign_in(answer) == 401  # too late
        answer = device.use(await dan.ask())
        await dan.ask()  # another browser's cookie
        assert await dan.sign_in(answer) == 401
        forged = {"challenge": written(bytes(56))}
        await dan.ask()
        assert await dan.sign_in(device.use(forged)) == 401
        earlier = device.use(await dan.ask())
        cookie = dan.client.cookies["passkey"]
        assert await dan.comes(device)
        dan.client.cookies.set("passkey", cookie, "house.test")
        dan.later()
        assert await dan.sign_in(earlier) == 401  # its challenge is older than one answered since
        assert [one["good"] for one in await dan.listed()] == [True]
        assert await dan.comes(device)
        assert await dan.comes(hers, "dora")

    with_staff(tmp_path, use)


def test_whatever_is_sent_is_answered(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        device = Device(HERE)
        await dan.add(device)
        good = json.loads(device.use(await dan.ask()))
        for part in ("clientDataJSON", "authenticatorData", "signature"):
            for broken in ("", "AA", "!", written(b"\xff" * 60), 7, None):
                sent = {**good, "response": {**good["response"], part: broken}}
                dan.later()
                assert await dan.sign_in(json.dumps(sent)) == 401, (part, broken)
        for text in ("{", "{}", '{"id":1}', "{" * 3000, '{"id":' + "[" * 4000):
            dan.later()
            assert await dan.sign_in(text) == 401
        made = json.loads(Device(HERE, 2).make(await dan.ask()))
        cbor = read(made["response"]["attestationObject"])
        for bad in (b"", b"\x9f" * 3000, cbor[:40], cbor[:-30], cbor + b"\0"):
            sent = {**made["response"], "attestationObject": written(bad)}
            assert await dan.add(device, answer=json.dumps({**made, "response": sent})) == []

    with_staff(tmp_path, use)


def test_strangers_hear_nothing_of_who_has_one(tmp_path: Path) -> None:
    """What is asked of a passkey is the same for everybody; a wrong answer is answered alike."""

    async def use(dan: Staff) -> None:
        before = await dan.ask()
        device = Device(HERE)
        await dan.add(device)
        after = await dan.ask()
        assert {**before, "challenge": ""} == {**after, "challenge": ""}
        assert not after.get("allowCredentials")
        assert after["userVerification"] == "required"
        assert before["challenge"] != after["challenge"]
        told = set()
        for who, secret in (("dan", PASSWORD), ("dan", "a guess"), ("nemo", PASSWORD)):
            dan.later()
            answer = Device(HERE, 3).use(await dan.ask())
            form = {"who": who, "secret": secret, "passkey": answer}
            done = await dan.client.post(
                "/sign-in", headers={**dan.own, "accept": "application/json"}, data=form
            )
            told.add((done.status_code, done.text))
        assert len(told) == 1
        foreign = {**dan.own, "origin": "https://evil.test"}
        assert (await dan.client.post("/api/sign-in/passkey", headers=foreign)).status_code == 403

    with_staff(tmp_path, use)


def test_wrong_ones_count_and_a_right_one_comes_in_all_the_same(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        device = Device(HERE)
        await dan.add(device)
        for _ in range(MOST_WRONG + 2):
            assert not await dan.comes(Device(HERE, 3))
        assert dan.signin.second.wrong("dan") == MOST_WRONG + 2
        assert sum("Failed sign-in" in one for one in dan.said()) >= MOST_WRONG
        assert await dan.comes(device)
        assert dan.signin.second.wrong("dan") == 0

    with_staff(tmp_path, use)


def test_a_copied_key_is_found_and_good_for_nothing(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        device, copy = Device(HERE), Device(HERE)
        codes = await dan.add(device)
        for _ in range(3):
            assert await dan.comes(device)
        copy.count = 1
        assert not await dan.comes(copy)
        assert not await dan.comes(copy)
        assert not await dan.comes(device)
        dan.later()
        assert await dan.sign_in() == 401  # and a password alone is still too little
        (row,) = (one for one in significant(dan.office.house) if "has a copy" in one.says)
        way = f"/api/events/{row.stream}/{row.seq}/review"
        assert (await dan.office.json(way, "mara", {"note": "asked dan"})).is_success
        assert [one["good"] for one in await dan.listed()] == [False]
        assert "has a copy" in (await dan.office.get("/account/second", "dan")).text.lower()
        dan.later()
        assert await dan.sign_in(code=codes[0]) == 303
        assert await dan.is_whole()

    with_staff(tmp_path, use)


def test_it_is_changed_only_by_what_one_has(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        device = Device(HERE)
        codes = await dan.add(device)
        await dan.add(Device(HERE, 2), before="")
        await dan.add(Device(HERE, 2), before="000000")
        await dan.add(device, before=codes[0])  # it has one for this address
        assert len(await dan.listed()) == 1
        assert await dan.add(Device(HERE, 2), before=codes[0], name="") == []
        assert [one["name"] for one in await dan.listed()] == ["My phone", "Passkey"]
        ways = await dan.ask_own()
        proof = {"passkey": device.use(ways["use"])}
        assert len(ways["make"]["excludeCredentials"]) == 2
        gone = f"{PASSKEYS}/2/remove"
        assert (await dan.office.post(gone, "dan", {"before": "000000"})).status_code == 409
        assert (await dan.office.post(gone, "dan", proof)).status_code == 303
        assert len(await dan.listed()) == 1
        assert any("dan removed a passkey" in one for one in dan.said())
        assert not await dan.comes(Device(HERE, 2))
        dan.later()
        last = {"before": codes[1]}
        left = await dan.office.json("/api/me/passkeys/1/remove", "dan", last)
        assert left.json() == []
        assert await dan.sign_in() == 303  # there is none any more
        second = Device(HERE, 2)
        assert len(await dan.add(second)) == RECOVERY_CODES
        for number in range(3, MOST_PASSKEYS + 4):
            ways = await dan.ask_own()
            form = {"answer": Device(HERE, number).make(ways["make"]), "name": str(number)}
            proof = {"passkey": second.use(ways["use"])}
            await dan.office.post(PASSKEYS, "dan", form | proof)
        assert len(await dan.listed()) == MOST_PASSKEYS
        assert "as many as anybody" in (await dan.office.get("/account/second", "dan")).text
        assert await dan.is_whole()

    with_staff(tmp_path, use)


def test_what_a_manager_resets_or_erases_is_gone(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        office, device = dan.office, Device(HERE)
        codes = await dan.add(device)
        listed = (await office.get("/api/access", "mara")).json()["staff"]
        (his,) = (one for one in listed if one["person"] == "dan")
        assert (his["second_factor"], his["passkeys"]) == (True, 1)
        assert "second factor: a passkey" in (await office.get("/house/access", "mara")).text
        assert "/house/people/dan/second" in (await office.get("/house/people/dan", "mara")).text
        own = (await office.get("/api/me/data", "dan")).json()["passkeys"]
        assert [(one["name"], one["host"]) for one in own] == [("My phone", "house.test")]
        assert own[0]["since_ms"]
        fresh = len([one for one in dan.said() if one.startswith("A fresh")])
        assert (await office.post("/house/people/dan/second", "mara")).status_code == 303
        said = dan.said()
        assert any("mara took the second factor of dan away" in one for one in said)
        assert len([one for one in said if one.startswith("A fresh")]) == fresh
        office.sign_in_again()
        assert await dan.listed() == []
        assert await dan.sign_in() == 303
        await dan.add(device)
        assert await dan.sign_in(code=codes[0]) == 401
        assert await dan.comes(device)
        await erase_person(office.house, "dan", "mara")
        assert office.house.people.credentials("dan") == {}
        assert await dan.is_whole()

    with_staff(tmp_path, use)


def test_where_the_house_wants_a_second_factor_a_passkey_is_one(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        office, device = dan.office, Device(HERE)
        await office.house.give(
            "register", register.SetWatch(second_factor=True), "mara", "set-watch"
        )
        dan.stays = True
        office._tokens["dan"] = await dan.signin.sign_in("dan", "password", PASSWORD, "10.0.0.1")
        assert len(await dan.add(device)) == RECOVERY_CODES
        answer = device.use(await dan.ask())
        sent = {"who": "dan", "secret": PASSWORD, "code": answer}
        done = await dan.client.post("/api/sign-in", headers=dan.own, json=sent)
        assert done.json()["scope"] == "all", done.text
        for person in ("ann", ""):  # a patron, and nobody
            refused = await office.post("/api/me/passkeys/ask", person)
            assert refused.status_code in {401, 403}

    with_staff(tmp_path, use)


def test_it_works_where_the_house_has_a_name_and_nobody_reads_along() -> None:
    for origin, host in (
        ("https://house.example", "house.example"),
        ("https://house.example:8443", "house.example"),
        ("http://localhost:8000", "localhost"),
        ("http://house.example", ""),
        ("https://10.0.0.7", ""),
        ("https://[fe80::1]", ""),
        ("https://[", ""),
        ("", ""),
    ):
        assert AtPlace(origin, "").host == host
