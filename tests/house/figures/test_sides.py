"""Who was on which side: counted as it is played, and added to figures that had no such count."""

import asyncio
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from puntobanco.house.checks.proof import prove
from puntobanco.house.figures import stored
from puntobanco.house.figures.check import FiguresCheck, settings_in
from puntobanco.house.figures.notable import added_rows
from puntobanco.house.figures.projection import ALL, HouseFigures, TableFigures, cells
from puntobanco.house.figures.sides import sides_of
from puntobanco.house.figures.sums import Sums, add
from puntobanco.house.house import House
from puntobanco.journal.log import EventLog
from puntobanco.journal.sqlite import open_log
from puntobanco.register.settings import Settings
from tests.kit.house.driver import Time, house_over
from tests.kit.house.evening import evening
from tests.kit.house.figures import coups_in
from tests.kit.house.kept import kept
from tests.kit.journal import using
from tests.kit.places import PLAYTHROUGHS

SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))
COUPS = 12
EVER = ("0000", "9999")


async def played(log: EventLog) -> None:
    """Four tables of bots; the house shuts, and keeps its figures."""
    bots = await evening(log)
    for table in bots.house.tables.values():
        while table.state.coup_number < COUPS:
            assert await bots.step(table)
    await bots.house.shut()


def sides(house: House) -> dict[tuple[str, str], Sums]:
    """By table and day, what is counted now."""
    found = cells(house.figures.reading(), "sides", *EVER)
    return {(table, day): sums for table, day, _, sums in found}


def as_a_program_before_kept_them(log: EventLog) -> None:
    before = stored.forms()[1]
    log.together([("UPDATE figures_at SET form = ?", (before,))])
    log.together([("DELETE FROM figures WHERE kind = ?", ("sides",))])
    log.together(
        [
            ("DELETE FROM notable_rows WHERE stream = ? AND seq = ?", (stream, seq))
            for stream in log.streams()
            for seq in added_rows(log, stream, ALL)
        ]
    )


def test_they_are_what_all_coups_tell(place: str) -> None:
    async def check(log: EventLog) -> None:
        tallies = add(sides(house_over(log, Time(2_000_000).clock)).values()).tallies
        both, apart, won = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
        for coup in coups_in(log):
            on = sides_of(coup) if coup.over else {}
            for pair in combinations(sorted(on), 2):
                name = " ".join(pair)
                both[name] += 1
                if on[pair[0]] != on[pair[1]]:
                    apart[name] += 1
                    won.update({(name, who): coup.won_by(who) for who in pair})
        assert apart
        assert {name: row for name, row in tallies.items() if " " in name} == {
            name: (times, apart[name], *(won[name, who] for who in name.split()))
            for name, times in both.items()
        }

    using(place, played)
    using(place, check)


def test_figures_of_the_program_before_are_brought_forward_from_coups_that_are_kept(
    place: str,
) -> None:
    """At once, with no row read again; kept with the next coups, or when the house shuts."""

    async def whole(log: EventLog) -> dict[tuple[str, str], Sums]:
        assert prove(log).fault is None
        return sides(house_over(log, Time(2_000_000).clock))

    async def forward(log: EventLog) -> None:
        as_a_program_before_kept_them(log)
        assert prove(log).fault is None, "as they were kept, they verify"
        house = house_over(log, Time(2_000_000).clock)
        heads = {name: table.seq for name, table in house.tables.items()}
        assert not list(house.figures.behind(heads))
        assert sides(house) == wanted
        await house.shut()

    using(place, played)
    wanted = using(place, whole)
    assert wanted
    using(place, forward)
    assert using(place, whole) == wanted
    using(place, forward)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_what_is_put_right_after_an_upgrade_is_put_right_here_too(
    tmp_path: Path, session: Path
) -> None:
    """Corrections and voids of coups that only the program before had counted."""
    log = open_log(kept(tmp_path / "house.db", session))
    half = log.head("table-1").seq // 2
    for rows in (half, ALL, ALL):
        figures = TableFigures(log, "table-1", Settings)
        figures.catch_up(rows)
        figures.save()
        if rows == half:
            as_a_program_before_kept_them(log)
    must = {seq for (seq, _) in log.beside(stored.ALL_NOTABLE, "table-1")}
    assert must >= set(added_rows(log, "table-1", ALL))
    assert FiguresCheck(log, "table-1", settings_in(log)).wrong() == ""
    asyncio.run(log.close())


def test_what_the_program_before_told_without_the_chips_of_forms_is_made_anew(
    tmp_path: Path,
) -> None:
    """What players had before and after a coup; only rows tell what was taken for a form."""
    session = PLAYTHROUGHS / "tasmania-2018-secrets.session"
    log = open_log(kept(tmp_path / "house.db", session))
    figures = HouseFigures(log, Settings)
    figures.catch_up({"table-1": ALL})
    figures.save()
    coup = stored.coup(log, "table-1", 1)
    assert coup is not None
    wrong = stored.packed(replace(coup, had_before={"ann": 1}))
    log.together([("UPDATE past_coups SET coup = ? WHERE number = 1", (wrong,))])
    assert FiguresCheck(log, "table-1", settings_in(log)).wrong() != ""
    as_a_program_before_kept_them(log)
    assert FiguresCheck(log, "table-1", settings_in(log)).wrong() == "", "they are not read"
    later = HouseFigures(log, Settings)
    later.of("table-1")
    later.forget_wrong()
    later.catch_up({"table-1": ALL})
    later.save()
    assert FiguresCheck(log, "table-1", settings_in(log)).wrong() == ""
    assert stored.coup(log, "table-1", 1) == coup
    asyncio.run(log.close())
