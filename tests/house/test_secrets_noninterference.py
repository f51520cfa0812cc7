"""Nothing that anyone not entitled receives depends on what a form says, before it is told.

Pairs of evenings that differ only in secret forms of equal verdict leave the same bytes: database,
exports, views, answers and logs; commitments, codes, ciphertext and the hashes that cover them are
replaced by ordinals. Each plan of an evening is played with four pens, any two of them a pair.
`SECRET_PAIRS=20000 pytest tests/house/test_secrets_noninterference.py` tries more,
`SECRET_PAIRS=400-20000` those from the 400th on.

After every step the whole state of the table is compared, of which views and offers are pure
functions: those are worked out for some people, once an evening, when all forms lie there.
"""

import asyncio
import logging
import re
import shutil
import sqlite3
import zlib
from collections.abc import Awaitable, Callable, Iterator
from itertools import zip_longest
from math import comb
from pathlib import Path
from random import Random

import msgspec
import pytest

from puntobanco.house.giving import forms
from puntobanco.house.house import House
from puntobanco.house.lookback.competition_export import export_competition
from puntobanco.house.lookback.export import export
from puntobanco.house.may import possible
from puntobanco.journal import sqlite
from puntobanco.journal.log import EventLog
from puntobanco.journal.packing.packed import DICTIONARY, SIGN
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.secret import FormFault, SecretForm, content
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.decide import foresee
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer, view
from tests.kit.clauses import clause, tas
from tests.kit.competition.seeds import seeds
from tests.kit.house.driver import ROLES, Driver, Time, house_over
from tests.kit.house.forms import BANKER_WINS, CUP, MIN, betting_on_forms, cup_on_forms

Begin = Callable[[EventLog], Awaitable[Driver]]
PENS = 4
PAIRS = seeds("SECRET_PAIRS", 100)
PLANS = range(PAIRS.start // comb(PENS, 2), -(-PAIRS.stop // comb(PENS, 2)))
TABLE_PLANS = range(PLANS.start // 5, -(-PLANS.stop // 5))
"""A competition has all that a table by itself has, and its export in one file besides."""
UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS = ["ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
HASH = re.compile(r"[0-9a-f]{64}")
EYES = ("", "ann", "bob", "cy", "dan", "ines", "mara", "sol", "cora", "otto")
HANDS = ("ann", "bob", "dan", "ines")
FITS, TOO_MUCH = range(100, 500, 10), range(1100, 1900, 10)
"""Dollars that ann, bob and cy can lay beside other chips; and more than they hold."""


def spelled(dollars: int, chance: Random) -> str:
    """An amount in words, in one of the ways people write it."""
    hundreds, rest = divmod(dollars, 100)
    many = UNITS[hundreds - 1] if hundreds < 10 else f"one thousand {UNITS[hundreds - 11]}"
    small = TENS[rest // 10 - 1] if rest else ""
    words = f"{many} hundred{' and' * (bool(rest) and chance.random() < 0.5)} {small}".strip()
    return chance.choice((words, words.title(), f"{words} dollars"))


def form_of(chance: Random, amounts: range, sides: str) -> SecretForm:
    dollars = chance.choice(amounts)
    figures = chance.choice((str(dollars), f"${dollars}", f"{dollars:,}", f"{dollars}.00"))
    return SecretForm(figures, spelled(dollars, chance), chance.choice(sides))


class Evening:
    """One coup up to its result: what is done is drawn from `plan`, what forms say from `pen`."""

    def __init__(self, house: House, plan: Random, pen: Random) -> None:
        self.house, self.plan, self.pen = house, plan, pen
        self.driver = Driver(house, "pair")
        self.answers: list[object] = []
        self.seen: list[object] = []

    async def do(self, person: str, ask: c.TableCommand) -> None:
        self.answers.append(await self.driver.do(person, ask))
        self.seen.append(self.state)

    async def lodge(self, person: str, amounts: range, sides: str) -> None:
        form, number = form_of(self.pen, amounts, sides), len(self.answers)
        who = self.plan.choice((person, "dan"))
        done = await self.house.lodge("table-1", person, form, who, f"form-{number}")
        self.answers.append(done)
        self.seen.append(self.state)

    @property
    def state(self) -> Table:
        return self.house.tables["table-1"].state

    async def play(self) -> None:
        back: list[str] = []
        for seat, person in ((1, "ann"), (2, "bob"), (3, "cy")):
            how = self.plan.choice(("chips", "form", "both", "both", "too much"))
            chips = c.PlaceWager(seat, Bet.BANKER, MIN, person)
            first = self.plan.random() < 0.5
            if how == "chips" or (how == "both" and first):
                await self.do("dan", chips)
            if how == "too much":
                await self.lodge(person, TOO_MUCH, "pbt")
                back.append(person)
            elif how != "chips":
                await self.lodge(person, FITS, "bt" if how == "both" else "pb")
            if how == "both" and not first:
                await self.do("dan", chips)
        await self.do("dan", c.NoMoreBets())
        await self.examine(back)
        for card in BANKER_WINS.split()[: self.plan.randint(0, 4)]:
            await self.do("dan", c.DrawCard(Card(card)))
        self.look()
        await self.foresee()

    async def examine(self, back: list[str]) -> None:
        """What the inspector is shown differs, and is kept apart; the verdicts are equal."""
        coup = self.state.coup
        assert coup is not None
        for person, lies in coup.forms.items():
            shown = await self.house.form("table-1", person, "ines")
            if person not in back:
                assert not shown.faults
                await self.do("ines", c.ExamineSecret(person, "accepted"))
                continue
            assert FormFault.MORE_THAN_HELD in shown.faults
            why = (FormFault.MORE_THAN_HELD,)
            await self.do("ines", c.ExamineSecret(person, "sent-back", why))
            if self.plan.random() < 0.5:
                await self.lodge(person, FITS, "pb")
                await self.do("ines", c.ExamineSecret(person, "accepted"))
            else:
                await self.do("dan", c.PlaceWager(lies.seat, Bet.BANKER, MIN, person))

    def look(self) -> None:
        """As some of those there see the table, and what one of them could do now."""
        eyes = self.plan.sample(EYES, 3)
        self.seen += [view(self.state, Viewer(who, ROLES.get(who, frozenset()))) for who in eyes]
        actor = self.house.actor(self.plan.choice(HANDS), "table-1")
        self.seen.append(sorted(possible(self.state, actor)))

    async def foresee(self) -> None:
        """What the result would bring about: previews open no seal."""
        state = self.state
        if state.coup is not None and len(state.coup.drawn) == 4:
            whole = await self.house.complete("table-1", c.DeclareResult(), "dan")
            self.seen.append(whole)
            self.seen.append(foresee(state, whole, self.house.actor("dan", "table-1")))


class Ordinals:
    """Commitments, codes, ciphertext and hashes, numbered as they first appear."""

    def __init__(self) -> None:
        self._known: dict[object, str] = {}

    def of(self, value: object) -> str:
        size = len(value) if isinstance(value, bytes | str) else 0
        return self._known.setdefault(value, f"<{len(self._known)}:{size}>")

    def text(self, text: str) -> str:
        return HASH.sub(lambda found: self.of(found[0]), text)


Row = tuple[str, tuple[object, ...]]
"""The table of a database that a row is in, and its values."""


class Before:
    """A house when bets are open, in which every evening begins; nobody has a form yet."""

    def __init__(self, path: Path, lines: frozenset[bytes]) -> None:
        self.path, self.lines = path, lines
        self.rows = {row: number for number, (row, _) in enumerate(rows_in(path))}

    @classmethod
    async def of(cls, begin: Begin, path: Path) -> "Before":
        log = sqlite.open_log(path, passing=True)
        await (await begin(log)).house.shut()
        lines = frozenset(exported_from(log))
        await log.close()
        return cls(path, lines)


def rows_in(path: Path) -> Iterator[tuple[Row, list[str]]]:
    """Every row of every table of a database, with the names of its columns."""
    with sqlite3.connect(path) as database:
        kinds = database.execute("SELECT name, type FROM sqlite_master ORDER BY 1")
        for table in [name for name, kind in kinds if kind == "table"]:
            order = "" if table == "sealed" else "ORDER BY 1, 2"
            found = database.execute(f"SELECT * FROM {table} {order}")
            columns = [column[0] for column in found.description]
            yield from (((table, row), columns) for row in found)


def left_in(path: Path, before: Before) -> Iterator[str]:
    """Every row of a database; one that was there before the evening is called by its number."""
    numbers = Ordinals()
    for row, columns in rows_in(path):
        table, values = row
        if row in before.rows:
            yield f"{table} as before: {before.rows[row]}"
            continue
        pairs = zip(columns, values, strict=True)
        line = ", ".join(_value(numbers, table, *pair) for pair in pairs)
        # what is sealed is kept by commitment: in no order that says anything
        yield f"{table}: {re.sub(r'<[0-9]+', '<', line) if table == 'sealed' else line}"


def _value(numbers: Ordinals, table: str, column: str, value: object) -> str:
    if isinstance(value, bytes):
        if table == "snapshots" and column == "state":  # a code of 32 bytes stands before it
            return numbers.of(value[:32]) + numbers.text(zlib.decompress(value[32:]).decode())
        if column in ("events", "command"):  # packed, they are as long as what is in them lets them
            plain = inflated(value) if value[:1] == SIGN else value
            return numbers.text(plain.decode())
        return numbers.of(value)
    return numbers.text(str(value))


def inflated(body: bytes) -> bytes:
    return zlib.decompressobj(-15, DICTIONARY).decompress(body[1:])


def exported_from(log: EventLog) -> list[bytes]:
    """Every export that can be made of a house."""
    lines = [line for stream in log.streams() for line in export(log, stream)]
    return [*lines, *export_competition(log, "cup")] if CUP in log.streams() else lines


async def left_by(before: Before, path: Path, seed: int, pen: int) -> list[str]:
    """All that an evening has left behind for anybody not entitled to read, but for logs."""
    shutil.copy(before.path, path)
    log = sqlite.open_log(path, passing=True)
    try:
        house = house_over(log, Time(50_000_000).clock, seed=seed)
        evening = Evening(house, Random(seed), Random(f"{seed} {pen}"))
        await evening.play()
        await house.shut()
        exported = exported_from(log)
    finally:
        await log.close()
    numbers = Ordinals()
    parts = [numbers.text(msgspec.json.encode([evening.answers, evening.seen]).decode())]
    parts += [
        line.decode() if line in before.lines else numbers.text(line.decode()) for line in exported
    ]
    parts += left_in(path, before)
    return parts


async def first_difference(
    begin: Begin, plans: range, folder: Path, caplog: pytest.LogCaptureFixture
) -> str:
    """The first line in which two evenings of a plan differ; nothing, if there is none."""
    before = await Before.of(begin, folder / "before.db")
    for plan in plans:
        first: list[str] = []
        for pen in range(PENS):
            caplog.clear()
            lines = await left_by(before, folder / "evening.db", plan, pen)
            logs = Ordinals()
            lines += [logs.text(message) for message in caplog.messages]
            first = first or lines
            for one, other in zip_longest(first, lines):
                if one != other:
                    return f"plan {plan}: {str(one)[:600]}\n\n{str(other)[:600]}"
    return ""


@clause(*tas("16.6.6", "16.6.8", "16.1-secret-wager"))
@pytest.mark.parametrize(
    ("begin", "plans"), [(betting_on_forms, TABLE_PLANS), (cup_on_forms, PLANS)]
)
def test_forms_of_equal_verdict_leave_the_same_bytes_until_they_are_told(
    begin: Begin, plans: range, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """At a table by itself, and in a competition with its export in one file."""
    caplog.set_level(logging.DEBUG)
    assert not asyncio.run(first_difference(begin, plans, tmp_path, caplog))


def unpadded(form: SecretForm) -> bytes:
    return msgspec.json.encode(form)


def logged(form: SecretForm) -> bytes:
    logging.getLogger("planted").debug("a form of %s", form.figures)
    return content(form)


@pytest.mark.parametrize(
    ("leak", "where"), [(unpadded, "sealed: "), (logged, "a form of ")], ids=["length", "log"]
)
def test_a_leak_that_is_planted_is_found(
    leak: Callable[[SecretForm], bytes],
    where: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(forms, "content", leak)
    monkeypatch.setattr(forms, "opens_form", lambda *_: True)
    monkeypatch.setattr(forms, "read_content", msgspec.json.Decoder(SecretForm).decode)
    found = asyncio.run(first_difference(cup_on_forms, range(3), tmp_path, caplog))
    assert where in found
