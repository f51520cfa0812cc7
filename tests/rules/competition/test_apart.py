"""Those who are not to sit at one table: drawn by lot all the same, provable, and never told."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import permutations

import pytest
from msgspec.structs import replace

from puntobanco.rules.competition.checks import faults_of
from puntobanco.rules.competition.conditions import read_conditions
from puntobanco.rules.competition.draw import (
    FAULTS,
    ApartList,
    Certificate,
    Spoken,
    apart_hash,
    ballot_apart,
    certificate_text,
    certify,
    check,
    numbered_ballot,
    places_at,
    read_certificate,
    sit_together,
    to_keep_apart,
    write_certificate,
)
from puntobanco.rules.competition.structure import plan_entries, structure_clause
from puntobanco.rules.documents.texts import load_ruleset
from tests.kit.clauses import clause
from tests.kit.competition.cup import cup_text

SEED = bytes(range(32))
WORDS = (Spoken("w1", "rain on Tuesday"),)
SAID = [one.words for one in WORDS]
PEOPLE = tuple(f"p{number}" for number in range(1, 9))
PLACES = places_at([("t1", 3), ("t2", 3), ("t3", 2)])
APART = ApartList((("p1", "p2", "p3"), ("p4", "p5")), sha256(b"salt").hexdigest())
EVENT = ("spring-cup", "heats", 1)


def drawn(seed: bytes = SEED) -> Certificate:
    found = ballot_apart(seed, SAID, PEOPLE, PLACES, APART)
    assert found is not None
    made = certify(EVENT, seed, WORDS, PEOPLE, PLACES, found[0], APART.hash)
    assert made.lots == found[1]
    return replace(made, apart=APART.groups, salt=APART.salt)


def tables_of(one: Certificate) -> list[list[str]]:
    tables = dict[str, list[str]]()
    for place, person in zip(one.places, one.lots, strict=True):
        tables.setdefault(place.table, []).append(person)
    return list(tables.values())


@clause("act-2015:15.4(f)", "act-2015:15.7")
def test_the_first_order_that_keeps_everybody_apart_is_drawn() -> None:
    """[act-2015:15.4(f)] By ballot within the list; everybody's file is enough to draw it again."""
    orders = set()
    for number in range(60):
        one = drawn(sha256(str(number).encode()).digest())
        assert sit_together(tables_of(one), APART.groups) is None
        assert check(one) == ()
        assert check(replace(one, apart=(), salt="")) == ()
        assert read_certificate(write_certificate(one)) == one
        orders.add(one.order)
    assert len(orders) > 3


def framed(parts: list[str]) -> bytes:
    return b"".join(len(part.encode()).to_bytes(8, "big") + part.encode() for part in parts)


def test_an_order_is_what_it_always_was() -> None:
    """Permanent, and as docs/competition.md describes it."""
    groups = sorted(framed(sorted(group)).hex() for group in APART.groups)
    digest = sha256(framed(["puntobanco-draw-2", APART.salt, *groups])).hexdigest()
    assert APART.hash == apart_hash(APART.groups, APART.salt) == digest
    order = sorted(PEOPLE)
    parts = ["puntobanco-draw-2", SEED.hex(), framed(SAID).hex(), digest, "3", *order]
    key, numbers, block = sha256(framed(parts)).digest(), list[int](), 0
    for last in range(len(order) - 1, 0, -1):
        while not numbers or numbers[0] >= 2**64 - 2**64 % (last + 1):
            numbers = numbers[1:]
            if not numbers:
                made = sha256(key + block.to_bytes(8, "big")).digest()
                numbers = [int.from_bytes(made[at : at + 8], "big") for at in (0, 8, 16, 24)]
                block += 1
        pick = numbers.pop(0) % (last + 1)
        order[last], order[pick] = order[pick], order[last]
    assert numbered_ballot(SEED, SAID, PEOPLE, digest, 3) == tuple(order)


def test_whatever_keeps_the_list_is_as_likely() -> None:
    """Four people at two tables, two of them kept apart: 16 of 24 orders, each about as often."""
    places, apart = places_at([("t1", 2), ("t2", 2)]), ApartList((("a", "b"),), "00" * 32)
    found = Counter[tuple[str, ...]]()
    for number in range(16_000):
        made = ballot_apart(number.to_bytes(32, "big"), ["word"], "abcd", places, apart)
        assert made is not None
        found[made[1]] += 1
    allowed = [one for one in permutations("abcd") if {*one[:2]} not in ({"a", "b"}, {"c", "d"})]
    assert set(found) == set(allowed)
    spread = sum((many - 1000) ** 2 / 1000 for many in found.values())
    assert spread < 50  # 15 degrees of freedom: more comes once in a hundred thousand


def test_a_list_can_be_kept_exactly_when_no_group_is_larger_than_there_are_tables() -> None:
    """Dealt out one after another, groups that share nobody never meet at a table."""
    for tables in (2, 3, 4):
        for sizes in ((tables,) * 3, (tables, 2, 2), (2,) * 5, (tables, tables - 1 or 2)):
            groups, start = list[list[str]](), 0
            for size in sizes:
                groups.append([f"p{number}" for number in range(start, start + size)])
                start += size
            line = [person for group in groups for person in group]
            dealt = [line[at::tables] for at in range(tables)]
            assert sit_together(dealt, groups) is None
            assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    assert (
        ballot_apart(
            SEED, SAID, "abcd", places_at([("t", 2), ("u", 2)]), ApartList((tuple("abc"),))
        )
        is None
    )


TAMPERED: list[tuple[str, Callable[[Certificate], Certificate]]] = [
    ("order-differs", lambda one: as_order(one, one.order + 1)),
    ("lots-differ", lambda one: replace(one, order=one.order + 1)),
    ("lots-differ", lambda one: replace(one, lots=one.lots[::-1])),
    ("apart-differs", lambda one: replace(one, salt="00" * 32)),
    ("apart-differs", lambda one: replace(one, apart=one.apart[:1])),
    ("apart-differs", lambda one: replace(one, apart=(*one.apart, ("p1", "p8")))),
    ("apart-differs", lambda one: replace(one, format="puntobanco-draw-1")),
    ("apart-differs", lambda one: replace(one, order=0)),
    ("lots-differ", lambda one: replace(one, apart_hash="00" * 32)),
    ("commitment-differs", lambda one: replace(one, session="final")),
]


def as_order(one: Certificate, order: int) -> Certificate:
    """A later order, its lots drawn as they ought to be: only that it is not the first is wrong."""
    lots = numbered_ballot(SEED, SAID, PEOPLE, one.apart_hash, order)
    return replace(one, order=order, lots=lots)


@pytest.mark.parametrize(("fault", "change"), TAMPERED)
def test_whatever_was_changed_is_found(
    fault: str, change: Callable[[Certificate], Certificate]
) -> None:
    found = check(change(drawn()))
    assert fault in found
    assert set(found) <= set(FAULTS)


def test_a_fingerprint_tells_nobody_who_is_on_the_list() -> None:
    """The same pair has another one under another salt, and none is there without a list."""
    assert apart_hash([("p1", "p2")], "00" * 32) != apart_hash([("p1", "p2")], "01" * 32)
    assert apart_hash([("p1", "p2"), ("p3", "p4")], "") == apart_hash(
        [("p4", "p3"), ("p2", "p1")], ""
    )
    assert ApartList().hash == ""
    text = certificate_text(replace(drawn(), apart=(), salt=""))
    assert "which the house has" in text
    assert f"Orders drawn until everybody was apart: {drawn().order}" in text
    assert "2 groups" in certificate_text(drawn())


def test_only_those_who_are_drawn_for_are_kept_apart() -> None:
    assert to_keep_apart(APART.groups, ("p1", "p3", "p5")) == (("p1", "p3"),)
    assert to_keep_apart(APART.groups, ("p1", "p8")) == ()


APART_TEXT = 'apart = {{ who = "{who}", most = {most} }}'


@clause("act-2015:15.4(f)")
@pytest.mark.parametrize(
    ("who", "most", "item"),
    [("households", 0, "apart.most"), ("households", 1, "apart.most"), ("", 2, "apart.who")],
)
def test_conditions_say_whom_they_keep_apart_and_how_many(who: str, most: int, item: str) -> None:
    held = read_conditions(cup_text(top=APART_TEXT.format(who=who, most=most)))
    assert [fault.item for fault in faults_of(held, load_ruleset("tas-2018"))] == [item]


def test_the_prover_refuses_a_list_that_could_not_be_kept() -> None:
    """Six at one table are not drawn apart; seven at two tables can be, unless three are to be."""
    rules = load_ruleset("tas-2018")
    for most, faults in ((2, [None, None]), (3, [None, "fewer-tables-than-kept-apart"])):
        held = read_conditions(cup_text(top=APART_TEXT.format(who="households", most=most)))
        plans = [plan_entries(held, entries) for entries in (6, 7)]
        assert [plan.fault.reason if plan.fault else None for plan in plans] == faults
    assert structure_clause("fewer-tables-than-kept-apart", rules) == "conditions"
    canberra = structure_clause("fewer-tables-than-kept-apart", load_ruleset("act-2015"))
    assert canberra == "act-2015:15.4(f)"
