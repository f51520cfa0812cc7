"""The floor: who sees which tables, what waits for whom, decisions, incidents, the handover."""

import re
from base64 import b64encode
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path

import pytest

from puntobanco.house.access.sign_in import SEEN_EVERY_MS, STAFF_IDLE_MS, Caller, SignIn
from puntobanco.house.floor.now import FloorWatch, TableAtGlance
from puntobanco.house.house import House
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.rules.cards import Card
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.state import Phase
from tests.kit.aggregates import photo
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.house.kept import kept
from tests.kit.journal import using
from tests.kit.office import Office, asked, office_of
from tests.kit.places import PLAYTHROUGHS

CARDS = tuple(map(Card, ("9c", "2h", "5d", "Ks")))


async def _playing(house: House) -> Driver:
    """A table of people in the middle of a coup."""
    table = await (await Driver(house).open()).shoe()
    await table.do("dan", c.OpenCoup())
    await table.do("ann", c.PlaceWager(1, Bet.PLAYER, 20_000))
    return table


def on_the_floor(
    tmp_path: Path, use: Callable[[Office, Driver, Time], Awaitable[None]], time: Time | None = None
) -> None:
    clock = time or Time(1_800_000_000_000)

    async def run(log: EventLog) -> None:
        house = house_over(log, clock.clock)
        table = await _playing(house)
        async with office_of(house) as office:
            await office.enrol("sue", Role.SURVEILLANCE)
            await office.enrol("ivy", Role.INSPECTOR, table="table-1")
            await use(office, table, clock)

    using(str(tmp_path / "house.db"), run)


def test_the_floor_shows_each_table_to_those_who_oversee_it(tmp_path: Path) -> None:
    async def use(office: Office, _table: Driver, _time: Time) -> None:
        named = register.NameTable("table-1", "Esk", pit="Pit 1")
        await office.house.give("register", named, "mara", "name-1-table")
        for person in ("mara", "ines", "sue", "ivy"):
            page = await office.get("/floor", person)
            assert page.status_code == 200, person
            assert "Esk" in page.text
            assert "Pit 1" in page.text
            assert "Betting" in page.text
        for person in ("dan", "ann", "carol"):
            assert (await office.get("/floor", person)).status_code == 403, person
        assert (await office.get("/floor")).is_redirect
        seen = (await office.get("/api/floor", "mara")).json()
        assert seen["totals"]["open"] == 1
        (line,) = seen["tables"]
        assert line["now"]["players"] == 1
        assert line["now"]["dealers"] == ["dan"]
        assert line["level"] == ""

    on_the_floor(tmp_path, use)


def test_face_down_cards_wait_for_whoever_must_be_told(tmp_path: Path) -> None:
    """[tas-2018:9.3(e)]: management and surveillance, each by themselves."""

    async def use(office: Office, table: Driver, _time: Time) -> None:
        async def waits(person: str) -> list[str]:
            said = (await office.get("/api/waiting", person)).json()
            return [one["href"] for one in said if one["kind"] == "told"]

        watch = FloorWatch(office.house)
        assert [await waits(who) for who in ("mara", "sue", "ines")] == [[], [], []]
        await table.do("ann", c.AskFaceDown("ann"))
        (wait,) = watch.table("table-1").waits
        assert (wait.kind, wait.whom) == ("told", (Role.MANAGEMENT, Role.SURVEILLANCE))
        assert wait.since_ms == office.house.tables["table-1"].at_ms
        assert (
            "Management and Surveillance must be told" in (await office.get("/floor", "ines")).text
        )
        assert await waits("ines") == []
        for person, left in (("mara", (Role.SURVEILLANCE,)), ("sue", ())):
            (href,) = await waits(person)
            assert (await office.get(href, person)).status_code == 200
            role = Role.MANAGEMENT if person == "mara" else Role.SURVEILLANCE
            await table.do(person, c.AcknowledgeFaceDown(role))
            assert await waits(person) == []
            assert [one.whom for one in watch.table("table-1").waits] == [left] * bool(left)

    on_the_floor(tmp_path, use)


def test_a_duty_waits_for_whoever_could_take_it_up_and_has_none(tmp_path: Path) -> None:
    async def use(office: Office, table: Driver, _time: Time) -> None:
        async def waits(person: str) -> list[str]:
            said = (await office.get("/api/waiting", person)).json()
            return [one["href"] for one in said if one["kind"] == "step"]

        await office.enrol("dora", Role.DEALER)
        assert [await waits(who) for who in ("ivy", "dora")] == [[], []]
        await table.do("ines", c.SignOff())
        assert await waits("ivy") == ["/tables/table-1/pit"]
        assert [await waits(who) for who in ("dora", "dan", "mara")] == [[], [], []]
        await table.do("ivy", c.SignOn(Role.INSPECTOR))
        assert await waits("ivy") == []
        await table.do("dan", c.SignOff())
        assert await waits("dora") == ["/tables/table-1/dealer"]

    on_the_floor(tmp_path, use)


def test_the_first_page_leads_staff_to_their_work_and_patrons_to_a_seat(tmp_path: Path) -> None:
    async def use(office: Office, _table: Driver, _time: Time) -> None:
        async def leads(person: str) -> list[str]:
            page = (await office.get("/", person)).text
            return re.findall(r'<a class="button first sit" href="([^"]+)"', page)

        assert await leads("dan") == ["/tables/table-1/dealer"]
        for person in ("ines", "ivy", "sue", "mara"):
            assert await leads(person) == ["/tables/table-1/pit"], person
        assert await leads("carol") == []
        assert await leads("ann") == ["/tables/table-1"]

    on_the_floor(tmp_path, use)


def test_who_waits_for_whom_and_since_when(tmp_path: Path) -> None:
    async def use(office: Office, table: Driver, time: Time) -> None:
        watch = FloorWatch(office.house)
        assert watch.table("table-1").waits == ()
        time.steady_ms += 60_000
        await table.do("ann", c.RaiseDispute("the bets were closed late"))
        asked_ms = office.house.tables["table-1"].at_ms
        time.steady_ms += 30_000
        (wait,) = watch.table("table-1").waits
        assert (wait.kind, wait.number, wait.since_ms) == ("dispute", 1, asked_ms)
        assert wait.whom == (Role.MANAGEMENT,)
        (again,) = FloorWatch(office.house).table("table-1").waits  # as after a start
        assert again.since_ms == asked_ms
        page = (await office.get("/floor?show=needs", "ines")).text
        assert "the bets were closed late" in page
        assert "Need somebody 1" in page

    on_the_floor(tmp_path, use)


def test_a_phase_lasts_from_the_row_that_began_it(tmp_path: Path) -> None:
    async def use(office: Office, table: Driver, time: Time) -> None:
        watch = FloorWatch(office.house)
        opened_ms = watch.table("table-1").since_ms
        time.steady_ms += 20_000
        for card in CARDS:
            await table.do("dan", c.DrawCard(card))
            time.steady_ms += 5_000
            now = watch.table("table-1")
        assert opened_ms is not None
        assert now.phase == "dealing"
        assert now.since_ms == opened_ms + 20_000
        assert FloorWatch(office.house).table("table-1").since_ms == now.since_ms
        assert now.last_coup_ms is None

    on_the_floor(tmp_path, use)


def test_a_decision_shows_rule_and_money_before_it_is_made(tmp_path: Path) -> None:
    async def use(office: Office, table: Driver, _time: Time) -> None:
        for card in (*CARDS, Card("3c"), Card("4h")):
            await table.do("dan", c.DrawCard(card))
        for ask in (c.DeclareResult(), c.EndCoup()):
            await table.do("dan", ask)
        asks = (await office.get("/tables/table-1/do/correct-payment?page=pit", "ines")).text
        assert "once another person approves: the management representative." in asks
        await table.do("ines", c.CorrectPayment("ann", 5_000, 1, "one chip too few"))
        (number,) = office.house.tables["table-1"].state.proposals
        at = f"/tables/table-1/proposals/{number}"
        kept = await office.get(f"/floor/decide/table-1/{number}", "mara")
        assert kept.headers["location"] == f"{at}?page=floor"
        assert f'href="{at}?page=floor"' in (await office.get("/waiting", "mara")).text
        listed = await office.get("/tables/table-1/do/approve?page=pit", "mara")
        assert listed.headers["location"] == f"{at}?page=pit"  # where it stands who said it
        page = (await office.get(f"{at}?page=floor", "mara")).text
        assert "one chip too few" in page
        assert 'value="5000"' in page  # by how much the chips change
        assert 'value="approve"' in page
        assert 'value="approve"' not in (await office.get(at, "ines")).text
        body = {"proposal": number}
        seen = await office.json("/api/tables/table-1/approve/preview", "mara", body)
        (row,) = seen.json()["compared"]["money"]
        assert row["chips"][1] - row["chips"][0] == 5_000
        form = {"page": "floor", "answer": "approve", "shown": "something else"}
        refused = await office.post(at, "mara", form)
        assert refused.status_code == 409
        assert 'role="alert"' in refused.text
        assert 'value="approve"' in refused.text  # and it can be approved as it now is
        shown = page.split('name="shown" value="')[1].split('"')[0]
        answer = await office.post(at, "mara", {**form, "shown": shown})
        assert answer.headers["location"] == "/floor?table=table-1&told=approved"
        assert "It waits no longer" in (await office.get(at, "mara")).text

    on_the_floor(tmp_path, use)


def test_an_incident_is_noted_with_a_photo_shown_to_overseers_and_erased(tmp_path: Path) -> None:
    async def use(office: Office, _table: Driver, _time: Time) -> None:
        form = {"kind": "partnership", "note": "moved together", "people": "ann", "coup": "1"}
        sent = {"photo": ("p.png", photo(), "image/png")}
        answer = await office.send("/tables/table-1/note", "dan", form, sent)
        assert answer.headers["location"] == "/tables/table-1/dealer"
        (one,) = (await office.get("/api/floor/incidents", "mara")).json()["found"]
        assert (one["kind"], one["clauses"], one["coup"]) == ("partnership", ["tas-2018:7.3"], 1)
        at = f"/floor/incidents/table-1/{one['row']}"
        seen = await office.get(f"{at}/photo", "sue")
        assert (seen.content, seen.headers["content-type"]) == (photo(), "image/png")
        for person in ("dan", "ann", "carol"):
            assert (await office.get(f"{at}/photo", person)).status_code == 403
            assert (await office.get("/floor/incidents", person)).status_code == 403
        for chosen in ("?table=table-1", "?day=monday", "?kind=partnership"):
            assert "moved together" in (await office.get(f"/floor/incidents{chosen}", "sue")).text
        assert "moved together" not in (await office.get("/floor/incidents?kind=other", "sue")).text
        assert (await office.post(f"{at}/erase", "ines")).status_code == 403
        assert (await office.post(f"{at}/erase", "mara")).is_redirect
        assert (await office.get(f"{at}/photo", "mara")).status_code == 404
        assert "The photo was erased" in (await office.get(at, "mara")).text

    on_the_floor(tmp_path, use)


def test_a_note_that_is_refused_comes_back_as_it_was_typed(tmp_path: Path) -> None:
    async def use(office: Office, _table: Driver, _time: Time) -> None:
        form = {"kind": "partnership", "note": "moved together", "people": "ann", "coup": "99"}
        answer = await office.send("/tables/table-1/note", "dan", form, {})
        assert 'id="error-coup"' in answer.text
        assert "moved together" in answer.text
        both = {"note": "moved together", "coup": "the last"}
        answer = await office.send("/tables/table-1/note", "dan", both, {})
        assert "Choose one." in answer.text.partition('id="error-kind"')[2][:100]
        assert "“the last” is not a whole number" in answer.text.partition('id="error-coup"')[2]
        assert 'value="the last"' in answer.text
        sent = {"photo": ("p.svg", b"<svg/>", "image/svg+xml")}
        answer = await office.send("/tables/table-1/note", "dan", {**form, "coup": ""}, sent)
        assert 'id="error-photo"' in answer.text
        assert 'name="kept"' not in answer.text
        sent = {"photo": ("p.png", photo(), "image/png")}
        answer = await office.send("/tables/table-1/note", "dan", form, sent)
        kept = answer.text.partition('name="kept" value="')[2].partition('"')[0]
        assert answer.text.count(f'src="{kept}"') == 1, "it came back, to be seen"
        again = {**form, "coup": "", "kept": kept}
        assert (await office.send("/tables/table-1/note", "dan", again, {})).is_redirect
        (one, *_) = (await office.get("/api/floor/incidents", "mara")).json()["found"]
        seen = await office.get(f"/floor/incidents/table-1/{one['row']}/photo", "sue")
        assert seen.content == photo()
        body = {"kind": "other", "note": "", "photo": b64encode(photo()).decode()}
        given = await office.json("/api/tables/table-1/note-incident", "dan", body)
        assert given.status_code == 200, given.text

    on_the_floor(tmp_path, use)


def test_tables_stand_by_pit_and_number_and_shut_ones_last() -> None:
    """As on the floor, so on the sheet that is handed over."""
    known = [
        TableAtGlance(f"t-{at}", name, pit, phase, None)
        for at, (name, pit, phase) in enumerate(
            [
                ("Table 10", "Pit 2", Phase.READY),
                ("Table 1", "", Phase.READY),
                ("Table 2", "Pit 2", Phase.READY),
                ("Table 3", "Pit 10", Phase.READY),
                ("Table 4", "Pit 1", Phase.SHUT),
            ]
        )
    ]
    found = [one.name for one in sorted(known, key=lambda one: one.place)]
    assert found == ["Table 2", "Table 10", "Table 3", "Table 1", "Table 4"]


def test_the_handover_has_what_is_open_and_the_incidents_of_the_shift(tmp_path: Path) -> None:
    async def use(office: Office, table: Driver, time: Time) -> None:
        await table.do("ines", c.RecordIncident("other", "an old one"))
        time.steady_ms += 9 * 3_600_000
        await table.do("ines", c.RecordIncident("other", "a glass was spilled"))
        await table.do("ann", c.RaiseDispute("the bets were closed late"))
        page = (await office.get("/floor/handover", "mara")).text
        for told in ("a glass was spilled", "the bets were closed late", "dan", "ines"):
            assert told in page
        assert "an old one" not in page
        assert "an old one" in (await office.get("/floor/handover?hours=12", "mara")).text
        sheet = (await office.get("/api/floor/handover", "mara")).json()
        assert [one["note"] for one in sheet["incidents"]] == ["a glass was spilled"]
        assert (await office.get("/floor/handover", "dan")).status_code == 403

    on_the_floor(tmp_path, use)


@pytest.mark.parametrize(("person", "stays"), [("sue", True), ("mara", False), ("ines", False)])
def test_who_only_watches_is_there_while_watching(tmp_path: Path, person: str, stays: bool) -> None:
    async def use(office: Office, _table: Driver, time: Time) -> None:
        signin = SignIn(office.house)
        caller: Caller = signin.caller(signin._begin(person))
        for _ in range(4):
            time.steady_ms += STAFF_IDLE_MS // 2
            signin.is_watching(caller)
        assert signin.is_good(caller) is stays
        time.steady_ms += STAFF_IDLE_MS + SEEN_EVERY_MS  # the stream is closed: idle from here
        assert not signin.is_good(caller)

    on_the_floor(tmp_path, use)


def test_whoever_decides_a_dispute_reads_its_dossier_first(tmp_path: Path) -> None:
    """It was linked from the pit once it was decided; whoever read it had no way on to decide."""

    async def use(office: Office) -> None:
        body = {"about": "the Banker card was a 4"}
        await office.enrol("ines", Role.INSPECTOR)
        raised = await office.json("/api/tables/table-1/raise-dispute", "ines", body)
        assert raised.is_success, raised.text
        number = max(office.house.tables["table-1"].state.disputes)
        at, form = f"/tables/table-1/disputes/{number}", "/tables/table-1/do/decide-dispute"
        decide = f"{form}?dispute={number}&amp;page=pit"
        for who, may in (("mara", True), ("ines", False)):
            assert f'href="{at}"' in (await office.get("/tables/table-1/pit", who)).text
            assert (decide in (await office.get(at, who)).text) is may
        assert f'href="{at}"' in (await office.get(unescape(decide), "mara")).text
        body = {"dispute": str(number), "decision": "it was a 5", "page": "pit"}
        assert (await office.post(form, "mara", body)).is_redirect
        assert decide not in (await office.get(at, "mara")).text

    asked(kept(tmp_path / "house.db", PLAYTHROUGHS / "tasmania-2018.session"), use)
