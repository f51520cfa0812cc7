"""Papers of the end: results with every ruling, and receipts of fees, refunds and prizes."""

from typing import Any

from puntobanco.cage.view import KEEPERS
from puntobanco.competition.queries import entry_numbers, pool_cents, prize_list
from puntobanco.errors import Reason, Refused
from puntobanco.house.access.names import person_called, told_to_staff
from puntobanco.house.competitions.paperwork import (
    PAYMENTS,
    payments_of,
    public_names,
    rulings_on_record,
)
from puntobanco.house.till.papers import receipt_at_cage
from puntobanco.rules.competition.spelled import spell_cents
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.server.pages.cage.till import book_of
from puntobanco.server.pages.competitions.papers.before import cup_code
from puntobanco.server.pages.competitions.papers.terms import (
    casino_moment,
    casino_time,
    casino_zone,
    chips_shown,
    day_told,
    stage_start,
)
from puntobanco.server.pages.journal.receipts import code_of
from puntobanco.server.rendering import say
from puntobanco.server.visit import Visit


def results_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """Places, prizes, how each stage ended, the money, every ruling and everything overridden."""
    house, state = visit.house, competition
    numbers, names = entry_numbers(state), public_names(house, state, state.entries)
    called = {who: names[who] or say("paper.entry", number=numbers[who]) for who in state.entries}
    money = state.money
    staff = told_to_staff(house)
    writing = staff._replace(person=lambda who: called.get(who) or staff.person(who))
    currency = house.register.state.currency
    return {
        "entry_called": called,
        "numbers": numbers,
        "places": state.places,
        "entries": state.entries,
        "sessions": [one for one in state.sessions.values() if one.results],
        "cancelled": state.cancelled,
        "starts": stage_start(state, state.conditions.stage[0].name),
        "money_lines": [
            ("cup.fees", money.fees_cents),
            ("results.commission", money.commission_cents),
            ("cup.added", money.added_cents),
            ("cup.refunded", -money.refunded_cents),
            ("cup.retained", -money.retained_cents),
            ("cup.paid-out", -money.paid_cents),
        ],
        "pot_cents": money.pot_cents,
        "prizes_cents": sum(prize_list(state)),
        "pool_cents": pool_cents(state),
        "rulings": [
            (casino_time(state, one.at_ms), one)
            for one in rulings_on_record(house, state.id, writing)
        ],
        "zone": casino_zone(state),
        "chips": lambda cents: chips_shown(state, cents, currency),
        "code": cup_code(visit, state),
    }


def receipt_facts(visit: Visit, competition: Any) -> dict[str, Any]:
    """A receipt of one payment between an entrant and the pot, for the cage and for the entrant
    [tas-2018:16.2(lead), act-2015:15.25(2)]. The code carries the signed row.
    """
    by = visit.actor()
    person, kind = visit.query("person", by.person)[:64], visit.query("of", "prize")[:10]
    if kind not in PAYMENTS or not (by.person == person or by.roles & KEEPERS):
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    book = book_of(visit)
    made = payments_of(book, competition.id, person, kind)
    entrant = competition.entries.get(person)
    if not made or entrant is None:
        raise Refused(Reason.NOT_FOUND, CONDITIONS)
    line = made[-1]
    found = receipt_at_cage(visit.house, book, by, line.seq)
    return {
        "kind": kind,
        "line": line,
        "cents": abs(line.cents),
        "spelled": spell_cents(abs(line.cents)),
        "to": person_called(visit.house, person),
        "alias": visit.house.people.alias(person),
        "number": entry_numbers(competition)[person],
        "entrant": entrant,
        "paid_at": casino_moment(competition, line.at_ms),
        "cashier": line.actor,
        "pool_cents": pool_cents(competition),
        "refund_by": competition.says.entry.withdrawn,
        "prize_by": competition.says.conduct.prize_list,
        "code": code_of(found.receipt, whole=True),
        "person_of": person,
        "day_told": day_told,
    }
