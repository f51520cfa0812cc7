"""The lobby: what it shows of each table, and that only what changed is sent, to all alike."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import let_bots_play, open_bot_table, staff_table
from puntobanco.house.house import House
from puntobanco.journal.log import EventLog
from puntobanco.pictures.glance import glance
from puntobanco.register import commands as register
from puntobanco.register.settings import Tempo
from puntobanco.rules.notice import sample_notice
from puntobanco.server.live.lobby import Lobby
from puntobanco.server.live.tiles import KEPT, as_written_by_browsers, changes
from puntobanco.server.rendering import Pages
from tests.kit.house.driver import Time, house_over
from tests.kit.journal import using
from tests.kit.office import office_of

TEXTS = st.text(alphabet='<b>"x 1/', max_size=40)
Tables = dict[str, dict[str, str]]


def changed(text: str, news: list[Any]) -> str:
    """The changes, applied as a page applies them."""
    now, at = "", 0
    for keep, cut, put in zip(news[1::3], news[2::3], news[3::3], strict=True):
        now += text[at : at + keep] + put
        at += keep + cut
    return now + text[at:]


@given(TEXTS, TEXTS)
def test_changes_make_one_text_of_the_other(old: str, new: str) -> None:
    news = changes(old, new)
    assert news[0] == len(new)
    assert changed(old, news) == new


def told(tables: Tables, message: bytes) -> Tables:
    """What a page shows after the messages it was sent; a table that is new is asked for anew."""
    now = {name: dict(regions) for name, regions in tables.items()}
    for data in re.findall(rb"data: (.*)\n", message):
        for table, regions in msgspec.json.decode(data).items():
            for name, news in regions.items():
                whole = isinstance(news, str)
                now.setdefault(table, {})[name] = news if whole else changed(now[table][name], news)
    return now


def shown(lobby: Lobby) -> Tables:
    return {name: dict(one.regions) for name, one in lobby.tables.items()}


async def furnished(log: EventLog, tables: int = 3) -> tuple[House, Lobby]:
    house = house_over(log, Time().clock)
    await house.found("mara", "founding")
    for number in range(1, tables + 1):
        play = 100_000 if number == tables else 0
        await staff_table(house, f"table-{number}", "mara", 3)
        notice = sample_notice("tas-2018")
        await open_bot_table(house, f"table-{number}", notice, "mara", "monday", play)
    tempo = register.SetTempo("table-2", Tempo(bets_ms=45_000))
    await house.give("register", tempo, "mara", "tempo")
    await house.give("register", register.NameTable("table-1", "Derwent"), "mara", "name")
    return house, Lobby(house, Pages(house))


def in_house(where: Path, use: Callable[[House, Lobby], Awaitable[None]]) -> None:
    async def main(log: EventLog) -> None:
        await use(*await furnished(log))

    using(str(where / "house.db"), main)


def test_a_page_that_follows_shows_what_a_fresh_one_shows(tmp_path: Path) -> None:
    async def use(house: House, lobby: Lobby) -> None:
        bots = Bots(house)
        lobby.refresh()
        page = shown(lobby)
        for _ in range(60):
            seen = lobby.beat
            for name in ("table-1", "table-3"):
                await bots.step(house.tables[name])
            lobby.refresh()
            page = told(page, b"".join(lobby.since(seen)))
            assert page == shown(lobby)
        assert page == shown(Lobby_of(house)), "and drawing it from nothing gives the same"
        assert "table-2" not in b"".join(lobby.since(1)).decode(), "nothing happened there"

    in_house(tmp_path, use)


def Lobby_of(house: House) -> Lobby:  # noqa: N802
    lobby = Lobby(house, Pages(house))
    lobby.refresh()
    return lobby


def test_whoever_missed_a_little_is_told_that_and_others_the_whole(tmp_path: Path) -> None:
    async def use(house: House, lobby: Lobby) -> None:
        bots = Bots(house)
        lobby.refresh()
        first = shown(lobby)
        while lobby.beat < KEPT // 2:
            assert await bots.step(house.tables["table-3"])
            lobby.refresh()
        missed = b"".join(lobby.since(1))
        assert told(first, missed) == shown(lobby)
        whole = b"".join(lobby.since(None))
        assert told({}, whole) == shown(lobby)
        assert b"".join(lobby.since(lobby.beat)) == b""
        assert b"".join(lobby.since(lobby.beat + 5)) == whole, "a beat that never was"
        while lobby.beat <= KEPT + 2:
            assert await bots.step(house.tables["table-3"])
            lobby.refresh()
        assert told({}, b"".join(lobby.since(1))) == shown(lobby)

    in_house(tmp_path, use)


def test_a_table_that_is_new_or_has_another_name_is_asked_for_anew(tmp_path: Path) -> None:
    async def use(house: House, lobby: Lobby) -> None:
        lobby.refresh()
        seen = lobby.beat
        await house.give("register", register.NameTable("table-2", "Tamar"), "mara", "other-name")
        lobby.refresh()
        (message,) = lobby.since(seen)
        assert msgspec.json.decode(message.partition(b"data: ")[2]) == {"table-2": None}

    in_house(tmp_path, use)


def test_a_stream_ends_with_its_session_and_with_the_house(tmp_path: Path) -> None:
    async def use(_house: House, lobby: Lobby) -> None:
        closing = asyncio.Event()
        messages = lobby.stream(None, lambda: True, closing)
        assert b"table-1" in await anext(messages)
        closing.set()
        assert [message async for message in messages] == []
        ended = lobby.stream(None, lambda: False, asyncio.Event())
        assert len([message async for message in ended]) == 1

    in_house(tmp_path, use)


@pytest.mark.parametrize(
    ("show", "wanted"),
    [
        ("", {"table-1", "table-2", "table-3"}),
        ("free", {"table-1", "table-2", "table-3"}),
        ("quick", {"table-1", "table-3"}),
        ("face-down", set()),
        ("play", {"table-3"}),
        ("nonsense", {"table-1", "table-2", "table-3"}),
    ],
)
def test_tables_are_chosen_by_address(tmp_path: Path, show: str, wanted: set[str]) -> None:
    async def use(house: House, _lobby: Lobby) -> None:
        async with office_of(house) as office:
            page = (await office.get(f"/?show={show}")).text
        tiles = re.findall(r'<li class="tile-of" data-table="(\S+)"[^>]*?( hidden)?>', page)
        assert {name for name, hidden in tiles if not hidden} == wanted
        assert ('class="nothing" hidden' in page) == bool(wanted)
        current = re.findall(r'data-show="(\S+)" aria-current="true"', page)
        assert current == [show if show in ("free", "quick", "face-down", "play") else "all"]

    in_house(tmp_path, use)


def test_a_tile_says_what_one_chooses_by(tmp_path: Path) -> None:
    async def use(house: House, lobby: Lobby) -> None:
        await let_bots_play(Bots(house), [house.tables["table-3"]], 2)
        lobby.refresh()
        one, other, play = (lobby.tables[f"table-{number}"] for number in (1, 2, 3))
        assert "Derwent" in one.tile
        assert "about 26 s a coup" in one.tile
        assert "Steady" in other.tile
        assert "Play money" in play.tile
        assert "Play money" not in one.tile
        assert play.regions["seats"].count('class="taken"') == 3
        assert 'data-free="6"' in play.regions["seats"]
        assert 'data-free="9"' in one.regions["seats"]
        assert "streaks" in play.regions["road"]
        assert "No coup" in one.regions["road"]

    in_house(tmp_path, use)


def test_seats_lie_on_an_arc_in_their_order() -> None:
    drawn = re.findall(r'class="(\w+)" x=.*?translate\((\d+) (\d+)\)', glance(5, {1, 2}))
    assert [kind for kind, *_ in drawn] == ["taken", "taken", "seat", "seat", "seat"]
    across = [int(x) for _, x, _ in drawn]
    assert across == sorted(across)
    down = [int(y) for *_, y in drawn]
    assert down == down[::-1]
    assert max(down) == down[2]
    other = re.findall(r'class="(\w+)" x=', glance(5, {1, 2}, clockwise=True))
    assert other == ["seat", "seat", "seat", "taken", "taken"]


def test_markup_is_as_a_browser_writes_it() -> None:
    assert as_written_by_browsers(" <i/>&#39;s ") == "<i></i>'s"
