"""What a command of a competition would bring about is shown before anybody confirms it."""

import html
import re
from pathlib import Path
from typing import Any

from puntobanco.competition import commands as c
from puntobanco.competition.may import GIVEN, KINDS
from puntobanco.errors import Reason
from puntobanco.rules.competition.draw import Spoken
from puntobanco.server.commands.preview import UNSEEN
from tests.kit.clauses import clause
from tests.kit.competition.cup import cup_text
from tests.kit.competition.on_web import (
    ONE,
    PLAYERS,
    TWO,
    WORDS,
    CupOnWeb,
    enrol_players,
    on_web,
)
from tests.kit.replay import Asker

AT = "/competitions/spring"
EQUAL = {ONE: dict(enumerate(PLAYERS[:4], 1)), TWO: dict(enumerate(PLAYERS[4:7], 1))}


async def entered(asker: Asker) -> CupOnWeb:
    await enrol_players(asker)
    cup = CupOnWeb(asker, "spring")
    await cup.entering(cup_text())
    await cup.enter(*PLAYERS[:7])
    return cup


async def previewed(asker: Asker, who: str, path: str, facts: Any) -> Any:
    """A preview; nothing is written for it."""
    before = asker.heads()
    shown = await asker.must(who, f"{path}/preview", facts)
    assert asker.heads() == before
    return shown.json()


@clause("tas-2018:16.2(lead)")
def test_a_cancellation_shows_every_refund_and_happens_as_shown_or_not_at_all(
    tmp_path: Path,
) -> None:
    async def play(asker: Asker) -> None:
        cup = await entered(asker)
        told = await previewed(asker, "cora", f"{AT}/cancel", {"note": "flood"})
        says = " ".join(one["says"] for one in told["foreseen"])
        assert all(f"{person} 55.55" in says for person in PLAYERS[:7])
        assert told["second"] == ["competition director", "management representative"]
        await cup.enter("p8")
        path = f"{AT}/cancel?shown={told['shown']}"
        late = await asker.give("cora", path, {"note": "flood"})
        assert late.json()["reason"] == Reason.NOT_AS_SHOWN.value
        told = await previewed(asker, "cora", f"{AT}/cancel", {"note": "flood"})
        await asker.must("cora", f"{AT}/cancel?shown={told['shown']}", {"note": "flood"})
        number = {"proposal": cup.state.proposal_number}
        agreed = await previewed(asker, "mara", f"{AT}/approve", number)
        assert "p8 55.55" in " ".join(one["says"] for one in agreed["foreseen"])
        await asker.must("mara", f"{AT}/approve?shown={agreed['shown']}", number)
        assert cup.state.phase == "cancelled"
        refused = await asker.give("mara", f"{AT}/approve/preview", number)
        assert refused.status_code == 409

    on_web(tmp_path, play)


@clause("tas-2018:16.2.3(d)")
def test_nobody_is_shown_lots_before_they_are_drawn(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entered(asker)
        await cup.do("cora", "close-entries")
        for table in (ONE, TWO):
            await cup.do("cora", "designate-table", {"table": table})
        assert (await asker.give("cora", f"{AT}/draw/preview", WORDS)).status_code == 404
        ask = c.Draw((Spoken("wendy", "rain on Tuesday"),))
        whole = await asker.house.complete("competition-spring", ask, "cora")
        assert whole.seed == ""
        await cup.do("cora", "draw", WORDS)

    on_web(tmp_path, play)


def test_what_cannot_be_taken_back_is_shown_on_a_page_first(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        cup = await entered(asker)
        headers = {
            **asker.headers("cora"),
            "Accept": "text/html",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        for name, allowed in GIVEN.items():
            page = await asker.client.get(f"{AT}/do/{name}", headers=headers)
            wanted = allowed.final and KINDS[name] not in UNSEEN
            assert ('name="preview"' in page.text) == (wanted and page.status_code == 200), name
        do = f"{AT}/do/close-entries"
        begun = "command_id=form-close-1&preview=1"
        page = await asker.client.post(do, content=begun, headers=headers)
        assert page.status_code == 200
        assert "What will happen" in page.text
        assert cup.state.phase == "entering"
        sent = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page.text))
        body = "&".join(f"{key}={html.unescape(value)}" for key, value in sent.items())
        await asker.client.post(do, content=body, headers=headers)
        assert cup.state.phase == "closed"

    on_web(tmp_path, play)


@clause("tas-2018:16.8.2", "act-2015:15.20")
def test_the_impact_of_a_correction_is_shown_before_anyone_approves(tmp_path: Path) -> None:
    """[tas-2018:16.8.2] Whoever proposes it sees it, and so does whoever approves."""

    async def play(asker: Asker) -> None:
        cup = await entered(asker)
        await cup.do("cora", "close-entries")
        for table in (ONE, TWO):
            await cup.do("cora", "designate-table", {"table": table})
        await cup.two("cora", "key-draw", {"tables": EQUAL})
        await cup.do("cora", "sign-on", {"role": "competition director"})
        await cup.do("cora", "prepare-session")
        await cup.do("cora", "start-session")
        await cup.into_line()
        for person in ("p3", "p4"):
            await cup.do("cora", "forfeit", {"person": person, "why": "left"})
        await cup.into_line()
        await cup.do("cora", "finish-early", {"table": ONE})
        await cup.into_line()
        counted = {"person": "p1", "cents": 990_000, "note": "counted again"}
        at = f"/tables/{ONE}"
        told = await previewed(asker, "cora", f"{at}/correct-chips", counted)
        assert told["impact"]["chips"] == {"p1": [1_000_000, 990_000]}
        assert told["impact"]["places"] == {"p1": [1, 2]}
        says = [one["says"] for one in told["foreseen"]]
        assert f"Chips at the end of heats at {ONE}: p1 9,900 instead of 10,000" in says
        await asker.must("cora", f"{at}/correct-chips?shown={told['shown']}", counted)
        number = next(iter(asker.house.tables[ONE].state.proposals))
        agreed = await previewed(asker, "mara", f"{at}/approve", {"proposal": number})
        assert agreed["impact"] == told["impact"]
        same = {"person": "p1", "cents": 1_000_000, "note": "counted again"}
        nothing = await asker.give("cora", f"{at}/correct-chips/preview", same)
        assert not nothing.is_success or nothing.json()["impact"] is None
        form = {**asker.headers("mara"), "Accept": "text/html"}
        form["Content-Type"] = "application/x-www-form-urlencoded"
        body = f"command_id=form-approve-1&preview=1&proposal={number}"
        page = await asker.client.post(f"{at}/do/approve", content=body, headers=form)
        assert "9,900 instead of 10,000" in html.unescape(page.text)

    on_web(tmp_path, play)
