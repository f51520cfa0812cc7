"""A house in mid-evening to attack, asked from tests that know nothing of loops.

One table has its bets open, with wagers of ann's on box 3; another was closed the day before.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from puntobanco.journal import sqlite
from puntobanco.table import commands as c
from tests.kit.house.driver import Time
from tests.kit.places import HOUSE_SESSIONS
from tests.kit.replay import Asker, Token, furnish, replay

OPEN, SHUT = "table-tasmania-2018", "table-singapore-2017"
API = f"/api/tables/{OPEN}"
PAGE = f"/tables/{OPEN}"
SHAPE = {"reason", "clause", "detail", "remedy", "facts"}
FORM = "application/x-www-form-urlencoded"
Who = str | Token | None
_numbers = count(1)


class Site:
    """The house and whoever asks it."""

    def __init__(self, runner: asyncio.Runner, asker: Asker) -> None:
        self.runner = runner
        self.asker = asker

    def ask(
        self,
        method: str,
        path: str,
        who: Who = "ann",
        content: bytes | AsyncIterator[bytes] = b"",
        **headers: str,
    ) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        full = {**self.asker.headers(who), "Command-Id": new_id(), **named}
        asked = self.asker.client.request(method, path, content=content, headers=full)
        return self.runner.run(asked)

    def give(self, who: Who, path: str, body: bytes, **headers: str) -> httpx.Response:
        return self.ask("POST", path, who, body, **{"Content_Type": "application/json", **headers})

    def refuses(self, *args: Any, **headers: Any) -> dict[str, str]:
        """Ask, and be refused: in the one shape, with nothing recorded."""
        before = self.asker.heads()
        answer = self.ask(*args, **headers)
        assert self.asker.heads() == before
        return refusal(answer)


def new_id() -> str:
    return f"attack-{next(_numbers):05}"


def refusal(answer: httpx.Response) -> dict[str, str]:
    """A refusal in the one shape, or as a page that says so in words."""
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text)
    if answer.headers["content-type"].startswith("text/html"):
        assert 'role="alert"' in answer.text
        return {}
    found: dict[str, Any] = answer.json()
    assert set(found) == SHAPE
    assert isinstance(found.pop("facts"), dict)
    assert all(isinstance(value, str) and value for value in found.values())
    return found


async def until_bets_lie(asker: Asker) -> None:
    """One session to its end, another until ann has two wagers on the layout."""
    await furnish(asker)
    files = {file.stem: file for file in HOUSE_SESSIONS}
    async for _ in replay(asker, files["singapore-2017"], 0):
        pass
    async with aclosing(replay(asker, files["tasmania-2018"], 1)) as steps:
        async for step in steps:
            if isinstance(step.ask, c.PlaceWager) and step.ask.on == "player-pair":
                return


@contextmanager
def mid_evening(folder: Path) -> Iterator[Site]:
    with asyncio.Runner() as runner:
        log = sqlite.open_log(folder / "house.db")

        async def opened() -> Asker:
            asker = Asker(log, Time(0))
            await until_bets_lie(asker)
            return asker

        asker = runner.run(opened())
        yield Site(runner, asker)
        runner.run(asker.client.aclose())
        runner.run(log.close())
