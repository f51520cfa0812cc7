"""What whoever is on call reads: signs, figures, the log."""

import asyncio
import json
import logging
import sys
import traceback
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from puntobanco.house.access.door.throttle import LOCK_AT
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.house import House
from puntobanco.journal.log import (
    Append,
    AwayError,
    EventLog,
    FullError,
    StoppedError,
    SucceededError,
)
from puntobanco.server.edge.logs import ACCESS, JsonLine, TextLine, log_to_stderr, logged
from puntobanco.server.edge.metrics import LAG
from puntobanco.server.edge.proxy import networks_of
from puntobanco.server.live.board import LiveScreen
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.view import Viewer
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import one, using
from tests.kit.office import BASE, Office, app_over, asked

SIGNS = {"journal", "clock", "disk", "root", "chance"}


def test_each_sign_is_seen_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time()

    async def use(office: Office) -> None:
        async def bad() -> set[str]:
            answer = await office.get("/ready")
            said = answer.json()
            assert answer.status_code == (200 if said.pop("ready") else 503)
            assert set(said) == SIGNS
            signs = {name for name, good in said.items() if not good}
            page = (await office.get("/house/running", "mara")).text
            assert ("All is as it should be" in page) == (not signs)
            return signs

        await office.house.record_root()
        assert await bad() == set()
        time.steady_ms += 181_000
        assert await bad() == {"root"}
        assert "No root for 181 seconds" in (await office.get("/house/running", "mara")).text
        await office.house.record_root()
        time.off_ms = 61_000
        assert await bad() == {"clock"}
        time.off_ms = -61_000
        assert await bad() == {"clock"}
        page = (await office.get("/house/running", "mara")).text
        assert "The clock is 61 seconds behind the house" in page
        time.off_ms = 0
        with monkeypatch.context() as few:
            few.setattr(office.house.log, "free_mb", lambda: 499)
            assert await bad() == {"disk"}
            few.setattr(office.house.log, "free_mb", lambda: 79_284)
            assert "79,284 MB free." in (await office.get("/house/running", "mara")).text
        log = cast("Any", office.house.log)
        log._full = "no room"
        assert await bad() == {"journal"}
        runs = (await office.get("/api/house/running", "mara")).json()
        assert (runs["ready"], runs["signs"][0]["measured"]) == (False, "no room")
        assert (await office.get("/health")).json() == {"alive": True}
        for path in ("/house/running", "/api/house/running"):
            assert (await office.get(path, "ann")).status_code == 403
        log._stopped = OSError("the flush failed")
        assert not (await office.get("/ready")).json()["journal"]
        assert (await office.get("/house/running", "mara")).status_code == 503

    asked(tmp_path / "house.db", use, clock=time)


def test_alarms_wait_for_whoever_oversees_the_house(tmp_path: Path) -> None:
    time = Time()

    async def use(office: Office) -> None:
        house = office.house

        async def alarms(person: str) -> list[tuple[str, str]]:
            said = (await office.get("/api/waiting", person)).json()
            return [(one["says"], one["href"]) for one in said]

        await office.enrol("ada", Role.AUDITOR)
        await house.record_root()
        assert await alarms("mara") == []
        time.off_ms = 61_000
        clock = ("Alarm: the machine's clock is off", "/house/running")
        assert [await alarms(who) for who in ("mara", "ada", "ines")] == [[clock], [clock], []]
        time.off_ms = 0
        doors = SignIn(house)
        await doors.issue_pin("ann", "mara")
        for _ in range(LOCK_AT):
            house.people.failed("ann", "pin", 1)
        ((says, href),) = await alarms("mara")
        assert "Ann" in says or "ann" in says
        assert (await office.get(href, "mara")).status_code == 200
        assert await alarms("ada") == []
        await doors.unlock("ann", house.actor("mara"))
        assert await alarms("mara") == []

    asked(tmp_path / "house.db", use, clock=time)


def from_place(house: House, peer: str, proxies: str = "") -> httpx.AsyncClient:
    app = app_over(house, proxies=networks_of(proxies))
    whole = logged(app, networks_of(proxies))
    return httpx.AsyncClient(transport=httpx.ASGITransport(whole, client=(peer, 1)), base_url=BASE)


def test_figures_are_for_whoever_may(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        await house.found("mara", "founding-of-the-house")
        doors = SignIn(house)
        watch, draw = doors.device("mara", "watch", ""), doors.device("mara", "draw", "table-1")
        forwarded = {"x-forwarded-for": "198.51.100.7"}
        for peer, proxies, headers, status in (
            ("127.0.0.1", "", {}, 200),
            ("::1", "", {}, 200),
            ("127.0.0.1", "", forwarded, 401),  # a proxy that nobody told the house of
            ("127.0.0.1", "127.0.0.1", forwarded, 401),
            ("198.51.100.7", "", {}, 401),
            ("198.51.100.7", "", {"authorization": f"Bearer {watch}"}, 200),
            ("198.51.100.7", "", {"authorization": f"Bearer {draw}"}, 403),
        ):
            async with from_place(house, peer, proxies) as client:
                answer = await client.get("/metrics", headers=headers)
                assert answer.status_code == status, (peer, proxies, headers)

    using(str(tmp_path / "house.db"), use)


def test_figures_count_what_happens_and_name_nobody(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        async with from_place(house, "127.0.0.1") as client:
            await house.found("mara", "founding-of-the-house")
            token = SignIn(house).device("mara", "", "")
            await client.post(
                "/api/register/enrol",
                headers={"authorization": f"Bearer {token}", "command-id": "enrol-somebody"},
                json={"person": "zelda", "kind": "patron"},
            )
            await client.get("/house/people/zelda")
            await client.get("/no/such/zelda")
            read = (await client.get("/metrics")).text
        assert 'puntobanco_commands_total{kind="enrol",outcome="done"}' in read
        assert 'puntobanco_refusals_total{reason="sign_in_needed"}' in read
        assert 'room="house"' in read
        assert 'puntobanco_sign{sign="journal"} 1.0' in read
        assert "puntobanco_disk_free_bytes" in read
        assert "zelda" not in read

    using(str(tmp_path / "house.db"), use)


def lags() -> float:
    (found,) = LAG.collect()
    return next(float(one.value) for one in found.samples if one.name.endswith("_count"))


def test_how_far_those_who_watch_lag_behind_is_counted(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        driver = await Driver(house_over(log)).open()
        boards = app_over(driver.house).state.boards
        stream = boards.board("table-1").stream(LiveScreen("display"), Viewer)
        before = lags()
        await anext(stream)
        await asyncio.sleep(0)
        await driver.do("bob", c.Sit(2))
        await anext(stream)
        await asyncio.sleep(0)
        assert lags() == before + 1
        await stream.aclose()
        boards.close()

    using(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize(
    ("error", "reason", "again"),
    [
        (AwayError("gone"), "database_away", "1"),
        (SucceededError("newer"), "handed_over", "1"),
        (FullError("no room"), "disk_full", "30"),
        (StoppedError("the flush failed"), "house_stopped", None),
    ],
)
def test_what_cannot_be_written_is_refused_in_words_and_asked_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    reason: str,
    again: str | None,
) -> None:
    """Reading goes on; the same command, once it can be written, is done once."""

    async def use(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        await house.found("mara", "founding-of-the-house")
        headers = {"authorization": f"Bearer {SignIn(house).device('mara', '', '')}"}
        command = {**headers, "command-id": "enrol-somebody"}
        enrol = {"person": "zelda", "kind": "patron"}

        async def broken(_append: Append) -> None:
            raise error

        async with from_place(house, "127.0.0.1") as client:
            with monkeypatch.context() as away:
                away.setattr(log, "append", broken)
                answer = await client.post("/api/register/enrol", headers=command, json=enrol)
                assert (answer.status_code, answer.json()["reason"]) == (503, reason)
                assert answer.headers.get("Retry-After") == again
                assert (await client.get("/api/tables", headers=headers)).status_code == 200
            for _ in range(2):
                answer = await client.post("/api/register/enrol", headers=command, json=enrol)
                assert answer.is_success
        assert [row.command_id for row in log.read("register")].count("enrol-somebody") == 1

    using(str(tmp_path / "house.db"), use)


def test_a_page_that_cannot_be_had_is_asked_for_again_by_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was sent is not sent again: whoever sent it looks first."""

    async def use(office: Office) -> None:
        def away() -> None:
            raise AwayError("gone")

        monkeypatch.setattr(office.house.log, "free_mb", away)
        page = await office.get("/house/running", "mara")
        assert (page.status_code, page.headers["Retry-After"]) == (503, "1")
        assert int(page.headers["Refresh"]) <= 5
        data = await office.get("/api/house/running", "mara")
        assert (data.status_code, data.headers.get("Refresh")) == (503, None)

    asked(tmp_path / "house.db", use)


def test_the_journal_tells_of_its_flushes(place: str) -> None:
    told: list[tuple[int, float]] = []

    async def use(log: EventLog) -> None:
        log.wrote = lambda appends, seconds: told.append((appends, seconds))
        await asyncio.gather(*(log.append(one(stream, 1)) for stream in ("a", "b")))
        assert log.fault() == ""

    using(place, use)
    assert sum(appends for appends, _ in told) == 2
    assert all(seconds >= 0 for _, seconds in told)


def test_the_log_has_an_id_and_neither_name_nor_address_of_a_page(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, ACCESS.name)
    lines: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(json.loads(JsonLine().format(record)))
            assert f"[{lines[-1]['request']}]" in TextLine().format(record)

    kept = Kept()
    ACCESS.addHandler(kept)

    async def use(log: EventLog) -> None:
        async with from_place(house_over(log, Time().clock), "10.0.0.2", "10.0.0.2") as client:
            for path in ("/house/people/zelda?q=secret", "/no/such/zelda"):
                answer = await client.get(path, headers={"x-forwarded-for": "198.51.100.7"})
                assert answer.headers["x-request-id"] == lines[-1]["request"]

    try:
        using(str(tmp_path / "house.db"), use)
    finally:
        ACCESS.removeHandler(kept)
    assert [(line["route"], line["status"], line["address"]) for line in lines] == [
        ("/house/people/{person}", 401, "198.51.100.7"),
        ("none", 404, "198.51.100.7"),
    ]
    assert "zelda" not in json.dumps(lines)
    assert "secret" not in json.dumps(lines)


def test_a_fault_is_told_by_its_place_and_kind_and_not_by_what_it_says() -> None:
    """What it says may have a name in it: a key that was not found, a row that is there."""
    name = "zel" + "da"

    def find() -> None:
        dict[str, int]()[name]

    try:
        try:
            find()
        except KeyError as error:
            raise OSError(28, f"no room for {name}") from error
    except OSError:
        fault = sys.exc_info()
    record = logging.LogRecord("puntobanco", logging.ERROR, "", 0, "fault at /x", (), fault)
    for form in (JsonLine(), TextLine()):
        said = form.format(record)
        assert "in find" in said
        assert said.index("KeyError") < said.index("OSError 28")
        assert name not in said


def test_what_is_broken_off_when_the_house_is_shut_is_no_fault_in_the_log(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.root, "handlers", [])
    monkeypatch.setattr(logging.root, "level", logging.WARNING)
    log_to_stderr("text", "warning")
    of_server = logging.getLogger("uvicorn.error")
    broken = asyncio.CancelledError()
    for error in (broken, KeyError("lost")):
        of_server.error("a page was open", exc_info=error)
    ended = "".join(traceback.format_exception(broken))
    of_server.error("a page was open\n%s", ended)
    said = capfd.readouterr().err
    assert said.count("a page was open") == 1
    assert "KeyError" in said
