"""Every competition that the reader is shown, and the beginning of a new one."""

from typing import Any

from litestar import Response, get
from litestar.response import Redirect

from puntobanco.competition.authority import CHARGE
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.rights import WORKS_HERE
from puntobanco.house.house import COMPETITION_NAME
from puntobanco.house.stream import COMPETITION
from puntobanco.rules.competition.shipped import TEMPLATES
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.api.competitions import listed_for
from puntobanco.server.visit import TheVisit


@get("/competitions", sync_to_thread=False, include_in_schema=False)
def cups_page(visit: TheVisit) -> Response[str]:
    """Every competition that the reader is shown; those in charge begin new ones here."""
    return visit.show(
        "pages/competitions/index.html",
        cups=listed_for(visit),
        begins=bool(visit.roles & CHARGE),
        templates=TEMPLATES,
        staff=bool(visit.roles & WORKS_HERE),
    )


@get("/competitions/new", sync_to_thread=False, include_in_schema=False)
def new_cup(visit: TheVisit) -> Response[Any]:
    """On to the form of the conditions, with a template in it."""
    name, template = visit.query("id").strip(), visit.query("template")[:64]
    visit.check(CHARGE, "draft")
    if not COMPETITION_NAME.fullmatch(f"{COMPETITION}{name}"):
        raise Refused(Reason.NO_SUCH_COMPETITION, CONDITIONS, competition=name[:40])
    return Redirect(f"/competitions/{name}/do/draft?template={template}", status_code=303)


HANDLERS = (cups_page, new_cup)
