"""The back office as data: reports, significant events, people, what must be in each tray."""

from functools import partial
from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Struct

from puntobanco.house.access import desk
from puntobanco.house.access.people import Credential
from puntobanco.house.access.rights import OVERSEES, WORKS_HERE
from puntobanco.house.figures.fairness import Fairness
from puntobanco.house.figures.report import EVER, By, Report, ReportAsked
from puntobanco.house.lookback.significant import Finding, Noted, noted_at, review, significant
from puntobanco.house.till.trays import expected_trays
from puntobanco.register.presets import presets_under
from puntobanco.register.settings import ChipKind, Preset, Settings, TableLook
from puntobanco.rules.documents.texts import for_money
from puntobanco.server.addresses import RowNumber, Short
from puntobanco.server.api.people import Who
from puntobanco.server.commands.api import roles_first, strictly
from puntobanco.server.look import look_of
from puntobanco.server.pages.journal.significant import MOST_SHOWN
from puntobanco.server.pages.office.chance import fairness_of
from puntobanco.server.pages.office.reports import CoupBehind, coups_asked, report_asked
from puntobanco.server.pages.office.running import HouseRuns, generator_again, house_runs
from puntobanco.server.reader_threads import in_reader, read
from puntobanco.server.visit import TheVisit
from puntobanco.table.actor import Role

Kind = Annotated[By, QueryParameter(description="What each line of the report is about")]
Table = Annotated[str, QueryParameter(max_length=64, description="One table; none: all of them")]
Search = Annotated[str, QueryParameter(name="q", max_length=40)]


Day = Annotated[str, QueryParameter(max_length=10, pattern=r"\A([0-9]{4}-[0-9]{2}-[0-9]{2})?\Z")]


@get("/reports", operation_id="reports")
async def reports(
    visit: TheVisit,
    by: Kind = "table",
    first: Day = EVER[0],
    last: Day = EVER[1],
    table: Table = "",
    person: Table = "",
) -> Report:
    """Handle, hold beside what the exact odds expect, breakage, voids and corrections of a range
    of gaming days; with a person, their part in it, by gaming day or table.
    """
    if table:
        visit.table(table)
    return await report_asked(visit, ReportAsked(by, first, last or EVER[1], table, person))


@get("/house/chance", operation_id="chance")
async def chance(
    visit: TheVisit, first: Day = EVER[0], last: Day = EVER[1], table: Table = ""
) -> Fairness:
    """How the cards fell in a range of gaming days, beside the exact odds: results and pairs with
    the bounds of their shares at 99 %, cards by their place, runs, correlations; p-values as they
    are and as they count among all tests.
    """
    return await fairness_of(visit, ReportAsked("table", first, last or EVER[1], table))


@get("/reports/coups", operation_id="report-coups")
async def report_coups(visit: TheVisit) -> list[CoupBehind]:
    """The coups that a figure is made of, as the page of them is asked for."""
    return await coups_asked(visit)


@get("/events", operation_id="significant-events")
@in_reader
def events(visit: TheVisit) -> list[Noted]:
    """Voids, corrections, changes, failed sign-ins, clock jumps; the newest first."""
    visit.check_oversees("events")
    return significant(visit.house, MOST_SHOWN)


class ReviewGiven(Struct, frozen=True, forbid_unknown_fields=True):
    note: Finding
    """What was found, or done about it."""


@post(
    "/events/{stream:str}/{row:int}/review",
    operation_id="event-review",
    status_code=200,
    before_request=roles_first(OVERSEES, "events"),
)
async def review_event(
    visit: TheVisit, stream: Short, row: RowNumber, data: JSONBody[ReviewGiven]
) -> list[Noted]:
    """Put on record that the caller has looked into a significant event which is not their own."""
    by, given = visit.check(OVERSEES, "events"), await strictly(visit, data)
    await review(visit.house, by, stream, row, given.note)
    return await read(partial(noted_at, visit.house, stream, row))


class PersonListed(Struct, frozen=True):
    person: str
    name: str
    kind: str
    enabled: bool
    roles: dict[str, tuple[Role, ...]]
    """By table; under the empty name, in the whole house."""
    bot: bool


@get("/people", operation_id="people", sync_to_thread=False)
def people(visit: TheVisit, word: Search = "") -> list[PersonListed]:
    """Everybody who belongs to the house, with their names: staff first, bots last."""
    return [
        PersonListed(
            person,
            name,
            member.kind,
            member.enabled,
            {table: tuple(sorted(held)) for table, held in member.roles.items()},
            member.bot is not None,
        )
        for person, name, member in desk.enrolled(visit.house, visit.actor(), word)
    ]


class CredentialHeld(Struct, frozen=True):
    """What a person signs in with; never the secret itself."""

    kind: str
    set_ms: int
    failures: int
    slip: Literal["", "unused", "used"] = ""
    """Whether it was on a slip, which works once; empty: it is good until the next one."""


@get("/people/{person:str}/credentials", operation_id="person-credentials", sync_to_thread=False)
def credentials(visit: TheVisit, person: Who) -> list[CredentialHeld]:
    """What a person signs in with, since when, and how often somebody failed since."""
    return [
        CredentialHeld(kind, held.set_ms, held.failures, _slip(held))
        for kind, held in desk.credentials_of(visit.house, visit.actor(), person).items()
    ]


def _slip(held: Credential) -> Literal["", "unused", "used"]:
    if held.is_once:
        return "unused"
    return "used" if held.is_used else ""


@get("/cage/expected", operation_id="cage-expected", sync_to_thread=False)
def expected(visit: TheVisit) -> dict[str, int]:
    """By table, the cents that must be in its tray now."""
    return expected_trays(visit.house, visit.actor())


class LookShown(Struct, frozen=True):
    """How the house looks, as every page shows it."""

    name: str
    currency: str
    """A code of ISO 4217; empty: amounts are bare numbers."""
    felt: str
    accent: str
    logo: str
    """The logo's address; empty: there is none."""
    chips: tuple[ChipKind, ...]
    tables: dict[str, TableLook]


@get("/look", operation_id="look", sync_to_thread=False)
def look(visit: TheVisit) -> LookShown:
    """The house's name, currency, colours and chips, and what its tables are called."""
    settings = visit.house.register.state.settings
    now, logo = settings.look, look_of(settings).logo
    seen = (now.name, now.currency, now.felt, now.accent, logo)
    return LookShown(*seen, settings.chips, settings.tables)


@get("/house/settings", operation_id="settings", sync_to_thread=False)
def settings(visit: TheVisit) -> Settings:
    """All that management has set; what it has not set is as usual."""
    visit.check(WORKS_HERE, "settings")
    return visit.house.register.state.settings


@get("/house/presets", operation_id="presets", sync_to_thread=False)
def presets(visit: TheVisit) -> dict[str, dict[str, Preset]]:
    """What tables can be opened with, by document and name: the house's own, and the program's."""
    visit.check(WORKS_HERE, "settings")
    kept = visit.house.register.state.settings
    return {ruleset: presets_under(kept, ruleset) for ruleset in for_money()}


@get("/house/running", operation_id="running")
@in_reader
def running_data(visit: TheVisit) -> HouseRuns:
    """Whether the house is fit to be asked, sign by sign: for those who oversee it."""
    return house_runs(visit)


@post("/house/running/chance", operation_id="test-generator", status_code=200)
async def chance_again(visit: TheVisit) -> HouseRuns:
    """Test a generator that failed again, by a megabyte; if it passes, the house draws from it."""
    await generator_again(visit)
    return house_runs(visit)


HANDLERS = (
    Router(
        "/api",
        route_handlers=[
            reports,
            chance,
            report_coups,
            events,
            review_event,
            people,
            credentials,
            expected,
            look,
            settings,
            presets,
            running_data,
            chance_again,
        ],
        tags=["office"],
    ),
)
