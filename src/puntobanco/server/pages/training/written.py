"""Scenes that a trainer writes in the notation of a session: tried, then kept by the house."""

import re
from collections.abc import Iterator
from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect
from msgspec.structs import replace

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.house.access.rights import MANAGEMENT
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.addresses import Short
from puntobanco.server.clauses import check_ruleset
from puntobanco.server.commands.faults import FaultyFormError, ToPutRight
from puntobanco.server.commands.form_cycle import show_form
from puntobanco.server.commands.forms import Field
from puntobanco.server.commands.forms import Kind as FieldKind
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit
from puntobanco.table.actor import Role
from puntobanco.training.book import WrittenScene
from puntobanco.training.kinds import Kind, Question, kinds
from puntobanco.training.questions import ask
from puntobanco.training.scene import deal_scene
from puntobanco.words import explain

TRAINERS = MANAGEMENT | {Role.INSPECTOR, Role.CASINO_SUPERVISOR}
MOST_LINES, LONGEST_LINE, LONGEST_TITLE, LONGEST_STORY = 40, 200, 80, 600
"""Of a scene: lines before and after the mistake, characters of each, of title and story."""
FILLED = re.compile(r"\{[a-z_]+(-two)?(:[pb.\-]{1,9})?\}")
"""What the braces of a line may hold; nothing of Python's own format language besides."""
UNDEALT = (KeyError, IndexError, ValueError, AssertionError)
"""What becomes of lines that are no play at a table."""
EXAMPLE = Kind(
    "example",
    ("bets", "dealer: draw {five:....b}"),
    ("finish",),
    (Question.COUP, Question.RESULT),
)
"""What the form starts from: Player's third card laid on Banker."""


def scene_from(form: dict[str, str], id_: str) -> Kind:
    """A scene as it was typed; refused with all that is wrong with it, each beside its field."""
    lines = {name: tuple(_lines(form.get(name, ""))) for name in ("before", "then")}
    asks = tuple(question for question in Question if question in form.get("asks", "").split())
    title, story = form.get("title", "").strip(), form.get("story", "").strip()
    given = {"title": title, "story": story, "then": lines["then"], "asks": asks}
    found = [_wrong(name, name) for name, fact in given.items() if not fact]
    for name, text, most in (("title", title, LONGEST_TITLE), ("story", story, LONGEST_STORY)):
        if len(text) > most:
            found.append(_wrong(name, "long", most=most))
    found += [fault for name, many in lines.items() for fault in _wrong_lines(name, many)]
    if found:
        raise FaultyFormError(tuple(found))
    return Kind(f"house-{id_}", lines["before"], lines["then"], asks, title=title, story=story)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _wrong(path: str, key: str, **facts: object) -> ToPutRight:
    return ToPutRight(say(f"training.write.wrong.{key}", **facts), path)


def _wrong_lines(name: str, lines: tuple[str, ...]) -> Iterator[ToPutRight]:
    if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
        yield _wrong(name, "lines", most=MOST_LINES, longest=LONGEST_LINE)
    elif any("{" in FILLED.sub("", line) or "}" in FILLED.sub("", line) for line in lines):
        yield _wrong(name, "braces")


def check_dealt(kind: Kind, ruleset: str, currency: str = "") -> None:
    """Deal it once: what the table makes of it must answer every question."""
    for path, tried in (("before", replace(kind, then=())), ("then", kind)):
        if says := _not_dealt(tried, ruleset, currency):
            raise FaultyFormError((ToPutRight(says, path),))
    if not _answers(kind, ruleset):
        raise FaultyFormError((_wrong("asks", "no-answer"),))


NUMBERED = re.compile(r"\Aline \d+: ")
"""Lines are counted with those that open the table, which nobody has typed."""


def _answers(kind: Kind, ruleset: str) -> bool:
    """Has every question an answer in what came of it?"""
    try:
        return len(ask(deal_scene(kind, ruleset, 1))) == len(kind.asks)
    except UNDEALT:
        return False


def _not_dealt(kind: Kind, ruleset: str, currency: str) -> str:
    """Why its lines cannot be played, in words."""
    try:
        deal_scene(kind, ruleset, 1)
    except Refused as refused:
        happened = explain(refused, currency).happened
        return say("training.write.wrong.refused", happened=happened)
    except MalformedError as error:
        return say("training.write.wrong.unread", what=NUMBERED.sub("", str(error)))
    except UNDEALT:
        return say("training.write.wrong.shape")
    return ""


@get("/training/{ruleset:str}/write", sync_to_thread=False, include_in_schema=False)
def write_scene(visit: TheVisit, ruleset: Short) -> Response[str]:
    """The form for a scene of one's own."""
    check_ruleset(ruleset)
    visit.check(TRAINERS, "training scenes")
    typed = {"before": "\n".join(EXAMPLE.before), "then": "\n".join(EXAMPLE.then)}
    typed |= {"asks": " ".join(EXAMPLE.asks)}
    return _form(visit, ruleset, typed)


def _form(
    visit: TheVisit, ruleset: str, typed: dict[str, str], problem: Exception | None = None
) -> Response[str]:
    """The form; again, with what was typed, if it cannot be dealt."""
    template = "pages/training/write.html"
    fields = _fields(typed)
    return show_form(visit, template, problem, fields, ruleset=ruleset, samples=kinds())


def _fields(typed: dict[str, str]) -> tuple[Field, ...]:
    def field(name: str, kind: FieldKind, *, needed: bool = True, hint: str = "") -> Field:
        return Field(name, say(f"training.write.{name}"), kind, needed, typed.get(name, ""), hint)

    questions = tuple((one.value, say(f"training.topic.{one}")) for one in Question)
    return (
        replace(field("title", "text"), longest=LONGEST_TITLE),
        replace(field("story", "text"), longest=LONGEST_STORY),
        field("before", "lines", needed=False, hint=say("training.write.before.hint")),
        field("then", "lines", hint=say("training.write.then.hint")),
        replace(field("asks", "list"), choices=questions),
    )


@post("/training/{ruleset:str}/write", include_in_schema=False)
async def keep_scene(visit: TheVisit, ruleset: Short) -> Response[Any]:
    """Keep a scene that can be dealt; else the form comes back as it was typed."""
    check_ruleset(ruleset)
    by, form = visit.check(TRAINERS, "training scenes"), await visit.form()
    id_ = visit.house.chance.some_bytes(6).hex()
    try:
        kind = scene_from(form, id_)
        check_dealt(kind, ruleset, visit.house.register.state.currency)
        now_ms = visit.house.time.now_ms()
        visit.course.keep(WrittenScene(id_, ruleset, kind, by.person, now_ms))
    except MalformedError as error:
        return _form(visit, ruleset, form, error)
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
