"""Who plays with whom: those who play into each other's hands come first, and chance is told."""

import csv
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path
from random import Random

import pytest

from puntobanco.house.figures import stored
from puntobanco.house.figures.parts import Cell, parts
from puntobanco.house.figures.projection import FiguresRead, Unkept
from puntobanco.house.figures.sides import sides_of
from puntobanco.house.figures.sums import NOTHING, Sums, plus
from puntobanco.house.house import House
from puntobanco.house.lookback.past_coup import PastCoup
from puntobanco.house.till.book import CageBook
from puntobanco.house.trust.together import PairsReport, at_least, pairs_report
from puntobanco.journal.erasable_tables import Values
from puntobanco.register import commands as register
from puntobanco.register.settings import Settings
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.settle import Line, Outcome
from puntobanco.rules.wagers import Wager
from puntobanco.table.actor import Role
from puntobanco.table.coup_record import CoupKind
from tests.kit.office import Office, asked

PLAYERS = ("ann", "bob", "cy", "dee", "eve", "flo")
DAYS = ("1970-01-01", "1970-12-31")


def line(who: str, on: Bet, result: Result, cents: int = 10_000) -> Line:
    won = on.value == result.value
    wager = Wager(1, on, cents, who)
    outcome = Outcome.WINS if won else Outcome.LOSES
    paid = cents if won else 0
    return Line(wager, outcome, cents, paid, paid, (1, 1) if won else None, (0, 1), ())


def coup(number: int, sides: dict[str, Bet], result: Result) -> PastCoup:
    lines = {(who, on.value, 1, 0): line(who, on, result) for who, on in sides.items()}
    return PastCoup(
        "table-1", number, number, 43_200_000 + number, CoupKind.ORDINARY, over=True,
        result=result, lines=lines, ruleset="tas-2018",
    )  # fmt: skip


def evening(seed: int, coups: int, hand_in_hand: tuple[str, ...] = ()) -> Iterator[PastCoup]:
    """All bet by chance, but for two who are always on opposite sides."""
    chance = Random(seed)
    for number in range(1, coups + 1):
        sides = {who: chance.choice((Bet.PLAYER, Bet.BANKER)) for who in PLAYERS}
        for one, other in pairwise(hand_in_hand):
            sides[other] = Bet.BANKER if sides[one] is Bet.PLAYER else Bet.PLAYER
        yield coup(number, sides, chance.choice((Result.PLAYER, Result.BANKER)))


def report(house: House, coups: Iterator[PastCoup]) -> PairsReport:
    usual, rows, cells = Settings(), dict[int, Values](), dict[Cell, Sums]()
    for one in coups:
        own = parts(one, usual)
        rows[one.number] = stored.coup_row(one, usual, own)
        cells |= {cell: plus(cells.get(cell, NOTHING), sums) for cell, sums in own.items()}
    reading = FiguresRead(house.log, Unkept({"table-1": cells}, {"table-1": rows}))
    return pairs_report(house, reading, CageBook(house.log), house.actor("otto"), DAYS)


async def staffed(office: Office) -> None:
    await office.enrol("otto", Role.AUDITOR)
    for who in PLAYERS[1:]:
        await office.enrol(who)


def test_two_who_play_into_each_others_hands_come_first_and_nobody_else_is_worth_a_look(
    tmp_path: Path,
) -> None:
    async def use(office: Office) -> None:
        await staffed(office)
        found = report(office.house, evening(1, 60, ("bob", "eve")))
        first, *others = found.pairs
        assert (first.one, first.other) == ("bob", "eve")
        assert (first.coups, first.opposite) == (60, 60)
        assert first.expected == pytest.approx(30, abs=1)
        assert first.among < 1e-10
        assert first.links[0] == ("table-1", 1)
        assert len(first.links) == 10
        assert first.one_cents == -first.other_cents
        assert found.compared == 15
        assert [one for one in others if one.among < 0.01] == []

    asked(tmp_path / "house.db", use)


def test_chance_alone_is_seldom_worth_a_look(tmp_path: Path) -> None:
    """One honest evening in a hundred would be; of forty, hardly any."""

    async def use(office: Office) -> None:
        await staffed(office)
        marked = sum(
            any(one.among < 0.01 for one in report(office.house, evening(seed, 40)).pairs)
            for seed in range(40)
        )
        assert marked <= 2

    asked(tmp_path / "house.db", use)


def test_few_coups_say_nothing_and_bots_are_left_out(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await staffed(office)
        few = report(office.house, evening(1, 19, ("bob", "eve")))
        assert (few.coups, few.compared, few.pairs) == (19, 0, ())
        bot = register.Enrol("zed", "patron", register.Bot("player", "table-1", 2))
        await office.house.give("register", bot, "mara", "bot")
        alone = (
            coup(number, {"ann": Bet.PLAYER, "zed": Bet.BANKER}, Result.PLAYER)
            for number in range(1, 40)
        )
        assert report(office.house, alone).compared == 0

    asked(tmp_path / "house.db", use)


def test_the_larger_stake_is_the_side() -> None:
    both = coup(1, {"ann": Bet.PLAYER}, Result.PLAYER)
    hedged = {
        **both.lines,
        ("ann", "banker", 1, 0): line("ann", Bet.BANKER, Result.PLAYER, 20_000),
        ("bob", "tie", 1, 0): line("bob", Bet.TIE, Result.PLAYER),
    }
    made = PastCoup("table-1", 1, 1, 1, CoupKind.ORDINARY, lines=hedged)
    assert sides_of(made) == {"ann": False}
    assert sides_of(PastCoup("table-1", 1, 1, 1, CoupKind.ORDINARY, void=True, lines=hedged)) == {}


def test_an_address_of_few_people_is_told_and_not_shown(tmp_path: Path) -> None:
    async def use(office: Office) -> None:
        await staffed(office)
        for who in ("bob", "eve"):
            office.house.people.signed_in(who, 1, "203.0.113.5")
        for number in range(12):
            office.house.people.signed_in(f"p{number}", 1, "203.0.113.6")
        for who in ("ann", "cy"):
            office.house.people.signed_in(who, 1, "203.0.113.6")
        found = report(office.house, evening(1, 30))
        assert {(one.one, one.other): one.address_of for one in found.pairs if one.address_of} == {
            ("bob", "eve"): 2
        }
        answer = await office.get("/api/reports/together", "otto")
        assert answer.status_code == 200
        assert "203.0.113" not in answer.text
        page = await office.get("/house/reports/together?first=1970-01-01", "otto")
        assert "No two players have twenty coups together" in page.text
        text = (await office.get("/house/reports/together/csv", "otto")).text
        assert next(csv.reader(text.splitlines()))[:3] == ["one", "other", "coups"]
        for person in ("ann", "ines"):
            assert (await office.get("/house/reports/together", person)).status_code == 403
        assert (await office.get("/api/reports/together?first=x", "otto")).status_code == 400

    asked(tmp_path / "house.db", use)


def test_the_tail_is_exact() -> None:
    assert at_least(1, 1, 0.25) == 0.25
    assert at_least(3, 4, 0.5) == pytest.approx(5 / 16, abs=1e-12)
    assert (at_least(0, 9, 0.4), at_least(1, 6_520, 0.5), at_least(6_520, 6_520, 0.5)) == (1, 1, 0)
    for of, share in ((1, Fraction(1, 2)), (20, Fraction(49, 100)), (90, Fraction(1, 5))):
        chances = [comb(of, n) * share**n * (1 - share) ** (of - n) for n in range(of + 1)]
        for times in range(of + 1):
            wanted = pytest.approx(float(sum(chances[times:])), abs=1e-12)
            assert at_least(times, of, float(share)) == wanted
