"""A form that is sent when somebody else has moved the table on comes back as it was typed."""

from pathlib import Path

import pytest

from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from tests.kit.house.evening import evening
from tests.kit.journal import using
from tests.kit.office import office_of

KEPT = "seen on video by both"
FORMS = {
    "do/exclude": {"person": "bot-1-table-1", "note": KEPT},
    "do/close-table": {"note": KEPT},
    "limits": {"notice.limits.min_cents": "12,345.67"},
}
"""What the other manager was about to do at the table, and what they had typed."""


@pytest.mark.parametrize("at", FORMS)
def test_a_form_that_came_too_late_comes_back_with_what_was_typed(at: str, tmp_path: Path) -> None:
    async def use(log: object) -> None:
        bots = await evening(log, 1, "tas-2018")  # type: ignore[arg-type]
        async with office_of(bots.house) as office:
            await office.enrol("max", Role.MANAGEMENT)
            path, typed = f"/tables/table-1/{at}", FORMS[at]
            assert (await office.get(path, "max")).status_code == 200
            await bots.house.give("table-1", c.CloseTable(), "mara", "mara-was-first")
            late = await office.post(path, "max", typed)
            assert late.status_code == 409
            assert "cannot be done while the table is shut" in late.text
            assert f'action="{path}"' in late.text
            assert all(text in late.text for text in typed.values())
        await bots.house.shut()

    using(str(tmp_path / "house.db"), use)
