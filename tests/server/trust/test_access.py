"""Who may do what: on page, API and CSV, last used, leavers, and signed for by somebody else."""

import csv
from pathlib import Path
from typing import Any

from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.checks.audit import audit
from puntobanco.house.lookback.significant import significant
from puntobanco.register import commands as register
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.house.driver import Time
from tests.kit.office import Office, asked, two_founders

DAY_MS = 86_400_000
WORDS = "a long password of ines"


async def shown(office: Office, person: str = "otto") -> dict[str, dict[str, Any]]:
    office.sign_in_again()
    found = (await office.get("/api/access", person)).json()
    return {one["person"]: one for one in (*found["staff"], *found["leavers"])}


def test_what_somebody_may_do_since_when_by_whom_and_last_used(tmp_path: Path) -> None:
    time = Time(10**9)

    async def use(office: Office) -> None:
        house, signin = office.house, SignIn(office.house)
        await office.enrol("otto", Role.AUDITOR)
        await office.enrol("fay", Role.DEALER)
        await house.give("register", register.NameFounder("fay"), "mara", "second-founder")
        time.steady_ms += 30 * DAY_MS
        await signin.set_password("ines", WORDS, "mara")
        await signin.sign_in("ines", "password", WORDS, "10.0.0.9")
        grant = register.Grant("ines", Role.INSPECTOR, "table-2")
        await house.give("register", grant, "mara", "grant-ines")
        await house.give("register", c.Approve(1), "fay", "agree")
        time.steady_ms += 80 * DAY_MS
        found = await shown(office)
        ines = found["ines"]
        assert [(role["role"], role["table"]) for role in ines["roles"]] == [
            ("inspector", "table-2"),
            ("inspector", "table-1"),
        ]
        newest, oldest = ines["roles"]
        assert (newest["proposed_by"], newest["given_by"]) == ("mara", "fay")
        assert newest["since_ms"] == 10**9 + 30 * DAY_MS
        assert (oldest["proposed_by"], oldest["given_by"]) == ("", "mara")
        assert ines["signed_in_ms"] == 10**9 + 30 * DAY_MS
        assert ines["marks"] == ["no-second"]
        assert found["fay"]["acted_ms"] == 10**9 + 30 * DAY_MS
        assert found["otto"]["acted_ms"] == 0
        assert found["mara"]["marks"] == ["no-second"]
        time.steady_ms += 20 * DAY_MS
        assert (await shown(office))["ines"]["marks"] == ["unused", "no-second"]
        text = (await office.get("/house/access/csv", "otto")).text
        lines = [one for one in csv.DictReader(text.splitlines()) if one["person"] == "ines"]
        assert [(one["where"], one["proposed_by"], one["given_by"]) for one in lines] == [
            ("table-2", "mara", "fay"),
            ("table-1", "", "mara"),
        ]
        page = (await office.get("/house/access", "otto")).text
        assert "by mara and fay" in page
        assert "not used for 90 days" in page
        for person in ("ines", "ann", "fay"):
            expected = 200 if person == "fay" else 403
            assert (await office.get("/house/access", person)).status_code == expected

    asked(tmp_path / "house.db", use, clock=time)


def test_a_leaver_stays_listed_and_their_devices_end_with_them(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        house, signin = office.house, SignIn(office.house)
        await office.enrol("otto", Role.AUDITOR)
        await office.enrol("max", Role.MANAGEMENT)
        await signin.issue_device("max", "watch", "table-1")
        await signin.issue_device("mara", "draw", "table-1")
        before = (await office.get("/api/access", "otto")).json()
        assert {(one["by"], one["scope"]) for one in before["devices"]} >= {("max", "watch")}
        await house.give("register", register.Disable("max", "retired"), "mara", "out")
        found = (await shown(office))["max"]
        assert [role["role"] for role in found["roles"]] == ["management representative"]
        assert (found["left_by"], found["left_why"]) == ("mara", "retired")
        after = (await office.get("/api/access", "otto")).json()
        assert [(one["by"], one["scope"]) for one in after["devices"]] == [("mara", "draw")]
        assert "retired" in (await office.get("/house/access", "otto")).text

    asked(tmp_path / "house.db", use)


def test_it_is_signed_for_by_somebody_who_gave_none_of_it(tmp_path: Path) -> None:
    time = Time(10**9)

    async def use(office: Office) -> None:
        await office.enrol("otto", Role.AUDITOR)
        time.steady_ms += DAY_MS
        before = (await office.get("/api/access", "otto")).json()
        assert before["due_ms"] == 10**9 + 91 * DAY_MS
        given = {"row": before["row"], "note": "ines asked for, all fine"}
        own = await office.json("/api/access/review", "mara", given)
        assert own.json()["reason"] == "same_person"
        assert "You gave or took some of this" in (await office.get("/house/access", "mara")).text
        await office.enrol("bob")  # a patron more changes nothing of it
        unsaid = await office.post("/house/access", "otto", {"row": str(given["row"]), "note": ""})
        assert unsaid.status_code == 400
        typed = {"row": str(given["row"]), "note": given["note"]}
        assert (await office.post("/house/access", "otto", typed)).status_code == 303
        after = (await office.get("/api/access", "otto")).json()
        assert [(one["by"], one["note"]) for one in after["reviews"]] == [("otto", given["note"])]
        assert after["due_ms"] == 10**9 + 92 * DAY_MS
        assert after["changed"] == 0
        assert "looked through who may do what" in significant(office.house)[0].says
        assert "ines asked for" in (await office.get("/house/access", "otto")).text
        time.steady_ms += DAY_MS
        office.sign_in_again()
        await office.enrol("dan", Role.DEALER)
        stale = await office.json("/api/access/review", "otto", given)
        assert stale.json()["reason"] == "not_as_shown"
        assert (await office.get("/api/access", "otto")).json()["changed"] == 1
        assert audit(office.house.log).fault is None

    asked(tmp_path / "house.db", use, clock=time)


def test_nor_by_somebody_whom_one_of_them_has_just_enrolled(tmp_path: Path) -> None:
    """An auditor of their own would sign for whatever a manager has given."""
    time = Time(10**9)

    async def use(office: Office) -> None:
        await two_founders(office)
        await office.house.give("register", register.Enrol("eve", "staff"), "mara", "enrol-eve")
        done = await office.house.give(
            "register", register.Grant("eve", Role.AUDITOR), "mara", "grant-eve"
        )
        await office.house.give("register", c.Approve(done[0].events[0].number), "fay", "agreed")
        seen = (await office.get("/api/access", "eve")).json()
        assert seen["yours"]
        given = {"row": seen["row"], "note": "all fine"}
        refused = await office.json("/api/access/review", "eve", given)
        assert refused.json()["reason"] == "same_person"
        time.steady_ms += 7 * DAY_MS
        office.sign_in_again()
        assert (await office.json("/api/access/review", "eve", given)).is_success

    asked(tmp_path / "house.db", use, clock=time)
