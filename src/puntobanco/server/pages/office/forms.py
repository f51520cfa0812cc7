"""Commands to cage and register, from forms."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.house.access.names import person_called
from puntobanco.house.till.time_zone import zones_known
from puntobanco.register.presets import shipped_presets
from puntobanco.register.settings import CURRENCIES
from puntobanco.rules.documents.texts import for_money
from puntobanco.server.addresses import Short
from puntobanco.server.commands.counters import counter_at
from puntobanco.server.commands.form_cycle import Sheet, by_path, command_of, or_again, show_form
from puntobanco.server.commands.forms import Choice, Field, FieldChoices, fields_of
from puntobanco.server.commands.prefill import by_ruleset, people_known, rules_named
from puntobanco.server.commands.typed import written
from puntobanco.server.pages.cage.chips import slip_again
from puntobanco.server.pages.office.open_table import preset_of
from puntobanco.server.pages.office.person import SHORT, show_again
from puntobanco.server.pages.office.settings import set_now
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words import told_money
from puntobanco.words.commands import COMMANDS


@get("/house/do/{at:str}/{name:str}", sync_to_thread=False, include_in_schema=False)
def house_form(visit: TheVisit, at: Short, name: Short) -> Response[str]:
    """The form of one command to the cage or the register."""
    given = {key: str(value)[:200] for key, value in visit.request.query_params.items()}
    return _form(visit, at, name, given)


def _form(
    visit: Visit, at: str, name: str, values: dict[str, str], problem: Exception | None = None
) -> Response[str]:
    """The form; again, with what was typed, if it was refused."""
    counter = counter_at(at)
    visit.check(counter.allowed[counter.kind(name)].roles, name)
    back = _local(values.pop("back", "") or counter.back)
    context: dict[str, Any] = {"action": f"/house/do/{at}/{name}", "back": back}
    fields = _fields(visit, at, name, values)
    needed = {field.path for field in fields if field.required and not field.value}
    first = {*FIRST[name], *needed} if name in FIRST else {field.path for field in fields}
    context |= {"said": COMMANDS[name], "first": first, "way": _way(visit, back)}
    return show_form(visit, "pages/office/form.html", problem, fields, **context)


def _fields(visit: Visit, at: str, name: str, values: dict[str, str]) -> tuple[Field, ...]:
    """What a form asks for, filled in with what is set now."""
    house, kind = visit.house, counter_at(at).kind(name)
    settings = house.register.state.settings
    now = set_now(settings, name, values.get("table", ""))
    if name == "set-preset":
        now = _preset_now(visit, values)
    tables = {one: settings.called(one) for one in house.tables}
    if values.get("table"):
        tables.setdefault(values["table"], settings.called(values["table"]))
    suggest = {
        "person": people_known((_people(visit, name), True), _names(visit)),
        "table": FieldChoices(tuple(tables.items())),
        "number": FieldChoices(_told_slips(visit)),
        "proposal": FieldChoices(_told_proposals(visit, at)),
        "currency": FieldChoices(tuple((code, code) for code in sorted(CURRENCIES))),
    }
    if name == "set-time-zone":
        suggest["zone"] = FieldChoices(tuple((one, one) for one in zones_known()), only=False)
    chosen = {**now, **values}.get("notice.ruleset", "")
    if name == "set-preset":
        suggest |= by_ruleset(chosen)
    if name == "drop-preset":
        suggest["name"] = FieldChoices(tuple((one, one) for one in settings.presets))
    if name == "enrol":  # an id that nobody has yet
        del suggest["person"]
    return fields_of(kind, {**now, **values}, suggest)


def _preset_now(visit: Visit, values: dict[str, str]) -> dict[str, str]:
    """What a preset starts from: itself, an open table as it is, or the document's sample."""
    kept, table = visit.house.register.state.settings.presets, values.pop("from", "")
    ruleset, key = values.get("notice.ruleset", ""), values.pop("preset", "")
    if key in kept:
        found = kept[key]
    elif table:
        found = preset_of(visit, table)
    else:
        found = shipped_presets(ruleset if ruleset in for_money() else for_money()[0])["main"]
    return {"name": key if key in kept else "", **dict(written(msgspec.to_builtins(found)))}


def _people(visit: Visit, name: str) -> tuple[str, ...]:
    """Whom a command can be about: patrons at the cage, staff where roles are given."""
    wanted = KIND_OF.get(name)
    people, gone = visit.house.register.state.people, visit.house.people.erased()
    return tuple(
        who
        for who, member in people.items()
        if who not in gone and (not wanted or member.kind == wanted)
    )


FIRST = {
    "set-preset": (
        *("name", "notice.ruleset", "notice.decks", "tray_cents"),
        *("notice.limits.min_cents", "notice.limits.max_cents"),
    )
}
"""By command with a long form, what is asked at once; all else is folded away, as it usually is."""
KIND_OF = {
    **dict.fromkeys(("open-account", "deposit", "withdraw"), "patron"),
    **dict.fromkeys(("grant", "revoke"), "staff"),
}


def _names(visit: Visit) -> dict[str, str]:
    return {who: one.name for who, one in visit.house.people.all().items()}


def _told_slips(visit: Visit) -> tuple[Choice, ...]:
    """The slips that wait, each as people speak of it."""
    register = visit.house.register.state
    return tuple(
        (
            str(number),
            say(
                "forms.slip",
                number=number,
                kind=slip.kind,
                amount=told_money(slip.cents, register.currency),
                table=register.settings.called(slip.table),
            ),
        )
        for number, slip in visit.house.cage.state.slips.items()
    )


def _told_proposals(visit: Visit, at: str) -> tuple[Choice, ...]:
    """What waits for a second person there, each in words."""
    house, told = visit.house, visit.kept.pages.told_by_two
    proposals = (house.cage if at == "cage" else house.register).state.proposals
    return tuple((str(number), told(one.ask)) for number, one in proposals.items())


@post("/house/do/{at:str}/{name:str}", include_in_schema=False)
async def house_give(visit: TheVisit, at: Short, name: Short) -> Response[Any]:
    """Any command to the cage or the register, from a form."""
    counter = counter_at(at)
    visit.check(counter.allowed[counter.kind(name)].roles, name)
    form = await visit.form()
    given, back = visit.command_id(form), form.pop("back", "") or counter.back

    async def give() -> Response[Any]:
        rules = rules_named(form.get("notice.ruleset", ""))
        sheet = Sheet(_fields(visit, at, name, by_path(form)), rules=rules)
        ask, _ = command_of(visit, form, name, counter.union, sheet)
        await visit.give(at, ask, given)
        return Redirect(_local(back), status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        person = typed.get("person", "")
        if name in SHORT and back == f"/house/people/{person}":
            return show_again(visit, person, name, typed, problem)
        number = typed.get("number", "")
        if name == "void-slip" and number.isdecimal() and back == f"/house/cage/slips/{number}":
            return slip_again(visit, int(number), typed, problem)
        return _form(visit, at, name, {**typed, "back": back}, problem)

    return await or_again(visit, form, give(), again)


def _way(visit: Visit, back: str) -> list[tuple[str, str]]:
    """Where the form is: the pages above it, with their names."""
    page, _, rest = back.removeprefix("/house/").partition("/")
    above = [(href, say(words)) for href, words in ABOVE.get(page, (("/house", "office"),))]
    if page == "people" and rest in visit.house.register.state.people:
        above.append((back, person_called(visit.house, rest)))
    if back == "/house/cage/chips":
        above.append((back, say("chips.title")))
    return above


ABOVE = {
    "settings": (("/house", "office"), ("/house/settings", "office.settings")),
    "people": (("/house/people", "people.title"),),
    "cage": (("/house/cage", "till"),),
}
"""By page of the house, the way to it."""


def _local(path: str) -> str:
    """A page of this house, and no other."""
    good = path.startswith("/house") and "//" not in path and "\\" not in path
    return path if good and path.isprintable() else "/house"


HANDLERS = (house_form, house_give)
