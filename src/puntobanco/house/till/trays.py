"""What must be in each tray: the cage knows what went in and out, the table what was won."""

from puntobanco.cage.view import view
from puntobanco.house.access.rights import AT_CAGE, check_house_role
from puntobanco.house.house import House
from puntobanco.table.actor import Actor


def expected_trays(house: House, by: Actor) -> dict[str, int]:
    """By table, the cents that must be in its tray now, of those that this person may see."""
    check_house_role(by, AT_CAGE, "cage")
    seen = view(house.cage.state, by.person, by.roles)
    return {
        name: tray.expected_cents(house.tables[name].state.money_bank_cents)
        for name, tray in seen.trays.items()
        if name in house.tables
    }
