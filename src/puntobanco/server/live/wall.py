"""Walls: what a screen for everybody shows of a table, and the streams of several on one."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from puntobanco.rules.cards import Card, points
from puntobanco.rules.coup import Result, Side
from puntobanco.server.live.board import BEAT_S, QUEUE, STILL_HERE
from puntobanco.table.view import View

AGAIN = b"event: again\ndata: {}\n\n"
"""Other tables than before: the page asks for itself anew."""


class ShownHand(NamedTuple):
    cards: tuple[Card | None, ...] = ()
    points: int | None = None
    won: bool = False
    pair: bool = False


class Shown(NamedTuple):
    """The coup that a wall shows: the one in play or, until the next is opened, the last."""

    hands: dict[Side, ShownHand]
    result: Result | None = None
    pairs: tuple[Side, ...] = ()


def shown_of(seen: View) -> Shown:
    coup = seen.play or (seen.past[-1] if seen.past and seen.phase == "ready" else None)
    if coup is None:
        return Shown({side: ShownHand() for side in Side})
    pairs = coup.pairs if coup.result else ()
    dealt = {Side.PLAYER: coup.player, Side.BANKER: coup.banker}
    hands = {
        side: ShownHand(cards, _points(cards), coup.result == side.value, side in pairs)
        for side, cards in dealt.items()
    }
    return Shown(hands, coup.result, pairs)


def _points(hand: tuple[Card | None, ...]) -> int | None:
    """Once two cards have shown their faces and none is hidden."""
    shown = tuple(card for card in hand if card is not None)
    return points(shown) if len(shown) == len(hand) > 1 else None


async def together(
    streams: Mapping[str, AsyncGenerator[bytes, None]], are_all: Callable[[], bool]
) -> AsyncGenerator[bytes, None]:
    """The messages of several tables on one stream, each an event of its table's name.

    It ends with the first of them, so that whoever lags comes back to all; where other tables
    are to be shown by now, the page is told to ask anew.
    """
    queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE * max(1, len(streams)))

    async def forward(name: str, messages: AsyncGenerator[bytes, None]) -> None:
        with suppress(asyncio.CancelledError):
            async for message in messages:
                if message is not STILL_HERE:
                    await queue.put(message.replace(b"id: ", b"event: %b\nid: " % name.encode(), 1))
        await queue.put(None)

    tasks = [asyncio.create_task(forward(name, one)) for name, one in streams.items()]
    try:
        while True:
            try:
                message = await asyncio.wait_for(queue.get(), BEAT_S)
            except TimeoutError:
                message = STILL_HERE if are_all() else AGAIN
            if message is None:
                return
            yield message
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for one in streams.values():
            await one.aclose()
