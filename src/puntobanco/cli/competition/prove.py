"""`puntobanco competition templates`, `new` and `prove`: conditions, and whether they add up."""

import sys
from pathlib import Path

from msgspec import Struct, field
from rich.text import Text

from puntobanco.cli import show
from puntobanco.cli.show import Json
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.checks import ConditionFault, advice_on, faults_of
from puntobanco.rules.competition.conditions import (
    CompetitionConditions,
    read_conditions,
    version_of,
)
from puntobanco.rules.competition.shipped import TEMPLATES, template_text
from puntobanco.rules.competition.structure import (
    EntryPlan,
    StructureReason,
    plan_all,
    structure_clause,
)
from puntobanco.rules.documents.ruleset import Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.words.conditions import STRUCTURE_FAULTS


class FirstFault(Struct):
    """The first number of entries that does not work out, and why."""

    entries: int
    stage: str
    reason: StructureReason
    clause: str


class Needed(Struct):
    """An item of the conditions that is missing or is not allowed."""

    item: str
    clause: str


class ConditionsProof(Struct):
    """What the conditions lead to, for every number of entries."""

    name: str
    ruleset: str
    version: str
    holds: bool
    least: int = field(name="from")
    most: int = field(name="to")
    counts: tuple[EntryPlan, ...]
    fault: FirstFault | None
    missing: list[Needed]
    advice: list[str]


def templates(*, json: Json = False) -> int:
    """List the conditions that ship with the program.

    Parameters
    ----------
    json
        Print JSON.
    """
    if json:
        show.print_json([{"name": name, "says": says} for name, says in TEMPLATES.items()])
        return 0
    for name, says in TEMPLATES.items():
        print(f"{name:14}{says}")
    return 0


def new(template: str, /, *, json: Json = False) -> int:
    """Print the conditions of a template, to be written into a file and changed there.

    Parameters
    ----------
    template
        Which one; `competition templates` lists them.
    json
        Print JSON.
    """
    text = template_text(template)
    if json:
        show.print_json({"template": template, "conditions": text})
    else:
        sys.stdout.write(text)
    return 0


def prove_file(file: Path, /, *, json: Json = False) -> int:
    """Prove that conditions work out for every number of entries that they allow.

    Exit code 0: they do, and nothing is missing. 1: they do not. 2: the file cannot be read.

    Parameters
    ----------
    file
        The conditions (TOML).
    json
        Print JSON.
    """
    raw = show.read_bytes(file)
    try:
        conditions = read_conditions(raw)
    except MalformedError as error:
        raise MalformedError(f"{str(file)[-80:]}: {error}") from error
    rules = load_ruleset(conditions.ruleset)
    faults = faults_of(conditions, rules)
    proof = _proof(conditions, rules, faults, version_of(raw))
    if json:
        show.print_json(proof)
    else:
        _tell(proof, faults)
    return 0 if proof.holds else 1


def _proof(
    conditions: CompetitionConditions,
    rules: Ruleset,
    faults: tuple[ConditionFault, ...],
    version: str,
) -> ConditionsProof:
    plans = plan_all(conditions)
    first = next((plan for plan in plans if plan.fault), None)
    fault = None
    if first is not None and first.fault is not None:
        reason = first.fault.reason
        clause = structure_clause(reason, rules)
        fault = FirstFault(first.entries, first.fault.stage, reason, clause)
    said = [one.says for one in faults if one.kind not in ("missing", "approval-missing")]
    return ConditionsProof(
        conditions.name,
        conditions.ruleset,
        version,
        fault is None and not faults and bool(plans),
        conditions.entry.min,
        conditions.entry.max,
        plans,
        fault,
        [Needed(one.item, one.clause) for one in faults],
        [*said, *advice_on(conditions, rules)],
    )


def _tell(proof: ConditionsProof, faults: tuple[ConditionFault, ...]) -> None:
    show.console.print(Text(f"{proof.name or 'no name'}, {proof.ruleset}", style="bold"))
    show.console.print(f"Version {proof.version}")
    _tell_counts(proof.counts)
    for fault in faults:
        show.console.print(fault.says)
    for said in proof.advice:
        if said not in {fault.says for fault in faults}:
            show.console.print(f"Advice: {said}.")
    if proof.fault is not None:
        words = STRUCTURE_FAULTS[proof.fault.reason]
        line = f"With {proof.fault.entries} entries, {proof.fault.stage}: {words.wrong}"
        show.console.print(f"{line} [{proof.fault.clause}]. {words.remedy}")
    if proof.holds:
        show.console.print(f"It holds for every number of entries, {proof.least} to {proof.most}.")
    else:
        show.console.print("It does not hold.")


def _tell_counts(counts: tuple[EntryPlan, ...]) -> None:
    """One line for each run of entries that needs as many tables in every stage."""
    table = show.plain_table("entries", "stages", right=(0,))
    runs: list[tuple[int, int, str]] = []
    for plan in counts:
        says = _stages(plan)
        if runs and runs[-1][2] == says:
            runs[-1] = (runs[-1][0], plan.entries, says)
        else:
            runs.append((plan.entries, plan.entries, says))
    for first, last, says in runs:
        table.add_row(str(first) if first == last else f"{first}-{last}", says)
    if runs:
        show.console.print(table)


def _stages(plan: EntryPlan) -> str:
    stages = [
        f"{stage.name} {show.counted(len(stage.tables), 'table')}"
        + (f", {stage.advance} advance" if stage.advance else "")
        for stage in plan.stages
    ]
    fault = f" - {plan.fault.reason}" if plan.fault else ""
    return "; ".join(stages) + fault
