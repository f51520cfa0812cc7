"""Access looked through, and what players have a right to."""

from puntobanco.server.pages.trust import access, games

HANDLERS = (*access.HANDLERS, *games.HANDLERS)
