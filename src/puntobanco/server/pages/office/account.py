"""One's own account: what one is in this house, and one's password."""

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.response import Redirect
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.house.access import desk
from puntobanco.house.access.sign_in import OWN_PASSWORD
from puntobanco.register.commands import ExcludeOneself
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.commands.faults import ToPutRight, marked, of_refusal
from puntobanco.server.commands.form_cycle import or_again
from puntobanco.server.commands.forms import Field
from puntobanco.server.errors import http_status
from puntobanco.server.rendering import say
from puntobanco.server.shell import local_path
from puntobanco.server.visit import TheVisit, Visit

DAYS_OUT = tuple(
    (str(days), say(f"own-account.exclude.for.{days}")) for days in (1, 7, 30, 183, 365, 1826)
)


@get("/account", sync_to_thread=False, include_in_schema=False)
def account(visit: TheVisit) -> Response[str]:
    """What one is in this house, and one's own password."""
    return _account(visit)


def _account(
    visit: Visit,
    problem: Refused | None = None,
    alias: str = "",
    days: str = DAYS_OUT[0][0],
    sure: str = "",
    at: dict[Reason, str] | None = None,
) -> Response[str]:
    """The page; again, with what is wrong beside its field, if a form was refused."""
    by = visit.actor()
    member = visit.house.register.state.people[by.person]
    cents = visit.house.cage.state.accounts.get(by.person)
    named = visit.house.people.get(by.person)
    now = alias or visit.house.people.alias(by.person)
    found = (said_beside(problem, at or AT),) if problem else ()
    fields = marked(_fields(now, by.person, days, sure), found)
    context: dict[str, object] = {
        "member": member,
        "named": named,
        "account": cents,
        "faults": found,
    }
    context |= {"slip": bool(visit.query("slip")), "chosen": bool(visit.query("chosen"))}
    context |= {"second": visit.signin.second.has(by.person)}
    context |= {"has_pin": visit.signin.has_own_pin(by.person), "to": visit.query("to")[:2048]}
    labels = {field.path: field for field in fields}
    shown = visit.show("pages/office/account.html", **context, labels=labels)
    shown.status_code = http_status(problem) if problem else 200
    return shown


def _fields(alias: str, person: str, days: str, sure: str = "") -> tuple[Field, ...]:
    return (
        Field("old", say("own-account.old"), "text", True),
        Field("new", say("own-account.new"), "text", True),
        Field("old_pin", say("own-account.pin.old"), "text", True),
        Field("pin", say("own-account.pin.new"), "text", True),
        Field("alias", say("own-account.alias.is"), "text", False, alias, longest=desk.MOST_ALIAS),
        Field("days", say("own-account.exclude.days"), "choice", True, days, choices=DAYS_OUT),
        Field("sure", say("own-account.exclude.sure", person=person), "text", True, sure),
    )


AT = {
    Reason.SIGN_IN_FAILED: "old",
    Reason.PASSWORD_TOO_SHORT: "new",
    Reason.PIN_UNFIT: "pin",
    Reason.ALIAS_UNFIT: "alias",
    Reason.ALIAS_TAKEN: "alias",
    Reason.NAME_HIDDEN: "alias",
    Reason.NAME_MIXED: "alias",
    Reason.EXCLUDED_LONGER: "days",
    Reason.NOT_SURE: "sure",
}


def said_beside(refused: Refused, at: dict[Reason, str] = AT) -> ToPutRight:
    """Where on the page a refusal is said."""
    return replace(of_refusal(refused, ()), path=at.get(refused.reason, ""), clause="")


@get("/account/first", sync_to_thread=False, include_in_schema=False, opt=OWN_PASSWORD)
def first_page(visit: TheVisit) -> Response[str]:
    """Whoever signed in with a password that others were shown chooses their own."""
    return _first(visit)


def _first(visit: Visit, problem: Refused | None = None) -> Response[str]:
    found = (said_beside(problem),) if problem else ()
    labels = {one.path: one for one in marked(_fields("", visit.actor().person, ""), found)}
    shown = visit.show("pages/office/first.html", faults=found, labels=labels)
    shown.status_code = http_status(problem) if problem else 200
    return shown


@post("/account/password", include_in_schema=False, opt=OWN_PASSWORD)
async def own_password(visit: TheVisit) -> Response[Any]:
    """Change one's own password, knowing the old one; all other sessions end."""
    form = await visit.form()
    by = visit.actor()
    try:
        await visit.signin.change_password(
            by.person, form.get("old", ""), form.get("new", ""), visit.address
        )
    except Refused as refused:
        if not visit.wants_page:
            raise
        return _first(visit, refused) if visit.caller.scope else _account(visit, refused)
    return Redirect("/sign-in", status_code=303)


@post("/account/pin", include_in_schema=False)
async def own_pin(visit: TheVisit) -> Response[Any]:
    """A patron chooses a PIN of their own; then they go where they were on the way to."""
    form = await visit.form()
    visit.actor()
    old, new = form.get("old_pin", "").strip(), form.get("pin", "").strip()
    try:
        await desk.choose_pin(visit.signin, visit.caller, old, new, visit.address)
    except Refused as refused:
        if not visit.wants_page:
            raise
        return _account(visit, refused, at={**AT, Reason.SIGN_IN_FAILED: "old_pin"})
    to = local_path(form.get("to", ""))
    return Redirect("/account?chosen=1" if to == "/" else to, status_code=303)


@post("/account/alias", include_in_schema=False)
async def own_alias(visit: TheVisit) -> Response[Any]:
    """What one wants to be called at tables."""
    form = await visit.form()
    alias = form.get("alias", "")
    try:
        desk.take_alias(visit.house, visit.actor(), alias)
    except Refused as refused:
        if refused.reason not in AT or not visit.wants_page:
            raise
        return _account(visit, refused, alias)
    return Redirect("/account", status_code=303)


@post("/account/exclude", include_in_schema=False)
async def shut_oneself_out(visit: TheVisit) -> Response[Any]:
    """Shut oneself out of play, once the id has been typed to be sure; it ends this session too."""
    form, person = await visit.form(), visit.actor().person
    command_id, days = visit.command_id(form), form.get("days", "")

    async def exclude() -> Response[Any]:
        if form.get("sure") != person:
            raise Refused(Reason.NOT_SURE, CONDITIONS, person=person)
        ask = msgspec.convert({"days": days}, ExcludeOneself, strict=False)
        await visit.give("register", ask, command_id)
        return Redirect("/sign-in?excluded=1", status_code=303)

    def again(_typed: dict[str, str], problem: Exception) -> Response[str]:
        if not isinstance(problem, Refused):
            raise problem
        return _account(visit, problem, days=days, sure=form.get("sure", ""))

    return await or_again(visit, form, exclude(), again)


HANDLERS = (account, first_page, own_password, own_pin, own_alias, shut_oneself_out)
