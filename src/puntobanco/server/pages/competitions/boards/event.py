"""The page of an event, for everybody: conditions, schedule, draws with their check, results."""

from typing import TYPE_CHECKING

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException

from puntobanco.server.addresses import CompetitionName
from puntobanco.server.api.competitions import draws_for
from puntobanco.server.pages.competitions.papers.terms import terms_told
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words.commands import FIELDS
from puntobanco.words.competition import COMPETITION_FIELDS

if TYPE_CHECKING:
    from puntobanco.house.competitions.public.event import CupEvents


@get("/competitions/{competition:str}/event", sync_to_thread=False, include_in_schema=False)
def event_page(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """What was published, whoever looks; it stays after the event."""
    return show_event(visit, competition)


def show_event(visit: Visit, cup: str) -> Response[str]:
    events: CupEvents = visit.kept.cup_events
    stream = visit.competition(cup)
    pits = visit.kept.cup_walls.boards.pits(stream)
    return visit.show(
        "pages/competitions/boards/event.html",
        cup=cup,
        event=events.event(stream),
        pits=pits if len(pits) > 1 else (),
        item_called=item_called,
        told=terms_told(visit, stream.state) if stream.state.version else {},
    )


def item_called(item: str) -> str:
    """An item of the conditions as the sheet calls it; of a stage, with its number."""
    path = item.split(".")
    if path[0] == "stage" and len(path) > 2:
        return f"{int(path[1]) + 1}. {_label('.'.join(('stage', *path[2:])))}"
    return _label(item)


def _label(item: str) -> str:
    known = COMPETITION_FIELDS.get(item) or FIELDS.get(item) or item.rpartition(".")[2]
    return known.replace("_cents", "").replace("_", " ")


@get("/competitions/{competition:str}/draws.json", sync_to_thread=False, include_in_schema=False)
def draw_files(visit: TheVisit, competition: CompetitionName) -> Response[bytes]:
    """The certificates of every draw, one after another as `competition draw-check` reads each."""
    draws = draws_for(visit, competition)
    number = visit.query("draw")
    if number.isdecimal() and 1 <= int(number) <= len(draws):
        wanted: object = draws[int(number) - 1].certificate
        if wanted is None:
            raise NotFoundException
    else:
        wanted = [one.certificate for one in draws if one.certificate]
    content = msgspec.json.format(msgspec.json.encode(wanted), indent=1)
    headers = {"Content-Disposition": f'attachment; filename="{competition}-draw.json"'}
    return Response(content, media_type="application/json", headers=headers)


HANDLERS = (event_page, draw_files)
