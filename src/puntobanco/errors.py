"""The two ways of saying no: the rules refuse, or the text cannot be read."""

from enum import StrEnum, auto


class Reason(StrEnum):
    """Why a thing was refused, in order of precedence. `words.py` says each one to people."""

    # the table notice against its rule set
    SEATS_NOT_ALLOWED = auto()
    LAYOUT_NOT_ALLOWED = auto()
    DECKS_NOT_ALLOWED = auto()
    DECKS_TOO_FEW_FOR_PAIRS = auto()
    METHOD_NOT_OFFERED = auto()
    PAIRS_NOT_OFFERED = auto()
    PAIRS_REQUIRED = auto()
    PAIRS_LIMITS_MISSING = auto()
    PAIRS_LIMITS_UNUSED = auto()
    LIMITS_CROSSED = auto()
    CHIP_DOES_NOT_FIT = auto()
    MULTIPLE_MISSING = auto()
    MULTIPLE_NOT_THE_MINIMUM = auto()
    LIABILITY_NOT_PROVIDED = auto()
    DIFFERENTIAL_NOT_PROVIDED = auto()
    MARKER_TOO_SHALLOW = auto()
    MARKER_FIXED = auto()
    BURN_NOT_PROVIDED = auto()
    BURN_WAY_MISSING = auto()
    LEFTOVER_NOT_OPEN = auto()
    COMMON_BOX_NOT_PROVIDED = auto()
    APPROVAL_MISSING = auto()
    INDIVIDUAL_LIMITS_NOT_ALLOWED = auto()
    # the shoe
    SHOE_INCOMPLETE = auto()
    TOO_MANY_COPIES = auto()
    CUT_TOO_SHALLOW = auto()
    INDICATOR_NOT_PROVIDED = auto()
    SHOE_ENDED = auto()
    TOO_FEW_CARDS = auto()
    # wagers
    BETS_CLOSED = auto()
    NON_BETTING_COUP = auto()
    BET_NOT_OFFERED = auto()
    NO_SUCH_BOX = auto()
    BOX_FULL = auto()
    ONE_WAGER_PER_OPTION = auto()
    BELOW_MINIMUM = auto()
    ABOVE_MAXIMUM = auto()
    NOT_A_MULTIPLE = auto()
    # irregularities
    CARDS_FACE_DOWN = auto()
    COUP_INCOMPLETE = auto()


class Refused(Exception):  # noqa: N818  the rules refuse; it is not an error
    """A thing the rules do not allow. Nothing was recorded."""

    def __init__(self, reason: Reason, clause: str, **facts: object) -> None:
        super().__init__(reason, clause, facts)
        self.reason = reason
        self.clause = clause
        self.facts = facts


class MalformedError(ValueError):
    """A text that cannot be read; the message says what is wrong and what is allowed."""
