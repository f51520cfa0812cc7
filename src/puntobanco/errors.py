"""The ways of saying no: the rules refuse, a text cannot be read, a store cannot be used."""

from enum import StrEnum, auto


class Reason(StrEnum):
    """Why a thing was refused; `words/refusals.py` says each one to people, in this order."""

    # the table notice against its rule set
    NO_SUCH_RULESET = auto()
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
    # who may, and when
    NOT_YOUR_ROLE = auto()
    NOT_ON_DUTY = auto()
    NOT_YOURSELF = auto()
    SAME_PERSON = auto()
    NO_SUCH_PROPOSAL = auto()
    WRONG_MOMENT = auto()
    # opening, closing and duty
    EFFECTIVE_DATE_MISSING = auto()
    BACKS_MISSING = auto()
    CHIPS_NOT_ALLOWED = auto()
    CLOSING_CHECK_DUE = auto()
    NO_NOTICE = auto()
    CLOSING_NOTICE_MISSING = auto()
    STAFF_MISSING = auto()
    ALREADY_SIGNED_ON = auto()
    NOT_SIGNED_ON = auto()
    # patrons
    BANK_IS_THE_OPERATORS = auto()
    EXCLUDED = auto()
    SEAT_TAKEN = auto()
    NOBODY_SEATED = auto()
    NOT_AT_TABLE = auto()
    STILL_HAS_WAGERS = auto()
    STILL_HAS_CHIPS = auto()
    NOT_ENOUGH_CHIPS = auto()
    NOT_EXCLUDED = auto()
    NOT_ABSTAINING = auto()
    # the shoe at the table
    SET_RETIRED = auto()
    PRECHECKED_NOT_PROVIDED = auto()
    PLAYERS_CHECK_MISSING = auto()
    CARDS_NOT_CHECKED = auto()
    SHOE_OUT_OF_STEP = auto()
    MACHINE_NOT_PROVIDED = auto()
    MACHINE_NOT_APPROVED = auto()
    CUT_NOT_OFFERED = auto()
    CUT_IS_THE_PLAYERS = auto()
    NOTHING_TO_BURN = auto()
    BURN_OTHERWISE = auto()
    BURN_MISCOUNT = auto()
    BURN_DUE = auto()
    CARD_CHANGE_NOT_PROVIDED = auto()
    SHOE_GOES_ON = auto()
    NO_CHECK_DUE = auto()
    NOTHING_TO_OPEN = auto()
    SHOE_EMPTY = auto()
    MARKER_IS_OUT = auto()
    NO_INDICATOR = auto()
    # betting at the table
    BETTING_NOT_OPEN = auto()
    BETS_HELD = auto()
    NOT_YOUR_BOX = auto()
    NO_SUCH_WAGER = auto()
    NOTHING_TO_REDUCE = auto()
    ALREADY_CALLED = auto()
    CALL_MISSING = auto()
    NO_WAGERS = auto()
    FREE_COUPS_NOT_PROVIDED = auto()
    FREE_COUPS_USED = auto()
    REQUEST_MISSING = auto()
    NO_BET_NOT_PROVIDED = auto()
    NOT_ALL_AGREE = auto()
    TOO_MANY_IN_A_ROW = auto()
    NOTHING_CHANGES = auto()
    CHANGE_FIXED = auto()
    NO_CHANGE_POSTED = auto()
    CHANGE_TOO_EARLY = auto()
    # dealing
    NOT_INFORMED = auto()
    DEALT_FACE_UP = auto()
    CARRIED_FIRST = auto()
    NOTHING_CARRIED = auto()
    NOTHING_OWED = auto()
    NO_SUCH_CARD = auto()
    CARD_IS_NAMED = auto()
    NOTHING_FACE_DOWN = auto()
    HOLDER_BY_RULE = auto()
    NOT_THE_HOLDER = auto()
    ONE_SET_AT_A_TIME = auto()
    DEALER_TURNS = auto()
    # rulings and corrections
    EARLIER_COUP = auto()
    SAID_WITH_THE_CARD = auto()
    NO_ERROR = auto()
    NOTHING_TO_CORRECT = auto()
    NOTICED_IN_TIME = auto()
    RULING_NEEDED = auto()
    NOTHING_TO_RULE_ON = auto()
    NO_SUCH_COUP = auto()
    COUP_IS_VOID = auto()
    NO_WAGERS_OF_THEIRS = auto()
    NO_SUCH_DISPUTE = auto()
    DISPUTE_DECIDED = auto()
    DISPUTE_UNDECIDED = auto()
    INCIDENT_UNKNOWN = auto()
    # the cage
    NO_ACCOUNT = auto()
    ACCOUNT_IS_OPEN = auto()
    ACCOUNT_SHORT = auto()
    NO_TRAY = auto()
    TRAY_IS_OPEN = auto()
    NO_SUCH_SLIP = auto()
    # what a competition adds
    NOT_A_COMPETITION = auto()
    NOT_ALLOTTED = auto()
    NOBODY_TO_ALLOT_TO = auto()
    CHIPS_ARE_ALLOTTED = auto()
    OWN_POSITION_ONLY = auto()
    SEATS_ARE_THE_DIRECTORS = auto()
    SAME_LIMITS_FOR_ALL = auto()
    ELIMINATED = auto()
    BOTH_SIDES = auto()
    MINIMUM_ONLY = auto()
    WAGER_FIXED = auto()
    MUST_WAGER = auto()
    NOT_THEIR_TURN = auto()
    ALL_HAVE_BET = auto()
    NO_TIME_SET = auto()
    TIME_NOT_OVER = auto()
    LIMITS_NOT_ANNOUNCED = auto()


class Refused(Exception):  # noqa: N818  the rules refuse; it is not an error
    """A thing the rules do not allow. Nothing was recorded."""

    def __init__(self, reason: Reason, clause: str, **facts: object) -> None:
        super().__init__(reason, clause, facts)
        self.reason = reason
        self.clause = clause
        self.facts = facts


class MalformedError(ValueError):
    """A text that cannot be read; the message says what is wrong and what is allowed."""


class UnusableError(Exception):
    """A journal, key or server that cannot be used; the message says why and what to do."""
