"""`puntobanco competition draw-check`: the lots of a certificate, drawn again."""

from pathlib import Path

from msgspec import Struct

from puntobanco.cli import show
from puntobanco.cli.show import Json
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.draw import FAULTS, certificate_text, check, read_certificate


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
