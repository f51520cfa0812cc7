"""Where figures are kept beside the log: coups that are over, cells, how far rows were read."""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from puntobanco.errors import DamagedError
from puntobanco.house.figures.notable import added_rows
from puntobanco.house.figures.parts import Cell, Kind, sides_in
from puntobanco.house.figures.sums import NOTHING, Sums, add
from puntobanco.house.lookback.past_coup import Circumstances, PastCoup
from puntobanco.house.stream import state_form
from puntobanco.journal.erasable_tables import (
    FIGURES_SINCE,
    GAMES_SINCE,
    PLAYED_SINCE,
    Values,
)
from puntobanco.journal.log import EventLog, Statement
from puntobanco.register.settings import Settings

READING = 4
"""Raised when the same rows give other figures than before: those that are kept are made anew."""
WITHOUT_SIDES = 3
"""The reading before, in which nobody's sides were counted, which coups that are kept tell, and
fewer rows were among those that must be seen."""
DEDUCTED = tuple(
    f'"is":"{tag}"'.encode()
    for tag in ("secret-announced", "absence-deducted", "lateness-deducted")
)
"""How events begin whose chips that reading did not count to what players had."""
PUT_COUP = """INSERT INTO past_coups VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (stream, number) DO UPDATE SET book = excluded.book,
    hold_cents = excluded.hold_cents, ruled = excluded.ruled, wagers = excluded.wagers,
    people = excluded.people, coup = excluded.coup"""
PUT_CELL = """INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (kind, day, stream, name)
    DO UPDATE SET handle_cents = excluded.handle_cents, sums = excluded.sums"""
DROP_CELL = "DELETE FROM figures WHERE kind = ? AND day = ? AND stream = ? AND name = ?"
PUT_AT = """INSERT INTO figures_at VALUES (?, ?, ?, ?) ON CONFLICT (stream)
    DO UPDATE SET seq = excluded.seq, form = excluded.form, state = excluded.state"""
GET_AT = "SELECT seq, state, form FROM figures_at WHERE stream = ? AND form IN (?, ?)"
GET_CELL = """SELECT sums, (SELECT seq FROM figures_at WHERE stream = ?) FROM figures
    WHERE kind = ? AND day = ? AND stream = ? AND name = ?"""
GET_SEQ = "SELECT seq FROM figures_at WHERE stream = ? AND form IN (?, ?)"
GET_COUP = "SELECT coup FROM past_coups WHERE stream = ? AND number = ?"
GET_COUPS = "SELECT number, coup FROM past_coups WHERE stream = ? AND number IN"
PUT_PLAYED = """INSERT INTO played VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (stream, day, person, book) DO UPDATE SET first_ms = excluded.first_ms,
    last_ms = excluded.last_ms, games = excluded.games"""
DROP_PLAYED = "DELETE FROM played WHERE stream = ? AND day = ? AND person = ? AND book = ?"
PLAYED_ON = """SELECT person, day, book, first_ms, last_ms, games FROM played
    WHERE stream = ? AND day = ?"""
ALL_PLAYED = """SELECT person, day, book, first_ms, last_ms, games FROM played
    WHERE stream = ?"""
MOST_GAMES = 1 << 24
"""The most bytes that the games of a player at a table on a day come to: nine games a second."""
DROP_GAMES = "DELETE FROM games WHERE stream = ? AND number = ?"
ALL_GAMES = "SELECT * FROM games WHERE stream = ?"
ALL_CELLS = "SELECT day, kind, name, handle_cents, sums FROM figures WHERE stream = ?"
MONEY_COUPS = "SELECT day, coup FROM past_coups WHERE stream = ? AND book = 'money'"
ALL_COUPS = "SELECT * FROM past_coups WHERE stream = ?"
PUT_NOTABLE = "INSERT INTO notable_rows VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
NOTABLE = "SELECT stream, seq, at_ms FROM notable_rows ORDER BY at_ms DESC LIMIT ?"
ALL_NOTABLE = "SELECT seq, at_ms FROM notable_rows WHERE stream = ?"
DROP = (
    "DELETE FROM notable_rows WHERE stream = ?",
    "DELETE FROM games WHERE stream = ?",
    "DELETE FROM played WHERE stream = ?",
    "DELETE FROM past_coups WHERE stream = ?",
    "DELETE FROM figures WHERE stream = ?",
    "DELETE FROM figures_at WHERE stream = ?",
)

ANEW = "make them anew: puntobanco report --house HOUSE --rebuild"
BROKEN = (msgspec.DecodeError, zlib.error, UnicodeDecodeError, TypeError, ValueError)
"""What figures that somebody changed, or a broken disk, end in when they are read."""
SIGN = b"\x01"
"""The first byte of a coup that is compressed against the dictionary: a few others as they are
encoded, which never changes."""
DICTIONARY = (Path(__file__).parent / "coups-1.bin").read_bytes()
_COMPRESS = zlib.compressobj(9, zlib.DEFLATED, -15, 5, zlib.Z_DEFAULT_STRATEGY, DICTIONARY)
_DECOMPRESS = zlib.decompressobj(-15, DICTIONARY)

read_sums = msgspec.json.Decoder(Sums).decode
_read_coup = msgspec.msgpack.Decoder(PastCoup).decode
_read_told = msgspec.msgpack.Decoder(list[int]).decode


class Unfinished(Struct, frozen=True):
    """How a table stands after the last row that was read: what the next row is read with."""

    standing: Circumstances = Circumstances()
    current: int = 0
    coups: tuple[PastCoup, ...] = ()
    """Those that are not over, and the last one."""


class ReadTo(Struct, frozen=True):
    """How far the rows of a table have been read."""

    seq: int = 0
    state: Unfinished = Unfinished()
    without_sides: bool = False


_read_state = msgspec.msgpack.Decoder(Unfinished).decode


@cache
def forms() -> tuple[str, str]:
    """The form of what is kept, and the one before, of which the sides are still to be counted;
    figures of another form are not read, and made anew.
    """
    structs = f"{state_form(Sums)[:16]} {state_form(Unfinished)[:16]}"
    return f"{READING} {structs}", f"{WITHOUT_SIDES} {structs}"


def are_kept(log: EventLog) -> bool:
    """Whether there is a place for figures; an older journal that is only read has none."""
    return log.schema() >= FIGURES_SINCE


def games_are_kept(log: EventLog) -> bool:
    return log.schema() >= GAMES_SINCE


def read_to(log: EventLog, stream: str) -> ReadTo:
    """How far the figures of a table go; nowhere, if there are none that can be gone on from."""
    for seq, state, form in log.beside(GET_AT, stream, *forms()):
        try:
            return ReadTo(seq, _read_state(bytes(state)), form != forms()[0])
        except BROKEN as error:
            raise DamagedError(f"{stream}: has figures that cannot be read; {ANEW}") from error
    return ReadTo()


def cell(log: EventLog, stream: str, at: Cell) -> tuple[Sums, int]:
    """A cell as it is kept, and the row up to which it is."""
    day, kind, name = at
    for sums, seq in log.beside(GET_CELL, stream, kind, day, stream, name):
        return read_sums(bytes(sums)), int(seq or 0)
    return NOTHING, kept_to(log, stream)


def kept_to(log: EventLog, stream: str) -> int:
    """The row up to which the figures of a table are kept."""
    return next((int(seq) for (seq,) in log.beside(GET_SEQ, stream, *forms())), 0)


def lacks_chips(log: EventLog, stream: str) -> bool:
    """Whether figures of the reading before tell wrongly what players had at a table: they are made
    anew, for only rows tell it.
    """
    return any(next(log.find(stream, 0, tag), None) for tag in DEDUCTED)


def sides_of_coups(log: EventLog, stream: str) -> dict[Cell, Sums]:
    """The cells of who was on which side, of all coups of a table that are kept: for figures in
    which they were not counted yet.
    """
    by_day: dict[Cell, list[Sums]] = {}
    try:
        for day, kept in log.beside(MONEY_COUPS, stream):
            for cell, sums in sides_in(unpacked(bytes(kept)), str(day)).items():
                by_day.setdefault(cell, []).append(sums)
    except BROKEN as error:
        raise DamagedError(f"{stream}: has figures that cannot be read; {ANEW}") from error
    return {cell: add(many) for cell, many in by_day.items()}


def coup(log: EventLog, stream: str, number: int) -> PastCoup | None:
    kept = packed_coup(log, stream, number)
    return unpacked(kept) if kept else None


def games_in(row: Values) -> list[Values]:
    """The games of each player in a coup, as they are to be kept."""
    if not row[3]:
        return []
    found, at = unpacked(row[-1]), (row[8], row[0], row[1])
    about = (row[2], row[3], found.over_ms)
    return [(who, *at, *about, found.won_by(who)) for who in sorted(found.players)]


def put_coups(
    log: EventLog, stream: str, coups: Mapping[int, Values], *, anew: bool
) -> list[Statement]:
    """Coups as they are now, with the games of their players; like statements one after another.
    `anew`: none is kept there.
    """
    said: list[Statement] = [(PUT_COUP, row) for row in coups.values()]
    said += [(DROP_GAMES, (row[0], row[1])) for row in coups.values()]
    for day in sorted({str(row[2]) for row in coups.values()}):
        was = {} if anew else _games_by_player(log.beside(PLAYED_ON, stream, day), stream)
        now = {who: [one for one in games if one[3] not in coups] for who, games in was.items()}
        for game in (one for row in coups.values() if row[2] == day for one in games_in(row)):
            now.setdefault((game[0], game[5]), []).append(game)
        for (person, book), games in now.items():
            where = stream, day, person, book
            if not games:
                said.append((DROP_PLAYED, where))
            elif games != was.get((person, book)):
                said.append((PUT_PLAYED, (*where, *packed_games(games))))
    return said


def _games_by_player(rows: Iterable[Values], stream: str) -> dict[tuple[str, str], list[Values]]:
    return {(str(row[0]), str(row[2])): unpacked_games(stream, row) for row in rows}


def packed_games(games: list[Values]) -> tuple[int, int, bytes]:
    """When the first and the last game of a player at a table and day were opened, and all of them:
    number, time, length and what was won of each, the first two as what is added since the last.
    """
    told: list[int] = []
    number = at_ms = 0
    for game in sorted(games, key=lambda game: game[3]):
        told += (game[3] - number, game[1] - at_ms, game[6] - game[1], game[7])
        number, at_ms = game[3], game[1]
    times = [game[1] for game in games]
    return min(times), max(times), zlib.compress(msgspec.msgpack.encode(told))


def unpacked_games(stream: str, row: Values) -> list[Values]:
    """Such games again, as `games_in` tells them, by their numbers; of a row that was changed a
    fault.
    """
    person, day, book, first_ms, last_ms, kept = row
    told = _read_told(zlib.decompressobj().decompress(bytes(kept), MOST_GAMES))
    games: list[Values] = []
    number = at_ms = 0
    for at in range(0, len(told), 4):
        more, later, lasted, won = told[at : at + 4]
        number, at_ms = number + more, at_ms + later
        games.append((person, at_ms, stream, number, day, book, at_ms + lasted, won))
    times = [game[1] for game in games]
    if not games or (min(times), max(times)) != (first_ms, last_ms):
        raise ValueError("not the games that it says")
    return games


def played_rows(log: EventLog, where: str, *values: object) -> list[Values]:
    """The games in those rows of players and days that a condition chooses."""
    if log.schema() < PLAYED_SINCE:
        return []
    said = "SELECT stream, person, day, book, first_ms, last_ms, games FROM played WHERE "
    return [
        game
        for row in log.beside(said + where, *values)
        for game in unpacked_games(row[0], row[1:])
    ]


def packed_coup(log: EventLog, stream: str, number: int) -> bytes:
    """A coup as it is kept; nothing if it is not."""
    return next((bytes(kept) for (kept,) in log.beside(GET_COUP, stream, number)), b"")


def packed_coups(log: EventLog, keys: Iterable[tuple[str, int]]) -> dict[tuple[str, int], bytes]:
    """Coups of several tables as they are kept, asked for table by table."""
    numbers = dict[str, list[int]]()
    for stream, number in keys:
        numbers.setdefault(stream, []).append(number)
    return {
        (stream, int(number)): bytes(kept)
        for stream, own in numbers.items()
        for number, kept in log.beside(f"{GET_COUPS} ({', '.join('?' * len(own))})", stream, *own)
    }


def packed(coup: PastCoup) -> bytes:
    """A coup as it is kept: it says much that every coup says, and becomes a thirtieth."""
    deflate = _COMPRESS.copy()
    return SIGN + deflate.compress(msgspec.msgpack.encode(coup)) + deflate.flush()


def unpacked(kept: bytes) -> PastCoup:
    """A coup as it was; older programs compressed each without a dictionary."""
    if kept[:1] != SIGN:
        return _read_coup(zlib.decompress(kept))
    return _read_coup(_DECOMPRESS.copy().decompress(kept[1:]))


def coup_row(coup: PastCoup, settings: Settings, own: dict[Cell, Sums]) -> Values:
    """A coup with what lists are chosen and ordered by; one that was not dealt is in no book."""
    held = next((sums.hold_cents for sums in own.values()), 0)  # the whole coup comes first
    return (
        coup.table,
        coup.number,
        settings.day_of(coup.at_ms, coup.utc_minutes),
        coup.book if own else "",
        settings.hour_of(coup.at_ms, coup.utc_minutes),
        coup.dealer,
        coup.ruleset,
        coup.shoe,
        coup.at_ms,
        held,
        _listed(["void"] * coup.void + ["corrected"] * coup.corrected),
        _listed(line.wager.on for line in coup.lines.values()),
        _listed((*(line.wager.by for line in coup.lines.values()),
                 *(person for person, _ in coup.paid_later))),
        packed(coup),
    )  # fmt: skip


def _listed(words: Iterable[str]) -> str:
    """Words between blanks, so that each is found with its blanks."""
    found = sorted({str(word) for word in words})
    return f" {' '.join(found)} " if found else ""


def put_cell(stream: str, at: Cell, sums: Sums) -> Statement:
    day, kind, name = at
    if sums == NOTHING:
        return DROP_CELL, (kind, day, stream, name)
    return PUT_CELL, (kind, day, stream, name, sums.handle_cents, msgspec.json.encode(sums))


def put_at(stream: str, at: ReadTo) -> Statement:
    return PUT_AT, (stream, at.seq, forms()[0], msgspec.msgpack.encode(at.state))


def drop(stream: str) -> list[Statement]:
    return [(statement, (stream,)) for statement in DROP]


class KeptFigures(Struct, frozen=True):
    """All that is kept of a table, for whoever checks it."""

    at: ReadTo = ReadTo()
    cells: dict[Cell, tuple[int, Sums]] = {}
    """Each with its handle, as it is kept apart."""
    coups: dict[int, Values] = {}
    notable: dict[int, int] = {}
    games: frozenset[Values] = frozenset()


def kept(log: EventLog, stream: str) -> KeptFigures:
    """All that is kept of a table, at one moment: read again if the house wrote meanwhile. What is
    of another form is not read, here either.
    """
    while (found := read_to(log, stream)).seq:
        cells = {
            (str(day), kind, str(name)): (int(handle), read_sums(bytes(sums)))
            for day, kind, name, handle, sums in log.beside(ALL_CELLS, stream)
        }
        coups = {row[1]: (*row[:-1], bytes(row[-1])) for row in log.beside(ALL_COUPS, stream)}
        notable = {int(seq): int(at_ms) for seq, at_ms in log.beside(ALL_NOTABLE, stream)}
        games = _all_games(log, stream)
        if found.without_sides and lacks_chips(log, stream):
            return KeptFigures()
        if found.without_sides:
            cells |= {cell: (0, sums) for cell, sums in sides_of_coups(log, stream).items()}
            notable |= added_rows(log, stream, found.seq)
        if kept_to(log, stream) == found.seq:
            at = ReadTo(found.seq, found.state)
            return KeptFigures(at, cells, coups, notable, games)
    return KeptFigures()


def _all_games(log: EventLog, stream: str) -> frozenset[Values]:
    """The games of each player at a table, whether an older program kept them or this one."""
    older = log.beside(ALL_GAMES, stream) if games_are_kept(log) else []
    played = log.beside(ALL_PLAYED, stream) if log.schema() >= PLAYED_SINCE else []
    return frozenset([*older, *(game for row in played for game in unpacked_games(stream, row))])


class Where(Struct, frozen=True):
    """Cells of one kind in a range of gaming days; of one table or name, where that is said."""

    kind: Kind
    first: str
    last: str
    stream: str = ""
    name: str = ""

    def select(self, columns: str) -> Statement:
        said = f"SELECT {columns} FROM figures WHERE kind = ? AND day >= ? AND day <= ?"  # noqa: S608  our own columns
        only = {"stream": self.stream, "name": self.name}
        asked = {column: value for column, value in only.items() if value}
        said += "".join(f" AND {column} = ?" for column in asked)
        return said, (self.kind, self.first, self.last, *asked.values())


def cells_between(log: EventLog, where: Where) -> Iterator[tuple[str, str, str, Sums]]:
    """Such cells: table, day, name and sums."""
    statement, values = where.select("stream, day, name, sums")
    for table, day, name, sums in log.beside(statement, *values):
        yield table, day, name, read_sums(bytes(sums))


def handles_between(log: EventLog, where: Where) -> Iterator[tuple[str, str, str, int]]:
    """The same with the handle alone."""
    statement, values = where.select("stream, day, name, handle_cents")
    for table, day, name, cents in log.beside(statement, *values):
        yield table, day, name, int(cents)
