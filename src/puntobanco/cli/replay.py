"""`puntobanco replay`: play a session back, coup by coup, with the clause behind each step."""

import sys
from pathlib import Path

from rich.text import Text

from puntobanco import roads as road
from puntobanco.cli import show
from puntobanco.cli.roads import draw_roads
from puntobanco.cli.show import Flag, Json
from puntobanco.errors import MalformedError
from puntobanco.table import events
from puntobanco.table.session import Said, Step, parse_session, play_session
from puntobanco.table.state import Table
from puntobanco.table.telling import clock, tell
from puntobanco.words import money, one_line


def replay(file: Path, /, *, coup: int = 0, pause: Flag = False, json: Json = False) -> int:
    """Play a written session at a table: every command, what came of it, and why.

    Parameters
    ----------
    file
        A session in the notation; docs/notation.md has the form.
    coup
        Only the coup of this number.
    pause
        Wait for Enter after every coup.
    json
        One line of JSON for each command, with its events.
    """
    session = parse_session(show.read(file))
    last: Said | None = None
    shown = 0
    for step in play_session(session):
        number = step.table.coup_number
        in_coup = not coup or (number == coup and _is_within(step, coup))
        shown += in_coup
        if json and in_coup:
            print(_line(step))
        elif in_coup:
            _show(step, again=step.said is last)
            if pause and any(isinstance(event, events.CoupEnded) for event in step.events):
                _wait()
        last = step.said
    if not shown:
        raise MalformedError(f"the session has no coup {coup}")
    return 0


def _is_within(step: Step, coup: int) -> bool:
    """From the call for bets to the discard rack; not what comes before the next call."""
    if step.table.coup is not None:
        return step.table.coup.number == coup
    return any(isinstance(event, events.CoupEnded) for event in step.events)


def _line(step: Step) -> str:
    said = {
        "line": step.said.line,
        "time": clock(step.said.by.at_ms),
        "by": step.said.by.person,
        "ask": step.ask,
        "events": step.events,
        "refused": one_line(step.refused) if step.refused else None,
    }
    return show.json_encoder.encode(said).decode()


def _show(step: Step, *, again: bool) -> None:
    if not again:
        said = Text(f"{clock(step.said.by.at_ms)}  ", style="dim")
        said.append(step.said.text.removeprefix("!").strip(), style="bold")
        show.console.print(said)
    if step.refused is not None:
        show.console.print(Text(f"       refused: {one_line(step.refused)}", style="yellow"))
    for event in step.events:
        line = Text("       ").append(tell(event)).append("  ")
        show.console.print(line.append_text(show.cited(event.clauses)))
        if isinstance(event, events.CoupEnded):
            _balances(step.table)
        if isinstance(event, events.ShoeEnded):
            _roads(step.table)


def _balances(table: Table) -> None:
    """Who holds what, and the results of this shoe."""
    held = "  ".join(f"{person} {money(cents)}" for person, cents in table.chips.items())
    bank = f"bank {'+' if table.bank_cents > 0 else ''}{money(table.bank_cents)}"
    beads = " ".join(_letter(record.result) for record in table.coups)
    show.console.print(Text(f"       chips: {held}  {bank}", style="cyan"))
    show.console.print(Text(f"       shoe {table.shoe_number}: {beads}\n", style="cyan"))


def _letter(result: object) -> str:
    return str(result)[0].upper() if result else "–"


def _roads(table: Table) -> None:
    results = [record.result for record in table.coups if record.result]
    if results:
        show.console.print()
        draw_roads(road.roads(results))
        show.console.print()


def _wait() -> None:
    if sys.stdin is not None and sys.stdin.isatty():
        show.console.print(Text("Enter for the next coup", style="dim"), end="")
        sys.stdin.readline()
