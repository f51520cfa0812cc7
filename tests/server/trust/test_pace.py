"""A flood does not pass, and is on record once; nobody at work is ever stopped."""

from pathlib import Path

from puntobanco.house.access.door.pace import (
    A_PLAYER,
    AT_WORK,
    MOST_KEPT,
    NOTED_MS,
    TRIES,
    CommandPace,
)
from puntobanco.house.lookback.significant import significant
from tests.kit.house.driver import Time
from tests.kit.house.sign_in import noted
from tests.kit.office import Office, asked

FLOOD, FLOOD_MS = 20_100, 18_000
"""Commands that two patrons once gave in so many milliseconds."""


def test_of_a_flood_next_to_nothing_passes() -> None:
    pace = CommandPace()
    moments = (number * FLOOD_MS // FLOOD for number in range(FLOOD))
    passed = sum(
        not pace.wait_ms(f"patron-{number % 2}", A_PLAYER, at_ms)
        for number, at_ms in enumerate(moments)
    )
    assert passed <= 2 * (A_PLAYER.at_once + A_PLAYER.a_second * FLOOD_MS / 1000)


def test_a_fast_dealer_and_a_program_that_plays_are_never_stopped() -> None:
    pace = CommandPace()
    for number in range(20_000):
        assert not pace.wait_ms("a dealer, a card each 50 ms", AT_WORK, number * 50)
        assert not pace.wait_ms("a program, a wager each 100 ms", A_PLAYER, number * 100)


def test_whoever_waits_as_long_as_they_are_told_goes_on() -> None:
    pace = CommandPace()
    while not (wait_ms := pace.wait_ms("ann", A_PLAYER, 0)):
        pass
    assert pace.wait_ms("ann", A_PLAYER, wait_ms - 1)
    assert not pace.wait_ms("ann", A_PLAYER, wait_ms)
    assert not pace.wait_ms("bob", A_PLAYER, 0)


def test_it_remembers_so_many_and_no_more() -> None:
    pace = CommandPace()
    for number in range(MOST_KEPT + 10):
        pace.wait_ms(str(number), A_PLAYER, number)
    assert len(pace._stocks) == MOST_KEPT


def test_a_flood_is_refused_in_words_with_the_time_to_wait_and_noted_once(tmp_path: Path) -> None:
    time = Time()

    async def use(office: Office) -> None:
        log = office.house.log
        rows = {name: log.head(name).seq for name in log.streams()}
        seen = [
            await office.json("/api/cage/open-account", "ann", {"person": "ann"})
            for _ in range(A_PLAYER.at_once + 5)
        ]
        assert {one.status_code for one in seen[: A_PLAYER.at_once]} == {403}
        for one in seen[A_PLAYER.at_once :]:
            assert one.status_code == 429
            assert one.headers["retry-after"] == "1"
            assert one.json()["reason"] == "too_fast"
            assert "Wait 1 seconds" in one.json()["remedy"]
        slowed = [event for event in noted(log) if event["is"] == "pace-exceeded"]
        assert slowed == [{"is": "pace-exceeded", "person": "ann"}]
        grown = {name for name in log.streams() if log.head(name).seq != rows.get(name)}
        assert grown == {"house"}
        assert any(
            "sent more than the house takes" in one.says for one in significant(office.house)
        )
        time.steady_ms += 1000
        again = await office.json("/api/cage/open-account", "ann", {"person": "ann"})
        assert again.status_code == 403

    asked(tmp_path / "house.db", use, clock=time)


def test_who_tries_many_times_what_they_may_not_is_noted_once(tmp_path: Path) -> None:
    time = Time()

    async def use(office: Office) -> None:
        for _ in range(TRIES.at_once + 5):
            assert (await office.get("/house/people", "ann")).status_code == 403
            assert (await office.get("/house/people")).status_code == 302  # nobody's: no row
        tried = [event for event in noted(office.house.log) if event["is"] == "rights-tried"]
        assert tried == [{"is": "rights-tried", "person": "ann", "where": "/house/people"}]
        time.steady_ms += NOTED_MS
        for _ in range(TRIES.at_once + 5):
            await office.get("/house/people", "ann")
        tried = [event for event in noted(office.house.log) if event["is"] == "rights-tried"]
        assert len(tried) == 2

    asked(tmp_path / "house.db", use, clock=time)
