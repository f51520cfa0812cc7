"""The command line: one file per command; what goes wrong is one clear line and exit code 2."""

import atexit
import gc
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from cyclopts import App, CycloptsError

from puntobanco import __version__
from puntobanco.cli.house.config import sources, without_password
from puntobanco.errors import MalformedError, Refused, UnusableError
from puntobanco.extras import wanted

app = App(
    name="puntobanco",
    help="Casino baccarat by the book: every decision cites its clause.",
    version=__version__,
    version_flags=["--version"],
    help_format="plaintext",
)
COMMANDS = {
    "deal": ("deal:deal", "Fold cards into the two hands, or deal a whole shoe."),
    "settle": ("settle:settle", "Settle the wagers of a coup, each payout with its clause."),
    "roads": ("roads:roads", "Draw the five roads of a string of results."),
    "odds": ("odds:app", "Exact odds of every wager, from any composition of the shoe."),
    "simulate": ("simulate:simulate", "Simulate whole shoes, very fast, beside the exact odds."),
    "bankroll": ("bankroll:bankroll", "Play a betting plan with a bankroll, many times over."),
    "replay": ("replay:replay", "Play a written session back, every step with its clause."),
    "prepare": ("house.prepare:prepare", "Make a house's tables in PostgreSQL, as their owner."),
    "serve": ("serve:serve", "Run a house on the web."),
    "config": ("house.config:show_config", "What a house would run with, and where it came from."),
    "doctor": ("house.doctor:doctor", "Is this host ready to run its house?"),
    "password": ("house.machine:password", "A fresh password for a member of staff of a house."),
    "founder": ("house.machine:founder", "One more person who answers for a house."),
    "erase": ("house.machine:erase", "Erase what is personal of somebody who has left a house."),
    "demo": (
        "house.demo:demo",
        "A house to try, with bots at every table and a seat free for you.",
    ),
    "report": ("report:report_house", "Coups, shoes, tables, days and people in figures."),
    "games": ("games:games", "The last games of a table again, step by step."),
    "receipt": ("games:receipt", "A receipt for one row, signed by the house."),
    "verify": ("journal:verify", "Verify a house, an export, an archive or a receipt."),
    "export": ("journal:export", "Write one table into a file that stands by itself."),
    "backup": ("files.copies:backup", "Copy a house while it is in use."),
    "restore": ("files.copies:restore", "Bring a backup back into a new house."),
    "drill": ("files.copies:drill", "Try a restore: bring a copy back, verify it, say how long."),
    "archive": ("files.archives:archive", "Seal closed days into a file that verifies by itself."),
    "witness": ("files.witness:witness", "Follow a house's roots from elsewhere, and keep them."),
    "program": ("files.program:program", "Is what runs here what was released?"),
    "competition": ("competition:app", "Competitions: conditions, numbers, money and places."),
    "rules": ("rules:app", "Browse the rulebook: list, show, search, compare, coverage, and more."),
}
EXAMPLES = {
    "simulate": "puntobanco simulate --coups 1000000 --seed 1 --coups-to coups.csv",
    "bankroll": "puntobanco bankroll 100 --plan paroli --paths 20 --paths-to p.csv --plot p.svg",
    "report": "puntobanco report --house house.db --by coup --csv > coups.csv",
}
for name, (where, summary) in COMMANDS.items():  # each is imported only when it is asked for
    alone: dict[str, Any] = {} if where.endswith(":app") else {"version_flags": []}
    if name in EXAMPLES:
        alone["help_epilogue"] = f"Example: {EXAMPLES[name]}"
    if filled := sources(name):
        alone["config"] = filled
    app.command(f"puntobanco.cli.{where}", name=name, help=summary, **alone)


IN_SIGHT = (
    "Warning: everybody on this machine sees a password that stands in a command; put the address"
    " into PUNTOBANCO_HOUSE or the file of settings, or the password into ~/.pgpass"
)


def main() -> NoReturn:
    """Run a command; say in one line what is wrong with what was asked."""
    if sys.stdout is None:  # closed by whoever started us: there is nobody to tell
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  to the end
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:  # a terminal without Unicode shows ? where it must, and never a traceback
        reconfigure(errors="replace")
    if any(without_password(argument) != argument for argument in sys.argv):
        print(IN_SIGHT, file=sys.stderr)
    atexit.register(gc.freeze)  # what ends is not looked through once more, which took 0.4 s
    try:
        code = _run()
        sys.stdout.flush()
    except (Refused, MalformedError, UnusableError, CycloptsError) as error:
        fail(str(error))
    except UnicodeDecodeError as error:
        fail(f"not text in UTF-8: {error.reason} at byte {error.start}")
    except UnicodeEncodeError:
        fail("what was asked is not text in UTF-8")
    except BrokenPipeError:  # the reader downstream has seen enough
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror))
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)


def _run() -> object:
    """Run a command; where an extra is missing, say which."""
    if sys.argv[1:2] in (["serve"], ["demo"]):
        gc.disable()  # until the house is open: what is loaded stays, and people may be waiting
    try:
        return app(exit_on_error=False, print_error=False, result_action="return_value")
    except ImportError as error:
        if said := wanted(error):
            raise UnusableError(said) from error
        raise


def _drop_output() -> None:
    """Send standard output nowhere: Python would try the write that failed again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(what: str) -> NoReturn:
    """Print one line, with ? for what a terminal cannot show, and exit with code 2."""
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(what.split()))
    print(f"puntobanco: {line[:600]}", file=sys.stderr)
    sys.exit(2)
