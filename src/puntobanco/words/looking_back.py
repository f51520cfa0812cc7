"""What the journal's pages say: coups, replay, verification, receipts."""

LOOKING_BACK: dict[str, str] = {
    # the list of coups
    "journal.title": "Journal of {name}",
    "journal.coup": "Coup",
    "journal.coups": "Coups",
    "journal.time": "Time",
    "journal.result": "Result",
    "journal.kind": "Kind",
    "journal.marks": "Marks",
    "journal.void": "void",
    "journal.corrected": "corrected",
    "journal.not-dealt": "not dealt",
    "journal.in-play": "still in play",
    "journal.none": "No coup was opened in these rows.",
    "journal.pages": "Pages of the journal",
    "journal.newest": "Newest",
    "journal.earlier": "Earlier coups",
    "journal.read": "Read from row {first}; what was ruled later is marked up to row {ruled_to} of"
    " {head}.",
    "journal.last-games": "Last ten games",
    "journal.export": "Export (JSON lines)",
    # one coup
    "journal.coup-title": "Coup {number} of {name}",
    "journal.replay": "REPLAY: shown again from the journal, not played again",
    "journal.step": "Step {at} of {last}",
    "journal.steps": "Steps",
    "journal.all-steps": "Every step",
    "journal.first": "First",
    "journal.previous": "Previous",
    "journal.next": "Next",
    "journal.last": "Last",
    "journal.by": "{time}, by {actor}, row {row}",
    "journal.later": "Ruled later",
    "journal.coup-before": "Coup before",
    "journal.coup-after": "Next coup",
    # verification
    "verification": "Verification",
    "verification.never": "Not verified since the house was opened.",
    "verification.sound": "Sound: every link, root, result, payout and balance holds.",
    "verification.broken": "BROKEN: the journal does not hold.",
    "verification.broken-do": "Keep the files as they are, stop play where it concerns, and call"
    " whoever answers for the house. This was the first fault; there may be more.",
    "verification.cut-short": "Not finished: the time was over after {rows} rows were linked and"
    " {played} played back. Nothing was found wrong up to there; the rest is unknown.",
    "verification.cut-short-do": "A journal of this size is verified by the command line:"
    " puntobanco verify.",
    "verification.when": "Begun {began}, ended {ended}.",
    "verification.since": "{rows} rows were written since it began, and have not been checked.",
    "verification.nothing-since": "No row was written since.",
    "verification.without": "{rows} rows are of older programs, which kept no command: they were"
    " checked as far as can be.",
    "verification.otherwise": "{rows} rows of an earlier edition would come out otherwise today, by"
    " changes that are named: they were checked as far as can be.",
    "verification.under-way": "A verification is under way: {linked} rows linked, {played} played"
    " back so far.",
    "verification.look": "Look again",
    "verification.now": "Verify now",
    "verification.rows": "Rows followed",
    "verification.streams": "Streams",
    "verification.decided": "Rows decided again",
    "verification.recorded": "Root last put on record",
    "verification.none-recorded": "none yet; the house records one every minute",
    "verification.root-hint": "Note the recorded root down outside this house: whoever has it can"
    " later check the whole journal against it (puntobanco verify --head).",
    "verification.heads": "Where the streams end",
    "verification.stream": "Stream",
    "verification.checked-to": "Sound to row",
    "verification.written-to": "Written to row",
    # significant events
    "events.csv": "As a table (CSV)",
    "events.json": "As data (JSON)",
    "events.back": "From the last {rows} rows of every stream.",
    # receipts
    "receipts.title": "Your receipts at {name}",
    "receipts.none": "No wager or payout of yours is in the last rows of this table.",
    "receipts.row": "row {row}",
    "receipts.print": "Receipt to print",
    "receipts.signed": "Signed receipt (JSON)",
    "receipts.back": "From the last {rows} rows of this table, fifty at most.",
    "receipt.title": "Receipt, row {row}",
    "receipt.amount": "Amount",
    "receipt.actor": "Recorded by",
    "receipt.hash": "Hash of the row",
    "receipt.signature": "The house's signature",
    "receipt.key": "The house's public key",
    "receipt.root": "The house's last root",
    "receipt.root-hint": "The root covers this row and all before it: with it, puntobanco verify"
    " --head shows that none of them was changed since.",
    "receipt.code-whole": "QR code of this receipt in full",
    "receipt.code-hash": "QR code of the row's hash and the house's signature",
    "receipt.how-whole": "The code is the whole receipt. Keep its text in a file, and"
    " puntobanco verify checks it against the house's public key.",
    "receipt.how-hash": "The code has the row's hash and the signature over it. Held against the"
    " journal, it shows that the row is still there, unchanged.",
    "receipt.others": "The row concerns others too, so only what is yours is printed here.",
}
