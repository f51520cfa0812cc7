"""Nonsense by hand: whatever cannot be read is refused in the one shape, and changes nothing."""

from collections.abc import AsyncIterator, Iterator

import pytest

from puntobanco.journal.verify import HOUSE
from puntobanco.server import files
from tests.kit.house.mid_evening import API, FORM, OPEN, PAGE, SHUT, Site, mid_evening, refusal


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with mid_evening(tmp_path_factory.mktemp("house")) as site:
        yield site


DEEP = 20_000
WAGER = b'{"box": 3, "on": "tie", "cents": %b}'
BODIES = {
    "huge number": WAGER % (b"1" + b"0" * 30),
    "endless number": WAGER % (b"9" * 60_000),
    "huge exponent": WAGER % (b"1e" + b"9" * 400),
    "not a number": WAGER % b"NaN",
    "infinite": WAGER % b"-Infinity",
    "part of a cent": WAGER % b"500.5",
    "below nothing": WAGER % b"-500",
    "text for a number": WAGER % b'"500"',
    "truth for a number": WAGER % b"true",
    "nothing for a number": WAGER % b"null",
    "unknown field": b'{"box": 3, "on": "tie", "cents": 500, "odds": 9}',
    "missing field": b'{"box": 3, "on": "tie"}',
    "another command": b'{"do": "leave"}',
    "deep list": b"[" * DEEP + b"]" * DEEP,
    "deep in an unknown field": b'{"x":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep and cut off": b'{"box":' * 9000,
    "not UTF-8": b'{"box": 3, "on": "\xff\xfe", "cents": 500}',
    "half a surrogate": b'{"box": 3, "on": "tie", "cents": 500, "person": "\\ud800"}',
    "look-alike letters": '{"box": 3, "on": "tie", "cents": 500, "person": "аnn"}'.encode(),
    "null byte in a name": b'{"box": 3, "on": "tie", "cents": 500, "person": "bob\\u0000"}',
    "line end in a name": b'{"box": 3, "on": "tie", "cents": 500, "person": "bob\\n"}',
    "byte order mark": b"\xef\xbb\xbf{}",
    "null byte": b"\x00",
    "nothing": b"",
    "null": b"null",
    "two bodies": b'{"box": 3, "on": "tie", "cents": 500}{}',
    "one megabyte": b'{"box": "' + b"a" * 1_000_000 + b'"}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_body_that_cannot_be_read_is_refused(site: Site, body: bytes) -> None:
    found = site.refuses("POST", f"{API}/place-wager", "ann", body, Content_Type="application/json")
    assert found["reason"] == "malformed"


def test_of_a_field_given_twice_the_last_counts_and_is_held_against_the_rules(site: Site) -> None:
    body = b'{"box": 3, "on": "player", "cents": 500, "box": 7}'
    assert refusal(site.give("ann", f"{API}/place-wager", body))["reason"] == "not_your_box"


def test_a_body_in_pieces_is_no_longer_than_one_that_says_its_length(site: Site) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b" " * 10_000

    for path in (f"{API}/sit", f"{PAGE}/bet", "/sign-in"):
        answer = site.ask(
            "POST", path, "ann", pieces(), Content_Type=FORM, Origin="http://house.test"
        )
        assert answer.status_code == 413
        refusal(answer)


TEXTS = {
    "direction turned": "a\u202eb",
    "line ended": "a\u2028b",
    "nothing to see": "a\u200bb",
    "not UTF-8": "a\ufffdb",
    "control": "a\x9bb",
    "null": "a\\u0000b",
    "half a surrogate": "\\udfff",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_no_text_can_pretend_to_be_another_on_a_screen(site: Site, text: str) -> None:
    for who, path, body in (
        ("ann", "raise-dispute", f'{{"about": "{text}"}}'),
        ("ines", "record-incident", f'{{"kind": "{text}", "note": "seen"}}'),
    ):
        before = site.asker.heads()
        found = refusal(site.give(who, f"{API}/{path}", body.encode()))
        assert found["reason"] == "malformed"
        assert site.asker.heads() == before


@pytest.mark.parametrize(
    "ids",
    [[], [""], ["short"], ["x" * 65], ["with a space"], ["né-pas-ici"], ["a/../../b"],
     ["first-id-1", "second-id-2"], ["same-id-1", "same-id-1"]],
    ids=str,
)  # fmt: skip
def test_a_command_has_one_id_of_a_reasonable_form(site: Site, ids: list[str]) -> None:
    before = site.asker.heads()
    bearer = (b"Authorization", f"Bearer {site.asker.token('ann')}".encode())
    request = site.asker.client.post(
        f"{API}/place-wager",
        json={"box": 3, "on": "tie", "cents": 500},
        headers=[bearer, *((b"Command-Id", one.encode()) for one in ids)],
    )
    assert refusal(site.runner.run(request))["reason"] == "malformed"
    assert site.asker.heads() == before


@pytest.mark.parametrize(
    "kind",
    [
        *("", "text/plain", "application/xml", FORM, "application/json; charset=utf-16"),
        *("multipart/form-data", "multipart/form-data; boundary=x", "application/x-msgpack"),
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        b"seat=x",
        b"\x81\xa4seat\x05",
        b'--x\r\nContent-Disposition: form-data; name="seat"; filename="x"\r\n\r\nabc\r\n--x--\r\n',
        b"--x\r\n",
        b"[1",
    ],
)
def test_whatever_it_calls_itself_a_wrong_body_is_refused(
    site: Site, kind: str, body: bytes
) -> None:
    for path in (f"{API}/sit", f"{PAGE}/do/sit", "/sign-in"):
        site.refuses("POST", path, "ann", body, Content_Type=kind, Origin="http://house.test")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "GET", "STEAL"])
def test_no_other_method_does_anything(site: Site, method: str) -> None:
    for path in (f"{API}/sit", f"{PAGE}/bet"):
        before = site.asker.heads()
        answer = site.ask(method, path, content=b'{"seat": 5}', Content_Type="application/json")
        assert answer.status_code == 405
        refusal(answer)
        assert site.asker.heads() == before


FILES = files.address("")
PATHS = [
    "/api/tables/%2e%2e", "/api/tables/..%2fcage", "/api/tables/%00", "/api/tables/%ff",
    "/api/tables/table-1%0a", f"{API}%00", "/api/tables/" + "a" * 5000,
    f"{API}/receipts/0", f"{API}/receipts/-1", f"{API}/receipts/1.0", f"{API}/receipts/x",
    f"{API}/receipts/{'9' * 40}", f"{API}/receipts/{2**53}", "/api/schema/nothing", "/api/x/y",
    FILES + "%2e%2e/app.py", FILES + "..%2fapp.py", FILES + "%00", FILES + "style.css%00",
    FILES + "a" * 5000, FILES + "style.css/x", FILES, "/static/style.css", "/static/",
    "/rules/%00", "/rules/" + "a" * 70, "/rules?q=" + "a" * 81, "/rules/play/%2e%2e",
    "/rules/compare?one=%00", "/tables/%2e%2e", "/tables/%00/display", "/live/table-9/player",
    f"/live/{OPEN}/nothing", f"/live/{OPEN}/%00", f"/live/{OPEN}/dealer", "/robots.txt",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path[:40])
def test_no_path_leads_anywhere_it_should_not(site: Site, path: str) -> None:
    for accept in ("application/json", "text/html"):
        site.refuses("GET", path, "ann", Accept=accept)


@pytest.mark.parametrize("host", ["x:y", "x:99999999", "[::1", "x:-1"])
def test_whatever_a_client_calls_the_host(site: Site, host: str) -> None:
    for path in (f"{API}/sit", "/api/nothing", FILES + "style.css", "/sign-in"):
        answer = site.give("ann", path, b"{}", Host=host, Command_Id="")
        refusal(answer)


@pytest.mark.parametrize(
    "headers",
    [
        {"Cookie": "session=%00"}, {"Cookie": ";;=;session"}, {"Cookie": "session=" + "f" * 6000},
        {"Authorization": "Bearer"}, {"Authorization": "Bearer Bearer Bearer"},
        {"Authorization": "Basic YW5uOmFubg=="}, {"Authorization": "Bearer ' OR 1=1 --"},
    ],
    ids=str,
)  # fmt: skip
def test_a_forged_session_is_nobodys(site: Site, headers: dict[str, str]) -> None:
    found = site.refuses("GET", "/api/me", None, **headers)
    assert found["reason"] == "sign_in_needed"


FORMS = {
    f"{PAGE}/do/sit": [b"seat=x", b"seat=" + b"9" * 900, b"", b"do=run-out", b"seat=%ff", b"=&&="],
    f"{PAGE}/do/leave": [b"do=hold-clocks&for_ms=5", b"person=bob", b"x=1"],
    f"{PAGE}/do/raise-dispute": [b"about=%00", b"about=%ED%A0%80", b"about=" + b"a" * 1001],
    f"{PAGE}/do/open-table": [b"notice=x"],
    f"{PAGE}/do/run-out": [b""],
    f"{PAGE}/do/nothing": [b""],
    f"{PAGE}/do/deal": [b""],
    f"{PAGE}/do/shuffle-house": [b""],
    f"{PAGE}/bet": [
        b"", b"on=banker&cents=x", b"on=banker&cents=-500", b"on=banker&cents=nan",
        b"on=%00&cents=5", b"on=tie&cents=" + b"9" * 60_000, b"on=banker&cents=" + b"9" * 12,
        b"on=tie&cents=500&command_id=x", b"on=tie&cents=500&command_id=" + b"a" * 65,
        b"on=tie&cents=500&command_id=%00%00%00%00%00%00%00%00",
        b"on=tie&cents=500&command_id=%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9",
    ],
    f"{PAGE}/chips/buy": [b"", b"cents=x", b"cents=" + b"9" * 30, b"cents=500"],
    f"{PAGE}/chips/steal": [b"cents=500"],
    f"{PAGE}/box": [
        b"", b"wager=x", b"wager=3+b+" + b"9" * 400, b"wager=99999999999999+b+5",
        b"wager=3:%00+b+5", b"wager=3%40" + b"x" * 200 + b"+b+5", b"wager=5+b+100",
    ],
    f"/tables/{SHUT}/do/sit": [b"seat=3"],
    f"/tables/{SHUT}/bet": [b"on=banker&cents=10000"],
    "/tables/table-9/bet": [b"on=banker&cents=10000"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "body"),
    [(path, body) for path, bodies in FORMS.items() for body in bodies],
    ids=lambda one: str(one)[:50],
)
def test_a_form_is_held_to_the_same(site: Site, path: str, body: bytes) -> None:
    for who in ("ann", "dan", "eve"):
        for accept in ("application/json", "text/html"):
            site.refuses("POST", path, who, body, Content_Type=FORM, Accept=accept)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"who=dan", b"who=%00&secret=%00", b"who=" + b"a" * 81 + b"&secret=x",
        b"who=dan&secret=" + b"a" * 257, b"who=%ED%A0%80&secret=%ED%A0%80",
        b"who=dan&secret=%D9%A3%D9%A3", b"who=dan&who=ann&secret=x&secret=y", b"who[]=dan&secret=1",
        b"who=\xff&secret=\xfe",
    ],
)  # fmt: skip
def test_nobody_signs_in_with_nonsense(site: Site, body: bytes) -> None:
    found = site.refuses(
        "POST", "/sign-in", None, body, Content_Type=FORM, Origin="http://house.test"
    )
    assert found["reason"] in {"malformed", "sign_in_failed"}


def test_of_a_failed_sign_in_only_the_alarm_is_on_record(site: Site) -> None:
    signin, log = site.asker.app.state.gateway.signin, site.asker.log
    site.runner.run(signin.set_password("sol", "a password of nobody", "mara"))
    before = log.head(HOUSE).seq
    body = b"who=sol&secret=wrong"
    site.refuses("POST", "/sign-in", None, body, Content_Type=FORM, Origin="http://house.test")
    assert log.head(HOUSE).seq == before + 1
