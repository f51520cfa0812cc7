"""Editions of the deciders: what has changed in what they decide since rows keep their commands.

Verification decides each row again. `EDITION` is raised by every change after which a command
that was once accepted would bring about other events, or be refused; `CHANGES` then names the
commands concerned, so that honest rows of an earlier edition are not taken for forgeries.
"""

from msgspec import Struct

EDITION = 8
"""The edition of this program's deciders, which every envelope records."""


class Change(Struct, frozen=True):
    """One difference between an edition and the one before it."""

    edition: int
    """The first edition that decides in the new way."""
    commands: tuple[str, ...]
    """The tags of the commands that may be decided differently."""
    clause: str
    differs: str
    why: str


CHANGES: tuple[Change, ...] = (
    Change(
        2,
        ("report-irregularity",),
        "conditions",
        "once a result is declared, a report that would void the coup is a proposal",
        "one person alone could take back what had been paid",
    ),
    Change(
        2,
        ("change-wager",),
        "tas-2018:7.3(b)",
        "a wager that was cut back stays cut when a late chip is noted on it",
        "the whole wager was returned as one below the minimum",
    ),
    Change(
        2,
        ("correct-card",),
        "conditions",
        "one card alone never voids a coup that was over; a card left over is ruled again",
        "two cards corrected one after the other voided a coup for good",
    ),
    Change(
        2,
        ("void-earlier", "correct-card", "report-irregularity"),
        "act-2015:12.5",
        "a change of shoe is not the beginning of the next coup",
        "a shoe's last coup was taken for one that another had followed",
    ),
    Change(
        2,
        ("close-table",),
        "conditions",
        "what the bank won in competition chips leaves the table's books with them",
        "a table opened again for money began with the bank's gain in competition chips",
    ),
    Change(
        2,
        ("draw-card", "deal-carried"),
        "tas-2018:3",
        "no first card is dealt while somebody is missing whom the rules want",
        "a round could begin with nobody to answer for it",
    ),
    Change(
        2,
        ("draw-card",),
        "tas-2018:9.3",
        "a card dealt face up in a face-down coup is noted as an incident",
        "what happened could not be told from what should have",
    ),
    Change(
        2,
        ("report-irregularity", "confirm-finding"),
        "mbs-2017:5.4",
        "cards that came together once four were dealt are no longer of the initial deal",
        "third cards drawn together cited the clause of the initial deal",
    ),
    Change(
        2,
        ("report-irregularity", "confirm-finding"),
        "tas-2018:14.4",
        "a card seen in the shoe while bets lie: the rule's event says that the coup is void",
        "it said that the coup stands, and the next event that it is void",
    ),
    Change(
        2,
        ("open-table", "post-change", "agree-limits"),
        "tas-2018:12.2",
        "limits and chips under which a winning wager is paid nothing are refused",
        "a smallest chip as large as the minimum, rounded down, paid a winning Banker nothing",
    ),
    Change(
        2,
        ("report-irregularity",),
        "mbs-2017:5.2",
        "a wrong number of cards reported after the next call is noted, and voids no game",
        "it voided the new game, of which no card was dealt",
    ),
    Change(
        2,
        ("reduce-wagers", "draw-card", "deal-carried", "no-more-bets"),
        "tas-2018:7.3(b)",
        "collective liability counts what lies within the maximum of each wager",
        "chips that go back anyhow took from what others had at stake",
    ),
    Change(
        2,
        ("require-vacate", "sit"),
        "act-2015:14.6",
        "who had to give up a seat sits again when somebody in charge seats them",
        "they could sit down again at once",
    ),
    Change(
        2,
        ("end-shoe",),
        "tas-2018:14.1",
        "ending a shoe instead of the ordered non-betting coup is a proposal",
        "one person could leave out a coup that the rule orders",
    ),
    Change(
        2,
        ("report-irregularity", "confirm-finding", "rule-on"),
        "tas-2018:14.6",
        "after a disturbed shoe nothing more is dealt from it",
        "its order was no shuffle any more",
    ),
    Change(
        2,
        ("deal-carried",),
        "tas-2018:14.1",
        "a card dealt to Player in error is named when it is dealt on, in squeeze play too",
        "it lies face up at the mouth of the shoe",
    ),
    Change(
        2,
        ("correct-card",),
        "tas-2018:7.5",
        "a correction from a tie to a win or loss advises the owner below the minimum",
        "the advice was left out",
    ),
    Change(
        2,
        ("open-table",),
        "mbs-2017:5.2",
        "a table whose conditions do not name what becomes of a leftover card is refused",
        "nobody could have known it",
    ),
    Change(
        2,
        ("place-wager", "change-wager", "withdraw-wager"),
        "act-2015:6.2(a)",
        "after the call devices take nothing more; a wager off the multiples cites their clause",
        "new wagers and raises came in after the call, and odd amounts went unnoticed",
    ),
    Change(
        3,
        ("correct-card", "correct-coup", "void-earlier"),
        "act-2015:5.7",
        "a coup opened after one with which the shoe has ended, as is known now, is not dealt",
        "the extra round was dealt though the tie that brought it was none",
    ),
    Change(
        3,
        ("correct-wager",),
        "tas-2018:7.5",
        "a wager of an earlier coup goes by the warnings, limits and places of that coup",
        "it went by today's, and nobody was told that a wager put right lay below the minimum",
    ),
    Change(
        3,
        (
            "void-earlier",
            "void-wagers",
            "correct-card",
            "correct-coup",
            "correct-wager",
            "report-irregularity",
        ),
        "tas-2018:7.5",
        "a warning is taken back with the coup, or the wager, that it was given for",
        "it outlived a coup that was voided later, and wagers were returned for nothing",
    ),
    Change(
        3,
        ("declare-result", "correct-card", "correct-coup", "correct-wager"),
        "tas-2018:12.2",
        "a win that would be rounded down to nothing is paid the smallest chip",
        "a wager below the minimum, or cut back to one chip, won and was paid nothing",
    ),
    Change(
        3,
        ("correct-coup", "correct-burn", "report-irregularity"),
        "tas-2018:9.4",
        "the shoe is counted by the cards put right: a card never dealt began no other coup, and "
        "a marker stays where it was seen",
        "the count of the shoe, and of the cards after the marker, went off",
    ),
    Change(
        3,
        ("correct-card", "correct-coup", "void-earlier"),
        "tas-2018:14.1",
        "a card left over is ruled again though a coup after it was void before its first card",
        "a card that was never dealt stayed to begin the next coup",
    ),
    Change(
        3,
        ("see-marker",),
        "tas-2018:14.2",
        "a marker seen before the next card discards a card left over that nobody saw",
        "the card began the next coup though the marker had shown behind it",
    ),
    Change(
        3,
        ("correct-card", "correct-coup", "correct-wager", "void-wagers", "void-earlier"),
        "act-2015:5.7",
        "a marker that came out after the last coup does not end the shoe with that coup",
        "the round in which the marker is drawn was left out",
    ),
    Change(
        3,
        ("place-wager", "change-wager", "withdraw-wager", "ask-for-wager"),
        "tas-2018:16.5.7",
        "in a competition every wager has its turn, of whatever kind, and what a Tie left lying is"
        " altered in order",
        "a Tie wager was never out of turn, and later seats could alter first",
    ),
    Change(
        3,
        ("no-more-bets", "draw-card", "deal-carried"),
        "tas-2018:16.5.12",
        "in a competition nobody is left at the call without the minimum, a Tie gives way to it,"
        " and play waits for a ruling on who is away where nothing is deducted",
        "a Tie wager could leave a coup that was neither dealt nor ended",
    ),
    Change(
        3,
        ("open-coup", "end-coup", "raise-limits"),
        "tas-2018:16.5.9",
        "an elimination names its coup, leaves chips worth money to the player, moves the puck on"
        " and follows any change of what is held; wagers ride over a void coup and a new shoe",
        "chips of a live player vanished, and nobody knew in which coup a player was out",
    ),
    Change(
        3,
        ("mark-absent", "open-table", "post-change"),
        "tas-2018:16.5.3",
        "who comes back after their turn misses the coup; announced limits only rise, and no others"
        " hold during a session",
        "limits could be announced below those of the start",
    ),
    Change(
        3,
        ("correct-coup",),
        "tas-2018:4.2",
        "cards put right once they were shuffled again are not counted as seen in the new shoe",
        "a card could be said to be on record more often than the set holds",
    ),
    Change(
        3,
        ("report-irregularity", "correct-wager"),
        "act-2015:14.3",
        "once pairs are paid two people void a coup, save by too few cards in a shoe that is low; a"
        " corrected wager that was cut back stays cut",
        "one person could take back what pairs had paid",
    ),
    Change(
        3,
        ("correct-wager",),
        "tas-2018:6.4",
        "a wager that is on no record is put right at a box where its owner could have laid it",
        "a correction could lay wagers at other people's boxes, each up to the maximum",
    ),
    Change(
        3,
        ("rule-on",),
        "act-2015:14.3",
        "a coup without a card is not dealt from a disturbed shoe, though it is ruled to stand",
        "its cards came from a shoe whose order was no shuffle any more",
    ),
    Change(
        3,
        ("open-table",),
        "mbs-2017:0.front",
        "a house's table is opened under a tournament's document for a competition alone, and for a"
        " competition only with a session of it",
        "an even-money Banker was played for money, and allotted chips belonged to no session",
    ),
    Change(
        3,
        ("correct-payment", "report-irregularity"),
        "act-2015:14.4",
        "money and a competition's chips are not put right in one another; a wrong number of cards"
        " before the table was opened again is left to a ruling on what was paid",
        "the books could mix the two, and a game was said to stand that nobody had looked at",
    ),
    Change(
        4,
        ("open-coup",),
        "conditions",
        "no puck is laid before anybody where all bet at once",
        "a seat was said to bet first where no order of betting holds",
    ),
    Change(
        4,
        ("correct-card", "correct-coup", "correct-excess", "correct-burn", "void-earlier"),
        "tas-2018:9.4",
        "a count put right behind the last coup ends the shoe; a coup opened since is not dealt",
        "a coup more was dealt after the marker and a card had been drawn",
    ),
    Change(
        4,
        ("correct-wager",),
        "tas-2018:7.3(b)",
        "a wager that was cut back is not put right beyond the liability that it was cut for",
        "what the dealer had given back lay on the hand again",
    ),
    Change(
        4,
        ("close-table",),
        "tas-2018:14.1",
        "closing a table instead of the ordered non-betting coup is a proposal, with a reason",
        "one person could leave out a coup that the rule orders",
    ),
    Change(
        4,
        ("report-irregularity",),
        "tas-2018:14.5",
        "too few cards in a shoe that has enough by its count are found by two people",
        "one person could void a coup for want of cards that were there",
    ),
    Change(
        4,
        ("void-earlier", "correct-card", "correct-coup", "report-irregularity"),
        "conditions",
        "an earlier coup that is void names the wagers that were in play",
        "a void that was a mistake could not be taken back",
    ),
    Change(
        4,
        ("no-more-bets", "draw-card", "deal-carried"),
        "tas-2018:9.3(a)",
        "a request for face-down cards ends when its asker has no wager as bets are locked",
        "one request slowed a table for ever, though its asker had stopped betting",
    ),
    Change(
        5,
        ("correct-coup",),
        "tas-2018:4.2",
        "a set that was shuffled and then checked again has shown no face",
        "cards put right in the coup before were counted as seen in the new shoe",
    ),
    Change(
        5,
        ("deposit", "open-account", "buy-in"),
        "conditions",
        "nothing is taken in for a patron who was shut out of the house",
        "money could be booked to somebody who may not play",
    ),
    Change(
        6,
        ("set-face-down",),
        "tas-2018:16.7.1(a)",
        "at a competition's table whose document deals face down nobody sets cards to be face up",
        "an inspector could do away with what the clause orders",
    ),
    Change(
        6,
        ("place-wager", "ask-for-wager"),
        "act-2015:15.15",
        "whoever's wager on a round was declared void has wagered on it, and does not again",
        "the void came to nothing, and those after them were warned for betting out of order",
    ),
    Change(
        6,
        ("start-session",),
        "tas-2018:16.3.4",
        "a session does not start before a time to which it was moved with notice",
        "whoever went by the notice was late",
    ),
    Change(
        7,
        ("correct-payment",),
        "conditions",
        "where chips are no money a payment is put right in whole chips, of which none are owed",
        "fractions of a chip and chips below zero stood in a competition's results",
    ),
    Change(
        7,
        ("end-shoe", "close-table"),
        "conditions",
        "ending one of the house's own shoes before its first coup, by itself or with its table, is"
        " a proposal; so is closing a table with cards that the house shuffled for no shoe",
        "one person could end shoe after shoe until the order of one suited somebody",
    ),
    Change(
        7,
        ("open-table",),
        "conditions",
        "an order that was never opened is on record as such where its table closed before its"
        " cards came into a shoe, too",
        "a commitment could be got rid of without a trace by closing the table",
    ),
    Change(
        7,
        ("publish", "key-draw", "disqualify", "confirm-places", "cancel", "rule"),
        "conditions",
        "what waits for a second person of a competition is not proposed again",
        "the second proposal could never be agreed to, and waited for ever",
    ),
    Change(
        7,
        ("show-key",),
        "conditions",
        "another key than the one on record is shown only by the word of two people",
        "a house could be started with any key, and took it silently for its own",
    ),
    Change(
        7,
        (
            *("sit", "stand-at", "apply", "pay-entry", "enter-at-desk"),
            *("add-reserve", "take-reserve", "substitute"),
        ),
        "conditions",
        "nobody is seated or entered who is shut out of the house",
        "only money was not taken for them: others could seat them, and enter them at a desk",
    ),
    Change(
        8,
        ("close-entries", "keep-apart", "draw", "name-wild-cards"),
        "conditions",
        "lots are drawn of the numbers of entries, no longer of ids; so are the fingerprints of"
        " their lists",
        "whoever drew again what was drawn in public learned everybody's sign-in name",
    ),
    Change(
        8,
        (
            *("rule-on", "void-coup", "void-wagers", "void-earlier", "take-back", "reinstate"),
            *("correct-card", "correct-coup", "correct-wager", "correct-burn", "correct-marker"),
            *("correct-finding", "correct-excess", "correct-payment", "correct-chips"),
            *("report-irregularity", "end-shoe", "close-table", "decide-dispute", "sign-on"),
            *("agree-limits", "exclude", "readmit", "require-vacate", "allow-free-coups"),
            *("post-change", "apply-change", "drop-change", "set-face-down", "record-incident"),
            *("acknowledge-face-down", "give-closing-notice", "begin-gaming-day", "sign-off"),
            *("drop-proposal", "change-cards", "confirm-finding"),
        ),
        "tas-2018:16.3.3",
        "a substitute does what the player could do and nothing else, whatever roles they have",
        "one who manages could agree to their own proposal, or to the player's being put back, in"
        " the name of a player who was out",
    ),
    Change(
        8,
        ("take-seat", "name-substitute"),
        "conditions",
        "whoever is shut out of the house or of play takes no seat that was drawn for them, and is"
        " named as nobody's substitute at a table",
        "who had entered before they shut themselves out was seated by others all the same",
    ),
    Change(
        8,
        ("deposit", "withdraw"),
        "conditions",
        "what one cashier moves alone on a gaming day has a limit, too: ten times a patron's, for"
        " all together who count as one; and a gaming day that is over does not come again",
        "a sum that takes two people went through in parts, for as many patrons as it has parts, by"
        " as many cashiers as one manager had enrolled, or as often as the gaming day was put off",
    ),
    Change(
        8,
        ("place-wager", "change-wager", "lay-wagers"),
        "conditions",
        "no wager is taken for money of whoever is shut out of the house or of play",
        "with the chips that they had, others could wager for them",
    ),
    Change(
        8,
        ("enrol", "found-house", "name-founder"),
        "conditions",
        "nobody is enrolled under an id that another has in capitals or small letters",
        "Ann could be taken for ann wherever people are told by their ids",
    ),
    Change(
        8,
        ("end-shoe", "close-table"),
        "conditions",
        "one of the house's own shoes of which no coup was dealt is ended by two people, also after"
        " a report by which no more coups are dealt from it",
        "a dealer reported that it was disturbed, and ended shoe after shoe alone",
    ),
    Change(
        8,
        ("correct-chips", "reinstate"),
        "conditions",
        "a count of a competition's chips, and a player put back, is agreed to by somebody who was"
        " there before",
        "a director could give a player any number of chips together with whom they had enrolled",
    ),
    Change(
        8,
        ("grant", "enable", "set-two-people"),
        "conditions",
        "what waits for a second person in the register is not proposed again",
        "the second proposal could never be agreed to, and waited for ever",
    ),
    Change(
        8,
        ("correct-card", "correct-coup", "take-back", "turn-card"),
        "tas-2018:10.1",
        "points are announced by the initial deal, also when third cards lie, and again only where"
        " it was another",
        "the record said that no card was owed of a coup that had third cards",
    ),
    Change(
        8,
        ("correct-card", "correct-coup", "correct-excess", "correct-burn", "take-back"),
        "tas-2018:9.4",
        "a coup that is not certain to be the last by the right cards is said not to be",
        "players were told of a last coup until it was over, and another was opened after it",
    ),
    Change(
        8,
        ("finish-early",),
        "tas-2018:16.3.5",
        "a play-off for prizes is decided once it is certain who has which of them",
        "two who played for the first and the second prize were taken for decided before a coup",
    ),
)


def change_of(command: str, edition: int, changes: tuple[Change, ...] = CHANGES) -> Change | None:
    """Find the change by which a command of an earlier edition may be decided differently now."""
    return next(
        (change for change in changes if change.edition > edition and command in change.commands),
        None,
    )
