"""Looking back: coups, receipts, significant events, verification, files to take away."""

from puntobanco.server.pages.journal import (
    coups,
    dossier,
    downloads,
    keys,
    receipts,
    shoes,
    significant,
    verification,
)

HANDLERS = (
    *coups.HANDLERS,
    *dossier.HANDLERS,
    *downloads.HANDLERS,
    *keys.HANDLERS,
    *receipts.HANDLERS,
    *shoes.HANDLERS,
    *significant.HANDLERS,
    *verification.HANDLERS,
)
