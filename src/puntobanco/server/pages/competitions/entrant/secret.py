"""The form of a secret wager on a player's phone: nothing is sent before it is confirmed.

What is sent is as long for every form, and so is the answer; the house seals it, and keeps it
nowhere else [tas-2018:16.6.2].
"""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.errors import Reason, Refused
from puntobanco.house.intents import LodgeForm
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.competition.spelled import LATE_TEENS, ONES, TEENS, TENS
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.commands.form_cycle import CORRECTABLE
from puntobanco.server.errors import http_status
from puntobanco.server.pages.competitions.entrant.now import FOLDER, entrant_context, told
from puntobanco.server.visit import TheVisit, Visit

SENT_BYTES = 400
"""What a form is filled up to before it is sent, so that its length says nothing."""
SPELLED = ("", *ONES, *TEENS, *LATE_TEENS), ("", "", *TENS)
"""Numbers below twenty, and tens, for a script that writes figures out."""


@get("/competitions/{competition:str}/me/secret", sync_to_thread=False, include_in_schema=False)
def secret_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """The form to fill in; without scripts the player writes the words, and ticks that it is so."""
    return _show(visit, competition, {})


def _show(
    visit: Visit, cup: str, typed: dict[str, str], problem: Exception | None = None
) -> Response[str]:
    context = entrant_context(visit, cup)
    if context["me"].table is None:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=visit.person)
    shown = visit.show(
        f"{FOLDER}/secret.html",
        **context,
        typed=typed,
        problem=told(problem, visit.house.register.state.currency),
        spelled=SPELLED,
        length=SENT_BYTES,
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


@post("/competitions/{competition:str}/me/secret", include_in_schema=False)
async def secret_handed_in(visit: TheVisit, competition: CompetitionName) -> Response[Any]:
    """A form that its player has confirmed, sealed as soon as it is read."""
    visit.actor(f"{COMPETITION}{competition}")  # nobody's form is read
    form = await visit.form()
    given = visit.command_id(form)
    typed = {name: form.get(name, "") for name in ("figures", "words", "on")}
    try:
        if form.get("sure") != "yes":
            raise Refused(Reason.FORM_NOT_CONFIRMED, CONDITIONS)
        table = entrant_context(visit, competition)["me"].table
        if table is None:
            raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=visit.person)
        await visit.give(table.at, msgspec.convert(typed, LodgeForm), given)
    except CORRECTABLE as problem:
        if not visit.wants_page or not visit.person:
            raise
        return _show(visit, competition, typed, problem)
    return Redirect(f"/competitions/{competition}/me", status_code=303)


HANDLERS = (secret_page, secret_handed_in)
