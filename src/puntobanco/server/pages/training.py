"""The training table on the web: open to all, and kept nowhere but in the page's own address."""

from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.errors import MalformedError
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.clauses import check_ruleset, paraphrased
from puntobanco.server.rendering import card_name, say
from puntobanco.server.visit import TheVisit
from puntobanco.table.commands import CorrectCard
from puntobanco.table.sentences import tell
from puntobanco.training.felt import felt_after, felt_before
from puntobanco.training.kinds import Question, kinds
from puntobanco.training.questions import Asked, ask
from puntobanco.training.run import (
    MOST_WRITTEN,
    SEEDS,
    answered_scenes,
    by_question,
    mark_scene,
    parse_given,
    scene_at,
    score,
    write_answers,
)
from puntobanco.training.scene import Scene
from puntobanco.words import explain

Seed = Annotated[int, QueryParameter(ge=0, lt=SEEDS)]
NewSeed = Annotated[int | None, QueryParameter(name="seed", ge=0, lt=SEEDS)]
Given = Annotated[str, QueryParameter(max_length=MOST_WRITTEN)]


class RecordLine(Struct, frozen=True):
    """One thing that goes on record, or is refused."""

    by: str
    says: str
    clauses: tuple[str, ...]


@get("/training", sync_to_thread=False, include_in_schema=False)
def training_documents(visit: TheVisit) -> Response[str]:
    """The documents to train with."""
    documents = [(name, load_ruleset(name).document.title) for name in RULESETS]
    return visit.show("pages/training/index.html", documents=documents, count=len(kinds()))


@get("/training/{ruleset:str}", sync_to_thread=True, include_in_schema=False)
def scene(
    visit: TheVisit, ruleset: FromPath[str], seed: NewSeed = None, given: Given = ""
) -> Response[Any]:
    """The next scene of a run; a run without a seed is a new one."""
    check_ruleset(ruleset)
    if seed is None:
        return Redirect(_at(ruleset, "", visit.house.chance.below(SEEDS), ""), status_code=303)
    number = len(parse_given(given))
    if number == len(kinds()):
        return Redirect(_at(ruleset, "/debrief", seed, given), status_code=303)
    now = scene_at(ruleset, seed, number)
    felt = felt_before(now.before)
    context = {
        "number": number,
        "asked": ask(now),
        "felt": felt,
        "picture": visit.kept.live_pages.standing(felt.view),
    }
    return visit.show("pages/training/scene.html", **context, **_run(ruleset, seed, given, now))


@get("/training/{ruleset:str}/answer", sync_to_thread=True, include_in_schema=False)
def answer(visit: TheVisit, ruleset: FromPath[str], seed: Seed, given: Given = "") -> Response[Any]:
    """Write down what was chosen, and go on to what the rule says."""
    check_ruleset(ruleset)
    so_far = parse_given(given)
    if len(so_far) == len(kinds()):
        raise MalformedError("every scene of this run has been answered")
    chosen = {
        question.value: visit.request.query_params.get(question.value, "") for question in Question
    }
    written = write_answers(scene_at(ruleset, seed, len(so_far)), chosen)
    return Redirect(_at(ruleset, "/told", seed, ".".join((*so_far, written))), status_code=303)


@get("/training/{ruleset:str}/told", sync_to_thread=True, include_in_schema=False)
def told(visit: TheVisit, ruleset: FromPath[str], seed: Seed, given: Given) -> Response[str]:
    """What the rule says about the scene answered last."""
    check_ruleset(ruleset)
    so_far = parse_given(given)
    if not so_far:
        raise MalformedError("no scene of this run has been answered")
    one = mark_scene(ruleset, seed, len(so_far) - 1, so_far[-1])
    felt = felt_after(one.scene.settled)
    context = {
        "one": one,
        "number": len(so_far) - 1,
        "felt": felt,
        "picture": visit.kept.live_pages.standing(felt.view),
        "record": on_record(one.scene),
        "clauses": paraphrased(one.clauses).items(),
        "right": sum(mark.is_right for mark in one.marked),
    }
    return visit.show(
        "pages/training/told.html", **context, **_run(ruleset, seed, given, one.scene)
    )


@get("/training/{ruleset:str}/debrief", sync_to_thread=True, include_in_schema=False)
def debrief(
    visit: TheVisit, ruleset: FromPath[str], seed: Seed, given: Given = ""
) -> Response[str]:
    """The score, every scene with what was answered and what is right, and clauses to read."""
    check_ruleset(ruleset)
    scenes = answered_scenes(ruleset, seed, parse_given(given))
    wrong = [
        clause
        for scene in scenes
        for mark in scene.marked
        if not mark.is_right
        for clause in mark.asked.clauses
    ]
    context = {
        "scenes": scenes,
        "score": score(scenes),
        "by_question": by_question(scenes),
        "clauses": paraphrased(wrong).items(),
    }
    return visit.show("pages/training/debrief.html", **context, **_run(ruleset, seed, given))


def on_record(scene: Scene) -> list[RecordLine]:
    """What the table did about it, step by step."""
    record = []
    for step in scene.steps:
        record += [RecordLine(step.by, tell(event), event.clauses) for event in step.events]
        if step.refused:
            happened, remedy = explain(step.refused)
            says = say("training.refused", happened=happened, remedy=remedy)
            record.append(RecordLine(step.by, says, (step.refused.clause,)))
    return record


def scene_facts(scene: Scene) -> dict[str, str]:
    """What the words of a scene speak of."""
    first = scene.steps[0].ask
    card = card_name(first.card) if isinstance(first, CorrectCard) else ""
    return {**scene.facts, "card": card, "whose": scene.kind.whose}


def label(scene: Scene, asked: Asked, option: str) -> str:
    """An answer in words."""
    player, dash, banker = option.partition("-")
    if asked.question is not Question.RESULT or not dash:
        return say(f"training.{asked.question}.{option}", **scene_facts(scene))
    if player == banker:
        return say("tied", player=player, banker=banker)
    side = say("player" if player > banker else "banker")
    won, lost = max(player, banker), min(player, banker)
    return say("wins", side=side, won=won, lost=lost)


def _run(ruleset: str, seed: int, given: str, now: Scene | None = None) -> dict[str, object]:
    """What every page of a run shows."""
    return {
        "ruleset": ruleset,
        "seed": seed,
        "given": given,
        "count": len(kinds()),
        "at": lambda page="": _at(ruleset, page, seed, given),
        "scene": now,
        "facts_of": scene_facts,
        "label": label,
    }


def _at(ruleset: str, page: str, seed: int, given: str) -> str:
    return f"/training/{ruleset}{page}?{urlencode({'seed': seed, 'given': given})}"


HANDLERS = (training_documents, scene, answer, told, debrief)
