"""Every template that ships is run to its last prize: each document, and what each is there for."""

from contextlib import suppress

import pytest

from puntobanco.competition import commands as c
from puntobanco.competition.queries import pool_now, prize_list
from puntobanco.competition.state import CompetitionPhase, EntryStatus
from puntobanco.errors import Refused
from puntobanco.rules.competition.shipped import TEMPLATES, template_text
from tests.kit.competition.cup import Cup

MAY_2026_MS = 1_778_000_000_000


def play_stage(cup: Cup) -> None:
    """Seats drawn, play started, every table's result in, the stage confirmed."""
    cup.drawn().started()
    for table, seats in cup.state.now.seats.items():
        chips = {p: 1000 * n + int(table[-1]) for n, p in enumerate(seats.values(), 1)}
        cup.result(table, chips)
    wild = cup.state.stage.wild and not cup.state.in_secondary and not cup.state.is_final
    if wild:
        cup.do("dora", c.NameWildCards())
    cup.do("dora", c.ConfirmStage())


@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_run_to_its_last_prize(name: str, most: bool) -> None:
    """With the fewest and with the most entries the pot is empty when it is done, and nobody who
    has a place went out before.
    """
    cup = Cup(template_text(name), MAY_2026_MS).entering()
    conditions = cup.state.conditions
    number = conditions.entry.max if most else conditions.entry.min
    cup.enter(*(f"p{n}" for n in range(1, number + 1)))
    cup.do("dora", c.CloseEntries())
    cup.designate(*(f"table-{n}" for n in range(1, 10)))
    for stage in conditions.stage:
        if stage.name == conditions.secondary.into and conditions.secondary.winners:
            cup.do("dora", c.OpenSecondary(stage.name))
            losers = sorted(p for p, x in cup.state.entries.items() if x.status == "secondary")
            seats = dict(enumerate(losers[: stage.seats], 1))
            cup.two(c.KeyDraw({"table-1": seats}))
            cup.started()
            cup.result("table-1", {p: 1000 * n for n, p in seats.items()})
            cup.do("dora", c.ConfirmStage())
        play_stage(cup)
    lacking = sum(prize_list(cup.state)) - pool_now(cup.state).pool_cents
    if lacking > 0:
        cup.do("mara", c.AddValue(lacking, "cash"))
    if lacking < 0 and cup.state.says.prizes.returned != "conditions":
        first, *others = prize_list(cup.state)
        cup.two(c.Rule("prizes", "all of it", prizes_cents=(first - lacking, *others)))
    cup.two(c.ConfirmPlaces())
    for person in tuple(cup.state.entries):
        with suppress(Refused):
            cup.do("carol", c.PayPrize(person))
    cup.do("dora", c.PublishResults())
    assert cup.state.phase is CompetitionPhase.DONE
    assert cup.state.money.pot_cents == 0
    placed = {person for row in cup.state.places for person in row.people}
    is_placed = {p for p, x in cup.state.entries.items() if x.status is EntryStatus.PLACED}
    assert placed == is_placed
    assert cup.reread() == cup.state
