"""Commands to cage and register, from forms."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.server.addresses import Short
from puntobanco.server.commands.counters import counter_at
from puntobanco.server.commands.form_cycle import command_of, or_again, show_form
from puntobanco.server.commands.forms import fields_of
from puntobanco.server.pages.office.settings import set_now
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words.commands import COMMANDS

MOST_SUGGESTED = 300
"""People that a field suggests."""


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
    kind = counter.kind(name)
    visit.check(counter.allowed[kind].roles, name)
    suggest = {
        "person": tuple(visit.house.register.state.people)[:MOST_SUGGESTED],
        "table": tuple(visit.house.tables),
        "number": tuple(map(str, visit.house.cage.state.slips)),
    }
    back = _local(values.pop("back", "") or counter.back)
    context = {"action": f"/house/do/{at}/{name}", "back": back, "said": COMMANDS[name]}
    known = set_now(visit.house.register.state.settings, name, values.get("table", ""))
    fields = fields_of(kind, {**known, **values}, suggest)
    return show_form(visit, "pages/office/form.html", problem, fields=fields, **context)


@post("/house/do/{at:str}/{name:str}", include_in_schema=False)
async def house_give(visit: TheVisit, at: Short, name: Short) -> Response[Any]:
    """Any command to the cage or the register, from a form."""
    counter = counter_at(at)
    counter.kind(name)
    form = await visit.form()
    given, back = visit.command_id(form), form.pop("back", "") or counter.back

    async def give() -> Response[Any]:
        ask, _ = command_of(visit, form, name, counter.union)
        await visit.give(at, ask, given)
        return Redirect(_local(back), status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _form(visit, at, name, {**typed, "back": back}, problem)

    return await or_again(visit, form, give(), again)


def _local(path: str) -> str:
    """A page of this house, and no other."""
    good = path.startswith("/house") and "//" not in path and "\\" not in path
    return path if good and path.isprintable() else "/house"


HANDLERS = (house_form, house_give)
