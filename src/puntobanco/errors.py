"""The ways of saying no: the rules refuse, a text cannot be read, a store cannot be used."""

from puntobanco.reasons import Reason
from puntobanco.words import one_line

__all__ = ["DamagedError", "MalformedError", "Reason", "Refused", "UnusableError"]


class Refused(Exception):  # noqa: N818  the rules refuse; it is not an error
    """The reason for a refusal; `words/refusals.py` puts each into words, in this order.

    It prints as the sentence people read: what happened, the clause that says so, what to do.

    >>> import puntobanco as pb
    >>> refused = pb.Refused(pb.Reason.DECKS_NOT_ALLOWED, "act-2015:2.1", decks=6, allowed="8")
    >>> print(refused)
    6 decks are not allowed [act-2015:2.1]. Use 8 decks of 52.
    >>> refused
    Refused(Reason.DECKS_NOT_ALLOWED, 'act-2015:2.1', decks=6, allowed='8')
    """

    def __init__(self, reason: Reason, clause: str, **facts: object) -> None:
        super().__init__(reason, clause, facts)
        self.reason = reason
        self.clause = clause
        self.facts = facts

    def __str__(self) -> str:
        return one_line(self)

    def __repr__(self) -> str:
        facts = "".join(f", {name}={fact!r}" for name, fact in self.facts.items())
        return f"Refused(Reason.{self.reason.name}, {self.clause!r}{facts})"


class MalformedError(ValueError):
    """A text that cannot be read; the message says what is wrong and what is allowed.

    >>> import puntobanco as pb
    >>> pb.parse_cards("1c")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a card: '1c' (rank A23456789TJQK, then suit cdhs)
    """


class UnusableError(Exception):
    """A journal, key or server that cannot be used; the message says why and what to do.

    An export that is not sound is one, too:

    >>> from pathlib import Path
    >>> import puntobanco as pb
    >>> pb.verify_export(Path("docs/library.md"))
    Traceback (most recent call last):
    puntobanco.errors.DamagedError: this is not an export
    """


class DamagedError(UnusableError):
    """A store of this program that is there but cannot be read."""
