"""Whatever is wrong with a form is said at once, beside its field, and what was typed stays."""

import html
import re
from pathlib import Path
from typing import Any

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.server.commands.api import CAGE, COMPETITION, REGISTER, TABLE
from puntobanco.server.commands.beside import BESIDE, field_of
from puntobanco.server.commands.faults import FaultyFormError, check_fields
from puntobanco.server.commands.forms import Field, fields_of
from puntobanco.server.commands.typed import Now, read_form
from puntobanco.table.actor import Role
from puntobanco.table.authority import name_of
from puntobanco.words.commands import MISSING
from tests.kit.office import Office, asked

ALL = (*TABLE, *CAGE, *REGISTER, *COMPETITION)
NOW = Now(10**12)
NONSENSE = "what? no!"
INTERNAL = re.compile(r"_|\bcents\b|\$\.|[A-Z][a-z]+[A-Z]|Expected|Invalid|`")
"""How a program would say it."""
ANYTHING = ("text", "date", "pairs", "list", "spoken", "picture", "choice", "drawn")
"""Kinds whose nonsense may be sense: any words, or none that only a type knows."""
UNBOUNDED = ("card", "choice", "colour", "time", "minutes", "drawn", "picture", "seconds")


def too_large(field: Field) -> str:
    """More than the field can hold."""
    if field.kind == "money":
        return "99,999,999,999,999"
    if field.kind == "number":
        return str((field.most or 10**15) + 1)
    return "9" * ((field.longest or 0) + 1)


def faults(kind: type[Any], form: dict[str, str]) -> dict[str, str]:
    """What is said beside each field."""
    fields = fields_of(kind, {}, {})
    try:
        check_fields(fields, read_form(form, NOW))
    except FaultyFormError as error:
        return {one.path: one.says for one in error.found}
    return {}


def is_said_to_people(says: str) -> bool:
    return says.endswith((".", "_")) and not INTERNAL.search(says.replace(". - _", ""))


@pytest.mark.parametrize("kind", ALL, ids=name_of)
def test_every_needed_field_left_empty_is_named_at_once(kind: type[Any]) -> None:
    needed = {field.path for field in fields_of(kind, {}, {}) if field.required}
    said = faults(kind, {})
    assert set(said) == needed
    assert all(map(is_said_to_people, said.values()))


@pytest.mark.parametrize("kind", ALL, ids=name_of)
def test_nonsense_in_any_field_is_said_beside_it_and_all_at_once(kind: type[Any]) -> None:
    fields = [field for field in fields_of(kind, {}, {}) if field.kind not in ANYTHING]
    said = faults(kind, {field.name: NONSENSE for field in fields})
    assert {field.path for field in fields} <= set(said)
    assert all(map(is_said_to_people, said.values())), said


@pytest.mark.parametrize("kind", ALL, ids=name_of)
def test_too_much_in_any_field_is_said_beside_it(kind: type[Any]) -> None:
    fields = [
        field
        for field in fields_of(kind, {}, {})
        if field.kind in ("money", "number") or (field.longest and field.kind == "text")
    ]
    said = faults(kind, {field.name: too_large(field) for field in fields})
    assert {field.path for field in fields} <= set(said)
    assert all(map(is_said_to_people, said.values())), said


def test_what_is_written_in_one_way_alone_is_told_how_it_is_written() -> None:
    kinds = {name_of(kind): kind for kind in ALL}
    assert faults(kinds["set-gaming-day"], {"begins": "25:99"}) == {
        "begins": "“25:99” is not a time of day, such as 21:30."
    }
    said = faults(kinds["set-time-zone"], {"zone": "New York"})
    assert said["zone"].startswith("“New York” is not the name of a time zone.")


def test_a_minimum_without_a_maximum_is_asked_for_only_where_limits_are_given() -> None:
    kinds = {name_of(kind): kind for kind in ALL}
    agreed = kinds["agree-limits"]
    assert faults(agreed, {"person": "ann"}) == {}
    said = faults(agreed, {"person": "ann", "limits.min_cents@money": "25"})
    assert said == {"limits.max_cents": MISSING["money"]}


def test_a_refusal_stands_beside_the_field_it_is_about() -> None:
    kinds = {name_of(kind): kind for kind in ALL}
    wager = fields_of(kinds["place-wager"], {}, {})
    opened = fields_of(kinds["open-table"], {}, {})
    told: list[tuple[Refused, tuple[Field, ...], str]] = [
        (Refused(Reason.BELOW_MINIMUM, "c", on="tie", box=3), wager, "cents"),
        (Refused(Reason.NO_SUCH_BOX, "c", box=15), wager, "box"),
        (Refused(Reason.BET_NOT_OFFERED, "c", on="tie"), wager, "on"),
        (Refused(Reason.BETS_CLOSED, "c"), wager, ""),
        (Refused(Reason.DECKS_NOT_ALLOWED, "c"), opened, "notice.decks"),
        (Refused(Reason.LIMITS_CROSSED, "c", what="Tie"), opened, "notice.tie_limits.min_cents"),
        (Refused(Reason.APPROVAL_MISSING, "c", key="shoe_approval"), opened, "shoe_approval"),
    ]
    for refused, fields, path in told:
        assert field_of(refused, fields) == path


def test_every_place_of_a_refusal_is_a_field_of_some_form() -> None:
    paths = {field.path for kind in ALL for field in fields_of(kind, {}, {})}
    places = {place for places in BESIDE.values() for place in places}
    assert [one for one in places if not any(path.endswith(one) for path in paths)] == []


# over the web


def control(page: str, field: Field) -> str:
    """What a page has to type or choose a fact with."""
    found = re.search(rf'<(?:input|select|textarea|fieldset)[^>]*id="{field.id}"[^>]*>[^<]*', page)
    assert found, field.path
    return html.unescape(found[0])


@pytest.mark.parametrize("at", ["cage", "register"])
def test_forms_of_the_office_come_back_as_they_were_typed(tmp_path: Path, at: str) -> None:
    async def use(pages: Office) -> None:
        await pages.enrol("cass", Role.CASHIER)
        for kind in CAGE if at == "cage" else REGISTER:
            await _comes_back(pages, at, name_of(kind), kind)

    asked(tmp_path / "house", use)


async def _comes_back(pages: Office, at: str, name: str, kind: type[Any]) -> None:
    typed = [
        field
        for field in fields_of(kind, {}, {})
        if field.kind in ("money", "number", "seconds", "text") and not field.choices
    ]
    form = {field.name: "-1x \x07" for field in typed}
    said = faults(kind, form)
    fields = [field for field in typed if field.path in said]
    for person in ("mara", "cass"):
        answer = await pages.post(f"/house/do/{at}/{name}", person, form)
        if answer.status_code == 403 or not fields:
            continue
        assert answer.status_code == 400, name
        assert answer.text.count('class="field bad') >= len(fields), name
        for field in fields:
            assert f'href="#{field.id}"' in answer.text, (name, field.path)
            shown = control(answer.text, field)
            assert "-1x" in shown or shown.startswith(("<select", "<fieldset")), (name, shown)
