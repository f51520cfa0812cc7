"""The notation: what is written parses back, and what cannot be read says why."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from puntobanco.errors import MalformedError
from puntobanco.rules.cards import DECK
from puntobanco.rules.coup import Drawn, Laid
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import sample_notice
from puntobanco.rules.paper.notation import (
    CoupText,
    ShoeText,
    format_coup,
    format_drawn,
    format_shoe,
    format_wager,
    parse_coup,
    parse_drawn,
    parse_shoe,
    parse_wager,
)
from puntobanco.rules.wagers import Wager

laid = st.one_of(st.none(), st.sampled_from(Laid))
drawn = st.one_of(
    st.builds(Drawn, st.sampled_from(DECK), laid, st.booleans()), st.builds(Drawn, st.none(), laid)
)
streams = st.lists(drawn, max_size=8).map(tuple)


@st.composite
def wagers(draw: st.DrawFn) -> Wager:
    box, standing = draw(st.integers(1, 9)), draw(st.booleans())
    person = draw(st.sampled_from(["", "p-17", "q.b"]))
    by = person or (f"{box}+{draw(st.integers(1, 2))}" if standing else "")
    cents = draw(st.integers(1, 10**9))
    late = draw(st.integers(0, cents))
    return Wager(
        box,
        draw(st.sampled_from(Bet)),
        cents,
        by,
        standing,
        late,
        draw(st.booleans()),
        draw(st.booleans()),
    )


@st.composite
def coups(draw: st.DrawFn) -> CoupText:
    cards = draw(streams)
    at = st.one_of(st.none(), st.integers(0, len(cards)))
    found = st.lists(st.sampled_from([f for f in Found if f is not Found.FOUND_LATE]), max_size=2)
    return CoupText(
        cards,
        tuple(draw(st.lists(wagers(), max_size=3))),
        draw(st.lists(drawn, max_size=2).map(tuple)),
        draw(at),
        draw(at),
        draw(st.sampled_from(["", "player 9-3", "tie 6-6", "void"])),
        tuple(draw(found)),
        tuple(draw(st.lists(st.integers(1, 99), max_size=2, unique=True))),
    )


@given(streams)
def test_cards_parse_back(cards: tuple[Drawn, ...]) -> None:
    assert parse_drawn(format_drawn(cards)) == cards


@given(wagers())
def test_wagers_parse_back(wager: Wager) -> None:
    assert parse_wager(format_wager(wager)) == wager


@given(coups())
def test_coups_parse_back(coup: CoupText) -> None:
    assert parse_coup(format_coup(coup)) == coup


@given(
    st.sampled_from(RULESETS),
    st.lists(coups().filter(lambda coup: coup.drawn), max_size=4),
    st.lists(drawn, max_size=3),
)
def test_shoes_parse_back(document: str, some: list[CoupText], burned: list[Drawn]) -> None:
    shoe = ShoeText(sample_notice(document), tuple(some), tuple(burned))
    assert parse_shoe(format_shoe(shoe)) == shoe


def test_two_hands_are_read_in_dealing_order() -> None:
    assert format_drawn(parse_drawn("2c 3d 8h / Kh 3s 4c")) == "2c Kh 3d 3s 8h@p 4c@b"


MALFORMED = [
    ("9c Kx", "not a card: 'Kx'"),
    ("9c@q", "not a place: '9c@q'"),
    ("9c 2h 3h 4h / Kd", "not two hands"),
    ("9c / Kd 3s 5h", "not two hands"),
    ("9c / Kd", "not two hands"),
    ("9c [marker] Kd [marker]", "comes out only once"),
    ("3 b : 9c", "not a wager: '3 b'"),
    ("3 q 50 : 9c", "not a wager"),
    ("3 b 0 : 9c", "an amount above nothing"),
    ("3 b 5 late 9 : 9c", "no more can be late than was laid down"),
    ("3 b fifty : 9c", "not an amount: 'fifty'"),
    ("3 b 5 early : 9c", "after the amount only 'late 100'"),
    ("9c = won", "not an outcome: 'won'"),
    ("9c ! fire", "not a finding: 'fire'"),
    ("9c ! found-late soon", "not a finding"),
    ("9c ^Kd", "can only begin a coup"),
    ("3@7 b 500 : 9c", "not a wager"),
    ("3+1@x b 500 : 9c", "not a wager"),
    ("٣ b 500 : 9c", "not a wager"),
    ("3 b ٥٠٠ : 9c", "not an amount"),
    ("9c ! found-late 1 ! found-late 1", "not a finding"),
    ("9c Kh / Kd 5s [marker]", "in the order they left the shoe to show a marker"),
]


@pytest.mark.parametrize(("line", "says"), MALFORMED)
def test_what_cannot_be_read_says_why(line: str, says: str) -> None:
    with pytest.raises(MalformedError) as error:
        parse_coup(line)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_fault_in_a_shoe_names_its_line() -> None:
    text = format_shoe(ShoeText(sample_notice("tas-2018"), (parse_coup("9c Kd 2h 3s"),)))
    at = len(text.splitlines()) + 2
    with pytest.raises(MalformedError, match=f"line {at}: not a card: 'Xx'"):
        parse_shoe(text + "# a comment\n9c Xx\n")


def test_only_a_line_feed_ends_a_line() -> None:
    text = format_shoe(ShoeText(sample_notice("tas-2018"), ()))
    assert parse_shoe(text + "# a note\u2028 1 p 100 : 9c Kd Kh 5s\n").coups == ()


def test_box_numbers_are_numbers() -> None:
    assert parse_wager("03+1 p 50") == parse_wager("3+1 p 50")


def test_a_notice_with_any_text_reads_back() -> None:
    notice = replace(sample_notice("act-2015"), table_approval='a "quoted" \x7f \u2028 \\ text')
    shoe = ShoeText(notice, ())
    assert parse_shoe(format_shoe(shoe)) == shoe


@pytest.mark.parametrize("text", ["", "9c Kd", "+++\nruleset = 1", "x\n+++\n+++\n"])
def test_a_shoe_starts_with_its_notice(text: str) -> None:
    with pytest.raises(MalformedError, match="the notice comes first"):
        parse_shoe(text)


@given(st.text(max_size=60))
def test_any_text_either_parses_or_says_why(text: str) -> None:
    for parse in (parse_coup, parse_shoe, parse_wager, parse_drawn):
        with suppress(MalformedError):  # any other exception fails the test
            parse(text)
