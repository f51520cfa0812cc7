"""Nobody but staff learns who an entrant is: every route that answers a reader is asked.

An id is what somebody signs in with. Strangers, patrons, entrants and whoever sits at the same
table receive the alias that each chose, or a number: in pages, their titles, sources and headers,
in data, files, papers, forms and the first messages of every stream.
"""

import asyncio
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, cast

from puntobanco.competition.may import KINDS as CUP_COMMANDS
from puntobanco.house.access.people import Person
from puntobanco.house.competitions.lists.records import RECORDS
from puntobanco.house.may import GIVEN
from puntobanco.server.live.regions import REGIONS
from puntobanco.server.pages.competitions.papers.shelf import PAPERS
from tests.kit.clauses import clause
from tests.kit.competition.on_web import CupOnWeb, enrol_players, on_web
from tests.kit.competition.over_http import CONDITIONS
from tests.kit.competition.sealed import TABLE, dealt, seated
from tests.kit.replay import Asker

PETRA, KAI, READER = "quillpetra", "osbornekai", "p1"
"""Petra chose an alias, Kai none; the reader is a patron who has not entered."""
ALIAS = "Lotte"
SECRET = {
    PETRA: (PETRA, "Petra", "Quill", "petra.post"),
    KAI: (KAI, "Kai O", "Osborne", "kai.post"),
    "wendyhill": ("wendyhill",),
}
"""What nobody but staff and themselves is told of each; Wendy was the draw's witness."""
ROWS = 30
"""More than a table has in one coup."""
APART = ("/static/", "/rules/", "/training", "/api/rules/", "/api/schema", "/metrics")
"""Routes in which no competition is."""
WAYS: dict[str, tuple[object, ...]] = {
    "table": ("table-cup",),
    "competition": ("sealed",),
    "stream": ("table-cup", "competition-sealed", "cage"),
    "at": ("cage", "register"),
    "person": (READER,),
    "page_name": tuple(REGIONS),
    "paper": tuple(f"{paper}?of=fee" for paper in PAPERS),
    "what": (*RECORDS, "entries"),
    "file": tuple(f"{what}.{kind}" for what, kind in product(RECORDS, ("csv", "json"))),
    "form": ("csv", "json"),
}
"""What stands for each part of an address; for all others, 1."""
BESIDES = (
    "/competitions/sealed/board?show=overall", "/competitions/sealed/draws.json?draw=1",
    "/live/walls?tables=table-cup", "/live/office?page=console&cup=sealed", "/search?q=quill",
    "/api/search?q=lotte", "/competitions/sealed/papers/certificate?show=final.1",
)  # fmt: skip
PART, TYPE = "{", ":"


def addresses(asker: Asker, *, all_forms: bool, rows: int) -> Iterator[str]:
    """Every address under which anything is read, each part of it in all ways there are; for who
    may give no command, one form of each aggregate.
    """
    ways = WAYS | {"row": tuple(range(1, rows + 1))}
    for path in sorted({route.path for route in cast("Any", asker.app).routes}):
        if path.startswith(APART):
            continue
        names = [part[1:-1].partition(TYPE)[0] for part in path.split("/") if part[:1] == PART]
        if names[-1:] == ["name"]:
            commands = CUP_COMMANDS if path.startswith("/competitions") else GIVEN
            ways["name"] = tuple(commands)[: None if all_forms else 1]
        for found in product(*(ways.get(name, (1,)) for name in names)):
            parts = iter(found)
            filled = (str(next(parts)) if part[:1] == PART else part for part in path.split("/"))
            yield "/".join(filled)
    yield from BESIDES


async def received(asker: Asker, path: str, who: str) -> tuple[int, str]:
    """What somebody is sent, head and body; of a stream its first message."""
    bare, _, query = path.partition("?")
    said, gone = bytearray(), asyncio.Event()
    heads: list[Any] = []
    asked = iter(({"type": "http.request", "body": b"", "more_body": False},))

    async def receive() -> Any:
        if (first := next(asked, None)) is not None:
            return first
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            heads.append(message)
        said.extend(message.get("body", b""))
        if message["type"] == "http.response.body" and (said or not message.get("more_body")):
            gone.set()

    headers = asker.headers(who or None) | {"accept": "text/html", "host": "house.test"}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": bare, "raw_path": bare.encode(), "query_string": query.encode(),
        "root_path": "", "client": ("127.0.0.1", 1), "server": ("house.test", 80), "state": {},
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    await asyncio.wait_for(cast("Any", asker.app)(scope, receive, send), 20)
    return heads[0]["status"], f"{heads[0]['headers']} {said.decode(errors='replace')}"


async def leaks(asker: Asker, who: str, seen: set[str], **how: Any) -> list[tuple[str, str, str]]:
    """Which address tells this reader, and who sits beside Petra, what is not for them; `seen` are
    those that name the alias.
    """
    found = []
    for reader, asks in ((who, {"all_forms": False, "rows": 1}), (KAI, how)):
        hidden = [word for person, words in SECRET.items() if person != reader for word in words]
        for path in addresses(asker, **asks):
            status, text = await received(asker, path, reader)
            assert status < 500 or path == "/ready", (reader, path, text[:500])
            found += [(reader, path, word) for word in hidden if word in text]
            if status == 200 and ALIAS in text:
                seen.add(path)
    return found


async def entered(asker: Asker) -> CupOnWeb:
    await enrol_players(asker, (READER, PETRA, KAI))
    house = asker.house
    house.people.put(Person(PETRA, "Petra Quill", "petra.post"))
    house.people.put(Person(KAI, "Kai Osborne", "kai.post"))
    house.people.put_alias(PETRA, ALIAS)
    cup = CupOnWeb(asker, "sealed")
    await cup.entering(CONDITIONS)
    await cup.enter(PETRA, KAI)
    return cup


async def paid(asker: Asker, cup: CupOnWeb) -> None:
    """The coup is dealt and declared, and all that follows from it."""
    await dealt(asker)
    await asker.must("dan", f"{TABLE}/declare-result", {})
    await asker.must("dan", f"{TABLE}/end-coup", {})
    await cup.into_line()
    await cup.do("cora", "confirm-stage")
    await cup.two("cora", "confirm-places")
    for person in (PETRA, KAI):
        await cup.do("carol", "pay-prize", {"person": person})
    await cup.do("cora", "publish-results")


@clause("conditions")
def test_nobody_outside_is_told_who_an_entrant_is(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup, seen = await entered(asker), set[str]()
        await seated(cup, PETRA, KAI, by="wendyhill")
        for box, person, on in ((1, PETRA, "player"), (2, KAI, "banker")):
            wager = {"box": box, "on": on, "cents": 10_000}
            await asker.must(person, f"{TABLE}/place-wager", wager)
        found = await leaks(asker, "", seen, all_forms=True, rows=1)
        await asker.must("dan", f"{TABLE}/no-more-bets", {})
        await paid(asker, cup)
        found += await leaks(asker, READER, seen, all_forms=False, rows=ROWS)
        assert found == [], sorted({(who, path.partition("?")[0]) for who, path, _ in found})
        assert len(seen) >= 20, seen

    on_web(tmp_path, play)
