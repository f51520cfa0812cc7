"""Competitions: all there are, one of them with its parts, and the form of each of its commands."""

from puntobanco.server.pages.competitions import entries, forms, index, one

HANDLERS = (*index.HANDLERS, *one.HANDLERS, *entries.HANDLERS, *forms.HANDLERS)
