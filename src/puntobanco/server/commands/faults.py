"""What is wrong with a form: all of it at once, each beside the field that it is about."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct, ValidationError, inspect
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Refused
from puntobanco.rules.documents.ruleset import Ruleset
from puntobanco.rules.notice import Notice, faults
from puntobanco.server.commands.beside import field_of
from puntobanco.server.commands.forms import PEOPLE, Field, plain_type
from puntobanco.server.commands.typed import Typed, wrong
from puntobanco.server.errors import as_refused
from puntobanco.words import capitalised, explain, told_money
from puntobanco.words.commands import MISSING


class ToPutRight(Struct, frozen=True):
    """One thing to put right."""

    says: str
    path: str = ""
    """The field it is about; empty: the form as a whole."""
    clause: str = ""


class FaultyFormError(MalformedError):
    """A form that says no command yet, with everything that is to be put right in it."""

    def __init__(self, found: tuple[ToPutRight, ...]) -> None:
        super().__init__("; ".join(filter(None, (f"{one.path}: {one.says}" for one in found))))
        self.found = found


def check_fields(
    fields: tuple[Field, ...], typed: Typed, rules: Ruleset | None = None, currency: str = ""
) -> None:
    """Refuse what was typed if any of it is missing or cannot be, and say all of it: also what the
    rule set holds against the rest of a notice.
    """
    found = tuple(_wrong(fields, typed))
    if found:
        raise FaultyFormError((*found, *_besides(fields, typed, rules, currency, found)))


def _besides(
    fields: tuple[Field, ...],
    typed: Typed,
    rules: Ruleset | None,
    currency: str,
    found: tuple[ToPutRight, ...],
) -> Iterator[ToPutRight]:
    paths = {one.path for one in found}
    unread = {path.split(".")[1] for path in paths if path.startswith("notice.")}
    said = typed.facts.get("notice")
    notice, left_out = _as_read(said if isinstance(said, dict) else {}, unread)
    if notice is None or rules is None or notice.ruleset != rules.id:
        return
    for refused in faults(notice, rules):
        one = of_refusal(refused, fields, currency)
        part = one.path.split(".")[1:2]
        if part and part[0] not in left_out and one.path not in paths:
            yield one


def _as_read(said: dict[str, Any], unread: set[str]) -> tuple[Notice | None, set[str]]:
    """A notice without the fields that cannot be read, or without all of their parts, which are
    told; none where no notice lacks them.
    """
    for left_out in (set[str](), unread):
        facts = {name: fact for name, fact in said.items() if name not in left_out}
        with suppress(ValidationError):
            return msgspec.convert(facts, Notice, strict=False), left_out
    return None, unread


def check_notice(
    fields: tuple[Field, ...], ask: object, rules: Ruleset | None, currency: str = ""
) -> None:
    """Refuse a notice with everything that its rule set holds against it, not the first alone."""
    notice = getattr(ask, "notice", None)
    if not isinstance(notice, Notice) or rules is None or notice.ruleset != rules.id:
        return
    found = tuple(of_refusal(refused, fields, currency) for refused in faults(notice, rules))
    if found:
        raise FaultyFormError(found)


def faults_in(
    problem: Exception, fields: tuple[Field, ...], currency: str = ""
) -> tuple[ToPutRight, ...]:
    """What a page says about a form that was refused."""
    if isinstance(problem, FaultyFormError):
        return problem.found
    return (of_refusal(as_refused(problem), fields, currency),)


def of_refusal(refused: Refused, fields: tuple[Field, ...], currency: str = "") -> ToPutRight:
    """A refusal by the rules, beside its field if it is about one."""
    happened, remedy = explain(refused, currency)
    says = f"{capitalised(happened)}. {remedy}"
    return ToPutRight(says, field_of(refused, fields), refused.clause)


def marked(fields: tuple[Field, ...], found: tuple[ToPutRight, ...]) -> tuple[Field, ...]:
    """The fields, each with what is wrong with it."""
    about: dict[str, ToPutRight] = {}
    for fault in reversed(found):
        about[fault.path] = fault
    return tuple(
        replace(field, error=about[field.path].says, clause=about[field.path].clause)
        if field.path in about
        else field
        for field in fields
    )


def _wrong(fields: tuple[Field, ...], typed: Typed) -> Iterator[ToPutRight]:
    paths = {field.path for field in fields}
    for path, says in typed.wrong.items():
        if path not in paths:
            yield ToPutRight(says)
    for field in fields:
        if field.path in typed.wrong:
            yield ToPutRight(typed.wrong[field.path], field.path)
        elif says := _said_of(field, typed.facts):
            yield ToPutRight(says, field.path)


def _said_of(field: Field, facts: Mapping[str, Any]) -> str:
    """What is wrong with one fact; nothing if it can be."""
    value = _at(facts, field.path)
    if value in (None, ""):
        needed = field.required or bool(field.within and _at(facts, field.within))
        return MISSING.get(_kind(field), MISSING["text"]) if needed else ""
    try:
        msgspec.convert(value, field.type, strict=False, str_keys=True)
    except ValidationError:
        return str(_cannot_be(field, value))
    return ""


def _kind(field: Field) -> str:
    return "choice" if field.choices and not field.is_many else field.kind


def _at(facts: Any, path: str) -> Any:
    for step in path.split("."):
        facts = facts.get(step) if isinstance(facts, dict) else None
    return facts


def _cannot_be(field: Field, value: object) -> MalformedError:
    """Why a fact is refused by its type, in words."""
    info = plain_type(inspect.type_info(field.type))
    text = field_text(value)
    match info:
        case inspect.IntType():
            return _outside(field, info, value)
        case inspect.StrType(max_length=most) if most is not None and len(text) > most:
            return wrong(
                "picture" if field.kind == "picture" else "long", count=len(text), most=most
            )
        case inspect.StrType():
            return wrong(_unfit(field), text)
        case inspect.EnumType() | inspect.LiteralType() | inspect.BoolType():
            return wrong("card" if field.kind == "card" else "choice", text)
        case inspect.VarTupleType(max_length=most) if most and len(text.split()) > most:
            return wrong("many", most=most)
        case _:
            return wrong(LISTS.get(field.kind, "otherwise"), text)


LISTS = {"cards": "card", "list": "choice", "stakes": "stakes", "amounts": "amount"}


def _unfit(field: Field) -> str:
    """Which characters do not belong into a text."""
    name = field.path.rpartition(".")[2]
    if name in PEOPLE:
        return "nobody"
    return UNFIT.get(name, "unseen")


UNFIT = {"table": "letters", "at": "letters", "begins": "time", "zone": "zone"}
"""By the name of a text that is written in one way alone, what is said of another; of any other
text, that it has a character that cannot be kept.
"""


def _outside(field: Field, info: inspect.IntType, value: object) -> MalformedError:
    """A number below its least or above its most, or none at all."""
    if not isinstance(value, int) and not str(value).strip().lstrip("-").isdigit():
        return wrong("number", str(value))
    number = int(str(value))
    write = AS_WRITTEN.get(field.kind, str)
    if info.ge is not None and info.le is not None:
        return wrong("from-to", write(number), least=write(info.ge), most=write(info.le))
    if info.ge is not None:
        return wrong("least", write(number), least=write(info.ge))
    return wrong("most", write(number), most=write(info.le or 0))


def _in_seconds(ms: int) -> str:
    return f"{ms / 1000:g}"


AS_WRITTEN: dict[str, Callable[[int], str]] = {
    **dict.fromkeys(("money", "limit"), told_money),
    "seconds": _in_seconds,
}


def field_text(value: object) -> str:
    """A fact as it would be quoted."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)
