"""Opening and closing the table, and who is on duty at it."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS, RULESETS, Bet, Ruleset
from puntobanco.rules.documents.texts import by_digest, load_ruleset
from puntobanco.rules.notice import Limits, Terms, post
from puntobanco.rules.settle import check_payouts
from puntobanco.rules.shoe import longest_repeat
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import ON_DUTY, Actor, Role
from puntobanco.table.authority import plays, subject
from puntobanco.table.competition_terms import Conditions
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.clocks import closing_clauses
from puntobanco.table.queries.people import staff_missing
from puntobanco.table.queries.shoe import opening_is_due, skips_a_coup
from puntobanco.table.state import Life, Opened, Table
from puntobanco.words import money


def open_table(table: Table, ask: c.OpenTable, by: Actor) -> list[TableEvent]:
    """Open under a notice its rule set allows, with everything on record that must be.

    The rule set's identity and date of effect [tas-2018:0.front, act-2015:ni.1, ni.2, ni.3, ni.4,
    mbs-2017:0.front], the layout [tas-2018:1], approvals [act-2015:1.1, 9.2, d.shoe], the
    backs of the cards [mbs-2017:2.1].
    """
    if table.pack.check_due:
        raise Refused(Reason.CLOSING_CHECK_DUE, table.terms.rules.cards.check_at_end)
    terms = post(ask.notice, _text_asked_for(ask))
    check_payouts(terms)
    rules = terms.rules
    _check_leftover(terms)
    if ask.digest:  # a house names the text it keeps; on paper and in training none is named
        _check_session(ask, rules)
    if ask.conditions is not None:
        _check_conditions(table, ask.conditions, terms)
        _check_raised(ask, ask.conditions, terms)
    if ask.play_cents:
        _check_play(table, ask, terms)
    document = rules.document
    effective = document.effective if document.dated else ask.effective
    if not effective:
        raise Refused(Reason.EFFECTIVE_DATE_MISSING, document.effective_clause)
    if rules.shoe.container.approved and not ask.shoe_approval.strip():
        clause = rules.shoe.container.clause
        raise Refused(Reason.APPROVAL_MISSING, clause, what="shoe", key="shoe_approval")
    if rules.cards.backs and not ask.backs.strip():
        raise Refused(Reason.BACKS_MISSING, rules.cards.backs.clause)
    opened = Opened(
        document.reference,
        rules.digest,
        effective,
        document.replaces,
        ask.shoe,
        ask.shoe_approval,
        ask.machines,
        ask.backs,
        ask.hours,
    )
    event = events.TableOpened(
        ask.notice,
        ask.gaming_day,
        opened,
        ask.conditions,
        by.person,
        ask.utc_minutes,
        document.fingerprint,
        ask.session,
        ask.play_cents,
        clauses=(*_recorded(terms), *([rules.table.hours] if ask.hours else [])),
    )
    return [*never_opened(table), event]


def _text_asked_for(ask: c.OpenTable) -> Ruleset | None:
    """The text the table is to be played by; None: this program's own."""
    if not ask.digest:
        return None
    rules = by_digest(ask.digest)
    if rules is None or rules.id != ask.notice.ruleset:
        ruleset, digest = ask.notice.ruleset[:40], ask.digest[:12]
        raise Refused(Reason.TEXT_UNKNOWN, CONDITIONS, ruleset=ruleset, digest=digest)
    return rules


def _check_leftover(terms: Terms) -> None:
    """Where the document leaves it to the conditions what becomes of a card left over, a live
    table's say it [mbs-2017:5.2].
    """
    left = next((e for e in terms.rules.irregularities.excess if e.next == "by-conditions"), None)
    if left is not None and not terms.notice.leftover:
        raise Refused(Reason.LEFTOVER_MISSING, left.clause, allowed="discard, first-of-next")


def _check_session(ask: c.OpenTable, rules: Ruleset) -> None:
    """Under a tournament's document a table of a house is opened for a competition alone, whatever
    older text of it is asked for [mbs-2017:0.front]; and for a competition only with a session of
    it, conditions and session together [tas-2018:16.1-session, act-2015:d.session].
    """
    texts = (rules, *(load_ruleset(name) for name in RULESETS if name == rules.id))
    only = next((text.competition.only for text in texts if text.competition.only), "")
    if only and ask.conditions is None:
        raise Refused(Reason.COMPETITION_ONLY, only)
    if (ask.conditions is None) != (ask.session is None):
        clause = rules.competition.session.clause or CONDITIONS
        raise Refused(Reason.SESSION_WITH_CONDITIONS, clause)


def _check_conditions(table: Table, conditions: Conditions, terms: Terms) -> None:
    """Refuse conditions the rule set does not allow, or while chips of another kind are held."""
    rules = terms.rules.competition
    if conditions.chips == "cash" and not rules.cash_chips:
        raise Refused(Reason.CHIPS_NOT_ALLOWED, rules.chips)
    if any(table.chips.values()):
        held = ", ".join(person for person, cents in table.chips.items() if cents)
        raise Refused(Reason.STILL_HAS_CHIPS, rules.allotment, person=held)


def _check_play(table: Table, ask: c.OpenTable, terms: Terms) -> None:
    """Play chips are enough for a wager and can be counted out; they are not a competition's, and
    nobody holds others here.
    """
    if ask.conditions is not None:
        raise Refused(Reason.PLAY_IS_NO_COMPETITION, terms.rules.competition.chips or CONDITIONS)
    least, chip = terms.notice.limits.min_cents, terms.notice.chip_cents
    if ask.play_cents < least or ask.play_cents % chip:
        facts = {"least": money(least), "chip": money(chip)}
        raise Refused(Reason.PLAY_CHIPS_AMISS, CONDITIONS, **facts)
    if any(table.chips.values()):
        held = ", ".join(person for person, cents in table.chips.items() if cents)
        raise Refused(Reason.STILL_HAS_CHIPS, CONDITIONS, person=held)


def _check_raised(ask: c.OpenTable, conditions: Conditions, terms: Terms) -> None:
    """Limits that are announced to hold later only rise, those of Tie too [tas-2018:16.5.3]."""
    notice, tie = terms.notice, ask.session.raised_tie if ask.session else None
    pairs = [(notice.limits, conditions.raised_limits), (terms.limits[Bet.TIE], tie)]
    for now, then in pairs:
        if then and not _is_rise(now, then):
            clause = terms.rules.competition.limits_rise or CONDITIONS
            raise Refused(Reason.LIMITS_MUST_RISE, clause)
    if conditions.raised_limits is not None:
        raised = replace(
            notice, limits=conditions.raised_limits, tie_limits=tie or notice.tie_limits
        )
        check_payouts(post(raised, terms.rules))


def _is_rise(now: Limits, then: Limits) -> bool:
    before, after = (now.min_cents, now.max_cents), (then.min_cents, then.max_cents)
    return before != after and before[0] <= after[0] and before[1] <= after[1]


def _recorded(terms: Terms) -> tuple[str, ...]:
    """The clauses for whose sake the opening is on record as it is."""
    rules = terms.rules
    document, table = rules.document, rules.table
    layout = [drawing.clause for drawing in table.layouts if drawing.name == terms.notice.layout]
    wanted = (table.table_approval, table.pairs_approval)
    approvals = [approval.clause for approval in wanted if approval]
    cited = (
        document.clause,
        document.effective_clause,
        document.replaces_clause,
        document.approval_clause,
        *layout,
        *approvals,
        rules.settlement.method_clause,
        rules.settlement.pairs_clause if terms.pairs else "",
        rules.shoe.container.clause,
        rules.cards.backs.clause if rules.cards.backs else "",
        *_collective(terms),
        table.operator,
        table.approved,
    )
    return tuple(dict.fromkeys(clause for clause in cited if clause and clause != CONDITIONS))


def _collective(terms: Terms) -> tuple[str, ...]:
    notice, rules = terms.notice, terms.rules.limits
    shown = (
        rules.collective_liability if notice.collective_liability_cents else None,
        rules.table_differential if notice.table_differential_cents else None,
    )
    return tuple(limit.clause for limit in shown if limit)


def never_opened(table: Table) -> list[TableEvent]:
    """A commitment whose shoe is over and that nobody opened: that is on record too."""
    if not opening_is_due(table):
        return []
    return [events.CommitmentOpened((), "", agrees=False, fault="never opened")]


def begin_gaming_day(_table: Table, ask: c.BeginGamingDay, _by: Actor) -> list[TableEvent]:
    return [events.GamingDayBegan(ask.gaming_day)]


def give_closing_notice(table: Table, ask: c.GiveClosingNotice, by: Actor) -> list[TableEvent]:
    rule = table.terms.rules.table.early_closing
    if rule and ask.closing_ms <= by.at_ms:
        raise Refused(Reason.NO_NOTICE, rule.clause)
    clauses = closing_clauses(table)
    return [events.ClosingNoticeGiven(ask.closing_ms, ask.note, table.utc_minutes, clauses=clauses)]


def close_table(table: Table, ask: c.CloseTable, by: Actor) -> list[TableEvent]:
    """Close between two coups, after the notice that the rules want [act-2015:13.2]; a session
    that is over, or was never begun here, leaves nobody to give it to. Instead of the coup that is
    ordered without bets only with a reason [tas-2018:14.1, act-2015:12.2].
    """
    contest = table.contest
    if contest.drawn and not contest.over:
        clause = table.terms.rules.competition.allotment
        raise Refused(Reason.SESSION_HAS_BEGUN, clause)
    nobody_plays = contest.over or (table.session is not None and not contest.allotted)
    rule = None if nobody_plays else table.terms.rules.table.early_closing
    if rule and (table.closing_ms is None or by.at_ms < table.closing_ms):
        raise Refused(Reason.CLOSING_NOTICE_MISSING, rule.clause)
    if skips_a_coup(table, ask) and not ask.note.strip():
        raise Refused(Reason.SHOE_GOES_ON, table.next_clause)
    ended: list[TableEvent] = []
    if table.pack.life is Life.LOADED:
        ended.append(end_of_shoe(table, ask.note))
    closed = events.TableClosed(ask.note, clauses=closing_clauses(table))
    return [*ended, *_collected(table), closed]


def _collected(table: Table) -> list[TableEvent]:
    """Competition and play chips are the operator's and go back, the bank's too, so that they
    never stand in the money books; chips worth money stay their owners'.
    """
    if not table.plays_for_chips:
        return []
    won = table.bank_cents - table.money_bank_cents
    if not table.chips and not won:
        return []
    clause = CONDITIONS if table.play_cents else table.terms.rules.competition.collected
    return [events.ChipsCollected(table.chips, won, play=bool(table.play_cents), clauses=(clause,))]


def end_of_shoe(table: Table, note: str) -> events.ShoeEnded:
    """The set is retired when players have handled it [tas-2018:4.4]."""
    assert table.shoe is not None
    rule = table.terms.rules.cards.handled_replaced
    retired = table.pack.handled and rule is not None
    clauses = [table.shoe.ended] if table.shoe.ended else []
    if retired and rule is not None:
        clauses.append(rule.clause)
    repeats = longest_repeat(table.pack.last_dealt, table.dealt)
    return events.ShoeEnded(retired, note, repeats, clauses=tuple(clauses))


def sign_on(table: Table, ask: c.SignOn, by: Actor) -> list[TableEvent]:
    """One person, one duty; and nobody who plays here [tas-2018:2, 3]."""
    if ask.role not in by.roles & ON_DUTY:
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command="sign-on", allowed=ask.role)
    if any(table.roles_of(by.person)):
        raise Refused(Reason.ALREADY_SIGNED_ON, CONDITIONS, person=by.person)
    if plays(table, by.person):
        clause = table.terms.rules.table.bank
        raise Refused(Reason.BANK_IS_THE_OPERATORS, clause, person=by.person)
    event = events.StaffSignedOn(by.person, ask.role, by.at_ms, clauses=_duty(table, ask.role))
    return [event]


def sign_off(table: Table, ask: c.SignOff, by: Actor) -> list[TableEvent]:
    """Going off duty is always possible; a gap it leaves is on record [tas-2018:3].

    The house signs off a person who has lost the role, and nobody else does that for another.
    """
    person = subject(ask, by)
    role = next(table.roles_of(person), None)
    if role is None:
        raise Refused(Reason.NOT_SIGNED_ON, CONDITIONS, person=person)
    clauses = _duty(table, role)
    others = [duty for duty in table.staff if duty.role is role and duty.person != person]
    gap = table.coup is not None and bool(clauses) and not others
    return [events.StaffSignedOff(person, role, gap, clauses=clauses)]


def _duty(table: Table, role: Role) -> tuple[str, ...]:
    if table.notice is None:
        return ()
    rules = table.terms.rules
    clauses = [duty.clause for duty in rules.staff if duty.role == role]
    if table.is_contest and role is Role.DIRECTOR:
        clauses.append(rules.competition.director)
    return tuple(clauses)


def check_staff(table: Table) -> None:
    """Refuse to begin a coup before everyone is there whom the rules want."""
    for role, clause in staff_missing(table):
        raise Refused(Reason.STAFF_MISSING, clause, role=role)


DECIDE: Decides = {
    c.OpenTable: open_table,
    c.BeginGamingDay: begin_gaming_day,
    c.GiveClosingNotice: give_closing_notice,
    c.CloseTable: close_table,
    c.SignOn: sign_on,
    c.SignOff: sign_off,
}
