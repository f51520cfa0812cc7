"""Opening a table from a preset: what is known is filled in, and nothing typed is dropped."""

import re
from html import unescape
from pathlib import Path

from puntobanco.table import commands as c
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.office import office_of
from tests.kit.web import form_on

ASKS, FORM = "/house/open-table?ruleset=tas-2018&preset=low", "/house/open-table"
TABLE = "table-once-more"


def test_a_table_that_is_opened_again_has_its_tray_and_its_rules_in_force(tmp_path: Path) -> None:
    """A typed tray was dropped without a word; the day of the rules was asked for each time."""

    async def use(log: object) -> None:
        bots = await evening(log, 1, "tas-2018")  # type: ignore[arg-type]
        async with office_of(bots.house) as office:
            known = form_on((await office.get(ASKS, "mara")).text)
            assert known["effective"], "as at the table that is open"
            form = {**known, "table": TABLE, "gaming_day": "monday", "shoe": "S-1"}
            for _ in range(2):  # pressed twice
                opened = await office.post(FORM, "mara", form)
                assert opened.headers["location"] == f"/tables/{TABLE}/pit"
            await bots.house.give(TABLE, c.CloseTable(), "mara", "close-it")
            again = {**form, "command_id": "another-time"}
            refused = await office.post(FORM, "mara", again)
            assert refused.status_code == 409
            assert re.search(r'id="field-tray_cents-error".*has its tray already', refused.text)
            assert '<details class="panel">' in refused.text, "it is not among these"
            assert not bots.house.tables[TABLE].state.is_open
            looked = await office.post(FORM, "mara", {**again, "look": "1", "shoe": ""})
            assert looked.status_code == 200, "half a form is no mistake while somebody types"
            bare = {**again, "tray_cents@money": ""}
            assert (await office.post(FORM, "mara", bare)).is_redirect
        await bots.house.shut()

    using(str(tmp_path / "house.db"), use)


def test_all_that_is_wrong_with_a_notice_is_told_at_once(tmp_path: Path) -> None:
    """What cannot be read, and what the rule set holds against all else that can be."""

    async def use(log: object) -> None:
        bots = await evening(log, 1, "tas-2018")  # type: ignore[arg-type]
        async with office_of(bots.house) as office:
            known = form_on((await office.get(ASKS, "mara")).text)
            form = {**known, "table": TABLE, "gaming_day": "", "shoe": "S-1"}
            form |= {"notice.tie_limits.max_cents@money": "abc", "notice.behind_marker": "999"}
            form |= {"notice.limits.min_cents@money": "2000"}
            refused = (await office.post(FORM, "mara", form)).text
            told = re.findall(r'<a href="#field-([a-z_-]+)"', refused)
            wrong = ["gaming_day", "notice-limits-min_cents", "notice-tie_limits-max_cents"]
            assert sorted(told) == sorted([*wrong, "notice-behind_marker"])
            assert told[0] == "gaming_day", "in the order of the page"
            limits = "/tables/table-1/limits"
            form = form_on((await office.get(limits, "mara")).text)
            form |= {
                "notice.limits.min_cents@money": "9000",
                "notice.limits.multiple_cents@money": "x",
            }
            refused = (await office.post(limits, "mara", form)).text
            told = re.findall(r'<a href="#field-([a-z_-]+)"', refused)
            assert sorted(told) == ["notice-limits-min_cents", "notice-limits-multiple_cents"]

    using(str(tmp_path / "house.db"), use)


def test_tables_that_are_alike_are_one_kind_and_a_preset_leads_back(tmp_path: Path) -> None:
    """Each has a shoe of its own: with 24 tables there were 24 lines, and its number came along."""

    async def use(log: object) -> None:
        bots = await evening(log, 1, "tas-2018")  # type: ignore[arg-type]
        async with office_of(bots.house) as office:
            known = form_on((await office.get(ASKS, "mara")).text)
            for number in (7, 8):
                shoe = {"table": f"table-{number}", "shoe": str(number)}
                form = {
                    **known,
                    "gaming_day": "monday",
                    **shoe,
                    "command_id": f"opens-table-{number}",
                }
                assert (await office.post(FORM, "mara", form)).is_redirect
            choice = (await office.get(f"{FORM}?ruleset=tas-2018", "mara")).text
            assert 'value="as:table-7"' in choice
            assert 'value="as:table-8"' not in choice
            copied = await office.get(f"{FORM}?ruleset=tas-2018&preset=as:table-7", "mara")
            assert form_on(copied.text).get("shoe", "") == "", "that one is at the other table"
            (link,) = re.findall(r'href="(/house/do/register/set-preset[^"]+)"', choice)
            asked = form_on((await office.get(unescape(link), "mara")).text)
            kept = await office.post(
                "/house/do/register/set-preset", "mara", {**asked, "name": "Friday"}
            )
            assert kept.headers["location"] == f"{FORM}?ruleset=tas-2018"
            assert "Friday" in (await office.get(kept.headers["location"], "mara")).text

    using(str(tmp_path / "house.db"), use)
