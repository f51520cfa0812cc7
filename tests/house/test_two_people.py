"""One manager cannot do everything alone: five puppets are still one person."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

import puntobanco_verifier as verifier
from puntobanco.cage import commands as m
from puntobanco.cage import events as m_events
from puntobanco.errors import Reason, Refused
from puntobanco.house.access import desk
from puntobanco.house.access.history import PeopleBook
from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.access.waiting import waiting_for
from puntobanco.house.checks.audit import audit
from puntobanco.house.lookback.export import export
from puntobanco.house.lookback.significant import significant
from puntobanco.house.stream import StreamChange
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.register import commands as register
from puntobanco.register import events as register_events
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import sample_notice
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Role
from tests.kit.house.driver import Time, house_over
from tests.kit.journal import using

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
PUPPETS = {
    "p-dealer": Role.DEALER,
    "p-inspector": Role.INSPECTOR,
    "p-manager": Role.MANAGEMENT,
    "p-cashier": Role.CASHIER,
    "p-teller": Role.CASHIER,
}


class Two:
    """A house of two founders, mara and fay, and what somebody gives in it."""

    def __init__(self, log: EventLog) -> None:
        self.time = Time(1_000_000)
        self.house = house_over(log, self.time.clock)
        self._ids = count(1)

    async def do(self, person: str, ask: Any, at: str = "") -> StreamChange:
        usual = "cage" if isinstance(ask, m.ToCage) else "register"
        at = at or ("table-1" if isinstance(ask, c.Command) else usual)
        return (await self.house.give(at, ask, person, f"two-{next(self._ids)}"))[0]

    async def refused(self, reason: Reason, person: str, ask: Any, at: str = "") -> None:
        with pytest.raises(Refused) as caught:
            await self.do(person, ask, at)
        assert caught.value.reason is reason

    async def second(self, person: str, done: StreamChange, at: str) -> StreamChange:
        number = done.events[-1].number
        return (await self.house.give(at, c.Approve(number), person, f"second-{next(self._ids)}"))[
            0
        ]

    async def staff(self) -> None:
        """Everybody mara wants, each role agreed to by fay, who suspects nothing."""
        await self.house.found("mara", "founding", "fay")
        for person, role in PUPPETS.items():
            await self.do("mara", register.Enrol(person, "staff"))
            done = await self.do("mara", register.Grant(person, role))
            await self.second("fay", done, "register")

    async def coup(self) -> None:
        """A coup with 50 staked, won and paid."""
        await self.do("mara", register.Enrol("ann", "patron"))
        opening = c.OpenTable(sample_notice("tas-2018"), "monday", "s", effective="2018")
        for person, ask in (
            ("p-cashier", m.OpenAccount("ann")),
            ("p-cashier", m.Deposit("ann", 10_000)),
            ("mara", opening),
            ("mara", m.OpenTray("table-1", 10**9)),
            ("p-dealer", c.SignOn(Role.DEALER)),
            ("p-inspector", c.SignOn(Role.INSPECTOR)),
            ("ann", c.Sit(1)),
            ("p-dealer", c.BuyIn(10_000, "ann")),
            ("p-dealer", c.CheckCards("set A", player="ann")),
            ("p-dealer", c.Shuffle()),
            ("p-dealer", c.CutCards(100, 1)),
            ("p-dealer", c.LoadShoe()),
            ("p-dealer", c.BurnCards(face_down=1)),
            ("p-dealer", c.OpenCoup()),
            ("ann", c.PlaceWager(1, Bet.PLAYER, 5_000)),
            ("p-dealer", c.NoMoreBets()),
        ):
            try:
                await self.do(person, ask)
            except Refused as refused:
                assert refused.reason is Reason.BURN_NOT_PROVIDED, (ask, refused)  # noqa: PT017
        for card in ("9c", "2d", "Kh", "3s"):
            await self.do("p-dealer", c.DrawCard(card))  # type: ignore[arg-type]
        await self.do("p-dealer", c.DeclareResult())


def in_two(tmp_path: Path, use: Any) -> None:
    async def run(log: EventLog) -> None:
        two = Two(log)
        await use(two)
        assert audit(log).fault is None
        for stream in {"cage", "register"} & set(log.streams()):
            lines = (line.decode() for line in export(log, stream))
            verifier.verify(lines)  # type: ignore[no-untyped-call]

    using(str(tmp_path / "house.db"), run)


def test_five_puppets_have_no_role_unless_somebody_else_agrees(tmp_path: Path) -> None:
    async def use(two: Two) -> None:
        await two.house.found("mara", "founding", "fay")
        for person, role in PUPPETS.items():
            await two.do("mara", register.Enrol(person, "staff"))
            done = await two.do("mara", register.Grant(person, role))
            assert isinstance(done.events[0], register_events.Proposed)
            number = done.events[0].number
            await two.refused(Reason.SAME_PERSON, "mara", c.Approve(number), "register")
            assert not two.house.register.state.people[person].roles
        waits = {who: [one.kind for one in waiting_for(two.house, who)] for who in ("mara", "fay")}
        assert waits["fay"].count("second") == len(PUPPETS)
        assert "second" not in waits["mara"]
        await two.do("fay", c.DropProposal(1), "register")
        await two.refused(Reason.NO_SUCH_PROPOSAL, "fay", c.Approve(1), "register")

    in_two(tmp_path, use)


def test_puppets_with_roles_are_one_with_whoever_enrolled_them(tmp_path: Path) -> None:
    """A correction of 900,000 on a coup with 50 staked, cashed and withdrawn: found open once."""

    async def use(two: Two) -> None:
        await two.staff()
        await two.coup()
        stolen = c.CorrectPayment("ann", 90_000_000, 1, "so it was")
        number = (await two.do("p-inspector", stolen, "table-1")).events[0].number
        for person in ("mara", "p-manager"):
            await two.refused(Reason.NOT_A_SECOND, person, c.Approve(number), "table-1")
        small = c.CorrectPayment("ann", 5_000, 1, "paid too little")  # no more than it could have
        done = await two.do("p-inspector", small, "table-1")
        assert isinstance(
            (await two.second("mara", done, "table-1")).events[1], events.PaymentCorrected
        )
        money = await two.do("p-cashier", m.Deposit("ann", 2_000_000))
        assert isinstance(money.events[0], m_events.Proposed)
        for person in ("p-teller", "mara"):
            await two.refused(
                Reason.NOT_A_SECOND, person, c.Approve(money.events[0].number), "cage"
            )
        paid = await two.second("fay", money, "cage")
        assert paid.events[1] == m_events.MoneyDeposited("ann", 2_000_000)
        out = await two.do("p-cashier", m.Withdraw("ann", 1_500_000))
        two.time.steady_ms += 7 * DAY_MS  # from now on they have been there before
        await two.second("mara", out, "cage")
        assert two.house.cage.state.accounts["ann"] == 500_000

    in_two(tmp_path, use)


def test_many_small_corrections_are_as_much_as_a_large_one(tmp_path: Path) -> None:
    """A coup with 50 staked could bring 100; puppets agreed to that as often as they liked."""

    async def use(two: Two) -> None:
        await two.staff()
        await two.coup()
        wagered = c.CorrectPayment("ann", 10_000, 1, "paid nothing")
        done = await two.do("p-inspector", wagered, "table-1")
        await two.second("p-manager", done, "table-1")
        for cents in (10_000, 100):
            again = c.CorrectPayment("ann", cents, 1, "and again")
            number = (await two.do("p-inspector", again, "table-1")).events[0].number
            await two.refused(Reason.NOT_A_SECOND, "p-manager", c.Approve(number), "table-1")
        back = c.CorrectPayment("ann", -10_000, 1, "it was right after all")
        await two.second("p-manager", await two.do("p-inspector", back, "table-1"), "table-1")
        await two.second("fay", await two.do("p-inspector", wagered, "table-1"), "table-1")

    in_two(tmp_path, use)


def test_puppets_lay_no_wager_after_the_coup(tmp_path: Path) -> None:
    """One that won, and is on no record, brings more than the coup's wagers could have."""

    async def use(two: Two) -> None:
        await two.staff()
        await two.coup()
        for on, cents in ((Bet.PLAYER, 100_000), (Bet.TIE, 5_000)):
            late = c.CorrectWager(1, "ann", 1, on, cents, "it lay there")
            number = (await two.do("p-inspector", late, "table-1")).events[0].number
            await two.refused(Reason.NOT_A_SECOND, "p-manager", c.Approve(number), "table-1")
        less = c.CorrectWager(1, "ann", 1, Bet.PLAYER, 2_500, "half of it lay there")
        await two.second("p-manager", await two.do("p-inspector", less, "table-1"), "table-1")

    in_two(tmp_path, use)


def test_puppets_fill_no_tray_for_whoever_enrolled_them(tmp_path: Path) -> None:
    async def use(two: Two) -> None:
        await two.staff()
        await two.coup()
        await two.do("mara", m.RequestSlip("fill", "table-1", 1_000_000))
        await two.refused(Reason.NOT_A_SECOND, "p-cashier", m.CompleteSlip(1))
        two.time.steady_ms += 7 * DAY_MS
        await two.do("p-cashier", m.CompleteSlip(1))

    in_two(tmp_path, use)


def test_what_management_sees_is_not_turned_off_unseen(tmp_path: Path) -> None:
    async def use(two: Two) -> None:
        await two.house.found("mara", "founding", "fay")
        await two.do("mara", register.SetWatch(False, 0, 0, 5_000_00))
        await two.do("mara", register.SetWatch())
        off, on = (one.says for one in significant(two.house)[:2])
        assert on == (
            "mara set what management sees: wagers from none, wins from none,"
            " payments from 5000; a second factor for staff: not wanted"
        )
        assert "payments from none" in off

    in_two(tmp_path, use)


def test_money_is_paid_in_at_every_hour_and_the_record_agrees(tmp_path: Path) -> None:
    """For two hours of each it is three gaming days at once, from west to east."""

    async def use(two: Two) -> None:
        await two.staff()
        await two.do("mara", register.Enrol("ann", "patron"))
        await two.do("p-cashier", m.OpenAccount("ann"))
        for _ in range(24):
            await two.do("p-cashier", m.Deposit("ann", 100))
            two.time.steady_ms += HOUR_MS

    in_two(tmp_path, use)


def test_where_two_are_wanted_is_set_by_two(tmp_path: Path) -> None:
    async def use(two: Two) -> None:
        await two.staff()
        done = await two.do("mara", register.SetTwoPeople(0, 10**12))
        rule = two.house.register.state.settings.two_people
        assert (rule.days, rule.cash_cents) == (7, 1_000_000)
        await two.refused(
            Reason.NOT_A_SECOND, "p-manager", c.Approve(done.events[0].number), "register"
        )
        await two.second("fay", done, "register")
        assert "newcomer counts as a second one after 0 days" in significant(two.house)[0].says
        done = await two.do("mara", register.Disable("p-dealer", "gone"))
        back = await two.do("mara", register.Enable("p-dealer", "here again"))
        assert isinstance(back.events[0], register_events.Proposed)
        await two.second("p-manager", back, "register")  # 0 days: a newcomer counts at once
        assert two.house.register.state.people["p-dealer"].enabled

    in_two(tmp_path, use)


def test_what_waits_is_not_proposed_again(tmp_path: Path) -> None:
    """The second could never be agreed to, once the first was."""

    async def use(two: Two) -> None:
        await two.staff()
        await two.do("mara", register.Enrol("new", "staff"))
        waits = await two.do("mara", register.Grant("new", Role.DEALER))
        for person in ("mara", "fay"):
            again = register.Grant("new", Role.DEALER)
            await two.refused(Reason.ALREADY_PROPOSED, person, again)
        await two.do("mara", register.Grant("new", Role.INSPECTOR))  # another role is another
        await two.do("mara", register.Disable("p-dealer", "gone"))
        await two.do("mara", register.Enable("p-dealer", "back"))
        other_words = register.Enable("p-dealer", "back again")
        await two.refused(Reason.ALREADY_PROPOSED, "fay", other_words)
        await two.second("fay", waits, "register")
        await two.refused(Reason.ROLE_HELD, "mara", register.Grant("new", Role.DEALER))
        assert audit(two.house.log).fault is None

    in_two(tmp_path, use)


def test_one_cashier_moves_so_much_a_day_however_many_patrons_it_is_for(tmp_path: Path) -> None:
    """A sum that takes two people goes through in no parts."""

    async def use(two: Two) -> None:
        await two.staff()
        limit = two.house.register.state.settings.two_people.cash_cents
        patrons = [f"ann{number}" for number in range(11)]
        for person in patrons:
            await two.do("mara", register.Enrol(person, "patron"))
            await two.do("p-cashier", m.OpenAccount(person))
        await two.do("p-cashier", m.OpenDrawer(()))
        for person in patrons[:10]:
            (alone,) = (await two.do("p-cashier", m.Deposit(person, limit))).events
            assert isinstance(alone, m_events.MoneyDeposited)
        await two.do("p-cashier", m.CloseDrawer(()))
        for _ in ("past the drawer", "through another"):
            (waits,) = (await two.do("p-cashier", m.Deposit(patrons[10], 1))).events
            assert isinstance(waits, m_events.Proposed)
            await two.do("p-cashier", m.OpenDrawer(()))
            await two.do("p-cashier", c.DropProposal(waits.number), "cage")
            await two.do("p-cashier", m.CloseDrawer(()))
        await two.do("p-teller", m.OpenDrawer(()))  # whom the same manager has enrolled
        (waits,) = (await two.do("p-teller", m.Deposit(patrons[10], 1))).events
        assert isinstance(waits, m_events.Proposed)
        # another has a limit of their own, the other way is apart, and so is the next day
        await two.do("fay", register.Enrol("cleo", "staff"))
        done = await two.do("fay", register.Grant("cleo", Role.CASHIER))
        await two.second("mara", done, "register")
        for ask in (m.Deposit(patrons[10], limit), m.Withdraw(patrons[10], limit)):
            (alone,) = (await two.do("cleo", ask)).events
            assert not isinstance(alone, m_events.Proposed)
        two.time.steady_ms += DAY_MS
        (alone,) = (await two.do("p-cashier", m.Deposit(patrons[10], limit))).events
        assert isinstance(alone, m_events.MoneyDeposited)
        assert audit(two.house.log).fault is None

    in_two(tmp_path, use)


def test_no_gaming_day_comes_again_for_whoever_has_moved_all_that_one_may(tmp_path: Path) -> None:
    """Put off by one manager, whom the house tells of; nor where a table goes by another clock."""

    async def use(two: Two) -> None:
        await two.staff()
        limit = two.house.register.state.settings.two_people.cash_cents
        two.time.steady_ms += 10 * HOUR_MS  # past six in the morning anywhere
        await two.do("mara", register.Enrol("ann", "patron"))
        await two.do("p-cashier", m.OpenAccount("ann"))
        await two.do("p-cashier", m.Deposit("ann", limit))
        today = two.house.cage.state.alone["ann"].day
        for begins in ("23:59", "06:00"):
            await two.do("mara", register.SetGamingDay(begins))
            assert significant(two.house)[0].says == f"mara set that gaming days begin at {begins}"
            two.time.steady_ms += HOUR_MS
            for ask in (m.Deposit("ann", 1), m.Deposit("ann", limit)):
                (waits,) = (await two.do("p-cashier", ask)).events
                assert isinstance(waits, m_events.Proposed)
                await two.do("p-cashier", c.DropProposal(waits.number), "cage")
            assert (waits.ask.day < today) == (begins == "23:59")
        await two.do("p-cashier", m.Withdraw("ann", limit))  # the other way is apart
        two.time.steady_ms += DAY_MS
        (alone,) = (await two.do("p-cashier", m.Deposit("ann", limit))).events
        assert isinstance(alone, m_events.MoneyDeposited)

    in_two(tmp_path, use)


def test_no_manager_comes_by_the_password_of_another(tmp_path: Path) -> None:
    """Whoever could sign in as a colleague would be two people."""

    async def use(two: Two) -> None:
        await two.house.found("mara", "founding")
        signin = SignIn(two.house)
        await two.do("mara", register.Enrol("fay", "staff"))
        await two.do("mara", register.Grant("fay", Role.MANAGEMENT))
        alone = await desk.issue_password(signin, two.house.actor("mara"), "fay")
        assert await signin.sign_in("fay", "password", alone.secret, "")  # the hole, as it was
        await two.do("mara", register.NameFounder("fay"))
        for person, role in (("eve", Role.MANAGEMENT), ("cleo", Role.MANAGEMENT)):
            await two.do("mara" if person == "eve" else "fay", register.Enrol(person, "staff"))
            whole = await desk.issue_password(signin, two.house.actor("mara"), person)
            assert not whole.half  # who has no role is nobody's second
            done = await two.do("mara", register.Grant(person, role))
            await two.second("fay", done, "register")
        mara, fay = two.house.actor("mara"), two.house.actor("fay")
        first = await desk.issue_password(signin, mara, "fay")
        assert first == await desk.issue_password(signin, mara, "fay")  # nothing more alone
        assert await signin.sign_in("fay", "password", alone.secret, "")
        with pytest.raises(Refused) as caught:
            await desk.issue_password(signin, two.house.actor("eve"), "fay")  # mara's puppet
        assert caught.value.reason is Reason.NOT_A_SECOND
        with pytest.raises(Refused):
            await desk.issue_password(signin, fay, "fay")  # nor oneself
        second = await desk.issue_password(signin, two.house.actor("cleo"), "fay")
        assert (first.half, second.half) == ("first", "second")
        for wrong in (alone.secret, first.secret, second.secret):
            with pytest.raises(Refused):
                await signin.sign_in("fay", "password", wrong, "")
        two.time.steady_ms += 60_000
        both = f"{first.secret}-{second.secret}"
        assert await signin.sign_in("fay", "password", both, "")
        told = [one.says for one in significant(two.house)]
        assert "A fresh first half of a password for fay, by mara" in told
        assert "A fresh password for fay, by cleo" in told
        assert (await desk.issue_password(signin, mara, "fay")).secret != first.secret
        two.time.steady_ms += DAY_MS + 1
        late = await desk.issue_password(signin, two.house.actor("cleo"), "fay")
        assert late.half == "first"  # the one before has waited too long

    in_two(tmp_path, use)


def test_nor_of_one_whose_roles_they_took_away(tmp_path: Path) -> None:
    """One manager alone takes a role; who gives it back may not know whom they give it to."""

    async def use(two: Two) -> None:
        await two.house.found("mara", "founding", "fay")
        signin = SignIn(two.house)
        await two.do("mara", register.Revoke("fay", Role.MANAGEMENT))
        half = await desk.issue_password(signin, two.house.actor("mara"), "fay")
        assert half.half == "first"

    in_two(tmp_path, use)


def test_a_house_of_one_founder_plays_on_and_can_name_a_second(tmp_path: Path) -> None:
    async def use(two: Two) -> None:
        await two.house.found("mara", "founding")
        await two.do("mara", register.Enrol("ben", "staff"))
        done = await two.do("mara", register.Grant("ben", Role.DEALER))
        assert isinstance(done.events[0], register_events.RoleGranted)
        await two.refused(Reason.SAME_PERSON, "mara", register.NameFounder("mara"))
        await two.do("mara", register.NameFounder("ben"))
        await two.refused(Reason.HAS_FOUNDERS, "mara", register.NameFounder("ben"))
        done = await two.do("mara", register.Grant("ben", Role.CASHIER))
        await two.refused(Reason.SAME_PERSON, "ben", c.Approve(1), "register")  # about oneself
        # when nobody is left who could agree, the machine names somebody
        await two.do("mara", register.Disable("ben", "gone for good"))
        await two.do(HOUSE, register.NameFounder("cleo"))
        await two.do("cleo", c.Approve(done.events[0].number), "register")
        assert set(two.house.register.state.managers) == {"mara", "cleo"}
        await two.do(HOUSE, register.NameFounder("ben"))
        book = PeopleBook(two.house.log)
        assert book.of("cleo").enrolled_by == HOUSE
        assert [one.role for one in book.of("cleo").roles] == [Role.MANAGEMENT]
        assert book.of("ben").enrolled_by == "mara"
        assert book.of("ben").shut_out[0].ended_by == HOUSE
        told = [one.says for one in significant(two.house)]
        assert "ben was named a founder by mara" in told
        assert sum("cleo was named a founder" in says for says in told) == 1

    in_two(tmp_path, use)
