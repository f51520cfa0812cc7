"""Forms made from the commands themselves: a field for every fact.

The name of a field is the path to its fact and, after an @, how it is written: money in dollars,
a moment as a time of day or minutes from now, a length of time in seconds, cards by their names.
`typed.py` reads it back.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct, inspect, to_builtins
from msgspec.structs import fields as facts_in
from msgspec.structs import replace

from puntobanco.cage.commands import Pile
from puntobanco.competition import commands as cup
from puntobanco.register.commands import SetLogo
from puntobanco.register.settings import ChipKind
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.draw import Spoken
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import Notice
from puntobanco.server.commands.typed import LONGEST_MS, WRITTEN, written
from puntobanco.table.commands import PostChange, Someone, Stake
from puntobanco.words import capitalised
from puntobanco.words.commands import FIELDS, VALUES
from puntobanco.words.competition import COMPETITION_FIELDS

Kind = Literal[
    "text", "number", "money", "limit", "minutes", "choice", "card", "cards", "drawn", "list",
    "pairs", "amounts", "spoken", "seating", "groups", "seconds", "chips", "picture",
    "colour", "stakes", "piles", "time", "date", "lines", "start",
]  # fmt: skip
Choice = tuple[str, str]
"""A value, and what people call it."""


class FieldChoices(Struct, frozen=True):
    """What a field may take here."""

    choices: tuple[Choice, ...]
    only: bool = True
    """Nothing else; otherwise these are suggestions, and there may be others."""


Suggest = Mapping[str, FieldChoices]
"""What is known of a field by its path, or by its name."""
UNSHOWN = frozenset(
    {
        "older",
        "bot",
        "bank_cents",
        "limit_cents",
        "day",
        "commitment",
        "salt",
        "order",
        "digest",
        "session",
        "row",
        "forms",
        "photo",
        "offsets",
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
BY_NAME: dict[str, Kind] = {"felt": "colour", "accent": "colour", "gaming_day": "date"}
"""Texts that have a form of their own."""
LIMITS = frozenset({"cash_cents"})
"""Amounts that are left empty where there is no limit."""
BY_THE_CLOCK = frozenset({"closing_ms", "from_ms"})
"""Moments that people say by the clock; others are so many minutes from now."""
STARTS = "start_ms"
"""A moment that may be on another day."""
PEOPLE = frozenset(
    {"person", "to", "asked_by", "player", "people", "substitute", "instead_of", "order"}
)
"""Facts that name people."""
LONG = 200
"""Text that may be longer than this gets room."""


ROWS: dict[str, int] = {
    "spoken": 2, "seating": 3, "groups": 8, "chips": 10, "piles": 8, "lines": 6,
}  # fmt: skip
"""Kinds that are written line by line, and how many of them are in sight."""


class Field(Struct, frozen=True):
    """One field of a form."""

    name: str
    label: str
    kind: Kind
    required: bool
    value: str = ""
    hint: str = ""
    choices: tuple[Choice, ...] = ()
    """What it may take, if nothing else; several of them where it is a list."""
    suggestions: tuple[Choice, ...] = ()
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    type: Any = str
    """What the fact must be."""
    within: str = ""
    """The facts with which it is needed: limits that are given have a minimum."""
    chips: bool = False
    """An amount of a competition's chips: no sign of a currency stands before it."""
    error: str = ""
    """What is wrong with what was typed."""
    clause: str = ""
    """The clause that says so, if a rule does."""

    @property
    def path(self) -> str:
        return self.name.partition("@")[0]

    @property
    def id(self) -> str:
        """By which its label and a summary's link find it on a page."""
        return f"field-{self.path.replace('.', '-')}"

    @property
    def is_long(self) -> bool:
        return (self.longest or 0) > LONG or self.kind in ROWS

    @property
    def rows(self) -> int:
        """The lines that a field with room shows."""
        return 24 if (self.longest or 0) > 10 * LONG else ROWS.get(self.kind, 2)

    @property
    def is_many(self) -> bool:
        """Several choices can be made."""
        return self.kind == "list" and bool(self.choices)

    @property
    def chosen(self) -> frozenset[str]:
        return frozenset(self.value.replace(",", " ").split())


def fields_of(kind: type[Struct], values: Mapping[str, str], suggest: Suggest) -> tuple[Field, ...]:
    """The fields of a command, filled in as far as anything is known."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    found = tuple(_fields(info, "", values, suggest, required=True))
    if file := PICTURES.get(kind):
        return tuple(Field(f"{file}@picture", FIELDS[file], "picture", False) for _ in found)
    if not issubclass(kind, cup.ToCompetition):
        own = {field.path: FIELDS.get(f"{info.tag}.{field.path}") for field in found}
        return tuple(
            _labelled(field, said) if (said := own[field.path]) else field for field in found
        )
    return tuple(_labelled(field, COMPETITION_FIELDS[field.path]) for field in found)


def _labelled(field: Field, said: str) -> Field:
    label, hint = label_and_hint(said)
    return replace(field, label=label, hint=hint)


def _fields(
    info: inspect.StructType, within: str, values: Mapping[str, str], suggest: Suggest, *,
    required: bool, optional_in: str = "",
) -> Iterator[Field]:  # fmt: skip
    unshown = ONLY_THE_HOUSES.get(info.cls, UNSHOWN)
    for field in facts_in(info.cls):
        if field.name in unshown:
            continue
        path = f"{within}{field.name}"
        found, optional = _plain(inspect.type_info(field.type))
        needed = field.required and not optional and field.type != Someone
        needed = needed and field.name not in LIMITS
        if isinstance(found, inspect.StructType):
            at, all_needed = optional_in if needed else path, required and needed
            inside = f"{path}."
            yield from _fields(found, inside, values, suggest, required=all_needed, optional_in=at)
        else:
            made = _field(path, found, values, suggest, required=required and needed)
            yield replace(made, type=field.type, within=optional_in if needed else "")


def plain_type(info: inspect.Type) -> inspect.Type:
    """The type itself, where nothing may stand in its place."""
    return _plain(info)[0]


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
    as_written = f"{path}@{kind}" if kind in WRITTEN else path
    choices = tuple((choice, value_in_words(name, choice)) for choice in _choices(info))
    known = suggest.get(path) or suggest.get(name) or FieldChoices(())
    label, hint = label_and_hint(
        FIELDS.get(as_written) or FIELDS.get(path) or FIELDS.get(name) or name.replace("_", " ")
    )
    field = Field(
        as_written,
        label,
        kind,
        required,
        values.get(path, ""),
        hint,
        choices or (known.choices if known.only else ()),
        () if choices or known.only else known.choices,
    )
    match info:
        case inspect.IntType() if kind == "number":
            return replace(field, least=info.ge, most=info.le)
        case inspect.StrType():
            return replace(field, longest=info.max_length)
        case _:
            return field


def label_and_hint(said: str) -> tuple[str, str]:
    """A label, and what is said besides.

    >>> label_and_hint("Card, such as 9c or Kd")
    ('Card', 'Such as 9c or Kd')
    """
    cuts = [at for at in (said.find(", "), said.find("; "), said.find(" (")) if at > 0]
    cut = min(cuts, default=len(said))
    label, hint = said[:cut], said[cut:].strip(",; ()")
    return capitalised(label), capitalised(hint)


def value_in_words(name: str, one: str) -> str:
    """A stored value as people say it."""
    return VALUES.get(f"{name}.{one}") or VALUES.get(one) or one.replace("-", " ")


def _kind(name: str, info: inspect.Type) -> Kind:
    if isinstance(info, inspect.IntType):
        return _number_kind(name, info)
    if isinstance(info, inspect.DictType) and isinstance(info.value_type, inspect.DictType):
        return "seating"
    if isinstance(info, inspect.VarTupleType):
        return "amounts" if name.endswith("cents") else _list_kind(info.item_type)
    if isinstance(info, inspect.EnumType) and info.cls is Card:
        return "card"
    return BY_NAME.get(name) or KINDS.get(type(info), "text")


def _number_kind(name: str, info: inspect.IntType) -> Kind:
    if name.endswith("cents"):
        return "limit" if name in LIMITS else "money"
    if not name.endswith("_ms"):
        return "number"
    if name in BY_THE_CLOCK:
        return "time"
    if name == STARTS:
        return "start"
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
    inspect.VarTupleType: "groups",
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
        case inspect.VarTupleType():
            return _choices(info.item_type)
        case _:
            return ()


def changed(
    was: Notice, will: Notice, write: Callable[[int], str]
) -> Iterator[tuple[str, str, str]]:
    """What differs between two notices, all of it: its name, as it is, and as it will be."""
    settled = load_ruleset(will.ruleset).settlement
    methods = tuple((one.name, one.says) for one in settled.methods)
    pairs = tuple((one.name, one.says) for one in settled.pairs)
    says = {"notice.method": FieldChoices(methods), "notice.pairs": FieldChoices(pairs)}
    facts = [{"notice": to_builtins(notice)} for notice in (was, will)]
    both = [fields_of(PostChange, dict(written(one)), says) for one in facts]
    for old, new in zip(*both, strict=True):
        if old.value != new.value:
            yield old.label, _as_told(old, facts[0], write), _as_told(new, facts[1], write)


def _as_told(field: Field, facts: Any, write: Callable[[int], str]) -> str:
    """A fact of a notice, as people read it."""
    if not field.value:
        return "–"
    if field.kind in ("money", "limit"):
        for step in field.path.split("."):
            facts = facts[step]
        return write(facts)
    return dict((*field.choices, *field.suggestions)).get(field.value, field.value)
