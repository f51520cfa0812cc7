"""One live table as three pure functions: what may happen, what it changes, who may see what."""
