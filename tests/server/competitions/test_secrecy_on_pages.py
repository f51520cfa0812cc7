"""Nothing that anyone is shown tells what a form says before it is announced, nor who an entrant
is to anyone but staff: pages, streams' regions and data, to each kind of viewer.

Two evenings that differ only in what one form says are looked at in the same moments: all that
everybody receives is the same, byte for byte, apart from hashes.
"""

import re
from collections.abc import AsyncIterator
from pathlib import Path

from puntobanco.house.access.people import Person
from puntobanco.house.competitions.lists.records import RECORDS
from puntobanco.house.competitions.public.board import BoardWanted
from puntobanco.server.live.board import LiveScreen
from puntobanco.server.live.regions import REGIONS
from puntobanco.server.pages.competitions.papers.shelf import PAPERS
from puntobanco.table.actor import Role
from puntobanco.table.view import Viewer
from tests.kit.clauses import clause, tas
from tests.kit.competition.on_web import on_web, post_form
from tests.kit.competition.sealed import ME, SAID, TABLE, entering, seated
from tests.kit.replay import Asker

PENS = (("250", "two hundred and fifty", "p"), ("300", "three hundred", "b"))
"""Both are within limits and chips, and nothing lies beside them: the verdict is the same."""
EVERYBODY = ("", "p1", "p2", "dan", "cora", "mara", "sol")
"""All but the inspector, who is shown a form when asking for it: here nobody asks."""
OTHERS = ("", "p2")
"""Outside staff; p1 reads their own name in the bar."""
CUP = "/competitions/sealed"
PATHS = (
    *("/competitions", CUP, ME, f"{ME}/board", f"{ME}/secret", f"{CUP}/results", f"{CUP}/entries"),
    *(TABLE, f"{TABLE}/dealer", f"{TABLE}/pit", f"{TABLE}/display", f"{TABLE}/do"),
    *(f"/api{CUP}", f"/api{ME}", f"/api{CUP}/console", f"/api{CUP}/may"),
    *(f"/api{TABLE}", f"/api{TABLE}/may", f"{TABLE}/journal", "/floor", "/waiting"),
)
ALSO = (
    *(f"{CUP}/{page}" for page in ("board", "board?show=overall", "event", "draw", "draws.json")),
    *(f"{CUP}/papers/{paper}?of=fee" for paper in PAPERS),
    *(f"/api{CUP}/{view}" for view in ("board", "event", "draws", "rulings")),
    *(f"{CUP}/data/{what}.csv" for what in RECORDS),
    *(f"/api{CUP}/data/{what}" for what in RECORDS),
    *(f"{CUP}/entries.csv", f"{ME}/papers", "/api/waiting", "/api/floor", "/leagues", "/house"),
    *(f"{TABLE}/games", "/house/events", "/search?q=Petra"),
)
"""Boards, papers, data and lists: looked at once, by one of each kind of reader."""
READERS = ("", "p2", "cora", "sol")
CHANCE = re.compile(r"[0-9a-f]{12,}|\"seq\":\d+")
NAME, ALIAS = "Petra Quill", "Lotte"


async def looked(asker: Asker) -> AsyncIterator[tuple[str, str, str]]:
    """Every page and view for everybody, and the regions that are streamed to them."""
    for who in EVERYBODY:
        for path in PATHS:
            headers = {**asker.headers(who or None), "Accept": "text/html"}
            answer = await asker.client.get(path, headers=headers)
            yield who, path, f"{answer.status_code} {CHANCE.sub('~', answer.text)}"
    table, pages = asker.house.tables["table-cup"], asker.app.state.live_pages
    for who in EVERYBODY:
        roles = asker.house.actor(who, table.name).roles if who else frozenset()
        for page in REGIONS:
            if roles - {Role.PATRON} or page in ("player", "display"):
                drawn = pages.regions(LiveScreen(page), table, Viewer(who, roles))
                yield who, f"stream {page}", CHANCE.sub("~", str(drawn))
    wall = asker.app.state.cup_walls.of(asker.house.competitions["competition-sealed"])
    for overall in (False, True):
        drawn = wall.regions(BoardWanted(overall=overall))
        yield "", f"stream board {overall}", CHANCE.sub("~", str(drawn))


async def looked_further(asker: Asker) -> AsyncIterator[tuple[str, str, str]]:
    for who in READERS:
        for path in ALSO:
            headers = {**asker.headers(who or None), "Accept": "text/html"}
            answer = await asker.client.get(path, headers=headers)
            assert answer.status_code < 500, (who, path)
            yield who, path, f"{answer.status_code} {CHANCE.sub('~', answer.text)}"


async def evening(asker: Asker, pen: tuple[str, str, str]) -> dict[tuple[str, str, str], str]:
    cup = await entering(asker)
    asker.house.people.put(Person("p1", NAME))
    asker.house.people.put_alias("p1", ALIAS)
    await cup.enter("p1", "p2")
    await seated(cup)
    figures, words, on = pen
    form = {"figures": figures, "words": words, "on": on, **SAID}
    assert (await post_form(asker, "p1", f"{ME}/secret", **form)).status_code == 303
    await asker.must("p2", f"{TABLE}/place-wager", {"box": 2, "on": "banker", "cents": 10_000})
    await asker.must("dan", f"{TABLE}/no-more-bets", {})
    seen = {("called", who, path): text async for who, path, text in looked(asker)}
    seen |= {("called", who, path): text async for who, path, text in looked_further(asker)}
    await asker.must("ines", f"{TABLE}/examine-secret", {"person": "p1", "verdict": "accepted"})
    await asker.must("dan", f"{TABLE}/draw-card", {})
    return seen | {("dealt", who, path): text async for who, path, text in looked(asker)}


@clause(*tas("16.6.6", "16.6.8"))
def test_all_that_anybody_is_shown_is_the_same_whatever_a_form_says(tmp_path: Path) -> None:
    seen = []
    for number, pen in enumerate(PENS):

        async def play(asker: Asker, pen: tuple[str, str, str] = pen) -> None:
            seen.append(await evening(asker, pen))

        folder = tmp_path / str(number)
        folder.mkdir()
        on_web(folder, play)
    one, other = seen
    unread = [
        path
        for path in ALSO
        if not any(one["called", who, path].startswith("200") for who in READERS)
    ]
    assert unread == [], "somebody reads each of them"
    differ = [key for key in one if one[key] != other[key]]
    assert not differ
    assert {words for _, words, _ in PENS for text in one.values() if words in text} == set()
    told = [key for key, text in one.items() if key[1] in OTHERS and NAME in text]
    assert not told
    assert ALIAS in one["called", "p2", ME]
    assert NAME in one["called", "cora", CUP]
