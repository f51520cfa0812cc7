"""The cage as a till: what is in trays and drawers, a patron's ledger, receipts and slips."""
