"""Conditions as a sheet of fields: each item by its path, read from the text and written back.

Whatever stands in the text and in no field stays; only remarks are lost.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.checks import ConditionFault, faults_of
from puntobanco.rules.competition.conditions import (
    MOST_STAGES,
    CompetitionConditions,
    exact_percent,
    read_conditions,
    read_moment,
)
from puntobanco.rules.competition.structure import EntryPlan, plan_all, structure_clause
from puntobanco.rules.documents.texts import load_ruleset

STAGE = "stage"
LENGTHS = ("coups", "shoes", "minutes")
NUMBERS = frozenset({
    "entry.min", "entry.max", "entry.reserves", "entry.refund_days", "table.decks",
    "secondary.winners", "stage.seats", "stage.least", "stage.tables", "stage.wild",
    "stage.secrets", "stage.wager_seconds", "stage.ends.coups", "stage.ends.shoes",
    "stage.ends.minutes", "apart.most", "league.points",
})  # fmt: skip
"""Items that are whole numbers; those that end in `cents` are amounts, and are typed in dollars."""
LISTS = frozenset({"percent", "list_cents", "goods", "points"})
"""Items that are lists, by their names."""
MOMENTS = frozenset({"start", "until"})
PERCENTAGES = frozenset({"percent", "retained_percent"})
"""Items that are days and times, and percentages, by their names."""
MOST_SET = 500
"""Fields that one sheet can have."""


def sheet_values(text: str) -> dict[str, str]:
    r"""Every item of conditions by its path, as people type it.

    >>> sheet_values('name = "Cup"\n[[stage]]\nallotment_cents = 1050')
    {'name': 'Cup', 'stage.0.allotment_cents': '10.50'}
    """
    return dict(_flat(_read(text), ""))


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"not conditions: {error}") from error


def _flat(items: Mapping[str, Any], within: str) -> Iterator[tuple[str, str]]:
    for name, value in items.items():
        path = f"{within}{name}"
        if path == STAGE and isinstance(value, list):
            for number, one in enumerate(value):
                yield from _flat(one, f"{STAGE}.{number}.")
        elif isinstance(value, dict) and name != "advance":
            yield from _flat(value, f"{path}.")
        else:
            yield path, _typed(name, value)


def _typed(name: str, value: object) -> str:
    if name == "advance" and isinstance(value, dict):
        return ", ".join(f"{tables} = {many}" for tables, many in value.items())
    if isinstance(value, list):
        return ", ".join(_typed(name, one) for one in value)
    if name.endswith("cents") and isinstance(value, int):
        dollars, cents = divmod(value, 100)
        return f"{dollars}.{cents:02}" if cents else str(dollars)
    return str(value).lower() if isinstance(value, bool) else str(value)


def sheet_text(text: str, typed: Mapping[str, str]) -> str:
    """The text with these items as they were typed; an empty one is not settled."""
    items = _read(text) if text.strip() else {}
    for path, said in list(typed.items())[:MOST_SET]:
        _put(items, path.split("."), said.strip())
    return write_toml(items)


def _put(items: dict[str, Any], path: list[str], said: str) -> None:
    head, *rest = path
    if head == STAGE and rest and rest[0].isdecimal():
        stages, number = items.setdefault(STAGE, []), int(rest[0])
        if not isinstance(stages, list) or number >= MOST_STAGES:
            return
        stages.extend({} for _ in range(number + 1 - len(stages)))
        _put(stages[number], ["stage", *rest[1:]][1:], said)
        return
    if rest:
        inside = items.setdefault(head, {})
        if isinstance(inside, dict):
            _put(inside, rest, said)
            if not inside:
                del items[head]
        return
    if said:
        items[head] = _value(head, said)
    else:
        items.pop(head, None)


def _value(name: str, said: str) -> Any:
    """What was typed; what is no number stays a text, and cannot be read where one is wanted."""
    if name == "advance" and "=" in said:
        pairs = (pair.split("=") for pair in said.split(",") if "=" in pair)
        return {pair[0].strip(): _number(pair[1].strip()) for pair in pairs}
    if name in LISTS:
        return [_one(name, one.strip()) for one in said.split(",") if one.strip()]
    return _one(name, said)


def _one(name: str, said: str) -> Any:
    if name.endswith("cents"):
        whole, _, part = said.replace(",", "").partition(".")
        is_money = whole.isdecimal() and (not part or (part.isdecimal() and len(part) <= 2))
        return int(whole) * 100 + int(part.ljust(2, "0") or 0) if is_money else said
    if name in PLAIN_NUMBERS:
        return _number(said)
    return {"true": True, "false": False}.get(said, said)


def _number(said: str) -> Any:
    return int(said) if said.isdecimal() and len(said) < 10 else said


PLAIN_NUMBERS = frozenset(path.rpartition(".")[2] for path in NUMBERS) | {
    "advance", "behind_marker", "re_entries",
}  # fmt: skip


def write_toml(items: Mapping[str, Any]) -> str:
    """Conditions as TOML: what is plain first, then each part under its head, each stage last."""
    plain = {name: one for name, one in items.items() if not isinstance(one, dict | list)}
    parts = {name: one for name, one in items.items() if isinstance(one, dict)}
    lines = [f"{name} = {_written(one)}" for name, one in plain.items()]
    for name, part in parts.items():
        lines += ["", f"[{name}]", *(f"{key} = {_written(one)}" for key, one in part.items())]
    for stage in items.get(STAGE, []):
        lines += ["", "[[stage]]", *(f"{key} = {_written(one)}" for key, one in stage.items())]
    return "\n".join(lines).lstrip("\n") + "\n"


def _written(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case dict():
            return "{ " + ", ".join(f"{key} = {_written(one)}" for key, one in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(_written, value)) + "]"
        case _:
            plain = str(value).replace("\\", "\\\\").replace('"', '\\"')
            return '"' + "".join(one if one.isprintable() else " " for one in plain) + '"'


# the verdict


class Mending(Brief, frozen=True):
    """A change by which every number of entries would work out."""

    path: str
    value: str
    stage: str = ""


class SheetVerdict(Brief, frozen=True):
    """What the prover says of conditions as they are typed."""

    unreadable: str = ""
    where: str = ""
    """The item that cannot be read, by its path, if it is one."""
    faults: tuple[ConditionFault, ...] = ()
    plans: tuple[EntryPlan, ...] = ()
    clause: str = ""
    """The clause that the first failing count goes against."""
    mendings: tuple[Mending, ...] = ()

    @property
    def failing(self) -> tuple[EntryPlan, ...]:
        return tuple(plan for plan in self.plans if plan.fault)

    @property
    def holds(self) -> bool:
        """Whether these could be published."""
        return bool(self.plans) and not (self.unreadable or self.faults or self.failing)


def judge(text: str) -> SheetVerdict:
    """Everything that conditions lack, count by count and item by item.

    >>> judge("name = ").holds
    False
    """
    try:
        held = read_conditions(text)
    except MalformedError as error:
        return SheetVerdict(str(error), where_unread(text, str(error)))
    rules = load_ruleset(held.ruleset)
    plans = plan_all(held)
    fault = next((plan.fault for plan in plans if plan.fault), None)
    clause = structure_clause(fault.reason, rules) if fault else rules.competition.stages.advancing
    found = tuple(mendings(held)) if fault else ()
    return SheetVerdict("", "", faults_of(held, rules), plans, clause, found)


AT = re.compile(r"at `\$\.([\w.\[\]]+?)(?:\[\d+\])?`")


def where_unread(text: str, why: str) -> str:
    """The path of the item that cannot be read; empty where it is not one item.

    >>> where_unread("", "Expected `int | null`, got `str` - at `$.stage[0].limits.min_cents`")
    'stage.0.limits.min_cents'
    >>> where_unread('start = "soon"', "not a moment")
    'start'
    """
    if found := AT.search(why):
        return re.sub(r"\[(\d+)\]", r".\1", found[1])
    try:
        values = sheet_values(text)
    except MalformedError:
        return ""
    return next((path for path, said in values.items() if not _is_readable(path, said)), "")


def _is_readable(path: str, said: str) -> bool:
    """Whether a day and time is one, and a percentage."""
    name = path.rpartition(".")[2]
    try:
        if name in MOMENTS and said and (name, said) != ("until", "start"):
            read_moment(said)
        if name in PERCENTAGES:
            for one in said.split(","):
                exact_percent(one.strip())
    except MalformedError:
        return False
    return True


def typed_as(path: str) -> str:
    """What is typed for an item: an amount, a number, a percentage, a moment, or a text.

    >>> typed_as("entry.fee_cents"), typed_as("stage.0.seats"), typed_as("stage.0.ends.coups")
    ('amount', 'number', 'number')
    """
    name = path.rpartition(".")[2]
    if name.endswith("cents"):
        return "amount"
    if name in MOMENTS:
        return "moment"
    if name in PERCENTAGES:
        return "percentage"
    return "number" if name in PLAIN_NUMBERS else "text"


def mendings(held: CompetitionConditions) -> Iterator[Mending]:
    """Single changes after which every count holds: fewer or more entries, or others through."""
    plans = plan_all(held)
    good = [not plan.fault for plan in plans]
    least, most = held.entry.min, held.entry.max
    if any(good):
        first_bad = good.index(False)
        if first_bad:
            yield Mending("entry.max", str(least + first_bad - 1))
        if good[-1]:
            last_bad = len(good) - 1 - good[::-1].index(False)
            yield Mending("entry.min", str(most - (len(good) - 2 - last_bad)))
    for number, stage in enumerate(held.stage[:-1]):
        for through in range(1, stage.seats):
            if through != stage.advance and not any(
                plan.fault for plan in plan_all(_with_advance(held, number, through))
            ):
                yield Mending(f"stage.{number}.advance", str(through), stage.name)


def _with_advance(held: CompetitionConditions, number: int, many: int) -> CompetitionConditions:
    stages = [
        replace(stage, advance=many) if at == number else stage
        for at, stage in enumerate(held.stage)
    ]
    return replace(held, stage=tuple(stages))
