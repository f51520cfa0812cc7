"""What people read: one catalogue of every reason, event and step, ready for translation."""

from collections.abc import Mapping
from typing import Protocol

from puntobanco.reasons import Reason
from puntobanco.words.commands import COMMANDS
from puntobanco.words.events import BETS, EVENTS, FACTS
from puntobanco.words.refusals import REFUSALS, Words
from puntobanco.words.steps import LAST_SAYING, SAYINGS, STEPS, WAITING, Step, waited_for

__all__ = [
    "BETS", "COMMANDS", "EVENTS", "FACTS", "LAST_SAYING", "REFUSALS", "SAYINGS", "STEPS",
    "SYMBOLS", "WAITING", "Step", "Words", "explain", "money", "one_line", "waited_for",
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


class Refusal(Protocol):
    """What `Refused` carries; the words know it by its facts alone."""

    @property
    def reason(self) -> Reason: ...
    @property
    def clause(self) -> str: ...
    @property
    def facts(self) -> Mapping[str, object]: ...


def explain(refused: Refusal) -> Words:
    """Put a refusal into words: what happened, and what to do next."""
    words = REFUSALS[refused.reason]
    return Words(words.happened.format(**refused.facts), words.remedy.format(**refused.facts))


def one_line(refused: Refusal) -> str:
    """Put a whole refusal on one line, with its clause."""
    happened, remedy = explain(refused)
    cited = f" [{refused.clause}]" if refused.clause else ""
    return f"{happened}{cited}. {remedy}"


def money(cents: int, currency: str = "") -> str:
    r"""Write cents as people write money; with a currency, its sign or code stands before it.

    >>> money(2500), money(1250), money(-5)
    ('25', '12.50', '-0.05')
    >>> money(2500, "AUD"), money(-1250, "EUR"), money(2500, "CHF")
    ('$25', '-€12.50', 'CHF\xa025')
    """
    sign, (whole, part) = "-" if cents < 0 else "", divmod(abs(cents), 100)
    before = SYMBOLS.get(currency, f"{currency}\N{NO-BREAK SPACE}") if currency else ""
    return f"{sign}{before}{whole}.{part:02}" if part else f"{sign}{before}{whole}"
