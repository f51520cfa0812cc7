"""What people are offered, and whom they wait for: at every moment of every recorded session."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from zlib import crc32

import pytest

from puntobanco.cage import commands as cage
from puntobanco.cage.authority import AUTHORITY as CAGE
from puntobanco.cage.decide import decide as decide_cage
from puntobanco.cage.state import Cage, Slip
from puntobanco.errors import Reason, Refused
from puntobanco.house.may import GIVEN, KINDS, possible, why_not
from puntobanco.house.virtual_shoe import is_virtual
from puntobanco.rules.irregularities import Found
from puntobanco.server.commands.offered import turn_of
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import AUTHORITY, acting, second_of
from puntobanco.table.decide import decide
from puntobanco.table.may import counter_refusal, refusal
from puntobanco.table.next_step import next_step, with_roles
from puntobanco.table.session import Played, parse_session, play_session
from puntobanco.table.state import Table
from puntobanco.words import STEPS, WAITING, Step, one_line
from tests.kit.places import PLAYTHROUGHS
from tests.kit.table.asks import ASKS
from tests.kit.table.at import At, contest, ready

SESSIONS = sorted(PLAYTHROUGHS.glob("*.session"))
HELD_AGAINST = (
    Reason.NOT_YOUR_ROLE, Reason.NOT_ON_DUTY, Reason.NOT_YOURSELF, Reason.SAME_PERSON,
    Reason.WRONG_MOMENT, Reason.BANK_IS_THE_OPERATORS, Reason.ALREADY_SIGNED_ON,
    Reason.NOT_SIGNED_ON, Reason.CUT_IS_THE_PLAYERS, Reason.CUT_NOT_OFFERED,
    Reason.SHOE_OUT_OF_STEP, Reason.NO_SUCH_PROPOSAL, Reason.NOT_AT_TABLE,
)  # fmt: skip
"""What a person, a role or a moment is refused for, whatever the facts."""


def moments(session: Path) -> Iterator[tuple[Table, Played, list[Actor]]]:
    """The table before each command, the command, and everybody as they were then."""
    read = parse_session(session.read_text())
    people = {said.by.person: said.by.roles for said in read.said}
    table = Table()
    for played in play_session(read):
        at_ms = played.said.by.at_ms
        yield table, played, [Actor(who, roles, at_ms) for who, roles in people.items()]
        table = played.table


SHARE = 6
"""One in so many moments of a session is tried with everybody; with --slow each one is."""
Moments = Callable[[Path], Iterator[tuple[Table, Played, list[Actor]]]]


@pytest.fixture
def some_moments(pytestconfig: pytest.Config) -> Moments:
    if pytestconfig.getoption("--slow"):
        return moments
    return lambda session: islice(
        moments(session), crc32(session.name.encode()) % SHARE, None, SHARE
    )


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_whoever_gives_a_command_had_it_offered(session: Path) -> None:
    """Cards that a session names although the house's own shoe is in play, the house deals."""
    for table, played, _ in moments(session):
        name, by = str(played.ask.__struct_config__.tag), played.said.by
        if played.refused is None and name in GIVEN and by.person != "house":
            assert refusal(table, type(played.ask), by) is None, played.said.text
            if not (is_virtual(table) and GIVEN[name].keyed):
                assert name in set(possible(table, by)), played.said.text


SAMPLES: dict[type[c.Command], c.TableCommand] = {
    type(ask): ask for ask in ASKS if AUTHORITY[type(ask)].likely is None
}
"""Of the commands that are offered whenever role and phase allow them."""


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_what_is_offered_is_not_refused_for_role_person_or_moment(
    session: Path, some_moments: Moments
) -> None:
    """With some facts: those that are likely, or those of a sample."""
    for table, _, people in some_moments(session):
        for by in people:
            for name in possible(table, by):
                for kind in GIVEN[name].stands_for or (KINDS[name],):
                    likely = AUTHORITY[kind].likely
                    asks = likely(table, by) if likely else [SAMPLES[kind]]
                    if any(passes(table, ask, by) for ask in asks):
                        break
                else:
                    pytest.fail(f"{name} was offered to {by.person}")


def passes(table: Table, ask: c.TableCommand, by: Actor) -> bool:
    try:
        decide(table, ask, by)
    except Refused as refused:
        return refused.reason not in HELD_AGAINST
    return True


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_a_next_step_is_offered_only_to_those_who_can_take_it(
    session: Path, some_moments: Moments
) -> None:
    """Each is told what to do, and can; or is told whom to wait for, who can."""
    for table, _, people in some_moments(session):
        step = with_roles(table, next_step(table))
        assert step.clause
        for by in people:
            turn = turn_of(table, by)
            for act in turn.acts:
                assert step.step in GIVEN[act.name].steps
                assert why_not(table, act.name, by, step.facts) is None
            if turn.yours and Role.PATRON not in acting(table, by):
                assert acting(table, by).intersection(step.roles) or step.step is Step.SIGN_ON
            if not turn.yours:
                assert turn.acts == ()
                assert turn.says.startswith(("Waiting for", "Bets are open: waiting for"))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_the_next_step_is_always_somebodys(session: Path, some_moments: Moments) -> None:
    """Whoever holds a role it waits for can take the step, once on duty."""
    for table, played, people in some_moments(session):
        step = with_roles(table, next_step(table))
        assert step.roles
        able = [by for by in people if turn_of(table, by).yours]
        on_duty = [by for by in people if acting(table, by).intersection(step.roles)]
        other = step.step in (Step.RULE, Step.APPROVE)
        assert able or other or not on_duty, (played.said.text, step)


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_an_approval_is_offered_to_those_who_may_and_never_to_the_proposer(session: Path) -> None:
    for table, _, people in moments(session):
        for number, proposal in table.proposals.items():
            second = second_of(type(proposal.ask))
            for by in people:
                facts = {"proposal": number}
                if why_not(table, "approve", by, facts) is None:
                    assert by.person != proposal.person
                    assert acting(table, by) & second
                    assert decide(table, c.Approve(number), by)
                if why_not(table, "drop-proposal", by, facts) is None:
                    assert by.person == proposal.person or acting(table, by) & second


@pytest.mark.parametrize("session", SESSIONS, ids=lambda file: file.stem)
def test_no_patron_learns_from_a_refusal_who_else_is_there(
    session: Path, some_moments: Moments
) -> None:
    """What somebody cannot do is said without the name of another patron."""
    for table, _, people in some_moments(session):
        patrons = [by for by in people if by.roles == {Role.PATRON}]
        ids = {by.person for by in patrons}
        for by in patrons:
            for name in GIVEN:
                refused = why_not(table, name, by)
                said = set(re.findall(r"\w+", one_line(refused))) if refused else set()
                assert not said & (ids - {by.person}), (name, said)


# one by one


def told(at: At, person: str) -> str:
    return turn_of(at.table, at.by(person)).says


def names(at: At, person: str) -> set[str]:
    return {act.name for act in turn_of(at.table, at.by(person)).acts}


def test_the_dealer_waits_for_the_inspector_to_cut() -> None:
    """Nobody sits at the table [tas-2018:5.3]."""
    at = At().open().staffed()
    at.do("dan", c.CheckCards("set A"))
    at.do("dan", c.Shuffle())
    assert told(at, "dan") == "Waiting for the inspector to cut"
    assert names(at, "dan") == set()
    assert "cut-cards" not in set(possible(at.table, at.by("dan")))
    assert names(at, "ines") == {"cut-cards"}
    assert told(at, "ines").startswith("Nobody at the table cuts")


def test_the_cut_is_offered_to_the_player_whose_it_is_and_recorded_by_staff() -> None:
    at = At().open().staffed().seat("ann", "bob")
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.do("dan", c.Shuffle())
    seat = next_step(at.table).facts["seat"]
    owner = at.table.seated[int(str(seat))]
    other = "bob" if owner == "ann" else "ann"
    assert names(at, owner) == names(at, "dan") == {"cut-cards", "refuse-cut"}
    assert names(at, other) == set()
    assert told(at, other) == f"Waiting for seat {seat} to cut"
    first = turn_of(at.table, at.by("dan")).acts[0]
    assert (first.name, first.facts) == ("cut-cards", {"seat": seat})


def test_a_finding_is_not_confirmed_by_whoever_reported_it() -> None:
    at = ready()
    at.do("jill", c.SignOn(Role.DEALER))
    at.bet("1 b 100")
    at.deal("9c")
    at.do("jill", c.ReportIrregularity(Found.FOREIGN_CARD))
    assert names(at, "dan") == set()
    assert told(at, "dan").startswith("Waiting for the inspector to rule")
    at.do("jill", c.SignOff())
    at.do("jill", c.SignOn(Role.INSPECTOR))
    assert names(at, "jill") == set()
    assert "another inspector" in told(at, "jill")
    assert names(at, "ines") == {"confirm-finding"}


def test_a_ruling_waits_for_its_second_person() -> None:
    at = ready("act-2015")
    at.bet("1 b 100")
    at.deal("9c Kd")
    at.do("dan", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    assert names(at, "sue") == {"rule-on"}
    at.do("sue", c.RuleOn("void", "lost"))
    assert told(at, "sue").startswith("Waiting for the management representative to approve")
    assert "approve" not in names(at, "sue")
    assert told(at, "dan") == told(at, "sue")
    assert names(at, "mara") == {"approve"}


def test_a_player_who_has_chips_does_not_leave_and_one_without_does_not_bet() -> None:
    at = ready()
    at.do("cy", c.Sit(5))
    at.bet()
    offered = set(possible(at.table, at.by("cy")))
    assert "leave" in offered
    assert not offered & {"place-wager", "change-wager", "withdraw-wager"}
    refused = why_not(at.table, "place-wager", at.by("cy"))
    assert refused is not None
    assert refused.reason is Reason.NOT_ENOUGH_CHIPS
    assert "leave" not in set(possible(at.table, at.by("ann")))


def test_what_a_competition_adds_is_offered_only_there() -> None:
    added = {"allot-chips", "ask-for-wager", "close-window", "mark-absent", "raise-limits"}
    at = ready()
    at.do("cora", c.SignOn(Role.DIRECTOR))
    at.bet()
    assert not added & {name for who in ("dan", "cora") for name in possible(at.table, at.by(who))}
    cup = contest()
    cup.bet()
    assert {"ask-for-wager", "mark-absent"} <= set(possible(cup.table, cup.by("dan")))


@pytest.mark.parametrize("commitment", ["", "ab" * 32], ids=["keyed", "own shoe"])
def test_cards_are_keyed_or_dealt_by_the_house_never_both(commitment: str) -> None:
    at = At().open().staffed().seat("ann")
    at.do("dan", c.CheckCards("set A", player="ann"))
    at.do("dan", c.Shuffle(commitment=commitment))
    at.cut()
    at.do("dan", c.LoadShoe())
    at.bet("1 b 100")
    offered, keyed = set(possible(at.table, at.by("dan"))), {"draw-card", "see-marker"}
    assert offered & {*keyed, "deal"} == ({"deal"} if commitment else keyed)
    assert names(at, "dan") == ({"deal"} if commitment else {"draw-card"})
    refused = why_not(at.table, "draw-card" if commitment else "deal", at.by("dan"))
    assert refused is not None
    reason = Reason.HOUSE_DEALS if commitment else Reason.NOT_THE_HOUSES_SHOE
    assert refused.reason is reason


def test_a_patrons_chips_are_seen_to_by_a_bot_that_deals() -> None:
    at, ann = ready(), At().by("ann")
    refused = why_not(at.table, "buy-chips", ann)
    assert refused is not None
    assert refused.reason is Reason.ASK_THE_DEALER
    offered = set(possible(at.table, ann, bot_dealer="dan"))
    assert {"buy-chips", "cash-chips"} <= offered
    assert not {"buy-in", "cash-out"} & offered
    stranger = why_not(at.table, "buy-chips", At().by("zoe"), bot_dealer="dan")
    assert stranger is not None


def test_every_step_has_words_for_those_who_wait() -> None:
    assert set(STEPS) == set(WAITING) == set(Step)
    assert {step for allowed in GIVEN.values() for step in allowed.steps} == set(Step)


def test_every_name_is_a_command_or_stands_for_some() -> None:
    for name, allowed in GIVEN.items():
        assert issubclass(KINDS[name], c.Command) != bool(allowed.stands_for)


def test_a_slip_is_completed_by_another_person() -> None:
    state = Cage(slips={1: Slip("fill", "table-1", 100, "carol")}, slip_number=1)
    both = frozenset({Role.CASHIER, Role.MANAGEMENT})

    def refused(person: str) -> Refused | None:
        by = Actor(person, both, 0)
        return counter_refusal(CAGE, decide_cage, state, cage.CompleteSlip, by)

    found = refused("carol")
    assert found is not None
    assert found.reason is Reason.SAME_PERSON
    assert refused("carl") is None
