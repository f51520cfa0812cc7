"""A patron's own limits as data; they are set by `set-own-limits`."""

from litestar import Router, get, post

from puntobanco.server.pages.trust.own_limits import OwnLimitsShown, know_of_it, own_limits
from puntobanco.server.visit import TheVisit


@get("/me/limits", operation_id="own-limits", sync_to_thread=False)
def own_limits_data(visit: TheVisit) -> OwnLimitsShown:
    """The caller's limits, what waits, what was lost and played today, and whether a reminder of it
    is due.
    """
    return own_limits(visit)


@post("/me/reminder", operation_id="own-reminder", status_code=200)
async def reminder_known(visit: TheVisit) -> OwnLimitsShown:
    """The caller knows how long they have played."""
    await know_of_it(visit)
    return own_limits(visit)


HANDLERS = (Router("/api", route_handlers=[own_limits_data, reminder_known], tags=["people"]),)
