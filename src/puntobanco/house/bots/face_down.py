"""Staff bots when a player asks to turn the cards: they acknowledge it, and deal face down."""

from collections.abc import Iterator, Mapping

from puntobanco.register.commands import Plan
from puntobanco.rules.coup import Side
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.queries.face_down import BET_ON, rule_of
from puntobanco.table.state import LiveCoup, Phase, Table

TOLD: dict[Plan, Role] = {"manager": Role.MANAGEMENT, "surveillance": Role.SURVEILLANCE}
"""The bots that must be told before cards are dealt face down [tas-2018:9.3(e)], by role."""


def acknowledged(table: Table, staff: Mapping[Plan, str]) -> Iterator[tuple[str, c.TableCommand]]:
    """Let management and surveillance acknowledge that they have been told."""
    if not table.face_down.asked_by:
        return
    for plan, role in TOLD.items():
        if plan in staff and role in rule_of(table).informed and _untold(table, role):
            yield staff[plan], c.AcknowledgeFaceDown(role)


def _untold(table: Table, role: Role) -> bool:
    return role not in table.face_down.informed


def _over(coup: LiveCoup) -> bool:
    """Is the time for bets over, before they are locked?"""
    return not coup.locked and (coup.called or coup.time_over)


def _wished(coup: LiveCoup, asked: list[str]) -> bool:
    """Does anybody bet who asked to turn the cards?"""
    return any(wager.by in asked for wager in coup.wagers)


def granted(table: Table, staff: Mapping[Plan, str]) -> Iterator[tuple[str, c.TableCommand]]:
    """Deal face down while a player at the table wishes it, and name who turns the cards."""
    if table.notice is None or not table.is_open:
        return
    rule, play = rule_of(table), table.face_down
    asked = [person for person in table.places if person in play.asked_by]
    told = all(not _untold(table, Role(role)) for role in rule.informed)
    if table.phase in (Phase.PREPARING, Phase.READY) and play.on != bool(asked and told):
        who = staff.get("dealer" if rule.asked_by_player else "inspector", "")
        yield who, c.SetFaceDown(down=not play.on)
    coup = table.coup
    if coup and play.on and rule.asked_by_player and _over(coup) and not _wished(coup, asked):
        yield staff.get("dealer", ""), c.SetFaceDown(down=False)
    if coup and coup.face_down and coup.locked and rule.exposed_by == "as-named":
        for side in Side:
            bets = [
                wager.by for wager in coup.wagers if wager.on == BET_ON[side] and wager.by in asked
            ]
            if bets and side not in coup.named:
                yield staff.get("inspector", ""), c.NameExposer(side, bets[0])
