"""Roots that somebody else keeps: the tree over rows, what a witness follows, and its proofs."""
