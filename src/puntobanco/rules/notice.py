"""The table notice: what the operator chose within the rule set, checked against it."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache, lru_cache
from typing import Literal

import msgspec

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.bounds import Few, Money, Text, Word
from puntobanco.rules.cards import Pair
from puntobanco.rules.documents.ruleset import (
    CONDITIONS,
    RULESETS,
    Bet,
    Method,
    PairPays,
    PairsOption,
    Pays,
    Ruleset,
)
from puntobanco.rules.documents.texts import by_digest, load_ruleset
from puntobanco.rules.seats import Numbering, Seats
from puntobanco.words import money

PAIR_BETS = (Bet.PLAYER_PAIR, Bet.BANKER_PAIR)
SEATS_MOST = 14
"""The most seats an operator may choose where the document names no number."""


class Rounding(StrEnum):
    """Whether a payout that the chips cannot make is rounded up or down to one that they can."""

    UP = "up"
    DOWN = "down"


class Limits(Brief, frozen=True, forbid_unknown_fields=True):
    min_cents: Money
    max_cents: Money
    multiple_cents: Money | None = None


# Its hash is cached because a table's terms are looked up by its notice many times a command.
class Notice(Brief, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """The sign at a table: what the operator chose. All money is in cents.

    >>> import puntobanco as pb
    >>> pb.sample_notice("tas-2018").limits.min_cents
    2500
    """

    ruleset: Word
    decks: Few
    method: Word
    limits: Limits
    seats: Few = 7
    layout: Word = ""
    pairs: Word = ""
    tie_limits: Limits | None = None
    """None: the posted minimum and maximum hold for Tie too."""
    pairs_limits: Limits | None = None
    chip_cents: Money = 1
    """The smallest chip a payout is made in."""
    rounding: Rounding = Rounding.UP
    collective_liability_cents: Money | None = None
    table_differential_cents: Money | None = None
    behind_marker: Few | None = None
    burn: Literal["", "unseen", "exposed"] = ""
    leftover: Literal["", "discard", "first-of-next"] = ""
    """What becomes of a card left over, where the document does not say."""
    numbering: Numbering = "anticlockwise"
    common_pairs_box: bool = False
    """The layout has one pairs box for all seats on each side."""
    table_approval: Text = ""
    pairs_approval: Text = ""


class Terms(Brief, frozen=True):
    """What a table plays by: the rule set, the notice, and what follows from both.

    >>> import puntobanco as pb
    >>> terms = pb.post(pb.sample_notice("tas-2018"))
    >>> terms.limits[pb.Bet.TIE].max_cents
    50000
    """

    rules: Ruleset
    notice: Notice
    method: Method
    pairs: PairsOption | None
    limits: dict[Bet, Limits]
    """The limits of each bet on offer; a bet without limits is not offered."""
    main_pays: dict[tuple[Bet, int | None], Pays]
    """The odds by winning bet and, where they depend on it, the winning point."""
    pair_pays: dict[Pair, PairPays]

    def __repr__(self) -> str:
        return f"Terms({self.rules.id!r}, {self.notice.decks} decks, {self.notice.method})"

    @property
    def seats(self) -> Seats:
        return Seats(self.notice.seats, self.notice.numbering)

    @property
    def behind_marker(self) -> int | None:
        """Cards behind the marker; None where neither document nor notice places a marker."""
        marker = self.rules.shoe.marker
        return self.notice.behind_marker or (marker.behind if marker else None)


def read_notice(text: str) -> Notice:
    """Read a notice from TOML.

    >>> import puntobanco as pb
    >>> pb.read_notice("decks = 8")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a notice: Object missing required field `ruleset`
    """
    try:
        return msgspec.toml.decode(text.encode(), type=Notice)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors too
        raise MalformedError(f"not a notice: {error}") from error


@cache
def sample_notice(ruleset: str) -> Notice:
    """The notice that an operator can start from under a rule set.

    >>> import puntobanco as pb
    >>> pb.sample_notice("act-2015").decks
    8
    """
    return msgspec.convert(load_ruleset(ruleset).sample_notice, Notice)


def post(notice: Notice, rules: Ruleset | None = None) -> Terms:
    """Put a notice up, or refuse it with the clause when its rule set does not allow it.

    Without `rules`, this program's own text of the rule set that the notice names decides.

    >>> import puntobanco as pb
    >>> from msgspec.structs import replace
    >>> pb.post(replace(pb.sample_notice("act-2015"), decks=6))
    Traceback (most recent call last):
    puntobanco.errors.Refused: 6 decks are not allowed [act-2015:2.1]. Use 8 decks of 52.
    """
    known = RULESETS if rules is None else (rules.id,)
    if notice.ruleset not in known:
        allowed = ", ".join(known)
        raise Refused(
            Reason.NO_SUCH_RULESET, CONDITIONS, ruleset=notice.ruleset[:40], allowed=allowed
        )
    rules = rules or load_ruleset(notice.ruleset)
    for refused in faults(notice, rules):
        raise refused
    method = next(method for method in rules.settlement.methods if method.name == notice.method)
    pairs = next((option for option in rules.settlement.pairs if option.name == notice.pairs), None)
    limits = dict.fromkeys((offer.on for offer in rules.wagers.offered), notice.limits)
    limits[Bet.TIE] = notice.tie_limits or notice.limits
    if notice.pairs_limits:
        limits |= dict.fromkeys(PAIR_BETS, notice.pairs_limits)
    return Terms(
        rules,
        notice,
        method,
        pairs,
        limits,
        {(pays.on, pays.with_points): pays for pays in method.pays},
        {kind: pays for pays in (pairs.pays if pairs else ()) for kind in _kinds(pays)},
    )


def _kinds(pays: PairPays) -> tuple[Pair, ...]:
    return tuple(Pair) if pays.pair is None else (pays.pair,)


def faults(notice: Notice, rules: Ruleset) -> Iterator[Refused]:
    """List everything the rule set holds against a notice, gravest first."""
    yield from _table_faults(notice, rules)
    yield from _deck_faults(notice, rules)
    yield from _settlement_faults(notice, rules)
    yield from _limit_faults(notice, rules)
    yield from _shoe_faults(notice, rules)
    yield from _approval_faults(notice, rules)


def _table_faults(notice: Notice, rules: Ruleset) -> Iterator[Refused]:
    seats, layouts = rules.table.seats, rules.table.layouts
    if seats and notice.seats not in seats.any_of:
        allowed = ", ".join(map(str, seats.any_of))
        yield Refused(Reason.SEATS_NOT_ALLOWED, seats.clause, seats=notice.seats, allowed=allowed)
    if not seats and not 1 <= notice.seats <= SEATS_MOST:
        allowed = f"1 to {SEATS_MOST}"
        yield Refused(Reason.SEATS_NOT_ALLOWED, CONDITIONS, seats=notice.seats, allowed=allowed)
    names = [layout.name for layout in layouts]
    if layouts and notice.layout not in names:
        yield Refused(
            Reason.LAYOUT_NOT_ALLOWED,
            layouts[0].clause,
            layout=notice.layout,
            allowed=", ".join(names),
        )


def _deck_faults(notice: Notice, rules: Ruleset) -> Iterator[Refused]:
    decks, for_pairs = rules.cards.decks, rules.cards.decks_with_perfect_pairs
    if not decks.least <= notice.decks <= (decks.most or notice.decks):
        yield Refused(
            Reason.DECKS_NOT_ALLOWED,
            decks.clause,
            decks=notice.decks,
            allowed=decks.least if decks.least == decks.most else f"{decks.least} to {decks.most}",
        )
    if for_pairs and notice.pairs and notice.decks < for_pairs.least:
        yield Refused(
            Reason.DECKS_TOO_FEW_FOR_PAIRS,
            for_pairs.clause,
            decks=notice.decks,
            least=for_pairs.least,
        )


def _settlement_faults(notice: Notice, rules: Ruleset) -> Iterator[Refused]:
    settlement = rules.settlement
    methods = [method.name for method in settlement.methods]
    if notice.method not in methods:
        yield Refused(
            Reason.METHOD_NOT_OFFERED,
            settlement.method_clause,
            method=notice.method,
            allowed=", ".join(methods),
        )
    options = [option.name for option in settlement.pairs]
    if notice.pairs and notice.pairs not in options:
        yield Refused(
            Reason.PAIRS_NOT_OFFERED,
            settlement.pairs_clause,
            pairs=notice.pairs,
            allowed=", ".join(options) or "none",
        )
    if settlement.pairs_required and not notice.pairs:
        allowed = ", ".join(options)
        yield Refused(Reason.PAIRS_REQUIRED, settlement.pairs_clause, allowed=allowed)
    if notice.pairs and notice.pairs_limits is None:
        yield Refused(Reason.PAIRS_LIMITS_MISSING, rules.limits.pairs_shown)
    if notice.pairs_limits is not None and not notice.pairs:
        yield Refused(Reason.PAIRS_LIMITS_UNUSED, rules.limits.pairs_shown)


def _limit_faults(notice: Notice, rules: Ruleset) -> Iterator[Refused]:
    shown = {
        "Player and Banker": notice.limits,
        "Tie": notice.tie_limits,
        "pairs": notice.pairs_limits,
    }
    for what, limits in shown.items():
        if limits is not None:
            clause = rules.limits.pairs_shown if what == "pairs" else rules.limits.shown
            yield from _range_faults(what, limits, clause)
            yield from _multiple_faults(what, limits, rules)
    smallest = min(limits.min_cents for limits in shown.values() if limits is not None)
    if not 1 <= notice.chip_cents <= smallest:
        chip = notice.chip_cents
        yield Refused(Reason.CHIP_DOES_NOT_FIT, CONDITIONS, chip=money(chip), most=money(smallest))
    caps = rules.limits
    if notice.collective_liability_cents is not None:
        if caps.collective_liability is None:
            yield Refused(Reason.LIABILITY_NOT_PROVIDED, CONDITIONS)
        elif notice.collective_liability_cents < notice.limits.min_cents:
            most = notice.collective_liability_cents
            yield _crossed("collective liability", notice.limits.min_cents, most, CONDITIONS)
    if notice.table_differential_cents is not None:
        if caps.table_differential is None:
            yield Refused(Reason.DIFFERENTIAL_NOT_PROVIDED, CONDITIONS)
        elif notice.table_differential_cents < notice.limits.min_cents:
            most = notice.table_differential_cents
            yield _crossed("the table differential", notice.limits.min_cents, most, CONDITIONS)


def _crossed(what: str, least: int, most: int, clause: str) -> Refused:
    return Refused(Reason.LIMITS_CROSSED, clause, what=what, least=money(least), most=money(most))


def _range_faults(what: str, limits: Limits, clause: str) -> Iterator[Refused]:
    multiple = limits.multiple_cents
    fits = multiple is None or 1 <= multiple <= limits.max_cents
    if not 1 <= limits.min_cents <= limits.max_cents or not fits:
        yield _crossed(what, limits.min_cents, limits.max_cents, clause)


def _multiple_faults(what: str, limits: Limits, rules: Ruleset) -> Iterator[Refused]:
    multiples, asked = rules.limits.multiples, limits.multiple_cents
    if multiples is None:
        return
    if multiples.of == "displayed" and asked is None:
        yield Refused(Reason.MULTIPLE_MISSING, multiples.clause, what=what)


def _shoe_faults(notice: Notice, rules: Ruleset) -> Iterator[Refused]:
    yield from _marker_faults(notice, rules)
    burn = rules.shoe.burn
    if burn is None and notice.burn:
        yield Refused(Reason.BURN_NOT_PROVIDED, CONDITIONS)
    if burn is not None and not notice.burn:
        yield Refused(Reason.BURN_WAY_MISSING, burn.unseen, allowed="unseen, exposed")
    open_leftover = any(e.next == "by-conditions" for e in rules.irregularities.excess)
    if notice.leftover and not open_leftover:
        yield Refused(Reason.LEFTOVER_NOT_OPEN, rules.irregularities.excess[0].clause)
    box = rules.wagers.box
    if notice.common_pairs_box and not (box and box.common_pairs and notice.pairs):
        yield Refused(Reason.COMMON_BOX_NOT_PROVIDED, CONDITIONS)


def _marker_faults(notice: Notice, rules: Ruleset) -> Iterator[Refused]:
    marker, behind = rules.shoe.marker, notice.behind_marker
    if behind is None:
        return
    if marker and marker.exact and behind != marker.behind:
        yield Refused(Reason.MARKER_FIXED, marker.clause, behind=behind, exactly=marker.behind)
        return
    least = marker.behind if marker else rules.shoe.least_to_start.least
    if not least <= behind < notice.decks * 52:
        clause = marker.clause if marker else CONDITIONS
        yield Refused(Reason.MARKER_TOO_SHALLOW, clause, behind=behind, least=least)


def _approval_faults(notice: Notice, rules: Ruleset) -> Iterator[Refused]:
    table, pairs = rules.table.table_approval, rules.table.pairs_approval
    if table and not notice.table_approval.strip():
        yield Refused(Reason.APPROVAL_MISSING, table.clause, what="table", key="table_approval")
    if pairs and notice.pairs and not notice.pairs_approval.strip():
        yield Refused(
            Reason.APPROVAL_MISSING, pairs.clause, what="pairs layout", key="pairs_approval"
        )


def terms_of(notice: Notice, digest: str) -> Terms:
    """What a notice means by the text with this digest.

    Where that text is nowhere, by this program's own: the table can still be shown, and nothing
    is decided by it.
    """
    try:
        return _terms_of(notice, digest)
    except LookupError:
        return post(notice)


@lru_cache(maxsize=256)
def _terms_of(notice: Notice, digest: str) -> Terms:
    """By a text that is known; a text may become known later, and an error is not cached."""
    rules = by_digest(digest)
    if rules is None:
        raise LookupError(digest)
    return post(notice, rules)
