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
COMMANDS: dict[str, tuple[str, str]] = {}
for name, (where, summary) in COMMANDS.items():
    app.command(f"puntobanco.cli.competition.{where}", name=name, help=summary, version_flags=[])
