"""Three competitions given through the web, every command of theirs at least once.

Tables are brought into line as a running house does it. Nobody plays a coup: whoever is left is
through, or a result is put in as the house would take it.
"""

import asyncio
import html
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx

from puntobanco.competition import commands as c
from puntobanco.competition.queries import pool_now
from puntobanco.house.competitions.relay import Relay
from puntobanco.journal import sqlite
from puntobanco.table.result import SessionResult
from tests.kit.competition.cup import cup_text
from tests.kit.house.driver import Time
from tests.kit.replay import Asker, asked, furnish

CENTS = 100_000
PLAYERS = tuple(f"p{number}" for number in range(1, 10))
WORDS = {"words": [{"by": "wendy", "words": "rain on Tuesday"}]}
LIST = {"text": "person\np8\n"}
ONE, TWO, THREE = "table-cup-1", "table-cup-2", "table-cup-3"
Facts = dict[str, Any]
Watch = Callable[["CupOnWeb", str, str], Awaitable[None]]


class CupOnWeb:
    """One competition, asked for as its people would."""

    def __init__(self, asker: Asker, name: str) -> None:
        self.asker = asker
        self.name = name
        self.relay = Relay(asker.house)
        self.watch: Watch | None = None
        """Asked before each command: who is about to give it, and which."""

    @property
    def state(self) -> Any:
        return self.asker.house.competitions[f"competition-{self.name}"].state

    async def do(self, who: str, command: str, facts: Facts | None = None) -> Any:
        path = f"/competitions/{self.name}/{command}"
        if self.watch:
            await self.watch(self, who, command)
        return (await self.asker.must(who, path, facts or {})).json()

    async def two(self, who: str, command: str, facts: Facts | None = None) -> None:
        await self.do(who, command, facts)
        second = "mara" if who == "cora" else "cora"
        await self.do(second, "approve", {"proposal": self.state.proposal_number})

    async def into_line(self) -> None:
        await self.relay.bring_into_line(f"competition-{self.name}")
        assert self.relay.refused == {}

    async def entering(self, text: str) -> None:
        await self.do("mara", "draft", {"text": text})
        await self.two("mara", "publish")
        await self.do("cora", "open-entries")
        await self.do("cora", "commit-draw")

    async def enter(self, *people: str) -> None:
        for person in people:
            await self.do(person, "apply")
            await self.do("carol", "accept", {"person": person})
            await self.do(person, "endorse", {"version": 1})
            await self.do(person, "pay-entry")

    async def start(self) -> None:
        if self.state.phase != "play-off":
            await self.do("cora", "draw", WORDS)
            await self.do("cora", "prepare-session")
        await self.do("cora", "start-session")

    async def result(self, chips: dict[str, int]) -> None:
        """What a table's session came to, as the house takes it."""
        session = self.state.now
        table = next(iter(session.seats))
        result = SessionResult(session.id, "coups", 30, chips)
        ask = c.TakeResult(table, 1, result, 1)
        at = f"competition-{self.name}"
        await self.asker.house.give(at, ask, "house", next(self.asker.ids))


async def enrol_players(asker: Asker, people: Sequence[str] = PLAYERS) -> None:
    for person in people:
        await asker.must("carol", "/register/enrol", {"person": person, "kind": "patron"})
        await asker.must("carol", "/cage/open-account", {"person": person})
        await asker.must("carol", "/cage/deposit", {"person": person, "cents": CENTS})


async def page(asker: Asker, who: str, path: str, status: int = 200) -> str:
    """A page as somebody is shown it, or nobody in particular."""
    headers = {**asker.headers(who or None), "Accept": "text/html"}
    shown = await asker.client.get(path, headers=headers)
    assert shown.status_code == status, (who, path, shown.status_code, shown.text[:500])
    return html.unescape(shown.text)


async def post_form(asker: Asker, who: str, path: str, **form: str) -> httpx.Response:
    """A form sent as a browser without scripts sends it."""
    headers = {
        **asker.headers(who),
        "Accept": "text/html",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    return await asker.client.post(path, content=urlencode(form), headers=headers)


HOUSEHOLDS = cup_text(top='apart = { who = "members of one household", most = 2 }')


async def three_competitions(asker: Asker, watch: Watch | None = None) -> None:
    """Every command of a competition at least once."""
    await enrol_players(asker)
    lives = {"spring": _at_real_tables, "autumn": _with_equals, "winter": _cancelled}
    for name, live in lives.items():
        cup = CupOnWeb(asker, name)
        cup.watch = watch
        await live(cup)


async def entries_closed(cup: CupOnWeb) -> None:
    """Seven entrants, after all that can happen to entries."""
    await cup.do("mara", "draft", {"text": HOUSEHOLDS})
    await cup.do("mara", "prove", {"text": HOUSEHOLDS})
    await cup.do("mara", "publish")
    await cup.do("mara", "drop-proposal", {"proposal": 1})
    await cup.entering(HOUSEHOLDS)
    await cup.do("mara", "add-value", {"cents": 10_000, "what": "a cup"})
    await cup.enter("p1", "p2", "p3", "p4", "p5", "p9")
    await cup.do("carol", "enter-at-desk", {"person": "p6", "version": 1})
    await cup.do("p7", "apply")
    await cup.do("mara", "refuse", {"person": "p7", "note": "not eligible"})
    for end in ("/preview", ""):
        await cup.asker.must("carol", f"/competitions/{cup.name}/entry-list{end}", LIST)
    await cup.do("cora", "add-reserve", {"person": "p8"})
    await cup.do("p8", "endorse", {"version": 1})
    await cup.do("p9", "withdraw")
    await cup.do("cora", "take-reserve", {"person": "p8"})
    await cup.do("p1", "raise-dispute", {"about": "my fee"})
    await cup.do("mara", "decide-dispute", {"dispute": 1, "decision": "it was paid once"})
    await cup.do("cora", "close-entries")


async def _at_real_tables(cup: CupOnWeb) -> None:
    await entries_closed(cup)
    for table in (ONE, TWO, THREE):
        await cup.do("cora", "designate-table", {"table": table})
    await cup.do("cora", "release-table", {"table": THREE})
    await cup.do("cora", "keep-apart", {"groups": [["p1", "p5"]]})
    await cup.do("cora", "draw", WORDS)
    seats = {ONE: {1: "p1", 2: "p2", 3: "p3", 4: "p4"}, TWO: {1: "p5", 2: "p6", 3: "p8"}}
    await cup.two("cora", "key-draw", {"tables": seats, "first": {ONE: 1, TWO: 1}})
    await cup.do("cora", "move-seat", {"person": "p1", "table": ONE, "seat": 6, "note": "sight"})
    start_ms = cup.asker.house.time.now_ms() + 60_000
    await cup.do("cora", "set-start", {"stage": "heats", "start_ms": start_ms, "note": "late"})
    await cup.do("cora", "sign-on", {"role": "competition director"})
    await cup.do("cora", "prepare-session")
    await cup.into_line()
    cup.asker.time.steady_ms += 60_000
    await cup.do("cora", "start-session")
    await cup.into_line()
    for name, facts in (
        ("substitute", {"person": "p1", "substitute": "p9"}),
        ("give-direction", {"note": "faster, please"}),
        ("break", {"minutes": 10}),
        ("resume", {}),
        ("stop-table", {"table": TWO, "note": "the lamp"}),
        ("resume-at", {"table": TWO, "at": TWO}),
        ("forfeit", {"person": "p3", "why": "left"}),
        ("forfeit", {"person": "p4", "why": "left"}),
    ):
        await cup.do("cora", name, facts)
        await cup.into_line()
    await cup.two("cora", "disqualify", {"person": "p8", "note": "spoke to the dealer"})
    await cup.into_line()
    await _only_few_are_left(cup)


async def _only_few_are_left(cup: CupOnWeb) -> None:
    for table in (ONE, TWO):
        await cup.do("cora", "finish-early", {"table": table})
        await cup.into_line()
    await cup.do("cora", "confirm-stage")
    await cup.into_line()
    await cup.do("cora", "commit-draw")
    await cup.start()
    await cup.into_line()
    for person in ("p2", "p5", "p6"):
        await cup.do("cora", "forfeit", {"person": person, "why": "left"})
        await cup.into_line()
    await cup.do("cora", "finish-early", {"table": ONE})
    await cup.into_line()
    await cup.do("cora", "confirm-stage")
    prize = pool_now(cup.state).pool_cents
    await cup.two("cora", "rule", {"about": "prizes", "note": "one", "prizes_cents": [prize]})
    await cup.two("cora", "confirm-places")
    await cup.do("carol", "pay-prize", {"person": "p1"})
    await cup.do("cora", "publish-results")
    await cup.do("cora", "sign-off")
    assert cup.state.phase == "done"


async def _with_equals(cup: CupOnWeb) -> None:
    """A play-off, a wild card and a second chance."""
    secondary = '[secondary]\nwinners = 1\ninto = "final"\n'
    text = cup_text(prizes=secondary, more="wild = 1", advance="2")
    await cup.entering(text)
    await cup.enter(*PLAYERS[:6])
    await cup.do("cora", "close-entries")
    await cup.do("cora", "sign-on", {"role": "competition director"})
    await cup.do("cora", "designate-table", {"table": THREE})
    await cup.start()
    await cup.do("cora", "last-coup")
    held = dict.fromkeys(PLAYERS[1:3], 900_000) | {"p1": 2_000_000}
    await cup.result(held | {"p4": 800_000, "p5": 700_000, "p6": 600_000})
    await cup.do("cora", "order-play-off", {"people": ["p2", "p3"], "table": THREE})
    await cup.do("cora", "set-play-off-chips", {"cents": 1_000_000})
    await cup.start()
    await cup.result({"p2": 1_100_000, "p3": 900_000})
    await cup.do("cora", "name-wild-cards")
    await cup.do("cora", "confirm-stage")
    await cup.do("cora", "open-secondary", {"into": "final"})


async def _cancelled(cup: CupOnWeb) -> None:
    await cup.entering(cup_text())
    await cup.enter("p1")
    await cup.two("cora", "cancel", {"note": "too few"})
    await cup.do("carol", "pay-refund", {"person": "p1"})


@asynccontextmanager
async def furnished(folder: Path) -> AsyncIterator[Asker]:
    log = sqlite.open_log(folder / "house.db", create=True)
    try:
        async with asked(log, Time()) as asker:
            await furnish(asker)
            yield asker
    finally:
        await log.close()


def on_web(folder: Path, play: Callable[[Asker], Awaitable[None]]) -> None:
    async def run() -> None:
        async with furnished(folder) as asker:
            await play(asker)

    asyncio.run(run())
