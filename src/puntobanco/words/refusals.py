"""Every reason for a refusal, in words."""

from typing import NamedTuple

from puntobanco.reasons import Reason


class Words(NamedTuple):
    """A refusal put to a person: what happened, and what to do next."""

    happened: str
    remedy: str


ASKED: dict[str, str] = {
    "access": "Who may do what",
    "back office": "The back office",
    "cage": "The cage",
    "console": "What staff see of a table",
    "data": "What the house has of somebody",
    "devices": "Devices",
    "draw": "The draw",
    "entries": "The entries",
    "erase": "Erasing what is personal",
    "erase-photo": "Erasing a photo",
    "events": "Significant events",
    "export": "The record of a table as a file",
    "floor": "The floor",
    "games": "Looking back",
    "ledger": "A patron's ledger",
    "password": "A password for another",
    "people": "The list of people",
    "player-games": "The games of a player",
    "play": "A token to play with",
    "register": "The register",
    "reports": "Reports",
    "results": "What the director sees of the results",
    "rulings": "The rulings",
    "running": "How the house runs",
    "second-factor": "Taking a second factor away",
    "settings": "The settings",
    "slip": "A slip with a PIN",
    "test-generator": "Testing the generator",
    "together": "Who plays with whom",
    "training scenes": "Writing training scenes",
    "unlock": "Letting somebody sign in again",
    "verification": "Verification",
}
"""What can be refused besides commands, as a refusal names it."""
PHASES: dict[str, str] = {
    "preparing": "making ready",
    "ready": "between coups",
    "betting": "taking bets",
    "held": "stopped",
    "settled": "paying",
    "over": "over",
}
"""Where a table stands, as a sentence says it; the others are words already."""

REFUSALS: dict[Reason, Words] = {
    Reason.NO_SUCH_RULESET: Words("there is no rule set '{ruleset}'", "Use one of: {allowed}."),
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
        "Give the pairs a minimum and a maximum.",
    ),
    Reason.PAIRS_LIMITS_UNUSED: Words(
        "the notice shows limits for pairs but does not offer them",
        "Name the pairs wager, or take its limits out.",
    ),
    Reason.LIMITS_CROSSED: Words(
        "the limits for {what} do not fit: minimum {least}, maximum {most}",
        "Give a minimum above nothing and a maximum no lower than it.",
    ),
    Reason.CHIP_DOES_NOT_FIT: Words(
        "a smallest chip of {chip} does not fit the limits",
        "Use a chip of at most {most}, the smallest minimum.",
    ),
    Reason.WIN_ROUNDS_TO_NOTHING: Words(
        "a winning wager of {amount} on {on} at {won} to {staked} would be paid nothing, for the "
        "smallest chip is {chip} and payouts are rounded down",
        "Round up, use a smaller chip, or raise the minimum.",
    ),
    Reason.MULTIPLE_MISSING: Words(
        "the notice does not show the permitted multiples for {what}",
        "Say in which multiples wagers go.",
    ),
    Reason.LIABILITY_NOT_PROVIDED: Words(
        "this rule set knows no maximum collective liability",
        "Leave the collective liability out.",
    ),
    Reason.DIFFERENTIAL_NOT_PROVIDED: Words(
        "this rule set knows no table differential", "Leave the table differential out."
    ),
    Reason.MARKER_TOO_SHALLOW: Words(
        "{behind} cards behind the marker cannot be", "Leave at least {least}, and fewer than all."
    ),
    Reason.MARKER_FIXED: Words(
        "{behind} cards behind the marker are not allowed", "Leave exactly {exactly}."
    ),
    Reason.BURN_NOT_PROVIDED: Words(
        "this rule set burns no cards", "Leave the burn out of the notice."
    ),
    Reason.BURN_WAY_MISSING: Words(
        "the notice does not say how cards are burned", "Choose how they are burned: {allowed}."
    ),
    Reason.LEFTOVER_NOT_OPEN: Words(
        "this rule set itself says what becomes of a card left over",
        "Leave it out of the notice.",
    ),
    Reason.LEFTOVER_MISSING: Words(
        "the conditions do not say what becomes of a card left over",
        "Choose what becomes of it: {allowed}.",
    ),
    Reason.COMMON_BOX_NOT_PROVIDED: Words(
        "this rule set knows no common pairs box", "Give every seat a pairs box of its own."
    ),
    Reason.APPROVAL_MISSING: Words(
        "the {what} has no approval on the notice",
        "Write down the approval's reference.",
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
        "the coup is not finished: {owed} is owed a card",
        "Deal the card, then settle; if none can be dealt, two people declare the coup void.",
    ),
    Reason.NOT_YOUR_ROLE: Words(
        "“{command}” is not for your role",
        "It is for: {allowed}.",
    ),
    Reason.NOT_ON_DUTY: Words(
        "“{command}” needs someone on duty at this table",
        "Sign on here as {roles} first.",
    ),
    Reason.NOT_YOURSELF: Words(
        "only {person} or the staff can do this for {person}",
        "Act for yourself, or ask the dealer.",
    ),
    Reason.SAME_PERSON: Words(
        "{person} has spoken already, and two people are needed",
        "Let another person do it; two roles of one person are one person.",
    ),
    Reason.NOT_A_SECOND: Words(
        "{person} and {first} count as one here: one of them, or both by the same person, was"
        " enrolled a short time ago",
        "Let somebody else decide it who was there before; the house's settings say for how many"
        " days a newcomer does not count.",
    ),
    Reason.NO_SUCH_PROPOSAL: Words(
        "nothing numbered {number} waits for approval",
        "Look at the list of proposals.",
    ),
    Reason.ALREADY_PROPOSED: Words(
        "the same has been proposed already, as number {number}",
        "It waits for a second person; whoever proposed it can take it back.",
    ),
    Reason.WRONG_MOMENT: Words(
        "“{command}” cannot be done while the table is {phase}",
        "It can be done when the table is: {phases}.",
    ),
    Reason.NOT_CALLED_FOR: Words(
        "nothing calls for “{command}” now",
        "Do it when there is something that it answers or is about.",
    ),
    Reason.EFFECTIVE_DATE_MISSING: Words(
        "the document does not say from which date it is in force",
        "Say since when it is in force.",
    ),
    Reason.BACKS_MISSING: Words(
        "the design of the backs of the cards is not on record",
        "Say what the backs look like.",
    ),
    Reason.CHIPS_NOT_ALLOWED: Words(
        "a competition under this rule set is not played with chips worth money",
        "Use chips of its own.",
    ),
    Reason.CLOSING_CHECK_DUE: Words(
        "the cards last played with have not been checked at the end",
        "Check the cards at the end first.",
    ),
    Reason.NO_NOTICE: Words(
        "a closing at once is no notice to the players",
        "Give a later time.",
    ),
    Reason.CLOSING_NOTICE_MISSING: Words(
        "the players have had no notice of the closing, or its time has not come",
        "Give notice of closing, then close from that time on.",
    ),
    Reason.STAFF_MISSING: Words(
        "no {role} is signed on at this table",
        "Let one sign on, then begin the coup.",
    ),
    Reason.ALREADY_SIGNED_ON: Words(
        "{person} is signed on here already",
        "Sign off first; one person has one duty at a table.",
    ),
    Reason.NOT_SIGNED_ON: Words(
        "{person} is not signed on here",
        "Nothing needs doing.",
    ),
    Reason.BANK_IS_THE_OPERATORS: Words(
        "{person} cannot be on the side of the bank and play at this table",
        "Leave the game and cash out first, or let another person take the duty.",
    ),
    Reason.EXCLUDED: Words(
        "{person} is excluded from this game",
        "Only management can readmit them.",
    ),
    Reason.SEAT_TAKEN: Words(
        "seat {seat} is taken",
        "Choose another seat.",
    ),
    Reason.NOBODY_SEATED: Words(
        "nobody is seated at box {box} to stand with",
        "Take the seat, or stand at a box where someone sits.",
    ),
    Reason.NOT_AT_TABLE: Words(
        "{person} is not at this table",
        "Let them sit down or stand at a box first.",
    ),
    Reason.STILL_HAS_WAGERS: Words(
        "{person} has wagers on the layout",
        "Withdraw them in time, or wait until the coup is settled.",
    ),
    Reason.STILL_HAS_CHIPS: Words(
        "{person} still holds chips",
        "Cash them out first.",
    ),
    Reason.NOT_ENOUGH_CHIPS: Words(
        "that takes {wanted} in chips, and there are {has}",
        "Buy chips first, or ask for less.",
    ),
    Reason.NO_MORE_THAN_OWED: Words(
        "{person} owes the bank {owed} and can pay in no more than that now",
        "Take what is owed; chips to play with are sold to players at an open table.",
    ),
    Reason.NOT_EXCLUDED: Words(
        "{person} is not excluded",
        "Nothing needs doing.",
    ),
    Reason.NOT_ABSTAINING: Words(
        "seat {seat} has let {rounds} rounds pass that count",
        "A seat can be called in after three rounds let pass at a full table.",
    ),
    Reason.SEAT_GIVEN_UP: Words(
        "{person} was asked to give up a seat here",
        "Let one of these seat them again: {allowed}; standing players may bet meanwhile.",
    ),
    Reason.SET_RETIRED: Words(
        "the set {set_id} has been handled by players",
        "Bring in a fresh set.",
    ),
    Reason.PRECHECKED_NOT_PROVIDED: Words(
        "this rule set knows no pre-checked cards",
        "Let a player at the table check them.",
    ),
    Reason.PLAYERS_CHECK_MISSING: Words(
        "no player has checked the cards",
        "Name the player who checked them, or the lot of pre-checked cards where they are allowed.",
    ),
    Reason.CARDS_NOT_CHECKED: Words(
        "the cards have not been checked and found complete",
        "Check them first.",
    ),
    Reason.SHOE_OUT_OF_STEP: Words(
        "the cards are at '{life}', and this is not the next step",
        "Check, shuffle, cut and load, in this order.",
    ),
    Reason.MACHINE_NOT_PROVIDED: Words(
        "this rule set has the dealer shuffle, not a machine",
        "Shuffle by hand.",
    ),
    Reason.MACHINE_NOT_APPROVED: Words(
        "the shuffle machine {machine} is not on the approved list",
        "Approved here: {known}.",
    ),
    Reason.CUT_NOT_OFFERED: Words(
        "the cut is not offered to seat {seat}",
        "It is offered to {due}.",
    ),
    Reason.CUT_IS_THE_PLAYERS: Words(
        "a player can still be offered the cut",
        "Offer it to {due}.",
    ),
    Reason.NO_SHOE: Words(
        "no shoe is loaded",
        "Say it once the cards are in the shoe.",
    ),
    Reason.NOTHING_TO_BURN: Words(
        "there is nothing to burn now",
        "Go on with the first coup.",
    ),
    Reason.BURN_OTHERWISE: Words(
        "only the first card of a burn is exposed, and it is burned already",
        "Burn the rest face down.",
    ),
    Reason.BURN_MISCOUNT: Words(
        "{burned} cards cannot have been burned",
        "Say what was burned; {due} are due.",
    ),
    Reason.BURN_DUE: Words(
        "{due} cards are still to be burned",
        "Burn them, or report that the burn was forgotten.",
    ),
    Reason.CARD_CHANGE_NOT_PROVIDED: Words(
        "this rule set has no single cards changed",
        "End the shoe and bring in a fresh set.",
    ),
    Reason.SHOE_GOES_ON: Words(
        "the shoe has not come to its end",
        "Give a reason to end it now.",
    ),
    Reason.NO_CHECK_DUE: Words(
        "no closing check is due, or the cards are still in the shoe",
        "End the shoe first.",
    ),
    Reason.NOTHING_TO_OPEN: Words(
        "no commitment waits to be opened",
        "It is opened once, after the end of its shoe.",
    ),
    Reason.WORDS_ADDED: Words(
        "{person} has added words to this order already",
        "Each player adds words once for each shoe; add others to the next.",
    ),
    Reason.WORDS_TOO_LATE: Words(
        "words are added after the house has shuffled and before the cards are cut",
        "Add them to the next shoe.",
    ),
    Reason.SHOE_EMPTY: Words(
        "no card is left in the shoe",
        "Report insufficient cards.",
    ),
    Reason.MARKER_IS_OUT: Words(
        "the marker has come out already",
        "Nothing needs doing.",
    ),
    Reason.NO_INDICATOR: Words(
        "the indicator card has not come out of this shoe, or there is none",
        "Wait until it does.",
    ),
    Reason.BETTING_NOT_OPEN: Words(
        "betting has not been opened",
        "The dealer calls for bets first.",
    ),
    Reason.BETS_HELD: Words(
        "play has stopped for a ruling, and wagers wait as they lie",
        "Wait for the ruling.",
    ),
    Reason.NOT_YOUR_BOX: Words(
        "box {box} is not this player's",
        "Wager at box {own}.",
    ),
    Reason.NO_SUCH_WAGER: Words(
        "there is no such wager on {on} at box {box}",
        "Look at the layout and give box, bet and player as they lie.",
    ),
    Reason.WAGERS_LIE_SO: Words(
        "your wagers lie so already", "Change an amount, or leave them as they are."
    ),
    Reason.SAY_WHOSE: Words(
        "more than one player has that wager at box {box}: {people}",
        "Say whose it is.",
    ),
    Reason.NOTHING_TO_REDUCE: Words(
        "nothing on the layout is above a collective limit",
        "Go on.",
    ),
    Reason.ALREADY_CALLED: Words(
        "no more bets has been called",
        "Deal the first card.",
    ),
    Reason.CALL_MISSING: Words(
        "no more bets has not been called",
        "Call it, then deal. A card that is out already is said with where it lies.",
    ),
    Reason.NO_WAGERS: Words(
        "there is no wager on the layout",
        "Wait for one, ask management for a free coup, or close the coup undealt.",
    ),
    Reason.WAGERS_LIE: Words(
        "on this coup wagers lie",
        "Deal it; or let their owners withdraw them first.",
    ),
    Reason.COUP_IS_DEALT: Words(
        "this coup is dealt to its end",
        "Deal its cards and declare the result.",
    ),
    Reason.FREE_COUPS_NOT_PROVIDED: Words(
        "this rule set knows no free coups",
        "Deal as usual.",
    ),
    Reason.FREE_COUPS_USED: Words(
        "no more than {most} free coups may be dealt in a shoe; {left} are left",
        "Ask for {left} or fewer.",
    ),
    Reason.REQUEST_MISSING: Words(
        "no player at the table has asked for it",
        "Record which player asked.",
    ),
    Reason.NO_BET_NOT_PROVIDED: Words(
        "this rule set knows no no-bet coups",
        "Deal as usual.",
    ),
    Reason.NOT_ALL_AGREE: Words(
        "not all players agree: {missing}",
        "Ask them, or go on as usual.",
    ),
    Reason.TOO_MANY_IN_A_ROW: Words(
        "{most} no-bet coups in a row have been dealt",
        "Deal a round with wagers next.",
    ),
    Reason.NOTHING_CHANGES: Words(
        "the new notice is the one that hangs",
        "Change a limit, the method or another part that may change.",
    ),
    Reason.CHANGE_FIXED: Words(
        "{field} is fixed while the table is open",
        "These may change: {allowed}. For the rest close the table and open it anew.",
    ),
    Reason.NO_CHANGE_POSTED: Words(
        "no change to the notice has been posted",
        "Post it first.",
    ),
    Reason.CHANGE_TOO_EARLY: Words(
        "the change cannot hold yet; consent is missing from: {missing}",
        "Wait {minutes} more minutes, or have every player consent where that is enough.",
    ),
    Reason.NOT_INFORMED: Words(
        "face-down play is not allowed before these have been told: {missing}",
        "Let them acknowledge it first.",
    ),
    Reason.DEALT_FACE_UP: Words(
        "this coup is dealt face up",
        "Name the card; or have face-down play set before the next coup.",
    ),
    Reason.CARRIED_FIRST: Words(
        "a card left over from the coup before comes first",
        "Deal the card carried over.",
    ),
    Reason.NOTHING_CARRIED: Words(
        "no card was carried over",
        "Draw from the shoe.",
    ),
    Reason.NOTHING_OWED: Words(
        "the coup is complete, and no hand is owed a card",
        "Declare the result; if a card left the shoe all the same, say where it was laid.",
    ),
    Reason.NO_SUCH_CARD: Words(
        "the coup has no such card number {position}",
        "Count the cards in the order they left the shoe.",
    ),
    Reason.CARD_IS_NAMED: Words(
        "that card is known: {card}",
        "If it was keyed wrong, have it corrected by two people.",
    ),
    Reason.CARD_IS_SHOWN: Words(
        "you have looked at this card already", "Turn it when you are ready."
    ),
    Reason.NOTHING_FACE_DOWN: Words(
        "{side} has no face-down cards to pass",
        "Deal first; then pass what lies face down.",
    ),
    Reason.HOLDER_BY_RULE: Words(
        "the rule itself says who turns the cards",
        "Pass them to the highest wager.",
    ),
    Reason.FACE_DOWN_BY_RULE: Words(
        "in a competition cards are dealt face down",
        "Deal them so; whoever gets them may leave it to the dealer to turn them.",
    ),
    Reason.NOT_THE_HOLDER: Words(
        "these cards are not that player's to turn or decline",
        "Follow the line shown to the dealer.",
    ),
    Reason.DEALER_NAMES_CARDS: Words(
        "what a card is, the dealer says at this table",
        "Show the card on the table; the dealer keys it.",
    ),
    Reason.ONE_SET_AT_A_TIME: Words(
        "{person} has the other hand's cards",
        "Let them turn those first.",
    ),
    Reason.DEALER_TURNS: Words(
        "no player is in line for {side}'s cards",
        "The dealer turns them.",
    ),
    Reason.EARLIER_COUP: Words(
        "an error in an earlier coup is reported by its number",
        "Say that there was an error in an earlier coup, and which coup it was.",
    ),
    Reason.SAID_WITH_THE_CARD: Words(
        "a card out of order is said with the card itself",
        "Draw it with the place it was laid; the result puts it right.",
    ),
    Reason.NO_ERROR: Words(
        "the record shows no such error",
        "Say which card of which coup it was, and where it lay, or go on.",
    ),
    Reason.CARDS_SUFFICE: Words(
        "the shoe has cards enough for what is to be dealt",
        "Go on; report it when a coup is under way and cannot be finished.",
    ),
    Reason.BURN_IS_DONE: Words(
        "no burn is due from this shoe",
        "Go on; if it was keyed and never made, say that the burn was keyed wrong.",
    ),
    Reason.NOTHING_TO_CORRECT: Words(
        "a correction of nothing corrects nothing",
        "Give the amount that is to move.",
    ),
    Reason.NOTICED_IN_TIME: Words(
        "coup {coup} has not been followed by another yet",
        "The order of its cards decides; where the record is wrong, say which cards were dealt.",
    ),
    Reason.AS_ON_RECORD: Words(
        "the record says so already",
        "There is nothing to put right; look at the record and say what is wrong in it.",
    ),
    Reason.MORE_THAN_THE_CUT: Words(
        "this wager was cut back to {was}, and with {amount} more would lie than the sign allows",
        "Say what lay after the cut.",
    ),
    Reason.WHOLE_COUP_WANTED: Words(
        "with this card alone coup {coup} would be void, and it was over",
        "If more cards were wrong, give all of them as they were dealt. It is shown what"
        " follows before anyone approves it.",
    ),
    Reason.NOT_FOUND_HERE: Words(
        "nothing of the kind ({found}) is on record that bars the next coup",
        "What was found bars the coup after it alone, until its first card; while a coup is void"
        " without a card, end that first.",
    ),
    Reason.END_VOID_COUP: Words(
        "coup {coup} is void without a card and still lies on the table",
        "End it first; then put right what was drawn before it.",
    ),
    Reason.WAGERS_ON_NEXT: Words(
        "chips lie on the next coup, and nobody may bet into a card that was seen",
        "Take the wagers of the coup that is open back first.",
    ),
    Reason.NEVER_HERE: Words(
        "{person} has not played at this table",
        "Look at the id: it is that of the person who played.",
    ),
    Reason.RULING_NEEDED: Words(
        "the document leaves this to a ruling by two people",
        "Give a ruling.",
    ),
    Reason.NOTHING_TO_RULE_ON: Words(
        "there is nothing here for a person to rule on",
        "Confirm the finding, or not.",
    ),
    Reason.NO_SUCH_COUP: Words(
        "coup {coup} is not at hand",
        "Give a coup of this shoe; an earlier one is looked up under “Look back”.",
    ),
    Reason.EARLIER_OPENING: Words(
        "coup {coup} was played before this table was opened again, and stands as recorded",
        "What was paid wrongly is put right for each player by two people, as a payment, with"
        " the number of that coup.",
    ),
    Reason.SESSION_IS_CLOSED: Words(
        "coup {coup} is of a competition's session, and its table is closed",
        "Let the competition's director rule on its result there.",
    ),
    Reason.PLAY_IS_NO_COMPETITION: Words(
        "a competition is not played for play money",
        "Open the table for the competition, or for play money.",
    ),
    Reason.PLAY_CHIPS_AMISS: Words(
        "play chips must be at least {least}, in whole chips of {chip}",
        "Give everybody enough play chips for a wager.",
    ),
    Reason.PLAY_MONEY_ONLY: Words(
        "this table is for play money: its chips are given, neither bought nor cashed",
        "Buy and cash chips at a table for money.",
    ),
    Reason.GUESTS_PLAY_ELSEWHERE: Words(
        "a guest plays for play money only, and this table is for money",
        "Take a guest seat from the list of tables.",
    ),
    Reason.GUESTS_UNCLEAR: Words(
        "guests need both a table and seats, or neither",
        "Name the table and how many may play at a time; leave both out to let nobody.",
    ),
    Reason.GUESTS_OFF: Words(
        "this house has no guest seat now",
        "Watch any table, or sign in.",
    ),
    Reason.GUEST_SEATS_TAKEN: Words(
        "every guest seat is taken",
        "Watch the table, and try again in a few minutes.",
    ),
    Reason.GUESTS_WAIT: Words(
        "too many guest seats were asked for from here",
        "Try again in {seconds} seconds.",
    ),
    Reason.GUEST_ID: Words(
        "{person} is an id that guests play under, not a person's account",
        "Enrol a person for an account.",
    ),
    Reason.NOT_IN_WHOLE_CHIPS: Words(
        "{amount} cannot be made with this table's chips, of which the smallest is {chip}",
        "Say it in steps of {chip}.",
    ),
    Reason.NOT_THERE_TO_TAKE: Words(
        "{person} holds {has}, of which {amount} cannot be taken",
        "Take what is there; how the rest counts is for the director to rule.",
    ),
    Reason.OTHER_CHIPS: Words(
        "coup {coup} was not played for the chips that this table has now",
        "Put money right at a table that is open or was last open for money; what a competition's"
        " chips were worth is for its director to rule on, and play chips are worth nothing.",
    ),
    Reason.NOTHING_TO_TAKE_BACK: Words(
        "there is nothing of the kind ({what}) to take back, or it is too late for it",
        "Look at the record. Cards that were dealt, and wagers, are put right by themselves;"
        " cards that were shuffled or checked since are not in the shoe again.",
    ),
    Reason.VOID_STAYS: Words(
        "coup {coup} lacks a card and none can be dealt now, or cards have left the shoe since",
        "It stays void; what is owed for it is put right as a payment.",
    ),
    Reason.NOT_IN_A_COMPETITION: Words(
        "in a competition a coup that was declared void stays void",
        "The director rules: a player's chips are corrected, or the player is reinstated.",
    ),
    Reason.COUP_IS_VOID: Words(
        "coup {coup} is void already",
        "Nothing needs doing.",
    ),
    Reason.NO_CARD_IN_VOID_COUP: Words(
        "coup {coup} is void, and no card is dealt to it",
        "End the coup; if a card has left the shoe all the same, say where it was laid.",
    ),
    Reason.NO_WAGERS_OF_THEIRS: Words(
        "{person} has no wager in this coup",
        "Nothing needs doing.",
    ),
    Reason.NO_SUCH_DISPUTE: Words(
        "there is no dispute number {number}",
        "Look at the list of disputes.",
    ),
    Reason.DISPUTE_DECIDED: Words(
        "dispute {number} has been decided",
        "A review can be requested.",
    ),
    Reason.DISPUTE_UNDECIDED: Words(
        "dispute {number} has not been decided",
        "Wait for the decision, then request a review.",
    ),
    Reason.INCIDENT_UNKNOWN: Words(
        "there is no kind of incident '{kind}'",
        "Use one of: {allowed}.",
    ),
    Reason.NOT_A_PATRON: Words(
        "{person} is staff, and accounts are for patrons",
        "Enrol the person as a patron under an id of their own.",
    ),
    Reason.NO_ACCOUNT: Words("{person} has no account at the cage", "A cashier opens one."),
    Reason.ACCOUNT_IS_OPEN: Words("{person} has an account already", "Use that one."),
    Reason.ACCOUNT_SHORT: Words(
        "that takes {wanted}, and the account has {has}", "Pay in first, or ask for less."
    ),
    Reason.NO_TRAY: Words("{table} has no tray of chips", "Open its tray first."),
    Reason.TRAY_IS_OPEN: Words("{table} has its tray already", "Bring more chips with a fill."),
    Reason.NO_SUCH_SLIP: Words(
        "no slip number {number} waits to be completed", "Look at the list of slips."
    ),
    Reason.COUNTED_TWICE: Words(
        "one denomination stands in the count twice", "Put both counts of it together."
    ),
    Reason.COUNT_NOT_THE_AMOUNT: Words(
        "the count comes to {counted}, and the amount is {amount}", "Count again, or change it."
    ),
    Reason.NO_SUCH_CHIP: Words(
        "this house has no chip of {chip}", "Use the chips of the house: {chips}."
    ),
    Reason.DRAWER_IS_OPEN: Words(
        "{person} has a drawer open already", "Count and close it before another is opened."
    ),
    Reason.NO_DRAWER: Words("{person} has no drawer open", "Open it with its float first."),
    Reason.ACCOUNT_IS_SHUT: Words(
        "{person} is shut out of this house: nothing is taken in for them",
        "Pay out what the account has; ask management about everything else.",
    ),
    Reason.NOT_ENROLLED: Words("nobody is enrolled as {person}", "Enrol them first."),
    Reason.ENROLLED_ALREADY: Words(
        "{person} is enrolled already", "Use that entry, or choose another id."
    ),
    Reason.DISABLED: Words(
        "{person} has been disabled and may do nothing in this house", "Ask management."
    ),
    Reason.ENABLED_ALREADY: Words("{person} is enabled already", "There is nothing to do."),
    Reason.ROLE_NOT_GRANTED: Words(
        "{person} cannot be made {role}",
        "Patrons are patrons, and staff have the roles of staff; enrol another entry.",
    ),
    Reason.ROLE_HELD: Words("{person} is {role} there already", "There is nothing to do."),
    Reason.ROLE_NOT_HELD: Words("{person} is not {role} there", "Look at the list of roles."),
    Reason.LAST_MANAGER: Words(
        "{person} is the last who can manage this house", "Make another person a manager first."
    ),
    Reason.HOUSE_IS_FOUNDED: Words(
        "this house has its manager already", "Ask management to enrol you."
    ),
    Reason.HAS_FOUNDERS: Words(
        "this house has two founders already",
        "Give the person a role: another manager, or surveillance, must agree. If nobody is left"
        " who could, whoever has the machine and the house's key names a founder there.",
    ),
    Reason.TEXT_UNKNOWN: Words(
        "no text of {ruleset} with the digest {digest}… is known here",
        "Leave the digest out, and the table is opened by the text this program has.",
    ),
    Reason.TEXT_LOST: Words(
        "this table was opened by a text of {ruleset} (digest {digest}…) that is neither in the"
        " register nor in this program, or cannot be read",
        "Close it with the program it was opened by, then open it anew; other tables go on.",
    ),
    Reason.KEY_IS_SHOWN: Words("this key is on record already", "There is nothing to do."),
    Reason.KEY_IS_ANOTHER: Words(
        "another key than this one is on record",
        "Start the house with the key that it has; if that is lost, two people take another with"
        " `serve --new-key`.",
    ),
    Reason.WORD_DOES_NOT_COUNT: Words(
        "the word of {person} does not count here",
        "It takes a manager, and another or somebody who watches the house.",
    ),
    Reason.NO_SUCH_CURRENCY: Words(
        "{currency} is no currency's code",
        "Write its three letters, such as AUD or EUR, or leave it empty for bare numbers.",
    ),
    Reason.NO_SUCH_TIME_ZONE: Words(
        "{zone} is no time zone that this machine knows",
        "Write it as Australia/Hobart or Asia/Singapore. If the name is right, let whoever keeps"
        " the machine install its time zones (tzdata).",
    ),
    Reason.FELT_TOO_LIGHT: Words(
        "what is written on a felt of {felt} could hardly be read: a contrast of {found}, where"
        " {least} is the least",
        "Take a darker colour.",
    ),
    Reason.NOT_A_PICTURE: Words(
        "the logo is not a whole PNG of at most {most} pixels each way",
        "Save it as a PNG of at most 32 kB, and choose that file.",
    ),
    Reason.CHIPS_NOT_RISING: Words(
        "each chip must be worth more than the one before it",
        "List every denomination once, the smallest first.",
    ),
    Reason.NO_SUCH_PRESET: Words(
        "the house has no preset called “{name}”", "Choose one of those in the settings."
    ),
    Reason.PRESETS_FULL: Words(
        "the house keeps {most} presets already", "Drop one that is no longer used first."
    ),
    Reason.PHOTO_UNFIT: Words(
        "a photo is a PNG or JPEG of at most {most} kB and 8192 pixels each way",
        "Take a smaller one, or note the incident without.",
    ),
    Reason.PHOTO_NOT_SENT: Words(
        "the digest of a photo came without the photo",
        "Send the photo itself: the house puts its digest on record.",
    ),
    Reason.NO_SUCH_INCIDENT: Words(
        "there is no such incident on record", "Look for it in the list of incidents."
    ),
    Reason.NO_SUCH_PHOTO: Words(
        "there is no such photo, or not any more", "The incident itself stays on record."
    ),
    Reason.ALIAS_UNFIT: Words(
        "an alias has at most {most} characters, all of which can be seen",
        "Choose a shorter one, or leave it empty.",
    ),
    Reason.ALIAS_TAKEN: Words("somebody else is called {alias}", "Choose another alias."),
    Reason.NAME_HIDDEN: Words(
        "the name has a character that nobody can see",
        "Type it anew instead of copying it.",
    ),
    Reason.NAME_MIXED: Words(
        "“{word}” has letters of two scripts that look alike, so that it could be taken for another"
        " name",
        "Write each word in one script.",
    ),
    Reason.WITH_THE_TABLE: Words(
        "chips are bought and cashed at a table", "Have the dealer record it there."
    ),
    Reason.NO_SUCH_TABLE: Words(
        "there is no table '{table}'", "Look at the list of tables, or open it first."
    ),
    Reason.HOUSE_DEALS: Words(
        "this table is dealt from the house's own shoe, and the house names its cards",
        "Deal the next card instead of keying one.",
    ),
    Reason.HOUSE_COMMITS: Words(
        "a commitment to an order comes from the house's own shuffle alone",
        "Have the house shuffle, or shuffle without a commitment.",
    ),
    Reason.NOT_THE_HOUSES_SHOE: Words(
        "this table is not dealt from the house's own shoe", "Key each card as it leaves the shoe."
    ),
    Reason.SEAL_BROKEN: Words(
        "the order of this shoe cannot be opened: {why}",
        "Void what is in play, end this shoe, and run the house with the key it was sealed with.",
    ),
    Reason.GENERATOR_FAILED: Words(
        "the generator of this machine failed a test, and nothing is drawn from it",
        "Shuffle by hand or by machine and key the cards. Whoever oversees the house has it tested"
        " again, under Running; if it fails again, run the house on another machine.",
    ),
    Reason.ASK_THE_DEALER: Words(
        "chips are bought and cashed across the table here", "Ask the dealer."
    ),
    Reason.SIGN_IN_FAILED: Words(
        "that is not right",
        "Check who you are and what you typed, and try again. After many wrong tries only a browser"
        " you have signed in with before, or a station of the house, is let in: use one of those,"
        " or ask management to unlock it.",
    ),
    Reason.SLIP_USED: Words(
        "this slip has been used, and works only once",
        "Sign in with the PIN you chose then. If you chose none, or it was not you, ask the desk"
        " for a new slip: with it the old PIN ends too.",
    ),
    Reason.PIN_UNFIT: Words(
        "a PIN is {digits} digits, neither all the same nor in a row",
        "Choose another one that only you know.",
    ),
    Reason.SIGN_IN_WAIT: Words(
        "there were several wrong tries", "Wait {seconds} seconds, then try again."
    ),
    Reason.SIGN_IN_LOCKED: Words(
        "{person} is locked here after too many wrong tries",
        "Use a browser you have signed in with before, or a station of the house; or ask management"
        " to unlock it.",
    ),
    Reason.SELF_EXCLUDED: Words(
        "{person} asked to be shut out of play until {until}",
        "Nobody can end it sooner. What they have is paid out at the cage.",
    ),
    Reason.EXCLUDED_LONGER: Words(
        "you are shut out for longer than that already", "It can be made longer, not shorter."
    ),
    Reason.LIMITS_ARE_SO: Words("your limits are so already", "Nothing needs to be done."),
    Reason.LIMITS_WAIT: Words(
        "you asked for this, and it can hold in {hours} hours at the earliest",
        "Ask for it again then, if you still want it. Lower limits hold at once.",
    ),
    Reason.OWN_DAY_LIMIT: Words(
        "{person} set a limit of {limit} of loss in a gaming day, of which {left} is left, and this"
        " would go beyond it",
        "Wager or buy no more than that. The limit can be raised on the account's page, a day after"
        " it is asked for.",
    ),
    Reason.OWN_WEEK_LIMIT: Words(
        "{person} set a limit of {limit} of loss in seven gaming days, of which {left} is left, and"
        " this would go beyond it",
        "Wager or buy no more than that. The limit can be raised on the account's page, a day after"
        " it is asked for.",
    ),
    Reason.OWN_TIME_LIMIT: Words(
        "{person} set a limit of {minutes} minutes of play a gaming day, and has played so long",
        "The coup in play is finished; the cage pays out what is theirs. The next gaming day begins"
        " anew.",
    ),
    Reason.SIGN_IN_NEEDED: Words("you are not signed in", "Sign in first."),
    Reason.PASSWORD_TOO_SHORT: Words(
        "the password is too short or too long",
        "Use {least} to {most} characters; several words are best.",
    ),
    Reason.PASSWORD_GUESSED: Words(
        "this password would soon be guessed",
        "Choose several words that do not belong together; no name, no date, no keys in a row.",
    ),
    Reason.SECOND_FACTOR_DUE: Words(
        "staff of this house sign in with a second factor, and you have none yet",
        "Sign in on the page: it leads you to setting one up.",
    ),
    Reason.SECOND_FACTOR_WRONG: Words(
        "this code is not good now",
        "Wait for the next code of the app, and see that the phone's clock is right. Whoever has a"
        " second factor already also gives a code of that, a recovery code, or a passkey.",
    ),
    Reason.PASSKEY_UNFIT: Words(
        "no passkey was made for this address",
        "Press again, and answer within five minutes. Passkeys work where the address of the house"
        " is a name and begins with https; a device that has one for it makes no second one.",
    ),
    Reason.TOKEN_NOT_FOR_THIS: Words(
        "this token may not do that",
        "Use a device for what it was set up for, at its own table; a person may sign in for a"
        " token of a wider scope.",
    ),
    Reason.FOREIGN_PAGE: Words(
        "the request did not come from this house's own pages", "Open the page here and try again."
    ),
    Reason.ODDS_AT_A_TABLE: Words(
        "odds are not shown to anyone who plays or is on duty at a table, and you are at {table}",
        "Leave the table first.",
    ),
    Reason.ID_USED: Words(
        "this command id was used for something else", "Give every new command an id of its own."
    ),
    Reason.MALFORMED: Words("that cannot be read: {what}", "Put it right and send it again."),
    Reason.NOT_FOUND: Words(
        "there is nothing here", "Look whether the address is right, or go on from here."
    ),
    Reason.TOO_MANY_SCENES: Words(
        "the house keeps {most} scenes of its own, and has as many",
        "Remove one that is no longer needed.",
    ),
    Reason.COURSE_NOT_DONE: Words(
        "{left} sets of this course are not passed yet", "Pass them: the certificate is then here."
    ),
    Reason.HOUSE_STOPPED: Words(
        "the journal cannot be written, and the house takes nothing more",
        "Call whoever runs the machine; nothing that was confirmed is lost.",
    ),
    Reason.DATABASE_AWAY: Words(
        "the house cannot reach its record just now, and confirmed nothing",
        "Wait a moment, and do the same once more: it is never done twice.",
    ),
    Reason.HANDED_OVER: Words(
        "a newer program goes on with the house, and this process did nothing",
        "Do the same once more in a moment: whoever is there now takes it, and never twice.",
    ),
    Reason.DISK_FULL: Words(
        "the disk of the house's record is full, and nothing was done",
        "Call whoever runs the machine. As soon as there is room, do the same once more.",
    ),
    Reason.FAULT: Words(
        "something went wrong in the house itself",
        "It is on record. Look whether it was done before you do it again.",
    ),
    Reason.RECORD_UNUSABLE: Words(
        "the house's own record cannot be read: {what}",
        "Call whoever runs the machine, and verify the journal.",
    ),
    Reason.NOT_SURE: Words(
        "the id that was typed is not {person}",
        "Type it exactly: this cannot be taken back.",
    ),
    Reason.STILL_ENABLED: Words(
        "{person} still belongs to the house",
        "Disable them first; then what is personal can be erased.",
    ),
    Reason.STILL_AT_TABLE: Words(
        "{person} still has a place or chips at {table}",
        "Finish the coup, cash their chips, and let them leave; then what is personal can be"
        " erased.",
    ),
    Reason.STILL_HAS_MONEY: Words(
        "{person} still has {cents} in the account",
        "Pay it out; then what is personal can be erased.",
    ),
    Reason.STILL_ENTERED: Words(
        "{person} is still entered in {competition}, or is owed something of it",
        "Withdraw the entry or see the competition to its end, and pay what is due; then what is"
        " personal can be erased.",
    ),
    Reason.STILL_DISPUTES: Words(
        "{person} disputes something at {table} that is not decided",
        "Decide it; then what is personal can be erased.",
    ),
    Reason.STILL_EXCLUDED: Words(
        "{person} asked to be shut out of play until {until}, and is known again by their name",
        "It is kept until then, and can be erased the day after.",
    ),
    Reason.DEALT_ALREADY: Words(
        "another card has come since this was pressed, and nothing more was dealt",
        "Look at the table; deal again if a card is still due.",
    ),
    Reason.TOO_FAST: Words(
        "more was sent in your name than the house takes in that time",
        "Nothing of it was done. Wait {seconds} seconds, then go on. If it was not you, sign out"
        " everywhere and tell management.",
    ),
    Reason.NOT_AS_SHOWN: Words(
        "things have moved on, and what would happen now is not what was shown",
        "Look again at what will happen, then confirm that.",
    ),
    Reason.NOT_A_COMPETITION: Words(
        "this is not a competition table",
        "Use the ordinary commands.",
    ),
    Reason.NOT_ALLOTTED: Words(
        "the players have no chips yet",
        "Allot them first.",
    ),
    Reason.NOBODY_TO_ALLOT_TO: Words(
        "nobody is seated at this table",
        "Seat the players first.",
    ),
    Reason.CHIPS_ARE_ALLOTTED: Words(
        "chips of a competition are allotted once, the same to everyone",
        "Nobody buys, adds or cashes chips during a session.",
    ),
    Reason.OWN_POSITION_ONLY: Words(
        "in a competition everyone wagers from their own position",
        "Take an allotted seat.",
    ),
    Reason.SEATS_ARE_THE_DIRECTORS: Words(
        "places in a competition are not changed once chips are allotted",
        "Ask the director; whoever goes away is marked absent.",
    ),
    Reason.SAME_LIMITS_FOR_ALL: Words(
        "in a competition the same limits hold for everyone",
        "Keep to the posted limits.",
    ),
    Reason.ELIMINATED: Words(
        "{person} is out of this competition",
        "Ask the director.",
    ),
    Reason.BOTH_SIDES: Words(
        "wagers on Player and Banker may not be made together",
        "Choose one.",
    ),
    Reason.DECLARED_VOID: Words(
        "the wager of {person} on this coup was declared void",
        "They wager again on the next coup.",
    ),
    Reason.MINIMUM_ONLY: Words(
        "the time is over, and only {least} may be wagered",
        "Wager {least}.",
    ),
    Reason.WAGER_FIXED: Words(
        "a wager once made is not altered",
        "It lies until the coup is settled.",
    ),
    Reason.MUST_WAGER: Words(
        "seat {seat} has less than the minimum of {least} at stake",
        "Let the player wager, or mark them absent.",
    ),
    Reason.NOT_THEIR_TURN: Words(
        "it is not seat {seat}'s turn",
        "Ask seat {due}.",
    ),
    Reason.ALL_HAVE_BET: Words(
        "everyone has a wager on the layout",
        "Call no more bets, or deal.",
    ),
    Reason.NO_TIME_SET: Words(
        "no time was set for seat {seat}",
        "Ask the player whose turn it is, with a time.",
    ),
    Reason.TIME_NOT_OVER: Words(
        "the time for seat {seat} is not over",
        "Wait for it.",
    ),
    Reason.TIME_IS_PAST: Words(
        "the time would be over before it began", "Give a time to come, or none."
    ),
    Reason.TIME_WAS_OVER: Words(
        "the time for seat {seat} has been over in this coup",
        "The player may still make the minimum.",
    ),
    Reason.TIME_CUT_SHORT: Words(
        "the time given to seat {seat} is not cut short", "Give a later time, or let it run."
    ),
    Reason.NO_TIME_IS_OVER: Words("no time that was set is over", "Wait for it."),
    Reason.NO_TIME_RUNS: Words("no time is running", "There is nothing to hold; go on."),
    Reason.BETTING_TIME_OVER: Words(
        "the time for bets is over", "Wait for the next coup, or put chips before the dealer."
    ),
    Reason.LIMITS_NOT_ANNOUNCED: Words(
        "no higher limits were announced beforehand, or they hold already",
        "They are part of the conditions.",
    ),
    Reason.NOT_YET_TO_ALTER: Words(
        "players earlier in the order may alter their wagers first",
        "Wait until the dealer asks you.",
    ),
    Reason.TIE_LEAVES_TOO_LITTLE: Words(
        "that Tie wager would leave less than the minimum of {least} for a hand",
        "Wager less on Tie.",
    ),
    Reason.NO_SESSION: Words(
        "this table was opened for no session of a competition",
        "Close it, and let the competition open it.",
    ),
    Reason.SESSION_HAS_BEGUN: Words(
        "the session has begun, and everyone has had their chips",
        "Go on with it.",
    ),
    Reason.SESSION_GIVES_CHIPS: Words(
        "seats and chips of a session are given together, when it begins",
        "Start the session in the competition.",
    ),
    Reason.SEATS_DO_NOT_FIT: Words(
        "these are not different players at seats 1 to {seats}",
        "Draw the seats again, or choose a larger table.",
    ),
    Reason.SESSION_PAUSED: Words(
        "play at this table is interrupted: {why}",
        "Wait until the director lets it go on.",
    ),
    Reason.SESSION_NOT_PAUSED: Words(
        "play at this table is not interrupted",
        "Go on.",
    ),
    Reason.COUPS_NOT_DRAWN: Words(
        "no card has said yet how many coups are played off",
        "Draw a card from the new shoe first.",
    ),
    Reason.NO_CARD_FOR_COUPS: Words(
        "no card is to say how many coups are played here",
        "Open the coup.",
    ),
    Reason.NOT_A_NEW_SHOE: Words(
        "cards of this shoe have been dealt",
        "Draw it from a new shoe.",
    ),
    Reason.NOBODY_PLAYS: Words(
        "no player is there to make a wager",
        "Wait for one; or let the director name substitutes, or end the session.",
    ),
    Reason.LAST_COUP_DECLARED: Words(
        "the session's last coup has been declared",
        "Deal it.",
    ),
    Reason.NOT_EXPECTED: Words(
        "{person} is not a player of this session whose seat is still to be taken",
        "See who was drawn to this table.",
    ),
    Reason.ALLOTMENT_NOT_BOUGHT: Words(
        "{person} has not bought the allotment of chips",
        "Let them buy exactly that first.",
    ),
    Reason.ALLOTMENT_ONLY: Words(
        "in a live competition everyone buys the allotment of {cents}, once, before the first coup",
        "Buy exactly that.",
    ),
    Reason.AWAY_WITHOUT_SUBSTITUTE: Words(
        "{person} is away, and nobody plays for them",
        "Name a substitute, let the competition remove them, or give the director's direction.",
    ),
    Reason.BALANCE_BELOW_ZERO: Words(
        "{person}'s chips are below zero since a coup fell",
        "The director rules: correct the chips, or give a direction.",
    ),
    Reason.DISQUALIFICATION_DUE: Words(
        "{person} was found hiding chips, and must be disqualified",
        "Disqualify them in the competition, or give the director's direction if it was not so.",
    ),
    Reason.NO_SUBSTITUTE: Words(
        "nobody plays for {person}",
        "There is nothing to take back.",
    ),
    Reason.PLAYS_ALREADY: Words(
        "{person} plays already",
        "Name somebody who is not in this competition.",
    ),
    Reason.NOT_ELIMINATED: Words(
        "{person} was not eliminated in this session",
        "See who was.",
    ),
    Reason.SESSION_FIXES_LIMITS: Words(
        "limits do not change during a session but by the rise that was announced",
        "Raise them as announced, after the indicator card.",
    ),
    Reason.LIMITS_MUST_RISE: Words(
        "the announced limits are not above those of the start",
        "Announce a higher minimum or maximum, and neither lower.",
    ),
    Reason.COMPETITION_ONLY: Words(
        "this document is a tournament's: no table is opened under it for anything else",
        "Publish a competition's conditions and designate this table; the competition opens it.",
    ),
    Reason.SESSION_WITH_CONDITIONS: Words(
        "a table is opened for a competition with its conditions and one session of it together",
        "Let the competition open it: designate this table and prepare the session.",
    ),
    Reason.WRONG_PHASE: Words(
        "“{command}” cannot be done now, with the competition at: {phase}",
        "It can be done at: {phases}. Look at its page, for somebody may have done it before you.",
    ),
    Reason.DIRECTOR_NOT_SIGNED_ON: Words(
        "“{command}” needs the director present",
        "Sign on to this competition as its director first.",
    ),
    Reason.DIRECTOR_SIGNED_ON: Words(
        "{person} is signed on to this competition already",
        "Go on.",
    ),
    Reason.CONDITIONS_UNREADABLE: Words(
        "the conditions cannot be read: {why}",
        "Put the file right and draft it again.",
    ),
    Reason.NOTHING_DRAFTED: Words(
        "no conditions have been drafted",
        "Draft them first.",
    ),
    Reason.CONDITIONS_FAULTY: Words(
        "{item}: {wrong}",
        "{todo}",
    ),
    Reason.STRUCTURE_FAULTY: Words(
        "with {entries} entries the structure fails at '{stage}': {why}",
        "Change the stages or the numbers of entries, and prove it again.",
    ),
    Reason.CONDITIONS_FIXED: Words(
        "{item} does not change once somebody has paid",
        "Leave it as it was, or cancel and begin anew.",
    ),
    Reason.NOT_ENTERED: Words(
        "{person} has no entry here",
        "Apply first.",
    ),
    Reason.ENTERED_ALREADY: Words(
        "{person} has an entry that is {status}, and may not make another",
        "One entry each, unless the conditions allow more to everybody.",
    ),
    Reason.WRONG_STATUS: Words(
        "the entry of {person} is {status}",
        "It must be: {wanted}.",
    ),
    Reason.NO_LONGER_IN: Words(
        "{person} is in it no longer: {status}",
        "Look at the list of entries.",
    ),
    Reason.ENTRIES_ARE_CLOSED: Words(
        "entries are taken no more",
        "The conditions say until when they are.",
    ),
    Reason.ENTRIES_FULL: Words(
        "there are {most} entries, the most there may be",
        "Add them as a reserve, or refuse the application.",
    ),
    Reason.ANOTHER_VERSION: Words(
        "version {version} is not the one in force",
        "Endorse version {now}.",
    ),
    Reason.ENDORSED_ALREADY: Words(
        "{person} has endorsed version {version}",
        "Go on.",
    ),
    Reason.NOT_ENDORSED: Words(
        "{person} has not endorsed version {version}",
        "Let them endorse it first.",
    ),
    Reason.IN_PLAY_FORFEITS: Words(
        "{person} sits in a session that has begun",
        "Whoever leaves now forfeits the place; let the director say so.",
    ),
    Reason.RESERVES_FULL: Words(
        "there are {most} reserves, the most there may be",
        "Refuse the application.",
    ),
    Reason.FIRST_SESSION_ONLY: Words(
        "reserves take seats before the first session alone",
        "Play on without the seat.",
    ),
    Reason.TOO_FEW_ENTRIES: Words(
        "there are {there} entries, and {least} are the fewest",
        "Wait for more, or cancel and refund them all.",
    ),
    Reason.NOTHING_ADDED: Words(
        "nothing is added",
        "Give an amount, or say what goods or services are added.",
    ),
    Reason.NOTHING_OWED_TO: Words(
        "nothing is owed to {person}",
        "Look at the list of refunds.",
    ),
    Reason.DRAW_COMMITTED_ALREADY: Words(
        "the seed of the next draw is committed to already",
        "Draw with it.",
    ),
    Reason.COMMITTED_TOO_LATE: Words(
        "the list is closed, and a seed is committed to before it is",
        "Draw by hand, and let two people key it in.",
    ),
    Reason.NO_DRAW_COMMITTED: Words(
        "no seed is committed to",
        "Commit to one first, or let two people key in a draw made by hand.",
    ),
    Reason.WITNESS_MISSING: Words(
        "no witness has spoken words for the draw",
        "Let one speak, and type them in.",
    ),
    Reason.SEED_DIFFERS: Words(
        "the seed is not the one that was committed to",
        "Let the house open it; if it cannot, draw by hand.",
    ),
    Reason.TABLES_MISSING: Words(
        "{there} tables are designated, and {needed} are needed",
        "Designate more tables.",
    ),
    Reason.NO_NUMBER_ADVANCING: Words(
        "no number advancing was determined for {tables} tables",
        "Use a number of tables that the conditions provide for.",
    ),
    Reason.ONE_TABLE_FINAL: Words(
        "the final is played at one table, not at {tables}",
        "Seat all of them at one.",
    ),
    Reason.NOT_TO_BE_SEATED: Words(
        "{person} is not among those who are seated",
        "Look at the list of those who play.",
    ),
    Reason.SEATED_TWICE: Words(
        "{person} is seated twice",
        "Give them one seat.",
    ),
    Reason.NOT_EVERYONE_SEATED: Words(
        "there is no seat for {people}",
        "Seat everybody.",
    ),
    Reason.NOT_DESIGNATED: Words(
        "{table} is not designated for this competition",
        "Designate it first.",
    ),
    Reason.DRAW_DOES_NOT_FIT: Words(
        "the seats at {table} are not as the stage has them",
        "At most {most} players sit there, each at a numbered seat of their own.",
    ),
    Reason.FIRST_SEAT_MISSING: Words(
        "it was not said who bets first at {table}",
        "Draw for it, and name the seat.",
    ),
    Reason.BALLOT_ONLY: Words(
        "seats are given by ballot alone",
        "Draw again before the session starts.",
    ),
    Reason.SEAT_IS_DRAWN: Words(
        "seat {seat} is {person}'s",
        "Choose a free seat.",
    ),
    Reason.NOBODY_KEPT_APART: Words(
        "the published conditions keep nobody apart",
        "Publish conditions that say whom, before the list is made.",
    ),
    Reason.APART_TWICE: Words(
        "{person} is on the list twice",
        "Name everybody once; those who belong together are one group.",
    ),
    Reason.APART_TOO_MANY: Words(
        "a group of {there} is on the list, and the conditions have groups of 2 to {most}",
        "Make the groups so, or publish conditions with larger ones.",
    ),
    Reason.APART_IMPOSSIBLE: Words(
        "{there} of one group are to be drawn to {tables} tables, and no two to the same: that"
        " cannot be",
        "Let the list name fewer of them, or draw at more tables.",
    ),
    Reason.APART_NOT_FOUND: Words(
        "{orders} orders were drawn, and none of them kept everybody apart; it can be done, but"
        " hardly by lot",
        "Keep fewer apart, or draw by hand and let two people key it in.",
    ),
    Reason.KEPT_APART: Words(
        "{person} and {other} are not to sit at one table",
        "Seat them apart; the list of those kept apart says who else is.",
    ),
    Reason.DESIGNATED_ALREADY: Words(
        "{table} is designated already",
        "Go on.",
    ),
    Reason.TABLE_IN_USE: Words(
        "{table} is in use in this session",
        "Wait until it is over, or take another.",
    ),
    Reason.NOT_IN_SESSION: Words(
        "{table} is not in this session",
        "Name a table of this session.",
    ),
    Reason.NO_SUCH_STAGE: Words(
        "there is no stage '{stage}'",
        "Use one of: {allowed}.",
    ),
    Reason.STAGE_HAS_BEGUN: Words(
        "the stage '{session}' has begun",
        "Its start is no longer changed.",
    ),
    Reason.START_IS_PAST: Words(
        "the new start lies in the past",
        "Give a time to come, with reasonable notice.",
    ),
    Reason.START_IS_TO_COME: Words(
        "everybody was told another start of the stage '{stage}', which is still to come",
        "Wait for it, or set a new start, with notice to all.",
    ),
    Reason.PLAY_OFF_CHIPS_MISSING: Words(
        "the chips of the play-off are not determined",
        "Set them first.",
    ),
    Reason.TABLE_IS_EMPTY: Words(
        "everybody who was drawn for {table} is gone",
        "Draw again, or seat somebody there; with too few players, cancel the competition.",
    ),
    Reason.SESSION_STAYS: Words(
        "chips worth money stay at the table at which they were bought",
        "Let the session go on at this table, or end it by a ruling.",
    ),
    Reason.IN_A_BREAK: Words(
        "there is a break already",
        "Resume play first.",
    ),
    Reason.NOT_IN_A_BREAK: Words(
        "there is no break",
        "Go on.",
    ),
    Reason.LAST_COUP_CALLED: Words(
        "the last coup has been declared",
        "Play it.",
    ),
    Reason.TABLE_IS_OVER: Words(
        "{table} has finished",
        "Go on with the others.",
    ),
    Reason.NOT_DECIDED: Words(
        "what {table} reports is {verdict}, not decided",
        "Play on: only what no wager and no card can change finishes early.",
    ),
    Reason.PROOF_DIFFERS: Words(
        "the proof is not the one that what {table} reports gives",
        "Ask again; play may have gone on.",
    ),
    Reason.TABLE_IS_STOPPED: Words(
        "{table} is stopped already",
        "Resume it here or at another table.",
    ),
    Reason.TABLE_NOT_STOPPED: Words(
        "{table} is not stopped",
        "Stop it first.",
    ),
    Reason.ANOTHER_SESSION: Words(
        "what {table} reports is of no session that is in play",
        "Wait for its result.",
    ),
    Reason.OTHER_PLAYERS: Words(
        "the result of {table} names others than those who were seated there",
        "Look at the draw.",
    ),
    Reason.RESULT_IS_OLD: Words(
        "version {version} of the result of {table} is not newer than version {known}",
        "Nothing is to be done.",
    ),
    Reason.RESULT_MISSING: Words(
        "the result of {table} is not in",
        "Wait for it.",
    ),
    Reason.PLAY_OFF_DUE: Words(
        "{people} are level for {places} of their places",
        "Let them play on, or rule where the rules are silent.",
    ),
    Reason.WILD_CARDS_DUE: Words(
        "{number} wild cards are still to be named",
        "Name them first.",
    ),
    Reason.WILD_CARDS_NAMED: Words(
        "the wild cards are named",
        "Confirm the stage.",
    ),
    Reason.NO_WILD_CARDS: Words(
        "the conditions of this stage have no wild cards",
        "Confirm the stage.",
    ),
    Reason.NO_SECONDARY: Words(
        "the conditions have no secondary competition",
        "Draw for the next stage.",
    ),
    Reason.SECONDARY_INTO: Words(
        "the secondary competition leads into '{into}'",
        "Open it just before that stage is drawn.",
    ),
    Reason.SECONDARY_OPENED: Words(
        "the secondary competition was opened before",
        "There is one of it.",
    ),
    Reason.TOO_FEW_LOSERS: Words(
        "{there} players could play in it, and {wanted} are to win",
        "Draw for the next stage without it, by a ruling.",
    ),
    Reason.RULING_FIRST: Words(
        "the rules do not say what {people} play on with",
        "Rule on their places.",
    ),
    Reason.ROUNDS_WHERE_THEY_SAT: Words(
        "extra rounds are played where they sat, with the chips they hold",
        "Name {table}, and how many rounds.",
    ),
    Reason.CARD_SAYS_COUPS: Words(
        "a card from a new shoe says how many coups are played",
        "Leave the number out.",
    ),
    Reason.NOT_LEVEL: Words(
        "those are not the players who are level; level are: {level}",
        "Name exactly those who are level with each other.",
    ),
    Reason.CHIPS_AS_HELD: Words(
        "extra rounds are played with the chips that are held",
        "Start the session.",
    ),
    Reason.CHIPS_DO_NOT_FIT: Words(
        "these chips cannot be played with",
        "Give at least {least}, in chips of {chip}.",
    ),
    Reason.SUBSTITUTE_AS_BEFORE: Words(
        "nothing changes in who sits for {person}",
        "Go on.",
    ),
    Reason.SUBSTITUTE_IS_IN: Words(
        "{person} is in this competition already, or sat for somebody else",
        "Let the player nominate another.",
    ),
    Reason.RULING_INCOMPLETE: Words(
        "the ruling does not say {what}",
        "Say it.",
    ),
    Reason.NOTHING_AMENDED: Words(
        "no result of {table} has changed since it was confirmed",
        "Look at the list of results.",
    ),
    Reason.RULING_DUE: Words(
        "a confirmed result has changed",
        "Rule on it first.",
    ),
    Reason.FINAL_NOT_CONFIRMED: Words(
        "the stage '{stage}' is still to be played and confirmed",
        "Confirm the final first.",
    ),
    Reason.POOL_NOT_RETURNED: Words(
        "{cents} of the pool of {pool} would not be returned as prizes",
        "Rule on the prizes, so that they come to the pool.",
    ),
    Reason.POOL_TOO_SMALL: Words(
        "the pool lacks {cents} for the prizes",
        "Add that value first.",
    ),
    Reason.POT_SHORT: Words(
        "there are {has} in the pot, not {wanted}",
        "Look at the competition's money.",
    ),
    Reason.NO_PRIZE_DUE: Words(
        "no prize is due to {person}",
        "Look at the list of places.",
    ),
    Reason.RESULTS_PUBLISHED: Words(
        "the results are published",
        "Go on.",
    ),
    Reason.WITH_THE_COMPETITION: Words(
        "the money of a competition moves only with its entry or prize",
        "Give the command to the competition.",
    ),
    Reason.NO_SUCH_COMPETITION: Words(
        "there is no competition '{competition}'",
        "Look at the list of competitions, or draft its conditions.",
    ),
    Reason.NO_SECRETS_LEFT: Words(
        "{person} may make {most} secret wagers in this session, and none is left",
        "Make the wager with chips.",
    ),
    Reason.FORM_LIES: Words(
        "a form lies for this coup already",
        "One form a coup; chips may be laid beside it.",
    ),
    Reason.FORM_TOO_LATE: Words(
        "no more bets has been called",
        "The form is handed back; make the secret wager on the next coup.",
    ),
    Reason.FORM_OUT_OF_TURN: Words(
        "it is not the turn of seat {seat}",
        "The form is handed back; hand it in when the turn comes, or on the next coup.",
    ),
    Reason.FORM_OF_ABSENT: Words(
        "{person} is not there to hand in a form",
        "Make the secret wager once they are back.",
    ),
    Reason.FORM_SENT_BACK_TWICE: Words(
        "the form of {person} was sent back twice",
        "Lay the minimum in chips.",
    ),
    Reason.FORM_AMISS: Words(
        "the form is not as it must be: {reasons}",
        "Write it again: amount in figures and the same in words, and one type circled.",
    ),
    Reason.FORM_NOT_CONFIRMED: Words(
        "the form was not confirmed",
        "Read it over, say that it is your wager, and hand it in.",
    ),
    Reason.NO_FORM_TO_EXAMINE: Words(
        "no form of {person} waits to be examined",
        "See whose forms lie.",
    ),
    Reason.EXAMINED_AFTER_CALL: Words(
        "chips may still be laid beside the form",
        "Call no more bets first; then examine it.",
    ),
    Reason.VERDICT_WANTS_REASONS: Words(
        "a form is sent back for reasons, and accepted without any",
        "Name what is wrong with it, or accept it.",
    ),
    Reason.FORMS_UNEXAMINED: Words(
        "forms are still to be examined: seats {seats}",
        "Let the inspector accept them or send them back; then deal.",
    ),
    Reason.FORMS_TOLD_FIRST: Words(
        "it is the final's last coup, and everyone has handed in a form",
        "Announce the secret wagers first; then deal.",
    ),
    Reason.TOLD_WITH_THE_RESULT: Words(
        "secret wagers are told before the cards only in a final's last coup, if all have made one",
        "Deal; they are told with the result.",
    ),
    Reason.SECRETS_ANNOUNCED: Words(
        "the secret wagers have been announced",
        "Deal.",
    ),
    Reason.FORMS_NOT_OPENED: Words(
        "the forms that are to be told are those of {people}",
        "Let the house open exactly these.",
    ),
    Reason.FORM_NOT_AS_LODGED: Words(
        "what is shown of the form of {person} is not what was lodged",
        "Hold the coup; two people rule on it.",
    ),
    Reason.FORM_ON_THE_SAME: Words(
        "a secret wager of {person} on the same was announced in this coup",
        "End the coup; then put the chips right in its record.",
    ),
    Reason.NO_FORM_TO_SHOW: Words(
        "there is no form of theirs to be looked at now",
        "Forms are shown after their coup, until the first card of the next.",
    ),
    Reason.HOUSE_OPENS_FORMS: Words(
        "the house alone opens forms",
        "Declare without them; they are filled in.",
    ),
}
