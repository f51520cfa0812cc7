"""Who may do what, and when: the whole table, every role, every phase."""

import re
from typing import get_args

import pytest

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import ON_DUTY, Actor, Role
from puntobanco.table.authority import AUTHORITY, Giver
from puntobanco.table.decide import ROOMS, decide
from puntobanco.table.evolve import APPLY
from puntobanco.table.state import Phase, Table
from tests.kit.places import ROOT
from tests.kit.table.asks import ASKS
from tests.kit.table.at import At, of, one, ready
from tests.kit.table.sessions import begun, coup

KINDS: tuple[type[c.Command], ...] = get_args(c.TableCommand)
DOC = ROOT / "docs" / "table.md"
STRANGER = "nobody-here"


@pytest.fixture(scope="module")
def phases() -> dict[Phase, Table]:
    """A table in each phase of its life."""
    at = At().open()
    tables = [Table(), at.table]
    at = ready()
    tables.append(at.table)
    at.bet("1 b 100")
    tables.append(at.table)
    at.deal("9c Kd Kh 7s")
    tables.append(at.table)
    dealt = at.table
    at.do("dan", c.ReportIrregularity(Found.FOREIGN_CARD))
    tables.append(at.table)
    at.table = dealt
    at.do("dan", c.DeclareResult())
    played = begun(ends=SessionEnds(coups=1))
    coup(played)
    return {table.phase: table for table in [*tables, at.table, played.table]}


def test_every_command_has_its_line_and_its_room() -> None:
    assert set(AUTHORITY) == set(KINDS) == {type(ask) for ask in ASKS}
    assert set(ROOMS) | {c.Approve, c.DropProposal} == set(KINDS)
    assert set(APPLY) == set(get_args(events.TableEvent))


def test_all_phases_are_reached(phases: dict[Phase, Table]) -> None:
    assert set(phases) == set(Phase)


@pytest.mark.parametrize("ask", ASKS, ids=lambda ask: str(ask.__struct_config__.tag))
def test_what_is_not_listed_is_refused(ask: c.TableCommand, phases: dict[Phase, Table]) -> None:
    """Every role in every phase: the wrong role, a role off duty, the wrong moment.

    Under a document with an inspector a casino supervisor oversees nothing.
    """
    allowed = AUTHORITY[type(ask)]
    for phase, table in phases.items():
        for role in Role:
            try:
                decide(table, ask, Actor(STRANGER, frozenset({role}), 10**9))
                reason = None
            except Refused as refused:
                reason = refused.reason
            signing = isinstance(ask, (c.SignOn, c.SignOff))
            other = role is Role.CASINO_SUPERVISOR and table.notice is not None and not signing
            if role not in allowed.roles or other:
                assert reason is Reason.NOT_YOUR_ROLE
            elif role in ON_DUTY and not signing:
                assert reason is Reason.NOT_ON_DUTY
            elif phase not in allowed.phases:
                assert reason is Reason.WRONG_MOMENT
            else:
                off = (Reason.NOT_ON_DUTY, Reason.WRONG_MOMENT)
                assert reason not in off


def test_a_command_unknown_to_the_table_is_refused() -> None:
    class Unheard(c.Command, frozen=True, tag="unheard"):
        pass

    with pytest.raises(Refused) as refused:
        decide(Table(), Unheard(), Actor("mara", frozenset(Role), 0))  # type: ignore[arg-type]
    assert refused.value.reason is Reason.MALFORMED


TWO_PERSON = [kind for kind, allowed in AUTHORITY.items() if allowed.second]


def test_two_person_commands_need_two_people_not_two_roles() -> None:
    at = ready()
    at.coup("2 b 100", "9c Kd Kh 7s")
    at.do("ines", c.SignOff())
    at.do("jill", c.SignOn(Role.INSPECTOR))
    proposed = one(events.Proposed, at.do("jill", c.CorrectPayment("ann", 500, 1, "short")))
    assert proposed.person == "jill"
    assert at.table.chips["ann"] == 1_000_000
    at.refuse("jill", c.Approve(1), Reason.SAME_PERSON)
    at.refuse("dan", c.Approve(1), Reason.NOT_YOUR_ROLE)
    happened = at.do("mara", c.Approve(1))
    assert one(events.Approved, happened).person == "mara"
    assert at.table.chips["ann"] == 1_000_500
    at.refuse("max", c.Approve(1), Reason.NO_SUCH_PROPOSAL)


def test_a_proposal_can_be_dropped_and_is_then_gone() -> None:
    at = ready()
    at.coup("1 b 100", "9c Kd Kh 7s")
    at.do("ines", c.CorrectPayment("ann", 500, 1, "short"))
    at.do("ines", c.DropProposal(1))
    at.refuse("mara", c.Approve(1), Reason.NO_SUCH_PROPOSAL)
    at.refuse("mara", c.DropProposal(1), Reason.NO_SUCH_PROPOSAL)


def test_a_proposal_about_a_coup_dies_with_it() -> None:
    at = ready("act-2015")
    at.bet("1 b 100")
    at.deal("9c Kd Kh 7s")
    at.do("sue", c.VoidCoup("fraud", "a marked card"))
    at.do("dan", c.DeclareResult())
    at.do("dan", c.EndCoup())
    at.refuse("mara", c.Approve(1), Reason.NO_SUCH_PROPOSAL)


def test_what_was_proposed_is_decided_anew_when_it_is_approved() -> None:
    """The card has been put right by others by the time this one is approved."""
    at = ready()
    at.coup("1 b 100", "9c Kd Kh 7s")
    at.do("dan", c.CorrectCard(1, 1, Card("8c"), "keyed wrong"))
    at.do("dan", c.CorrectCard(1, 1, Card("8c"), "keyed wrong"))
    at.do("ines", c.Approve(1))
    at.refuse("ines", c.Approve(2), Reason.AS_ON_RECORD)


def test_what_two_people_do_in_a_session_changes_nothing_by_itself() -> None:
    at = begun("act-2015")
    coup(at, "9c Kd Kh 7s", ann=("banker", 95_000))
    before = at.table
    for person, ask in (("sue", c.CorrectChips("bob", 5000, "")), ("cora", c.Reinstate("ann", ""))):
        happened = at.do(person, ask)
        assert of(events.Proposed, happened) == happened
        assert (at.table.chips, at.table.places) == (before.chips, before.places)


@pytest.mark.parametrize(
    "kind",
    [kind for kind in TWO_PERSON if kind not in (c.CorrectChips, c.Reinstate)],
    ids=lambda kind: kind.__struct_config__.tag,
)
def test_a_command_for_two_changes_nothing_by_itself(kind: type[c.Command]) -> None:
    at = ready("act-2015")
    at.coup("1 b 100", "9c Kd Kh 7s")
    at.bet("1 b 100, 2 p 100")
    at.deal("9c Kd")
    if kind is c.CorrectMarker:
        at.do("dan", c.SeeMarker())
    at.do("dan", c.ReportIrregularity(Found.ORDER_UNKNOWN))
    asks: dict[type, c.TableCommand] = {type(ask): ask for ask in ASKS}
    asks[c.VoidEarlier] = c.VoidEarlier(1, "laid wrong", 2)
    asks[c.CorrectCard] = c.CorrectCard(2, 1, Card("6c"), "keyed wrong")
    if kind in {c.ChangeCards, c.CorrectFinding}:
        at.do("sue", c.RuleOn("void", "lost"))
        at.approve("mara")
        at.do("dan", c.EndCoup())
    if kind is c.CorrectFinding:
        at.do("dan", c.ReportIrregularity(Found.FACE_UP_IN_SHOE))
    if kind is c.TakeBack:
        at.do("dan", c.Touched("ann"))
    before = at.table
    happened = at.do("dan" if kind is c.ChangeCards else "sue", asks[kind])
    assert of(events.Proposed, happened) == happened
    assert (at.table.chips, at.table.coup, at.table.coups) == (
        before.chips,
        before.coup,
        before.coups,
    )


def test_a_patron_acts_for_nobody_else() -> None:
    at = ready()
    at.bet()
    at.refuse("ann", c.PlaceWager(2, Bet.PLAYER, 2500, "bob"), Reason.NOT_YOURSELF)
    at.refuse("ann", c.Leave("bob"), Reason.NOT_YOURSELF)
    at.do("dan", c.PlaceWager(2, Bet.PLAYER, 2500, "bob"))


def test_a_dealer_of_another_table_cannot_deal_here() -> None:
    at = ready()
    at.refuse("dora", c.OpenCoup(), Reason.NOT_ON_DUTY)
    at.do("dora", c.SignOn(Role.DEALER))
    at.do("dora", c.OpenCoup())


def test_the_documentation_has_the_table_as_it_is(request: pytest.FixtureRequest) -> None:
    """All that is known about each command: for people to review."""
    rows = ["| command | who | while | second person | final | from |", "|---|---|---|---|---|---|"]
    for kind, allowed in AUTHORITY.items():
        phases = [phase for phase in Phase if phase in allowed.phases]
        when = "always" if len(phases) == len(Phase) else ", ".join(phases)
        who, second = (
            ", ".join(role for role in Role if role in roles)
            for roles in (allowed.roles, allowed.second)
        )
        final = "yes" if allowed.final else ""
        givers = [giver for giver in Giver if giver in allowed.given_by]
        source = "" if givers == [Giver.PERSON] else ", ".join(givers)
        name = f"`{kind.__struct_config__.tag}`"
        rows.append(f"| {name} | {who} | {when} | {second} | {final} | {source} |")
    text = DOC.read_text()
    table = "\n".join(rows)
    if request.config.getoption("--update"):
        between = re.compile(r"(?<=<!-- authority -->\n).*(?=\n<!-- end -->)", re.DOTALL)
        text = between.sub(lambda _: table, text)
        DOC.write_text(text)
    assert table in text, "run: pytest tests/table/test_authority.py --update"
