"""Lots: the same from the same seed, words and list, fair, and checked by anyone."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import permutations

import pytest
from msgspec.structs import replace

from puntobanco.errors import MalformedError
from puntobanco.rules.competition.draw import (
    FAULTS,
    Certificate,
    DrawnPlace,
    Spoken,
    ballot,
    certificate_text,
    certify,
    check,
    draw_commitment,
    people_hash,
    places_at,
    read_certificate,
    write_certificate,
)
from tests.kit.clauses import clause, tas

SEED = bytes(range(32))
WORDS = (Spoken("w1", "rain on Tuesday"), Spoken("w2", "seven geese"))
PEOPLE = ("cy", "ann", "dee", "bob", "eve")
PLACES = places_at([("t1", 3), ("t2", 2)])


def drawn() -> Certificate:
    return certify(("spring-cup", "heats", 1), SEED, WORDS, PEOPLE, PLACES)


@clause(*tas("16.2.3(e)"), "act-2015:15.7")
def test_lots_come_from_seed_words_and_list_alone() -> None:
    """[tas-2018:16.2.3(e)], [act-2015:15.7]"""
    one = drawn()
    assert sorted(one.lots) == sorted(PEOPLE)
    assert check(one) == ()
    assert one == certify(("spring-cup", "heats", 1), SEED, WORDS, sorted(PEOPLE), PLACES)
    assert read_certificate(write_certificate(one)) == one


def test_a_ballot_is_what_it_always_was() -> None:
    """Permanent: certificates of years ago must still hold."""
    assert ballot(SEED, ["rain on Tuesday", "seven geese"], PEOPLE) == plainly(
        SEED, ["rain on Tuesday", "seven geese"], PEOPLE
    )
    assert drawn().commitment == (
        "9566401c2ccea86b8efae83bf905229104edc3c85331b54f6da4017a8512c3a6"
    )
    assert drawn().lots == ("eve", "bob", "cy", "dee", "ann")


def framed(parts: list[bytes]) -> bytes:
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def plainly(seed: bytes, words: list[str], people: tuple[str, ...]) -> tuple[str, ...]:
    """The ballot a second time, as docs/competition.md describes it."""
    order = sorted(people)
    spoken = framed([word.encode() for word in words]).hex()
    parts = ["puntobanco-draw-1", seed.hex(), spoken, *order]
    key = sha256(framed([part.encode() for part in parts])).digest()
    numbers, block = list[int](), 0
    for last in range(len(order) - 1, 0, -1):
        while True:
            if not numbers:
                digest = sha256(key + block.to_bytes(8, "big")).digest()
                numbers = [int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24)]
                block += 1
            number = numbers.pop(0)
            if number < 2**64 - 2**64 % (last + 1):
                break
        pick = number % (last + 1)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)


def test_lots_agree_with_a_second_way_of_drawing_them() -> None:
    for number in range(200):
        seed = sha256(str(number).encode()).digest()
        people = tuple(f"p{one}" for one in range(number % 37 + 1))
        assert ballot(seed, [str(number)], people) == plainly(seed, [str(number)], people)


def test_every_order_is_as_likely() -> None:
    """24 orders, 24,000 draws: each about a thousand times."""
    found = Counter(
        ballot(number.to_bytes(32, "big"), ["word"], "abcd") for number in range(24_000)
    )
    assert set(found) == set(permutations("abcd"))
    spread = sum((count - 1000) ** 2 / 1000 for count in found.values())
    assert spread < 60  # 23 degrees of freedom: more comes once in thirty thousand


def test_what_is_said_changes_the_lots_and_how_it_is_parted_does_too() -> None:
    words = (["ab", "c"], ["a", "bc"], ["abc"], ["abc", "x"])
    people = [f"p{number}" for number in range(30)]
    assert len({ballot(SEED, one, people) for one in words}) == len(words)


TAMPERED: list[tuple[str, Callable[[Certificate], Certificate], set[str]]] = [
    ("commitment-differs", lambda one: replace(one, seed=bytes(32).hex()), {"lots-differ"}),
    ("commitment-differs", lambda one: replace(one, draw=2), set()),
    ("commitment-differs", lambda one: replace(one, session="final"), set()),
    ("commitment-differs", lambda one: replace(one, competition="other"), set()),
    ("people-not-sorted", lambda one: replace(one, people=one.people[::-1]), {"lots-differ"}),
    (
        "people-hash-differs",
        lambda one: replace(one, people=(*one.people[:-1], "zoe")),
        {"lots-differ"},
    ),
    ("places-differ", lambda one: replace(one, places=one.places[:-1]), set()),
    (
        "places-differ",
        lambda one: replace(one, places=(DrawnPlace("t1", 2), *one.places[1:])),
        set(),
    ),
    ("lots-differ", lambda one: replace(one, lots=one.lots[::-1]), set()),
    ("lots-differ", lambda one: replace(one, words=one.words[:1]), set()),
    ("lots-differ", lambda one: replace(one, words=(Spoken("w1", " "),)), set()),
]


@pytest.mark.parametrize(("fault", "change", "also"), TAMPERED)
def test_whatever_was_changed_is_found(
    fault: str, change: Callable[[Certificate], Certificate], also: set[str]
) -> None:
    found = check(change(drawn()))
    assert set(found) == {fault, *also}
    assert set(found) <= set(FAULTS)


def test_a_draw_needs_a_witness_and_one_place_each() -> None:
    for words in ([], ["  "]):
        with pytest.raises(MalformedError, match="at least one witness"):
            ballot(SEED, words, PEOPLE)
    with pytest.raises(MalformedError, match="twice"):
        ballot(SEED, ["word"], ["ann", "ann"])
    with pytest.raises(MalformedError, match="5 people cannot be drawn for 4 places"):
        certify(("cup", "heats", 1), SEED, WORDS, PEOPLE, PLACES[:4])


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", "[" * 100_000])
def test_anything_else_is_no_certificate(text: str) -> None:
    with pytest.raises(MalformedError, match="not the file of a draw"):
        read_certificate(text)


def test_the_certificate_says_all_that_anyone_needs() -> None:
    one = drawn()
    text = certificate_text(one)
    for part in (one.commitment, one.seed, "rain on Tuesday", one.people_hash, "draw-check"):
        assert part in text
    assert text.count("seat ") == len(PEOPLE)
    assert one.commitment == draw_commitment(SEED, "spring-cup", "heats", 1)
    assert people_hash(PEOPLE) == people_hash(sorted(PEOPLE))
