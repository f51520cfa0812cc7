"""Every command can be given from a page by whoever may, and by nobody else: all roles, in every
phase that three competitions go through.

What the page offers and what the API says are held against the deciders themselves. Over HTTP
everybody first tries all that is not theirs, then, as things go on, whatever has ceased to be.
"""

import re
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from puntobanco.competition import commands as c
from puntobanco.competition.authority import AUTHORITY
from puntobanco.competition.decide import look_forward
from puntobanco.competition.may import KINDS
from puntobanco.competition.state import Competition, CompetitionPhase
from puntobanco.errors import Reason, Refused
from puntobanco.table.actor import Actor, Role
from tests.kit.competition.on_web import CupOnWeb, on_web, page, three_competitions
from tests.kit.replay import Asker
from tests.kit.table.asks import example

PEOPLE = ("ann", "p1", "p9", "dan", "ines", "otto", "sol", "carol", "cora", "mara")
ENTITLED = (Reason.NOT_YOUR_ROLE, Reason.DIRECTOR_NOT_SIGNED_ON, Reason.WRONG_PHASE)
"""What somebody is refused for, whatever they say with the command."""
ALL = frozenset(KINDS)
WRITTEN: dict[type, Any] = {
    c.KeepApart: c.KeepApart(()),
    c.KeyDraw: c.KeyDraw({}),
    c.SignOn: c.SignOn(Role.DIRECTOR),
}


def written(kind: type[Any]) -> Any:
    """About somebody whom the house knows, where it is about anybody."""
    ask = WRITTEN.get(kind) or example(kind)
    return replace(ask, person="p2") if "person" in ask.__struct_fields__ else ask


EXAMPLES = {name: written(kind) for name, kind in KINDS.items()}


def refusal(state: Competition, ask: Any, by: Actor) -> Reason | None:
    try:
        look_forward(state, ask, by)
    except Refused as refused:
        return refused.reason
    return None


def able(state: Competition, by: Actor) -> frozenset[str]:
    """What somebody could give now: as it would likely be given, or with facts of their own."""
    found = set()
    for name, kind in KINDS.items():
        likely = AUTHORITY[kind].likely
        if likely is None:
            can = refusal(state, EXAMPLES[name], by) not in ENTITLED
        else:
            can = any(refusal(state, ask, by) is None for ask in likely(state, by))
        found |= {name} if can else set()
    return frozenset(found)


class Watched:
    """Looks at a competition before each command, once in every situation."""

    def __init__(self) -> None:
        self.seen: set[tuple[object, ...]] = set()
        self.phases: set[CompetitionPhase] = set()
        self.given: set[str] = set()
        self.before: dict[str, frozenset[str]] = {}

    async def look(self, cup: CupOnWeb, who: str, command: str) -> None:
        if f"competition-{cup.name}" not in cup.asker.house.competitions or command == "prove":
            return
        state = cup.state
        assert command in await self.offered(cup, who), (state.phase, who, command)
        self.given.add(command)
        now = (state.phase, bool(state.directors), state.break_until_ms, bool(state.proposals))
        if now not in self.seen:
            self.seen.add(now)
            await self.everybody(cup)

    async def everybody(self, cup: CupOnWeb) -> None:
        self.phases.add(cup.state.phase)
        if cup.state.version:
            assert "/do/" not in await page(cup.asker, "", f"/competitions/{cup.name}")
        for who in PEOPLE:
            by = cup.asker.house.actor(who, f"competition-{cup.name}")
            can = able(cup.state, by)
            assert await self.offered(cup, who) == can, (cup.state.phase, who)
            await self.shut(cup, by, self.before.get(who, ALL) - can)
            self.before[who] = can

    async def offered(self, cup: CupOnWeb, who: str) -> set[str]:
        """What a page offers; the API says the same."""
        asker, at = cup.asker, f"/competitions/{cup.name}"
        by = asker.house.actor(who, f"competition-{cup.name}")
        if not cup.state.version and not by.roles & AUTHORITY[c.Draft].roles:
            return set()  # nobody else is shown a draft
        shown = set(re.findall(rf"{at}/do/([a-z-]+)", await page(asker, who, at)))
        told = await asker.client.get(f"/api{at}/may", headers=asker.headers(who))
        assert {one["command"] for one in told.json() if one["possible"]} == shown, who
        return shown

    async def shut(self, cup: CupOnWeb, by: Actor, names: frozenset[str]) -> None:
        """It is refused for what the core refuses it for; whose it never is, has no form of it."""
        asker, at = cup.asker, f"/competitions/{cup.name}"
        head = asker.heads()
        for name in sorted(names):
            reason = refusal(cup.state, EXAMPLES[name], by)
            answer = await asker.give(by.person, f"{at}/{name}", EXAMPLES[name])
            assert answer.is_client_error, (cup.state.phase, by.person, name)
            if reason in ENTITLED:
                assert answer.json()["reason"] == reason, (cup.state.phase, by.person, name)
            if reason is Reason.NOT_YOUR_ROLE:
                await page(asker, by.person, f"{at}/do/{name}", 403)
        assert asker.heads() == head


async def open_at_their_end(asker: Asker) -> None:
    """Everybody opens every competition; the money is for whoever is in charge."""
    for who in ("", *PEOPLE):
        for path in ("", "/spring", "/autumn", "/winter"):
            await page(asker, who, f"/competitions{path}")
    mara = await page(asker, "mara", "/competitions/spring")
    for said in ("Spring Cup", "done", "In the pot", "Prize pool", "Disqualified", "Rulings"):
        assert said in mara, said
    listed = await page(asker, "carol", "/competitions/spring/entries.csv")
    assert "9,p8,,,,disqualified,1,55.55" in listed
    await page(asker, "p1", "/competitions/spring/entries.csv", 403)
    stranger = await page(asker, "", "/competitions/spring")
    assert "In the pot" not in stranger
    assert "Places" in stranger


def test_every_command_is_offered_to_whoever_may_give_it_and_to_nobody_else(
    tmp_path: Path,
) -> None:
    watched = Watched()

    async def play(asker: Asker) -> None:
        await three_competitions(asker, watched.look)
        await watched.everybody(CupOnWeb(asker, "spring"))
        await open_at_their_end(asker)

    on_web(tmp_path, play)
    assert watched.given == ALL
    assert watched.phases == set(CompetitionPhase)
