"""The back office, as those who work there use it."""

import re
import uuid
from collections.abc import Iterator

import httpx
import msgspec
import pytest

from puntobanco.cli.house.demo import STAFF_NAMES
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import sample_notice
from tests.kit.web import Web, demo_house, form_on

HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    with demo_house(tmp_path_factory.mktemp("demo"), bets=3) as web:
        yield web


def post(client: httpx.Client, path: str, **form: str) -> httpx.Response:
    sent = {"command_id": str(uuid.uuid4()), **form}
    return client.post(path, data=sent, headers=HTML)


def went(answer: httpx.Response, to: str) -> None:
    assert answer.status_code == 303, re.sub(r"<[^>]*>", " ", answer.text)
    assert answer.headers["location"] == to


def signs_in(web: Web, person: str, secret: str, how: str = "") -> httpx.Client | None:
    client = web.client()
    client.cookies.clear()
    form = {"who": person, "secret": secret, "how": how}
    answer = client.post("/sign-in", data=form, headers=HTML)
    return client if answer.status_code == 303 else None


def shown(page: httpx.Response, pattern: str) -> str:
    found = re.search(pattern, page.text)
    assert found, page.text
    return found[1]


def test_a_new_dealer_is_enrolled_given_a_role_and_a_password_they_change(web: Web) -> None:
    manager = web.client("manager")
    staff = {"person": "d-17", "kind": "staff", "name": "Somebody New"}
    slip = post(manager, "/house/people", **staff)
    assert signs_in(web, "d-17", shown(slip, r'class="pin">([^<]+)<'))
    grant = {"person": "d-17", "role": "dealer", "table": "", "back": "/house/people/d-17"}
    went(post(manager, "/house/do/register/grant", **grant), "/house/people/d-17")
    deputy = web.client("deputy")
    waits = shown(deputy.get("/house/people/d-17", headers=HTML), r"approve\?proposal=(\d+)")
    back = {"back": "/house/people/d-17"}
    went(post(deputy, "/house/do/register/approve", proposal=waits, **back), back["back"])
    halves = [
        shown(post(client, "/house/people/d-17/password"), r'class="pin">([^<]+)<')
        for client in (manager, deputy)
    ]
    password = "-".join(halves)
    client = signs_in(web, "d-17", password)
    assert client
    for closed in ("/account", "/account/second", "/house/settings"):  # until it is their own
        assert client.get(closed, headers=HTML, follow_redirects=False).status_code == 302
    assert post(client, "/tables/table-6/do/sign-on", role="dealer").status_code == 403
    assert client.get("/api/me").status_code == 401
    assert "Choose your own password" in client.get("/account/first", headers=HTML).text
    same = post(client, "/account/password", old=password, new=password)
    assert "would soon be guessed" in same.text
    own = {"old": password, "new": "something much longer"}
    went(post(client, "/account/password", **own), "/sign-in")
    assert client.get("/api/me").status_code == 401  # every session of theirs has ended
    assert signs_in(web, "d-17", password) is None
    assert signs_in(web, "d-17", "something much longer")
    events = manager.get("/house/events", headers=HTML).text
    assert "A fresh first half of a password for Somebody New, by Manager" in events
    assert "A fresh password for Somebody New, by Deputy" in events
    assert password not in events


def test_a_slip_works_once_and_its_owner_chooses_a_pin(web: Web) -> None:
    cashier, stranger = web.client("cashier"), web.client()
    patron = {"person": "p-7", "kind": "patron", "name": "Seventh Patron"}
    pin = shown(post(cashier, "/house/people", **patron), r'class="pin">(\d{6})<')
    form = {"who": "p-7", "secret": pin, "to": "/rules"}
    first = post(stranger, "/sign-in", **form)
    assert first.headers["location"] == "/account?slip=1&to=%2Frules"
    page = stranger.get(first.headers["location"], headers=HTML).text
    assert "does not work again" in page
    easy = post(stranger, "/account/pin", pin="222222", to="/rules")
    assert easy.status_code == 409
    assert 'id="field-pin-error"' in easy.text
    again = post(web.client(), "/sign-in", **form)
    assert again.status_code == 401
    assert "This slip has been used" in again.text
    assert "ask the desk for a new slip" in again.text
    assert "on a slip that was used" in cashier.get("/house/people/p-7", headers=HTML).text
    went(post(stranger, "/account/pin", pin="907132", to="/rules"), "/rules")
    assert stranger.get("/api/me").status_code == 200  # still signed in
    came = post(web.client(), "/sign-in", **{**form, "secret": "907132"})
    assert came.headers["location"] == "/rules"
    events = web.client("manager").get("/house/events", headers=HTML).text
    assert events.count("Seventh Patron signed in with their slip, which is used up now") == 1


def test_a_short_form_that_is_refused_stands_on_its_page_as_it_was_typed(web: Web) -> None:
    manager, at = web.client("manager"), "/house/people/auditor"
    own = {"person": "auditor", "back": at}
    for path, form, error, kept in (
        (f"{at}/name", {"name": "", "contact": "by letter"}, "name-name", 'value="by letter"'),
        ("/house/do/register/disable", {**own, "note": ""}, "disable-note", 'id="note"'),
        ("/house/do/register/grant", {**own, "role": "auditor", "table": ""}, "grant-role", "sel"),
    ):
        page = post(manager, path, **form)
        assert page.status_code >= 400, path
        assert f'id="error-{error}"' in page.text, path
        assert kept in page.text
        assert "Auditor</h1>" in page.text  # the page it came from


def test_the_cage_enrols_a_patron_whose_slip_signs_them_in_by_pin_and_by_code(web: Web) -> None:
    cashier = web.client("cashier")
    patron = {"person": "p-1", "kind": "patron", "name": "A Patron", "contact": "by letter"}
    slip = post(cashier, "/house/people", **patron)
    assert signs_in(web, "p-1", shown(slip, r'class="pin">(\d{6})<'))
    refused = post(cashier, "/house/people", person="s-1", kind="staff", name="No")
    assert refused.status_code == 409
    assert "s-1" not in web.client("manager").get("/api/people").text
    page = post(cashier, "/house/people/p-1/slip")
    pin = shown(page, r'class="pin">(\d{6})<')
    assert re.search(r'<svg [^>]*class="qr"', page.text)
    assert " style=" not in page.text
    again = post(cashier, "/house/people/p-1/slip")
    assert signs_in(web, "p-1", pin) is None  # the one before is void
    fresh = shown(again, r'class="pin">(\d{6})<')
    assert signs_in(web, "p-1", fresh)
    assert signs_in(web, "p-1", "0" * 48, "card") is None
    for name, form in (
        ("open-account", {"person": "p-1"}),
        ("deposit", {"person": "p-1", "cents@money": "1,250.50"}),
        ("withdraw", {"person": "p-1", "cents@money": "250.50"}),
    ):
        went(post(cashier, f"/house/do/cage/{name}", **form), "/house/cage")
    page = cashier.get("/house/people/p-1", headers=HTML)
    assert 'value="100000" data-currency="AUD">$1,000<' in page.text
    assert "Paid out, cash" in page.text
    short = post(cashier, "/house/do/cage/withdraw", **{"person": "p-1", "cents@money": "9999"})
    assert short.status_code == 409
    assert "account" in short.text


def test_a_fill_needs_the_floor_and_the_cage_and_a_tray_is_counted(web: Web) -> None:
    inspector, cashier = web.client("inspector"), web.client("cashier")
    form = {"kind": "fill", "table": "table-2", "chips.10000": "40", "chips.2500": "40"}
    went(post(inspector, "/house/cage/slips/new", **form), "/house/cage/chips")
    page = cashier.get("/house/cage/chips", headers=HTML)
    number = shown(page, r"/house/cage/slips/(\d+)")
    slip = cashier.get(f"/api/cage/slips/{number}").json()
    assert (slip["cents"], len(slip["chips"])) == (500_000, 2)
    assert post(inspector, "/house/do/cage/complete-slip", number=number).status_code == 403
    paper = f"/house/cage/slips/{number}"
    why = post(inspector, "/house/do/cage/void-slip", number=number, note=" ", back=paper)
    assert why.status_code == 400
    assert 'class="signs"' in why.text, "its own paper again"
    assert re.search(r'id="void-error"[^>]*>.*Write something here\.', why.text, re.DOTALL)
    assert 'aria-describedby="void-error"' in why.text
    went(post(cashier, "/house/do/cage/complete-slip", number=number), "/house/cage")
    assert "No slip is open" in cashier.get("/house/cage/chips", headers=HTML).text
    counted = {"chips.500000": "2001"}
    went(post(inspector, "/house/cage/trays/table-2", **counted), "/house/cage/chips")
    tray = cashier.get("/api/cage").json()["trays"]["table-2"]
    assert tray["counted_cents"] == 1_000_500_000
    assert tray["chips"] == [{"cents": 500_000, "count": 2001}]


@pytest.mark.parametrize("ruleset", for_money())
def test_a_table_is_opened_from_its_form_under_every_rule_set(web: Web, ruleset: str) -> None:
    manager = web.client("manager")
    page = manager.get(f"/house/open-table?ruleset={ruleset}&preset=main", headers=HTML)
    form = form_on(page.text)
    del form["command_id"]
    bare = post(manager, "/house/open-table", **form)
    assert bare.status_code == 400
    assert 'href="#field-shoe"' in bare.text
    form |= {"table": f"new-{ruleset}", "gaming_day": "monday", "shoe": "shoe 1", "backs": "red",
             "shoe_approval": "no. 1", "effective": "1 July", "hours": "noon to six",
             "notice.table_approval": "no. 2"}  # fmt: skip
    if ruleset == "act-2015":
        form["notice.pairs_approval"] = "no. 3"
    went(post(manager, "/house/open-table", **form), f"/tables/table-new-{ruleset}/pit")
    listed = {one["table"]: one for one in manager.get("/api/tables").json()}
    assert listed[f"table-new-{ruleset}"]["notice"]["ruleset"] == ruleset
    trays = manager.get("/api/cage").json()["trays"]
    assert trays[f"table-new-{ruleset}"]["opened_cents"] == 25_000_000
    again = post(manager, "/house/open-table", **form)
    assert again.status_code == 409
    assert web.client("player").get("/house/open-table", headers=HTML).status_code == 403


def test_a_tournaments_document_is_not_offered_for_a_table(web: Web) -> None:
    """[mbs-2017:0.front] And whoever asks for it all the same is told what to do."""
    manager = web.client("manager")
    page = manager.get("/house/open-table", headers=HTML)
    found = re.findall(r'name="ruleset" value="([a-z0-9-]+)"', page.text)
    assert found == [*for_money()]
    notice = msgspec.to_builtins(sample_notice("mbs-2017"))
    asked = {"notice": notice, "gaming_day": "monday", "shoe": "shoe 1", "backs": "blue"}
    path, headers = "/api/tables/table-cash/open-table", {"Command-Id": str(uuid.uuid4())}
    answer = manager.post(path, json=asked, headers=headers).json()
    assert (answer["reason"], answer["clause"]) == ("competition_only", "mbs-2017:0.front")
    assert "designate this table" in answer["remedy"]


def test_a_change_is_shown_before_it_is_done(web: Web) -> None:
    manager = web.client("manager")
    went(manager.get("/tables/table-1/do/post-change", headers=HTML), "/tables/table-1/limits")
    path = "/tables/table-1/limits"
    form = form_on(manager.get(path, headers=HTML).text)
    del form["command_id"]
    for wrong, says in {"fifty": "is not an amount", "9000000": "do not fit"}.items():
        refused = post(manager, path, **{**form, "notice.limits.min_cents@money": wrong})
        assert refused.status_code == 400
        assert says in refused.text
        assert f'value="{wrong}"' in refused.text
        while_typing = post(
            manager, path, **{**form, "notice.limits.min_cents@money": wrong}, look="1"
        )
        assert while_typing.status_code == 200
        assert says not in while_typing.text
    form |= {"notice.limits.min_cents@money": "50"}
    before = manager.get("/api/tables/table-1").json()["view"]["sign"]["change"]
    preview = post(manager, path, **form)
    assert preview.status_code == 200
    assert "What will follow" in preview.text
    assert "tas-2018:7.6(a)" in preview.text
    assert "tas-2018:7.6(b)" in preview.text
    assert manager.get("/api/tables/table-1").json()["view"]["sign"]["change"] == before
    sure = shown(preview, r'name="sure" value="([0-9a-f]{64})"')
    other = {**form, "notice.limits.min_cents@money": "55", "sure": sure}
    assert post(manager, path, **other).status_code == 200  # it is shown first what that means
    assert "What will follow" in post(manager, path, sure=sure, look="1", **form).text
    assert manager.get("/api/tables/table-1").json()["view"]["sign"]["change"] == before
    went(post(manager, path, sure=sure, **form), "/tables/table-1/pit")
    change = manager.get("/api/tables/table-1").json()["view"]["sign"]["change"]
    assert change["limits"]["min_cents"] == 5000
    went(post(manager, "/tables/table-1/do/drop-change", page="pit"), "/tables/table-1/pit")


def test_a_device_is_made_seen_and_ended(web: Web) -> None:
    manager = web.client("manager")
    page = post(manager, "/house/devices", scope="watch", table="table-1")
    token = shown(page, r"<code>([0-9a-f]{64})</code>")
    device = httpx.Client(base_url=web.base, headers={"Authorization": f"Bearer {token}"})
    assert device.get("/api/tables/table-1").status_code == 200
    sit = device.post("/api/tables/table-1/sit", json={"seat": 1}, headers={"Command-Id": "x" * 9})
    assert sit.status_code == 403
    listed = manager.get("/house/devices", headers=HTML)
    assert token not in listed.text
    name = shown(listed, r"/house/devices/([0-9a-f]{12})/end")
    went(post(manager, f"/house/devices/{name}/end"), "/house/devices")
    assert "The house knows no device yet" in manager.get("/house/devices", headers=HTML).text
    assert device.get("/api/me").status_code == 401
    device.close()


def test_what_is_personal_is_erased_and_the_id_stays(web: Web) -> None:
    manager = web.client("manager")
    staff = {"person": "x-9", "kind": "patron", "name": "Wishes To Be Forgotten"}
    post(manager, "/house/people", **staff)
    assert "Wishes To Be Forgotten" in manager.get("/house/people?q=x-9", headers=HTML).text
    assert post(manager, "/house/people/x-9/erase", sure="no").status_code == 409
    assert post(manager, "/house/people/x-9/erase", sure="x-9").status_code == 409
    gone = {"person": "x-9", "note": "asked for it", "back": "/house/people"}
    went(post(manager, "/house/do/register/disable", **gone), "/house/people")
    went(post(manager, "/house/people/x-9/erase", sure="x-9"), "/house/people/x-9")
    deputy, back = web.client("deputy"), {"back": "/house/people/x-9"}
    waits = shown(deputy.get("/house/people/x-9", headers=HTML), r"approve\?proposal=(\d+)")
    assert "Wishes To Be Forgotten" in deputy.get("/house/people/x-9", headers=HTML).text
    went(post(deputy, "/house/do/register/approve", proposal=waits, **back), back["back"])
    itself = post(manager, "/house/people/manager/erase", sure="manager")
    assert itself.status_code == 409  # nobody could sign in as a manager any more
    page = manager.get("/house/people?q=x-9", headers=HTML).text
    assert "Wishes To Be Forgotten" not in page
    assert "Former patron no. " in page
    assert 'href="/house/people/x-9"' in page


def test_whoever_deals_in_the_demo_has_a_name_of_their_own(web: Web) -> None:
    """Else the rows of a report by dealer could not be told apart."""
    names = [name for each in STAFF_NAMES.values() for name in each]
    assert len(set(names)) == len(names)
    manager = web.client("manager")
    for number in (1, 2, 3):
        page = manager.get(f"/house/people/bot-dealer-table-{number}", headers=HTML).text
        assert f"<h1>{STAFF_NAMES['dealer'][number - 1]}</h1>" in page
    assert "Bot dealer" not in manager.get("/house/reports?by=dealer", headers=HTML).text


def test_reports_show_what_the_record_holds(web: Web) -> None:
    manager = web.client("manager")
    for by in ("coup", "shoe", "table", "day", "person"):
        page = manager.get(f"/house/reports?by={by}", headers=HTML)
        assert page.status_code == 200
    assert "table-1" in manager.get("/house/reports?by=table", headers=HTML).text
    assert manager.get("/house/reports?by=moon", headers=HTML).status_code == 404
    assert manager.get("/house/reports?table=table-99", headers=HTML).status_code == 404


@pytest.mark.parametrize("person", ["player", "dealer"])
@pytest.mark.parametrize(
    "path",
    ["/house/people", "/house/cage", "/house/reports", "/house/devices", "/house/open-table"],
)
def test_the_back_office_is_not_for_everyone(web: Web, person: str, path: str) -> None:
    answer = web.client(person).get(path, headers=HTML)
    assert answer.status_code == 403
    assert web.client().get(path, headers=HTML).status_code in (302, 303, 307)


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere", "/\\x", "/house//x"])
def test_no_form_leads_away_from_the_house(web: Web, back: str) -> None:
    form = {"person": "dealer", "role": "inspector", "back": back}
    answer = post(web.client("manager"), "/house/do/register/grant", **form)
    assert answer.headers.get("location", "/house") == "/house"
    post(web.client("manager"), "/house/do/register/revoke", **form)


@pytest.mark.parametrize(
    ("path", "region"),
    [("/house", "ways"), ("/house/events", "newer"), ("/tables/table-1/games", "newer")],
)
def test_a_page_of_the_house_is_sent_only_what_changed(web: Web, path: str, region: str) -> None:
    """Tables play on meanwhile; nothing comes before what concerns the page."""
    manager = web.client("manager")
    live = shown(manager.get(path, headers=HTML), r'data-live-page="([^"]+)"').replace("&amp;", "&")
    with manager.stream("GET", live) as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("retry")  # and no whole page: it is as things are
        if path != "/tables/table-1/games":  # bots deal there
            person = f"somebody-{region}"
            post(manager, "/house/people", person=person, kind="staff", name=person.title())
        sent = next(line for line in lines if line.startswith("data:"))
    regions = msgspec.json.decode(sent.removeprefix("data:"))["regions"]
    assert set(regions) == {region}
    if region == "newer":
        assert f'href="{path}"' in regions[region]
        assert len(sent) < 400


@pytest.mark.parametrize("path", ["/tables/table-1/notice", "/tables/table-3/sheet"])
def test_notice_and_sheets_are_there_to_be_printed(web: Web, path: str) -> None:
    page = web.client().get(path, headers=HTML)
    assert page.status_code == 200
    assert "paper" in page.text
    if path.endswith("notice"):
        assert "Smallest chip" in page.text
    assert web.client().get(path.replace("table-", "no-"), headers=HTML).status_code == 404


def test_a_table_to_open_is_chosen_by_what_it_is_called(web: Web) -> None:
    at = {"ruleset": "tas-2018", "preset": "low"}
    page = web.client("manager").get("/house/open-table", params=at, headers=HTML).text
    assert re.search(r'name="table" value="table-\d+" checked[^>]*> Table \d+, a new one<', page)


def test_a_refused_form_comes_back_as_it_was_typed(web: Web) -> None:
    manager = web.client("manager")
    form = {"table": "half-done", "gaming_day": "a day to remember", "shoe": "shoe 1"}
    again = post(manager, "/house/open-table", **form)
    assert again.status_code == 400
    assert 'value="shoe 1"' in again.text
    assert "a day to remember" in again.text
    assert 'role="alert"' in again.text
    nonsense = post(manager, "/house/open-table", **form, conditions="x", notice="y")
    assert nonsense.status_code == 400
    act = {"person": "nobody-there", "note": "a note to keep", "page": "pit", "preview": "1"}
    refused = post(manager, "/tables/table-1/do/readmit", **act)
    assert refused.status_code == 403, "nobody of this name belongs to the house"
    assert "a note to keep" in refused.text
    door = web.client().post("/sign-in", data={"who": "manager", "secret": "no"}, headers=HTML)
    assert door.status_code == 401
    assert 'name="secret"' in door.text
    assert 'value="manager"' in door.text


def test_a_count_stands_where_one_looks_for_it_and_a_shortage_is_significant(web: Web) -> None:
    inspector, manager = web.client("inspector"), web.client("manager")
    counted = {"table": "table-3", "counted_cents@money": "1"}
    went(post(inspector, "/house/do/cage/count-tray", **counted), "/house/cage")
    page = manager.get("/house/cage/chips", headers=HTML).text
    assert 'value="100" data-currency="AUD">$1<' in page
    assert "The tray of Molonglo was counted by Inspector" in manager.get(
        "/house/events", headers=HTML
    ).text  # fmt: skip


def test_a_refused_form_of_the_cage_comes_back_as_it_was_typed(web: Web) -> None:
    cashier = web.client("cashier")
    asked = {"person": "nobody-here", "cents@money": "12.50", "back": "/house/cage"}
    refused = post(cashier, "/house/do/cage/deposit", **asked)
    assert refused.status_code == 403  # not enrolled
    assert 'value="nobody-here"' in refused.text
    assert 'value="12.50"' in refused.text
    assert 'role="alert"' in refused.text
    unreadable = post(cashier, "/house/do/cage/deposit", **{**asked, "cents@money": "12,50"})
    assert unreadable.status_code == 400
    assert 'value="12,50"' in unreadable.text


SECRETS = ("pin", "password", "unlock", "erase")
"""What the desk does for a person, as the API calls it."""


@pytest.mark.parametrize("act", SECRETS)
@pytest.mark.parametrize(("asks", "whose"), [("cashier", "manager"), ("manager", "nobody-here")])
def test_page_and_program_are_refused_alike(web: Web, asks: str, whose: str, act: str) -> None:
    """One place decides who sees to whom."""
    client = web.client(asks)
    page = {"pin": "slip"}.get(act, act)
    by_page = client.post(f"/house/people/{whose}/{page}", data={"sure": whose})
    by_program = client.post(f"/api/people/{whose}/{act}", json={})
    assert by_page.status_code == by_program.status_code == 403
    assert by_page.json()["reason"] == by_program.json()["reason"]


def test_the_list_of_a_coups_cards_starts_from_the_record(web: Web) -> None:
    """[act-2015:12.4] An inspector changes what is wrong, and need not key what is right."""
    table = "table-keyed"
    manager, dealer, inspector = (web.fresh(one) for one in ("manager", "dealer", "inspector"))
    at_table = {"manager": manager, "dealer": dealer, "inspector": inspector}
    notice = msgspec.to_builtins(sample_notice("act-2015"))
    opening = {"notice": notice, "gaming_day": "monday", "shoe": "shoe 1", "effective": "1 March",
               "shoe_approval": "no. 1"}  # fmt: skip

    def give(who: str, name: str, **facts: object) -> None:
        path, headers = f"/api/tables/{table}/{name}", {"Command-Id": str(uuid.uuid4())}
        answer = at_table[who].post(path, json=facts, headers=headers)
        assert answer.status_code == 200, answer.text

    give("manager", "open-table", **opening)
    give("dealer", "sign-on", role="dealer")
    give("inspector", "sign-on", role="casino supervisor")
    give("dealer", "check-cards", set_id="A", prechecked_lot="lot 7")
    give("dealer", "shuffle")
    give("inspector", "cut-cards", depth=100)
    give("dealer", "load-shoe")
    give("dealer", "burn-cards", face_down=1)
    give("dealer", "open-coup")
    give("dealer", "no-more-bets")
    for card in ("6c", "Kh", "2d", "5s"):
        give("dealer", "draw-card", card=card)
    page = inspector.get(f"/tables/{table}/do/correct-coup?page=pit", headers=HTML)
    assert shown(page, r'name="cards@drawn"[^>]*value="([^"]*)"') == "6♣ K♥ 2♦ 5♠"
    assert manager.get(f"/tables/{table}/do/correct-coup?page=pit", headers=HTML).status_code == 403
    right = [{"card": card} for card in ("6c", "2d", "Kh", "5s")]
    give("dealer", "correct-coup", coup=1, cards=right, note="swapped")
    pit = inspector.get(f"/tables/{table}/pit", headers=HTML).text
    assert "cards 6♣ 2♦ K♥ 5♠, note swapped" in pit
    assert "Drawn(" not in pit
    give("inspector", "void-coup", cause="impractical", note="a fire")
    give("manager", "approve", proposal=2)
    give("inspector", "take-back", what="void", note="it went out")
    says = "Take back what was a mistake: that the coup is void, coup 1, note it went out"
    assert says in manager.get(f"/tables/{table}/pit", headers=HTML).text
    assert manager.get(f"/api/tables/{table}").json()["view"]["floor"]["proposed"]["3"] == says


def test_the_wrong_table_is_opened_again_from_its_page(web: Web) -> None:
    """[act-2015:13.2] Two people, each on the page of the pit; the second reads what it is."""
    path = "/tables/table-closed"
    manager, dealer, inspector = (web.fresh(one) for one in ("manager", "dealer", "inspector"))
    at_table = {"manager": manager, "dealer": dealer, "inspector": inspector}
    notice = msgspec.to_builtins(sample_notice("tas-2018"))

    def give(who: str, name: str, **facts: object) -> None:
        headers = {"Command-Id": str(uuid.uuid4())}
        answer = at_table[who].post(f"/api{path}/{name}", json=facts, headers=headers)
        assert answer.status_code == 200, answer.text

    give("manager", "open-table", notice=notice, gaming_day="monday", shoe="1", effective="1 March")
    give("dealer", "sign-on", role="dealer")
    give("inspector", "sign-on", role="inspector")
    give("dealer", "check-cards", set_id="A", prechecked_lot="lot 7")
    give("dealer", "shuffle")
    give("inspector", "cut-cards", depth=100)
    give("dealer", "load-shoe")
    give("manager", "close-table")
    assert f"{path}/do/take-back" in inspector.get(f"{path}/pit", headers=HTML).text
    asked = inspector.get(f"{path}/do/take-back?what=close-table&page=pit", headers=HTML)
    assert "The wrong table was closed" in asked.text
    give("inspector", "take-back", what="close-table", note="the next table")
    pit = manager.get(f"{path}/pit", headers=HTML).text
    assert "the closing of the table, note the next table" in pit
    give("manager", "approve", proposal=1)
    assert dealer.get(f"/api{path}").json()["view"]["phase"] == "ready"
