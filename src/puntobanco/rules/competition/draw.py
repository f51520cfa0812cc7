"""Lots for tables and seats, which anyone can draw again [act-2015:15.7, tas-2018:16.2.3(e)].

The house commits to a seed when entries open; witnesses speak words once the list is closed. The
order comes from both and from the list. The house cannot choose it, for its seed was fixed before
there was a list; a witness cannot, for the seed is still unknown when the words are spoken.

Where some are not to sit at one table [act-2015:15.4(f)], orders are drawn one after another from
the same seed, words and lists until one keeps them apart: whatever seating does so is as likely as
any other. No two groups share anybody, so that a list can be kept exactly when no group is larger
than the number of tables: deal the groups out one after another, and no table gets two of one.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.bounds import Text, Word
from puntobanco.rules.seal import below_by, commit, framed_parts
from puntobanco.rules.shoe import shuffled

FORMAT: Literal["puntobanco-draw-1"] = "puntobanco-draw-1"
"""Names how lots are made from what a certificate holds; permanent, as certificates are."""
APART_FORMAT: Literal["puntobanco-draw-2"] = "puntobanco-draw-2"
"""The same where some were kept apart."""
MOST_ORDERS = 10_000
"""Orders that are drawn for one draw at most, so that nobody waits for ever."""
SEED_BYTES = 32
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
MOST_PEOPLE = 10_000
Group = Annotated[tuple[Word, ...], Meta(min_length=2, max_length=100)]
"""People who are not to sit at one table."""


class DrawnPlace(Brief, frozen=True, forbid_unknown_fields=True):
    """A seat at a table, to be drawn for."""

    table: Word
    seat: Annotated[int, Meta(ge=1, le=10_000)]


class Spoken(Brief, frozen=True, forbid_unknown_fields=True):
    """Words a witness spoke at the draw; who it was is no part of the lots."""

    by: Word
    words: Annotated[str, Meta(min_length=1, max_length=200)]


class Certificate(Brief, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that a draw came from, and what came of it."""

    format: Literal["puntobanco-draw-1", "puntobanco-draw-2"]
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
    order: Annotated[int, Meta(ge=0, le=MOST_ORDERS)] = 0
    """Which of the orders drawn it is: the first that keeps everybody apart; 0: there is no list of
    those who are."""
    apart_hash: Hash | Literal[""] = ""
    """The fingerprint of that list, under its salt."""
    apart: Annotated[tuple[Group, ...], Meta(max_length=MOST_PEOPLE)] = ()
    """The list itself, and its salt: in the file of the house, never in what everybody sees."""
    salt: Hash | Literal[""] = ""


class ApartList(Brief, frozen=True):
    """Those who are not to sit at one table, in groups that share nobody."""

    groups: tuple[tuple[str, ...], ...] = ()
    salt: str = ""
    """Without which its fingerprint would tell whoever tries a few pairs who is in it."""

    @property
    def hash(self) -> str:
        """The fingerprint of the list; empty: there is none."""
        return apart_hash(self.groups, self.salt) if self.groups else ""


def draw_commitment(seed: bytes, competition: str, session: str, draw: int = 1) -> str:
    """The hash on record from the day entries open; it holds the seed to this one draw.

    >>> draw_commitment(bytes(32), "spring-cup", "heats")[:16]
    '186776e5963878b5'
    """
    assert len(seed) == SEED_BYTES, "a seed has 32 bytes"
    return commit(seed, framed_parts([FORMAT, competition, session, str(draw)]))


def people_hash(people: Iterable[str]) -> str:
    """The hash of a list as it was closed, in whatever order it is given."""
    return sha256(framed_parts([FORMAT, *sorted(people)])).hexdigest()


def ballot(seed: bytes, words: Sequence[str], people: Iterable[str]) -> tuple[str, ...]:
    """Draw lots: the people in the order in which they take the places.

    Every order is equally likely: each lot is drawn from all that are left, by numbers from a
    SHA-256 stream, and a number that would favour somebody is passed over.

    >>> ballot(bytes(32), ["rain on Tuesday"], ["ann", "bob", "cy", "dee"])
    ('dee', 'ann', 'bob', 'cy')
    """
    return _lots([FORMAT, seed.hex()], words, [], people)


def numbered_ballot(
    seed: bytes, words: Sequence[str], people: Iterable[str], apart: str, order: int
) -> tuple[str, ...]:
    """One of the orders that are drawn where some are kept apart, by the list's fingerprint."""
    return _lots([APART_FORMAT, seed.hex()], words, [apart, str(order)], people)


def _lots(
    head: list[str], words: Sequence[str], more: list[str], people: Iterable[str]
) -> tuple[str, ...]:
    if not any(word.strip() for word in words):
        raise MalformedError("a draw needs the words of at least one witness")
    listed = sorted(people)
    if len(set(listed)) != len(listed):
        raise MalformedError("somebody is on the list twice")
    key = sha256(framed_parts([*head, framed_parts(words).hex(), *more, *listed])).digest()
    return shuffled(listed, below_by(key))


def apart_hash(groups: Iterable[Iterable[str]], salt: str) -> str:
    """The fingerprint of a list of those who are kept apart, in whatever order it is given."""
    written = sorted(framed_parts(sorted(group)).hex() for group in groups)
    return sha256(framed_parts([APART_FORMAT, salt, *written])).hexdigest()


def to_keep_apart(
    groups: Iterable[Iterable[str]], people: Iterable[str]
) -> tuple[tuple[str, ...], ...]:
    """The groups of which two or more are drawn for, as far as they are."""
    drawn = set(people)
    found = (tuple(person for person in group if person in drawn) for group in groups)
    return tuple(group for group in found if len(group) > 1)


def sit_together(
    tables: Iterable[Iterable[str]], groups: Sequence[Iterable[str]]
) -> tuple[str, str] | None:
    """Two who sit at one table and are not to; None: everybody is kept apart.

    >>> sit_together([["ann", "bob"], ["cy"]], [("ann", "cy"), ("dee", "bob", "ann")])
    ('ann', 'bob')
    """
    of = {person: number for number, group in enumerate(groups) for person in group}
    for table in tables:
        seen = dict[int, str]()
        for person in table:
            group = of.get(person)
            if group is not None and group in seen:
                return seen[group], person
            if group is not None:
                seen[group] = person
    return None


def ballot_apart(
    seed: bytes,
    words: Sequence[str],
    people: Sequence[str],
    places: Sequence[DrawnPlace],
    apart: ApartList,
) -> tuple[int, tuple[str, ...]] | None:
    """Draw orders until one keeps everybody apart: its number and the lots; None: none of
    `MOST_ORDERS` does.
    """
    groups, digest = to_keep_apart(apart.groups, people), apart.hash
    for order in range(1, MOST_ORDERS + 1):
        lots = numbered_ballot(seed, words, people, digest, order)
        if sit_together(_at_tables(places, lots), groups) is None:
            return order, lots
    return None


def _at_tables(places: Sequence[DrawnPlace], lots: Sequence[str]) -> list[list[str]]:
    tables = dict[str, list[str]]()
    for place, person in zip(places, lots, strict=False):
        tables.setdefault(place.table, []).append(person)
    return list(tables.values())


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
    order: int = 0,
    apart_hash: str = "",
) -> Certificate:
    """Draw, and put down all that it came from; `event` is competition, session and number. Where
    some were kept apart, the order that did and the fingerprint of the list are given.
    """
    listed, (competition, session, draw) = tuple(sorted(people)), event
    if len(listed) != len(places):
        raise MalformedError(f"{len(listed)} people cannot be drawn for {len(places)} places")
    said = [one.words for one in words]
    return Certificate(
        APART_FORMAT if order else FORMAT,
        competition,
        session,
        draw,
        draw_commitment(seed, *event),
        seed.hex(),
        tuple(words),
        listed,
        people_hash(listed),
        tuple(places),
        numbered_ballot(seed, said, listed, apart_hash, order)
        if order
        else ballot(seed, said, listed),
        order,
        apart_hash,
    )


FAULTS = {
    "commitment-differs": "the seed is not the one that was committed to for this draw",
    "people-not-sorted": "the list is not in order, or names somebody twice",
    "people-hash-differs": "the list is not the one that was closed",
    "places-differ": "there is not one place for each person, or a seat is there twice",
    "lots-differ": "the lots are not what seed, words and list give",
    "apart-differs": "the list of those kept apart is not the one that was drawn with",
    "order-differs": "it is not the first order that keeps those on the list apart",
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
        and one.lots == _again(one, seed, words),
        "apart-differs": _is_same_list(one),
        "order-differs": not one.apart or (sound and _is_first_apart(one, seed, words)),
    }
    return tuple(fault for fault in FAULTS if not agrees[fault])


def _again(one: Certificate, seed: bytes, words: list[str]) -> tuple[str, ...]:
    if one.format == FORMAT:
        return ballot(seed, words, one.people)
    return numbered_ballot(seed, words, one.people, one.apart_hash, one.order)


def _is_same_list(one: Certificate) -> bool:
    """A list goes with its fingerprint, and both with the second format alone."""
    if one.format == FORMAT:
        return not (one.order or one.apart_hash or one.apart or one.salt)
    members = [person for group in one.apart for person in group]
    shares = len(set(members)) != len(members)
    same = not one.apart or apart_hash(one.apart, one.salt) == one.apart_hash
    return bool(one.order and one.apart_hash) and same and not shares


def _is_first_apart(one: Certificate, seed: bytes, words: list[str]) -> bool:
    """Whether every order before this one puts two together who are not to be, and it does not."""
    groups = to_keep_apart(one.apart, one.people)

    def keeps(lots: tuple[str, ...]) -> bool:
        return sit_together(_at_tables(one.places, lots), groups) is None

    earlier = (
        numbered_ballot(seed, words, one.people, one.apart_hash, order)
        for order in range(1, one.order)
    )
    return keeps(one.lots) and not any(map(keeps, earlier))


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
        *_apart_lines(one),
    ]
    pairs = zip(one.places, one.lots, strict=False)
    seats = [f"  table {place.table}, seat {place.seat}: {person}" for place, person in pairs]
    again = "Draw it again: puntobanco competition draw-check FILE"
    return "\n".join([heading, *fixed, "", *seats, "", again]) + "\n"


def _apart_lines(one: Certificate) -> list[str]:
    if not one.order:
        return []
    kept = (
        f"Kept apart, {len(one.apart)} groups: {one.apart_hash}"
        if one.apart
        else f"List of those kept apart, which the house has: {one.apart_hash}"
    )
    return [kept, f"Orders drawn until everybody was apart: {one.order}"]
