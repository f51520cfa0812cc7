"""Looking back: coups, receipts, significant events, verification, files to take away."""

from puntobanco.server.pages.journal import coups, downloads, receipts, significant, verification

HANDLERS = (
    *coups.HANDLERS,
    *downloads.HANDLERS,
    *receipts.HANDLERS,
    *significant.HANDLERS,
    *verification.HANDLERS,
)
