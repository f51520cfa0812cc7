"""The second factor of staff: codes by the time, recovery codes, and a way on for who lost both."""

import re
from base64 import b32decode
from itertools import count
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from puntobanco.errors import Refused
from puntobanco.house.access import sign_in as module
from puntobanco.house.access.desk import has_failed
from puntobanco.house.access.door.known import STRANGER, BrowserShown
from puntobanco.house.access.door.second import MOST_WRONG, RECOVERY_CODES, STEP_MS, code_at
from puntobanco.house.access.door.throttle import LOCK_AT, LONGEST_WAIT_MS, MOST_FAILED
from puntobanco.house.checks.audit import audit
from puntobanco.house.lookback.significant import significant
from puntobanco.register import commands as register
from puntobanco.table.actor import Role
from tests.kit.house.driver import Time
from tests.kit.house.sign_in import PASSWORD
from tests.kit.office import BASE, HTML, Office, asked
from tests.kit.web import form_on

RFC = {
    "sha1": b"12345678901234567890",
    "sha256": b"12345678901234567890123456789012",
    "sha512": b"1234567890123456789012345678901234567890123456789012345678901234",
}
GUESSED, ADDRESS = "a guess of a stranger", "203.0.113.1"
VECTORS = (
    (59, "94287082", "46119246", "90693936"),
    (1111111109, "07081804", "68084774", "25091201"),
    (1111111111, "14050471", "67062674", "99943326"),
    (1234567890, "89005924", "91819424", "93441116"),
    (2000000000, "69279037", "90698825", "38618901"),
    (20000000000, "65353130", "77737706", "47863826"),
)
"""Appendix B of RFC 6238."""


@pytest.mark.parametrize("second", VECTORS)
def test_codes_are_those_of_the_rfc(second: tuple[int, str, str, str]) -> None:
    at_s, *codes = second
    for (digest, shared), code in zip(RFC.items(), codes, strict=True):
        assert code_at(shared, at_s // 30, 8, digest) == code


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(module, "HASHER", quick)
    monkeypatch.setattr(module, "NOBODY", quick.hash("nobody"))


class Staff:
    """Dan at the door, with a phone."""

    def __init__(self, office: Office, time: Time) -> None:
        self.office, self.time = office, time
        self.signin = module.SignIn(office.house)
        self.shared = b""

    async def come(self) -> "Staff":
        await self.office.enrol("dan", Role.DEALER)
        await self.signin.set_password("dan", PASSWORD, "mara")
        return self

    def code(self) -> str:
        return code_at(self.shared, self.office.house.time.now_ms() // STEP_MS)

    async def sign_in(self, code: str = "") -> tuple[int, str]:
        """The status, and the session or where it leads."""
        form = {"who": "dan", "secret": PASSWORD, "code": code}
        headers = {**HTML, "origin": BASE, "sec-fetch-site": "same-origin"}
        answer = await self.office._client.post("/sign-in", headers=headers, data=form)
        self.time.steady_ms += 70_000  # past every wait after failures
        return answer.status_code, answer.headers.get("location", "")

    async def set_up(self, as_session: str = "dan", before: str = "") -> list[str]:
        page = (await self.office.get("/account/second", as_session)).text
        form = form_on(page)
        self.shared, old = b32decode(form["shared"]), before
        done = await self.office.post(
            "/account/second", as_session, form | {"code": self.code(), "before": old}
        )
        return re.findall(r"<code>([a-z0-9-]{19})</code>", done.text)


def with_staff(tmp_path: Path, use: object) -> None:
    time = Time(10**9)

    async def main(office: Office) -> None:
        await use(await Staff(office, time).come())  # type: ignore[operator]

    asked(tmp_path / "house.db", main, clock=time)


def test_whoever_has_one_signs_in_by_it_and_each_code_works_once(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        assert await dan.sign_in() == (303, "/")
        codes = await dan.set_up()
        assert len(set(codes)) == RECOVERY_CODES
        assert (await dan.sign_in(dan.code()))[0] == 401  # it was used to set it up
        assert (await dan.sign_in())[0] == 401
        assert (await dan.sign_in("000000"))[0] == 401
        code = dan.code()
        assert await dan.sign_in(code) == (303, "/")
        dan.time.steady_ms -= 70_000
        assert (await dan.sign_in(code))[0] == 401
        assert await dan.sign_in(codes[3].upper()) == (303, "/")
        assert (await dan.sign_in(codes[3]))[0] == 401
        assert await dan.sign_in(codes[0].replace("-", "")) == (303, "/")
        said = "\n".join(one.says for one in significant(dan.office.house))
        assert "with a recovery code" in said
        held = dan.office.house.people.credential("dan", "totp")
        assert held is not None
        assert dan.shared.hex() not in held.secret
        assert not set(codes) & set(str(dan.office.house.people.credential("dan", "recovery")))
        await dan.office.house.record_root()
        assert audit(dan.office.house.log).fault is None

    with_staff(tmp_path, use)


def failures(dan: Staff) -> list[str]:
    said = [one.says for one in significant(dan.office.house)]
    return [one for one in said if "Failed sign-in" in one]


def test_strangers_who_guess_do_not_shut_out_whoever_has_one(tmp_path: Path) -> None:
    """In a browser that nobody knows, from another address, by both password and code."""

    async def use(dan: Staff) -> None:
        assert await dan.sign_in() == (303, "/")
        await dan.set_up()
        dan.time.steady_ms += 70_000

        async def tries(password: str, code: str, number: int) -> str:
            try:
                return await dan.signin.sign_in(
                    "dan", "password", password, f"203.0.113.{number}", code=code
                )
            except Refused as refused:
                return str(refused.reason)

        for number in range(LOCK_AT + 3):
            assert await tries("a guess of a stranger", "", number) == "sign_in_failed"
        code = dan.code()
        assert await tries(PASSWORD, "", 50) == "sign_in_failed"
        before = len(failures(dan))
        assert await tries(PASSWORD, "000000", 51) == "sign_in_failed"
        assert len(failures(dan)) == before + 1  # somebody has the password
        assert await tries("a guess of a stranger", code, 52) == "sign_in_failed"
        assert len(await tries(PASSWORD, code, 53)) == 64
        dan.time.steady_ms += 70_000
        for number in range(LOCK_AT + 3):
            await tries("a guess of a stranger", "", 100 + number)
        await dan.signin.second.reset("dan", "mara")
        assert await tries(PASSWORD, "", 200) == "sign_in_failed"  # without one it is shut

    with_staff(tmp_path, use)


def test_nor_from_the_address_that_they_guess_from(tmp_path: Path) -> None:
    """One line for all of a house's guests and staff: whoever has a code waits a minute at most."""

    async def use(dan: Staff) -> None:
        await dan.set_up()
        dan.time.steady_ms += 70_000

        async def tries(person: str, password: str, code: str = "") -> str:
            try:
                return await dan.signin.sign_in(person, "password", password, ADDRESS, code=code)
            except Refused as refused:
                return str(refused.reason)

        while await tries("dan", GUESSED) != "sign_in_locked":
            dan.time.steady_ms += LONGEST_WAIT_MS
        for number in range(MOST_FAILED):  # at whatever names
            await tries(f"nobody-{number}", GUESSED)
        assert await tries("ann", PASSWORD) == "sign_in_wait"
        assert len(await tries("dan", PASSWORD, dan.code())) == 64
        dan.time.steady_ms += 70_000
        for person in ("dan", "nobody"):  # with codes, too: told alike, whoever is there
            told = [await tries(person, GUESSED, "000000") for _ in range(5)]
            assert told == ["sign_in_failed"] * 3 + ["sign_in_wait"] * 2
            for _ in range(LOCK_AT):
                dan.time.steady_ms += LONGEST_WAIT_MS
                assert await tries(person, GUESSED, "000000") == "sign_in_failed"
        assert len(await tries("dan", PASSWORD, dan.code())) == 64  # a minute later

    with_staff(tmp_path, use)


def test_whoever_has_the_password_guesses_few_codes(tmp_path: Path) -> None:
    """From however many addresses; its owner comes in by a code for recovery, or where known."""

    async def use(dan: Staff) -> None:
        codes = await dan.set_up()
        addresses = (f"203.0.113.{number}" for number in count())

        async def tries(code: str, shown: BrowserShown = STRANGER) -> bool:
            dan.time.steady_ms += STEP_MS
            code = code or dan.code()
            try:
                await dan.signin.sign_in(
                    "dan", "password", PASSWORD, next(addresses), shown, code=code
                )
            except Refused:
                return False
            return True

        known = BrowserShown(proofs=dan.signin.proofs("dan", "password", STRANGER))
        assert await tries("")
        for way_on in (codes[0], "known", "unlock"):
            assert [await tries("000000") for _ in range(MOST_WRONG)] == [False] * MOST_WRONG
            assert not await tries("")  # right, and guessed for all that the house knows
            by = dan.office.house.actor("mara", "register")
            assert has_failed(dan.signin, by, "dan")
            if way_on == "known":
                assert await tries("", known)
            elif way_on == "unlock":
                await dan.signin.unlock("dan", by)
            else:
                assert await tries(way_on)
            assert await tries("")

    with_staff(tmp_path, use)


def test_another_is_set_up_only_by_the_one_before(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        codes = await dan.set_up()
        first = dan.shared
        assert await dan.set_up(before="") == []
        assert await dan.set_up(before="000000") == []
        assert len(await dan.set_up(before=codes[0])) == RECOVERY_CODES
        assert dan.shared != first
        assert (await dan.sign_in(codes[1]))[0] == 401  # the codes of before are void

    with_staff(tmp_path, use)


def test_who_lost_it_is_let_in_again_by_another_manager_on_record(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        await dan.set_up()
        way = "/house/people/dan/second"
        for person in ("ann", "dan", "ines"):
            assert (await dan.office.post(way, person)).status_code == 403
        assert way in (await dan.office.get("/house/people/dan", "mara")).text
        assert (await dan.office.post(way, "mara")).status_code == 303
        assert await dan.sign_in() == (303, "/")
        own = await dan.office.json("/api/people/mara/second-reset", "mara", {})
        assert own.json()["reason"] == "same_person"
        said = [one.says for one in significant(dan.office.house)]
        assert sum("mara took the second factor of dan away" in one for one in said) == 1
        assert "A fresh second factor for dan, by mara" not in said
        await dan.office.house.record_root()
        assert audit(dan.office.house.log).fault is None

    with_staff(tmp_path, use)


def test_where_the_house_wants_it_nobody_works_without(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        office = dan.office
        await office.house.give(
            "register", register.SetWatch(second_factor=True), "mara", "set-watch"
        )
        assert await dan.sign_in() == (303, "/account/second")
        office._tokens["dan"] = await dan.signin.sign_in("dan", "password", PASSWORD, "10.0.0.1")
        assert (await office.get("/house/settings", "dan")).status_code == 302
        refused = await office.json("/api/register/set-watch", "dan", {})
        assert refused.json()["reason"] == "token_not_for_this"
        by_program = {"who": "dan", "secret": PASSWORD}
        answer = await office._client.post("/api/sign-in", json=by_program)
        assert answer.json()["reason"] == "second_factor_due"
        assert len(await dan.set_up()) == RECOVERY_CODES
        dan.time.steady_ms += STEP_MS
        assert await dan.sign_in(dan.code()) == (303, "/")
        dan.time.steady_ms += STEP_MS
        answer = await office._client.post("/api/sign-in", json=by_program | {"code": dan.code()})
        assert answer.status_code == 200

    with_staff(tmp_path, use)


def test_nobody_sets_up_a_key_of_their_own_making_and_patrons_have_none(tmp_path: Path) -> None:
    async def use(dan: Staff) -> None:
        office = dan.office
        made_up = {"shared": "A" * 32, "proof": "0" * 64, "code": code_at(b"", 0)}
        dan.shared = b32decode(made_up["shared"])
        answer = await office.json("/api/me/second", "dan", made_up | {"code": dan.code()})
        assert answer.json()["reason"] == "second_factor_wrong"
        offer = (await office.get("/api/me/second", "mara")).json()
        dan.shared = b32decode(offer["shared"])
        theirs = {"shared": offer["shared"], "proof": offer["proof"], "code": dan.code()}
        assert (await office.json("/api/me/second", "dan", theirs)).status_code == 409
        assert (await office.json("/api/me/second", "mara", theirs)).status_code == 200
        assert (await office.get("/account/second", "ann")).status_code == 403

    with_staff(tmp_path, use)
