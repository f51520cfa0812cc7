"""What live pages of the office hang on: while these stay the same, there is nothing to send.

Each is one number, so that a page can say what it was drawn by, and is sent nothing if that holds.
"""

from puntobanco.house.house import House
from puntobanco.house.till.patron import duties_taken, places_taken


def house_version(house: House) -> int:
    """Which tables there are and are open, on which notice; the people, and the slips."""
    tables = tuple(
        (name, one.state.is_open, one.state.notice) for name, one in house.tables.items()
    )
    return hash((house.register.seq, len(house.cage.state.slips), tables))


def till_version(house: House) -> int:
    """The cage, the people, and where they sit."""
    seats = frozenset(places_taken(house).items())
    return hash((house.cage.seq, house.register.seq, house.noted, seats))


def chips_version(house: House) -> int:
    """The cage, and what the banks of the tables have won."""
    banks = tuple(one.state.money_bank_cents for one in house.tables.values())
    return hash((house.cage.seq, banks))


def people_version(house: House) -> int:
    """The register, what was put on record of people, who sits where and who is on duty."""
    duties = frozenset(duties_taken(house).items())
    seats = frozenset(places_taken(house).items())
    return hash((house.register.seq, house.noted, seats, duties))
