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
    "WAITING", "Step", "Words", "explain", "money", "one_line", "waited_for",
]  # fmt: skip


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


def money(cents: int) -> str:
    """Write cents as people write money.

    >>> money(2500), money(1250), money(-5)
    ('25', '12.50', '-0.05')
    """
    sign, (whole, part) = "-" if cents < 0 else "", divmod(abs(cents), 100)
    return f"{sign}{whole}.{part:02}" if part else f"{sign}{whole}"
