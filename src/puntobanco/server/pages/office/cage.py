"""The cage's page: accounts, trays and slips."""

from litestar import Response, get

from puntobanco.cage.view import view
from puntobanco.house.till.trays import expected_trays
from puntobanco.server.commands.counters import COUNTERS
from puntobanco.server.visit import TheVisit


@get("/house/cage", sync_to_thread=False, include_in_schema=False)
def cage_page(visit: TheVisit) -> Response[str]:
    """To those who keep them; the floor asks for fills here."""
    by, counter = visit.actor(), COUNTERS["cage"]
    expected = expected_trays(visit.house, by)

    def can(name: str, **facts: object) -> bool:
        return counter.why_not(visit.house, name, by, facts) is None

    return visit.show(
        "pages/office/cage.html",
        seen=view(visit.house.cage.state, by.person, by.roles),
        expected=expected,
        names=[name for name in counter.kinds if can(name)],
        can=can,
    )


HANDLERS = (cage_page,)
