"""Rule sets by the SHA-256 of their text: a table is played by the very text it was opened by.

A text is remembered under its own digest, so that a digest means the same text everywhere and at
all times. This program's own texts are always known.
"""

from puntobanco.errors import MalformedError
from puntobanco.rules.ruleset import RULESETS, Ruleset, read_ruleset, ruleset_text, sha256_of

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
