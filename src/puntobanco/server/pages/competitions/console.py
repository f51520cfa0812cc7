"""One competition as its Director has it before them: the way, what is missing, all tables."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

from puntobanco.competition.authority import CHARGE
from puntobanco.competition.may import GIVEN, KINDS, given_now, is_theirs, why_not_in
from puntobanco.competition.path import MissingLine, PathStep, StepAhead
from puntobanco.competition.sentences import tell_impact
from puntobanco.competition.view import IN_CHARGE
from puntobanco.house.access.names import place_called
from puntobanco.house.competitions.glance import glance_version
from puntobanco.house.house import House
from puntobanco.server.api.competitions import CompetitionSeen, console_of, seen_by
from puntobanco.server.commands.forms import fields_of
from puntobanco.server.commands.preview import writing_to
from puntobanco.server.pages.competitions.forms import told_proposal, words_for
from puntobanco.server.pages.competitions.papers.terms import day_told
from puntobanco.server.rendering import starts
from puntobanco.server.visit import Visit
from puntobanco.table.actor import Actor
from puntobanco.words import explain, told_command
from puntobanco.words.competition import COMPETITION_COMMANDS, COMPETITION_GROUPS
from puntobanco.words.pages import PAGES

PRESSED = frozenset(
    name for name, kind in KINDS.items() if not fields_of(kind, {}, {}) and not GIVEN[name].final
)
"""Commands with nothing to be said and nothing to be sure of: one press."""
LEADS = {
    "proposal": "do/approve?proposal={about}",
    "dispute": "do/decide-dispute?dispute={about}",
    "amended": "do/rule?about=result&table={about}",
    "prize": "do/pay-prize?person={about}",
    "refund": "do/pay-refund?person={about}",
    "stopped": "do/resume-at?table={about}",
    "level": "do/order-play-off?people={about}&table={table}{coups}",
}
"""Where a line of what is missing leads, if not to the form of its command."""
AT_TABLE = frozenset({"playing", "result", "empty-table", "readying", "not-open"})
"""Lines that lead to the pit page of their table."""
SHUT_WHILE_MISSING = frozenset({"draw", "start-session"})
"""Steps that the page does not lead to while anything is missing, though they could be given."""
PLACES = {
    "conditions": "conditions",
    "entries": "entries",
    "draw": "draw",
    "stage": "",
    "prizes": "results",
}
"""Where each stage of the way is looked at, under the competition's own address."""
LOOKS_AT = {"conditions": CHARGE, "draw": IN_CHARGE, "prizes": IN_CHARGE}
"""Who may; the others anybody may who sees the way."""
PARTS = "pages/competitions/parts"
REGIONS = {
    name: f"{PARTS}/{name}.html"
    for name in ("path", "tables", "clock", "missing", "told", "entries", "acts")
}
"""What of the page is sent anew while things go on."""


KEYS = {
    "approve": "A", "break": "B", "confirm-stage": "C", "confirm-places": "C", "forfeit": "F",
    "give-direction": "G", "set-play-off-chips": "H", "open-secondary": "I", "decide-dispute": "J",
    "finish-early": "K", "last-coup": "L", "move-seat": "M", "sign-on": "O", "sign-off": "Q",
    "rule": "R", "stop-table": "S", "substitute": "T", "resume-at": "U", "set-start": "V",
    "name-wild-cards": "W", "disqualify": "X", "order-play-off": "Y", "raise-dispute": "Z",
}  # fmt: skip
"""The key of whatever a Director does in a session; tables have 1 to 9."""
NEXT = "N"
"""The key of the next step, whatever it is."""
KEYED_ABOVE = frozenset({"break", "last-coup", "rule"})
"""Commands whose key stands in a button of the page already."""
PAGES_BY_KEY = {"entries": "E", "draw": "D", "results": "P"}


def console_context(visit: Visit, cup: str) -> dict[str, Any]:
    """All that the console shows; refused to whoever is not in charge."""
    stream = visit.competition(cup)
    by = visit.gateway.spectator(visit.caller, stream.name)
    seen, console = seen_by(visit, cup), console_of(visit, cup)
    names = given_now(stream.state, by)

    def can(name: str, **facts: object) -> bool:
        return why_not_in(stream.state, name, by, facts) is None

    pits = visit.kept.cup_walls.boards.pits(stream) if stream.state.version else ()
    step = console.ahead.command if console.ahead else ""
    refused = why_not_in(stream.state, step, by) if step else None
    return {
        **common_context(visit, seen, by),
        "cup": cup,
        "console": console,
        "groups": by_subject(names),
        "may": frozenset(names),
        "can": can,
        "pressed": PRESSED,
        "lines": missing_lines(visit, cup, console.ahead, seen, frozenset(names)),
        "step": step,
        "shut": step in SHUT_WHILE_MISSING and bool(console.ahead and console.ahead.missing),
        "why_not": visit.words_of(refused) if refused else None,
        "statuses": Counter(one.status.value for one in seen.view.entries.values()),
        "refused": _not_taken(visit, stream) if by.roles & CHARGE else [],
        "since": glance_version(visit.house, stream),
        "path_href": path_href,
        "keys": KEYS,
        "next_key": NEXT,
        "keyed_above": KEYED_ABOVE,
        "pages": PAGES_BY_KEY if seen.view.version else {},
        "pits": pits if len(pits) > 1 else (),
    }


def common_context(visit: Visit, seen: CompetitionSeen, by: Actor) -> dict[str, Any]:
    """What every page of one competition knows."""
    return {
        "seen": seen.view,
        "people": seen.people,
        "words": words_for(by),
        "titles": COMPETITION_COMMANDS,
        "told": partial(told_proposal, visit.house),
        "day_told": day_told,
        "told_impact": partial(tell_impact, writing=writing_to(visit)),
    }


def _not_taken(visit: Visit, stream: Any) -> list[dict[str, Any]]:
    """What the house gave a table or the cage, and was refused: where, what, why, what to do."""
    sessions = stream.state.sessions.values()
    own = {stream.name, "cage", *stream.state.tables}
    own |= {at for one in sessions for at in (*one.seats, *one.moved.values())}
    currency = visit.house.register.state.currency
    return [
        {"at": one.stream, "what": told_command(one.command), "why": explain(one.refused, currency)}
        for one in visit.house.unrelayed.values()
        if one.stream in own
    ]


def path_href(cup: str, step: PathStep) -> str:
    """Where a stage of the way is looked at."""
    place = PLACES[step.name]
    return f"/competitions/{cup}/{place}".rstrip("/")


def way_for(by: Actor) -> Callable[[str, PathStep], str]:
    """The same for somebody who may not look at each of them."""

    def href(cup: str, step: PathStep) -> str:
        return path_href(cup, step) if by.roles & LOOKS_AT.get(step.name, by.roles) else ""

    return href


def missing_lines(
    visit: Visit, cup: str, ahead: StepAhead | None, seen: CompetitionSeen, may: frozenset[str]
) -> list[dict[str, Any]]:
    """Each thing that the next step hangs on, in words, with where it is put right."""
    stream = visit.competition(cup)
    by = visit.actor(stream.name)
    may |= {name for name in NEEDS_FACTS if is_theirs(stream.state, name, by)}
    return [_line(visit, cup, one, seen, may) for one in (ahead.lines if ahead else ())]


def _line(
    visit: Visit, cup: str, line: MissingLine, seen: CompetitionSeen, may: frozenset[str]
) -> dict[str, Any]:
    about = ", ".join(_named(visit.house, one, seen) for one in line.about)
    key = f"missing.{line.what}"
    if not line.met and f"{key}.not" in PAGES:
        key = f"{key}.not"
    if "coups" in line.facts:
        key = f"{key}.rounds"
    facts: dict[str, Any] = {name: fact for name, fact in line.facts.items() if name != "cents"}
    if "start_ms" in line.facts:
        facts["start"] = starts(int(line.facts["start_ms"]), seen.view.start)
    return {
        "key": key,
        "facts": {**facts, "about": about, "says": line.says},
        "cents": line.facts.get("cents"),
        "met": line.met,
        "clause": line.clause,
        "href": _leads_to(cup, line, may) if _is_there(visit.house, line) else "",
        "soon": line.what == "playing",
    }


def _is_there(house: House, line: MissingLine) -> bool:
    """A table that the house has never opened has no page yet."""
    return line.what != "not-open" or line.about[0] in house.tables


def _named(house: House, one: str, seen: CompetitionSeen) -> str:
    """A person or a table, as staff call them."""
    person = seen.people.get(one)
    return person.name if person and person.name else place_called(house, one)


def _leads_to(cup: str, line: MissingLine, may: frozenset[str]) -> str:
    """Where it is put right, if the reader may."""
    at = f"/competitions/{cup}"
    if line.what in AT_TABLE and line.about:
        return f"/tables/{line.about[0]}/pit"
    if line.met or not line.command or line.command not in may:
        return ""
    about = quote(" ".join(line.about))
    table, coups = quote(str(line.facts.get("table", ""))), line.facts.get("coups")
    rounds = f"&coups={coups}" if coups else ""
    leads = LEADS.get(line.what, f"do/{line.command}")
    return f"{at}/{leads.format(about=about, table=table, coups=rounds)}"


NEEDS_FACTS = frozenset({"rule", "order-play-off", "draft"})
"""Commands of which only their facts say whether they can be given."""


def by_subject(names: list[str]) -> list[tuple[str, list[str]]]:
    """The commands that can be given, by subject."""
    found = (
        (group, [name for name in members if name in names])
        for group, members in COMPETITION_GROUPS.items()
    )
    return [(group, members) for group, members in found if members]
