"""The scenes of a set: the next one, the answers to it, what the rule says, and the result.

A set is all in its address; of a reader who has signed in, the first answers are kept besides.
"""

from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.params import QueryParameter
from litestar.response import Redirect
from msgspec import Struct
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import Short
from puntobanco.server.clauses import check_ruleset, paraphrased
from puntobanco.server.look import shown_money
from puntobanco.server.rendering import card_name, say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.table.commands import CorrectCard
from puntobanco.table.sentences import in_currency, tell
from puntobanco.training.book import SceneAnswered
from puntobanco.training.felt import felt_after, felt_before
from puntobanco.training.kinds import Kind, Question, Topic, kinds, of_topic
from puntobanco.training.questions import Asked, ask
from puntobanco.training.run import (
    MOST_WRITTEN,
    SCENES,
    SEEDS,
    Pool,
    answered_scenes,
    answers_kept,
    by_question,
    mark_scene,
    parse_given,
    passed,
    scene_at,
    score,
    write_answers,
)
from puntobanco.training.scene import Scene
from puntobanco.words import explain, told_money, told_result

Seed = Annotated[int, QueryParameter(ge=0, le=SEEDS - 1)]
NewSeed = Annotated[int | None, QueryParameter(name="seed", ge=0, le=SEEDS - 1)]
Given = Annotated[str, QueryParameter(max_length=MOST_WRITTEN)]
MIXED, WEAK, HOUSE = "mixed", "weak", "house"
TOPICS = (*(topic.value for topic in Topic), MIXED, WEAK, HOUSE)
"""What a set may be about: one topic, all of them, one's own weak spots, what trainers wrote."""
AMOUNTS = ("bet", "more", "low", "high")
"""Facts of a scene that are whole amounts."""


class RecordLine(Struct, frozen=True):
    """One thing that goes on record, or is refused."""

    by: str
    says: str
    clauses: tuple[str, ...]


class Set(Struct, frozen=True):
    """A set as its address says it."""

    ruleset: str
    topic: str
    seed: int
    given: str
    pool: Pool
    of: str = ""
    """For weak spots: the names of their kinds."""

    def at(self, page: str = "", given: str | None = None) -> str:
        asked = {"seed": self.seed, "given": self.given if given is None else given}
        more = {"of": self.of} if self.of else {}
        return f"/training/{self.ruleset}/{self.topic}{page}?{urlencode({**asked, **more})}"


def scenes_to_draw(visit: Visit, ruleset: str, topic: str, of: str) -> Pool:
    """The kinds of scene that a set draws from; refused where there are none."""
    match topic:
        case "mixed":
            pool = kinds()
        case "house":
            pool = tuple(one.kind for one in visit.course.written(ruleset))
        case "weak":
            pool = tuple(kind for kind in kinds() if kind.name in of.split("."))
        case _:
            pool = of_topic(Topic(topic)) if topic in TOPICS else ()
    if not pool:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    return pool


def set_of(visit: Visit, ruleset: str, topic: str, seed: int, given: str) -> Set:
    check_ruleset(ruleset)
    of = visit.query("of")[:2000]
    return Set(ruleset, topic, seed, given, scenes_to_draw(visit, ruleset, topic, of), of)


@get("/training/{ruleset:str}/{topic:str}", sync_to_thread=True, include_in_schema=False)
def scene(
    visit: TheVisit,
    ruleset: Short,
    topic: Short,
    seed: NewSeed = None,
    given: Given = "",
) -> Response[Any]:
    """The next scene of a set; without a seed a new set begins."""
    one = set_of(visit, ruleset, topic, seed or 0, given)
    if seed is None:
        fresh = Set(ruleset, topic, visit.house.chance.below(SEEDS), "", one.pool, one.of)
        return Redirect(fresh.at(), status_code=303)
    number = len(parse_given(given))
    if number == SCENES:
        return Redirect(one.at("/debrief"), status_code=303)
    now = scene_at(ruleset, one.pool, seed, number)
    felt = felt_before(now.before)
    context = {
        "number": number,
        "asked": ask(now),
        "felt": felt,
        "picture": visit.kept.live_pages.standing(felt.view),
        "marks": _marks(one),
    }
    return visit.show("pages/training/scene.html", **context, **_shown(visit, one, now))


@get("/training/{ruleset:str}/{topic:str}/on", sync_to_thread=True, include_in_schema=False)
def go_on(visit: TheVisit, ruleset: Short, topic: Short) -> Redirect:
    """The set that its reader left half done, where they left it; else a new one."""
    one = set_of(visit, ruleset, topic, 0, "")
    left = visit.course.sets(visit.person, ruleset).get(topic) if visit.person else None
    if left is None or left.whole:
        return Redirect(f"/training/{ruleset}/{topic}", status_code=303)
    given = answers_kept(ruleset, one.pool, left.seed, left.marks)
    return Redirect(replace(one, seed=left.seed).at(given=given), status_code=303)


@post("/training/{ruleset:str}/{topic:str}/answer", include_in_schema=False)
async def answer(
    visit: TheVisit, ruleset: Short, topic: Short, seed: Seed, given: Given = ""
) -> Response[Any]:
    """Write down what was chosen, and go on to what the rule says."""
    one, so_far = set_of(visit, ruleset, topic, seed, given), parse_given(given)
    if len(so_far) == SCENES:
        raise MalformedError("every scene of this set has been answered")
    form = await visit.form()
    chosen = {question.value: form.get(question.value, "") for question in Question}
    written = write_answers(scene_at(ruleset, one.pool, seed, len(so_far)), chosen)
    if visit.person:
        _keep(visit, one, len(so_far), written)
    return Redirect(one.at("/told", ".".join((*so_far, written))), status_code=303)


def _keep(visit: Visit, one: Set, number: int, written: str) -> None:
    marked = mark_scene(one.ruleset, one.pool, one.seed, number, written)
    facts = (visit.person, one.ruleset, one.topic, one.seed, number)
    kind, now_ms = marked.scene.kind.name, visit.house.time.now_ms()
    visit.course.note(SceneAnswered(*facts, kind, marked.is_right, now_ms))


@get("/training/{ruleset:str}/{topic:str}/told", sync_to_thread=True, include_in_schema=False)
def told(visit: TheVisit, ruleset: Short, topic: Short, seed: Seed, given: Given) -> Response[str]:
    """What the rule says about the scene answered last."""
    one, so_far = set_of(visit, ruleset, topic, seed, given), parse_given(given)
    if not so_far:
        raise MalformedError("no scene of this set has been answered")
    marked = mark_scene(ruleset, one.pool, seed, len(so_far) - 1, so_far[-1])
    felt = felt_after(marked.scene.settled)
    context = {
        "one": marked,
        "number": len(so_far) - 1,
        "felt": felt,
        "picture": visit.kept.live_pages.standing(felt.view),
        "record": on_record(marked.scene, visit.house.register.state.currency),
        "clauses": paraphrased(marked.clauses).items(),
        "right": sum(mark.is_right for mark in marked.marked),
        "marks": _marks(one),
    }
    return visit.show("pages/training/told.html", **context, **_shown(visit, one, marked.scene))


@get("/training/{ruleset:str}/{topic:str}/debrief", sync_to_thread=True, include_in_schema=False)
def debrief(
    visit: TheVisit, ruleset: Short, topic: Short, seed: Seed, given: Given = ""
) -> Response[str]:
    """The score, every scene with what was answered and what is right, and clauses to read."""
    one = set_of(visit, ruleset, topic, seed, given)
    scenes = answered_scenes(ruleset, one.pool, seed, parse_given(given))
    wrong = [
        clause
        for scene in scenes
        for mark in scene.marked
        if not mark.is_right
        for clause in mark.asked.clauses
    ]
    context = {
        "scenes": scenes,
        "right": sum(scene.is_right for scene in scenes),
        "passed": passed(scenes),
        "score": score(scenes),
        "by_question": by_question(scenes),
        "clauses": paraphrased(wrong).items(),
        "again": [one.at("/told", ".".join(one.given.split(".")[: n + 1])) for n in range(SCENES)],
    }
    return visit.show("pages/training/debrief.html", **context, **_shown(visit, one))


def _marks(one: Set) -> tuple[bool, ...]:
    """Which scenes of the set so far were answered right."""
    scenes = answered_scenes(one.ruleset, one.pool, one.seed, parse_given(one.given))
    return tuple(scene.is_right for scene in scenes)


def on_record(scene: Scene, currency: str) -> list[RecordLine]:
    """What the table did about it, step by step."""
    currency = sign_in_scene(scene, currency)
    record, writing = [], in_currency(currency)._replace(person=person_told)
    for step in scene.steps:
        record += [
            RecordLine(person_told(step.by), tell(event, writing), event.clauses)
            for event in step.events
        ]
        if step.refused:
            happened, remedy = explain(step.refused, currency)
            says = say("training.refused", happened=happened, remedy=remedy)
            record.append(RecordLine(person_told(step.by), says, (step.refused.clause,)))
    return record


def sign_in_scene(scene: Scene, currency: str) -> str:
    """Chips of a competition are worth no money, and have no sign of a currency."""
    return "" if scene.kind.topic is Topic.COMPETITION else currency


def person_told(person: str) -> str:
    """Somebody at a training table, as the words call them."""
    return person.replace("-", " ").capitalize()


def scene_facts(scene: Scene, currency: str = "") -> dict[str, str]:
    """What the words of a scene speak of; its amounts as the house writes them."""
    first = scene.steps[0].ask
    card = card_name(first.card) if isinstance(first, CorrectCard) else ""
    sign = sign_in_scene(scene, currency)
    amounts = {name: told_money(100 * int(scene.facts[name]), sign) for name in AMOUNTS}
    return {**scene.facts, **amounts, "card": card, "whose": person_told(scene.kind.whose)}


def scene_title(kind: Kind) -> str:
    """A trainer's own title, or the catalogue's."""
    return kind.title or say(f"training.title.{kind.name}")


def scene_story(scene: Scene, currency: str = "") -> str:
    """What was seen to happen: in a trainer's own words, or the catalogue's."""
    if scene.kind.story:
        return scene.kind.story
    return say(f"training.story.{scene.kind.name}", **scene_facts(scene, currency))


def label(scene: Scene, asked: Asked, option: str, currency: str = "") -> str:
    """An answer in words."""
    player, dash, banker = option.partition("-")
    if asked.question is Question.RESULT and dash:
        return told_result(int(player), int(banker))
    return say(f"training.{asked.question}.{option}", **scene_facts(scene, currency))


def _shown(visit: Visit, one: Set, now: Scene | None = None) -> dict[str, object]:
    """What every page of a set shows."""
    currency = visit.house.register.state.currency
    sign = sign_in_scene(now, currency) if now else currency
    return {
        "money": partial(shown_money, currency=sign),
        "ruleset": one.ruleset,
        "topic": one.topic,
        "given": one.given,
        "kept": bool(visit.person) and one.topic in tuple(Topic),
        "count": SCENES,
        "at": one.at,
        "scene": now,
        "title_of": scene_title,
        "story_of": partial(scene_story, currency=currency),
        "facts_of": partial(scene_facts, currency=currency),
        "label": partial(label, currency=currency),
    }


HANDLERS = (scene, go_on, answer, told, debrief)
