"""Odds are shut to players and staff on duty: nobody plays or deals by them."""

from puntobanco.errors import Reason, Refused
from puntobanco.house.house import House
from puntobanco.table.authority import plays

ADVICE = "act-2015:14.5(a)"
"""Staff may not advise on play."""


def check_not_at_table(house: House, person: str) -> None:
    """Refuse odds to a person who plays or is on duty at any table, until they leave it."""
    for name, stream in tuple(house.tables.items()) if person else ():
        on_duty = any(staff.person == person for staff in stream.state.staff)
        if on_duty or plays(stream.state, person):
            raise Refused(Reason.ODDS_AT_A_TABLE, ADVICE, table=name)
