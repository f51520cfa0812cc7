"""Access looked through, and what players have a right to."""

from puntobanco.server.pages.trust import access, games, own_limits, together

HANDLERS = (*access.HANDLERS, *games.HANDLERS, *own_limits.HANDLERS, *together.HANDLERS)
