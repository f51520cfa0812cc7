"""How large what comes in may be: every number has a least and a most, every text a length.

Notices and records of coups come in with commands and stand in journals, too. So these are wider
than anything the rules let happen: what was ever recorded is read for ever.
"""

from typing import Annotated

from msgspec import Meta

Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""What a journal can hold."""
Money = Annotated[int, Meta(ge=0, le=10**15)]
"""A limit on a notice, in cents; programs that count in floating point still count it exactly."""
Few = Annotated[int, Meta(ge=0, le=10_000)]
"""Decks, seats, cards behind a marker."""
Word = Annotated[str, Meta(max_length=80)]
Text = Annotated[str, Meta(max_length=1000)]
Words = Annotated[tuple[Text, ...], Meta(max_length=1000)]
MOST_LINES = 1_000_000
