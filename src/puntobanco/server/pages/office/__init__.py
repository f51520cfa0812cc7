"""The back office: people, cage, tables, reports."""

from puntobanco.server.pages.office import (
    account,
    chance,
    devices,
    forms,
    open_table,
    overview,
    people,
    person,
    reports,
    running,
    second,
    settings,
)

HANDLERS = (
    *(*overview.HANDLERS, *reports.HANDLERS, *open_table.HANDLERS),
    *(*forms.HANDLERS, *settings.HANDLERS),
    *(*people.HANDLERS, *person.HANDLERS, *devices.HANDLERS, *account.HANDLERS),
    *(*second.HANDLERS, *running.HANDLERS, *chance.HANDLERS),
)
