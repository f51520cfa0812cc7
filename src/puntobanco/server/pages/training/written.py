"""Scenes that a trainer writes in the notation of a session: tried, then kept by the house."""

import re
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.rights import MANAGEMENT
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import Short
from puntobanco.server.clauses import check_ruleset
from puntobanco.server.visit import TheVisit
from puntobanco.table.actor import Role
from puntobanco.training.book import WrittenScene
from puntobanco.training.kinds import Kind, Question
from puntobanco.training.questions import ask
from puntobanco.training.scene import deal_scene
from puntobanco.words import explain

TRAINERS = MANAGEMENT | {Role.INSPECTOR, Role.CASINO_SUPERVISOR}
MOST_LINES, LONGEST_LINE, LONGEST_TITLE, LONGEST_STORY = 40, 200, 80, 600
"""Of a scene: lines before and after the mistake, characters of each, of title and story."""
FILLED = re.compile(r"\{[a-z_]+(-two)?(:[pb.\-]{1,9})?\}")
"""What the braces of a line may hold; nothing of Python's own format language besides."""
EXAMPLE = Kind(
    "example",
    ("bets", "dealer: draw {five:....b}"),
    ("finish",),
    (Question.COUP, Question.RESULT),
)
"""What the form starts from: Player's third card laid on Banker."""


def scene_from(form: dict[str, str], id_: str) -> Kind:
    """A scene as it was typed; refused in words if it cannot be dealt or has no answer."""
    lines = {
        name: tuple(line.strip() for line in form.get(name, "").splitlines() if line.strip())
        for name in ("before", "then")
    }
    asks = tuple(question for question in Question if form.get(f"ask-{question}"))
    title, story = form.get("title", "").strip(), form.get("story", "").strip()
    whole = title and story and lines["then"] and asks
    long = len(title) > LONGEST_TITLE or len(story) > LONGEST_STORY
    if not whole or long:
        raise MalformedError("a scene has a title, a story, lines after the mistake and a question")
    every = (*lines["before"], *lines["then"])
    if len(every) > MOST_LINES or any(len(line) > LONGEST_LINE for line in every):
        raise MalformedError(f"a scene has at most {MOST_LINES} lines of {LONGEST_LINE} characters")
    if any("{" in FILLED.sub("", line) or "}" in FILLED.sub("", line) for line in every):
        raise MalformedError("braces hold cards of a shape, such as {five} or {stood:bp}")
    return Kind(f"house-{id_}", lines["before"], lines["then"], asks, title=title, story=story)


def check_dealt(kind: Kind, ruleset: str) -> None:
    """Deal it once: what the table makes of it must answer every question."""
    try:
        asked = ask(deal_scene(kind, ruleset, 1))
    except Refused as refused:
        raise MalformedError(f"the table refuses a line: {explain(refused).happened}") from refused
    except (KeyError, IndexError, ValueError, AssertionError) as error:
        raise MalformedError(f"this cannot be dealt: {error}") from error
    if len(asked) < len(kind.asks):
        raise MalformedError("one of the questions has no answer in this scene")


@get("/training/{ruleset:str}/write", sync_to_thread=False, include_in_schema=False)
def write_scene(visit: TheVisit, ruleset: Short) -> Response[str]:
    """The form for a scene of one's own."""
    check_ruleset(ruleset)
    visit.check(TRAINERS, "training scenes")
    typed = {"before": "\n".join(EXAMPLE.before), "then": "\n".join(EXAMPLE.then)}
    typed |= {f"ask-{question}": "yes" for question in EXAMPLE.asks}
    return _form(visit, ruleset, typed)


def _form(visit: TheVisit, ruleset: str, typed: dict[str, str], problem: str = "") -> Response[str]:
    context = {"ruleset": ruleset, "typed": typed, "problem": problem, "questions": tuple(Question)}
    shown = visit.show("pages/training/write.html", **context)
    shown.status_code = 400 if problem else 200
    return shown


@post("/training/{ruleset:str}/write", include_in_schema=False)
async def keep_scene(visit: TheVisit, ruleset: Short) -> Response[Any]:
    """Keep a scene that can be dealt; else the form comes back as it was typed."""
    check_ruleset(ruleset)
    by, form = visit.check(TRAINERS, "training scenes"), await visit.form()
    id_ = visit.house.chance.some_bytes(6).hex()
    try:
        kind = scene_from(form, id_)
        check_dealt(kind, ruleset)
        now_ms = visit.house.time.now_ms()
        visit.course.keep(WrittenScene(id_, ruleset, kind, by.person, now_ms))
    except MalformedError as error:
        return _form(visit, ruleset, form, str(error))
    return Redirect(f"/training/{ruleset}", status_code=303)


@post("/training/{ruleset:str}/write/{scene:str}/remove", include_in_schema=False)
async def remove_scene(visit: TheVisit, ruleset: Short, scene: Short) -> Response[Any]:
    check_ruleset(ruleset)
    visit.check(TRAINERS, "training scenes")
    if scene not in {one.id for one in visit.course.written(ruleset)}:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    visit.course.remove(scene)
    return Redirect(f"/training/{ruleset}", status_code=303)


HANDLERS = (write_scene, keep_scene, remove_scene)
