"""Editions of the deciders: what has changed in what they decide since rows keep their commands.

A row is decided again by whoever verifies it. `EDITION` is raised by every change after which a
command that was once accepted would bring about other events, or be refused; `CHANGES` then says
which commands are concerned, so that honest rows of before are not taken for forgeries.
"""

from msgspec import Struct

EDITION = 1


class Change(Struct, frozen=True):
    """One difference between an edition and the one before."""

    edition: int
    """The first edition that decides so."""
    commands: tuple[str, ...]
    """The commands that may come out otherwise, by their tags."""
    clause: str
    differs: str
    why: str


CHANGES: tuple[Change, ...] = ()


def change_of(command: str, edition: int, changes: tuple[Change, ...] = CHANGES) -> Change | None:
    """The change by which a command of an earlier edition may come out otherwise today."""
    return next(
        (change for change in changes if change.edition > edition and command in change.commands),
        None,
    )
