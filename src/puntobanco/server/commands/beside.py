"""Beside which field of a form a refusal is said: by its reason, else by the facts it names."""

from puntobanco.errors import Reason, Refused
from puntobanco.server.commands.forms import Field

R = Reason
BESIDE: dict[Reason, tuple[str, ...]] = {
    # the notice
    R.NO_SUCH_RULESET: ("ruleset",),
    R.SEATS_NOT_ALLOWED: ("seats",),
    R.LAYOUT_NOT_ALLOWED: ("layout",),
    R.DECKS_NOT_ALLOWED: ("decks",),
    R.DECKS_TOO_FEW_FOR_PAIRS: ("decks",),
    R.METHOD_NOT_OFFERED: ("method",),
    R.PAIRS_NOT_OFFERED: ("pairs",),
    R.PAIRS_REQUIRED: ("pairs",),
    R.PAIRS_LIMITS_MISSING: ("pairs_limits.min_cents",),
    R.PAIRS_LIMITS_UNUSED: ("pairs_limits.min_cents",),
    R.CHIP_DOES_NOT_FIT: ("chip_cents",),
    R.WIN_ROUNDS_TO_NOTHING: ("rounding",),
    R.LIABILITY_NOT_PROVIDED: ("collective_liability_cents",),
    R.DIFFERENTIAL_NOT_PROVIDED: ("table_differential_cents",),
    R.MARKER_TOO_SHALLOW: ("behind_marker", "behind"),
    R.MARKER_FIXED: ("behind_marker", "behind"),
    R.BURN_NOT_PROVIDED: ("burn",),
    R.BURN_WAY_MISSING: ("burn",),
    R.LEFTOVER_NOT_OPEN: ("leftover",),
    R.LEFTOVER_MISSING: ("leftover",),
    R.COMMON_BOX_NOT_PROVIDED: ("common_pairs_box",),
    R.INDIVIDUAL_LIMITS_NOT_ALLOWED: ("limits.min_cents",),
    R.EFFECTIVE_DATE_MISSING: ("effective",),
    R.BACKS_MISSING: ("backs",),
    R.NOTHING_CHANGES: ("limits.min_cents",),
    # the shoe
    R.SHOE_INCOMPLETE: ("missing", "surplus"),
    R.TOO_MANY_COPIES: ("card", "cards", "surplus", "exposed"),
    R.CUT_TOO_SHALLOW: ("depth",),
    R.INDICATOR_NOT_PROVIDED: ("indicator",),
    R.SET_RETIRED: ("set_id",),
    R.PRECHECKED_NOT_PROVIDED: ("prechecked_lot",),
    R.PLAYERS_CHECK_MISSING: ("player",),
    R.MACHINE_NOT_PROVIDED: ("machine",),
    R.MACHINE_NOT_APPROVED: ("machine",),
    R.CUT_NOT_OFFERED: ("seat",),
    R.CUT_IS_THE_PLAYERS: ("seat",),
    R.BURN_OTHERWISE: ("exposed",),
    R.BURN_MISCOUNT: ("face_down",),
    R.SHOE_GOES_ON: ("note",),
    R.DEALT_FACE_UP: ("card",),
    # wagers
    R.BET_NOT_OFFERED: ("on",),
    R.NO_SUCH_BOX: ("box", "seat"),
    R.BOX_FULL: ("box", "seat"),
    R.NOT_YOUR_BOX: ("box",),
    R.ONE_WAGER_PER_OPTION: ("on",),
    R.BELOW_MINIMUM: ("cents",),
    R.ABOVE_MAXIMUM: ("cents",),
    R.NOT_A_MULTIPLE: ("cents",),
    R.NO_SUCH_WAGER: ("on", "box"),
    R.SAY_WHOSE: ("person",),
    R.FREE_COUPS_USED: ("coups",),
    R.REQUEST_MISSING: ("asked_by",),
    R.NO_NOTICE: ("closing_ms",),
    # people
    R.NOT_ENROLLED: ("person",),
    R.NOT_A_PATRON: ("person",),
    R.EXCLUDED: ("person",),
    R.NOT_EXCLUDED: ("person",),
    R.NOT_AT_TABLE: ("person",),
    R.STILL_HAS_WAGERS: ("person",),
    R.STILL_HAS_CHIPS: ("person",),
    R.SEAT_TAKEN: ("seat",),
    R.SEAT_GIVEN_UP: ("person",),
    R.NOBODY_SEATED: ("box", "seat"),
    R.NOT_ABSTAINING: ("seat",),
    R.BANK_IS_THE_OPERATORS: ("person", "role"),
    R.ALREADY_SIGNED_ON: ("role",),
    R.ENROLLED_ALREADY: ("person",),
    R.DISABLED: ("person",),
    R.ENABLED_ALREADY: ("person",),
    R.SAME_PERSON: ("person",),
    R.LAST_MANAGER: ("person",),
    R.ROLE_NOT_GRANTED: ("role",),
    R.ROLE_HELD: ("role",),
    R.ROLE_NOT_HELD: ("role",),
    # money
    R.NOT_ENOUGH_CHIPS: ("cents",),
    R.NO_MORE_THAN_OWED: ("cents",),
    R.ACCOUNT_SHORT: ("cents",),
    R.NOT_IN_WHOLE_CHIPS: ("cents",),
    R.NOT_THERE_TO_TAKE: ("cents",),
    R.NOTHING_TO_CORRECT: ("cents",),
    R.MORE_THAN_THE_CUT: ("cents",),
    R.CHIPS_DO_NOT_FIT: ("cents",),
    R.PLAY_CHIPS_AMISS: ("play_cents",),
    R.COUNTED_TWICE: ("chips", "cash"),
    R.COUNT_NOT_THE_AMOUNT: ("chips",),
    R.NO_SUCH_CHIP: ("chips",),
    R.NO_ACCOUNT: ("person",),
    R.ACCOUNT_IS_OPEN: ("person",),
    R.NO_TRAY: ("table",),
    R.TRAY_IS_OPEN: ("tray_cents", "table"),
    R.NO_SUCH_SLIP: ("number",),
    # rulings and corrections
    R.NO_SUCH_COUP: ("coup",),
    R.NO_SUCH_PROPOSAL: ("proposal",),
    R.NO_SUCH_DISPUTE: ("dispute",),
    R.DISPUTE_DECIDED: ("dispute",),
    R.DISPUTE_UNDECIDED: ("dispute",),
    R.INCIDENT_UNKNOWN: ("kind",),
    R.NO_SUCH_CARD: ("position",),
    R.CARD_IS_NAMED: ("position",),
    R.NOTHING_TO_TAKE_BACK: ("what",),
    R.NO_WAGERS_OF_THEIRS: ("person",),
    R.NO_ERROR: ("position",),
    **dict.fromkeys(
        (R.EARLIER_COUP, R.SAID_WITH_THE_CARD, R.CARDS_SUFFICE, R.BURN_IS_DONE, R.NOT_FOUND_HERE),
        ("found",),
    ),
    # competitions
    R.NO_SUCH_STAGE: ("stage",),
    R.START_IS_PAST: ("start_ms",),
    R.CARD_SAYS_COUPS: ("coups",),
    R.NOT_LEVEL: ("people",),
    R.SUBSTITUTE_IS_IN: ("substitute",),
    R.VERDICT_WANTS_REASONS: ("reasons",),
    **dict.fromkeys((R.APART_TWICE, R.APART_TOO_MANY, R.APART_IMPOSSIBLE), ("groups",)),
    # settings
    R.NO_SUCH_CURRENCY: ("currency",),
    R.NO_SUCH_TIME_ZONE: ("zone",),
    R.FELT_TOO_LIGHT: ("felt",),
    R.NOT_A_PICTURE: ("png",),
    R.CHIPS_NOT_RISING: ("chips",),
    R.GUESTS_UNCLEAR: ("seats",),
    R.NO_SUCH_TABLE: ("table",),
    R.NO_SUCH_PRESET: ("name",),
    R.NAME_HIDDEN: ("name",),
    R.NAME_MIXED: ("name",),
}
"""The fields, by path or by name, of which the first that a form has is meant."""
LIMITS = {
    "Player and Banker": "limits.min_cents",
    "Tie": "tie_limits.min_cents",
    "pairs": "pairs_limits.min_cents",
    "collective liability": "collective_liability_cents",
    "the table differential": "table_differential_cents",
}
CROSSED = (R.LIMITS_CROSSED, R.MULTIPLE_MISSING)
NAMED = ("on", "box", "seat", "person", "coup", "card", "table", "role", "number")
"""Facts by which a refusal that stands for no field of its own still says which one it is about."""


def field_of(refused: Refused, fields: tuple[Field, ...]) -> str:
    """The path of the field a refusal is about; empty: the whole form."""
    for wanted in _wanted(refused):
        for field in fields:
            if field.path == wanted or field.path.endswith(f".{wanted}"):
                return field.path
    return ""


def _wanted(refused: Refused) -> tuple[str, ...]:
    """What the field may be called, the likeliest first."""
    facts, reason = refused.facts, refused.reason
    if reason in CROSSED:
        at = LIMITS.get(str(facts.get("what", "")), "")
        multiple = at.replace("min_cents", "multiple_cents")
        return (multiple if reason is R.MULTIPLE_MISSING else at, f"notice.{at}")
    named = (str(facts[key]) for key in ("field", "key") if key in facts)
    theirs = tuple(name for name in NAMED if name in facts)
    return (*BESIDE.get(reason, ()), *filter(None, named), *theirs)
