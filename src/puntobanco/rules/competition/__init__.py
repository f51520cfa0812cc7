"""Competitions on paper: what follows from the documents, the conditions and the figures alone."""
