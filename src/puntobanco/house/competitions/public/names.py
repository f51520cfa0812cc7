"""What entrants are called where everybody can read it."""

from collections.abc import Iterable

from puntobanco.competition.queries import entry_numbers
from puntobanco.competition.state import Competition
from puntobanco.house.house import House
from puntobanco.words.pages import PAGES


class PublicNames:
    """By the alias that each of them chose; whoever chose none is the entrant of their number.

    Names are for staff alone, and an id is nobody's name.
    """

    def __init__(self, house: House, competition: Competition) -> None:
        self._aliases = house.people.aliases()
        self._numbers = entry_numbers(competition)

    def __call__(self, person: str) -> str:
        alias = self._aliases.get(person, "")
        number = self._numbers.get(person)
        return alias or PAGES["board.entrant"].format(number=number or "")

    def all(self, people: Iterable[str]) -> tuple[str, ...]:
        return tuple(self(person) for person in people)
