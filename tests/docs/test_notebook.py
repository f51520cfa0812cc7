"""How values show themselves: briefly in a shell, drawn in a notebook."""

from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest
from msgspec import Struct

import puntobanco as pb
from puntobanco.rules.notice import Terms
from puntobanco.sim.run import Job
from puntobanco.sim.shoes import plan_for
from puntobanco.table.view import Viewer, view
from tests.kit.places import ROOT

MOST = 200
SESSIONS = sorted((ROOT / "tests" / "data" / "playthroughs").glob("*.session"))
EXPORT = ROOT / "docs" / "table-1.jsonl"
TEXT = "9c Kd 2h 3s 5h 6d"
OWN = '[[wager]]\nname = "<b>six</b>"\npays = [{ odds = [12, 1], result = "banker", points = 6 }]'


def terms() -> Terms:
    return pb.post(pb.sample_notice("tas-2018"))


def coup(text: str = TEXT) -> pb.Coup:
    return pb.fold(pb.parse_drawn(text), terms().rules.tableau)


def settled() -> pb.Settlement:
    wagers = [pb.parse_wager(text) for text in ("3 b 75", "4 t 100", "5 p 50")]
    return pb.settle(coup(), pb.take(wagers, terms()), terms())


def ordinary() -> Iterator[object]:
    """Values as people come by them, of all that the public names give and take."""
    for name in pb.RULESETS:
        rules = pb.load_ruleset(name)
        yield from (rules, rules.tableau, pb.sample_notice(name), pb.post(pb.sample_notice(name)))
        yield Job(plan_for(rules, 8), 1000, 1)
    shoe = pb.deal_shoe(pb.full_set(8), pb.sample_notice("act-2015"))
    course = pb.course_of(shoe, pb.price("act-2015").wagers, pb.load_ruleset("act-2015").tableau)
    wrong = coup("6c Kd Kh 7s 4d@p")
    odds = pb.price()
    export = pb.read_export(EXPORT)
    yield from (shoe, *pb.play_shoe(shoe), course, *course[:2], coup(), coup("?? Kd"), wrong)
    yield from (settled(), *settled().lines, pb.take([pb.parse_wager("3 b 75")], terms())[0])
    yield pb.rule_on(pb.Found.CARDS_OUT_OF_ORDER, wrong, pb.Shoe(416, drawn=5), terms())
    yield from (odds, odds.ends, odds.left, *odds.worths, *odds.wagers)
    yield from (export, *export.rows, pb.verify_export(EXPORT), pb.find_clause("act-2015:12.7"))
    yield from (pb.simulate(coups=100, seed=1), pb.draw_roads(pb.parse_results("BPT" * 20)))
    yield from (
        pb.Table(),
        pb.Actor("dan", frozenset({pb.Role.DEALER}), 0),
        pb.parse_wager("3 b 75"),
    )
    for file in SESSIONS:
        session = pb.parse_session(file.read_text())
        yield session
        for played in pb.play_session(session):
            yield from (played, played.said, played.ask, *played.events, played.table)
            yield from () if played.refused is None else (played.refused,)
        yield view(played.table, Viewer("dan", frozenset({pb.Role.DEALER})))


def test_every_value_prints_briefly() -> None:
    long = {type(value).__name__: repr(value) for value in ordinary() if len(repr(value)) > MOST}
    assert not long


def test_what_is_within_an_ordinary_value_prints_briefly_too() -> None:
    """Down to the last struct of a rule set, a table and its view."""

    def within(value: object) -> Iterator[Struct]:
        if isinstance(value, Struct):
            yield value
            for name in value.__struct_fields__:
                yield from within(getattr(value, name))
        elif isinstance(value, dict):
            for one in value.values():
                yield from within(one)
        elif isinstance(value, list | tuple):
            for one in value:
                yield from within(one)

    (*_, last) = pb.play_session(pb.parse_session(SESSIONS[0].read_text()))
    seen = view(last.table, Viewer("dan", frozenset({pb.Role.DEALER})))
    values = [*within(terms()), *within(last.table), *within(seen), *within(pb.price())]
    assert len(values) > 200
    assert not [repr(value) for value in values if len(repr(value)) > MOST]


@pytest.mark.parametrize(
    ("value", "shows"),
    [
        (coup(), ["Banker", "9♣", "K♦", "6"]),
        (coup("?? Kd"), ["not over", "??"]),
        (coup(""), ["not over"]),
        (settled(), ["banker", "19:20", "72.50", "tas-2018:12.2"]),
        (pb.price(), ["banker", "1.0579%"]),
        (pb.price(wagers=pb.read_paytable(OWN)), ["<b>six</b>"]),
        (pb.simulate(coups=100, seed=1), ["Player", "100 coups", "4 cards"]),
    ],
)
def test_tables_in_a_notebook(value: object, shows: list[str]) -> None:
    """Well-formed, with what matters in it, and every text escaped."""
    root = ET.fromstring(value._repr_html_())  # type: ignore[attr-defined]  # noqa: S314  ours
    assert root.tag == "table"
    assert not root.findall(".//b")
    said = " ".join(root.itertext())
    assert [one for one in shows if one not in said] == []


def test_roads_in_a_notebook() -> None:
    """Every mark is there, in a colour of its own: nothing else may colour it."""
    drawn = pb.draw_roads(pb.parse_results("TBBpPTPBBBBBBBBPBP"))
    root = ET.fromstring(drawn._repr_svg_())  # noqa: S314  ours
    ns = "{http://www.w3.org/2000/svg}"
    said = "".join(root.itertext())
    assert all(name in said for name in ("Bead plate", "Big road", "Cockroach pig"))
    assert said.count("P") > 3
    paths = root.findall(f".//{ns}path")
    assert all(path.get("stroke", "").startswith("#") for path in paths)
    assert all(text.get("fill", "").startswith("#") for text in root.findall(f".//{ns}text"))
    assert "style" not in drawn._repr_svg_()


def test_a_course_in_a_notebook() -> None:
    shoe = pb.deal_shoe(pb.full_set(8), pb.sample_notice("mbs-2017"))
    wagers = pb.price("mbs-2017").wagers
    course = pb.course_of(shoe, wagers, pb.load_ruleset("mbs-2017").tableau)
    drawn = course._repr_svg_()
    assert drawn is not None
    said = "".join(ET.fromstring(drawn).itertext())  # noqa: S314  ours
    assert all(wager.name in said for wager in wagers)
    assert type(course)()._repr_svg_() is None
