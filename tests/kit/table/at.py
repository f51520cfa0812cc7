"""A table to test with: people with their roles, a clock, and the short ways to a given moment."""

from collections.abc import Iterable
from typing import TypeVar

import pytest
from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.conditions import PlayConditions, SessionEnds
from puntobanco.rules.notice import Limits, Notice, sample_notice
from puntobanco.rules.paper.notation import parse_drawn, parse_wager
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.competition_terms import Conditions, SessionTerms
from puntobanco.table.decide import decide, run
from puntobanco.table.events import Event, TableEvent
from puntobanco.table.evolve import evolve_all
from puntobanco.table.queries.shoe import offers
from puntobanco.table.state import Table
from puntobanco.table.view import View, Viewer, view
from puntobanco.words import one_line
from tests.kit.table.refusals import about

PEOPLE: dict[str, frozenset[Role]] = {
    "mara": frozenset({Role.MANAGEMENT}),
    "max": frozenset({Role.MANAGEMENT}),
    "sol": frozenset({Role.SURVEILLANCE}),
    "ines": frozenset({Role.INSPECTOR}),
    "sue": frozenset({Role.CASINO_SUPERVISOR}),
    "dan": frozenset({Role.DEALER}),
    "dora": frozenset({Role.DEALER}),
    "cora": frozenset({Role.DIRECTOR}),
    "otto": frozenset({Role.AUDITOR}),
    "house": frozenset({Role.HOUSE}),
    "jill": frozenset({Role.INSPECTOR, Role.DEALER, Role.MANAGEMENT}),
}
"""Everyone else is a patron. Jill has three roles and is still one person."""

Kind = TypeVar("Kind", bound=Event)


class At:
    """A table, and the log of all that happened at it."""

    def __init__(self, ruleset: str = "tas-2018", **choices: object) -> None:
        self.table = Table()
        self.log: list[TableEvent] = []
        self.given: list[tuple[c.TableCommand, Actor, list[TableEvent]]] = []
        """Every command that was accepted, by whom, and what it brought about."""
        self.at_ms = 72_000_000
        self.notice: Notice = replace(sample_notice(ruleset), **choices)

    def by(self, person: str) -> Actor:
        return Actor(person, PEOPLE.get(person, frozenset({Role.PATRON})), self.at_ms)

    def do(self, person: str, ask: c.TableCommand) -> list[TableEvent]:
        """Give a command that is allowed; the events it brought about."""
        self.at_ms += 1000
        self.table, new = run(self.table, ask, self.by(person))
        self.log += new
        self.given.append((ask, self.by(person), new))
        return new

    def refuse(
        self, person: str, ask: c.TableCommand, reason: Reason, clause: str | None = None
    ) -> Refused:
        """Give a command that is refused, for this reason and by this clause."""
        before = self.table
        with pytest.raises(Refused) as caught:
            decide(self.table, ask, self.by(person))
        assert caught.value.reason is reason
        assert "{" not in one_line(caught.value)
        if clause is not None:
            assert caught.value.clause == clause
        assert caught.value.clause in about(reason, self.notice.ruleset), caught.value
        assert self.table is before
        return caught.value

    def later(self, minutes: int) -> "At":
        self.at_ms += minutes * 60_000
        return self

    def view(self, person: str = "") -> View:
        roles = self.by(person).roles if person else frozenset()
        return view(self.table, Viewer(person, roles))

    # short ways

    def open(self, **more: object) -> "At":
        """The table is open, with nobody at it."""
        rules = {
            "gaming_day": "monday",
            "shoe": "shoe 1",
            "shoe_approval": "GRC 1/15",
            "effective": "1 July 2018",
            "machines": {"SM-2": "approved 12/18"},
            "backs": "red diamonds",
        }
        self.do("mara", c.OpenTable(self.notice, **{**rules, **more}))  # type: ignore[arg-type]
        return self

    def staffed(self) -> "At":
        """With a dealer, an inspector and a casino supervisor on duty."""
        self.do("dan", c.SignOn(Role.DEALER))
        self.do("ines", c.SignOn(Role.INSPECTOR))
        self.do("sue", c.SignOn(Role.CASINO_SUPERVISOR))
        return self

    def seat(self, *people: str, dollars: int = 10_000) -> "At":
        """These people sit down at the first free seats and buy chips."""
        for person in people:
            free = next(n for n in range(1, 15) if n not in self.table.seated)
            self.do(person, c.Sit(free))
            self.do("dan", c.BuyIn(dollars * 100, person))
        return self

    def shoe(self, set_id: str = "set A", *, burn: bool = True, behind: int | None = None) -> "At":
        """Cards checked, shuffled, cut and in the shoe, and burned where the notice burns."""
        player = next(iter(self.table.places), "")
        if not self.table.pack.set_id:
            self.do("dan", c.CheckCards(set_id, player=player))
        self.do("dan", c.Shuffle())
        self.cut()
        self.do("dan", c.LoadShoe(behind))
        if burn and self.notice.burn == "unseen":
            self.do("dan", c.BurnCards(None, 1))
        if burn and self.notice.burn == "exposed":
            self.do("dan", c.BurnCards(Card("2c"), 2))
        return self

    def cut(self) -> None:
        """The first to be offered the cut takes it; without players, staff do."""
        if due := offers(self.table):
            self.do("dan", c.CutCards(100, due[0]))
            return
        staff = {"inspector": "ines", "casino supervisor": "sue", "dealer": "dan"}
        self.do(staff[self.table.terms.rules.shoe.cut.by_staff], c.CutCards(100))

    def bet(self, wagers: str = "") -> "At":
        """Open a coup and lay wagers as the dealer finds them: `1 p 50, 2 b 100`.

        A wager is the player's seated at its box.
        """
        self.do("dan", c.OpenCoup())
        for text in filter(None, wagers.split(",")):
            wager = parse_wager(text.strip())
            person = wager.by or self.table.seated[wager.box]
            self.do("dan", c.PlaceWager(wager.box, wager.on, wager.cents, person))
        return self

    def deal(self, cards: str) -> list[TableEvent]:
        """Call no more bets where it is wanted, and deal these cards in the notation."""
        coup = self.table.coup
        assert coup is not None
        done: list[TableEvent] = []
        if self.table.terms.rules.wagers.close.call and not coup.locked and not coup.called:
            done += self.do("dan", c.NoMoreBets())
        for one in parse_drawn(cards):
            done += self.do("dan", c.DrawCard(one.card, one.laid))
        return done

    def coup(self, wagers: str, cards: str) -> list[TableEvent]:
        """A whole coup, from the call for bets to the discard rack; its events."""
        start = len(self.log)
        self.bet(wagers)
        self.deal(cards)
        self.do("dan", c.DeclareResult())
        self.do("dan", c.EndCoup())
        return self.log[start:]

    def nearly_empty(self, left: int = 20) -> "At":
        """With so few cards in the shoe, whatever has been dealt."""
        shoe = self.table.shoe
        assert shoe is not None
        self.table = replace(self.table, shoe=replace(shoe, drawn=shoe.drawn + shoe.left - left))
        return self

    def approve(self, person: str) -> list[TableEvent]:
        return self.do(person, c.Approve(self.table.proposal_number))


def ready(ruleset: str = "tas-2018", *people: str, **choices: object) -> At:
    """A table between two coups: staff on duty, players seated with chips, a shoe loaded."""
    at = At(ruleset, **choices).open().staffed()
    return at.seat(*(people or ("ann", "bob"))).shoe()


def contest(ruleset: str = "tas-2018", *people: str, dollars: int = 1000) -> At:
    """A competition table between two coups."""
    at = At(ruleset)
    conditions = Conditions("cup", "competition", dollars * 100, face_down=False)
    at.open(conditions=conditions).staffed()
    at.do("cora", c.SignOn(Role.DIRECTOR))
    for seat, person in enumerate(people or ("ann", "bob", "cy"), 1):
        at.do("dan", c.Sit(seat, person))
    at.do("cora", c.AllotChips())
    return at.shoe()


def competing(ruleset: str, kind: str, *people: str) -> At:
    """A competition table: run by hand as of old, or a session of it, perhaps a live one."""
    at = At(ruleset)
    limits, cash = at.notice.limits, kind == "live" and ruleset.startswith("tas")
    raised = Limits(2 * limits.min_cents, 2 * limits.max_cents, limits.multiple_cents)
    conditions = Conditions("cup", "cash" if cash else "competition", 50_000, None, raised)
    ways = PlayConditions()
    if ruleset == "mbs-2017":
        ways = PlayConditions("clockwise", "yes", "below-minimum", late="three-coups")
    session = SessionTerms("final", SessionEnds(coups=4), secrets=3, final=True, play=ways)
    at.open(conditions=conditions, session=None if kind == "alone" else session).staffed()
    at.do("cora", c.SignOn(Role.DIRECTOR))
    if kind == "alone":
        for seat, person in enumerate(people, 1):
            at.do("dan", c.Sit(seat, person))
        at.do("cora", c.AllotChips())
        return at.shoe()
    at.do("house", c.BeginSession(dict(enumerate(people, 1)), 7))
    if cash:
        at.do("dan", c.BuyIn(50_000, people[0]))
    at.do("dan", c.TakeSeat(people[0]))
    return at.shoe()


def of(kind: type[Kind], happened: Iterable[TableEvent]) -> list[Kind]:
    """The events of one kind."""
    return [event for event in happened if isinstance(event, kind)]


def one(kind: type[Kind], happened: Iterable[TableEvent]) -> Kind:
    """The only event of its kind."""
    (event,) = of(kind, happened)
    return event


def balanced(table: Table) -> bool:
    """Chips held, chips on the layout and the bank's gain are what was bought."""
    held = sum(table.chips.values())
    return held + table.layout_cents + table.bank_cents == table.bought_cents


def rebuilt(at: At) -> Table:
    return evolve_all(at.log)


__all__ = [
    "PEOPLE",
    "At",
    "balanced",
    "competing",
    "contest",
    "events",
    "of",
    "one",
    "ready",
    "rebuilt",
]
