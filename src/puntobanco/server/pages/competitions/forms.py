"""The form of each command of a competition, and what it would bring about."""

import re
from datetime import datetime  # noqa: TID251  to read a moment, not to ask for one
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.competition import commands as c
from puntobanco.competition.dates import clocks_ahead
from puntobanco.competition.may import GIVEN, KINDS
from puntobanco.competition.queries import entry_numbers
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.names import person_called
from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION
from puntobanco.house.till.time_zone import by_the_clock
from puntobanco.rules.competition.shipped import TEMPLATES, template_text
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName, Short
from puntobanco.server.api.competitions import seen_by
from puntobanco.server.commands.form_cycle import Sheet, by_path, command_of, or_again, show_form
from puntobanco.server.commands.forms import Field, FieldChoices, fields_of
from puntobanco.server.commands.preview import UNSEEN, Preview, foreseen_in
from puntobanco.server.commands.typed import written
from puntobanco.server.shell import local_path
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import name_of
from puntobanco.words.competition import (
    COMPETITION_COMMANDS,
    COMPETITION_FIELDS,
    COMPETITION_OWN,
)

MOST_SUGGESTED = 300
DESIGNATE, TABLE = name_of(c.DesignateTable), "table-"
APART, GROUPS = name_of(c.KeepApart), "groups@groups"
NEXT_WAITING = name_of(c.TakeReserve)
IN_CHIPS = name_of(c.SetPlayOffChips)
"""The one command that may name a table which is not there yet: it is opened for the session."""


def _table_typed(visit: Visit, typed: str) -> str:
    """The table that is called so; else one of that name, which the house opens for the session.
    Nothing stays nothing: the form asks for it.
    """
    house, typed = visit.house, " ".join(typed.split()).casefold()
    if not typed:
        return ""
    settings = house.register.state.settings
    called = {settings.called(one).casefold(): one for one in (*house.tables, *settings.tables)}
    return called.get(typed, TABLE + typed.replace(" ", "-"))


def _by_number(visit: Visit, cup: str, typed: str) -> str:
    """People of groups who were written by the numbers of their entries; others stay as typed."""
    numbers = entry_numbers(visit.competition(cup).state)
    numbered = {str(number): who for who, number in numbers.items() if str(number) not in numbers}
    return re.sub(r"[^,\s]+", lambda found: numbered.get(found[0], found[0]), typed)


def words_for(by: Actor) -> dict[str, Any]:
    """What commands are called for this reader: an entrant is told of their own entry."""
    own = COMPETITION_OWN if by.roles == {Role.PATRON} else {}
    return {**COMPETITION_COMMANDS, **own}


@get("/competitions/{competition:str}/do/{name:str}", sync_to_thread=False, include_in_schema=False)
def cup_form(visit: TheVisit, competition: CompetitionName, name: Short) -> Response[str]:
    """The form of one command, filled in as far as anything is known."""
    given = {key: str(value)[:200] for key, value in visit.request.query_params.items()}
    return _form(visit, competition, name, given)


def _form(
    visit: Visit, cup: str, name: str, values: dict[str, str], problem: Exception | None = None
) -> Response[str]:
    """The form; again, with what was typed, if it was refused."""
    if name not in KINDS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    by = visit.check(GIVEN[name].roles, name, f"{COMPETITION}{cup}")
    return show_form(
        visit,
        "pages/competitions/form.html",
        problem,
        _fields(visit, cup, name, by, values),
        cup=cup,
        action=f"/competitions/{cup}/do/{name}",
        said=words_for(by)[name],
        final=GIVEN[name].final,
        previewed=GIVEN[name].final and KINDS[name] not in UNSEEN,
        second=sorted(GIVEN[name].second),
    )


def _fields(
    visit: Visit, cup: str, name: str, by: Actor, values: dict[str, str]
) -> tuple[Field, ...]:
    patron = by.roles == {Role.PATRON}
    if name == "draft" and f"{COMPETITION}{cup}" not in visit.house.competitions:
        known = {"text": begun_from(visit, values.get("template", ""))}
        return fields_of(KINDS[name], known | values, {})
    seen, state = seen_by(visit, cup).view, visit.competition(cup).state
    known = {
        "text": seen.draft or seen.text,
        "version": str(seen.version or ""),
        "role": Role.DIRECTOR.value,
        "proposal": str(next(iter(seen.proposals), "")),
        "dispute": str(next((n for n, one in seen.disputes.items() if not one.decision), "")),
        "words": "",
        "into": state.conditions.secondary.into if state.version else "",
        "groups": "\n".join(" ".join(group) for group in seen.apart),
    }
    if name == NEXT_WAITING:
        known["person"] = next(iter(seen.reserves), "")
    everyone = tuple(seen.entries)
    people = (by.person,) if patron else everyone or tuple(visit.house.register.state.people)
    names = {who: person_called(visit.house, who) for who in people[:MOST_SUGGESTED]}
    settings, designates = visit.house.register.state.settings, name == DESIGNATE
    own = (*seen.tables, *(table for one in seen.sessions for table in one.seats))
    others = (*visit.house.tables, *settings.tables) if designates else ()
    tables = dict.fromkeys((*own, *others))
    stages = dict.fromkeys(one.stage for one in seen.sessions)
    suggest = {
        **dict.fromkeys(("person", "instead_of", "people", "order"), _known(names, only=False)),
        **dict.fromkeys(
            ("table", "at"),
            _known({one: settings.called(one) for one in tables}, only=not designates),
        ),
        "stage": _known({one: one for one in stages}, only=False),
        "proposal": _known({str(n): _title(one.ask) for n, one in seen.proposals.items()}),
        "dispute": _known({str(n): one.about[:80] for n, one in seen.disputes.items()}),
    }
    fields = fields_of(KINDS[name], known | values, suggest)
    if name == IN_CHIPS and visit.competition(cup).state.conditions.chips == "competition":
        fields = tuple(replace(one, chips=True) for one in fields)
    return tuple(one for one in fields if one.name != "person" or not patron)


def begun_from(visit: Visit, begin: str) -> str:
    """The conditions that new ones begin with: a template's, or those in force elsewhere."""
    kind, _, name = begin.partition(":")
    if kind == "copy":
        return seen_by(visit, name).view.text
    return _by_this_clock(visit, template_text(begin)) if begin in TEMPLATES else ""


STARTS = re.compile(r'^(start = ")([^"]+)"', re.MULTILINE)


def _by_this_clock(visit: Visit, text: str) -> str:
    """A template's starts, by the clock of this house: they were written for no house."""

    def here(found: re.Match[str]) -> str:
        moment = datetime.fromisoformat(found[2]).replace(tzinfo=None)
        return f'{found[1]}{by_the_clock(visit.house, moment).isoformat()}"'

    return STARTS.sub(here, text)


def _known(choices: dict[str, str], *, only: bool = True) -> FieldChoices:
    return FieldChoices(tuple(choices.items()), only)


def _title(ask: Struct) -> str:
    return COMPETITION_COMMANDS[str(ask.__struct_config__.tag)].title


@post("/competitions/{competition:str}/do/{name:str}", include_in_schema=False)
async def cup_give(visit: TheVisit, competition: CompetitionName, name: Short) -> Response[Any]:
    """Any command to a competition, from a form."""
    if name not in KINDS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    visit.check(GIVEN[name].roles, name, f"{COMPETITION}{competition}")
    form = await visit.form()
    given = visit.command_id(form)
    if name == DESIGNATE and not form.get("table", TABLE).startswith(TABLE):
        form["table"] = _table_typed(visit, form["table"])
    if name == APART:
        form[GROUPS] = _by_number(visit, competition, form.get(GROUPS, ""))
    shown, preview_wanted = form.pop("shown", ""), form.pop("preview", "")
    back = form.pop("back", "")
    if not back.startswith(f"/competitions/{competition}/") or "\\" in back:
        back = f"/competitions/{competition}"

    async def give() -> Response[Any]:
        by = visit.check(GIVEN[name].roles, name, f"{COMPETITION}{competition}")
        fields = _fields(visit, competition, name, by, by_path(form))
        sheet = Sheet(fields, _clocks_ahead(visit, competition))
        ask, fixed = command_of(visit, form, name, c.CompetitionCommand, sheet)
        if preview_wanted:
            return _foreseen(
                visit, competition, name, fixed, await foreseen_in(visit, competition, ask)
            )
        done = await visit.give(f"{COMPETITION}{competition}", ask, given, shown)
        if not visit.wants_page:  # a script, whose page is live
            return Response(done, status_code=200)
        return Redirect(local_path(back), status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _form(visit, competition, name, typed, problem)

    return await or_again(visit, form, give(), again)


def _clocks_ahead(visit: Visit, cup: str) -> int:
    """How far the clocks by which its conditions give a start are ahead of UTC, in minutes."""
    stream = visit.house.competitions.get(f"{COMPETITION}{cup}")
    return clocks_ahead(stream.state) if stream else 0


def _foreseen(
    visit: Visit, cup: str, name: str, form: dict[str, str], preview: Preview
) -> Response[str]:
    """What a command would bring about, to be confirmed or left."""
    by = visit.gateway.spectator(visit.caller, f"{COMPETITION}{cup}")
    said = words_for(by)[name]
    action = f"/competitions/{cup}/do/{name}"
    return visit.show(
        "pages/competitions/preview.html",
        cup=cup,
        said=said,
        action=action,
        form=form,
        preview=preview,
    )


def told_proposal(house: House, ask: Struct) -> str:
    """A command that waits for a second person, with what its form says, people by their names."""
    facts = msgspec.to_builtins(ask, str_keys=True)
    name = facts["do"]
    told = {
        field.path: _told(house, field.path, facts.get(field.path))
        for field in fields_of(KINDS[name], {}, {})
    }
    said = [f"{_label(path)} {text}" for path, text in told.items() if text]
    title = COMPETITION_COMMANDS[name].title
    return f"{title}: {', '.join(said)}" if said else title


LONGEST_TOLD = 200
"""Longer facts, such as conditions or a draw, are read where they are approved."""


def _told(house: House, path: str, fact: object) -> str:
    """A fact as its form shows it; several one after another."""
    facts = fact if isinstance(fact, list) else [fact]
    texts = [_called(house, text) for one in facts for _, text in written(one, path)]
    told = ", ".join(texts)
    return "" if isinstance(fact, dict) or len(told) > LONGEST_TOLD else told


def _called(house: House, fact: str) -> str:
    """A person or a table by name; whatever else is said, as it stands."""
    if fact in house.register.state.people:
        return person_called(house, fact)
    return house.register.state.settings.called(fact) if fact in house.tables else fact


def _label(path: str) -> str:
    label = COMPETITION_FIELDS.get(path, path.rpartition(".")[2])
    return label.partition(",")[0].lower()


HANDLERS = (cup_form, cup_give)
