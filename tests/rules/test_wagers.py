"""Wagers and limits: who may bet what, and what a limit leaves of a wager on the layout."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits, Terms
from puntobanco.rules.paper.notation import parse_wager
from puntobanco.rules.wagers import (
    Wager,
    check_individual,
    check_wager,
    differential,
    reduce_differential,
    reduce_pro_rata,
    take,
)
from tests.kit.clauses import clause, tas
from tests.kit.terms import terms_of

TASMANIA = ("tas-2018", "tas-2013")
ALL = (*TASMANIA, "act-2015", "mbs-2017")


def wagers(text: str) -> list[Wager]:
    return [parse_wager(part) for part in text.split(",")]


def place(text: str, terms: Terms, individual: Limits | None = None) -> None:
    """Place wagers one after the other; only the last one is in question."""
    *before, last = wagers(text)
    check_wager(last, before, terms, individual)


ALLOWED = [
    (tas("6.5", "6.5(a)"), TASMANIA, "1 p 100"),
    (tas("6.5", "6.5(b)"), TASMANIA, "1 p 100, 1 b 100"),
    (tas("6.5", "6.5(c)"), TASMANIA, "1 t 10"),
    (("act-2015:4.3(a)", "act-2015:4.5"), ["act-2015"], "1 p 100, 1 b 100"),
    (("act-2015:4.3(b)",), ["act-2015"], "1 p 100"),
    (("act-2015:4.3(c)",), ["act-2015"], "1 p 100, 1 t 10"),
    (("act-2015:4.3(d)",), ["act-2015"], "1 p 100, 1 pp 10"),
    (("act-2015:4.5",), ["act-2015"], "1 pp 10, 1 bp 10"),
    (("act-2015:9.4",), ["act-2015"], "1 bp 10"),
    (("tas-2018:15.4", "tas-2018:15.1(tail)"), ["tas-2018"], "1 pp 10, 1 bp 10"),
    (("mbs-2017:3.5",), ["mbs-2017"], "1 p 100, 1 b 100, 1 t 100, 1 pp 100, 1 bp 100"),
    (tas("6.4"), TASMANIA, "1 p 100, 1+1 b 100, 1+2 p 100"),
    (("act-2015:4.4",), ["act-2015"], "1 p 100, 1+1 p 100"),
    (("act-2015:4.4",), ["act-2015"], "1 p 100, 1+1 p 100, 1+2 b 100"),
]


@pytest.mark.parametrize(
    ("document", "text"),
    [
        pytest.param(document, text, id=f"{document} {text}", marks=clause(*ids))
        for ids, documents, text in ALLOWED
        for document in documents
    ],
)
def test_wagers_that_may_be_made(document: str, text: str) -> None:
    place(text, terms_of(document))


REFUSED = [
    ("tas-2018:6.4", "1 p 100, 1+1 b 100, 1+2 p 100, 1+3 p 100", Reason.BOX_FULL),
    ("tas-2013:6.4", "1+1 b 100, 1+2 p 100, 1+3 p 100", Reason.BOX_FULL),
    ("tas-2018:6.4", "1 p 100, 1@someone b 100", Reason.BOX_FULL),
    ("act-2015:4.4", "1 p 100, 1+1 p 100, 1+2 p 100", Reason.BOX_FULL),
    ("act-2015:4.5", "1 p 100, 1 p 100", Reason.ONE_WAGER_PER_OPTION),
    ("act-2015:4.5", "1@me p 100, 2@me p 100", Reason.ONE_WAGER_PER_OPTION),
    ("tas-2013:6.5", "1 pp 10", Reason.BET_NOT_OFFERED),
    ("tas-2018:1(para1)", "10 p 100", Reason.NO_SUCH_BOX),
    ("tas-2018:1(para1)", "0 p 100", Reason.NO_SUCH_BOX),
    ("tas-2018:7.1", "1 p 24.99", Reason.BELOW_MINIMUM),
    ("tas-2018:7.1", "1 p 5000.01", Reason.ABOVE_MAXIMUM),
    ("tas-2018:7.1", "1 t 4", Reason.BELOW_MINIMUM),
    ("tas-2018:15.3", "1 pp 4", Reason.BELOW_MINIMUM),
    ("tas-2018:15.3", "1 bp 201", Reason.ABOVE_MAXIMUM),
    ("tas-2013:7.1", "1 b 24", Reason.BELOW_MINIMUM),
    ("act-2015:3.1", "1 b 20", Reason.BELOW_MINIMUM),
    ("act-2015:3.1", "1 b 5005", Reason.ABOVE_MAXIMUM),
    ("act-2015:9.3", "1 bp 205", Reason.ABOVE_MAXIMUM),
    ("act-2015:3.3", "1 b 101", Reason.NOT_A_MULTIPLE),
]


@pytest.mark.parametrize(
    ("cited", "text", "reason"),
    [pytest.param(*row, id=f"{row[0]} {row[1]}", marks=clause(row[0])) for row in REFUSED],
)
def test_wagers_that_may_not(cited: str, text: str, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        place(text, terms_of(cited.partition(":")[0]))
    assert refused.value.reason is reason
    assert refused.value.clause == cited


@clause("act-2015:4.5", "act-2015:9.7", "act-2015:9.1")
def test_a_common_pairs_box_is_every_players_once() -> None:
    common = terms_of("act-2015", common_pairs_box=True)
    place("1 pp 10, 1+1 pp 10, 1+2 pp 10, 4 pp 10, 7 pp 10", common)
    with pytest.raises(Refused) as refused:
        place("1@me pp 10, 4@me pp 10", common)
    assert refused.value.reason is Reason.ONE_WAGER_PER_OPTION
    with pytest.raises(Refused) as refused:
        place("1 pp 10, 1+1 pp 10, 1+2 pp 10", terms_of("act-2015"))
    assert (refused.value.reason, refused.value.clause) == (Reason.BOX_FULL, "act-2015:4.4")


@clause("tas-2018:15.4")
def test_any_number_of_players_wager_on_pairs_at_a_place() -> None:
    place(
        "1 pp 10, 1+1 pp 10, 1+2 pp 10, 1+3 pp 10, 1@someone bp 10, 1+1 p 100", terms_of("tas-2018")
    )


@clause(*tas("7.1"))
@pytest.mark.parametrize("document", TASMANIA)
def test_multiples_of_the_minimum_only_where_the_notice_asks(document: str) -> None:
    place("1 p 30", terms_of(document))
    asked = terms_of(document, limits=Limits(2500, 500000, 2500))
    place("1 p 50", asked)
    with pytest.raises(Refused) as refused:
        place("1 p 30", asked)
    assert refused.value.reason is Reason.NOT_A_MULTIPLE


# Individual limits
@clause(*tas("7.2"))
@pytest.mark.parametrize("document", TASMANIA)
def test_tasmania_lets_both_limits_be_agreed_with_a_player(document: str) -> None:
    terms, own = terms_of(document), Limits(10000, 1000000)
    check_individual(own, terms)
    place("1 p 10000", terms, own)
    with pytest.raises(Refused) as refused:
        place("1 p 50", terms, own)
    assert refused.value.clause == f"{document}:7.2"
    with pytest.raises(Refused):  # Tie keeps its own limits
        place("1 t 1000", terms, own)


@clause("act-2015:3.2")
def test_canberra_lets_only_the_maximum_be_raised() -> None:
    terms = terms_of("act-2015")
    check_individual(Limits(2500, 1000000), terms)
    place("1 p 10000", terms, Limits(2500, 1000000))
    with pytest.raises(Refused) as refused:  # the displayed multiples hold all the same
        place("1 p 33.33", terms, Limits(2500, 1000000))
    assert refused.value.reason is Reason.NOT_A_MULTIPLE
    for least, most in ((2000, 1000000), (2500, 400000), (2500, 500000)):
        with pytest.raises(Refused) as refused:
            check_individual(Limits(least, most, 500), terms)
        assert refused.value.clause == "act-2015:3.2"


@clause(*tas("7.2"))
def test_individual_limits_must_make_sense() -> None:
    for least, most, multiple in ((0, 5, None), (10, 5, None), (10, 20, -7)):
        with pytest.raises(Refused):
            check_individual(Limits(least, most, multiple), terms_of("tas-2018"))


def test_no_wager_is_smaller_than_its_chips_can_make() -> None:
    with pytest.raises(Refused) as refused:
        place("1 p 25.01", terms_of("tas-2018"))
    assert refused.value.reason is Reason.NOT_A_MULTIPLE


@clause(*tas("7.4"))
def test_a_wager_at_either_limit_is_taken_as_it_is() -> None:
    for text in ("1 p 25", "1 p 5000"):
        (taken,) = take(wagers(text), terms_of("tas-2018"))
        assert (taken.clauses, taken.returned_cents) == ((), 0)
    (taken,) = take(wagers("1 p 6000 late 1000"), terms_of("tas-2018"))
    assert (taken.stake_cents, taken.clauses) == (500000, ("tas-2018:6.3",))


# Found on the layout
@clause(*tas("7.4", "7.5"), "act-2015:3.4")
@pytest.mark.parametrize("document", [*TASMANIA, "act-2015"])
def test_under_the_minimum_is_settled_once_with_a_warning_then_returned(document: str) -> None:
    terms = terms_of(document)
    first, other = take(wagers("1 p 20, 2 p 20"), terms, warned={"2"})
    assert (first.stake_cents, first.returned_cents, first.warn) == (2000, 0, True)
    assert (other.stake_cents, other.returned_cents, other.warn) == (0, 2000, False)
    rules = terms.rules.limits
    assert rules.under_minimum in first.clauses
    assert rules.under_minimum_warning in other.clauses


@clause(*tas("7.4"), "act-2015:3.5")
@pytest.mark.parametrize("document", [*TASMANIA, "act-2015"])
def test_over_the_maximum_only_the_maximum_is_at_risk(document: str) -> None:
    terms = terms_of(document)
    (taken,) = take(wagers("1 p 6000"), terms)
    assert (taken.stake_cents, taken.returned_cents) == (500000, 100000)
    assert taken.clauses == (terms.rules.limits.over_maximum,)
    assert taken.clauses[0].startswith(document)


@clause(*tas("7.2"), "act-2015:3.2")
@pytest.mark.parametrize("document", [*TASMANIA, "act-2015"])
def test_on_the_layout_a_players_own_limits_hold(document: str) -> None:
    own = {"1": Limits(2500, 1000000)}
    (taken,) = take(wagers("1 p 6000"), terms_of(document), individual=own)
    assert taken.stake_cents == 600000


LATE = [
    ("tas-2018:6.3", "1 p 100 late 40"),
    ("tas-2013:6.3", "1 p 100 late 40"),
    ("act-2015:4.6", "1 p 100 late 40"),
    ("mbs-2017:5.6", "1 p 200 late 40"),
]


@pytest.mark.parametrize(
    ("cited", "text"), [pytest.param(*row, marks=clause(row[0]), id=row[0]) for row in LATE]
)
def test_the_part_that_came_late_is_returned_and_the_rest_stands(cited: str, text: str) -> None:
    (wager,) = wagers(text)
    (taken,) = take([wager], terms_of(cited.partition(":")[0]))
    assert taken.stake_cents == wager.cents - 4000
    assert taken.returned_cents == 4000
    assert cited in taken.clauses


@clause("mbs-2017:5.6")
def test_a_wager_that_came_wholly_late_is_returned_without_a_warning() -> None:
    (taken,) = take(wagers("1 p 200 late 200"), terms_of("mbs-2017"))
    assert (taken.stake_cents, taken.returned_cents, taken.warn) == (0, 20000, False)


@clause("mbs-2017:5.7", *tas("6.3"), "act-2015:4.6")
@pytest.mark.parametrize("document", ALL)
def test_what_was_taken_away_after_betting_closed_still_wins_or_loses(document: str) -> None:
    terms = terms_of(document)
    (taken,) = take(wagers("1 p 200 withdrawn"), terms)
    assert (taken.stake_cents, taken.returned_cents) == (20000, 0)
    assert taken.clauses == (terms.rules.wagers.close.withdrawn,)


# The table's exposure
stakes = st.lists(st.integers(1, 400).map(lambda chips: chips * 250), min_size=1, max_size=20)


@clause(*tas("7.3(b)"))
@given(stakes, st.integers(2500, 300000), st.sampled_from(TASMANIA))
def test_collective_liability_is_cut_pro_rata_to_payable_chips(
    amounts: list[int], most: int, document: str
) -> None:
    terms = terms_of(document, collective_liability_cents=most, chip_cents=250)
    laid = [Wager(box, Bet.BANKER, cents) for box, cents in enumerate(amounts, 1)]
    cuts = reduce_pro_rata([*laid, Wager(1, Bet.PLAYER, 500000)], Bet.BANKER, terms)
    total = sum(amounts)
    if total <= most:
        assert cuts == ()
        return
    assert [cut.wager for cut in cuts] == laid
    assert sum(cut.to_cents for cut in cuts) <= most
    for cut in cuts:
        fair = Fraction(cut.wager.cents * most, total)
        assert cut.to_cents % 250 == 0
        assert fair - 250 < cut.to_cents <= fair
        assert cut.clause == f"{document}:7.3(b)"


@clause(*tas("7.3(b)"))
def test_a_total_at_the_liability_is_left_alone_and_late_chips_do_not_count() -> None:
    terms = terms_of("tas-2018", collective_liability_cents=100_000, chip_cents=250)
    assert reduce_pro_rata(wagers("1 p 500, 2 p 500"), Bet.PLAYER, terms) == ()
    late = wagers("1 p 900 late 800, 2 p 900")
    assert reduce_pro_rata(late, Bet.PLAYER, terms) == ()
    cuts = reduce_pro_rata([*late, *wagers("3 p 1000")], Bet.PLAYER, terms)
    (first, *_) = take([cut.after for cut in cuts], terms)
    assert (first.stake_cents, first.returned_cents) == (5000, 80_000)


@clause(*tas("7.3(b)"))
def test_a_wager_cut_below_the_minimum_draws_no_warning() -> None:
    terms = terms_of("tas-2018", collective_liability_cents=2500, chip_cents=250)
    cuts = reduce_pro_rata(wagers("1 p 25, 2 p 25"), Bet.PLAYER, terms)
    after = take([cut.after for cut in cuts], terms)
    assert [(one.stake_cents, one.warn) for one in after] == [(1250, False)] * 2


@clause(*tas("7.3(b)"))
def test_tie_and_pairs_have_no_collective_liability() -> None:
    terms = terms_of("tas-2018", collective_liability_cents=2500)
    assert reduce_pro_rata(wagers("1 t 100, 2 t 100"), Bet.TIE, terms) == ()


@clause("act-2015:d.table-differential")
def test_the_differential_is_banker_less_player_over_all_boxes() -> None:
    assert differential(wagers("1 b 500, 2 p 200, 3 b 100, 4 t 900, 5 pp 50")) == 40000
    assert differential(wagers("1 p 500, 2 b 200")) == -30000


@clause("act-2015:3.6")
def test_the_last_placed_on_the_heavy_side_come_off_first() -> None:
    terms = terms_of("act-2015", table_differential_cents=50000)
    cuts = reduce_differential(wagers("1 b 500, 2 b 300, 3 p 100, 4 b 100"), terms)
    assert [(cut.wager.box, cut.to_cents) for cut in cuts] == [(4, 0), (2, 10000)]
    assert {cut.clause for cut in cuts} == {"act-2015:3.6"}


@clause("act-2015:3.6", "act-2015:d.table-differential")
@given(
    st.lists(
        st.tuples(st.sampled_from([Bet.BANKER, Bet.PLAYER]), st.integers(1, 2000)), max_size=12
    ),
    st.integers(2500, 100000),
)
def test_after_the_cut_the_differential_holds_on_either_side(
    laid: list[tuple[Bet, int]], most: int
) -> None:
    terms = terms_of("act-2015", table_differential_cents=most)
    before = [Wager(n, on, chips * 250) for n, (on, chips) in enumerate(laid, 1)]
    cuts = {cut.wager: cut.to_cents for cut in reduce_differential(before, terms)}
    after = [Wager(w.box, w.on, cuts.get(w, w.cents)) for w in before]
    assert abs(differential(after)) <= most
    assert all(cents % 250 == 0 for cents in cuts.values())
    assert all(w.cents >= 0 for w in after)
