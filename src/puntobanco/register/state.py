"""The state of the register: its people, rule-set texts, public keys and settings."""

from typing import Literal

from msgspec import Struct

from puntobanco.register.commands import Bot, ByTwo, Kind, OwnLimits
from puntobanco.register.settings import Settings
from puntobanco.table.actor import Role


class LimitsAsked(Struct, frozen=True):
    """Higher limits that a patron has asked for, and from when on they may ask again."""

    limits: OwnLimits
    from_ms: int


class Member(Struct, frozen=True):
    """One person of the house; names and credentials are in tables that can be erased."""

    kind: Kind | Literal["guest"]
    """A guest is nobody in particular: an id that visitors play under, at one table."""
    roles: dict[str, frozenset[Role]] = {}
    """Roles by table; the empty name stands for the whole house."""
    enabled: bool = True
    bot: Bot | None = None
    excluded_until_ms: int = 0
    """Until then they are shut out of play, at their own wish."""
    limits: OwnLimits = OwnLimits()
    """Their own limits of loss and time."""
    limits_asked: LimitsAsked | None = None

    def roles_at(self, table: str) -> frozenset[Role]:
        """The roles that this person has at a table now."""
        if not self.enabled:
            return frozenset()
        if self.kind == "patron":
            return frozenset({Role.PATRON})
        return self.roles.get("", frozenset()) | self.roles.get(table, frozenset())


class Hired(Struct, frozen=True):
    """By whom and when a member of staff was enrolled, in a house that has two founders."""

    by: str
    at_ms: int
    bot: bool = False


class ProposedChange(Struct, frozen=True):
    """A command that waits for a second person."""

    ask: ByTwo
    person: str


class Register(Struct, frozen=True):
    people: dict[str, Member] = {}
    rulesets: dict[str, str] = {}
    """The texts that tables were opened by, each by its digest."""
    keys: tuple[str, ...] = ()
    """Public keys that receipts of this house have been signed with; the last is in use."""
    settings: Settings = Settings()
    hired: dict[str, Hired] = {}
    to_erase: frozenset[str] = frozenset()
    """Of whom it was agreed that what is personal goes; it may have gone."""
    proposals: dict[int, ProposedChange] = {}
    proposal_number: int = 0

    def stands_with(self, person: str, at_ms: int) -> str:
        """The person as whom somebody counts where two are wanted: a newcomer as whoever enrolled
        them, a program always.
        """
        hired, rule = self.hired.get(person), self.settings.two_people
        while hired is not None and (hired.bot or rule.is_new(hired.at_ms, at_ms)):
            person = hired.by
            hired = self.hired.get(person)
        return person

    def one_with(self, person: str, at_ms: int) -> frozenset[str]:
        """All others who count as one with a person."""
        own = self.stands_with(person, at_ms)
        same = {one for one in self.hired if self.stands_with(one, at_ms) == own}
        return frozenset({own, *same} - {person})

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
