"""Every wager of one table notice, priced exactly from any composition of its shoe."""

from fractions import Fraction
from functools import lru_cache
from math import sqrt

from msgspec.structs import replace

from puntobanco import notebook
from puntobanco.brief import Brief
from puntobanco.odds.composition import Composition, full, parse_values, without
from puntobanco.odds.distribution import Distribution, distribution
from puntobanco.odds.wagers import PricedWager, Worth, wagers_of, worth
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.documents.ruleset import RULESETS, Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import Notice, post, sample_notice

NO_PAIRS = "none"


class Choice(Brief, frozen=True):
    """What of a table notice decides the odds."""

    ruleset: str
    decks: int
    method: str
    pairs: str = ""


class Priced(Brief, frozen=True):
    """The odds of every wager a notice offers.

    >>> import puntobanco as pb
    >>> pb.price("tas-2018", decks=8)
    Priced('tas-2018', 416 cards left: player, banker, tie, perfect-pairs)
    """

    choice: Choice
    left: Composition
    ends: Distribution
    worths: tuple[Worth, ...]

    def __repr__(self) -> str:
        names = ", ".join(value.name for value in self.worths)
        return f"Priced({self.choice.ruleset!r}, {self.left.cards} cards left: {names})"

    def _repr_html_(self) -> str:
        """A line for each wager, in a notebook."""
        rows = [
            (
                value.name,
                f"{float(value.house_edge):.4%}",
                f"{float(value.wins):.4%}",
                f"{float(value.pushes):.4%}",
                f"{standard_deviation(value):.4f}",
            )
            for value in self.worths
        ]
        headings = ("Wager", "House edge", "Wins", "Given back", "SD")
        return notebook.html_table(
            headings, rows, f"{self.choice.ruleset}, {self.left.cards} cards"
        )

    @property
    def wagers(self) -> tuple[PricedWager, ...]:
        """The wagers of the notice that was chosen."""
        return wagers_for(self.choice)


def choose(
    ruleset: str = "", decks: int | None = None, method: str = "", pairs: str = ""
) -> Choice:
    """Complete a choice from the rule set's sample notice; refused where it may not be posted.

    >>> choose("mbs-2017", 6)
    Choice(ruleset='mbs-2017', decks=6, method='even', pairs='pair')
    >>> choose("act-2015", 6)
    Traceback (most recent call last):
    puntobanco.errors.Refused: ...
    """
    name = ruleset or RULESETS[0]
    if name not in RULESETS:
        post(replace(sample_notice(RULESETS[0]), ruleset=name))  # says so, and which there are
    notice, rules = sample_notice(name), load_ruleset(name)
    many = notice.decks if decks is None else decks
    fits = not _too_few_for_pairs(rules, many)
    kind = pairs or (notice.pairs if fits else NO_PAIRS)
    return check_choice(
        Choice(name, many, method or notice.method, "" if kind == NO_PAIRS else kind)
    )


def _too_few_for_pairs(rules: Ruleset, decks: int) -> bool:
    """Perfect Pairs may want more decks than the game [tas-2018:4.1]."""
    needs = rules.cards.decks_with_perfect_pairs
    return needs is not None and decks < needs.least


def check_choice(choice: Choice) -> Choice:
    """Refuse what could not stand on a notice, with the clause that says so."""
    notice = sample_notice(choice.ruleset)
    post(
        replace(
            notice,
            decks=choice.decks,
            method=choice.method,
            pairs=choice.pairs,
            pairs_limits=notice.pairs_limits if choice.pairs else None,
        )
    )
    return choice


def chosen_by(notice: Notice) -> Choice:
    return Choice(notice.ruleset, notice.decks, notice.method, notice.pairs)


def wagers_for(choice: Choice) -> tuple[PricedWager, ...]:
    """The wagers on offer, each by the one method that settles it."""
    return wagers_chosen(load_ruleset(choice.ruleset), choice.method, choice.pairs)


def wagers_chosen(rules: Ruleset, method: str, pairs: str) -> tuple[PricedWager, ...]:
    """The same by the very text of a rule set."""
    settlement = rules.settlement
    methods = tuple(one for one in settlement.methods if one.name == method)
    options = tuple(one for one in settlement.pairs if one.name == pairs)
    return wagers_of(replace(rules, settlement=replace(settlement, methods=methods, pairs=options)))


def left_in(choice: Choice, gone: str = "", by_value: str = "") -> Composition:
    """A full shoe less the cards that are gone; or what is left, by value alone."""
    if by_value.strip():
        return parse_values(by_value)
    cards = parse_cards(gone.replace(",", " "))
    return without(full(choice.decks), [str(card) for card in cards])


@lru_cache(maxsize=256)
def priced(choice: Choice, left: Composition) -> Priced:
    """Price every wager of a choice; remembered, for it takes some tens of milliseconds."""
    ends = distribution(left, load_ruleset(choice.ruleset).tableau)
    worths = (worth(wager, left, ends) for wager in wagers_for(choice))
    return Priced(choice, left, ends, tuple(value for value in worths if value))


def price(
    ruleset: str = "",
    decks: int | None = None,
    *,
    method: str = "",
    pairs: str = "",
    gone: str = "",
    wagers: tuple[PricedWager, ...] = (),
) -> Priced:
    """Price every wager on offer, or those of an operator's own pay table, exactly.

    What is left open is as on the rule set's sample notice; `gone` names cards that have left.

    >>> import puntobanco as pb
    >>> odds = pb.price("tas-2018", decks=8, gone="9c Kd 2h")
    >>> odds.left.cards, [round(float(one.house_edge), 6) for one in odds.worths[:2]]
    (413, [0.012398, 0.010531])
    """
    choice = choose(ruleset, decks, method, pairs)
    found = priced(choice, left_in(choice, gone))
    if not wagers:
        return found
    worths = (worth(wager, found.left, found.ends) for wager in wagers)
    return replace(found, worths=tuple(value for value in worths if value))


def loses(one: Worth) -> Fraction:
    return 1 - one.wins - one.pushes


def standard_deviation(one: Worth) -> float:
    return sqrt(one.variance)
