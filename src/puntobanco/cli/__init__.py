"""The command line: one file per command; what goes wrong is one clear line and exit code 2."""

import sys
from typing import NoReturn

from cyclopts import App, CycloptsError

from puntobanco.errors import MalformedError, Refused
from puntobanco.words import one_line

app = App(
    name="puntobanco",
    help="Casino baccarat by the book: every decision cites its clause.",
    version_flags=["--version"],
    help_format="plaintext",
)
COMMANDS = {
    "deal": ("deal:deal", "Fold cards into the two hands, or deal a whole shoe."),
    "settle": ("settle:settle", "Settle the wagers of a coup, each payout with its clause."),
    "roads": ("roads:roads", "Draw the five roads of a string of results."),
    "odds": ("odds:app", "Exact odds of every wager, from any composition of the shoe."),
    "simulate": ("simulate:simulate", "Simulate whole shoes, very fast, beside the exact odds."),
    "rules": ("rules:app", "Browse the rulebook: list, show, search, compare, coverage, and more."),
}
for name, (where, summary) in COMMANDS.items():  # each is imported only when it is asked for
    app.command(f"puntobanco.cli.{where}", name=name, help=summary)


def main() -> NoReturn:
    """Run a command; say in one line what is wrong with what was asked."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:  # a terminal without Unicode shows ? where it must, and never a traceback
        reconfigure(errors="replace")
    try:
        code = app(exit_on_error=False, print_error=False, result_action="return_value")
    except Refused as refused:
        fail(one_line(refused))
    except (MalformedError, CycloptsError) as error:
        fail(str(error).strip())
    except UnicodeDecodeError as error:
        fail(f"not a text file: {error.reason} at byte {error.start}")
    except BrokenPipeError:  # the reader downstream has seen enough
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(code if isinstance(code, int) else 0)


def fail(what: str) -> NoReturn:
    print(f"puntobanco: {' '.join(what.split())}", file=sys.stderr)
    sys.exit(2)
