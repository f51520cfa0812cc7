"""What people and places are called: for staff, in tables and in sentences."""

from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION
from puntobanco.journal.verify import HOUSE
from puntobanco.table.sentences import Writing, in_currency
from puntobanco.words.pages import PAGES

BOT = "bot-"
PLACES = ("cage", "register", HOUSE)
"""Records that are no table's."""


def person_called(house: House, person: str) -> str:
    """A person's name, what a bot is called or does, or an id where nobody wrote a name down."""
    if person == HOUSE:
        return PAGES["called.itself"]
    named = house.people.get(person).name
    member = house.register.state.people.get(person)
    if named or member is None or member.bot is None:
        return named or person
    alias = house.people.alias(person)
    return alias or PAGES["called.bot"].format(what=person.removeprefix(BOT).partition("-")[0])


def place_called(house: House, stream: str) -> str:
    """What a table or a competition is called, or whose record it is."""
    if stream in PLACES:
        return PAGES[f"called.{stream}"]
    cup = house.competitions.get(stream)
    if cup is not None:
        return cup.state.conditions.name if cup.state.version else stream.removeprefix(COMPETITION)
    return house.register.state.settings.called(stream)


def told_to_staff(house: House) -> Writing:
    """How sentences are written for those who work here."""
    plain = in_currency(house.register.state.currency)
    called = house.register.state.settings.called
    return plain._replace(person=lambda person: person_called(house, person), table=called)
