"""`puntobanco replay`: play a session back, coup by coup, with the clause behind each step."""

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.padding import Padding
from rich.text import Text

from puntobanco import roads as road
from puntobanco.cli import show
from puntobanco.cli.files.copies import remove_house
from puntobanco.cli.keys import house_under, named_key
from puntobanco.cli.roads import print_roads
from puntobanco.cli.show import Flag, Json
from puntobanco.errors import MalformedError
from puntobanco.house.written_session import SessionTime, write_session
from puntobanco.journal.opening import open_journal
from puntobanco.rules.coup import Coup
from puntobanco.table import events
from puntobanco.table.sentences import hour, tell
from puntobanco.table.session import Played, Said, Session, parse_session, play_session
from puntobanco.table.state import Table
from puntobanco.words import money


def replay(
    *files: Path,
    coup: int | None = None,
    pause: Flag = False,
    json: Json = False,
    house: Path | None = None,
    secret: Path | None = None,
) -> int:
    """Play written sessions at a table: every command, what came of it, and why.

    Parameters
    ----------
    files
        Sessions in the notation; docs/notation.md has the form.
    coup
        Only the coup of this number.
    pause
        Wait for Enter after every coup.
    json
        One line of JSON for each command, with its events, or the reason it was refused.
    house
        A house to make: the session is written into it, commands and all, with its people enrolled
        and what they buy paid in.
    secret
        The file for the key of that house; by default in a folder of your own settings.
    """
    if not files:
        raise MalformedError("name a session to play")
    if house is not None:
        if coup is not None or pause or json:
            raise MalformedError("--house takes whole sessions: leave out --coup, --pause, --json")
        if house.exists():
            raise MalformedError(f"{house} is there already; name a new file")
        if len(files) > 1:
            raise MalformedError("a house is made of one session: name one")
        session = parse_session(show.read_file(files[0]))
        return asyncio.run(_write(session, house, named_key(str(house), secret)))
    for file in files:
        if len(files) > 1 and not json:
            show.console.print(Text(f"\n{file.name}", style="bold underline"))
        steps = _within(play_session(parse_session(show.read_file(file))), coup)
        if json:
            for step in steps:
                print(_line(step))
        else:
            _tell(steps, pause=pause)
    return 0


async def _write(session: Session, house: Path, key: Path) -> int:
    """Write a session into a new house, which is removed again if that fails."""
    log = await open_journal(str(house), create=True)
    try:
        time = SessionTime()
        made = house_under(key, log, time.clock)
        left_out = await write_session(session, made, time)
        root = await made.shut()
        rows = log.count()
    except BaseException:
        await log.close()
        remove_house(str(house))  # half a session is none
        raise
    await log.close()
    for said in left_out:
        print(f"left out: {said}")
    print(f"{show.counted(rows, 'row')} written; verify with: puntobanco verify {house}")
    print(f"root {root}")
    return 0


def _within(steps: Iterable[Played], coup: int | None) -> Iterable[Played]:
    """Every step, or those of one coup, from the call for bets to the discard rack."""
    found = coup is None
    for step in steps:
        if coup is None or _is_of(step, coup):
            found = True
            yield step
    if not found:
        raise MalformedError(f"the session has no coup {coup}")


def _is_of(step: Played, coup: int) -> bool:
    if step.table.coup is not None:
        return step.table.coup.number == coup
    ended = any(isinstance(event, events.COUP_OVER) for event in step.events)
    return ended and step.table.coup_number == coup


def _line(step: Played) -> str:
    refused = step.refused
    said = {
        "line": step.said.line,
        "time": hour(step.said.by.at_ms),
        "by": step.said.by.person,
        "ask": step.ask,
        "events": step.events,
        "refused": {
            "reason": refused.reason,
            "clause": refused.clause,
            "facts": {name: str(fact) for name, fact in refused.facts.items()},
            "says": str(refused),
        }
        if refused
        else None,
    }
    return show.json_encoder.encode(said).decode()


def _tell(steps: Iterable[Played], *, pause: bool) -> None:
    said: Said | None = None
    table = Table()
    for step in steps:
        if step.said is not said:
            asked = step.said.text.removeprefix("!").strip()
            line = Text(f"{hour(step.said.by.at_ms)}  ", style="dim").append(asked, style="bold")
            show.console.print(line)
        said, table = step.said, step.table
        _came_of_it(step)
        if pause and any(isinstance(event, events.COUP_OVER) for event in step.events):
            _wait()
    if table.shoe is not None:
        _roads(table)


def _came_of_it(step: Played) -> None:
    if step.refused is not None:
        _print(Text(f"refused: {step.refused}", style="yellow"))
    for event in step.events:
        line = Text(_sentence(event, step.table))
        if event.clauses:
            line.append("  ").append_text(show.cited(event.clauses))
        _print(line)
    if any(isinstance(event, events.COUP_OVER) for event in step.events):
        _balances(step.table)
    if any(isinstance(event, events.ShoeEnded) for event in step.events):
        _roads(step.table)


def _print(line: Text) -> None:
    show.console.print(Padding(line, (0, 0, 0, 7), expand=False))


def _sentence(event: events.Event, table: Table) -> str:
    """What happened; a card with its hand, a result with both hands."""
    said = tell(event)
    if table.coup is None:
        return said
    hands = table.coup.hands(table.terms)
    if isinstance(event, events.CardDrawn | events.CarriedDealt):
        side = hands.given(len(table.coup.drawn) - 1)
        return f"{side.capitalize()}: {said}" if side else f"To nobody: {said}"
    if isinstance(event, events.ResultDeclared):
        return f"{said} ({_both(hands)})"
    return said


def _both(hands: Coup) -> str:
    shown = [" ".join(card or "??" for card in hand) for hand in (hands.player, hands.banker)]
    return " / ".join(shown)


def _balances(table: Table) -> None:
    """Who holds what, and the results of this shoe."""
    held = "  ".join(f"{person} {money(cents)}" for person, cents in table.chips.items())
    bank = f"bank {'+' if table.bank_cents > 0 else ''}{money(table.bank_cents)}"
    beads = " ".join(_letter(record.result) for record in table.coups)
    _print(Text(f"chips: {held}  {bank}", style="cyan"))
    _print(Text(f"shoe {table.shoe_number}: {beads}\n", style="cyan"))


def _letter(result: object) -> str:
    return str(result)[0].upper() if result else "–"


def _roads(table: Table) -> None:
    results = [record.result for record in table.coups if record.result]
    if results:
        show.console.print()
        print_roads(road.draw_roads(results))
        show.console.print()


def _wait() -> None:
    if sys.stdin is not None and sys.stdin.isatty():
        show.console.print(Text("Enter for the next coup", style="dim"), end="")
        sys.stdin.readline()
