"""The house's own shoe: committed, dealt, survived a restart, opened; and false shuffles."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from puntobanco.house.stream import Attempt, Given, give
from puntobanco.house.virtual_shoe import (
    dealt,
    face_down_card,
    next_card,
    order_of,
    shoe_cards,
    shuffle_and_seal,
)
from puntobanco.journal.envelope import GivenBy
from puntobanco.journal.log import EventLog, Sealed
from puntobanco.journal.seal import SealError
from puntobanco.journal.sqlite import open_log
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Laid
from puntobanco.rules.documents.ruleset import RULESETS, Bet
from puntobanco.rules.shoe import RUN, full_set, longest_repeat
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.state import Table
from tests.kit.house.driver import KEY, house_over, seeded
from tests.kit.table.at import PEOPLE, At


class Dealt:
    """A table in a house, dealt from the house's own shoe."""

    def __init__(self, log: EventLog, ruleset: str, seed: int) -> None:
        self.house = house_over(log)
        self.table = self.house.table("table-1")
        self.at = At(ruleset)
        self.chance = seeded(seed)
        self.number = 0

    @property
    def state(self) -> Table:
        return self.table.state

    async def do(self, person: str, ask: c.TableCommand, *sealed: Sealed) -> tuple[object, ...]:
        """Past the house, which would not let a card too many out of its own shoe."""
        self.number += 1
        by = Actor(person, self.at.by(person).roles, self.house.time.now_ms())
        roles = GivenBy(tuple(sorted(by.roles)), 0)
        given = Given(ask, ask, by, roles, f"c{self.number}")
        (change,) = await give(
            self.house.log,
            [self.table],
            self.house.register,
            lambda: Attempt((given,), sealed),
            tuple,
        )
        return change.events

    async def open(self) -> None:
        notice = self.at.notice
        opened = c.OpenTable(notice, "monday", "shoe 1", "GRC 1", "today", {}, "red")
        await self.do("mara", opened)
        for person in ("dan", "ines", "sue"):
            (role,) = PEOPLE[person]
            await self.do(person, c.SignOn(role))
        await self.do("ann", c.Sit(1))
        await self.do("dan", c.BuyIn(10**7, "ann"))
        await self.do("dan", c.CheckCards("set A", player="ann"))
        ask, sealed = shuffle_and_seal(self.state, self.chance, KEY)
        await self.do("dan", ask, sealed)
        await self.do("ann", c.AddWords("rain on Tuesday"))
        await self.do("ann", c.CutCards(77, 1))
        await self.do("dan", c.LoadShoe(self.state.terms.behind_marker))
        if self.state.terms.notice.burn:
            await self.do("dan", c.BurnCards(self.next()))
            await self.do("dan", c.BurnCards(face_down=self.state.burn_due))

    def next(self) -> Card:
        order = order_of(self.state, self.house.log, KEY)
        return next_card(self.state, shoe_cards(self.state, lambda: order))

    async def coup(self, *, excess: bool = False) -> None:
        await self.do("dan", c.OpenCoup())
        coup = self.state.coup
        assert coup is not None
        if coup.takes_wagers:
            await self.do("dan", c.PlaceWager(1, Bet.BANKER, 10_000, "ann"))
            if self.state.terms.rules.wagers.close.call:
                await self.do("dan", c.NoMoreBets())
        while self.state.coup and self.state.coup.carried:
            order = order_of(self.state, self.house.log, KEY)
            cards = shoe_cards(self.state, lambda order=order: order)  # type: ignore[misc]
            card = face_down_card(self.state, cards, self.state.coup.begun + 1)
            await self.do("dan", c.DealCarried(card))
        while self.state.coup and self.state.coup.hands(self.state.terms).owed:
            await self.do("dan", c.DrawCard(self.next()))
        if excess:
            await self.do("dan", c.DrawCard(None, Laid.NOWHERE))
        await self.do("dan", c.DeclareResult())
        await self.do("dan", c.EndCoup())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_shoe_is_dealt_over_a_restart_and_opens_to_what_was_committed(
    ruleset: str, tmp_path: Path
) -> None:
    async def main() -> None:
        log = open_log(tmp_path / "house.db")
        evening = Dealt(log, ruleset, 5)
        await evening.open()
        for number in range(8):
            await evening.coup(excess=number == 3)
        before = evening.state
        await log.close()
        log = open_log(tmp_path / "house.db")
        number, chance = evening.number, evening.chance
        evening = Dealt(log, ruleset, 5)
        evening.number, evening.chance = number, chance
        assert evening.state == before
        while evening.state.shoe and not evening.state.shoe.ended:
            await evening.coup()
        order = order_of(evening.state, log, KEY)
        await evening.do("dan", c.EndShoe())
        (opened,) = await evening.do("dan", c.OpenCommitment(order.cards, order.salt))
        assert isinstance(opened, events.CommitmentOpened)
        assert (opened.agrees, opened.fault) == (True, "")
        await log.close()

    asyncio.run(main())


def test_squeezed_cards_are_those_of_the_order(tmp_path: Path) -> None:
    async def main() -> None:
        log = open_log(tmp_path / "house.db")
        evening = Dealt(log, "mbs-2017", 9)
        await evening.open()
        await evening.do("mara", c.SetFaceDown(down=True))
        first = evening.next()
        await evening.do("dan", c.OpenCoup())
        await evening.do("dan", c.NoMoreBets())
        for _ in range(4):
            await evening.do("dan", c.DrawCard())
        order = order_of(evening.state, log, KEY)
        card_at = shoe_cards(evening.state, lambda: order)
        cards = [face_down_card(evening.state, card_at, position) for position in (1, 2, 3, 4)]
        assert cards[0] == first
        assert tuple(cards) == dealt(evening.state, order)[:4]
        await log.close()

    asyncio.run(main())


def test_the_order_is_nowhere_in_the_database_before_it_is_opened(tmp_path: Path) -> None:
    async def main() -> tuple[Card, ...]:
        log = open_log(tmp_path / "house.db")
        evening = Dealt(log, "tas-2018", 3)
        await evening.open()
        order = order_of(evening.state, log, KEY)
        with pytest.raises(SealError):
            order_of(evening.state, log, b"x" * 32)
        await log.close()
        return order.cards

    cards = asyncio.run(main())
    held = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for start in range(0, len(cards) - 8, 4):
        for joined in ("".join, " ".join, '","'.join):
            assert joined(cards[start : start + 4]).encode() not in held


def test_a_false_shuffle_shows_and_an_honest_one_does_not() -> None:
    chance = Random(1)
    before = list(full_set(8))
    chance.shuffle(before)
    for _ in range(10):
        now = list(before)
        chance.shuffle(now)
        assert longest_repeat(tuple(before), tuple(now)) < RUN
        slug, place = before[100:112], chance.randrange(300)
        for kept in (slug, slug[::-1]):
            planted = (*now[:place], *kept, *now[place:])
            assert longest_repeat(tuple(before), planted) >= RUN
