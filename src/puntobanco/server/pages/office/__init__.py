"""The back office: people, cage, tables, reports."""

from puntobanco.server.pages.office import backoffice, people

HANDLERS = (
    *backoffice.HANDLERS,
    *people.HANDLERS,
)
