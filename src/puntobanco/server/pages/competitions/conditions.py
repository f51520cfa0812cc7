"""Conditions as a sheet in the order of the document, with the prover's verdict beside them."""

from datetime import datetime  # noqa: TID251  to read a moment, not to ask for one
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.competition import commands as c
from puntobanco.competition.authority import CHARGE
from puntobanco.competition.may import given_now
from puntobanco.competition.path import path_of
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.house import COMPETITION_NAME
from puntobanco.house.stream import COMPETITION
from puntobanco.house.till.time_zone import by_the_clock
from puntobanco.rules.competition.checks import item_clause
from puntobanco.rules.competition.sheet import (
    LENGTHS,
    MOMENTS,
    SheetVerdict,
    judge,
    sheet_text,
    sheet_values,
    typed_as,
)
from puntobanco.rules.competition.ways import OPTIONS
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.pages.competitions.console import path_href
from puntobanco.server.pages.competitions.forms import begun_from
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words import explain
from puntobanco.words.conditions import STRUCTURE_FAULTS
from puntobanco.words.pages import PAGES

MOST_CELLS = 120
"""Counts of entries that are drawn one by one."""
LONGEST = 100_000


class SheetRow(Struct, frozen=True):
    """One line of the sheet: what it settles, and the items that are typed there."""

    name: str
    item: str
    """The item by which its clause is found."""
    fields: tuple[str, ...]


ROWS = (
    SheetRow("rules", "chips", ("ruleset", "chips")),
    SheetRow("event", "start", ("name", "start", "approval", "regulator")),
    SheetRow("application", "entry.form", ("entry.form",)),
    SheetRow("terms", "entry.terms", ("entry.terms", "entry.groups")),
    SheetRow("fee", "entry.fee_cents", ("entry.fee_cents", "entry.retained_percent",
                                        "entry.commission_cents", "entry.commission")),
    SheetRow("entries", "entry.max", ("entry.min", "entry.max", "entry.reserves", "entry.until")),
    SheetRow("apart", "entry.groups", ("apart.who", "apart.most")),
    SheetRow("tables", "table", ("table.layout", "table.decks", "table.method",
                                 "table.chip_cents", "play.indicator")),
    SheetRow("prizes", "prizes", ("prizes.percent", "prizes.list_cents", "prizes.added_cents")),
    SheetRow("league", "league", ("league.name", "league.points")),
)  # fmt: skip
"""In the order in which the document has them disclosed [tas-2018:16.2.2]; stages stand between."""
STAGE_FIELDS = (
    "name", "start", "seats", "least", "advance", "wild", "allotment_cents", "ends", "secrets",
    "wager_seconds", "limits.min_cents", "limits.max_cents", "limits.multiple_cents",
    "raised.min_cents", "raised.max_cents", "raised.multiple_cents",
)  # fmt: skip
CHOICES = {
    "ruleset": RULESETS,
    "chips": ("competition", "cash"),
    "entry.commission": ("inside", "beside"),
    "play.indicator": ("", *OPTIONS["indicator"][1:]),
}


def item_called(item: str) -> str:
    """An item as the sheet calls it: its line and its label there; what is only in the text, by its
    name in it.
    """
    for row in ROWS:
        if item in row.fields:
            line, label = say(f"sheet.{row.name}"), say(f"sheet.{item}")
            return line if label == line.lower() or len(row.fields) == 1 else f"{line}, {label}"
    if item in WHOLE:
        return say(WHOLE[item])
    _, _, of_stage = item.partition("stage.")
    stage, _, field = of_stage.rpartition(".")
    label = f"sheet.stage.{field}"
    return f"{stage}, {say(label).lower()}" if stage and label in PAGES else stage or item


def _unreadable(verdict: SheetVerdict, values: dict[str, str]) -> str:
    """Why conditions cannot be read, by the field that was typed; by the text itself if by none."""
    path = verdict.where
    if path not in values:
        return verdict.unreadable.removeprefix("not conditions: ")
    head, _, rest = path.partition(".")
    if head == "stage":
        number, _, field = rest.partition(".")
        field = "ends" if field.startswith("ends.") else field
        name = values.get(f"stage.{number}.name", str(int(number) + 1))
        label = f"sheet.stage.{field}"
        called = f"{name}, {say(label).lower()}" if label in PAGES else name
    else:
        called = item_called(path)
    return f"{called}: {say(f'sheet.unread.{typed_as(path)}', said=values[path][:40])}"


WHOLE = {"stage": "sheet.stages", "prizes": "sheet.prizes", "table": "sheet.tables"}
"""Items that are a line of the sheet, or more."""


@get("/competitions/{competition:str}/conditions", sync_to_thread=False, include_in_schema=False)
def conditions_page(visit: TheVisit, competition: CompetitionName) -> Response[Any]:
    """The draft, or what new conditions begin with; whoever only oversees reads what is public."""
    by = visit.actor(f"{COMPETITION}{competition}")
    if by.roles & OVERSEES and not by.roles & CHARGE:
        return Redirect(f"/competitions/{competition}")
    visit.check(CHARGE, "draft", f"{COMPETITION}{competition}")
    return _show(visit, competition, _text_of(visit, competition))


def _text_of(visit: Visit, cup: str) -> str:
    held = visit.house.competitions.get(f"{COMPETITION}{cup}")
    if held is None:
        return begun_from(visit, visit.query("template")[:64]) or 'ruleset = "tas-2018"\n'
    state = held.state
    return state.draft or (state.versions[state.version].text if state.version else "")


def _show(visit: Visit, cup: str, text: str, problem: Exception | None = None) -> Response[str]:
    held = visit.house.competitions.get(f"{COMPETITION}{cup}")
    by = visit.actor(f"{COMPETITION}{cup}")
    verdict = judge(text)
    values = {
        path: _as_people_write(visit, said) if path.rpartition(".")[2] in MOMENTS else said
        for path, said in sheet_values(text).items()
    }
    named = values.get("ruleset", "")
    rules = load_ruleset(named if named in RULESETS else RULESETS[0])
    wrong = {one.item for one in verdict.faults} | {verdict.where}
    state = held.state if held else None
    return visit.show(
        "pages/competitions/conditions.html",
        cup=cup,
        path=path_of(state) if state else (),
        path_href=path_href,
        rows=[(row, item_clause(row.item, rules)) for row in ROWS],
        stage_clause=item_clause("stage.ends", rules),
        values=values,
        stages=_stages(values),
        stage_fields=STAGE_FIELDS,
        choices=CHOICES | _of_document(rules),
        lengths=LENGTHS,
        wrong=wrong,
        item_called=item_called,
        text=text,
        verdict=verdict,
        unreadable=_unreadable(verdict, values),
        chosen=_chosen(visit, verdict),
        most_cells=MOST_CELLS,
        why_fails=STRUCTURE_FAULTS,
        saved=state is not None and state.draft == text,
        version=state.version if state else 0,
        may=frozenset(given_now(state, by)) if state else frozenset(),
        open_=state is None or state.phase in ("drafting", "published", "entering"),
        problem=explain(problem, visit.house.register.state.currency)
        if isinstance(problem, Refused)
        else None,
        proposals=state.proposals if state else {},
    )


def _of_document(rules: Any) -> dict[str, tuple[str, ...]]:
    """What a document knows of its tables."""
    layouts = tuple(one.name for one in rules.table.layouts)
    methods = tuple(one.name for one in rules.settlement.methods)
    return {"table.layout": ("", *layouts), "table.method": methods}


def _stages(values: dict[str, str]) -> int:
    numbers = [int(path.split(".")[1]) for path in values if path.startswith("stage.")]
    return max(numbers, default=-1) + 1


def _chosen(visit: Visit, verdict: Any) -> Any:
    """The count whose way is shown: the one asked for, the first that fails, the most."""
    asked = visit.query("count")
    plans = verdict.plans
    wanted = [plan for plan in plans if str(plan.entries) == asked]
    return next(iter((*wanted, *verdict.failing, *reversed(plans))), None)


@post("/competitions/{competition:str}/conditions", include_in_schema=False)
async def conditions_typed(visit: TheVisit, competition: CompetitionName) -> Response[Any]:
    """What was typed: looked at, mended by one of the changes offered, or kept as the draft."""
    at = f"{COMPETITION}{competition}"
    visit.check(CHARGE, "draft", at)
    if not COMPETITION_NAME.fullmatch(at):
        raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=competition)
    form = await visit.form()
    given, do, before = visit.command_id(form), form.pop("do", ""), form.pop("text", "")[:LONGEST]
    text = _typed(visit, before.replace("\r\n", "\n"), form, do)
    if do != "save":
        return _show(visit, competition, text)
    try:
        await visit.give(at, msgspec.convert({"do": "draft", "text": text}, c.Draft), given)
    except Refused as refused:
        shown = _show(visit, competition, text, refused)
        shown.status_code = 409
        return shown
    return Redirect(f"/competitions/{competition}/conditions", status_code=303)


def _typed(visit: Visit, text: str, form: dict[str, str], do: str) -> str:
    """The text with what was typed in it; a length of a session is a number of one thing."""
    typed = {
        path: _by_the_clock(visit, said) if path.rpartition(".")[2] in MOMENTS else said
        for path, said in form.items()
        if not path.endswith((".ends", ".by"))
    }
    for number in {path.split(".")[1] for path in form if path.startswith("stage.")}:
        by, said = form.get(f"stage.{number}.by", "coups"), form.get(f"stage.{number}.ends", "")
        typed |= {f"stage.{number}.ends.{one}": said if one == by else "" for one in LENGTHS}
    kind, _, rest = do.partition(":")
    if kind == "mend" and "=" in rest:
        path, _, value = rest.partition("=")
        typed[path] = value
    try:
        text = sheet_text(text, typed)
    except MalformedError:
        return text
    if kind == "add-stage":
        return f'{text}\n[[stage]]\nname = "another stage"\n'
    if kind == "remove-stage" and rest.isdecimal():
        parts = text.split("\n[[stage]]")
        at = int(rest) + 1
        return "\n[[stage]]".join(parts[:at] + parts[at + 1 :]) if at < len(parts) else text
    return text


def _by_the_clock(visit: Visit, said: str) -> str:
    """A date and a time as people write them, with the offset of this house's clock; else as it
    was typed.
    """
    if len(said) <= len("2026-03-14"):
        return said
    try:
        moment = datetime.fromisoformat(said.strip())
    except ValueError:
        return said
    return by_the_clock(visit.house, moment).isoformat()


def _as_people_write(visit: Visit, said: str) -> str:
    """A moment without its T and its seconds, by the clock of this house; with the offset where
    the casino's clock is another one.
    """
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        return said
    if not moment.tzinfo or moment.second or len(said) <= len("2026-03-14"):
        return said
    here = by_the_clock(visit.house, moment.replace(tzinfo=None)).utcoffset() == moment.utcoffset()
    return (moment.replace(tzinfo=None) if here else moment).isoformat(" ", "minutes")


HANDLERS = (conditions_page, conditions_typed)
