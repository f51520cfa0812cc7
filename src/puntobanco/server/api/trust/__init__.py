"""Access looked through, and what players have a right to, as data."""

from puntobanco.server.api.trust import access, games, own_limits, passkeys, together

HANDLERS = (
    *(*access.HANDLERS, *games.HANDLERS, *own_limits.HANDLERS),
    *(*passkeys.HANDLERS, *together.HANDLERS),
)
