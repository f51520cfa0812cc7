"""The cage as a till: patrons, money, fills and credits, trays, drawers, and their papers."""

from puntobanco.server.pages.cage import chips, drawer, papers, till

HANDLERS = (*till.HANDLERS, *chips.HANDLERS, *drawer.HANDLERS, *papers.HANDLERS)
