"""What is read off a table: whose turn it is, who is in line, what is due.

Nothing is decided here and nothing changes; decide, view and next step ask the same questions.
"""
