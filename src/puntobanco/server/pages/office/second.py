"""Setting up one's second factor; and taking somebody's away who has lost it."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.errors import Refused
from puntobanco.house.access import desk
from puntobanco.house.access.door.second import AppKey
from puntobanco.house.access.rights import check_works_here
from puntobanco.house.access.sign_in import SETS_UP
from puntobanco.server.addresses import Short
from puntobanco.server.errors import error_of, http_status
from puntobanco.server.pages.journal.receipts import qr_code
from puntobanco.server.visit import TheVisit, Visit


@get("/account/second", sync_to_thread=False, include_in_schema=False, opt=SETS_UP)
def second_page(visit: TheVisit) -> Response[str]:
    """A fresh key for an app; it counts when a code of the app has come back."""
    return _show(visit)


def _show(
    visit: Visit, problem: Refused | None = None, offer: AppKey | None = None
) -> Response[str]:
    by, second = visit.actor(), visit.signin.second
    check_works_here(visit.house.register.state, by.person)
    offer = offer or second.offer(by.person)
    shown = visit.show(
        "pages/office/second.html",
        offer=offer,
        qr=qr_code(offer.address.encode()),
        has=second.has(by.person),
        due=second.is_due(by.person),
        problem=error_of(problem) if problem else None,
        codes=(),
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


@post("/account/second", include_in_schema=False, opt=SETS_UP)
async def set_up(visit: TheVisit) -> Response[Any]:
    """It ends in the recovery codes, which are shown once."""
    form, by = await visit.form(), visit.actor()
    check_works_here(visit.house.register.state, by.person)
    offer = AppKey(form.get("shared", ""), form.get("proof", ""), form.get("address", ""))
    try:
        codes = await visit.signin.second.enrol(
            by.person, offer, form.get("code", "").strip(), form.get("before", "").strip()
        )
    except Refused as refused:
        if not visit.wants_page:
            raise
        return _show(visit, refused)
    if visit.caller.scope:
        visit.signin.sign_out(visit.caller)
    return visit.show("pages/office/second.html", codes=codes, problem=None)


@post("/house/people/{person:str}/second", include_in_schema=False)
async def reset(visit: TheVisit, person: Short) -> Response[Any]:
    """By management, for somebody else."""
    await desk.reset_second(visit.signin, visit.actor(), person)
    return Redirect(f"/house/people/{person}", status_code=303)


HANDLERS = (second_page, set_up, reset)
