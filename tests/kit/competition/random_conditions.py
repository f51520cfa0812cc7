"""Conditions of small competitions at random, under every rule set."""

from random import Random

from puntobanco.rules.competition.checks import faults_of
from puntobanco.rules.competition.conditions import CompetitionConditions, read_conditions
from puntobanco.rules.competition.structure import plan_all
from puntobanco.rules.documents.texts import load_ruleset

TABLES = {
    "tas-2018": 'layout = "midi", decks = 8, method = "commission", chip_cents = 500',
    "tas-2013": 'layout = "midi", decks = 8, method = "commission", chip_cents = 500',
    "act-2015": 'decks = 8, method = "A", chip_cents = 500, burn = "exposed",'
    ' behind_marker = 14, table_approval = "T1"',
    "mbs-2017": 'layout = "A", decks = 8, method = "even", chip_cents = 500,'
    ' leftover = "discard", pairs = "pair",'
    " pairs_limits = { min_cents = 10000, max_cents = 50000 }",
}
SINGAPORE = """
[play]
order = "{order}"
every_coup = "yes"
eliminated = "below-minimum"
absent = "minimum-deducted"
late = "{late}"
level = "{level}"
"""
STAGE = """
[[stage]]
name = "{name}"
seats = {seats}
least = {least}
advance = {advance}
wild = {wild}
allotment_cents = {chips}
ends = {{ {ends} }}
secrets = {secrets}
limits = {{ min_cents = 10000, max_cents = {most}, multiple_cents = {unit} }}
"""


def random_conditions(chance: Random, ruleset: str, *, large: bool = False) -> str:
    """A text that can be published: for every number of entries it leads to a final."""
    while True:
        text = _written(chance, ruleset, large=large)
        conditions, rules = read_conditions(text), load_ruleset(ruleset)
        if not faults_of(conditions, rules) and _holds(conditions):
            return text


def _holds(conditions: CompetitionConditions) -> bool:
    return not any(plan.fault for plan in plan_all(conditions))


def _written(chance: Random, ruleset: str, *, large: bool) -> str:
    tas = ruleset.startswith("tas")
    cash = tas and chance.random() < 0.15
    most = chance.randint(12, 16) if large else chance.randint(3, 6)
    least, percent = chance.choice(((2, "[100]"), (2, "[60, 40]"), (3, "[50, 30, 20]")))
    fee, kept = chance.choice((5555, 10000, 3333)), chance.choice(("0", "7.5", "10"))
    entry = f'form = "A", terms = "at the desk", fee_cents = {fee}, min = {least}, max = {most}'
    if tas:
        entry += f', retained_percent = "{kept}"'
    else:
        mode = chance.choice(("inside", "beside"))
        entry += f', commission_cents = {chance.choice((0, 333))}, commission = "{mode}"'
    if ruleset == "mbs-2017":
        entry += ", refund_days = 7"
    entry += f", reserves = {chance.randint(0, 2)}"
    heats = large or chance.random() < 0.5
    lines = [
        'name = "At random"',
        f'ruleset = "{ruleset}"',
        'start = "2026-03-14T18:00:00+11:00"',
        'approval = "sample"' if ruleset == "act-2015" else "",
        'chips = "cash"' if cash else "",
        f"table = {{ {TABLES[ruleset]} }}",
        f"entry = {{ {entry} }}",
        f"prizes = {{ percent = {percent} }}",
    ]
    if heats and tas and chance.random() < 0.3:
        lines.append('secondary = { winners = 1, into = "final" }')
    if ruleset == "mbs-2017":
        ways = {
            "order": chance.choice(("clockwise", "anticlockwise")),
            "late": chance.choice(("three-coups", "forfeit")),
            "level": chance.choice(("play-off", "more-rounds")),
        }
        lines.append(SINGAPORE.format(**ways))
    text = "\n".join(lines)
    if heats:
        seats = 6 if large else chance.choice((3, 4, 6))
        text += _stage(chance, ruleset, "heats", seats, advance=1, cash=cash)
    return text + _stage(chance, ruleset, "final", 6, advance=0, cash=cash)


def _stage(chance: Random, ruleset: str, name: str, seats: int, *, advance: int, cash: bool) -> str:
    tas = ruleset.startswith("tas")
    return STAGE.format(
        name=name,
        seats=seats,
        least=2 if advance else 1,
        advance=advance,
        wild=chance.choice((0, 0, 1)) if advance and ruleset != "act-2015" else 0,
        chips=chance.choice((20000, 30000, 50000)),
        ends="minutes = 1"
        if ruleset != "act-2015" and chance.random() < 0.15
        else f"coups = {chance.choice((1, 2, 2, 3))}",
        secrets=chance.choice((0, 1, 2)) if tas and not cash else 0,
        most=chance.choice((10000, 30000, 50000, 50000)),
        unit=chance.choice((500, 5000, 10000)),
    )
