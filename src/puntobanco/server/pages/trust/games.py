"""Every game of a player: for themselves, and for those who oversee the house."""

from litestar import Response, get

from puntobanco.errors import Reason, Refused
from puntobanco.house.spreadsheet import csv_table
from puntobanco.house.trust.games import (
    COLUMNS,
    FIRST,
    LAST,
    GamesAsked,
    GamesShown,
    before_of,
    check_games,
    games_shown,
    player_games,
    status_of,
    wagers_told,
)
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import PersonId
from puntobanco.server.pages.office.report_sheet import told_day
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.rendering import moment
from puntobanco.server.visit import TheVisit, Visit

PAGE = 50


def _asked(visit: Visit, person: str, first: str, last: str, before: str) -> GamesAsked:
    """A range of gaming days, and where a page goes on."""
    check_games(visit.house, visit.actor(), person)
    return GamesAsked(person, day_asked(first, FIRST), day_asked(last, LAST), before_of(before))


def day_asked(text: str, otherwise: str) -> str:
    """A gaming day as an address says it."""
    if not text:
        return otherwise
    try:
        told_day(text)
    except ValueError as error:
        raise Refused(Reason.MALFORMED, CONDITIONS, what=f"{text[:20]!r} is no date") from error
    return text


def games_of(visit: Visit, person: str, first: str, last: str, before: str) -> GamesShown:
    """One page of them."""
    asked = _asked(visit, person, first, last, before)
    return games_shown(visit.house.figures.reading(), asked, PAGE)


def _page(visit: Visit, person: str, here: str) -> Response[str]:
    asked = {name: visit.query(name) for name in ("first", "last")}
    shown = games_of(visit, person, **asked, before=visit.query("before"))
    context = {"shown": shown, "here": here, "asked": asked}
    return visit.show("pages/trust/games.html", own=person == visit.person, **context)


@get("/account/games", include_in_schema=False)
@in_reader
def own_games_page(visit: TheVisit) -> Response[str]:
    """One's own games, the newest first."""
    return _page(visit, visit.actor().person, "/account/games")


@get("/house/people/{person:str}/games", include_in_schema=False)
@in_reader
def games_page(visit: TheVisit, person: PersonId) -> Response[str]:
    """The same of anybody, for those who oversee the house."""
    return _page(visit, person, f"/house/people/{person}/games")


def _csv(visit: Visit, person: str) -> Response[bytes]:
    asked = _asked(visit, person, visit.query("first"), visit.query("last"), "")
    lines = (
        (
            *(moment(one.at_ms), moment(one.over_ms), one.gaming_day, one.table, one.ruleset),
            *(one.shoe, one.coup, one.row, one.book, one.competition, status_of(one)),
            *(" ".join(one.cards), one.result or "", wagers_told(one), one.staked_cents),
            *(one.net_cents, sum(wager.commission_cents for wager in one.wagers)),
            *(one.paid_later_cents, one.before_cents, one.after_cents),
        )
        for one in player_games(visit.house.figures.reading(), asked)
    )
    headers = {
        "Content-Disposition": f'attachment; filename="games-{person}.csv"',
        "Cache-Control": "no-store",
    }
    return Response(csv_table(COLUMNS, lines).encode(), media_type="text/csv", headers=headers)


@get("/account/games/csv", include_in_schema=False)
@in_reader
def own_games_csv(visit: TheVisit) -> Response[bytes]:
    """All of one's own, or those of a range of gaming days, as a table."""
    return _csv(visit, visit.actor().person)


@get("/house/people/{person:str}/games/csv", include_in_schema=False)
@in_reader
def games_csv(visit: TheVisit, person: PersonId) -> Response[bytes]:
    return _csv(visit, person)


HANDLERS = (own_games_page, games_page, own_games_csv, games_csv)
