"""Every event at a table in words, by the permanent tag of the event."""

EVENTS: dict[str, str] = {
    "table-opened": "The table opens under {ruleset} (in force: {effective}), "
    "payment method: {method}"
    "{play?, for play money: everybody is given {play} in play chips, worth nothing}",
    "gaming-day-began": "Gaming day {gaming_day} begins",
    "closing-notice-given": "Notice is given that the table will close at {closing}",
    "table-closed": "The table closes",
    "staff-signed-on": "{person} signs on as {role}",
    "staff-signed-off": "{person} signs off as {role}{gap?; a coup is in play without one}",
    "patron-sat": "{person} sits down at seat {seat}",
    "patron-stood": "{person} stands at box {box}",
    "patron-left": "{person} leaves",
    "chips-bought": "{person} buys chips for {cents}",
    "chips-cashed": "{person} cashes {cents}",
    "play-chips-given": "{person} is given {cents} in play chips, worth nothing",
    "play-chips-returned": "{person} gives {cents} in play chips back",
    "limits-agreed": "{limits?Limits agreed with {person}: {limits}}"
    "{!limits?The posted limits hold for {person} again}",
    "patron-excluded": "{person} is excluded: {note}",
    "patron-readmitted": "{person} is readmitted: {note}",
    "vacate-advised": "{person} has let {rounds} rounds pass and may have to give up seat {seat}",
    "seat-vacated": "{person} gives up seat {seat}",
    "warning-given": "{person} is told: further wagers below the minimum will be returned",
    "warning-withdrawn": "What {person} was told about the minimum is taken back",
    "cards-checked": "{decks} decks, set {set_id}, checked by {checked_by}"
    "{player? and by {player}, a player}{lot?; pre-checked, lot {lot}}"
    "{missing?; missing {missing}}{surplus?; too many {surplus}}",
    "cards-shuffled": "{shuffled_by} shuffles{again? again}{machine? with machine {machine}}"
    "{commitment?; the order is committed to}",
    "words-added": "{person} at seat {seat} adds words to the order: “{words}”",
    "cut-refused": "{person} at seat {seat} declines the cut",
    "cards-cut": "{person} cuts {depth} cards deep",
    "shoe-loaded": "{cards} cards go into {shoe}{behind?, {behind} behind the marker}",
    "cards-burned": "Burned: {exposed?{exposed} exposed, }{face_down} face down",
    "cards-touched": "{person} touched cards",
    "cards-changed": "Cards changed for fresh ones: {cards}; checked by {checked_by}",
    "shoe-ended": "The shoe is over{note?: {note}}{set_retired?; its cards are replaced}"
    "{repeats?; {repeats} cards in a row came as in the shoe before}",
    "cards-checked-at-end": "Cards checked at the end by {checked_by}"
    "{missing?; missing {missing}}{surplus?; too many {surplus}}",
    "commitment-opened": "{agrees?The order of the shoe is opened, and agrees}"
    "{!agrees?The order of the shoe does not stand: {fault}}",
    "marker-seen": "The marker comes out",
    "indicator-seen": "The indicator card comes out and is set aside",
    "coup-opened": "Coup {number} opens{kind?, {kind}}{face_down?, dealt face down}"
    "{last?; the last of the shoe{unless}}",
    "wager-placed": "{by} wagers {wager}{out_of_turn?, out of turn}",
    "wager-changed": "{by} now wagers {wager}",
    "wager-withdrawn": "{by} takes back {wager}",
    "wager-reduced": "The wager of {by} is cut back: {wager}",
    "no-more-bets-called": "No more bets",
    "bets-locked": "Bets are locked{unreduced?; not reduced: {unreduced}}",
    "free-coups-allowed": "Free coups allowed: {coups}; asked for by {asked_by}",
    "no-bet-coup-asked": "{person} asks for a no-bet coup",
    "no-bet-coup-agreed": "{person} agrees to a no-bet coup",
    "no-bet-coup-directed": "A no-bet coup is directed",
    "change-posted": "A change of the notice is posted, to hold"
    " {from?from {from}, or as soon after as the rules allow}"
    "{!from?as soon as it may}",
    "change-consented": "{person} consents to the change",
    "notice-changed": "The notice changes: {fields}",
    "change-dropped": "The posted change is dropped",
    "face-down-asked": "{person} asks to turn the cards",
    "face-down-withdrawn": "{person} no longer asks to turn the cards",
    "face-down-lapsed": "{person} asked to turn the cards and has no wager: the request ends",
    "face-down-acknowledged": "{person} has been told, as {role}",
    "face-down-set": "Cards will be dealt {down?face down}{!down?face up}",
    "exposer-named": "{side}'s cards will be turned by {person?{person}}{!person?the dealer}",
    "card-drawn": "{card?{card}}{!card?A card face down}{!laid? is dealt}{laid? is laid on {laid}}",
    "excess-card-drawn": "{card?{card}}{!card?A card face down} is drawn though no coup is dealt",
    "carried-dealt": "{card?{card}}{!card?A card face down}, carried over, is dealt",
    "carried-turned": "A card left over shows its face: {card}",
    "card-shown": "{person} looks at card {position}, which stays face down",
    "card-turned": "{person} turns card {position}: {card}",
    "cards-passed": "{side}'s cards are passed to {person}{in_error?, in error}",
    "cards-refused": "{person} declines {side}'s cards",
    "points-announced": "Player {player}, Banker {banker}"
    "{next?; a card for {next}}{!next?; no more cards}",
    "last-coup-announced": "{last?Last}{!last?Not certain to be the last} coup of the shoe"
    "{unless?, unless it is a tie}",
    "result-declared": "Coup {number}: {told}",
    "wager-settled": "{by}: {part?{part} of the }{wager} {outcome}{won?, paid {won}}"
    "{odds? at {odds}}{breakage?, breakage {breakage}}{back?; {back} goes back}",
    "coup-ended": "Coup {number} is over{carried?; carried over: {carried}}"
    "{next_kind?; {next_kind}}",
    "coup-not-dealt": "Coup {number} is not dealt: {unbet?no wager lay on it}"
    "{disturbed?the shoe was disturbed before its first card, and wagers go back}"
    "{shoe_over?the shoe ended with the coup before it}"
    "{carried?; carried over: {carried}}{next_kind?; {next_kind}}",
    "irregularity-ruled": "{found}: the coup {verdict}{next_coup?; {next_coup}}"
    "{carried?; carried over: {carried}}{discarded?; discarded: {discarded}}",
    "ruling-awaited": "{found}: play stops until a person has ruled{note?; {note}}",
    "ruling-given": "Ruling: the coup {verdict}{note?: {note}}",
    "coup-voided": "Coup {number} is void: {cause}{note?, {note}}",
    "transfer-reversed": "Coup {coup}: {gives?{by} gives back {gives}}"
    "{!gives?{by} gets back {to_owner}} for {wager}",
    "earlier-coup-voided": "Coup {number} is void after all{note?: {note}}",
    "error-noted": "An error in coup {number} is noted; it stands{note?: {note}}",
    "card-corrected": "Coup {coup}, card {position}: {card}, not {was}{note?: {note}}",
    "cards-corrected": "Coup {coup}: the cards were {cards}, not {was}{note?: {note}}",
    "shoe-recounted": "{drawn} cards have left the shoe"
    "{coup?; coup {coup} began with {begun} left over}"
    "{goes_on?; the shoe has not ended with the last coup}"
    "{ends?; no further coup is dealt from this shoe}",
    "next-coup-ruled": "The next coup is ruled again: {next_kind?{next_kind}}{!next_kind?as ever}"
    "{carried?; carried over: {carried}}",
    "copies-exceeded": "{card} is on record {copies} times, more than the set holds:"
    " one of them was keyed wrong, or is none of this set",
    "wager-corrected": "Coup {coup}: {by} had {wager} in time{was?; on record was {was}}"
    "{note?: {note}}",
    "burn-corrected": "The burn was {exposed?{exposed} and }{face_down} face down{note?: {note}}",
    "marker-corrected": "The marker is still in the shoe{note?: {note}}",
    "taken-back": "Taken back: {what}{coup?, coup {coup}}{person?, {person}}{note?: {note}}",
    "finding-corrected": "It was not so: {found}{note?: {note}}",
    "excess-corrected": "After coup {coup}, before the next: drawn {cards?{cards}}{!cards?no card}"
    ", not {was?{was}}{!was?none}{note?: {note}}",
    "coup-reopened": "Coup {number}: the wagers lie again, the result is to be declared anew",
    "record-replaced": "Coup {number} stands corrected{result?: {result}}",
    "payment-corrected": "{gives?{gives} from {person}}{!gives?{cents} to {person}}"
    " for coup {coup}: {note}",
    "dispute-raised": "Dispute {number} by {person}: {about}",
    "dispute-decided": "Dispute {number} decided by {decided_by}: {decision}",
    "review-requested": "{person} requests a review of dispute {number}",
    "incident-recorded": (
        "Incident{coup? in coup {coup}}: {kind}{note?, “{note}”}{people?; {people}}{photo?; with a"
        " photo}"
    ),
    "proposed": "{person} proposes: {ask}; it needs a second person"
    "{affected?; it would move: {affected}}",
    "approved": "{person} approves proposal {number}",
    "proposal-dropped": "{person} drops proposal {number}",
    "chips-allotted": "{cents} in chips to each of {people}",
    "chips-collected": "{play?Play}{!play?Competition} chips go back to the operator",
    "wager-asked": "Seat {seat} is asked for a wager{until?, until {until}}",
    "window-closed": "Seat {seat}: the time is over, the minimum only",
    "wager-made-up": "{by}'s wager is made up to {wager}",
    "absence-marked": "{person} is {absent?absent}{!absent?back}",
    "absence-deducted": "{cents} is taken from {person}, who is absent",
    "player-eliminated": "{person} at seat {seat} is out"
    "{left_over?; {left_over} left over goes to the {kept_by}}",
    "session-began": "The session begins{cents?, with {cents} for each player}: {seats}",
    "directors-noted": "{people?{people} is the director present}{!people?No director is present}",
    "seat-taken": "{person} takes seat {seat}{missed?; the coup in play goes without them}",
    "lateness-deducted": "{cents} is taken from {person}, who is late ({coups} of three coups)",
    "substitute-named": "{substitute?{substitute} plays for {person}}"
    "{!substitute?{person} plays again}",
    "direction-given": "The director directs{person?, about {person}}: {note}",
    "order-warning-given": "{person} is told that another wager out of order may be void",
    "last-coup-declared": "This is the session's last coup",
    "session-ended": "The session is over ({why}); coups that count: {coups}",
    "session-continued": "{people} are level and play more rounds",
    "session-handed-over": "The session goes on at {to} as it stands",
    "session-taken-over": "The session goes on here as it stood at another table",
    "session-paused": "Play is interrupted{until? until {until}}: {why}",
    "session-resumed": "Play goes on",
    "coups-drawn": "{card} from the new shoe: {coups} coups are played",
    "player-removed": "{person} at seat {seat} is out ({why})"
    "{left_over?; {left_over} left over goes to the {kept_by}}{note?: {note}}",
    "chips-corrected": "{person}'s chips are counted: {cents}, not {was}{note?: {note}}",
    "player-reinstated": "{person} is back at seat {seat} with {cents}{note?: {note}}",
    "secret-lodged": "{person} at seat {seat} has handed in the form of a secret wager",
    "secret-examined": "{person}'s form is {reasons?sent back: {reasons}}{!reasons?accepted}",
    "secret-announced": "{person}'s form says {figures}, {words}, {on}"
    "{wager?; it counts as {wager}}{!wager?; it is not played}{reasons? ({reasons})}",
    "secret-deducted": "{cents} is taken from {person} for a form that did not show its wager",
    "secret-lapsed": "{person}'s form of coup {coup} counts no more{cents?; {cents} goes back}",
    "form-inspected": "{person} looks at the form of {whose}",
    "puck-moved": "Seat {seat} bets first",
    "betting-time-over": "The time for bets is over",
    "turn-time-over": "The time for the player at seat {seat} is over",
    "change-due": "The notice of the posted change has run; it may hold from now on",
    "closing-due": "The notice of closing has run; the table may close from now on",
    "clocks-held": "Times that were set are moved on by {for}: the house was away, or its own time"
    " was moved",
}
"""`{name?text}` appears only when the fact is there, `{!name?text}` only when it is not."""

FACTS: dict[str, str] = {
    # what a ruling is about
    "about.other": "another matter",
    # what was found
    "cards-out-of-order": "Cards laid out of order",
    "wrong-number-of-cards": "A wrong number of cards",
    "face-up-in-shoe": "A card face up in the shoe",
    "order-unknown": "Cards whose order nobody knows",
    "initial-order-unknown": "First cards whose order nobody knows",
    "shoe-disturbed": "The order in the shoe was changed",
    "insufficient-cards": "Too few cards to finish the coup",
    "foreign-card": "A card from elsewhere",
    "burn-forgotten": "The burn was forgotten",
    "found-late": "An error found too late",
    # where a card was laid
    "laid.player": "Player",
    "laid.banker": "Banker",
    "laid.nowhere": "no hand",
    # what becomes of the coup
    "stands": "stands",
    "void": "is void",
    "ruling": "waits for a ruling",
    # why a session ended
    "why.coups": "all its coups are played",
    "why.shoes": "all its shoes are dealt",
    "why.last-coup": "its last coup was declared",
    "why.time": "its time is over",
    "why.decided": "nothing can change any more",
    "why.ruling": "by ruling",
    "why.all-out": "everybody is out",
    "why.all-below": "nobody can make the minimum",
    # why somebody is out
    "why.late": "came too late",
    "why.not-seated": "was not seated",
    # what the next one is
    "non-betting": "nobody may bet on the next coup",
    "none-until-reshuffle": "no more coups from this shoe",
}
"""Findings, verdicts and what follows, as they stand in a sentence."""

BETS: dict[str, str] = {
    "player": "Player",
    "banker": "Banker",
    "tie": "Tie",
    "player-pair": "Player pair",
    "banker-pair": "Banker pair",
}
"""What a wager is on, as it stands in a sentence."""
DOCUMENTS = {
    "tas-2018": "Tasmania 2018",
    "tas-2013": "Tasmania 2013",
    "act-2015": "Canberra 2015",
    "mbs-2017": "Marina Bay Sands 2017",
}
"""What the rule sets are called."""
