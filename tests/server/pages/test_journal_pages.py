"""The journal's pages: coups, replay, verification, export; who may see them."""

import asyncio
import csv
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.checks.background import Checking
from puntobanco.house.lookback import coups as coups_module
from puntobanco.house.lookback.coups import ListedCoup, coup_page, find_coup
from puntobanco.house.lookback.replay import Replays
from puntobanco.journal.chain import Head
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from puntobanco.journal.sqlite import open_log
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.regions import LivePages
from puntobanco.server.pages.journal.steps import AUDITOR
from puntobanco.server.rendering import Pages, moment
from puntobanco.table import events as e
from puntobanco.table.view import view
from tests.kit.competition.cup import cup_text
from tests.kit.house.driver import Time, house_over
from tests.kit.house.evening import evening
from tests.kit.house.figures import coups_in as reported
from tests.kit.house.kept import forged, kept
from tests.kit.journal import using
from tests.kit.office import Office, asked
from tests.kit.places import PLAYTHROUGHS
from tests.kit.program import run

TABLEAU = load_ruleset(RULESETS[0]).tableau
SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))
TASMANIA = PLAYTHROUGHS / "tasmania-2018.session"


@pytest.fixture(scope="module")
def long_evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred and thirty coups in Tasmania."""
    where = tmp_path_factory.mktemp("house") / "house.db"

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018")
        await let_bots_play(bots, [bots.house.table("table-1")], 130)

    using(str(where), use)
    return where


class Counted:
    """A journal that counts the rows it is asked for."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.rows = 0

    def read(self, stream: str, after: int = 0) -> Iterator[Row]:
        for row in self._log.read(stream, after):
            self.rows += 1
            yield row

    def head(self, stream: str) -> Head:
        return self._log.head(stream)


def test_pages_of_the_list_have_every_coup_once_and_read_a_bounded_window(
    long_evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coups_module, "BACK", 300)
    monkeypatch.setattr(coups_module, "ON", 200)
    monkeypatch.setattr(coups_module, "BLOCK", 100)

    async def use(log: EventLog) -> None:
        seen: list[ListedCoup] = []
        before, pages = None, 0
        while True:
            counted = Counted(log)
            page = coup_page(counted, "table-1", TABLEAU, before)  # type: ignore[arg-type]
            assert counted.rows <= 300 + 200 + 3 * 100
            assert len(page.coups) <= coups_module.PAGE
            seen += page.coups
            pages += 1
            if page.before is None:
                break
            before = page.before
        assert pages > 5
        assert [one.number for one in seen] == list(range(130, 0, -1))
        known = {one.number: one for one in reported(log, ["table-1"])}
        assert all(one.result == known[one.number].result for one in seen)
        assert all(one.over for one in seen[1:])
        monkeypatch.undo()
        assert tuple(seen[:50]) == coup_page(log, "table-1", TABLEAU).coups

    using(str(long_evening), use)


def test_a_full_page_has_fifty_coups(long_evening: Path) -> None:
    async def use(log: EventLog) -> None:
        numbers = [
            [one.number for one in coup_page(log, "table-1", TABLEAU, before).coups]
            for before in (None, coup_page(log, "table-1", TABLEAU).before)
        ]
        assert numbers == [list(range(130, 80, -1)), list(range(80, 30, -1))]

    using(str(long_evening), use)


def test_a_coup_is_found_in_a_few_looks(long_evening: Path) -> None:
    async def use(log: EventLog) -> None:
        for number in (1, 2, 64, 129, 130):
            counted = Counted(log)
            found = find_coup(counted, "table-1", number)  # type: ignore[arg-type]
            assert found is not None
            assert f'"number":{number},'.encode() in found.events
            assert counted.rows < 700 < log.head("table-1").seq
        assert find_coup(log, "table-1", 131) is None
        assert find_coup(log, "table-1", 0) is None
        assert find_coup(log, "table-9", 1) is None

    using(str(long_evening), use)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_every_coup_of_every_session_is_listed_and_played_back_as_it_was(
    tmp_path: Path, session: Path
) -> None:
    where = kept(tmp_path / "house.db", session)

    async def use(log: EventLog) -> None:
        house = house_over(log, Time().clock)
        pages = LivePages(Gateway(house, SignIn(house)), Pages(house))
        replays = Replays(log)
        page = coup_page(log, "table-1", TABLEAU)
        listed = {one.number: one for one in page.coups}
        known = {one.number: one for one in reported(log)}
        assert set(listed) == set(known)
        for number, one in listed.items():
            assert (one.result, one.void) == (known[number].result, known[number].void), number
            replay = replays.replay("table-1", number)
            assert isinstance(replay.steps[0].told.event, e.CoupOpened)
            for step in replay.steps:
                assert "<svg" in pages.standing(view(step.table, AUDITOR))
            records = {past.number: past for past in replay.steps[-1].table.coups}
            if replay.over and number in records and not replay.later:
                assert one.drawn == records[number].drawn
        if listed:
            last = replays.replay("table-1", max(listed))
            assert last.is_last
            stream = house.table("table-1")
            assert last.steps[-1].table == replays.at("table-1", last.steps[-1].told.seq)
            assert replays.at("table-1", stream.seq) == stream.state

    using(str(where), use)


PAGES = ("/tables/table-1/journal", "/tables/table-1/journal/1", "/tables/table-1/games")
HOUSE_PAGES = (
    "/house/verification",
    "/tables/table-1/export",
    "/house/events/csv",
    "/house/events/json",
)
DATA = (
    "/api/tables/table-1/journal",
    "/api/tables/table-1/journal/1",
    "/api/house/verification",
)


def test_only_those_who_watch_over_a_table_or_the_house_see_its_journal(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        for path in (*PAGES, *HOUSE_PAGES):
            assert (await office.get(path)).status_code == 302, path
            assert (await office.get(path, "ann")).status_code == 403, path
            assert (await office.get(path, "mara")).status_code == 200, path
            wanted = 200 if path in PAGES else 403
            assert (await office.get(path, "ines")).status_code == wanted, path
        for path in DATA:
            assert (await office.get(path)).status_code == 401, path
            assert (await office.get(path, "ann")).status_code == 403, path
            assert (await office.get(path, "mara")).status_code == 200, path
        assert (await office.post("/house/verification", "ann")).status_code == 403

    asked(kept(tmp_path / "house.db", TASMANIA), use)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/tables/table-9/journal", 404),
        ("/api/tables/table-1/journal?before=0", 400),
        ("/api/tables/table-1/journal?before=x", 400),
        ("/api/tables/table-1/journal?before=99999999999999999999", 400),
        ("/api/tables/table-1/journal/0", 400),
        ("/api/tables/table-1/journal/9999", 404),
        ("/api/tables/table-1/journal/x", 404),
        ("/tables/table-1/journal/1?step=0", 400),
        ("/tables/table-1/journal/1?step=x", 400),
        ("/tables/table-1/receipts/0", 400),
        ("/tables/table-1/receipts/99999", 404),
        ("/tables/table-9/export", 404),
        ("/house/events/xml", 404),
    ],
)
def test_nonsense_is_refused_in_the_one_shape(tmp_path: Path, path: str, status: int) -> None:
    async def use(office: Office) -> None:
        answer = await office.get(path, "mara", accept="application/json")
        assert answer.status_code == status, answer.text
        assert set(answer.json()) == {"reason", "clause", "detail", "remedy", "facts"}

    asked(kept(tmp_path / "house.db", TASMANIA), use)


def test_a_voided_coup_is_marked_and_shown_again_step_by_step(tmp_path: Path) -> None:
    where = kept(tmp_path / "house.db", TASMANIA)
    log = open_log(where)
    void = next(one.number for one in reported(log) if one.void)
    asyncio.run(log.close())

    async def use(office: Office) -> None:
        text = (await office.get("/tables/table-1/journal", "mara")).text
        row = re.search(rf'<tr[^>]*><th scope="row"><a[^>]*>{void}</a>.*?</tr>', text, re.DOTALL)
        assert row is not None
        assert ">void<" in row.group()
        first = (await office.get(f"/tables/table-1/journal/{void}", "mara")).text
        last = int(re.findall(r"Step 1 of (\d+)", first)[0])
        assert f'href="?step={last}"' in first
        shown = []
        for step in range(1, last + 1):
            page = (await office.get(f"/tables/table-1/journal/{void}?step={step}", "mara")).text
            assert f"Step {step} of {last}" in page
            assert ('rel="prev"' in page, 'rel="next"' in page) == (step > 1, step < last)
            assert "REPLAY" in page
            shown.append(page)
        assert any("This coup is void" in page for page in shown)
        assert sum('class="card' in page for page in shown) > 3
        beyond = await office.get(f"/tables/table-1/journal/{void}?step=9999", "mara")
        assert f"Step {last} of {last}" in beyond.text

    asked(where, use)


def test_any_moment_of_a_coup_that_was_put_right_has_a_link(tmp_path: Path) -> None:
    """What was replaced stays, struck out; both versions stand side by side with the money."""

    async def use(office: Office) -> None:
        path = "/tables/table-1/journal/13"
        text = (await office.get(f"{path}?step=9", "mara")).text
        assert re.search(r'<li class="payment gone begins"[^>]*aria-current="step"', text)
        assert "<s>Player wins, 9 to 8</s>" in text
        assert 'aria-label="9 of hearts">9<em>♥</em>' in text
        assert not re.search(r"\b(9h|6h|Kd)\b|(?<!in a )\brow\b", re.sub(r"<[^>]*>", " ", text))
        assert "All 25 steps follow from the one before" in text
        both = (await office.get(f"{path}?step=9&both=true", "mara")).text
        versions = both[both.index('class="versions"') :]
        assert versions.count('<svg class="standing') == 2
        assert versions.index("Player wins, 9 to 8") < versions.index("Banker wins, 7 to 6")
        assert re.search(r"−100.*95.*195", re.sub(r"<[^>]*>", " ", versions), re.DOTALL)
        steps = (await office.get(f"{path}/steps", "mara")).json()
        assert len(steps["steps"]) == 25
        assert len(steps["pieces"]) < 2 * 25, "each piece is sent once"
        told = [step["line"] for step in steps["steps"]]
        assert "Step 9 of 25" in told[8]
        shown = (await office.get(f"/api{path}", "mara")).json()
        assert [step["counts"] for step in shown["steps"]].count(False) == 7
        assert shown["versions"]["moved"][0]["now_cents"] == 9500
        assert shown["links_hold"]
        assert shown["sound_ms"] is None
        await office.post("/house/verification", "mara")
        assert "Nothing was altered" in (await office.get(path, "mara")).text

    asked(kept(tmp_path / "house.db", TASMANIA), use)


def test_the_list_shows_only_what_is_asked_for(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        text = (await office.get("/tables/table-1/journal?only=void", "mara")).text
        assert re.findall(r'<th scope="row"><a[^>]*>(\d+)</a>', text) == ["12"]
        text = (await office.get("/tables/table-1/journal?only=disputed", "mara")).text
        assert "None of these coups was disputed" in text
        games = (await office.get("/tables/table-1/games", "mara")).text
        assert games.count('<details class="game-') == 10
        assert "row" not in re.sub(r"<[^>]*>", " ", games).split()

    asked(kept(tmp_path / "house.db", TASMANIA), use)


def test_a_disputes_dossier_is_read_as_a_page(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        at = "/tables/table-1/disputes/1"
        assert f'href="{at}"' in (await office.get("/tables/table-1/journal/10", "mara")).text
        page = await office.get(at, "mara")
        text = " ".join(re.sub(r"<[^>]*>", " ", page.text).split())
        dossier = (await office.get(f"/api{at}", "mara")).json()
        assert page.status_code == 200
        for part in ("What bob says", "wagers of bob", "Rulings and corrections", "Receipts"):
            assert part in text
        assert "Decided by" in text
        assert "A review was asked for" in text
        for receipt in dossier["receipts"]:
            assert receipt["hash"] in text
        assert not re.search(r"\b([2-9TJQK][cdhs]|row|cents)\b", text)
        taken = await office.get(f"{at}/file", "mara")
        assert taken.json() == dossier
        assert not (await office.get("/tables/table-1/disputes/99", "mara")).is_success
        assert (await office.get(at, "ann")).status_code == 403

    asked(kept(tmp_path / "house.db", PLAYTHROUGHS / "canberra-2015.session"), use)


@pytest.mark.parametrize("session", ["tasmania-2018-squeeze", "tasmania-2018-secrets"])
def test_a_face_down_card_or_a_secret_form_is_not_shown_before_its_time(
    tmp_path: Path, session: str
) -> None:
    """A step shows what the table knew then: its pictures name no card that was not turned yet."""

    async def use(office: Office) -> None:
        path = "/tables/table-1/journal"
        for coup in (await office.get(f"/api{path}", "mara")).json()["coups"]:
            shown = (await office.get(f"/api{path}/{coup['coup']}", "mara")).json()
            parts = (await office.get(f"{path}/{coup['coup']}/steps", "mara")).json()
            for step, drawn in zip([*shown["steps"], *shown["later"]], parts["steps"], strict=True):
                stage = parts["pieces"][drawn["layers"]["stage"]]
                lying = re.findall(r'data-lies="(player|banker)-\d (\w+)"', stage)
                for side in ("player", "banker"):
                    seen = [card for hand, card in lying if hand == side]
                    assert seen == [card or "down" for card in step[side]], step["says"]

    asked(kept(tmp_path / "house.db", PLAYTHROUGHS / f"{session}.session"), use)


def tampered(where: Path, seq: int) -> Path:
    """Somebody edits a row of the file, and nothing else."""
    db = sqlite3.connect(where, isolation_level=None)
    db.execute("DROP TRIGGER rows_stay")
    change = "UPDATE rows SET actor = 'nobody' WHERE stream = 'table-1' AND seq = ?"
    assert db.execute(change, (seq,)).rowcount == 1
    db.close()
    return where


def test_the_verification_status_never_says_more_than_it_knows(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        path = "/house/verification"
        assert "Not verified since the house was opened" in (await office.get(path, "mara")).text
        assert (await office.post(path, "mara")).status_code == 303
        text = (await office.get(path, "mara")).text
        assert "Sound:" in text
        assert "Nothing was written since" in text
        assert f"{office.house.log.head('table-1').seq}</td>" in text
        await office.json("/api/competitions/cup/draft", "mara", {"text": cup_text()})
        await office.post(path, "mara")  # that record is checked, too
        await office.enrol("bob")
        assert "1 entries were written since" in (await office.get(path, "mara")).text
        status = (await office.get("/api/house/verification", "mara")).json()
        assert status["since"] == 1
        assert status["last"]["rows"] == sum(status["last"]["heads"].values())
        assert status["last"]["root"] in (await office.get(path, "mara")).text

    asked(kept(tmp_path / "house.db", TASMANIA), use)


def test_the_root_to_note_down_is_one_that_a_later_check_knows(tmp_path: Path) -> None:
    where = kept(tmp_path / "house.db", TASMANIA)
    noted: list[str] = []

    async def use(office: Office) -> None:
        await office.post("/house/verification", "mara")
        assert "none yet" in (await office.get("/house/verification", "mara")).text
        await office.house.record_root()
        await office.enrol("bob")
        status = (await office.post("/api/house/verification", "mara")).json()
        noted.append(status["last"]["root"])
        await office.enrol("carla")

    asked(where, use)
    assert "sound" in run("verify", str(where), "--head", noted[0])


def test_a_tampered_journal_shows_as_broken(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        tampered(tmp_path / "house.db", 30)
        await office.post("/house/verification", "mara")
        text = (await office.get("/house/verification", "mara")).text
        assert "BROKEN" in text
        assert "Sound" not in text.replace("Sound to entry", "")
        assert "table-1 row 30: was changed" in text

    asked(kept(tmp_path / "house.db", TASMANIA), use)


@pytest.mark.parametrize("events", [b"[", b'[{"is":"nothing"}]', b"\xff"])
def test_pages_of_a_damaged_journal_say_so(tmp_path: Path, events: bytes) -> None:
    async def use(office: Office) -> None:
        db = sqlite3.connect(tmp_path / "house.db", isolation_level=None)
        db.execute("DROP TRIGGER rows_stay")
        db.execute("UPDATE rows SET events = ? WHERE stream = 'table-1' AND seq = 30", (events,))
        db.close()
        for path in ("/tables/table-1/journal", "/tables/table-1/journal/3"):
            answer = await office.get(path, "mara")
            assert answer.status_code == 503
            assert "table-1 row 30 is damaged" in answer.text

    asked(kept(tmp_path / "house.db", TASMANIA), use)


def test_a_journal_forged_with_every_hash_made_anew_shows_as_broken(tmp_path: Path) -> None:
    where = kept(tmp_path / "house.db", PLAYTHROUGHS / "singapore-2017.session")
    forged(where, "wager-settled", {"won_cents": 1})

    async def use(office: Office) -> None:
        answer = await office.post("/api/house/verification", "mara")
        last = answer.json()["last"]
        assert last["complete"]
        assert "the rules give" in last["fault"]

    asked(where, use)


def test_a_table_opened_by_a_text_nobody_has_is_not_said_to_be_sound(tmp_path: Path) -> None:
    where = kept(tmp_path / "house.db", TASMANIA)
    log = open_log(where)
    opened = json.loads(next(log.read("table-1")).events)[0]["opened"]
    asyncio.run(log.close())
    forged(where, "table-opened", {"opened": {**opened, "digest": "0" * 64}})

    async def use(office: Office) -> None:
        await office.post("/house/verification", "mara")
        text = (await office.get("/house/verification", "mara")).text
        assert "BROKEN" in text
        assert "table-1 row 1: opens by a text of tas-2018 that is neither in the register" in text
        assert "Sound:" not in text

    asked(where, use)


def test_a_verification_that_runs_out_of_time_says_how_far_it_came(long_evening: Path) -> None:
    async def use(log: EventLog) -> None:
        times = iter(range(10**6))
        checking = Checking(log, lambda: next(times), budget_ms=1)
        checking.start()
        await asyncio.to_thread(checking.wait, 30)
        last = checking.last
        assert last is not None
        assert (last.complete, last.fault, last.root) == (False, "", "")
        assert 0 < last.rows < log.count()

    using(str(long_evening), use)


def test_a_verification_says_so_when_the_journal_cannot_be_read() -> None:
    class Unreadable:
        def frozen(self) -> AbstractContextManager[None]:
            raise sqlite3.DatabaseError("database disk image is malformed")

    checking = Checking(Unreadable(), lambda: 0)  # type: ignore[arg-type]
    checking.start()
    checking.wait(30)
    assert checking.last is not None
    assert "disk image is malformed" in checking.last.fault


def test_an_export_is_the_command_lines_and_verifies(long_evening: Path, tmp_path: Path) -> None:
    file = tmp_path / "table-1.jsonl"

    async def use(office: Office) -> None:
        answer = await office.get("/tables/table-1/export", "mara")
        assert answer.headers["content-disposition"] == 'attachment; filename="table-1.jsonl"'
        file.write_bytes(answer.content)

    asked(long_evening, use, clock=Time(10_000_000))
    assert "sound" in run("verify", str(file))
    assert file.read_text() == run("export", "table-1", "--house", str(long_evening))


def test_significant_events_are_files_too(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        page = (await office.get("/house/events", "mara")).text
        data = (await office.get("/house/events/json", "mara")).json()
        rows = list(
            csv.DictReader((await office.get("/house/events/csv", "mara")).text.split("\n"))
        )
        assert len(data) == len(rows) > 3
        assert page.count("<tr>") == len(data) + 1
        for noted, row in zip(data, rows, strict=True):
            assert (row["row"], row["says"]) == (str(noted["seq"]), noted["says"])
            assert row["time"] == moment(noted["at_ms"])
        assert any("is void" in one["says"] for one in data)

    asked(kept(tmp_path / "house.db", TASMANIA), use)
