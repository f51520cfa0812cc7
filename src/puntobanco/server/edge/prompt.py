"""Requests come whole within a time, or not at all: nobody holds connections by sending half."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_S = 20.0
"""Seconds from a connection, or the first byte of a request, to its last."""
TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class PromptProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with an end to waiting. Bytes that trickle in win no time."""

    within_s = REQUEST_S
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_it()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_whole():
            self._stop_waiting()
        else:
            self._wait_for_it()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._is_whole() and not self.transport.is_closing():
            self._wait_for_it()  # the next request has begun already

    def _is_whole(self) -> bool:
        """Whether nothing that was begun is still to come."""
        begun = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        return not begun and self.conn.their_state is not h11.SEND_BODY

    def _wait_for_it(self) -> None:
        if self._late is None and not self.transport.is_closing():
            self._late = self.loop.call_later(self.within_s, self._hang_up)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _hang_up(self) -> None:
        self._late = None
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(TOO_LATE)
        self.transport.close()
