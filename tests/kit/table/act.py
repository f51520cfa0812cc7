"""A table under Canberra's rules, and hands that tests of it share."""

from puntobanco.table import commands as c
from puntobanco.table.events import TableEvent
from tests.kit.table.at import At, ready

ACT = "act-2015"


STOOD = "6c Kd Kh 7s"  # Player 6 and Banker 7 stand: Banker wins


BANKER_DRAWS = "6c Kd Kh 5s"  # Player 6 stands, Banker 5 draws


PLAYER_WINS = "9c Kd Kh 3s"


TIE = "9c 9d Kh Ks"


def act(*people: str, **choices: object) -> At:
    return ready(ACT, *people, **choices)


def empty(**choices: object) -> At:
    return At(ACT, **choices).open().staffed()


def finish(at: At) -> list[TableEvent]:
    return [*at.do("dan", c.DeclareResult()), *at.do("dan", c.EndCoup())]


def void(at: At, cause: str = "disrupted") -> list[TableEvent]:
    at.do("sue", c.VoidCoup(cause, "riot"))  # type: ignore[arg-type]
    return at.approve("mara")
