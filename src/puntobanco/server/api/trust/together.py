"""Who plays with whom, as data."""

from typing import Annotated

from litestar import Router, get
from litestar.params import QueryParameter

from puntobanco.house.trust.together import PairsReport
from puntobanco.server.pages.trust.together import together_in
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit

Day = Annotated[str, QueryParameter(max_length=10, description="A gaming day")]


@get("/reports/together", operation_id="together")
@in_reader
def together_data(visit: TheVisit, first: Day = "", last: Day = "") -> PairsReport:
    """Pairs on opposite sides of the same coups with how likely that is, and chips bought and
    cashed with hardly any play; the last thirty gaming days unless said.
    """
    return together_in(visit, first, last)


HANDLERS = (Router("/api", route_handlers=[together_data], tags=["office"]),)
