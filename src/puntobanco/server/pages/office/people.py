"""People of the house on the web: one list of staff and patrons, and somebody new."""

from typing import Any

import msgspec
from litestar import Response, get, post

from puntobanco.errors import Refused
from puntobanco.house.access import desk
from puntobanco.house.access.names import fit_name
from puntobanco.house.access.people import Person
from puntobanco.house.access.rights import DESK, MANAGEMENT, OVERSEES, WATCHES
from puntobanco.house.stream import COMPETITION
from puntobanco.house.till.patron import duties_taken, places_taken, whose_code
from puntobanco.house.till.versions import people_version
from puntobanco.register import commands as register
from puntobanco.server.pages.office.person import GRANTABLE, show_person, slip_for
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Role
from puntobanco.table.commands import Name, Note
from puntobanco.table.commands import Person as PersonId
from puntobanco.words import capitalised

MOST_SHOWN = 60
"""People on one page; a search finds the others."""
FILTERS = ("all", "on-duty", "staff", "patron", "out", "bot")
FIRST_NUMBER = 1001


def _is_shown(one: desk.Enrolled, show: str, on_duty: set[str], now_ms: int) -> bool:
    """Bots have a list of their own, and are in no other."""
    member = one.member
    if show == "bot" or member.bot is not None:
        return show == "bot" and member.bot is not None
    match show:
        case "on-duty":
            return one.person in on_duty
        case "out":
            return not member.enabled or member.excluded_until_ms > now_ms
        case "all":
            return True
        case _:
            return member.kind == show


def people_context(visit: Visit) -> dict[str, Any]:
    """The list as it was asked for: the page and its live regions have it alike."""
    by, word = visit.actor(), whose_code(visit.query("q")[:80])
    show = visit.query("show", "all")
    show = show if show in FILTERS else "all"
    found = desk.enrolled(visit.house, by, word)
    duties = duties_taken(visit.house)
    groups = {
        name: [one for one in found if _is_shown(one, name, set(duties), by.at_ms)]
        for name in FILTERS
    }
    return {
        "people": groups[show][:MOST_SHOWN],
        "counts": {name: len(group) for name, group in groups.items()},
        "more": max(0, len(groups[show]) - MOST_SHOWN),
        "word": word,
        "show": show,
        "duties": duties,
        "now_ms": by.at_ms,
        "places": places_taken(visit.house),
        "someone": visit.query("person")[:64],
        "may": bool(by.roles & DESK),
        "manages": bool(by.roles & MANAGEMENT),
        "oversees": bool(by.roles & OVERSEES),
        "since": people_version(visit.house),
    }


@get("/house/people", sync_to_thread=False, include_in_schema=False)
def people(visit: TheVisit) -> Response[str]:
    """Everybody who belongs to the house; staff first."""
    visit.check(WATCHES, "people")
    return visit.show("pages/office/people.html", **people_context(visit))


# somebody new


def _next_number(visit: Visit) -> str:
    """An id that says nothing of the person: the next number."""
    numbers = [
        int(person)
        for person in visit.house.register.state.people
        if person.isdecimal() and len(person) < 10
    ]
    return str(max(numbers, default=FIRST_NUMBER - 1) + 1)


def _enrol_form(visit: Visit, typed: dict[str, str], problems: dict[str, str]) -> Response[str]:
    by = visit.check(DESK, "enrol")
    roles = [role for role in GRANTABLE if by.roles & MANAGEMENT]
    shown = visit.show(
        "pages/office/enrol.html", typed=typed, problems=problems, kinds=["patron", *roles]
    )
    shown.status_code = 409 if problems else 200
    return shown


@get("/house/enrol", sync_to_thread=False, include_in_schema=False)
def enrol_form(visit: TheVisit) -> Response[str]:
    """What somebody will be, what they are called, and the number that stays on record; whoever
    is to enter a competition is led back to its desk.
    """
    typed = {"kind": visit.query("kind")[:40], "name": visit.query("name")[:80]}
    typed["cup"] = visit.query("cup")[:60]
    return _enrol_form(visit, {**typed, "person": _next_number(visit)}, {})


def _enrol_faults(form: dict[str, str]) -> dict[str, str]:
    """All that is wrong with what was typed, by field."""
    problems = {}
    for name, kind in (("person", PersonId), ("name", Name), ("contact", Note)):
        try:
            msgspec.convert(form.get(name, "").strip(), kind)
        except msgspec.ValidationError:
            problems[name] = say(f"enrol.wrong.{name}")
    if form.get("kind") not in ("patron", "staff", *GRANTABLE):
        problems["kind"] = say("enrol.wrong.kind")
    return problems


def _told(visit: Visit, error: Refused) -> str:
    """A refusal beside its field."""
    happened, remedy = visit.words_of(error)
    return f"{capitalised(happened)}. {remedy}"


@post("/house/people", include_in_schema=False)
async def enrol(visit: TheVisit) -> Response[Any]:
    """A new member of staff or a new patron; it ends in a slip, which is shown once.

    Their name stands where it can be erased.
    """
    form = await visit.form()
    given, problems = visit.command_id(form), _enrol_faults(form)
    if problems:
        return _enrol_form(visit, form, problems)
    person, asked = form["person"].strip(), form["kind"]
    kind: register.Kind = "patron" if asked == "patron" else "staff"
    try:
        name = fit_name(form["name"])
    except Refused as error:
        return _enrol_form(visit, form, {"name": _told(visit, error)})
    try:
        await visit.give("register", register.Enrol(person, kind), given)
    except Refused as error:
        if not visit.wants_page or not visit.person:
            raise
        return _enrol_form(visit, form, {"person": _told(visit, error)})
    visit.house.people.put(Person(person, name, form.get("contact", "").strip()))
    if asked in GRANTABLE:
        grant = register.Grant(person, Role(asked))
        await visit.give("register", grant, f"{given[:50]}-role")
    cup = form.get("cup", "")
    cup = cup if kind == "patron" and f"{COMPETITION}{cup}" in visit.house.competitions else ""
    return show_person(visit, person, enrolled=True, cup=cup, **await slip_for(visit, person))


HANDLERS = (people, enrol_form, enrol)
