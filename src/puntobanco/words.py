"""What people read. One catalogue, complete for every reason, ready for translation."""

from typing import NamedTuple

from puntobanco.errors import Reason, Refused


class Words(NamedTuple):
    """A refusal put to a person: what happened, and what to do next."""

    happened: str
    remedy: str


REFUSALS: dict[Reason, Words] = {
    Reason.SEATS_NOT_ALLOWED: Words(
        "a table with {seats} seats is not allowed", "Use one of: {allowed}."
    ),
    Reason.LAYOUT_NOT_ALLOWED: Words(
        "there is no layout '{layout}' under this rule set", "Use one of: {allowed}."
    ),
    Reason.DECKS_NOT_ALLOWED: Words("{decks} decks are not allowed", "Use {allowed} decks of 52."),
    Reason.DECKS_TOO_FEW_FOR_PAIRS: Words(
        "{decks} decks are too few where Perfect Pairs is offered",
        "Use at least {least} decks, or leave the pairs wager out.",
    ),
    Reason.METHOD_NOT_OFFERED: Words(
        "there is no settlement method '{method}' under this rule set", "Use one of: {allowed}."
    ),
    Reason.PAIRS_NOT_OFFERED: Words(
        "there is no pairs wager '{pairs}' under this rule set", "Use one of: {allowed}."
    ),
    Reason.PAIRS_REQUIRED: Words(
        "the notice offers no pairs wager, and every layout has areas for it",
        "Use one of: {allowed}.",
    ),
    Reason.PAIRS_LIMITS_MISSING: Words(
        "the notice offers pairs but shows no limits for them",
        "Add pairs_limits with a minimum and a maximum.",
    ),
    Reason.PAIRS_LIMITS_UNUSED: Words(
        "the notice shows limits for pairs but does not offer them",
        "Name the pairs wager, or remove pairs_limits.",
    ),
    Reason.LIMITS_CROSSED: Words(
        "the limits for {what} do not fit: minimum {least}, maximum {most}",
        "Give a minimum above nothing and a maximum no lower than it.",
    ),
    Reason.CHIP_DOES_NOT_FIT: Words(
        "a smallest chip of {chip} cents does not fit the limits",
        "Give chip_cents of 1 to {most}, the smallest minimum.",
    ),
    Reason.MULTIPLE_MISSING: Words(
        "the notice does not show the permitted multiples for {what}", "Add multiple_cents."
    ),
    Reason.MULTIPLE_NOT_THE_MINIMUM: Words(
        "the notice asks for multiples of {multiple} for {what}; only multiples of the minimum "
        "may be asked for",
        "Use {least}, or leave multiple_cents out.",
    ),
    Reason.LIABILITY_NOT_PROVIDED: Words(
        "this rule set knows no maximum collective liability",
        "Remove collective_liability_cents.",
    ),
    Reason.DIFFERENTIAL_NOT_PROVIDED: Words(
        "this rule set knows no table differential", "Remove table_differential_cents."
    ),
    Reason.MARKER_TOO_SHALLOW: Words(
        "{behind} cards behind the marker cannot be", "Leave at least {least}, and fewer than all."
    ),
    Reason.MARKER_FIXED: Words(
        "{behind} cards behind the marker are not allowed", "Leave exactly {exactly}."
    ),
    Reason.BURN_NOT_PROVIDED: Words("this rule set burns no cards", "Remove burn from the notice."),
    Reason.BURN_WAY_MISSING: Words(
        "the notice does not say how cards are burned", "Set burn to one of: {allowed}."
    ),
    Reason.LEFTOVER_NOT_OPEN: Words(
        "this rule set itself says what becomes of a card left over",
        "Remove leftover from the notice.",
    ),
    Reason.COMMON_BOX_NOT_PROVIDED: Words(
        "this rule set knows no common pairs box", "Remove common_pairs_box."
    ),
    Reason.APPROVAL_MISSING: Words(
        "the {what} has no approval on the notice", "Add the approval's reference as {key}."
    ),
    Reason.INDIVIDUAL_LIMITS_NOT_ALLOWED: Words(
        "these individual limits may not be agreed: {least} to {most}", "{allowed}"
    ),
    Reason.SHOE_INCOMPLETE: Words(
        "these are not {decks} complete decks: missing {missing}, too many {surplus}",
        "Replace the set and check again.",
    ),
    Reason.TOO_MANY_COPIES: Words(
        "{copies} copies of {card} cannot come from {decks} decks",
        "Check the cards; {decks} decks hold {decks} of each.",
    ),
    Reason.CUT_TOO_SHALLOW: Words(
        "a cut {depth} cards deep is too near an end of {cards} cards",
        "Cut between {least} and {most} cards deep.",
    ),
    Reason.INDICATOR_NOT_PROVIDED: Words(
        "this rule set knows no indicator card", "Leave the indicator card out."
    ),
    Reason.SHOE_ENDED: Words(
        "no further coup may be dealt from this shoe", "Shuffle and start a new shoe."
    ),
    Reason.TOO_FEW_CARDS: Words(
        "{left} cards are left, too few to start a coup", "Shuffle and start a new shoe."
    ),
    Reason.BETS_CLOSED: Words(
        "betting on this coup is closed", "Wait for the next coup, or return the late part."
    ),
    Reason.NON_BETTING_COUP: Words(
        "this is a non-betting coup", "Remove all wagers before it is dealt."
    ),
    Reason.BET_NOT_OFFERED: Words(
        "a wager on {on} is not offered at this table", "Offered here: {allowed}."
    ),
    Reason.NO_SUCH_BOX: Words(
        "there is no box {box} at this table", "Boxes run from 1 to {seats}."
    ),
    Reason.BOX_FULL: Words(
        "there is no place for another {kind} player at box {box}",
        "Choose another box, or wait for a place.",
    ),
    Reason.ONE_WAGER_PER_OPTION: Words(
        "this player has a wager on {on} already", "Make it one wager; limits hold for the whole."
    ),
    Reason.BELOW_MINIMUM: Words(
        "{amount} on {on} is below the minimum of {least}", "Wager {least} to {most}."
    ),
    Reason.ABOVE_MAXIMUM: Words(
        "{amount} on {on} is above the maximum of {most}", "Wager {least} to {most}."
    ),
    Reason.NOT_A_MULTIPLE: Words(
        "{amount} on {on} is not a multiple of {multiple}", "Wager in steps of {multiple}."
    ),
    Reason.CARDS_FACE_DOWN: Words(
        "cards of this coup are still face down", "Turn them first; the ruling depends on them."
    ),
    Reason.COUP_INCOMPLETE: Words(
        "the coup is not finished: {owed} is owed a card", "Deal the card, then settle."
    ),
}


def explain(refused: Refused) -> Words:
    """Put a refusal into words: what happened, and what to do next."""
    words = REFUSALS[refused.reason]
    return Words(words.happened.format(**refused.facts), words.remedy.format(**refused.facts))


def one_line(refused: Refused) -> str:
    """The whole refusal on one line, with the clause that says so."""
    happened, remedy = explain(refused)
    cited = f" [{refused.clause}]" if refused.clause else ""
    return f"{happened}{cited}. {remedy}"


def money(cents: int) -> str:
    """Cents as people write them.

    >>> money(2500), money(1250), money(-5)
    ('25', '12.50', '-0.05')
    """
    sign, (whole, part) = "-" if cents < 0 else "", divmod(abs(cents), 100)
    return f"{sign}{whole}.{part:02}" if part else f"{sign}{whole}"
