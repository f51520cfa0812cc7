"""Two people put the record right, and the books balance."""

from puntobanco.rules.coup import Drawn
from puntobanco.rules.paper.notation import parse_drawn
from puntobanco.table import commands as c
from puntobanco.table import events
from tests.kit.table.at import At, balanced, one, rebuilt

OVERSEER = {"tas-2018": "ines", "tas-2013": "ines", "act-2015": "sue", "mbs-2017": "ines"}


def pair(at: At, ask: c.TableCommand, second: str = "") -> list[events.TableEvent]:
    """The dealer proposes, whoever oversees the game approves; the books balance."""
    one(events.Proposed, at.do("dan", ask))
    done = at.approve(second or OVERSEER[at.notice.ruleset])
    assert balanced(at.table)
    assert rebuilt(at) == at.table
    return done


def cards(text: str) -> tuple[Drawn, ...]:
    return parse_drawn(text)
