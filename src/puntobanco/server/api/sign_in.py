"""Signing in for programs: tokens of limited scope and life, one's own sessions and password."""

from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter
from msgspec import Meta, Struct

from puntobanco.house.access import desk
from puntobanco.house.access.door.passkey import LONGEST_ANSWER
from puntobanco.house.access.door.second import AppKey
from puntobanco.house.access.door.secrets import Kind, kind_of
from puntobanco.house.access.guests import IDLE_MS
from puntobanco.house.access.people import WebSession
from puntobanco.house.access.rights import check_works_here
from puntobanco.house.access.sign_in import GUESTS, ITS_END, LONGEST_MS, OWN_PASSWORD, SHOWN
from puntobanco.server.commands.api import SIGNED_IN, strictly
from puntobanco.server.edge.passkeys import code_shown
from puntobanco.server.errors import Error
from puntobanco.server.visit import TheVisit, Visit, check_origin
from puntobanco.table.commands import Name

MINUTE_MS = 60_000
ALL = "all"
"""What programs call the scope of a token that is good for all its owner may do."""
Given = Annotated[str, Meta(max_length=256)]
"""A secret as somebody typed it."""
TokenName = Annotated[str, PathParameter(pattern=rf"^[0-9a-f]{{{SHOWN}}}$", max_length=SHOWN)]
WAIT = {429: ResponseSpec(Error, description="After failures: wait as long as the detail says.")}


class SigningIn(Struct, frozen=True, forbid_unknown_fields=True):
    who: Name
    secret: Given
    how: Literal["secret", "card"] = "secret"
    """By a password or PIN, which are told apart, or by the code on a slip."""
    scope: Literal["all", "play", "read"] = "all"
    """`all`: whatever the person may do. `play`: a patron's own seat, chips and wagers. `read`: no
    commands."""
    code: Annotated[str, Meta(max_length=LONGEST_ANSWER)] = ""
    """Of a second factor, for whoever has one: the app's, a recovery code, or what a passkey
    answered to what `sign-in/passkey` asks."""
    minutes: Annotated[int, Meta(ge=1, le=LONGEST_MS // MINUTE_MS)] = 60
    """How long the token is good, used or not."""


class SignedIn(Struct, frozen=True):
    """The token is shown once; send it as `Authorization: Bearer`."""

    token: str
    person: str
    scope: str
    until_ms: int


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    old: Given
    new: Given


class NewPin(Struct, frozen=True, forbid_unknown_fields=True):
    new: Given
    """Six digits, neither all the same nor in a row."""
    old: Given = ""
    """The PIN until now; not asked of whoever has had none but that of a slip."""


class NewAlias(Struct, frozen=True, forbid_unknown_fields=True):
    alias: Annotated[str, Meta(max_length=80)]
    """What everybody at a table sees at the caller's seat; empty: the number of the seat."""


class TokenListed(Struct, frozen=True):
    """Somewhere the caller is signed in: a program's token, or a browser's session."""

    name: str
    """The beginning of the token's hash, by which it can be ended."""
    scope: str
    began_ms: int
    seen_ms: int
    until_ms: int
    """0: a browser's session, which ends when it is idle."""
    is_this: bool
    """The one that this request came with."""


@post("/sign-in", operation_id="sign-in", status_code=200, responses=WAIT)
async def sign_in(stranger: TheVisit, data: JSONBody[SigningIn]) -> SignedIn:
    """A token for a person, by password, PIN or card; failures count as at the page. By a password
    that others were shown its scope is `first`: it is good for choosing another, and nothing else.
    """
    ask = await strictly(stranger, data)
    kind: Kind = "card" if ask.how == "card" else kind_of(ask.secret)
    token = await stranger.signin.issue_token(
        ask.who,
        ask.secret,
        stranger.address,
        scope="" if ask.scope == "all" else ask.scope,
        life_ms=ask.minutes * MINUTE_MS,
        kind=kind,
        shown=stranger.shown,
        code=code_shown(stranger, ask.code),
    )
    session = stranger.signin.caller(token).session
    assert session is not None
    return SignedIn(token, session.person, session.scope or ALL, session.until_ms)


class GuestSeated(Struct, frozen=True):
    """A visitor's seat for play money; the token is shown once, and is good for nothing else."""

    token: str
    person: str
    """The id that the visitor plays under: others have had it before."""
    table: str
    idle_ms: int
    """Without a request for so long the seat is somebody else's."""


@post("/guest", operation_id="guest", status_code=200, responses=WAIT)
async def take_guest_seat(stranger: TheVisit) -> GuestSeated:
    """Sit down without an account at the table for play money, if one is set and a seat free."""
    if stranger.request.headers.get("origin"):  # another house's page takes no seats here
        check_origin(stranger.request)
    seats = stranger.guests
    token = await seats.take(stranger.address, stranger.signin.begin_guest)
    return GuestSeated(token, stranger.signin.caller(token).person, seats.table, IDLE_MS)


@post("/guest/leave", operation_id="guest-leave", status_code=204, opt=GUESTS)
async def leave_guest_seat(visit: TheVisit) -> None:
    """End a guest's token; the seat is free as soon as no wager of theirs lies."""
    by = visit.actor()
    if visit.caller.is_guest:
        await visit.guests.leave(by.person)


@post("/sign-out", operation_id="sign-out", status_code=204, opt=ITS_END, sync_to_thread=False)
def sign_out(visit: TheVisit) -> None:
    """End the token or session that this request came with."""
    visit.actor()
    visit.signin.sign_out(visit.caller)


@post(
    "/me/password",
    operation_id="own-password",
    status_code=204,
    responses=WAIT,
    before_request=SIGNED_IN,
    opt=OWN_PASSWORD,
)
async def own_password(visit: TheVisit, data: JSONBody[NewPassword]) -> None:
    """One's own password, changed by knowing the old one; every session and token ends."""
    by = visit.actor()
    ask = await strictly(visit, data)
    await visit.signin.change_password(by.person, ask.old, ask.new, visit.address)


class NewSecond(Struct, frozen=True, forbid_unknown_fields=True):
    shared: Given
    proof: Given
    """Both as they were offered."""
    code: Given
    """Of the app that was set up with it."""
    before: Annotated[str, Meta(max_length=LONGEST_ANSWER)] = ""
    """Of the second factor until now, if there is one, or a recovery code."""


class RecoveryCodes(Struct, frozen=True):
    """Shown once; each works once."""

    codes: list[str]


@get("/me/second", operation_id="own-second-offer", sync_to_thread=False)
def offer_second(visit: TheVisit) -> AppKey:
    """A fresh key for an authenticator app; it counts when a code of it has come back."""
    by = visit.actor()
    check_works_here(visit.house.register.state, by.person)
    return visit.signin.second.offer(by.person)


@post(
    "/me/second",
    operation_id="own-second",
    status_code=200,
    before_request=SIGNED_IN,
)
async def own_second(visit: TheVisit, data: JSONBody[NewSecond]) -> RecoveryCodes:
    """Set up a second factor, by a code of the app."""
    by, ask = visit.actor(), await strictly(visit, data)
    check_works_here(visit.house.register.state, by.person)
    offer = AppKey(ask.shared, ask.proof, "")
    second = visit.signin.second
    before = code_shown(visit, ask.before)
    return RecoveryCodes(await second.enrol(by.person, offer, ask.code, before))


@post(
    "/me/pin",
    operation_id="own-pin",
    status_code=204,
    responses=WAIT,
    before_request=SIGNED_IN,
)
async def own_pin(visit: TheVisit, data: JSONBody[NewPin]) -> None:
    """A patron's own PIN; all their other sessions and tokens end."""
    visit.actor()
    ask = await strictly(visit, data)
    await desk.choose_pin(visit.signin, visit.caller, ask.old, ask.new, visit.address)


@post(
    "/me/alias",
    operation_id="own-alias",
    status_code=204,
    before_request=SIGNED_IN,
)
async def own_alias(visit: TheVisit, data: JSONBody[NewAlias]) -> None:
    """What a patron wants to be called at tables; the name stays the house's."""
    desk.take_alias(visit.house, visit.actor(), (await strictly(visit, data)).alias)


def _listed(visit: Visit, session: WebSession) -> TokenListed:
    return TokenListed(
        session.token[:SHOWN],
        session.scope or ALL,
        session.began_ms,
        session.seen_ms,
        session.until_ms,
        visit.caller.session is not None and session.token == visit.caller.session.token,
    )


def _tokens(visit: Visit) -> list[TokenListed]:
    by = visit.actor()
    return [_listed(visit, session) for session in visit.house.people.sessions_of(by.person)]


@get("/me/tokens", operation_id="own-tokens", sync_to_thread=False)
def own_tokens(visit: TheVisit) -> list[TokenListed]:
    """Where the caller is signed in, the oldest first."""
    return _tokens(visit)


@post(
    "/me/tokens/{token:str}/end",
    operation_id="own-token-end",
    status_code=200,
    before_request=SIGNED_IN,
    sync_to_thread=False,
)
def end_own_token(visit: TheVisit, token: TokenName) -> list[TokenListed]:
    """End one of the caller's own tokens or sessions; the answer lists those that remain."""
    visit.signin.end_token(visit.actor().person, token)
    return _tokens(visit)


HANDLERS = (
    Router(
        "/api",
        route_handlers=[
            *(sign_in, sign_out, own_password, own_pin, own_alias, own_tokens, end_own_token),
            *(offer_second, own_second),
            *(take_guest_seat, leave_guest_seat),
        ],
        tags=["sign-in"],
    ),
)
