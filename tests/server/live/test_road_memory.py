"""Roads that are drawn for pages: how much of them is remembered."""

import gc
import tracemalloc
from random import Random

from puntobanco.server.live.roads import KEPT, roads_of

COUPS, MOST_BYTES = 60, 16_000
"""Of a shoe that is nearly over; and what one that was drawn may take."""


def test_what_is_remembered_of_a_shoe_is_little_and_of_old_ones_nothing() -> None:
    """Each coup makes other roads: all evening long they would fill the memory."""
    chance = Random(1)
    shoes = ["".join(chance.choices("PBT", (46, 44, 10), k=COUPS)) for _ in range(2 * KEPT)]
    tracemalloc.start()
    try:
        before = _taken()
        for shoe in shoes[:KEPT]:
            assert roads_of(shoe).counts["coups"] == COUPS
        full = _taken()
        for shoe in shoes[KEPT:]:
            roads_of(shoe)
        later = _taken()
    finally:
        tracemalloc.stop()
    assert full - before < KEPT * MOST_BYTES
    assert later - before < 1.1 * (full - before)


def _taken() -> int:
    gc.collect()
    return tracemalloc.get_traced_memory()[0]
