"""A tournament of bots, one after another: conditions, entries, draw, sessions, places, prizes.

The bots are those of one table, or of all tables of its pit. Its director and its
manager have their roles in the whole house, for a competition is no table; what they do now follows
from how far the competition has come, so that after a crash, or when a person has done it first,
they go on from there.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime  # noqa: TID251  to write a moment, not to ask for one

from msgspec import Struct

from puntobanco.cage import commands as cage
from puntobanco.cage.state import Cage
from puntobanco.competition import commands as k
from puntobanco.competition.dates import entries_until_ms, start_ms
from puntobanco.competition.queries import standings
from puntobanco.competition.state import Competition, CompetitionPhase, EntryStatus
from puntobanco.house.stream import COMPETITION
from puntobanco.register.commands import Plan
from puntobanco.register.state import Register
from puntobanco.rules.competition.draw import Spoken
from puntobanco.rules.competition.places import How
from puntobanco.table.actor import Role
from puntobanco.table.queries.competition import plays_session
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
HEATS_TEXT = """\
name = "Harbour Cup {number}"
ruleset = "tas-2018"
start = "{start}"

[table]
layout = "midi"
decks = 8
method = "commission"
chip_cents = 500
backs = "as announced"

[entry]
form = "on the event's page or at the desk"
terms = "play money; bots and whoever wants to play with them"
fee_cents = 5000
retained_percent = "10"
min = {least}
max = {players}

[prizes]
percent = [50, 30, 20]

[[stage]]
name = "heats"
seats = 9
least = 5
advance = 3
allotment_cents = 200000
ends = {{ coups = {coups} }}
secrets = 1
wager_seconds = 25
limits = {{ min_cents = 10000, max_cents = 100000, multiple_cents = 10000 }}

[[stage]]
name = "final"
seats = 9
least = 5
allotment_cents = 200000
ends = {{ coups = {coups} }}
secrets = 1
wager_seconds = 25
limits = {{ min_cents = 10000, max_cents = 100000, multiple_cents = 10000 }}
"""
LOT_MS = 1900
"""Milliseconds in which a board shows one lot."""
Ask = k.CompetitionCommand | cage.CageCommand
Wish = tuple[str, Ask]
"""A bot, and the command that it would give."""


class Tournament(Struct, frozen=True):
    """The tournament of one table as it is now."""

    competition: Competition
    cage: Cage
    tables: tuple[str, ...]
    opened: dict[str, Table]
    """Those of them that have been open."""
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

    @property
    def shows_ms(self) -> int:
        """Milliseconds until everybody has been told, one after another, where they sit."""
        return LOT_MS * sum(map(len, self.competition.now.seats.values()))

    @property
    def lots_were_shown(self) -> bool:
        return not self.patience_ms or self.waited_ms >= self.shows_ms


def tournament_named(table: str, number: int) -> str:
    """The stream of a table's tournament, by its number."""
    return f"{COMPETITION}{table}-{number}"


def tournament_tables(register: Register, table: str) -> tuple[str, ...]:
    """The tables of a director's tournament: the director's own, or all of its pit."""
    settings = register.settings
    pit = settings.table_look(table).pit
    return tuple(
        sorted(one for one, look in settings.tables.items() if pit and look.pit == pit)
    ) or (table,)


def drafted(number: int, players: int, now_ms: int, coups: int, tables: int = 1) -> k.Draft:
    """The conditions of the next tournament: one session, or heats and a final."""
    start = datetime.fromtimestamp((now_ms + ENTRY_MS) // 1000, UTC).isoformat()
    facts = {"number": number, "players": players, "start": start, "coups": coups}
    return k.Draft(
        (HEATS_TEXT if tables > 1 else CONDITIONS_TEXT).format(**facts, least=players - 1)
    )


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
    for table in now.tables:
        if table not in competition.tables:
            yield director, k.DesignateTable(table)
    if now.now_ms > entries_until_ms(competition):
        stage, start = competition.stage_name, now.now_ms + ENTRY_MS
        yield director, k.SetStart(stage, start, "the house was shut")
    for person, entrant in competition.entries.items():
        if person not in now.patrons and entrant.status is EntryStatus.APPLIED:
            yield director, k.Accept(person)
    for person in _entering(now):
        yield from _entry(now, person)
    if competition.money.entries == competition.conditions.entry.max:
        yield director, k.CloseEntries()


def _entering(now: Tournament) -> tuple[str, ...]:
    """The bots that enter: the last place, of several tables, is left to a person for a while, and
    whoever has it or is about to keeps it.
    """
    theirs = [one for who, one in now.competition.entries.items() if who not in now.patrons]
    people = sum(one.is_in for one in theirs)
    waits = len(now.tables) > 1 and not now.people_have_seen
    return now.patrons[: len(now.patrons) - max(people, int(waits))]


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
    """The start comes as soon as people have seen the lots, and everybody is told so; without
    people nobody waits for it.
    """
    stage = now.competition.stage_name
    soon = now.now_ms + max(now.patience_ms, now.shows_ms)
    if now.patience_ms and start_ms(now.competition, stage) > soon:
        yield now.director, k.SetStart(stage, soon, "everybody has paid")
    yield now.director, k.PrepareSession()


def _start(now: Tournament) -> Iterator[Wish]:
    """The director is there, and play begins once the table is open for it."""
    competition = now.competition
    if now.director not in competition.directors:
        yield now.director, k.SignOn(Role.DIRECTOR)
    ready = all(_is_open_for(now.opened.get(one), competition) for one in competition.now.seats)
    if ready and now.people_have_seen and now.lots_were_shown:
        yield now.director, k.StartSession()


def _is_open_for(table: Table | None, competition: Competition) -> bool:
    """Whether a table is open for the session that starts next."""
    if table is None or not table.is_open:
        return False
    return plays_session(table, competition.id, competition.session)


def _settle(now: Tournament) -> Iterator[Wish]:
    """Those who are level for what only some can have play on; then the stage is confirmed."""
    found = standings(now.competition, now.competition.stage_name).items()
    rows = [(at, row) for at, one in found if one for row in one.places if row.at_stake]
    for table, row in rows:
        if row.how is How.RULING:
            yield now.director, k.Rule("places", "by lot", order=row.people)
        else:
            coups = 1 if row.how is How.MORE_ROUNDS else 0
            yield now.director, k.OrderPlayOff(row.people, table, coups)
    if not rows and now.people_have_seen:
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
