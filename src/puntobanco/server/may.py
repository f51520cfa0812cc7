"""Which commands a page offers a person now."""

from collections.abc import Callable, Iterator

from puntobanco.house.house import CARDS, KNOWN
from puntobanco.house.virtual import DEALT_AT, is_virtual
from puntobanco.server.api import HOUSE_ONLY
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor
from puntobanco.table.authority import AUTHORITY, acting, counting, open_to
from puntobanco.table.decide.squeezing import rule_of
from puntobanco.table.session import COMMANDS
from puntobanco.table.state import Phase, Table
from puntobanco.table.steps import next_step
from puntobanco.words.commands import GROUPS


def acts(table: Table, by: Actor) -> list[str]:
    """The commands a person may give now, by their names on pages."""
    kinds = set(open_to(table, by)) - set(HOUSE_ONLY)
    if is_virtual(table):
        deals = c.DrawCard in kinds and next_step(table).step in DEALT_AT
        names = [str(kind.__struct_config__.tag) for kind in kinds - {*CARDS, *KNOWN}]
        names += ["deal"] if deals else []
    else:
        names = [str(kind.__struct_config__.tag) for kind in kinds]
        names += ["shuffle-house"] if c.Shuffle in kinds else []
    return [name for name in names if name not in PENDING or PENDING[name](table)]


PENDING: dict[str, Callable[[Table], object]] = {
    "approve": lambda table: table.proposals,
    "drop-proposal": lambda table: table.proposals,
    "decide-dispute": lambda table: any(not one.decision for one in table.disputes.values()),
    "request-review": lambda table: any(one.decision for one in table.disputes.values()),
    "readmit": lambda table: table.excluded,
    "consent-to-change": lambda table: table.posted,
    "apply-change": lambda table: table.posted,
    "drop-change": lambda table: table.posted,
    "agree-no-bet-coup": lambda table: table.no_bet.asked_by,
    "acknowledge-face-down": lambda table: table.face_down.asked_by,
    "mark-absent": lambda table: table.is_contest,
    "allot-chips": lambda table: table.is_contest,
    "ask-for-wager": lambda table: table.is_contest,
    "close-window": lambda table: table.is_contest,
    "raise-limits": lambda table: table.is_contest,
    "ask-no-bet-coup": lambda table: table.terms.rules.wagers.no_bet_coups,
    "direct-no-bet-coup": lambda table: table.terms.rules.wagers.no_bet_coups,
    "allow-free-coups": lambda table: table.terms.rules.wagers.free_coups,
    "name-exposer": lambda table: rule_of(table).exposed_by == "as-named",
    "burn-cards": lambda table: table.burn_due,
    "check-cards-at-end": lambda table: table.pack.check_due,
    "open-commitment": lambda table: table.pack.opening_due,
}
"""Commands that answer something, or that a document has not: not offered without reason."""


def why_not(table: Table, by: Actor, name: str) -> tuple[str, str]:
    """Why a command is not offered: whose it is, or when."""
    kind = COMMANDS[name]
    if is_virtual(table) and kind in (*CARDS, *KNOWN):
        return "house", ""
    allowed = AUTHORITY[kind]
    if not counting(table, allowed.roles) & acting(table, by):
        return "by", ", ".join(sorted(counting(table, allowed.roles)))
    return "while", ", ".join(phase for phase in Phase if phase in allowed.phases)


def grouped(names: list[str]) -> Iterator[tuple[str, list[str]]]:
    for group, members in GROUPS.items():
        if found := [one for one in members if one in names]:
            yield group, found
