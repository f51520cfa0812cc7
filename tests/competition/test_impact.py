"""What a result that changes would change, shown before anyone approves it."""

from puntobanco.competition import commands as c
from puntobanco.competition.impact import amended_impacts, result_impact
from puntobanco.competition.state import CompetitionPhase
from puntobanco.competition.view import view
from puntobanco.table.result import SessionResult
from tests.kit.clauses import clause
from tests.kit.competition.cup import Cup

HELD = {f"p{i}": 2_000_000 - i * 10_000 for i in range(1, 7)}


@clause("tas-2018:16.8.2")
def test_a_changed_result_of_a_confirmed_stage_shows_what_it_would_change() -> None:
    """[tas-2018:16.8.2] And nothing follows without a ruling."""
    cup = Cup().heats()
    before = cup.state
    cup.result("table-1", {**HELD, "p3": 3_000_000}, version=2, session="heats")
    assert cup.state.phase is CompetitionPhase.CONFIRMED
    assert cup.state.entries == before.entries
    (shown,) = view(cup.state, cup.by("dora")).impacts
    assert shown == amended_impacts(cup.state)[0]
    assert shown.confirmed
    assert shown.chips == {"p3": (1_970_000, 3_000_000)}
    assert (shown.through, shown.not_through) == (("p3",), ("p2",))
    assert shown.places == {"p1": (1, 2), "p2": (2, 3), "p3": (3, 1)}
    assert view(cup.state, cup.by("p1")).impacts == ()
    cup.two(c.Rule("result", "on film", "table-1"))
    assert amended_impacts(cup.state) == ()
    assert cup.state.stages_done == 0


def test_a_changed_final_shows_prizes_and_eliminations() -> None:
    cup = Cup().heats().final()
    would = SessionResult("final", "coups", 30, {"p2": 900_000}, {"p1": 7})
    shown = result_impact(cup.state, "final", "table-1", would)
    assert shown.out == {"p1": (0, 7)}
    assert shown.prizes_cents == {"p1": (18_097, 11_900), "p2": (11_900, 18_097)}
    assert not shown.changes_nothing
    same = SessionResult("final", "coups", 30, {"p1": 800_000, "p2": 400_000})
    assert result_impact(cup.state, "final", "table-1", same).changes_nothing
