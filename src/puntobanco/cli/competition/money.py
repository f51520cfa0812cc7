"""`puntobanco competition pool` and `refund`: the money of a competition, on paper."""

import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal

from cyclopts import Parameter
from msgspec import Struct

from puntobanco.cli import show
from puntobanco.cli.show import Flag, Json
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.conditions import MOST_ENTRIES, exact_percent
from puntobanco.rules.competition.money import (
    WHOLE,
    Pool,
    divided,
    kept_percent,
    pool_of,
    read_day,
    refund_deadline,
    refund_of,
)
from puntobanco.rules.documents.ruleset import Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.words import money
from puntobanco.words.conditions import CONDITION_FAULTS

DOLLARS = re.compile(r"\d{1,13}(\.\d{1,2})?")
Dollars = Annotated[str, Parameter(allow_leading_hyphen=True)]
"""An amount in dollars, such as 55.55."""


class PoolFigures(Struct):
    fees_cents: int
    retained_cents: int
    commission_cents: int
    pool_cents: int
    prizes_cents: tuple[int, ...]


def cents_of(dollars: str, option: str) -> int:
    """An amount written in dollars, in cents.

    >>> cents_of("55.55", "--fee")
    5555
    """
    if not (dollars.isascii() and DOLLARS.fullmatch(dollars)):
        raise MalformedError(f"{option} takes dollars, such as 55.55, not {dollars[:40]!r}")
    return int(Decimal(dollars) * 100)


def pool(
    *,
    ruleset: str,
    fee: Dollars,
    entries: int,
    commission: Dollars = "0",
    mode: Literal["inside", "beside"] = "inside",
    retained: Dollars = "0",
    added: Dollars = "0",
    percent: Dollars = "",
    json: Json = False,
) -> int:
    """Work out the prize pool, what is kept of the fees, and the prizes.

    Exit code 1 if the document does not allow it; the figures are printed all the same.

    Parameters
    ----------
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017.
    fee
        The entry fee in dollars.
    entries
        How many fees were paid and not refunded.
    commission
        The operator's commission in dollars, on each entry.
    mode
        Whether the commission is inside the fee or beside it.
    retained
        What the operator keeps of all fees, in percent.
    added
        What the operator adds to the pool, in dollars.
    percent
        The prizes in percent of the pool, first place first, such as 50,30,20.
    json
        Print JSON.
    """
    rules = load_ruleset(ruleset)
    if not 0 <= entries <= MOST_ENTRIES:
        raise MalformedError(f"--entries takes 0 to {MOST_ENTRIES}, not {entries}")
    shares = [exact_percent(each.strip()) for each in percent.split(",")] if percent else []
    kept = exact_percent(retained)
    fee_cents, commission_cents = cents_of(fee, "--fee"), cents_of(commission, "--commission")
    figures = pool_of(
        fee_cents,
        entries,
        retained=kept,
        commission_cents=commission_cents,
        mode=mode,
        added_cents=cents_of(added, "--added"),
    )
    prizes = divided(figures.pool_cents, shares) if _divides(figures, shares) else ()
    said = _not_allowed(
        rules, figures, kept_percent(fee_cents, kept, commission_cents, mode), sum(shares)
    )
    if json:
        answer = PoolFigures(
            figures.fees_cents,
            figures.retained_cents,
            figures.commission_cents,
            figures.pool_cents,
            prizes,
        )
        show.print_json(answer)
    else:
        _tell_pool(figures, prizes, mode)
    for line in said:
        print(f"puntobanco: {line}", file=sys.stderr)
    return 1 if said else 0


def _divides(figures: Pool, shares: list[Fraction]) -> bool:
    """Say whether there is a pool, and no more than all of it to be given."""
    return figures.pool_cents >= 0 and sum(shares) <= WHOLE


def _not_allowed(
    rules: Ruleset, figures: Pool, kept: Fraction, shares: Fraction | int
) -> list[str]:
    """What the document holds against it [tas-2018:16.2.1, act-2015:15.21]."""
    prizes, said = rules.competition.prizes, list[str]()
    most = prizes.retained_percent
    if most is not None and kept > most:
        words = CONDITION_FAULTS["retained-too-much"]
        wrong = words.wrong.format(kept=f"{float(kept):g}", most=most)
        said.append(f"{wrong} [{prizes.retained}]. {words.remedy}")
    if figures.pool_cents < 0:
        said.append(f"more is kept than there is [{prizes.commission}]. Keep less of the fees.")
    if shares and shares != WHOLE:
        words = CONDITION_FAULTS["percent-not-100"]
        wrong = words.wrong.format(total=f"{float(shares):g}")
        said.append(f"{wrong} [{prizes.divided}]. {words.remedy}")
    return said


def _tell_pool(figures: Pool, prizes: tuple[int, ...], mode: str) -> None:
    table = show.plain_table("", "dollars", right=(1,))
    table.add_row("Entry fees", money(figures.fees_cents))
    table.add_row("Retained by the operator", money(figures.retained_cents))
    table.add_row(f"Commission, {mode} the fee", money(figures.commission_cents))
    table.add_row("Prize pool", money(figures.pool_cents))
    for place, prize in enumerate(prizes, 1):
        table.add_row(f"Prize {place}", money(prize))
    show.console.print(table)


def refund(
    *,
    ruleset: str,
    fee: Dollars,
    start: str,
    withdrawn: str = "",
    cancelled: Flag = False,
    disqualified: Flag = False,
    json: Json = False,
) -> int:
    """Say what of an entry fee comes back, and by which clause.

    Parameters
    ----------
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017.
    fee
        What was paid, in dollars.
    start
        When the competition starts: a date, or a time with its offset.
    withdrawn
        When the player withdrew, if so.
    cancelled
        The competition does not proceed.
    disqualified
        The player was disqualified.
    json
        Print JSON.
    """
    rules = load_ruleset(ruleset)
    day = read_day(start)
    answer = refund_of(
        cents_of(fee, "--fee"),
        rules,
        deadline=refund_deadline((day,), rules),
        withdrawn=read_day(withdrawn, beside=start) if withdrawn else None,
        cancelled=cancelled,
        disqualified=disqualified,
    )
    if json:
        show.print_json(answer)
    else:
        show.console.print(f"Refund {money(answer.refund_cents)} [{answer.clause}]")
    return 0
