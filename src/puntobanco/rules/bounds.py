"""Bounds on what comes in: every number has a least and a most, every text a length.

Notices and records of coups come in with commands and stand in journals, too. So these are wider
than anything the rules let happen: what was ever recorded is read for ever.
"""

from typing import Annotated

from msgspec import Meta

Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""Any whole number that both databases can hold: 64 bits, signed."""
Money = Annotated[int, Meta(ge=0, le=10**15)]
"""A limit on a notice, in cents; small enough that floating point still counts it exactly."""
Few = Annotated[int, Meta(ge=0, le=10_000)]
"""A count of decks, seats or cards behind a marker."""
Word = Annotated[str, Meta(max_length=80)]
"""An id or a name, in characters."""
Text = Annotated[str, Meta(max_length=1000)]
"""A remark or a reason, in characters."""
Words = Annotated[tuple[Text, ...], Meta(max_length=1000)]
"""A list of texts, such as the clauses cited."""
MOST_LINES = 1_000_000
"""The most cards, or settled wagers, that the record of one coup may hold."""
