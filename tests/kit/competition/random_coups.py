"""Coups of a competition's session at random: who comes, who bets what, which cards fall."""

from random import Random
from typing import Any

from puntobanco.errors import Refused
from puntobanco.house.competitions.coups import examine_forms, prepare_table
from puntobanco.house.competitions.playing import Player
from puntobanco.house.intents import LodgeForm
from puntobanco.rules.cards import DECK, Card
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.next_step import Next, next_step
from puntobanco.table.queries.competition import SIDES, betting_order, is_cash
from puntobanco.table.queries.face_down import face_down_position
from puntobanco.table.state import Phase, Table
from puntobanco.words import Step

SPELLED = {100: "one hundred", 200: "two hundred", 300: "three hundred"}
MOST = 60
"""The most steps of a coup."""


class RandomTable:
    """One table on its way through a session."""

    def __init__(self, player: Player, at: str, chance: Random) -> None:
        self.player, self.at, self.chance = player, at, chance

    @property
    def now(self) -> Table:
        return self.player.table(self.at)

    async def tried(self, ask: Any, who: str) -> bool:
        try:
            await self.player.give(self.at, ask, who)
        except Refused:
            return False
        return True

    async def two(self, ask: Any, first: str, second: str) -> bool:
        """A command that somebody else approves."""
        before = self.now.proposal_number
        if not await self.tried(ask, first):
            return False
        number = self.now.proposal_number
        return number == before or await self.tried(c.Approve(number), second)

    async def coup(self) -> None:
        """From what is due before a coup to the discard rack, with mishaps."""
        await prepare_table(self.player, self.at)
        await self._arrivals()
        if self.now.session and self.now.session.kind == "play-off":
            await self.tried(c.DrawForCoups(Card(self.chance.choice(("Ac", "2d")))), "dealer")
        if self.chance.random() < 0.15 and self.now.places:
            away = self.chance.choice(list(self.now.places))
            await self.tried(c.MarkAbsent(away, self.chance.random() < 0.6), "dealer")
        await self._open()
        if self.now.coup is None:
            return
        await self._bets()
        if self.chance.random() < 0.04:
            await self.two(c.VoidCoup("disrupted", "the lights went out"), "director", "manager")
        await self._dealt()

    async def _open(self) -> None:
        """Whoever is away is ruled on where play would wait."""
        if self.now.coup is not None or await self.tried(c.OpenCoup(), "dealer"):
            return
        for person in self.now.places:
            if person in self.now.contest.absent or self.now.chips.get(person, 0) < 0:
                await self.tried(c.GiveDirection("play goes on", person), "director")
        if not await self.tried(c.OpenCoup(), "dealer"):
            for person in list(self.now.places):
                await self._arrive(person)
                if person in self.now.contest.absent:
                    await self.tried(c.MarkAbsent(person, absent=False), "dealer")
            await self.tried(c.OpenCoup(), "dealer")

    async def _arrivals(self) -> None:
        for person in list(self.now.places):
            if person in self.now.contest.expected and self.chance.random() < 0.85:
                await self._arrive(person)

    async def _arrive(self, person: str) -> None:
        table = self.now
        if person not in table.contest.expected:
            return
        assert table.conditions is not None
        if is_cash(table) and not table.chips.get(person):
            await self.tried(c.BuyIn(table.conditions.allotment_cents, person), "dealer")
        await self.tried(c.TakeSeat(person), "dealer")

    async def _bets(self) -> None:
        for box in betting_order(self.now):
            table = self.now
            person = table.seated.get(box, "")
            if table.coup is None or not table.coup.takes_wagers or not person:
                return
            if any(wager.by == person and wager.on in SIDES for wager in table.coup.wagers):
                continue
            if self.chance.random() < 0.2 and table.contest.secrets_left.get(person):
                dollars, on = self.chance.choice((100, 200, 300)), self.chance.choice("pb")
                form = LodgeForm(str(dollars), SPELLED[dollars], on, person)
                if await self.tried(form, "dealer"):
                    continue
            least = table.terms.notice.limits.min_cents
            held = table.chips.get(person, 0)
            wished = self.chance.choice((least, 2 * least, 3 * least, held))
            on_ = self.chance.choice(SIDES)
            bet = c.PlaceWager(box, on_, max(wished, 1), person)
            if not await self.tried(bet, "dealer"):
                await self.tried(c.PlaceWager(box, on_, least, person), "dealer")
            if self.chance.random() < 0.15:
                await self.tried(c.PlaceWager(box, Bet.TIE, least, person), "dealer")

    async def _dealt(self) -> None:
        """Until the coup is over, whatever its steps are."""
        faces: dict[int, Card] = {}
        for _ in range(MOST):
            table = self.now
            if table.coup is None:
                return
            await self._step(table, faces)
        step = next_step(self.now)
        raise AssertionError(f"a coup that does not end: {step}, {self.now.phase}")

    async def _step(self, table: Table, faces: dict[int, Card]) -> None:
        step = next_step(table)
        match step.step:
            case Step.CALL | Step.TAKE_BETS:
                if not await self.tried(c.NoMoreBets(), "dealer"):
                    await self._make_up()
            case Step.EXAMINE_FORM | Step.TELL_FORMS:
                await examine_forms(self.player, self.at)
                await self._make_up()
            case Step.CARD_FOR_PLAYER | Step.CARD_FOR_BANKER | Step.DEAL_CARRIED:
                await self._card(table, faces, carried=step.step is Step.DEAL_CARRIED)
            case Step.CLOSE_COUP:
                if not await self.tried(c.CloseCoup(), "dealer"):
                    await self._make_up()
            case Step.RULE | Step.APPROVE:
                if not await self.tried(c.ConfirmFinding(upheld=True), "inspector"):
                    await self.two(c.RuleOn("void", "fell"), "director", "manager")
            case _:
                await self.player.give(self.at, self._plain(table, step, faces), "dealer")

    def _plain(self, table: Table, step: Next, faces: dict[int, Card]) -> Any:
        """What a dealer does next, without anything to decide."""
        side = Side(str(step.facts.get("side", Side.PLAYER)))
        match step.step:
            case Step.PASS_CARDS:
                return c.PassCards(side)
            case Step.TURN_CARDS:
                position = face_down_position(table, side)
                return c.TurnCard(faces[position], position)
            case Step.DECLARE:
                return c.DeclareResult()
            case Step.CLEAR:
                return c.EndCoup()
            case _:
                raise AssertionError(f"a coup stands still: {step}")

    async def _card(self, table: Table, faces: dict[int, Card], *, carried: bool) -> None:
        coup = table.coup
        assert coup is not None
        card = Card(self.chance.choice(DECK))
        faces[len(coup.drawn) + 1] = card
        shown = None if coup.face_down else card
        ask = c.DealCarried(shown) if carried else c.DrawCard(shown)
        if not await self.tried(ask, "dealer"):
            await self._make_up()
            await self.tried(c.NoMoreBets(), "dealer")

    async def _make_up(self) -> None:
        """Whoever still owes a wager makes the least one, or is away."""
        for box in betting_order(self.now):
            table = self.now
            person = table.seated.get(box, "")
            if table.coup is None or not person:
                return
            if any(wager.by == person and wager.on in SIDES for wager in table.coup.wagers):
                continue
            if person in table.coup.forms and table.coup.forms[person].verdict != "sent-back":
                continue
            least = table.terms.notice.limits.min_cents
            if not await self.tried(c.PlaceWager(box, Bet.PLAYER, least, person), "dealer"):
                await self.tried(c.MarkAbsent(person), "dealer")

    async def correct(self) -> None:
        """Somebody finds a mistake, or believes so."""
        table = self.now
        coups = [coup.number for coup in table.coups]
        people = list(table.contest.drawn.values())
        if not people or table.coup is not None:
            return
        person, number = self.chance.choice(people), self.chance.choice(coups or [1])
        seat = next(box for box, who in table.contest.drawn.items() if who == person)
        ask: Any = self.chance.choice(
            (
                c.VoidEarlier(number, "found on film", cause="disrupted"),
                c.VoidEarlier(number, "found on film", self.chance.randint(1, 4)),
                c.CorrectChips(person, self.chance.choice((0, 10000, 40000)), "counted anew"),
                c.Reinstate(person, "the coup fell"),
                c.CorrectWager(number, person, seat, Bet.BANKER, 10000, "seen on film"),
                c.VoidWagers(person, "not theirs", number),
            )
        )
        first = "director" if isinstance(ask, c.Reinstate) else "inspector"
        await self.two(ask, first, "manager") or await self.two(ask, first, "director")

    @property
    def is_over(self) -> bool:
        return self.now.phase is Phase.OVER


STAFF = {
    "manager": frozenset({Role.MANAGEMENT}),
    "director": frozenset({Role.DIRECTOR}),
    "inspector": frozenset({Role.INSPECTOR}),
    "supervisor": frozenset({Role.CASINO_SUPERVISOR}),
    "dealer": frozenset({Role.DEALER}),
}
