"""Statistics of shoes, against known distributions: a planted bias shows, a fair shoe does not."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from puntobanco.house.figures.fairness import DOUBT, Fairness, FromSource, fairness
from puntobanco.house.figures.parts import Cell
from puntobanco.house.figures.projection import FiguresRead, Unkept
from puntobanco.house.figures.significance import chi_square_p, corrected, share_between
from puntobanco.house.figures.sums import NOTHING, Sums, less, plus
from puntobanco.house.figures.tallied import tallied, tallied_order
from puntobanco.house.lookback.past_coup import PastCoup, ranks_of
from puntobanco.journal.log import EventLog
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Result
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.drawing import fold
from puntobanco.rules.shoe import full_set, shuffled
from puntobanco.table.coup_record import CoupKind
from tests.kit.journal import using

RULES = load_ruleset("tas-2018")
DECKS, LEFT = 8, 60
ODDS = f"{RULES.digest} {DECKS} commission"
Shuffle = Callable[[Random], Sequence[Card]]


@pytest.mark.parametrize(
    ("freedom", "found", "p"),
    [
        # from printed tables of chi-square
        (1, 6.635, 0.01),
        (2, 5.991, 0.05),
        (10, 18.307, 0.05),
        (10, 3.940, 0.95),
        (12, 26.217, 0.01),
        (50, 76.154, 0.01),
        (50, 37.689, 0.90),
        (100, 149.449, 0.001),
        (100, 82.358, 0.90),
    ],
)
def test_chi_square_is_that_of_the_tables(freedom: int, found: float, p: float) -> None:
    assert chi_square_p(found, freedom) == pytest.approx(p, rel=2e-3)


def test_chi_square_of_many_degrees_is_nearly_normal() -> None:
    """By Wilson and Hilferty, for 4,980 degrees as for a shoe of eight decks."""
    for freedom in (4980, 3732):
        for z, p in ((2.3263, 0.01), (0.0, 0.5), (-1.6449, 0.95)):
            third = 2 / (9 * freedom)
            found = freedom * (1 - third + z * third**0.5) ** 3
            assert chi_square_p(found, freedom) == pytest.approx(p, rel=1e-3)


def test_bounds_hold_the_true_share_in_99_of_100_cases() -> None:
    random, held = Random(2), 0
    for _ in range(2000):
        times = sum(random.random() < 0.095 for _ in range(400))
        low, high = share_between(times, 400)
        held += low <= 0.095 <= high
    assert 1960 <= held < 2000


def test_of_many_true_tests_few_are_called_unusual() -> None:
    random = Random(4)
    pages = [corrected([random.random() for _ in range(27)]) for _ in range(2000)]
    assert 5 <= sum(min(page) < DOUBT for page in pages) <= 40  # one in a hundred
    assert corrected([0.0001] + [0.5] * 26)[0] == pytest.approx(0.0027)


# shoes


def fair(random: Random) -> Sequence[Card]:
    return shuffled(full_set(DECKS), random.randrange)


def coups_of(order: Sequence[Card], own: bool) -> Iterator[PastCoup]:
    """The coups of a shoe, as they are kept once they are over."""
    at = nth = 0
    after: Result | None = None
    while len(order) - at > LEFT:
        number = next(count for count in (4, 5, 6) if not _owed(order[at : at + count]))
        drawn = tuple(Drawn(card) for card in order[at : at + number])
        result = fold(drawn, RULES.tableau).result
        yield PastCoup(
            "table-1", nth + 1, 1, 0, CoupKind.ORDINARY, drawn=drawn, result=result, over=True,
            odds=ODDS, own=own, nth=nth, after=after,
        )  # fmt: skip
        at, nth = at + number, nth + 1
        after = after if result is Result.TIE else result


def _owed(cards: Sequence[Card]) -> bool:
    return fold([Drawn(card) for card in cards], RULES.tableau).owed is not None


def page_of(shuffle: Shuffle, log: EventLog, orders: int = 140, seed: int = 11) -> Fairness:
    """What the page says of shoes that are shuffled in some way."""
    random, cells = Random(seed), dict[Cell, Sums]()

    def count(name: str, found: dict[str, tuple[int, ...]]) -> None:
        cell: Cell = ("2026-01-01", "cards", name)
        cells[cell] = plus(cells.get(cell, NOTHING), Sums(tallies=found))

    before = ""
    for number in range(orders):
        order = tuple(shuffle(random))
        count(f"order {len(order)}", tallied_order(order, before))
        before = ranks_of(order)
        if number % 5 == 0:
            for coup in coups_of(order, own=True):
                count(f"own {ODDS}", tallied(coup))
    return fairness(FiguresRead(log, Unkept({"table-1": cells}, {})), "", "9999-12-31")


def few_swaps(random: Random) -> Sequence[Card]:
    """A shuffle that begins with the order of a new set and stops early."""
    cards = list(full_set(DECKS))
    for at in range(0, len(cards), 3):
        other = random.randrange(len(cards))
        cards[at], cards[other] = cards[other], cards[at]
    return cards


def clumped(random: Random) -> Sequence[Card]:
    """Every tenth card brings a card of its rank along."""
    cards = list(fair(random))
    for at in range(0, len(cards) - 20, 10):
        like = next((n for n in range(at + 2, len(cards)) if cards[n][0] == cards[at][0]), at + 1)
        cards[at + 1], cards[like] = cards[like], cards[at + 1]
    return cards


class Lazy:
    """A part of the shoe before is dealt again as it was."""

    def __init__(self) -> None:
        self.before: Sequence[Card] = ()

    def __call__(self, random: Random) -> Sequence[Card]:
        cards = list(fair(random))
        for at in range(0, len(self.before), 8):
            other = cards.index(self.before[at], 0)
            cards[at], cards[other] = cards[other], cards[at]
        self.before = tuple(cards)
        return cards


def sorted_front(random: Random) -> Sequence[Card]:
    """Somebody has put aces behind one another in a place of the shoe."""
    cards = list(fair(random))
    ace = next(at for at, card in enumerate(cards) if card[0] == "A")
    cards[99], cards[ace] = cards[ace], cards[99]
    return cards


def eights_first(random: Random) -> Sequence[Card]:
    """Eights and nines, which make naturals, are dealt in front."""
    high = {"8", "9"}
    return sorted(fair(random), key=lambda card: random.random() ** (1.6 if card[0] in high else 1))


def found_by(page: Fairness, source: str) -> set[str]:
    (of,) = [one for one in page.sources if one.source == source]
    return {test.name for test in of.tests if test.is_unusual}


def test_a_fair_shoe_does_not_show_and_a_planted_bias_does(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        page = page_of(fair, log)
        assert page.unusual == 0
        assert page.tests == 5 + 2 + 4 + 5
        assert [(one.source, one.judged) for one in page.sources] == [
            ("order", True), ("own", True), ("other", False)]  # fmt: skip
        for shuffle, source, names in (
            (few_swaps, "order", {"places", "worst-place", "along", "again"}),
            (clumped, "order", {"along"}),
            (Lazy(), "order", {"again"}),
            (sorted_front, "order", {"worst-place"}),
            (eights_first, "order", {"places"}),
        ):
            assert names <= found_by(page_of(shuffle, log), source), shuffle

    using(str(tmp_path / "house.db"), use)


def test_coups_that_are_dealt_otherwise_than_by_chance_show(tmp_path: Path) -> None:
    """Of shoes that nobody opens there are the coups alone."""

    def changed(coup: PastCoup, random: Random, what: str) -> PastCoup:
        if what == "banker" and coup.result is Result.PLAYER and random.random() < 0.12:
            return replace(coup, result=Result.BANKER)
        if (
            what == "runs"
            and coup.after
            and coup.result is not Result.TIE
            and random.random() < 0.15
        ):
            return replace(coup, result=coup.after)
        if what == "pairs" and random.random() < 0.05:
            one, two, _, *rest = coup.drawn
            return replace(coup, drawn=(one, two, one, *rest))
        if what == "ace" and random.random() < 0.03:
            return replace(coup, drawn=(Drawn(Card("Ac")), *coup.drawn[1:]))
        return coup

    async def use(log: EventLog) -> None:
        random = Random(8)
        coups = [coup for _ in range(26) for coup in coups_of(fair(random), own=False)]
        wanted = {"": set[str](), "banker": {"banker", "player"}, "runs": {"turns"},
                  "pairs": {"player-pair"}, "ace": {"card-1"}}  # fmt: skip
        for what, names in wanted.items():
            sums = reduce(
                plus, (Sums(tallies=tallied(changed(one, random, what))) for one in coups), NOTHING
            )
            cells: dict[Cell, Sums] = {("2026-01-01", "cards", f"other {ODDS}"): sums}
            page = fairness(FiguresRead(log, Unkept({"t": cells}, {})), "", "9999-12-31")
            found = found_by(page, "other")
            assert names <= found, what
            assert names or not found

    using(str(tmp_path / "house.db"), use)


def test_what_is_added_can_be_taken_away_and_unknown_cards_are_left_out() -> None:
    (coup, other, *_) = coups_of(fair(Random(1)), own=True)
    one, two = (Sums(tallies=tallied(each)) for each in (coup, other))
    assert less(plus(one, two), two) == one
    assert less(one, one) == NOTHING
    hidden = replace(coup, drawn=(Drawn(None), *coup.drawn[1:]))
    for nothing in (hidden, replace(coup, void=True), replace(coup, result=None)):
        assert tallied(nothing) == {}


def test_with_few_nothing_is_judged(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        page = page_of(few_swaps, log, orders=6)
        judged: list[FromSource] = [one for one in page.sources if one.judged]
        assert (judged, page.tests, page.unusual) == ([], 0, 0)
        assert page.sources[0].count == 6

    using(str(tmp_path / "house.db"), use)
