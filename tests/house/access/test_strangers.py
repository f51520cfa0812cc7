"""Strangers guess: nobody who is known is shut out, and nobody is told who is there."""

import asyncio
import threading
from itertools import count
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from puntobanco.errors import Reason, Refused
from puntobanco.house.access import sign_in as module
from puntobanco.house.access.door import secrets
from puntobanco.house.access.door.known import STRANGER, BrowserShown
from puntobanco.house.access.door.throttle import (
    LOCK_AT,
    LONGEST_WAIT_MS,
    MOST_FAILED,
    MOST_KEPT,
    WITHIN_MS,
    CameFrom,
    Throttle,
)
from puntobanco.house.access.sign_in import FAILED_MS, MOST_STRANGERS, SignIn
from puntobanco.register import commands as register
from tests.kit.house.sign_in import PASSWORD, Door, at_the_door, noted

ACCOUNTS, GUESSES = 20, 10_000
GUESSED = "a guess of a stranger"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashing that takes no time: how often it is done is counted, not how long."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(module, "HASHER", quick)
    monkeypatch.setattr(module, "NOBODY", quick.hash("nobody"))


async def why(
    door: Door, person: str, secret: str, address: str, shown: BrowserShown = STRANGER
) -> str:
    """The reason of the refusal; empty if the door opened."""
    try:
        await door.signin.sign_in(person, "password", secret, address, shown)
    except Refused as refused:
        return str(refused.reason)
    return ""


async def known_to(door: Door, person: str) -> BrowserShown:
    """A browser with which somebody has signed in."""
    assert await why(door, person, PASSWORD, "10.0.0.1") == ""
    return BrowserShown(proofs=door.signin.proofs(person, "password", STRANGER))


def test_ten_thousand_guesses_of_strangers_shut_out_nobody_who_is_known(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        staff = [f"staff-{number}" for number in range(ACCOUNTS)]
        for person in staff:
            await door.house.give("register", register.Enrol(person, "staff"), "mara", person)
            await door.signin.set_password(person, PASSWORD, "mara")
        browsers = {person: await known_to(door, person) for person in staff[::2]}
        station = BrowserShown(station=await door.signin.enrol_station("mara", "desk 1"))
        addresses = (f"203.0.{number // 250}.{number % 250}" for number in count())
        for _ in range(GUESSES // ACCOUNTS):
            address = next(addresses)
            for person in staff:
                assert await why(door, person, GUESSED, address) == "sign_in_failed"
        looked_at = {person: door.house.people.credential(person, "password") for person in staff}
        assert {held.failures for held in looked_at.values() if held} == {LOCK_AT}
        assert await why(door, staff[0], PASSWORD, "198.51.100.1") == "sign_in_failed"
        let_in = [
            await why(door, person, PASSWORD, "10.0.0.1", browsers.get(person, station))
            for person in staff
        ]
        assert let_in == [""] * ACCOUNTS

    at_the_door(tmp_path, use)


def test_what_a_stranger_is_told_is_the_same_whoever_is_there(tmp_path: Path) -> None:
    """Wrong name or wrong password, from one address or many, locked or not."""

    async def use(door: Door) -> None:
        async def told(person: str, net: str) -> list[str]:
            one = [await why(door, person, GUESSED, f"{net}.1") for _ in range(5)]
            for _ in range(8):
                door.later(1_000_000)
                one.append(await why(door, person, GUESSED, f"{net}.1"))
            many = [await why(door, person, GUESSED, f"{net}.{number}") for number in range(2, 25)]
            return one + many

        assert await told("dan", "203.0.113") == await told("nobody", "198.51.100")

    at_the_door(tmp_path, use)


def test_a_failed_sign_in_takes_as_long_whoever_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(door: Door) -> None:
        object.__setattr__(door.house, "clock", door.time.clock)
        hashed: list[str] = []
        matches = secrets.matches

        def matching(kind: secrets.Kind, stored: str, secret: str) -> bool:
            hashed.append(stored.split("$")[3])  # what the work costs
            door.time.steady_ms += 40 if stored == secrets.NOBODY else 90
            return matches(kind, stored, secret)

        monkeypatch.setattr(module, "matches", matching)

        async def took(person: str, secret: str, address: str) -> int:
            began = door.time.steady_ms
            assert await why(door, person, secret, address) == "sign_in_failed"
            return door.time.steady_ms - began

        times = {await took("nobody", GUESSED, f"198.51.100.{n}") for n in range(15)}
        times |= {await took("dan", GUESSED, f"203.0.113.{n}") for n in range(15)}
        times |= {await took("dan", PASSWORD, "203.0.113.99")}  # shut to strangers by now
        await door.house.give("register", register.Disable("max", "left"), "mara", "off")
        times |= {await took("max", GUESSED, "203.0.113.98")}
        assert times == {FAILED_MS}
        assert len(hashed) == 32
        assert len(set(hashed)) == 1

    at_the_door(tmp_path, use)


def test_in_a_known_browser_its_owner_waits_a_minute_at_most_and_others_are_strangers(
    tmp_path: Path,
) -> None:
    async def use(door: Door) -> None:
        browser = await known_to(door, "dan")
        for _ in range(30):
            assert await why(door, "dan", GUESSED, "10.0.0.1", browser) == "sign_in_failed"
            door.later(LONGEST_WAIT_MS)
        assert await why(door, "dan", GUESSED, "10.0.0.1", browser) == "sign_in_failed"
        assert await why(door, "dan", PASSWORD, "10.0.0.1", browser) == "sign_in_wait"
        door.later(LONGEST_WAIT_MS)
        assert await why(door, "dan", PASSWORD, "10.0.0.1", browser) == ""
        failures = [one for one in noted(door.log) if one["is"] == "sign-in-failed"]
        assert failures[-1]["failures"] == 31
        assert not any(one["locked"] for one in failures)
        assert not door.signin._place("max", "password", "10.0.0.1", browser).known
        forged = BrowserShown(proofs=(browser.proofs[0][:-1] + "0", "é", "", "0" * 64))
        assert not door.signin._place("dan", "password", "10.0.0.1", forged).known
        await door.signin.set_password("dan", PASSWORD, "mara")
        assert not door.signin._place("dan", "password", "10.0.0.1", browser).known

    at_the_door(tmp_path, use)


def test_a_station_that_was_ended_is_a_strangers_browser_and_both_are_on_record(
    tmp_path: Path,
) -> None:
    async def use(door: Door) -> None:
        station = BrowserShown(station=await door.signin.enrol_station("mara", "desk 1"))
        assert door.signin._place("dan", "password", "", station).known
        (listed,) = door.house.people.devices()
        await door.signin.end_device(listed.token[:12], "mara")
        assert not door.signin._place("dan", "password", "", station).known
        scanner = BrowserShown(station=door.signin.device("mara", "draw", "table-1"))
        assert not door.signin._place("dan", "password", "", scanner).known
        kept = [one for one in noted(door.log) if str(one["is"]).startswith("station")]
        assert kept == [
            {"is": "station-enrolled", "station": "desk 1", "by": "mara"},
            {"is": "station-ended", "station": "desk 1", "by": "mara"},
        ]

    at_the_door(tmp_path, use)


def test_an_address_that_guesses_at_many_names_waits_and_is_on_record_once(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        for number in range(MOST_FAILED):
            address = f"2001:db8:1:2::{number}"  # all one customer's
            assert await why(door, f"name-{number}", GUESSED, address) == "sign_in_failed"
        for person in ("dan", "nobody"):
            assert await why(door, person, PASSWORD, "2001:db8:1:2::1") == "sign_in_wait"
        assert await why(door, "dan", PASSWORD, "2001:db8:1:3::1") == ""
        slowed = [one for one in noted(door.log) if one["is"] == "address-slowed"]
        assert [one["address"] for one in slowed] == [f"2001:db8:1:2::{MOST_FAILED - 1}"]
        door.later(WITHIN_MS)
        assert await why(door, "dan", PASSWORD, "2001:db8:1:2::1") == ""

    at_the_door(tmp_path, use)


def test_whoever_is_known_does_not_wait_behind_strangers(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        browser = await known_to(door, "dan")
        held = threading.Event()
        busy = asyncio.get_running_loop().run_in_executor(secrets.OF_STRANGERS, held.wait, 60)
        try:
            tries = [
                asyncio.create_task(why(door, "dan", GUESSED, f"203.0.{one // 200}.{one % 200}"))
                for one in range(3 * MOST_STRANGERS)
            ]
            await asyncio.sleep(0)
            refused = [task.result() for task in tries if task.done()]
            assert refused == ["sign_in_wait"] * (2 * MOST_STRANGERS)
            assert await door.signin.sign_in("dan", "password", PASSWORD, "10.0.0.1", browser)
            assert sum(task.done() for task in tries) == 2 * MOST_STRANGERS
        finally:
            held.set()
        await asyncio.gather(busy, *tries)
        assert door.signin._strangers == 0

    at_the_door(tmp_path, use)


def test_what_is_remembered_of_places_is_bounded() -> None:
    throttle = Throttle()
    for number in range(MOST_KEPT + 5):
        throttle.count(CameFrom(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"), "dan", 1)
    assert len(throttle._tried) == len(throttle._failed) == MOST_KEPT


def test_another_process_counts_the_same_failures(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        doors = (door.signin, SignIn(door.house))
        for number in range(LOCK_AT):
            address = f"203.0.113.{number}"
            with pytest.raises(Refused):
                await doors[number % 2].sign_in("dan", "password", GUESSED, address)
        for one in doors:
            with pytest.raises(Refused) as caught:
                await one.sign_in("dan", "password", PASSWORD, "198.51.100.1")
            assert caught.value.reason is Reason.SIGN_IN_FAILED

    at_the_door(tmp_path, use)
