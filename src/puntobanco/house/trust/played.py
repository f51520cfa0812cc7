"""What a house has counted of a player's loss and time, found by the player."""

from msgspec import Struct

from puntobanco.house.figures import stored
from puntobanco.house.figures.projection import FiguresRead
from puntobanco.journal.erasable_tables import Values

PLAYED = """SELECT at_ms, stream, number, day, book, over_ms, won_cents FROM games
    WHERE person = ? AND at_ms >= ? AND day >= ?"""
Key = tuple[int, str, int]
"""When a coup was opened, at which table, and its number."""


def newer_coups(reading: FiguresRead) -> dict[Key, Values]:
    """The coups that have ended or changed since they were kept, whosever they are now."""
    return {
        (row[8], row[0], row[1]): row
        for own in reading.unkept.coups.values()
        for row in own.values()
    }


def is_of(row: Values, person: str) -> bool:
    return bool(row[3]) and f" {person} " in row[12]


class PlayedGame(Struct, frozen=True):
    """One game of a player, as far as limits of loss and time want to know it."""

    at_ms: int
    over_ms: int
    day: str
    book: str
    won_cents: int


def _older(reading: FiguresRead, *about: object) -> list[Values]:
    """Games as programs of schemas 10 and 11 kept them."""
    return reading.log.beside(PLAYED, *about)


def played_since(
    reading: FiguresRead, person: str, day: str, since_ms: int = 0
) -> list[PlayedGame]:
    """The games of a player from a gaming day and a moment on, in no order."""
    newer = newer_coups(reading)
    found = [
        PlayedGame(int(row[0]), int(row[5]), str(row[3]), str(row[4]), int(row[6]))
        for row in _older(reading, person, since_ms, day)
        if (int(row[0]), str(row[1]), int(row[2])) not in newer
    ]
    since = "person = ? AND last_ms >= ? AND day >= ?"
    found += [
        PlayedGame(game[1], game[6], game[4], game[5], game[7])
        for game in stored.played_rows(reading.log, since, person, since_ms, day)
        if game[1] >= since_ms and game[1:4] not in newer
    ]
    for row in newer.values():
        if row[2] >= day and is_of(row, person):
            coup = stored.unpacked(row[-1])
            won = coup.won_by(person)
            found.append(PlayedGame(row[8], coup.over_ms, str(row[2]), str(row[3]), won))
    return found
