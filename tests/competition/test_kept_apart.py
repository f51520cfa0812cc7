"""Those whom the conditions keep apart: listed by whoever is in charge, and held at every seat."""

import pytest

from puntobanco.competition import commands as c
from puntobanco.competition import events as e
from puntobanco.competition.queries import apart_listed
from puntobanco.competition.view import view
from puntobanco.errors import Reason
from puntobanco.rules.competition.draw import sit_together
from tests.kit.clauses import clause
from tests.kit.competition.cup import SEED, WORDS, Cup, cup_text

HOUSEHOLDS = 'apart = { who = "members of one household", most = 2 }'
SALT = "5a" * 32
PAIRS = (("p2", "p1"), ("p3", "p7"))


def apart_cup(entries: int = 7, most: int = 2) -> Cup:
    text = cup_text(top=HOUSEHOLDS.replace("most = 2", f"most = {most}"))
    return Cup(text).entered(entries).designate("table-1", "table-2")


@clause("act-2015:15.4(f)", "tas-2018:16.2.3(e)")
def test_nobody_is_drawn_to_one_table_with_their_own() -> None:
    """[act-2015:15.4(f)] The list takes the place of the one before; its fingerprint is kept."""
    cup = apart_cup()
    cup.do("dora", c.KeepApart((("p4", "p5"),), SALT))
    (kept,) = cup.do("mara", c.KeepApart(PAIRS, SALT))
    assert isinstance(kept, e.ApartListKept)
    assert kept.groups == (("p1", "p2"), ("p3", "p7"))
    cup.drawn()
    drawn = cup.log[-1]
    assert isinstance(drawn, e.SeatsDrawn)
    assert drawn.order >= 1
    assert drawn.apart == kept.hash == apart_listed(cup.state).hash
    assert sit_together([sat.values() for sat in drawn.seats.values()], PAIRS) is None
    assert cup.reread() == cup.state
    cup.do("dora", c.KeepApart((), SALT))
    cup.drawn()
    plain = cup.log[-1]
    assert isinstance(plain, e.SeatsDrawn)
    assert (plain.order, plain.apart) == (0, "")


def test_at_one_table_nobody_is_kept_apart() -> None:
    """A draw at one table is what it always was, list or none; so a final is never held up."""
    cup = apart_cup(6)
    cup.do("dora", c.KeepApart(PAIRS[:1], SALT))
    cup.drawn()
    plain = Cup(cup_text()).entered(6).designate("table-1").drawn()
    assert cup.state.now.seats == plain.state.now.seats


@clause("act-2015:15.4(f)")
def test_a_list_is_as_the_conditions_name_it() -> None:
    """[act-2015:15.4(f)] Entrants, each once, in groups of as many as were told."""
    assert Cup().entered(7).refused("dora", c.KeepApart(PAIRS, SALT))[0] is Reason.NOBODY_KEPT_APART
    cup = apart_cup()

    def wrong(*groups: tuple[str, ...]) -> Reason:
        return cup.refused("dora", c.KeepApart(groups, SALT))[0]

    assert wrong(("p1", "p2", "p3")) is Reason.APART_TOO_MANY
    assert wrong(("p1",)) is Reason.APART_TOO_MANY
    assert wrong(("p1", "p2"), ("p2", "p3")) is Reason.APART_TWICE
    assert wrong(("p1", "zoe")) is Reason.NOT_ENTERED
    assert cup.refused("p1", c.KeepApart(PAIRS, SALT))[0] is Reason.NOT_YOUR_ROLE
    cup.drawn().started()
    assert wrong(("p1", "p2")) is Reason.WRONG_PHASE


def test_what_cannot_be_is_told_as_that_and_what_hardly_can_as_that() -> None:
    """Conditions were published anew since, and there are fewer tables than in one group: no ballot
    could do it. Six groups of six at six tables: one order in many millions does, and nobody waits
    for it.
    """
    three = cup_text(top=HOUSEHOLDS.replace("most = 2", "most = 3"), advance="1")
    three = three.replace("min = 6", "min = 13").replace("max = 12", "max = 18")
    cup = Cup(three).entering().enter(*(f"p{number}" for number in range(1, 8)))
    cup.do("dora", c.KeepApart((("p1", "p2", "p3"),), SALT))
    cup.do("mara", c.Draft(cup_text(top=HOUSEHOLDS), "spring"))
    cup.two(c.Publish(), "mara", "dora")
    for number in range(1, 8):
        cup.do(f"p{number}", c.Endorse(2))
    cup.do("dora", c.CloseEntries())
    cup.designate("table-1", "table-2")
    assert cup.refused("dora", c.Draw(WORDS, SEED.hex()))[0] is Reason.APART_IMPOSSIBLE
    text = cup_text(top=HOUSEHOLDS.replace("most = 2", "most = 6"), advance="1")
    many = Cup(text.replace("min = 6", "min = 36").replace("max = 12", "max = 36")).entered(36)
    many.designate(*(f"table-{number}" for number in range(1, 7)))
    groups = tuple(tuple(f"p{6 * at + one}" for one in range(1, 7)) for at in range(6))
    many.do("dora", c.KeepApart(groups, SALT))
    assert many.refused("dora", c.Draw(WORDS, SEED.hex()))[0] is Reason.APART_NOT_FOUND
    by_hand = {
        f"table-{at + 1}": {seat + 1: group[at] for seat, group in enumerate(groups)}
        for at in range(6)
    }
    many.two(c.KeyDraw(by_hand))
    assert many.state.now.seats == by_hand


def test_no_seat_is_given_by_hand_against_the_list() -> None:
    """Keyed in, moved, or a reserve's."""
    cup = apart_cup()
    cup.do("dora", c.KeepApart(PAIRS, SALT))
    seats = {
        "table-1": {1: "p1", 2: "p3", 3: "p5", 4: "p6"},
        "table-2": {1: "p2", 2: "p7", 3: "p4"},
    }
    wrong = {**seats, "table-1": {1: "p2", 2: "p3", 3: "p5", 4: "p6"}}
    wrong["table-2"] = {1: "p1", 2: "p4"}
    together = {"table-1": {**wrong["table-1"], 5: "p7"}, "table-2": wrong["table-2"]}
    assert cup.refused("dora", c.KeyDraw(together))[0] is Reason.KEPT_APART
    cup.two(c.KeyDraw(seats))
    assert cup.refused("dora", c.MoveSeat("p1", "table-2", 4, "x"))[0] is Reason.KEPT_APART
    assert cup.refused("dora", c.MoveSeat("p5", "table-2", 1, "x"))[0] is Reason.KEPT_APART, (
        "p2 would come to p1's table"
    )
    cup.do("dora", c.MoveSeat("p1", "table-2", 1, "the two change places"))
    cup.do("dora", c.MoveSeat("p1", "table-2", 6, "at the same table"))


@clause("act-2015:15.10", "act-2015:15.4(f)")
def test_a_reserve_takes_no_seat_beside_their_own() -> None:
    """[act-2015:15.10]"""
    cup = Cup(cup_text(top=HOUSEHOLDS))
    cup.entering().enter(*(f"p{i}" for i in range(1, 8)))
    cup.do("r1", c.Apply())
    cup.do("carol", c.AddReserve("r1"))
    cup.do("r1", c.Endorse(cup.state.version))
    cup.do("dora", c.CloseEntries())
    cup.designate("table-1", "table-2")
    cup.do("dora", c.KeepApart((("p1", "r1"),), SALT))
    cup.drawn()
    table = cup.state.entries["p1"].table
    beside = next(who for who in cup.state.now.seats[table].values() if who != "p1")
    away = next(
        who for at, sat in cup.state.now.seats.items() if at != table for who in sat.values()
    )
    assert cup.refused("dora", c.TakeReserve("r1", beside))[0] is Reason.KEPT_APART
    cup.do("dora", c.TakeReserve("r1", away))
    assert cup.state.entries["r1"].table != table


@pytest.mark.parametrize(
    ("person", "sees"),
    [("dora", True), ("mara", True), ("carol", False), ("p1", False), ("", False)],
)
def test_who_is_kept_apart_is_for_whoever_is_in_charge(person: str, *, sees: bool) -> None:
    cup = apart_cup()
    cup.do("dora", c.KeepApart(PAIRS, SALT))
    seen = view(cup.state, cup.by(person))
    assert bool(seen.apart) is sees
    assert seen.apart_hash == apart_listed(cup.state).hash
