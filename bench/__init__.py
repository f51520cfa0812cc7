"""Speed, printed by `make bench`; no test depends on it."""
