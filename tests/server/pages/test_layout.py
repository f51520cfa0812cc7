"""What a table must show: its layout and boxes, the table of play, a copy of the rules."""

from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from puntobanco.house.access.sign_in import SignIn
from puntobanco.journal.log import EventLog
from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import Notice, post, sample_notice
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.board import LiveScreen
from puntobanco.server.live.felt import BOXES
from puntobanco.server.live.regions import REGIONS, LivePages
from puntobanco.server.rendering import Pages, say
from puntobanco.table import commands as c
from puntobanco.table.competition_terms import Conditions, SessionTerms
from puntobanco.table.view import Viewer
from tests.kit.clauses import clause
from tests.kit.house.driver import Driver, house_over
from tests.kit.journal import using
from tests.kit.web import demo_house

LAYOUTS = [(name, one.name) for name in RULESETS for one in load_ruleset(name).table.layouts]


def drawn(tmp_path: Path, notice: Notice, page: str = "player") -> dict[str, str]:
    """The regions of a page of a table that was opened by this notice."""
    found: dict[str, str] = {}
    tmp_path.mkdir(exist_ok=True)

    async def use(log: EventLog) -> None:
        house = house_over(log)
        opening = c.OpenTable(
            notice, "monday", "shoe 1", "no. 1", effective="1 July", backs="red", hours="noon"
        )
        if load_ruleset(notice.ruleset).competition.only:
            cup = Conditions("cup", "competition", 100_000, face_down=False)
            opening = replace(opening, conditions=cup, session=SessionTerms("final"))
        await Driver(house).do("mara", opening)
        pages = LivePages(Gateway(house, SignIn(house)), Pages(house))
        found.update(pages.regions(LiveScreen(page, "wide"), house.table("table-1"), Viewer()))

    using(str(tmp_path / "house.db"), use)
    return found


@clause(
    "tas-2018:1(para2)", "tas-2018:1(para3)", "tas-2018:16.9", "tas-2018:16.10",
    "tas-2013:1(para2)", "tas-2013:1(para3)", "tas-2013:diagram-a", "tas-2013:diagram-b",
    "mbs-2017:2.2", "mbs-2017:2.2.diagrams",
)  # fmt: skip
@pytest.mark.parametrize(("ruleset", "layout"), LAYOUTS)
def test_every_layout_is_drawn_with_its_seats_and_says_which_it_is(
    tmp_path: Path, ruleset: str, layout: str
) -> None:
    """A drawing of our own: the documents' pictures are lost or not ours to copy."""
    notice = replace(sample_notice(ruleset), layout=layout)
    felt = drawn(tmp_path, notice)
    assert say("paper.layout", layout=layout) in felt["cloth"]
    boxes = [felt[name] for name in BOXES]
    assert [one.count('class="frame"') for one in boxes if one] == [1] * notice.seats


@clause("act-2015:d.box", "mbs-2017:2.2", "mbs-2017:2.2.1", "mbs-2017:2.2.2", "mbs-2017:2.2.3")
@clause("mbs-2017:2.2.4")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_box_has_an_area_for_each_wager_on_offer_and_no_other(
    tmp_path: Path, ruleset: str
) -> None:
    notice = sample_notice(ruleset)
    felt = drawn(tmp_path, notice)
    offered = set(post(notice).limits)
    for bet in Bet:
        areas = "".join(felt[name] for name in BOXES).count(f'class="area {bet}"')
        assert areas == (notice.seats if bet in offered else 0)


@clause("tas-2018:11(note)", "tas-2013:11(note)")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_table_of_play_is_one_touch_away_from_the_table(tmp_path: Path, ruleset: str) -> None:
    for page in ("player", "pit"):
        assert "sign" in REGIONS[page]
        assert (
            f'href="/rules/play/{ruleset}"'
            in drawn(tmp_path / page, sample_notice(ruleset), page)["sign"]
        )


@clause("act-2015:14.9")
def test_anyone_gets_a_copy_of_the_rules(tmp_path: Path) -> None:
    """Every clause of every document on one page, for whoever asks; it prints as it is."""
    with demo_house(tmp_path / "demo") as web:
        for ruleset in RULESETS:
            page = httpx.get(f"{web.base}/rules/{ruleset}")
            source = load_ruleset(ruleset).document
            assert "a paraphrase in our own words" in page.text
            for said in (source.issuer, source.reference, source.effective, source.fingerprint):
                assert said in page.text
            assert page.status_code == 200
            clauses = [
                one for one in rulebook.load_clauses().values() if one.id.startswith(f"{ruleset}:")
            ]
            numbers = [one.id.partition(":")[2] for one in clauses]
            assert all(f'id="c{number}"' in page.text for number in numbers)
