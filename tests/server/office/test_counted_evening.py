"""An evening counted beside `/metrics`, and its log searched for what it must not say."""

import logging
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.checks.signs import signs_of
from puntobanco.journal.log import Append, EventLog, FullError
from puntobanco.server.edge.logs import JsonLine, TextLine, logged
from tests.kit.house.driver import Time, house_over
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.office import BASE, Office, app_over, office_of

FIGURES = (
    "append_group",
    "append_seconds",
    "clock_off_seconds",
    "commands_total",
    "connections_refused_total",
    "coups",
    "disk_free_bytes",
    "lag_seconds",
    "refusals_total",
    "request_duration_seconds",
    "requests_in_progress",
    "requests_total",
    "root_age_seconds",
    "rows",
    "sign",
    "tables",
    "tables_held",
    "watchers",
)
PASSWORD, WRONG = "quokka-lantern-77-brine", "tulip-wrong-903"


async def figures(office: Office) -> dict[str, float]:
    lines = (await office.get("/metrics")).text.splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name.removeprefix("puntobanco_"): float(value) for name, value in pairs}


async def no_room(_append: Append) -> None:
    raise FullError("no room")


def test_every_figure_is_there_and_is_what_was_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(log: EventLog) -> None:
        bots = await evening(log, 1, "tas-2018", start_ms=1_700_000_000_000)
        house, table = bots.house, bots.house.tables["table-1"]
        async with office_of(house) as office:
            before = await figures(office)
            while table.state.coup_number < 4:
                await bots.step(table)
            enrol = {"person": "zelda", "kind": "patron"}
            assert (await office.json("/api/register/enrol", "mara", enrol)).is_success
            again = await office.json("/api/register/enrol", "mara", enrol | {"person": "mara"})
            assert again.status_code == 409
            assert (await office.get("/api/cage")).status_code == 401
            with monkeypatch.context() as full:
                full.setattr(log, "append", no_room)
                guest = office.json("/api/register/set-guests", "mara", {})
                assert (await guest).status_code == 503
            now = await figures(office)
            assert not [one for one in FIGURES if not any(name.startswith(one) for name in now)]

            def more(name: str) -> float:
                return now[name] - before.get(name, 0)

            reason = again.json()["reason"]
            assert more('commands_total{kind="enrol",outcome="done"}') == 1
            assert more('commands_total{kind="enrol",outcome="refused"}') == 1
            assert more('commands_total{kind="set-guests",outcome="waiting"}') == 1
            assert not [name for name in now if 'outcome="fault"' in name and more(name)]
            assert more(f'refusals_total{{reason="{reason}"}}') == 1
            assert more('refusals_total{reason="sign_in_needed"}') == 1
            assert more('requests_total{method="POST",room="api",status_code="409"}') == 1
            kept = [name for name in log.streams() if name != "house"]
            rows = sum(log.head(name).seq for name in kept)
            assert (now["coups"], now["tables"], now["rows"]) == (4, 1, rows)
            assert more("append_seconds_count") == more("append_group_count") > 4
            assert now["disk_free_bytes"] // 10**6 == pytest.approx(log.free_mb(), abs=1000)
            assert {f'sign{{sign="{one.name}"}}': float(one.good) for one in signs_of(house)} == {
                name: value for name, value in now.items() if name.startswith("sign{")
            }

    using(str(tmp_path / "house.db"), use)


def test_a_loud_log_says_no_secret_and_no_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Everything that is logged at the loudest, of people who come in, are refused and give names
    and passwords: neither those nor ids nor tokens are in it.
    """
    caplog.set_level(logging.DEBUG)
    said: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not record.name.startswith("http"):  # whoever asks, in this very process
                said.extend((JsonLine().format(record), TextLine().format(record)))

    kept = Kept(logging.DEBUG)
    logging.getLogger().addHandler(kept)

    async def use(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        await house.found("mara", "founding-of-the-house")
        doors = SignIn(house)
        await doors.set_password("mara", PASSWORD, "mara")
        transport = httpx.ASGITransport(cast("Any", logged(app_over(house), ())))
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            own = {"origin": BASE, "sec-fetch-site": "same-origin"}
            for secret, status in ((WRONG, 401), (PASSWORD, 303)):
                form = {"who": "mara", "secret": secret}
                answer = await client.post("/sign-in", data=form, headers=own)
                assert answer.status_code == status, answer.text
            secrets.append(answer.cookies["session"])
            cookie = {**own, "cookie": f"session={secrets[-1]}"}
            token = doors.device("mara", "", "")
            secrets.append(token)
            bearer = {"authorization": f"Bearer {token}", "command-id": "enrol-somebody"}
            for body in ({"person": "zelda", "kind": "patron"}, {"person": "zelda", "kind": 7}):
                await client.post("/api/register/enrol", headers=bearer, json=body)
            await client.post("/api/register/enrol", headers=bearer, content=b"{zelda: " + b"x" * 9)
            for path in ("/house/people/zelda", "/search?q=zelda", "/no/zelda", "/house/people"):
                await client.get(path, headers=cookie)

    secrets = [PASSWORD, WRONG, "mara", "zelda"]
    try:
        using(str(tmp_path / "house.db"), use)
    finally:
        logging.getLogger().removeHandler(kept)
    everything = "\n".join((*said, *capfd.readouterr()))
    assert len(said) > 16
    assert [one for one in secrets if one in everything] == []
