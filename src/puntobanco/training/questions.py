"""The questions about a scene and their right answers, each read from what the table did."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.rules.cards import points
from puntobanco.rules.coup import Coup
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.settle import Outcome
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.actor import Actor, Role
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.decide import run
from puntobanco.table.next_step import next_step
from puntobanco.table.state import Phase, Table
from puntobanco.training.kinds import Question
from puntobanco.training.scene import Scene

Event = TypeVar("Event", bound=e.Event)
Answer = tuple[str, tuple[str, ...]]
"""The right option, and the clauses that make it so."""

OPTIONS: dict[Question, tuple[str, ...]] = {
    Question.ALLOWED: ("yes", "no"),
    Question.OWED: ("player", "banker", "nobody"),
    Question.COUP: ("stands", "void", "ruling", "no-error"),
    Question.RESULT: ("none",),
    Question.LEFT_OVER: ("next", "discarded", "none"),
    Question.WAGER: ("whole", "part", "returned", "refused"),
    Question.NEXT: ("ordinary", "non-betting", "none", "waits"),
    Question.CARDS: ("replaced", "kept"),
    Question.WHO: ("dealer", "overseer", "two"),
}
"""The answers to each question; those to a result are added from the cards (`_seeming`)."""


class Asked(Struct, frozen=True):
    """One question about a scene, with its options and the right one."""

    question: Question
    options: tuple[str, ...]
    right: str
    clauses: tuple[str, ...]


def ask(scene: Scene) -> tuple[Asked, ...]:
    """List the questions of a scene's kind that the scene has an answer to."""
    asked = []
    for question in scene.kind.asks:
        answer = ANSWERS[question](scene)
        if answer is not None:
            right, clauses = answer
            seeming = _seeming(scene, right) if question is Question.RESULT else ()
            options = (*seeming, *OPTIONS[question])
            asked.append(Asked(question, options, right, tuple(filter(None, clauses))))
    return tuple(asked)


def _last(kind: type[Event], happened: Iterable[e.Event]) -> Event | None:
    events = [event for event in happened if isinstance(event, kind)]
    return events[-1] if events else None


def _everything(scene: Scene) -> tuple[e.Event, ...]:
    return (*scene.happened, *scene.events)


def _allowed(scene: Scene) -> Answer:
    if scene.refused:
        return "no", (scene.refused.clause,)
    return "yes", scene.events[0].clauses


def _hands(table: Table) -> Coup | None:
    return table.coup.hands(table.terms) if table.coup else None


def _owed(scene: Scene) -> Answer:
    hands = _hands(scene.after)
    assert hands is not None, scene.kind.name
    return (hands.owed or "nobody"), (next_step(scene.after).clause,)


NO_ERROR = (Reason.NO_ERROR, Reason.CARDS_SUFFICE, Reason.BURN_IS_DONE)


def _coup(scene: Scene) -> Answer:
    """Read what becomes of the coup: void, for a person to rule, no error at all, or it stands."""
    if scene.refused:
        assert scene.refused.reason in NO_ERROR, scene.kind.name
        return "no-error", (scene.refused.clause,)
    void = _last(e.CoupVoided, scene.events) or _last(e.EarlierCoupVoided, scene.events)
    if void:
        return "void", void.clauses
    if scene.after.phase is Phase.HELD:
        awaited = _last(e.RulingAwaited, scene.events)
        assert awaited is not None
        return "ruling", awaited.clauses
    stands = [event for kind in STANDS if (event := _last(kind, _everything(scene)))]
    return "stands", stands[0].clauses


STANDS: tuple[type[e.Event], ...] = (
    e.ErrorNoted,
    e.CardCorrected,
    e.PaymentCorrected,
    e.IrregularityRuled,
    e.ResultDeclared,
)
"""Events by which a coup stands; the first in this order that happened says why."""


def _result(scene: Scene) -> Answer:
    declared = _last(e.ResultDeclared, scene.events)
    ruled = _last(e.IrregularityRuled, scene.events)
    assert declared is not None, scene.kind.name
    clauses = (*ruled.clauses, *declared.clauses) if ruled else declared.clauses
    return f"{declared.player}-{declared.banker}", clauses


def _seeming(scene: Scene, right: str) -> tuple[str, ...]:
    """List results to choose from: the right one, its mirror image, that of the hands as laid and
    that of the first four cards. They are sorted, so that their order gives nothing away.
    """
    hands = _hands(scene.before)
    assert hands is not None
    laid, player, banker = hands.as_laid(), hands.player[:2], hands.banker[:2]
    pairs = [(laid.player, laid.banker), (player, banker)]
    seeming = {"-".join(str(points(filter(None, hand))) for hand in pair) for pair in pairs}
    mirrored = "-".join(reversed(right.split("-")))
    return tuple(sorted({right, mirrored, *seeming}))


def _left_over(scene: Scene) -> Answer:
    ruled = _last(e.IrregularityRuled, _everything(scene))
    assert ruled is not None, scene.kind.name
    if ruled.carried:
        return "next", ruled.clauses
    return ("discarded" if ruled.discarded else "none"), ruled.clauses


def _wager(scene: Scene) -> Answer:
    if scene.refused:
        return "refused", (scene.refused.clause,)
    lines = [
        event
        for event in scene.events
        if isinstance(event, e.WagerSettled) and event.wager.by == scene.kind.whose
    ]
    line = lines[-1]
    if line.outcome in (Outcome.RETURNED, Outcome.VOID):
        return "returned", line.clauses
    return ("whole" if line.stake_cents == line.wager.cents else "part"), line.clauses


def _next(scene: Scene) -> Answer:
    """Play on until the next coup is opened, and read what kind of coup it is."""
    table, dealer = scene.after, Actor("dealer", frozenset({Role.DEALER}), 0)
    if table.phase is Phase.HELD:
        return "waits", (next_step(table).clause,)
    for phase, on in ((Phase.DEALING, c.DeclareResult()), (Phase.SETTLED, c.EndCoup())):
        if table.phase is phase:
            table, _ = run(table, on, dealer)
    try:
        _, opened = run(table, c.OpenCoup(), dealer)
    except Refused as refused:
        if refused.reason is not Reason.SHOE_ENDED:
            raise
        return "none", (refused.clause,)
    coup, ruled = _last(e.CoupOpened, opened), _last(e.IrregularityRuled, _everything(scene))
    assert coup is not None
    if coup.kind is CoupKind.NON_BETTING:
        return "non-betting", coup.clauses
    return "ordinary", ruled.clauses if ruled else coup.clauses


def _cards(scene: Scene) -> Answer:
    ended, touched = _last(e.ShoeEnded, scene.events), _last(e.CardsTouched, scene.happened)
    assert ended is not None
    clauses = (*ended.clauses, *(touched.clauses if touched else ()))
    return ("replaced" if ended.set_retired else "kept"), clauses or (CONDITIONS,)


def _who(scene: Scene) -> Answer | None:
    """Read whose word it took: the dealer's alone, an overseer's, or two people's."""
    if scene.refused:
        return None
    awaited = _last(e.RulingAwaited, scene.events)
    clauses = awaited.clauses if awaited else (CONDITIONS,)
    if _last(e.Proposed, scene.events):
        return "two", tuple(dict.fromkeys((*clauses, CONDITIONS)))
    return ("dealer" if scene.steps[-1].by == "dealer" else "overseer"), clauses


ANSWERS: dict[Question, Callable[[Scene], Answer | None]] = {
    Question.ALLOWED: _allowed,
    Question.OWED: _owed,
    Question.COUP: _coup,
    Question.RESULT: _result,
    Question.LEFT_OVER: _left_over,
    Question.WAGER: _wager,
    Question.NEXT: _next,
    Question.CARDS: _cards,
    Question.WHO: _who,
}
