"""The cage as a till: money in and out, slips by denomination, drawers, ledgers, live regions."""

import asyncio
import csv
import io
import re
import uuid
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise

import httpx
import msgspec
import pytest

from puntobanco.journal.receipt import Receipt, receipt_fault
from puntobanco.server.pages.journal.receipts import in_short
from tests.kit.web import Web, agree, demo_house, give

HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=20) as web:
        cashier = web.client("cashier")
        for number, name in (("1042", "Anna Schmidt"), ("1093", "Anders Lund")):
            assert give(cashier, "/register/enrol", {"person": number, "kind": "patron"}).is_success
            assert give(cashier, f"/people/{number}/name", {"name": name}).is_success
        assert give(cashier, "/cage/open-account", {"person": "1042"}).is_success
        yield web


def post(client: httpx.Client, path: str, **form: str) -> httpx.Response:
    return client.post(path, data={"command_id": str(uuid.uuid4()), **form}, headers=HTML)


def plain(page: httpx.Response) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.text).split())


def balance(web: Web) -> int:
    found: int = web.client("cashier").get("/api/cage").json()["accounts"]["1042"]
    return found


@pytest.mark.parametrize(
    ("typed", "leads"),
    [
        ("1042", "/house/cage/patrons/1042"),
        ("anna s", "/house/cage/patrons/1042"),
        (f"https://h.example/sign-in#1042.{'0f' * 24}", "/house/cage/patrons/1042"),
        (f"1042.{'0f' * 24}", "/house/cage/patrons/1042"),
        ("an", "/house/cage?q=an"),
        ("nobody-here", "/house/cage?q=nobody-here"),
    ],
)
def test_a_patron_is_found_by_name_number_or_code(web: Web, typed: str, leads: str) -> None:
    answer = post(web.client("cashier"), "/house/cage/find", q=typed)
    assert answer.headers["location"] == leads
    assert "0f0f" not in leads


def test_money_is_booked_once_it_was_shown_and_confirmed_and_has_a_receipt(web: Web) -> None:
    cashier, before = web.client("cashier"), balance(web)
    at = "/house/cage/patrons/1042"
    asked = post(cashier, at, do="in", amount="1,250.50")
    assert asked.status_code == 200
    assert "Pay in for Anna Schmidt?" in asked.text
    assert balance(web) == before
    sure = {"do": "in", "amount": "1,250.50", "sure": "1", "command_id": str(uuid.uuid4())}
    first = cashier.post(at, data=sure, headers=HTML)
    again = cashier.post(at, data=sure, headers=HTML)
    assert first.headers["location"] == again.headers["location"]
    assert balance(web) == before + 125_050
    row = first.headers["location"].rpartition("=")[2]
    page = cashier.get(first.headers["location"], headers=HTML)
    assert f"Receipt {row}" in plain(page)
    receipt = cashier.get(f"/api/cage/receipts/{row}")
    assert receipt_fault(msgspec.json.decode(receipt.content, type=Receipt)) == ""
    paper = cashier.get(f"/house/cage/receipts/{row}", headers=HTML)
    assert "1042" in paper.text
    whole = receipt.text
    for code in (whole, in_short(msgspec.json.decode(whole, type=Receipt)).decode()):
        found = post(cashier, "/house/cage/find", q=code)
        assert found.headers["location"] == f"/house/cage/receipts/{row}", "its printed code"
    other = post(cashier, "/house/cage/find", q=whole.replace('"hash":"', '"hash":"0'))
    assert "did%20not%20give" in other.headers["location"]
    assert web.client("player").get(f"/api/cage/receipts/{row}").status_code == 404
    assert web.client().get(f"/house/cage/receipts/{row}", headers=HTML).status_code in (302, 401)


@pytest.mark.parametrize(
    ("way", "amount", "says"),
    [
        ("in", "", "Say how much"),
        ("in", "12,50", "“12,50” is not an amount"),
        ("in", "0", "Say how much"),
        ("in", "100000000000", "more than can be booked"),
        ("out", "999999", "Anna Schmidt has"),
    ],
)
def test_a_wrong_amount_is_said_beside_its_field_and_stays(
    web: Web, way: str, amount: str, says: str
) -> None:
    before = balance(web)
    for sure in ({}, {"sure": "1"}):
        page = post(
            web.client("cashier"), "/house/cage/patrons/1042", do=way, amount=amount, **sure
        )
        assert page.status_code == 409
        assert says in plain(page)
        assert f'name="amount" value="{amount}"' in page.text
        assert 'aria-describedby="amount-error"' in page.text
    assert balance(web) == before


def test_nobody_unknown_can_be_booked_and_one_without_an_account_is_offered_one(web: Web) -> None:
    cashier = web.client("cashier")
    assert cagepage(cashier, "nobody-here").status_code == 403
    assert cagepage(cashier, "dealer").status_code == 409  # staff
    page = cagepage(cashier, "1093")
    assert "Open an account for Anders Lund" in page.text
    assert 'name="amount"' not in page.text
    refused = post(cashier, "/house/cage/patrons/1093", do="in", amount="5", sure="1")
    assert refused.status_code == 409
    assert "no account" in refused.text


def cagepage(client: httpx.Client, person: str) -> httpx.Response:
    return client.get(f"/house/cage/patrons/{person}", headers=HTML)


def test_only_a_cashier_books_and_the_floor_is_shown_its_slips(web: Web) -> None:
    manager, inspector = web.client("manager"), web.client("inspector")
    assert "Money is booked by a cashier" in cagepage(manager, "1042").text
    refused = post(manager, "/house/cage/patrons/1042", do="in", amount="5", sure="1")
    assert "is not for your role" in refused.text or refused.status_code == 409
    assert inspector.get("/house/cage", headers=HTML).headers["location"] == "/house/cage/chips"
    assert cagepage(inspector, "1042").status_code == 403
    assert cagepage(web.client("player"), "1042").status_code == 403


def test_who_was_shut_out_is_paid_out_and_nothing_is_taken_in(web: Web) -> None:
    cashier, manager = web.client("cashier"), web.client("manager")
    give(cashier, "/cage/open-account", {"person": "1093"})
    give(cashier, "/cage/deposit", {"person": "1093", "cents": 14_000})
    out = {"person": "1093", "note": "own wish", "back": "/house/people/1093"}
    assert post(manager, "/house/do/register/disable", **out).status_code == 303
    page = cagepage(cashier, "1093")
    assert "Nothing is taken in for Anders Lund" in page.text
    assert ">Pay in<" not in page.text
    assert "Pay out" in page.text
    refused = post(cashier, "/house/cage/patrons/1093", do="in", amount="5", sure="1")
    assert refused.status_code == 409
    paid = post(cashier, "/house/cage/patrons/1093", do="out", amount="140", sure="1")
    assert paid.status_code == 303
    about = plain(manager.get("/house/people/1093", headers=HTML))
    assert "May not play, be seated or buy chips" in about
    assert "own wish" in about


def test_whoever_was_shut_out_is_paid_out_and_called_by_name(web: Web) -> None:
    """The till begins with what can be done, and what it refuses names people, not their ids."""
    cashier, manager = web.client("cashier"), web.client("manager")
    enrolled = {"person": "1117", "kind": "patron"}
    assert give(cashier, "/register/enrol", enrolled).is_success
    assert give(cashier, "/people/1117/name", {"name": "Noor Said"}).is_success
    assert give(cashier, "/cage/open-account", {"person": "1117"}).is_success
    shut = {"person": "1117", "note": "threatened a dealer"}
    assert give(manager, "/register/disable", shut).is_success
    till = cashier.get("/house/cage/patrons/1117", headers=HTML).text
    assert '<input type="hidden" name="do" value="out">' in till
    assert till.count('aria-labelledby="ledger-title"') == 1, "one ledger to a screen reader"
    refused = plain(post(cashier, "/house/cage/patrons/1117", do="in", amount="50"))
    assert "Noor Said is shut out of this house" in refused
    twice = plain(post(cashier, "/house/do/cage/open-account", person="1117"))
    assert "Noor Said is shut out of this house" in twice
    data = give(cashier, "/cage/open-account", {"person": "1117"}).json()
    assert "1117 is shut out of this house" in str(data), "programs go by ids"


def test_a_fill_is_asked_for_from_the_pit_of_its_table(web: Web) -> None:
    link = "/house/cage/slips/new?table=table-1"
    inspector, surveillance = web.client("inspector"), web.client("surveillance")
    assert link in inspector.get("/tables/table-1/pit", headers=HTML).text
    assert 'value="table-1" selected' in inspector.get(link, headers=HTML).text
    assert link not in surveillance.get("/tables/table-1/pit", headers=HTML).text
    play = inspector.get("/tables/table-5/pit", headers=HTML).text
    assert "slips/new" not in play, "a table of play money has no tray"


def test_all_that_is_wrong_with_a_slip_is_said_at_once(web: Web) -> None:
    inspector = web.client("inspector")
    page = post(inspector, "/house/cage/slips/new", **{"chips.2500": "forty", "chips.10000": "2"})
    assert page.status_code == 409
    for says in ("Choose fill or credit.", "Choose the table.", "“forty” is not a number"):
        assert page.text.count(says) == 2, says  # above, and beside its field
    assert 'name="chips.2500" value="forty"' in page.text
    assert 'name="chips.10000" value="2"' in page.text
    assert 'name="chips.250"' in page.text, "the smallest chip on the notices lies in trays, too"
    nothing = post(inspector, "/house/cage/slips/new", kind="fill", table="table-1")
    assert "Count at least one denomination" in nothing.text


def test_a_drawer_is_opened_used_and_counted_with_its_difference_on_record(web: Web) -> None:
    cashier, manager = web.client("cashier"), web.client("manager")
    nothing = post(cashier, "/house/cage/drawer", do="open", person="cashier")
    assert (nothing.status_code, "Nothing was counted" in nothing.text) == (409, True)
    opened = {"do": "open", "person": "cashier", "cash.5000": "20", "chips.10000": "100"}
    assert post(cashier, "/house/cage/drawer", **opened).status_code == 303
    again = post(cashier, "/house/cage/drawer", **opened)
    assert again.status_code == 409
    assert "has a drawer open already" in plain(again)
    post(cashier, "/house/cage/patrons/1042", do="in", amount="200", sure="1")
    post(cashier, "/house/cage/patrons/1042", do="out", amount="50", sure="1")
    assert "Count it" in manager.get("/house/cage/drawer", headers=HTML).text
    count = {"do": "close", "person": "cashier", "cash.5000": "22", "note": "a note short"}
    done = post(cashier, "/house/cage/drawer", **count, **{"chips.10000": "100"})
    assert done.status_code == 303
    counted = plain(cashier.get("/house/cage/drawer", headers=HTML))
    assert "cash −$50 , chips $0" in counted, "each by itself: they do not make up for one another"
    sheet = plain(cashier.get(done.headers["location"], headers=HTML))
    assert "a note short" in sheet
    shift = cashier.get("/api/cage/drawers").json()[0]
    assert shift["cash_cents"] - shift["shift"]["closed"]["expected_cash_cents"] == -5_000
    assert "The drawer of Cashier was counted" in manager.get("/house/events", headers=HTML).text


def test_a_ledger_adds_up_line_by_line_on_the_page_and_as_a_file(web: Web) -> None:
    manager = web.client("manager")
    lines = manager.get("/api/people/1042/ledger").json()
    assert lines[0]["balance_cents"] == balance(web)
    for newer, older in pairwise(lines):
        assert older["balance_cents"] + newer["cents"] == newer["balance_cents"]
    page = manager.get("/house/people/1042/ledger", headers=HTML)
    assert f"/house/cage/receipts/{lines[0]['seq']}" in page.text
    file = manager.get("/house/people/1042/ledger.csv")
    assert file.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(file.text)))
    assert len(rows) == len(lines)
    assert rows[-1]["row"] == str(lines[0]["seq"])
    assert web.client("dealer").get("/house/people/1042/ledger").status_code == 403


def test_chips_of_a_ledger_lead_to_the_table_they_were_bought_at(web: Web) -> None:
    player, manager = web.client("player"), web.client("manager")
    seats = player.get("/api/tables/table-1").json()["view"]["boxes"]
    assert give(player, "/tables/table-1/sit", {"seat": len(seats)}).is_success
    for _ in range(100):
        if give(player, "/tables/table-1/buy-chips", {"cents": 50_000}).is_success:
            break
    page = manager.get("/house/people/player/ledger", headers=HTML)
    leads = re.findall(r'"(/tables/table-1/journal\?before=\d+)"', page.text)
    assert leads
    assert manager.get(leads[0], headers=HTML).status_code == 200
    at_cage = manager.get("/api/cage/patrons/player").json()
    assert at_cage["chips"]["table-1"] > 0


def test_roles_say_since_when_by_whom_and_until(web: Web) -> None:
    manager = web.client("manager")
    new = {"person": "47", "kind": "inspector", "name": "Lio"}
    slip = post(manager, "/house/people", **new)
    assert "Lio is enrolled" in slip.text
    assert 'class="pin"' in slip.text
    assert "Inspector for Lio" in slip.text  # which waits for the other manager
    agree(web)
    revoke = {"person": "47", "role": "inspector", "table": "", "back": "/house/people/47"}
    assert post(manager, "/house/do/register/revoke", **revoke).status_code == 303
    (held,) = manager.get("/api/people/47/history").json()["roles"]
    assert (held["role"], held["given_by"], held["ended_by"]) == ("inspector", "deputy", "manager")
    assert held["since_ms"] <= held["until_ms"]
    twice = post(manager, "/house/people", **new)
    assert twice.status_code == 409
    assert "47 is enrolled already" in twice.text
    assert 'value="Lio"' in twice.text
    wrong = post(manager, "/house/people", person="a b", kind="", name="")
    assert wrong.text.count('class="error"') == 3


def test_the_list_is_searched_and_filtered(web: Web) -> None:
    manager = web.client("manager")
    found = manager.get("/house/people?q=schm", headers=HTML).text
    assert "/house/people/1042" in found
    assert "/house/people/dealer" not in found
    staff = manager.get("/house/people?show=staff", headers=HTML).text
    assert "/house/people/dealer" in staff
    assert "/house/people/1042" not in staff
    on_duty = manager.get("/house/people?show=on-duty", headers=HTML).text
    assert "bot-" not in on_duty  # in their own list alone, so that no list has more than all
    nobody = manager.get("/house/people?q=lio-the-second", headers=HTML).text
    assert "/house/enrol?name=lio-the-second" in nobody


def test_a_live_till_is_sent_what_concerns_it_and_nothing_else(web: Web) -> None:
    """Tables play on meanwhile: a till hears nothing of it, and of a payment only what changed."""
    cashier = web.client("cashier")

    def live() -> str:
        found = re.search(r'data-live-page="([^"]+)"', cagepage(cashier, "1042").text)
        assert found
        return found[1].replace("&amp;", "&")

    async def listen() -> dict[str, str]:
        async with (
            httpx.AsyncClient(base_url=web.base, cookies=dict(cashier.cookies)) as client,
            client.stream("GET", path := live(), timeout=30) as stream,
        ):
            lines = stream.aiter_lines()
            hearing = asyncio.create_task(_message(lines))
            sign_on = web.client("inspector"), "/tables/table-2/sign-on", {"role": "inspector"}
            await asyncio.to_thread(give, *sign_on)
            await asyncio.sleep(3)
            if live() != path:  # a bot has bought chips meanwhile, which concerns a till
                hearing.cancel()
                return {}
            assert not hearing.done()
            paid = {"person": "1042", "cents": 100}
            await asyncio.to_thread(give, cashier, "/cage/deposit", paid)
            return await asyncio.wait_for(hearing, 20)

    heard = next(filter(None, (asyncio.run(listen()) for _ in range(10))))
    assert set(heard) == {"who", "stats", "ledger"}


async def _message(lines: AsyncIterator[str]) -> dict[str, str]:
    async for line in lines:
        if line.startswith("data: "):
            found: dict[str, str] = msgspec.json.decode(line.removeprefix("data: "))["regions"]
            return found
    raise AssertionError("the stream ended")
