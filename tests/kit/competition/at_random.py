"""A whole competition at random: entries, draws, sessions, mishaps, play-offs, prizes."""

from itertools import count
from random import Random
from typing import Any

from puntobanco.competition import commands as k
from puntobanco.competition.queries import standings
from puntobanco.competition.state import Competition, CompetitionPhase, EntryStatus
from puntobanco.errors import Refused
from puntobanco.house.competitions.coups import cash_what_is_left
from puntobanco.house.competitions.playing import NAME, Player
from puntobanco.house.competitions.script import Script
from puntobanco.house.house import House
from puntobanco.house.written_session import CASHIER, SessionTime
from puntobanco.journal.verify import HOUSE
from puntobanco.rules.competition.draw import Spoken
from puntobanco.rules.competition.places import How
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.table.actor import Role
from tests.kit.competition.random_conditions import random_conditions
from tests.kit.competition.random_coups import STAFF, RandomTable

P = CompetitionPhase
S = EntryStatus
ENDS = frozenset({P.DONE, P.CANCELLED})
MOST = 150
"""The most steps of a competition: one that takes more is stuck."""
WORDS = (Spoken("witness", "rain on Tuesday"),)


LARGE_EVERY = 25
"""One competition in so many has three tables of heats; with few people most is seen sooner."""


def patrons_of(seed: int) -> list[str]:
    return [f"p{number}" for number in range(1, 17 if _is_large(seed) else 9)]


def _is_large(seed: int) -> bool:
    return seed % LARGE_EVERY == LARGE_EVERY - 1


def people_of(patrons: list[str]) -> Script:
    people = {**STAFF, **{who: frozenset({Role.PATRON}) for who in patrons}}
    return Script("", people, ())


class OwnIds(Player):
    """Goes on in a house that was set up before, with ids that were not given there."""

    def __init__(self, house: House, time: SessionTime, script: Script, text: str) -> None:
        super().__init__(house, time, script, text)
        self.numbers = count(1)

    async def give(self, at: str, ask: Any, who: str) -> None:
        self.time.now_ms += 1000
        await self.house.give(at, ask, who, f"random-{next(self.numbers)}")


class RandomCompetition:
    """One competition; everything that happens comes from one source of chance."""

    def __init__(self, house: House, time: SessionTime, seed: int) -> None:
        self.chance = Random(f"competition {seed}")
        self.ruleset = RULESETS[seed % len(RULESETS)]
        self.patrons = patrons_of(seed)
        self.text = random_conditions(self.chance, self.ruleset, large=_is_large(seed))
        self.player = OwnIds(house, time, people_of(self.patrons), self.text)
        self.did: list[str] = []

    @property
    def now(self) -> Competition:
        return self.player.competition

    async def tried(self, ask: Any, who: str, at: str = NAME) -> bool:
        """Give a command that may be refused; whatever is due then follows."""
        try:
            await self.player.give(at, ask, who)
        except Refused as refused:
            self.did.append(f"! {who}: {ask.__struct_config__.tag} {refused.reason.value}")
            return False
        self.did.append(f"{who}: {ask.__struct_config__.tag}")
        return True

    async def two(self, ask: Any) -> bool:
        if not await self.tried(ask, "director"):
            return False
        return await self.tried(k.Approve(self.now.proposal_number), "manager")

    async def line_up(self) -> None:
        if NAME in self.player.house.competitions:
            await self.player.relay.bring_into_line(NAME)

    async def play(self) -> None:
        """In a house in which everyone is enrolled."""
        await self.tried(k.Draft(self.text), "director")
        assert await self.two(k.Publish()), self.did
        await self.tried(k.OpenEntries(), "director")
        await self.tried(k.CommitDraw(), "director")
        await self.tried(k.SignOn(Role.DIRECTOR), "director")
        for _ in range(MOST):
            if self.now.phase in ENDS:
                break
            await self._mishap()
            if self.now.phase not in ENDS:
                await self._onward()
            await self.line_up()
        assert self.now.phase in ENDS, f"stuck in {self.now.phase}: {self.did[-12:]}"
        self.player.time.now_ms += 2000
        await self.line_up()

    # mishaps

    async def _mishap(self) -> None:
        """Now and then something else than the next step is done."""
        if self.chance.random() > 0.3:
            return
        entered = list(self.now.entries) or self.patrons
        who, tables = self.chance.choice(entered), list(self.now.tables) or ["table-t1"]
        other, table = self.chance.choice(self.patrons), self.chance.choice(tables)
        note = "as it happens"
        asks: list[tuple[Any, str]] = [
            (k.Withdraw(), who),
            (k.Forfeit(who, note), "director"),
            (k.Substitute(who, self.chance.choice(("", other))), "director"),
            (k.AddValue(self.chance.choice((1, 10_000)), "cash"), "manager"),
            (k.Break(5), "director"),
            (k.Resume(), "director"),
            (k.GiveDirection("faster"), "director"),
            (k.StopTable(table, note), "director"),
            (k.StopTable(table, note), "director"),
            (k.ResumeAt(table, self.chance.choice(tables)), "director"),
            (k.FinishEarly(table), "director"),
            (k.LastCoup(), "director"),
            (k.MoveSeat(who, table, self.chance.randint(1, 6), note), "director"),
            (k.TakeReserve(who, other), "director"),
            (k.DesignateTable(f"table-t{self.chance.randint(1, 4)}"), "director"),
            (k.ReleaseTable(table), "director"),
            (k.RaiseDispute(note), who),
            (k.Rule("session", note, table), "director"),
            (k.SignOff(), "director"),
            (k.Draw(WORDS), "director"),
            (k.CommitDraw(), "director"),
        ]
        if self.chance.random() < 0.12:
            await self.two(self.chance.choice((k.Disqualify(who, note), k.Disqualify(other, note))))
        elif self.chance.random() < 0.03:
            await self.two(k.Cancel(note))
        elif self.chance.random() < 0.2:
            await self._correction()
        else:
            await self.tried(*self.chance.choice(asks))
        await self.line_up()

    async def _correction(self) -> None:
        known = [at for at in self.player.house.tables if self.player.table(at).is_open]
        if known:
            await RandomTable(self.player, self.chance.choice(known), self.chance).correct()

    # the usual course

    async def _onward(self) -> None:
        if not self.now.directors:
            await self.tried(k.SignOn(Role.DIRECTOR), "director")
        by_phase = {
            P.ENTERING: self._enter,
            P.CLOSED: self._draw,
            P.DRAWN: self._prepare,
            P.PREPARING: self._start,
            P.RUNNING: self._play_on,
            P.OVER: self._over,
            P.PLAY_OFF: self._play_off,
            P.CONFIRMED: self._confirmed,
        }
        await by_phase.get(self.now.phase, self._pay)()

    async def _prepare(self) -> None:
        for at in self.now.now.seats:
            await cash_what_is_left(self.player, at)
        await self.tried(k.PrepareSession(), "director")

    async def _play_off(self) -> None:
        chips = self.chance.choice((20_000, 30_000))
        await self.tried(k.SetPlayOffChips(chips), "director")
        await self._start()

    async def _enter(self) -> None:
        for who in self.chance.sample(self.patrons, self.chance.randint(2, len(self.patrons))):
            if not await self.tried(k.Apply(), who):
                continue
            chance = self.chance.random()
            if chance < 0.08:
                await self.tried(k.Refuse(who, "no"), "manager")
                continue
            if chance < 0.2 and await self.tried(k.AddReserve(who), "director"):
                await self.tried(k.Endorse(self.now.version), who)
                continue
            await self.tried(k.Accept(who), "director")
            await self.tried(k.Endorse(self.now.version), who)
            await self.tried(k.PayEntry(), who)
        if not await self.tried(k.CloseEntries(), "director") and self.chance.random() < 0.3:
            await self.two(k.Cancel("too few"))

    async def _draw(self) -> None:
        for number in range(1, 4):
            if f"table-t{number}" not in self.now.tables:
                await self.tried(k.DesignateTable(f"table-t{number}"), "director")
        if not self.now.commitment:
            await self.tried(k.CommitDraw(), "director")
        if self.chance.random() < 0.7 and await self.tried(k.Draw(WORDS), "director"):
            return
        people = [
            who
            for who, entrant in self.now.entries.items()
            if entrant.status in (S.PAID, S.THROUGH, S.SECONDARY, S.SEATED)
        ]
        seats = self.now.stage.seats
        tables: dict[str, dict[int, str]] = {
            f"table-t{number // seats + 1}": {} for number in range(len(people))
        }
        for number, who in enumerate(people):
            at = f"table-t{number % len(tables) + 1}"
            tables[at][len(tables[at]) + 1] = who
        first = dict.fromkeys(tables, 1)
        if not await self.two(k.KeyDraw(tables, first)) and self.chance.random() < 0.3:
            await self.two(k.Cancel("no draw"))

    async def _start(self) -> None:
        if not await self.tried(k.StartSession(), "director"):
            if self.chance.random() < 0.2:
                await self.two(k.Cancel("no start"))
            return
        await self.line_up()
        for at in self.now.now.seats:
            await cash_what_is_left(self.player, at)
        self.player.time.now_ms += 2000
        await self.line_up()
        for at in self.now.now.seats:
            await self.player.tray(at)

    async def _play_on(self) -> None:
        session = self.now.now
        if self.now.break_until_ms is not None:
            await self.tried(k.Resume(), "director")
        await self._go_on()
        await self.line_up()
        session = self.now.now
        for at in (session.moved.get(drawn, drawn) for drawn in session.seats):
            if at not in self.player.house.tables:
                continue
            one = RandomTable(self.player, at, self.chance)
            if self.now.phase is P.RUNNING and one.now.contest.allotted and not one.is_over:
                await one.coup()
                await self.line_up()
        session = self.now.now
        if session.ends_ms is not None and self.chance.random() < 0.5:
            self.player.time.now_ms = max(self.player.time.now_ms, session.ends_ms)
            await self.tried(k.RunOut(), HOUSE)
        elif not session.last_coup and not session.ends_ms and self.chance.random() < 0.05:
            await self.tried(k.LastCoup(), "director")
        for drawn in session.seats:
            left = self._seated(session.moved.get(drawn, drawn))
            if len(left) < 2 and not await self.tried(k.FinishEarly(drawn), "director"):
                await self.tried(k.Rule("session", "nobody is left", drawn), "director")

    async def _go_on(self) -> None:
        """Stopped tables go on, here or elsewhere."""
        session = self.now.now
        for drawn in session.stopped:
            at = self.chance.choice((session.moved.get(drawn, drawn), *self.now.tables))
            if not await self.tried(k.ResumeAt(drawn, at), "director"):
                here = session.moved.get(drawn, drawn)
                await self.tried(k.ResumeAt(drawn, here), "director")

    def _seated(self, at: str) -> list[str]:
        known = at in self.player.house.tables and self.player.table(at).contest.allotted
        return list(self.player.table(at).seated.values()) if known else ["somebody", "else"]

    async def _over(self) -> None:
        found = standings(self.now, self.now.stage_name)
        rows = [row for one in found.values() if one for row in one.places if row.at_stake]
        if not rows:
            if self.now.stage.wild and not self.now.wild_cards:
                if not self.now.commitment:
                    await self.tried(k.CommitDraw(), "director")
                await self.tried(k.NameWildCards(WORDS), "director")
            if not await self.tried(k.ConfirmStage(), "director") and self.chance.random() < 0.2:
                await self.two(k.Cancel("no end"))
            return
        row = self.chance.choice(rows)
        of = next(at for at, one in found.items() if one and row in one.places)
        coups = 1 if row.how is How.MORE_ROUNDS else 0
        order = k.OrderPlayOff(row.people, of, coups)
        if row.how is How.RULING or not await self.tried(order, "director"):
            people = self.chance.sample(row.people, len(row.people))
            await self.tried(k.Rule("places", "by lot", order=tuple(people)), "director")

    async def _confirmed(self) -> None:
        for session in self.now.sessions.values():
            for at in session.amended:
                follows = self.chance.random() < 0.5
                await self.two(k.Rule("result", "seen", at, follows=follows))
        if self.now.phase is not P.CONFIRMED:
            return
        if self.now.stages_done == len(self.now.conditions.stage):
            if not await self.two(k.ConfirmPlaces()) and self.chance.random() < 0.3:
                await self.two(k.Cancel("no places"))
            return
        if self.now.conditions.secondary.winners and not self.now.secondary_into:
            await self.tried(k.OpenSecondary("final"), "director")
        await self._draw()

    async def _pay(self) -> None:
        for who, entrant in list(self.now.entries.items()):
            if entrant.prize_cents and not entrant.prize_paid:
                await self.tried(k.PayPrize(who), CASHIER)
        await self.tried(k.PublishResults(), "director")
