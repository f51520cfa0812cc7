"""A substitute does all that the player could do, and is offered it on page and device."""

from pathlib import Path

from puntobanco.house.access.sign_in import SignIn
from puntobanco.house.checks.audit import audit
from puntobanco.house.intents import BetMore
from puntobanco.house.may import possible
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.server.gateway import Gateway
from puntobanco.server.live.board import LiveScreen
from puntobanco.server.live.regions import LivePages
from puntobanco.server.rendering import Pages
from puntobanco.table import commands as c
from puntobanco.table.actor import Actor, Role
from puntobanco.table.state import Table
from puntobanco.table.view import Viewer, view
from tests.kit.clauses import clause
from tests.kit.house.driver import Driver, enrol
from tests.kit.house.forms import MIN, betting_on_forms
from tests.kit.journal import using

PATRON = frozenset({Role.PATRON})


async def with_substitute(log: EventLog) -> Driver:
    """Ann, whose turn it is, is away; Dee sits for her."""
    driver = await betting_on_forms(log)
    await enrol(driver.house, "dee")
    named = c.NameSubstitute("ann", "dee", 9)
    await driver.house.give("table-1", named, HOUSE, "substitute-of-ann")
    return driver


def can(table: Table, person: str) -> set[str]:
    return set(possible(table, Actor(person, PATRON, 0)))


@clause("tas-2018:16.3.3", "tas-2013:15.3.3", "act-2015:15.11")
def test_a_substitute_is_offered_what_the_player_could_do(tmp_path: Path) -> None:
    """[tas-2018:16.3.3, tas-2013:15.3.3, act-2015:15.11]"""

    async def use(log: EventLog) -> None:
        driver = await with_substitute(log)
        house, table = driver.house, driver.house.tables["table-1"]
        assert {"bet-more", "place-wager", "lodge-form"} <= can(table.state, "dee")
        assert can(table.state, "dee") == can(table.state, "ann")
        assert "bet-more" not in can(table.state, "eve")
        own = view(table.state, Viewer("dee", PATRON)).own
        assert own is not None
        assert own.place is not None
        assert (own.place.box, own.chips) == (1, 100_000)
        pages = LivePages(Gateway(house, SignIn(house)), Pages(house))
        bets = pages.regions(LiveScreen("player"), table, Viewer("dee", PATRON))["dock"]
        assert 'data-betting="open"' in bets
        assert "100" in pages.regions(LiveScreen("player"), table, Viewer("dee", PATRON))["own"]

    using(str(tmp_path / "house.db"), use)


@clause("tas-2018:16.3.3")
def test_chips_a_substitute_lays_are_the_players(tmp_path: Path) -> None:
    """[tas-2018:16.3.3] A new wager, and what they may do with it, is on record as the player's."""

    async def use(log: EventLog) -> None:
        driver = await with_substitute(log)
        house, table = driver.house, driver.house.tables["table-1"]
        await house.give("table-1", BetMore(Bet.PLAYER, MIN), "dee", "bet-of-dee")
        assert table.state.coup is not None
        (wager,) = table.state.coup.wagers
        assert (wager.by, wager.box, wager.cents) == ("ann", 1, MIN)
        assert table.state.chips["ann"] == 100_000 - MIN
        laid = view(table.state, Viewer("dee", PATRON)).play
        assert laid is not None
        assert [one.own for one in laid.wagers] == [True]
        await house.record_root()
        assert audit(log).fault is None

    using(str(tmp_path / "house.db"), use)
