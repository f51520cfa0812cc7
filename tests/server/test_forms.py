"""Forms made from commands: every command of every session can be typed, and comes out the same."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from puntobanco.errors import MalformedError
from puntobanco.house.may import GIVEN
from puntobanco.rules.coup import Drawn
from puntobanco.rules.paper.notation import format_drawn
from puntobanco.server.commands.api import CAGE, REGISTER, TABLE
from puntobanco.server.commands.forms import UNSHOWN, fields_of
from puntobanco.server.commands.typed import Now, facts_of, written
from puntobanco.table import commands as c
from puntobanco.table.session import parse_session, play_session
from puntobanco.words.commands import COMMANDS as WORDS
from puntobanco.words.commands import FIELDS, GROUPS, HAPPENED
from tests.kit.places import PLAYTHROUGHS

NOW_MS = 60_000 * 1000
NOW = Now(NOW_MS)
ALL = (*TABLE, *CAGE, *REGISTER)


def tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)


def typed(kind: type[Any], facts: dict[str, Any]) -> dict[str, str]:
    """The facts as somebody would type them into the form."""
    form = {}
    plain = dict(_flat(facts))
    for field in fields_of(kind, {}, {}):
        path, _, how = field.name.partition("@")
        if path not in plain:
            continue
        value = plain[path]
        form[field.name] = AS_TYPED.get(how, _plainly)(value)
    return form


def _plainly(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


AS_TYPED: dict[str, Callable[[Any], str]] = {
    "money": lambda cents: f"{cents / 100:.2f}",
    "minutes": lambda at_ms: str((at_ms - NOW_MS) // 60_000),
    "time": lambda at_ms: f"{at_ms // 3_600_000:02}:{at_ms // 60_000 % 60:02}",
    "cards": " ".join,
    "drawn": lambda drawn: format_drawn(msgspec.convert(drawn, tuple[Drawn, ...])),
    "list": ", ".join,
    "pairs": lambda pairs: ", ".join(f"{one} = {other}" for one, other in pairs.items()),
}


def _flat(facts: dict[str, Any], within: str = "") -> list[tuple[str, Any]]:
    found = []
    for key, value in facts.items():
        path = f"{within}{key}"
        if isinstance(value, dict) and key != "machines":
            found += _flat(value, f"{path}.")
        elif value not in (None, "", [], {}):
            found.append((path, value))
    return found


def test_every_command_given_in_any_session_can_be_typed_into_its_form() -> None:
    seen = set()
    for session in sorted(PLAYTHROUGHS.glob("*.session")):
        for played in play_session(parse_session(session.read_text())):
            kind = type(played.ask)
            plain = msgspec.to_builtins(played.ask)
            name = plain.pop("do")
            for key in UNSHOWN & set(plain):
                del plain[key]
            for key in (key for key in plain if key.endswith("_ms")):
                plain[key] = NOW_MS + 30 * 60_000  # a form speaks of whole minutes from now
            if kind not in TABLE or kind is c.OpenCommitment:  # the house's own alone
                continue
            read = facts_of(typed(kind, plain), NOW)
            again = msgspec.convert({"do": name, **read}, c.TableCommand, strict=False)
            assert again == msgspec.convert({"do": name, **plain}, c.TableCommand)
            seen.add(kind)
    assert len(seen) > 40


@pytest.mark.parametrize("kind", ALL, ids=tag)
def test_every_command_has_words_and_every_field_a_label(kind: type[Any]) -> None:
    said = WORDS[tag(kind)]
    assert said.title
    assert said.when.endswith(".")
    for field in fields_of(kind, {}, {}):
        path = field.name.partition("@")[0]
        name = path.rpartition(".")[2]
        assert path in FIELDS or name in FIELDS, path
        assert field.kind != "choice" or field.choices


def test_every_command_of_a_table_is_in_one_group_and_no_other_is() -> None:
    grouped = [name for members in GROUPS.values() for name in members]
    assert len(grouped) == len(set(grouped))
    elsewhere = {"turn", "bet-more", "buy-chips", "cash-chips", "open-commitment"}
    assert set(grouped) == set(GIVEN) - elsewhere
    assert {one.command for _, members in HAPPENED for one in members} <= set(grouped)


@pytest.mark.parametrize(
    ("form", "facts"),
    [
        ({"cents@money": "12.50"}, {"cents": 1250}),
        ({"cents@money": "$1,200"}, {"cents": 120_000}),
        ({"cents@money": "-0.05"}, {"cents": -5}),
        ({"cents@money": "−12.50"}, {"cents": -1250}),
        ({"until_ms@minutes": "30"}, {"until_ms": NOW_MS + 1_800_000}),
        ({"closing_ms@time": "17:10"}, {"closing_ms": NOW_MS + 1_800_000}),
        ({"closing_ms@time": "16:00"}, {"closing_ms": NOW_MS + 84_000_000}),
        ({"start_ms@start": " 30 "}, {"start_ms": NOW_MS + 1_800_000}),
        ({"start_ms@start": "17:10"}, {"start_ms": NOW_MS + 1_800_000}),
        ({"start_ms@start": "2026-03-14 18:00"}, {"start_ms": 1_773_511_200_000}),
        ({"felt@colour": "#20634A"}, {"felt": "#20634a"}),
        ({"felt@colour": "#20634a", "felt@usual": "1"}, {}),
        ({"card@card": "10H"}, {"card": "Th"}),
        ({"cards@cards": "9c, kD"}, {"cards": ["9c", "Kd"]}),
        ({"limits.min_cents@money": "25", "note": " "}, {"limits": {"min_cents": 2500}}),
        ({"machines@pairs": "M1 = approval 7"}, {"machines": {"M1": "approval 7"}}),
    ],
)
def test_what_people_write_becomes_what_the_command_says(
    form: dict[str, str], facts: dict[str, Any]
) -> None:
    assert facts_of(form, NOW) == facts


@pytest.mark.parametrize(
    "form",
    [
        {"cents@money": "12.345"}, {"cents@money": "1e9"}, {"cents@money": "NaN"},
        {"cents@money": "9" * 40}, {"cents@money": "12,50"}, {"cents@money": "1,5"},
        {"cents@money": "1.234,50"}, {"cents@money": "1,2345"},
        {"until_ms@minutes": "soon"}, {"until_ms@minutes": "-1"}, {"closing_ms@time": "25:00"},
        {"until_ms@minutes": "9" * 30}, {"card@card": "1c"}, {"cards@drawn": "9c 4d@x"},
        {"start_ms@start": "tomorrow"}, {"start_ms@start": "2026-02-30 18:00"},
        {"start_ms@start": "2026-03-14"}, {"x@y": "1"}, {"a": "1", "a.b": "2"},
    ],
)  # fmt: skip
def test_nonsense_in_a_form_is_refused_in_words(form: dict[str, str]) -> None:
    with pytest.raises(MalformedError):
        facts_of(form, NOW)


def test_a_notice_is_filled_in_as_it_stands() -> None:
    notice = {"limits": {"min_cents": 2550, "max_cents": 500_000}, "common_pairs_box": True}
    assert dict(written({"notice": notice})) == {
        "notice.limits.min_cents": "25.50",
        "notice.limits.max_cents": "5000",
        "notice.common_pairs_box": "true",
    }
