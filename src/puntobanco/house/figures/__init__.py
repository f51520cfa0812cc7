"""Figures: what was played, added up, kept beside the journal and checked against it."""
