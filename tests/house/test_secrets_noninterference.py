"""Nothing that anyone not entitled receives depends on what a form says, before it is told.

Pairs of evenings that differ only in secret forms of equal verdict leave the same bytes: database,
exports, views, answers and logs; commitments, codes, ciphertext and the hashes that cover them are
replaced by ordinals. `SECRET_PAIRS=20000 pytest tests/house/test_secrets_noninterference.py` tries
more, `SECRET_PAIRS=400-20000` those from the 400th on.
"""

import asyncio
import logging
import re
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from puntobanco.house.house import House
from puntobanco.house.lookback.competition_export import export_competition
from puntobanco.house.lookback.export import export
from puntobanco.house.may import possible
from puntobanco.journal import sqlite
from puntobanco.journal.log import EventLog
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.secret import FormFault, SecretForm
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.decide import foresee
from puntobanco.table.view import Viewer, view
from tests.kit.clauses import clause, tas
from tests.kit.competition.seeds import seeds
from tests.kit.house.driver import ROLES, Driver, Time, house_over
from tests.kit.house.forms import BANKER_WINS, CUP, MIN, betting_on_forms, cup_on_forms

PAIRS = seeds("SECRET_PAIRS", 100)
TABLE_PAIRS = range(PAIRS.start // 5, PAIRS.stop // 5)
"""A competition has all that a table by itself has, and its export in one file besides."""
UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS = ["ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
HASH = re.compile(r"[0-9a-f]{64}")
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
        self.look()

    async def lodge(self, person: str, amounts: range, sides: str) -> None:
        form, number = form_of(self.pen, amounts, sides), len(self.answers)
        who = self.plan.choice((person, "dan"))
        done = await self.house.lodge("table-1", person, form, who, f"form-{number}")
        self.answers.append(done)
        self.look()

    def look(self) -> None:
        """As everyone sees the table."""
        state = self.house.tables["table-1"].state
        for person in ("", "ann", "bob", "cy", "dan", "ines", "mara", "sol", "cora", "otto"):
            roles = ROLES.get(person, frozenset())
            self.seen.append(view(state, Viewer(person, roles)))

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
        await self.foresee()

    async def examine(self, back: list[str]) -> None:
        """What the inspector is shown differs, and is kept apart; the verdicts are equal."""
        state = self.house.tables["table-1"].state
        assert state.coup is not None
        for person, lies in state.coup.forms.items():
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

    async def foresee(self) -> None:
        """What each could do now, and would bring about: previews open no seal."""
        state = self.house.tables["table-1"].state
        for person in ("ann", "bob", "dan", "ines"):
            self.seen.append(sorted(possible(state, self.house.actor(person, "table-1"))))
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


def left_in(path: Path) -> Iterator[str]:
    """Every value of every row of every table of a database, and what the file has beside."""
    numbers = Ordinals()
    with sqlite3.connect(path) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master ORDER BY 1")]
        tables = [
            name
            for name in names
            if database.execute("SELECT type FROM sqlite_master WHERE name = ?", (name,)).fetchone()
            == ("table",)
        ]
        for table in tables:
            order = "" if table == "sealed" else "ORDER BY 1, 2"
            found = database.execute(f"SELECT * FROM {table} {order}")
            columns = [column[0] for column in found.description]
            rows = [
                ", ".join(_value(numbers, table, *pair) for pair in zip(columns, row, strict=True))
                for row in found
            ]
            if table == "sealed":  # kept by commitment: in no order that says anything
                rows = [re.sub(r"<\d+", "<", row) for row in rows]
            yield from (f"{table}: {row}" for row in rows)


def _value(numbers: Ordinals, table: str, column: str, value: object) -> str:
    if isinstance(value, bytes):
        if table == "snapshots" and column == "state":  # a code of 32 bytes stands before it
            return numbers.of(value[:32]) + numbers.text(value[32:].decode())
        if column in ("events", "command"):
            return numbers.text(value.decode())
        return numbers.of(value)
    return numbers.text(str(value))


async def left_by(base: Path, path: Path, seed: int, pen: int, records: list[str]) -> str:
    """All that an evening has left behind for anybody not entitled to read."""
    shutil.copy(base, path)
    log = sqlite.open_log(path, passing=True)
    try:
        house = house_over(log, Time(50_000_000).clock, seed=seed)
        evening = Evening(house, Random(seed), Random(f"{seed} {pen}"))
        await evening.play()
        await house.shut()
        exported = [line for stream in log.streams() for line in export(log, stream)]
        if CUP in log.streams():
            exported += export_competition(log, "cup")
    finally:
        await log.close()
    numbers = Ordinals()
    parts = [numbers.text(msgspec.json.encode([evening.answers, evening.seen]).decode())]
    parts += [numbers.text(line.decode()) for line in exported]
    parts += left_in(path)
    parts += [Ordinals().text(record) for record in records]
    return "\n".join(parts)


@clause(*tas("16.6.6", "16.6.8", "16.1-secret-wager"))
@pytest.mark.parametrize(
    ("begin", "pairs"), [(betting_on_forms, TABLE_PAIRS), (cup_on_forms, PAIRS)]
)
def test_forms_of_equal_verdict_leave_the_same_bytes_until_they_are_told(
    begin: Callable[[EventLog], Awaitable[Driver]],
    pairs: range,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """At a table by itself, and in a competition with its export in one file."""
    base = tmp_path / "base.db"

    async def compare() -> str:
        log = sqlite.open_log(base, passing=True)
        await (await begin(log)).house.shut()
        await log.close()
        for seed in pairs:
            left = []
            for pen in (1, 2):
                caplog.clear()
                path = tmp_path / "pair.db"
                left.append(await left_by(base, path, seed, pen, caplog.messages))
            if left[0] != left[1]:
                both = zip(left[0].splitlines(), left[1].splitlines(), strict=False)
                first = next((pair for pair in both if pair[0] != pair[1]), ("", "one is longer"))
                pytest.fail(f"evening {seed}: {first[0][:600]}\n\n{first[1][:600]}")
        return left[0]

    caplog.set_level(logging.DEBUG)
    told = asyncio.run(compare())
    assert "secret-lodged" in told
    assert ("puntobanco-export-2" in told) == (begin is cup_on_forms)
