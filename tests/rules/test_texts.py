"""Rule sets by digest: a table is played, replayed and verified by the text it was opened by."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.cage.commands import Deposit, OpenAccount, OpenTray
from puntobanco.errors import MalformedError, Reason, Refused, UnusableError
from puntobanco.house.checks.audit import audit
from puntobanco.house.lookback.export import export
from puntobanco.house.stream import StreamChange
from puntobanco.journal.log import Append, EventLog
from puntobanco.journal.rows import Entry
from puntobanco.journal.sqlite import open_log
from puntobanco.register.events import RulesetKept
from puntobanco.rules import notice
from puntobanco.rules.cards import Card
from puntobanco.rules.documents import texts
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.documents.texts import (
    by_digest,
    load_ruleset,
    read_ruleset,
    remember,
    ruleset_text,
    text_of,
)
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.events import TableEvent, TableOpened
from puntobanco.table.evolve import evolve_all
from puntobanco.table.session import parse_session, play_session
from puntobanco.words import one_line
from puntobanco_verifier import verify as verify_export
from tests.kit.house.driver import Driver, enrol, house_over
from tests.kit.journal import using
from tests.kit.places import HOUSE_SESSIONS, STORED
from tests.kit.table.at import At

TEXTS = sorted((STORED / "rulesets").glob("*.toml"))
"""Texts that houses may have in their registers: files are added here, never changed."""
EXPORTS = sorted(STORED.glob("*.jsonl"))
HUNDRED_ON_BANKER = c.PlaceWager(1, Bet.BANKER, 10_000)
BANKER_WINS = "2c 9d Kh Ks"


def commented(text: str) -> str:
    return text + "# another comment\n"


def pays_banker_evens(text: str) -> str:
    """Banker is paid 1 to 1 without commission."""
    changed = text.replace("odds = [19, 20]", "odds = [1, 1]")
    assert changed != text
    return changed


def forget() -> None:
    """What a process knows when it starts."""
    for known in (texts._texts, texts._rulesets):
        known.clear()
    for cached in (texts.load_ruleset, notice.sample_notice, notice._terms_of):
        cached.cache_clear()


@contextmanager
def program(change: Callable[[str], str] = str) -> Iterator[None]:
    """A new process of a program whose rule-set files were changed."""
    with pytest.MonkeyPatch.context() as patch:
        own = texts._own_text
        patch.setattr(texts, "_own_text", lambda name: change(own(name)))
        forget()
        try:
            yield
        finally:
            patch.undo()
            forget()


def only_tasmania(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: change(text) if 'id = "tas-2018"' in text else text


# the texts themselves


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
def test_a_text_that_was_played_by_loads_for_ever(file: Path) -> None:
    text = file.read_bytes().decode()
    digest = sha256(file.read_bytes()).hexdigest()
    assert remember(text) == digest
    rules = by_digest(digest)
    assert rules is not None
    assert file.stem == f"{rules.id}-{digest[:12]}"
    assert rules.digest == digest
    assert rules == read_ruleset(text)
    assert text_of(digest) == text
    notice.post(msgspec.convert(rules.sample_notice, notice.Notice), rules)


@pytest.mark.parametrize("name", RULESETS)
def test_the_text_this_program_has_is_among_them(name: str) -> None:
    """Whoever changes a rule-set file adds the new text to the folder; the old one remains."""
    text, digest = ruleset_text(name)
    stored = STORED / "rulesets" / f"{name}-{digest[:12]}.toml"
    assert stored.read_bytes().decode() == text


def test_a_text_that_cannot_be_read_is_no_rule_set() -> None:
    for text in ("", "nonsense", "id = 3", "[table_of_play]\n", ruleset_text("tas-2018")[0][:3000]):
        assert by_digest(remember(text)) is None
        with pytest.raises(MalformedError, match="not a rule set"):
            read_ruleset(text)


def recorded(file: Path) -> tuple[str, list[bytes]]:
    """The digest that a recorded session was opened by, and its events."""
    lines = file.read_bytes().splitlines()
    opened = (msgspec.json.decode(line, type=TableEvent) for line in lines)
    return next(one.opened.digest for one in opened if isinstance(one, TableOpened)), lines


def told_stored() -> None:
    for file in TEXTS:
        remember(file.read_bytes().decode())


@pytest.mark.parametrize("file", HOUSE_SESSIONS, ids=lambda file: file.stem)
def test_a_session_is_played_to_the_byte_by_the_text_it_was_recorded_by(file: Path) -> None:
    """Whatever the program's own text has become since."""
    digest, lines = recorded(file.with_suffix(".events.jsonl"))
    with program(commented):
        told_stored()
        session = parse_session(file.read_text())
        session.head.setdefault("open", {})["digest"] = digest
        steps = list(play_session(session))
    assert [msgspec.json.encode(event) for step in steps for event in step.events] == lines


@pytest.mark.parametrize("file", EXPORTS, ids=lambda file: file.stem)
def test_stored_events_are_replayed_by_their_own_text(file: Path) -> None:
    told_stored()
    digest, lines = recorded(file)
    table = evolve_all(msgspec.json.decode(line, type=TableEvent) for line in lines)
    assert table.terms.rules.digest == digest


# opening by a text


def test_a_table_opens_by_the_text_it_is_asked_to() -> None:
    digest = remember(pays_banker_evens(ruleset_text("tas-2018")[0]))
    at = At().open(digest=digest).staffed().seat("ann").shoe()
    assert at.table.terms.rules.digest == digest
    at.coup("1 b 100", BANKER_WINS)
    assert at.table.chips["ann"] == 1_010_000


def test_a_coup_is_corrected_by_the_text_it_was_played_by() -> None:
    """The wager that had lost is paid as that text pays."""
    digest = remember(pays_banker_evens(ruleset_text("tas-2018")[0]))
    at = At().open(digest=digest).staffed().seat("ann").shoe()
    at.coup("1 b 100", "9c 8d Kh Ks")
    at.do("dan", c.CorrectCard(1, 1, Card("2c"), "misread"))
    at.approve("ines")
    assert at.table.chips["ann"] == 1_010_000


@pytest.mark.parametrize("digest", ["0" * 64, ruleset_text("mbs-2017")[1]], ids=["no", "other"])
def test_a_table_does_not_open_by_a_text_nobody_knows_or_of_another_rule_set(digest: str) -> None:
    at = At()
    asked = c.OpenTable(at.notice, "monday", "shoe 1", effective="1 July 2018", digest=digest)
    refused = at.refuse("mara", asked, Reason.TEXT_UNKNOWN)
    assert digest[:12] in one_line(refused)


# a house whose program was changed


def played_on(change: Callable[[str], str], *, shut: bool, tmp_path: Path) -> tuple[int, ...]:
    """A house is opened by one program and goes on under another: what ann holds at each table.

    One coup is played before the change; one at the same table, and one at a new one, after it.
    """
    where = str(tmp_path / "house.db")
    old = ruleset_text("tas-2018")[1]

    async def begin(log: EventLog) -> None:
        driver = await (await Driver(house_over(log), "a").open()).shoe()
        await coup(driver)
        if shut:
            await driver.house.shut()

    async def go_on(log: EventLog) -> tuple[int, ...]:
        new = ruleset_text("tas-2018")[1]
        assert new != old
        house = house_over(log)
        assert not list(house.texts_lost())
        driver = Driver(house, "b")
        await coup(driver)
        first = house.table("table-1").state
        assert first.opened is not None
        assert first.terms.rules.digest == first.opened.digest == old
        other = await OtherTable(house, "c").open()
        await coup(await other.shoe())
        second = house.table("table-2").state
        assert second.opened is not None
        assert second.terms.rules.digest == second.opened.digest == new
        assert set(house.register.state.rulesets) == {old, new}
        assert audit(log).fault is None
        for name, digest in (("table-1", old), ("table-2", new)):
            lines = [line.decode() for line in export(log, name)]
            assert set(msgspec.json.decode(lines[0])["rulesets"]) == {digest}
            assert verify_export(iter(lines))["results"]  # type: ignore[no-untyped-call]
        return first.chips["ann"], second.chips["ann"]

    async def by_the_old_program_again(log: EventLog) -> None:
        assert audit(log).fault is None
        assert not list(house_over(log).texts_lost())

    with program():
        using(where, begin)
    with program(only_tasmania(change)):
        chips = using(where, go_on)
    with program():
        using(where, by_the_old_program_again)
    return chips


class OtherTable(Driver):
    """Gives the same commands to another table, where ann has sat down too."""

    async def do(self, person: str, ask: Any, command_id: str = "") -> tuple[StreamChange, ...]:
        if isinstance(ask, OpenAccount | Deposit):
            return ()  # she has an account
        await enrol(self.house, person)
        if isinstance(ask, OpenTray):
            return await super().do(person, replace(ask, table="table-2"), command_id)
        return await self.house.give("table-2", ask, person, command_id or next(self.ids))


async def coup(driver: Driver) -> None:
    """Ann has 100 on Banker, who wins."""
    await driver.do("dan", c.OpenCoup())
    await driver.do("ann", HUNDRED_ON_BANKER)
    for card in BANKER_WINS.split():
        await driver.do("dan", c.DrawCard(Card(card)))
    await driver.do("dan", c.DeclareResult())
    await driver.do("dan", c.EndCoup())


@pytest.mark.parametrize("shut", [True, False], ids=["from snapshots", "from rows"])
def test_a_changed_comment_concerns_only_tables_opened_after_it(tmp_path: Path, shut: bool) -> None:
    assert played_on(commented, shut=shut, tmp_path=tmp_path) == (69_000, 59_500)


@pytest.mark.parametrize("shut", [True, False], ids=["from snapshots", "from rows"])
def test_a_changed_payout_concerns_only_tables_opened_after_it(tmp_path: Path, shut: bool) -> None:
    assert played_on(pays_banker_evens, shut=shut, tmp_path=tmp_path) == (69_000, 60_000)


# a text that is nowhere


async def kept_without_register(log: EventLog) -> None:
    """A table as it was kept before there was a register."""
    at = At().open().staffed()
    for seq, event in enumerate(at.log, 1):
        raw = msgspec.json.encode([event])
        entry = Entry("table-1", seq, seq, "dan", f"old-{seq}", b"", event.clauses, raw)
        await log.append(Append((entry,)))


def test_a_table_whose_text_is_nowhere_takes_no_command_and_others_go_on(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")

    async def look(log: EventLog) -> None:
        house = house_over(log)
        ((name, lost),) = house.texts_lost()
        assert name == "table-1"
        assert "neither in the register nor in this program" in one_line(lost)
        driver = Driver(house)
        anew = c.OpenTable(sample_notice("tas-2018"), "tuesday", "shoe 1")
        for ask in (c.BeginGamingDay("tuesday"), c.CloseTable(), anew):
            with pytest.raises(Refused) as caught:
                await driver.do("mara", ask)
            assert caught.value.reason is Reason.TEXT_LOST
        await driver.do("carol", OpenAccount("ann"))
        await driver.do("carol", Deposit("ann", 100_000))
        await coup(await (await OtherTable(house, "c").open()).shoe())
        assert "table-1 row 1: opens by a text of tas-2018 that is neither" in str(audit(log).fault)
        with pytest.raises(UnusableError, match="is not in this journal"):
            list(export(log, "table-1"))

    async def with_the_old_program(log: EventLog) -> None:
        house = house_over(log)
        assert not list(house.texts_lost())
        await Driver(house, "d").do("mara", c.BeginGamingDay("tuesday"))
        assert audit(log).fault is None

    with program():
        using(where, kept_without_register)
    with program(only_tasmania(commented)):
        using(where, look)
    with program():
        using(where, with_the_old_program)


def test_a_shut_table_whose_text_is_nowhere_is_opened_anew() -> None:
    at = At().open()
    at.do("mara", c.CloseTable())
    with program(only_tasmania(commented)):
        at.refuse("mara", c.RecordIncident("x", "y"), Reason.TEXT_LOST)
        at.open()
        assert at.table.terms.rules.digest == ruleset_text("tas-2018")[1]


def test_a_table_opened_elsewhere_is_read_with_its_text(tmp_path: Path) -> None:
    """Its row may be read before the register's, which came with it."""

    async def use(log: EventLog) -> None:
        here, there = house_over(log), house_over(log)
        with program(only_tasmania(commented)):
            digest = ruleset_text("tas-2018")[1]
            await Driver(there).open()
        assert text_of(digest) is None
        table = here.table("table-1").state
        assert here.register.state.rulesets
        assert table.terms.rules.digest == digest

    using(str(tmp_path / "house.db"), use)


def test_a_false_text_in_the_register_is_no_text_of_the_table(tmp_path: Path) -> None:
    """A digest means the text it is the SHA-256 of, whatever the register says."""
    digest = ruleset_text("tas-2018")[1]
    text = pays_banker_evens(ruleset_text("tas-2018")[0])

    async def use(log: EventLog) -> None:
        raw = msgspec.json.encode([RulesetKept("tas-2018", digest, text)])
        await log.append(Append((Entry("register", 1, 1, "mara", "k", b"", (), raw),)))
        house_over(log)
        rules = by_digest(digest)
        assert rules == load_ruleset("tas-2018")
        assert str(audit(log).fault).startswith("register row 1: keeps a rule set under a digest")

    with program():
        using(str(tmp_path / "house.db"), use)


def test_a_text_put_in_the_place_of_the_one_that_was_kept_is_found(tmp_path: Path) -> None:
    """The program has the true one; the register must keep it all the same."""
    true = ruleset_text("tas-2018")
    false = commented(true[0])

    async def use(log: EventLog) -> None:
        await Driver(house_over(log)).open()
        assert audit(log).fault is None
        forged = open_log(tmp_path / "forged.db")
        for row in (row for stream in log.streams() for row in log.read(stream)):
            command, events = (
                (old or b"")
                .replace(msgspec.json.encode(true[0]), msgspec.json.encode(false))
                .replace(true[1].encode(), sha256(false.encode()).hexdigest().encode())
                if row.stream == "register"
                else old or b""
                for old in (row.command, row.events)
            )
            cited = tuple(row.clauses.split())
            entry = Entry(
                row.stream, row.seq, row.at_ms, row.actor, row.command_id, command, cited, events
            )
            await forged.append(Append((entry,)))
        wrong = str(audit(forged).fault)
        assert "opens by a text of its rule set that the register does not keep" in wrong
        await forged.close()

    with program():
        using(str(tmp_path / "house.db"), use)
