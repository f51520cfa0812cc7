"""The entries of a competition: how full it is, who lacks what, and the desk for walk-ins."""

from base64 import b64decode
from typing import Any

import msgspec
from litestar import Response, get, post

from puntobanco.cage.view import KEEPERS
from puntobanco.competition.authority import DESK
from puntobanco.competition.commands import AddReserve, Apply, EnterAtDesk
from puntobanco.competition.may import why_not_in
from puntobanco.competition.path import path_of
from puntobanco.competition.view import SEES_ENTRIES
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.rights import DESK as SEES_TO_PATRONS
from puntobanco.house.competitions.entry_list import COLUMNS, entries_csv
from puntobanco.house.competitions.found_entries import MOST_SHOWN, SHOWS, find_entries
from puntobanco.house.competitions.lists.records import record_csv
from puntobanco.house.competitions.lists.taking_in import import_entries, plan_list
from puntobanco.house.foresight import look_ahead_in
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName, Short
from puntobanco.server.api.competitions import data_of, seen_by
from puntobanco.server.pages.competitions.console import common_context, way_for
from puntobanco.server.pages.competitions.papers.shelf import papers_for
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.actor import Actor
from puntobanco.words import explain

ACTS = {"to-accept": "accept", "unpaid": "pay-entry", "not-endorsed": "endorse"}
"""By what it lacks, the command that an entry waits for."""
MOST_DIGITS = 6
MOST_TEXT = 2_000_000


@get("/competitions/{competition:str}/entries", sync_to_thread=False, include_in_schema=False)
def entries_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """The list, cut down as asked; beside it the desk, for whoever takes fees."""
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

    return visit.show(
        "pages/competitions/entries.html",
        **common_context(visit, seen, by),
        **_desk(visit, competition, can),
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


def _desk(visit: Visit, cup: str, can: Any) -> dict[str, Any]:
    """Who stands at the desk: the patron asked for, what they have, and why they cannot enter."""
    if not visit.roles & SEES_TO_PATRONS:
        return {"at_desk": None, "done": None, "desk": False}
    stream = visit.competition(cup)
    wanted = visit.query("desk").strip()[:64]
    names = visit.house.people.all()
    known = visit.house.register.state.people
    if wanted and wanted not in known:
        called = [who for who, one in names.items() if one.name.casefold() == wanted.casefold()]
        wanted = called[0] if len(called) == 1 and called[0] in known else wanted
    by, done = visit.actor(stream.name), visit.query("done")[:64]
    at_desk = None
    if wanted:
        refused = _refused(stream.state, EnterAtDesk(wanted, stream.state.version), by)
        member = known.get(wanted)
        at_desk = {
            "person": wanted,
            "known": member is not None and member.kind == "patron",
            "name": names[wanted].name if wanted in names else "",
            "cents": visit.house.cage.state.accounts.get(wanted),
            "fee_cents": fee_of(stream.state),
            "why_not": explain(refused, visit.house.register.state.currency) if refused else None,
            "waits_by": _waits_by(stream.state, refused, wanted, by),
        }
    entrant = stream.state.entries.get(done)
    return {
        "desk": can("enter-at-desk") or can("apply"),
        "at_desk": at_desk,
        "done": {
            "person": done,
            "entry": entrant,
            "name": names[done].name if done in names else "",
        }
        if entrant and entrant.paid_cents
        else None,
    }


def _waits_by(competition: Any, refused: Refused | None, person: str, by: Actor) -> str:
    """What brings somebody for whom there is no place on to the reserve list; empty: nothing."""
    if refused is None or refused.reason != Reason.ENTRIES_FULL:
        return ""
    ways: dict[str, AddReserve | Apply] = {
        "add-reserve": AddReserve(person),
        "apply": Apply(person),
    }
    return next((name for name, ask in ways.items() if not _refused(competition, ask, by)), "")


def _refused(competition: Any, ask: EnterAtDesk | AddReserve | Apply, by: Actor) -> Refused | None:
    """What it would be refused for, before anybody signs or pays."""
    try:
        look_ahead_in(competition, ask, by)
    except Refused as refused:
        return refused
    return None


def fee_of(competition: Any) -> int:
    """What is taken for an entry: the fee, and a commission beside it."""
    entry = competition.conditions.entry
    beside = entry.commission_cents if entry.commission == "beside" else 0
    return int((entry.fee_cents or 0) + beside)


@get("/competitions/{competition:str}/entries.csv", sync_to_thread=False, include_in_schema=False)
def entries_file(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """The entries as CSV, with names for staff and contacts for those who see to entrants."""
    visit.check(SEES_ENTRIES, "entries", visit.competition(competition).name)
    seen = seen_by(visit, competition)
    headers = {"Content-Disposition": f'attachment; filename="{competition}-entries.csv"'}
    text = entries_csv(seen.view.entries, seen.people)
    return Response(text, media_type="text/csv", headers=headers)


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
    form = await visit.form()
    text = _list_text(form)
    try:
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
            raise MalformedError("the file is not in UTF-8") from error
    return text[:MOST_TEXT].replace("\r\n", "\n")


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
    body = record_csv(what, rows).encode() if form == "csv" else msgspec.json.encode(rows)
    return Response(body, media_type=FORMS[form], headers=headers)


FORMS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
HANDLERS = (entries_page, entries_file, list_page, list_sent, data_file)
