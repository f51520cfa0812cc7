"""Receipts on the web: what is a patron's own, whole or in part, signed by the house."""

import json
import re
from pathlib import Path

import segno
from msgspec.structs import replace

from puntobanco.cage import commands as cage
from puntobanco.house.access.people import Person
from puntobanco.journal.receipt import SHORT_FORM, read_receipt, receipt_fault
from puntobanco.journal.witness.shown import inclusion
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.server.pages.journal.receipts import MOST_QR_BYTES
from puntobanco.server.rendering import moment
from puntobanco.table import commands as c
from tests.kit.house.driver import Driver
from tests.kit.office import Office, asked

SHORT = "/api/tables/table-1/receipts/{row}/short"


async def one_coup(office: Office) -> None:
    """Ann and ben bet; Player wins with a natural."""
    driver = await Driver(office.house).open()
    await driver.do("carol", cage.OpenAccount("ben"))
    await driver.do("carol", cage.Deposit("ben", 99_000))
    await driver.do("ben", c.Sit(2))
    await driver.shoe()
    await driver.do("dan", c.BuyIn(50_000, "ben"))
    await driver.do("dan", c.OpenCoup())
    await driver.do("ann", c.PlaceWager(1, Bet.PLAYER, 2500))
    await driver.do("ben", c.PlaceWager(2, Bet.BANKER, 5000))
    for card in ("9c", "Kd", "Kh", "7s"):
        await driver.do("dan", c.DrawCard(Card(card)))
    await driver.do("dan", c.DeclareResult())


def test_a_patron_has_receipts_of_what_is_theirs_and_of_nothing_else(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await office.enrol("ben")
        await one_coup(office)
        text = (await office.get("/tables/table-1/receipts", "ann")).text
        assert "ann wagers 25 on Player (box 1)" in text
        assert "ann: 25 on Player (box 1) wins, paid 25" in text
        assert "ann buys chips for 500" in text
        assert "ben" not in text
        rows = [int(one) for one in re.findall(r'href="/tables/table-1/receipts/(\d+)"', text)]
        own = [int(one) for one in re.findall(r'href="/api/tables/table-1/receipts/(\d+)"', text)]
        assert (len(rows), len(own)) == (3, 1)
        await its_receipt_is_whole(office, own[0])
        settled = rows[0]
        page = (await office.get(f"/tables/table-1/receipts/{settled}", "ann")).text
        assert "ann: 25 on Player (box 1) wins, paid 25" in page
        assert ">50</data></td>" in page
        assert "ben" not in page
        assert "<dd>staff of the house</dd>" in page, "not what the dealer signs in with"
        office.house.people.put(Person("ann", "Anna Schmidt"))
        named = (await office.get("/tables/table-1/receipts", "ann")).text
        assert "Anna Schmidt buys chips for 500" in named
        short = {"form": SHORT_FORM, "stream": "table-1", "seq": settled}
        assert code(page) == code_of_text(full_short(short, page, office, settled))
        whole = (await office.get(f"/tables/table-1/receipts/{settled}", "mara")).text
        assert "ben: 50 on Banker (box 2) loses" in whole
        theirs = await office.get(f"/tables/table-1/receipts/{own[0]}", "ben")
        assert theirs.status_code == 404
        assert (await office.get("/tables/table-1/receipts")).status_code == 302

    asked(tmp_path / "house.db", use)


def test_a_payout_that_others_are_in_is_a_file_with_its_proof(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await office.enrol("ben")
        await one_coup(office)
        settled = office.house.log.head("table-1").seq
        page, own = f"/tables/table-1/receipts/{settled}", SHORT.format(row=settled)
        assert f'href="{own}"' in (await office.get(page, "ann")).text
        bare = read_receipt((await office.get(own, "ann")).content)
        assert (receipt_fault(bare), bare.inclusion) == ("", None)
        assert (await office.get(f"{own}?inclusion=true", "ann")).status_code == 404
        await office.house.record_root()
        assert f'href="{own}?inclusion=true"' in (await office.get(page, "ann")).text
        data = (await office.get(f"{own}?inclusion=true", "ann")).content
        proven = read_receipt(data)
        assert proven.inclusion is not None
        assert receipt_fault(proven) == ""
        assert b"ben" not in data
        row = next(office.house.log.read("table-1", settled - 1))
        assert proven.inclusion == inclusion(office.house.log, row)
        another = replace(proven.inclusion, root="ab" * 32)
        assert "not under the root" in receipt_fault(replace(proven, inclusion=another))
        for person, number, status in (
            ("ben", settled, 200),
            ("ben", settled - 6, 404),
            ("", settled, 401),
        ):
            answer = await office.get(SHORT.format(row=number), person)
            assert answer.status_code == status, (person, number)

    asked(tmp_path / "house.db", use)


async def its_receipt_is_whole(office: Office, row: int) -> None:
    page = (await office.get(f"/tables/table-1/receipts/{row}", "ann")).text
    data = (await office.get(f"/api/tables/table-1/receipts/{row}", "ann")).content
    receipt = read_receipt(data)
    assert receipt_fault(receipt) == ""
    for fact in (
        receipt.hash,
        receipt.signature,
        receipt.key,
        moment(receipt.at_ms),
        "25</data></td>",
    ):
        assert fact in page
    assert "/rules/tas-2018:6.5(a)" in page
    assert " style=" not in page
    assert len(data) <= MOST_QR_BYTES
    assert code(page) == code_of_text(data)


def code(page: str) -> str:
    """The dark modules of the QR code on a page."""
    found = re.search(r'class="qrline" stroke="#000" d="([^"]+)"', page)
    assert found is not None
    return found.group(1)


def code_of_text(text: bytes) -> str:
    return code(segno.make_qr(text, error="l", boost_error=False).svg_inline(dark="#000"))


def full_short(start: dict[str, object], page: str, office: Office, seq: int) -> bytes:
    row = next(office.house.log.read("table-1", seq - 1))
    facts = re.findall(r'<code class="hash">([0-9a-f]+)</code>', page)
    assert facts[0] == row.hash.hex()
    more = {"at_ms": row.at_ms, "hash": facts[0], "key": facts[2], "signature": facts[1]}
    return json.dumps({**start, **more}, separators=(",", ":")).encode()
