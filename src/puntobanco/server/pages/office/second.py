"""Setting up one's second factor; and taking somebody's away who has lost it."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.errors import Refused
from puntobanco.house.access import desk
from puntobanco.house.access.door.passkey import (
    LONGEST_ANSWER,
    LONGEST_NAME,
    MOST_PASSKEYS,
    Code,
    PasskeyShown,
)
from puntobanco.house.access.door.second import AppKey
from puntobanco.house.access.sign_in import SETS_UP
from puntobanco.server.addresses import Short
from puntobanco.server.api.trust.passkeys import Number, worker
from puntobanco.server.edge.passkeys import code_shown, host_of, place_of
from puntobanco.server.errors import error_of, http_status
from puntobanco.server.pages.journal.receipts import qr_code
from puntobanco.server.visit import TheVisit, Visit


@get("/account/second", sync_to_thread=False, include_in_schema=False, opt=SETS_UP)
def second_page(visit: TheVisit) -> Response[str]:
    """A fresh key for an app; it counts when a code of the app has come back."""
    return _show(visit)


def _show(
    visit: Visit, problem: Refused | None = None, at: str = "app", name: str = ""
) -> Response[str]:
    by, second = worker(visit), visit.signin.second
    offer, host = second.offer(by.person), host_of(visit)
    passkeys = second.passkeys.listed(by.person)
    shown = visit.show(
        "pages/office/second.html",
        offer=offer,
        qr=qr_code(offer.address.encode()),
        has=second.has(by.person),
        has_app=second.has_app(by.person),
        passkeys=passkeys,
        host=host,
        usable=any(one.good and one.host == host for one in passkeys),
        most=MOST_PASSKEYS,
        due=second.is_due(by.person),
        problem=error_of(problem) if problem else None,
        at=at,
        name=name[:LONGEST_NAME],
        codes=(),
    )
    shown.status_code = http_status(problem) if problem else 200
    return shown


@post("/account/second", include_in_schema=False, opt=SETS_UP)
async def set_up(visit: TheVisit) -> Response[Any]:
    """It ends in the recovery codes, which are shown once."""
    form, by = await visit.form(), worker(visit)
    offer = AppKey(form.get("shared", ""), form.get("proof", ""), form.get("address", ""))
    try:
        codes = await visit.signin.second.enrol(
            by.person, offer, form.get("code", "").strip(), _before(visit, form)
        )
    except Refused as refused:
        if not visit.wants_page:
            raise
        return _show(visit, refused)
    return _show_codes(visit, codes)


def _before(visit: Visit, form: dict[str, str]) -> Code:
    return code_shown(visit, (form.get("passkey") or form.get("before", ""))[:LONGEST_ANSWER])


def _show_codes(visit: Visit, codes: list[str]) -> Response[str]:
    if visit.caller.scope:
        visit.signin.sign_out(visit.caller)
    return visit.show("pages/office/second.html", codes=codes, problem=None)


@post("/account/second/passkeys", include_in_schema=False, opt=SETS_UP)
async def add_passkey(visit: TheVisit) -> Response[Any]:
    """The first second factor ends in recovery codes, which are shown once."""
    form, by = await visit.form(), worker(visit)
    try:
        shown = PasskeyShown(form.get("answer", "")[:LONGEST_ANSWER], place_of(visit))
        codes = await visit.signin.second.add_passkey(
            by.person, form.get("name", ""), shown, _before(visit, form)
        )
    except Refused as refused:
        if not visit.wants_page:
            raise
        return _show(visit, refused, "passkey", form.get("name", ""))
    return _show_codes(visit, codes) if codes else _back()


@post("/account/second/passkeys/{number:int}/remove", include_in_schema=False)
async def remove_passkey(visit: TheVisit, number: Number) -> Response[Any]:
    form, by = await visit.form(), worker(visit)
    try:
        await visit.signin.second.remove_passkey(by.person, number, _before(visit, form))
    except Refused as refused:
        if not visit.wants_page:
            raise
        return _show(visit, refused, "passkey", form.get("name", ""))
    return _back()


def _back() -> Redirect:
    return Redirect("/account/second", status_code=303)


@post("/house/people/{person:str}/second", include_in_schema=False)
async def reset(visit: TheVisit, person: Short) -> Response[Any]:
    """By management, for somebody else."""
    await desk.reset_second(visit.signin, visit.actor(), person)
    return Redirect(f"/house/people/{person}", status_code=303)


HANDLERS = (second_page, set_up, add_passkey, remove_passkey, reset)
