"""Boards on the wall: a whole competition of bots, looked at after every single row."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from puntobanco.competition import commands as k
from puntobanco.competition.state import CompetitionPhase
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.pace import Pace
from puntobanco.house.bots.setup import hire_cashier, staff_cup
from puntobanco.house.bots.tournament import tournament_named
from puntobanco.house.checks.audit import audit
from puntobanco.house.competitions.entrant import entrant_seen
from puntobanco.house.competitions.glance import CupGlances
from puntobanco.house.competitions.public.board import (
    BoardRow,
    BoardSeen,
    BoardTable,
    BoardWanted,
    CupBoards,
)
from puntobanco.house.competitions.relay import Relay
from puntobanco.house.house import House
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.server.pages.competitions.boards.drawn import frame_of, parts_of
from puntobanco.server.pages.competitions.boards.live import CupWall
from puntobanco.server.rendering import Pages
from puntobanco.words.pages import PAGES
from tests.kit.house.driver import Time, house_over
from tests.kit.journal import using

TABLES = ("table-6", "table-7", "table-8")
ALIASES = tuple(f"Alias{number}" for number in range(1, 28))
CUP = tournament_named(TABLES[0], 1)
ALL = BoardWanted()
MOVES_CHIPS = (b"wager-settled", b"session-began", b"deducted", b"coup-ended", b"eliminated")
"""What of a table's rows may change the chips that a board shows."""


class CupOfBots:
    """Three heats of nine and a final, one command at a time."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.bots, self.relay = Bots(house, Pace(coups=3)), Relay(house)
        self.boards = CupBoards(house)

    @property
    def stream(self) -> Any:
        return self.house.competitions[CUP]

    @property
    def state(self) -> Any:
        return self.stream.state

    def board(self, wanted: BoardWanted = ALL) -> BoardSeen:
        return self.boards.board(self.stream, wanted)

    async def furnish(self) -> None:
        await self.house.found("mara", "found")
        await hire_cashier(self.house, "mara")
        for number, table in enumerate(TABLES):
            pit = "East" if number else "West"
            named = register.NameTable(table, f"Room {number + 1}", pit="Cup")
            await self.house.give("register", named, "mara", f"name-{number}-{pit}")
        await staff_cup(self.house, TABLES, "mara", ALIASES)

    async def step(self) -> None:
        """What anybody has to do now: one command of the competition, one at each table."""
        self.relay.refused.clear()
        await self.bots.step_tournament(TABLES[0])
        await self.relay.bring_into_line(CUP)
        for table in self.state.tables:
            if table in self.house.tables:
                await self.bots.step(self.house.tables[table])


def test_a_board_tells_a_whole_competition_and_nothing_of_a_form(tmp_path: Path) -> None:
    """Chips move on it when a coup is settled, and by nothing that anybody lays or hands in; each
    scene comes in its time; people are their aliases; nobody is said to be through too early.
    """

    async def use(log: EventLog) -> None:
        cup = CupOfBots(house_over(log, Time(1_700_000_000_000).clock, 5))
        await cup.furnish()
        await cup.step()
        scenes, forms = Counter[str](), 0
        seen: BoardSeen | None = None
        rows = dict.fromkeys(TABLES, 0)
        while cup.state.phase != "done":
            await cup.step()
            if not cup.state.version:
                continue
            before = seen
            seen = cup.board()
            scenes[seen.scene] += 1
            fresh = b""
            for table in TABLES:
                if table in cup.house.tables:
                    some = list(log.read(table, rows[table]))
                    rows[table] += len(some)
                    fresh += b"".join(row.events for row in some)
            forms += fresh.count(b'"secret-lodged"')
            now = (seen.scene, seen.phase)
            same = before is not None and (before.scene, before.phase) == now
            if before and same and not any(one in fresh for one in MOVES_CHIPS):
                assert chips_on(before) == chips_on(seen)
            assert "bot-" not in msgspec.json.encode(seen).decode()
        assert forms >= 20
        assert {"entries", "draw", "running", "over", "final", "results"} <= set(scenes)
        names = {name for one in seen.places for name in one.names} if seen else set()
        assert names <= set(ALIASES)
        assert seen
        assert [one.each_cents for one in seen.places[:3]] == [60_800, 36_400, 24_300]
        await drawn_once_more(cup)
        await cup.house.record_root()
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)


async def drawn_once_more(cup: CupOfBots) -> None:
    """The same people at the same tables, in heats that are called the same: nothing of the
    competition before stands at their seats.
    """
    again = tournament_named(TABLES[0], 2)
    while again not in cup.house.competitions or not cup.house.competitions[again].state.session:
        await cup.bots.step_tournament(TABLES[0])
    stream = cup.house.competitions[again]
    session = stream.state.now
    for one in cup.boards.board(stream, ALL).tables:
        assert [(row.seat, row.chips_cents) for row in one.rows] == [
            (n, None) for n in range(1, 10)
        ]
    for table in session.seats:
        glance = CupGlances(cup.house).table(stream.state, session, table, director=True)
        assert glance.phase == "drawn"
        assert entrant_seen(cup.house, stream, CupGlances(cup.house), session.seats[table][1]).table


def chips_on(seen: BoardSeen) -> dict[str, int | None]:
    return {row.name: row.chips_cents for one in seen.tables for row in one.rows}


def test_a_board_over_all_tables_has_three_whole_columns_however_many_there_are() -> None:
    """Six tables stand in two rows of three; who leads over all of them does not."""
    tables = tuple(BoardTable(f"table-{number}", "") for number in range(6))
    six = BoardSeen("cup", "Cup", "running", CompetitionPhase.RUNNING, tables=tables)
    leaders = tuple(BoardRow(f"Alias{number}", 1) for number in range(27))
    assert "many" in frame_of(six, parts_of(six))
    over_all = replace(six, leaders=leaders)
    frame = frame_of(over_all, parts_of(over_all))
    assert "many" not in frame
    assert frame.endswith("|head leaders-0 leaders-1 leaders-2 foot")


def test_few_at_each_table_have_the_height_of_nine() -> None:
    """By the largest table, which stays the same all session: whoever is out stays on the board."""
    rows = tuple(BoardRow(f"Alias{number}", number) for number in range(1, 5))
    four = BoardTable("table-1", "", rows=rows)
    seen = BoardSeen("cup", "Cup", "running", CompetitionPhase.RUNNING, tables=(four,))
    assert "few rows-4" in frame_of(seen, {})
    seven = replace(four, table="table-2", rows=rows[:3] * 2 + rows[:1])
    assert "few" not in frame_of(replace(seen, tables=(four, seven)), {})
    assert "few" not in frame_of(replace(seen, scene="draw"), {})


def test_the_line_equals_some_tables_and_all_of_them(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        cup = CupOfBots(house_over(log, Time(1_700_000_000_000).clock, 5))
        await cup.furnish()
        while CUP not in cup.house.competitions or cup.state.phase != "running":
            await cup.step()
        await cup.step()
        seen = cup.board()
        assert [len(one.rows) for one in seen.tables] == [9, 9, 9]
        assert seen.advancing == 3
        for one in seen.tables:
            assert {row.level for row in one.rows} == {True}, "everybody began with the same"
            assert {row.place for row in one.rows} == {1}
        some = cup.board(BoardWanted(("table-7",)))
        assert [one.table for one in some.tables] == ["table-7"]
        assert cup.board(BoardWanted(pit="nowhere")).tables == ()
        assert cup.boards.pits(cup.stream) == ("Cup",)
        assert len(cup.board(BoardWanted(overall=True)).leaders) == 27
        director = "bot-director-table-6"
        await cup.house.give(CUP, k.Break(5), director, "break-1")
        assert cup.board().scene == "break"
        await cup.house.give(CUP, k.Resume(), director, "resume-1")
        await cup.house.give(CUP, k.LastCoup(), director, "last-1")
        assert cup.board().scene == "last"
        cup.house.people.put_alias("bot-1-table-6", "")
        shown = {row.name for one in cup.board().tables for row in one.rows}
        assert PAGES["board.entrant"].format(number=1) in shown
        await watched_once_for_all(cup)

    using(str(tmp_path / "house.db"), use)


async def watched_once_for_all(cup: CupOfBots) -> None:
    """Two watchers, one drawing; what did not change is not sent, and a shut house ends both."""
    pages, drawn = Pages(cup.house), list[str]()

    class Counting:
        def render(self, template: str, **facts: object) -> str:
            drawn.append(template)
            return pages.render(template, **facts)

    closing = asyncio.Event()
    wall = CupWall(cup.house, cup.stream, cup.boards, Counting(), closing)  # type: ignore[arg-type]
    watchers = [wall.stream(ALL) for _ in range(2)]
    whole = [await anext(one) for one in watchers]
    assert whole[0] == whole[1]
    assert b'"whole":true' in whole[0]
    once = len(drawn)
    assert once == 6, "head, band, three tables, foot: drawn once"
    cup.house.people.put_alias("bot-1-table-6", "Somebody else")
    cup.house.time.now_ms()
    wall._moved.set()
    news = [await asyncio.wait_for(anext(one), 5) for one in watchers]
    assert news[0] == news[1]
    assert b"Somebody else" in news[0]
    regions = msgspec.json.decode(news[0].partition(b"data: ")[2])["regions"]
    assert len(regions) == 1, list(regions)
    assert len(drawn) == once + 2, "one table, and the head with its clock"
    closing.set()
    for one in watchers:
        assert await anext(one, None) is None
