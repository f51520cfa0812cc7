"""What a script says must be so."""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from puntobanco.competition.decide.sessions import early_verdict
from puntobanco.competition.queries import pool_cents
from puntobanco.competition.state import CompetitionPhase, EntryStatus
from puntobanco.errors import MalformedError
from puntobanco.house.competitions.report import place_rows, stage_standings
from puntobanco.rules.paper.notation import parse_amount
from puntobanco.table.queries.competition import betting_order
from puntobanco.table.result import standing
from puntobanco.table.state import Table
from puntobanco.words import money

if TYPE_CHECKING:
    from puntobanco.house.competitions.playing import Player

WRITTEN = {
    "chips": ("( WHO DOLLARS)+", "t1 chips p1 10200 p2 9700"),
    "out": ("( WHO (NUMBER|in))+", "t1 out p3 12"),
    "puck": (" NUMBER", "t1 puck 3"),
    "order": ("( NUMBER)*", "t1 order 3 1"),
    "left": ("( WHO [0-9]{1,3})+", "t1 left p1 1"),
    "decided": ("", "t1 decided"),
    "through": ("( WHO)*", "through p1 p4"),
    "contested": ("( WHO)+( for NUMBER)?", "contested p3 p4 for 1"),
    "place": (" NUMBER(-NUMBER)?( WHO)+( DOLLARS)?", "place 3-4 p3 p4 1250.00"),
    "refund": ("( WHO DOLLARS)+", "refund p7 55.55"),
    "pot": (" DOLLARS", "pot 0"),
    "pool": (" DOLLARS", "pool 1799.82"),
    "phase": (f" ({'|'.join(CompetitionPhase)})", "phase over"),
}
"""What follows the name of each, and an example."""


NUMBER, DOLLARS = r"[1-9][0-9]{0,5}", r"[0-9]{1,13}(\.[0-9]{1,2})?"


def unreadable(text: str, people: Iterable[str]) -> str:
    """Say why a line compares nothing, if so; only a script's own people can be meant."""
    words = text.split()
    of_table = words[0] not in OF_COMPETITION if words else False
    name, *rest = words[1:] if of_table and words[1:] else words or [""]
    if name not in (OF_TABLE if of_table else OF_COMPETITION):
        known = ", ".join(f"= {such}" for _, such in WRITTEN.values())
        return f"nothing to compare: {text[:60]!r}; write one of {known}"
    pattern, such = WRITTEN[name]
    pattern = pattern.replace("NUMBER", NUMBER).replace("DOLLARS", DOLLARS)
    pattern = pattern.replace("WHO", f"({'|'.join(map(re.escape, people))})")
    if re.fullmatch(pattern, "".join(f" {word}" for word in rest)):
        return ""
    return f"it cannot be compared: {text[:60]!r}; write = {such}, with people of the head"


def hold_against(player: "Player", text: str) -> None:
    """Hold a line that begins with = against how things are."""
    words = text.split()
    if words[0] in OF_COMPETITION:
        OF_COMPETITION[words[0]](player, words[1:])
        return
    OF_TABLE[words[1]](player, player.table(player.stream_of(words[0])), words[2:])


def _must(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise MalformedError(f"{what}: it is {found}, not {wanted}")


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    return list(zip(words[::2], words[1::2], strict=True))


def _chips(_player: "Player", table: Table, words: list[str]) -> None:
    held = standing(table).chips
    for person, amount in _pairs(words):
        _must(money(held.get(person, 0)), money(parse_amount(amount)), f"chips of {person}")


def _out(_player: "Player", table: Table, words: list[str]) -> None:
    for person, coup in _pairs(words):
        _must(str(table.contest.out.get(person, "in")), coup, f"{person} is out in coup")


def _puck(_player: "Player", table: Table, words: list[str]) -> None:
    _must(str(table.contest.puck), " ".join(words), "the puck")


def _order(_player: "Player", table: Table, words: list[str]) -> None:
    _must(" ".join(map(str, betting_order(table))), " ".join(words), "the order")


def _left(_player: "Player", table: Table, words: list[str]) -> None:
    left = standing(table).secrets_left
    for person, number in _pairs(words):
        _must(str(left.get(person, 0)), number, f"secret wagers left to {person}")


def _decided(player: "Player", table: Table, _words: list[str]) -> None:
    verdict, _ = early_verdict(player.competition, standing(table))
    _must(verdict, "decided", "the session")


def _through(player: "Player", words: list[str]) -> None:
    """By the stage in play; once it is confirmed, those who go on, wild cards among them."""
    now = player.competition
    people = [who for one in stage_standings(now) for who in one.through]
    if now.phase is CompetitionPhase.CONFIRMED:
        people = [who for who, one in now.entries.items() if one.status is EntryStatus.THROUGH]
    _must(" ".join(sorted(people)), " ".join(sorted(words)), "through")


def _contested(player: "Player", words: list[str]) -> None:
    people, _, places = " ".join(words).partition(" for ")
    found = [one for one in stage_standings(player.competition) if one.contested]
    mine = [f"{' '.join(sorted(one.contested))} for {one.places_left}" for one in found]
    wanted = f"{' '.join(sorted(people.split()))} for {places or 1}"
    if wanted not in mine:
        raise MalformedError(f"contested: it is {'; '.join(mine) or 'nothing'}, not {wanted}")


def _place(player: "Player", words: list[str]) -> None:
    span, *people = words
    start, _, end = span.partition("-")
    amount = people.pop() if people and people[-1].replace(".", "").isdigit() else ""
    for row in place_rows(player.competition):
        if (row.from_, row.to) == (int(start), int(end or start)):
            _must(" ".join(sorted(row.people)), " ".join(sorted(people)), f"place {span}")
            if amount:
                _must(money(row.each_cents or 0), money(parse_amount(amount)), f"place {span}")
            return
    raise MalformedError(f"there is no place {span}")


def _refund(player: "Player", words: list[str]) -> None:
    for person, amount in _pairs(words):
        entrant = player.competition.entries.get(person)
        paid = entrant.refunded_cents if entrant else 0
        _must(money(paid), money(parse_amount(amount)), f"refund to {person}")


def _pot(player: "Player", words: list[str]) -> None:
    cents = player.competition.money.pot_cents
    _must(money(cents), money(parse_amount(words[0])), "the pot")


def _pool(player: "Player", words: list[str]) -> None:
    if not player.competition.version:
        raise MalformedError("there is no pool before the conditions are published")
    _must(money(pool_cents(player.competition)), money(parse_amount(words[0])), "the pool")


def _phase(player: "Player", words: list[str]) -> None:
    _must(player.competition.phase.value, " ".join(words), "the phase")


OF_TABLE: dict[str, Callable[["Player", Table, list[str]], None]] = {
    "chips": _chips,
    "out": _out,
    "puck": _puck,
    "order": _order,
    "left": _left,
    "decided": _decided,
}
OF_COMPETITION: dict[str, Callable[["Player", list[str]], None]] = {
    "through": _through,
    "contested": _contested,
    "place": _place,
    "refund": _refund,
    "pot": _pot,
    "pool": _pool,
    "phase": _phase,
}
