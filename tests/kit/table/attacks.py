"""Hands and acts that attacks share."""

from puntobanco.table import commands as c
from puntobanco.table.coup_record import CoupRecord
from tests.kit.table.at import At

P_WINS = "9c 2d Kh 5s"  # 9 to 7


B_WINS = "2c 9d Kh Ks"  # 2 to 9


TIE = "9c 9d Kh Ks"


def pair(at: At, first: str, ask: c.TableCommand, second: str = "mara") -> None:
    at.do(first, ask)
    at.approve(second)


def close(at: At) -> None:
    at.do("mara", c.CloseTable())
    if at.table.pack.check_due:
        at.do("dan", c.CheckCardsAtEnd())


def two_shoes(at: At) -> CoupRecord:
    """A coup that ann won, then a new shoe: the record is old."""
    at.coup("1 p 50, 2 p 50", P_WINS)
    record = at.table.coups[0]
    at.coup("2 p 50", P_WINS)
    at.do("dan", c.EndShoe("done"))
    at.shoe()
    return record
