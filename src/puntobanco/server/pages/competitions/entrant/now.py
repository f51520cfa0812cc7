"""What an entrant is to know and to do now: apply, endorse, pay, where they play, their turn."""

from collections.abc import Awaitable
from functools import partial
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.competition.commands import CompetitionCommand
from puntobanco.competition.dates import day_at, kinder_deadline
from puntobanco.competition.may import GIVEN, why_not_in
from puntobanco.errors import Reason, Refused
from puntobanco.house.competitions.entrant import sits_for
from puntobanco.house.competitions.public.names import PublicNames
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.competition.ways import ways_of
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.api.competitions import seen_by_entrant
from puntobanco.server.commands.form_cycle import CORRECTABLE
from puntobanco.server.errors import http_status
from puntobanco.server.pages.competitions.papers.terms import day_told, terms_told
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.commands import TakeSeat
from puntobanco.words import capitalised, explain

FOLDER = "pages/competitions/entrant"
NOW_REGIONS = {name: f"{FOLDER}/{name}.html" for name in ("top", "body", "tail")}
BOARD_REGIONS = {name: f"{FOLDER}/{name}.html" for name in ("top", "lines")}
"""What of each page is sent anew while things go on."""
OWN = ("apply", "endorse", "pay-entry", "withdraw")
"""Commands that an entrant gives for their own entry."""


def entrant_context(visit: Visit, cup: str) -> dict[str, Any]:
    """All that the pages of an entrant show."""
    stream = visit.competition(cup)
    me = seen_by_entrant(visit, cup)
    by, now_ms = visit.actor(stream.name), visit.house.time.now_ms()
    deadline = kinder_deadline(stream.state, me.entry.refund_until if me.entry else "")

    def can(name: str, **facts: object) -> bool:
        return why_not_in(stream.state, name, by, facts) is None

    return {
        "cup": cup,
        "me": me,
        "can": can,
        "now_ms": now_ms,
        "since": entrant_version(visit, cup),
        "says": stream.state.says,
        "text": stream.state.versions[me.version].text,
        "hash": stream.state.versions[me.version].hash,
        "places": stream.state.places,
        "cancelled": stream.state.cancelled,
        "entrants": sum(one.paid_cents > 0 for one in stream.state.entries.values()),
        "called": PublicNames(visit.house, stream.state) if stream.state.places else None,
        "terms": partial(terms_told, visit, stream.state),
        "late": ways_of(stream.state.conditions.play, stream.state.rules)["late"],
        "refund_until": day_told(deadline) if deadline else "",
        "refund_past": bool(deadline) and day_at(stream.state, now_ms).isoformat() > deadline,
        "held": visit.query("v")[:6],
    }


def entrant_version(visit: Visit, cup: str) -> str:
    """Moves whenever anything moves that the caller's phone shows."""
    stream, house = visit.competition(cup), visit.house
    state = stream.state
    session = state.sessions.get(state.session)
    entry = state.entries.get(sits_for(state, visit.person))
    at = session.moved.get(entry.table, entry.table) if session and entry else ""
    table = house.tables[at].seq if at in house.tables else 0
    return f"{stream.seq}.{table}.{house.cage.state.accounts.get(visit.person)}"


@get("/competitions/{competition:str}/me", sync_to_thread=False, include_in_schema=False)
def me_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """Where the code on a poster or an entry form leads, and what comes next from there on."""
    return show_now(visit, competition)


def show_now(visit: Visit, cup: str, problem: Exception | None = None) -> Response[str]:
    """The page; again, with what is wrong, if something was refused."""
    shown = visit.show(
        f"{FOLDER}/now.html",
        **entrant_context(visit, cup),
        problem=told(problem, visit.house.register.state.currency),
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


def told(problem: Exception | None, currency: str) -> str:
    """Why it was refused, and what to do."""
    if problem is None:
        return ""
    if not isinstance(problem, Refused):
        return str(problem)
    happened, remedy = explain(problem, currency)
    return f"{capitalised(happened)}. {remedy}"


@get("/competitions/{competition:str}/me/board", sync_to_thread=False, include_in_schema=False)
def board_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """How the players at the entrant's table stand, or the places."""
    return visit.show(f"{FOLDER}/board.html", **entrant_context(visit, competition))


@post([f"/competitions/{{competition:str}}/me/{name}" for name in OWN], include_in_schema=False)
async def me_gives(visit: TheVisit, competition: CompetitionName) -> Response[Any]:
    """A command for one's own entry, from the phone."""
    name = visit.request.scope["path"].rpartition("/")[2]
    visit.check(GIVEN[name].roles, name, f"{COMPETITION}{competition}")
    form = await visit.form()
    given, shown = visit.command_id(form), form.pop("shown", "")
    version = {"version": int(form["version"])} if form.get("version", "").isdecimal() else {}
    ask = msgspec.convert({"do": name, **version}, CompetitionCommand)
    stream = visit.competition(competition)

    async def give() -> Response[Any]:
        await visit.give(stream.name, ask, given, shown)
        return Redirect(f"/competitions/{competition}/me", status_code=303)

    return await or_now(visit, competition, give())


@post("/competitions/{competition:str}/me/take-seat", include_in_schema=False)
async def me_sits(visit: TheVisit, competition: CompetitionName) -> Response[Any]:
    """The seat that was drawn, taken from the phone once the table is there."""
    visit.actor(f"{COMPETITION}{competition}")
    given, table = visit.command_id(await visit.form()), seen_by_entrant(visit, competition).table
    if table is None:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)

    async def give() -> Response[Any]:
        await visit.give(table.at, TakeSeat(), given)
        return Redirect(f"/competitions/{competition}/me", status_code=303)

    return await or_now(visit, competition, give())


async def or_now(visit: Visit, cup: str, work: Awaitable[Response[Any]]) -> Response[Any]:
    """What came of it, or the page as it is now with what was wrong."""
    try:
        return await work
    except CORRECTABLE as problem:
        if not visit.wants_page or not visit.person:
            raise
        return show_now(visit, cup, problem)


HANDLERS = (me_page, board_page, me_gives, me_sits)
