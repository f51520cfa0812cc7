"""The entries of a competition."""

from litestar import Response, get

from puntobanco.competition.view import SEES_ENTRIES
from puntobanco.house.competitions.entry_list import entries_csv
from puntobanco.server.addresses import CompetitionName
from puntobanco.server.api.competitions import seen_by
from puntobanco.server.visit import TheVisit


@get("/competitions/{competition:str}/entries", sync_to_thread=False, include_in_schema=False)
def entries_file(visit: TheVisit, competition: CompetitionName) -> Response[str]:
    """The entries as CSV, with names for staff and contacts for those who see to entrants."""
    visit.check(SEES_ENTRIES, "entries", visit.competition(competition).name)
    seen = seen_by(visit, competition)
    headers = {"Content-Disposition": f'attachment; filename="{competition}-entries.csv"'}
    text = entries_csv(seen.view.entries, seen.people)
    return Response(text, media_type="text/csv", headers=headers)


HANDLERS = (entries_file,)
