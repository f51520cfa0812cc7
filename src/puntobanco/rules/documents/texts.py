"""Rule sets by the SHA-256 of their text: a table is played by the very text it was opened by.

A text is remembered under its own digest, so that a digest means the same text everywhere and at
all times. This program's own texts are always known.
"""

import hashlib
import tomllib
from functools import cache
from importlib import resources

import msgspec

from puntobanco.errors import MalformedError
from puntobanco.rules.documents.ruleset import RULESETS, Ruleset, TableOfPlay
from puntobanco.rules.drawing import Tableau

_texts: dict[str, str] = {}
_rulesets: dict[str, Ruleset] = {}


def remember(text: str) -> str:
    """Make a text known to this process, and return its digest."""
    digest = sha256_of(text)
    _texts[digest] = text
    return digest


def text_of(digest: str) -> str | None:
    """The text with this digest; None if this process does not know it.

    >>> text_of("0" * 64) is None
    True
    """
    if digest not in _texts:
        for name in RULESETS:
            remember(ruleset_text(name)[0])
    return _texts.get(digest)


def by_digest(digest: str) -> Ruleset | None:
    """The rule set with this digest; None if its text is unknown or cannot be read.

    >>> by_digest("0" * 64) is None
    True
    """
    rules = _rulesets.get(digest)
    if rules is None and (text := text_of(digest)) is not None:
        try:
            rules = _rulesets[digest] = read_ruleset(text)
        except MalformedError:
            return None
    return rules


def tableau_of(printed: TableOfPlay) -> Tableau:
    """Turn the printed table of play into the one that the fold reads."""
    return Tableau(
        frozenset(printed.naturals),
        frozenset(printed.player_draws),
        tuple(tuple(cell == "D" for cell in row) for row in printed.banker),
    )


@cache
def load_ruleset(name: str) -> Ruleset:
    """Load one of this program's own rule sets by its id.

    >>> import puntobanco as pb
    >>> pb.load_ruleset("act-2015").id in pb.RULESETS
    True
    >>> pb.load_ruleset("nsw-2020")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: no rule set 'nsw-2020'; choose tas-2018, tas-2013, ...
    """
    if name not in RULESETS:
        raise MalformedError(f"no rule set {name[:40]!r}; choose {', '.join(RULESETS)}")
    return read_ruleset(ruleset_text(name)[0])


@cache
def for_money() -> tuple[str, ...]:
    """The rule sets under which a house opens tables for money; the others are tournaments'.

    >>> for_money()
    ('tas-2018', 'tas-2013', 'act-2015')
    """
    return tuple(name for name in RULESETS if not load_ruleset(name).competition.only)


def read_ruleset(text: str) -> Ruleset:
    """Read a rule set from its text.

    >>> read_ruleset("id = 3")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a rule set: ...
    """
    try:
        values = tomllib.loads(text)
        printed = msgspec.convert(values.get("table_of_play"), TableOfPlay)
        values |= {"tableau": tableau_of(printed), "digest": sha256_of(text)}
        return msgspec.convert(values, Ruleset)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors too
        raise MalformedError(f"not a rule set: {error}") from error


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def ruleset_text(name: str) -> tuple[str, str]:
    """The text of a rule set as this program has it, and its digest."""
    text = _own_text(name)
    return text, sha256_of(text)


def _own_text(name: str) -> str:
    return resources.files(__package__).joinpath("rulesets", f"{name}.toml").read_bytes().decode()
