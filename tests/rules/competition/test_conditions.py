"""Conditions: read, bounded, and held against their rule set and against themselves."""

import tomllib
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields

from puntobanco.errors import MalformedError, Refused
from puntobanco.rules.competition.checks import advice_on, faults_of
from puntobanco.rules.competition.conditions import (
    CompetitionConditions,
    exact_percent,
    read_conditions,
    version_of,
)
from puntobanco.rules.competition.shipped import TEMPLATES, template_text
from puntobanco.rules.competition.ways import OPTIONS, notice_of, seats_for, ways_of
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import Limits, Notice, post
from puntobanco.table.commands import OpenTable
from puntobanco.words.conditions import CONDITION_FAULTS
from tests.kit.clauses import clause, tas
from tests.kit.places import DATA

ISSUE = (DATA / "competitions" / "spring-cup.toml").read_bytes()
TEMPLATE_OF = {"tas-2018": "four-heats", "act-2015": "canberra", "mbs-2017": "singapore"}


def changed(template: str, /, **changes: Any) -> CompetitionConditions:
    """A template with other values: entry__min=3, heats__ends={"shoes": 1}; None takes one out."""
    values = tomllib.loads(template_text(template))
    for path, value in changes.items():
        *where, last = path.split("__")
        place: Any = values
        for step in where:
            stages = {stage["name"]: stage for stage in values["stage"]}
            place = stages[step] if step in stages else place.setdefault(step, {})
        place[last] = value
        if value is None:
            del place[last]
    return msgspec.convert(values, CompetitionConditions, str_keys=True)


def found(conditions: CompetitionConditions) -> list[tuple[str, str]]:
    faults = faults_of(conditions, load_ruleset(conditions.ruleset))
    assert all(fault.wrong and fault.remedy for fault in faults)
    return [(fault.item, fault.clause) for fault in faults]


def test_the_example_is_valid_as_printed() -> None:
    conditions = read_conditions(ISSUE)
    assert found(conditions) == []
    assert (conditions.name, conditions.entry.fee_cents) == ("Spring Cup", 5555)
    assert version_of(ISSUE) == sha256(ISSUE).hexdigest()
    assert version_of(ISSUE.decode()) == version_of(ISSUE)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_is_sound_and_its_tables_can_be_opened(name: str) -> None:
    conditions = read_conditions(template_text(name))
    assert found(conditions) == []
    for stage in conditions.stage:
        notice = notice_of(conditions, stage.name)
        post(notice)
        assert notice.limits == stage.limits
        assert notice.seats >= stage.seats


ITEMS = [
    ("name", "name", "2.2(lead)", "15.3"),
    ("start", "start", "2.2(lead)", "15.4(a)"),
    ("table", "table", "2.2(lead)", "15.3"),
    ("table__decks", "table.decks", "2.2(lead)", "15.3"),
    ("table__method", "table.method", "2.2(lead)", "15.3"),
    ("entry__form", "entry.form", "2.2(a)", "15.3"),
    ("entry__terms", "entry.terms", "2.2(b)", "15.3"),
    ("entry__fee_cents", "entry.fee_cents", "2.2(c)", "15.4(c)"),
    ("entry__min", "entry.min", "2.2(d)", "15.4(e)"),
    ("entry__max", "entry.max", "2.2(d)", "15.4(e)"),
    ("prizes", "prizes", "2.2(g)", "15.4(h)"),
    ("stage", "stage", "2.2(lead)", "15.4(b)"),
    ("heats__seats", "stage.heats.seats", "2.2(lead)", "15.3"),
    ("heats__allotment_cents", "stage.heats.allotment_cents", "2.2(e)", "15.4(d)"),
    ("heats__ends", "stage.heats.ends", "2.2(f)", "d.session"),
    ("heats__limits", "stage.heats.limits", "2.2(lead)", "15.4(g)"),
]


@clause(
    *tas("16.2.2(lead)", *(f"16.2.2({letter})" for letter in "abcdefg")),
    *("act-2015:15.3", "act-2015:d.session"),
    *(f"act-2015:15.4({letter})" for letter in "abcdegh"),
)
@pytest.mark.parametrize(("path", "item", "tasmania", "canberra"), ITEMS)
def test_whatever_is_missing_is_named_with_its_clause(
    path: str, item: str, tasmania: str, canberra: str
) -> None:
    """[tas-2018:16.2.2(a)-16.2.2(i), act-2015:15.4(a)-15.4(h)]; in Singapore by conditions alone"""
    wanted = {
        "tas-2018": f"tas-2018:16.{tasmania}",
        "act-2015": f"act-2015:{canberra}",
        "mbs-2017": "conditions",
    }
    for document, template in TEMPLATE_OF.items():
        without = changed(template, **{path: None})
        missing = found(without)
        assert (item, wanted[document]) in missing
        others = [one for one, _ in missing if one != item]
        assert all("raised" in one for one in others), others
        twin = msgspec.structs.replace(without, ruleset="tas-2013")
        if document == "tas-2018":
            assert (item, f"tas-2013:15.{tasmania}") in found(twin)


@clause("act-2015:15.3")
def test_conditions_need_an_approval_where_the_document_wants_one() -> None:
    """[act-2015:15.3]"""
    assert found(changed("canberra", approval="  ")) == [("approval", "act-2015:15.3")]
    assert found(changed("four-heats", approval="")) == []
    assert found(changed("singapore", approval="")) == []


RISE = {"min_cents": 20000, "max_cents": 500000, "multiple_cents": 10000}
WRONG = [
    ("four-heats", "entry__retained_percent", "10.01", "entry.retained_percent", "16.2.1"),
    ("four-heats", "entry__commission_cents", 1, "entry.retained_percent", "16.2.1"),
    ("live-cash", "entry__commission_cents", 251, "entry.retained_percent", "16.2.1"),
    ("canberra", "entry__commission_cents", 11001, "entry.commission_cents", "15.24"),
    ("canberra", "apart__who", "households", "apart.most", "15.4(f)"),
    ("canberra", "apart__most", 2, "apart.who", "15.4(f)"),
    ("four-heats", "entry__min", 37, "entry.min", "16.2.2(d)"),
    ("canberra", "entry__re_entries", 1, "entry.re_entries", "15.6"),
    ("canberra", "entry__until", "2027-06-12T15:00:01+10:00", "entry.until", "15.13"),
    ("canberra", "entry__refund_days", 7, "entry.refund_days", "15.25(1)"),
    ("four-heats", "entry__refund_days", 8, "entry.refund_days", "16.2(lead)"),
    ("four-heats", "prizes__list_cents", [100], "prizes", "16.2.2(g)"),
    ("four-heats", "prizes__percent", ["50", "49.99"], "prizes.percent", "16.2.2(h)"),
    ("canberra", "prizes__percent", [60, 41], "prizes.percent", "15.4(h)"),
    ("secondary", "secondary__into", "finals", "secondary.into", "16.1-secondary-competition"),
    ("four-heats", "heats__seats", 10, "stage.heats.seats", "1(para1)"),
    ("four-heats", "heats__least", 10, "stage.heats.least", "16.2.3(e)"),
    ("canberra", "heats__ends", {"minutes": 40}, "stage.heats.ends", "d.session"),
    ("four-heats", "heats__ends", {"coups": 1, "shoes": 1}, "stage.heats.ends", "16.1-session"),
    ("canberra", "chips", "cash", "chips", "d.tournament-chips"),
    ("singapore", "chips", "cash", "chips", ""),
    ("canberra", "heats__secrets", 1, "stage.heats.secrets", ""),
    ("four-heats", "final__allotment_cents", 999_999, "stage.final.allotment_cents", "16.2.2(e)"),
    ("canberra", "heats__allotment_cents", 9500, "stage.heats.allotment_cents", "15.4(d)"),
    ("four-heats", "heats__raised", RISE | {"min_cents": 9999}, "stage.heats.raised", "16.5.3"),
    ("four-heats", "heats__raised", RISE | {"max_cents": 199999}, "stage.heats.raised", "16.5.3"),
    ("four-heats", "heats__raised", RISE | {"min_cents": 10000, "max_cents": 200_000},
     "stage.heats.raised", "16.5.3"),
    ("four-heats", "heats__raised", RISE | {"min_cents": 600_000}, "stage.heats.raised", "7.1"),
    ("four-heats", "heats__raised_tie", {"min_cents": 1, "max_cents": 2},
     "stage.heats.raised_tie", "16.5.3"),
    ("four-heats", "final__raised_tie", RISE | {"max_cents": 900_000},
     "stage.final.raised_tie", "16.5.3"),
    ("four-heats", "play__indicator", "no", "stage.heats.raised", "16.5.3"),
    ("canberra", "heats__raised", RISE, "stage.heats.raised", "15.4(g)"),
    ("four-heats", "table__pairs", "perfect-pairs", "table.pairs", "16.4.4"),
    ("four-heats", "table__decks", 9, "table", "4.1"),
    ("canberra", "table__burn", "", "table", "5.4(a)"),
    ("canberra", "heats__limits", {"min_cents": 5, "max_cents": 4}, "stage.heats.limits", "3.1"),
    ("canberra", "heats__start", "2027-06-12T15:00:01+10:00", "stage.heats.start", "15.4(a)"),
    ("four-heats", "final__start", "2027-03-13T07:00:00Z", "stage.final.start", "16.2.2(lead)"),
    ("four-heats", "final__name", "heats", "stage.heats.name", "16.2.2(lead)"),
]  # fmt: skip


@clause(
    *tas("16.2.1", "16.2(lead)", "16.2.2(d)", "16.2.2(e)", "16.2.2(g)", "16.2.2(h)"),
    *("act-2015:15.6", "act-2015:15.24", "act-2015:d.session", "act-2015:15.4(d)"),
)
@pytest.mark.parametrize(("template", "path", "value", "item", "cited"), WRONG)
def test_what_the_document_does_not_allow_is_named_with_its_clause(
    template: str, path: str, value: object, item: str, cited: str
) -> None:
    """[tas-2018:16.2.1, 16.5.3, act-2015:15.6, 15.13, d.session] and the conditions themselves"""
    conditions = changed(template, **{path: value})
    wanted = f"{conditions.ruleset}:{cited}" if cited else "conditions"
    assert (item, wanted) in found(conditions)


FINE = [
    ("four-heats", {"entry__retained_percent": 10}),
    ("four-heats", {"entry__retained_percent": "0", "entry__commission_cents": 550}),
    ("four-heats", {"entry__re_entries": 2}),
    ("four-heats", {"entry__until": "2027-03-13T20:00:00+11:00"}),
    ("canberra", {"entry__until": "2027-06-12T15:00:00+10:00"}),
    ("canberra", {"entry__retained_percent": "30"}),
    ("four-heats", {"entry__refund_days": 3}),
    ("singapore", {"entry__refund_days": 30}),
    (
        "canberra",
        {"heats__start": "2027-06-12T05:00:00Z", "final__start": "2027-06-13T15:00:00+10:00"},
    ),
    ("four-heats", {"heats__seats": 8, "entry__fee_cents": 0}),
    ("four-heats", {"heats__ends": {"minutes": 45}}),
    ("singapore", {"heats__ends": {"minutes": 45}, "heats__secrets": 2}),
    ("canberra", {"heats__secrets": 1, "play__secret_wagers": True}),
    ("canberra", {"heats__raised": RISE, "play__indicator": "yes"}),
    ("canberra", {"play__face_down": "yes", "play__absent": "minimum-deducted"}),
    ("four-heats", {"play__time_over": "ruling", "play__order": "anticlockwise"}),
]


@clause(*tas("16.2.2(i)"))
@pytest.mark.parametrize(("template", "changes"), FINE, ids=str)
def test_what_the_document_leaves_open_conditions_settle(
    template: str, changes: dict[str, Any]
) -> None:
    """Late entry and re-entry in Tasmania, S26; a number of coups or minutes, O19; the number of
    secret wagers [tas-2018:16.2.2(i)].
    """
    assert found(changed(template, **changes)) == []


def test_every_kind_of_fault_is_tried() -> None:
    tried = set[str]()
    for template, path, value, _, _ in WRONG:
        conditions = changed(template, **{path: value})
        tried |= {one.kind for one in faults_of(conditions, load_ruleset(conditions.ruleset))}
    tried |= {"missing", "approval-missing", "not-this-way"}  # have tests of their own
    assert tried == set(CONDITION_FAULTS)


@clause("act-2015:15.5")
@pytest.mark.parametrize("document", RULESETS)
def test_a_documents_own_way_is_not_open_to_conditions(document: str) -> None:
    """Approved conditions prevail over rules 1 to 14, not over section 15 [act-2015:15.5] B46"""
    rules = load_ruleset(document)
    template = TEMPLATE_OF.get(document, "single-table")
    for name, options in OPTIONS.items():
        own = rules.competition.play.get(name)
        for option in options[1:]:
            conditions = changed(template, **{f"play__{name}": option})
            refused = (f"play.{name}", own.clause if own else "") in found(conditions)
            assert refused == (own is not None and not own.may and option != own.way)
            way = ways_of(conditions.play, rules)[name]
            if not refused:
                assert way.value == option
                assert way.by_conditions == (own is None)
    always = ("order", "every_coup", "eliminated", "late", "level")
    fixed = [name for name in always if name in rules.competition.play]
    assert fixed == ([] if document == "mbs-2017" else list(always))


@pytest.mark.parametrize("document", RULESETS)
def test_ways_agree_with_what_the_table_goes_by(document: str) -> None:
    """(g)8: each document's ways are its own, and stand in the rule set once for each use."""
    rules = load_ruleset(document)
    competition, ways = rules.competition, ways_of(changed("four-heats").play, rules)
    assert ways["order"].value == (competition.order or "together")
    assert (ways["every_coup"].value == "yes") == bool(competition.every_coup)
    assert (ways["eliminated"].value == "below-minimum") == bool(competition.eliminated)
    assert (ways["absent"].value == "minimum-deducted") == bool(competition.absent)
    assert (ways["time_over"].value == "minimum-only") == bool(competition.time_over)
    assert (ways["indicator"].value == "yes") == (rules.shoe.indicator is not None)
    assert (ways["face_down"].value == "yes") == (competition.face_down is not None)
    level = competition.ends.equal_at_end
    assert ways["level"].value == ("more-rounds" if level == "conditions" else level)
    for name, clause_of in (("order", competition.order_clause), ("absent", competition.absent)):
        assert ways[name].clause == (clause_of or "conditions")


def test_units_that_the_chips_cannot_pay_are_advice_only() -> None:
    rules = load_ruleset("tas-2018")
    assert not advice_on(changed("four-heats"), rules)
    odd = {"min_cents": 10000, "max_cents": 500000, "multiple_cents": 500}
    (said,) = advice_on(changed("four-heats", final__limits=odd), rules)
    assert "19 to 20" in said
    assert "such as 100" in said
    assert found(changed("four-heats", final__limits=odd)) == []


@clause(*tas("16.2.2(g)"))
def test_a_list_is_held_against_the_pool_of_every_number_of_entries() -> None:
    """[tas-2018:16.2.2(g)]"""
    rules = load_ruleset("tas-2018")
    listed = changed("four-heats", prizes__percent=[], prizes__list_cents=[100_000])
    above, below = advice_on(listed, rules)
    assert "with 18 entries the pool of 891 lacks 109" in above
    assert below.startswith("from 21 entries on, the prize list is less than the pool of 1039.50")
    assert "[tas-2018:16.2.1]" in below


def test_singapores_conditions_are_told_as_such() -> None:
    advice = advice_on(changed("singapore", heats__secrets=1, table__leftover=""),
                       load_ruleset("mbs-2017"))  # fmt: skip
    assert any(said.startswith("conditions, not rules: order clockwise") for said in advice)
    assert any("secret wagers are conditions" in said for said in advice)
    assert any("left over is discarded" in said for said in advice)


def test_a_notice_has_the_fewest_seats_that_do() -> None:
    tasmania, singapore = load_ruleset("tas-2018"), load_ruleset("mbs-2017")
    assert [seats_for(players, tasmania) for players in (2, 7, 8, 9, 10)] == [7, 7, 9, 9, 10]
    assert seats_for(5, singapore) == 5


def test_a_notice_takes_the_stages_limits_before_the_tables() -> None:
    tie, own = ({"min_cents": 500, "max_cents": most} for most in (1000, 2000))
    conditions = changed("four-heats", table__tie_limits=tie, final__tie_limits=own)
    assert notice_of(conditions, "heats").tie_limits == msgspec.convert(tie, Limits)
    assert notice_of(conditions, "final").tie_limits == msgspec.convert(own, Limits)
    assert notice_of(changed("singapore", table__leftover=""), "final").leftover == "discard"
    with pytest.raises(MalformedError, match="no stage 'finals'"):
        notice_of(conditions, "finals")


def test_a_table_gives_all_that_a_notice_and_its_opening_need_besides_the_stage() -> None:
    table = next(one.type for one in fields(CompetitionConditions) if one.name == "table")
    given = {one.name for one in fields(table.__args__[0])}
    notice = {one.name for one in fields(Notice)}
    assert notice - given == {"ruleset", "limits", "seats"}
    opening = {one.name for one in fields(OpenTable)}
    assert given - notice == {"shoe_approval", "backs", "effective"} <= opening


UNREADABLE = [
    ("", "missing required field `ruleset`"),
    ("ruleset = 3", "Expected `str`"),
    ('ruleset = "nsw-2020"', "no rule set 'nsw-2020'"),
    ('ruleset = "tas-2018"\nnme = "x"', "unknown field `nme`"),
    ('ruleset = "tas-2018"\nstart = "tomorrow"', "not a moment with its offset: 'tomorrow'"),
    ('ruleset = "tas-2018"\nstart = "2026-02-30T10:00:00+11:00"', "not a moment"),
    ('ruleset = "tas-2018"\nstart = "2026-02-03T10:00:00"', "not a moment with its offset"),
    ('ruleset = "tas-2018"\nentry = { until = "later" }', "not a moment"),
    ('ruleset = "tas-2018"\nentry = { retained_percent = "ten" }', "not a percentage"),
    ('ruleset = "tas-2018"\nentry = { retained_percent = 100.5 }', "not a percentage"),
    ('ruleset = "tas-2018"\nentry = { fee_cents = -1 }', ">= 0"),
    ('ruleset = "tas-2018"\nentry = { fee_cents = 55.55 }', "Expected `int"),
    ('ruleset = "tas-2018"\nentry = { max = 10001 }', "<= 10000"),
    ('ruleset = "tas-2018"\nentry = { commission = "above" }', "Invalid enum value"),
    ('ruleset = "tas-2018"\nchips = "gold"', "Invalid enum value"),
    ('ruleset = "tas-2018"\nstage = [{ ends = { coups = 0 } }]', ">= 1"),
    ('ruleset = "tas-2018"\nstage = [{ advance = { two = 3 } }]', "Expected `int"),
    ('ruleset = "tas-2018"\nprizes = { percent = ["nan"] }', "not a percentage"),
    ("ruleset = 'tas-2018'\n[[", "not conditions"),
    (b"\xff\xfe", "not conditions"),
]


@pytest.mark.parametrize(("text", "says"), UNREADABLE)
def test_what_cannot_be_read_says_why(text: str | bytes, says: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read_conditions(text)
    assert says in str(caught.value)


def test_a_mark_at_the_beginning_of_a_file_is_no_harm() -> None:
    assert read_conditions(b"\xef\xbb\xbf" + ISSUE) == read_conditions(ISSUE)


def test_percentages_are_exact() -> None:
    assert exact_percent("0.1") * 10 == 1
    assert exact_percent(7.5) == exact_percent("7.5")
    for wrong in ("", "-1", "1e1", "1/2", " 5", "٥", 1e-7, "100.000001"):
        with pytest.raises(MalformedError):
            exact_percent(wrong)


def test_no_fault_is_a_traceback() -> None:
    """Whatever is left out of any template, faults are named and nothing breaks."""
    for template in TEMPLATES:
        values = tomllib.loads(template_text(template))
        for part in (values, values["table"], values["entry"], values["prizes"], *values["stage"]):
            for name in list(part):
                kept = part.pop(name)
                try:
                    conditions = msgspec.convert(values, CompetitionConditions, str_keys=True)
                    faults_of(conditions, load_ruleset(conditions.ruleset))
                    advice_on(conditions, load_ruleset(conditions.ruleset))
                except msgspec.ValidationError:
                    assert name == "ruleset"
                except Refused:
                    pytest.fail(name)
                part[name] = kept
