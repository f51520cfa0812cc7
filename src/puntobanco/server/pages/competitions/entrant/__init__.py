"""A competition on an entrant's own phone: entering, playing, papers."""

from puntobanco.server.pages.competitions.entrant import now, papers, secret

HANDLERS = (*now.HANDLERS, *papers.HANDLERS, *secret.HANDLERS)
