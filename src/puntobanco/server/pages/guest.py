"""A guest seat: play money without an account, at the table that is set for it."""

from typing import Any

from litestar import Response, post
from litestar.response import Redirect

from puntobanco.house.access.sign_in import GUESTS
from puntobanco.server.session_cookie import session_cookie
from puntobanco.server.visit import TheVisit, check_origin


@post("/guest", include_in_schema=False, opt=GUESTS)
async def take_guest_seat(visit: TheVisit) -> Response[Any]:
    """Sit down as a guest; whoever has a session already goes to the table with it."""
    check_origin(visit.request)
    seats, token = visit.guests, ""
    if visit.caller.is_guest:
        await seats.sit(visit.person)
    elif not visit.person:
        token = await seats.take(visit.address, visit.signin.begin_guest)
    done = Redirect(f"/tables/{seats.table}", status_code=303)
    if token:
        done.set_cookie(session_cookie(token, secure=visit.kept.secure))
    return done


@post("/guest/leave", include_in_schema=False, opt=GUESTS)
async def leave_guest_seat(visit: TheVisit) -> Response[Any]:
    """Leave for good: the seat is free as soon as no wager lies, and nothing is kept."""
    done = Redirect("/", status_code=303)
    if visit.caller.is_guest:
        await visit.guests.leave(visit.person)
        done.set_cookie(session_cookie("", secure=visit.kept.secure))
    return done


HANDLERS = (take_guest_seat, leave_guest_seat)
