"""Competitions: all there are, one of them with its parts, and the form of each of its commands."""

from puntobanco.server.pages.competitions import conditions, entries, forms, index, one

HANDLERS = (
    *(*index.HANDLERS, *one.HANDLERS, *conditions.HANDLERS, *entries.HANDLERS),
    *forms.HANDLERS,
)
