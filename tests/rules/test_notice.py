"""The table notice, checked against its rule set; every refusal names its clause."""

import pytest
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import (
    Limits,
    Notice,
    Rounding,
    faults,
    post,
    read_notice,
    sample_notice,
)
from puntobanco.rules.settle import check_payouts
from puntobanco.table import commands as c
from puntobanco.words import one_line
from tests.kit.clauses import clause, tas
from tests.kit.table.at import At, ready

PAIRS = {"pairs": "perfect-pairs", "pairs_limits": Limits(500, 20000)}
TASMANIA = ("tas-2018", "tas-2013")

# document, what the operator chose, why it is refused, by which clause
REFUSED: list[tuple[str, dict[str, object], Reason, str]] = [
    ("tas-2018", {"seats": 8}, Reason.SEATS_NOT_ALLOWED, "tas-2018:1(para1)"),
    ("tas-2013", {"seats": 6}, Reason.SEATS_NOT_ALLOWED, "tas-2013:1(para1)"),
    ("act-2015", {"seats": 0}, Reason.SEATS_NOT_ALLOWED, "conditions"),
    ("tas-2018", {"layout": "maxi"}, Reason.LAYOUT_NOT_ALLOWED, "tas-2018:1(para2)"),
    ("tas-2013", {"layout": ""}, Reason.LAYOUT_NOT_ALLOWED, "tas-2013:1(para2)"),
    ("mbs-2017", {"layout": "J"}, Reason.LAYOUT_NOT_ALLOWED, "mbs-2017:2.2"),
    ("tas-2018", {"decks": 3}, Reason.DECKS_NOT_ALLOWED, "tas-2018:4.1"),
    ("tas-2018", {"decks": 9}, Reason.DECKS_NOT_ALLOWED, "tas-2018:4.1"),
    ("tas-2013", {"decks": 9}, Reason.DECKS_NOT_ALLOWED, "tas-2013:4.1"),
    ("act-2015", {"decks": 6}, Reason.DECKS_NOT_ALLOWED, "act-2015:2.1"),
    ("act-2015", {"decks": 9}, Reason.DECKS_NOT_ALLOWED, "act-2015:2.1"),
    ("mbs-2017", {"decks": 3}, Reason.DECKS_NOT_ALLOWED, "mbs-2017:2.1"),
    ("mbs-2017", {"decks": 11}, Reason.DECKS_NOT_ALLOWED, "mbs-2017:2.1"),
    ("tas-2018", {"decks": 5}, Reason.DECKS_TOO_FEW_FOR_PAIRS, "tas-2018:4.1"),
    ("tas-2018", {"method": "A"}, Reason.METHOD_NOT_OFFERED, "tas-2018:13"),
    ("tas-2013", {"method": "even"}, Reason.METHOD_NOT_OFFERED, "tas-2013:13"),
    ("act-2015", {"method": "C"}, Reason.METHOD_NOT_OFFERED, "act-2015:8.1"),
    ("mbs-2017", {"method": "commission"}, Reason.METHOD_NOT_OFFERED, "mbs-2017:4.1"),
    ("tas-2018", {"pairs": "canberra-pairs"}, Reason.PAIRS_NOT_OFFERED, "tas-2018:15(lead)"),
    ("tas-2013", PAIRS, Reason.PAIRS_NOT_OFFERED, "tas-2013:6.5"),
    ("act-2015", {"pairs": "dragon"}, Reason.PAIRS_NOT_OFFERED, "act-2015:8.2"),
    ("tas-2018", {"pairs_limits": None}, Reason.PAIRS_LIMITS_MISSING, "tas-2018:15.3"),
    ("act-2015", {"pairs_limits": None}, Reason.PAIRS_LIMITS_MISSING, "act-2015:9.3"),
    ("act-2015", {"pairs": ""}, Reason.PAIRS_LIMITS_UNUSED, "act-2015:9.3"),
    ("tas-2018", {"limits": Limits(5000, 2500)}, Reason.LIMITS_CROSSED, "tas-2018:7.1"),
    ("tas-2018", {"limits": Limits(0, 2500)}, Reason.LIMITS_CROSSED, "tas-2018:7.1"),
    ("tas-2018", {"pairs_limits": Limits(9, 3)}, Reason.LIMITS_CROSSED, "tas-2018:15.3"),
    ("act-2015", {"limits": Limits(9, 3, 3)}, Reason.LIMITS_CROSSED, "act-2015:3.1"),
    ("act-2015", {"limits": Limits(2500, 5000)}, Reason.MULTIPLE_MISSING, "act-2015:3.3"),
    ("tas-2018", {"chip_cents": 0}, Reason.CHIP_DOES_NOT_FIT, "conditions"),
    ("tas-2018", {"chip_cents": 501}, Reason.CHIP_DOES_NOT_FIT, "conditions"),
    ("act-2015", {"limits": Limits(2500, 5000, 0)}, Reason.LIMITS_CROSSED, "act-2015:3.1"),
    ("act-2015", {"limits": Limits(2500, 5000, 9999)}, Reason.LIMITS_CROSSED, "act-2015:3.1"),
    ("act-2015", {"table_approval": " "}, Reason.APPROVAL_MISSING, "act-2015:1.1"),
    ("mbs-2017", {"pairs": "", "pairs_limits": None}, Reason.PAIRS_REQUIRED, "mbs-2017:2.2.4"),
    ("tas-2018", {"common_pairs_box": True}, Reason.COMMON_BOX_NOT_PROVIDED, "conditions"),
    ("mbs-2017", {"behind_marker": 5}, Reason.MARKER_TOO_SHALLOW, "conditions"),
    ("act-2015", {"behind_marker": 416}, Reason.MARKER_TOO_SHALLOW, "act-2015:5.3"),
    (
        "act-2015",
        {"common_pairs_box": True, "pairs": "", "pairs_limits": None},
        Reason.COMMON_BOX_NOT_PROVIDED,
        "conditions",
    ),
    (
        "tas-2018",
        {"table_differential_cents": 10_000_00},
        Reason.DIFFERENTIAL_NOT_PROVIDED,
        "conditions",
    ),
    (
        "act-2015",
        {"collective_liability_cents": 10_000_00},
        Reason.LIABILITY_NOT_PROVIDED,
        "conditions",
    ),
    ("tas-2018", {"collective_liability_cents": 1}, Reason.LIMITS_CROSSED, "conditions"),
    ("act-2015", {"table_differential_cents": 1}, Reason.LIMITS_CROSSED, "conditions"),
    ("tas-2018", {"behind_marker": 8}, Reason.MARKER_FIXED, "tas-2018:5.4"),
    ("tas-2013", {"behind_marker": 8}, Reason.MARKER_FIXED, "tas-2013:5.3"),
    ("act-2015", {"behind_marker": 11}, Reason.MARKER_TOO_SHALLOW, "act-2015:5.3"),
    ("tas-2018", {"burn": "unseen"}, Reason.BURN_NOT_PROVIDED, "conditions"),
    ("act-2015", {"burn": ""}, Reason.BURN_WAY_MISSING, "act-2015:5.4(a)"),
    ("act-2015", {"leftover": "discard"}, Reason.LEFTOVER_NOT_OPEN, "act-2015:12.2"),
    ("act-2015", {"table_approval": ""}, Reason.APPROVAL_MISSING, "act-2015:1.1"),
    ("act-2015", {"pairs_approval": ""}, Reason.APPROVAL_MISSING, "act-2015:9.2"),
]


@pytest.mark.parametrize(
    ("document", "choices", "reason", "cited"),
    [pytest.param(*row, id=f"{row[0]} {row[3]} {row[2]}", marks=clause(row[3])) for row in REFUSED],
)
def test_a_notice_outside_its_rule_set_is_refused_with_the_clause(
    document: str, choices: dict[str, object], reason: Reason, cited: str
) -> None:
    with pytest.raises(Refused) as refused:
        post(replace(sample_notice(document), **choices))
    assert refused.value.reason is reason
    assert refused.value.clause == cited
    assert "{" not in one_line(refused.value)


ALLOWED: list[tuple[str, str, dict[str, object]]] = [
    ("tas-2018:4.1", "tas-2018", {"decks": 6}),
    ("tas-2018:4.1", "tas-2018", {"decks": 4, "pairs": "", "pairs_limits": None}),
    ("tas-2013:4.1", "tas-2013", {"decks": 4}),
    ("mbs-2017:2.1", "mbs-2017", {"decks": 10}),
    ("tas-2018:1(para1)", "tas-2018", {"seats": 7, "layout": "mini"}),
    ("tas-2018:1(para3)", "tas-2018", {"seats": 9, "layout": "midi"}),
    ("tas-2013:1(para2)", "tas-2013", {"layout": "mini"}),
    ("tas-2013:1(para3)", "tas-2013", {"layout": "midi"}),
    ("tas-2018:7.1", "tas-2018", {"limits": Limits(2500, 500000, 2500)}),
    ("act-2015:8.2", "act-2015", {"pairs": "perfect-pairs"}),
    ("act-2015:8.1", "act-2015", {"method": "B"}),
    ("act-2015:5.3", "act-2015", {"behind_marker": 12}),
    ("act-2015:9.2", "act-2015", {"pairs": "", "pairs_limits": None, "pairs_approval": ""}),
    ("mbs-2017:2.2", "mbs-2017", {"layout": "H"}),
]


@pytest.mark.parametrize(
    ("document", "choices"),
    [pytest.param(*row[1:], marks=clause(row[0]), id=f"{row[0]} {row[2]}") for row in ALLOWED],
)
def test_a_notice_within_its_rule_set_goes_up(document: str, choices: dict[str, object]) -> None:
    notice = replace(sample_notice(document), **choices)
    assert post(notice).notice is notice


@clause("act-2015:d.box", "mbs-2017:2.2.1", "mbs-2017:2.2.2", "mbs-2017:2.2.3", "mbs-2017:2.2.4")
@pytest.mark.parametrize("document", RULESETS)
def test_the_areas_of_the_layout(document: str) -> None:
    pairs = set() if document == "tas-2013" else {Bet.PLAYER_PAIR, Bet.BANKER_PAIR}
    assert set(post(sample_notice(document)).limits) == {Bet.PLAYER, Bet.BANKER, Bet.TIE} | pairs


@pytest.mark.parametrize("document", RULESETS)
def test_every_sample_notice_is_without_fault(document: str) -> None:
    assert list(faults(sample_notice(document), load_ruleset(document))) == []


def test_without_limits_of_its_own_tie_goes_by_the_posted_ones() -> None:
    terms = post(replace(sample_notice("tas-2018"), tie_limits=None))
    assert terms.limits[Bet.TIE] == terms.notice.limits


def test_the_gravest_fault_comes_first() -> None:
    wrong = replace(sample_notice("tas-2018"), seats=8, decks=3, method="A", behind_marker=8)
    reasons = [fault.reason for fault in faults(wrong, load_ruleset("tas-2018"))]
    order = list(Reason)
    assert reasons == sorted(reasons, key=order.index)
    assert len(reasons) == 5


MALFORMED = [
    "",
    "decks = 8",
    "ruleset = 'tas-2018'\ndecks = 'eight'",
    "not toml at all [",
    'ruleset = "tas-2018"\ndecks = 8\nmethod = "A"\nlimits = {min_cents = 1, max_cents = 2}\nx = 1',
]


@pytest.mark.parametrize("text", MALFORMED)
def test_a_file_that_is_no_notice_says_what_is_wrong(text: str) -> None:
    with pytest.raises(MalformedError, match=r"not a notice: .+"):
        read_notice(text)


@pytest.mark.parametrize("text", ["decks = " + "9" * 5000, "x = " + "[" * 5000])
def test_a_monstrous_file_is_refused_too(text: str) -> None:
    with pytest.raises(MalformedError, match="not a notice"):
        read_notice(text)


def test_an_unknown_rule_set_lists_the_known_ones() -> None:
    with pytest.raises(Refused) as refused:
        post(replace(sample_notice("tas-2018"), ruleset="nsw-2020"))
    assert one_line(refused.value).startswith("there is no rule set 'nsw-2020' [conditions]")
    assert "tas-2018, tas-2013" in one_line(refused.value)


# a winning wager is paid something

DOWN = {"rounding": Rounding.DOWN, "chip_cents": 2500, "tie_limits": None}
MEAN = Limits(2500, 500_000)


def without_pairs(document: str, **choices: object) -> Notice:
    return replace(sample_notice(document), pairs="", pairs_limits=None, **choices)


PAYS_NOTHING = [
    ("tas-2018:12.2", {**DOWN, "limits": MEAN}),
    ("tas-2013:12.2", {**DOWN, "limits": MEAN}),
    ("tas-2018:12.4", {**DOWN, "limits": MEAN, "method": "federal"}),
    ("tas-2013:12.4", {**DOWN, "limits": MEAN, "method": "federal"}),
    ("act-2015:8.8(b)", {**DOWN, "limits": Limits(2500, 500_000, 500)}),
    ("act-2015:8.9(b)", {**DOWN, "limits": Limits(2500, 500_000, 500), "method": "B"}),
]


@pytest.mark.parametrize(
    ("cited", "choices"),
    [pytest.param(*row, id=row[0], marks=clause(row[0])) for row in PAYS_NOTHING],
)
def test_a_notice_that_pays_a_winner_nothing_is_refused(
    cited: str, choices: dict[str, object]
) -> None:
    """At 25, in chips of 25, 19 to 20 is 23.75 and half of it 12.50: rounded down, nothing."""
    document = cited.split(":", maxsplit=1)[0]
    terms = post(without_pairs(document, **choices))
    with pytest.raises(Refused) as caught:
        check_payouts(terms)
    assert (caught.value.reason, caught.value.clause) == (Reason.WIN_ROUNDS_TO_NOTHING, cited)
    assert caught.value.facts["amount"] == "25"
    check_payouts(post(replace(terms.notice, rounding=Rounding.UP)))
    check_payouts(post(replace(terms.notice, chip_cents=100)))


@clause(*tas("12.2"))
def test_the_least_wager_is_one_that_chips_and_multiples_can_make() -> None:
    """A minimum of 30 in chips of 25 is a wager of 50, which pays 47.50, so 25."""
    check_payouts(post(without_pairs("tas-2018", **{**DOWN, "limits": Limits(3000, 500_000)})))


@clause(*tas("12.2"))
def test_such_a_notice_is_neither_opened_nor_posted_nor_agreed_with_one_player() -> None:
    mean = without_pairs("tas-2018", **{**DOWN, "limits": MEAN})
    opening = c.OpenTable(mean, "monday", "shoe 1", effective="2018")
    At().refuse("mara", opening, Reason.WIN_ROUNDS_TO_NOTHING, "tas-2018:12.2")
    fair = {**DOWN, "limits": Limits(5000, 500_000), "pairs": "", "pairs_limits": None}
    at = ready("tas-2018", **fair)
    at.refuse("mara", c.PostChange(mean, 0), Reason.WIN_ROUNDS_TO_NOTHING, "tas-2018:12.2")
    own = c.AgreeLimits("ann", Limits(2500, 900_000))
    at.refuse("mara", own, Reason.WIN_ROUNDS_TO_NOTHING, "tas-2018:12.2")


@clause(*tas("7.1"))
@pytest.mark.parametrize("document", TASMANIA)
def test_a_notice_may_state_another_multiple_than_the_minimum(document: str) -> None:
    post(replace(sample_notice(document), limits=Limits(2500, 50_000, 500)))
