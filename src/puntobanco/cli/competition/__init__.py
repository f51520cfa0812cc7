"""`puntobanco competition`: one file per subject; each command is imported when it is asked for.

Exit code 0 says yes, 1 says no, 2 that what was given cannot be read, in one line.
"""

from cyclopts import App

app = App(
    name="competition",
    help_format="plaintext",
    version_flags=[],
    help_epilogue="Example: puntobanco competition new four-heats > cup.toml",
)
COMMANDS: dict[str, tuple[str, str]] = {
    "templates": ("prove:templates", "List the conditions that ship with the program."),
    "new": ("prove:new", "Print the conditions of a template, to begin from."),
    "prove": ("prove:prove_file", "Do the conditions work out for every number of entries?"),
    "pool": ("money:pool", "The prize pool, what is kept of the fees, and the prizes."),
    "refund": ("money:refund", "What of an entry fee comes back, and by which clause."),
    "places": ("ends:places", "Who ranks where, who is through, and what equals do about it."),
    "secret": ("forms:secret", "What is wrong with a secret wager, and what it counts for."),
    "clinch": ("ends:clinch", "Is who advances decided, secured or still open?"),
    "run": ("run:run_script", "Play a written competition, and check what it says."),
    "results": ("results:results", "What a competition of a house has come to."),
    "export": ("results:export", "Write a competition, its tables and its pot into one file."),
    "entries": ("entry_list:entries", "Write the entries of a competition as CSV."),
    "certificate": ("lots:certificate", "Write the certificate of a draw by lot."),
    "data": ("entry_list:data", "The draw, standings coup by coup, results or money as CSV."),
    "import-entries": ("entry_list:import_list", "Apply for everyone on a list, or for nobody."),
    "draw-check": ("lots:draw_check", "Draw the lots of a certificate again."),
}
for name, (where, summary) in COMMANDS.items():
    app.command(f"puntobanco.cli.competition.{where}", name=name, help=summary, version_flags=[])
