"""Who may do what, as data, and the reviews of it."""

from typing import Annotated

from litestar import Router, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.lookback.significant import Finding
from puntobanco.house.trust.access import AccessShown, review_access
from puntobanco.server.commands.api import roles_first, strictly
from puntobanco.server.pages.trust.access import access_books, access_shown
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit


@get("/access", operation_id="access")
@in_reader
def access_data(visit: TheVisit) -> AccessShown:
    """Who may do what, since when, given by whom and last used; leavers, devices, reviews: for
    those who oversee the house.
    """
    return access_shown(visit)


class AccessSigned(Struct, frozen=True, forbid_unknown_fields=True):
    row: Annotated[int, Meta(ge=0, le=2**53)]
    """The register's last row, as it was shown."""
    note: Finding
    """What was found, or done about it."""


@post(
    "/access/review",
    operation_id="access-review",
    status_code=200,
    before_request=roles_first(OVERSEES, "access"),
)
async def sign_for_access_data(visit: TheVisit, data: JSONBody[AccessSigned]) -> AccessShown:
    """Sign for it, on record: not by whoever gave any of it since the last review."""
    by, given = visit.check(OVERSEES, "access"), await strictly(visit, data)
    return await review_access(visit.house, access_books(visit), by, given.row, given.note)


HANDLERS = (Router("/api", route_handlers=[access_data, sign_for_access_data], tags=["office"]),)
