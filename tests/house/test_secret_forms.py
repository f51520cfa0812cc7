"""Forms of secret wagers in a house: sealed, shown to the inspector alone, opened when told."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.house.checks.audit import audit
from puntobanco.house.checks.beside import beside_fault
from puntobanco.house.intents import LodgeForm
from puntobanco.journal.envelope import decode
from puntobanco.journal.log import EventLog, ReusedError
from puntobanco.rules.competition.secret import FormFault, SecretForm
from puntobanco.table import commands as c
from puntobanco.table.decide import foresee
from puntobanco.table.events import SecretAnnounced
from tests.kit.clauses import clause, tas
from tests.kit.house.driver import KEY, Driver, enrol, house_over
from tests.kit.house.forms import FORM, betting_on_forms, dealt, lodged
from tests.kit.journal import using

AMISS = SecretForm("500", "fifty", "b")


@clause(*tas("16.6.2", "16.6.6"))
def test_a_form_is_kept_under_its_seal_alone(tmp_path: Path) -> None:
    path = tmp_path / "house.db"

    async def use(log: EventLog) -> None:
        house = (await betting_on_forms(log)).house
        await house.lodge("table-1", "ann", FORM, "dan", "form-0001")
        row = list(log.read("table-1"))[-1]
        envelope = decode(row.command or b"")
        assert not bytes(envelope.asked)
        kept = msgspec.json.decode(envelope.command)
        assert kept.keys() == {"do", "commitment", "person"}
        sealed = log.sealed(kept["commitment"])
        assert sealed is not None
        assert len(sealed.content) == 32 + 256 + 16

    using(str(path), use)
    with sqlite3.connect(path) as database:
        rows = [str(row) for row in database.iterdump()]
    assert not any("five hundred" in row for row in rows)


@clause(*tas("16.6.2"))
def test_a_form_amiss_by_itself_is_handed_back_at_once(tmp_path: Path) -> None:

    async def use(log: EventLog) -> None:
        house = (await betting_on_forms(log)).house
        for form in (AMISS, SecretForm("500", "five hundred", "x"), SecretForm("5", "five", "b")):
            with pytest.raises(Refused) as caught:
                await house.lodge("table-1", "ann", form, "ann", "form-0002")
            assert caught.value.reason is Reason.FORM_AMISS
            assert caught.value.clause == "tas-2018:16.6.2"
        assert not list(log.all_sealed())
        with pytest.raises(Refused) as caught:  # nobody but the house commits to a form
            await house.give("table-1", c.LodgeSecret("0" * 64, "ann"), "dan", "form-0003")
        assert caught.value.reason is Reason.HOUSE_COMMITS

    using(str(tmp_path / "house.db"), use)


@clause(*tas("16.6.2"))
def test_the_same_form_again_gives_the_first_outcome_and_another_is_refused(
    tmp_path: Path,
) -> None:

    async def use(log: EventLog) -> None:
        house = (await betting_on_forms(log)).house
        first = await house.lodge("table-1", "ann", FORM, "ann", "form-0001")
        assert await house.lodge("table-1", "ann", FORM, "ann", "form-0001") == first
        other = SecretForm("600", "six hundred", "b")
        with pytest.raises(ReusedError):
            await house.lodge("table-1", "ann", other, "ann", "form-0001")
        with pytest.raises(ReusedError):
            await house.lodge("table-1", "ann", FORM, "dan", "form-0001")
        assert len(list(log.all_sealed())) == 1

    using(str(tmp_path / "house.db"), use)


@clause(*tas("16.3.3", "16.6.2"))
@pytest.mark.parametrize("named", ["ann", "dee", ""])
def test_a_substitutes_form_is_stored_in_one_form_whoever_it_names(
    named: str, tmp_path: Path
) -> None:
    """Who plays for ann says no more by naming her, or themselves, and says it once."""

    async def use(log: EventLog) -> None:
        driver = await betting_on_forms(log)
        house = driver.house
        await enrol(house, "dee")
        await driver.do("cora", c.NameSubstitute("ann", "dee"))
        first = await house.lodge("table-1", named, FORM, "dee", "form-0001")
        assert [event.person for event in first[0].events] == ["ann"]
        kept = msgspec.json.decode(decode(list(log.read("table-1"))[-1].command or b"").command)
        assert kept.keys() == {"do", "commitment"}
        assert await house.lodge("table-1", named, FORM, "dee", "form-0001") == first
        with pytest.raises(ReusedError):
            await house.lodge("table-1", "bob", FORM, "dee", "form-0001")
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)


@clause(*tas("16.6.7", "16.6.form"))
def test_the_inspector_on_duty_alone_is_shown_a_form_and_that_is_noted(tmp_path: Path) -> None:

    async def use(log: EventLog) -> None:
        driver = await lodged(log, SecretForm("2000", "two thousand", "b"))
        house = driver.house
        shown = await house.form("table-1", "ann", "ines")
        assert (shown.figures, shown.words, shown.on, shown.seat) == (
            "2000", "two thousand", "b", 1,
        )  # fmt: skip
        assert shown.faults == (FormFault.MORE_THAN_HELD,)
        note = list(log.read("house"))[-1].events
        assert b'"is":"form-seen"' in note
        assert b"2000" not in note
        for person in ("dan", "ann", "bob", "mara", "cora"):
            with pytest.raises(Refused):
                await house.form("table-1", "ann", person)
        with pytest.raises(Refused) as caught:
            await house.form("table-1", "bob", "ines")
        assert caught.value.reason is Reason.NO_FORM_TO_EXAMINE

    using(str(tmp_path / "house.db"), use)


@clause(*tas("16.6.8"))
def test_the_house_opens_forms_with_the_result_and_verifies_again(tmp_path: Path) -> None:

    async def use(log: EventLog) -> None:
        driver = await dealt(log, FORM)
        house = driver.house
        typed = c.DeclareResult((c.OpenedForm("ann", "0" * 64, "{}"),))
        with pytest.raises(Refused) as caught:
            await driver.do("dan", typed)
        assert caught.value.reason is Reason.HOUSE_OPENS_FORMS
        (done,) = await driver.do("dan", c.DeclareResult())
        told = [event for event in done.events if isinstance(event, SecretAnnounced)]
        assert [(one.person, one.figures) for one in told] == [("ann", "500")]
        row = list(log.read("table-1"))[-1]
        envelope = decode(row.command or b"")
        assert msgspec.json.decode(envelope.asked) == {"do": "declare-result"}
        await driver.do("dan", c.EndCoup())
        await house.shut()
        audited = audit(log)
        assert audited.fault is None, audited.fault
        assert beside_fault(log, audited.commitments, (KEY,)) is None

    using(str(tmp_path / "house.db"), use)


@clause(*tas("16.6.8"))
def test_no_preview_opens_a_seal(tmp_path: Path) -> None:
    foreseen: list[object] = []

    async def use(log: EventLog) -> None:
        driver = await dealt(log, FORM if not foreseen else SecretForm("600", "six hundred", "p"))
        house = driver.house
        whole = await house.complete("table-1", c.DeclareResult(), "dan")
        assert whole == c.DeclareResult()
        state = house.tables["table-1"].state
        foreseen.append(foresee(state, whole, house.actor("dan", "table-1")))

    for number in (1, 2):
        using(str(tmp_path / f"house-{number}.db"), use)
    assert foreseen[0] == foreseen[1]


@clause(*tas("16.6.8"))
def test_a_broken_seal_holds_the_coup_until_it_is_ruled_on(tmp_path: Path) -> None:
    path = tmp_path / "house.db"

    async def play(log: EventLog) -> None:
        await dealt(log, FORM)

    using(str(path), play)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE sealed SET content = zeroblob(304)")

    async def rule(log: EventLog) -> None:
        driver = Driver(house_over(log), "later")
        with pytest.raises(Refused) as caught:
            await driver.do("dan", c.DeclareResult())
        assert caught.value.reason is Reason.SEAL_BROKEN
        await driver.do("ines", c.VoidCoup("impractical", "the form cannot be opened"))
        await driver.do("mara", c.Approve(1))
        table = driver.house.tables["table-1"].state
        assert table.contest.secrets_left["ann"] == 2

    using(str(path), rule)


@clause(*tas("16.6.2"))
def test_a_preview_of_lodging_seals_nothing(tmp_path: Path) -> None:

    async def use(log: EventLog) -> None:
        house = (await betting_on_forms(log)).house
        ask = LodgeForm("500", "five hundred", "b", "ann")
        whole = await house.complete("table-1", ask, "dan")
        assert whole == c.LodgeSecret("0" * 64, "ann")
        assert not list(log.all_sealed())

    using(str(tmp_path / "house.db"), use)
