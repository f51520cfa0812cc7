"""A competition to test with: its people, and commands given one after another."""

from functools import reduce
from itertools import count
from typing import Any

import msgspec
import pytest

from puntobanco.competition import commands as c
from puntobanco.competition.decide import decide
from puntobanco.competition.events import CompetitionEvent
from puntobanco.competition.evolve import evolve
from puntobanco.competition.queries import next_draw
from puntobanco.competition.state import Competition
from puntobanco.errors import Reason, Refused
from puntobanco.rules.competition.draw import Spoken, draw_commitment
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS
from puntobanco.table.actor import Actor, Role
from puntobanco.table.result import SessionResult
from puntobanco.words import one_line
from tests.kit.table.refusals import about

STAFF: dict[str, frozenset[Role]] = {
    "mara": frozenset({Role.MANAGEMENT}),
    "dora": frozenset({Role.DIRECTOR}),
    "dirk": frozenset({Role.DIRECTOR}),
    "carol": frozenset({Role.CASHIER}),
    "house": frozenset({Role.HOUSE}),
}
SEED = bytes(range(32))
WORDS = (Spoken("wendy", "rain on Tuesday"),)
DAY_MS = 86_400_000
MARCH_1_MS = 1_772_323_200_000
"""The first of March 2026, in UTC."""

STAGE = """
[[stage]]
name = "{name}"
seats = 6
least = {least}
advance = {advance}
allotment_cents = 1000000
ends = {{ {ends} }}
limits = {{ min_cents = 10000, max_cents = 200000, multiple_cents = 10000 }}
{more}
"""
TAS = """
name = "Spring Cup"
ruleset = "{ruleset}"
start = "2026-03-14T18:00:00+11:00"
{top}

[table]
layout = "midi"
decks = 8
method = "commission"
chip_cents = 500

[entry]
form = "form A"
terms = "at the desk"
fee_cents = 5555
retained_percent = "10"
min = 6
max = 12
reserves = 2

[prizes]
percent = [60, 40]
{prizes}
"""
ACT = """
name = "Canberra Cup"
ruleset = "act-2015"
approval = "GRC 15/2026"
start = "2026-03-14T18:00:00+11:00"

[table]
decks = 8
method = "A"
chip_cents = 500
burn = "exposed"
behind_marker = 14
table_approval = "T1"

[entry]
form = "form A"
terms = "at the desk"
fee_cents = 5000
commission_cents = 500
commission = "beside"
min = 4
max = 6
reserves = 2

[prizes]
percent = [100]
"""


def cup_text(
    ruleset: str = "tas-2018",
    *,
    top: str = "",
    prizes: str = "",
    ends: str = "coups = 30",
    more: str = "",
    advance: str = "{ 1 = 2, 2 = 2 }",
) -> str:
    """Conditions with one or two heats and a final; in Canberra a final alone."""
    final = STAGE.format(name="final", advance=0, least=2, ends=ends, more="")
    if ruleset == "act-2015":
        return ACT + final
    heats = STAGE.format(name="heats", advance=advance, least=3, ends=ends, more=more)
    return TAS.format(ruleset=ruleset, top=top, prizes=prizes) + heats + final


class Cup:
    """One competition and the time; staff have their roles, everybody else is a patron."""

    def __init__(self, text: str = "", at_ms: int = MARCH_1_MS) -> None:
        self.state = Competition()
        self.log: list[CompetitionEvent] = []
        self.at_ms = at_ms
        self.text = text or cup_text()
        self.rows = count(1)

    def by(self, person: str) -> Actor:
        return Actor(person, STAFF.get(person, frozenset({Role.PATRON})), self.at_ms)

    def do(self, person: str, ask: c.CompetitionCommand) -> list[CompetitionEvent]:
        events = decide(self.state, ask, self.by(person))
        self.state = reduce(evolve, events, self.state)
        self.log += events
        self.at_ms += 1000
        return events

    def two(self, ask: c.CompetitionCommand, first: str = "dora", second: str = "mara") -> Any:
        self.do(first, ask)
        return self.do(second, c.Approve(self.state.proposal_number))

    def refused(self, person: str, ask: c.CompetitionCommand) -> tuple[Reason, str]:
        with pytest.raises(Refused) as caught:
            decide(self.state, ask, self.by(person))
        assert "{" not in one_line(caught.value)
        ruleset = next(name for name in RULESETS if f'"{name}"' in self.text)
        assert caught.value.clause in {*about(caught.value.reason, ruleset), CONDITIONS}
        return caught.value.reason, caught.value.clause

    # the usual course of things

    def published(self) -> "Cup":
        self.do("mara", c.Draft(self.text, "spring"))
        self.two(c.Publish(), "mara", "dora")
        return self

    def entering(self) -> "Cup":
        self.published()
        self.do("dora", c.OpenEntries())
        self.commit()
        return self

    def commit(self) -> None:
        self.do("dora", c.CommitDraw(draw_commitment(SEED, "spring", *next_draw(self.state))))

    def enter(self, *people: str) -> "Cup":
        for person in people:
            self.do(person, c.Apply())
            self.do("carol", c.Accept(person))
            self.do(person, c.Endorse(self.state.version))
            self.do(person, c.PayEntry())
        return self

    def entered(self, number: int = 6) -> "Cup":
        """With entries p1, p2, …, closed."""
        self.entering().enter(*(f"p{i}" for i in range(1, number + 1)))
        self.do("dora", c.CloseEntries())
        return self

    def designate(self, *tables: str) -> "Cup":
        for table in tables:
            self.do("dora", c.DesignateTable(table))
        return self

    def drawn(self) -> "Cup":
        if not self.state.commitment:
            self.commit()
        self.do("dora", c.Draw(WORDS, SEED.hex()))
        return self

    def started(self) -> "Cup":
        if "dora" not in self.state.directors:
            self.do("dora", c.SignOn(Role.DIRECTOR))
        self.do("dora", c.PrepareSession())
        self.do("dora", c.StartSession())
        return self

    def result(self, table: str, chips: dict[str, int], **more: Any) -> list[CompetitionEvent]:
        """A table's result; those it does not name are out in coup 1."""
        session = self.state.now
        version = more.pop("version", 1)
        out, gone = more.pop("out", {}), more.pop("gone", {})
        there = {*chips, *out, *gone}
        lost = {p: 1 for p in session.seats[table].values() if p not in there}
        name = more.pop("session", session.id)
        result = SessionResult(name, "coups", 30, chips, {**lost, **out}, gone, **more)
        return self.do("house", c.TakeResult(table, version, result, next(self.rows)))

    def heats(self) -> "Cup":
        """Six players in one heat; p1 and p2 are through."""
        self.entered().designate("table-1", "table-2").drawn().started()
        chips = {f"p{i}": 2_000_000 - i * 10_000 for i in range(1, 7)}
        self.result("table-1", chips)
        self.do("dora", c.ConfirmStage())
        return self

    def final(self, **chips: int) -> "Cup":
        self.drawn().started()
        self.result("table-1", dict(chips) or {"p1": 900_000, "p2": 400_000})
        self.do("dora", c.ConfirmStage())
        return self

    def reread(self) -> Competition:
        """The competition from its events as they are stored."""
        stored = msgspec.json.encode(self.log)
        return reduce(
            evolve, msgspec.json.decode(stored, type=list[CompetitionEvent]), Competition()
        )
