"""The state of the register: its people, rule-set texts, public keys and settings."""

from typing import Literal

from msgspec import Struct

from puntobanco.register.commands import Bot, Kind
from puntobanco.register.settings import Settings
from puntobanco.table.actor import Role


class Member(Struct, frozen=True):
    """One person of the house; names and credentials are in tables that can be erased."""

    kind: Kind | Literal["guest"]
    """A guest is nobody in particular: an id that visitors play under, at one table."""
    roles: dict[str, frozenset[Role]] = {}
    """Roles by table; the empty name stands for the whole house."""
    enabled: bool = True
    bot: Bot | None = None
    excluded_until_ms: int = 0
    """Until then they have shut themselves out."""

    def roles_at(self, table: str) -> frozenset[Role]:
        """The roles that this person has at a table now."""
        if not self.enabled:
            return frozenset()
        if self.kind == "patron":
            return frozenset({Role.PATRON})
        return self.roles.get("", frozenset()) | self.roles.get(table, frozenset())


class Register(Struct, frozen=True):
    people: dict[str, Member] = {}
    rulesets: dict[str, str] = {}
    """The texts that tables were opened by, each by its digest."""
    keys: frozenset[str] = frozenset()
    """Public keys that receipts of this house have been signed with."""
    settings: Settings = Settings()

    @property
    def currency(self) -> str:
        """In which the house writes amounts; empty: as bare numbers."""
        return self.settings.look.currency

    @property
    def managers(self) -> tuple[str, ...]:
        """The people who can manage the house now; bots cannot."""
        return tuple(
            person
            for person, member in self.people.items()
            if member.bot is None and Role.MANAGEMENT in member.roles_at("")
        )
