"""Significant events are looked into, by somebody else, and that is on record."""

import csv
from pathlib import Path

from puntobanco.house.checks.audit import audit
from puntobanco.house.figures.noted import keep
from puntobanco.house.lookback.significant import significant
from puntobanco.house.notes import ClockJumped, RightsTried
from puntobanco.journal.verify import HOUSE
from puntobanco.register.commands import Disable, Enrol, Grant
from puntobanco.table.actor import Role
from puntobanco.table.commands import Approve
from tests.kit.office import Office, asked, two_founders

GRANT = "register"


def test_a_review_is_on_record_and_stands_on_page_api_and_in_files(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        house = office.house
        await office.enrol("otto", Role.AUDITOR)
        await house.note(ClockJumped(5000))
        jump = next(one for one in significant(house) if "clock" in one.says)
        address = f"/house/events/{jump.stream}/{jump.seq}"
        assert f'href="{address}"' in (await office.get("/house/events", "otto")).text
        assert "clock was moved" in (await office.get(address, "otto")).text
        done = await office.post(address, "otto", {"note": "  a new server  "})
        assert done.status_code == 303
        again = {"note": "=1+1 summer time"}
        api = f"/api/events/{jump.stream}/{jump.seq}/review"
        answer = (await office.json(api, "mara", again)).json()
        assert answer[0]["reviewed"]["by"] == "mara"
        for kept in (False, True):
            if kept:
                keep(house.log)
            events = significant(house)
            assert len([one for one in events if one.stream == jump.stream]) == 1  # no new line
            (found,) = [one for one in events if one.reviewed]
            assert (found.seq, found.reviewed and found.reviewed.note) == (jump.seq, again["note"])
        page = (await office.get("/house/events", "otto")).text
        assert "=1+1 summer time" in page
        text = (await office.get("/house/events/csv", "otto")).text
        (row,) = [one for one in csv.DictReader(text.splitlines()) if one["reviewed_by"]]
        assert (row["reviewed_by"], row["note"]) == ("mara", "'=1+1 summer time")
        assert audit(house.log).fault is None

    asked(tmp_path / "house.db", use)


def test_nobody_reviews_their_own_act_nor_what_is_not_there(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await office.enrol("otto", Role.AUDITOR)
        grant = next(one for one in significant(office.house) if one.stream == GRANT)
        api = f"/api/events/{GRANT}/{{row}}/review"
        own = await office.json(api.format(row=grant.seq), "mara", {"note": "fine"})
        assert own.json()["reason"] == "same_person"
        for person, row, note, status in (
            ("otto", 10**6, "fine", 404),
            ("otto", grant.seq, "", 400),
            ("ann", grant.seq, "fine", 403),
            ("ann", 10**6, "fine", 403),
            ("ines", grant.seq, "fine", 403),
        ):
            answer = await office.json(api.format(row=row), person, {"note": note})
            assert answer.status_code == status, (person, row)
        assert not any(one.reviewed for one in significant(office.house))

    asked(tmp_path / "house.db", use)


def test_nor_what_the_house_says_that_they_did(tmp_path: Path) -> None:
    """The row is the house's own, and names who gave a PIN, added a station or tried too much."""

    async def use(office: Office) -> None:
        await two_founders(office)
        assert (await office.json("/api/stations", "mara", {"name": "desk 2"})).is_success
        assert (await office.json("/api/people/ann/pin", "mara", {})).is_success
        await office.house.note(RightsTried("mara", "/house/cage"))
        done = [one for one in significant(office.house) if one.stream == HOUSE][:3]
        for one, what in zip(done, ("/house/cage", "PIN for ann", "desk 2"), strict=True):
            assert what in one.says
            api = f"/api/events/{HOUSE}/{one.seq}/review"
            own = await office.json(api, "mara", {"note": "fine"})
            assert own.json()["reason"] == "same_person"
            assert (await office.json(api, "fay", {"note": "seen"})).is_success

    asked(tmp_path / "house.db", use)


def test_nor_does_whoever_counts_as_one_with_them(tmp_path: Path) -> None:
    """An auditor whom a manager has just enrolled looks into nothing for that manager."""

    async def use(office: Office) -> None:
        await two_founders(office)
        await office.house.give("register", Enrol("eve", "staff"), "mara", "enrol-eve")
        done = await office.house.give("register", Grant("eve", Role.AUDITOR), "mara", "grant-eve")
        waits = done[0].events[0].number
        await office.house.give("register", Approve(waits), "fay", "agreed")
        await office.house.give("register", Disable("bob", "cheated"), "mara", "bob-goes")
        shut = significant(office.house)[0]
        api = f"/api/events/{shut.stream}/{shut.seq}/review"
        for person, reason in (("eve", "not_a_second"), ("mara", "same_person"), ("otto", None)):
            answer = await office.json(api, person, {"note": "seen"})
            assert answer.is_success == (reason is None), answer.text
            if reason:
                assert answer.json()["reason"] == reason

    asked(tmp_path / "house.db", use)
