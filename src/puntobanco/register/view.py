"""The register as those see it who may: who belongs to the house, and as what."""

from msgspec import Struct

from puntobanco.register.state import Register
from puntobanco.table.actor import Role


class RegisterEntry(Struct, frozen=True):
    """One person of the house."""

    person: str
    kind: str
    enabled: bool
    roles: dict[str, tuple[Role, ...]]
    """By table; the empty name stands for the whole house."""
    bot: bool


def view(register: Register) -> list[RegisterEntry]:
    """Everybody who was ever enrolled; whoever asks has been let in by then."""
    return [
        RegisterEntry(
            person,
            member.kind,
            member.enabled,
            {table: tuple(sorted(held)) for table, held in member.roles.items()},
            member.bot is not None,
        )
        for person, member in register.people.items()
    ]
