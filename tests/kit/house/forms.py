"""A house with a session of a competition at one table, in which forms are lodged."""

from collections.abc import Iterable
from itertools import count
from typing import Any

from msgspec.structs import replace

from puntobanco.cage import commands as cage
from puntobanco.competition import commands as k
from puntobanco.house.clock import Clock
from puntobanco.house.competitions.relay import Relay
from puntobanco.journal.log import EventLog
from puntobanco.journal.verify import HOUSE
from puntobanco.rules.cards import Card
from puntobanco.rules.competition.conditions import SessionEnds
from puntobanco.rules.competition.secret import SecretForm
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.notice import Limits, sample_notice
from puntobanco.table import commands as c
from puntobanco.table.actor import Role
from puntobanco.table.competition_terms import Conditions, SessionTerms
from tests.kit.house.driver import Driver, enrol, house_over

FORM = SecretForm("500", "five hundred", "b")
MIN = 10_000
BANKER_WINS = "Kc 9d Kh Ks"


async def betting_on_forms(log: EventLog, clock: Clock | None = None, **terms: object) -> Driver:
    """Ann, Bob and Cy are seated, with two secret wagers each; bets are open, Ann is first."""
    notice = replace(
        sample_notice("tas-2018"), limits=Limits(MIN, 200_000, 500), tie_limits=None, chip_cents=500
    )
    session = SessionTerms("final", SessionEnds(coups=5), **{"secrets": 2, **terms})  # type: ignore[arg-type]
    opening = c.OpenTable(
        notice, "monday", "shoe 1", effective="1 July 2018", session=session,
        conditions=Conditions("cup", "competition", 100_000, face_down=False),
    )  # fmt: skip
    driver = Driver(house_over(log, clock))
    seats = {1: "ann", 2: "bob", 3: "cy"}
    for person in seats.values():
        await enrol(driver.house, person)
    await driver.do("mara", opening)
    await _on_duty(driver)
    await driver.do("cora", c.SignOn(Role.DIRECTOR))
    await driver.house.give("table-1", c.BeginSession(seats, 7), HOUSE, "begin-session")
    return await _betting(driver, seats.values())


async def _on_duty(driver: Driver) -> None:
    await driver.do("dan", c.SignOn(Role.DEALER))
    await driver.do("ines", c.SignOn(Role.INSPECTOR))


async def _betting(driver: Driver, players: Iterable[str]) -> Driver:
    """Everybody has come, and bets are open."""
    for ask in (
        *(c.TakeSeat(person) for person in players),
        c.CheckCards("set A", player="ann"),
        c.Shuffle(),
        c.CutCards(100, 1),
        c.LoadShoe(),
        c.OpenCoup(),
    ):
        await driver.do("dan", ask)
    return driver


CUP = "competition-cup"
CUP_TEXT = """
name = "Forms"
ruleset = "tas-2018"
start = "2026-03-14T18:00:00+11:00"
table = { layout = "midi", decks = 8, method = "commission", chip_cents = 500 }
entry = { form = "A", terms = "at the desk", fee_cents = 5000, min = 3, max = 9 }
prizes = { percent = [100] }

[[stage]]
name = "final"
seats = 9
allotment_cents = 100000
ends = { coups = 5 }
secrets = 2
limits = { min_cents = 10000, max_cents = 200000, multiple_cents = 500 }
"""


async def cup_on_forms(log: EventLog) -> Driver:
    """The same in a competition of its own, from its conditions on."""
    driver = Driver(house_over(log))
    house, ids, relay = driver.house, count(1), Relay(driver.house)
    players = ("ann", "bob", "cy")
    for person in ("mara", "cora", "carol", *players):
        await enrol(house, person)

    async def give(who: str, ask: Any, at: str = CUP) -> None:
        await house.give(at, ask, who, f"cup-{next(ids)}")

    await give("mara", k.Draft(CUP_TEXT))
    await give("mara", k.Publish())
    await give("cora", k.Approve(1))
    await give("cora", k.OpenEntries())
    for person in players:
        await give("carol", cage.OpenAccount(person), "cage")
        await give("carol", cage.Deposit(person, 5000), "cage")
        await give(person, k.Apply())
        await give("carol", k.Accept(person))
        await give(person, k.Endorse(1))
        await give(person, k.PayEntry())
    await give("cora", k.CloseEntries())
    await give("cora", k.DesignateTable("table-1"))
    await give("cora", k.KeyDraw({"table-1": dict(enumerate(players, 1))}))
    await give("mara", k.Approve(2))
    await give("cora", k.SignOn(Role.DIRECTOR))
    await give("cora", k.PrepareSession())
    await relay.bring_into_line(CUP)
    await _on_duty(driver)
    await give("cora", k.StartSession())
    await relay.bring_into_line(CUP)
    return await _betting(driver, players)


async def lodged(log: EventLog, form: SecretForm = FORM, clock: Clock | None = None) -> Driver:
    """Ann has handed in a form, the others lie with the minimum, and bets are called."""
    driver = await betting_on_forms(log, clock)
    await driver.house.lodge("table-1", "ann", form, "dan", "form-of-ann")
    for seat, person in ((2, "bob"), (3, "cy")):
        await driver.do("dan", c.PlaceWager(seat, Bet.PLAYER, MIN, person))
    await driver.do("dan", c.NoMoreBets())
    return driver


async def dealt(log: EventLog, form: SecretForm = FORM, clock: Clock | None = None) -> Driver:
    """The form is accepted, and the cards lie: Banker wins."""
    driver = await lodged(log, form, clock)
    await driver.house.form("table-1", "ann", "ines")
    await driver.do("ines", c.ExamineSecret("ann", "accepted"))
    for card in BANKER_WINS.split():
        await driver.do("dan", c.DrawCard(Card(card)))
    return driver
