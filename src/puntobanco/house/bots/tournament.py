"""A tournament of bots, one after another: conditions, entries, draw, session, places, prizes.

The bots are those of one table. Its director and its manager have their roles in the whole house,
for a competition is no table; what they do now follows from how far the competition has come, so
that after a crash, or when a person has done it first, they go on from there.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime  # noqa: TID251  to write a moment, not to ask for one

from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.cage.state import Cage
from puntobanco.competition import commands as k
from puntobanco.competition.dates import entries_until_ms
from puntobanco.competition.queries import standings
from puntobanco.competition.state import Competition, CompetitionPhase, EntryStatus
from puntobanco.house.stream import COMPETITION
from puntobanco.register.commands import Plan
from puntobanco.rules.competition.draw import Spoken
from puntobanco.rules.competition.places import How
from puntobanco.table.actor import Role
from puntobanco.table.state import Table

ENTRY_MS = 3_600_000
"""Milliseconds from the draft to the start that the conditions name; entries are closed sooner."""
P = CompetitionPhase
FINISHED = frozenset({P.DONE, P.CANCELLED})
CONDITIONS_TEXT = """\
name = "Bots' tournament {number}"
ruleset = "mbs-2017"
start = "{start}"

[table]
layout = "A"
decks = 8
method = "even"
pairs = "pair"
pairs_limits = {{ min_cents = 10000, max_cents = 50000 }}
chip_cents = 500
leftover = "discard"
backs = "as announced"

[entry]
form = "at the desk"
terms = "bots alone; everybody may watch"
fee_cents = 10000
min = {players}
max = {players}

[prizes]
percent = [60, 40]

[play] # what the document does not say
order = "clockwise"
every_coup = "yes"
eliminated = "below-minimum"
absent = "minimum-deducted"
late = "three-coups"
level = "more-rounds"
secret_wagers = true

[[stage]]
name = "final"
seats = 7
least = 2
allotment_cents = 200000
ends = {{ coups = {coups} }}
secrets = 1
limits = {{ min_cents = 10000, max_cents = 100000, multiple_cents = 10000 }}
"""
Ask = k.CompetitionCommand | cage.CageCommand
Wish = tuple[str, Ask]
"""A bot, and the command that it would give."""


class Tournament(Struct, frozen=True):
    """The tournament of one table as it is now."""

    competition: Competition
    cage: Cage
    table: str
    at_table: Table
    staff: dict[Plan, str]
    patrons: tuple[str, ...]
    now_ms: int
    waited_ms: int
    """Milliseconds since anything happened in the competition."""
    patience_ms: int
    """Milliseconds that are left to people, to look at an end or to come for a beginning."""

    @property
    def director(self) -> str:
        return self.staff["director"]

    @property
    def people_have_seen(self) -> bool:
        return self.waited_ms >= self.patience_ms


def tournament_named(table: str, number: int) -> str:
    """The stream of a table's tournament, by its number."""
    return f"{COMPETITION}{table}-{number}"


def drafted(number: int, players: int, now_ms: int, coups: int) -> k.Draft:
    """The conditions of the next tournament."""
    start = datetime.fromtimestamp((now_ms + ENTRY_MS) // 1000, UTC).isoformat()
    facts = {"number": number, "players": players, "start": start, "coups": coups}
    return k.Draft(CONDITIONS_TEXT.format(**facts))


def tournament_wishes(now: Tournament) -> Iterator[Wish]:
    """What the bots of a tournament would do now, the likeliest first."""
    competition = now.competition
    for number, proposal in competition.proposals.items():
        if proposal.person != now.staff["manager"]:
            yield now.staff["manager"], k.Approve(number)
    if not competition.proposals and competition.phase in BY_PHASE:
        yield from BY_PHASE[competition.phase](now)


def _publish(now: Tournament) -> Iterator[Wish]:
    yield now.director, k.Publish()


def _open(now: Tournament) -> Iterator[Wish]:
    yield now.director, k.OpenEntries()


def _enter(now: Tournament) -> Iterator[Wish]:
    """Everybody applies, is accepted, endorses and pays; then entries are closed."""
    competition, director = now.competition, now.director
    if not competition.commitment:
        yield director, k.CommitDraw()
    if now.table not in competition.tables:
        yield director, k.DesignateTable(now.table)
    if now.now_ms > entries_until_ms(competition):
        stage, start = competition.stage_name, now.now_ms + ENTRY_MS
        yield director, k.SetStart(stage, start, "the house was shut")
    for person in now.patrons:
        yield from _entry(now, person)
    paid = [competition.entries.get(person) for person in now.patrons]
    if all(one is not None and one.status is EntryStatus.PAID for one in paid):
        yield director, k.CloseEntries()


def _entry(now: Tournament, person: str) -> Iterator[Wish]:
    entrant = now.competition.entries.get(person)
    match entrant.status if entrant else None:
        case None:
            yield person, k.Apply()
        case EntryStatus.APPLIED:
            yield now.director, k.Accept(person)
        case EntryStatus.ACCEPTED:
            yield person, k.Endorse(now.competition.version)
        case EntryStatus.ENDORSED:
            yield from _fee(now, person)


def _fee(now: Tournament, person: str) -> Iterator[Wish]:
    """The fee, and the money for it."""
    entry, cashier = now.competition.conditions.entry, now.staff.get("cashier", "")
    wanted, held = entry.fee_cents or 0, now.cage.accounts.get(person)
    if held is None:
        yield cashier, cage.OpenAccount(person)
    elif held < wanted:
        yield cashier, cage.Deposit(person, 10 * wanted)
    else:
        yield person, k.PayEntry()


def _draw(now: Tournament) -> Iterator[Wish]:
    if not now.competition.commitment:
        yield now.director, k.CommitDraw()
    yield now.director, k.Draw((Spoken(now.director, "lots are drawn"),))


def _prepare(now: Tournament) -> Iterator[Wish]:
    yield now.director, k.PrepareSession()


def _start(now: Tournament) -> Iterator[Wish]:
    """The director is there, and play begins once the table is open for it."""
    competition = now.competition
    session = now.at_table.session
    if now.director not in competition.directors:
        yield now.director, k.SignOn(Role.DIRECTOR)
    is_open = session is not None and session.id == competition.session
    of = now.at_table.conditions.competition if now.at_table.conditions else ""
    if now.at_table.is_open and is_open and of == competition.id and now.people_have_seen:
        yield now.director, k.StartSession()


def _settle(now: Tournament) -> Iterator[Wish]:
    """Those who are level for what only some can have play on; then the stage is confirmed."""
    found = standings(now.competition, now.competition.stage_name).values()
    rows = [row for one in found if one is not None for row in one.places if row.at_stake]
    for row in rows:
        if row.how is How.RULING:
            yield now.director, k.Rule("places", "by lot", order=row.people)
        else:
            coups = 1 if row.how is How.MORE_ROUNDS else 0
            yield now.director, k.OrderPlayOff(row.people, now.table, coups)
    if not rows:
        yield now.director, k.ConfirmStage()


def _play_off(now: Tournament) -> Iterator[Wish]:
    session = now.competition.now
    if session.kind == "play-off" and not session.chips_cents:
        yield now.director, k.SetPlayOffChips(now.competition.stage.allotment_cents)
    elif not session.has_begun:
        yield now.director, k.StartSession()


def _next_stage(now: Tournament) -> Iterator[Wish]:
    if now.competition.stages_done < len(now.competition.conditions.stage):
        yield from _draw(now)
    else:
        yield now.director, k.ConfirmPlaces()


def _pay(now: Tournament) -> Iterator[Wish]:
    cashier = now.staff.get("cashier", "")
    for person, entrant in now.competition.entries.items():
        if entrant.prize_cents and not entrant.prize_paid:
            yield cashier, k.PayPrize(person)
    yield now.director, k.PublishResults()


BY_PHASE: dict[CompetitionPhase, Callable[[Tournament], Iterator[Wish]]] = {
    P.DRAFTING: _publish,
    P.PUBLISHED: _open,
    P.ENTERING: _enter,
    P.CLOSED: _draw,
    P.DRAWN: _prepare,
    P.PREPARING: _start,
    P.OVER: _settle,
    P.PLAY_OFF: _play_off,
    P.CONFIRMED: _next_stage,
    P.PLACED: _pay,
    P.PAID: _pay,
}
"""What is done in each phase; while a session runs, the table's own bots play."""
