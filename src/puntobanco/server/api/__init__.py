"""What programs ask and do besides giving commands."""

from puntobanco.server.api import (
    cage,
    competitions,
    finding,
    floor,
    journal,
    may,
    odds,
    office,
    people,
    previews,
    rules,
    sign_in,
    tables,
    trust,
    views,
)

HANDLERS = (
    *cage.HANDLERS,
    *competitions.HANDLERS,
    *finding.HANDLERS,
    *floor.HANDLERS,
    *journal.HANDLERS,
    *may.HANDLERS,
    *odds.HANDLERS,
    *office.HANDLERS,
    *people.HANDLERS,
    *previews.HANDLERS,
    *rules.HANDLERS,
    *sign_in.HANDLERS,
    *tables.HANDLERS,
    *trust.HANDLERS,
    *views.HANDLERS,
)
