"""One's own account: what one is in this house, and one's password."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.house.access import desk
from puntobanco.server.visit import TheVisit


@get("/account", sync_to_thread=False, include_in_schema=False)
def account(visit: TheVisit) -> Response[str]:
    """What one is in this house, and one's own password."""
    by = visit.actor()
    member = visit.house.register.state.people[by.person]
    cents = visit.house.cage.state.accounts.get(by.person)
    named = visit.house.people.get(by.person)
    alias = visit.house.people.alias(by.person)
    context = {"member": member, "named": named, "account": cents, "alias": alias}
    return visit.show("pages/office/account.html", **context)


@post("/account/password", include_in_schema=False)
async def own_password(visit: TheVisit) -> Response[Any]:
    """Change one's own password, knowing the old one; all other sessions end."""
    form = await visit.form()
    by = visit.actor()
    await visit.signin.change_password(
        by.person, form.get("old", ""), form.get("new", ""), visit.address
    )
    return Redirect("/sign-in", status_code=303)


@post("/account/alias", include_in_schema=False)
async def own_alias(visit: TheVisit) -> Response[Any]:
    """What one wants to be called at tables."""
    form = await visit.form()
    desk.take_alias(visit.house, visit.actor(), form.get("alias", ""))
    return Redirect("/account", status_code=303)


HANDLERS = (account, own_password, own_alias)
