"""Editions of the deciders: what has changed in what they decide since rows keep their commands.

Verification decides each row again. `EDITION` is raised by every change after which a command
that was once accepted would bring about other events, or be refused; `CHANGES` then names the
commands concerned, so that honest rows of an earlier edition are not taken for forgeries.
"""

from msgspec import Struct

EDITION = 2
"""The edition of this program's deciders, which every envelope records."""


class Change(Struct, frozen=True):
    """One difference between an edition and the one before it."""

    edition: int
    """The first edition that decides in the new way."""
    commands: tuple[str, ...]
    """The tags of the commands that may be decided differently."""
    clause: str
    differs: str
    why: str


CHANGES: tuple[Change, ...] = (
    Change(
        2,
        ("report-irregularity",),
        "conditions",
        "once a result is declared, a report that would void the coup is a proposal",
        "one person alone could take back what had been paid",
    ),
    Change(
        2,
        ("report-irregularity", "confirm-finding"),
        "mbs-2017:5.4",
        "cards that came together once four were dealt are no longer of the initial deal",
        "third cards drawn together cited the clause of the initial deal",
    ),
    Change(
        2,
        ("report-irregularity", "confirm-finding"),
        "tas-2018:14.4",
        "a card seen in the shoe while bets lie: the rule's event says that the coup is void",
        "it said that the coup stands, and the next event that it is void",
    ),
    Change(
        2,
        ("open-table", "post-change", "agree-limits"),
        "tas-2018:12.2",
        "limits and chips under which a winning wager is paid nothing are refused",
        "a smallest chip as large as the minimum, rounded down, paid a winning Banker nothing",
    ),
    Change(
        2,
        ("place-wager", "change-wager", "withdraw-wager"),
        "act-2015:6.2(a)",
        "after the call devices take nothing more; a wager off the multiples cites their clause",
        "new wagers and raises came in after the call, and odd amounts went unnoticed",
    ),
)


def change_of(command: str, edition: int, changes: tuple[Change, ...] = CHANGES) -> Change | None:
    """Find the change by which a command of an earlier edition may be decided differently now."""
    return next(
        (change for change in changes if change.edition > edition and command in change.commands),
        None,
    )
