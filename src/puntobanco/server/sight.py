"""Which tables a reader oversees: by their roles in the whole house, or at single tables."""

from puntobanco.errors import Refused
from puntobanco.house.access.rights import WATCH_OVER, check_house_role
from puntobanco.server.visit import Visit
from puntobanco.table.actor import Role

SEES_FLOOR = WATCH_OVER | {Role.DIRECTOR}


def overseen(visit: Visit) -> frozenset[str]:
    """The tables of the floor that the reader may see; refused if there are none for their role."""
    by = visit.actor()
    member = visit.house.register.state.people[by.person]
    if by.roles & SEES_FLOOR:
        return frozenset(visit.house.tables)
    tables = frozenset(name for name in visit.house.tables if member.roles_at(name) & SEES_FLOOR)
    if not tables:
        check_house_role(by, SEES_FLOOR, "floor")
    return tables


def sees_floor(visit: Visit) -> bool:
    """Whether the reader oversees any table."""
    try:
        return bool(overseen(visit))
    except Refused:
        return False


def oversees_all(visit: Visit) -> bool:
    return bool(visit.roles & SEES_FLOOR)
