"""Looking back: the last ten games step by step, receipts, and shuffles that were none."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.errors import UnusableError
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.lookback.games import last_games
from puntobanco.house.loop import Running
from puntobanco.journal.log import EventLog
from puntobanco.journal.receipt import (
    give_receipt,
    public_key,
    read_receipt,
    receipt_fault,
    short_receipt,
)
from puntobanco.journal.rows import Row
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table import events as e
from tests.kit.house.driver import KEY, Driver, house_over
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.program import run


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fifteen coups and a half in Tasmania."""
    where = tmp_path_factory.mktemp("house") / "house.db"

    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018")
        table = bots.house.table("table-1")
        await Running(bots.house).start()
        await let_bots_play(bots, [table], 16)
        while not table.state.coup or len(table.state.coup.drawn) < 3:
            assert await bots.step(table)

    using(str(where), use)
    (where.parent / "key").write_text(KEY.hex())
    return where


def test_the_last_ten_games_are_shown_again_in_order_with_every_step(house: Path) -> None:
    async def use(log: EventLog) -> None:
        games = list(last_games(log, "table-1"))
        assert [game.coup for game in games] == list(range(7, 17))
        assert [game.over for game in games] == [True] * 9 + [False]
        for game in games[:-1]:
            kinds = [type(step.event) for step in game.steps]
            assert kinds[0] is e.CoupOpened
            assert kinds[-1] is e.CoupEnded
            assert kinds.count(e.WagerPlaced) == 9
            assert 4 <= kinds.count(e.CardDrawn) <= 6
            assert kinds.count(e.ResultDeclared) == 1
            assert [step.seq for step in game.steps] == sorted(step.seq for step in game.steps)
            assert all(step.says for step in game.steps)
        assert [game.coup for game in last_games(log, "table-1", 1000)] == list(range(1, 17))
        assert list(last_games(log, "table-9")) == []

    using(str(house), use)


def test_games_from_the_command_line(house: Path) -> None:
    told = run("games", "table-1", "--house", str(house), "--last", "2")
    assert told.count("REPLAY") == 2
    assert "still in play" in told
    assert "[tas-2018:" in told.replace("tas-2018:", "[tas-2018:")
    lines = run("games", "table-1", "--house", str(house), "--json").splitlines()
    assert [msgspec.json.decode(line)["coup"] for line in lines] == list(range(7, 17))


def test_a_receipt_verifies_offline_and_against_the_house(house: Path, tmp_path: Path) -> None:
    text = run(
        "receipt", "table-1", "30", "--house", str(house), "--key", str(house.parent / "key")
    )
    file = tmp_path / "receipt.json"
    file.write_text(text)
    assert "nobody vouches for its key" in run("verify", str(file), code=1, out=True)
    assert "table-1 row 30: sound" in run("verify", str(file), "--key", public_key(KEY))
    told = run("verify", str(file), "--key", public_key(b"x" * 32), code=1, out=True)
    assert "signed with another key" in told
    assert "and in the house" in run("verify", str(file), "--house", str(house))


def row(house: Path, number: int = 30) -> Row:
    async def use(log: EventLog) -> Row:
        return next(log.read("table-1", number - 1))

    return using(str(house), use)


@pytest.mark.parametrize("field", ["actor", "events", "at_ms", "seq", "hash", "signature", "key"])
def test_a_receipt_somebody_edited_is_found(house: Path, field: str) -> None:
    receipt = give_receipt(row(house), KEY)
    assert receipt_fault(receipt) == ""
    later = replace(row(house, 31), at_ms=5)
    other = give_receipt(later, b"x" * 32)
    assert receipt_fault(replace(receipt, **{field: getattr(other, field)}))


def test_a_receipt_of_another_house_or_with_another_key_is_found(
    house: Path, tmp_path: Path
) -> None:
    file = tmp_path / "receipt.json"
    false = give_receipt(row(house), b"x" * 32)
    file.write_bytes(msgspec.json.encode(false))
    told = run("verify", str(file), "--house", str(house), code=1, out=True)
    assert "a key this house never showed" in told
    true = give_receipt(row(house), KEY)
    file.write_bytes(msgspec.json.encode(true))
    other = tmp_path / "other.db"

    async def use(log: EventLog) -> None:
        bots = await evening(log, 7, "tas-2018")
        await let_bots_play(bots, [bots.house.table("table-1")], 2)

    using(str(other), use)
    told = run("verify", str(file), "--house", str(other), code=1, out=True)
    assert "FAULT: table-1 row 30: is another in this house" in told
    true = give_receipt(row(house, 200), KEY)
    file.write_bytes(msgspec.json.encode(true))
    assert "is not in this house" in run(
        "verify", str(file), "--house", str(other), code=1, out=True
    )


def test_the_short_form_of_a_receipt_verifies_too(house: Path, tmp_path: Path) -> None:
    """What a code on paper has: held against the house, or against the key it publishes."""
    file, whole = tmp_path / "short.json", give_receipt(row(house), KEY)
    short = short_receipt(whole)
    file.write_bytes(msgspec.json.encode(short))
    assert "sound, and in the house" in run("verify", str(file), "--house", str(house))
    alone = run("verify", str(file), "--key", whole.key)
    assert "sound" in alone
    assert "what the row says, --house shows" in alone
    assert "nobody vouches" in run("verify", str(file), code=1, out=True)
    assert "another key" in run("verify", str(file), "--key", "0" * 64, code=1, out=True)
    other = give_receipt(row(house, 31), KEY)
    for field, wrong in (("hash", other.hash), ("signature", other.signature)):
        assert receipt_fault(replace(short, **{field: wrong}))
    for field, value in (("at_ms", 5), ("seq", 31)):
        file.write_bytes(msgspec.json.encode(replace(short, **{field: value})))
        told = run("verify", str(file), "--house", str(house), code=1, out=True)
        assert "is another in this house" in told


@pytest.mark.parametrize("text", [b"", b"{}", b'{"form":"puntobanco-receipt-1"}', b"\xff\xfe"])
def test_what_is_no_receipt_is_said_to_be_none(text: bytes) -> None:
    with pytest.raises(UnusableError, match="not a receipt"):
        read_receipt(text)


def test_the_public_key_is_not_the_key() -> None:
    assert public_key(KEY) != KEY.hex()
    assert public_key(KEY) == public_key(KEY)


CARDS = "9c Kd Kh 7s 8c Qd Qh 6s 9h Jd Jh 5s"


async def shoe(driver: Driver, cards: str) -> None:
    """A shoe keyed in: checked, shuffled (they say), dealt, over."""
    for ask in (
        c.CheckCards("set A", player="ann"),
        c.Shuffle(),
        c.CutCards(100, 1),
        c.LoadShoe(),
    ):
        await driver.do("dan", ask)
    words = cards.split()
    while words:
        await driver.do("dan", c.OpenCoup())
        await driver.do("dan", c.PlaceWager(1, Bet.PLAYER, 2500, "ann"))
        for card in words[:4]:
            await driver.do("dan", c.DrawCard(Card(card)))
        words = words[4:]
        await driver.do("dan", c.DeclareResult())
        await driver.do("dan", c.EndCoup())
    await driver.do("dan", c.EndShoe("why"))


@pytest.mark.parametrize(
    ("again", "suspected"),
    [
        (CARDS, True),
        ("9c 9d 9h 7s " + "8c Qd Qh 6s 9h Jd Jh 5s", True),
        ("9d 9d Kc 7d 8d Qc Qs 6d 9s Jc Js 5d", False),
    ],
    ids=["the same", "a slug of eight", "another"],
)
def test_a_keyed_shoe_that_was_not_shuffled_is_on_record(
    tmp_path: Path, again: str, *, suspected: bool
) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        await driver.do("dan", c.BuyIn(50_000, "ann"))
        await shoe(driver, CARDS)
        assert driver.house.table("table-1").state.pack.last_dealt == tuple(CARDS.split())
        await shoe(driver, again)
        ended = [row for row in log.read("table-1") if b'"shoe-ended"' in row.events]
        assert b"repeats" not in ended[0].events
        assert (b'"repeats":' in ended[1].events) == suspected

    using(str(tmp_path / "house.db"), use)
