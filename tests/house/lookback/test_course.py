"""A coup's course: its parts, what a correction replaced, and both versions with the money."""

from pathlib import Path

import pytest

from puntobanco.house.lookback.course import Moment, Part, Versions, retraced, versions_of
from puntobanco.house.lookback.replay import Replays
from puntobanco.journal.log import EventLog
from puntobanco.rules.coup import Result
from tests.kit.house.kept import kept
from tests.kit.journal import using
from tests.kit.places import PLAYTHROUGHS


def looked_back(folder: Path, session: str, number: int) -> tuple[Moment, ...]:
    found: list[tuple[Moment, ...]] = []

    async def use(log: EventLog) -> None:
        found.append(retraced(Replays(log).replay("table-1", number), "table-1"))

    using(str(kept(folder / "house.db", PLAYTHROUGHS / f"{session}.session")), use)
    return found[0]


def both(course: tuple[Moment, ...]) -> Versions:
    found = versions_of(course)
    assert found is not None
    return found


def test_a_coup_that_was_put_right_twice(tmp_path: Path) -> None:
    """Once while it was in play, and once more when it was over."""
    course = looked_back(tmp_path, "tasmania-2018", 13)
    parts = list(dict.fromkeys(moment.part for moment in course))
    assert parts == [Part.BETS, Part.CARDS, Part.THIRD, Part.PAYMENT, Part.PUT_RIGHT]
    struck = [moment.told.says for moment in course if not moment.counts]
    assert struck == [
        "9h is dealt",
        "Kd is dealt",
        "Player 9, Banker 8; no more cards",
        "Coup 13: Player wins, 9 to 8",
        "bob: 100 on Banker (box 7) loses",
        "Player 6, Banker 8; no more cards",
        "bob: 100 on Banker (box 7) wins, paid 95 at 19 to 20",
    ]
    assert [moment.position for moment in course if moment.position] == [1, 2, 3, 4, 1, 2]
    versions = both(course)
    assert course[versions.first - 1].coup.result is Result.PLAYER
    assert course[versions.last - 1].coup.result is Result.BANKER
    approved = [one.told.at_ms for one in course if one.told.says.startswith("ines approves")]
    declared = [one.told.at_ms for one in course if "Player wins, 9 to 8" in one.told.says]
    assert versions.recorded_ms == declared[0] < approved[0], "as it was, not its replacement"
    assert versions.since_ms == approved[-1]
    (moved,) = versions.moved
    assert (moved.was_cents, moved.now_cents, versions.settled) == (-10_000, 9500, True)
    said = [moment.told.says for moment in course if moment.part is Part.PUT_RIGHT]
    assert said[0].startswith("dan proposes")
    assert said[1].startswith("ines approves"), "both people are named"


ALIKE = """\
20:00
mara: open-table
dan: sign-on dealer
ines: sign-on inspector
ann: sit 1
dan: buy-in 5000 ann
dan: check-cards set-A player=ann
dan: shuffle
dan: cut-cards 100 seat=1
dan: load-shoe
dan: open-coup
ann: place-wager 1 b 100
dan: draw 9c Kd Th 3s
dan: declare-result
dan: correct-card 1 4 3h note="hearts"
ines: approve 1
dan: declare-result
dan: end-coup
"""


def test_what_was_paid_before_a_coup_came_to_the_same_had_been_paid(tmp_path: Path) -> None:
    """Only the suit was wrong: no wager ends otherwise, and all was settled by then."""
    head, line, _ = (PLAYTHROUGHS / "tasmania-2018-floor.session").read_text().partition("\n20:00")
    assert line
    session = tmp_path / "alike.session"
    session.write_text(f"{head}\n{ALIKE}")
    found: list[Versions] = []

    async def use(log: EventLog) -> None:
        found.append(both(retraced(Replays(log).replay("table-1", 1), "table-1")))

    using(str(kept(tmp_path / "house.db", session)), use)
    assert (found[0].moved, found[0].settled) == ((), True)


def test_a_coup_that_was_void_after_all_has_no_result_left(tmp_path: Path) -> None:
    course = looked_back(tmp_path, "canberra-corrections", 1)
    counted = [moment.told.says for moment in course if moment.counts]
    assert "Coup 1: Player wins, 8 to 5" not in counted
    assert "Coup 1 stands corrected: banker" not in counted
    assert "Coup 1 is void after all: marked cards" in counted
    assert [(one.wager.by, one.was_cents, one.now_cents) for one in both(course).moved] == [
        ("ann", 10_000, 0),
        ("bob", -10_000, 0),
    ]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_of_an_ordinary_coup_everything_counts(tmp_path: Path, number: int) -> None:
    course = looked_back(tmp_path, "tasmania-2018", number)
    assert all(moment.counts for moment in course)
    assert versions_of(course) is None
    assert course[-1].coup.over
