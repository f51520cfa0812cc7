"""Large wagers, wins and payments are significant from the amounts on that the house has set."""

from pathlib import Path

import pytest

from puntobanco.cage import commands as cage
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.names import fit_name
from puntobanco.house.checks.audit import audit
from puntobanco.house.figures.notable import is_notable
from puntobanco.house.figures.noted import keep
from puntobanco.house.house import House
from puntobanco.house.lookback.significant import significant
from puntobanco.house.loop import LEAST_FREE_MB, Running
from puntobanco.house.roots import read_noted
from puntobanco.journal.log import EventLog, FullError
from puntobanco.register import commands as register
from puntobanco.register.settings import Watch
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.wagers import Wager
from puntobanco.table import events as e
from puntobanco.table.sentences import tell
from tests.kit.house.driver import KEY, Driver, Time, enrol, house_over, seeded
from tests.kit.house.sign_in import noted
from tests.kit.journal import using

HOUR_MS = 3_600_000


def of(house: House, stream: str) -> list[str]:
    return [one.says for one in significant(house) if one.stream == stream]


def test_payments_at_the_cage_count_from_an_hour_after_and_the_list_is_verified(
    tmp_path: Path,
) -> None:
    async def main(log: EventLog) -> None:
        time = Time()
        house = house_over(log, time.clock)
        await Driver(house).open()
        await house.give("register", register.SetWatch(payment_cents=5000), "mara", "set-watch")
        for number, cents in enumerate((9000, 4999, 5000)):
            if number:
                time.steady_ms += HOUR_MS
            paid = cage.Deposit("ann", cents)
            await house.give("cage", paid, "carol", f"deposit-{number}")
            taken = cage.Withdraw("ann", cents)
            await house.give("cage", taken, "carol", f"withdraw-{number}")
        assert [one for one in of(house, "cage") if "paid" in one] == [
            "50 were paid out to ann at the cage",
            "ann paid 50 in at the cage",
        ]
        keep(log, house.register.state.settings.watch)
        assert len([one for one in of(house, "cage") if "paid" in one]) == 2
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), main)


def test_wagers_and_wins_from_their_amounts_on() -> None:
    watch = Watch(wager_cents=10_000, win_cents=20_000)
    for cents, large in ((9_999, False), (10_000, True)):
        wager = Wager(1, Bet.PLAYER, cents, "ann")
        assert is_notable(e.WagerPlaced(wager), watch) is large
        assert is_notable(e.WagerChanged(wager), watch) is large
        assert not is_notable(e.WagerPlaced(wager), Watch())
    wager = Wager(1, Bet.TIE, 100, "ann")
    for won, large in ((19_999, False), (20_000, True)):
        settled = e.WagerSettled(1, wager, "win", 100, 100, won)  # type: ignore[arg-type]
        assert is_notable(settled, watch) is large


def test_little_room_is_on_record_each_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main(log: EventLog) -> None:
        time = Time()
        running = Running(house_over(log, time.clock))
        await running.start()
        for free in (LEAST_FREE_MB, LEAST_FREE_MB - 1):
            monkeypatch.setattr(log, "free_mb", lambda free=free: free)
            for _ in range(3):
                await running.tick()
            time.steady_ms += HOUR_MS
        told = [event for event in noted(log) if event["is"] == "low-disk"]
        assert told == [{"is": "low-disk", "free": LEAST_FREE_MB - 1}]
        assert any("are free" in one for one in of(running.house, "house"))

    using(str(tmp_path / "house.db"), main)


def test_roots_that_found_no_room_beside_the_key_are_on_record(tmp_path: Path) -> None:
    async def main(log: EventLog) -> None:
        root = tmp_path / "house.root"
        full = tmp_path / "house.root.new"
        full.symlink_to("/dev/full")
        house = House(log, Time().clock, seeded(1), KEY, root)
        for person in ("mara", "ben"):
            await enrol(house, person)
            with pytest.raises(FullError):
                await house.record_root()
        full.unlink()
        await house.record_root()
        await house.record_root()
        told = [event for event in noted(log) if event["is"] == "root-unnoted"]
        assert told == [{"is": "root-unnoted", "row": 1}]
        assert any("no room to note roots" in one for one in of(house, "house"))
        assert read_noted(root) == house.roots.noted

    using(str(tmp_path / "house.db"), main)


def test_a_shoe_ended_early_and_an_order_that_was_not_opened_are_seen() -> None:
    for event, seen in (
        (e.ShoeEnded(), False),
        (e.ShoeEnded(note="the set is to be checked"), True),
        (e.CommitmentOpened((), "", agrees=True), False),
        (e.CommitmentOpened((), "", agrees=False, fault="never opened"), True),
    ):
        assert is_notable(event, Watch()) is seen
    assert tell(e.ShoeEnded(note="worn")) == "The shoe is over: worn"


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("Ma\u200dra", Reason.NAME_HIDDEN),
        ("Mara\u00ad", Reason.NAME_HIDDEN),
        ("\u2066Mara", Reason.NAME_HIDDEN),
        ("Mara\u3164", Reason.NAME_HIDDEN),  # a letter by its kind, and empty
        ("\u2800", Reason.NAME_HIDDEN),
        ("Ma\u034fra", Reason.NAME_HIDDEN),
        ("Ma\ufe0fra", Reason.NAME_HIDDEN),
        ("Ma\U000e0100ra", Reason.NAME_HIDDEN),
        ("M\u0430ra", Reason.NAME_MIXED),  # a Cyrillic a
        ("M\U0001d41ara", Reason.NAME_MIXED),  # a bold one of mathematics
        ("\u039cara", Reason.NAME_MIXED),  # a Greek M
        ("\uff2dara", Reason.NAME_MIXED),  # an M in full width
    ],
)
def test_a_name_that_looks_like_another_is_refused(typed: str, reason: Reason) -> None:
    with pytest.raises(Refused) as refused:
        fit_name(typed)
    assert refused.value.reason is reason


@pytest.mark.parametrize(
    "name", ["Zoë O'Neill-Şahin", "Мара Иванова", "Μάρα", "王小明", "Anna Иванова", "R2 D2", ""]
)
def test_names_of_any_language_stay(name: str) -> None:
    assert fit_name(f"  {name}  ") == name
