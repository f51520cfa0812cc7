"""A session that cannot go on at its table goes on at another as it stands."""

from puntobanco.errors import Reason
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.queries.competition import betting_order, coup_of_session
from puntobanco.table.result import result, standing
from puntobanco.table.state import Phase
from tests.kit.clauses import clause, tas
from tests.kit.table.at import balanced, one
from tests.kit.table.sessions import MIN, begun, coup, opened
from tests.kit.table.verified import sound


def handed_over() -> events.SessionHandedOver:
    """After two coups: ann is out, cy was late once, and bob has the puck."""
    at = begun(here=False, ends=SessionEnds(coups=4))
    for person in ("ann", "bob"):
        at.do("dan", c.TakeSeat(person))
    coup(at, "9c Kd Kh 7s", ann=("banker", 95_000))
    at.do("dan", c.TakeSeat("cy"))
    coup(at)
    before = at.table
    at.do("house", c.PauseSession("water from the ceiling", 30))
    handed = one(events.SessionHandedOver, at.do("house", c.HandOverSession("table-2", 31)))
    assert at.table.phase is Phase.OVER
    assert result(at.table) is None
    assert (at.table.chips, at.table.places) == ({}, {})
    assert handed.standing.chips == before.chips
    assert sound(at)
    return handed


@clause(*tas("16.3.1"))
def test_a_session_goes_on_elsewhere_with_everything_as_it_stood() -> None:
    """[tas-2018:16.3.1] Chips, puck, coups played, lateness, and who is out."""
    stood = handed_over().standing
    at = opened(ends=SessionEnds(coups=4))
    at.do("house", c.TakeOverSession(stood, 32))
    table = at.table
    assert (table.chips, table.contest.puck) == (stood.chips, stood.puck)
    assert table.contest.out == {"ann": 1}
    assert table.contest.late == {"cy": 1}
    assert (table.contest.coups, coup_of_session(table)) == (2, 2)
    assert betting_order(table)[0] == stood.puck
    assert standing(table).chips == stood.chips
    at.refuse("house", c.BeginSession({1: "ann"}, 33), Reason.SESSION_HAS_BEGUN)
    at.refuse("house", c.TakeOverSession(stood, 33), Reason.SESSION_HAS_BEGUN)
    at.shoe()
    coup(at)
    ended = coup(at)
    assert one(events.SessionEnded, ended).coups == 4
    assert balanced(at.table)
    assert sound(at)


def test_only_the_house_moves_a_session_and_between_coups() -> None:
    stood = handed_over().standing
    at = begun()
    at.refuse("cora", c.HandOverSession("table-2", 1), Reason.NOT_YOUR_ROLE)
    at.do("dan", c.OpenCoup())
    at.refuse("house", c.HandOverSession("table-2", 1), Reason.WRONG_MOMENT)
    at = opened()
    at.refuse("house", c.HandOverSession("table-2", 1), Reason.NOT_ALLOTTED)
    other = c.TakeOverSession(type(stood)("another", {1: "ann"}, {"ann": MIN}, stood.limits), 2)
    at.refuse("house", other, Reason.NO_SESSION)


def test_chips_worth_money_stay_where_they_were_bought() -> None:
    at = begun(chips="cash")
    at.refuse("house", c.HandOverSession("table-2", 1), Reason.SESSION_STAYS)
