"""Looking back: rows in words, coups, replay, figures, receipts, significant events, exports."""
