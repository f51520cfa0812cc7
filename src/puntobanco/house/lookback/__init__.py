"""Looking back: rows told in words, coups, replay, figures, receipts, significant events, exports."""
