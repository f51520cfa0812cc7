"""What of a table page is sent: the parts that changed, and no more."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from puntobanco.house.access.sign_in import SignIn
from puntobanco.journal.log import AwayError, EventLog
from puntobanco.register import commands as register
from puntobanco.register.settings import Tempo
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits, sample_notice
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.board import STILL_HERE, Board, LiveScreen
from puntobanco.server.live.felt import BOXES
from puntobanco.server.live.regions import LivePages
from puntobanco.server.live.stream import event_stream
from puntobanco.server.rendering import Pages
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.competition_terms import Conditions, SessionTerms
from puntobanco.table.view import Viewer
from tests.kit.house.driver import Driver, Time, house_over
from tests.kit.journal import using

WIDE = LiveScreen("player", "wide")
MOST_CHARACTERS = 3000
"""Of one box: five hundred watchers get it whenever somebody sits down."""


def changed(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    return {name: html for name, html in after.items() if before.get(name) != html}


def test_nobody_is_sent_to_a_seat_that_is_drawn(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        at = await Driver(house_over(log)).open()
        pages = LivePages(Gateway(at.house, SignIn(at.house)), Pages(at.house))
        notice = replace(sample_notice("tas-2018"), limits=Limits(10_000, 100_000), tie_limits=None)
        cup = Conditions("cup", "competition", 100_000, face_down=False)
        final = SessionTerms("final", ends=SessionEnds(coups=1))
        told = c.OpenTable(
            notice, "monday", "shoe 9", effective="2018", conditions=cup, session=final
        )
        await at.house.give("table-final", told, "house", "opened")
        dock = {
            name: pages.regions(WIDE, at.house.table(name), Viewer())["dock"]
            for name in ("table-1", "table-final")
        }
        assert "its seats are drawn" in dock["table-final"]
        assert "take a seat" not in dock["table-final"]
        assert "Sign in to take a seat" in dock["table-1"]

    using(str(tmp_path / "house.db"), use)


def test_somebody_who_sits_down_changes_one_box(tmp_path: Path) -> None:
    async def use(log: EventLog) -> None:
        at = await Driver(house_over(log)).open()
        pages = LivePages(Gateway(at.house, SignIn(at.house)), Pages(at.house))
        table = at.house.table("table-1")
        stranger, bob = Viewer(), Viewer("bob", frozenset({Role.PATRON}))
        before, bobs = (pages.regions(WIDE, table, who) for who in (stranger, bob))
        await at.do("bob", c.Sit(5))
        sent = changed(before, pages.regions(WIDE, table, stranger))
        assert set(sent) == {"box-5"}
        assert len(sent["box-5"]) < MOST_CHARACTERS
        own = changed(bobs, pages.regions(WIDE, table, bob))
        assert {f"box-{seat}" for seat in range(1, 10)} < set(
            own
        )  # his is large, the rest make room

    using(str(tmp_path / "house.db"), use)


def test_a_page_has_room_for_every_box_a_table_may_get(tmp_path: Path) -> None:
    """It may be looked at before the table is opened, with as many seats as the notice has."""

    async def use(log: EventLog) -> None:
        at = Driver(house_over(log))
        pages = LivePages(Gateway(at.house, SignIn(at.house)), Pages(at.house))
        shut = pages.regions(WIDE, at.house.table("table-1"), Viewer())
        assert {name: shut[name] for name in BOXES} == dict.fromkeys(BOXES, "")
        await at.open()
        opened = pages.regions(WIDE, at.house.table("table-1"), Viewer())
        assert [name for name in BOXES if opened[name]] == list(BOXES[:9])

    using(str(tmp_path / "house.db"), use)


def test_the_ring_is_full_when_bets_open_and_empties_by_the_tables_tempo(tmp_path: Path) -> None:
    """What is drawn anew while it runs, as somebody bets, does not fill it again."""

    async def use(log: EventLog) -> None:
        time = Time()
        at = await (await Driver(house_over(log, time.clock)).open()).shoe()
        ask = register.SetTempo("table-1", Tempo(bets_ms=45_000))
        await at.house.give("register", ask, "mara", "tempo")
        pages = LivePages(Gateway(at.house, SignIn(at.house)), Pages(at.house))
        table, begun_ms = at.house.table("table-1"), at.house.time.now_ms()
        await at.do("dan", c.OpenCoup(begun_ms + 45_000))
        for _ in range(3):
            assert 'data-of="45000"' in pages.regions(WIDE, table, Viewer())["stage"]
            await time.sleep(10)
        said = pages.regions(WIDE, table, Viewer("ann", frozenset({Role.PATRON})))["said"]
        assert 'data-announced="Place your bets, please."' in said  # by the dealer, and no hint
        assert "Pick a chip" in said

    using(str(tmp_path / "house.db"), use)


def test_the_pit_waits_for_whoever_approves_what_puts_a_coup_right(tmp_path: Path) -> None:
    """It said that the dealer was to settle, and the dealer's desk that nothing be touched."""

    async def use(log: EventLog) -> None:
        at = await (await Driver(house_over(log)).open()).shoe()
        pages = LivePages(Gateway(at.house, SignIn(at.house)), Pages(at.house))
        await at.do("dan", c.OpenCoup())
        await at.do("dan", c.PlaceWager(1, Bet.BANKER, 10_000, "ann"))
        for card in ("9c", "Kd", "Th", "3s"):
            await at.do("dan", c.DrawCard(Card(card)))
        await at.do("dan", c.DeclareResult())

        def needs() -> str:
            pit = LiveScreen("pit", "wide")
            viewer = Viewer("ines", frozenset({Role.INSPECTOR}))
            return pages.regions(pit, at.house.table("table-1"), viewer)["pit"]

        assert "Waiting for the dealer to settle" in needs()
        await at.do("dan", c.CorrectCard(1, 4, Card("8s"), "Keyed 3 for 8."))
        assert "Waiting for the inspector" in needs()
        assert "Waiting for the dealer" not in needs()

    using(str(tmp_path / "house.db"), use)


def test_a_quiet_stream_looks_at_what_else_changed_and_ends_with_its_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puntobanco.server.live.board.BEAT_S", 0.01)

    async def use(log: EventLog) -> None:
        at = await Driver(house_over(log)).open()
        told, session = ["one name"], [Viewer()]
        board = Board(at.house.table("table-1"), lambda *_: {"bar": told[-1]}, lambda: len(told))
        streams = [board.stream(WIDE, lambda: session[-1] if session else None) for _ in range(2)]
        async with asyncio.timeout(20), aclosing(streams[0]) as one, aclosing(streams[1]) as other:
            for stream in (one, other):
                assert b"one name" in await anext(stream)
                assert await anext(stream) == STILL_HERE
            told.append("another")
            for stream in (one, other):
                heard = [await anext(stream) for _ in range(3)]
                assert b"another" in b"".join(heard)
            session.clear()
            assert [message async for message in one] == []
        board.close()

    using(str(tmp_path / "house.db"), use)


def test_a_page_stays_while_the_database_is_away_and_is_drawn_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puntobanco.server.live.board.BEAT_S", 0.01)

    async def use(log: EventLog) -> None:
        at = await Driver(house_over(log)).open()
        table, away = at.house.table("table-1"), list[str]()

        def drawn(*_: object) -> dict[str, str]:
            if away:
                raise AwayError(away[0])
            return {"bar": f"as of row {table.seq}"}

        board = Board(table, drawn, lambda: 0)
        async with asyncio.timeout(20), aclosing(board.stream(WIDE, Viewer)) as stream:
            assert b"as of row" in await anext(stream)
            away.append("restarted")
            await at.do("ann", c.Leave())
            assert [await anext(stream) for _ in range(3)] == [STILL_HERE] * 3
            away.clear()
            while (message := await anext(stream)) == STILL_HERE:
                pass
            assert f"as of row {table.seq}".encode() in message
        board.close()

    using(str(tmp_path / "house.db"), use)


def test_a_stream_that_must_read_while_the_database_is_away_ends_without_a_fault() -> None:
    async def main() -> None:
        async def messages() -> AsyncGenerator[bytes, None]:
            yield b"one"
            raise AwayError("restarted")

        stream = cast("AsyncIterator[bytes]", event_stream(messages()).iterator)
        assert [message async for message in stream] == [b"one"]

    asyncio.run(main())
