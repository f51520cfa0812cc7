"""The significant events of the house, and the last games of a table step by step."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.lookback.games import last_games
from puntobanco.house.lookback.significant import (
    Finding,
    newest,
    noted_at,
    review,
    significant,
    took_part,
)
from puntobanco.server.addresses import RowNumber, Short, TableName
from puntobanco.server.commands.faults import FaultyFormError, ToPutRight, faults_in
from puntobanco.server.commands.form_cycle import or_again
from puntobanco.server.errors import http_status
from puntobanco.server.live.felt import result_told
from puntobanco.server.pages.journal.coups import page_of
from puntobanco.server.pages.journal.steps import cardlet, clause_links, hand_of, told_in_pictures
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words.commands import MISSING

MOST_SHOWN = 1000
"""Significant events on the page; the file has all."""


NEWER = {"newer": "shell/newer.html"}
"""The region of a list that stays as it is while it is read: whether there is more by now."""


def newer_at(address: str, now: int, visit: Visit) -> dict[str, Any]:
    """Whether a list at an address has become longer since it was drawn."""
    return {"newer": visit.query("since") != str(now), "address": address}


def games_number(visit: Visit) -> int:
    """The number of the coup that a table has come to."""
    name = visit.table(visit.query("table")[:64]).name
    visit.check_watches_over(name)
    return next(iter(visit.house.listed([name]))).coup


def events_number(visit: Visit) -> int:
    """Another one as soon as there is more to be seen."""
    visit.check_oversees("events")
    return newest(visit.house)


@get("/tables/{table:str}/games", include_in_schema=False)
@in_reader
def games(visit: TheVisit, table: TableName) -> Response[str]:
    """The last ten games again, for those who watch over the table."""
    name = visit.table(table).name
    visit.check_watches_over(name)
    shown = list(last_games(visit.house.log, name))[::-1]
    listed = {coup.number: coup for coup in page_of(visit, name, None).coups}
    return visit.show(
        "pages/journal/games.html",
        table=name,
        since=next(iter(visit.house.listed([name]))).coup,
        games=[(game, listed.get(game.coup)) for game in shown],
        told=lambda event: told_in_pictures(event, hand_of(visit)),
        cardlet=cardlet,
        clause_links=clause_links,
        result_told=result_told,
    )


@get("/house/events", include_in_schema=False)
@in_reader
def house_events(visit: TheVisit) -> Response[str]:
    """Significant events of the whole house."""
    visit.check_oversees("events")
    return visit.show(
        "pages/journal/events.html",
        since=newest(visit.house),
        events=significant(visit.house, MOST_SHOWN),
    )


@get("/house/events/{stream:str}/{row:int}", include_in_schema=False)
@in_reader
def event_page(visit: TheVisit, stream: Short, row: RowNumber) -> Response[str]:
    """What one row says that must be seen, and who has looked into it."""
    return _event(visit, stream, row)


def _event(
    visit: Visit, stream: str, row: int, note: str = "", problem: Exception | None = None
) -> Response[str]:
    """The same; again with what was found, and beside it why that was not put on record."""
    by = visit.check(OVERSEES, "events")
    currency = visit.house.register.state.currency
    found = faults_in(visit.told(problem), (), currency) if problem else ()
    shown = visit.show(
        "pages/journal/event.html",
        events=noted_at(visit.house, stream, row),
        own=not took_part(visit.house, stream, row).isdisjoint({by.person, *by.one_with}),
        stream=stream,
        row=row,
        note=note,
        wrong=" ".join(one.says for one in found),
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


@post("/house/events/{stream:str}/{row:int}", include_in_schema=False)
async def review_event(visit: TheVisit, stream: Short, row: RowNumber) -> Response[Any]:
    """Put a review on record."""
    form, by = await visit.form(), visit.check(OVERSEES, "events")

    async def put() -> Response[Any]:
        if not form.get("note", "").strip():
            raise FaultyFormError((ToPutRight(MISSING["text"], "note"),))
        note = msgspec.convert(form.get("note", "").strip(), Finding)
        await review(visit.house, by, stream, row, note)
        return Redirect("/house/events", status_code=303)

    def again(typed: dict[str, str], problem: Exception) -> Response[str]:
        return _event(visit, stream, row, typed.get("note", ""), problem)

    return await or_again(visit, form, put(), again)


HANDLERS = (games, house_events, event_page, review_event)
