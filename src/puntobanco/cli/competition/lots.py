"""`competition certificate` writes the file of a draw, `draw-check` draws its lots again."""

from pathlib import Path

from msgspec import Struct

from puntobanco.cli import show
from puntobanco.cli.competition.results import competition_in, house_file
from puntobanco.cli.journal import using
from puntobanco.cli.show import Json
from puntobanco.errors import MalformedError
from puntobanco.house.competitions.paperwork import DrawOnRecord, draws_on_record
from puntobanco.journal.log import EventLog
from puntobanco.rules.competition.draw import (
    FAULTS,
    certificate_text,
    check,
    read_certificate,
    write_certificate,
)


class Disagreement(Struct):
    fault: str
    says: str


class DrawChecked(Struct):
    holds: bool
    competition: str
    session: str
    draw: int
    faults: tuple[Disagreement, ...]


def draw_check(file: Path, *, json: Json = False) -> int:
    """Draw the lots of a certificate again; exit code 1 if they come out otherwise.

    Parameters
    ----------
    file
        The file that the certificate of a draw carries.
    json
        Print JSON.
    """
    try:
        one = read_certificate(show.read_file(file))
    except MalformedError as error:
        raise MalformedError(f"{file}: {error}") from error
    faults = check(one)
    if json:
        told = tuple(Disagreement(fault, FAULTS[fault]) for fault in faults)
        show.print_json(DrawChecked(not faults, one.competition, one.session, one.draw, told))
        return 1 if faults else 0
    for line in certificate_text(one).splitlines():
        show.console.print("".join(sign if sign.isprintable() else "?" for sign in line))
    for fault in faults:
        show.console.print(f"It does not hold: {FAULTS[fault]}.")
    if not faults:
        show.console.print("It holds: the same lots come out again.")
    return 1 if faults else 0


def certificate(house: str, competition: str, /, *, draw: int = 0) -> int:
    """Write the certificate of a draw by lot, as the file that `draw-check` reads.

    Parameters
    ----------
    house
        The house: an SQLite file, a folder with a house in it, or the URL of a PostgreSQL database.
    competition
        The competition's id, without the competition- of its stream.
    draw
        Which of the competition's draws, 1 for the first; by default the last.
    """

    async def read(log: EventLog) -> list[DrawOnRecord]:
        with log.frozen():
            return draws_on_record(log, competition_in(log, competition))

    made = [one.certificate for one in using(house_file(house), read) if one.certificate]
    if not made:
        raise MalformedError(
            f"nothing was drawn by lot in {competition} yet; keyed draws have none"
        )
    if not 0 <= draw <= len(made):
        raise MalformedError(f"--draw takes 1 to {len(made)}: so many were drawn by lot")
    print(write_certificate(made[draw - 1]), end="")
    return 0
