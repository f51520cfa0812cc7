"""Figures of this process, counted as things happen or read off the house when somebody asks.

Labels are few and come from the program itself: kinds of commands, reasons, rooms of the site. No
name, table or address is one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from litestar import Request
from litestar.datastructures import State
from litestar.plugins.prometheus import PrometheusConfig, PrometheusMiddleware
from msgspec import Struct
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

from puntobanco.errors import Refused
from puntobanco.house.checks.signs import signs_of
from puntobanco.house.house import House
from puntobanco.journal.log import AwayError, FullError, ReusedError, SucceededError

disable_created_metrics()  # type: ignore[no-untyped-call]
CONTENT_TYPE = CONTENT_TYPE_LATEST
COMMANDS = Counter(
    "puntobanco_commands", "Commands given over the web, by kind and outcome", ["kind", "outcome"]
)
REFUSALS = Counter("puntobanco_refusals", "Requests that were refused, by reason", ["reason"])
CONNECTIONS_REFUSED = Counter(
    "puntobanco_connections_refused", "Connections refused: their address had too many"
)
FLUSHES = Histogram(
    "puntobanco_append_seconds",
    "Seconds until appends are on disk",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5),
)
GROUPS = Histogram(
    "puntobanco_append_group", "Appends that shared a flush", buckets=(1, 2, 4, 8, 16, 64, 512)
)

LAG = Histogram(
    "puntobanco_lag_seconds",
    "Seconds from a decision, by whichever process, until it is drawn for those who watch here",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)


class RoomMiddleware(PrometheusMiddleware):
    """The framework's own counts of requests, by the first part of the address as routes write it:
    requests in progress in the room `live` are the open streams.
    """

    def _get_default_labels(self, request: Request[Any, Any, Any]) -> dict[str, str | int | float]:
        template = str(request.scope.get("path_template", ""))
        room = template.split("/")[1] if template.startswith("/") else ""
        return {"method": request.method, "room": room, "status_code": 200}


REQUESTS = PrometheusConfig(
    app_name="puntobanco",
    prefix="puntobanco",
    middleware_class=RoomMiddleware,
    buckets=[0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
)


@contextmanager
def counted_command(ask: Struct) -> Iterator[None]:
    """Count a command by its kind and what becomes of it: done, refused, waiting until it can be
    written, or a fault.
    """
    kind, outcome = str(ask.__struct_config__.tag or type(ask).__name__), "fault"
    try:
        yield
        outcome = "done"
    except (Refused, ReusedError):
        outcome = "refused"
        raise
    except (AwayError, FullError, SucceededError):
        outcome = "waiting"
        raise
    finally:
        COMMANDS.labels(kind, outcome).inc()


def wrote(appends: int, seconds: float) -> None:
    """Told by the journal of each flush."""
    FLUSHES.observe(seconds)
    GROUPS.observe(appends)


def exposed(kept: State) -> bytes:
    """All figures: those counted, and those of the house as it is now."""
    now = CollectorRegistry()
    house: House = kept.gateway.house
    for name, (says, value) in _of_house(house).items():
        Gauge(f"puntobanco_{name}", says, registry=now).set(value)
    signs = Gauge("puntobanco_sign", "1: as it should be", ["sign"], registry=now)
    for sign in signs_of(house):
        signs.labels(sign.name).set(sign.good)
    watchers = Gauge("puntobanco_watchers", "Streams of tables' pages", registry=now)
    watchers.set(kept.boards.watchers)
    running = kept.get("running")
    if running is not None:
        tick = Gauge("puntobanco_slowest_tick_seconds", "Longest since last asked", registry=now)
        tick.set(running.slowest_ms / 1000)
        running.slowest_ms = 0
    return generate_latest(REGISTRY) + generate_latest(now)


def _of_house(house: House) -> dict[str, tuple[str, float]]:
    tables = [stream.state for stream in house.tables.values()]
    figures: dict[str, tuple[str, float]] = {
        "tables": ("Tables that there are", len(tables)),
        "tables_held": (
            "Tables whose clocks this process runs",
            len(house.log.holds(set(house.tables))),
        ),
        "coups": ("Coups dealt at the tables that there are", sum(t.coup_number for t in tables)),
        "rows": ("Rows of tables, cage and register that this process knows", house.written),
        "root_age_seconds": (
            "Seconds since all rows were covered by a root",
            (house.time.now_ms() - house.roots.at_ms) / 1000,
        ),
        "clock_off_seconds": (
            "The clock the house goes by, ahead of its time",
            house.time.off_ms() / 1000,
        ),
    }
    if (watch := house.chance.watch) is not None:
        figures["drawn_bytes"] = ("Bytes drawn from the generator and tested", watch.tested)
    if (free := house.log.free_mb()) is not None:
        figures["disk_free_bytes"] = ("Room on the journal's disk", free * 1_000_000)
    return figures
