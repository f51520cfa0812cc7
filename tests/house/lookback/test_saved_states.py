"""Looking back starts from states that were saved on the way, and reads rulings once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from puntobanco.house import stream as stream_module
from puntobanco.house.bots.setup import let_bots_play
from puntobanco.house.lookback import coups
from puntobanco.house.lookback.coups import LaterRulings
from puntobanco.house.lookback.replay import Replays
from puntobanco.journal.chain import Head
from puntobanco.journal.log import EventLog
from puntobanco.journal.rows import Row
from tests.kit.house.driver import Time, house_over
from tests.kit.house.evening import evening
from tests.kit.journal import using

TABLE = "table-1"


class Counted:
    """A journal that counts the rows it is asked for."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.rows = 0

    def read(self, stream: str, after: int = 0) -> Iterator[Row]:
        for row in self._log.read(stream, after):
            self.rows += 1
            yield row

    def head(self, stream: str) -> Head:
        return self._log.head(stream)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty coups, and the table saved after each five of them."""
    where = tmp_path_factory.mktemp("house") / "house.db"

    async def use(log: EventLog) -> None:
        bots = await evening(log, 3, "tas-2018")
        for _ in range(8):
            await let_bots_play(bots, [bots.house.table(TABLE)], 5)
            bots.house.table(TABLE).save()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream_module, "WAY_ROWS", 100)
        using(str(where), use)
    return where


@pytest.fixture(autouse=True)
def short_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "WAY_ROWS", 100)
    monkeypatch.setattr("puntobanco.house.lookback.replay.WAYMARK", 50)


def test_a_coup_is_played_back_from_the_nearest_saved_state(saved: Path) -> None:
    async def use(log: EventLog) -> None:
        house, counted = house_over(log, Time().clock), Counted(log)
        stream = house.table(TABLE)
        assert stream.seq > 500
        plain = Replays(log)
        for number in (7, 21, 39):
            replays = Replays(counted, lambda _, seq: stream.saved_before(seq))  # type: ignore[arg-type]
            counted.rows = 0
            seq = plain.replay(TABLE, number).steps[0].told.seq - 1
            assert replays.at(TABLE, seq) == plain.at(TABLE, seq)
            assert counted.rows < 300 < stream.seq
            assert replays.replay(TABLE, number) == plain.replay(TABLE, number)

    using(str(saved), use)


def test_a_state_that_somebody_changed_is_not_believed(saved: Path) -> None:
    async def use(log: EventLog) -> None:
        stream = house_over(log, Time().clock).table(TABLE)
        found = stream.saved_before(stream.seq)
        assert found is not None
        for block in range(stream.seq // 100 + 1):
            held = log.snapshot(f"{TABLE}@{block}", stream.aggregate.kind)
            if held is not None:
                log.save_snapshot(replace(held, state=held.state.replace(b"1", b"2")))
        assert stream.saved_before(stream.seq) is None

    using(str(saved), use)


def test_rows_are_looked_through_for_rulings_once(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coups, "BLOCK", 100)

    async def use(log: EventLog) -> None:
        counted = Counted(log)
        rulings = LaterRulings(counted)  # type: ignore[arg-type]
        head = log.head(TABLE).seq
        first = list(rulings.rows(TABLE, 120, head))
        looked = counted.rows
        assert looked > head - 120
        assert list(rulings.rows(TABLE, 120, head)) == first
        assert counted.rows - looked <= 100 + len(first), "only the block that still grows"

    using(str(saved), use)
