"""Opening a table: document, preset, then a check of what will hang at it."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.cage.commands import OpenTray
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import MANAGEMENT
from puntobanco.house.stream import TABLE_NAME
from puntobanco.house.till.time_zone import house_ahead
from puntobanco.register.presets import presets_under
from puntobanco.register.settings import Preset
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.documents.texts import for_money
from puntobanco.rules.notice import Notice, Terms
from puntobanco.rules.notice import post as post_notice
from puntobanco.server.clauses import check_ruleset
from puntobanco.server.commands.form_cycle import Sheet, by_path, command_of, or_again, show_form
from puntobanco.server.commands.forms import Choice, Field, FieldChoices, fields_of
from puntobanco.server.commands.prefill import by_ruleset, rules_named
from puntobanco.server.commands.typed import Now, facts_of, written
from puntobanco.server.pages.print import main_pays, pair_pays
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.commands import Cents, Name, OpenTable, TableCommand
from puntobanco.words import money

AS_TABLE = "as:"
"""Before the id of a table whose notice is copied instead of a preset."""
ASKED = ("table", "gaming_day", "shoe", "tray_cents")
"""What is asked for every table; all else the preset says."""


class Opening(Struct, frozen=True):
    """A kind of table to choose."""

    key: str
    name: str
    """Empty: one of the program's, named by the pages."""
    preset: Preset


def openings(visit: Visit, ruleset: str) -> list[Opening]:
    """The house's presets, those of the program, and the notices of tables that are open."""
    settings = visit.house.register.state.settings
    own = presets_under(settings, ruleset)
    found = [Opening(key, key if key in settings.presets else "", one) for key, one in own.items()]
    for name, sign in _open_signs(visit).items():
        if sign.ruleset == ruleset:
            called = settings.called(name)
            found.append(Opening(f"{AS_TABLE}{name}", called, preset_of(visit, name)))
    return found


def _open_signs(visit: Visit) -> dict[str, Notice]:
    listed = visit.house.listed()
    return {one.table: one.notice for one in listed if one.phase != "shut" and one.notice}


def preset_of(visit: Visit, table: str) -> Preset:
    """What an open table was opened with, with the notice as it is now; but for its shoe, which is
    there.
    """
    state = visit.table(table).state
    if state.notice is None or state.opened is None:
        raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=table[:40])
    opened = state.opened
    dated = state.terms.rules.document.dated
    said = (opened.shoe_approval, "" if dated else opened.effective, opened.backs, opened.hours)
    return Preset(state.notice, 0, "", *said)


@get("/house/open-table", sync_to_thread=False, include_in_schema=False)
def open_form(visit: TheVisit) -> Response[str]:
    """One question a page: which rules, which kind of table; then the check."""
    visit.check(MANAGEMENT, "open-table")
    ruleset, key = visit.query("ruleset"), visit.query("preset")
    if not ruleset:
        return _choose_document(visit)
    check_ruleset(ruleset)
    found = openings(visit, ruleset)
    chosen = next((one for one in found if one.key == key), None)
    if chosen is None:
        return _choose_preset(visit, ruleset, found)
    return _check(visit, ruleset, key, _values(visit, chosen.preset))


def _choose_document(visit: Visit) -> Response[str]:
    """The document of most tables comes first in mind."""
    used = [notice.ruleset for notice in _open_signs(visit).values()]
    counts = {one: used.count(one) for one in for_money()}
    usual = max(counts, key=lambda one: counts[one])
    context = {"counts": counts, "usual": usual}
    return visit.show("pages/office/open_document.html", **context)


def _choose_preset(visit: Visit, ruleset: str, found: list[Opening]) -> Response[str]:
    kinds: list[Opening] = []
    for one in found:  # of tables that are alike the first stands for all
        if not (one.key.startswith(AS_TABLE) and one.preset in [each.preset for each in kinds]):
            kinds.append(one)
    sheets = {one.key: notice_sheet(one.preset.notice) for one in kinds}
    context = {"ruleset": ruleset, "openings": kinds, "sheets": sheets}
    return visit.show("pages/office/open_preset.html", **context)


def notice_sheet(notice: Notice) -> dict[str, Any]:
    """What hangs at the table, drawn from a notice that may still miss an approval."""
    rules = rules_named(notice.ruleset)
    if rules is None:
        return {"terms": None}
    given = {"table_approval": notice.table_approval or "-", "pairs_approval": "-"}
    try:
        terms: Terms = post_notice(replace(notice, **given), rules)
    except Refused:
        return {"terms": None}
    return {
        "terms": terms,
        "main": main_pays(terms),
        "pairs": pair_pays(terms) if terms.pairs else [],
    }


def _values(visit: Visit, preset: Preset) -> dict[str, str]:
    """What the form starts from: the preset, tonight's gaming day, a table that is free, and since
    when the rules are in force, as it was last said of an open table.
    """
    house, ahead = visit.house, house_ahead(visit.house)
    known = {"effective": _in_force(visit, preset.notice.ruleset)}
    known |= dict(written(msgspec.to_builtins(preset)))
    known["gaming_day"] = house.register.state.settings.day_of(house.time.now_ms(), ahead)
    known["utc_minutes"] = str(ahead)
    known["table"] = _free_tables(visit)[0][0]
    if preset.tray_cents and known["table"] not in house.cage.state.trays:
        known["tray_cents"] = money(preset.tray_cents)
    return known


def _in_force(visit: Visit, ruleset: str) -> str:
    """What managers said of these rules at a table that is open; competitions say their own."""
    rules = rules_named(ruleset)
    if rules is None or rules.document.dated:
        return ""
    states = (visit.table(name).state for name in _open_signs(visit))
    said = (
        state.opened.effective
        for state in states
        if state.opened and state.notice and state.notice.ruleset == ruleset
        if state.conditions is None
    )
    return next(filter(None, said), "")


def _free_tables(visit: Visit) -> tuple[Choice, ...]:
    """The tables that are shut, and a new one by the next number."""
    settings, house = visit.house.register.state.settings, visit.house
    shut = [one.table for one in house.listed() if one.phase == "shut"]
    new = next(f"table-{n}" for n in range(1, 10**6) if f"table-{n}" not in house.tables)
    known = ((table, settings.called(table)) for table in shut)
    return (*known, (new, say("open.new-table", table=settings.called(new))))


class OpeningForm(Struct, frozen=True):
    """What opening a table asks besides the command."""

    table: Name
    tray_cents: Cents | None = None


HIDDEN = ("conditions.", "session", "digest", "play_cents")
"""Not this page's: competitions open their own tables, play money its own."""


def _fields(visit: Visit, values: Mapping[str, str]) -> tuple[Field, ...]:
    ruleset = values.get("notice.ruleset", "")
    asked = fields_of(OpeningForm, values, {"table": FieldChoices(_free_tables(visit))})
    rest = fields_of(OpenTable, values, by_ruleset(ruleset))
    wanted = _wanted(ruleset, pairs=bool(values.get("notice.pairs")))
    shown = (
        replace(field, required=True, longest=MOST_IN_LINE, hint=WANTED_HINTS.get(field.path, ""))
        if field.path in wanted
        else field
        for field in rest
        if not field.path.startswith(HIDDEN)
    )
    return tuple(sorted((*asked, *shown), key=lambda field: field.path not in ASKED))


MOST_IN_LINE = 80
WANTED_HINTS = {"effective": say("open.effective")}
"""What is said of a field that the document wants, where its label does not say it all."""


def _wanted(ruleset: str, *, pairs: bool) -> tuple[str, ...]:
    """What the document wants on record of every table."""
    rules = rules_named(ruleset)
    if rules is None:
        return ()
    wanted = {
        "effective": not rules.document.dated,
        "shoe_approval": bool(rules.shoe.container.approved),
        "backs": bool(rules.cards.backs),
        "notice.table_approval": bool(rules.table.table_approval),
        "notice.pairs_approval": bool(rules.table.pairs_approval) and pairs,
    }
    return tuple(path for path, needed in wanted.items() if needed)


def _first(fields: tuple[Field, ...]) -> tuple[str, ...]:
    """What is asked on the page itself; what the preset says already is folded away."""
    needed = [field.path for field in fields if field.required and not field.value]
    return (*ASKED, *needed)


def _missing(fields: tuple[Field, ...]) -> str:
    """Where one begins to type: what only somebody at the table can say, as a rule its shoe."""
    return next((field.path for field in fields if field.required and not field.value), "shoe")


def _check(
    visit: Visit, ruleset: str, key: str, values: dict[str, str], problem: Exception | None = None
) -> Response[str]:
    """Check, then open; again, with what was typed, if it was refused."""
    fields = _fields(visit, values)
    notice = _notice_typed(values)
    return show_form(
        visit,
        "pages/office/open_check.html",
        problem,
        fields,
        ruleset=ruleset,
        preset=key,
        first=_first(fields),
        focus="" if problem else _missing(fields),
        sheet=notice_sheet(notice) if notice else {"terms": None},
    )


def _notice_typed(values: Mapping[str, str]) -> Notice | None:
    """The notice as far as it can be read."""
    named = {field.path: field.name for field in fields_of(OpenTable, {}, {})}
    form = {
        named[path]: text
        for path, text in values.items()
        if path.startswith("notice.") and path in named
    }
    try:
        facts = facts_of(form, Now(0))
        return msgspec.convert(facts.get("notice"), Notice, strict=False)
    except (ValueError, Refused):
        return None


@post("/house/open-table", include_in_schema=False)
async def open_table(visit: TheVisit) -> Response[Any]:
    """Open it, its tray with it, and go to its pit; a script that asks while somebody types
    (`look`) is shown the notice so far.
    """
    visit.check(MANAGEMENT, "open-table")
    form = await visit.form()
    given, key = visit.command_id(form), form.pop("preset", "")
    looks = bool(form.pop("look", ""))
    typed_ruleset = form.get("notice.ruleset", "")
    ruleset = typed_ruleset if typed_ruleset in for_money() else for_money()[0]

    async def give() -> Response[Any]:
        typed_name, tray = form.get("table", "").strip(), form.get("tray_cents@money", "")
        name = typed_name if typed_name.startswith("table-") else f"table-{typed_name}"
        fields = _fields(visit, by_path(form))
        sheet = Sheet(fields, house_ahead(visit.house), rules_named(ruleset))
        ask, _ = command_of(visit, form, "open-table", TableCommand, sheet, ("table", "tray_cents"))
        if not TABLE_NAME.fullmatch(name):
            raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name[:40])
        stands, has_tray = visit.house.tables.get(name), name in visit.house.cage.state.trays
        if tray.strip() and has_tray and not (stands and stands.state.is_open):
            raise Refused(Reason.TRAY_IS_OPEN, CONDITIONS, table=name)
        await visit.give(name, ask, given)
        if tray.strip() and not has_tray:
            cents = facts_of({"cents@money": tray}, Now(0))["cents"]
            await visit.give("cage", OpenTray(name, cents), f"{given}-tray"[-64:])
        return Redirect(f"/tables/{name}/pit", status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _check(visit, ruleset, key, typed, problem)

    if looks:  # somebody is typing: the notice as it would hang
        return _check(visit, ruleset, key, by_path(form))
    return await or_again(visit, form, give(), again)


HANDLERS = (open_form, open_table)
