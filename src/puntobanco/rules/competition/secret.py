"""Secret wagers on paper: the form, what an inspector finds wrong with it, and what it counts for.

A form says the amount in figures and in words and the type of the wager [tas-2018:16.6.2]. Before
the cards it is examined [tas-2018:16.6.7]; what is found only after the coup is put right as
16.6.10 says. The same functions serve table, command line and whoever checks the record.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.spelled import figures_cents, words_cents
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.competition_rules import SecretRules
from puntobanco.rules.documents.ruleset import Bet, Method
from puntobanco.rules.notice import Limits, Rounding
from puntobanco.rules.settle import payable

CONTENT_BYTES = 256
"""Every form is sealed at this length, so that its size says nothing."""
TYPES = {"p": Bet.PLAYER, "b": Bet.BANKER, "t": Bet.TIE}
HANDS = (Bet.PLAYER, Bet.BANKER)


class SecretForm(Brief, frozen=True, forbid_unknown_fields=True):
    """The entries of a form that make the wager, as the player wrote them."""

    figures: Annotated[str, Meta(max_length=20)]
    words: Annotated[str, Meta(max_length=120)]
    on: Annotated[str, Meta(max_length=10)]
    """The type circled: p, b or t; anything else does not show it."""

    @property
    def bet(self) -> Bet | None:
        return TYPES.get(self.on)

    @property
    def cents(self) -> int | None:
        """The amount in figures."""
        return figures_cents(self.figures)


class Position(Brief, frozen=True):
    """All about a player's position that a form is held against."""

    held_cents: int
    """The player's chips, those laid on this coup included."""
    limits: Limits
    unit_cents: int
    """The unit on the table sign [tas-2018:16.4.6]."""
    left: int
    """Secret wagers still allowed, this one not yet counted [tas-2018:16.6.1]."""
    laid: Mapping[Bet, int] = {}
    tie_limits: Limits | None = None
    """The limits of Tie; without any, the posted ones hold."""
    absent: bool = False

    @property
    def on_hands_cents(self) -> int:
        """Chips laid on Banker or Player."""
        return sum(self.laid.get(hand, 0) for hand in HANDS)

    @property
    def free_cents(self) -> int:
        """Chips not laid on this coup; only these can stand for a form."""
        return self.held_cents - sum(self.laid.values())

    def limits_of(self, bet: Bet | None) -> Limits:
        return self.tie_limits or self.limits if bet is Bet.TIE else self.limits


class FormFault(StrEnum):
    """What is wrong with a form, in the order in which it is told."""

    NONE_LEFT = "none-left"
    ABSENT = "absent"
    TYPE_NOT_SHOWN = "type-not-shown"
    WORDS_AND_FIGURES_DIFFER = "words-and-figures-differ"
    NOT_IN_UNITS = "not-in-units"
    BELOW_MINIMUM = "below-minimum"
    ABOVE_MAXIMUM = "above-maximum"
    BOTH_SIDES = "both-sides"
    NO_WAGER_ON_BANKER_OR_PLAYER = "no-wager-on-banker-or-player"
    MORE_THAN_HELD = "more-than-held"


NOT_SHOWN = frozenset(
    {
        FormFault.NONE_LEFT,
        FormFault.TYPE_NOT_SHOWN,
        FormFault.WORDS_AND_FIGURES_DIFFER,
        FormFault.BOTH_SIDES,
    }
)
"""The faults for which the minimum is taken and nothing is played [tas-2018:16.6.10(d)]."""


class Deemed(Brief, frozen=True):
    """What a form counts for once the coup is over."""

    amount_cents: int
    """The wager that is played."""
    taken_cents: int
    """What is taken from the player's chips instead."""
    clauses: tuple[str, ...]
    """The clauses by which it is not what was written; none if it is."""


def examine(form: SecretForm, at: Position) -> tuple[FormFault, ...]:
    """Name all that is wrong with a form, before the cards are dealt [tas-2018:16.6.7].

    >>> at = Position(600_000, Limits(10_000, 200_000), 500, 3, {Bet.BANKER: 150_000})
    >>> [str(fault) for fault in examine(SecretForm("1000", "one thousand", "b"), at)]
    ['above-maximum']
    """
    cents, bet = form.cents, form.bet
    found = {
        FormFault.NONE_LEFT: at.left <= 0,
        FormFault.ABSENT: at.absent,
        FormFault.TYPE_NOT_SHOWN: bet is None,
        FormFault.WORDS_AND_FIGURES_DIFFER: cents is None or words_cents(form.words) != cents,
        FormFault.BOTH_SIDES: any(at.laid.get(hand) for hand in HANDS if hand is not bet)
        and bet in HANDS,
        FormFault.NO_WAGER_ON_BANKER_OR_PLAYER: bet is Bet.TIE and not at.on_hands_cents,
    }
    if cents is not None:
        found |= {
            FormFault.NOT_IN_UNITS: cents % at.unit_cents != 0,
            FormFault.BELOW_MINIMUM: cents < at.limits_of(bet).min_cents,
            FormFault.ABOVE_MAXIMUM: cents > min(at.limits_of(bet).max_cents, _beside(bet, at)),
            FormFault.MORE_THAN_HELD: cents > at.free_cents,
        }
    return tuple(fault for fault in FormFault if found.get(fault))


def examine_alone(form: SecretForm, at: Position) -> tuple[FormFault, ...]:
    """Name what is wrong with a form by itself, when it is handed in and chips may still follow.

    Nothing that chips could change is told here, and no chips are refused for a form later: that
    would give it away.
    """
    alone = replace(at, laid={}, held_cents=form.cents or 0)
    needs_chips = FormFault.NO_WAGER_ON_BANKER_OR_PLAYER
    return tuple(fault for fault in examine(form, alone) if fault is not needs_chips)


def deem(form: SecretForm, at: Position, rules: SecretRules) -> Deemed:
    """Say what a form counts for after the coup [tas-2018:16.6.10(lead)].

    Whole units first, then the minimum [tas-2018:16.6.10(a)], the maximum [tas-2018:16.6.10(b)],
    the maximum together with chips [tas-2018:16.6.3] and last the chips that are there
    [tas-2018:16.6.10(c)]; what was cut is not raised again. A form that does not show amount or
    type, one too many, or one on the other hand than the chips is not played, and the minimum is
    taken [tas-2018:16.6.10(d)]. A Tie without chips on Banker or Player is played. The form of
    one who is away is not played either; absence has its own deduction.

    >>> from puntobanco.rules.documents.texts import load_ruleset
    >>> rules = load_ruleset("tas-2018").competition.secret
    >>> at = Position(600_000, Limits(10_000, 200_000), 500, 3, {Bet.BANKER: 150_000})
    >>> deem(SecretForm("1000", "one thousand", "b"), at, rules)
    Deemed(amount_cents=50000, taken_cents=0, clauses=('tas-2018:16.6.3',))
    """
    faults, bet = set(examine(form, at)), form.bet
    if FormFault.ABSENT in faults:
        return Deemed(0, 0, (rules.form,))
    if faults & NOT_SHOWN:
        return Deemed(0, at.limits.min_cents, (rules.not_shown,))
    cents, limits = form.cents, at.limits_of(bet)
    assert cents is not None
    steps: tuple[tuple[str, Callable[[int], int]], ...] = (
        (rules.in_units, lambda amount: amount - amount % at.unit_cents),
        (rules.below_minimum, lambda amount: max(amount, limits.min_cents)),
        (rules.above_maximum, lambda amount: min(amount, limits.max_cents)),
        (rules.with_chips, lambda amount: max(0, min(amount, _beside(bet, at)))),
        (rules.above_chips, lambda amount: min(amount, at.free_cents)),
    )
    clauses = list[str]()
    for clause, step in steps:
        changed = step(cents)
        if changed != cents:
            cents = changed
            clauses.append(clause)
    return Deemed(cents, 0, tuple(clauses))


def holds_cents(
    form: SecretForm, deemed: Deemed, at: Position, ended: tuple[Result, int], method: Method
) -> int:
    """What the player holds after the coup, given its result and the winning point.

    Chips and form are paid apart, each up to the unit; chips above the maximum are settled up to
    it only [tas-2018:16.5.13]. What is taken for a form comes off what is left after that, and
    nobody holds less than nothing.
    """
    wagers = [(bet, min(cents, at.limits_of(bet).max_cents)) for bet, cents in at.laid.items()]
    if deemed.amount_cents and form.bet:
        wagers.append((form.bet, deemed.amount_cents))
    change = sum(_change(bet, cents, ended, method, at.unit_cents) for bet, cents in wagers)
    return max(0, at.held_cents + change - deemed.taken_cents)


def content(form: SecretForm) -> bytes:
    """What is sealed of a form: JSON, filled up with spaces, for every form as long.

    >>> len(content(SecretForm("1000", "one thousand", "b")))
    256
    """
    encoded = msgspec.json.encode(form)
    if len(encoded) > CONTENT_BYTES:
        raise MalformedError("the form has more on it than an amount; write it again, shorter")
    return encoded.ljust(CONTENT_BYTES)


def read_content(sealed: bytes) -> SecretForm:
    """Read back what was sealed; anything but a form of the one length is refused."""
    try:
        form = msgspec.json.decode(sealed, type=SecretForm)
    except ValueError as error:
        raise MalformedError(f"not a form: {error}") from error
    if content(form) != sealed:
        raise MalformedError("not a form as forms are sealed")
    return form


def _beside(bet: Bet | None, at: Position) -> int:
    """The most a form may be for beside the chips laid: together with those on Banker or Player
    within the maximum [tas-2018:16.6.3], and on Tie with those on Tie within its own.
    """
    most = at.limits.max_cents - at.on_hands_cents
    if bet is Bet.TIE:
        most = min(most, at.limits_of(bet).max_cents - at.laid.get(bet, 0))
    return most


def _change(bet: Bet, cents: int, ended: tuple[Result, int], method: Method, unit: int) -> int:
    """What a wager brings or costs."""
    result, points = ended
    if bet.value == result.value:
        odds = {pays.with_points: pays.odds for pays in method.pays if pays.on is bet}
        won, staked = odds.get(points) or odds[None]
        return payable((cents * won, staked), unit, Rounding.UP)
    return 0 if result is Result.TIE and bet in HANDS else -cents
