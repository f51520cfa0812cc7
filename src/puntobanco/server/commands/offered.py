"""What pages offer a person, and whom they are told to wait for."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.may import GIVEN, KINDS, possible, why_not
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import Form, acting
from puntobanco.table.may import ANY
from puntobanco.table.next_step import Next, awaited_roles, next_step, with_roles
from puntobanco.table.state import Phase, Table
from puntobanco.words import (
    STEPS,
    WAITING,
    Step,
    Words,
    capitalised,
    explain,
    step_facts,
    waited_for,
)
from puntobanco.words.commands import GROUPS
from puntobanco.words.steps import WITH_INDICATOR

NOT_THEIRS = (Reason.NOT_YOUR_ROLE, Reason.NOT_ON_DUTY, Reason.BANK_IS_THE_OPERATORS)


class NextAct(Struct, frozen=True):
    """A command by which a person takes the next step, with the facts that the step settles."""

    name: str
    form: Form
    facts: dict[str, object]


class StepTold(Struct, frozen=True):
    """What one person is told about the next step."""

    acts: tuple[NextAct, ...]
    """How they can take it."""
    yours: bool
    says: str
    """What to do, or whom to wait for."""
    why: str = ""
    """Why it cannot be done yet, where it is theirs and the rules want something else first."""


NOBODYS = StepTold((), yours=False, says="")
"""What whoever has no part at a table is told."""


def turn_of(
    table: Table,
    by: Actor,
    named: Callable[[str], str] = str,
    why: Callable[[Refused | None], str] | None = None,
) -> StepTold:
    """The next step for one person: their own, or one they wait for; `why` tells a refusal."""
    step = with_roles(table, next_step(table))
    refusals = {
        name: why_not(table, name, by, step.facts)
        for name, allowed in GIVEN.items()
        if step.step in allowed.steps
    }
    able = [name for name, refused in refusals.items() if refused is None]
    acts = tuple(_act(name, step) for name in sorted(able, key=_is_pressed))
    theirs = bool(acting(table, by).intersection(step.roles))
    spoken = any(
        refusal is not None and refusal.reason is Reason.SAME_PERSON
        for refusal in refusals.values()
    )
    facts = step_facts(step.facts, named)
    if acts or (theirs and not spoken):
        says = _says(STEPS, step).format(**facts)
        return StepTold(
            acts, yours=True, says=says, why="" if acts else (why or in_words)(_hindered(refusals))
        )
    who = who_is_awaited(table, step.roles, other=theirs)
    return StepTold((), yours=False, says=_says(WAITING, step).format(who=who, **facts))


def _says(words: Mapping[Step, str], step: Next) -> str:
    """A step in words, with what goes with it."""
    return words[step.step] + ("indicator" in step.facts) * WITH_INDICATOR


def _hindered(refusals: Mapping[str, Refused | None]) -> Refused | None:
    """What stands in the way of a step that is one's own."""
    found = (one for one in refusals.values() if one and one.reason not in NOT_THEIRS)
    return next(found, None)


def who_is_awaited(table: Table, roles: Iterable[Role], *, other: bool = False) -> str:
    """Who is waited for, in words."""
    return waited_for(awaited_roles(table, roles), other=other)


def _is_pressed(name: str) -> bool:
    """Commands with a form come before those that are only pressed."""
    return GIVEN[name].form is Form.NOTHING


def _act(name: str, step: Next) -> NextAct:
    fields = KINDS[name].__struct_fields__
    facts = {field: step.facts[field] for field in fields if field in step.facts}
    return NextAct(name, GIVEN[name].form, facts)


def acts(table: Table, by: Actor) -> list[str]:
    """The commands a person may give now, by their names on pages."""
    return list(possible(table, by))


def shut_because(
    table: Table,
    by: Actor,
    name: str,
    words_of: Callable[[Refused], Words],
    facts: Mapping[str, object] = ANY,
) -> tuple[str, str]:
    """Why a command is not offered: whose it is, when it can be given, or what the rules say."""
    allowed, refused = GIVEN[name], why_not(table, name, by, facts)
    if refused is None:
        return "", ""
    if refused.reason in NOT_THEIRS:
        named = str(refused.facts.get("allowed", "")) if facts else ""  # of one finding, not of all
        roles = map(Role, named.split(", ")) if named else allowed.roles
        return "by", ", ".join(awaited_roles(table, roles))
    if refused.reason is Reason.WRONG_MOMENT:
        return "while", ", ".join(phase for phase in Phase if phase in allowed.phases)
    return "so", words_of(refused).happened


def in_words(refused: Refused | None, currency: str = "") -> str:
    """What happened and what to do next, as a page says it; nothing if it was not refused."""
    if refused is None:
        return ""
    happened, remedy = explain(refused, currency)
    return f"{capitalised(happened)}. {remedy}"


def grouped(names: list[str]) -> Iterator[tuple[str, list[str]]]:
    for group, members in GROUPS.items():
        if found := [member for member in members if member in names]:
            yield group, found
