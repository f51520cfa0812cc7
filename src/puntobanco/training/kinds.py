"""The kinds of scene, as data: what goes wrong, who then says what, and what is asked about it."""

import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from puntobanco.rules.irregularities import Found


class Question(StrEnum):
    """What a trainee may be asked."""

    ALLOWED = "allowed"
    OWED = "owed"
    COUP = "coup"
    RESULT = "result"
    LEFT_OVER = "left-over"
    WAGER = "wager"
    NEXT = "next"
    CARDS = "cards"
    WHO = "who"


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of mistake; `words/training.py` tells it to people."""

    name: str
    before: tuple[str, ...]
    """What happens up to the mistake, in the notation of a session."""
    then: tuple[str, ...]
    """What is then said or done; the table's answer to it is the right one."""
    asks: tuple[Question, ...]
    found: Found | None = None
    """The finding it is about, if it is one."""
    whose: str = "ann"
    """Whose wager is asked about."""
    in_order: bool = True
    """Does anybody know in which order the cards came?"""
    burned: bool = True
    """Were cards burned, where this document burns any?"""


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind of scene; each is dealt under every rule set."""
    text = resources.files(__package__).joinpath("kinds.toml").read_text("utf-8")
    return tuple(msgspec.convert(tomllib.loads(text)["scene"], list[Kind]))
