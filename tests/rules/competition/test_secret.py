"""Secret wagers: words, examining, deeming, what is held afterwards, and what is sealed."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.errors import MalformedError
from puntobanco.rules.competition.secret import (
    CONTENT_BYTES,
    TYPES,
    Deemed,
    FormFault,
    Position,
    SecretForm,
    content,
    deem,
    examine,
    examine_alone,
    holds_cents,
    read_content,
)
from puntobanco.rules.competition.spelled import figures_cents, words_cents
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import Limits
from puntobanco.rules.seal import commit
from tests.kit.clauses import clause, tas
from tests.rules.competition import plain

RULES = load_ruleset("tas-2018")
SECRET = RULES.competition.secret
assert SECRET is not None
METHODS = {method.name: method for method in RULES.settlement.methods}
RESULTS = {"p": Result.PLAYER, "b": Result.BANKER, "t": Result.TIE}
STEPS = {
    "u": "tas-2018:16.4.6",
    "a": "tas-2018:16.6.10(a)",
    "b": "tas-2018:16.6.10(b)",
    "3": "tas-2018:16.6.3",
    "c": "tas-2018:16.6.10(c)",
    "d": "tas-2018:16.6.10(d)",
    "-": "tas-2018:16.6.2",
}


def position(
    held: int = 6000, laid: str = "", left: int = 3, *, tie: Limits | None = None
) -> Position:
    """A position in dollars at limits of 100 to 2000 in units of 5."""
    words = laid.split()
    on = {TYPES[bet]: int(each) * 100 for bet, each in zip(words[::2], words[1::2], strict=True)}
    return Position(held * 100, Limits(100_00, 2000_00), 500, left, on, tie)


def form(text: str) -> SecretForm:
    return SecretForm(*text.split("|"))


@pytest.mark.parametrize(
    ("words", "dollars"),
    [
        ("one thousand", 1000),
        ("One Thousand", 1000),
        ("a thousand", 1000),
        ("fifteen hundred", 1500),
        ("Fifteen hundred and fifty", 1550),
        ("one thousand five hundred", 1500),
        ("one thousand and five", 1005),
        ("two hundred fifty", 250),
        ("two hundred and fifty-five dollars only", 255),
        ("one hundred and five thousand and twenty", 105_020),
        ("one million, two hundred thousand", 1_200_000),
        ("ninety-nine hundred", 9900),
        ("zero", 0),
        ("", None),
        ("and", None),
        ("hundred", None),
        ("one hundred and", None),
        ("one thousand and", None),
        ("thousand", None),
        ("five twenty", None),
        ("twenty ten", None),
        ("one one", None),
        ("one thousand thousand", None),
        ("two thousand fifteen hundred", None),
        ("one hundred hundred", None),
        ("zero thousand", None),
        ("1000", None),
        ("one thousand dollars dollars", None),
        ("dollars", None),
        ("cents", None),
        ("only", None),
    ],
)
def test_words(words: str, dollars: int | None) -> None:
    assert words_cents(words) == (None if dollars is None else dollars * 100)


def test_cents_in_words_and_figures() -> None:
    assert (
        words_cents("two dollars and fifty cents") == words_cents("two dollars fifty cents") == 250
    )
    assert words_cents("fifty cents") == 50
    found = {text: figures_cents(text) for text in ("$1,000", "1,00", "12.5", "12.50", "", "1e3")}
    assert found == {
        "$1,000": 100_000,
        "1,00": None,
        "12.5": None,
        "12.50": 1250,
        "": None,
        "1e3": None,
    }


ONES = [
    *("-", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
]
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spell(number: int, and_: str) -> str:
    """Spell a number out, as people do."""
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    if number < 1000:
        rest = f"{and_}{spell(number % 100, and_)}" if number % 100 else ""
        return f"{ONES[number // 100]} hundred{rest}"
    below = number % 1000
    joined = (and_ if below < 100 else " ") + spell(below, and_) if below else ""
    return f"{spell(number // 1000, and_)} thousand{joined}"


def test_every_amount_spelled_out_is_read_with_and_without_and() -> None:
    for number in [*range(1, 12_000), *range(12_000, 999_999, 97)]:
        for and_ in (" ", " and "):
            assert words_cents(spell(number, and_)) == number * 100
    for hundreds in range(10, 100):
        if hundreds % 10:
            assert words_cents(f"{spell(hundreds, ' ')} hundred") == hundreds * 100_00


EXAMINED = [
    ("in order", "1000|one thousand|b", position(), ""),
    ("none left", "1000|one thousand|b", position(left=0), "none-left"),
    ("nothing circled", "1000|one thousand|", position(), "type-not-shown"),
    ("two circled", "1000|one thousand|pb", position(), "type-not-shown"),
    ("words differ", "1000|one hundred|b", position(), "words-and-figures-differ"),
    ("no words", "1000||b", position(), "words-and-figures-differ"),
    ("no figures", "|one thousand|b", position(), "words-and-figures-differ"),
    ("odd amount", "103|one hundred and three|b", position(), "not-in-units"),
    ("too little", "50|fifty|b", position(), "below-minimum"),
    ("too much", "2500|twenty-five hundred|b", position(), "above-maximum"),
    ("just the maximum", "2000|two thousand|b", position(), ""),
    ("with chips just the maximum", "500|five hundred|b", position(laid="b 1500"), ""),
    ("with chips above", "505|five hundred and five|b", position(laid="b 1500"), "above-maximum"),
    ("chips on Tie do not count", "500|five hundred|b", position(laid="b 1500 t 2000"), ""),
    (
        "a secret Tie counts with chips",
        "600|six hundred|t",
        position(laid="b 1500"),
        "above-maximum",
    ),
    ("Tie with chips on Tie", "600|six hundred|t", position(laid="b 100 t 1500"), "above-maximum"),
    (
        "Tie has its own limits",
        "600|six hundred|t",
        position(laid="b 100", tie=Limits(5_00, 500_00)),
        "above-maximum",
    ),
    ("a small Tie", "50|fifty|t", position(laid="b 100", tie=Limits(5_00, 500_00)), ""),
    ("both sides", "100|one hundred|p", position(laid="b 100"), "both-sides"),
    ("Tie alone", "100|one hundred|t", position(), "no-wager-on-banker-or-player"),
    ("Tie beside Tie", "100|one hundred|t", position(laid="t 100"), "no-wager-on-banker-or-player"),
    ("more than held", "1000|one thousand|b", position(held=900), "more-than-held"),
    (
        "chips laid are not held",
        "500|five hundred|b",
        position(held=1000, laid="b 600"),
        "more-than-held",
    ),
    (
        "all at once",
        "2503|six|p",
        position(held=100, laid="b 100", left=0),
        "none-left words-and-figures-differ not-in-units above-maximum both-sides more-than-held",
    ),
]


@clause(*tas("16.6.10(lead)"))
@pytest.mark.parametrize(
    ("text", "at", "reasons"), [pytest.param(*row[1:], id=row[0]) for row in EXAMINED]
)
def test_all_that_is_wrong_with_a_form_is_named(text: str, at: Position, reasons: str) -> None:
    """[tas-2018:16.6.2], [tas-2018:16.6.3], [tas-2018:16.6.4(a)], [tas-2018:16.6.4(b)]"""
    assert examine(form(text), at) == tuple(reasons.split())


def test_a_form_by_itself_says_nothing_of_chips() -> None:
    """Chips may follow the form, so neither they nor what they leave are looked at yet."""
    at = position(held=100, laid="b 100")
    assert examine_alone(form("1000|one thousand|p"), at) == ()
    assert examine_alone(form("1000|one thousand|t"), at) == ()
    assert examine_alone(form("3000|three|x"), at) == (
        FormFault.TYPE_NOT_SHOWN,
        FormFault.WORDS_AND_FIGURES_DIFFER,
        FormFault.ABOVE_MAXIMUM,
    )


DEEMED = [
    ("in order", "1000|one thousand|b", position(), 1000, 0, ""),
    ("down to the unit", "103|one hundred and three|b", position(), 100, 0, "u"),
    ("(a)", "50|fifty|b", position(), 100, 0, "a"),
    ("unit, then (a)", "98|ninety-eight|b", position(), 100, 0, "ua"),
    ("(b)", "2500|twenty-five hundred|b", position(), 2000, 0, "b"),
    ("16.6.3", "1000|one thousand|b", position(laid="b 1500"), 500, 0, "3"),
    ("(b), then 16.6.3", "2500|twenty-five hundred|b", position(laid="b 1500"), 500, 0, "b3"),
    ("never raised after a cut", "500|five hundred|b", position(laid="b 1950"), 50, 0, "3"),
    ("(c)", "1000|one thousand|b", position(held=900), 900, 0, "c"),
    ("(a), then (c)", "50|fifty|b", position(held=150, laid="b 100"), 50, 0, "ac"),
    ("(c) with chips laid", "1000|one thousand|b", position(held=1000, laid="b 400"), 600, 0, "c"),
    ("nothing to play with", "100|one hundred|b", position(held=100, laid="b 100"), 0, 0, "c"),
    ("(d) words", "1000|one hundred|b", position(), 0, 100, "d"),
    ("(d) type", "1000|one thousand|", position(), 0, 100, "d"),
    ("(d) one too many", "1000|one thousand|b", position(left=0), 0, 100, "d"),
    ("(d) both sides", "1000|one thousand|p", position(laid="b 100"), 0, 100, "d"),
    ("Tie alone is played", "100|one hundred|t", position(), 100, 0, ""),
    ("both Tie caps", "900|nine hundred|t", position(laid="b 100 t 1500"), 500, 0, "3"),
]


@clause(*tas("16.6.10(lead)", "16.6.10(a)", "16.6.10(b)", "16.6.10(c)", "16.6.10(d)"))
@pytest.mark.parametrize(
    ("text", "at", "amount", "taken", "steps"),
    [pytest.param(*row[1:], id=row[0]) for row in DEEMED],
)
def test_what_a_form_counts_for_after_the_coup(
    text: str, at: Position, amount: int, taken: int, steps: str
) -> None:
    """[tas-2018:16.6.10(a)] to [tas-2018:16.6.10(d)]"""
    assert SECRET is not None
    clauses = tuple(STEPS[step] for step in steps)
    assert deem(form(text), at, SECRET) == Deemed(amount * 100, taken * 100, clauses)


HELD = [
    (
        "Banker pays 19 to 20, apart and up",
        "b 105",
        "105|x|b",
        105,
        0,
        "b",
        "commission",
        False,
        6200,
    ),
    ("federal", "b 105", "105|x|b", 105, 0, "b", "federal", False, 6210),
    ("federal on six, up to the unit", "b 105", "105|x|b", 105, 0, "b", "federal", True, 6110),
    ("Player", "p 100", "100|x|p", 100, 0, "p", "commission", False, 6200),
    ("lost", "p 100", "100|x|p", 100, 0, "b", "commission", False, 5800),
    ("a Tie gives back", "p 100", "100|x|p", 100, 0, "t", "commission", False, 6000),
    ("a Tie wins", "p 100 t 100", "100|x|t", 100, 0, "t", "commission", False, 7600),
    ("(d) after the settlement", "p 100", "100|x|p", 0, 100, "p", "commission", False, 6000),
    ("above the maximum only up to it", "p 2500", "100|x|p", 0, 0, "b", "commission", False, 4000),
]


@clause(*tas("16.6.10(d)"))
@pytest.mark.parametrize(
    ("laid", "text", "amount", "taken", "result", "method", "six", "holds"),
    [pytest.param(*row[1:], id=row[0]) for row in HELD],
)
def test_what_is_held_afterwards(  # noqa: PLR0917  a row of the table
    laid: str, text: str, amount: int, taken: int, result: str, method: str, six: bool, holds: int
) -> None:
    """[tas-2018:12.2], [tas-2018:12.4], [tas-2018:16.6.10(d)]"""
    deemed = Deemed(amount * 100, taken * 100, ())
    ended = (RESULTS[result], 6 if six else 7)
    found = holds_cents(form(text), deemed, position(laid=laid), ended, METHODS[method])
    assert found == holds * 100


def test_nobody_holds_less_than_nothing() -> None:
    at = position(held=100, laid="b 100")
    lost = (Result.PLAYER, 7)
    assert holds_cents(form("||"), Deemed(0, 100_00, ()), at, lost, METHODS["federal"]) == 0


def test_whoever_is_away_has_no_secret_wager() -> None:
    assert SECRET is not None
    at = Position(6000_00, Limits(100_00, 2000_00), 500, 3, absent=True)
    one = form("1000|one thousand|b")
    assert examine(one, at) == (FormFault.ABSENT,)
    assert deem(one, at, SECRET) == Deemed(0, 0, (SECRET.form,))


def test_a_plain_re_implementation_agrees_on_ten_thousand_forms() -> None:
    assert SECRET is not None
    random = Random(16)
    for _ in range(10_000):
        unit = random.choice((1, 5, 20)) * 100
        low = random.randint(1, 10) * unit
        high = low + random.randint(0, 40) * unit
        tie = (random.randint(1, 5) * unit, random.randint(5, 30) * unit)
        dollars = random.choice((1, unit // 100)) * random.randint(0, 120)
        laid = {
            bet: random.randint(1, 30) * unit
            for bet in random.choice(("", "p", "b", "t", "pt", "bt"))
        }
        held = sum(laid.values()) + random.choice((0, 1, unit, 50 * unit)) * random.randint(0, 2)
        on = random.choice("pppbbbttx")
        wrong = random.random() < 0.1
        words = "one million" if wrong else spell(dollars, " and ") if dollars else "zero"
        left, absent = random.choice((0, 1, 3, 3, 3, 3)), random.random() < 0.05
        own_tie = random.random() < 0.5
        at = Position(
            held,
            Limits(low, high),
            unit,
            left,
            {TYPES[bet]: cents for bet, cents in laid.items()},
            Limits(*tie) if own_tie else None,
            absent,
        )
        written = SecretForm(str(dollars), words, on)
        figures = dollars * 100
        ties = tie if own_tie else (low, high)
        told = -1 if wrong else figures
        reasons, (amount, taken, steps) = plain.secret(
            held, laid, figures, told, on, (low, high), ties, unit, left, absent
        )
        case = (written, at)
        assert list(examine(written, at)) == reasons, case
        deemed = deem(written, at, SECRET)
        clauses = tuple(STEPS[step] for step in steps)
        assert deemed == Deemed(amount, taken, clauses), case
        result, method = random.choice("pbt"), random.choice(tuple(METHODS))
        six = random.random() < 0.3
        expected = plain.holds(
            held, laid, on, amount, taken, result, method, six, unit, (low, high), ties
        )
        ended = (RESULTS[result], 6 if six else 8)
        assert holds_cents(written, deemed, at, ended, METHODS[method]) == expected, case


FORMS = st.builds(
    SecretForm,
    st.text("0123456789,.$", max_size=20),
    st.text("abcdefghij -", max_size=120),
    st.sampled_from("pbt"),
)


@given(FORMS)
def test_every_form_is_sealed_at_one_length_and_reads_back(one: SecretForm) -> None:
    sealed = content(one)
    assert len(sealed) == CONTENT_BYTES
    assert read_content(sealed) == one
    assert commit(bytes(32), sealed) != commit(bytes([1] * 32), sealed)


@pytest.mark.parametrize(
    "sealed",
    [
        b"",
        b"{}",
        b'{"figures":"1","words":"one","on":"b"}',
        content(SecretForm("1", "one", "b"))[1:],
        content(SecretForm("1", "one", "b")).replace(b'"on":"b"', b'"in":"b"'),
        b" " + content(SecretForm("1", "one", "b"))[:-1],
    ],
)
def test_anything_else_is_no_sealed_form(sealed: bytes) -> None:
    with pytest.raises(MalformedError, match="not a form"):
        read_content(sealed)


def test_a_form_that_has_no_room_is_refused() -> None:
    with pytest.raises(MalformedError, match="shorter"):
        content(SecretForm("1", "\u20ac" * 100, "b"))
