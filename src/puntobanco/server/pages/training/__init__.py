"""Training: a course in sets of ten, the scenes of a set, and scenes that trainers write."""

from puntobanco.server.pages.training import course, drill, written

HANDLERS = (*course.HANDLERS, *drill.HANDLERS, *written.HANDLERS)
