"""A house and its key: known by a fingerprint, refused if it is another, taken by two people."""

import asyncio
from getpass import GetPassWarning
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from warnings import warn

import msgspec
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec.structs import replace

import puntobanco_verifier as verifier
from puntobanco.cli.house import new_key
from puntobanco.cli.house.new_key import take_key
from puntobanco.cli.keys import house_keys, house_under, load_key, load_keys, named_key
from puntobanco.errors import MalformedError, Reason, Refused, UnusableError
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.bots.crew import Bots
from puntobanco.house.checks.proof import Against, Proof, prove, under
from puntobanco.house.house import House
from puntobanco.house.lookback.significant import significant
from puntobanco.house.loop import Running
from puntobanco.house.roots import is_sealed
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.mac import RowMac
from puntobanco.journal.receipt import give_receipt, public_key
from puntobanco.journal.rows import Row
from puntobanco.journal.seal import SealError, seal, unseal
from puntobanco.journal.shown_keys import ShownKey, fingerprint, key_fault, shown_keys
from puntobanco.journal.sqlite import open_log
from puntobanco.journal.verify import REGISTER
from puntobanco.register import commands as register
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.house.driver import KEY, Driver, Time, seeded
from tests.kit.house.evening import evening
from tests.kit.house.place import Place
from tests.kit.journal import using
from tests.kit.program import refused, run

OTHER = b"o" * 32
WORDS = {"mara": "mara has fifteen letters", "sue": "sue has fifteen letters, too"}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A house that was opened, played in and shut; mara manages it, sue watches it."""
    place = Place(tmp_path)

    async def use(driver: Driver) -> None:
        await driver.open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))
        house = driver.house
        if "sue" not in house.register.state.people:
            await house.give(REGISTER, register.Enrol("sue", "staff"), "mara", "sue-1")
            await house.give(REGISTER, register.Grant("sue", Role.SURVEILLANCE), "mara", "sue-2")
        for person, password in WORDS.items():
            await SignIn(house).set_password(person, password, "mara")

    place.run(use)
    return place


def taken(place: Place, *people: str, **words: str) -> Path:
    """Another key, in a file of its own, by the word of two people."""
    file = place.key.with_name("other.key")
    file.write_text(OTHER.hex())
    said = WORDS | words

    async def take(log: EventLog) -> None:
        first, second = people
        answers = {f"Password of {person}: ": said[person] for person in people}
        await take_key(log, file, (first, second), answers.__getitem__)

    using(str(place.file), take)
    return file


def proven(place: Place, key: bytes | None) -> Proof:
    async def read(log: EventLog) -> Proof:
        return prove(log, Against(key=key))

    return using(str(place.file), read)


def test_a_house_without_a_fingerprint_notes_it_when_it_starts(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.start()
    log = open_log(place.file)
    (shown,) = shown_keys(log)
    assert (shown.first, fingerprint(log)) == ("", "e9ae d001 8650 d5ee")
    asyncio.run(log.close())
    place.start()  # and goes on with it


def test_rows_without_codes_are_not_gone_on_from_with_any_key(place: Place) -> None:
    """Nothing but the fingerprint tells the keys of a house of an older program apart."""
    place.sql("UPDATE rows SET mac = NULL")
    with pytest.raises(UnusableError, match="this is not the key of this house"):
        place.start(OTHER)
    fault = proven(place, OTHER).fault
    assert fault is not None
    assert "this is not the key of this house" in str(fault)


def test_a_house_that_once_took_two_keys_silently_goes_on_with_either(tmp_path: Path) -> None:
    """As houses did before keys were taken by the word of two people."""
    place = Place(tmp_path)
    place.start()

    async def shown(log: EventLog) -> None:
        (row,) = (row for row in log.read(REGISTER) if b"key-shown" in row.events)
        silent = row.events.replace(public_key(KEY).encode(), public_key(OTHER).encode())
        assert silent != row.events
        rows = [row, replace(row, events=silent, mac=None)]
        older = cast("EventLog", SimpleNamespace(read=lambda _stream: rows))
        assert (key_fault(older, KEY), key_fault(older, OTHER)) == ("", "")
        assert "this is not the key" in key_fault(older, b"x" * 32)

    using(str(place.file), shown)


def test_another_key_is_taken_by_the_word_of_two_and_told(place: Place) -> None:
    file = taken(place, "mara", "sue")
    with pytest.raises(UnusableError, match="was given up; on record is"):
        place.start()
    place.key = file

    async def use(driver: Driver) -> None:
        await driver.do("bob", c.Sit(2))
        told = [one.says for one in significant(driver.house)]
        assert "The house took another key, by the word of mara and sue" in told
        assert await SignIn(driver.house).sign_in("mara", "password", WORDS["mara"], "here")

    place.run(use, OTHER)
    place.start(OTHER)
    proof = proven(place, OTHER)
    assert proof.fault is None
    assert 0 < proof.former < proof.rows == proof.signed
    assert proven(place, None).fault is None
    assert "was given up" in str(proven(place, KEY).fault)
    said = run("verify", str(place.file), "--secret", str(file), out=True)
    assert f"whose codes and seals were not checked: {proof.former} rows" in said


def test_after_that_the_former_key_codes_no_row_more(place: Place) -> None:
    """Whoever has a key that was given up, because it was seen, writes nothing with it."""
    place.key = taken(place, "mara", "sue")
    place.start(OTHER)

    async def with_the_former(log: EventLog) -> None:
        anything = RowMac(KEY, dict.fromkeys(log.streams(), 10**6))
        house = House(log, Time(10**9).clock, seeded(4), KEY, codes=anything)
        await Driver(house, "late-").do("bob", c.Sit(2))

    using(str(place.file), with_the_former)
    with pytest.raises(UnusableError, match=r"row \d+ was written under another key"):
        place.start(OTHER)
    assert "was written under another key" in str(proven(place, OTHER).fault)


@pytest.mark.parametrize(
    ("people", "words", "said"),
    [
        (("mara", "sue"), {"sue": "sue has forgotten hers"}, "not the password of sue"),
        (("mara", "nobody"), {"nobody": "nobody has this password"}, "password of nobody"),
    ],
)
def test_a_word_is_a_password(
    place: Place, people: tuple[str, str], words: dict[str, str], said: str
) -> None:
    with pytest.raises(UnusableError, match=said):
        taken(place, *people, **words)
    place.start()  # nothing was written, and the house goes on


def test_a_password_that_others_were_shown_is_nobodys_word(place: Place) -> None:
    """Whoever gave it out would be both people."""
    shown: dict[str, str] = {}

    async def use(driver: Driver) -> None:
        shown["sue"] = await SignIn(driver.house).issue_first("sue", "mara")

    place.run(use)
    with pytest.raises(UnusableError, match="somebody else was shown it"):
        taken(place, "mara", "sue", **shown)


@pytest.mark.parametrize("seen", [False, True])
def test_without_a_terminal_nobody_is_asked(
    place: Place, monkeypatch: pytest.MonkeyPatch, *, seen: bool
) -> None:
    """Nor where what is typed would be seen, or is a program's."""

    def ended(_prompt: str) -> str:
        if seen:
            warn("Can not control echo on the terminal.", GetPassWarning, stacklevel=2)
            return "what a pipe has"
        raise EOFError

    monkeypatch.setattr(new_key, "getpass", ended)
    with pytest.raises(UnusableError, match="run it at a terminal"):
        using(str(place.file), lambda log: take_key(log, place.key, ("mara", "sue")))


def test_the_word_of_whoever_neither_manages_nor_watches_does_not_count(place: Place) -> None:
    with pytest.raises(Refused) as caught:
        taken(place, "sue", "mara")  # she watches, and does not manage
    assert caught.value.reason is Reason.WORD_DOES_NOT_COUNT
    place.start()


def test_the_key_is_had_from_the_environment_or_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "house.key"
    file.write_text("environment: HOUSE_KEY\n")
    with pytest.raises(UnusableError, match="environment: HOUSE_KEY: a key has 32 bytes"):
        load_key(file)
    monkeypatch.setenv("HOUSE_KEY", KEY.hex())
    assert load_key(file) == KEY
    file.write_text(f"command: printf %s {KEY.hex()}")
    assert load_key(file) == KEY
    for command in ("false", "no-such-program", "printf 'ab"):
        file.write_text(f"command: {command}")
        with pytest.raises(UnusableError, match="it gave no key") as caught:
            load_key(file)
        assert "returned non-zero" not in str(caught.value)


def test_where_the_key_is_stands_in_the_file_and_is_not_its_name() -> None:
    """Else a house would be founded under a key that nobody meant, in a file of that name."""
    for secret in ("environment:HOUSE_KEY", "command: vault kv get house"):
        with pytest.raises(MalformedError, match="--secret names a file"):
            named_key("house.db", Path(secret))


def test_a_house_restored_without_its_key_says_so(place: Place, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    run("backup", "--house", str(place.file), "--to", str(copy))
    said = run("restore", str(copy), "--to", str(tmp_path / "again.db"), out=True)
    assert "The house is restored, but the key of this house, e9ae d001 8650 d5ee, is not" in said
    said = run("drill", str(copy), out=True)
    assert "the house's key is not here" in said
    assert "e9ae d001 8650 d5ee" in said
    other = tmp_path / "wrong.key"
    other.write_text(OTHER.hex())
    said = run("drill", str(copy), "--secret", str(other), code=1, out=True)
    assert "FAULT: register: this is not the key of this house" in said
    at = str(tmp_path / "more.db")
    assert "this is not the key" in refused(
        "restore", str(copy), "--to", at, "--secret", str(other)
    )
    with pytest.raises(UnusableError, match="is not here"):
        house_keys(tmp_path / "mistyped.key", open_log(place.file))
    assert not (tmp_path / "mistyped.key").exists()


def test_the_stand_alone_verifier_follows_a_change_of_key(place: Place, tmp_path: Path) -> None:
    taken(place, "mara", "sue")
    file = tmp_path / "register.jsonl"
    run("export", "register", "--house", str(place.file), "--to", str(file))
    assert verifier.verify(iter(file.read_text().splitlines()))["people"]  # type: ignore[no-untyped-call]
    book = verifier.Register()  # type: ignore[no-untyped-call]
    book.keys.add("aa")
    by = verifier.By("house", (), 0, 7)  # type: ignore[no-untyped-call]
    for alone in ({}, {"first": "mara", "second": "mara"}):
        with pytest.raises(verifier.Fault):
            list(book.do_show_key({"public": "bb", **alone}, by))  # type: ignore[no-untyped-call]


def renewed(place: Place) -> tuple[bytes, ...]:
    """The key changed as it is in an evening's house: a fresh one, the one of before kept."""

    async def take(log: EventLog) -> None:
        await take_key(log, place.key, ("mara", "sue"), lambda asked: WORDS[asked[12:-2]])

    using(str(place.file), take)
    return load_keys(place.key)


def test_a_key_is_renewed_and_what_the_former_wrote_is_still_checked(
    tmp_path: Path, place: Place
) -> None:
    receipt = tmp_path / "receipt.json"
    asked = ("table-1", "1", "--house", str(place.file), "--key", str(place.key))
    receipt.write_text(run("receipt", *asked, out=True))
    keys = renewed(place)
    assert keys[1:] == (KEY,)
    assert place.key.stat().st_mode & 0o077 == 0
    assert [one.second for one in using(str(place.file), shown)] == ["", "sue"]

    async def go_on(log: EventLog) -> Proof:
        house = house_under(place.key, log, Time(10**9).clock)
        await Running(house).start()
        await Driver(house, "on-").do("bob", c.Sit(2))
        await house.shut()
        return prove(log, under(keys))

    proof = using(str(place.file), go_on)
    assert (proof.fault, proof.former) == (None, 0)
    assert run("verify", str(receipt), "--house", str(place.file), out=True).count("sound")

    async def later(log: EventLog) -> Row:
        return list(log.read("table-1"))[-1]

    for key, code, said in ((keys[0], 0, "sound"), (KEY, 1, "had given up before this row")):
        receipt.write_bytes(msgspec.json.encode(give_receipt(using(str(place.file), later), key)))
        assert said in run("verify", str(receipt), "--house", str(place.file), code=code, out=True)
    spoilt = "CAST(substr(mac, 1, 39) || x'00' AS BLOB)"
    place.sql(f"UPDATE rows SET mac = {spoilt} WHERE stream = 'cage' AND seq = 1")
    fault = using(str(place.file), lambda log: proven_with(log, keys)).fault
    assert "cage row 1: was not written by this house" in str(fault)


async def shown(log: EventLog) -> list[ShownKey]:
    return shown_keys(log)


async def proven_with(log: EventLog, keys: tuple[bytes, ...]) -> Proof:
    return prove(log, under(keys))


def test_a_shoe_sealed_under_the_former_key_is_dealt_on_with_it_and_not_without(
    tmp_path: Path,
) -> None:
    where = str(tmp_path / "house.db")

    async def use(log: EventLog) -> None:
        house = (await evening(log, 1, "tas-2018")).house
        table = house.table("table-1")
        while not is_sealed(table.state):
            assert await Bots(house).step(table)
        rows = {stream: head.seq for stream, head in (await log.heads()).items()}
        for older, opens in (((KEY,), True), ((), False)):
            codes = RowMac(OTHER, rows, *older)
            later = House(log, Time().clock, seeded(1), OTHER, codes=codes)
            if opens:
                assert later.order(table.state).cards
            else:
                with pytest.raises(Refused):
                    later.order(table.state)

    using(where, use)


def test_each_use_has_a_key_of_its_own() -> None:
    """What seals, codes rows and signs receipts: none of them is the house's key, or another."""
    sealed = seal("c", b"order", KEY, b"n" * 12)
    with pytest.raises(InvalidTag):
        ChaCha20Poly1305(KEY).decrypt(sealed.nonce, sealed.content, b"c")
    older = Sealed("c", b"n" * 12, ChaCha20Poly1305(KEY).encrypt(b"n" * 12, b"order", b"c"))
    assert unseal(older, KEY) == unseal(sealed, OTHER, KEY) == b"order"
    with pytest.raises(SealError):
        unseal(sealed, OTHER)
