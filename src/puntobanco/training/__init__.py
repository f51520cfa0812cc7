"""The training table: mistakes dealt on purpose at a real table, and what the rules make of them.

Nothing here knows an answer. A scene is a session at a table up to a mistake; the right answers
are read from the events, or the refusal, with which the table itself goes on.
"""
