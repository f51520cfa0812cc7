"""What a journal may hold of house, cage and register must be read for ever.

Files are added to the folder, never changed; those of the table are in `test_sessions.py`.
"""

from functools import reduce
from typing import get_args

import msgspec
import pytest

from puntobanco.cage import evolve as cage_evolve
from puntobanco.cage.state import Cage
from puntobanco.competition import evolve as competition_evolve
from puntobanco.competition.state import Competition
from puntobanco.register import commands as register
from puntobanco.register import evolve as register_evolve
from puntobanco.register.state import Register
from puntobanco.table.actor import Role
from tests.kit.stored import KINDS, lines_of, stored


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_stored_and_reads_back_as_it_was(name: str) -> None:
    found = stored(name)
    assert {type(event) for event in found} == set(get_args(KINDS[name]))
    assert [msgspec.json.encode(event) for event in found] == lines_of(name)


@pytest.mark.parametrize(
    ("file", "phase", "pot"),
    [("competition", "done", 0), ("competition-cancelled", "cancelled", 27_775)],
)
def test_a_competition_still_comes_to_the_same(file: str, phase: str, pot: int) -> None:
    now = reduce(competition_evolve.evolve, stored(f"competition/{file}.jsonl"), Competition())
    assert (now.phase, now.money.pot_cents) == (phase, pot)
    assert [row.people for row in now.places] == (
        [("p7",), ("p2",), ("p4",), ("p5",)] if not pot else []
    )


def test_they_still_add_up() -> None:
    now = reduce(cage_evolve.evolve, stored("cage"), Cage())
    assert now.accounts == {"ann": 60_000 + 15_000 - 5_555 - 6_055 + 6_055 + 6_000}
    assert now.pots["spring"].cents == 0
    assert now.balances
    people = reduce(register_evolve.evolve, stored("register"), Register()).people
    assert people["dan"].roles_at("table-1") == {Role.CASHIER}
    assert people["bot-1"].bot == register.Bot("banker", "table-1", 1)
