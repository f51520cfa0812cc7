"""Competitions: all there are, one of them with its parts, and the form of each of its commands."""

from puntobanco.server.pages.competitions import (
    boards,
    conditions,
    draw,
    entrant,
    entries,
    forms,
    index,
    leagues,
    one,
    papers,
    results,
)

HANDLERS = (
    *(*index.HANDLERS, *one.HANDLERS, *conditions.HANDLERS, *entries.HANDLERS),
    *(
        *draw.HANDLERS,
        *results.HANDLERS,
        *papers.HANDLERS,
        *leagues.HANDLERS,
        *forms.HANDLERS,
        *entrant.HANDLERS,
    ),
    *boards.HANDLERS,
)
