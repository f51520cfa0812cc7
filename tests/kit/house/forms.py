"""A house with a session of a competition at one table, in which forms are lodged."""

from msgspec.structs import replace

from puntobanco.house.clock import Clock
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
    for person, ask in (
        ("mara", opening),
        ("dan", c.SignOn(Role.DEALER)),
        ("ines", c.SignOn(Role.INSPECTOR)),
        ("cora", c.SignOn(Role.DIRECTOR)),
        (HOUSE, c.BeginSession(seats, 7)),
        *(("dan", c.TakeSeat(person)) for person in seats.values()),
        ("dan", c.CheckCards("set A", player="ann")),
        ("dan", c.Shuffle()),
        ("dan", c.CutCards(100, 1)),
        ("dan", c.LoadShoe()),
        ("dan", c.OpenCoup()),
    ):
        if person == HOUSE:
            await driver.house.give("table-1", ask, HOUSE, "begin-session")
        else:
            await driver.do(person, ask)
    return driver


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
