"""What a competition is played by: the ways of its document and conditions, and its notices."""

from typing import get_args, get_type_hints

from msgspec.structs import asdict

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.conditions import (
    CompetitionConditions,
    PlayConditions,
    StageConditions,
    TableConditions,
)
from puntobanco.rules.documents.ruleset import CONDITIONS, Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.notice import Notice

OPTIONS = {
    name: options
    for name, kind in get_type_hints(PlayConditions).items()
    if (options := get_args(kind))
}
"""What each way may be; the first, after "", holds where nobody says anything."""
NO_NOTICE = ("shoe_approval", "backs", "effective")
"""What is said of the tables and stands on no notice."""
STAGE_HAS = ("limits", "tie_limits", "pairs_limits")


class Way(Brief, frozen=True):
    """How one thing is done, and by which clause."""

    value: str
    clause: str

    @property
    def by_conditions(self) -> bool:
        return self.clause == CONDITIONS


def ways_of(play: PlayConditions, rules: Ruleset) -> dict[str, Way]:
    """How everything is done: as the conditions say, else as the document does, else as the
    first option has it; a document's way is not another's, and what comes from conditions cites
    them.
    """
    return {name: _way(name, play, rules) for name in OPTIONS}


def _way(name: str, play: PlayConditions, rules: Ruleset) -> Way:
    asked, own = getattr(play, name), rules.competition.play.get(name)
    if own is not None and asked in ("", own.way):
        return Way(own.way, own.clause)
    if own is not None and own.may:
        return Way(asked, own.clause)
    return Way(asked or OPTIONS[name][1], CONDITIONS)


def notice_of(
    conditions: CompetitionConditions, stage: str | StageConditions, rules: Ruleset | None = None
) -> Notice:
    """The notice of a stage's tables; `post` checks it against the rule set.

    A table has the fewest seats that the document knows and the stage needs; where conditions do
    not say what becomes of a card left over, it is discarded.

    >>> from puntobanco.rules.competition.shipped import template_text
    >>> from puntobanco.rules.competition.conditions import read_conditions
    >>> notice_of(read_conditions(template_text("singapore")), "final").limits.min_cents
    10000
    """
    rules = rules or load_ruleset(conditions.ruleset)
    if isinstance(stage, str):
        found = conditions.stage_named(stage)
        if found is None:
            raise MalformedError(f"no stage {stage[:40]!r} in these conditions")
        stage = found
    table = conditions.table or TableConditions()
    own = {name: given for name in STAGE_HAS if (given := getattr(stage, name)) is not None}
    leftover = table.leftover or ("discard" if leftover_open(rules) else "")
    seats = seats_for(stage.seats, rules)
    said = {name: value for name, value in asdict(table).items() if name not in NO_NOTICE}
    values = {**said, **own, "leftover": leftover, "seats": seats}
    return Notice(ruleset=conditions.ruleset, **values)


def leftover_open(rules: Ruleset) -> bool:
    """Whether conditions must say what becomes of a card left over."""
    return any(excess.next == "by-conditions" for excess in rules.irregularities.excess)


def seats_for(players: int, rules: Ruleset) -> int:
    """The seats of a table for so many players; more than the document knows stay as they are."""
    allowed = rules.table.seats.any_of if rules.table.seats else ()
    return min((seats for seats in allowed if seats >= players), default=players)
