"""`/health`, `/ready` and `/metrics`: what a proxy, a supervisor and a monitor ask."""

from typing import Any

from litestar import Response, get

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import OVERSEES
from puntobanco.house.checks.signs import is_ready, signs_of
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.edge.metrics import CONTENT_TYPE, exposed
from puntobanco.server.edge.proxy import is_this_machine
from puntobanco.server.visit import TheVisit

UNREADY = 503


@get("/health", sync_to_thread=False, include_in_schema=False)
def health() -> dict[str, bool]:
    """The process answers; nothing is said of what it needs."""
    return {"alive": True}


@get("/ready", sync_to_thread=False, include_in_schema=False)
def ready(stranger: TheVisit) -> Response[dict[str, Any]]:
    """Whether to send people here, and which sign is against it; no figures for strangers."""
    signs = signs_of(stranger.house)
    said = {"ready": is_ready(signs), **{sign.name: sign.good for sign in signs}}
    return Response(said, status_code=200 if said["ready"] else UNREADY)


@get("/metrics", sync_to_thread=False, include_in_schema=False)
def metrics(visit: TheVisit) -> Response[bytes]:
    """The figures of this process, in the form that Prometheus reads."""
    _check_monitor(visit)
    return Response(exposed(visit.kept), headers={"Content-Type": CONTENT_TYPE})


def _check_monitor(visit: TheVisit) -> None:
    """Whoever asks from this machine itself, a device that watches, or who oversees the house.

    A proxy on this machine that the house was not told of makes all the world look local; so
    whatever came through one is not.
    """
    through = any(name in visit.request.headers for name in ("x-forwarded-for", "forwarded", "via"))
    if is_this_machine(visit.address) and not through:
        return
    if visit.caller.is_device and visit.caller.scope == "watch":
        return
    if visit.caller.is_device:
        raise Refused(Reason.TOKEN_NOT_FOR_THIS, CONDITIONS)
    visit.check(OVERSEES, "metrics")


HANDLERS = (health, ready, metrics)
