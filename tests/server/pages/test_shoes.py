"""One of the house's own shoes, with the players' words, is checked by anybody once it is over."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import puntobanco_verifier
from puntobanco.house.checks.audit import audit
from puntobanco.house.intents import Deal, OpenOrder, ShuffleHouse
from puntobanco.house.lookback.export import export
from puntobanco.house.virtual_shoe import DEALT_AT
from puntobanco.journal.log import EventLog
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.opened_shoe import OpenedShoe, shoe_fault
from puntobanco.rules.shoe import SHOE_FORMAT, commitment, full_set, mixed_by_words
from puntobanco.table import commands as c
from puntobanco.table.next_step import next_step
from tests.kit.house.driver import Driver, house_over
from tests.kit.journal import using
from tests.kit.office import office_of

ORDER = full_set(8)
SHOE = OpenedShoe(
    SHOE_FORMAT,
    "table-1",
    1,
    commitment(ORDER, "00ff"),
    ("rain on Tuesday",),
    100,
    ORDER,
    "00ff",
    (None, *mixed_by_words(ORDER, commitment(ORDER, "00ff"), ("rain on Tuesday",))[101:110]),
)
"""Nobody saw the first card, which was burned."""
Edit = Callable[[OpenedShoe], OpenedShoe]


def checked(arguments: list[str]) -> int:
    """What the stand-alone script says."""
    return int(puntobanco_verifier.main(arguments))  # type: ignore[no-untyped-call]


async def played(driver: Driver) -> None:
    """A coup dealt from the house's own shoe, and the shoe ended for a reason."""
    house = driver.house
    for ask in (c.CutCards(100, 1), c.LoadShoe(), c.BuyIn(50_000, "ann")):
        await driver.do("dan", ask)
    await driver.do("dan", c.OpenCoup())
    await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 2500))
    for _ in range(4):
        await driver.do("dan", Deal())
    while next_step(house.tables["table-1"].state).step in DEALT_AT:
        await driver.do("dan", Deal())
    await driver.do("dan", c.DeclareResult())
    await driver.do("dan", c.EndCoup())
    await driver.do("dan", c.EndShoe("the table is moved"))
    await driver.do("dan", OpenOrder())


def test_words_of_a_player_are_in_the_order_and_anybody_checks_it(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        house = driver.house
        await driver.do("dan", c.CheckCards("set A", player="ann"))
        await house.give("table-1", ShuffleHouse(), "dan", "shuffle")
        async with office_of(house) as office:
            assert (
                "/tables/table-1/do/add-words" in (await office.get("/tables/table-1", "ann")).text
            )
            form = (await office.get("/tables/table-1/do/add-words", "ann")).text
            assert 'name="words"' in form
            assert "Your words" in form
            said = {"words": "<b>rain</b> on Tuesday"}
            answer = await office.json("/api/tables/table-1/add-words", "ann", said)
            assert answer.status_code == 200, answer.text
            await played(driver)
            listed = (await office.get("/tables/table-1/shoes", "ann")).text
            assert "/tables/table-1/shoes/1" in listed
            page = (await office.get("/tables/table-1/shoes/1", "ann")).text
            assert re.search(r">(10|[2-9JQKA])[♣♦♥♠]<", page)
            assert not re.search(r">\w[cdhs]<", page)
            assert "Agrees" in page
            assert "<q>&lt;b&gt;rain&lt;/b&gt; on Tuesday</q>" in page
            file = tmp_path / "shoe.json"
            file.write_text((await office.get("/api/tables/table-1/shoes/1", "ann")).text)
            assert (await office.get("/tables/table-1/shoes/2", "ann")).status_code == 404
        shoe = json.loads(file.read_text())
        assert len([card for card in shoe["dealt"] if card]) >= 4
        assert checked(["--shoe", str(file)]) == 0
        file.write_text(json.dumps({**shoe, "words": ["rain on Thursday"]}))
        assert checked(["--shoe", str(file)]) == 1
        lines = (line.decode() for line in export(log, "table-1"))
        found = puntobanco_verifier.verify(lines)  # type: ignore[no-untyped-call]
        assert found["commitments"] == 1
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (lambda shoe: shoe, ""),
        (lambda shoe: replace(shoe, words=()), "dealt-otherwise"),
        (lambda shoe: replace(shoe, words=("rain", "on Tuesday")), "dealt-otherwise"),
        (lambda shoe: replace(shoe, cut=99), "dealt-otherwise"),
        (lambda shoe: replace(shoe, dealt=(*shoe.dealt, *ORDER)), "dealt-otherwise"),
        (lambda shoe: replace(shoe, salt="00fe"), "not-committed"),
        (lambda shoe: replace(shoe, order=()), "never-opened"),
        (
            lambda shoe: replace(
                shoe,
                order=(*ORDER[:-1], Card("9c")),
                commitment=commitment((*ORDER[:-1], Card("9c")), "00ff"),
            ),
            "not-full",
        ),
    ],
)
def test_program_and_script_find_the_same(edit: Edit, fault: str, tmp_path: Path) -> None:
    shoe = edit(SHOE)
    assert shoe_fault(shoe) == fault
    file = tmp_path / "shoe.json"
    file.write_text(json.dumps(facts(shoe)))
    assert checked(["--shoe", str(file)]) == (1 if fault else 0)


def facts(shoe: OpenedShoe) -> dict[str, Any]:
    return {name: getattr(shoe, name) for name in shoe.__struct_fields__}


@pytest.mark.parametrize("text", ["", "[]", "{}", "3", '{"format":"puntobanco-shoe-1"}'])
def test_what_is_no_file_of_a_shoe_is_said(text: str, tmp_path: Path) -> None:
    file = tmp_path / "shoe.json"
    file.write_text(text)
    assert checked(["--shoe", str(file)]) == 1
