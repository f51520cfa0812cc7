"""The forms of a coup before its inspector: one at a time, with the verdict of the rules."""

from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.house.may import why_not
from puntobanco.server.addresses import PersonId, TableName
from puntobanco.server.live.desk import box_rows
from puntobanco.server.live.regions import is_for_money
from puntobanco.server.look import shown_money
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.view import View, view

FORM_BETS = {"p": "player", "b": "banker", "t": "tie"}


@get("/tables/{table:str}/forms/{person:str}", sync_to_thread=False, include_in_schema=False)
def secret_form_by_link(visit: TheVisit, table: TableName, person: PersonId) -> Redirect:  # noqa: ARG001
    """Where a form was looked at, reloaded or gone back to: it is asked for anew."""
    return Redirect(f"/tables/{visit.table(table).name}/pit", status_code=303)


@post("/tables/{table:str}/forms/{person:str}", include_in_schema=False)
async def secret_form(visit: TheVisit, table: TableName, person: PersonId) -> Response[str]:
    """A form of a secret wager as a document, to the inspector on duty alone [tas-2018:16.6.7].

    That it was shown is noted, not what it says; so it is asked for by a press, never by a link.
    """
    name = visit.table(table).name
    shown = await visit.house.form(name, person, visit.actor(name).person)
    stream = visit.table(name)
    seen = view(stream.state, visit.viewer(stream))
    return visit.show(
        "pages/table/examine.html",
        table=name,
        form=shown,
        bets=FORM_BETS,
        view=seen,
        **_money(visit, seen),
        queue=_queue(visit, name, seen),
    )


def _money(visit: Visit, seen: View) -> dict[str, object]:
    """Chips of a competition have no sign of a currency."""
    currency = visit.house.register.state.currency if is_for_money(seen) else ""
    return {"money": lambda cents: shown_money(cents, currency)}


def _queue(visit: Visit, name: str, seen: View) -> list[tuple[int, str, bool]]:
    """Every form that lies: its seat, whose it is, and whether it still waits for an answer."""
    state, by = visit.table(name).state, visit.actor(name)
    lie = {box.seat for box in seen.boxes if box.form}

    def waits(who: str) -> bool:
        return why_not(state, "examine-secret", by, {"person": who, "verdict": "accepted"}) is None

    rows = [row for row in box_rows(seen) if row.box in lie and row.person and not row.standing]
    return [(row.box, row.person, waits(row.person)) for row in rows]


HANDLERS = (secret_form_by_link, secret_form)
