"""The entries of a competition: how full it is, who lacks what, and the desk for walk-ins."""

from base64 import b64decode
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.cage.view import KEEPERS
from puntobanco.competition.authority import CASHIER, DESK
from puntobanco.competition.may import why_not_in
from puntobanco.competition.path import path_of
from puntobanco.competition.view import SEES_ENTRIES
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.competitions.entry_list import COLUMNS, entries_csv
from puntobanco.house.competitions.found_entries import MOST_SHOWN, SHOWS, find_entries
from puntobanco.house.competitions.lists.records import record_csv
from puntobanco.house.competitions.lists.taking_in import import_entries, plan_list
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName, Short
from puntobanco.server.api.competitions import data_of, seen_by
from puntobanco.server.commands.form_cycle import or_again
from puntobanco.server.errors import http_status
from puntobanco.server.pages.competitions.console import common_context, way_for
from puntobanco.server.pages.competitions.desk import desk_facts, enter_walk_in
from puntobanco.server.pages.competitions.entrant.now import told
from puntobanco.server.pages.competitions.papers.shelf import papers_for
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit

ACTS = {"to-accept": "accept", "unpaid": "pay-entry", "not-endorsed": "endorse"}
"""By what it lacks, the command that an entry waits for."""
MOST_DIGITS = 6
MOST_TEXT = 2_000_000


@get("/competitions/{competition:str}/entries", sync_to_thread=False, include_in_schema=False)
def entries_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """The list, cut down as asked; beside it the desk, for whoever takes fees."""
    return _entries(visit, competition)


def _entries(
    visit: Visit,
    competition: str,
    typed: Mapping[str, str] | None = None,
    problem: Exception | None = None,
) -> Response[str]:
    """The page; again, with what was typed at the desk, if it was refused."""
    stream = visit.competition(competition)
    by = visit.check(SEES_ENTRIES, "entries", stream.name)
    seen = seen_by(visit, competition)
    show, word = visit.query("show", "all")[:20], visit.query("q").strip()[:80]
    from_ = visit.query("from")
    start = int(from_) if from_.isdecimal() and len(from_) < MOST_DIGITS else 0
    found = find_entries(
        stream.state, seen.people, visit.house.people.aliases(), (show, word), start
    )

    def can(name: str, **facts: object) -> bool:
        return why_not_in(stream.state, name, by, facts) is None

    shown = visit.show(
        "pages/competitions/entries.html",
        **common_context(visit, seen, by),
        **desk_facts(visit, competition, can, typed or {}),
        problem=told(problem, visit.house.register.state.currency),
        cup=competition,
        papers=papers_for(visit, competition),
        path=path_of(stream.state),
        path_href=way_for(by),
        found=found,
        shows=SHOWS,
        show=show if show in SHOWS else "all",
        word=word,
        start=start,
        page=MOST_SHOWN,
        acts=ACTS,
        keeps_receipts=bool(by.roles & KEEPERS),
        can=can,
        closes=stream.state.conditions.entry.until if stream.state.version else "",
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


@post("/competitions/{competition:str}/entries/desk", include_in_schema=False)
async def walk_in(visit: TheVisit, competition: CompetitionName) -> Response[Any]:
    """A walk-in at the desk, entered in one step."""
    visit.check(CASHIER, "entries", f"{COMPETITION}{competition}")
    form = await visit.form()
    given = visit.command_id(form)

    async def enter() -> Response[Any]:
        person = await enter_walk_in(visit, competition, form, given)
        at = f"/competitions/{competition}/entries?{urlencode({'done': person})}"
        return Redirect(at, status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _entries(visit, competition, typed, problem)

    return await or_again(visit, form, enter(), again)


@get("/competitions/{competition:str}/entries.csv", sync_to_thread=False, include_in_schema=False)
def entries_file(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """The entries as CSV, with names for staff and contacts for those who see to entrants."""
    visit.check(SEES_ENTRIES, "entries", visit.competition(competition).name)
    seen = seen_by(visit, competition)
    headers = {"Content-Disposition": f'attachment; filename="{competition}-entries.csv"'}
    text = entries_csv(seen.view.entries, seen.people, seen.aliases)
    return Response(text, media_type=FORMS["csv"], headers=headers)


@get("/competitions/{competition:str}/entries/list", sync_to_thread=False, include_in_schema=False)
def list_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """Where a list of entrants is taken in."""
    visit.check(DESK, "entries", visit.competition(competition).name)
    return _list(visit, competition, "")


def _list(
    visit: Visit, cup: str, text: str, rows: Any = None, problem: str = "", done: int = 0
) -> Response[str]:
    state = visit.competition(cup).state
    return visit.show(
        "pages/competitions/entry_list.html",
        cup=cup,
        name=state.conditions.name if state.version else cup,
        text=text,
        rows=rows,
        wrong=[one for one in rows or () if one.wrong],
        problem=problem,
        done=done,
        columns=COLUMNS,
    )


@post("/competitions/{competition:str}/entries/list", include_in_schema=False)
async def list_sent(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """A list looked at, row by row, or taken in."""
    by = visit.check(DESK, "entries", f"{COMPETITION}{competition}")
    form, text = await visit.form(), ""
    try:
        text = _list_text(form)
        if form.get("do") == "take":
            done = await import_entries(visit.house, competition, text, by.person)
            return _list(visit, competition, "", done=done)
        rows = plan_list(visit.house, competition, text, by.person)
    except MalformedError as wrong:
        shown = _list(visit, competition, text, problem=str(wrong))
        shown.status_code = 400
        return shown
    return _list(visit, competition, text, rows)


def _list_text(form: dict[str, str]) -> str:
    """What was pasted, or the file that was chosen; a browser sends lines with CR LF."""
    text = form.get("text", "")
    if sent := form.get("file", ""):
        try:
            text = b64decode(sent).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise MalformedError(say("list.letters")) from error
    if len(text) > MOST_TEXT:
        raise MalformedError(say("list.long"))
    return text.replace("\r\n", "\n")


@get("/competitions/{competition:str}/data/{file:str}", include_in_schema=False)
@in_reader
def data_file(visit: TheVisit, competition: CompetitionName, file: Short) -> Response[Any]:
    """The draw, the standings coup by coup, the results or the money, as CSV or as JSON."""
    what, _, form = file.partition(".")
    rows = data_of(visit, competition, what)
    if form not in FORMS:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    headers = {
        "Content-Disposition": f'attachment; filename="{competition}-{what}.{form}"',
        "Cache-Control": "no-store",
    }
    start = visit.competition(competition).state.conditions.start
    if form == "csv":
        called = visit.house.register.state.settings.called
        body = record_csv(what, rows, start, called).encode()
    else:
        body = msgspec.json.encode(rows)
    return Response(body, media_type=FORMS[form], headers=headers)


FORMS = {"csv": "text/csv", "json": "application/json"}
HANDLERS = (entries_page, walk_in, entries_file, list_page, list_sent, data_file)
