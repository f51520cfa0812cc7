"""Counts by denomination in a form: a field for each, and what was typed read back."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from puntobanco.cage.commands import Pile
from puntobanco.server.rendering import say

MOST = 10**6


class CountField(Struct, frozen=True):
    """One denomination to be counted."""

    name: str
    cents: int
    text: str
    problem: str = ""


def count_fields(
    what: str, denominations: Iterable[int], typed: Mapping[str, str]
) -> list[CountField]:
    """A field for each denomination, as it was typed and with what is wrong with it."""
    fields = []
    for cents in denominations:
        name = f"{what}.{cents}"
        text = typed.get(name, "").strip()
        problem = "" if _is_count(text) else say("count.wrong", text=text[:20])
        fields.append(CountField(name, cents, text, problem))
    return fields


def uncounted(*counts: list[CountField]) -> bool:
    """Was nothing typed? Who counted and found nothing wrote a 0 somewhere."""
    return not any(one.text for fields in counts for one in fields)


def _is_count(text: str) -> bool:
    plain = text.replace(",", "")
    return not plain or (plain.isdecimal() and len(plain) < 9 and int(plain) <= MOST)


def piles_of(fields: Iterable[CountField]) -> tuple[Pile, ...]:
    """What was counted; a denomination of which there are none is left out."""
    counted = [(one.cents, int(one.text.replace(",", "") or 0)) for one in fields]
    return tuple(Pile(cents, count) for cents, count in counted if count)
