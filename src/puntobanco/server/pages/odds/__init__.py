"""The analyst's pages: exact odds, the course through a shoe, long play."""

from puntobanco.server.pages.odds import course, exact, runs

HANDLERS = (
    *course.HANDLERS,
    *exact.HANDLERS,
    *runs.HANDLERS,
)
