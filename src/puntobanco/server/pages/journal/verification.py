"""Is the journal whole? What the last verification found, and another on request."""

import asyncio
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.house.checks.background import Checking, Verification
from puntobanco.house.house import House
from puntobanco.journal.verify import HOUSE
from puntobanco.server.reader_threads import in_reader
from puntobanco.server.visit import TheVisit, Visit

PATIENCE_S = 2.0
"""Seconds that a request waits for a verification it began; a longer one goes on without it."""


class Status(Struct, frozen=True):
    """What is known about the journal, and what is not."""

    last: Verification | None
    """Null: not verified since the house was opened."""
    under_way: bool
    rows_linked: int
    """How far the one under way has come."""
    rows_played: int
    heads: dict[str, int]
    """How far each stream has come now."""
    since: int
    """Rows that were written since, and nobody has checked."""


def verification_status(visit: Visit) -> Status:
    visit.check_oversees("verification")
    checking: Checking = visit.kept.checking
    heads, last = _heads(visit.house), checking.last
    checked = last.heads if last else {}
    since = sum(max(0, seq - checked.get(name, 0)) for name, seq in heads.items())
    return Status(last, checking.under_way, checking.rows, checking.played, heads, since)


def _heads(house: House) -> dict[str, int]:
    """Of every record there is: one left out would hide what was written since to another."""
    names = ("cage", HOUSE, "register", *sorted(house.tables), *sorted(house.competitions))
    return {name: seq for name in names if (seq := house.log.head(name).seq)}


async def begin_check(visit: Visit) -> None:
    visit.check_oversees("verification")
    checking: Checking = visit.kept.checking
    checking.start()
    await asyncio.to_thread(checking.wait, PATIENCE_S)


@get("/house/verification", include_in_schema=False)
@in_reader
def verification(visit: TheVisit) -> Response[str]:
    status = verification_status(visit)
    return visit.show("pages/journal/verification.html", status=status)


@post("/house/verification", include_in_schema=False)
async def verify_now(visit: TheVisit) -> Response[Any]:
    """Verify everything, now; then look at what was found."""
    await begin_check(visit)
    return Redirect("/house/verification", status_code=303)


HANDLERS = (verification, verify_now)
