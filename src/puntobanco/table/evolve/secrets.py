"""Secret wagers: forms that lie, are announced, and are used up or given back."""

from msgspec.structs import replace

from puntobanco.table import events
from puntobanco.table.competition_terms import Contest, Lodged, ShownForm
from puntobanco.table.evolve.people import move_chips, same
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Table


def secret_lodged(table: Table, event: events.SecretLodged) -> Table:
    coup = live(table)
    before = coup.forms.get(event.person)
    form = Lodged(event.seat, event.commitment, returned=before.returned if before else 0)
    return _with_form(table, event.person, form)


def secret_examined(table: Table, event: events.SecretExamined) -> Table:
    form = live(table).forms[event.person]
    returned = form.returned + (event.verdict == "sent-back")
    facts = {"verdict": event.verdict, "returned": returned, "reasons": event.reasons}
    return _with_form(table, event.person, replace(form, **facts))


def _with_form(table: Table, person: str, form: Lodged) -> Table:
    coup = live(table)
    return replace(table, coup=replace(coup, forms={**coup.forms, person: form}))


def secret_announced(table: Table, event: events.SecretAnnounced) -> Table:
    """It is used up, and its chips lie on the layout like any other wager
    [tas-2018:16.6.5, 16.6.8, 16.6.11(b)].
    """
    contest, coup, wager = table.contest, live(table), event.wager
    form = replace(
        coup.forms[event.person], announced=True, wager=wager, due_cents=event.taken_cents
    )
    table = _with_form(table, event.person, form)
    left = contest.secrets_left.get(event.person, 0) - 1
    shown = ShownForm(
        event.coup, event.person, form.seat, event.figures, event.words, event.on, wager
    )
    contest = replace(
        contest,
        secrets_left={**contest.secrets_left, event.person: left},
        secrets_used=_used(contest, event.coup, event.person, 0),
        shown=(*(one for one in contest.shown if one.coup == event.coup), shown),
    )
    table = replace(table, contest=contest)
    if wager is None:
        return table
    coup = live(table)
    return replace(
        table,
        coup=replace(coup, wagers=(*coup.wagers, wager)),
        chips=move_chips(table, wager.by, -wager.cents),
    )


def _used(contest: Contest, coup: int, person: str, cents: int) -> dict[int, dict[str, int]]:
    """Who has used a secret wager in which coup, and what was taken for it in all."""
    there = contest.secrets_used.get(coup, {})
    taken = there.get(person, 0) + cents
    return {**contest.secrets_used, coup: {**there, person: taken}}


def secret_deducted(table: Table, event: events.SecretDeducted) -> Table:
    coup, contest = live(table), table.contest
    form = coup.forms[event.person]
    table = _with_form(table, event.person, replace(form, due_cents=form.due_cents - event.cents))
    return replace(
        table,
        chips=move_chips(table, event.person, -event.cents),
        bank_cents=table.bank_cents + event.cents,
        contest=replace(
            contest, secrets_used=_used(contest, event.coup, event.person, event.cents)
        ),
    )


def secret_lapsed(table: Table, event: events.SecretLapsed) -> Table:
    """As if it had never been made: what was taken goes back, and the allowance is as before."""
    coup, contest = table.coup, table.contest
    if coup is not None and coup.number == event.coup:
        forms = {person: form for person, form in coup.forms.items() if person != event.person}
        coup = replace(coup, forms=forms)
    there = contest.secrets_used.get(event.coup, {})
    if event.person in there:
        left = contest.secrets_left.get(event.person, 0) + 1
        rest = {person: taken for person, taken in there.items() if person != event.person}
        contest = replace(
            contest,
            secrets_left={**contest.secrets_left, event.person: left},
            secrets_used={**contest.secrets_used, event.coup: rest},
        )
    return replace(
        table,
        coup=coup,
        contest=contest,
        chips=move_chips(table, event.person, event.cents) if event.cents else table.chips,
        bank_cents=table.bank_cents - event.cents,
    )


APPLY: events.Applies = {
    events.SecretLodged: secret_lodged,
    events.SecretExamined: secret_examined,
    events.SecretAnnounced: secret_announced,
    events.SecretDeducted: secret_deducted,
    events.SecretLapsed: secret_lapsed,
    events.FormInspected: same,
}
