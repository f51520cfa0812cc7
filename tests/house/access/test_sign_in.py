"""Signing in: alarm at three, lock at ten, idle sessions, tokens of devices, first things first."""

import asyncio
from pathlib import Path

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.door.secrets import LEAST_PASSWORD, Kind
from puntobanco.house.access.sign_in import (
    LONGEST_MS,
    PATRON_IDLE_MS,
    STAFF_IDLE_MS,
    Caller,
    SignIn,
)
from puntobanco.house.checks.beside import beside_fault
from puntobanco.journal.verify import HOUSE
from puntobanco.register import commands as register
from puntobanco.server.gateway import Gateway
from puntobanco.table import commands as c
from tests.kit.house.sign_in import PASSWORD, Door, at_the_door, noted


def test_three_failures_alarm_and_wait_ten_lock_and_another_manager_unlocks(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        for _ in range(3):
            await door.fails("dan", Reason.SIGN_IN_FAILED)
        await door.fails("dan", Reason.SIGN_IN_WAIT, PASSWORD)
        for _ in range(7):
            door.later(600_000)
            await door.fails("dan", Reason.SIGN_IN_FAILED)
        door.later(86_400_000)
        await door.fails("dan", Reason.SIGN_IN_LOCKED, PASSWORD)
        failures = [one for one in noted(door.log) if one["is"] == "sign-in-failed"]
        assert [one["failures"] for one in failures] == list(range(1, 11))
        assert failures[-1]["locked"]
        assert failures[0]["address"] == "10.0.0.9"
        with pytest.raises(Refused):
            await door.signin.unlock("dan", door.house.actor("dan"))
        await door.signin.unlock("dan", door.house.actor("max"))
        assert await door.signin.sign_in("dan", "password", PASSWORD, "")
        assert PASSWORD.encode() not in b"".join(row.events for row in door.log.read(HOUSE))

    at_the_door(tmp_path, use)


def test_a_success_forgets_the_failures_before_it(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        for _ in range(5):
            await door.fails("dan", Reason.SIGN_IN_FAILED)
            await door.fails("dan", Reason.SIGN_IN_FAILED)
            assert await door.signin.sign_in("dan", "password", PASSWORD, "10.0.0.9")

    at_the_door(tmp_path, use)


def test_whoever_is_not_there_and_whoever_is_wrong_get_the_same_answer(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        await door.fails("nobody", Reason.SIGN_IN_FAILED)
        await door.fails("dan", Reason.SIGN_IN_FAILED)
        await door.fails("ann", Reason.SIGN_IN_FAILED, door.pin)  # a PIN is no password
        await door.house.give("register", register.Disable("dan", "left"), "mara", "off")
        await door.fails("dan", Reason.SIGN_IN_FAILED, PASSWORD)

    at_the_door(tmp_path, use)


@pytest.mark.parametrize(("person", "idle_ms"), [("dan", STAFF_IDLE_MS), ("ann", PATRON_IDLE_MS)])
def test_an_idle_session_ends_and_a_busy_one_goes_on(
    tmp_path: Path, person: str, idle_ms: int
) -> None:
    async def use(door: Door) -> None:
        secret, kind = (PASSWORD, "password") if person == "dan" else (door.pin, "pin")
        token = await door.signin.sign_in(person, kind, secret, "")  # type: ignore[arg-type]
        for _ in range(5):
            door.later(idle_ms - 1000)
            assert door.signin.caller(token).person == person
        door.later(idle_ms + 20_000)
        assert door.signin.caller(token) == Caller()
        token = await door.signin.sign_in(person, kind, secret, "")  # type: ignore[arg-type]
        began = door.house.time.now_ms()
        while door.signin.caller(token).person:
            door.later(idle_ms - 1000)
        assert door.house.time.now_ms() - began <= LONGEST_MS + idle_ms

    at_the_door(tmp_path, use)


def test_every_sign_in_has_a_token_of_its_own_and_a_new_secret_ends_the_old_ones(
    tmp_path: Path,
) -> None:
    async def use(door: Door) -> None:
        one = await door.signin.sign_in("dan", "password", PASSWORD, "")
        two = await door.signin.sign_in("dan", "password", PASSWORD, "")
        assert one != two
        assert len(one) == 64
        door.signin.sign_out(door.signin.caller(one))
        assert door.signin.caller(one) == Caller()
        assert door.signin.caller(two).person == "dan"
        assert door.signin.is_good(door.signin.caller(two))
        good = door.signin.caller(two)
        await door.signin.set_password("dan", PASSWORD + "!", "mara")
        assert door.signin.caller(two) == Caller()
        assert not door.signin.is_good(good)

    at_the_door(tmp_path, use)


async def _refused(door: Door, kind: Kind, secret: str) -> Reason:
    with pytest.raises(Refused) as caught:
        await door.signin.sign_in("ann", kind, secret, "")
    return caught.value.reason


@pytest.mark.parametrize("first", ["pin", "card"])
def test_a_slip_signs_a_patron_in_once_by_either_of_its_secrets(
    first: Kind, tmp_path: Path
) -> None:
    async def use(door: Door) -> None:
        slip = await door.signin.issue_slip("ann", "mara", "pin", "card")
        secrets: dict[Kind, str] = {**slip, "card": slip["card"].partition(".")[2]}
        assert await _refused(door, "pin", door.pin) is Reason.SIGN_IN_FAILED  # void with the slip
        token = await door.signin.sign_in("ann", first, secrets[first], "")
        caller = door.signin.caller(token)
        for kind, secret in secrets.items():
            assert await _refused(door, kind, secret) is Reason.SLIP_USED
        assert await _refused(door, "pin", "000000") is Reason.SIGN_IN_FAILED  # who guesses
        for unfit in ("12345", "111111", "456789", "1234567", "l23456"):
            with pytest.raises(Refused):
                await door.signin.choose_pin(caller, "", unfit, "")
        await door.signin.choose_pin(caller, "", "907132", "")
        assert door.signin.is_good(caller)
        for _ in range(2):
            assert await door.signin.sign_in("ann", "pin", "907132", "")
        with pytest.raises(Refused):
            await door.signin.choose_pin(caller, "000000", "118254", "")
        await door.signin.choose_pin(caller, "907132", "118254", "")
        assert await _refused(door, "pin", "907132") is Reason.SIGN_IN_FAILED
        assert await _refused(door, "card", secrets["card"]) is Reason.SLIP_USED
        await door.house.record_root()
        sealed = {one.commitment: (HOUSE, 0) for one in door.log.all_sealed()}
        assert beside_fault(door.log, sealed, door.house.keys) is None

    at_the_door(tmp_path, use)


def test_of_two_who_use_one_slip_at_once_one_is_refused(tmp_path: Path) -> None:
    """In two processes: the second is refused whether it looked before or after the first wrote."""

    async def use(door: Door) -> None:
        code = (await door.signin.issue_slip("ann", "mara", "card"))["card"].partition(".")[2]
        doors = (door.signin, SignIn(door.house))
        came = await asyncio.gather(
            *(one.sign_in("ann", "card", code, "") for one in doors), return_exceptions=True
        )
        (refused,) = (one for one in came if isinstance(one, Refused))
        assert refused.reason in {Reason.SLIP_USED, Reason.SIGN_IN_FAILED}
        assert len([one for one in came if isinstance(one, str)]) == 1

    at_the_door(tmp_path, use)


def test_a_password_is_long(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        with pytest.raises(Refused) as caught:
            await door.signin.set_password("dan", "x" * (LEAST_PASSWORD - 1), "mara")
        assert caught.value.reason is Reason.PASSWORD_TOO_SHORT

    at_the_door(tmp_path, use)


def test_a_devices_token_draws_cards_at_its_table_and_does_nothing_else(tmp_path: Path) -> None:
    async def use(door: Door) -> None:
        gateway = Gateway(door.house, door.signin)
        scanner = door.signin.caller(door.signin.device("max", "draw", "table-1"))
        display = door.signin.caller(door.signin.device("max", "watch", "table-1"))
        for device in (scanner, display):
            for ask in (c.OpenCoup(), c.SignOff(), c.Sit(1)):
                with pytest.raises(Refused) as caught:
                    await gateway.give(device, "table-1", ask, "device-1")
                assert caught.value.reason is Reason.TOKEN_NOT_FOR_THIS
            with pytest.raises(Refused):
                await gateway.give(device, "register", register.Enrol("eve", "staff"), "device-2")
        with pytest.raises(Refused) as caught:
            await gateway.give(display, "table-1", c.DrawCard(), "device-3")
        assert caught.value.reason is Reason.TOKEN_NOT_FOR_THIS
        with pytest.raises(Refused) as caught:
            await gateway.give(scanner, "table-1", c.DrawCard(), "device-4")
        assert caught.value.reason is Reason.NOT_ON_DUTY
        door.later(86_400_000)
        assert door.signin.is_good(scanner)

    at_the_door(tmp_path, use)


@pytest.mark.parametrize(
    "easy",
    ["passwordpassword", "qwertyuiopasdfghjkl", "123456789012345", "a" * 40, "dandandandandan1"],
)
def test_a_password_that_others_would_guess_is_not_taken(tmp_path: Path, easy: str) -> None:
    async def use(door: Door) -> None:
        with pytest.raises(Refused) as caught:
            await door.signin.change_password("dan", PASSWORD, easy, "here")
        assert caught.value.reason is Reason.PASSWORD_GUESSED
        await door.signin.change_password("dan", PASSWORD, "kettle sorrow antler ink", "here")

    at_the_door(tmp_path, use)


def test_the_operator_has_a_check_of_passwords_of_their_own(tmp_path: Path) -> None:
    """It reads the password, and nothing is taken that it does not take, or while it is gone."""
    good = "kettle sorrow antler ink"

    async def use(door: Door) -> None:
        for command in ("grep -q harbour", "no-such-program"):
            door.signin.own_check = command
            with pytest.raises(Refused) as caught:
                await door.signin.change_password("dan", PASSWORD, good, "here")
            assert caught.value.reason is Reason.PASSWORD_GUESSED
        door.signin.own_check = "grep -q antler"
        await door.signin.change_password("dan", PASSWORD, good, "here")
        assert await door.signin.sign_in("dan", "password", good, "here")

    at_the_door(tmp_path, use)
