"""What to do next at a table, in words."""

from enum import StrEnum


class Step(StrEnum):
    """The next thing to be done at a table; what a dealer is always told."""

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
    OPEN_COUP = "open-coup"
    OPEN_WITHOUT_BETS = "open-without-bets"
    TAKE_BETS = "take-bets"
    CALL = "call"
    DEAL_CARRIED = "deal-carried"
    CARD_FOR_PLAYER = "card-for-player"
    CARD_FOR_BANKER = "card-for-banker"
    PASS_CARDS = "pass-cards"  # noqa: S105  not a password
    TURN_CARDS = "turn-cards"
    DECLARE = "declare"
    RULE = "rule"
    CLEAR = "clear"


STEPS: dict[Step, str] = {
    Step.OPEN_TABLE: "Open the table",
    Step.CHECK_AT_END: "Check the cards at the end of play, card by card",
    Step.SIGN_ON: "Sign on: {role}",
    Step.CHECK_CARDS: "Check the cards and spread them in suits",
    Step.SHUFFLE: "Shuffle",
    Step.OFFER_CUT: "Offer the cut to seat {seat}",
    Step.STAFF_CUT: "Nobody at the table cuts: {role} cuts",
    Step.LOAD_SHOE: "Place the marker and load the shoe",
    Step.BURN: "Burn {cards} cards",
    Step.END_SHOE: "The shoe is over: take the cards out",
    Step.ALLOT: "Allot every player the same chips",
    Step.OPEN_COUP: "Place your bets, please",
    Step.OPEN_WITHOUT_BETS: "Announce that nobody bets on this coup, remove all wagers, open it",
    Step.TAKE_BETS: "Take bets, then deal",
    Step.CALL: "Take bets, then call: no more bets",
    Step.DEAL_CARRIED: "Deal the card carried over",
    Step.CARD_FOR_PLAYER: "Card for Player",
    Step.CARD_FOR_BANKER: "Card for Banker",
    Step.PASS_CARDS: "Pass {side}'s cards to {person}",
    Step.TURN_CARDS: "Turn {side}'s cards",
    Step.DECLARE: "No more cards: declare {result}, {player} to {banker}",
    Step.RULE: "Wait for a ruling: {found}",
    Step.CLEAR: "Settle and clear the cards away",
}

SAYINGS: dict[Step, str] = {
    Step.OPEN_COUP: "Place your bets, please.",
    Step.OPEN_WITHOUT_BETS: "Nobody bets on this coup.",
    Step.CALL: "No more bets.",
    Step.CARD_FOR_PLAYER: "Player has {player}, Banker {banker}. A card for Player.",
    Step.CARD_FOR_BANKER: "Player has {player}, Banker {banker}. A card for Banker.",
    Step.DECLARE: "{result}. Player {player}, Banker {banker}.",
    Step.END_SHOE: "The shoe is over.",
}
"""What a dealer announces at a step; with points in it, once there are points."""
LAST_SAYING = {"yes": "This is the last hand.", "unless-tie": "The last hand, unless it is a tie."}
