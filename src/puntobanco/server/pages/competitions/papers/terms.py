"""Conditions as the lines of a paper: each item in words, with the clause that settles it."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime  # noqa: TID251  to write a moment, not to ask for one
from typing import Any, NamedTuple

from puntobanco.competition.dates import receipt_deadline, start_ms
from puntobanco.rules.competition.checks import apart_clause, item_clause
from puntobanco.rules.competition.conditions import (
    LeagueConditions,
    StageConditions,
    exact_percent,
    minutes_ahead,
    read_moment,
)
from puntobanco.rules.competition.ways import ways_of
from puntobanco.rules.documents.ruleset import CONDITIONS, Ruleset
from puntobanco.rules.notice import Limits
from puntobanco.server.look import shown_money
from puntobanco.server.rendering import say
from puntobanco.server.visit import Visit
from puntobanco.table.sentences import zone
from puntobanco.words import money
from puntobanco.words.desk.papers import PAPER_WORDS

WAYS = ("late", "absent", "every_coup", "eliminated", "time_over", "level")
"""What an entrant should know of how it is played, before anything happens to them."""


class TermLine(NamedTuple):
    """One line: what it settles, as it is settled, and by which clause."""

    label: str
    says: Any
    clause: str


def casino_time(competition: Any, at_ms: int) -> str:
    """A moment by the casino's own clock, as its conditions have it."""
    clocks = read_moment(competition.conditions.start).tzinfo or UTC
    return datetime.fromtimestamp(at_ms / 1000, clocks).strftime("%A %-d %B %Y, %H:%M")


def casino_zone(competition: Any) -> str:
    """How far that clock is ahead of UTC, to be said once on each paper."""
    return zone(minutes_ahead(competition.conditions.start))


def casino_moment(competition: Any, at_ms: int) -> str:
    """Both, to stand on paper by itself."""
    return f"{casino_time(competition, at_ms)} {casino_zone(competition)}"


def stage_start(competition: Any, stage: str) -> str:
    """When a stage starts; empty: no time has been set for it."""
    at_ms = start_ms(competition, stage)
    return casino_moment(competition, at_ms) if at_ms else ""


def chips_shown(competition: Any, cents: int, currency: str) -> str:
    """Chips without value are counted, chips worth money are money."""
    if competition.conditions.chips == "cash":
        return money(cents, currency)
    whole, part = divmod(cents, 100)
    return f"{whole:,}.{part:02}" if part else f"{whole:,}"


def term_lines(visit: Visit, competition: Any) -> list[TermLine]:
    """All that is disclosed before anybody enters, in the order of the document
    [tas-2018:16.2.2, act-2015:15.4].
    """
    return _said(_lines(visit, competition))


def terms_told(visit: Visit, competition: Any) -> dict[str, Any]:
    """The conditions in force as people read them: all of it, each stage, how it is played."""
    return {
        "lines": term_lines(visit, competition),
        "stages": [
            (stage.name, stage_lines(visit, competition, stage))
            for stage in competition.conditions.stage
        ],
        "ways": way_lines(competition),
    }


def _said(lines: Iterable[TermLine]) -> list[TermLine]:
    """Those that say something; what conditions settle by themselves needs no clause here."""
    return [
        line._replace(clause="" if line.clause == CONDITIONS else line.clause)
        for line in lines
        if line.says
    ]


def _lines(visit: Visit, competition: Any) -> Iterator[TermLine]:
    held, rules = competition.conditions, competition.rules
    entry, says = held.entry, competition.says
    currency = visit.house.register.state.currency

    def cash(cents: int) -> Any:
        return shown_money(cents, currency)

    def by(item: str) -> str:
        return item_clause(item, rules)

    yield TermLine("rules", rules.document.title, "")
    yield TermLine("approval", held.approval, says.entry.approval)
    yield TermLine("application", entry.form, by("entry.form"))
    yield TermLine("terms", entry.terms, by("entry.terms"))
    yield TermLine("groups", entry.groups, says.conduct.groups or CONDITIONS)
    yield TermLine("apart", held.apart.who, apart_clause(rules))
    yield TermLine("fee", cash(entry.fee_cents or 0), by("entry.fee_cents"))
    if entry.commission_cents:
        told = say(f"paper.commission.{entry.commission}", amount=cash(entry.commission_cents))
        yield TermLine("commission", told, says.prizes.commission)
    if kept := exact_percent(entry.retained_percent):
        yield TermLine("kept", say("paper.percent", percent=_decimal(kept)), says.prizes.retained)
    range_ = say("paper.from-to", least=entry.min, most=entry.max)
    yield TermLine("entrants", range_, by("entry.max"))
    yield TermLine("reserves", str(entry.reserves or ""), says.conduct.reserve)
    until = say("paper.until.start") if entry.until == "start" else _written(entry.until)
    yield TermLine("until", until, by("entry.until"))
    yield TermLine("prizes", _prizes(visit, competition), by("prizes"))
    if held.prizes.added_cents:
        yield TermLine("added", cash(held.prizes.added_cents), by("prizes"))
    yield TermLine("goods", _goods(held.prizes.goods), by("prizes"))
    yield TermLine("league", _league(held.league), CONDITIONS)
    deadline = receipt_deadline(competition)
    refund = (
        say("paper.refund.until", day=day_told(deadline)) if deadline else say("paper.refund.never")
    )
    yield TermLine("refund", refund, says.entry.withdrawn)


def _prizes(visit: Visit, competition: Any) -> Any:
    prizes = competition.conditions.prizes
    if prizes.percent:
        shares = ", ".join(_decimal(exact_percent(one)) for one in prizes.percent)
        return say("paper.percents", shares=shares)
    currency = visit.house.register.state.currency
    return ", ".join(money(cents, currency) for cents in prizes.list_cents)


def _league(league: LeagueConditions) -> str:
    """In which league it counts, and its points by place."""
    points = ", ".join(map(str, league.points))
    return say("paper.league", name=league.name, points=points) if league.name else ""


def stage_lines(visit: Visit, competition: Any, stage: StageConditions) -> list[TermLine]:
    """One stage: when, how long, with what, how many go on."""
    rules, says = competition.rules, competition.says
    currency = visit.house.register.state.currency

    def by(item: str) -> str:
        return item_clause(f"stage.{item}", rules)

    def chips(cents: int) -> str:
        return chips_shown(competition, cents, currency)

    raised = stage.raised and say("paper.raised", **limit_facts(stage.raised, chips))
    lines = (
        TermLine("start", stage_start(competition, stage.name) or say("cups.no-date"), by("start")),
        TermLine("length", length_told(stage), by("ends")),
        TermLine("seats", say("paper.seats-of", seats=stage.seats), says.stages.tables),
        TermLine("chips", chips(stage.allotment_cents), by("allotment_cents")),
        TermLine(
            "limits", say("paper.limits-of", **limit_facts(stage.limits, chips)), by("limits")
        ),
        TermLine("raised", raised, says.limits_rise or CONDITIONS),
        TermLine("through", _through(stage), says.stages.advancing),
        TermLine("secrets", secrets_told(competition, stage), by("secrets")),
        TermLine("time", _seconds(stage), says.time_limit or CONDITIONS),
    )
    return _said(lines)


def limit_facts(limits: Limits, chips: Any) -> dict[str, str]:
    """Limits as a sentence wants them; the multiple is the unit [tas-2018:16.4.6]."""
    unit = limits.multiple_cents
    return {
        "least": chips(limits.min_cents),
        "most": chips(limits.max_cents),
        "unit": say("paper.unit", unit=chips(unit)) if unit else "",
    }


def length_told(stage: StageConditions) -> str:
    """How long a session lasts."""
    name = next(iter(stage.ends.given), "")
    return say(f"paper.length.{name}", count=getattr(stage.ends, name)) if name else ""


def secrets_told(competition: Any, stage: StageConditions) -> str:
    """How many secret wagers each player has; nothing where the document has none."""
    if not stage.secrets or not allows_secrets(competition):
        return say("paper.none") if competition.says.secret else ""
    return say("paper.secrets-of", count=stage.secrets)


def signers(rules: Ruleset) -> dict[str, str]:
    """Who signs a paper, as the document calls them; in plain words where it names nobody."""
    named = {duty.role for duty in rules.staff}
    overseer = next((role for role in ("inspector", "casino supervisor") if role in named), "")
    director = f"paper.director.{rules.id}"
    return {
        "director": say(director if director in PAPER_WORDS else "paper.director"),
        "overseer": say(f"paper.overseer.{overseer.replace(' ', '-') or 'unnamed'}"),
    }


def allows_secrets(competition: Any) -> bool:
    """Whether the document or the conditions have secret wagers at all [tas-2018:16.6.1]."""
    play, says = competition.conditions.play, competition.says
    return says.secret is not None or play.secret_wagers or says.stages.secrets_open


def _through(stage: StageConditions) -> str:
    by_tables = stage.advance if isinstance(stage.advance, dict) else {0: stage.advance}
    if len(set(by_tables.values())) == 1:
        many = next(iter(by_tables.values()))
        told = say("paper.through.each", many=many) if many else ""
    else:
        each = (say("paper.through.by", tables=n, many=many) for n, many in by_tables.items())
        told = ", ".join(each)
    return f"{told} {say('paper.wild', many=stage.wild)}" if stage.wild else told


def _seconds(stage: StageConditions) -> str:
    return say("paper.seconds", seconds=stage.wager_seconds) if stage.wager_seconds else ""


def way_lines(competition: Any) -> list[TermLine]:
    """How it is played, as the document or the conditions have it; only what touches a player."""
    ways = ways_of(competition.conditions.play, competition.rules)
    told = [(f"paper.way.{name}.{ways[name].value}", ways[name].clause) for name in WAYS]
    lines = [TermLine(key, say(key), clause) for key, clause in told if key in PAPER_WORDS]
    out = competition.says.entry.disqualified
    return _said([*lines, TermLine("", say("paper.way.disqualified"), out)] if out else lines)


def regulator_of(competition: Any) -> str:
    """Who approved the rules: as the conditions name them, else whose document it is."""
    named: str = competition.conditions.regulator
    return named or str(competition.rules.document.issuer)


def document_told(document: Any) -> str:
    """A document by its title and its reference, which some have in their title."""
    title, reference = str(document.title), str(document.reference)
    return title if reference.casefold() in title.casefold() else f"{title}, {reference}"


def _goods(goods: tuple[str, ...]) -> str:
    """What comes beside the money, each for its place."""
    return ", ".join(f"{place}. {one}" for place, one in enumerate(goods, 1) if one)


def _decimal(exact: Any) -> str:
    return f"{float(exact):g}"


def _written(moment: str) -> str:
    return read_moment(moment).strftime("%A %-d %B %Y, %H:%M")


def day_told(iso: str) -> str:
    """A day as it stands on paper."""
    return datetime.fromisoformat(iso).strftime("%-d %B %Y")
