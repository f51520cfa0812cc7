"""What to do next at a table, in words."""

from collections.abc import Iterable
from enum import StrEnum


class Step(StrEnum):
    """The next thing to be done at a table, which a dealer is always told."""

    OPEN_TABLE = "open-table"
    CHECK_AT_END = "check-at-end"
    SIGN_ON = "sign-on"
    CHECK_CARDS = "check-cards"
    SHUFFLE = "shuffle"
    OFFER_CUT = "offer-cut"
    STAFF_CUT = "staff-cut"
    LOAD_SHOE = "load-shoe"
    BURN = "burn"
    END_SHOE = "end-shoe"
    ALLOT = "allot"
    DRAW_FOR_COUPS = "draw-for-coups"
    OPEN_COUP = "open-coup"
    OPEN_WITHOUT_BETS = "open-without-bets"
    TAKE_BETS = "take-bets"
    CALL = "call"
    CLOSE_COUP = "close-coup"
    EXAMINE_FORM = "examine-form"
    TELL_FORMS = "tell-forms"
    DEAL_CARRIED = "deal-carried"
    CARD_FOR_PLAYER = "card-for-player"
    CARD_FOR_BANKER = "card-for-banker"
    PASS_CARDS = "pass-cards"  # noqa: S105  not a password
    TURN_CARDS = "turn-cards"
    DECLARE = "declare"
    RULE = "rule"
    APPROVE = "approve"
    CLEAR = "clear"
    SESSION_OVER = "session-over"


STEPS: dict[Step, str] = {
    Step.OPEN_TABLE: "Open the table",
    Step.CHECK_AT_END: "Check the cards at the end of play, card by card",
    Step.SIGN_ON: "Sign on: {role}",
    Step.CHECK_CARDS: "Check the cards and spread them in suits",
    Step.SHUFFLE: "Shuffle",
    Step.OFFER_CUT: "Offer the cut to seat {seat}",
    Step.STAFF_CUT: "Nobody at the table cuts: cut the cards",
    Step.LOAD_SHOE: "Place the marker and load the shoe",
    Step.BURN: "Burn {cards}",
    Step.END_SHOE: "The shoe is over: take the cards out",
    Step.ALLOT: "Allot every player the same chips",
    Step.DRAW_FOR_COUPS: "Draw the first card: it says how many coups are played off",
    Step.OPEN_COUP: "Place your bets, please",
    Step.OPEN_WITHOUT_BETS: "Announce that nobody bets on this coup, remove all wagers, open it",
    Step.TAKE_BETS: "Take bets, then deal",
    Step.CALL: "Take bets, then call: no more bets",
    Step.CLOSE_COUP: "No wager lies: wait for one, or close the coup undealt",
    Step.EXAMINE_FORM: "Examine the form of seat {seat}: accept it, or send it back",
    Step.TELL_FORMS: "The final's last coup, and all have handed in forms: announce them",
    Step.DEAL_CARRIED: "Deal the card carried over",
    Step.CARD_FOR_PLAYER: "Card for Player",
    Step.CARD_FOR_BANKER: "Card for Banker",
    Step.PASS_CARDS: "Pass {side}'s cards to {person}",
    Step.TURN_CARDS: "Turn {side}'s cards",
    Step.DECLARE: "No more cards: declare “{told}”",
    Step.RULE: "Rule on what was found: {found}",
    Step.APPROVE: "Approve the ruling, or turn it down: proposal {proposal}",
    Step.CLEAR: "Settle and clear the cards away",
    Step.SESSION_OVER: "The session is over: count the chips, and correct what was wrong",
}

WAITING: dict[Step, str] = {
    Step.OPEN_TABLE: "Waiting for {who} to open the table",
    Step.CHECK_AT_END: "Waiting for {who} to check the cards at the end of play",
    Step.SIGN_ON: "Waiting for {who} to sign on",
    Step.CHECK_CARDS: "Waiting for {who} to check the cards",
    Step.SHUFFLE: "Waiting for {who} to shuffle",
    Step.OFFER_CUT: "Waiting for seat {seat} to cut",
    Step.STAFF_CUT: "Waiting for {who} to cut",
    Step.LOAD_SHOE: "Waiting for {who} to load the shoe",
    Step.BURN: "Waiting for {who} to burn {cards}",
    Step.END_SHOE: "Waiting for {who} to take the cards out: the shoe is over",
    Step.ALLOT: "Waiting for {who} to allot the chips",
    Step.DRAW_FOR_COUPS: "Waiting for {who} to draw the card that says how many coups are played",
    Step.OPEN_COUP: "Waiting for {who} to call for bets",
    Step.OPEN_WITHOUT_BETS: "Waiting for {who} to open a coup that nobody bets on",
    Step.TAKE_BETS: "Bets are open: waiting for {who} to deal",
    Step.CALL: "Bets are open: waiting for {who} to call no more bets",
    Step.CLOSE_COUP: "Waiting for a wager, or for {who} to close the coup undealt",
    Step.EXAMINE_FORM: "Waiting for {who} to examine the form of seat {seat}",
    Step.TELL_FORMS: "Waiting for {who} to announce the secret wagers",
    Step.DEAL_CARRIED: "Waiting for {who} to deal the card carried over",
    Step.CARD_FOR_PLAYER: "Waiting for {who} to deal a card to Player",
    Step.CARD_FOR_BANKER: "Waiting for {who} to deal a card to Banker",
    Step.PASS_CARDS: "Waiting for {who} to pass {side}'s cards to {person}",
    Step.TURN_CARDS: "Waiting for {who} to turn {side}'s cards",
    Step.DECLARE: "Waiting for {who} to declare “{told}”",
    Step.RULE: "Waiting for {who} to rule: {found}",
    Step.APPROVE: "Waiting for {who} to approve the ruling: proposal {proposal}",
    Step.CLEAR: "Waiting for {who} to settle and clear the cards away",
    Step.SESSION_OVER: "Waiting for {who} to count the chips: the session is over",
}
"""The step in the words for everybody else: whom they wait for."""

WAITING_TO_BE_TOLD = "Face-down cards are asked for: {who} must be told first"
"""Of a request that nobody need answer for play to go on."""


def waited_for(roles: Iterable[str], *, other: bool = False) -> str:
    """Name the roles whose step it is, as part of a sentence.

    >>> waited_for(["dealer", "inspector"]), waited_for(["inspector"], other=True)
    ('the dealer or the inspector', 'another inspector')
    """
    return " or ".join(f"{'another' if other else 'the'} {role}" for role in roles)


SAYINGS: dict[Step, str] = {
    Step.OPEN_COUP: "Place your bets, please.",
    Step.OPEN_WITHOUT_BETS: "Nobody bets on this coup.",
    Step.CALL: "No more bets.",
    Step.CARD_FOR_PLAYER: "Player has {player}, Banker {banker}. A card for Player.",
    Step.CARD_FOR_BANKER: "Player has {player}, Banker {banker}. A card for Banker.",
    Step.DECLARE: "{result}.",
    Step.END_SHOE: "The shoe is over.",
}
"""The words that a dealer announces at a step."""
LAST_SAYING = {"yes": "This is the last hand.", "unless-tie": "The last hand, unless it is a tie."}

WITH_INDICATOR = ", with the indicator card"
"""What goes with the step of loading the shoe, where limits are to rise [tas-2018:16.5.1]."""
