"""A set of ten scenes, in an order of its own; the answers given, and the score.

A set is its rule set, the kinds of scene it draws from, a seed and the answers so far, all of it in
a page's address. Answers are written as one digit for each question, with a point between scenes:
`021.0.3`; an `x` is one that was not right, of a set that was left: which one it was is not kept.
"""

import re
from itertools import cycle, islice
from random import Random  # noqa: TID251  the order of scenes need only differ from run to run

from msgspec import Struct

from puntobanco.errors import MalformedError
from puntobanco.training.kinds import Kind, Question
from puntobanco.training.questions import Asked, ask
from puntobanco.training.scene import Scene, deal_scene

SCENES = 10
"""Scenes in a set."""
ENOUGH = 8
"""Scenes all of whose answers are right, by which a set is passed."""
SEEDS = 1_000_000
"""The number of different sets under one rule set; a seed is below it."""
Pool = tuple[Kind, ...]
"""The kinds of scene that a set draws from."""
MOST_WRITTEN = 1000
"""The most characters of the answers in a page's address."""
NOT_KEPT = "x"
_WRITTEN = re.compile(r"(?:[\dx]{1,9}(?:\.[\dx]{1,9})*)?", re.ASCII)


class Marked(Struct, frozen=True):
    """A question with the answer that was given to it."""

    asked: Asked
    given: str
    """Empty where it is not kept."""

    @property
    def is_right(self) -> bool:
        return self.given == self.asked.right


class AnsweredScene(Struct, frozen=True):
    """A scene with the answers given to all its questions."""

    scene: Scene
    marked: tuple[Marked, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that the right answers cite, once."""
        cited = (clause for answer in self.marked for clause in answer.asked.clauses)
        return tuple(dict.fromkeys(cited))

    @property
    def is_right(self) -> bool:
        return all(answer.is_right for answer in self.marked)


class Score(Struct, frozen=True):
    right: int
    asked: int
    scenes: int


def order(ruleset: str, pool: Pool, seed: int) -> tuple[Kind, ...]:
    """The kinds of a set's ten scenes: each comes once before any comes again."""
    every = list(pool)
    Random(f"{ruleset} {seed}").shuffle(every)  # noqa: S311  nobody's money hangs on it
    return tuple(islice(cycle(every), SCENES))


def parse_given(written: str) -> tuple[str, ...]:
    """Read the answers of a run so far, scene by scene.

    >>> parse_given("021.0")
    ('021', '0')
    >>> parse_given("0..1")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: these are not answers of a run
    """
    given = tuple(written.split(".")) if written else ()
    if not _WRITTEN.fullmatch(written) or len(given) > SCENES:
        raise MalformedError("these are not answers of a run")
    return given


def scene_at(ruleset: str, pool: Pool, seed: int, number: int) -> Scene:
    """Deal the scene with this number, counted from 0; a kind that comes again has other cards."""
    times = number // len(pool)
    return deal_scene(order(ruleset, pool, seed)[number], ruleset, seed + times * SEEDS)


def mark_scene(ruleset: str, pool: Pool, seed: int, number: int, answers: str) -> AnsweredScene:
    """Mark the answers given to a scene."""
    scene = scene_at(ruleset, pool, seed, number)
    asked = ask(scene)
    fits = len(answers) == len(asked)
    if not fits or any(
        digit != NOT_KEPT and int(digit) >= len(question.options)
        for digit, question in zip(answers, asked, strict=True)
    ):
        raise MalformedError(f"these are not answers to scene {number + 1}")
    pairs = zip(asked, answers, strict=True)
    return AnsweredScene(
        scene,
        tuple(
            Marked(question, "" if digit == NOT_KEPT else question.options[int(digit)])
            for question, digit in pairs
        ),
    )


def write_answers(scene: Scene, chosen: dict[str, str]) -> str:
    """Write the answers chosen for a scene as digits, one for each question."""
    digits = []
    for asked in ask(scene):
        choice = chosen.get(asked.question, "")
        if choice not in asked.options:
            raise MalformedError(f"choose one of the answers to every question: {asked.question}")
        digits.append(str(asked.options.index(choice)))
    return "".join(digits)


def answers_kept(ruleset: str, pool: Pool, seed: int, marks: tuple[bool, ...]) -> str:
    """The answers of a set that was left, as far as they are known from its marks."""
    scenes = (ask(scene_at(ruleset, pool, seed, number)) for number in range(len(marks)))
    return ".".join(
        "".join(str(one.options.index(one.right)) if right else NOT_KEPT for one in asked)
        for asked, right in zip(scenes, marks, strict=True)
    )


def answered_scenes(
    ruleset: str, pool: Pool, seed: int, given: tuple[str, ...]
) -> tuple[AnsweredScene, ...]:
    """Mark every scene answered so far."""
    return tuple(
        mark_scene(ruleset, pool, seed, number, answers) for number, answers in enumerate(given)
    )


def score(scenes: tuple[AnsweredScene, ...]) -> Score:
    marked = [answer for scene in scenes for answer in scene.marked]
    return Score(sum(answer.is_right for answer in marked), len(marked), len(scenes))


def passed(scenes: tuple[AnsweredScene, ...]) -> bool:
    """Is the whole set answered, and enough of it right?"""
    return len(scenes) == SCENES and sum(scene.is_right for scene in scenes) >= ENOUGH


def by_question(scenes: tuple[AnsweredScene, ...]) -> dict[Question, Score]:
    """Score each question over all scenes, to show where the trainee is unsure."""
    totals: dict[Question, list[bool]] = {}
    for scene in scenes:
        for answer in scene.marked:
            totals.setdefault(answer.asked.question, []).append(answer.is_right)
    return {which: Score(sum(right), len(right), 0) for which, right in totals.items()}
