"""`puntobanco games` and `receipt`: looking back at a table, and a row of it to keep."""

from pathlib import Path

from rich.padding import Padding
from rich.text import Text

from puntobanco.cli import show
from puntobanco.cli.journal import using
from puntobanco.cli.keys import load_key
from puntobanco.cli.show import Json
from puntobanco.errors import MalformedError, UnusableError
from puntobanco.house.lookback.export import check_stream
from puntobanco.house.lookback.games import LAST, Game, last_games
from puntobanco.journal.log import EventLog
from puntobanco.journal.receipt import Receipt, give_receipt
from puntobanco.journal.shown_keys import key_fault
from puntobanco.journal.witness.shown import inclusion
from puntobanco.table.sentences import hour

MOST = 1000
MOST_ROWS = 2**53


def games(table: str, /, *, house: str, last: int = LAST, json: Json = False) -> int:
    """Show the last games of a table again, step by step, each step with its clauses.

    Parameters
    ----------
    table
        Which one, such as table-1.
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    last
        How many games.
    json
        Print a line of JSON for each game.
    """
    if not 1 <= last <= MOST:
        raise MalformedError(f"--last takes 1 to {MOST}, not {last}")

    async def read(log: EventLog) -> list[Game]:
        check_stream(log, table)
        return list(last_games(log, table, last))

    found = using(house, read)
    if not found and not json:
        print("no activity")
    for game in found:
        if json:
            print(show.json_encoder.encode(game).decode())
        else:
            _tell(game)
    return 0


def _tell(game: Game) -> None:
    state = "" if game.over else ", still in play"
    show.console.print(Text(f"REPLAY  {game.table} coup {game.coup}{state}", style="bold"))
    for step in game.steps:
        line = Text(f"{hour(step.at_ms)}  ", style="dim").append(step.says, style="default")
        if step.clauses:
            line.append("  ").append_text(show.cited(step.clauses))
        show.console.print(Padding(line, (0, 0, 0, 2), expand=False))


def receipt(table: str, row: int, /, *, house: str, key: Path, proof: show.Flag = False) -> int:
    """Print a receipt for one row: what was recorded, signed by the house.

    Parameters
    ----------
    table
        The stream it is in, such as table-1.
    row
        Its number there.
    house
        The house: an SQLite file, or the URL of a PostgreSQL database.
    key
        The file with the house's key.
    proof
        With the proof that a root covers the row, to be held against a witness.
    """
    if not 1 <= row <= MOST_ROWS:
        raise MalformedError(f"rows are numbered from 1, not {row}")
    secret = load_key(key)

    async def read(log: EventLog) -> Receipt:
        check_stream(log, table)
        found = next(log.read(table, row - 1), None)
        if found is None:
            end = log.head(table).seq
            raise UnusableError(f"there is no row {row} in {table}; it has 1 to {end}")
        if wrong := key_fault(log, secret):
            raise UnusableError(wrong)
        return give_receipt(found, secret, inclusion(log, found) if proof else None)

    print(show.json_encoder.encode(using(house, read)).decode())
    return 0
