"""The search behind the bar, and what waits for a reader."""

from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter

from puntobanco.house.access.search import RECEIPT, FoundLine, find
from puntobanco.house.till.book import CAGE
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit

Words = Annotated[str, QueryParameter(name="q", max_length=80)]
ADDRESSES = {
    "table": "/tables/{id}",
    "competition": "/competitions/{id}",
    "coup": "/tables/{id}/journal/{number}",
    "receipt": "/tables/{id}/receipts/{number}",
    "person": "/house/people/{id}",
    "clause": "/rules/{id}",
}


def address_of(found: FoundLine) -> str:
    """The page of what was found."""
    if (found.kind, found.id) == (RECEIPT, CAGE):
        return f"/house/cage/receipts/{found.number}"
    return ADDRESSES[found.kind].format(id=found.id, number=found.number)


@get("/search", include_in_schema=False)
@in_reader
def search_page(visit: TheVisit, words: Words = "") -> Response[str]:
    """Everything that the reader may see and these words find."""
    found = [(line, address_of(line)) for line in find(visit.house, visit.person, words)]
    part = "shell/found.html" if visit.query("part") else "pages/search.html"
    return visit.show(part, found=found, query=words)


@get("/waiting", sync_to_thread=False, include_in_schema=False)
def waiting_page(visit: TheVisit) -> Response[str]:
    """What waits for the reader, as a page of its own."""
    visit.actor()
    return visit.show("shell/waiting.html")


HANDLERS = (search_page, waiting_page)
