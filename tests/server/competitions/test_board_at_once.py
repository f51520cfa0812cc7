"""Whoever watches a board is told of a coup's end by the end itself: no timer stands between."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from puntobanco.house.competitions.public.board import BoardWanted
from tests.kit.competition.on_web import on_web
from tests.kit.competition.sealed import TABLE, dealt, entering, seated
from tests.kit.replay import Asker

WATCHERS = 20
TURNS = 12
"""Of the loop, from the answer to whoever gave the command to the last watcher; it takes 4."""


def test_no_timer_stands_between_a_coup_s_end_and_its_watchers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop's time stands still: whoever waited for a timer would wait for ever. All are told by
    one drawing.
    """

    async def play(asker: Asker) -> None:
        cup = await entering(asker)
        await cup.enter("p1", "p2")
        await seated(cup)
        wall = asker.app.state.cup_walls.of(asker.house.competitions["competition-sealed"])
        streams = [wall.stream(BoardWanted()) for _ in range(WATCHERS)]
        for stream in streams:
            await anext(stream)
        for box, person, on in ((1, "p1", "player"), (2, "p2", "banker")):
            wager = {"box": box, "on": on, "cents": 10_000}
            await asker.must(person, f"{TABLE}/place-wager", wager)
        await asker.must("dan", f"{TABLE}/no-more-bets", {})
        await dealt(asker)
        for _ in range(TURNS):
            await asyncio.sleep(0)
        channel = next(iter(wall._channels.values()))
        before, send = channel.seq, channel.send
        drawn = list[object]()

        def counted(*said: Any) -> None:
            drawn.append(said)
            send(*said)

        monkeypatch.setattr(channel, "send", counted, raising=False)
        for queue in channel.clients:
            while not queue.empty():
                queue.get_nowait()
        loop = asyncio.get_running_loop()
        now = loop.time()
        monkeypatch.setattr(loop, "time", lambda: now)
        await asker.must("dan", f"{TABLE}/declare-result", {})
        waits = [asyncio.ensure_future(anext(stream)) for stream in streams]
        turns = 0
        while not all(one.done() for one in waits):
            await asyncio.sleep(0)
            turns += 1
            assert turns <= TURNS, "something waits for a timer"
        told = {one.result() for one in waits}
        assert len(told) == len(drawn) == 1
        assert channel.seq == before + 1
        assert "110000" in json.dumps(told.pop().decode()), "what p1 has now"
        monkeypatch.undo()
        for stream in streams:
            await stream.aclose()

    on_web(tmp_path, play)
