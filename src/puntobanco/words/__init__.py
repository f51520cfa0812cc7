"""What people read: one catalogue of every reason, event and step, ready for translation."""

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from puntobanco.reasons import Reason
from puntobanco.words.commands import COMMANDS, VALUES
from puntobanco.words.competition import COMPETITION_COMMANDS, COMPETITIONS
from puntobanco.words.events import BETS, DOCUMENTS, EVENTS, FACTS
from puntobanco.words.pages import PAGES
from puntobanco.words.refusals import ASKED, PHASES, REFUSALS, Words
from puntobanco.words.steps import LAST_SAYING, SAYINGS, STEPS, WAITING, Step, waited_for

__all__ = [
    "BETS",
    "COMMANDS",
    "DOCUMENTS",
    "EVENTS",
    "FACTS",
    "LAST_SAYING",
    "REFUSALS",
    "SAYINGS",
    "STEPS",
    "SUITS",
    "SYMBOLS",
    "WAITING",
    "Step",
    "Words",
    "capitalised",
    "clause_called",
    "explain",
    "money",
    "one_line",
    "step_facts",
    "told_card",
    "told_money",
    "told_result",
    "told_table",
    "waited_for",
]  # fmt: skip


SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
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
        "pool",
        "unit",
        "wanted",
    )
)
"""Facts of refusals that are amounts, as text; a count under the same name is a number."""


def capitalised(text: str) -> str:
    """A text as it stands at the beginning: what is refused is told within a sentence, too.

    >>> capitalised("betting on this coup is closed")
    'Betting on this coup is closed'
    """
    return f"{text[:1].upper()}{text[1:]}"


def explain(refused: Refusal, currency: str = "") -> Words:
    """Put a refusal into words: what happened, and what to do next."""
    words = REFUSALS[refused.reason]
    facts = {name: _told(currency, name, fact) for name, fact in refused.facts.items()}
    return Words(words.happened.format(**facts), words.remedy.format(**facts))


def _told(currency: str, name: str, fact: object) -> object:
    """A fact of a refusal as people say it."""
    text = str(fact)
    if name in AMOUNTS and isinstance(fact, str) and AMOUNT.match(text):
        return told_money(int(text.replace(".", "") if "." in text else f"{text}00"), currency)
    how = TOLD.get(name)
    return ", ".join(how(one) for one in text.split(", ")) if how else fact


def told_command(tag: str) -> str:
    title = COMMANDS.get(tag) or COMPETITION_COMMANDS.get(tag)
    return title.title if title else ASKED.get(tag, tag)


def _told_bet(tag: str) -> str:
    return BETS.get(tag, tag)


def told_table(table: str) -> str:
    """A table that was given no name of its own: by its number, or as its id was typed.

    >>> told_table("table-9"), told_table("table-cup-1"), told_table("salon")
    ('Table 9', 'Cup 1', 'salon')
    """
    typed = table.removeprefix("table-")
    if typed == table:
        return table
    if typed[:1].isdigit():
        return PAGES["called.table"].format(number=typed)
    return typed[:1].upper() + typed[1:].replace("-", " ")


def told_card(card: str) -> str:
    """A card as people write it.

    >>> told_card("Tc"), told_card("4h"), told_card("")
    ('10♣', '4♥', '')
    """
    return f"{card[0].replace('T', '10')}{SUITS[card[1]]}" if len(card) == 2 else card


def _told_phase(tag: str) -> str:
    """Where a table or a competition stands."""
    return PHASES.get(tag) or COMPETITIONS.get(f"phase-of-cup.{tag}", tag)


TOLD: dict[str, Callable[[str], str]] = {
    "command": told_command,
    **dict.fromkeys(("phase", "phases"), _told_phase),
    **dict.fromkeys(("on", "owed", "side", "allowed"), _told_bet),
    "found": lambda tag: FACTS.get(tag, tag),
    "what": lambda text: VALUES.get(f"what.{text}", text),
    "table": told_table,
    "card": told_card,
}
"""Facts of refusals that are tags on record."""


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


def name_order(name: str) -> tuple[str, int]:
    """What names are sorted by: in the order of the alphabet, but Table 9 before Table 10.

    >>> sorted(("table-10", "table-9", "salon", "table-1"), key=name_order)
    ['salon', 'table-1', 'table-9', 'table-10']
    """
    word = name.rstrip("0123456789")
    digits = name[len(word) :]
    return word, int(digits[-18:] or 0)


def told_money(cents: int, currency: str = "") -> str:
    """An amount in a sentence: thousands are apart, in a house without a currency too.

    >>> told_money(500_000), told_money(-1_234_550), told_money(500_000, "EUR")
    ('5,000', '−12,345.50', '€5,000')
    """
    sign = "−" if cents < 0 else ""  # a minus, which a hyphen is not
    whole, dot, part = money(abs(cents), currency).partition(".")
    apart = whole if currency else f"{int(whole):,}"
    return f"{sign}{apart}{dot}{part}"


LOCAL = (
    (re.compile(r"0\.(front|page)\Z"), "front page"),
    (re.compile(r"0\.toc\Z"), "contents"),
    (re.compile(r"d\.note\Z"), "definitions"),
    (re.compile(r"d\.(.+)"), "definition of {0}"),
    (re.compile(r"ni\.(\d)"), "instrument {0}"),
    (re.compile(r"(\d+)\(para(\d)\)"), "{0}, paragraph {1}"),
    (re.compile(r"([\d.]+?)[.(](?:lead|tail)\)?"), "{0}"),
    (re.compile(r"diagram-(\w)"), "diagram {0}"),
    (re.compile(r"([\d.]+\d)[-.]([a-z].*)"), "{0}, {1}"),
    (re.compile(r"([\d.]+)\(([a-z]{3,})\)"), "{0}, {1}"),
)
"""Places of a document that have no number, as people name them; all others are their number."""


def clause_called(clause: str, *, short: bool = False) -> str:
    """A clause as people cite it; in short where it is known of which document.

    >>> clause_called("tas-2018:7.6(b)"), clause_called("tas-2018:11(player)", short=True)
    ('Tasmania 2018, 7.6(b)', '11, player')
    >>> clause_called("act-2015:d.casino-operator"), clause_called("mbs-2017:0.front")
    ('Canberra 2015, definition of casino operator', 'Marina Bay Sands 2017, front page')
    """
    document, _, local = clause.rpartition(":")
    for form, words in LOCAL:
        if found := form.fullmatch(local):
            local = words.format(*(one.replace("-", " ") for one in found.groups()))
            break
    return local if short or not document else f"{DOCUMENTS.get(document, document)}, {local}"


def told_result(player: int, banker: int) -> str:
    """A result, told the one way.

    >>> told_result(5, 8), told_result(6, 6)
    ('Banker wins, 8 to 5', 'Tie, 6 to 6')
    """
    if player == banker:
        return PAGES["tied"].format(player=player, banker=banker)
    side = PAGES["player" if player > banker else "banker"]
    return PAGES["wins"].format(side=side, won=max(player, banker), lost=min(player, banker))


def step_facts(facts: Mapping[str, object], named: Callable[[str], str]) -> dict[str, object]:
    """The facts of a step as its sentence says them."""
    told = {name: _told_fact(name, fact, named) for name, fact in facts.items()}
    if "result" in facts:
        told["told"] = told_result(int(str(facts["player"])), int(str(facts["banker"])))
    return told


def _told_fact(name: str, fact: object, named: Callable[[str], str]) -> object:
    if name == "person":
        return named(str(fact))
    return VALUES.get(f"{name}.{fact}", fact)
