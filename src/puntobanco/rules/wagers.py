"""Wagers: which may be made, and how much of a wager on the layout its limits let stand."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from puntobanco.brief import Brief
from puntobanco.errors import Reason, Refused
from puntobanco.rules.bounds import Whole, Word
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet
from puntobanco.rules.notice import PAIR_BETS, Limits, Terms
from puntobanco.words import money


class Wager(Brief, frozen=True):
    """Chips on one option of one box.

    >>> import puntobanco as pb
    >>> pb.Wager(3, pb.Bet.BANKER, 50_000) == pb.parse_wager("3 b 500")
    True
    """

    box: Whole
    on: Bet
    cents: Whole
    by: Word = ""
    """The person whose wager it is; empty: the player seated at the box."""
    standing: bool = False
    late_cents: Whole = 0
    """The part laid down after betting closed."""
    withdrawn: bool = False
    """Whether it was taken back after betting closed."""
    reduced: bool = False
    """Whether the dealer cut it back; below the minimum it then draws no warning."""

    @property
    def owner(self) -> str:
        return self.by or str(self.box)

    @property
    def in_time_cents(self) -> int:
        return self.cents - self.late_cents


def check_wager(
    wager: Wager, placed: Iterable[Wager], terms: Terms, individual: Limits | None = None
) -> None:
    """Refuse a wager from a player's own device, given those already placed for this coup."""
    check_place(wager, placed, terms)
    check_amount(wager, terms, individual)


def check_place(wager: Wager, placed: Iterable[Wager], terms: Terms) -> None:
    """Refuse a wager that could not lie on this layout, regardless of its amount.

    Player, Banker, Tie and pairs are independent and may be combined
    [tas-2018:6.5, act-2015:4.5, mbs-2017:3.5].
    """
    if wager.on not in terms.limits:
        offered = ", ".join(terms.limits)
        clause = _offer_clause(terms, wager.on)
        raise Refused(Reason.BET_NOT_OFFERED, clause, on=wager.on, allowed=offered)
    if not 1 <= wager.box <= terms.notice.seats:
        clause = terms.rules.table.seats.clause if terms.rules.table.seats else CONDITIONS
        raise Refused(Reason.NO_SUCH_BOX, clause, box=wager.box, seats=terms.notice.seats)
    placed = tuple(placed)
    _check_box(wager, placed, terms)
    once = terms.rules.wagers.one_per_option
    for other in placed:
        # a second wager of the same player there would be part of the first, under its limits
        if (other.owner, other.on) == (wager.owner, wager.on) and (once or other.box == wager.box):
            clause = once.clause if once else CONDITIONS
            raise Refused(Reason.ONE_WAGER_PER_OPTION, clause, on=wager.on)


def _offer_clause(terms: Terms, on: Bet) -> str:
    if on in PAIR_BETS:
        return terms.rules.settlement.pairs_clause
    return terms.rules.wagers.offered[0].clause


def _check_box(wager: Wager, placed: Sequence[Wager], terms: Terms) -> None:
    """Refuse a wager when its box, or its option of the box, has all the players it may have.

    Pairs are for every player, at a common box [act-2015:9.7, 9.1] or at any [tas-2018:15.4]; so
    is a Tie where places are shared for Player and Banker alone [tas-2018:6.4].
    """
    rule = terms.rules.wagers.box
    if rule is None or _is_free(wager.on, terms):
        return
    beside = [
        other
        for other in placed
        if other.owner != wager.owner
        and other.box == wager.box
        and (other.on == wager.on or not rule.per_option)
        and not _is_free(other.on, terms)
    ]
    others = {other.owner for other in beside}
    alike = {other.owner for other in beside if other.standing == wager.standing}
    most_alike = rule.players if rule.standing is None else rule.standing if wager.standing else 1
    if len(others) >= rule.players or len(alike) >= most_alike:
        kind = "standing" if wager.standing else "seated"
        raise Refused(Reason.BOX_FULL, rule.clause, box=wager.box, kind=kind)


def _is_free(on: Bet, terms: Terms) -> bool:
    """May any number of players wager on it at one place?"""
    rule = terms.rules.wagers.box
    common = on in PAIR_BETS and terms.notice.common_pairs_box
    return common or bool(rule and on in rule.unshared)


def limits_for(on: Bet, terms: Terms, individual: Limits | None = None) -> Limits:
    """Find the limits that hold for a wager: the player's own where they have been agreed.

    Agreed limits replace the posted ones only, so Tie and pairs keep limits of their own; the
    posted multiple still holds where none was agreed.
    """
    limits = terms.limits[on]
    if individual is None or limits is not terms.notice.limits:
        return limits
    rule = terms.rules.limits.individual
    if rule is not None and not rule.minimum:  # only the maximum is the player's own
        most = max(individual.max_cents, limits.max_cents)
        individual = replace(individual, min_cents=limits.min_cents, max_cents=most)
    if individual.multiple_cents is None and limits.multiple_cents is not None:
        return replace(individual, multiple_cents=limits.multiple_cents)
    return individual


def check_amount(
    wager: Wager, terms: Terms, individual: Limits | None = None, units: str = ""
) -> None:
    """Refuse an amount outside the limits, as a player's own device must; `units` is the clause
    on multiples where another than an ordinary table's holds.
    """
    limits = limits_for(wager.on, terms, individual)
    rules = terms.rules.limits
    shown = rules.pairs_shown if wager.on in PAIR_BETS else rules.shown
    if limits is not terms.limits[wager.on]:
        shown = rules.individual.clause if rules.individual else CONDITIONS
    facts = {
        "on": wager.on,
        "amount": money(wager.cents),
        "least": money(limits.min_cents),
        "most": money(limits.max_cents),
    }
    if wager.cents < limits.min_cents:
        raise Refused(Reason.BELOW_MINIMUM, shown, **facts)
    if wager.cents > limits.max_cents:
        raise Refused(Reason.ABOVE_MAXIMUM, shown, **facts)
    if clause := off_multiple(wager, terms, individual):
        multiple = money(limits.multiple_cents or 0)
        raise Refused(Reason.NOT_A_MULTIPLE, units or clause, **facts, multiple=multiple)
    check_payable(wager, terms)


def off_multiple(wager: Wager, terms: Terms, individual: Limits | None = None) -> str:
    """The clause by which an amount should have been in the posted multiples; empty: it is.

    From a device it is refused; what the dealer finds on the layout is taken as it lies, and
    flagged [tas-2018:7.1, act-2015:3.3].
    """
    multiple, rule = (
        limits_for(wager.on, terms, individual).multiple_cents,
        terms.rules.limits.multiples,
    )
    if not multiple or not wager.in_time_cents % multiple or wager.reduced:
        return ""
    return rule.clause if rule else CONDITIONS


def check_payable(wager: Wager, terms: Terms) -> None:
    """Refuse an amount that the chips of this table cannot make."""
    chip = terms.notice.chip_cents
    if wager.cents % chip:
        facts = {"on": wager.on, "amount": money(wager.cents), "multiple": money(chip)}
        raise Refused(Reason.NOT_A_MULTIPLE, CONDITIONS, **facts)


def check_individual(limits: Limits, terms: Terms) -> None:
    """Refuse limits that may not be agreed with one player [tas-2018:7.2, act-2015:3.2].

    Where a document is silent, as in Singapore, the conditions may allow any.
    """
    rule, posted = terms.rules.limits.individual, terms.notice.limits
    allowed = "Give a minimum above nothing and a maximum no lower than it."
    multiple = limits.multiple_cents
    fits = 1 <= limits.min_cents <= limits.max_cents and (multiple is None or multiple >= 1)
    if fits and rule is not None:
        if not rule.minimum and limits.min_cents != posted.min_cents:
            fits, allowed = False, f"Keep the posted minimum of {money(posted.min_cents)}."
        if rule.maximum == "higher" and limits.max_cents <= posted.max_cents:
            fits, allowed = False, f"Agree a maximum above {money(posted.max_cents)}."
    if not fits:
        raise Refused(
            Reason.INDIVIDUAL_LIMITS_NOT_ALLOWED,
            rule.clause if rule else CONDITIONS,
            least=money(limits.min_cents),
            most=money(limits.max_cents),
            allowed=allowed,
        )


class Taken(Brief, frozen=True):
    """A wager on the layout as the dealer takes it: what is at risk, and what goes back."""

    wager: Wager
    stake_cents: int
    """The part that wins or loses."""
    returned_cents: int = 0
    clauses: tuple[str, ...] = ()
    warn: bool = False
    """Whether to warn the owner that further wagers below the minimum will be returned."""


def take(
    wagers: Iterable[Wager],
    terms: Terms,
    warned: Collection[str] = (),
    individual: Mapping[str, Limits] | None = None,
) -> tuple[Taken, ...]:
    """Take each wager as it lies.

    Below the minimum it is settled once, its owner warned, and after that returned whatever
    the result; above the maximum only the maximum is settled [tas-2018:7.4-7.5,
    act-2015:3.4-3.5]. What came after betting closed is not honoured, and what was taken away
    then still wins or loses [tas-2018:6.3, act-2015:4.6, mbs-2017:5.6-5.7].

    >>> import puntobanco as pb
    >>> terms = pb.post(pb.sample_notice("tas-2018"))
    >>> (taken,) = pb.take([pb.parse_wager("3 b 75 late 25")], terms)
    >>> taken.stake_cents, taken.returned_cents
    (5000, 2500)
    """
    own = individual or {}
    return tuple(_take(wager, terms, warned, own.get(wager.owner)) for wager in wagers)


def _take(wager: Wager, terms: Terms, warned: Collection[str], own: Limits | None) -> Taken:
    assert 0 <= wager.late_cents <= wager.cents, "no more can be late than was laid down"
    limits = limits_for(wager.on, terms, own)
    stake = wager.in_time_cents
    if stake == wager.cents and limits.min_cents <= stake <= limits.max_cents:
        if wager.withdrawn:
            return Taken(wager, stake, 0, (terms.rules.wagers.close.withdrawn,))
        return Taken(wager, stake)
    rules, close = terms.rules.limits, terms.rules.wagers.close
    clauses = [close.late] * (wager.late_cents > 0) + [close.withdrawn] * wager.withdrawn
    warn = False
    if stake > limits.max_cents:
        stake = limits.max_cents
        clauses.append(rules.over_maximum)
    elif 0 < stake < limits.min_cents and not wager.reduced:
        clauses.append(rules.under_minimum)
        if rules.under_minimum_warning:
            clauses.append(rules.under_minimum_warning)
            warn = wager.owner not in warned
            stake = stake if warn else 0
    return Taken(wager, stake, wager.cents - stake, tuple(dict.fromkeys(clauses)), warn)


class Reduction(Brief, frozen=True):
    """A wager cut back before the first card; the difference goes back to its owner."""

    wager: Wager
    to_cents: int
    clause: str

    @property
    def after(self) -> Wager:
        return replace(self.wager, cents=self.to_cents + self.wager.late_cents, reduced=True)


def reduce_pro_rata(
    wagers: Iterable[Wager],
    on: Bet,
    terms: Terms,
    individual: Mapping[str, Limits] | None = None,
) -> tuple[Reduction, ...]:
    """Cut all wagers on a hand to the collective liability, each down to a payable chip.

    The liability is on a hand, so on Player or on Banker, over the stakes as they lie before
    the first card [tas-2018:7.3(b)]; what is above a wager's own maximum is no stake, and goes
    back anyhow [tas-2018:7.4]. Empty when nothing need be cut.
    """
    most, rule = terms.notice.collective_liability_cents, terms.rules.limits.pro_rata
    if most is None or rule is None or on not in (Bet.PLAYER, Bet.BANKER):
        return ()
    own = individual or {}
    laid = [
        (wager, min(wager.in_time_cents, limits_for(on, terms, own.get(wager.owner)).max_cents))
        for wager in wagers
        if wager.on == on
    ]
    total = sum(stake for _, stake in laid)
    if total <= most:
        return ()
    chip = terms.notice.chip_cents
    return tuple(
        Reduction(wager, stake * most // total // chip * chip, rule.clause) for wager, stake in laid
    )


def differential(wagers: Iterable[Wager]) -> int:
    """Subtract the total on Player from the total on Banker.

    The limit holds for the difference, whichever side is heavier [act-2015:d.table-differential].
    """
    signs = {Bet.BANKER: 1, Bet.PLAYER: -1}
    return sum(signs.get(wager.on, 0) * wager.in_time_cents for wager in wagers)


def reduce_differential(wagers: Sequence[Wager], terms: Terms) -> tuple[Reduction, ...]:
    """Cut the heavy side back to the limit: the wager placed last first, each to a payable chip.

    The document sets the maximum and no remedy; this is advice for the dealer to confirm
    [act-2015:3.6].
    """
    most, rule = terms.notice.table_differential_cents, terms.rules.limits.table_differential
    gap = differential(wagers)
    if most is None or rule is None or abs(gap) <= most:
        return ()
    heavy = Bet.BANKER if gap > 0 else Bet.PLAYER
    chip, over = terms.notice.chip_cents, abs(gap) - most
    cuts: list[Reduction] = []
    for wager in reversed([wager for wager in wagers if wager.on == heavy]):
        if over <= 0:
            break
        to = max(0, wager.in_time_cents - over) // chip * chip
        cuts.append(Reduction(wager, to, rule.clause))
        over -= wager.in_time_cents - to
    return tuple(cuts)
