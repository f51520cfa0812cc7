"""Live pages are drawn for every kind of viewer at every moment of every session.

`EVERY_PAGE=1 pytest tests/server/pages/test_pages.py` draws all pages for each, in five minutes.
"""

import os
import re
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.figures.noted import QUIET
from puntobanco.house.may import possible
from puntobanco.journal.log import EventLog
from puntobanco.rules.notice import Limits
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.board import LiveScreen
from puntobanco.server.live.regions import REGIONS, LivePages
from puntobanco.server.rendering import Pages, say
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor
from puntobanco.table.session import parse_session, play_session
from puntobanco.table.view import Viewer
from tests.kit.clauses import clause
from tests.kit.house.driver import house_over
from tests.kit.journal import using
from tests.kit.places import PLAYTHROUGHS
from tests.kit.stored import stored
from tests.kit.table.at import ready

OFFERED = re.compile(r"/tables/table-1/(do/[a-z-]+|bet\b|turn\b)")
"""The commands that a page has a button, a form or a link for."""
SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))
EVERY_PAGE = bool(os.environ.get("EVERY_PAGE"))
"""Draw every page for everybody at every moment; else a page each at one moment in three."""


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_no_moment_of_a_session_cannot_be_shown(tmp_path: Path, session: Path) -> None:
    """And no page offers anybody what would be refused to them."""
    steps = [one for one in play_session(parse_session(session.read_text())) if one.events]
    people = {one.said.by.person: one.said.by.roles for one in steps}

    async def use(log: EventLog) -> None:
        house = house_over(log)
        pages = LivePages(Gateway(house, SignIn(house)), Pages(house))
        stream = house.table("table-1")
        kinds = list(REGIONS)
        for moment, step in enumerate(steps if EVERY_PAGE else steps[::3]):
            stream.state = step.table
            viewers = [Viewer(), *(Viewer(who, roles) for who, roles in people.items())]
            for place, viewer in enumerate(viewers):
                by = Actor(viewer.person, viewer.roles, house.time.now_ms())
                can = set(possible(step.table, by))
                turn = [kinds[(moment + place) % len(kinds)]]
                for page in kinds if EVERY_PAGE else turn:
                    drawn = pages.regions(LiveScreen(page), stream, viewer)
                    assert set(drawn) == set(REGIONS[page])
                    html = "".join(drawn.values())
                    assert "{{" not in html
                    offered = {one.removeprefix("do/") for one in OFFERED.findall(html)}
                    offered = {"bet-more" if one == "bet" else one for one in offered}
                    assert offered <= can, f"{page} of {viewer.person}"

    using(str(tmp_path / "house.db"), use)


def test_whatever_the_house_notes_of_itself_has_words() -> None:
    kinds = {type(one).__struct_config__.tag: one for one in stored("house")}
    for kind in set(kinds) - QUIET:
        facts = msgspec.to_builtins(kinds[kind])
        assert say(f"event.{kind}", **{name: facts[name] for name in facts if name != "is"})


@clause("tas-2018:7.6(b)", "tas-2018:7.3(a)")
@pytest.mark.parametrize("page", ["display", "player", "pit"])
def test_a_posted_change_shows_all_that_will_change(tmp_path: Path, page: str) -> None:
    at = ready("tas-2018", collective_liability_cents=500_000)
    will = replace(
        at.notice,
        limits=Limits(5000, 500_000),
        tie_limits=Limits(1000, 50_000),
        pairs_limits=Limits(500, 30_000),
        collective_liability_cents=400_000,
    )
    at.do("mara", c.PostChange(will, 0))

    async def use(log: EventLog) -> None:
        house = house_over(log)
        stream = house.table("table-1")
        stream.state = at.table
        regions = LivePages(Gateway(house, SignIn(house)), Pages(house)).regions(
            LiveScreen(page), stream, Viewer()
        )
        sign = regions["placard" if page == "display" else "sign"]
        for said in (
            "Player and Banker: minimum: 25 → 50",
            "Tie: minimum: 5 → 10",
            "Pairs: maximum: 200 → 300",
            "Collective liability: 5,000 → 4,000",
        ):
            assert said in re.sub("<[^>]+>", "", sign)
        assert f'data-until="{at.at_ms + 30 * 60_000}"' in sign
        assert "rounded up" in sign

    using(str(tmp_path / "house.db"), use)


def test_every_wager_on_offer_has_its_limits_on_wall_and_notice(tmp_path: Path) -> None:
    """Also where the notice sets none of its own for the Tie, and those of the main wagers hold."""
    at = ready("mbs-2017", tie_limits=None)

    async def use(log: EventLog) -> None:
        house = house_over(log)
        stream = house.table("table-1")
        stream.state = at.table
        pages = LivePages(Gateway(house, SignIn(house)), Pages(house))
        wall = pages.regions(LiveScreen("display"), stream, Viewer())["placard"]
        assert re.findall("<dt>(.*?)</dt>", wall) == ["Player, Banker", "Tie", "Pairs"]
        assert "<li>Tie <data" in pages.regions(LiveScreen("player"), stream, Viewer())["sign"]

    using(str(tmp_path / "house.db"), use)


@clause("act-2015:13.1")
def test_the_hours_of_the_house_are_on_a_sign_that_names_none(tmp_path: Path) -> None:
    at = ready("act-2015")

    async def use(log: EventLog) -> None:
        house = house_over(log)
        house.hours = "noon to 04:00"
        stream = house.table("table-1")
        stream.state = at.table
        pages = LivePages(Gateway(house, SignIn(house)), Pages(house))
        assert (
            "Hours noon to 04:00"
            in pages.regions(LiveScreen("display"), stream, Viewer())["placard"]
        )

    using(str(tmp_path / "house.db"), use)


@clause("act-2015:13.2")
def test_a_notice_of_closing_is_shown_to_everybody_with_the_time_that_is_left(
    tmp_path: Path,
) -> None:
    """[act-2015:13.2] On the sign of every page, and beside a player's own chips."""
    at = ready("act-2015")
    closing_ms = at.at_ms + 30 * 60_000
    shows = f'data-until="{closing_ms}"'

    async def use(log: EventLog) -> None:
        house = house_over(log)
        stream = house.table("table-1")
        pages = LivePages(Gateway(house, SignIn(house)), Pages(house))
        for given in (False, True):
            if given:
                at.do("sue", c.GiveClosingNotice(closing_ms))
            stream.state = at.table
            viewer = Viewer("ann", at.by("ann").roles)
            for page in ("display", "player", "pit", "dealer"):
                drawn = pages.regions(LiveScreen(page), stream, Viewer())
                there = drawn.get("sign") or drawn.get("desk/facts") or drawn["placard"]
                assert (shows in there) is given, page
            own = pages.regions(LiveScreen("player"), stream, viewer)["own"]
            assert ("This table closes at" in own) is given

    using(str(tmp_path / "house.db"), use)


@clause("tas-2018:4.3")
def test_cards_at_the_end_are_told_as_people_write_them(tmp_path: Path) -> None:
    """All 52 cards by their names stood there, also of a set of which none was dealt."""
    at = ready("tas-2018")
    at.coup("1 p 50", "9c Kd Kh 2s")
    at.do("dan", c.EndShoe("closing"))

    async def use(log: EventLog) -> None:
        house = house_over(log)
        stream = house.table("table-1")
        pages = LivePages(Gateway(house, SignIn(house)), Pages(house))

        def told() -> str:
            stream.state = at.table
            pit = pages.regions(LiveScreen("pit"), stream, Viewer("ines", at.by("ines").roles))
            return " ".join(re.sub("<[^>]+>", "", pit["pit"]).split())

        assert "Not seen in play, of full decks: 8 × A♣," in told()
        assert "7 × 9♣," in told()
        assert "Seen more often" not in told()
        at.do("dan", c.Shuffle())
        at.do("mara", c.CloseTable())
        assert "No card of this set was dealt." in told()

    using(str(tmp_path / "house.db"), use)
