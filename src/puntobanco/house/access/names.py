"""What people and places are called: for staff, in tables and in sentences."""

from functools import cache, partial
from unicodedata import category, normalize
from unicodedata import name as described

from puntobanco.errors import Reason, Refused
from puntobanco.house.house import House
from puntobanco.house.stream import COMPETITION
from puntobanco.journal.verify import HOUSE
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.sentences import Writing, in_currency
from puntobanco.words.pages import PAGES

HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Characters that nobody sees: controls, formats, and those that mean nothing."""
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs by their kind, of which nothing is seen: fillers, a joiner, an empty
pattern of Braille."""
SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Marks that only say how the letter before them is drawn."""
ALIKE = (
    "LATIN",
    "CYRILLIC",
    "GREEK",
    "ARMENIAN",
    "CHEROKEE",
    "COPTIC",
    "FULLWIDTH",
    "MATHEMATICAL",
)
"""Scripts with letters that look the same; a word is written in one of them."""
BOT, GUEST = "bot-", "guest-"
PLACES = ("cage", "register", HOUSE)
"""Records that are no table's."""


def fit_name(text: str) -> str:
    """A name as it is written down: its characters made one, blanks single, and none that nobody
    sees or that looks like a letter of another script.

    >>> fit_name("  Zoe\u0308   Lang ")
    'Zoë Lang'
    """
    name = " ".join(normalize("NFC", text).split())
    if any(map(_is_hidden, name)):
        raise Refused(Reason.NAME_HIDDEN, CONDITIONS)
    for word in name.split():
        if len({_script(letter) for letter in word} - {""}) > 1:
            raise Refused(Reason.NAME_MIXED, CONDITIONS, word=word)
    return name


def _is_hidden(letter: str) -> bool:
    is_selector = any(ord(letter) in selectors for selectors in SELECTORS)
    return is_selector or letter in BLANK or category(letter) in HIDDEN


def _script(letter: str) -> str:
    """The script of a letter, if it is one whose letters look like those of another."""
    first = described(letter, "").partition(" ")[0]
    return first if first in ALIKE else ""


def person_called(house: House, person: str) -> str:
    """A person's name, what a bot is called or does, or an id where nobody wrote a name down."""
    if person == HOUSE:
        return PAGES["called.itself"]
    named = house.people.get(person).name
    member = house.register.state.people.get(person)
    if named or member is None:
        return named or person
    if member.kind == "guest":
        return PAGES["called.guest"].format(number=person.removeprefix(GUEST))
    if member.bot is None:
        return id_shown(house, person)
    alias = house.people.alias(person)
    return alias or PAGES["called.bot"].format(what=person.removeprefix(BOT).partition("-")[0])


def id_shown(house: House, person: str) -> str:
    """The id that somebody is told by; of whoever was erased it may say as much as the name, and
    they are told by what they are called.
    """
    known = person in house.register.state.people
    return called_erased(house, person) if known and house.people.is_erased(person) else person


def called_erased(house: House, person: str) -> str:
    """What somebody is called on pages whose name was erased: the id may say as much as the name,
    so it is by the number under which they were enrolled.
    """
    people = house.register.state.people
    number = next(number for number, one in enumerate(people, 1) if one == person)
    return PAGES[f"called.erased.{people[person].kind}"].format(number=number)


PEOPLE_TOLD = ("person", "first", "people")
"""Facts of a refusal that are the ids of people."""
ABOUT_AN_ID = (Reason.NOT_ENROLLED, Reason.ENROLLED_ALREADY, Reason.GUEST_ID, Reason.NOT_SURE)
"""Refusals of an id that somebody typed: a name would say something else."""


def with_names(house: House, refused: Refused, reader: str) -> Refused:
    """A refusal as a page tells it: people by their names to whoever works here; a patron reads
    their own name alone.
    """
    if refused.reason in ABOUT_AN_ID:
        return refused
    member = house.register.state.people.get(reader)
    works = member is not None and member.kind == "staff"

    def called(person: str) -> str:
        return person_called(house, person) if works or person == reader else person

    told = {
        name: ", ".join(map(called, fact.split(", ")))
        for name, fact in refused.facts.items()
        if name in PEOPLE_TOLD and isinstance(fact, str)
    }
    return Refused(refused.reason, refused.clause, **{**refused.facts, **told})


def place_called(house: House, stream: str) -> str:
    """What a table or a competition is called, or whose record it is."""
    if stream in PLACES:
        return PAGES[f"called.{stream}"]
    cup = house.competitions.get(stream)
    if cup is not None:
        return cup.state.conditions.name if cup.state.version else stream.removeprefix(COMPETITION)
    return house.register.state.settings.called(stream)


def told_to_staff(house: House) -> Writing:
    """How sentences are written for those who work here; within one page each is asked for once."""
    plain = in_currency(house.register.state.currency)
    called = house.register.state.settings.called
    return plain._replace(person=cache(partial(person_called, house)), table=called)
