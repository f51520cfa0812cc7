"""What people have learned: answers kept for each person, and scenes that trainers wrote.

All of it can be erased; nothing of it is in the journal, for nothing at a table hangs on it.
"""

from collections.abc import Iterator
from itertools import groupby

import msgspec
from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.journal.erasable_tables import Values
from puntobanco.journal.log import EventLog
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.training.kinds import Kind
from puntobanco.training.run import ENOUGH, SCENES

MONTH_MS = 30 * 24 * 3600 * 1000
"""How far back weak spots are looked for."""
SURE = 0.8
"""A kind of scene of which a smaller share was right is a weak spot."""
MOST_SCENES = 200
"""Scenes that a house keeps."""


class SceneAnswered(Struct, frozen=True):
    """One scene of a set, answered by a person for the first time."""

    person: str
    ruleset: str
    topic: str
    seed: int
    number: int
    kind: str
    right: bool
    at_ms: int


class SetDone(Struct, frozen=True):
    """A set, as far as it was answered."""

    seed: int
    marks: tuple[bool, ...]
    at_ms: int

    @property
    def right(self) -> int:
        return sum(self.marks)

    @property
    def whole(self) -> bool:
        return len(self.marks) == SCENES

    @property
    def passed(self) -> bool:
        return self.whole and self.right >= ENOUGH


class WeakSpot(Struct, frozen=True):
    """A kind of scene that a person is not sure of."""

    kind: str
    right: int
    asked: int


class WrittenScene(Struct, frozen=True):
    """A scene that a trainer wrote in the notation of a session."""

    id: str
    ruleset: str
    kind: Kind
    person: str
    made_ms: int


class CourseBook:
    """The answers and the written scenes of a house."""

    def __init__(self, log: EventLog) -> None:
        self._run = log.ordinary

    def note(self, answered: SceneAnswered) -> None:
        """Keep the first answer to a scene; another try at the same one changes nothing."""
        self._run(
            "INSERT INTO training VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            *(answered.person, answered.ruleset, answered.topic, answered.seed),
            *(answered.number, answered.kind, int(answered.right), answered.at_ms),
        )

    def _answers(self, person: str, ruleset: str) -> list[SceneAnswered]:
        rows = self._run(
            "SELECT person, ruleset, topic, seed, number, kind, is_right, at_ms FROM training"
            " WHERE person = ? AND ruleset = ? ORDER BY topic, seed, number",
            *(person, ruleset),
        )
        return [msgspec.convert(row, SceneAnswered, strict=False) for row in map(_named, rows)]

    def sets(self, person: str, ruleset: str) -> dict[str, SetDone]:
        """By topic, the set that counts: one that was passed, or else the newest."""
        done: dict[str, SetDone] = {}
        for topic, one in _sets(self._answers(person, ruleset)):
            before = done.get(topic)
            if before is None or (one.passed, one.at_ms) > (before.passed, before.at_ms):
                done[topic] = one
        return done

    def weak_spots(self, person: str, ruleset: str, now_ms: int) -> tuple[WeakSpot, ...]:
        """Kinds of scene of the last month of which too few were right, the weakest first."""
        counts: dict[str, list[bool]] = {}
        for one in self._answers(person, ruleset):
            if one.at_ms > now_ms - MONTH_MS:
                counts.setdefault(one.kind, []).append(one.right)
        spots = [WeakSpot(kind, sum(right), len(right)) for kind, right in counts.items()]
        weak = [spot for spot in spots if spot.right < SURE * spot.asked]
        return tuple(sorted(weak, key=lambda spot: (spot.right / spot.asked, spot.kind)))

    # scenes that trainers wrote

    def written(self, ruleset: str) -> tuple[WrittenScene, ...]:
        rows = self._run(
            "SELECT id, ruleset, scene, person, made_ms FROM training_scenes WHERE ruleset = ?"
            " ORDER BY made_ms, id",
            ruleset,
        )
        return tuple(
            WrittenScene(row[0], row[1], msgspec.json.decode(row[2], type=Kind), row[3], row[4])
            for row in rows
        )

    def keep(self, scene: WrittenScene) -> None:
        """Keep a scene; refused when a house has as many as it keeps."""
        (count,) = self._run("SELECT count(*) FROM training_scenes")[0]
        if count >= MOST_SCENES:
            raise Refused(Reason.TOO_MANY_SCENES, CONDITIONS, most=MOST_SCENES)
        text = msgspec.json.encode(scene.kind).decode()
        self._run(
            "INSERT INTO training_scenes VALUES (?, ?, ?, ?, ?)",
            *(scene.id, scene.ruleset, text, scene.person, scene.made_ms),
        )

    def remove(self, id_: str) -> None:
        self._run("DELETE FROM training_scenes WHERE id = ?", id_)


def _named(row: Values) -> dict[str, object]:
    return dict(zip(SceneAnswered.__struct_fields__, row, strict=True))


def _sets(answers: list[SceneAnswered]) -> Iterator[tuple[str, SetDone]]:
    """Answers in the order of their sets, gathered by set."""
    for (topic, seed), ten in groupby(answers, key=lambda one: (one.topic, one.seed)):
        of_set = list(ten)
        marks = tuple(one.right for one in of_set)
        yield topic, SetDone(seed, marks, max(one.at_ms for one in of_set))
