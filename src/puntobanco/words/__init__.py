"""What people read: one catalogue of every reason, event and step, ready for translation."""

import re
from collections.abc import Mapping
from typing import Protocol

from puntobanco.reasons import Reason
from puntobanco.words.commands import COMMANDS
from puntobanco.words.events import BETS, DOCUMENTS, EVENTS, FACTS
from puntobanco.words.refusals import REFUSALS, Words
from puntobanco.words.steps import LAST_SAYING, SAYINGS, STEPS, WAITING, Step, waited_for

__all__ = [
    "BETS", "COMMANDS", "DOCUMENTS", "EVENTS", "FACTS", "LAST_SAYING", "REFUSALS", "SAYINGS",
    "STEPS", "SYMBOLS", "WAITING", "Step", "Words", "explain", "money", "one_line", "waited_for",
]  # fmt: skip


SYMBOLS: dict[str, str] = {
    **dict.fromkeys(("AUD", "CAD", "HKD", "NZD", "SGD", "TWD", "USD"), "$"),
    **dict.fromkeys(("CNY", "JPY"), "¥"),
    "EUR": "€",
    "GBP": "£",
    "INR": "₹",
    "KRW": "₩",
    "PHP": "₱",
    "THB": "฿",
    "VND": "₫",
}
"""The sign before an amount, in a house that has only one currency; all others by their code."""


AMOUNT = re.compile(r"-?\d+(\.\d\d)?\Z")


class Refusal(Protocol):
    """What `Refused` carries; the words know it by its facts alone."""

    @property
    def reason(self) -> Reason: ...
    @property
    def clause(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, object]: ...


AMOUNTS = frozenset(
    (
        "amount",
        "cents",
        "chip",
        "has",
        "least",
        "most",
        "multiple",
        "owed",
        "part",
        "unit",
        "wanted",
    )
)
"""Facts of refusals that are amounts, as text; a count under the same name is a number."""


def explain(refused: Refusal, currency: str = "") -> Words:
    """Put a refusal into words: what happened, and what to do next."""
    words = REFUSALS[refused.reason]
    facts = {name: _in(currency, name, fact) for name, fact in refused.facts.items()}
    return Words(words.happened.format(**facts), words.remedy.format(**facts))


def _in(currency: str, name: str, fact: object) -> object:
    if not currency or name not in AMOUNTS or not isinstance(fact, str) or not AMOUNT.match(fact):
        return fact
    return money(int(fact.replace(".", "") if "." in fact else f"{fact}00"), currency)


def one_line(refused: Refusal) -> str:
    """Put a whole refusal on one line, with its clause."""
    happened, remedy = explain(refused)
    cited = f" [{refused.clause}]" if refused.clause else ""
    return f"{happened}{cited}. {remedy}"


def money(cents: int, currency: str = "") -> str:
    r"""Write cents as people write money.

    With a currency its sign or code stands before it, and thousands are apart.

    >>> money(250_000), money(1250), money(-5)
    ('2500', '12.50', '-0.05')
    >>> money(250_000, "AUD"), money(-1250, "EUR"), money(2500, "CHF")
    ('$2,500', '-€12.50', 'CHF\xa025')
    """
    sign, (whole, part) = "-" if cents < 0 else "", divmod(abs(cents), 100)
    before = SYMBOLS.get(currency, f"{currency}\N{NO-BREAK SPACE}") if currency else ""
    shown = f"{whole:,}" if currency else str(whole)
    return f"{sign}{before}{shown}.{part:02}" if part else f"{sign}{before}{shown}"
