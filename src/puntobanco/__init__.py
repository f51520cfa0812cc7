"""puntobanco: casino baccarat tables and competitions, run by the book.

Settling a coup takes three lines:

>>> import puntobanco as pb
>>> terms = pb.post(pb.sample_notice("tas-2018"))
>>> coup = pb.fold(pb.parse_drawn("9c Kd 2h 3s 5h 6d"), terms.rules.tableau)
>>> pb.settle(coup, pb.take([pb.parse_wager("3 b 75")], terms), terms).won_cents
7250

`docs/library.md` shows the rest. A name is imported when it is first used: importing the package
costs next to nothing and needs none of the extras.
"""

from importlib import import_module

from puntobanco.extras import wanted
from puntobanco.names import WHERE

__version__ = "0.1.0"
__all__ = [
    "RULESETS", "Actor", "Bet", "Card", "Coup", "Found", "MalformedError", "Notice", "Priced",
    "Reason", "Refused", "Result", "Roads", "Role", "Ruleset", "Settlement", "Shoe", "Side",
    "Table", "Terms", "Totals", "UnusableError", "Wager", "__version__", "commands",
    "course_of", "deal_shoe", "decide", "draw_roads", "events", "find_clause", "fold",
    "format_shoe", "full_set", "load_ruleset", "parse_cards", "parse_drawn", "parse_results",
    "parse_session", "parse_shoe", "parse_wager", "play_session", "play_shoe", "post", "price",
    "read_export", "read_notice", "read_paytable", "rule_on", "run", "sample_notice", "settle",
    "shuffled", "simulate", "take", "tell", "verify_export",
]  # fmt: skip

TYPE_CHECKING = False  # as type checkers know it; importing typing would cost more than we do
if TYPE_CHECKING:
    from puntobanco.errors import MalformedError, Reason, Refused, UnusableError
    from puntobanco.house.lookback.exported import read_export, verify_export
    from puntobanco.odds.course import course_of
    from puntobanco.odds.priced import Priced, price
    from puntobanco.odds.wagers import read_paytable
    from puntobanco.roads import Roads, draw_roads, parse_results
    from puntobanco.rules.cards import Card, parse_cards
    from puntobanco.rules.coup import Coup, Result, Side
    from puntobanco.rules.documents.rulebook import find_clause
    from puntobanco.rules.documents.ruleset import RULESETS, Bet, Ruleset
    from puntobanco.rules.documents.texts import load_ruleset
    from puntobanco.rules.drawing import fold
    from puntobanco.rules.irregularities import Found, rule_on
    from puntobanco.rules.notice import Notice, Terms, post, read_notice, sample_notice
    from puntobanco.rules.paper.notation import format_shoe, parse_drawn, parse_shoe, parse_wager
    from puntobanco.rules.paper.playthrough import deal_shoe, play_shoe
    from puntobanco.rules.settle import Settlement, settle
    from puntobanco.rules.shoe import Shoe, full_set, shuffled
    from puntobanco.rules.wagers import Wager, take
    from puntobanco.sim.run import Totals, simulate
    from puntobanco.table import commands, events
    from puntobanco.table.actor import Actor, Role
    from puntobanco.table.decide import decide, run
    from puntobanco.table.sentences import tell
    from puntobanco.table.session import parse_session, play_session
    from puntobanco.table.state import Table

else:  # out of the checkers' sight, so that they find a name that is not offered

    def __getattr__(name: str) -> object:
        if name not in WHERE:
            raise AttributeError(f"module 'puntobanco' has no attribute {name!r}")
        module, _, inside = WHERE[name].partition(":")
        try:
            found = import_module(f"puntobanco.{module}")
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(wanted(error) or str(error), name=error.name) from error
        globals()[name] = getattr(found, inside) if inside else found
        return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
