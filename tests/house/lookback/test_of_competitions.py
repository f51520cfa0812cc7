"""What is done in a competition otherwise than by play is among what management must see."""

from pathlib import Path

import pytest

from puntobanco.competition import commands as c
from puntobanco.house.checks.audit import audit
from puntobanco.house.figures import noted
from puntobanco.house.figures.check import rebuild
from puntobanco.house.figures.noted import keep
from puntobanco.house.lookback.significant import significant, took_part
from puntobanco.house.loop import KEEP_MS, Running
from puntobanco.journal.log import EventLog
from puntobanco.table.actor import Role
from tests.kit.competition.in_house import CUP, CupHouse, in_house


async def eventful(cups: CupHouse) -> None:
    """Conditions published, value added, somebody disqualified, and all of it cancelled."""
    await cups.opened()
    await cups.enter("p1", "p2")
    await cups.do("dora", c.SignOn(Role.DIRECTOR))
    await cups.do("mara", c.AddValue(50_000, "a sponsor"))
    await cups.two(c.Disqualify("p2", "two phones"))
    await cups.two(c.Cancel("too few came"))


def told(cups: CupHouse) -> list[str]:
    return [one.says for one in significant(cups.house) if one.stream == CUP]


def test_each_is_told_once_kept_or_not_and_nobody_hides_it(tmp_path: Path) -> None:
    async def play(cups: CupHouse) -> None:
        await eventful(cups)
        log, before = cups.house.log, told(cups)
        for says in ("published", "500", "two phones", "too few came"):
            assert sum(says in one for one in before) == 1, (says, before)
        while keep(log):
            pass
        assert told(cups) == before
        last = next(one for one in significant(cups.house) if one.stream == CUP)
        assert took_part(cups.house, last.stream, last.seq) == {"dora", "mara"}
        assert audit(log).fault is None
        log.together([("DELETE FROM notable_rows WHERE stream = ?", (CUP,))])
        fault = audit(log).fault
        assert fault is not None
        assert (fault.stream, "must be seen" in str(fault)) == (CUP, True)
        rebuild(log)
        assert told(cups) == before
        assert audit(log).fault is None

    in_house(tmp_path, play)


def test_a_house_that_runs_asks_only_about_competitions_that_have_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house has hundreds of them after some years, and looks each five seconds."""
    asked: list[tuple[str, ...]] = []

    def counted(log: EventLog, watch: noted.WatchAt, streams: tuple[str, ...]) -> int:
        asked.append(streams)
        return keep(log, watch, streams=streams)

    async def play(cups: CupHouse) -> None:
        await cups.opened()
        monkeypatch.setattr(noted, "keep", counted)
        running = Running(cups.house)
        await running.start()
        for _look in range(2):
            await cups.house.clock.sleep(KEEP_MS / 1000)
            await running.tick()
        assert [CUP in streams for streams in asked] == [True, False]
        assert noted.kept_up_to(cups.house.log, CUP) == cups.house.competitions[CUP].seq
        await cups.enter("p1")
        await cups.house.clock.sleep(KEEP_MS / 1000)
        await running.tick()
        assert CUP in asked[-1]

    in_house(tmp_path, play)
