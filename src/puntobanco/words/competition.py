"""Competitions in words: commands, events, fields of forms, and what their pages say."""

from puntobanco.words.commands import FORM_FAULTS, CommandWords

COMPETITION_COMMANDS: dict[str, CommandWords] = {
    # conditions
    "draft": CommandWords(
        "Write the conditions", "As a draft, to be proved and then published by two people."
    ),
    "publish": CommandWords(
        "Publish the conditions", "The draft is frozen and shown to applicants; two people."
    ),
    # entries
    "open-entries": CommandWords("Open entries", "Anybody who fits the conditions may apply."),
    "apply": CommandWords("Apply to enter", "The application waits to be accepted."),
    "refuse": CommandWords("Refuse an application", "Say why, if there is anything to say."),
    "accept": CommandWords("Accept an application", "The applicant may endorse and pay."),
    "endorse": CommandWords(
        "Endorse the conditions", "Exactly one version of them, as it was published."
    ),
    "pay-entry": CommandWords("Pay the entry fee", "Out of the entrant's account at the cage."),
    "enter-at-desk": CommandWords(
        "Enter somebody at the desk", "Applied, accepted, endorsed and paid in one step."
    ),
    "withdraw": CommandWords("Withdraw an entry", "The fee comes back if it is early enough."),
    "add-reserve": CommandWords("Put on the reserve list", "Reserves are called in order."),
    "take-reserve": CommandWords("Call a reserve", "The next one pays and takes a free place."),
    "close-entries": CommandWords(
        "Close entries", "The list is complete; its fingerprint goes into the draw."
    ),
    "add-value": CommandWords("Add to the prize pool", "Money, goods or services."),
    "pay-refund": CommandWords("Pay a refund", "That a cancelled competition owes."),
    # the draw
    "commit-draw": CommandWords(
        "Commit to the next draw", "The house seals a seed before anybody knows the list."
    ),
    "keep-apart": CommandWords(
        "Keep people apart", "Whom the conditions do not let sit at one table; staff alone see it."
    ),
    "draw": CommandWords(
        "Draw tables and seats", "With words that witnesses speak now; the seed is opened."
    ),
    "key-draw": CommandWords(
        "Key in a draw made by hand", "Or an allocation; another person approves it."
    ),
    "move-seat": CommandWords("Move a player to another seat", "Before the session starts."),
    # sessions
    "designate-table": CommandWords(
        "Designate a table",
        "It is played on in this competition; a name that no table has yet opens a new one.",
    ),
    "release-table": CommandWords("Release a table", "It is not needed any more."),
    "prepare-session": CommandWords(
        "Prepare the session", "The tables are opened as the conditions want them."
    ),
    "set-start": CommandWords("Set another start", "Everybody is told; the reason is kept."),
    "start-session": CommandWords(
        "Start the session", "At all tables at once: everybody is seated with chips."
    ),
    "break": CommandWords("Call a break", "At all tables, after the coup in play."),
    "resume": CommandWords("End the break", "Play goes on at all tables."),
    "give-direction": CommandWords("Give a direction", "To everybody, as the Director directs."),
    "last-coup": CommandWords("Call the last coup", "At every table the next coup is the last."),
    "finish-early": CommandWords(
        "Finish a table early", "Only when nothing can change who is through."
    ),
    "stop-table": CommandWords("Stop a table", "It cannot go on; say why."),
    "resume-at": CommandWords("Go on with a stopped table", "As it stands: there, or elsewhere."),
    # results
    "confirm-stage": CommandWords("Confirm the stage", "Who is through is settled."),
    "order-play-off": CommandWords(
        "Have equals play on", "Those who are level for what only some can have."
    ),
    "set-play-off-chips": CommandWords(
        "Set the chips to play on with", "The same for each player."
    ),
    "name-wild-cards": CommandWords(
        "Name the wild cards", "The best of those who are not through; equals draw lots."
    ),
    "open-secondary": CommandWords(
        "Open the second chance", "For those who failed to qualify, as the conditions say."
    ),
    # people and rulings
    "disqualify": CommandWords("Disqualify an entrant", "Another person approves it."),
    "forfeit": CommandWords("Declare an entry forfeited", "The entrant plays no more."),
    "substitute": CommandWords("Accept a substitute", "Somebody sits for the entrant."),
    "rule": CommandWords("Give a ruling", "Where the rules are silent, or a result has changed."),
    # ends
    "confirm-places": CommandWords("Confirm the places", "And the prizes; another approves."),
    "pay-prize": CommandWords("Pay a prize", "Into the winner's account at the cage."),
    "publish-results": CommandWords("Publish the results", "For everybody to read."),
    "cancel": CommandWords("Cancel the competition", "All refunds are owed at once; two people."),
    # duties, disputes, proposals
    "sign-on": CommandWords("Sign on as director", "Of the competition, for all its tables."),
    "sign-off": CommandWords("Sign off as director", "Of the competition."),
    "raise-dispute": CommandWords("Raise a dispute", "It is kept, and must be decided."),
    "decide-dispute": CommandWords("Decide a dispute", "The decision is kept beside it."),
    "approve": CommandWords("Approve a proposal", "As the second person."),
    "drop-proposal": CommandWords("Drop a proposal", "Nothing comes of it."),
}
"""Every command of a competition that people give: what pages call it, and when one gives it."""

COMPETITION_OWN: dict[str, CommandWords] = {
    "apply": CommandWords("Apply to enter", "Your application waits to be accepted."),
    "endorse": CommandWords("Endorse the conditions", "You agree to exactly this version."),
    "pay-entry": CommandWords("Pay my entry fee", "Out of your account at the cage."),
    "withdraw": CommandWords("Withdraw my entry", "The fee comes back if it is early enough."),
}
"""Commands that are called something else when an entrant gives them."""

COMPETITION_GROUPS: dict[str, tuple[str, ...]] = {
    "Waiting for you": ("approve", "drop-proposal", "decide-dispute"),
    "Conditions": ("draft", "publish", "open-entries", "set-start", "cancel"),
    "Entries": (
        "apply", "accept", "refuse", "endorse", "pay-entry", "enter-at-desk", "withdraw",
        "add-reserve", "take-reserve", "close-entries", "add-value", "pay-refund",
    ),
    "Draw and tables": (
        "commit-draw", "keep-apart", "draw", "key-draw", "move-seat", "designate-table",
        "release-table",
    ),
    "Session": (
        "sign-on", "prepare-session", "start-session", "break", "resume", "give-direction",
        "last-coup", "finish-early", "stop-table", "resume-at", "sign-off",
    ),
    "Results": (
        "confirm-stage", "order-play-off", "set-play-off-chips", "name-wild-cards",
        "open-secondary", "confirm-places", "pay-prize", "publish-results",
    ),
    "People and rulings": (
        "substitute", "forfeit", "disqualify", "rule", "raise-dispute",
    ),
}  # fmt: skip
"""The same by subject; each is in exactly one group."""

COMPETITION_FIELDS: dict[str, str] = {
    "about": "What it is about",
    "at": "At which table it goes on",
    "cents": "Amount",
    "coups": "How many rounds, where no card says it",
    "decision": "Decision",
    "dispute": "Dispute",
    "first": "Which seat bets first, such as: table-1 = 3, table-2 = 5",
    "follows": "The changed result counts",
    "groups": "Who is kept apart, a line for each group, by the numbers of their entries"
    " or what they sign in with, such as: 3 17",
    "instead_of": "Whose place; empty if one is free",
    "into": "Into which stage",
    "minutes": "Minutes",
    "not_attending": "For failing to attend",
    "note": "Note",
    "order": "Those who are level, best first",
    "people": "Those who play",
    "person": "Person",
    "prizes_cents": "Prizes by place, in dollars",
    "proof": "What the Director has to say",
    "proposal": "Proposal",
    "role": "Role",
    "seat": "Seat",
    "stage": "Stage",
    "start_ms": "New start, such as 2026-03-14 18:00, or 30 for thirty minutes from now",
    "substitute": "Who sits for them; empty if the player is back",
    "table": "Table",
    "tables": "Who sits where, a line for each table, such as: table-1: ann bob cy@5",
    "text": "Conditions (TOML)",
    "version": "Version",
    "what": "What it is",
    "why": "Why",
    "words": "Words spoken, a line for each witness, such as: wendy: rain on Tuesday",
}
"""Labels of fields where a competition asks for them."""

COMPETITION_EVENTS: dict[str, str] = {
    "conditions-drafted": "Conditions are drafted",
    "conditions-published": "Version {version} of the conditions is published",
    "entries-opened": "Entries are open",
    "application-received": "{person} applies to enter{again?, for entry {number}}",
    "application-refused": "{person} is not accepted{note?: {note}}",
    "application-accepted": "{person} is accepted",
    "conditions-endorsed": "{person} endorses version {version} of the conditions",
    "entry-paid": "{person} pays {fee}{commission? and a commission of {commission}}"
    "{refund_until?; refunded on withdrawal up to {refund_until}}",
    "entry-withdrawn": "{person} withdraws{refund?; {refund} goes back}"
    "{!refund?; nothing is refunded}",
    "reserve-added": "{person} is on the reserve list",
    "reserve-taken": "{person} is called from the reserve list"
    "{instead_of? instead of {instead_of}}{table?, to {table} seat {seat}}",
    "entries-closed": "Entries are closed with {count} entrants",
    "value-added": "The operator adds {what?{what}}{cents? {cents}} to the prize pool",
    "refund-paid": "{person} gets {cents} back",
    "draw-committed": "The seed of draw {draw} for {session} is committed to",
    "apart-list-kept": "{hash?Those who are not drawn to one table are listed:"
    " groups of {sizes}}{!hash?Nobody is kept apart any more}",
    "seats-drawn": "Seats for {session}: {seats}{!seed?; keyed in by two people}"
    "{order?; everybody is apart in order {order} of those drawn}",
    "seat-moved": "{person} moves to {table} seat {seat}{swapped?, {swapped} to the seat left}:"
    " {note}",
    "table-designated": "{table} is designated",
    "table-released": "{table} is released",
    "session-prepared": "Session {session} is prepared",
    "start-set": "The start of {stage} is set to {start}: {note}",
    "session-started": "Session {session} starts{ends?, until {ends}}",
    "break-called": "A break of {minutes} minutes",
    "play-resumed": "The break is over",
    "pace-directed": "The Director directs: {note}",
    "last-coup-called": "The next coup is the last of {session} at every table",
    "session-time-over": "The time of {session} is over; coups that have begun are completed",
    "table-finished-early": "{table} finishes early: {proof}",
    "table-stopped": "{table} is stopped: {note}",
    "table-resumed": "The session of {table} goes on at {at}",
    "result-taken": "The result of {table} in {session} is in: {result}",
    "result-amended": "The confirmed result of {table} in {session} has changed: {result};"
    " nothing follows without a ruling",
    "stage-confirmed": "The results of {stage} are confirmed"
    "{through?; still in: {through}}{!through?; nobody is left}",
    "play-off-ordered": "{people} play on at {table}; places for them: {places_left}"
    "{coups?; rounds: {coups}}",
    "play-off-chips-set": "Each has {cents} in chips for the play-off",
    "wild-cards-named": "Wild cards: {people?{people}}{!people?none}",
    "secondary-opened": "A second chance into {into} for {eligible}",
    "entry-disqualified": "{person} is disqualified: {note}",
    "entry-forfeited": "{person} forfeits: {why}",
    "substitute-accepted": "{substitute?{substitute} sits for {person}}"
    "{!substitute?{person} is back}",
    "ruling-made": "{person} rules about {about}{table? at {table}}: {note}"
    "{order?; in this order: {order}}{prizes?; prizes: {prizes}}",
    "proposed": "{person} proposes: {ask}; it needs a second person",
    "places-confirmed": "Places: {places}",
    "prize-paid": "{person} is paid {cents}{added?, of which the operator adds {added}}",
    "results-published": "The results are published",
    "competition-cancelled": "The competition does not proceed: {note}{refunds?; owed: {refunds}}",
}
"""Events of a competition by their permanent tags, as in the tables' catalogue; those that it has
in common with a table are there."""

IN_CHIPS = "{person} {chips} in chips"
"""How much a player held at the end of a session."""

COMPETITIONS: dict[str, str] = {
    "cups": "Competitions",
    "cups.none": "No competition has been announced.",
    "cups.new": "New competition",
    "cups.new.hint": "Its name in addresses, then its conditions; start from a template.",
    "cups.id": "Name in addresses",
    "cups.id.needed": "Write a name in letters and digits, such as spring-cup.",
    "cups.id.taken": "A competition has this name already. Write another.",
    "cups.template": "Template",
    "cups.hint": "Entries, draw, sessions, results and prizes.",
    "cup.phase": "Phase",
    "cup.start": "Start",
    "cup.stage-start": "Start of {stage}",
    "cup.starts": "starts {start}",
    "cup.moved": "New start of {stage}",
    "cup.told": "(notice given {time})",
    "cup.told-short": "(notice given {time}: less than half an hour before, which is short)",
    "cup.break": "Break until",
    "cup.ruleset": "Rule set",
    "cup.entries": "Entries",
    "cup.entries-in": "Entries paid",
    "cup.of": "{count} of {most}",
    "cup.version": "Conditions",
    "cup.version-of": "version {version}",
    "cup.text": "The conditions in full",
    "cup.draft": "The draft",
    "cup.hash": "SHA-256",
    "cup.tables": "Tables",
    "cup.tables.none": "none designated yet",
    "cup.commitment": "Commitment to the draw",
    "cup.directors": "Director signed on",
    "cup.directors.none": "nobody",
    "cup.own": "Your entry",
    "cup.to.me": "My entry",
    "cup.to.entries": "Entries and desk",
    "cup.to.papers": "Papers",
    "cup.to.event": "Event",
    "cup.to.board": "Board",
    "cup.status": "Status",
    "cup.person": "Entrant",
    "cup.name": "Name",
    "cup.contact": "Contact",
    "cup.seat": "Seat",
    "cup.table": "Table",
    "cup.paid": "Paid",
    "cup.place": "Place",
    "cup.prize": "Prize",
    "cup.refund-until": "Refund up to",
    "cup.owed": "Owed",
    "cup.why": "Why",
    "cup.substitute": "{substitute} sits for them",
    "cup.reserves": "Reserves, in order",
    "cup.sessions": "Sessions",
    "cup.session-at": "{session}, {table}",
    "cup.seats": "Tables and seats",
    "cup.stands": "How it stands",
    "cup.chips": "Chips",
    "cup.out-in": "out in coup {coup}",
    "cup.not-started": "not started",
    "cup.started": "in play",
    "cup.in": "result in",
    "cup.is-stopped": "stopped",
    "cup.is-last": "last coup",
    "cup.through": "Through",
    "cup.contested": "Level, for {places}",
    "cup.amended": "A confirmed result has changed at {tables}: it waits for a ruling.",
    "cup.places": "Places",
    "cup.how": "By",
    "cup.each": "Each",
    "cup.money": "Money",
    "cup.pool": "Prize pool",
    "cup.fees": "Fees",
    "cup.added": "Added",
    "cup.refunded": "Refunded",
    "cup.retained": "The house keeps",
    "cup.paid-out": "Paid",
    "cup.pot": "In the pot",
    "cup.prizes": "Prizes",
    "cup.proposals": "Waiting for a second person",
    "cup.disputes": "Disputes",
    "cup.rulings": "Rulings",
    "cup.refused": "Not taken by a table",
    "cup.refused-one": "{place}, “{what}”:",
    "cup.cancelled": "It does not proceed: {note}",
    "cup.next": "Next",
    "cup.next-by": "{what} ({who})",
    "cup.plays": "Play goes on at",
    "cup.do": "What you may do",
    "cup.csv": "Entries as CSV",
    "cup.final": "This cannot be taken back.",
    "cup.sure": "Yes, do it",
    "cup.back": "Back to the competition",
    "secret-form": "Secret wager",
    "secret-form.look": "Look at the form",
    "secret-form.player": "Player",
    "secret-form.seat": "Seat",
    "secret-form.figures": "In figures",
    "secret-form.words": "In words",
    "secret-form.on": "On",
    "secret-form.wrong": "Beside the chips that lie, this is wrong with it:",
    "secret-form.right": "Beside the chips that lie, nothing is wrong with it.",
    "secret-form.accept": "Accept the form",
    "secret-form.send-back": "Send it back…",
    "secret-form.at": "Form of seat {seat}",
    "secret-form.complies": "Complies",
    "secret-form.fails": "Does not comply",
    "secret-form.back-to": "Send it back to seat {seat}",
    "secret-form.accept-still": "Accept it all the same…",
    "secret-form.queue": "Forms of this coup",
    "secret-form.cards-wait": "the cards wait for them",
    "secret-form.open": "open",
    "secret-form.covered": "covered",
    "secret-form.answered": "answered",
    "secret-form.only-you": "Only you see a form, and each look is on record. The dealer, the"
    " Director and the board see the marker and nothing else.",
    "form-check.amount": "Words and figures agree",
    "form-check.amount.not": "Words and figures differ",
    "form-check.type": "One of three is circled",
    "form-check.type.not": "It does not show one of three circled",
    "form-check.units": "In the unit of the table",
    "form-check.units.not": "Not in the unit of the table",
    "form-check.limits": "Within the limits",
    "form-check.limits.not": "Outside the limits",
    "form-check.chips": "Within the chips held",
    "form-check.chips.not": "More than the chips held",
    "form-check.beside": "Agrees with the chips that lie",
    "form-check.beside.not": "Does not agree with the chips that lie",
    "form-check.allowance": "A secret wager is left for it",
    "form-check.allowance.not": "No secret wager is left for it",
    **{f"form-fault.{fault}": says for fault, says in FORM_FAULTS.items()},
    "contest.state": "Now",
    "contest.announced": "Forms to announce",
    "contest.announce": "Seat {seat}: “{words} on {on}”",
    "contest.counts": "counts as {amount} on {on}",
    "contest.not-played": "does not count",
    "contest.laid": "laid",
    "contest.secrets": "forms left: {count}",
    "phase-of-cup.drafting": "being drafted",
    "phase-of-cup.published": "announced",
    "phase-of-cup.entering": "entries open",
    "phase-of-cup.closed": "entries closed",
    "phase-of-cup.drawn": "drawn",
    "phase-of-cup.preparing": "making ready",
    "phase-of-cup.running": "in play",
    "phase-of-cup.over": "session over",
    "phase-of-cup.play-off": "equals play on",
    "phase-of-cup.confirmed": "stage confirmed",
    "phase-of-cup.placed": "places confirmed",
    "phase-of-cup.paid": "prizes paid",
    "phase-of-cup.done": "done",
    "phase-of-cup.cancelled": "cancelled",
    "status.applied": "applied",
    "status.refused": "refused",
    "status.accepted": "accepted",
    "status.endorsed": "endorsed",
    "status.paid": "paid",
    "status.withdrawn": "withdrawn",
    "status.reserve": "reserve",
    "status.seated": "seated",
    "status.through": "through",
    "status.out": "out",
    "status.forfeited": "forfeited",
    "status.disqualified": "disqualified",
    "status.secondary": "second chance",
    "status.placed": "placed",
    "how.chips": "chips",
    "how.coup": "later coup",
    "how.shared": "shared",
    "how.play-off": "play-off",
    "how.new-chips": "play-off with new chips",
    "how.more-rounds": "more rounds",
    "how.ruling": "ruling",
}
"""What the pages of competitions say."""

IMPACT: dict[str, str] = {
    "chips": "Chips at the end of {session} at {table}: {what}",
    "out": "Out: {what}",
    "through": "Would be through, and is not: {what}",
    "not-through": "Is through, and would not be: {what}",
    "contested": "Level for what only some can have: {what}",
    "places": "Places at {table}: {what}",
    "prizes": "Prizes: {what}",
    "confirmed": "The stage is confirmed: nothing of this follows without a ruling by two people",
    "instead": "{person} {now} instead of {was}",
    "out-in": "{person} in coup {coup}",
    "not-out": "{person} no longer",
    "nobody": "nobody",
}
"""What a result that changes would change in its competition."""
