"""Guests: play money without an account, in books of its own, under a few ids of the house's."""

from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path

import pytest

from puntobanco.cage import commands as cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.guests import (
    IDLE_MS,
    LONGEST_MS,
    MOST_ASKED,
    SWEEP_MS,
    WITHIN_MS,
    GuestSeats,
)
from puntobanco.house.access.people import WebSession
from puntobanco.house.bots.crew import Bots
from puntobanco.house.bots.setup import let_bots_play, open_bot_table, staff_table
from puntobanco.house.checks.audit import audit
from puntobanco.house.house import House
from puntobanco.house.lookback.receipts import rows_of_play
from puntobanco.house.loop import Running
from puntobanco.house.till.trays import expected_trays
from puntobanco.journal.log import EventLog
from puntobanco.register import commands as register
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.state import Table
from tests.kit.house.driver import Time, house_over
from tests.kit.house.figures import lines_of
from tests.kit.journal import using

TABLE, CENTS = "table-5", 100_000


class Place:
    """A house whose table-5 is for play money, with bots at it and three guest seats."""

    def __init__(self, house: House, time: Time) -> None:
        self.house, self.time = house, time
        self.seats = GuestSeats(house)
        self.bots = Bots(house)
        self._tokens = count(1)

    @property
    def state(self) -> Table:
        return self.house.tables[TABLE].state

    def begin(self, person: str) -> str:
        now, token = self.house.time.now_ms(), f"token-{next(self._tokens)}"
        self.house.people.begin(WebSession(token, person, now, now, "guest"))
        return token

    async def take(self, address: str = "here") -> str:
        """Sit a visitor down; return the id they play under."""
        token = await self.seats.take(address, self.begin)
        session = self.house.people.session(token)
        assert session is not None
        return session.person

    async def sweep(self) -> None:
        await self.time.sleep(SWEEP_MS / 1000)
        await self.seats.sweep([*self.house.tables.values()])

    async def play(self, coups: int) -> None:
        await let_bots_play(self.bots, [self.house.tables[TABLE]], coups)

    async def until_betting(self) -> None:
        while not (self.state.coup and not self.state.coup.locked):
            assert await self.bots.step(self.house.tables[TABLE])


async def furnished(log: EventLog, seats: int = 3) -> Place:
    time = Time()
    house = house_over(log, time.clock)
    await house.found("mara", "founding")
    await staff_table(house, TABLE, "mara", 4)
    await open_bot_table(house, TABLE, sample_notice("tas-2018"), "mara", "monday", CENTS)
    await house.give("register", register.SetGuests(TABLE, seats), "mara", "guests")
    return Place(house, time)


def in_place(where: str, use: Callable[[Place], Awaitable[None]]) -> None:
    async def main(log: EventLog) -> None:
        await use(await furnished(log))

    using(where, main)


def test_visitors_play_under_ids_that_the_setting_enrolled(place: str) -> None:
    """Many visitors, one after another: the register, names and credentials stay as they are."""

    async def use(here: Place) -> None:
        house, register_rows = here.house, here.house.register.seq
        assert {who for who, one in house.register.state.people.items() if one.kind == "guest"} == {
            "guest-1",
            "guest-2",
            "guest-3",
        }
        seen = []
        for visitor in range(9):
            person = await here.take(f"address-{visitor}")
            seen.append(person)
            assert here.state.chips[person] == CENTS
            await here.seats.leave(person)
            assert person not in here.state.places
            assert person not in here.state.chips
            await here.time.sleep(1)
        assert seen[:3] == ["guest-1", "guest-2", "guest-3"], "the one longest unused comes next"
        assert sorted(set(seen)) == ["guest-1", "guest-2", "guest-3"]
        assert house.register.seq == register_rows
        assert house.people.all() == {}

    in_place(place, use)


def test_everything_at_the_table_is_play_money_and_nothing_of_it_is_in_the_books(
    tmp_path: Path,
) -> None:
    async def use(here: Place) -> None:
        house, log = here.house, here.house.log
        person = await here.take()
        await here.until_betting()
        await house.give(TABLE, c.PlaceWager(5, Bet.BANKER, CENTS), person, "all-in")
        await here.play(6)
        assert here.state.bank_cents, "bots have won or lost"
        assert here.state.money_bank_cents == 0
        assert house.cage.seq == 0
        assert expected_trays(house, Actor("mara", frozenset({Role.MANAGEMENT}), 0)) == {}
        for by in ("coup", "shoe", "table", "day", "person", "competition"):
            assert lines_of(log, by) == []
        (line,) = lines_of(log, "play")
        assert (line.key, line.hold_cents) == (TABLE, here.state.bank_cents)
        assert rows_of_play(house, TABLE)(house.tables[TABLE].seq)
        assert audit(log).fault is None

    in_place(str(tmp_path / "house.db"), use)


def test_a_guest_who_lost_all_is_given_chips_anew(tmp_path: Path) -> None:
    async def use(here: Place) -> None:
        person = await here.take()
        for number in range(12):
            await here.until_betting()
            chips = here.state.chips.get(person, 0)
            assert chips >= 2500, "whoever has run out was given more before bets were taken"
            stake = min(chips, 500_000) // 2500 * 2500
            await here.house.give(
                TABLE, c.PlaceWager(5, Bet.PLAYER, stake), person, f"bet-{number}"
            )
            await here.play(1)
        rows = [row.events for row in here.house.log.read(TABLE)]
        given = [one for one in rows if b'"play-chips-given"' in one]
        assert sum(person.encode() in one for one in given) > 1, "they ran out at least once"
        assert audit(here.house.log).fault is None

    in_place(str(tmp_path / "house.db"), use)


def test_a_seat_is_free_again_when_the_visitor_has_gone(tmp_path: Path) -> None:
    async def use(here: Place) -> None:
        person = await here.take()
        await here.time.sleep(IDLE_MS / 1000 - 5)
        await here.sweep()
        assert person in here.state.places
        await here.time.sleep(10)
        await here.sweep()
        assert person not in here.state.places
        busy = await here.take()
        (session,) = here.house.people.sessions_of(busy)
        for _ in range(LONGEST_MS // IDLE_MS + 2):
            await here.time.sleep(IDLE_MS / 1000 - 5)
            here.house.people.seen(session.token, here.house.time.now_ms())
        await here.sweep()
        assert busy not in here.state.places, "no session is longer, however busy"

    in_place(str(tmp_path / "house.db"), use)


def test_whoever_goes_while_a_wager_lies_leaves_when_the_coup_is_over(tmp_path: Path) -> None:
    async def use(here: Place) -> None:
        person = await here.take()
        await here.until_betting()
        await here.house.give(TABLE, c.PlaceWager(5, Bet.BANKER, 2500), person, "stays")
        await here.seats.leave(person)
        await here.sweep()
        assert person in here.state.places
        assert await here.take("elsewhere") != person, "the id is not given away meanwhile"
        await here.play(1)
        await here.sweep()
        assert person not in here.state.places

    in_place(str(tmp_path / "house.db"), use)


def test_seats_run_out_and_one_address_is_given_so_many(tmp_path: Path) -> None:
    async def use(here: Place) -> None:
        for _ in range(3):
            await here.take()
        assert here.seats.free == 0
        with pytest.raises(Refused) as refused:
            await here.take("another")
        assert refused.value.reason is Reason.GUEST_SEATS_TAKEN
        for _ in range(MOST_ASKED - 3):
            for person in ("guest-1", "guest-2", "guest-3"):
                await here.seats.leave(person)
            await here.take()
        with pytest.raises(Refused) as refused:
            await here.take()
        assert refused.value.reason is Reason.GUESTS_WAIT
        assert (await here.take("another")).startswith("guest-")
        await here.time.sleep(WITHIN_MS / 1000 + 1)
        assert (await here.take()).startswith("guest-")

    in_place(str(tmp_path / "house.db"), use)


def test_guests_are_off_until_they_are_set_and_go_when_they_are_set_off(tmp_path: Path) -> None:
    async def use(here: Place) -> None:
        person = await here.take()
        await here.house.give("register", register.SetGuests(), "mara", "off")
        assert here.seats.table == ""
        with pytest.raises(Refused) as refused:
            await here.take("another")
        assert refused.value.reason is Reason.GUESTS_OFF
        with pytest.raises(Refused) as refused:
            await here.house.give(TABLE, c.Sit(6), person, "sits-on")
        assert refused.value.reason is Reason.NOT_YOUR_ROLE
        running = Running(here.house)
        await running.start()
        await here.time.sleep(2)
        await running.tick()
        assert person not in here.state.places
        assert audit(here.house.log).fault is None

    in_place(str(tmp_path / "house.db"), use)


@pytest.mark.parametrize(
    ("ask", "who", "reason"),
    [
        (register.SetGuests(TABLE), "mara", Reason.GUESTS_UNCLEAR),
        (register.SetGuests("", 3), "mara", Reason.GUESTS_UNCLEAR),
        (register.SetGuests(TABLE, 5), "mara", Reason.ENROLLED_ALREADY),
        (register.SetGuests(TABLE, 2), "carol", Reason.NOT_YOUR_ROLE),
        (register.Enrol("guest-1", "patron"), "mara", Reason.ENROLLED_ALREADY),
        (register.Grant("guest-1", Role.DEALER), "mara", Reason.ROLE_NOT_GRANTED),
        (register.Grant("carol", Role.GUEST), "mara", Reason.ROLE_NOT_GRANTED),
    ],
)
def test_what_the_register_refuses(
    tmp_path: Path, ask: register.RegisterCommand, who: str, reason: Reason
) -> None:
    async def use(here: Place) -> None:
        give = here.house.give
        await give("register", register.Enrol("carol", "staff"), "mara", "carol")
        await give("register", register.Grant("carol", Role.CASHIER), "mara", "cashier")
        await give("register", register.Enrol("guest-5", "patron"), "mara", "taken")
        with pytest.raises(Refused) as refused:
            await give("register", ask, who, "asked")
        assert refused.value.reason is reason

    in_place(str(tmp_path / "house.db"), use)


def test_a_guest_has_no_account_and_sits_nowhere_else(tmp_path: Path) -> None:
    async def use(here: Place) -> None:
        house, person = here.house, await here.take()
        await staff_table(house, "table-1", "mara", 2)
        await open_bot_table(house, "table-1", sample_notice("tas-2018"), "mara", "monday")
        for at, ask, who in (
            ("table-1", c.Sit(7), person),
            ("cage", cage.OpenAccount(person), "mara"),
            (TABLE, c.RaiseDispute("unfair"), person),
            (TABLE, c.AskFaceDown(), person),
            (TABLE, c.PlaceWager(1, Bet.PLAYER, 2500), person),
            (TABLE, c.Leave("bot-1-table-5"), person),
            ("register", register.Enrol("friend", "patron"), person),
        ):
            with pytest.raises(Refused):
                await house.give(at, ask, who, f"no-{type(ask).__name__}")

    in_place(str(tmp_path / "house.db"), use)
