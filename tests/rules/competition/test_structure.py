"""The prover: every number of entries, stage by stage, against a plain telling of the same."""

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.rules.competition.conditions import CompetitionConditions, read_conditions
from puntobanco.rules.competition.shipped import TEMPLATES, template_text
from puntobanco.rules.competition.structure import (
    STRUCTURE_REASONS,
    balanced_tables,
    plan_all,
    plan_entries,
    structure_clause,
)
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.words.conditions import STRUCTURE_FAULTS
from tests.kit.clauses import clause, tas


def conditions(*stages: dict[str, Any], **more: Any) -> CompetitionConditions:
    values = {"ruleset": "tas-2018", "stage": list(stages), **more}
    return msgspec.convert(values, CompetitionConditions, str_keys=True)


HEATS = {"name": "heats", "seats": 9, "least": 5, "advance": 2}
FINAL = {"name": "final", "seats": 9}


@given(st.integers(0, 2000), st.integers(1, 14))
def test_tables_are_as_few_as_seat_all_and_within_one_player(players: int, seats: int) -> None:
    """[tas-2018:16.2.3(e), act-2015:15.8] S27"""
    tables = balanced_tables(players, seats)
    assert sum(tables) == players
    assert all(0 < size <= seats for size in tables)
    assert len(tables) == 0 or (len(tables) - 1) * seats < players
    assert all(0 <= one - next_one <= 1 for one, next_one in pairwise(tables))
    assert not tables or tables[0] - tables[-1] <= 1


FAULTS = [
    ("too-few-at-a-table", "heats", 10, (HEATS | {"least": 6}, FINAL), {}),
    ("too-few-at-a-table", "final", 9, (HEATS | {"advance": 1}, FINAL), {}),
    ("everyone-at-a-table-advances", "heats", 10, (HEATS | {"advance": 5}, FINAL), {}),
    ("everyone-at-a-table-advances", "heats", 19, (HEATS | {"advance": 6}, FINAL), {}),
    ("everyone-advances", "heats", 18, (HEATS | {"wild": 14}, FINAL), {}),
    ("final-does-not-fit-one-table", "final", 45, (HEATS, FINAL), {}),
    ("more-prizes-than-players", "final", 18, (HEATS, FINAL), {"list_cents": [5, 4, 3, 2, 1]}),
    ("more-prizes-than-players", "final", 18, (HEATS, FINAL), {"goods": ["a", "b", "c", "d", "e"]}),
    (
        "no-number-advancing-for-so-many-tables",
        "heats",
        27,
        (HEATS | {"advance": {"2": 4, "4": 2}}, FINAL),
        {},
    ),
    ("more-tables-than-there-are", "heats", 28, (HEATS | {"tables": 3}, FINAL), {}),
    ("nobody-left", "final", 18, (HEATS | {"advance": 0}, FINAL), {}),
]


@clause(*tas("16.2.3(f)"), "act-2015:15.4(b)")
@pytest.mark.parametrize(("reason", "stage", "entries", "stages", "prizes"), FAULTS)
def test_what_does_not_add_up_is_named_with_its_stage(
    reason: str, stage: str, entries: int, stages: tuple[dict[str, Any], ...], prizes: Any
) -> None:
    """Numbers advancing are settled beforehand [tas-2018:16.2.3(f), 16.8.1]."""
    plan = plan_entries(conditions(*stages, prizes=prizes), entries)
    assert plan.fault is not None
    assert (plan.fault.reason, plan.fault.stage) == (reason, stage)
    assert plan.stages[-1].name == stage


def test_winners_of_the_second_chance_come_back_into_their_stage() -> None:
    """[tas-2018:16.1-secondary-competition, 16.2.3(f)]"""
    back = conditions(HEATS, FINAL, secondary={"winners": 3, "into": "final"})
    assert [stage.players for stage in plan_entries(back, 18).stages] == [18, 7]
    few = conditions(HEATS | {"least": 2}, FINAL, secondary={"winners": 3, "into": "final"})
    plan = plan_entries(few, 4)
    assert plan.fault is not None
    assert plan.fault.reason == "fewer-losers-than-secondary-winners"
    assert plan.stages[-1].players == 5
    just = plan_entries(few, 5)
    assert just.fault is None, "three lost, three come back"
    first = conditions(HEATS, FINAL, secondary={"winners": 1, "into": "heats"})
    assert plan_entries(first, 18).fault is not None, "nobody has lost yet"


def test_winners_of_the_second_chance_may_be_all_who_are_left() -> None:
    """Nobody is left only where nobody came back either."""
    back = conditions(HEATS | {"advance": 0}, FINAL, secondary={"winners": 2, "into": "final"})
    assert plan_entries(back, 18).fault is None


def test_the_first_that_fails_in_a_stage_counts() -> None:
    """Secondary, tables there are, too few at a table, fit, prizes, number, everyone."""
    bad = {"name": "final", "seats": 2, "least": 3, "tables": 1}
    second = {"winners": 9, "into": "final"}
    prizes = {"list_cents": [1] * 50}
    heats = HEATS | {"least": 1, "seats": 4, "advance": 1}
    said = []
    for change in ({}, {"tables": 0}, {"least": 1}, {"seats": 9}):
        bad |= change
        plan = plan_entries(conditions(heats, bad, prizes=prizes, secondary=second), 12)
        assert plan.fault is not None
        said.append(plan.fault.reason)
        second = second | {"winners": 0}
    assert said == [
        "more-tables-than-there-are",
        "too-few-at-a-table",
        "final-does-not-fit-one-table",
        "more-prizes-than-players",
    ]
    plan = plan_entries(conditions(heats, bad, secondary={"winners": 10, "into": "final"}), 12)
    assert plan.fault is not None
    assert plan.fault.reason == "fewer-losers-than-secondary-winners"


def test_every_template_proves() -> None:
    for name in TEMPLATES:
        plans = plan_all(read_conditions(template_text(name)))
        assert plans
        assert [plan for plan in plans if plan.fault] == [], name


def test_nothing_is_planned_while_numbers_are_not_settled() -> None:
    assert plan_all(conditions(HEATS, FINAL, entry={"min": 8})) == ()
    assert plan_all(conditions({"name": "final"}, entry={"min": 2, "max": 4})) == ()
    assert plan_all(conditions(entry={"min": 2, "max": 4})) == ()


@pytest.mark.parametrize("document", RULESETS)
def test_every_reason_has_words_and_a_clause(document: str) -> None:
    assert tuple(STRUCTURE_FAULTS) == STRUCTURE_REASONS
    for reason in STRUCTURE_REASONS:
        cited = structure_clause(reason, load_ruleset(document))
        assert cited.startswith((document, "conditions"))


# the same again, plainly: nothing below uses what it checks


def plain_tables(players: int, seats: int) -> list[int]:
    tables = [0] * ((players + seats - 1) // seats)
    for player in range(players):
        tables[player % len(tables)] += 1
    return tables


def plain_plan(given: dict[str, Any], entries: int) -> tuple[list[Any], Any]:
    """What the issue of a competition says, as a child would count it."""
    shown: list[Any] = []
    players = entries
    for number, stage in enumerate(given["stage"]):
        last = number == len(given["stage"]) - 1
        losers = entries - players
        winners = given["secondary"]["winners"]
        back = winners if stage["name"] == given["secondary"]["into"] else 0
        players += back
        tables = plain_tables(players, stage["seats"])
        each: int | None = 0
        if not last:
            each = stage["advance"]
            if isinstance(each, dict):
                each = each.get(str(len(tables)))
        total = 0 if last or each is None else each * len(tables) + stage["wild"]
        shown.append([stage["name"], players, tables, total])
        tests = [
            (back > losers, "fewer-losers-than-secondary-winners"),
            (players == 0, "nobody-left"),
            (0 < stage["tables"] < len(tables), "more-tables-than-there-are"),
            (any(size < stage["least"] for size in tables), "too-few-at-a-table"),
            (1 < len(tables) < given["apart"], "fewer-tables-than-kept-apart"),
            (last and len(tables) > 1, "final-does-not-fit-one-table"),
            (last and given["prizes"] > players, "more-prizes-than-players"),
            (each is None, "no-number-advancing-for-so-many-tables"),
            (
                not last and each is not None and any(each >= size for size in tables),
                "everyone-at-a-table-advances",
            ),
            (not last and total >= players, "everyone-advances"),
        ]
        for failed, reason in tests:
            if failed:
                return shown, [stage["name"], reason]
        players = total
    return shown, None


def any_structure(chance: Random) -> dict[str, Any]:
    names = ["heats", "quarters", "semis", "final"][-chance.randint(1, 4) :]
    stages = []
    for name in names:
        advance: Any = chance.randint(0, 5)
        if chance.random() < 0.3:
            tables = range(1, chance.randint(2, 12))
            advance = {str(count): chance.randint(0, 5) for count in tables}
        stages.append(
            {
                "name": name,
                "seats": chance.randint(1, 14),
                "least": chance.choice([1, 2, 2, 2, 4, 6]),
                "tables": chance.choice([0, 0, 0, 2, 5, 9]),
                "advance": advance,
                "wild": chance.choice([0, 0, 0, 1, 3, 20]),
            }
        )
    secondary = {"winners": chance.choice([0, 0, 0, 1, 4, 30]), "into": chance.choice(names)}
    apart = chance.choice([0, 0, 2, 3, 6])
    return {"stage": stages, "secondary": secondary, "prizes": chance.randint(0, 6), "apart": apart}


def test_a_plain_prover_agrees() -> None:
    """10,000 structures, each with a number of entries."""
    chance, seen = Random(15), dict[str, int]()
    for _ in range(10_000):
        given, entries = any_structure(chance), chance.randint(1, 160)
        ours = plan_entries(
            conditions(
                *given["stage"],
                secondary=given["secondary"],
                prizes={"list_cents": [1] * given["prizes"]},
                apart={"most": given["apart"]},
            ),
            entries,
        )
        stages = [[one.name, one.players, list(one.tables), one.advance] for one in ours.stages]
        fault = ours.fault and [ours.fault.stage, ours.fault.reason]
        assert (stages, fault) == plain_plan(given, entries), given
        seen[fault[1] if fault else "holds"] = seen.get(fault[1] if fault else "holds", 0) + 1
    assert set(seen) == {*STRUCTURE_REASONS, "holds"}
    assert min(seen.values()) > 20, seen
