"""A competition from its conditions to its prizes, as three pure functions.

It owns entries, draw, stages, places and prizes. A table alone owns its chips, forms and
eliminations during a session, and tells the competition its result; money moves at the cage.
"""
