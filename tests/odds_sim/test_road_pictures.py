"""The roads as pictures: the same marks as the fold, each in a cell of its own, said in words."""

import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.pictures.roads import ROWS, Road, board, page_mark, page_road
from puntobanco.roads import draw_roads, parse_results, pictured

KINDS = ("bead-plate", "big-road", "big-eye-boy", "small-road", "cockroach-pig")
PAIRED = st.lists(
    st.sampled_from([result + pairs for result in "PBT" for pairs in ("", "", "", "p", "b", "pb")]),
    max_size=90,
).map("".join)
START = re.compile(r"M([\d.]+) ([\d.]+)")
Cells = Counter[tuple[int, int]]


def roads(text: str) -> dict[str, Road]:
    return {road.kind: road for road in pictured(draw_roads(parse_results(text)))}


def page(road: Road) -> ET.Element:
    return ET.fromstring(page_road(road))  # noqa: S314  ours


def cells(root: ET.Element, classes: str, width: str) -> Cells:
    """Where marks of one pen begin: row and column of each."""
    paths = [one for one in root.iter("path") if one.get("class") == classes]
    found = [one.get("d", "") for one in paths if one.get("stroke-width") == width]
    starts = START.findall(" ".join(found))
    return Counter((int(float(y)), int(float(x))) for x, y in starts)


PENS = {
    "bead-plate": ".86em",
    "big-road": ".87em",
    "big-eye-boy": ".81em",
    "small-road": ".78em",
    "cockroach-pig": ".17em",
}


@given(PAIRED)
def test_every_mark_of_the_fold_is_drawn_once_in_its_cell_and_its_colour(text: str) -> None:
    for kind, road in roads(text).items():
        root = page(road)
        drawn = {tone: cells(root, tone.lower(), PENS[kind]) for tone in "PBT"}
        decided = [m for m in road.marks if m.tone != "T" or kind == "bead-plate"]
        assert drawn == {
            tone: Counter((m.row, m.column) for m in decided if m.tone == tone) for tone in "PBT"
        }
        together = drawn["P"] + drawn["B"] + drawn["T"]
        assert all(count == 1 for count in together.values())
        assert all(0 <= row < ROWS for row, _ in together)


@given(PAIRED)
def test_ties_counts_pairs_and_letters_are_drawn(text: str) -> None:
    drawn = roads(text)
    big, beads = page(drawn["big-road"]), page(drawn["bead-plate"])
    tied = [mark for mark in drawn["big-road"].marks if mark.ties]
    assert cells(big, "t", ".12em") == Counter((mark.row, mark.column) for mark in tied)
    counts = [int(one.text or "") for one in big.iter("text") if (one.text or "").isdigit()]
    assert sorted(counts) == sorted(mark.ties for mark in tied if mark.ties > 1)
    letters = "".join(one.text or "" for one in beads.iter("text"))
    assert letters == "".join(mark.tone for mark in drawn["bead-plate"].marks)
    for road, root in ((drawn["big-road"], big), (drawn["bead-plate"], beads)):
        for tone in "PB":
            paired = Counter((m.row, m.column) for m in road.marks if tone in m.pairs)
            assert cells(root, tone.lower(), ".25em") == paired


@given(PAIRED)
def test_the_newest_column_is_within_the_picture_and_its_mark_is_apart(text: str) -> None:
    for road in roads(text).values():
        root = page(road)
        across = float(root.get("viewBox", "").split()[2])
        assert root.get("width") == f"{across:g}em"
        assert across >= road.columns
        newest = root.find(".//g[@class='newest']")
        assert newest is not None
        starts = START.findall(" ".join(one.get("d", "") for one in newest.iter("path")))
        last = {(road.marks[-1].row, road.marks[-1].column)} if road.marks else set()
        assert {(int(float(y)), int(float(x))) for x, y in starts} == last


@given(PAIRED)
def test_a_road_says_itself_in_words(text: str) -> None:
    drawn = roads(text)
    for kind in KINDS:
        title = page(drawn[kind]).find("title")
        assert title is not None
        assert title.text == drawn[kind].says
        assert drawn[kind].says.startswith(drawn[kind].name)
    plain = text.replace("p", "").replace("b", "")
    if plain:
        said = drawn["bead-plate"].says
        assert (
            f"Player {plain.count('P')}, Banker {plain.count('B')}, Tie {plain.count('T')}" in said
        )
        assert f"pairs {text.count('p') + text.count('b')}." in said


@given(PAIRED)
def test_blue_is_cut_and_red_is_whole_on_the_derived_roads(text: str) -> None:
    """Nobody needs to see the colour to tell them apart."""
    drawn = roads(text)
    for kind in KINDS[2:]:
        cut = [one for one in page(drawn[kind]).iter("path") if one.get("class") == "cut ground"]
        starts = START.findall(" ".join(one.get("d", "") for one in cut))
        blue = Counter((m.row, m.column) for m in drawn[kind].marks if m.tone == "P")
        assert Counter((int(float(y)), int(float(x))) for x, y in starts) == blue


@given(PAIRED)
def test_on_paper_there_are_the_same_marks_in_colours_of_their_own(text: str) -> None:
    drawn = pictured(draw_roads(parse_results(text)))
    paper = ET.fromstring(board(drawn))  # noqa: S314  ours
    ns = "{http://www.w3.org/2000/svg}"
    on_paper = [one for one in paper.iter(f"{ns}path") if one.get("stroke-width") != ".05"]
    on_pages = [one for road in drawn for one in page(road).iter("path")]
    assert [one.get("d") for one in on_paper] == [one.get("d") for one in on_pages]
    assert not [one for one in paper.iter() if one.get("style")]
    assert all(one.get("stroke", "").startswith("#") for one in on_paper)


@pytest.mark.parametrize("kind", KINDS[2:])
@pytest.mark.parametrize("tone", ["P", "B", ""])
def test_one_mark_by_itself(kind: str, tone: str) -> None:
    root = ET.fromstring(page_mark(kind, tone))  # noqa: S314  ours
    assert root.get("aria-hidden") == "true"
    assert next(one.get("class") for one in root.iter("path")) == (tone.lower() or "none")


def test_a_whole_shoe_of_roads_is_small_enough_for_a_stream() -> None:
    text = "PBbTPPBBpBTTPBPBBPPPPPPPPPBBbpPBTBBBPPBBPBPPPBBTPBPPPBBPBBPPPBTPBPPBTPBPP"
    assert sum(len(page_road(road)) for road in roads(text).values()) < 13_000
