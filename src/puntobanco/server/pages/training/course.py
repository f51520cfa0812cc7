"""The course: its sets by topic, a reader's own progress and weak spots, and the certificate."""

from litestar import Response, get
from litestar.response import Redirect
from msgspec import Struct

from puntobanco.errors import Reason, Refused
from puntobanco.house.till.time_zone import house_ahead
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.addresses import Short
from puntobanco.server.clauses import check_ruleset
from puntobanco.server.commands.prefill import today
from puntobanco.server.pages.office.report_sheet import told_day
from puntobanco.server.pages.training.drill import HOUSE, MIXED, TOPICS, scene_title
from puntobanco.server.pages.training.written import TRAINERS
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.training.book import SetDone, WeakSpot
from puntobanco.training.kinds import Topic, kinds, of_topic
from puntobanco.training.run import ENOUGH, SCENES


class SetLine(Struct, frozen=True):
    """One set of the course, and how far its reader is with it."""

    topic: str
    scenes: int
    done: SetDone | None = None


def sets_of_course(visit: Visit, ruleset: str) -> list[SetLine]:
    """The sets of a document's course, in its order; a stranger has no progress."""
    done = visit.course.sets(visit.person, ruleset) if visit.person else {}
    return [SetLine(topic, len(of_topic(topic)), done.get(topic)) for topic in Topic]


def is_complete(lines: list[SetLine]) -> bool:
    return all(line.done is not None and line.done.passed for line in lines)


@get("/training", sync_to_thread=False, include_in_schema=False)
def training_page() -> Redirect:
    """The course of the first document; the others stand beside it."""
    return Redirect(f"/training/{RULESETS[0]}", status_code=303)


@get("/training/{ruleset:str}", sync_to_thread=True, include_in_schema=False)
def course_page(visit: TheVisit, ruleset: Short) -> Response[str]:
    """Sets of ten by topic; with progress and weak spots for whoever has signed in."""
    check_ruleset(ruleset)
    lines, written = sets_of_course(visit, ruleset), visit.course.written(ruleset)
    now_ms = visit.house.time.now_ms()
    weak: tuple[WeakSpot, ...] = ()
    if visit.person:
        weak = visit.course.weak_spots(visit.person, ruleset, now_ms)
    titles = {kind.name: scene_title(kind) for kind in (*kinds(), *(one.kind for one in written))}
    return visit.show(
        "pages/training/course.html",
        ruleset=ruleset,
        documents=RULESETS,
        lines=lines,
        passed=sum(line.done is not None and line.done.passed for line in lines),
        answers=[mark for line in lines if line.done for mark in line.done.marks],
        weak=[spot for spot in weak if spot.kind in titles],
        of=".".join(spot.kind for spot in weak if not spot.kind.startswith(HOUSE)),
        titles=titles,
        written=written,
        trains=bool(visit.roles & TRAINERS),
        complete=is_complete(lines),
        mixed=MIXED,
        enough=ENOUGH,
        count=SCENES,
    )


@get("/training/{ruleset:str}/certificate", sync_to_thread=True, include_in_schema=False)
def certificate(visit: TheVisit, ruleset: Short) -> Response[str]:
    """A paper that says that every set of a document's course was passed, and when."""
    check_ruleset(ruleset)
    by = visit.actor()
    lines = sets_of_course(visit, ruleset)
    if not is_complete(lines):
        left = sum(line.done is None or not line.done.passed for line in lines)
        raise Refused(Reason.COURSE_NOT_DONE, CONDITIONS, left=left)
    document = load_ruleset(ruleset).document
    passed_ms = max(line.done.at_ms for line in lines if line.done)
    return visit.show(
        "pages/training/certificate.html",
        ruleset=ruleset,
        document=document,
        name=visit.house.people.get(by.person).name or by.person,
        lines=lines,
        day=told_day(today(passed_ms, house_ahead(visit.house, passed_ms))),
        enough=ENOUGH,
        count=SCENES,
    )


assert "certificate" not in TOPICS  # its address stands beside theirs
HANDLERS = (training_page, course_page, certificate)
