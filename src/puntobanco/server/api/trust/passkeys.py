"""Passkeys: what a browser asks a device for, what it answers, and which ones one has."""

from typing import Annotated, Any

from litestar import Response, Router, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from puntobanco.house.access.door.passkey import (
    LONGEST_ANSWER,
    LONGEST_NAME,
    MOST_PASSKEYS,
    Passkey,
    PasskeyShown,
)
from puntobanco.house.access.rights import check_works_here
from puntobanco.house.access.sign_in import SETS_UP
from puntobanco.server.commands.api import SIGNED_IN, strictly
from puntobanco.server.edge.passkeys import (
    NONCE_BYTES,
    browser_cookie,
    code_shown,
    place_of,
    place_to_ask,
)
from puntobanco.server.visit import TheVisit
from puntobanco.table.actor import Actor

Answer = Annotated[str, Meta(max_length=LONGEST_ANSWER)]
"""A code as somebody typed it, or what a passkey answered, in JSON."""
Number = Annotated[int, PathParameter(ge=1, le=MOST_PASSKEYS)]


class PasskeyAsked(Struct, frozen=True):
    """What a browser passes on to a device, as the standard writes it in JSON."""

    use: dict[str, Any]
    make: dict[str, Any] | None = None


class NewPasskey(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(max_length=LONGEST_NAME)]
    """What its owner calls it."""
    answer: Answer
    before: Answer = ""
    """Of the second factor until now, if there is one, or a recovery code."""


class PasskeyGone(Struct, frozen=True, forbid_unknown_fields=True):
    before: Answer
    """Of the second factor, or a recovery code."""


class PasskeyAdded(Struct, frozen=True):
    codes: list[str]
    """For recovery, shown once; none for whoever has some already."""


def worker(visit: TheVisit) -> Actor:
    by = visit.actor()
    check_works_here(visit.house.register.state, by.person)
    return by


@post("/sign-in/passkey", operation_id="sign-in-passkey", status_code=200, sync_to_thread=False)
def ask_passkey(stranger: TheVisit) -> Response[PasskeyAsked]:
    """What to ask a passkey of this address for; the same for whoever it is. Its answer is good in
    the place of a code for five minutes, once, with the cookie that comes with this.
    """
    browser = stranger.house.chance.some_bytes(NONCE_BYTES).hex()
    passkeys = stranger.signin.second.passkeys
    asked = Response(PasskeyAsked(passkeys.to_use(place_to_ask(stranger, browser))))
    asked.set_cookie(browser_cookie(browser, secure=stranger.kept.secure))
    return asked


@post(
    "/me/passkeys/ask",
    operation_id="own-passkey-ask",
    status_code=200,
    opt=SETS_UP,
    sync_to_thread=False,
)
def ask_own(visit: TheVisit) -> PasskeyAsked:
    """What to ask a device for to make a passkey, or to use one in the place of a code."""
    by, at = worker(visit), place_to_ask(visit)
    passkeys = visit.signin.second.passkeys
    return PasskeyAsked(passkeys.to_use(at), passkeys.to_make(by.person, at))


@get("/me/passkeys", operation_id="own-passkeys", opt=SETS_UP, sync_to_thread=False)
def own_passkeys(visit: TheVisit) -> list[Passkey]:
    """The caller's own."""
    return list(visit.signin.second.passkeys.listed(worker(visit).person))


@post(
    "/me/passkeys",
    operation_id="own-passkey-add",
    status_code=200,
    before_request=SIGNED_IN,
)
async def add_own(visit: TheVisit, data: JSONBody[NewPasskey]) -> PasskeyAdded:
    """Take a passkey on that was made as it was asked for."""
    by, ask = worker(visit), await strictly(visit, data)
    shown = PasskeyShown(ask.answer, place_of(visit))
    before = code_shown(visit, ask.before)
    second = visit.signin.second
    return PasskeyAdded(await second.add_passkey(by.person, ask.name, shown, before))


@post(
    "/me/passkeys/{number:int}/remove",
    operation_id="own-passkey-remove",
    status_code=200,
    before_request=SIGNED_IN,
)
async def remove_own(visit: TheVisit, number: Number, data: JSONBody[PasskeyGone]) -> list[Passkey]:
    """Take one of the caller's own away; the answer lists those that remain."""
    by, ask = worker(visit), await strictly(visit, data)
    second = visit.signin.second
    await second.remove_passkey(by.person, number, code_shown(visit, ask.before))
    return list(second.passkeys.listed(by.person))


HANDLERS = (
    Router(
        "/api",
        route_handlers=[ask_passkey, ask_own, own_passkeys, add_own, remove_own],
        tags=["sign-in"],
    ),
)
