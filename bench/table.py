"""The live table: coups a second, and stored events replayed a second."""

import time
from collections.abc import Iterable, Iterator
from itertools import count

import msgspec
from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import sample_notice
from puntobanco.rules.shoe import full_set, shuffled
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.decide import run
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve_all
from puntobanco.table.state import Table

PLAYERS = tuple(f"p{seat}" for seat in range(1, 10))
MANAGER = Actor("mara", frozenset({Role.MANAGEMENT}), 1)
INSPECTOR = Actor("ines", frozenset({Role.INSPECTOR}), 1)
DEALER = Actor("dan", frozenset({Role.DEALER}), 1)
PATRONS = {name: Actor(name, frozenset({Role.PATRON}), 1) for name in PLAYERS}


def opening() -> Iterator[tuple[c.TableCommand, Actor]]:
    """Nine players with chips at a Tasmanian table, and a shoe loaded."""
    notice = replace(sample_notice("tas-2018"), seats=9)
    yield c.OpenTable(notice, "today", "shoe 1", effective="1 July 2018"), MANAGER
    yield c.SignOn(Role.DEALER), DEALER
    yield c.SignOn(Role.INSPECTOR), INSPECTOR
    for seat, name in enumerate(PLAYERS, 1):
        yield c.Sit(seat), PATRONS[name]
        yield c.BuyIn(10**9, name), DEALER
    yield c.CheckCards("set 1", player="p1"), DEALER
    yield from new_shoe(1)


def new_shoe(cutter: int) -> Iterator[tuple[c.TableCommand, Actor]]:
    yield c.Shuffle(), DEALER
    yield c.CutCards(100, cutter), DEALER
    yield c.LoadShoe(), DEALER


def wagers() -> Iterator[tuple[c.TableCommand, Actor]]:
    """Eighteen wagers from the players' own devices."""
    yield c.OpenCoup(), DEALER
    for seat, name in enumerate(PLAYERS, 1):
        yield c.PlaceWager(seat, Bet.BANKER if seat % 2 else Bet.PLAYER, 10_000), PATRONS[name]
        yield c.PlaceWager(seat, Bet.TIE, 1_000), PATRONS[name]


def give(
    table: Table, log: list[TableEvent], asked: Iterable[tuple[c.TableCommand, Actor]]
) -> Table:
    for ask, by in asked:
        table, events = run(table, ask, by)
        log += events
    return table


def play_coup(table: Table, log: list[TableEvent], order: Iterator[Card]) -> Table:
    """One coup: wagers, four to six cards, settlement."""
    table = give(table, log, wagers())
    owed: Side | None = Side.PLAYER
    while owed is not None:
        table = give(table, log, [(c.DrawCard(next(order)), DEALER)])
        assert table.coup is not None
        owed = table.coup.hands(table.terms).owed
    return give(table, log, [(c.DeclareResult(), DEALER), (c.EndCoup(), DEALER)])


def coups_a_second(shoes: int = 6) -> tuple[float, list[TableEvent]]:
    """Whole coups, decided and applied, the fastest shoe of several; and all their events."""
    log: list[TableEvent] = []
    table = give(Table(), log, opening())
    best, seed, cutter = 0.0, count(1), 1
    for _ in range(shoes):
        order = iter(shuffled(full_set(8), lambda n: next(seed) * 2_654_435_761 % 2**32 % n))
        first, start = table.coup_number, time.perf_counter()
        while table.shoe and not table.shoe.ended:
            table = play_coup(table, log, order)
        best = max(best, (table.coup_number - first) / (time.perf_counter() - start))
        cutter = cutter - 1 or 9
        table = give(table, log, [(c.EndShoe(), DEALER), *new_shoe(cutter)])
    return best, log


def replayed_a_second(log: list[TableEvent], rounds: int = 5) -> float:
    """Stored events decoded and applied, the best of several rounds."""
    stored = [msgspec.json.encode(event) for event in log]
    decode = msgspec.json.Decoder(TableEvent).decode
    best = 0.0
    for _ in range(rounds):
        start = time.perf_counter()
        evolve_all(map(decode, stored))
        best = max(best, len(stored) / (time.perf_counter() - start))
    return best


def report() -> None:
    coups, log = coups_a_second()
    print(f"live table, 18 wagers a coup   {coups:>12,.0f} coups/s (wanted 1,000)")
    print(
        f"stored events replayed         {replayed_a_second(log):>12,.0f} events/s (wanted 50,000)"
    )
