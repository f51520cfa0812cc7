"""Lots for tables and seats, which anyone can draw again [act-2015:15.7, tas-2018:16.2.3(e)].

The house commits to a seed when entries open; witnesses speak words once the list is closed. The
order comes from both and from the list. The house cannot choose it, for its seed was fixed before
there was a list; a witness cannot, for the seed is still unknown when the words are spoken.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.bounds import Text, Word
from puntobanco.rules.seal import commit
from puntobanco.rules.shoe import shuffled

FORMAT: Literal["puntobanco-draw-1"] = "puntobanco-draw-1"
"""Names how lots are made from what a certificate holds; permanent, as certificates are."""
SEED_BYTES = 32
_WIDTH = 2**64
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
MOST_PEOPLE = 10_000


class DrawnPlace(Brief, frozen=True, forbid_unknown_fields=True):
    """A seat at a table, to be drawn for."""

    table: Word
    seat: Annotated[int, Meta(ge=1, le=10_000)]


class Spoken(Brief, frozen=True, forbid_unknown_fields=True):
    """Words a witness spoke at the draw; who it was is no part of the lots."""

    by: Word
    words: Annotated[str, Meta(min_length=1, max_length=200)]


class Certificate(Brief, frozen=True, forbid_unknown_fields=True):
    """All that a draw came from, and what came of it."""

    format: Literal["puntobanco-draw-1"]
    competition: Word
    session: Text
    draw: Annotated[int, Meta(ge=1, le=1000)]
    """The number of the draw for that session: a second one has a seed of its own."""
    commitment: Hash
    seed: Hash
    """The 32 bytes of the seed, in hexadecimal."""
    words: Annotated[tuple[Spoken, ...], Meta(min_length=1, max_length=20)]
    people: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=MOST_PEOPLE)]
    """Those who are drawn for, sorted, as the list was closed."""
    people_hash: Hash
    places: Annotated[tuple[DrawnPlace, ...], Meta(max_length=MOST_PEOPLE)]
    """The seats, in the order in which lots fill them."""
    lots: Annotated[tuple[Word, ...], Meta(max_length=MOST_PEOPLE)]
    """Who has which of these places."""


def draw_commitment(seed: bytes, competition: str, session: str, draw: int = 1) -> str:
    """The hash on record from the day entries open; it holds the seed to this one draw.

    >>> draw_commitment(bytes(32), "spring-cup", "heats")[:16]
    '186776e5963878b5'
    """
    assert len(seed) == SEED_BYTES, "a seed has 32 bytes"
    return commit(seed, _framed([FORMAT, competition, session, str(draw)]))


def people_hash(people: Iterable[str]) -> str:
    """The hash of a list as it was closed, in whatever order it is given."""
    return sha256(_framed([FORMAT, *sorted(people)])).hexdigest()


def ballot(seed: bytes, words: Sequence[str], people: Iterable[str]) -> tuple[str, ...]:
    """Draw lots: the people in the order in which they take the places.

    Every order is equally likely: each lot is drawn from all that are left, by numbers from a
    SHA-256 stream, and a number that would favour somebody is passed over.

    >>> ballot(bytes(32), ["rain on Tuesday"], ["ann", "bob", "cy", "dee"])
    ('dee', 'ann', 'bob', 'cy')
    """
    if not any(word.strip() for word in words):
        raise MalformedError("a draw needs the words of at least one witness")
    listed = sorted(people)
    if len(set(listed)) != len(listed):
        raise MalformedError("somebody is on the list twice")
    said = _framed(words)
    key = sha256(_framed([FORMAT, seed.hex(), said.hex(), *listed])).digest()
    return shuffled(listed, _below(key))


def places_at(tables: Iterable[tuple[str, int]]) -> tuple[DrawnPlace, ...]:
    """The seats to be drawn for: so many at each table, from seat 1 on.

    >>> [f"{place.table}/{place.seat}" for place in places_at([("t1", 2), ("t2", 1)])]
    ['t1/1', 't1/2', 't2/1']
    """
    return tuple(DrawnPlace(table, seat) for table, size in tables for seat in range(1, size + 1))


def certify(
    event: tuple[str, str, int],
    seed: bytes,
    words: Sequence[Spoken],
    people: Iterable[str],
    places: Sequence[DrawnPlace],
) -> Certificate:
    """Draw, and put down all that it came from; `event` is competition, session and number."""
    listed, (competition, session, draw) = tuple(sorted(people)), event
    if len(listed) != len(places):
        raise MalformedError(f"{len(listed)} people cannot be drawn for {len(places)} places")
    return Certificate(
        FORMAT,
        competition,
        session,
        draw,
        draw_commitment(seed, *event),
        seed.hex(),
        tuple(words),
        listed,
        people_hash(listed),
        tuple(places),
        ballot(seed, [one.words for one in words], listed),
    )


FAULTS = {
    "commitment-differs": "the seed is not the one that was committed to for this draw",
    "people-not-sorted": "the list is not in order, or names somebody twice",
    "people-hash-differs": "the list is not the one that was closed",
    "places-differ": "there is not one place for each person, or a seat is there twice",
    "lots-differ": "the lots are not what seed, words and list give",
}


def check(one: Certificate) -> tuple[str, ...]:
    """Draw again, and name whatever does not agree with the certificate."""
    seed, people = bytes.fromhex(one.seed), one.people
    sound = tuple(sorted(set(people))) == people
    words = [spoken.words for spoken in one.words]
    agrees = {
        "commitment-differs": one.commitment
        == draw_commitment(seed, one.competition, one.session, one.draw),
        "people-not-sorted": sound,
        "people-hash-differs": one.people_hash == people_hash(people),
        "places-differ": len(set(one.places)) == len(one.places) == len(people),
        "lots-differ": sound
        and any(map(str.strip, words))
        and one.lots == ballot(seed, words, people),
    }
    return tuple(fault for fault in FAULTS if not agrees[fault])


def read_certificate(text: str) -> Certificate:
    """Read the file that a certificate carries."""
    try:
        return msgspec.json.decode(text.encode(), type=Certificate)
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"not the file of a draw: {error}") from error


def write_certificate(one: Certificate) -> str:
    """Write the file that `draw-check` reads."""
    return msgspec.json.format(msgspec.json.encode(one), indent=1).decode() + "\n"


def certificate_text(one: Certificate) -> str:
    """Write the certificate for people: what was fixed, what was said, who sits where."""
    heading = f"Draw {one.draw} of {one.competition}, {one.session}"
    fixed = [
        f"Committed to beforehand: {one.commitment}",
        f"Seed, opened at the draw: {one.seed}",
        *(f"Words spoken by {spoken.by}: {spoken.words}" for spoken in one.words),
        f"List of {len(one.people)}, closed before: {one.people_hash}",
    ]
    pairs = zip(one.places, one.lots, strict=False)
    seats = [f"  table {place.table}, seat {place.seat}: {person}" for place, person in pairs]
    again = "Draw it again: puntobanco competition draw-check FILE"
    return "\n".join([heading, *fixed, "", *seats, "", again]) + "\n"


def _framed(parts: Iterable[str]) -> bytes:
    """Parts one after another, each after its length: no two lists come out alike."""
    encoded = [part.encode() for part in parts]
    return b"".join(len(part).to_bytes(8, "big") + part for part in encoded)


def _below(key: bytes) -> Callable[[int], int]:
    """Make the bounded draw of one ballot: numbers of 64 bits from SHA-256 over a counter."""
    numbers = _numbers(key)

    def below(bound: int) -> int:
        even = _WIDTH - _WIDTH % bound  # from here on some results would be likelier than others
        return next(number for number in numbers if number < even) % bound

    return below


def _numbers(key: bytes) -> Iterator[int]:
    for block in count():
        digest = sha256(key + block.to_bytes(8, "big")).digest()
        for at in range(0, len(digest), 8):
            yield int.from_bytes(digest[at : at + 8], "big")
