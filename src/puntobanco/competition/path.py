"""The way of a competition from its conditions to its prizes, and what is missing before its next
step; for people to read, never to decide by.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

from msgspec import Struct

from puntobanco.competition.dates import moment_ms, start_ms
from puntobanco.competition.next_step import waits_for
from puntobanco.competition.queries import (
    drawn_for,
    end_rules,
    entries_in,
    pool_now,
    prize_list,
    promised_pool_cents,
    standing_at,
    standings,
    too_late_to_commit,
)
from puntobanco.competition.state import (
    SECONDARY,
    Competition,
    CompetitionPhase,
    EntryStatus,
)
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.checks import faults_of, item_clause
from puntobanco.rules.competition.conditions import read_conditions
from puntobanco.rules.competition.money import not_returned
from puntobanco.rules.competition.places import How, give_prizes_over
from puntobanco.rules.competition.structure import balanced_tables, plan_all, structure_clause
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.documents.texts import load_ruleset

P = CompetitionPhase
ENTRY_PHASES = (P.PUBLISHED, P.ENTERING)
ENDS = (P.PLACED, P.PAID, P.DONE)


class PathStep(Struct, frozen=True):
    """One stage of the way: done, now or to come, with one fact."""

    name: str
    """`conditions`, `entries`, `draw`, `stage` or `prizes`."""
    state: str
    fact: str
    """Which fact is told."""
    facts: dict[str, int | str] = {}
    stage: str = ""
    """The name that the conditions give the stage."""
    start_ms: int | None = None
    """When a stage starts, where that is known."""
    start: str = ""
    """When the conditions say that it all starts, with how far clocks there are ahead of UTC."""


class MissingLine(Struct, frozen=True):
    """One thing that the next step waits for, or that it no longer waits for."""

    what: str
    clause: str = CONDITIONS
    met: bool = False
    command: str = ""
    """By which it is put right; empty: by waiting, or at a table."""
    about: tuple[str, ...] = ()
    """People, tables or numbers."""
    says: str = ""
    """A sentence of the rules' own, where there is one."""
    facts: dict[str, int | str] = {}


class StepAhead(Struct, frozen=True):
    """The step that comes next, and all that it hangs on."""

    command: str
    lines: tuple[MissingLine, ...]

    @property
    def missing(self) -> int:
        return sum(not line.met for line in self.lines)


def path_of(competition: Competition) -> tuple[PathStep, ...]:
    """Conditions, entries, the draw, every stage, prizes."""
    if not competition.version:
        return tuple(_draft_path(competition.draft))
    return (
        PathStep("conditions", "done", "published", {"version": competition.version}),
        _entries_step(competition),
        _draw_step(competition),
        *_stage_steps(competition),
        _prize_step(competition),
    )


def _draft_path(draft: str) -> Iterator[PathStep]:
    """The whole way before it, as far as what is drafted can be read."""
    held = None
    with suppress(MalformedError):
        held = read_conditions(draft)
    yield PathStep("conditions", "now", "drafted" if draft else "empty")
    yield PathStep("entries", "", "shut")
    yield PathStep("draw", "", "not-committed")
    for number, stage in enumerate(held.stage if held else ()):
        told = stage.start or (held.start if held and not number else "")
        fact = "starts" if told else "to-come"
        start = moment_ms(told) if told else None
        yield PathStep("stage", "", fact, {}, stage.name, start, held.start if held else "")
    yield PathStep("prizes", "", "to-come", {"pool": 0, "places": 0})


def _entries_step(competition: Competition) -> PathStep:
    count, most = entries_in(competition), competition.conditions.entry.max
    waiting = len(competition.reserves)
    facts: dict[str, int | str] = {"count": count, "most": most, "waiting": waiting}
    if competition.phase in ENTRY_PHASES:
        fact = "announced" if competition.phase is P.PUBLISHED else "open"
        return PathStep("entries", "now", "waiting" if waiting else fact, facts)
    return PathStep("entries", "done", "closed", facts)


def _draw_step(competition: Competition) -> PathStep:
    """The draw of the stage; a play-off has none of its own."""
    phase, stage = competition.phase, competition.sessions.get(competition.stage_name)
    drawn = stage.draws if stage else 0
    fact = "drawn" if drawn else "committed" if competition.commitment else "not-committed"
    now = phase is P.CLOSED or (
        phase is P.CONFIRMED and competition.stages_done < len(competition.conditions.stage)
    )
    over = bool(competition.sessions) and not now
    state = "now" if now else "done" if over else ""
    facts: dict[str, int | str] = {"session": competition.stage_name, "draws": drawn}
    return PathStep("draw", state, "committed" if now and competition.commitment else fact, facts)


def _stage_steps(competition: Competition) -> Iterator[PathStep]:
    playing = competition.phase in (P.DRAWN, P.PREPARING, P.RUNNING, P.OVER, P.PLAY_OFF)
    told = competition.conditions.start
    for name in stage_names(competition):
        start = start_ms(competition, name) or None
        if name in competition.confirmed:
            facts: dict[str, int | str] = {"players": _seated(competition, name)}
            yield PathStep("stage", "done", "confirmed", facts, name, start, told)
        elif playing and competition.stage_name == name:
            facts = {
                "players": _seated(competition, competition.stage_name),
                "tables": len(competition.now.seats),
                "waits": len(waits_for(competition)),
            }
            yield PathStep("stage", "now", competition.phase.value, facts, name, start, told)
        else:
            yield PathStep("stage", "", "starts" if start else "to-come", {}, name, start, told)


def stage_names(competition: Competition) -> Iterator[str]:
    """Every stage by its name, a second chance before the one that it leads into."""
    for stage in competition.conditions.stage:
        if stage.name == competition.secondary_into:
            yield SECONDARY
        yield stage.name


def _seated(competition: Competition, stage: str) -> int:
    session = competition.sessions.get(stage)
    return sum(map(len, session.seats.values())) if session else 0


def _prize_step(competition: Competition) -> PathStep:
    prizes = prize_list(competition)
    pool = promised_pool_cents(competition)
    facts: dict[str, int | str] = {"pool": pool, "places": len(prizes)}
    if competition.phase is P.CANCELLED:
        return PathStep("prizes", "", "none", facts)
    done = competition.phase in (P.DONE, P.PAID)
    last = competition.phase is P.CONFIRMED and not _to_draw(competition)
    state = "done" if done else "now" if last or competition.phase in ENDS else ""
    return PathStep("prizes", state, "paid" if done else "pool", facts)


def _to_draw(competition: Competition) -> bool:
    return competition.stages_done < len(competition.conditions.stage)


# what is missing


def step_ahead(competition: Competition) -> StepAhead | None:
    """The next step and what it waits for; None when nothing is left to do.

    >>> step_ahead(Competition()).command
    'draft'
    """
    found = STEP.get(competition.phase)
    if found is None:
        return None
    command, lines = found(competition)
    return StepAhead(command, (*_of_all(competition), *lines))


Found = tuple[str, tuple[MissingLine, ...]]


def _of_all(competition: Competition) -> Iterator[MissingLine]:
    """What waits for somebody in any phase."""
    for number in competition.proposals:
        yield MissingLine("proposal", command="approve", about=(str(number),))
    clause = competition.rules.people.disputes if competition.version else ""
    for number, dispute in competition.disputes.items():
        if not dispute.decision:
            line = MissingLine("dispute", clause or CONDITIONS, command="decide-dispute")
            yield MissingLine(
                line.what, line.clause, command=line.command, about=(str(number),),
                says=dispute.about,
            )  # fmt: skip
    for session in competition.sessions.values():
        for table in session.amended:
            yield MissingLine(
                "amended", competition.says.conduct.places, command="rule", about=(table,)
            )


def _drafting(competition: Competition) -> Found:
    if not competition.draft:
        return "draft", (MissingLine("draft", command="draft"),)
    return "publish", tuple(draft_lines(competition.draft))


def draft_lines(text: str) -> Iterator[MissingLine]:
    """What conditions lack before they can be published, each with its clause."""
    try:
        held = read_conditions(text)
    except MalformedError as error:
        yield MissingLine("unreadable", says=str(error), command="draft")
        return
    rules = load_ruleset(held.ruleset)
    for fault in faults_of(held, rules):
        yield MissingLine("fault", fault.clause, command="draft", says=fault.says)
    plans = plan_all(held)
    failing = [plan for plan in plans if plan.fault]
    clause = rules.competition.stages.advancing
    if failing and failing[0].fault:
        clause = structure_clause(failing[0].fault.reason, rules)
    counts: dict[str, int | str] = {"failing": len(failing), "counts": len(plans)}
    what = "counts-fail" if failing or not plans else "counts"
    yield MissingLine(what, clause, bool(plans) and not failing, "draft", facts=counts)


def _published(_competition: Competition) -> Found:
    return "open-entries", ()


def _entering(competition: Competition) -> Found:
    held, says = competition.conditions, competition.says.conduct
    count = competition.money.entries
    least: dict[str, int | str] = {"count": count, "least": held.entry.min}
    lines = [
        MissingLine(
            "minimum", item_clause("entry.min", competition.rules), count >= held.entry.min,
            "apply", facts=least,
        ),
    ]  # fmt: skip
    for status, clause, command in (
        (EntryStatus.APPLIED, says.accepted, "accept"),
        (EntryStatus.ACCEPTED, says.endorsed, "endorse"),
        (EntryStatus.ENDORSED, says.fee, "pay-entry"),
    ):
        many = sum(one.status is status for one in competition.entries.values())
        if many:
            facts: dict[str, int | str] = {"count": many}
            lines.append(MissingLine(status.value, clause, command=command, facts=facts))
    return "close-entries", (*lines, _committed(competition))


def _committed(competition: Competition) -> MissingLine:
    clause = competition.says.conduct.seats_drawn
    return MissingLine("committed", clause, bool(competition.commitment), "commit-draw")


def _drawing(competition: Competition) -> Found:
    if not _to_draw(competition):
        return "confirm-places", tuple(_before_places(competition))
    stages = competition.says.stages
    needed = len(balanced_tables(len(drawn_for(competition)), competition.stage.seats))
    facts: dict[str, int | str] = {"tables": len(competition.tables), "needed": needed}
    enough = len(competition.tables) >= needed
    lines = [MissingLine("tables", stages.designated, enough, "designate-table", facts=facts)]
    second = competition.conditions.secondary
    if second.winners and second.into == competition.stage.name and not competition.secondary_into:
        lines.append(MissingLine("secondary", stages.secondary, command="open-secondary"))
    if too_late_to_commit(competition):
        clause = competition.says.conduct.seats_drawn
        return "key-draw", (*lines, MissingLine("by-hand", clause, True, "key-draw"))
    return "draw", (*lines, _committed(competition))


def _before_places(competition: Competition) -> Iterator[MissingLine]:
    prizes = competition.says.prizes
    yield from _promised(competition)
    short = not_returned(pool_now(competition).pool_cents, _awarded(competition),
                         competition.rules)  # fmt: skip
    yield MissingLine("returned", prizes.returned, short is None, "rule")


def _awarded(competition: Competition) -> list[int]:
    """The prizes that somebody has: one that nobody is left for is not returned."""
    final = competition.sessions[competition.conditions.final.name]
    standing = standing_at(competition, final.id, next(iter(final.seats)))
    prizes = prize_list(competition)
    if standing is None or standing.contested:
        return list(prizes)
    rows = give_prizes_over(standing, prizes, end_rules(competition)).places
    return [(row.each_cents or 0) * len(row.people) - row.added_cents for row in rows]


def _promised(competition: Competition) -> Iterator[MissingLine]:
    """What the conditions say that the operator adds to the pool, until it was added."""
    promised, added = competition.conditions.prizes.added_cents, competition.money.added_cents
    if promised:
        facts: dict[str, int | str] = {"cents": max(0, promised - added) or promised}
        clause = item_clause("prizes", competition.rules)
        yield MissingLine("added", clause, added >= promised, "add-value", facts=facts)


def _drawn(competition: Competition) -> Found:
    clause = competition.says.conduct.seats_drawn
    facts: dict[str, int | str] = {"players": _seated(competition, competition.session)}
    return "prepare-session", (MissingLine("seated", clause, True, "key-draw", facts=facts),)


def _preparing(competition: Competition) -> Found:
    lines = [MissingLine("director", competition.says.director, bool(competition.directors),
                         "sign-on")]  # fmt: skip
    session, told_ms = competition.now, start_ms(competition, competition.session)
    if told_ms:  # the time is the Director's to choose; that others were told one is shown
        told: dict[str, int | str] = {"start_ms": told_ms}
        clause = competition.says.conduct.start_moved
        lines.append(MissingLine("told-start", clause, True, "set-start", facts=told))
    if session.kind == "play-off":
        clause = competition.says.ends.equal_clause
        lines.append(MissingLine("chips", clause, bool(session.chips_cents), "set-play-off-chips"))
    empty = tuple(table for table, seats in session.seats.items() if not seats)
    if empty:
        clause = competition.says.conduct.seats_drawn
        lines.append(MissingLine("empty-table", clause, command="draw", about=empty))
    return "start-session", tuple(lines)


def _running(competition: Competition) -> Found:
    session, clause = competition.now, competition.says.stages.advancing
    lines = []
    for table in session.seats:
        met = table in session.results
        what = "result" if met else "stopped" if table in session.stopped else "playing"
        command = "resume-at" if what == "stopped" else ""
        lines.append(MissingLine(what, clause, met, command, (table,)))
    return "confirm-stage", tuple(lines)


def _over(competition: Competition) -> Found:
    ends, stages = competition.says.ends, competition.says.stages
    found = standings(competition, competition.stage_name)
    lines = [MissingLine("result", stages.advancing, True, about=(table,)) for table in found]
    for table, stood in found.items():
        if stood and stood.contested:
            facts: dict[str, int | str] = {"places": stood.places_left, "table": table}
            if any(row.how is How.MORE_ROUNDS for row in stood.places):
                facts["coups"] = 1  # one after another, until one of them ends in a result
            line = MissingLine("level", ends.equal_clause, command="order-play-off",
                               about=stood.contested, facts=facts)  # fmt: skip
            lines.append(line)
    wild = competition.stage.wild
    if wild and not competition.in_secondary and not competition.is_final:
        met = bool(competition.wild_cards)
        lines.append(MissingLine("wild", stages.advancing, met, "name-wild-cards"))
    return "confirm-stage", tuple(lines)


def _placed(competition: Competition) -> Found:
    clause = competition.says.prizes.returned
    lines = [
        MissingLine("prize", clause, one.prize_paid, "pay-prize", (person,),
                    facts={"cents": one.prize_cents})
        for person, one in competition.entries.items()
        if one.prize_cents
    ]  # fmt: skip
    published = MissingLine("published", competition.says.conduct.places, competition.published,
                            "publish-results")  # fmt: skip
    return "publish-results", (*lines, published)


def _cancelled(competition: Competition) -> Found:
    clause = competition.says.entry.not_proceeding if competition.version else CONDITIONS
    owed = tuple(
        MissingLine("refund", clause, False, "pay-refund", (person,),
                    facts={"cents": one.owed_cents})
        for person, one in competition.entries.items()
        if one.owed_cents
    )  # fmt: skip
    return "pay-refund", owed


STEP: dict[CompetitionPhase, Callable[[Competition], Found]] = {
    P.DRAFTING: _drafting,
    P.PUBLISHED: _published,
    P.ENTERING: _entering,
    P.CLOSED: _drawing,
    P.CONFIRMED: _drawing,
    P.DRAWN: _drawn,
    P.PREPARING: _preparing,
    P.RUNNING: _running,
    P.OVER: _over,
    P.PLAY_OFF: _preparing,
    P.PLACED: _placed,
    P.PAID: _placed,
    P.CANCELLED: _cancelled,
}
