"""Conditions written as a sheet, with the prover's verdict beside them."""

import html
from datetime import datetime
from pathlib import Path

import pytest

from puntobanco.errors import MalformedError
from puntobanco.rules.competition.conditions import read_conditions
from puntobanco.rules.competition.sheet import judge, sheet_text, sheet_values
from puntobanco.rules.competition.shipped import TEMPLATES, template_text
from tests.kit.clauses import clause, tas
from tests.kit.competition.on_web import CupOnWeb, on_web, page, post_form
from tests.kit.replay import Asker

AT = "/competitions/cup/conditions"
FOUR = template_text("four-heats")
RISE = {"ends": "30", "by": "coups", "raised.min_cents": "300", "raised.max_cents": "3000",
        "raised.multiple_cents": "100"}  # fmt: skip
LATE = "2026-03-14 18:00"
"""By the clock of the house, as people write it [act-2015:15.4(a)]."""


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_sheet_says_what_its_text_says(template: str) -> None:
    text = template_text(template)
    again = sheet_text(text, sheet_values(text))
    assert read_conditions(again) == read_conditions(text)
    assert judge(again).holds


def test_what_is_typed_is_what_the_text_says() -> None:
    typed = {
        "name": 'The "Spring" Cup \\ 2027',
        "entry.fee_cents": "1,055.50",
        "stage.0.advance": "2 = 4, 3 = 3, 4 = 2",
        "stage.0.ends.coups": "",
        "stage.0.ends.minutes": "45",
        "prizes.percent": "60, 30.5, 9.5",
        "entry.reserves": "",
    }
    read = read_conditions(sheet_text(FOUR, typed))
    assert read.name == typed["name"]
    assert read.entry.fee_cents == 105_550
    assert read.stage[0].advance == {2: 4, 3: 3, 4: 2}
    assert read.stage[0].ends.given == ("minutes",)
    assert read.prizes.percent == ("60", "30.5", "9.5")
    assert read.entry.reserves == 0
    assert read.stage[1] == read_conditions(FOUR).stage[1]
    with pytest.raises(MalformedError):
        read_conditions(sheet_text(FOUR, {"entry.min": "many"}))


@clause(*tas("16.8.1"))
def test_changes_that_are_offered_make_every_count_hold() -> None:
    bad = sheet_text(FOUR, {"stage.0.advance": "3"})
    verdict = judge(bad)
    assert [plan.entries for plan in verdict.failing] == list(range(28, 37))
    assert verdict.clause
    found = {(one.path, one.value) for one in verdict.mendings}
    assert found == {("entry.max", "27"), ("stage.0.advance", "2")}
    for path, value in found:
        assert judge(sheet_text(bad, {path: value})).holds


TYPED = {
    "entry.fee_cents": ("fifty", "Fee: “fifty” is no amount"),
    "entry.retained_percent": ("a tenth", "Fee, kept, %: “a tenth” is no percentage"),
    "prizes.percent": ("60, the rest", "Prizes, percent by place: “60, the rest” is no percentage"),
    "start": ("soon", "“soon” is no day and time"),
    "entry.max": ("99999", "“99999” is no number"),
    "stage.1.seats": ("many", "Final, seats at a table: “many” is no number"),
    "stage.0.limits.min_cents": ("-5", "Heats, minimum: “-5” is no amount"),
}


@pytest.mark.parametrize("path", TYPED)
def test_what_cannot_be_read_is_named_by_its_field(tmp_path: Path, path: str) -> None:
    said, told = TYPED[path]

    async def play(asker: Asker) -> None:
        answer = await post_form(asker, "mara", AT, do="check", text=FOUR, **{path: said})
        text = html.unescape(answer.text)
        assert told in text
        assert "Expected" not in text
        field = next(one for one in text.split("<input") if f'name="{path}"' in one)
        assert "aria-invalid" in field.partition(">")[0]

    on_web(tmp_path, play)


def test_conditions_are_written_proved_mended_and_kept(tmp_path: Path) -> None:
    async def play(asker: Asker) -> None:
        assert "It works for every count" in await page(asker, "mara", f"{AT}?template=four-heats")
        form = sheet_values(FOUR) | {"stage.0.advance": "3", "stage.0.ends": "30"}
        form |= {"stage.0.by": "coups", "stage.1.ends": "40", "stage.1.by": "coups", "text": FOUR}
        typed = await post_form(asker, "mara", AT, do="check", **form)
        assert typed.status_code == 200
        assert "It fails at 28 entries" in typed.text
        assert 'value="mend:entry.max=27"' in typed.text
        mended = await post_form(asker, "mara", AT, do="mend:entry.max=27", **form)
        assert "It works for every count" in mended.text
        plain = await post_form(asker, "mara", AT, do="check", **form | {"start": "2026-3-1"})
        assert 'value="2026-3-1"' in plain.text, "what is no moment stays as it was typed"
        plain = await post_form(asker, "mara", AT, do="check", **form | {"start": LATE})
        assert f'value="{LATE}"' in plain.text, "and is shown as it was typed"
        assert datetime.fromisoformat(LATE).astimezone().isoformat() in html.unescape(plain.text)
        away = await page(asker, "mara", f"{AT}?template=four-heats")
        assert 'value="2027-03-13 18:00"' in away, "a template, by the clock of this house"
        assert "competition-cup" not in asker.house.competitions, "nothing was recorded"
        less = await post_form(asker, "mara", AT, do="save", **form | {"entry.form": ""})
        assert less.status_code == 303, less.text
        shown = await page(asker, "mara", AT)
        assert "Application: not settled yet" in shown
        assert 'href="/competitions/cup/do/publish"' not in shown
        good = form | {"stage.0.advance": "2"}
        assert (await post_form(asker, "mara", AT, do="save", **good)).status_code == 303
        assert 'href="/competitions/cup/do/publish"' in await page(asker, "mara", AT)
        more = await post_form(asker, "mara", AT, do="add-stage", **good)
        assert 'name="stage.2.seats"' in more.text
        fewer = await post_form(asker, "mara", AT, do="remove-stage:0", **good)
        assert 'name="stage.1.seats"' not in fewer.text
        act = sheet_values(template_text("canberra")) | {"text": template_text("canberra")}
        act |= {f"stage.{n}.{one}": said for n in (0, 1) for one, said in RISE.items()}
        typed = await post_form(asker, "mara", AT, do="check", **act)
        assert "an indicator card goes in" in typed.text
        assert "Every item is settled" not in typed.text, "nothing brings the rise about"
        typed = await post_form(asker, "mara", AT, do="check", **act | {"play.indicator": "yes"})
        assert "Every item is settled" in typed.text
        for path in ("play.indicator", *(f"stage.0.{one}" for one in RISE if "raised" in one)):
            assert f'name="{path}"' in typed.text, "by its field, and not as text alone"
        await CupOnWeb(asker, "cup").two("mara", "publish")
        for who in ("ann", "carol", "dan"):
            await page(asker, who, AT, 403)
            refused = await post_form(asker, who, AT, do="save", **good)
            assert refused.status_code == 403

    on_web(tmp_path, play)
