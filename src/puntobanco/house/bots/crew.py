"""Bots: patrons that bet by simple plans, and staff whom a person may relieve at any time.

A bot can do no more than a person: it is enrolled, has its roles from the register and gives the
same commands. It signs off as soon as a person signs on for its duty.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.competition.state import Competition
from puntobanco.errors import Refused
from puntobanco.house.bots.contest import competing
from puntobanco.house.bots.face_down import acknowledged, granted
from puntobanco.house.bots.pace import AT_ONCE, Pace
from puntobanco.house.bots.plans import WAGERS, amount
from puntobanco.house.bots.tournament import (
    FINISHED,
    Tournament,
    drafted,
    tournament_named,
    tournament_tables,
    tournament_wishes,
)
from puntobanco.house.house import CAGE, House
from puntobanco.house.intents import AtTable, Deal, OpenOrder, ShuffleHouse
from puntobanco.house.stream import Stream
from puntobanco.house.virtual_shoe import DEALT_AT
from puntobanco.register.commands import Plan
from puntobanco.register.settings import Tempo
from puntobanco.register.state import Register
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Verdict
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.authority import OVERSEER, counting_roles
from puntobanco.table.next_step import Next, next_step
from puntobanco.table.queries.betting import reductions
from puntobanco.table.state import Phase, Table
from puntobanco.words import Step

LONG_MS = 10**9
"""Longer than anybody waits."""
BUY_IN = 40
"""The chips that a bot buys at a time, in minimum wagers."""
STAFF_PLANS: tuple[Plan, ...] = (
    "dealer",
    "inspector",
    "manager",
    "surveillance",
    "cashier",
    "director",
)
DUTIES: dict[Plan, frozenset[Role]] = {"dealer": frozenset({Role.DEALER}), "inspector": OVERSEER}
Ask = AtTable | cage.CageCommand
Wish = tuple[str, Ask]
"""A bot, and the command that it would give."""


class Crew(Struct, frozen=True):
    """The bots of one table."""

    staff: dict[Plan, str]
    patrons: dict[str, Plan]
    seats: dict[str, int]


def crew_of(register: Register, table: str) -> Crew:
    bots = {
        person: member.bot
        for person, member in register.people.items()
        if member.bot and member.bot.table in (table, "") and member.enabled
    }
    return Crew(
        {bot.plan: person for person, bot in bots.items() if bot.plan in STAFF_PLANS},
        {person: bot.plan for person, bot in bots.items() if bot.plan not in STAFF_PLANS},
        {person: bot.seat for person, bot in bots.items()},
    )


class Bots:
    """Runs the bots of a house, one command at a time."""

    def __init__(self, house: House, pace: Pace = AT_ONCE) -> None:
        self.house = house
        self.pace = pace
        self._crews: dict[str, Crew] = {}
        self._asked: dict[str, dict[Wish, int]] = {}
        """The wishes of each table that a person may still act on first, with their start."""
        self._register: Register | None = None
        self._steps: dict[str, tuple[object, int]] = {}
        """What comes next at each table, and since when."""
        self._waits: dict[str, tuple[tuple[int, int], int]] = {}
        """Until when staff of a table wait, as of which rows of table and register."""

    def due_ms(self, now_ms: int) -> int | None:
        """When staff who keep a tempo act next; None: nobody waits for a moment to come."""
        return min((until for _, until in self._waits.values() if until > now_ms), default=None)

    def crew(self, table: str) -> Crew:
        """The bots of a table, looked up again when the register has changed."""
        if self._register is not self.house.register.state:
            self._register = self.house.register.state
            self._crews.clear()
        if table not in self._crews:
            self._crews[table] = crew_of(self._register, table)
        return self._crews[table]

    async def step(self, table: Stream[Table]) -> bool:
        """Let one bot give one command; False when no bot has one to give, or may."""
        as_of, until = self._waits.get(table.name, ((0, 0), 0))
        if as_of == self._as_of(table) and self.house.time.now_ms() < until:
            return False
        self._waits.pop(table.name, None)
        wishes = self._wishes(table)
        while True:
            try:
                person, ask = next(wishes)
            except (StopIteration, Refused):  # Refused: the shoe does not open, so no bot can deal
                return False
            try:
                await self._give(table, person, ask)
            except Refused:
                continue
            return True

    def _as_of(self, table: Stream[Table]) -> tuple[int, int]:
        return table.seq, self.house.register.seq

    async def _give(self, table: Stream[Table], person: str, ask: Ask) -> None:
        if isinstance(ask, c.ExamineSecret):  # whoever examines a form is shown it first
            faults = (await self.house.form(table.name, ask.person, person)).faults
            ask = c.ExamineSecret(ask.person, "sent-back" if faults else "accepted", faults)
        at = CAGE if isinstance(ask, cage.ToCage) else table.name
        await self.house.give(at, ask, person, self.house.own_id(""))

    # tournaments of bots

    def tournaments(self) -> list[str]:
        """The tables at which a director bot runs one tournament after another."""
        people = self.house.register.state.people.values()
        bots = [one.bot for one in people if one.bot and one.enabled]
        return [bot.table for bot in bots if bot.plan == "director"]

    async def step_tournament(self, table: str) -> bool:
        """Let one bot give one command to the tournament of a table, or begin the next one."""
        crew, now = self.crew(table), self.house.time.now_ms()
        if not {"director", "manager"} <= {*crew.staff}:
            return False
        number = 1
        while tournament_named(table, number + 1) in self.house.competitions:
            number += 1
        stream = self.house.competitions.get(tournament_named(table, number))
        waited = now - stream.at_ms if stream else self.pace.patience_ms
        if 0 <= waited < self.pace.act_ms:
            return False
        patience = self.pace.patience_ms
        wishes: Iterable[tuple[str, Any]] = ()
        if stream is not None and stream.state.phase not in FINISHED:
            wishes = tournament_wishes(self._tournament(table, stream.state, waited))
        elif not 0 <= waited < patience:
            number += stream is not None
            tables = tournament_tables(self.house.register.state, table)
            players = sum(len(self.crew(one).patrons) for one in tables)
            draft = drafted(number, players, now, self.pace.coups, len(tables))
            wishes = [(crew.staff["director"], draft)]
        return await self._first_taken(tournament_named(table, number), wishes)

    def _tournament(self, table: str, competition: Competition, waited: int) -> Tournament:
        tables = tournament_tables(self.house.register.state, table)
        opened = {one: self.house.tables[one].state for one in tables if one in self.house.tables}
        patrons = (person for one in tables for person in self.crew(one).patrons)
        return Tournament(
            competition,
            self.house.cage.state,
            tables,
            opened,
            self.crew(table).staff,
            tuple(patrons),
            self.house.time.now_ms(),
            waited,
            self.pace.patience_ms,
        )

    async def _first_taken(self, at: str, wishes: Iterable[tuple[str, Any]]) -> bool:
        for person, ask in wishes:
            where = CAGE if isinstance(ask, cage.ToCage) else at
            try:
                await self.house.give(where, ask, person, self.house.own_id(""))
            except Refused:
                continue
            return True
        return False

    # what each of them would do now

    def _wishes(self, stream: Stream[Table]) -> Iterator[Wish]:
        table, crew = stream.state, self.crew(stream.name)
        if table.phase is Phase.SHUT and not table.pack.check_due:
            return
        yield from self._patrons(table, crew)
        yield from self._duties(stream.name, table, crew)
        step, tempo = next_step(table), self.house.register.state.settings.tempo_of(stream.name)
        since_ms = self._since(stream, step)
        waited = self.house.time.now_ms() - since_ms
        if waited < 0:  # the clock was set back: wait no longer, or bots would stand still
            waited = LONG_MS
        pause_ms = self.pace.pause_ms(table, step.step, tempo)
        if waited < pause_ms:
            self._waits[stream.name] = (self._as_of(stream), since_ms + pause_ms)
            return
        yield from self._patiently(stream.name, list(self._manager(table, crew)))
        yield from granted(table, crew.staff)
        if step.step in (Step.RULE, Step.APPROVE):
            yield from self._rule(table, crew)
        elif ask := self._next(table, step, waited, tempo):
            for who in self._hands(table, crew):
                yield who, ask

    def _since(self, stream: Stream[Table], step: Next) -> int:
        """When the next step became what it is: whatever players do meanwhile, nobody waits longer
        for them.
        """
        coup = stream.state.coup
        comes = step, coup.drawn if coup else ()
        before, since_ms = self._steps.get(stream.name, (None, 0))
        if comes != before:
            since_ms = stream.at_ms
            self._steps[stream.name] = comes, since_ms
        return since_ms

    def _hands(self, table: Table, crew: Crew) -> list[str]:
        """The staff bots on duty, the dealer first; the first whom the rules let acts."""
        on_duty = {duty.person for duty in table.staff}
        staff = [crew.staff.get("dealer", ""), crew.staff.get("inspector", "")]
        if table.phase is Phase.SHUT:  # nobody signs on to check cards
            return [bot for bot in staff if bot]
        return [bot for bot in staff if bot in on_duty]

    def _duties(self, name: str, table: Table, crew: Crew) -> Iterator[Wish]:
        """Sign on for a duty that nobody has, and off when a person has come."""
        people = self.house.register.state.people
        for plan, roles in DUTIES.items():
            bot = crew.staff.get(plan)
            if bot is None:
                continue
            there = [
                duty.person for duty in table.staff if duty.role in counting_roles(table, roles)
            ]
            there = [who for who in there if who in people and people[who].enabled]
            relieved = any(people[who].bot is None for who in there)
            if relieved and bot in there:
                yield bot, c.SignOff()
            elif not there and table.is_open:
                for role in sorted(counting_roles(table, people[bot].roles_at(name) & roles)):
                    yield bot, c.SignOn(role)

    def _manager(self, table: Table, crew: Crew) -> Iterator[Wish]:
        """Approve other people's proposals, and acknowledge face-down cards."""
        if bot := crew.staff.get("manager"):
            for number, proposal in table.proposals.items():
                if proposal.person != bot:
                    yield bot, c.Approve(number)
        yield from acknowledged(table, crew.staff)

    def _patiently(self, name: str, wishes: list[Wish]) -> Iterator[Wish]:
        """Hold wishes back until people have had time to act first."""
        now = self.house.time.now_ms()
        before = self._asked.get(name, {})
        asked = self._asked[name] = {wish: before.get(wish, now) for wish in wishes}
        for wish, since in asked.items():
            if not 0 <= now - since < self.pace.patience_ms:
                yield wish

    def _rule(self, table: Table, crew: Crew) -> Iterator[Wish]:
        coup, bot = table.coup, crew.staff.get("inspector")
        if coup is None or bot is None or table.proposals:
            return
        if coup.found_verdict is Verdict.RULING:
            yield bot, c.RuleOn("stands", "nothing speaks against it")
        else:
            yield bot, c.ConfirmFinding(upheld=True)

    def _next(self, table: Table, step: Next, waited: int, tempo: Tempo) -> Ask | None:
        """The command that the next step of the table needs, if a bot can give it now."""
        if table.pack.opening_due:
            return OpenOrder()
        if step.step in DEALT_AT - {Step.TAKE_BETS}:
            turning = step.step is Step.TURN_CARDS and self._is_held(table, step)
            patient = turning and waited < self.pace.turn_ms(tempo)  # theirs to turn
            return None if patient else Deal()
        if step.step in (Step.TAKE_BETS, Step.CALL):
            return self._after_bets(table, step)
        if step.step in CUTS:
            return self._cut(table, step, waited)
        if step.step in (Step.OPEN_COUP, Step.OPEN_WITHOUT_BETS):
            return self._open(table, tempo)
        make = STEPS.get(step.step)
        return make(table) if make else None

    def _open(self, table: Table, tempo: Tempo) -> Ask:
        bets_ms = 0 if _each_has_time(table) else self.pace.bets_ms(tempo)
        return c.OpenCoup(self.house.time.now_ms() + bets_ms if bets_ms else None)

    def _is_held(self, table: Table, step: Next) -> bool:
        """Does a person hold the hand that is turned next? A bot, or nobody, is not waited for."""
        assert table.coup is not None
        holder = table.coup.held_by.get(Side(str(step.facts["side"])), "")
        member = self.house.register.state.people.get(holder)
        return member is not None and member.bot is None

    def _after_bets(self, table: Table, step: Next) -> Ask | None:
        """Close betting once the time is over, or at once where there is no clock."""
        coup = table.coup
        assert coup is not None
        if coup.until_ms is not None and not coup.time_over and coup.takes_wagers:
            return None
        if reductions(table):
            return c.ReduceWagers()
        if step.step is Step.CALL:
            return c.NoMoreBets()
        return Deal()

    def _words_may_come(self, table: Table, waited: int) -> bool:
        """Is there still time for a person at the table who has added no words to the order?"""
        people, added = self.house.register.state.people, dict(table.pack.words)
        waiting = (
            person not in added and people[person].kind == "patron" and people[person].bot is None
            for person in table.seated.values()
            if person in people
        )
        bound = bool(table.pack.commitment)
        return bound and waited < min(WORDS_MS, self.pace.patience_ms) and any(waiting)

    def _cut(self, table: Table, step: Next, waited: int) -> Ask | None:
        """Cut for a bot; wait for a person, and then offer the cut to the next player."""
        if self._words_may_come(table, waited):
            return None
        if step.step is Step.STAFF_CUT:
            return c.CutCards(_depth(table))
        seat = int(str(step.facts["seat"]))
        member = self.house.register.state.people.get(table.seated[seat])
        if member is not None and member.bot is not None:
            return c.CutCards(_depth(table), seat)
        if member is not None and member.kind == "guest":  # who is not asked
            return c.RefuseCut(seat)
        return c.RefuseCut(seat) if waited >= self.pace.patience_ms else None

    # patrons

    def _patrons(self, table: Table, crew: Crew) -> Iterator[Wish]:
        if not table.is_open or table.notice is None:
            return
        dealer = crew.staff.get("dealer", "")
        if table.is_contest:
            yield from competing(table, self._bots_in(table), dealer, self.house.time.now_ms())
            return
        betting = table.phase is Phase.BETTING and not (table.coup and table.coup.time_over)
        laid = {wager.by for wager in table.coup.wagers} if table.coup else set()
        for person, plan in crew.patrons.items():
            if person not in table.places:
                if person not in table.excluded and crew.seats[person] not in table.seated:
                    yield person, c.Sit(crew.seats[person])
                continue
            if betting and person not in laid:
                wish = WAGERS[plan](table, person)
                if wish is not None:
                    yield person, wish
                    yield from self._buy_in(table, crew, dealer, person, wish.cents)

    def _bots_in(self, table: Table) -> dict[str, Plan]:
        """The bots for whom seats of the session were drawn, whichever table they are from."""
        people = self.house.register.state.people
        drawn = (people.get(person) for person in table.contest.drawn.values())
        plans = {
            person: member.bot.plan
            for person, member in zip(table.contest.drawn.values(), drawn, strict=True)
            if member is not None and member.bot is not None
        }
        return {person: plan for person, plan in plans.items() if plan not in STAFF_PLANS}

    def _buy_in(
        self, table: Table, crew: Crew, dealer: str, person: str, cents: int
    ) -> Iterator[Wish]:
        """Buy chips through the dealer; when the account is short, pay in through the cashier."""
        enough = table.chips.get(person, 0) >= cents or table.play_cents  # which are given
        if enough or not table.on_duty(dealer, Role.DEALER):
            return
        wanted = max(cents, BUY_IN * amount(table, Bet.BANKER))
        yield dealer, c.BuyIn(wanted, person)
        held = self.house.cage.state.accounts.get(person)
        if cashier := crew.staff.get("cashier"):
            if held is None:
                yield cashier, cage.OpenAccount(person)
            elif held < wanted:
                yield cashier, cage.Deposit(person, 100 * wanted)


def _close_coup(table: Table) -> c.TableCommand | None:
    """Close a coup undealt once bets are over; before that, wait for somebody to come and bet."""
    return c.CloseCoup() if table.coup and (table.coup.called or table.coup.locked) else None


def _each_has_time(table: Table) -> bool:
    """Whether each wager of a session has its own time, and the coup therefore none."""
    return table.session is not None and table.session.wager_seconds > 0


def _depth(table: Table) -> int:
    """The depth at which a bot cuts: the middle."""
    assert table.notice is not None
    return table.notice.decks * 26


def _check_cards(table: Table) -> c.TableCommand:
    """Check the set in use, or a fresh one when players have handled it."""
    pack = table.pack
    number = len(pack.retired) + 1
    set_id = f"set {number}" if pack.set_id in ("", *pack.retired) else pack.set_id
    return c.CheckCards(set_id, player=next(iter(table.places), ""))


def _pass_cards(table: Table) -> c.TableCommand:
    return c.PassCards(Side(str(next_step(table).facts["side"])))


def _examine(table: Table) -> c.TableCommand:
    """The form that is next; what the inspector finds in it is the verdict."""
    return c.ExamineSecret(str(next_step(table).facts["person"]), "accepted")


CUTS = (Step.OFFER_CUT, Step.STAFF_CUT)
WORDS_MS = 10_000
"""The time that people have for words before a bot has the cards cut, if they are left any."""
STEPS: dict[Step, Callable[[Table], AtTable | None]] = {
    Step.CHECK_AT_END: lambda _: c.CheckCardsAtEnd(),
    Step.CHECK_CARDS: _check_cards,
    Step.SHUFFLE: lambda _: ShuffleHouse(),
    Step.LOAD_SHOE: lambda table: c.LoadShoe(table.terms.behind_marker),
    Step.END_SHOE: lambda _: c.EndShoe(),
    Step.CLOSE_COUP: _close_coup,
    Step.PASS_CARDS: _pass_cards,
    Step.EXAMINE_FORM: _examine,
    Step.TELL_FORMS: lambda _: c.AnnounceSecrets(),
    Step.DECLARE: lambda _: c.DeclareResult(),
    Step.CLEAR: lambda _: c.EndCoup(),
}
"""The commands for steps that need nothing but the table."""
