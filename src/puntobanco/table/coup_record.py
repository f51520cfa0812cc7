"""What stays on record of a coup that is over."""

import hashlib
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from puntobanco.brief import Brief
from puntobanco.rules.bounds import MOST_LINES, Whole
from puntobanco.rules.coup import Drawn, Result
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.notice import Notice
from puntobanco.rules.settle import Line


class CoupKind(StrEnum):
    """What may be bet on a coup."""

    ORDINARY = "ordinary"
    FREE = "free"
    """No wager is needed; one may be made."""
    NO_BET = "no-bet"
    """All players agreed: nobody bets."""
    NON_BETTING = "non-betting"
    """After an irregularity: nobody may bet into a card that was seen."""

    @property
    def takes_wagers(self) -> bool:
        return self in (CoupKind.ORDINARY, CoupKind.FREE)


class CoupRecord(Brief, frozen=True):
    """A coup that is over, with all that a later ruling may have to reach back to."""

    number: Whole
    kind: CoupKind
    notice: Notice
    drawn: Annotated[tuple[Drawn, ...], Meta(max_length=MOST_LINES)]
    verdict: Verdict
    result: Result | None
    lines: Annotated[tuple[Line, ...], Meta(max_length=MOST_LINES)] = ()
    begun: Whole = 0
    """How many of its cards had been carried over from the coup before."""
    extra_round: bool = False
    """The one more round that a tie grants had been granted before it."""

    @property
    def digest(self) -> str:
        """By which a record that comes in with a command is known to be the true one."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()
