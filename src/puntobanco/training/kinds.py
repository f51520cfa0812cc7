"""The kinds of scene, as data: what goes wrong, what is said about it, and what is asked."""

import tomllib
from enum import StrEnum
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from puntobanco.rules.irregularities import Found


class Question(StrEnum):
    """The questions that a trainee may be asked about a scene."""

    ALLOWED = "allowed"
    OWED = "owed"
    COUP = "coup"
    RESULT = "result"
    LEFT_OVER = "left-over"
    WAGER = "wager"
    NEXT = "next"
    CARDS = "cards"
    WHO = "who"


class Topic(StrEnum):
    """What a set of scenes is about, in the order of the course."""

    TABLE = "table"
    WAGERS = "wagers"
    PLACEMENT = "placement"
    NUMBER = "number"
    FACE_UP = "face-up"
    SHOE = "shoe"
    PUT_RIGHT = "put-right"
    COMPETITION = "competition"


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of mistake; `words/training.py` tells it to people."""

    name: str
    before: tuple[str, ...]
    """The lines of a session up to the mistake."""
    then: tuple[str, ...]
    """The lines after the mistake; the table's answer to them is the right one."""
    asks: tuple[Question, ...]
    topic: Topic = Topic.TABLE
    found: Found | None = None
    """The irregularity that the scene is about, if it is about one."""
    whose: str = "ann"
    """The patron whose wager is asked about."""
    in_order: bool = True
    """Whether the order in which the cards came is known."""
    burned: bool = True
    """Whether cards were burned, where the document burns any."""
    title: str = ""
    """Of a scene that a trainer of the house wrote; others have theirs in the catalogue."""
    story: str = ""
    """What a trainer says has happened."""


def of_topic(topic: Topic) -> tuple[Kind, ...]:
    """The kinds of scene of one set."""
    return tuple(kind for kind in kinds() if kind.topic is topic)


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind of scene; each is dealt under every rule set."""
    text = resources.files(__package__).joinpath("kinds.toml").read_text("utf-8")
    return tuple(msgspec.convert(tomllib.loads(text)["scene"], list[Kind]))
