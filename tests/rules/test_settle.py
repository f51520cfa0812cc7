"""Settlement: every method of every document, to the cent, and conservation for any coup."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import DECK, Card, Pair, pair
from puntobanco.rules.coup import Coup, Drawn
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import fold
from puntobanco.rules.notice import Rounding, Terms
from puntobanco.rules.paper.notation import parse_drawn, parse_wager
from puntobanco.rules.settle import (
    Line,
    Outcome,
    Settlement,
    as_made,
    hold,
    reverse,
    settle,
    settle_main,
    settle_pairs,
    settle_void,
)
from puntobanco.rules.wagers import Wager, take
from tests.kit.clauses import clause, tas
from tests.kit.terms import terms_of

TASMANIA = ("tas-2018", "tas-2013")

PLAYER_WINS = "Kc 9d / Kh 8s"
BANKER_WINS = "Kc 7d / Kh 8s"
BANKER_WINS_ON_6 = "Kc 2d Ah / 2h 4s"  # Banker 6 stands against an ace and wins 6-3
TIE = "Kc 7d / Kh 7s"

WINS, LOSES, PUSHES = Outcome.WINS, Outcome.LOSES, Outcome.PUSHES


def coup_of(hands: str) -> Coup:
    return fold(parse_drawn(hands), load_ruleset("tas-2018").tableau)


def settled(terms: Terms, hands: str, *wagers: str) -> Settlement:
    return settle(coup_of(hands), take([parse_wager(w) for w in wagers], terms), terms)


def line(terms: Terms, hands: str, wager: str) -> Line:
    (only,) = settled(terms, hands, wager).lines
    return only


# document, method, hands, wager, outcome, won in cents, the clauses that say so
MAIN = [
    ("tas-2018", "commission", PLAYER_WINS, "1 p 100", WINS, 10000, ["12.1", "6.7"]),
    ("tas-2018", "commission", PLAYER_WINS, "1 b 100", LOSES, 0, ["6.6"]),
    ("tas-2018", "commission", PLAYER_WINS, "1 t 100", LOSES, 0, ["6.8"]),
    ("tas-2018", "commission", BANKER_WINS, "1 b 100", WINS, 9500, ["12.2", "6.6"]),
    ("tas-2018", "commission", BANKER_WINS_ON_6, "1 b 100", WINS, 9500, ["12.2", "6.6"]),
    ("tas-2018", "commission", BANKER_WINS, "1 p 100", LOSES, 0, ["6.7"]),
    ("tas-2018", "commission", TIE, "1 t 100", WINS, 80000, ["12.3", "6.8"]),
    ("tas-2018", "commission", TIE, "1 p 100", PUSHES, 0, ["6.8"]),
    ("tas-2018", "commission", TIE, "1 b 100", PUSHES, 0, ["6.8"]),
    ("tas-2018", "federal", PLAYER_WINS, "1 p 100", WINS, 10000, ["13", "6.7"]),
    ("tas-2018", "federal", BANKER_WINS, "1 b 100", WINS, 10000, ["12.4", "6.6"]),
    ("tas-2018", "federal", BANKER_WINS_ON_6, "1 b 100", WINS, 5000, ["12.4", "6.6"]),
    ("tas-2018", "federal", TIE, "1 t 100", WINS, 80000, ["12.3", "6.8"]),
    ("act-2015", "A", PLAYER_WINS, "1 p 100", WINS, 10000, ["8.8(a)", "8.5(a)"]),
    ("act-2015", "A", BANKER_WINS, "1 b 100", WINS, 9500, ["8.8(b)", "8.4(a)"]),
    ("act-2015", "A", BANKER_WINS_ON_6, "1 b 100", WINS, 9500, ["8.8(b)", "8.4(a)"]),
    ("act-2015", "A", TIE, "1 t 100", WINS, 80000, ["8.8(c)", "8.6(a)"]),
    ("act-2015", "B", PLAYER_WINS, "1 p 100", WINS, 10000, ["8.9(a)", "8.5(a)"]),
    ("act-2015", "B", BANKER_WINS, "1 b 100", WINS, 10000, ["8.9(b)", "8.4(a)"]),
    ("act-2015", "B", BANKER_WINS_ON_6, "1 b 100", WINS, 5000, ["8.9(b)", "8.4(a)"]),
    ("act-2015", "B", TIE, "1 t 100", WINS, 80000, ["8.9(c)", "8.6(a)"]),
    ("act-2015", "A", PLAYER_WINS, "1 b 100", LOSES, 0, ["8.4(b)"]),
    ("act-2015", "A", BANKER_WINS, "1 p 100", LOSES, 0, ["8.5(b)"]),
    ("act-2015", "A", BANKER_WINS, "1 t 100", LOSES, 0, ["8.6(b)"]),
    ("act-2015", "A", TIE, "1 b 100", PUSHES, 0, ["8.4(c)"]),
    ("act-2015", "A", TIE, "1 p 100", PUSHES, 0, ["8.5(c)"]),
    ("mbs-2017", "even", PLAYER_WINS, "1 p 100", WINS, 10000, ["4.1", "3.10"]),
    ("mbs-2017", "even", BANKER_WINS, "1 b 100", WINS, 10000, ["4.1", "3.10"]),
    ("mbs-2017", "even", BANKER_WINS_ON_6, "1 b 100", WINS, 10000, ["4.1", "3.10"]),
    ("mbs-2017", "even", TIE, "1 t 100", WINS, 80000, ["4.1", "3.10.1"]),
    ("mbs-2017", "even", TIE, "1 p 100", PUSHES, 0, ["3.10.1"]),
    ("mbs-2017", "even", PLAYER_WINS, "1 b 100", LOSES, 0, ["3.10"]),
]
MAIN += [("tas-2013", *row[1:]) for row in MAIN if row[0] == "tas-2018"]


@pytest.mark.parametrize(
    ("document", "method", "hands", "wager", "outcome", "won", "clauses"),
    [
        pytest.param(
            *row,
            id=f"{row[0]} {row[1]}: {row[3]} on {row[2]}",
            marks=clause(*(f"{row[0]}:{number}" for number in row[6])),
        )
        for row in MAIN
    ],
)
def test_player_banker_and_tie(
    document: str,
    method: str,
    hands: str,
    wager: str,
    outcome: Outcome,
    won: int,
    clauses: list[str],
) -> None:
    one = line(terms_of(document, method=method), hands, wager)
    assert (one.outcome, one.won_cents) == (outcome, won)
    assert one.clauses == tuple(f"{document}:{number}" for number in clauses)
    assert one.returned_cents == (0 if outcome is LOSES else 10000)


MIXED, COLOURED, PERFECT, NONE = "9c 9d", "9c 9s", "9c 9c", "9c Td"
# document, method, option, the two cards, odds (0: loses), the clause that pays
BANKER_PAIRS = [
    ("tas-2018", "perfect-pairs", ["15.8(a)", "15.6(a)"], ["15.6(b)"]),
    ("act-2015", "perfect-pairs", ["10.6(a)", "8.8(d)", "9.8(a)"], ["9.8(c)"]),
    ("act-2015", "canberra-pairs", ["11.2(a)", "8.8(e)", "9.8(a)"], ["9.8(c)"]),
    ("mbs-2017", "pair", ["4.1", "3.8.2"], ["3.8"]),
]


@pytest.mark.parametrize(
    ("document", "option", "wins", "loses"),
    [
        pytest.param(
            *row, id=f"{row[0]} {row[1]}", marks=clause(*(f"{row[0]}:{n}" for n in row[2] + row[3]))
        )
        for row in BANKER_PAIRS
    ],
)
def test_bankers_pairs_cite_bankers_clauses(
    document: str, option: str, wins: list[str], loses: list[str]
) -> None:
    terms = terms_of(document, pairs=option)
    won, lost = (
        line(terms, f"2h 6s / {MIXED}", "1 bp 100"),
        line(terms, f"2h 6s / {NONE}", "1 bp 100"),
    )
    assert won.clauses == tuple(f"{document}:{number}" for number in wins)
    assert lost.clauses == tuple(f"{document}:{number}" for number in loses)


PAIRS = [
    ("tas-2018", "commission", "perfect-pairs", MIXED, 6, ["15.8(a)", "15.6(a)"]),
    ("tas-2018", "commission", "perfect-pairs", COLOURED, 12, ["15.8(b)", "15.6(a)"]),
    ("tas-2018", "commission", "perfect-pairs", PERFECT, 25, ["15.8(c)", "15.6(a)"]),
    ("tas-2018", "federal", "perfect-pairs", PERFECT, 25, ["15.8(c)", "15.6(a)"]),
    ("tas-2018", "commission", "perfect-pairs", NONE, 0, ["15.6(b)"]),
    ("act-2015", "A", "perfect-pairs", MIXED, 5, ["10.6(a)", "8.8(d)", "9.8(b)"]),
    ("act-2015", "A", "perfect-pairs", COLOURED, 12, ["10.6(b)", "8.8(d)", "9.8(b)"]),
    ("act-2015", "B", "perfect-pairs", PERFECT, 25, ["10.6(c)", "8.9(d)", "9.8(b)"]),
    ("act-2015", "A", "perfect-pairs", NONE, 0, ["9.8(d)"]),
    ("act-2015", "A", "canberra-pairs", MIXED, 11, ["11.2(a)", "8.8(e)", "9.8(b)"]),
    ("act-2015", "B", "canberra-pairs", PERFECT, 11, ["11.2(a)", "8.9(e)", "9.8(b)"]),
    ("act-2015", "A", "canberra-pairs", NONE, 0, ["9.8(d)"]),
    ("mbs-2017", "even", "pair", COLOURED, 11, ["4.1", "3.8.1"]),
    ("mbs-2017", "even", "pair", NONE, 0, ["3.8"]),
]
SECTION = {"perfect-pairs": "10.lead", "canberra-pairs": "11.lead"}


@pytest.mark.parametrize(
    ("document", "method", "option", "cards", "odds", "clauses"),
    [
        pytest.param(
            *row,
            id=f"{row[0]} {row[1]} {row[2]} {row[3]}",
            marks=clause(
                *(f"{row[0]}:{number}" for number in row[5]),
                *([f"act-2015:{SECTION[row[2]]}"] if row[0] == "act-2015" else []),
            ),
        )
        for row in PAIRS
    ],
)
def test_pairs(
    document: str, method: str, option: str, cards: str, odds: int, clauses: list[str]
) -> None:
    terms = terms_of(document, method=method, pairs=option)
    one = line(terms, f"{cards} / 2h 6s", "1 pp 100")
    assert one.outcome is (WINS if odds else LOSES)
    assert one.won_cents == 10000 * odds
    assert one.clauses == tuple(f"{document}:{number}" for number in clauses)


@clause(
    "act-2015:9.8(a)",
    "act-2015:9.8(b)",
    "act-2015:9.8(c)",
    "act-2015:9.8(d)",
    "act-2015:8.7(a)",
    "act-2015:8.7(b)",
    "act-2015:9.1",
    "mbs-2017:3.8.1",
    "mbs-2017:3.8.2",
    "tas-2018:15.1",
    "tas-2018:15.1(tail)",
)
@pytest.mark.parametrize(
    ("hands", "player", "banker"),
    [
        ("4c 4d / 2h 6s", WINS, LOSES),
        ("2h 6s / 4c 4d", LOSES, WINS),
        ("4h 4s / 4c 4d", WINS, WINS),
        ("2h 6s / 3c 5d", LOSES, LOSES),
    ],
)
@pytest.mark.parametrize("document", ["tas-2018", "act-2015", "mbs-2017"])
def test_a_pairs_wager_is_on_one_hand_and_that_hand_alone(
    document: str, hands: str, player: Outcome, banker: Outcome
) -> None:
    """Read per hand, not "either hand": the pairs section prevails over the general one."""
    terms = terms_of(document)
    assert line(terms, hands, "1 pp 100").outcome is player
    assert line(terms, hands, "1 bp 100").outcome is banker


@clause("act-2015:9.6", "mbs-2017:3.8", "tas-2018:15.6(b)")
@pytest.mark.parametrize("document", ["tas-2018", "act-2015", "mbs-2017"])
def test_a_third_card_makes_no_pair(document: str) -> None:
    assert line(terms_of(document), "2h 3s 3d / Kc 7d", "1 pp 100").outcome is LOSES


@clause("act-2015:10.5")
def test_one_class_of_pair_is_paid_and_it_is_the_highest_the_cards_make() -> None:
    """A perfect pair is also two cards of one colour: it is paid once, at 25."""
    terms = terms_of("act-2015", pairs="perfect-pairs")
    (paid,) = settled(terms, f"{PERFECT} / 2h 6s", "1 pp 100").lines
    assert paid.won_cents == 250000
    odds = {pays.pair: pays.odds for pays in terms.pairs.pays} if terms.pairs else {}
    assert odds[Pair.MIXED] < odds[Pair.COLOURED] < odds[Pair.PERFECT]


def order(document: str) -> list[Bet]:
    lines = settled(terms_of(document), "4c 4d / 2h 6s", "1 pp 100", "1 b 100").lines
    return [one.wager.on for one in lines]


@clause("tas-2018:15.7", "tas-2018:15.7(a)", "tas-2018:15.7(b)")
def test_tasmania_settles_pairs_on_completion_of_the_coup() -> None:
    assert order("tas-2018") == [Bet.BANKER, Bet.PLAYER_PAIR]


@clause("tas-2018:15.7(a)", "tas-2018:15.7(b)", "act-2015:9.9(a)", "act-2015:9.9(b)")
@pytest.mark.parametrize("document", ["tas-2018", "act-2015"])
def test_losing_pairs_wagers_are_taken_before_winning_ones_are_paid(document: str) -> None:
    lines = settled(terms_of(document), "4c 4d / 2h 6s", "1 pp 10", "2 bp 10", "3 pp 10").lines
    assert [one.wager.box for one in lines] == [2, 1, 3]


@clause("act-2015:d.void", "act-2015:12.5")
def test_undoing_a_settlement_leaves_everyone_where_they_were() -> None:
    terms = terms_of("act-2015")
    done = settled(terms, BANKER_WINS, "1 b 75", "2 p 100", "3 t 10", "4 p 6000")
    back = reverse(done, ("act-2015:12.5",), terms)
    assert {one.wager.box: one.to_owner_cents for one in back} == {
        1: -7250,
        2: 10000,
        3: 1000,
        4: 500000,
    }
    assert sum(one.to_owner_cents for one in back) == done.bank_cents
    assert back[0].clauses == ("act-2015:12.5", "act-2015:d.void")
    tied = settled(terms, TIE, "1 p 100")
    assert reverse(tied, ("act-2015:12.5",), terms) == ()  # nothing had moved


@clause(*tas("7.5"), "act-2015:3.4")
@pytest.mark.parametrize("document", [*TASMANIA, "act-2015"])
def test_only_a_wager_paid_or_collected_draws_a_warning(document: str) -> None:
    terms = terms_of(document)
    assert not line(terms, TIE, "1 p 20").warn
    void = settle_void(take([parse_wager("1 p 20")], terms), ("the clause",), terms)
    assert not void.lines[0].warn
    assert line(terms, PLAYER_WINS, "1 p 20").warn
    assert line(terms, BANKER_WINS, "1 p 20").warn


def test_wagers_that_await_a_ruling_are_held() -> None:
    terms = terms_of("tas-2013")
    held = hold(take([parse_wager("1 p 100"), parse_wager("2 b 50")], terms), ("tas-2013:3",))
    assert (held.held_cents, held.bank_cents, held.returned_cents) == (15000, 0, 0)


@clause("act-2015:9.9(a)", "act-2015:9.9(b)")
def test_canberra_settles_pairs_before_any_third_card() -> None:
    """They come first, and four cards are enough to settle them."""
    assert order("act-2015") == [Bet.PLAYER_PAIR, Bet.BANKER]
    terms = terms_of("act-2015")
    four = coup_of("2c 2d / Kh 3s")
    assert four.owed is not None
    (paid,) = settle_pairs(four, take([parse_wager("1 pp 100")], terms), terms)
    assert paid.won_cents == 110000


@clause("tas-2018:15.5", "act-2015:9.4(a)", "act-2015:9.4")
@pytest.mark.parametrize("document", ["tas-2018", "act-2015"])
def test_with_only_pairs_wagered_the_coup_is_still_completed(document: str) -> None:
    terms = terms_of(document)
    with pytest.raises(Refused) as refused:
        settled(terms, "2c 2d / Kh 3s", "1 pp 100")
    assert refused.value.reason is Reason.COUP_INCOMPLETE
    assert settled(terms, "2c 2d 9h / Kh 3s 4d", "1 pp 100").lines[0].outcome is WINS


def test_nothing_is_settled_while_a_card_is_face_down() -> None:
    with pytest.raises(Refused) as refused:
        settle(coup_of("2c Kd 3h 7s ??"), (), terms_of("tas-2018"))
    assert refused.value.reason is Reason.CARDS_FACE_DOWN


# Void and push are different things
@clause("act-2015:d.void", *tas("6.8"))
@pytest.mark.parametrize("document", RULESETS)
def test_a_void_returns_everything_and_is_not_a_push(document: str) -> None:
    terms = terms_of(document)
    wagers = [parse_wager(text) for text in ("1 p 100", "2 b 100", "3 t 100")]
    void = settle_void(take(wagers, terms), ("the clause",), terms)
    assert {one.outcome for one in void.lines} == {Outcome.VOID}
    meaning = ("act-2015:d.void",) if document == "act-2015" else ()
    assert void.lines[0].clauses == ("the clause", *meaning)
    (late,) = settle_void(
        take([Wager(1, Bet.PLAYER, 10000, late_cents=10000)], terms), (), terms
    ).lines
    assert (late.outcome, late.returned_cents) == (Outcome.VOID, 10000)
    assert void.returned_cents == void.staked_cents
    assert void.bank_cents == 0
    tied = settled(terms, TIE, "1 p 100", "2 b 100", "3 t 100")
    assert [one.outcome for one in tied.lines] == [PUSHES, PUSHES, WINS]


# Rounding
@clause(*tas("12.2"), "act-2015:8.8(b)")
@pytest.mark.parametrize(
    ("rounding", "won", "breakage"),
    [(Rounding.UP, 7250, Fraction(125)), (Rounding.DOWN, 7000, Fraction(-125))],
)
@pytest.mark.parametrize("document", [*TASMANIA, "act-2015"])
def test_what_the_chips_cannot_pay_is_rounded_and_booked(
    document: str, rounding: Rounding, won: int, breakage: Fraction
) -> None:
    """75 at 19 to 20 is 71.25; with a smallest chip of 2.50 that pays 72.50 or 70."""
    terms = terms_of(document, rounding=rounding, chip_cents=250)
    paid = settled(terms, BANKER_WINS, "1 b 75")
    assert paid.won_cents == won
    assert paid.breakage == breakage


@clause(*tas("7.4", "7.5"), "act-2015:3.4", "act-2015:3.5")
@pytest.mark.parametrize("document", [*TASMANIA, "act-2015"])
def test_wagers_outside_the_limits_are_settled_as_the_rule_says(document: str) -> None:
    terms = terms_of(document)
    under, over = settled(terms, PLAYER_WINS, "1 p 20", "2 p 6000").lines
    assert (under.outcome, under.won_cents, under.warn) == (WINS, 2000, True)
    assert (over.won_cents, over.returned_cents) == (500000, 600000)
    lost_under, lost_over = settled(terms, BANKER_WINS, "1 p 20", "2 p 6000").lines
    assert lost_under.collected_cents == 2000
    assert lost_over.collected_cents == 500000
    again = take([parse_wager("1 p 20")], terms, warned={"1"})
    for hands in (PLAYER_WINS, BANKER_WINS, TIE):
        (returned,) = settle(coup_of(hands), again, terms).lines
        assert (returned.outcome, returned.returned_cents) == (Outcome.RETURNED, 2000)


# Any coup, any wagers, any notice
def tables() -> st.SearchStrategy[Terms]:
    methods = [(one, m.name) for one in RULESETS for m in load_ruleset(one).settlement.methods]
    return st.builds(
        lambda chosen, chip, rounding: terms_of(
            chosen[0], method=chosen[1], chip_cents=chip, rounding=rounding
        ),
        st.sampled_from(methods),
        st.sampled_from([1, 5, 25, 70, 100, 250, 333, 500]),
        st.sampled_from(Rounding),
    )


laid = st.builds(
    Wager,
    st.integers(1, 7),
    st.sampled_from(Bet),
    st.integers(1, 2_000_000),
    late_cents=st.just(0),
    withdrawn=st.booleans(),
)


@given(
    tables(), st.lists(laid, max_size=12), st.permutations(DECK), st.sets(st.sampled_from("123"))
)
def test_every_settlement_conserves(
    terms: Terms, wagers: list[Wager], order: list[Card], warned: set[str]
) -> None:
    """Stakes = winnings + returned stakes + the bank's change, and breakage is the rounding."""
    offered = [wager for wager in wagers if wager.on in terms.limits]
    coup = fold((), terms.rules.tableau)
    for card in order:
        if coup.owed is None:
            break
        coup = fold((*coup.drawn, Drawn(card)), terms.rules.tableau)
    done = settle(coup, take(offered, terms, warned), terms)
    assert len(done.lines) == len(offered)
    assert done.staked_cents == done.won_cents + done.returned_cents + done.bank_cents
    chip = terms.notice.chip_cents
    for one in done.lines:
        exact = Fraction(one.stake_cents * one.odds[0], one.odds[1]) if one.odds else Fraction(0)
        assert one.won_cents - exact == Fraction(*one.breakage)
        assert abs(Fraction(*one.breakage)) < chip
        assert one.won_cents % chip == 0
        assert 0 <= one.returned_cents <= one.wager.cents
        assert (one.outcome is WINS) == (one.odds is not None)
        assert one.clauses
        least = one.won_cents == chip  # no winner is paid nothing
        up = terms.notice.rounding is Rounding.UP or (least and exact < chip)
        assert Fraction(*one.breakage) >= 0 if up else Fraction(*one.breakage) <= 0
    assert done.breakage == sum(Fraction(*one.breakage) for one in done.lines)


@pytest.mark.parametrize("document", RULESETS)
def test_main_wagers_pay_by_points_alone(document: str) -> None:
    """Every pair of points, every bet: won, lost or pushed as the order of merit says."""
    terms = terms_of(document, chip_cents=1)
    taken = take([parse_wager(text) for text in ("1 p 100", "1 b 100", "1 t 100")], terms)
    pips = ["Kd", *(f"{rank}d" for rank in "A23456789")]
    for player, banker in product(range(10), repeat=2):
        hands = tuple(one.card for one in parse_drawn(f"{pips[player]} Kc {pips[banker]} Kh"))
        coup = Coup((), hands[:2], hands[2:], None)
        on_player, on_banker, on_tie = (o.outcome for o in settle_main(coup, taken, terms))
        if player == banker:
            assert (on_player, on_banker, on_tie) == (PUSHES, PUSHES, WINS)
        else:
            assert on_tie is LOSES
            assert (on_player is WINS) == (player > banker) == (on_banker is LOSES)


def test_settling_agrees_with_the_pair_table_over_all_cards() -> None:
    terms = terms_of("tas-2018")
    taken = take([parse_wager("1 pp 100")], terms)
    odds = {None: 0, Pair.MIXED: 6, Pair.COLOURED: 12, Pair.PERFECT: 25}
    for first, second in product(DECK, repeat=2):
        coup = Coup((), (first, second), (DECK[0], DECK[1]), None)
        (paid,) = settle_pairs(coup, taken, terms)
        assert paid.won_cents == 10000 * odds[pair(first, second)]


@clause("tas-2018:15.7", "act-2015:9.9(a)", "act-2015:9.9(b)", "tas-2018:16.6.8")
def test_a_dealer_takes_all_that_lost_before_box_after_box_is_paid() -> None:
    """Whatever the order in which wagers were laid; pairs that are paid early come first."""
    laid = ("4 bp 25", "4 b 300", "1 p 200", "9 b 50", "1 pp 20", "2 b 25", "9 t 10")
    made = {}
    for document in ("tas-2018", "act-2015"):
        terms = terms_of(document)
        lines = as_made(settled(terms, "Kc 7d / 9h 9s", *laid).lines, terms)
        made[document] = [f"{one.wager.box} {one.wager.on} {one.outcome}" for one in lines]
    taken = ["1 player loses", "9 tie loses"]
    paid = ["2 banker wins", "4 banker wins", "9 banker wins"]
    assert made == {
        "tas-2018": [taken[0], "1 player-pair loses", taken[1], *paid, "4 banker-pair wins"],
        "act-2015": ["1 player-pair loses", "4 banker-pair wins", *taken, *paid],
    }
