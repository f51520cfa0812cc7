"""Papers of before and during play: the entry form, the table's sign, the secret wager form."""

from typing import Any

from puntobanco.server.pages.competitions.papers.terms import (
    allows_secrets,
    chips_shown,
    regulator_of,
    stage_lines,
    stage_start,
    terms_told,
)
from puntobanco.server.pages.journal.receipts import qr_code
from puntobanco.server.pages.office.person import house_address
from puntobanco.server.visit import Visit

FORMS_A_PAGE = 4


def cup_code(visit: Visit, competition: Any) -> Any:
    """The code that leads to the competition's own page, where one reads on and applies."""
    return qr_code(cup_address(visit, competition).encode())


def cup_address(visit: Visit, competition: Any) -> str:
    return f"{house_address(visit)}/competitions/{competition.id}"


def phone_code(visit: Visit, competition: Any) -> Any:
    """The code that leads to the reader's own entry: applying, seat, turn."""
    return qr_code(f"{cup_address(visit, competition)}/me".encode())


def entry_form_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """The form of application with all that is disclosed beforehand, to be signed
    [tas-2018:16.2.2(lead), 16.2.6, act-2015:15.4].
    """
    first = competition.conditions.stage[0]
    return {
        "code": phone_code(visit, competition),
        "address": cup_address(visit, competition),
        "starts": stage_start(competition, first.name),
        **terms_told(visit, competition),
        "print_of": competition.versions[competition.version].hash,
        "endorsed_by": competition.says.conduct.endorsed,
        "reserves": competition.conditions.entry.reserves,
    }


def has_secrets(competition: Any) -> bool:
    """Whether there is a form to hand out at all."""
    stages = competition.conditions.stage if competition.version else ()
    return any(stage.secrets for stage in stages) and allows_secrets(competition)


def secret_form_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """Blank forms as Diagram 1 has them [tas-2018:16.6.2]."""
    return {
        "regulator": regulator_of(competition),
        "count": FORMS_A_PAGE,
        "sign": visit.house.register.state.currency,
    }


SAID_ABOVE = ("limits", "raised", "through")
"""Terms that the grid of a sign has, or that matter to nobody at the table."""


def table_sign_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """The sign of a competition's table: limits, units, and what limits rise to
    [tas-2018:16.4.6, 16.5.3]. One for each table of a stage that is drawn, else one without a
    table's name.
    """
    currency = visit.house.register.state.currency
    asked = visit.query("stage")[:80]
    stages = competition.conditions.stage

    def chips(cents: int) -> str:
        return chips_shown(competition, cents, currency)

    return {
        "signs": [
            (stage, table)
            for stage in stages
            if stage.name == asked or asked not in {one.name for one in stages}
            for table in _tables_of(competition, stage.name)
        ],
        "chips": chips,
        "lines_of": lambda stage: [
            line
            for line in stage_lines(visit, competition, stage)
            if line.label not in SAID_ABOVE
            and (line.label != "start" or stage_start(competition, stage.name))
        ],
        "units_by": competition.says.units,
        "rise_by": competition.says.limits_rise,
    }


def _tables_of(competition: Any, stage: str) -> tuple[str, ...]:
    session = competition.sessions.get(stage)
    return tuple(session.seats) if session and session.seats else ("",)
