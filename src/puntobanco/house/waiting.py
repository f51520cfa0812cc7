"""What waits for a person anywhere in the house, and where they are on duty."""

from puntobanco.house.house import House


def on_duty_at(house: House, person: str) -> str:
    """The table that a person is on duty at; empty: none."""
    on_duty = (
        name
        for name, stream in house.tables.items()
        if any(one.person == person for one in stream.state.staff)
    )
    return next(on_duty, "")
