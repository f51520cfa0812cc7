"""Secret wagers as far as the table knows of them: that forms lie, never what is on them."""

from collections import Counter
from collections.abc import Mapping

from puntobanco.rules.competition.secret import Position
from puntobanco.rules.documents.competition_rules import SecretRules
from puntobanco.rules.documents.ruleset import CONDITIONS, Bet
from puntobanco.table.competition_terms import Lodged, ShownForm
from puntobanco.table.queries.competition import circuit, rules_of
from puntobanco.table.queries.coup import live
from puntobanco.table.state import LiveCoup, Table

BY_CONDITIONS = SecretRules(*[CONDITIONS] * 19)
"""Where a document has no secret wagers, the conditions alone bring them in."""


def secret_rules(table: Table) -> SecretRules:
    """The clauses by which secret wagers are made here."""
    return rules_of(table).secret or BY_CONDITIONS


def standing_forms(coup: LiveCoup) -> dict[str, Lodged]:
    """The forms that stand for a wager on this coup: lodged, and not sent back; what may be on a
    form nobody at the table knows yet [tas-2018:16.5.11].
    """
    if not coup.takes_wagers:
        return {}
    return {person: form for person, form in coup.forms.items() if form.verdict != "sent-back"}


def unexamined(coup: LiveCoup) -> dict[str, Lodged]:
    """The forms that the inspector has not looked at yet [tas-2018:16.6.7]."""
    return {person: form for person, form in standing_forms(coup).items() if not form.verdict}


def unopened(table: Table) -> dict[str, Lodged]:
    """The forms that are still to be announced, in the order of betting [tas-2018:16.6.8]."""
    coup, contest = live(table), table.contest
    order = circuit(table, contest.puck or table.terms.seats.at_dealers_right)
    forms = [(person, form) for person, form in standing_forms(coup).items() if not form.announced]
    return dict(sorted(forms, key=lambda lies: order.index(lies[1].seat)))


def sent_back(coup: LiveCoup, person: str) -> bool:
    """Has this player, whose form was sent back after the call, still to make a wager?"""
    form = coup.forms.get(person)
    return coup.called and not coup.locked and form is not None and form.verdict == "sent-back"


def announced_first(table: Table) -> bool:
    """Is it the last coup of the final, and has every player a form that was accepted? They are
    then told before the cards [tas-2018:16.6.11(lead)].
    """
    session, coup = table.session, table.coup
    if session is None or not session.final or not table.contest.last or coup is None:
        return False
    accepted = {
        person for person, form in standing_forms(coup).items() if form.verdict == "accepted"
    }
    return coup.called and bool(accepted) and accepted.issuperset(table.seated.values())


def position(table: Table, person: str) -> Position:
    """All that a player's form is held against, as it was when bets closed."""
    coup, notice = live(table), table.terms.notice
    settled = [line for line in coup.lines if line.wager.by == person]
    laid = Counter[Bet]()
    for wager in (*coup.wagers, *(line.wager for line in settled)):
        if wager.by == person:
            laid[wager.on] += wager.cents
    back = sum(line.wager.cents - line.returned_cents - line.won_cents for line in settled)
    lying = sum(wager.cents for wager in coup.wagers if wager.by == person)
    return Position(
        table.chips.get(person, 0) + lying + back,
        notice.limits,
        notice.limits.multiple_cents or notice.chip_cents,
        table.contest.secrets_left.get(person, 0),
        laid,
        notice.tie_limits,
    )


def on_show(table: Table) -> Mapping[str, ShownForm]:
    """The forms that players may look at: those of the last coup that had any, until the first
    card of the next [tas-2018:16.6.9].
    """
    coup, shown = table.coup, table.contest.shown
    past = coup is not None and shown and coup.number != shown[0].coup and coup.drawn
    return {} if past else {form.person: form for form in shown}
