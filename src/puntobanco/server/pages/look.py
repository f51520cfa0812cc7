"""The house's own stylesheet, logo and chips, kept by browsers until they change."""

from litestar import Response, get

from puntobanco.errors import Reason, Refused
from puntobanco.register.png import png_of
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.look import chip_pictures, look_of, stylesheet
from puntobanco.server.visit import TheVisit, Visit

FOR_EVER = "public, max-age=31536000, immutable"


@get("/look.css", sync_to_thread=False, include_in_schema=False)
def styles(stranger: TheVisit) -> Response[str]:
    """The house's colours as custom properties, for every page."""
    css = stylesheet(stranger.house.register.state.settings)
    return Response(css, media_type="text/css", headers=_kept(stranger))


@get("/look/logo.png", sync_to_thread=False, include_in_schema=False)
def logo(stranger: TheVisit) -> Response[bytes]:
    """The house's logo; without one, there is no such page."""
    png = png_of(stranger.house.register.state.settings.look.logo)
    if png is None:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return Response(png, media_type="image/png", headers=_kept(stranger))


@get("/look/chips.svg", sync_to_thread=False, include_in_schema=False)
def chips_drawn(stranger: TheVisit) -> Response[str]:
    """The house's chips, drawn."""
    drawn = chip_pictures(stranger.house.register.state.settings)
    return Response(drawn, media_type="image/svg+xml", headers=_kept(stranger))


def _kept(visit: Visit) -> dict[str, str]:
    """Kept for ever under the address that pages have for it now, and under no other."""
    now = look_of(visit.house.register.state.settings)
    url = visit.request.url
    asked = f"{url.path}?{url.query}"
    return {"Cache-Control": FOR_EVER if asked in (now.styles, now.logo, now.chips) else "no-cache"}


HANDLERS = (styles, logo, chips_drawn)
