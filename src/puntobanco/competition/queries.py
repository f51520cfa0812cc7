"""What is read off a competition: who is drawn for, how sessions stand, what the pool is."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from puntobanco.competition.state import (
    SECONDARY,
    Competition,
    CompetitionPhase,
    EntryStatus,
    PlaySession,
)
from puntobanco.rules.competition.draw import ApartList
from puntobanco.rules.competition.money import Pool, entry_pool, prizes_of
from puntobanco.rules.competition.places import (
    Ended,
    How,
    PlaceRow,
    Standing,
    advance,
    award,
    ends_under,
    resolve,
    row_prizes,
)
from puntobanco.rules.competition.structure import advancing
from puntobanco.rules.competition.ways import ways_of
from puntobanco.rules.documents.competition_rules import EndRules
from puntobanco.table.result import SessionResult

WILD_CARDS = "wild cards"
"""Names the ballot among equals for the last wild card."""
LOST_PLACE = frozenset({EntryStatus.DISQUALIFIED, EntryStatus.FORFEITED})
NO_PLACE = LOST_PLACE | {EntryStatus.WITHDRAWN}


def entry_numbers(competition: Competition) -> dict[str, int]:
    """The number of each entry, by when its owner applied."""
    return {person: number for number, person in enumerate(competition.entries, 1)}


def entry_words(competition: Competition) -> dict[str, str]:
    """What each entrant is listed as where everybody may read it: an id is a sign-in name."""
    numbers = entry_numbers(competition)
    return {person: f"entry-{number:04}" for person, number in numbers.items()}


def apart_listed(competition: Competition) -> ApartList:
    """Those who are kept apart, as they are listed for a draw."""
    words, apart = entry_words(competition), competition.apart
    return ApartList(
        tuple(tuple(words[who] for who in group) for group in apart.groups), apart.salt
    )


def next_draw(competition: Competition) -> tuple[str, int]:
    """The session that the next draw is for, and which draw for it that is."""
    if competition.phase is CompetitionPhase.OVER:
        return f"{competition.stage_name} {WILD_CARDS}", 1
    session = competition.sessions.get(competition.stage_name)
    return competition.stage_name, 1 + (session.draws if session else 0)


def too_late_to_commit(competition: Competition) -> bool:
    """The list of the first draw is known: a seed could be chosen by it."""
    closed = competition.phase is CompetitionPhase.CLOSED and not competition.in_secondary
    return closed and not competition.commitment and next_draw(competition)[1] == 1


def drawn_for(competition: Competition) -> tuple[str, ...]:
    """Those for whom seats are drawn: all who are in the session that comes next."""
    first = not competition.confirmed
    wanted = EntryStatus.PAID if first else EntryStatus.THROUGH
    if competition.in_secondary:
        wanted = EntryStatus.SECONDARY
    return tuple(
        sorted(
            person
            for person, entrant in competition.entries.items()
            if (entrant.status is wanted and (not first or entrant.version == competition.version))
            or (entrant.status is EntryStatus.SEATED and entrant.stage == competition.stage_name)
        )
    )


def end_rules(competition: Competition) -> EndRules:
    """How equals are parted: by the document, or as the conditions say where it is silent."""
    ends = competition.says.ends
    if ends.equal_at_end != "conditions":
        return ends
    level = ways_of(competition.conditions.play, competition.rules)["level"].value
    return ends_under(ends, "play-off" if level == "play-off" else "more-rounds")


def ended(competition: Competition, result: SessionResult) -> Ended:
    """A result as places are worked out from it: whoever is gone takes none
    [tas-2018:16.2.3(b)].
    """
    named = {*result.chips, *result.out}
    gone = {
        person
        for person in named
        if person in competition.entries and competition.entries[person].status in NO_PLACE
    }
    return Ended(
        result.chips, result.out, frozenset({*gone, *result.gone}), result.why == "all-below"
    )


def deciders(competition: Competition, stage: str, table: str) -> Iterable[PlaySession]:
    """The play-offs, extra rounds and rulings among those level at a table, in order."""
    for session in competition.sessions.values():
        if session.stage == stage and session.of == table:
            yield session


def standing_at(competition: Competition, stage: str, table: str) -> Standing | None:
    """How a table stands at the end of a stage, after whatever was played off; None: its result
    is not in.
    """
    steps = [stood for stood, _ in _steps(competition, competition.sessions[stage], table)]
    return steps[-1] if steps else None


def own_standings(competition: Competition, session: PlaySession) -> dict[str, Standing]:
    """What a session itself came to at each of its tables, a play-off too, before whatever
    followed it.
    """
    stage = competition.sessions.get(session.stage)
    tables = [session.of] if session.of else session.seats
    return {
        table: own[session.id]
        for table in tables
        if stage and session.id in (own := _own(competition, stage, table))
    }


def _own(competition: Competition, stage: PlaySession, table: str) -> dict[str, Standing]:
    return {played: own for _, (played, own) in _steps(competition, stage, table)}


def _steps(
    competition: Competition, session: PlaySession, table: str
) -> Iterator[tuple[Standing, tuple[str, Standing]]]:
    """How a table stood after its session and after each that followed among equals; and what
    that session was, by itself.
    """
    taken, stage = session.results.get(table), session.stage
    if taken is None:
        return
    rules, prizes = end_rules(competition), prize_list(competition)
    final = stage == competition.conditions.final.name
    base = ended(competition, taken.result)
    places = 0 if final else number_advancing(competition, stage, len(session.seats)) or 0
    standing = award(base, prizes, rules) if final else advance(base, places, rules)
    yield standing, (session.id, standing)
    for played in deciders(competition, stage, table):
        came_to = _ended_of(competition, played)
        who = {*came_to.chips, *came_to.out} - came_to.gone if came_to else set()
        row = next((row for row in standing.places if row.at_stake and {*row.people} == who), None)
        if came_to is None or row is None:  # not over yet, or settled by somebody's removal
            continue
        own = (
            award(came_to, row_prizes(row, prizes), rules)
            if final
            else advance(came_to, row.at_stake, rules)
        )
        own = _settled_by(own, replace(row, how=How.RULING) if played.order else row)
        standing = resolve(standing, own)
        yield standing, (played.id, own)


def _settled_by(own: Standing, row: PlaceRow) -> Standing:
    """Places that a play-off, more rounds or a ruling settled say so, with the clause."""
    places = tuple(
        one
        if one.at_stake or one.how is How.SHARED
        else replace(one, how=row.how, clauses=tuple(dict.fromkeys((*row.clauses, *one.clauses))))
        for one in own.places
    )
    return replace(own, places=places)


def number_advancing(competition: Competition, stage: str, tables: int) -> int | None:
    """How many advance from each of so many tables; None: no number was given for so many."""
    found = competition.conditions.stage_named(stage)
    if found is not None:
        return advancing(found, tables)
    each, rest = divmod(competition.conditions.secondary.winners, max(1, tables))
    return None if rest else each


def _ended_of(competition: Competition, played: PlaySession) -> Ended | None:
    if played.order:
        ranked = {person: len(played.order) - at for at, person in enumerate(played.order)}
        return Ended(ranked)
    taken = next(iter(played.results.values()), None)
    return ended(competition, taken.result) if taken else None


def standings(competition: Competition, stage: str) -> dict[str, Standing | None]:
    """How every table of a stage stands."""
    session = competition.sessions.get(stage)
    return (
        {table: standing_at(competition, stage, table) for table in session.seats}
        if session
        else {}
    )


def went_on(competition: Competition, stage: str) -> set[str]:
    """Who is through from a stage that is confirmed, wild cards too; not who came back into the
    next one by a second chance.
    """
    stood = standings(competition, stage).values()
    through = {
        who for one in stood if one for who in one.through if not _out_in(competition, who, stage)
    }
    names = [one.name for one in competition.conditions.stage]
    at = names.index(stage) + 1 if stage in names else len(names)
    later = competition.sessions.get(names[at]) if at < len(names) else None
    if later:
        plays_on = seated(later)
    else:
        entries = competition.entries.items()
        plays_on = {who for who, one in entries if one.status is EntryStatus.THROUGH}
    second = competition.sessions.get(SECONDARY)
    return through | (plays_on - (seated(second) if second else set()))


def _out_in(competition: Competition, who: str, stage: str) -> bool:
    """Whether somebody went out in this stage: nobody who is gone later makes them go on."""
    entry = competition.entries.get(who)
    return entry is not None and (entry.status, entry.stage) == (EntryStatus.OUT, stage)


def seated(session: PlaySession) -> set[str]:
    """Everybody for whom a seat was drawn."""
    return {who for seats in session.seats.values() for who in seats.values()}


def entries_in(competition: Competition) -> int:
    """How many have paid and play, or have played: whoever lost the place before a seat was theirs
    counts in the pool alone [act-2015:15.9, 15.10].
    """
    lost = [
        who
        for who, one in competition.entries.items()
        if one.status in LOST_PLACE and one.paid_cents
    ]
    sat = set[str]()
    for session in competition.sessions.values() if lost else ():
        sat.update(who for seats in session.seats.values() for who in seats.values())
    return competition.money.entries - sum(who not in sat for who in lost)


def pool_now(competition: Competition) -> Pool:
    """The pool of what has been paid and not refunded, and of what the operator added."""
    money, entry = competition.money, competition.conditions.entry
    return entry_pool(entry, money.entries, money.added_cents)


def pool_cents(competition: Competition) -> int:
    """The pool as it was confirmed with the places, or as it stands now; of a competition that was
    cancelled nothing is left to be won.
    """
    if not competition.version or competition.phase is CompetitionPhase.CANCELLED:
        return 0
    return competition.pool_cents or pool_now(competition).pool_cents


def prize_list(competition: Competition) -> tuple[int, ...]:
    """The prizes by place: the conditions', or those of a ruling; none if it was cancelled."""
    if competition.phase is CompetitionPhase.CANCELLED:
        return ()
    if competition.prizes_cents:
        return competition.prizes_cents
    prizes = competition.conditions.prizes
    pool = pool_cents(competition)
    return prizes_of(pool, listed=prizes.list_cents, percent=prizes.percent)


def promised_pool_cents(competition: Competition) -> int:
    """The pool as everybody is told it before places are confirmed: with what the conditions
    promise that the operator adds, which places wait for.
    """
    is_off = not competition.version or competition.phase is CompetitionPhase.CANCELLED
    if competition.pool_cents or is_off:
        return pool_cents(competition)
    promised = competition.conditions.prizes.added_cents - competition.money.added_cents
    return pool_cents(competition) + max(0, promised)


def promised_prizes(competition: Competition) -> tuple[int, ...]:
    """The prizes of that pool, by place."""
    if competition.prizes_cents or competition.phase is CompetitionPhase.CANCELLED:
        return prize_list(competition)
    prizes = competition.conditions.prizes
    pool = promised_pool_cents(competition)
    return prizes_of(pool, listed=prizes.list_cents, percent=prizes.percent)


def next_clock_ms(competition: Competition) -> int | None:
    """When the session's time is over; None: no time runs."""
    session = competition.sessions.get(competition.session)
    running = competition.phase is CompetitionPhase.RUNNING
    if (
        session is None
        or not running
        or session.time_over
        or competition.break_until_ms is not None
    ):
        return None
    return session.ends_ms
