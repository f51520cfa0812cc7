"""The keys by which anybody checks the house's receipts: the one in use, and those of before."""

from itertools import zip_longest

from litestar import Response, get
from msgspec import Struct

from puntobanco.journal.shown_keys import fingerprint_of, shown_keys
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit


class PublicKey(Struct, frozen=True):
    """A key of the house, and the time for which it signed; the one in use has no end."""

    public: str
    fingerprint: str
    """The digits that people compare."""
    since_ms: int
    until_ms: int | None = None


def public_keys(visit: Visit) -> list[PublicKey]:
    """The keys on record, the newest first; whose word one was taken by is the house's affair."""
    shown = shown_keys(visit.house.log)
    ends = (one.since_ms for one in shown[1:])
    return [
        PublicKey(one.public, fingerprint_of(one.public), one.since_ms, end)
        for one, end in zip_longest(shown, ends)
    ][::-1]


@get("/keys", include_in_schema=False)
@in_reader
def keys_page(visit: TheVisit) -> Response[str]:
    """What a receipt is held against, for whoever has one."""
    return visit.show("pages/journal/keys.html", keys=public_keys(visit))


HANDLERS = (keys_page,)
