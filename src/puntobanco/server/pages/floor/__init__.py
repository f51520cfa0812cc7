"""The floor: all tables on one screen, decisions, incidents, what a shift hands over."""

from puntobanco.server.pages.floor import board, decisions, handover, incidents

HANDLERS = (*board.HANDLERS, *decisions.HANDLERS, *handover.HANDLERS, *incidents.HANDLERS)
