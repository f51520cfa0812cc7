"""What the process says of itself: one line for each request and fault, as text or as JSON.

No line has a name, a secret, or an address of a page as it was asked for, which could carry either:
only the pattern of its route.
"""

import asyncio
import logging
import sys
from contextvars import ContextVar
from time import perf_counter  # noqa: TID251  how long an answer takes is not a fact of the game
from traceback import format_tb
from typing import Any

import msgspec
from litestar.types import Message, Receive, Send

from puntobanco.house.system import CHANCE
from puntobanco.server.edge.proxy import Networks, client_of

ACCESS = logging.getLogger("puntobanco.access")
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered; its answer carries it as `X-Request-Id`."""
BROKEN_OFF = "\nasyncio.exceptions.CancelledError"
"""How the text of a traceback ends, by which the server tells of a shutdown that was broken off."""
FACTS = ("method", "route", "status", "ms", "address")
"""What a line of the access log has beside what every line has."""


def told_fault(error: BaseException | None) -> str:
    """Where it went wrong and what kind of fault it was, the first cause first; what a fault says
    of itself may have a name in it, or a secret.
    """
    if error is None:
        return ""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    code = getattr(error, "errno", None) or getattr(error, "sqlstate", None)
    kind = f"{type(error).__module__}.{type(error).__qualname__}{f' {code}' if code else ''}"
    places = "".join(format_tb(error.__traceback__))
    earlier = f"{told_fault(before)}\n\n" if before else ""
    return f"{earlier}Traceback (most recent call last):\n{places}{kind}"


class JsonLine(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        line |= {"request": REQUEST_ID.get()} if REQUEST_ID.get() else {}
        line |= {name: getattr(record, name) for name in FACTS if hasattr(record, name)}
        if record.exc_info:
            line["fault"] = told_fault(record.exc_info[1])
        return msgspec.json.encode(line).decode()


class TextLine(logging.Formatter):
    """The same for people."""

    def formatException(self, ei: Any) -> str:  # noqa: N802  as the library calls it
        return told_fault(ei[1])

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s%(of)s")

    def format(self, record: logging.LogRecord) -> str:
        record.of = f" [{REQUEST_ID.get()}]" if REQUEST_ID.get() else ""
        return super().format(record)


def is_of_use(record: logging.LogRecord) -> bool:
    """What is broken off when the house is shut is no fault: a page that is still open, or what
    was under way when somebody pressed Ctrl-C twice.
    """
    fault = record.exc_info[1] if record.exc_info else None
    return not (isinstance(fault, asyncio.CancelledError) or BROKEN_OFF in record.getMessage())


def log_to_stderr(form: str, level: str) -> None:
    """Send every line of this program, and of the server under it, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(is_of_use)
    handler.setFormatter(JsonLine() if form == "json" else TextLine())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    # the journal says once that the database is away, and once that it is back; this, at every try
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


def logged(app: Any, proxies: Networks = ()) -> Any:
    """An application whose every request has an id, and a line in the access log."""

    async def answered(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        request_id, start, status = CHANCE.some_bytes(8).hex(), perf_counter(), 0
        REQUEST_ID.set(request_id)

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message["headers"],
                    (b"x-request-id", request_id.encode()),
                ]
            await send(message)

        try:
            await app(scope, receive, send_on)
        finally:
            _line(scope, status, perf_counter() - start, proxies)

    return answered


def _line(scope: dict[str, Any], status: int, seconds: float, proxies: Networks) -> None:
    if not ACCESS.isEnabledFor(logging.INFO):
        return
    sent = [
        value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"
    ]
    peer = scope["client"][0] if scope["client"] else ""
    facts = {
        "method": scope["method"],
        "route": scope.get("path_template") or "none",
        "status": status,
        "ms": round(1000 * seconds, 1),
        "address": client_of(peer, ",".join(sent), proxies),
    }
    ACCESS.info("%s", " ".join(str(fact) for fact in facts.values()), extra=facts)
