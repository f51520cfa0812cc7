"""A house verified: start at proof.py; audit.py takes all streams, again.py one row."""
