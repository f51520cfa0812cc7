"""The title and the story of every scene of the training table.

A story says what was seen and no more: what it amounts to is for the trainee to say.
"""

TITLES: dict[str, str] = {
    "first-cards-crossed": "First cards crossed",
    "third-card-to-player": "Banker's third card laid on Player",
    "third-card-to-banker": "Player's third card laid on Banker",
    "third-card-to-banker-too-soon": "Player's card laid on Banker, and the result called",
    "card-too-many-on-player": "A card too many on Player",
    "card-too-many-on-banker": "A card too many on Banker",
    "card-after-natural": "A third card after a natural",
    "card-too-many-unseen": "A card too many, unseen",
    "two-cards-too-many": "Two cards too many",
    "card-too-many-after-result": "A card drawn after the result",
    "card-too-many-in-last-coup": "A card too many in the last coup",
    "unseen-card-once-marker-shows": "An unseen card once the marker is out",
    "card-too-few": "A card too few",
    "number-cannot-be-put-right": "A wrong number of cards that cannot be put in order",
    "number-noticed-after-clearing": "A wrong number noticed after the cards are cleared",
    "face-up-and-owed": "A card face up in the shoe, and a card is owed",
    "face-up-and-not-owed": "A card face up in the shoe, and none is owed",
    "face-up-between-coups": "A card face up in the shoe between two coups",
    "face-up-while-bets-lie": "A card face up in the shoe while bets lie",
    "order-unknown": "Order of the cards unknown",
    "first-cards-together": "Two first cards came together",
    "shoe-disturbed": "The shoe is disturbed",
    "too-few-cards": "Too few cards to finish",
    "marker-out-but-complete": "The shoe is empty, but the coup is complete",
    "foreign-card": "A foreign card",
    "foreign-card-after-coup": "A foreign card found after the coup",
    "burn-forgotten": "No card was burned",
    "coup-before-burn": "A coup before the burn",
    "found-late": "An error found after the next coup began",
    "card-keyed-wrong": "A card keyed wrong",
    "card-keyed-wrong-and-paid": "A card keyed wrong, noticed after payment",
    "paid-too-little": "A wrong payment",
    "coup-disrupted": "The game is disrupted",
    "coup-impractical": "It is impractical to go on",
    "wager-late": "A wager laid too late",
    "wager-late-from-own-device": "A wager sent too late",
    "wager-raised-late": "A wager raised too late",
    "wager-taken-away-late": "A wager taken away too late",
    "wager-between-call-and-card": "A wager raised between the call and the first card",
    "wager-below-minimum": "A wager below the minimum",
    "wager-below-minimum-again": "A wager below the minimum, again",
    "wager-above-maximum": "A wager above the maximum",
    "wager-in-anothers-box": "A wager in somebody else's box",
    "standing-at-empty-seat": "Standing where nobody sits",
    "wager-twice-on-one-hand": "A second wager on the same hand",
    "wager-after-seen-card": "A wager after a card was seen",
    "wager-of-rule-breaker": "The wager of somebody who broke a rule",
    "no-call": "Dealt without the call",
    "nobody-bet": "Dealt though nobody bet",
    "nobody-oversees": "Nobody oversees the game",
    "cards-touched": "A player touches the cards",
    "marker-out": "The marker comes out",
    "marker-out-and-tie": "The marker is out, and the coup ties",
    "cup-bet-before-turn": "In a competition: a wager before its turn",
    "cup-bet-taken-back": "In a competition: a wager taken back",
    "cup-bet-on-both-hands": "In a competition: both hands at once",
    "cup-bet-below-minimum": "In a competition: below the minimum",
    "cup-more-than-held": "In a competition: more than one holds",
    "cup-dealt-before-all-bet": "In a competition: dealt before all have bet",
    "cup-late-bet": "In a competition: a wager raised too late",
    "cup-asked-out-of-order": "In a competition: asked out of order",
    "cup-buys-chips": "In a competition: more chips",
    "cup-money-limits": "In a competition: above the maximum",
}

STORIES: dict[str, str] = {
    "first-cards-crossed": "The dealer lays the first card on Banker and the second on Player. The"
    " two after them are laid where they belong, and now somebody notices.",
    "third-card-to-player": "After four cards the dealer draws a fifth and lays it face up on"
    " Player's hand.",
    "third-card-to-banker": "After four cards the dealer draws a fifth and lays it face up on"
    " Banker's hand.",
    "third-card-to-banker-too-soon": "After four cards the dealer draws a fifth and lays it face"
    " up on Banker's hand, and is about to declare the result.",
    "card-too-many-on-player": "After four cards the dealer draws a fifth and lays it face up on"
    " Player's hand.",
    "card-too-many-on-banker": "After five cards the dealer draws a sixth and lays it face up on"
    " Banker's hand.",
    "card-after-natural": "After four cards the dealer draws a fifth and lays it face up on"
    " Player's hand.",
    "card-too-many-unseen": "After four cards another one slips out of the shoe face down. Nobody"
    " has seen it, and it lies on no hand.",
    "two-cards-too-many": "After four cards two more come out of the shoe: one face down, then one"
    " face up. Neither is laid on a hand.",
    "card-too-many-after-result": "The result is declared and the wagers are settled. With the"
    " cards still on the table, the dealer draws another one face up and lays it on no hand.",
    "card-too-many-in-last-coup": "The marker came out before this coup. After four cards the"
    " dealer draws a fifth and lays it face up on Player's hand.",
    "unseen-card-once-marker-shows": "Four cards are dealt. Then the marker comes out of the shoe,"
    " and after it a card face down that nobody has seen.",
    "card-too-few": "Four cards are dealt, and the dealer is about to declare the result.",
    "number-cannot-be-put-right": "A hand has a card too many, and the cards were moved: nobody"
    " can say which came when. The dealer reports it.",
    "number-noticed-after-clearing": "The coup was settled and its cards are in the discard rack."
    " Before the next call for bets it turns out that a hand had the wrong number of cards, and"
    " they cannot be put in order.",
    "face-up-and-owed": "Four cards are dealt, and no result is declared yet. The next card is"
    " seen lying face up in the shoe, and the dealer reports it.",
    "face-up-and-not-owed": "Four cards are dealt, and no result is declared yet. The next card is"
    " seen lying face up in the shoe, and the dealer reports it.",
    "face-up-between-coups": "The coup is over and no bets have been called for yet. The next card"
    " is seen lying face up in the shoe.",
    "face-up-while-bets-lie": "Bets have been called for, and Ann has {bet} on Player. No card is"
    " dealt yet when the next one is seen lying face up in the shoe.",
    "order-unknown": "In the middle of the coup the cards are knocked off the table. They are all"
    " found, but nobody can say in which order they were dealt.",
    "first-cards-together": "The first two cards leave the shoe together, and nobody can say which"
    " came first.",
    "shoe-disturbed": "Four cards are dealt. The shoe is knocked over, and the order of the cards"
    " in it is lost.",
    "too-few-cards": "Four cards are dealt and the marker comes out. The dealer reports that too"
    " few cards are left.",
    "marker-out-but-complete": "Four cards are dealt and the marker comes out. The dealer reports"
    " that too few cards are left.",
    "foreign-card": "Two cards are dealt, and a card with a different back is found among them.",
    "foreign-card-after-coup": "The coup is settled and cleared away. Then a card with a different"
    " back is found in the discard rack.",
    "burn-forgotten": "The shoe has just been loaded. Play is about to begin, and somebody notices"
    " that no card was burned.",
    "coup-before-burn": "The shoe has just been loaded and no card was burned. The dealer calls"
    " for bets.",
    "found-late": "Coup 1 was settled and cleared away, and the first card of coup 2 is dealt."
    " Only now the recording shows that the dealer had laid the third card of coup 1 on Banker,"
    " though it is on record as Player's.",
    "card-keyed-wrong": "The felt shows the cards as they were keyed. The third card was really"
    " the {card}; the dealer asks for the record to be put right.",
    "card-keyed-wrong-and-paid": "The coup is over and paid. The third card was keyed wrong: it"
    " was really the {card}, and with it the coup is looked at again.",
    "paid-too-little": "The coup is over. The cards were right, but Ann was paid {bet} too little.",
    "coup-disrupted": "Four cards are dealt when the fire alarm goes off and everybody has to"
    " leave the room.",
    "coup-impractical": "Two cards are dealt when the shoe breaks, and nobody can deal on.",
    "wager-late": "Two cards are dealt when the dealer finds that Ann has just laid {bet} on"
    " Player.",
    "wager-late-from-own-device": "Two cards are dealt when Ann tries to bet {bet} on Player from"
    " a device of her own.",
    "wager-raised-late": "Ann had {bet} on Player in time. After two cards the dealer finds {more}"
    " there.",
    "wager-taken-away-late": "Ann had {bet} on Player in time. After two cards she takes it away.",
    "wager-between-call-and-card": "No more bets has been called, and no card is dealt yet. Ann"
    " raises her wager on Player from {bet} to {more}.",
    "wager-below-minimum": "Ann has {low} on Player, which is below the posted minimum. Nobody"
    " notices until the cards are dealt. It is her first time.",
    "wager-below-minimum-again": "In the coup before, Ann bet {low} on Player, below the posted"
    " minimum. Now she has done the same once more.",
    "wager-above-maximum": "Ann has {high} on Player, which is above the posted maximum. Nobody"
    " notices until the cards are dealt.",
    "wager-in-anothers-box": "Bob sits at box 2. He lays {bet} on Banker in box 1, which is Ann's.",
    "standing-at-empty-seat": "cy wants to play standing at box 5. Nobody is seated there.",
    "wager-twice-on-one-hand": "Ann has {bet} on Player. Before bets close she lays another {bet}"
    " there as a second wager.",
    "wager-after-seen-card": "In the coup before, a card too many came out face up. The next coup"
    " is opened, and Ann lays {bet} on Player.",
    "wager-of-rule-breaker": "Bob, who has {bet} on Banker, breaks a rule of the game. It is"
    " decided that his wager does not stand.",
    "no-call": "Bets lie on the layout. Without calling no more bets, the dealer draws the first"
    " card.",
    "nobody-bet": "Nobody has laid a wager, and nobody asked for a coup without one. The dealer"
    " calls no more bets and draws the first card.",
    "nobody-oversees": "The {role} has gone, and nobody has come instead. The dealer opens the"
    " next coup.",
    "cards-touched": "Cards are dealt face up, and Ann, who was passed none, takes hold of one."
    " The coup is finished, and the shoe is ended.",
    "marker-out": "The marker comes out after the second card. The coup is dealt to its end.",
    "marker-out-and-tie": "The marker came out before this coup, and four cards are dealt.",
    "cup-bet-before-turn": "At a competition's table the dealer asks seat 1 for a wager. Before"
    " Ann has said anything, Bob at seat 2 lays {bet} on Player.",
    "cup-bet-taken-back": "Asked in turn at a competition's table, Ann at seat 1 has laid {bet}"
    " on Player. Now she wants to take it back; nobody else has bet yet.",
    "cup-bet-on-both-hands": "Asked in turn at a competition's table, Ann at seat 1 has laid"
    " {bet} on Player, and now lays {bet} on Banker as well.",
    "cup-bet-below-minimum": "Asked in turn at a competition's table, Ann at seat 1 lays {low}"
    " on Player from her device. She holds plenty of chips.",
    "cup-more-than-held": "At a competition's table, Ann was allotted 10000 in chips. Asked in"
    " turn, she wants to bet 10005 on Player.",
    "cup-dealt-before-all-bet": "At a competition's table Ann at seat 1 has laid {bet} on"
    " Player; Bob at seat 2 has not been asked. The dealer draws the first card.",
    "cup-late-bet": "At a competition's table both players have bet, no more bets was called and"
    " the first card drawn. Ann wants to raise her {bet} on Player to {more}.",
    "cup-asked-out-of-order": "At a competition's table, with the puck at seat 1, the dealer asks"
    " seat 2 for a wager first.",
    "cup-buys-chips": "At a competition's table, everybody was allotted the same chips. Ann puts"
    " down 1000 in cash and asks the dealer for chips.",
    "cup-money-limits": "Asked in turn at a competition's table, Ann at seat 1 wants to bet"
    " {high} on Player, a little above the maximum on the sign.",
}
