"""Which tables of a session that is prepared are not ready for its start: what the competition
itself cannot know. For people to read; nothing is decided by it.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from puntobanco.competition.path import MissingLine, StepAhead, step_ahead
from puntobanco.competition.state import Competition, CompetitionPhase
from puntobanco.house.house import House
from puntobanco.table.next_step import Next, next_step
from puntobanco.table.queries.competition import plays_session
from puntobanco.words import STEPS, Step
from puntobanco.words.commands import VALUES

READYING = frozenset({
    Step.CHECK_AT_END, Step.SIGN_ON, Step.CHECK_CARDS, Step.SHUFFLE, Step.OFFER_CUT,
    Step.STAFF_CUT, Step.LOAD_SHOE, Step.BURN,
})  # fmt: skip
"""What is done at a table before its session can begin."""
BEFORE_PLAY = (CompetitionPhase.PREPARING, CompetitionPhase.PLAY_OFF)


def ahead_in(house: House, competition: Competition) -> StepAhead | None:
    """The next step of a competition, with the tables that it waits for."""
    ahead = step_ahead(competition)
    if ahead is None or competition.phase not in BEFORE_PLAY:
        return ahead
    opened = competition.phase is CompetitionPhase.PREPARING
    return replace(ahead, lines=(*ahead.lines, *_not_ready(house, competition, opened=opened)))


def _not_ready(house: House, competition: Competition, *, opened: bool) -> Iterator[MissingLine]:
    """Those of a play-off are opened by its start; they wait for the cards last played with."""
    session, clause = competition.now, competition.says.stages.designated
    for drawn, seats in session.seats.items():
        at = session.moved.get(drawn, drawn)
        stream = house.tables.get(at)
        if not seats:
            continue  # nobody sits there: told by itself
        step = next_step(stream.state) if stream and stream.state.notice else None
        if step and step.step in (READYING if opened else (Step.CHECK_AT_END,)):
            yield MissingLine("readying", step.clause, about=(at,), says=_told(step))
        elif opened and (not stream or not plays_session(stream.state, competition.id, session.id)):
            yield MissingLine("not-open", clause, about=(at,))


def _told(step: Next) -> str:
    facts = {name: VALUES.get(f"{name}.{fact}", fact) for name, fact in step.facts.items()}
    return STEPS[step.step].format(**facts)
