"""Forms made from the commands themselves: a field for every fact, and the facts back again.

The name of a field is the path to its fact and, after an @, how it is written: money in dollars,
a moment as minutes from now, a length of time in seconds, cards by their names.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct, inspect, to_builtins
from msgspec.structs import replace

from puntobanco.cage.commands import Pile
from puntobanco.competition import commands as cup
from puntobanco.errors import MalformedError
from puntobanco.register.commands import SetLogo
from puntobanco.register.settings import ChipKind
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.draw import Spoken
from puntobanco.rules.notice import Notice
from puntobanco.rules.paper.notation import parse_drawn
from puntobanco.table.commands import Stake
from puntobanco.words import money
from puntobanco.words.commands import FIELDS, VALUES
from puntobanco.words.competition import COMPETITION_FIELDS

Kind = Literal[
    "text", "number", "money", "minutes", "choice", "card", "cards", "drawn", "list", "pairs",
    "amounts", "spoken", "seating", "seconds", "chips", "picture",
    "colour", "stakes", "piles",
]  # fmt: skip
Suggest = Mapping[str, tuple[str, ...]]
"""What a field may take, or is likely to, by its path."""
UNSHOWN = frozenset(
    {
        "older",
        "bot",
        "bank_cents",
        "commitment",
        "salt",
        "order",
        "digest",
        "session",
        "row",
        "forms",
        "photo",
    }
)
"""Facts that only the house can know."""
ONLY_THE_HOUSES: dict[type[Struct], frozenset[str]] = {
    cup.Draft: frozenset({"competition"}),
    cup.Draw: frozenset({"seed"}),
    cup.NameWildCards: frozenset({"seed"}),
    cup.FinishEarly: frozenset({"standing", "proof"}),
    cup.Rule: frozenset(),
}
"""The same for commands in which it is something else."""
PICTURES: dict[type[Struct], str] = {SetLogo: "png"}
"""Facts that are sent as a file."""
COLOURS = frozenset({"felt", "accent"})
MINUTE_MS = 60_000
LONGEST_MS = 10**7
"""A whole number of milliseconds that may be more than this is a moment, not a length of time."""
LONG = 200
"""Text that may be longer than this gets room."""


ROWS: dict[str, int] = {"seating": 3, "chips": 10, "piles": 8}


class Field(Struct, frozen=True):
    """One field of a form."""

    name: str
    label: str
    kind: Kind
    required: bool
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    suggestions: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    longest: int | None = None

    @property
    def is_long(self) -> bool:
        return (self.longest or 0) > LONG or self.kind in ("spoken", "seating", "chips", "piles")

    @property
    def rows(self) -> int:
        """The lines that a field with room shows."""
        return 24 if (self.longest or 0) > 10 * LONG else ROWS.get(self.kind, 2)


def fields_of(kind: type[Struct], values: Mapping[str, str], suggest: Suggest) -> tuple[Field, ...]:
    """The fields of a command, filled in as far as anything is known."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    found = tuple(_fields(info, "", values, suggest, required=True))
    if file := PICTURES.get(kind):
        return tuple(Field(f"{file}@picture", FIELDS[file], "picture", False) for _ in found)
    if not issubclass(kind, cup.ToCompetition):
        return found
    labels = {field.name: COMPETITION_FIELDS[field.name.partition("@")[0]] for field in found}
    return tuple(replace(field, label=labels[field.name]) for field in found)


def _fields(
    info: inspect.StructType, within: str, values: Mapping[str, str], suggest: Suggest, *,
    required: bool,
) -> Iterator[Field]:  # fmt: skip
    unshown = ONLY_THE_HOUSES.get(info.cls, UNSHOWN)
    for field in info.fields:
        if field.name in unshown:
            continue
        path = f"{within}{field.name}"
        found, optional = _plain(field.type)
        needed = required and field.required and not optional
        if isinstance(found, inspect.StructType):
            yield from _fields(found, f"{path}.", values, suggest, required=needed)
        else:
            yield _field(path, found, values, suggest, required=needed)


def _plain(info: inspect.Type) -> tuple[inspect.Type, bool]:
    """The type itself, and whether nothing may stand in its place."""
    if isinstance(info, inspect.UnionType):
        found = [kind for kind in info.types if not isinstance(kind, inspect.NoneType)]
        return found[0], True
    return info, False


def _field(
    path: str, info: inspect.Type, values: Mapping[str, str], suggest: Suggest, *, required: bool
) -> Field:
    name = path.rpartition(".")[2]
    kind = _kind(name, info)
    written = f"{path}@{kind}" if kind in WRITTEN else path
    choices = _choices(info)
    field = Field(
        written,
        FIELDS.get(written)
        or FIELDS.get(path)
        or FIELDS.get(name)
        or name.replace("_", " ").capitalize(),
        kind,
        required,
        values.get(path, ""),
        tuple((choice, _value(name, choice)) for choice in choices),
        () if choices else suggest.get(path, suggest.get(name, ())),
    )
    match info:
        case inspect.IntType() if kind == "number":
            return replace(field, least=info.ge, most=info.le)
        case inspect.StrType():
            return replace(field, longest=info.max_length)
        case _:
            return field


def _value(name: str, one: str) -> str:
    return VALUES.get(f"{name}.{one}") or VALUES.get(one) or one.replace("-", " ")


def _kind(name: str, info: inspect.Type) -> Kind:
    if isinstance(info, inspect.IntType):
        return _number_kind(name, info)
    if isinstance(info, inspect.DictType) and isinstance(info.value_type, inspect.DictType):
        return "seating"
    if isinstance(info, inspect.VarTupleType):
        return "amounts" if name.endswith("cents") else _list_kind(info.item_type)
    if name in COLOURS:
        return "colour"
    if isinstance(info, inspect.EnumType) and info.cls is Card:
        return "card"
    return KINDS.get(type(info), "text")


def _number_kind(name: str, info: inspect.IntType) -> Kind:
    if name.endswith("cents"):
        return "money"
    if not name.endswith("_ms"):
        return "number"
    return "seconds" if (info.le or LONGEST_MS) < LONGEST_MS else "minutes"


def _list_kind(item: inspect.Type) -> Kind:
    if isinstance(item, inspect.StructType) and item.cls in STRUCTS:
        return STRUCTS[item.cls]
    if isinstance(item, inspect.EnumType) and item.cls is not Card:
        return "list"
    return LISTS.get(type(item), "list")


KINDS: dict[type[inspect.Type], Kind] = {
    inspect.EnumType: "choice",
    inspect.LiteralType: "choice",
    inspect.BoolType: "choice",
    inspect.DictType: "pairs",
}


STRUCTS: dict[type[Any], Kind] = {
    Spoken: "spoken",
    ChipKind: "chips",
    Stake: "stakes",
    Pile: "piles",
}
LISTS: dict[type[inspect.Type], Kind] = {
    inspect.EnumType: "cards",
    inspect.StructType: "drawn",
}
"""How a list is written, by what it is a list of."""


def _choices(info: inspect.Type) -> tuple[str, ...]:
    match info:
        case inspect.EnumType() if info.cls is not Card:
            return tuple(str(one.value) for one in info.cls)
        case inspect.LiteralType():
            return tuple(str(value) for value in info.values if value)
        case inspect.BoolType():
            return ("true", "false")
        case _:
            return ()


# back from what was typed


AMOUNT = re.compile(r"(-?)\$?(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?")
"""A comma stands between thousands or nowhere: 12,50 might be twelve and a half, or 1,250."""


def _money(text: str, _now_ms: int) -> int:
    """Dollars as people write them, in cents."""
    found = AMOUNT.fullmatch(text.strip())
    if found is None:
        raise MalformedError(f"{text[:20]!r} is not an amount of money, such as 25 or 12.50")
    sign, whole, part = found.groups()
    cents = int(whole.replace(",", "")) * 100 + int(f"{part or 0:0<2}")
    return -cents if sign else cents


def _minutes(text: str, now_ms: int) -> int:
    try:
        minutes = int(text)
    except ValueError as error:
        raise MalformedError(f"{text[:20]!r} is not a number of minutes") from error
    if not 0 <= minutes <= 10**6:
        raise MalformedError(f"{minutes} minutes from now cannot be")
    return now_ms + minutes * MINUTE_MS


def _seconds(text: str, _now_ms: int) -> int:
    """A length of time in seconds, `0.55`, in milliseconds."""
    if not re.fullmatch(r"\d{1,6}(\.\d{1,3})?", text.strip()):
        raise MalformedError(f"{text[:20]!r} is not a number of seconds, such as 15 or 0.55")
    whole, _, part = text.strip().partition(".")
    return int(whole) * 1000 + int(f"{part or 0:0<3}")


def _chips(text: str, now_ms: int) -> list[dict[str, Any]]:
    """`25 #1d8653 #fff6e6`, a line for each chip; the colour of the spots may go unsaid."""
    chips = []
    for line in filter(str.strip, text.splitlines()):
        cents, *colours = line.lower().split()
        if not 1 <= len(colours) <= 2:
            raise MalformedError(f"{line[:40]!r}: write amount and colours: 25 #1d8653 #fff6e6")
        facts = dict(zip(("face", "spot"), colours, strict=False))
        chips.append({"cents": _money(cents, now_ms), **facts})
    return chips


def _stakes(text: str, now_ms: int) -> list[dict[str, Any]]:
    """`banker 200 tie 5`: an option and an amount, one after the other."""
    words = _list(text.lower(), now_ms)
    if len(words) % 2:
        raise MalformedError(f"{text[:40]!r}: write an option and an amount: banker 200 tie 5")
    pairs = zip(words[::2], words[1::2], strict=True)
    return [{"on": on, "cents": _money(amount, now_ms)} for on, amount in pairs]


def _piles(text: str, now_ms: int) -> list[dict[str, int]]:
    """`25 x 40`, a line for each denomination: forty of 25."""
    piles = []
    for line in filter(str.strip, re.split(r"[;\n]", text)):
        found = re.fullmatch(r"\s*(\S+)\s*[x×*]\s*(\d{1,6})\s*", line)
        if found is None:
            raise MalformedError(f"{line[:40]!r}: write value and number: 25 x 40")
        piles.append({"cents": _money(found[1], now_ms), "count": int(found[2])})
    return piles


def _colour(text: str, _now_ms: int) -> str:
    """`#20634a`, as a page writes colours, or `20634A`."""
    found = re.fullmatch(r"#?([0-9a-f]{6})", text.strip().lower())
    if found is None:
        raise MalformedError(f"{text[:20]!r} is not a colour such as #20634a")
    return f"#{found[1]}"


def _picture(text: str, _now_ms: int) -> str:
    return text


def _list(text: str, _now_ms: int) -> list[str]:
    return text.replace(",", " ").split()


def _cards(text: str, now_ms: int) -> list[str]:
    return [_card(one, now_ms) for one in _list(text, now_ms)]


def _drawn(text: str, now_ms: int) -> Any:
    """Cards as they left the shoe, each with where it was laid if that is said: `9c kd 4d@p`."""
    words = [one.partition("@") for one in _list(text, now_ms)]
    return to_builtins(
        parse_drawn(" ".join(f"{_card(card, now_ms)}{at}{laid}" for card, at, laid in words))
    )


def _card(text: str, _now_ms: int) -> str:
    """`9c`, `10h` or `kd` as the notation has it."""
    word = text.strip().replace("10", "T")
    return word[:-1].upper() + word[-1:].lower()


def _pairs(text: str, _now_ms: int) -> dict[str, str]:
    """`one = approval, other = approval`."""
    parts = [one.partition("=") for one in text.split(",") if one.strip()]
    return {name.strip(): value.strip() for name, _, value in parts}


def _amounts(text: str, now_ms: int) -> list[int]:
    """`5000 3000 1,250.50`: a comma between amounts has a blank after it."""
    return [_money(one, now_ms) for one in re.split(r"[;\s]+|,\s+", text.strip())]


def _spoken(text: str, _now_ms: int) -> list[dict[str, str]]:
    """`wendy: rain on Tuesday`, a line for each witness."""
    parts = [line.partition(":") for line in text.splitlines() if line.strip()]
    if any(not colon for _, colon, _ in parts):
        raise MalformedError("write who spoke, a colon and the words: wendy: rain on Tuesday")
    return [{"by": by.strip(), "words": words.strip()} for by, _, words in parts]


def _seating(text: str, _now_ms: int) -> dict[str, dict[int, str]]:
    """`table-1: ann bob cy@5`, a line for each table: seats 1 and 2, and 5."""
    tables: dict[str, dict[int, str]] = {}
    for line in filter(str.strip, text.splitlines()):
        table, colon, people = line.partition(":")
        if not colon or table.strip() in tables:
            raise MalformedError(f"{line[:40]!r}: write a table once, a colon and its people")
        tables[table.strip()] = _seats(people.split())
    return tables


def _seats(people: list[str]) -> dict[int, str]:
    seats: dict[int, str] = {}
    for number, one in enumerate(people, 1):
        person, at, seat = one.partition("@")
        if at and not re.fullmatch(r"[0-9]{1,2}", seat):
            raise MalformedError(f"{one[:40]!r}: write cy@5 for seat 5")
        place = int(seat) if at else number
        if place in seats:
            raise MalformedError(f"{person[:40]}: seat {place} is somebody else's")
        seats[place] = person
    return seats


WRITTEN: dict[str, Callable[[str, int], Any]] = {
    "money": _money,
    "minutes": _minutes,
    "card": _card,
    "cards": _cards,
    "drawn": _drawn,
    "list": _list,
    "pairs": _pairs,
    "amounts": _amounts,
    "spoken": _spoken,
    "seating": _seating,
    "seconds": _seconds,
    "chips": _chips,
    "picture": _picture,
    "colour": _colour,
    "stakes": _stakes,
    "piles": _piles,
}


def facts_of(form: Mapping[str, str], now_ms: int) -> dict[str, Any]:
    """What was typed, as the facts of a command; what was left empty goes unsaid."""
    facts: dict[str, Any] = {}
    for name, text in form.items():
        if not text.strip():
            continue
        path, _, how = name.partition("@")
        if how and how not in WRITTEN:
            raise MalformedError(f"{name[:40]!r} is not a field of this form")
        *within, last = path.split(".")
        at = facts
        for step in within[:4]:
            at = at.setdefault(step, {})
            if not isinstance(at, dict):
                raise MalformedError(f"{name[:40]!r} is not a field of this form")
        at[last] = WRITTEN[how](text, now_ms) if how else _as_typed(text)
    return facts


def _as_typed(text: str) -> str:
    """One line without blanks around it; of several, all, ended as files end them."""
    plain = text.replace("\r\n", "\n")
    return plain if "\n" in plain.strip() else plain.strip()


def fix_moments(form: Mapping[str, str], facts: Mapping[str, Any]) -> dict[str, str]:
    """The same form with every moment fixed: half an hour from now is half an hour from then."""
    fixed: dict[str, str] = {}
    for name, text in form.items():
        path, _, how = name.partition("@")
        if how != "minutes":
            fixed[name] = text
        elif path in facts:
            fixed[path] = str(facts[path])
    return fixed


def written(fact: object, within: str = "") -> Iterator[tuple[str, str]]:
    """Facts as a form would show them, by their paths; the way back of `facts_of`."""
    if isinstance(fact, dict):
        for name, value in fact.items():
            yield from written(value, f"{within}.{name}" if within else str(name))
    elif isinstance(fact, bool):
        yield within, str(fact).lower()
    elif isinstance(fact, int) and within.endswith("cents"):
        yield within, money(fact)
    elif isinstance(fact, int) and within.endswith("_ms") and fact < LONGEST_MS:
        yield within, f"{fact / 1000:g}"
    elif fact not in (None, ""):
        yield within, str(fact)


def changed(was: Notice, will: Notice) -> Iterator[tuple[str, str, str]]:
    """What differs between two notices, all of it: its name, as it is, and as it will be."""
    old, new = (dict(written(to_builtins(notice))) for notice in (was, will))
    for path in sorted({*old, *new}):
        if old.get(path) != new.get(path):
            name = FIELDS.get(f"notice.{path}") or FIELDS.get(path.rpartition(".")[2], path)
            yield name, old.get(path, "–"), new.get(path, "–")
