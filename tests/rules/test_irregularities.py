"""Irregularities by each rule set's own policy: hands, excess card, next coup, void, clause.

Each row is a situation in the notation, the shoe it happens in, and what the document says.
"""

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, NextCoup, Ruling, Verdict, has_error, rule_on
from puntobanco.rules.notice import Terms
from puntobanco.rules.paper.notation import format_drawn, parse_drawn
from puntobanco.rules.shoe import Last, Shoe, draw, marker_out, new_shoe
from tests.kit.clauses import clause, tas, twin
from tests.kit.terms import terms_of

TASMANIA = ("tas-2018", "tas-2013")
ALL = (*TASMANIA, "act-2015", "mbs-2017")

STOOD = "6c Kd Kh 7s"  # Player 6 stands, Banker 7 stands: the coup is over
BANKER_DRAWS = "6c Kd Kh 5s"  # Player 6 stands, Banker 5 draws
PLAYER_DRAWS = "2c Kd Kh 7s"  # Player 2 draws, Banker 7 stands


def folded(text: str, terms: Terms) -> Coup:
    return fold(parse_drawn(text), terms.rules.tableau)


def early(terms: Terms) -> Shoe:
    return draw(new_shoe(terms), 20)


def ruling(
    document: str,
    cards: str,
    found: Found = Found.CARDS_OUT_OF_ORDER,
    shoe: Shoe | None = None,
    last: Last = Last.NO,
) -> Ruling:
    terms = terms_of(document)
    return rule_on(found, folded(cards, terms), shoe or early(terms), terms, last)


def hands(ruled: Ruling) -> str:
    return f"{' '.join(map(str, ruled.coup.player))} / {' '.join(map(str, ruled.coup.banker))}"


# Cards on the wrong hand: the sequence decides.
SEQUENCE = [
    (clause(*tas("14.1")), TASMANIA, "14.1", f"{BANKER_DRAWS} 4d@p", "6c Kh / Kd 5s 4d"),
    (clause(*tas("14.3")), TASMANIA, "14.3", f"{PLAYER_DRAWS} 4d@b", "2c Kh 4d / Kd 7s"),
    (clause(*tas("9.2")), TASMANIA, "9.2", "6c@b Kd@p Kh 7s", "6c Kh / Kd 7s"),
    (clause("act-2015:12.1"), ["act-2015"], "12.1", f"{BANKER_DRAWS} 4d@p", "6c Kh / Kd 5s 4d"),
    (clause("act-2015:12.4"), ["act-2015"], "12.4", f"{PLAYER_DRAWS} 4d@b", "2c Kh 4d / Kd 7s"),
    (
        clause("act-2015:12.4", "act-2015:6.2(a)"),
        ["act-2015"],
        "12.4 6.2(a)",
        "6c@b Kd@p Kh 7s",
        "6c Kh / Kd 7s",
    ),
    (clause("mbs-2017:5.2"), ["mbs-2017"], "5.2", f"{BANKER_DRAWS} 4d@p", "6c Kh / Kd 5s 4d"),
    (
        clause("mbs-2017:3.7.1", "mbs-2017:3.7.2"),
        ["mbs-2017"],
        "3.7.1 3.7.2",
        "6c@b Kd@p Kh 7s",
        "6c Kh / Kd 7s",
    ),
]


@pytest.mark.parametrize(
    ("document", "number", "cards", "expected"),
    [
        pytest.param(
            document, number, cards, expected, marks=mark, id=f"{document}:{number} {cards}"
        )
        for mark, documents, number, cards, expected in SEQUENCE
        for document in documents
    ],
)
def test_a_misplaced_card_goes_where_the_sequence_says(
    document: str, number: str, cards: str, expected: str
) -> None:
    ruled = ruling(document, cards)
    assert hands(ruled) == expected
    assert ruled.verdict is Verdict.STANDS
    assert ruled.next_coup is NextCoup.ORDINARY
    assert ruled.clauses == tuple(f"{document}:{one}" for one in number.split())
    assert ruled.carried == ruled.discarded == ()


@clause(*tas("14.3"), "act-2015:12.4")
@pytest.mark.parametrize("document", [*TASMANIA, "act-2015"])
def test_a_card_taken_from_banker_may_leave_banker_owed_another(document: str) -> None:
    """Player 2 should have drawn; the 9 laid on Banker is Player's, and Banker 3 now draws."""
    ruled = ruling(document, "2c Kd Kh 3s 9d@b")
    assert hands(ruled) == "2c Kh 9d / Kd 3s"
    assert ruled.coup.owed is not None
    table = terms_of(document).rules.table_of_play
    assert ruled.clauses[-1] == table.banker_clauses[3]


# Cards left over: (clauses, document, cards, next coup, clause cited, why)
NON, ORD = NextCoup.NON_BETTING, NextCoup.ORDINARY
EXCESS = [
    (TASMANIA, f"{STOOD} 4d@p", NON, "14.1", "dealt to Player, face up"),
    (TASMANIA, f"{STOOD} (4d)@p", NON, "14.1", "dealt to Player face down: dealt is the test"),
    (TASMANIA, f"{STOOD} 4d@b", NON, "14.1", "disclosed on Banker: by analogy with 14.4"),
    (TASMANIA, f"{STOOD} 4d@-", NON, "14.1", "only drawn, but disclosed: by analogy with 14.4"),
    (TASMANIA, f"{STOOD} ??@-", ORD, "14.2", "only drawn, not disclosed"),
    (TASMANIA, f"{STOOD} (4d)@-", ORD, "14.2", "only drawn, named later"),
    (TASMANIA, f"{STOOD} ??@b", ORD, "14.2", "on Banker, not disclosed"),
    (["act-2015"], f"{STOOD} 4d@p", NON, "12.2", "exposed"),
    (["act-2015"], f"{STOOD} 4d@-", NON, "12.2", "exposed, laid nowhere"),
    (["act-2015"], f"{STOOD} (4d)@p", ORD, "12.3", "not exposed, though laid on Player"),
    (["act-2015"], f"{STOOD} ??@-", ORD, "12.3", "not exposed"),
]


@pytest.mark.parametrize(
    ("document", "cards", "next_coup", "number"),
    [
        pytest.param(
            document,
            cards,
            next_coup,
            number,
            marks=clause(f"{document}:{number}"),
            id=f"{document}:{number} {why}",
        )
        for documents, cards, next_coup, number, why in EXCESS
        for document in documents
    ],
)
def test_a_card_in_excess_begins_the_next_coup(
    document: str, cards: str, next_coup: NextCoup, number: str
) -> None:
    ruled = ruling(document, cards)
    assert hands(ruled) == "6c Kh / Kd 7s"
    assert ruled.next_coup is next_coup
    assert f"{document}:{number}" in ruled.clauses
    assert format_drawn(ruled.carried) == cards.rsplit(maxsplit=1)[-1]
    assert ruled.discarded == ()


@clause("act-2015:12.2", "act-2015:12.3")
@pytest.mark.parametrize(
    ("cards", "next_coup"),
    [("4d@- 5d@-", NON), ("4d@- ??@-", NON), ("??@- 5d@-", NON), ("??@- (5d)@-", ORD)],
)
def test_two_cards_in_excess_go_in_the_order_drawn_and_any_exposed_one_bars_betting(
    cards: str, next_coup: NextCoup
) -> None:
    ruled = ruling("act-2015", f"{STOOD} {cards}")
    assert format_drawn(ruled.carried) == cards
    assert ruled.next_coup is next_coup


@clause(*tas("14.1"), "act-2015:12.4")
@pytest.mark.parametrize("document", [*TASMANIA, "act-2015"])
def test_a_third_card_dealt_against_a_natural_is_in_excess(document: str) -> None:
    ruled = ruling(document, "9c Kd Kh 5s 4d@p")
    assert hands(ruled) == "9c Kh / Kd 5s"
    assert format_drawn(ruled.carried) == "4d@p"
    assert ruled.next_coup is NON


# The end of the shoe
@clause(*tas("14.1"))
@pytest.mark.parametrize("document", TASMANIA)
def test_after_an_announced_last_hand_the_error_card_is_discarded(document: str) -> None:
    ruled = ruling(document, f"{STOOD} 4d@p", last=Last.YES)
    assert ruled.next_coup is NextCoup.NONE
    assert ruled.carried == ()
    assert format_drawn(ruled.discarded) == "4d@p"
    assert ruled.clauses == (f"{document}:14.1",)


@clause(*tas("14.1", "9.4"))
@pytest.mark.parametrize("document", TASMANIA)
def test_an_error_card_that_follows_the_marker_ends_the_shoe(document: str) -> None:
    terms = terms_of(document)
    shoe = draw(marker_out(early(terms)), 1)
    ruled = ruling(document, f"{STOOD} 4d@p", shoe=shoe)
    assert ruled.next_coup is NextCoup.NONE
    assert format_drawn(ruled.discarded) == "4d@p"
    assert f"{document}:9.4" in ruled.clauses


@clause(*tas("14.2"))
@pytest.mark.parametrize("document", TASMANIA)
def test_an_undisclosed_card_is_discarded_once_the_marker_has_shown(document: str) -> None:
    """The marker showed right after it: no card has followed, so another coup may start."""
    seen = marker_out(early(terms_of(document)))
    at_the_mouth = draw(new_shoe(terms_of(document)), 416 - 7)
    ruled = ruling(document, f"{STOOD} ??@-", shoe=seen)
    assert ruling(document, f"{STOOD} ??@-", shoe=at_the_mouth) == ruled
    assert ruled.next_coup is NextCoup.ORDINARY
    assert ruled.carried == ()
    assert format_drawn(ruled.discarded) == "??@-"


@clause("act-2015:5.7", "act-2015:12.3")
@pytest.mark.parametrize(
    ("cards", "next_coup", "carried"),
    [(f"{STOOD} ??@-", NextCoup.NONE, ""), ("7c Kd Kh 7s ??@-", NextCoup.ORDINARY, "??@-")],
    ids=["no tie: shuffle", "a tie: the extra round begins with the card"],
)
def test_canberras_last_round_and_a_card_in_excess(
    cards: str, next_coup: NextCoup, carried: str
) -> None:
    shoe = draw(marker_out(early(terms_of("act-2015"))), 2)
    ruled = ruling("act-2015", cards, shoe=shoe, last=Last.UNLESS_TIE)
    assert ruled.next_coup is next_coup
    assert format_drawn(ruled.carried) == carried


@clause("mbs-2017:5.2")
@pytest.mark.parametrize(
    ("leftover", "card", "carried", "following"),
    [
        ("discard", "4d@-", "", NextCoup.ORDINARY),
        ("first-of-next", "4d@-", "4d@-", NextCoup.NON_BETTING),
        ("first-of-next", "??@-", "??@-", NextCoup.ORDINARY),
    ],
)
def test_singapore_leaves_a_card_left_over_to_the_conditions(
    leftover: str, card: str, carried: str, following: NextCoup
) -> None:
    """And nobody bets into one that was seen."""
    terms = terms_of("mbs-2017", leftover=leftover)
    coup = folded(f"{STOOD} {card}", terms)
    ruled = rule_on(Found.CARDS_OUT_OF_ORDER, coup, early(terms), terms)
    assert ruled.verdict is Verdict.STANDS
    assert ruled.next_coup is following
    assert format_drawn(ruled.carried) == carried
    assert ruled.clauses == ("mbs-2017:5.2",)


# A card face up in the shoe
@clause(*tas("14.4"))
@pytest.mark.parametrize("document", TASMANIA)
def test_a_face_up_card_is_used_where_the_table_of_play_wants_one(document: str) -> None:
    ruled = ruling(document, PLAYER_DRAWS, Found.FACE_UP_IN_SHOE)
    assert ruled.next_coup is NextCoup.ORDINARY
    assert ruled.clauses == (f"{document}:14.4",)


@clause(*tas("14.4", "14.1"))
@pytest.mark.parametrize("document", TASMANIA)
@pytest.mark.parametrize("cards", [STOOD, ""], ids=["coup over", "between coups"])
def test_a_face_up_card_nobody_may_bet_into(document: str, cards: str) -> None:
    """It never left the shoe: it is the first card of a non-betting coup."""
    ruled = ruling(document, cards, Found.FACE_UP_IN_SHOE)
    assert ruled.next_coup is NextCoup.NON_BETTING
    assert ruled.carried == ()
    assert ruled.clauses == (f"{document}:14.4", f"{document}:14.1")


@clause(*tas("14.4"))
@pytest.mark.parametrize("document", TASMANIA)
def test_a_face_up_card_after_an_announced_last_hand(document: str) -> None:
    assert ruling(document, STOOD, Found.FACE_UP_IN_SHOE, last=Last.YES).next_coup is NextCoup.NONE


@clause(*tas("14.4"))
def test_a_face_up_card_found_before_an_announced_last_hand_lets_that_hand_be_dealt() -> None:
    ruled = ruling("tas-2018", "", Found.FACE_UP_IN_SHOE, last=Last.YES)
    assert ruled.next_coup is NextCoup.NON_BETTING


@clause(*tas("14.4"))
def test_with_cards_face_down_nobody_can_say_whether_a_face_up_card_is_used() -> None:
    with pytest.raises(Refused):
        ruling("tas-2018", "2c Kd 3h 5s ??", Found.FACE_UP_IN_SHOE)


def test_a_drawn_card_not_yet_laid_is_not_misplaced() -> None:
    ruled = ruling("tas-2018", f"{BANKER_DRAWS} 4d@-")
    assert ruled.clauses == ()
    assert hands(ruled) == "6c Kh / Kd 5s 4d"


@clause("tas-2013:3", "tas-2013:9.4")
def test_a_ruling_past_the_marker_does_not_bring_the_shoe_back() -> None:
    shoe = draw(marker_out(early(terms_of("tas-2013"))), 2)
    ruled = ruling("tas-2013", "6c Kd Kh", Found.ORDER_UNKNOWN, shoe)
    assert (ruled.verdict, ruled.next_coup) == (RULING, NextCoup.NONE)


def test_where_no_clause_speaks_of_a_face_up_card() -> None:
    assert ruling("act-2015", PLAYER_DRAWS, Found.FACE_UP_IN_SHOE).clauses == ("act-2015:7.2",)
    assert ruling("act-2015", STOOD, Found.FACE_UP_IN_SHOE).next_coup is NextCoup.NON_BETTING
    assert ruling("mbs-2017", STOOD, Found.FACE_UP_IN_SHOE).verdict is Verdict.RULING


# What makes a coup void, and what does not
VOID, RULING, STANDS = Verdict.VOID, Verdict.RULING, Verdict.STANDS
POLICIES = [
    ("tas-2018:14.5", STOOD[:8], Found.INSUFFICIENT_CARDS, VOID),
    ("tas-2013:14.5", STOOD[:8], Found.INSUFFICIENT_CARDS, VOID),
    ("act-2015:12.6", STOOD[:8], Found.INSUFFICIENT_CARDS, VOID),
    ("mbs-2017:5.5", STOOD[:8], Found.INSUFFICIENT_CARDS, VOID),
    ("tas-2018:14.6", "6c Kd", Found.ORDER_UNKNOWN, VOID),
    ("tas-2018:14.6", PLAYER_DRAWS + " 4d", Found.ORDER_UNKNOWN, VOID),
    ("tas-2018:14.6", PLAYER_DRAWS, Found.SHOE_DISTURBED, VOID),
    ("mbs-2017:5.4", "6c Kd Kh 7s", Found.ORDER_UNKNOWN, VOID),
    ("tas-2013:3", "6c Kd", Found.ORDER_UNKNOWN, RULING),
    ("tas-2013:3", PLAYER_DRAWS, Found.SHOE_DISTURBED, RULING),
    ("act-2015:14.3", "6c Kd", Found.ORDER_UNKNOWN, RULING),
    ("act-2015:14.3", PLAYER_DRAWS, Found.SHOE_DISTURBED, RULING),
    ("act-2015:14.3", PLAYER_DRAWS, Found.WRONG_NUMBER, RULING),
    ("mbs-2017:5.2", PLAYER_DRAWS, Found.WRONG_NUMBER, VOID),
    ("tas-2018:14.6", PLAYER_DRAWS, Found.WRONG_NUMBER, VOID),
    ("tas-2013:3", PLAYER_DRAWS, Found.WRONG_NUMBER, RULING),
    ("mbs-2017:5.3", PLAYER_DRAWS + " 4d", Found.INITIAL_ORDER_UNKNOWN, VOID),
    ("mbs-2017:5.3", "6c Kd", Found.ORDER_UNKNOWN, VOID),
    ("mbs-2017:5.4", PLAYER_DRAWS + " 4d", Found.ORDER_UNKNOWN, VOID),
    ("mbs-2017:5.4", PLAYER_DRAWS, Found.SHOE_DISTURBED, VOID),
    ("mbs-2017:5.1.1", PLAYER_DRAWS, Found.FOREIGN_CARD, VOID),
    ("act-2015:14.3", PLAYER_DRAWS, Found.FOREIGN_CARD, VOID),
    ("tas-2018:3", PLAYER_DRAWS, Found.FOREIGN_CARD, VOID),
    ("tas-2013:3", PLAYER_DRAWS, Found.FOREIGN_CARD, VOID),
    ("act-2015:12.7", "6c Kd", Found.BURN_FORGOTTEN, STANDS),
]


@pytest.mark.parametrize(
    ("cited", "cards", "found", "verdict"),
    [
        pytest.param(*row, marks=clause(row[0]), id=f"{row[0]} {row[2]} ({row[1]})")
        for row in POLICIES
    ],
)
def test_void_or_not(cited: str, cards: str, found: Found, verdict: Verdict) -> None:
    ruled = ruling(cited.partition(":")[0], cards, found)
    assert ruled.verdict is verdict
    assert ruled.clauses == (cited,)
    if verdict is VOID:  # the cards of a void coup belong to no coup
        assert ruled.discarded == ruled.coup.drawn
        assert ruled.carried == ()


@clause(*tas("14.5"), "act-2015:12.6", "mbs-2017:5.5")
@pytest.mark.parametrize("document", ALL)
def test_after_too_few_cards_no_coup_is_dealt_until_the_reshuffle(document: str) -> None:
    assert ruling(document, "6c Kd", Found.INSUFFICIENT_CARDS).next_coup is NextCoup.NONE


@clause(*tas("9.4"))
@pytest.mark.parametrize("document", TASMANIA)
def test_a_void_coup_past_the_marker_ends_the_shoe_too(document: str) -> None:
    shoe = draw(marker_out(early(terms_of(document))), 2)
    assert ruling(document, "6c Kd", Found.FOREIGN_CARD, shoe).next_coup is NextCoup.NONE


# Noticed only after the next coup had begun
LATE = [
    ("act-2015:12.5", VOID),
    ("mbs-2017:5.2", STANDS),
    ("tas-2018:3", STANDS),
    ("tas-2013:3", STANDS),
]


@pytest.mark.parametrize(
    ("cited", "verdict"), [pytest.param(*row, marks=clause(row[0]), id=row[0]) for row in LATE]
)
@pytest.mark.parametrize("cards", [f"{BANKER_DRAWS} 4d@p", BANKER_DRAWS, f"{STOOD} 4d@p"])
def test_an_error_found_after_the_next_coup_began(cited: str, verdict: Verdict, cards: str) -> None:
    """Whether or not the result would change: the first row's hands are the same either way."""
    ruled = ruling(cited.partition(":")[0], cards, Found.FOUND_LATE)
    assert ruled.verdict is verdict
    assert ruled.clauses == (cited,)


@clause("act-2015:12.5")
def test_a_coup_without_an_error_is_not_made_void_afterwards() -> None:
    for document in ALL:
        assert ruling(document, STOOD, Found.FOUND_LATE).verdict is STANDS
    assert not has_error(folded(f"{STOOD} ??@-", terms_of("act-2015")))
    assert has_error(folded(f"{BANKER_DRAWS} 4d@-", terms_of("act-2015")))


def test_nothing_can_be_said_while_the_deciding_cards_are_face_down() -> None:
    with pytest.raises(Refused) as refused:
        ruling("tas-2018", "?? ?? ?? ?? 4d@-")
    assert refused.value.reason is Reason.CARDS_FACE_DOWN


@pytest.mark.parametrize("document", ALL)
def test_a_coup_in_order_needs_no_ruling(document: str) -> None:
    ruled = ruling(document, STOOD)
    assert ruled.clauses == ()
    assert ruled.next_coup is NextCoup.ORDINARY


@pytest.mark.parametrize("document", TASMANIA)
@clause(*tas("14.2"))
def test_a_seen_and_an_unseen_card_past_the_marker_part_ways(document: str) -> None:
    shoe = marker_out(early(terms_of(document)))
    ruled = ruling(document, f"{STOOD} ??@- 4d@p", shoe=shoe)
    assert format_drawn(ruled.discarded) == "??@-"
    assert format_drawn(ruled.carried) == "4d@p"
    assert twin(document, "14.2") in ruled.clauses


def test_a_shoe_is_not_changed_by_a_ruling() -> None:
    terms = terms_of("tas-2018")
    shoe = early(terms)
    before = replace(shoe)
    rule_on(Found.CARDS_OUT_OF_ORDER, folded(f"{STOOD} 4d@p", terms), shoe, terms)
    assert shoe == before
