"""What can be wrong with a competition's conditions, and what their numbers fail by, in words."""

from typing import NamedTuple


class FaultWords(NamedTuple):
    """A fault put to a person: what is wrong, and what to do."""

    wrong: str
    remedy: str


CONDITION_FAULTS: dict[str, FaultWords] = {
    "missing": FaultWords("{item} is not settled", "Give it before anyone enters."),
    "approval-missing": FaultWords(
        "these conditions have no approval", "Give the reference of the approval as approval."
    ),
    "cash-not-allowed": FaultWords(
        "chips worth money cannot be played for under this document",
        'Use chips = "competition".',
    ),
    "retained-too-much": FaultWords(
        "{kept} percent of the fees are kept, and {most} are the most",
        "Keep less, and count a commission too.",
    ),
    "commission-above-fee": FaultWords(
        "what is kept of a fee of {fee} is more than the fee", "Keep less of it."
    ),
    "list-and-percent": FaultWords(
        "prizes are given both as amounts and as percentages", "Give one of them."
    ),
    "percent-not-100": FaultWords("the percentages come to {total}, not 100", "Divide 100."),
    "min-above-max": FaultWords(
        "at least {least} and at most {most} entries do not fit", "Give a min no higher than max."
    ),
    "one-entry": FaultWords("a player enters once only", "Set re_entries = 0."),
    "late-entry": FaultWords(
        "entries are taken after the start, and nobody may come in then",
        'Set until = "start", or a moment before it.',
    ),
    "refund-days": FaultWords(
        "a fee cannot come back by {days} days before the start under this document",
        "{remedy}",
    ),
    "seats-too-many": FaultWords(
        "{seats} players do not fit a table: this document's have {allowed} seats",
        "Give fewer seats.",
    ),
    "least-above-seats": FaultWords(
        "at least {least} players at a table of {seats} do not fit", "Lower least."
    ),
    "same-name": FaultWords("two stages are called {name}", "Give each a name of its own."),
    "no-such-stage": FaultWords(
        "secondary winners come back into {name}, and no stage is called so",
        "Name one of: {allowed}.",
    ),
    "ends-by-one": FaultWords(
        "a session's length is given by {given}", "Give one of coups, shoes or minutes."
    ),
    "ends-by": FaultWords(
        "a session's length is given in {given}, which this document does not know",
        "Give it in {allowed}.",
    ),
    "secrets-not-provided": FaultWords(
        "this document has no secret wagers", "Leave them out, or set play.secret_wagers = true."
    ),
    "allotment-not-in-chips": FaultWords(
        "an allotment of {amount} cannot be made in chips of {chip}",
        "Give a multiple of chip_cents.",
    ),
    "allotment-below-minimum": FaultWords(
        "an allotment of {amount} is less than the minimum of {least}", "Give more."
    ),
    "first-start": FaultWords(
        "the first stage starts at {then}, and the competition at {start}",
        "Give the first stage the same start, or none.",
    ),
    "start-not-later": FaultWords(
        "it starts at {then}, and the stage before at {before}", "Give a later start."
    ),
    "raise-not-above": FaultWords(
        "the limits announced for the rise are not above those before",
        "Raise minimum or maximum, and lower neither.",
    ),
    "raise-without-tie": FaultWords(
        "the limits of Tie rise and the others do not", "Give raised, too, or leave both out."
    ),
    "raise-without-indicator": FaultWords(
        "nothing brings the rise about, for no indicator card goes in",
        'Say that an indicator card goes in (play.indicator = "yes"), or leave the rise out.',
    ),
    "pairs-not-played": FaultWords(
        "nobody may wager on pairs in a competition under this document", "Leave pairs out."
    ),
    "not-this-way": FaultWords(
        "{item} is {asked}, and the document has it {own}", "Leave it out of play."
    ),
    "apart-whom": FaultWords(
        "some are kept apart, and nobody is told who", "Say whom the list names, or leave it out."
    ),
    "apart-most": FaultWords(
        "it is not said how many are kept apart from one another at most",
        "Give 2 or more: every draw of several tables must have so many tables.",
    ),
    "notice": FaultWords("{wrong}", "{remedy}"),
}
"""By kind; every one carries its item and its clause besides."""

CONDITION_ADVICE = {
    "unit": "{stage}: a win on a unit of {unit} at {won} to {staked} is not payable in chips of "
    "{chip}, and is rounded {way}; a unit of which this is whole, such as {such}, avoids it",
    "allotment-not-in-units": "{stage}: the allotment is not a whole number of units of {unit}",
    "minimum-not-in-units": "{stage}: the minimum is not a whole number of units of {unit}",
    "secrets-by-conditions": "secret wagers are conditions, not rules: this document has none",
    "ways-by-conditions": "conditions, not rules: {ways}",
    "leftover": "a card left over is discarded, for the conditions do not say otherwise",
    "list-below-pool": "from {entries} entries on, the prize list is less than the pool of {pool} "
    "[{clause}]: the rest must be paid out, too",
    "list-above-pool": "with {entries} entries the pool of {pool} lacks {added} for the prize "
    "list, which the operator adds",
    "prevail": "approved conditions prevail over rules 1 to 14 only [{clause}]",
    "advance-in-final": "nobody advances from the last stage: advance and wild are not used there",
}

STRUCTURE_FAULTS = {
    "fewer-losers-than-secondary-winners": FaultWords(
        "fewer have failed to qualify than secondary winners come back", "Let fewer come back."
    ),
    "nobody-left": FaultWords(
        "nobody has come this far", "Let some advance from the stage before."
    ),
    "more-tables-than-there-are": FaultWords(
        "more tables are needed than there are", "Give more tables or seats, or take fewer entries."
    ),
    "too-few-at-a-table": FaultWords(
        "a table has fewer players than the least", "Lower least, or take more entries."
    ),
    "fewer-tables-than-kept-apart": FaultWords(
        "there are fewer tables than people who are to be kept apart",
        "Let fewer be in one group, or seat fewer at a table.",
    ),
    "final-does-not-fit-one-table": FaultWords(
        "the last stage does not fit one table", "Let fewer advance, or add a stage."
    ),
    "more-prizes-than-players": FaultWords(
        "there are more prizes than players in the last stage", "Let more advance, or cut the list."
    ),
    "no-number-advancing-for-so-many-tables": FaultWords(
        "no number is given for how many advance from so many tables",
        "Add this number of tables to advance.",
    ),
    "everyone-at-a-table-advances": FaultWords(
        "everyone at a table advances", "Let fewer advance from each table."
    ),
    "everyone-advances": FaultWords("everyone advances", "Let fewer advance, or fewer wild cards."),
}
"""In the order in which a stage is looked at."""
