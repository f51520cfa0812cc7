"""Competitions: all there are, one of them with its parts, and the form of each of its commands."""

from puntobanco.server.pages.competitions import (
    conditions,
    draw,
    entries,
    forms,
    index,
    one,
    results,
)

HANDLERS = (
    *(*index.HANDLERS, *one.HANDLERS, *conditions.HANDLERS, *entries.HANDLERS),
    *(*draw.HANDLERS, *results.HANDLERS, *forms.HANDLERS),
)
