"""Every game of a player, as the standards want it on record: found by the player, not by reading
the tables through.
"""

from collections.abc import Iterator

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.access.own_data import OwnCoup, own_coup
from puntobanco.house.access.rights import OVERSEES, check_house_role, member_of
from puntobanco.house.figures import stored
from puntobanco.house.figures.projection import FiguresRead
from puntobanco.house.house import House
from puntobanco.house.trust.played import Key, is_of, newer_coups
from puntobanco.journal.erasable_tables import Values
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table.actor import Actor

FIRST, LAST = "", "9999-12-31"
FOUND = """SELECT at_ms, stream, number FROM games WHERE person = ? AND day >= ? AND day <= ?
    AND (at_ms, stream, number) < (?, ?, ?) ORDER BY at_ms DESC, stream DESC, number DESC LIMIT ?"""
BEGAN = "person = ? AND day >= ? AND day <= ? AND first_ms <= ? AND last_ms > ?"
OVER = "person = ? AND day >= ? AND day <= ? AND last_ms <= ? ORDER BY last_ms DESC LIMIT ?"
NEWEST: Key = (1 << 62, "", 0)
AT_ONCE = 500
"""Coups that are asked for together."""


class GamesAsked(Struct, frozen=True):
    """Which games of a player are asked for: of a range of gaming days, before one of them."""

    person: str
    first: str = FIRST
    last: str = LAST
    before: Key = NEWEST


class GamesShown(Struct, frozen=True):
    """Games of a player, the newest first."""

    person: str
    games: tuple[OwnCoup, ...]
    before: str
    """Ask with this for those before them; empty: these are the oldest."""


def check_games(house: House, by: Actor, person: str) -> None:
    """Players have their own; those who oversee the house have anybody's."""
    if by.person != person:
        check_house_role(by, OVERSEES, "player-games")
    member_of(house.register.state, person)


def games_shown(reading: FiguresRead, asked: GamesAsked, most: int) -> GamesShown:
    """One page of them."""
    found = list(player_games(reading, asked, most + 1))
    last = found[most - 1] if len(found) > most else None
    before = f"{last.at_ms}.{last.coup}.{last.table}" if last else ""
    return GamesShown(asked.person, tuple(found[:most]), before)


def before_of(text: str) -> Key:
    """Where a page goes on, as the one before it said."""
    at_ms, _, rest = text.partition(".")
    number, _, table = rest.partition(".")
    if not (at_ms.isdecimal() and number.isdecimal() and table) or len(text) > 120:
        if text:
            raise Refused(Reason.MALFORMED, CONDITIONS, what=f"before: {text[:20]!r} is no game")
        return NEWEST
    return min(int(at_ms), NEWEST[0]), table, int(number)


def player_games(reading: FiguresRead, asked: GamesAsked, most: int = 1 << 40) -> Iterator[OwnCoup]:
    """The games of a player that are over, the newest first."""
    newer = newer_coups(reading)
    wanted = sorted(
        key
        for key, row in newer.items()
        if asked.first <= row[2] <= asked.last and key < asked.before and is_of(row, asked.person)
    )
    log = reading.log
    about = (asked.person, asked.first, asked.last, *asked.before)
    enough = min(most + len(newer), 1 << 40)
    older = log.beside(FOUND, *about, enough)
    keys = {(int(at_ms), str(stream), int(number)) for at_ms, stream, number in older}
    keys |= {game[1:4] for game in _kept(reading, asked, enough) if game[1:4] < asked.before}
    wanted = sorted({*wanted, *(keys - newer.keys())}, reverse=True)[:most]
    for at in range(0, len(wanted), AT_ONCE):
        some = wanted[at : at + AT_ONCE]
        coups = stored.packed_coups(log, [key[1:] for key in some if key not in newer])
        for key in some:
            packed = newer[key][-1] if key in newer else coups[key[1:]]
            yield own_coup(stored.unpacked(packed), asked.person)


def _kept(reading: FiguresRead, asked: GamesAsked, most: int) -> list[Values]:
    """The games in the newest rows of a player: as many as are asked for, and some more. Each row
    that was over by then has one game at least; those that were not are few.
    """
    before = asked.before[0]
    days = asked.person, asked.first, asked.last
    began = stored.played_rows(reading.log, BEGAN, *days, before, before)
    return began + stored.played_rows(reading.log, OVER, *days, before, most)


COLUMNS = (
    *("opened", "over", "gaming_day", "table", "ruleset", "shoe", "coup", "row", "chips_are"),
    *("competition", "status", "cards", "result", "wagers", "staked_cents", "won_cents"),
    *("commission_cents", "paid_later_cents", "before_cents", "after_cents"),
)


def status_of(game: OwnCoup) -> str:
    """How a game ended: whatever is listed is over."""
    if game.void:
        return "void"
    return "put-right" if game.corrected else "complete"


def wagers_told(game: OwnCoup) -> str:
    """Wagers in one cell: box, option, amount, what came of it, what was paid, at which odds."""
    return "; ".join(
        f"{one.box} {one.on} {one.cents} {one.outcome} {one.won_cents}"
        + (f" at {one.odds[0]}:{one.odds[1]}" if one.odds else "")
        for one in game.wagers
    )
