"""Every command in words: what it is called on a page, and when one gives it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class CommandWords(NamedTuple):
    """A command as a page names and explains it."""

    title: str
    when: str
    """When to give it, in plain words, for a person who has to choose."""
    does: str = ""
    """What its button says where the title is no verb."""

    @property
    def button(self) -> str:
        return self.does or self.title


SAVE = "Save"
"""A setting is saved; its title says what it is."""

COMMANDS: dict[str, CommandWords] = {
    # opening and closing
    "open-table": CommandWords(
        "Open the table", "Puts up the notice and opens the table for play."
    ),
    "begin-gaming-day": CommandWords(
        "Begin a gaming day", "Warnings and absences count anew from here."
    ),
    "give-closing-notice": CommandWords(
        "Give notice of closing", "Players are told when play will end."
    ),
    "close-table": CommandWords(
        "Close the table", "Play is over; the cards are checked afterwards."
    ),
    "sign-on": CommandWords("Sign on", "Take up a duty at this table."),
    "sign-off": CommandWords("Sign off", "Give up the duty at this table."),
    # people
    "sit": CommandWords("Seat a player", "A player takes a free seat."),
    "stand-at": CommandWords("A player stands behind a box", "To bet there without a seat."),
    "leave": CommandWords("A player leaves", "Nothing of theirs may lie on the layout."),
    "buy-in": CommandWords(
        "Sell chips", "Money from the player's account becomes chips at the table."
    ),
    "cash-out": CommandWords("Take chips back", "Chips go back into the player's account."),
    "buy-chips": CommandWords(
        "Buy chips", "With the money in one's account; a bot that deals sees to it."
    ),
    "cash-chips": CommandWords(
        "Cash chips", "Back into one's account; a bot that deals sees to it."
    ),
    "agree-limits": CommandWords(
        "Agree limits with a player", "Leave them empty to end the agreement."
    ),
    "exclude": CommandWords(
        "Exclude a player", "Their wagers come back and they bet no more here."
    ),
    "readmit": CommandWords("Readmit a player", "An exclusion ends."),
    "require-vacate": CommandWords(
        "Ask for a seat back", "After coups without a wager, if others wait."
    ),
    # the shoe
    "check-cards": CommandWords(
        "Check the cards", "Every deck, card by card, before they are used."
    ),
    "shuffle": CommandWords("Shuffle", "By hand, or with a machine that has been approved."),
    "shuffle-house": CommandWords("Let the house shuffle", "Committed to before anyone bets."),
    "add-words": CommandWords(
        "Add words to the order",
        "Any words: they shuffle the cards once more, until the cut. The house is bound to its own"
        " order already, so that neither it nor you can choose what comes out.",
    ),
    "refuse-cut": CommandWords("A player declines the cut", "It goes on to the next."),
    "cut-cards": CommandWords("Cut the cards", "How many cards deep, and by whom."),
    "load-shoe": CommandWords("Load the shoe", "With the marker where the rules want it."),
    "burn-cards": CommandWords("Burn cards", "Before the first coup of a shoe."),
    "change-cards": CommandWords(
        "Change cards for fresh ones", "Marked or damaged cards, like for like."
    ),
    "end-shoe": CommandWords("End the shoe", "No more coups are dealt from it."),
    "check-cards-at-end": CommandWords(
        "Check the cards at the end", "Missing and surplus go on record."
    ),
    "open-commitment": CommandWords(
        "Show the order of a shoe", "The true one, which the house has."
    ),
    "open-order": CommandWords(
        "Open the order of the shoe", "For all to compare with what was dealt."
    ),
    # betting
    "open-coup": CommandWords("Place your bets", "Opens the next coup."),
    "place-wager": CommandWords(
        "Place a wager", "For a player without a device, as it lies there."
    ),
    "bet-more": CommandWords(
        "Put chips on an option", "A new wager, or more on the one that lies there."
    ),
    "change-wager": CommandWords("Change a wager", "Say what it amounts to from now on."),
    "lay-wagers": CommandWords(
        "Lay my wagers", "All wagers in one's own box at once: exactly these, or nothing changes."
    ),
    "withdraw-wager": CommandWords(
        "Take a wager back", "While bets are open; later it still counts."
    ),
    "reduce-wagers": CommandWords(
        "Cut wagers back", "To the liability or differential on the sign."
    ),
    "no-more-bets": CommandWords("No more bets", "Calls the end of betting."),
    "allow-free-coups": CommandWords(
        "Allow free coups", "Coups that are dealt though nobody bets."
    ),
    "ask-no-bet-coup": CommandWords("Ask for a no-bet coup", "All players must agree."),
    "agree-no-bet-coup": CommandWords(
        "Agree to a no-bet coup", "The coup is dealt and nobody bets."
    ),
    "close-coup": CommandWords("Close the coup undealt", "No wager lies on it; no card was dealt."),
    "direct-no-bet-coup": CommandWords("Direct a no-bet coup", "Once every player has agreed."),
    # changes to the notice
    "post-change": CommandWords("Announce a change", "New limits or terms, from a moment on."),
    "consent-to-change": CommandWords(
        "Agree to a change", "If every player does, it need not wait."
    ),
    "apply-change": CommandWords("Let the change hold", "Its notice has run, or all have agreed."),
    "drop-change": CommandWords("Take a change back", "The notice stays as it is."),
    # dealing
    "ask-face-down": CommandWords("Ask for face-down cards", "A player wishes to turn the cards."),
    "withdraw-face-down": CommandWords(
        "Take back the wish for face-down cards", "The cards are dealt face up again."
    ),
    "acknowledge-face-down": CommandWords(
        "Say that I have been told", "Cards are to be dealt face down."
    ),
    "set-face-down": CommandWords("Deal face down or face up", "From the next coup on."),
    "name-exposer": CommandWords("Name who turns a hand", "Empty: the dealer."),
    "draw-card": CommandWords(
        "Draw a card", "Say where it was laid if that is not where it is owed."
    ),
    "deal-carried": CommandWords("Deal the card carried over", "It begins this coup."),
    "turn-carried": CommandWords(
        "A card left over shows its face",
        "Nobody had seen it: wagers are removed, and the coup it begins is dealt without bets.",
    ),
    "turn-card": CommandWords("Turn a card", "A card that lies face down is named."),
    "turn": CommandWords("Turn a card before you", "From the house's own shoe, which names it."),
    "pass-cards": CommandWords("Pass the cards to a player", "Empty: to whoever the rule names."),
    "refuse-cards": CommandWords("Decline to turn the cards", "The next in line may."),
    "see-marker": CommandWords("The marker comes out", "Of the shoe, as cards are drawn."),
    "see-indicator": CommandWords("The indicator card comes out", "It is set aside."),
    "deal": CommandWords("Deal the next card", "From the house's own shoe."),
    # settlement
    "declare-result": CommandWords(
        "Declare the result", "Losing wagers are taken, winning ones paid."
    ),
    "end-coup": CommandWords("Clear the cards away", "The coup is over."),
    # irregularities, rulings and corrections
    "report-irregularity": CommandWords(
        "Something went wrong with the cards", "The rule says what follows."
    ),
    "confirm-finding": CommandWords("Uphold what was reported", "Or not: then play goes on."),
    "rule-on": CommandWords(
        "Give a ruling",
        "The document leaves it to a person. If the coup stands, a card still owed is dealt; if it"
        " is void, all wagers go back.",
    ),
    "void-coup": CommandWords("Declare the coup void", "Disrupted, impractical, or fraud."),
    "void-wagers": CommandWords("Void a player's wagers", "They go back; the coup stands."),
    "void-earlier": CommandWords(
        "An error in an earlier coup", "Found after the next one had begun."
    ),
    "correct-card": CommandWords(
        "A card was keyed wrong", "The record is put right, the coup worked out again."
    ),
    "correct-coup": CommandWords(
        "Several cards of a coup were keyed wrong",
        "Give them all as they left the shoe, 4d@p for one laid on Player, 4d@- for one laid"
        " nowhere; the coup is worked out again.",
    ),
    "correct-wager": CommandWords(
        "A wager was keyed late or wrong", "What lay in time counts, 0 if nothing did."
    ),
    "correct-burn": CommandWords(
        "The burn was keyed wrong", "As it was made; the cards of the shoe are counted anew."
    ),
    "correct-marker": CommandWords("The marker was not seen after all", "It is still in the shoe."),
    "correct-finding": CommandWords(
        "The shoe was in order after all",
        "No card lay face up in it, or nobody disturbed it: the next coup is not barred.",
    ),
    "correct-excess": CommandWords(
        "A card drawn between coups was keyed wrong",
        "Give all that were drawn after the coup, 4d@p for one laid on Player, ?? for one that"
        " nobody saw; nothing if none was.",
    ),
    "correct-payment": CommandWords("A payment was wrong", "Too little, or (below zero) too much."),
    "take-back": CommandWords(
        "Take back what was a mistake",
        "A no-bet coup, cards touched, a void, wagers void, the end of the shoe, the closing of the"
        " table or the notice of it: it goes, and what had been paid is paid again.",
    ),
    "touched": CommandWords("A player touched cards", "Without being passed them."),
    "raise-dispute": CommandWords("Raise a dispute", "It is recorded until somebody decides it."),
    "decide-dispute": CommandWords("Decide a dispute", "The decision is recorded."),
    "request-review": CommandWords("Ask for a review", "By the inspectors of the regulator."),
    "record-incident": CommandWords(
        "Record an incident", "Partnership, advice, hidden chips and the like."
    ),
    "approve": CommandWords("Approve", "What another person has proposed."),
    "drop-proposal": CommandWords("Turn down", "What was proposed does not happen."),
    # what a competition adds
    "allot-chips": CommandWords("Allot chips", "Every player gets the same."),
    "ask-for-wager": CommandWords("Ask a seat for its wager", "Their time runs from here."),
    "close-window": CommandWords("A player's time is over", "They may still make the minimum."),
    "mark-absent": CommandWords("A player is absent", "Or is back."),
    "raise-limits": CommandWords("Raise the limits", "As announced, after the indicator card."),
    "take-seat": CommandWords("A player takes the seat", "The one that was allotted."),
    "name-substitute": CommandWords("Name a substitute", "Somebody plays for a player."),
    "give-direction": CommandWords("Give a direction", "The director's, on record."),
    "draw-for-coups": CommandWords("Draw for coups", "A card says how many are played off."),
    "lodge-form": CommandWords(
        "Hand in a secret wager", "In turn, before the call; it is sealed until the result."
    ),
    "lodge-secret": CommandWords("A form is lodged", "By the commitment to it alone."),
    "examine-secret": CommandWords(
        "Examine a form", "After the call, before the cards: accept it, or send it back."
    ),
    "announce-secrets": CommandWords(
        "Announce the secret wagers", "In a final's last coup, before the cards."
    ),
    "inspect-form": CommandWords(
        "Look at a player's form", "After its coup, until the first card of the next."
    ),
    "correct-chips": CommandWords("Correct a player's chips", "As counted; two people."),
    "reinstate": CommandWords(
        "Reinstate a player", "Whom a coup eliminated that fell; two people."
    ),
    # the cage
    "open-account": CommandWords("Open an account", "For a patron who has been enrolled."),
    "deposit": CommandWords("Pay in", "Money into a patron's account."),
    "withdraw": CommandWords("Pay out", "Money from a patron's account."),
    "open-tray": CommandWords("Open a tray", "The chips a table starts with."),
    "request-slip": CommandWords("Ask for a fill or credit", "Chips to a table, or back from it."),
    "complete-slip": CommandWords("Complete a slip", "By a second person."),
    "void-slip": CommandWords("Void a slip", "Its number stays on record."),
    "count-tray": CommandWords("Count a tray", "Held against what it should have."),
    "open-drawer": CommandWords("Open my drawer", "With the float it begins the shift with."),
    "close-drawer": CommandWords(
        "Count the drawer", "At the end of a shift; the difference is on record."
    ),
    # the register
    "enrol": CommandWords("Enrol a person", "Staff or patron, by an id without meaning."),
    "disable": CommandWords("Disable a person", "Off duty and signed out everywhere at once."),
    "enable": CommandWords("Enable a person again", "As before."),
    "erase": CommandWords(
        "Erase what is personal", "Of somebody who has left; what their id did stays on record."
    ),
    "grant": CommandWords("Give a role", "In the whole house, or at one table."),
    "set-guests": CommandWords(
        "Guest seats",
        "Where visitors play for play money without an account, and how many at a time; nowhere if"
        " left empty.",
        SAVE,
    ),
    "set-preset": CommandWords(
        "Keep a preset",
        "What tables of one kind are opened with: notice, tray, shoe. One of the same name is"
        " replaced.",
    ),
    "drop-preset": CommandWords("Drop a preset", "Open tables stay as they are."),
    "revoke": CommandWords("Take a role away", "At once."),
    "exclude-oneself": CommandWords(
        "Shut myself out",
        "No sign-in, no chips and no entry for so many days. Nobody can end it sooner.",
    ),
    "set-own-limits": CommandWords(
        "My limits",
        "What you lower holds at once. What you raise holds when you ask for it again, a day"
        " later.",
        SAVE,
    ),
    "set-watch": CommandWords(
        "What is watched",
        "Whether staff must have a second factor, and from which amounts on wagers, wins and"
        " payments at the cage are significant events. Amounts count from an hour after it is set.",
        SAVE,
    ),
    "name-founder": CommandWords(
        "Name a second founder",
        "From then on it takes two people to give roles, to pay in or out above a limit, and to put"
        " right more than a coup could have paid. It cannot be taken back.",
    ),
    "set-two-people": CommandWords(
        "Two people",
        "For how many days somebody new counts as one with whoever enrolled them, and above which"
        " amount money is paid in or out by two people. What one person alone takes in from a"
        " patron, or pays out to them, is counted together over a gaming day.",
        SAVE,
    ),
    "set-gaming-day": CommandWords(
        "Gaming day",
        "When a gaming day begins, by the tables' own clock. Reports count what is played before it"
        " to the day before. It counts for coups from an hour after it is set.",
        SAVE,
    ),
    "set-time-zone": CommandWords(
        "Time zone",
        "Where the house is. Pages, papers and files show its time from now on; gaming days are"
        " counted by it from an hour after it is set, tables that are open with them. What was"
        " played before stays on its day. It is on record what clocks there will show: if a law"
        " changes that, set it again.",
        SAVE,
    ),
    "set-reminder": CommandWords(
        "Reminder of time played",
        "After so many minutes of play a player is told how long it has been, and until they say"
        " that they know. Each can choose another interval for themselves.",
        SAVE,
    ),
    "set-retention": CommandWords(
        "How long things are kept",
        "In days; empty or 0: for ever. Nothing is deleted by it. Management is reminded here of"
        " what the house has kept for longer; logs and recordings are kept outside it, by whoever"
        " runs it.",
        SAVE,
    ),
    "set-look": CommandWords(
        "Name and colours of the house",
        "As every page shows them. What is left empty is as usual; without a currency amounts are"
        " bare numbers.",
        SAVE,
    ),
    "set-logo": CommandWords(
        "Logo of the house",
        "A PNG of at most 32 kB. Without a file there is none.",
        SAVE,
    ),
    "name-table": CommandWords(
        "Name, felt and pit of a table",
        "As pages show them; its id stays what it is. Tables of one pit are overseen together.",
        SAVE,
    ),
    "set-chips": CommandWords(
        "Chips of the house",
        "What each is worth, and its colours. A line without an amount is no chip; without any, the"
        " usual ones.",
        SAVE,
    ),
    "set-tempo": CommandWords(
        "Tempo",
        "How long bots and the house's own shoe take, in seconds; for the whole house, or for one"
        " table. Left empty throughout, a table keeps the house's tempo.",
        SAVE,
    ),
}

OWN: dict[str, CommandWords] = {
    "sit": CommandWords("Take a seat", "One that is free."),
    "stand-at": CommandWords("Stand behind a box", "To bet there without a seat."),
    "leave": CommandWords("Leave the table", "Nothing of yours may lie on the layout."),
    "refuse-cut": CommandWords("Decline the cut", "It goes on to the next."),
    "place-wager": CommandWords("Place a wager", "In the box you are at."),
    "change-wager": CommandWords("Change my wager", "Say what it amounts to from now on."),
    "withdraw-wager": CommandWords(
        "Take my wager back", "While bets are open; later it still counts."
    ),
    "ask-face-down": CommandWords("Ask for face-down cards", "To turn the cards yourself."),
    "withdraw-face-down": CommandWords("No face-down cards any more", "You asked for them."),
    "consent-to-change": CommandWords(
        "Agree to the change", "If every player does, it need not wait."
    ),
}
"""Commands that are called something else when a player gives them for themselves."""

GROUPS: dict[str, tuple[str, ...]] = {
    "Waiting for you": ("approve", "drop-proposal", "confirm-finding", "rule-on", "decide-dispute"),
    "Players": (
        "sit", "stand-at", "leave", "buy-in", "cash-out", "require-vacate", "agree-limits",
        "exclude", "readmit", "mark-absent", "take-seat", "name-substitute", "reinstate",
    ),
    "Wagers": (
        "place-wager", "change-wager", "withdraw-wager", "lay-wagers", "reduce-wagers",
        "no-more-bets", "open-coup", "close-coup", "allow-free-coups", "ask-no-bet-coup",
        "agree-no-bet-coup", "direct-no-bet-coup", "ask-for-wager", "close-window", "allot-chips",
        "raise-limits", "draw-for-coups", "give-direction", "correct-chips",
        "lodge-form", "examine-secret", "announce-secrets", "inspect-form",
    ),
    "Cards and shoe": (
        "deal", "draw-card", "turn-card", "deal-carried", "turn-carried", "burn-cards",
        "see-marker", "see-indicator", "declare-result", "end-coup", "check-cards", "shuffle",
        "shuffle-house", "add-words", "cut-cards", "refuse-cut", "load-shoe", "change-cards",
        "end-shoe", "check-cards-at-end", "open-order",
    ),
    "Face-down cards": (
        "ask-face-down", "withdraw-face-down", "acknowledge-face-down", "set-face-down",
        "name-exposer", "pass-cards", "refuse-cards",
    ),
    "Mistakes and rulings": (
        "report-irregularity", "void-coup", "void-wagers", "void-earlier", "correct-card",
        "correct-coup", "correct-wager", "correct-burn", "correct-marker", "correct-finding",
        "correct-excess", "correct-payment", "take-back", "touched", "record-incident",
        "raise-dispute", "request-review",
    ),
    "Notice and hours": (
        "post-change", "consent-to-change", "apply-change", "drop-change", "open-table",
        "begin-gaming-day", "give-closing-notice", "close-table", "sign-on", "sign-off",
    ),
}  # fmt: skip
"""Commands of a table by subject, as a page groups them; each is in exactly one group."""

FIELDS: dict[str, str] = {
    "what": "What is taken back",
    "about": "What it is about",
    "absent": "Absent",
    "minutes": "Minutes of play in a gaming day",
    "day_cents": "Most to lose in a gaming day",
    "week_cents": "Most to lose in seven gaming days",
    "remind_minutes": "Told after so many minutes of play",
    "accent": "Colour of buttons and links",
    "asked_by": "Who asked",
    "backs": "Backs of the cards",
    "behind": "Cards behind the marker, if counted",
    "behind_marker": "Cards behind the marker",
    "box": "Box",
    "burn": "Cards burned at the start of a shoe",
    "card": "Card, rank and suit: 9c for 9♣, kd for K♦",
    "correct-card.card": "What it really is: rank and suit, 9c for 9♣, kd for K♦",
    "draw-card.card": "The card that was laid, empty where nobody has seen it: 9c for 9♣, kd for"
    " K♦",
    "draw-card.card.named": "The card that was laid, 9c for 9♣, kd for K♦",
    "cards": "Cards, one after another: 9c for 9♣, kd for K♦",
    "cause": "Because",
    "cents": "Amount",
    "cash_cents": "Most that one person pays in or out; leave it empty for no limit",
    "days": "Days for which a newcomer does not count",
    "chips": "Chips, from the smallest to the largest",
    "cash": "Cash by denomination, such as 50 x 12",
    "chips@piles": "Chips by denomination, such as 25 x 40",
    "chip_cents": "Smallest chip",
    "closing_ms": "Closes at, by the clock at the table",
    "collective_liability_cents": "Collective liability, if any",
    "common_pairs_box": "One pairs box for all",
    "conditions.allotment_cents": "Competition: chips for each player",
    "conditions.chips": "Competition: kind of chips",
    "conditions.competition": "Competition (leave empty if it is none)",
    "conditions.face_down": "Competition: cards face down",
    "conditions.first_seat": "Competition: who bets first, by seat",
    "conditions.raised_limits.max_cents": "Competition: raised maximum",
    "conditions.raised_limits.min_cents": "Competition: raised minimum",
    "conditions.raised_limits.multiple_cents": "Competition: raised multiple",
    "counted_cents": "Counted",
    "coup": "Coup",
    "coups": "How many",
    "currency": "Currency",
    "decision": "Decision",
    "decks": "Decks",
    "cut-cards.seat": "Seat, empty if you cut yourself",
    "depth": "How many cards deep, as near as it can be seen",
    "dispute": "Dispute",
    "down": "Face down",
    "effective": "In force since, if the document does not say",
    "exposed": "Card shown, if one is",
    "face_down": "Cards burned face down",
    "felt": "Colour of the felt",
    "found": "What was found",
    "from_ms": "Holds from, by the clock at the table",
    "begins": "Begins at, such as 06:00",
    "second_factor": "Staff must have a second factor",
    "wager_cents": "Wagers from (0: none)",
    "win_cents": "Wins from (0: none)",
    "payment_cents": "Payments at the cage from (0: none)",
    "gaming_day": "Gaming day",
    "hours": "Hours",
    "zone": "Time zone",
    "record_days": "Days the record is kept",
    "photos_days": "Days photos of incidents are kept",
    "logs_days": "Days logs of the program are kept",
    "recordings_days": "Days recordings of cameras are kept",
    "utc_minutes": "Local time, minutes ahead of UTC",
    "pit": "Pit that it stands in, such as Pit 1",
    "play_cents": "Play chips for everybody, worth nothing (0: a table for money)",
    "seats": "Seats",
    "indicator": "With the indicator card",
    "kind": "Kind",
    "laid": "Laid on",
    "layout": "Layout",
    "leftover": "A card left over",
    "limits.max_cents": "Maximum",
    "limits.min_cents": "Minimum",
    "limits.multiple_cents": "In multiples of, if any",
    "machine": "Machine; empty: by hand",
    "machines": "Shuffle machines, as name = approval",
    "method": "Method of payment",
    "missing": "Missing cards, if any: 9c for 9♣, kd for K♦",
    "name": "Name",
    "note": "Note",
    "notice.limits.max_cents": "Player and Banker: maximum",
    "notice.limits.min_cents": "Player and Banker: minimum",
    "notice.limits.multiple_cents": "Player and Banker: in multiples of, if any",
    "notice.pairs_limits.max_cents": "Pairs: maximum",
    "notice.pairs_limits.min_cents": "Pairs: minimum",
    "notice.pairs_limits.multiple_cents": "Pairs: in multiples of, if any",
    "notice.tie_limits.max_cents": "Tie: maximum",
    "notice.tie_limits.min_cents": "Tie: minimum",
    "notice.tie_limits.multiple_cents": "Tie: in multiples of, if any",
    "number": "Number",
    "numbering": "Seats numbered",
    "on": "On",
    "pairs": "Pairs option; empty: none",
    "pairs_approval": "Approval of the pairs layout",
    "people": "People",
    "sign-off.person": "Whose duty, yours where it is left unsaid",
    "person": "Person",
    "figures": "Amount in figures",
    "words": "Amount in words",
    "add-words.words": "Your words",
    "examine-secret.person": "Whose form",
    "examine-secret.verdict": "The form is",
    "wagers": "Wagers, such as banker 200 tie 5; empty: none",
    "reasons": "What is wrong with it",
    "whose": "Whose form",
    "player": "Checked by which player, if any",
    "png": "PNG file",
    "position": "Which card of the coup, as they left the shoe",
    "prechecked_lot": "Lot, if checked beforehand",
    "proposal": "Proposal",
    "role": "Role",
    "rounding": "Payouts the chips cannot make go",
    "ruleset": "Rule set",
    "seat": "Seat",
    "set_id": "Set of cards",
    "shoe": "Shoe, by the number on it",
    "shoe_approval": "Approval of the shoe",
    "side": "Hand",
    "surplus": "Surplus cards, if any: 9c for 9♣, kd for K♦",
    "substitute": "Who plays for them; empty if they are back",
    "table": "Table",
    "tray_cents": "Chips in the tray, if it is to be opened with the table",
    "table_approval": "Approval of the table",
    "tempo.bets_ms": "Time for bets, in seconds",
    "tempo.card_ms": "From card to card",
    "tempo.third_ms": "Before a third card",
    "tempo.declare_ms": "From the last card to the result",
    "tempo.result_ms": "How long a result stays",
    "tempo.turn_ms": "For each face-down card a player turns",
    "table_differential_cents": "Table differential, if any",
    "to": "To whom; empty: as the rule says",
    "until_ms": "Bets until how many minutes from now; empty: no clock",
    "upheld": "Upheld",
    "verdict": "The coup",
}

INCIDENTS: dict[str, str] = {
    "partnership": "Players betting as partners",
    "cards-removed": "Cards taken off the table",
    "cards-touched": "Cards touched by a player",
    "chips-hidden": "Chips hidden",
    "advice": "Advice on how to bet",
    "advice-sought": "Advice sought",
    "advantage": "An advantage offered or taken",
    "influence": "Influence on another player",
    "side-bet": "A side bet between players",
    "wagers-void": "A player's wagers made void",
    "dealt-face-up": "A card dealt face up in a face-down coup",
    "other": "Something else",
}
"""Kinds of incident, as a page says them."""

FORM_FAULTS: dict[str, str] = {
    "none-left": "none is left",
    "absent": "the player is away",
    "type-not-shown": "the type is not shown",
    "words-and-figures-differ": "words and figures differ",
    "not-in-units": "not in units",
    "below-minimum": "below the minimum",
    "above-maximum": "above the maximum",
    "both-sides": "on the other side than the chips",
    "no-wager-on-banker-or-player": "no wager on Banker or Player beside it",
    "more-than-held": "more than the player holds",
}
"""What can be wrong with the form of a secret wager, by its kind."""

MOST_BURNED = 13
"""The most cards whose burn a sentence counts."""
VALUES: dict[str, str] = {
    **{f"reasons.{fault}": says for fault, says in FORM_FAULTS.items()},
    **{f"kind.{kind}": says for kind, says in INCIDENTS.items()},
    "true": "yes",
    "false": "no",
    "side.player": "Player",
    "side.banker": "Banker",
    "kind.advice": "advice sought or given",
    "kind.advantage": "an unfair advantage",
    "kind.influence": "somebody was influenced",
    "kind.side-bet": "a bet between players",
    "kind.chips-hidden": "chips hidden or covered",
    "kind.partnership": "partners play as one",
    "kind.cards-removed": "cards taken from the table",
    "kind.cards-touched": "cards touched",
    "kind.other": "something else",
    "kind.fill": "fill: chips to the table",
    "kind.credit": "credit: chips back from the table",
    "cards.1": "1 card",
    **{f"cards.{count}": f"{count} cards" for count in range(2, MOST_BURNED + 1)},
    "burn.unseen": "yes, unseen",
    "burn.exposed": "yes, the first one shown",
    "rounding.up": "up, for the player",
    "rounding.down": "down, for the house",
    "leftover.discard": "is discarded",
    "leftover.first-of-next": "begins the next coup",
    "verdict.stands": "stands",
    "verdict.void": "is void",
    "upheld.true": "Yes: it is as reported",
    "upheld.false": "No: play goes on",
    "down.true": "face down",
    "down.false": "face up",
    "absent.true": "is absent",
    "absent.false": "is back",
    "cause.placement": "a card was laid on the wrong hand",
    "cause.disrupted": "play was disrupted",
    "cause.impractical": "it cannot be completed",
    "cause.fraud": "of fraud",
    "laid.player": "Player's hand",
    "laid.banker": "Banker's hand",
    "laid.nowhere": "no hand",
    "found.cards-out-of-order": "Cards on the wrong hand, too many or too few; the order is known",
    "found.wrong-number-of-cards": "A hand has too many or too few cards; the order is not known",
    "found.face-up-in-shoe": "A card lies face up in the shoe",
    "found.order-unknown": "Nobody knows in which order the cards came",
    "found.initial-order-unknown": "Cards of the first four came together, order unknown",
    "found.shoe-disturbed": "The order of the cards in the shoe was changed",
    "found.insufficient-cards": "Not enough cards to finish the coup",
    "found.foreign-card": "A card that does not belong to this shoe",
    "found.burn-forgotten": "The cards were not burned",
    "found.found-late": "An error noticed only after the next coup began",
    "what.no-bet-coup": "that the coup is a no-bet coup",
    "what.touched": "that cards were touched",
    "what.void": "that the coup is void",
    "what.wagers-void": "that a player's wagers are void",
    "what.end-shoe": "the end of the shoe",
    "what.close-table": "the closing of the table",
    "what.closing-notice": "the notice that the table closes",
}
"""The words for a choice in a form whose stored value would not be understood."""
NONE = "none"
"""Said of a list that is empty."""


MISSING: dict[str, str] = {
    "amounts": "Write the amounts, such as 5000 3000.",
    "card": "Name the card by rank and suit: 9c for 9♣, 10h for 10♥.",
    "cards": "Name the cards by rank and suit: 9c for 9♣, 10h for 10♥.",
    "chips": "Say for each chip what it is worth.",
    "choice": "Choose one.",
    "colour": "Choose a colour.",
    "date": "Choose a day.",
    "drawn": "Name the cards in the order in which they left the shoe: 9c kd 10h for 9♣ K♦ 10♥.",
    "groups": "Write a line for each group.",
    "list": "Choose at least one.",
    "minutes": "Write a number of minutes, such as 30.",
    "money": "Write an amount, such as 25 or 12.50.",
    "number": "Write a whole number.",
    "piles": "Write a line for each value, such as 25 x 40.",
    "seating": "Write a line for each table: the table, a colon and its people.",
    "seconds": "Write a number of seconds, such as 15 or 0.55.",
    "spoken": "Write a line for each witness: who spoke, a colon and the words.",
    "stakes": "Write an option and an amount: banker 200 tie 5.",
    "start": "Write a day and a time, such as 2026-03-14 18:00, or minutes from now, such as 30.",
    "text": "Write something here.",
    "time": "Choose a time of day.",
}
"""A field that is needed and was left empty, by its kind."""

WRONG: dict[str, str] = {
    "amount": "“{text}” is not an amount of money. Write figures, such as 25 or 12.50.",
    "card": "“{text}” is not a card. Write rank and suit: 9c for 9♣, 10h for 10♥.",
    "chips": "“{text}” is not a chip. Give its amount, and choose its colours.",
    "choice": "“{text}” is not one of the choices. Choose one of those listed.",
    "colour": "“{text}” is not a colour. Write it as #20634a.",
    "date": "“{text}” is not a day. Write it as 2026-06-14.",
    "drawn": "“{text}” cannot be read. Write the cards as 9c kd 10h for 9♣ K♦ 10♥; 4d@p if 4♦"
    " lay on Player.",
    "from-to": "“{text}” is outside what can be. Write {least} to {most}.",
    "least": "“{text}” is too little. Write {least} or more.",
    "letters": "“{text}” has a character that cannot be used here. Use letters, figures and . - _",
    "long": "This has {count} characters. Use at most {most}.",
    "many": "There are too many. Give at most {most}.",
    "minutes": "“{text}” is not a number of minutes, such as 30.",
    "most": "“{text}” is too much. Write {most} or less.",
    "nobody": "Nobody here is called “{text}”. Write the name or number of somebody enrolled.",
    "number": "“{text}” is not a whole number. Write figures, such as 3.",
    "otherwise": "This cannot be read. Type it again.",
    "pairs": "“{text}” cannot be read. Write machine = approval, one after another with commas.",
    "piles": "“{text}” cannot be read. Write value and number, such as 25 x 40.",
    "picture": "This file is too large, or it is no picture. Choose a PNG of at most 32 kB.",
    "seat": "“{text}” cannot be read. Write cy@5 for somebody at seat 5.",
    "seat-taken": "Seat {seat} is somebody else's.",
    "seating": "“{text}” cannot be read. Write each table once, a colon and its people.",
    "seconds": "“{text}” is not a number of seconds, such as 15 or 0.55.",
    "spoken": "“{text}” cannot be read. Write who spoke, a colon and the words.",
    "wager": "“{text}” is not a wager. Write box, letter and amount: 3 b 500.",
    "stakes": "“{text}” cannot be read. Write an option and an amount: banker 200 tie 5.",
    "start": "“{text}” is no day with a time. Write it as 2026-03-14 18:00, or minutes from now.",
    "time": "“{text}” is not a time of day, such as 21:30.",
    "unknown": "“{text}” is no field of this form. Open the form anew.",
    "zone": "“{text}” is not the name of a time zone. Write one such as Australia/Hobart.",
    "unseen": "There is a character in this that cannot be seen or kept. Type it again.",
}
"""What was typed and cannot be, in words that say what can."""

SUMMARY: dict[str, str] = {
    "forms.one": "There is a problem",
    "forms.many": "{count} things to put right",
    "forms.error": "Error:",
    "forms.at": "{label}: {says}",
    "forms.as-usual": "As usual",
    "forms.unsaid": "left unsaid",
    "forms.coup": "Coup {number}{result}",
    "forms.coup.now": "Coup {number}, now",
    "forms.card-of": "{nth}: {card}, {side}",
    "forms.card-of.nobody": "{nth}: {card}, nobody's",
    "forms.coup.first": "Before the first coup",
    "forms.coup.player": ", Player won",
    "forms.coup.banker": ", Banker won",
    "forms.coup.tie": ", a tie",
    "forms.seat-of": "{seat}, {who}",
    "forms.utc": "UTC{hours}",
    "forms.slip": "{number}: {kind} of {amount}, {table}",
}
"""What pages say around the fields of a form."""


class WhatHappened(NamedTuple):
    """One answer to "what happened?"."""

    says: str
    command: str
    facts: Mapping[str, str] = MappingProxyType({})


LAST_COUP = "last"
"""Stands for the number of the coup whose cards lie on the table, or lay there last."""
HAPPENED: tuple[tuple[str, tuple[WhatHappened, ...]], ...] = (
    (
        "The cards",
        (
            WhatHappened(
                "A card that was not Player's was laid on Player",
                "draw-card",
                {"laid": "player"},
            ),
            WhatHappened(
                "A card that was not Banker's was laid on Banker",
                "draw-card",
                {"laid": "banker"},
            ),
            WhatHappened(
                "A card came out that nobody was owed, or while bets were made",
                "draw-card",
                {"laid": "nowhere"},
            ),
            WhatHappened(
                "A hand has too many or too few cards, and nobody can put them in order",
                "report-irregularity",
                {"found": "wrong-number-of-cards"},
            ),
            WhatHappened(
                "Two of the first four cards came together; which was first is not known",
                "report-irregularity",
                {"found": "initial-order-unknown"},
            ),
            WhatHappened(
                "Cards were dealt and nobody knows in which order",
                "report-irregularity",
                {"found": "order-unknown"},
            ),
            WhatHappened(
                "A card that is not of this shoe has turned up",
                "report-irregularity",
                {"found": "foreign-card"},
            ),
            WhatHappened("A card was keyed or scanned wrong", "correct-card", {"coup": LAST_COUP}),
            WhatHappened(
                "Several cards were keyed wrong, or one too many or too few", "correct-coup"
            ),
            WhatHappened("A card is marked or damaged", "change-cards"),
        ),
    ),
    (
        "The shoe",
        (
            WhatHappened(
                "A card lies face up in the shoe",
                "report-irregularity",
                {"found": "face-up-in-shoe"},
            ),
            WhatHappened(
                "Cards in the shoe were disturbed, dropped or mixed up",
                "report-irregularity",
                {"found": "shoe-disturbed"},
            ),
            WhatHappened(
                "There are not enough cards to finish the coup",
                "report-irregularity",
                {"found": "insufficient-cards"},
            ),
            WhatHappened(
                "The burn at the start of the shoe was forgotten",
                "report-irregularity",
                {"found": "burn-forgotten"},
            ),
            WhatHappened(
                "A card face up, or a disturbed shoe, was reported and was not so",
                "correct-finding",
            ),
            WhatHappened(
                "A card drawn between coups was keyed wrong, or not at all", "correct-excess"
            ),
            WhatHappened("The burn was keyed wrong, or none was made", "correct-burn"),
            WhatHappened(
                "The shoe was ended by mistake, and its cards lie as they were",
                "take-back",
                {"what": "end-shoe"},
            ),
            WhatHappened("The marker came out", "see-marker"),
            WhatHappened("The marker was keyed as seen and is still in the shoe", "correct-marker"),
        ),
    ),
    (
        "Wagers and payments",
        (
            WhatHappened("A wager was placed too late, or added to", "place-wager"),
            WhatHappened("A wager was taken back too late", "withdraw-wager"),
            WhatHappened(
                "A wager lay in time and was keyed late, wrong or not at all", "correct-wager"
            ),
            WhatHappened("Somebody was paid too little or too much", "correct-payment"),
            WhatHappened("A player's wagers must not stand", "void-wagers"),
        ),
    ),
    (
        "An earlier coup",
        (
            WhatHappened("A card of an earlier coup was keyed wrong", "correct-card"),
            WhatHappened(
                "Cards were laid wrong in a coup after which another has begun",
                "void-earlier",
                {"cause": "placement"},
            ),
            WhatHappened(
                "An earlier coup was disrupted, or somebody cheated in it",
                "void-earlier",
                {"cause": "fraud"},
            ),
        ),
    ),
    (
        "People and play",
        (
            WhatHappened("A player touched cards that were not passed to them", "touched"),
            WhatHappened(
                "Cards were said to be touched, and nobody had", "take-back", {"what": "touched"}
            ),
            WhatHappened("A coup was declared void by mistake", "take-back", {"what": "void"}),
            WhatHappened(
                "A player's wagers were declared void by mistake",
                "take-back",
                {"what": "wagers-void"},
            ),
            WhatHappened(
                "A no-bet coup was directed that not all agreed to",
                "take-back",
                {"what": "no-bet-coup"},
            ),
            WhatHappened("The wrong table was closed", "take-back", {"what": "close-table"}),
            WhatHappened(
                "Notice of closing was given at the wrong table",
                "take-back",
                {"what": "closing-notice"},
            ),
            WhatHappened("Play was disrupted, or the coup cannot be finished", "void-coup"),
            WhatHappened("A player disputes what happened", "raise-dispute"),
            WhatHappened("A player must leave the game", "exclude"),
            WhatHappened(
                "Something else that must be on record: partners, advice, hidden chips",
                "record-incident",
            ),
        ),
    ),
)
"""What can go wrong at a table, as people say it, and the command that puts it on record."""

OF_A_COUP = (
    "draw-card:player", "draw-card:banker", "correct-card:last", "place-wager", "draw-card:nowhere",
    "report-irregularity:initial-order-unknown", "touched", "raise-dispute",
    "report-irregularity:face-up-in-shoe", "report-irregularity:insufficient-cards",
    "correct-coup", "report-irregularity:foreign-card", "see-marker",
)  # fmt: skip
BETWEEN_COUPS = (
    "correct-payment", "correct-card:last", "correct-wager", "draw-card:nowhere", "correct-coup",
    "see-marker", "raise-dispute", "touched", "report-irregularity:burn-forgotten",
    "correct-burn", "report-irregularity:face-up-in-shoe", "void-earlier:placement",
    "record-incident",
)  # fmt: skip
LIKELY: dict[str, tuple[str, ...]] = {
    "betting": (
        "draw-card:nowhere", "withdraw-wager", "correct-payment", "correct-card:last",
        "raise-dispute", "touched", "report-irregularity:face-up-in-shoe", "see-marker",
        "correct-wager", "report-irregularity:shoe-disturbed", "record-incident",
    ),
    "dealing": OF_A_COUP,
    "held": (
        "raise-dispute", "correct-card:last", "touched", "record-incident", "see-marker",
        "void-coup", "correct-wager", "exclude",
    ),
    "settled": (
        "correct-card:last", "correct-payment", "correct-wager", "draw-card:nowhere",
        "raise-dispute", "correct-coup", "touched", "see-marker", "void-coup",
        "report-irregularity:foreign-card",
    ),
    "ready": BETWEEN_COUPS,
    "preparing": (
        "take-back:end-shoe", "correct-payment", "correct-card:last", "correct-wager",
        "change-cards", "raise-dispute", "record-incident", "void-earlier:placement", "exclude",
    ),
    "shut": ("correct-payment", "correct-card:last", "correct-wager", "raise-dispute"),
    "over": ("correct-payment", "correct-card:last", "correct-wager", "raise-dispute", "touched"),
}  # fmt: skip
"""What most likely happened, by the phase of the table, the likeliest first: a command, and the
fact that tells it from others of its kind.
"""
