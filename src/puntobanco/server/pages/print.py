"""What is printed: the table notice, the roads, and coup sheets for when there is only paper."""

from litestar import Response, get
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet, PairPays, Pays
from puntobanco.rules.notice import Terms
from puntobanco.server.addresses import TableName
from puntobanco.server.live.roads import on_paper, roads_of
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.view import Sign, Viewer, beads, view
from puntobanco.words import BETS

COUPS_A_SHEET = 10


def posted(visit: Visit, name: str) -> tuple[Sign, Terms]:
    """What everybody may read at a table that has been opened, and the terms behind it."""
    state = visit.table(name).state
    sign = view(state, Viewer()).sign
    if sign is None:
        raise Refused(Reason.NO_SUCH_TABLE, CONDITIONS, table=name)
    return replace(sign, hours=sign.hours or visit.house.hours), state.terms


def _show(visit: Visit, name: str, template: str) -> Response[str]:
    sign, terms = posted(visit, name)
    return visit.show(
        template,
        table=name,
        sign=sign,
        terms=terms,
        rules=terms.rules,
        play=terms.rules.table_of_play,
        main=main_pays(terms),
        pairs=pair_pays(terms),
        seats=range(1, terms.notice.seats + 1),
        coups=range(COUPS_A_SHEET),
        bets=", ".join(BETS[bet] for bet in sign.limits),
    )


def main_pays(terms: Terms) -> list[tuple[Bet, int | None, Pays]]:
    """What Player, Banker and Tie pay, each with the winning point it is for, if any."""
    return [
        (bet, point, pays)
        for (bet, point), pays in terms.main_pays.items()
        if bet in (Bet.PLAYER, Bet.BANKER, Bet.TIE)
    ]


def pair_pays(terms: Terms) -> list[tuple[str, PairPays]]:
    """Each kind of pair; one line where all are paid alike."""
    paid = list(terms.pair_pays.items())
    alike = len({one.odds for _, one in paid}) == 1
    return [("any", paid[0][1])] if alike else [(str(kind), one) for kind, one in paid]


@get("/tables/{table:str}/notice", sync_to_thread=False, include_in_schema=False)
def notice(visit: TheVisit, table: TableName) -> Response[str]:
    """The sign of a table: limits, payments, and what else must be shown at it."""
    return _show(visit, table, "pages/print/notice.html")


@get("/tables/{table:str}/sheet", sync_to_thread=False, include_in_schema=False)
def sheet(visit: TheVisit, table: TableName) -> Response[str]:
    """Coups on paper: what to write down so that it can be keyed in later."""
    return _show(visit, table, "pages/print/sheet.html")


@get("/tables/{table:str}/roads", sync_to_thread=False, include_in_schema=False)
def roads(visit: TheVisit, table: TableName) -> Response[str]:
    """The roads of this shoe, to print and take home."""
    shown = beads(view(visit.table(table).state, Viewer()))
    drawn = {"counts": roads_of(shown).counts, "paper": on_paper(shown)}
    return visit.show("pages/print/roads.html", table=table, **drawn)


HANDLERS = (notice, sheet, roads)
