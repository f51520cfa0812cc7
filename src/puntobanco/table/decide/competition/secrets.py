"""Secret wagers: a form is handed in, examined, announced with the result, and may be inspected.

The table knows a form by its commitment alone until it is announced; what follows from a form
before that is the same whatever is written on it.
"""

from msgspec.structs import replace

from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.rules.competition.secret import SecretForm, deem, examine, read_content
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.seal import commit
from puntobanco.rules.wagers import Wager
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.authority import is_staff, subject
from puntobanco.table.competition_terms import Lodged
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.competition import betting_order, check_contest, in_turn, rules_of
from puntobanco.table.queries.coup import live
from puntobanco.table.queries.secrets import (
    announced_first,
    on_show,
    position,
    secret_rules,
    unopened,
)
from puntobanco.table.state import Table
from puntobanco.words import money

MOST_RETURNED = 1
"""How often a form that was sent back may be handed in again."""


def lodge_secret(table: Table, ask: c.LodgeSecret, by: Actor) -> list[TableEvent]:
    """A form is handed in, in turn, and a marker placed; chips may follow it, or lie already
    [tas-2018:16.6.2, 16.6.3, 16.6.6].
    """
    check_contest(table)
    rules, coup, person = secret_rules(table), live(table), subject(ask, by)
    if person not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=person)
    seat, before = table.places[person].box, coup.forms.get(person)
    if before is None or before.verdict != "sent-back":
        _check_moment(table, person, seat, before, staff=is_staff(table, by))
    elif before.returned > MOST_RETURNED:
        raise Refused(Reason.FORM_SENT_BACK_TWICE, rules.examined, person=person)
    if table.contest.secrets_left.get(person, 0) <= 0:
        most = table.session.secrets if table.session else 0
        raise Refused(Reason.NO_SECRETS_LEFT, rules.allowed, person=person, most=most)
    return [events.SecretLodged(person, seat, ask.commitment, clauses=(rules.form, rules.recorded))]


def _check_moment(
    table: Table, person: str, seat: int, lies: Lodged | None, *, staff: bool
) -> None:
    """A form comes in the player's turn and before the call, or it is handed back."""
    rules, coup = secret_rules(table), live(table)
    if lies is not None:
        raise Refused(Reason.FORM_LIES, rules.form, person=person)
    if coup.called:
        raise Refused(Reason.FORM_TOO_LATE, rules.form)
    if coup.time_over and not staff:
        raise Refused(Reason.BETTING_TIME_OVER, CONDITIONS)
    if seat not in betting_order(table):
        raise Refused(Reason.FORM_OF_ABSENT, rules.allowed, person=person)
    if not in_turn(table, seat):
        raise Refused(Reason.FORM_OUT_OF_TURN, rules.form, seat=seat)
    if seat in table.contest.restricted:
        least = money(table.terms.notice.limits.min_cents)
        raise Refused(Reason.MINIMUM_ONLY, rules_of(table).time_over or CONDITIONS, least=least)


def examine_secret(table: Table, ask: c.ExamineSecret, _by: Actor) -> list[TableEvent]:
    """After the call and before the cards the inspector accepts a form or sends it back, with
    the reasons; sent back, it is not used up [tas-2018:16.6.7].
    """
    check_contest(table)
    rules, coup = secret_rules(table), live(table)
    form = coup.forms.get(ask.person)
    if form is None or form.verdict:
        raise Refused(Reason.NO_FORM_TO_EXAMINE, rules.examined, person=ask.person)
    if not coup.called:
        raise Refused(Reason.EXAMINED_AFTER_CALL, rules.examined)
    if (ask.verdict == "sent-back") != bool(ask.reasons):
        raise Refused(Reason.VERDICT_WANTS_REASONS, rules.examined)
    found = events.SecretExamined(ask.person, ask.verdict, ask.reasons, clauses=(rules.examined,))
    return [found]


def announce_secrets(table: Table, ask: c.AnnounceSecrets, _by: Actor) -> list[TableEvent]:
    """In the last coup of the final, when everyone has handed in a form: each is told after the
    call, and its chips are laid [tas-2018:16.6.11(a), 16.6.11(b)].
    """
    check_announced_first(table)
    rules = secret_rules(table)
    cited = tuple(dict.fromkeys((rules.last_coup, rules.last_announced, rules.last_laid)))
    return [*announced(table, ask.forms, cited)]


def check_announced_first(table: Table) -> None:
    """Refuse to tell forms that are told with the result, or have been told."""
    check_contest(table)
    rules = secret_rules(table)
    if not announced_first(table):
        raise Refused(Reason.TOLD_WITH_THE_RESULT, rules.last_coup or rules.announced)
    if not unopened(table):
        raise Refused(Reason.SECRETS_ANNOUNCED, rules.last_coup or rules.announced)


def veiled(table: Table) -> Table:
    """The table as if no form were still to be opened, for what is foreseen of a result."""
    coup = table.coup
    if coup is None or not coup.forms:
        return table
    told = {person: form for person, form in coup.forms.items() if form.announced}
    return replace(table, coup=replace(coup, forms=told))


def announced(
    table: Table, forms: tuple[c.OpenedForm, ...], clauses: tuple[str, ...] = ()
) -> list[events.SecretAnnounced]:
    """Every form that was not told yet is read out, and deemed what the rules make of it
    [tas-2018:16.6.8, 16.6.10(lead)].
    """
    cited = clauses or (secret_rules(table).announced,)
    due, opened = unopened(table), {form.person: form for form in forms}
    if len(opened) != len(forms) or opened.keys() != due.keys():
        raise Refused(Reason.FORMS_NOT_OPENED, cited[0], people=", ".join(due) or "nobody")
    return [_read_out(table, person, due[person], opened[person], cited) for person in due]


def _read_out(
    table: Table, person: str, lodged: Lodged, opened: c.OpenedForm, cited: tuple[str, ...]
) -> events.SecretAnnounced:
    form, at = _form(opened, lodged, cited[0]), position(table, person)
    deemed = deem(form, at, secret_rules(table))
    cents, bet = max(0, deemed.amount_cents), form.bet
    wager = None
    if cents and bet is not None:
        wager = Wager(lodged.seat, bet, cents, person, reduced=cents < (form.cents or 0))
    return events.SecretAnnounced(
        live(table).number,
        person,
        form.figures,
        form.words,
        form.on,
        wager,
        examine(form, at),
        deemed.taken_cents,
        clauses=tuple(dict.fromkeys((*cited, *deemed.clauses))),
    )


def _form(opened: c.OpenedForm, lodged: Lodged, clause: str) -> SecretForm:
    """The form behind a commitment; nothing else will do."""
    content = opened.content.encode()
    try:
        if commit(bytes.fromhex(opened.salt), content) == lodged.commitment:
            return read_content(content)
    except MalformedError:
        pass
    raise Refused(Reason.FORM_NOT_AS_LODGED, clause, person=opened.person)


def deductions(table: Table) -> list[TableEvent]:
    """Once everything is settled: the minimum for a form that did not show its wager, as far as
    there are chips [tas-2018:16.6.10(d)].
    """
    coup, clause = live(table), secret_rules(table).not_shown
    return [
        events.SecretDeducted(coup.number, person, cents, clauses=(clause,))
        for person, form in coup.forms.items()
        if (cents := min(form.due_cents, max(0, table.chips.get(person, 0))))
    ]


def lapsed(
    table: Table, number: int, clauses: tuple[str, ...], person: str = ""
) -> list[TableEvent]:
    """The forms of a coup count no more: everyone's, or one player's. What was not announced
    stays unknown [tas-2018:16.6.8].
    """
    used = table.contest.secrets_used.get(number, {})
    coup = table.coup
    lie = coup.forms if coup is not None and coup.number == number else {}
    return [
        events.SecretLapsed(number, who, used.get(who, 0), clauses=clauses)
        for who in dict.fromkeys((*lie, *used))
        if person in ("", who)
    ]


def inspect_form(table: Table, ask: c.InspectForm, by: Actor) -> list[TableEvent]:
    """Until the next first card a player may look at the form of another [tas-2018:16.6.9]."""
    check_contest(table)
    clause, person = secret_rules(table).inspected, subject(ask, by)
    if person not in table.places:
        raise Refused(Reason.NOT_AT_TABLE, CONDITIONS, person=person)
    if ask.whose not in on_show(table):
        raise Refused(Reason.NO_FORM_TO_SHOW, clause, person=ask.whose)
    return [events.FormInspected(person, ask.whose, clauses=(clause,))]


DECIDE: Decides = {
    c.LodgeSecret: lodge_secret,
    c.ExamineSecret: examine_secret,
    c.AnnounceSecrets: announce_secrets,
    c.InspectForm: inspect_form,
}
