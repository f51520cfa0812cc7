"""The back office: people, cage, tables, reports."""

from puntobanco.server.pages.office import (
    account,
    cage,
    devices,
    forms,
    open_table,
    overview,
    people,
    reports,
    settings,
)

HANDLERS = (
    *(*overview.HANDLERS, *reports.HANDLERS, *open_table.HANDLERS),
    *(*cage.HANDLERS, *forms.HANDLERS, *settings.HANDLERS),
    *(*people.HANDLERS, *devices.HANDLERS, *account.HANDLERS),
)
