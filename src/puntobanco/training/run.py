"""A run: every kind of scene once, in an order of its own; the answers given, and the score.

A run is its rule set, a seed and what was answered so far, all of it in a page's address: nothing
is kept anywhere else. Answers are written as a digit for each question, scenes with a point
between them: `021.0.3`.
"""

import re
from random import Random  # noqa: TID251  the order of scenes need only differ from run to run

from msgspec import Struct

from puntobanco.errors import MalformedError
from puntobanco.training.kinds import Kind, Question, kinds
from puntobanco.training.questions import Asked, ask
from puntobanco.training.scene import Scene, play

SEEDS = 1_000_000
MOST_WRITTEN = 1000
_WRITTEN = re.compile(r"(?:\d{1,9}(?:\.\d{1,9})*)?", re.ASCII)


class Marked(Struct, frozen=True):
    """A question with the answer that was given to it."""

    asked: Asked
    given: str

    @property
    def is_right(self) -> bool:
        return self.given == self.asked.right


class Taken(Struct, frozen=True):
    """A scene with all its answers."""

    scene: Scene
    marked: tuple[Marked, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause at work, once."""
        cited = (clause for one in self.marked for clause in one.asked.clauses)
        return tuple(dict.fromkeys(cited))


class Score(Struct, frozen=True):
    right: int
    asked: int
    scenes: int


def order(ruleset: str, seed: int) -> tuple[Kind, ...]:
    """Every kind of scene once, as this run deals them."""
    every = list(kinds())
    Random(f"{ruleset} {seed}").shuffle(every)  # noqa: S311  nobody's money hangs on it
    return tuple(every)


def parse_given(written: str) -> tuple[str, ...]:
    """The answers of a run so far, scene by scene.

    >>> parse_given("021.0")
    ('021', '0')
    >>> parse_given("0..1")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: these are not answers of a run
    """
    given = tuple(written.split(".")) if written else ()
    if not _WRITTEN.fullmatch(written) or len(given) > len(kinds()):
        raise MalformedError("these are not answers of a run")
    return given


def scene_at(ruleset: str, seed: int, number: int) -> Scene:
    """The scene of this number, counted from none."""
    return play(order(ruleset, seed)[number], ruleset, seed)


def take(ruleset: str, seed: int, number: int, answers: str) -> Taken:
    """Mark the answers to a scene."""
    scene = scene_at(ruleset, seed, number)
    asked = ask(scene)
    fits = len(answers) == len(asked)
    if not fits or any(
        int(digit) >= len(one.options) for digit, one in zip(answers, asked, strict=True)
    ):
        raise MalformedError(f"these are not answers to scene {number + 1}")
    pairs = zip(asked, answers, strict=True)
    return Taken(scene, tuple(Marked(one, one.options[int(digit)]) for one, digit in pairs))


def write_answers(scene: Scene, chosen: dict[str, str]) -> str:
    """Write down what was chosen for each question."""
    digits = []
    for one in ask(scene):
        choice = chosen.get(one.question, "")
        if choice not in one.options:
            raise MalformedError(f"choose one of the answers to every question: {one.question}")
        digits.append(str(one.options.index(choice)))
    return "".join(digits)


def taken(ruleset: str, seed: int, given: tuple[str, ...]) -> tuple[Taken, ...]:
    """Every scene answered so far."""
    return tuple(take(ruleset, seed, number, one) for number, one in enumerate(given))


def score(scenes: tuple[Taken, ...]) -> Score:
    marked = [one for scene in scenes for one in scene.marked]
    return Score(sum(one.is_right for one in marked), len(marked), len(scenes))


def by_question(scenes: tuple[Taken, ...]) -> dict[Question, Score]:
    """Where the trainee is sure, and where not."""
    totals: dict[Question, list[bool]] = {}
    for scene in scenes:
        for one in scene.marked:
            totals.setdefault(one.asked.question, []).append(one.is_right)
    return {which: Score(sum(right), len(right), 0) for which, right in totals.items()}
