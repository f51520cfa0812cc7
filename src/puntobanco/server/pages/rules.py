"""The rule browser: documents to read, differences of two, tables of play, a search over all."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Annotated
from urllib.parse import quote

from litestar import Response, get
from litestar.params import QueryParameter
from litestar.response import Redirect
from markupsafe import Markup, escape
from msgspec import Struct

from puntobanco.rules.documents import rulebook
from puntobanco.rules.documents.rulebook import Clause
from puntobanco.rules.documents.ruleset import RULESETS
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.server.addresses import Short
from puntobanco.server.clauses import check_ruleset, clause_of, clauses_of
from puntobanco.server.rendering import say
from puntobanco.server.visit import TheVisit, Visit
from puntobanco.words import COMMANDS, clause_called

Word = Annotated[str, QueryParameter(name="q", max_length=80)]
Ruleset = Annotated[str, QueryParameter(max_length=20)]
Whole = Annotated[bool, QueryParameter(name="all")]
BY_ITSELF = frozenset({"enforces", "computes"})
"""What the software does without being told; of all else a person decides."""
_tag = "|".join(tag for tag in COMMANDS if "-" in tag)
TAGS = re.compile(rf"( \((?:{_tag})\))|\b({_tag})\b")
"""Tags of commands in the notes of the rulebook, by themselves in brackets or in a sentence."""
ALIKE = 0.5
"""How much of two texts must be the same for their differences to be marked word by word."""


class ClauseRead(Struct, frozen=True):
    """A clause as a reader sees it."""

    id: str
    number: str
    """Or what people call it, where it has none."""
    anchor: str
    paraphrase: Markup
    reading: Markup
    does: str
    """What is done about it, in a sentence."""
    status: str
    """`done`, `person` or `outside`: who sees to it."""
    actors: tuple[str, ...]
    same_as: str


class Section(Struct, frozen=True):
    number: str
    name: str
    anchor: str
    clauses: tuple[ClauseRead, ...]


def anchor_of(clause: str) -> str:
    """Where a clause stands on its document's page."""
    return f"c{clause.partition(':')[2]}"


def with_marks(text: str, word: str) -> Markup:
    """A text with the word that was searched for marked in it."""
    if not word:
        return escape(text)
    parts = re.split(f"({re.escape(word)})", text, flags=re.IGNORECASE)
    mark = Markup("<mark>{}</mark>")
    return Markup("").join(
        mark.format(part) if place % 2 else escape(part) for place, part in enumerate(parts)
    )


def plainly(text: str) -> str:
    """A note without the tags of commands: what people call them, or nothing where it is aside."""

    def named(found: re.Match[str]) -> str:
        aside, tag = found.groups()
        return "" if aside else f"“{COMMANDS[tag or ''].title}”"

    return TAGS.sub(named, text)


def clause_read(clause: Clause, word: str = "") -> ClauseRead:
    status = "done" if BY_ITSELF & set(clause.does) else "person"
    verbs = [say(f"rules.verb.{verb}") for verb in clause.does]
    does = plainly(clause.outside or clause.note) or f"{', '.join(verbs).capitalize()}."
    return ClauseRead(
        clause.id,
        clause_called(clause.id, short=True).removeprefix("definition of "),  # it stands there
        anchor_of(clause.id),
        with_marks(clause.paraphrase, word),
        with_marks(plainly(clause.reading), word),
        does,
        "outside" if clause.outside else status,
        clause.actors,
        clause.same_as,
    )


def sections_of(clauses: Iterable[Clause], word: str = "") -> list[Section]:
    """The clauses of a document under its own headings."""
    found: dict[str, list[ClauseRead]] = {}
    for clause in clauses:
        found.setdefault(clause.section, []).append(clause_read(clause, word))
    split = [(re.fullmatch(r"([0-9d.]+) (.*)", name), name) for name in found]
    return [
        Section(
            named[1] if named else "",
            named[2] if named else name,
            f"s{number}",
            tuple(found[name]),
        )
        for number, (named, name) in enumerate(split)
    ]


@get("/rules", sync_to_thread=False, include_in_schema=False)
def documents(visit: TheVisit, word: Word = "") -> Response[str]:
    """The four documents, and a search over all."""
    word = word.strip()
    found = list(rulebook.search(word)) if word else []
    by_document = {
        name: [clause_read(clause, word) for clause in found if clause.document == name]
        for name in RULESETS
    }
    context = {"found": by_document, "count": len(found), "word": word}
    return visit.show("pages/rules/index.html", **context, documents=_documents())


def _documents() -> list[tuple[str, str, int]]:
    return [(name, load_ruleset(name).document.title, len(clauses_of(name))) for name in RULESETS]


# two documents


class DifferenceShown(Struct, frozen=True):
    """One matter in two documents, with the words that differ marked."""

    name: str
    verdict: str
    """`same`, `differs`, `only-one` or `only-other`."""
    says: tuple[Markup, Markup]
    clauses: tuple[tuple[str, ...], tuple[str, ...]]


def marked_pair(one: str, other: str) -> tuple[Markup, Markup]:
    """Two texts with the words marked that stand in one of them alone."""
    words = (one.split(), other.split())
    matched = SequenceMatcher(None, *words, autojunk=False)
    if matched.ratio() < ALIKE:
        return escape(one), escape(other)
    left, right = list[Markup](), list[Markup]()
    for how, a, b, c, d in matched.get_opcodes():
        texts = " ".join(words[0][a:b]), " ".join(words[1][c:d])
        tags = ("{}", "{}") if how == "equal" else ("<del>{}</del>", "<ins>{}</ins>")
        for side, text, tag in zip((left, right), texts, tags, strict=True):
            if text:
                side.append(Markup(tag).format(text))  # noqa: S704  our own tags
    return Markup(" ").join(left), Markup(" ").join(right)


def difference(matter: rulebook.Matter, verdict: str, one: str, other: str) -> DifferenceShown:
    texts = matter.says.get(one, ""), matter.says.get(other, "")
    kind = verdict
    if verdict.startswith("only"):
        kind = "only-one" if texts[0] else "only-other"
    says = marked_pair(*texts) if verdict == "differs" else (escape(texts[0]), escape(texts[1]))
    ours, theirs = (
        tuple(f"{name}:{local}" for local in matter.clauses.get(name, ())) for name in (one, other)
    )
    return DifferenceShown(matter.name, kind, says, (ours, theirs))


@get("/rules/compare", sync_to_thread=False, include_in_schema=False)
def compare(
    visit: TheVisit,
    one: Ruleset = RULESETS[0],
    other: Ruleset = RULESETS[2],
    whole: Whole = False,
) -> Response[str]:
    """Two documents, matter by matter; only what differs, unless all is asked for."""
    for name in (one, other):
        check_ruleset(name)
    rows = [difference(*found, one, other) for found in rulebook.compare(one, other)]
    differing = [row for row in rows if row.verdict != "same"]
    return visit.show(
        "pages/rules/compare.html",
        one=one,
        other=other,
        rows=rows if whole else differing,
        whole=whole,
        differing=len(differing),
        total=len(rows),
        rulesets=RULESETS,
    )


@get("/rules/play/{ruleset:str}", sync_to_thread=False, include_in_schema=False)
def table_of_play(visit: TheVisit, ruleset: Short) -> Response[str]:
    """The table of play, to be at hand at a table at all times."""
    check_ruleset(ruleset)
    play = load_ruleset(ruleset).table_of_play
    return visit.show("pages/rules/play.html", ruleset=ruleset, play=play, rulesets=RULESETS)


# one document


@get("/rules/{what:str}", sync_to_thread=False, include_in_schema=False)
def browse(visit: TheVisit, what: Short, word: Word = "") -> Response[str] | Redirect:
    """A whole document; a clause leads to its place in it."""
    if what not in RULESETS:
        found = clause_of(what)
        at = quote(anchor_of(found.id), safe="().-")
        return Redirect(f"/rules/{found.document}#{at}", status_code=303)
    word = word.strip()
    clauses = clauses_of(what)
    if word:
        hits = {clause.id for clause in rulebook.search(word)}
        clauses = [clause for clause in clauses if clause.id in hits]
    return visit.show(
        "pages/rules/document.html",
        ruleset=what,
        rulesets=RULESETS,
        document=load_ruleset(what).document,
        sections=sections_of(clauses, word),
        contents=sections_of(clauses_of(what)),
        word=word,
        count=len(clauses),
        tables=_open_tables(visit, what),
    )


def _open_tables(visit: Visit, ruleset: str) -> int:
    """At how many tables of this house it is in force now."""
    tables = [stream.state for stream in visit.house.tables.values()]
    return sum(
        bool(table.notice) and table.phase != "shut" and table.terms.notice.ruleset == ruleset
        for table in tables
    )


HANDLERS = (documents, compare, table_of_play, browse)
