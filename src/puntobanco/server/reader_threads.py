"""Looking back reads many rows: in two threads of its own, so that live tables never wait for it.

Each thread keeps one connection to the journal; requests beyond that wait their turn.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

READERS = ThreadPoolExecutor(2, "reader")
Asked = ParamSpec("Asked")
Value = TypeVar("Value")


async def read(work: Callable[[], Value]) -> Value:
    """Do it in a reader's thread."""
    return await asyncio.get_running_loop().run_in_executor(READERS, work)


def in_reader(handler: Callable[Asked, Value]) -> Callable[Asked, Coroutine[Any, Any, Value]]:
    """A handler that runs in a reader's thread."""

    @wraps(handler)
    async def asked(*args: Asked.args, **kwargs: Asked.kwargs) -> Value:
        return await read(partial(handler, *args, **kwargs))

    return asked
