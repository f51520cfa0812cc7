"""Floor, badge and desk tell one story of a table: who waits for whom, at every step of every
written session.
"""

from puntobanco.house.access.waiting import Waiting, waiting_at
from puntobanco.house.floor.now import Wait, waits_at
from puntobanco.house.may import why_not
from puntobanco.server.commands.offered import turn_of
from puntobanco.table import commands as c
from puntobanco.table.actor import ON_DUTY, PLAYERS, Actor, Role
from puntobanco.table.authority import acting
from puntobanco.table.next_step import QUIET, next_step, with_roles
from puntobanco.table.session import parse_session, play_session
from puntobanco.table.state import Table
from puntobanco.words import Step
from tests.kit.places import PLAYTHROUGHS
from tests.kit.table.at import At, ready


def test_floor_badge_and_desk_say_the_same_at_every_step() -> None:
    situations = set[tuple[object, ...]]()
    for file in sorted(PLAYTHROUGHS.glob("*.session")):
        session = parse_session(file.read_text())
        people = {who: frozenset(map(Role, roles)) for who, roles in session.head["people"].items()}
        for played in play_session(session):
            table = played.table
            if not table.is_open:
                continue
            floor = tuple(waits_at(table))
            waits = sorted({one.kind for one in floor})
            situation = (table.phase, next_step(table).step, *waits, len(table.staff))
            if situation in situations:
                continue
            situations.add(situation)
            for person, roles in people.items():
                if roles - PLAYERS:
                    check(table, Actor(person, roles, played.said.by.at_ms), floor)
    assert len(situations) > 60
    assert {"ruling", "proposal", "dispute", "step", "told"} <= {
        part for situation in situations for part in situation
    }


def check(table: Table, by: Actor, floor: tuple[Wait, ...]) -> None:
    """What one person is told of it in three places."""
    here, step = acting(table, by), next_step(table).step
    badge = tuple(waiting_at("table-1", table, by, free=not here))
    desk = turn_of(table, by)
    said = f"{by.person}: floor {floor}, badge {badge}, desk {desk}"
    for kind, on_floor, command in (
        ("approve", "proposal", "approve"),
        ("dispute", "dispute", "decide-dispute"),
    ):
        waits = {one.number for one in floor if one.kind == on_floor}
        fact = "proposal" if command == "approve" else kind
        theirs = {one for one in waits if why_not(table, command, by, {fact: one}) is None}
        assert theirs == {one.number for one in badge if one.kind == kind}, said
    held_up = [one for one in floor if one.kind in ("step", "ruling")]
    whom = {role for one in held_up for role in one.whom}
    if step is Step.SIGN_ON or _nobody_is_there(table):
        assert held_up, said
        assert _has(badge, "step") == (not here and bool(by.roles & whom)), said
        return
    if _has(badge, "step"):
        assert whom & here, said
        assert desk.yours, said
    if whom & here and desk.yours:
        assert _has(badge, "step") or _has(badge, "approve"), said
    if desk.yours and here and not whom & here:
        assert Role.DEALER in here or not held_up or desk.acts, said
    if not desk.yours and whom & here:
        assert not _has(badge, "step"), said


def _nobody_is_there(table: Table) -> bool:
    """Is nobody on duty who could take the step, though whoever may has to sign on for it?"""
    step = with_roles(table, next_step(table))
    could = frozenset(step.roles) - {Role.HOUSE}
    present = [Actor(duty.person, frozenset({duty.role}), 0) for duty in table.staff]
    present += [Actor(one, frozenset({Role.DIRECTOR}), 0) for one in table.contest.directors]
    takes = any(acting(table, one) & could for one in present)
    return step.step not in QUIET and could <= ON_DUTY and not takes


def test_a_table_that_is_opened_waits_for_somebody_to_sign_on() -> None:
    """Until now the floor said of a table without staff that it waits for nobody."""
    at = At()
    at.do("mara", c.OpenTable(at.notice, "monday", "shoe 1", effective="1 July 2018"))

    def badge(person: str) -> list[object]:
        waits = waiting_at("table-1", at.table, at.by(person), free=True)
        return [(one.step, one.facts["role"]) for one in waits]

    (wait,) = waits_at(at.table)
    assert wait.says == "Waiting for the dealer or the inspector to check the cards"
    assert badge("dan") == [(Step.SIGN_ON, "dealer")]
    assert badge("ines") == [(Step.SIGN_ON, "inspector")]
    assert badge("sol") == []
    at.do("dan", c.SignOn(Role.DEALER))
    assert tuple(waits_at(at.table)) == ()
    assert badge("dora") == []


def test_the_floor_says_what_a_dealer_who_left_in_a_coup_is_waited_for() -> None:
    at = ready()
    at.bet("1 b 25")
    at.deal("9c Kd Th 3s")
    assert tuple(waits_at(at.table)) == ()
    at.do("dan", c.SignOff())
    (wait,) = waits_at(at.table)
    assert wait.says == "Waiting for the dealer to declare “Player wins, 9 to 3”"


def _has(badge: tuple[Waiting, ...], kind: str) -> bool:
    return any(one.kind == kind for one in badge)
