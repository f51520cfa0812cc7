"""When something goes wrong: what the rule says, and who must confirm it."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Coup
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.irregularities import Found, NextCoup, Ruling, Verdict, rule_on
from puntobanco.rules.shoe import Last
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.authority import DIRECTOR, OVERSEER, acting, counting_roles
from puntobanco.table.decide.competition.secrets import lapsed
from puntobanco.table.decide.corrections.count import counted_anew
from puntobanco.table.decide.corrections.earlier import check_at_hand, record_of
from puntobanco.table.decide.corrections.next_coup import voided
from puntobanco.table.decide.settling import return_wagers, ruled
from puntobanco.table.decide.voiding import void
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.coup import live
from puntobanco.table.state import Phase, Table

MOST_IN_A_COUP = 6
FINDS = OVERSEER | DIRECTOR
"""Whose finding it is that voids a coup."""


def report_irregularity(table: Table, ask: c.ReportIrregularity, by: Actor) -> list[TableEvent]:
    """Report what was found; the rule's answer follows at once.

    A finding that voids the coup is the inspector's to make [tas-2018:14.6]: a dealer's report
    stops play until it is confirmed.
    """
    _check_moment(table, ask.found)
    _check_possible(table, ask.found)
    if ask.found is Found.BURN_FORGOTTEN:
        return _burn_forgotten(table, ask, by)
    if table.coup is None:
        return _between_coups(table, ask, by)
    if _is_late(table, ask.found):
        return [_too_late(table, ask)]
    ruling = _ruling(table, ask.found)
    # bets already lie, and nobody may bet into a card that was seen
    barred = table.phase is Phase.BETTING and ruling.next_coup is not NextCoup.ORDINARY
    if ruling.verdict is Verdict.STANDS and not barred:
        return [ruled(ruling, ask.note)]
    may_find = _finds(table, ask, by)
    if ruling.verdict is Verdict.RULING or not may_find:
        said = Verdict.RULING if ruling.verdict is Verdict.RULING else Verdict.VOID
        awaited = events.RulingAwaited(ask.found, said, ask.note, by.person, clauses=ruling.clauses)
        return [awaited]
    return [_ruled_void(ruling, ask.note), *void(table, ask.found, ruling.clauses, ask.note)]


def _check_moment(table: Table, found: Found) -> None:
    """A wrong number of cards is noticed in time until the next game is called: after the table
    closed, too, while its record is at hand [mbs-2017:5.2]. Nothing else is of a closed table.
    """
    last = found is Found.WRONG_NUMBER and table.coup is None and table.notice is not None
    if last and _begins_by_call(table):
        clause = table.terms.rules.irregularities.wrong_number.clause
        check_at_hand(table, table.coup_number, clause)
    elif not table.is_open:
        open_now = ", ".join(sorted(frozenset(Phase) - {Phase.SHUT, Phase.HELD, Phase.OVER}))
        phase, name = table.phase, "report-irregularity"
        raise Refused(Reason.WRONG_MOMENT, CONDITIONS, command=name, phase=phase, phases=open_now)


def _is_late(table: Table, found: Found) -> bool:
    """Is it of a round that is over by its rule? A wrong number where nothing was dealt yet is of
    the game before [mbs-2017:5.2].
    """
    if found is Found.WRONG_NUMBER:
        return not live(table).drawn and _begins_by_call(table)
    return table.phase is Phase.SETTLED and table.terms.rules.dealing.round_ends == "settled"


def _finds(table: Table, ask: c.ReportIrregularity, by: Actor) -> bool:
    """Is it an inspector's finding: made by one, or proposed by one and approved by another?"""
    proposers = {proposal.person for proposal in table.proposals.values() if proposal.ask == ask}
    return bool(acting(table, by) & FINDS or proposers - {by.person})


def _ruled_void(ruling: Ruling, note: str) -> events.IrregularityRuled:
    """What the rule says, and that this coup is void, though the card itself would void none:
    bets lay when it was seen [tas-2018:14.4].
    """
    return ruled(replace(ruling, verdict=Verdict.VOID), note)


def _check_possible(table: Table, found: Found) -> None:
    """Refuse what cannot be so, or is said in another way."""
    rules = table.terms.rules.irregularities
    if found is Found.FOUND_LATE:
        raise Refused(Reason.EARLIER_COUP, rules.found_after_next_began.clause)
    if found is Found.CARDS_OUT_OF_ORDER:
        raise Refused(Reason.SAID_WITH_THE_CARD, rules.player_card_to_banker)
    if found is Found.BURN_FORGOTTEN and not _may_be_forgotten(table):
        clause = rules.burn_forgotten.clause if rules.burn_forgotten else CONDITIONS
        raise Refused(Reason.BURN_IS_DONE, clause)
    if found is Found.FACE_UP_IN_SHOE and table.shoe is None:
        raise Refused(Reason.NO_SHOE, rules.face_up_in_shoe.clause)
    if found is Found.INSUFFICIENT_CARDS and not _may_run_out(table):
        raise Refused(Reason.CARDS_SUFFICE, rules.insufficient_cards.clause)


def _may_be_forgotten(table: Table) -> bool:
    """Is a burn still owed; or was one keyed that, as is noticed in a round or later, nobody made
    [act-2015:12.7]?
    """
    if table.shoe is None or not table.terms.notice.burn or table.pack.burn_forgotten:
        return False
    return bool(table.burn_due or table.coup or table.coups)


def _burn_forgotten(table: Table, ask: c.ReportIrregularity, by: Actor) -> list[TableEvent]:
    """The round goes on; what was keyed as burned and never was is in the shoe."""
    assert table.shoe is not None
    _check_overseer(table, ask, by)
    ruling = rule_on(ask.found, Coup(), table.shoe, table.terms, Last.NO)
    if not table.pack.burned or table.burn_due:
        return [ruled(ruling, ask.note)]
    not_made = events.BurnCorrected(0, None, ask.note, clauses=ruling.clauses)
    return [not_made, *counted_anew(table, not_made), ruled(ruling, ask.note)]


def _may_run_out(table: Table) -> bool:
    """Is a coup unfinished near the end of the shoe? Where the marker was not counted in, only
    the people at the table can know. While the count has cards enough, it takes two of them.
    """
    coup, shoe = table.coup, table.shoe
    if coup is None or shoe is None or not coup.locked or coup.hands(table.terms).is_complete:
        return False
    uncounted = shoe.behind_marker is None and shoe.since_marker is None
    return uncounted or shoe.marker_shows or shoe.left < MOST_IN_A_COUP


def _ruling(table: Table, found: Found) -> Ruling:
    coup = live(table)
    assert table.shoe is not None
    is_void = coup.verdict is Verdict.VOID
    if found is Found.FACE_UP_IN_SHOE and coup.locked and not coup.drawn and not is_void:
        rules = table.terms.rules  # nobody can bet any more: the card is used like any other
        used = rules.irregularities.face_up_used or rules.table_of_play.initial[0]
        return Ruling(found, Verdict.STANDS, Coup(), clauses=(used,))
    # the cards of a void coup are in no coup, and none is owed
    hands = Coup() if is_void else coup.hands(table.terms)
    ruling = rule_on(found, hands, table.shoe, table.terms, coup.last)
    if found is Found.SHOE_DISTURBED:  # on paper the cards are as they came; here they are to come
        ruling = replace(ruling, next_coup=NextCoup.NONE)
    return ruling


def _between_coups(table: Table, ask: c.ReportIrregularity, by: Actor) -> list[TableEvent]:
    """No coup is in play to be void: earlier results stand; a card face up in the shoe has its
    own rule [tas-2018:14.4, mbs-2017:5.1.2]. A wrong number of cards in the last coup is still
    noticed in time [mbs-2017:5.2].
    """
    policy = table.terms.rules.irregularities.wrong_number
    last = table.coups[-1].number if table.coups else max(table.past, default=0)
    in_time = last == table.coup_number > 0
    if ask.found is Found.WRONG_NUMBER and _begins_by_call(table) and in_time:
        return _last_coup_void(table, ask, policy.clause, by)
    if ask.found is not Found.FACE_UP_IN_SHOE:
        return [_too_late(table, ask)]
    assert table.shoe is not None
    ruling = rule_on(ask.found, Coup(), table.shoe, table.terms, Last.NO)
    if ruling.verdict is Verdict.RULING:  # no document lets anyone bet into a card that was seen
        ruling = replace(ruling, next_coup=NextCoup.NON_BETTING)
    return [ruled(ruling, ask.note)]


def _begins_by_call(table: Table) -> bool:
    """Does the next game begin with the call for bets [mbs-2017:3.1, 5.2]?"""
    return table.terms.rules.irregularities.next_begins == "place-your-bets"


def _last_coup_void(
    table: Table, ask: c.ReportIrregularity, clause: str, by: Actor
) -> list[TableEvent]:
    record = record_of(table, table.coup_number, ask.older)
    if record.verdict is Verdict.VOID:
        raise Refused(Reason.COUP_IS_VOID, clause, coup=record.number)
    _check_overseer(table, ask, by)
    found = events.IrregularityRuled(ask.found, Verdict.VOID, note=ask.note, clauses=(clause,))
    return [found, *voided(table, record, (clause,), ask.note, table.terms_under(record.notice))]


def _check_overseer(table: Table, ask: c.ReportIrregularity, by: Actor) -> None:
    """What cannot be held until it is confirmed is an inspector's to report."""
    if not _finds(table, ask, by):
        allowed = ", ".join(sorted(counting_roles(table, OVERSEER | DIRECTOR)))
        command = "report-irregularity"
        raise Refused(Reason.NOT_YOUR_ROLE, CONDITIONS, command=command, allowed=allowed)


def _too_late(table: Table, ask: c.ReportIrregularity) -> TableEvent:
    rules = table.terms.rules.irregularities
    policy = rules.found_after_next_began
    clause = policy.clause if policy.verdict == "stands" else CONDITIONS
    if ask.found is Found.FOREIGN_CARD and rules.foreign_card_earlier:
        clause = rules.foreign_card_earlier
    if ask.found is Found.SHOE_DISTURBED:
        return _no_more_of_it(Verdict.STANDS, (rules.shoe_disturbed.clause,), ask.note)
    return events.IrregularityRuled(ask.found, Verdict.STANDS, note=ask.note, clauses=(clause,))


def confirm_finding(table: Table, ask: c.ConfirmFinding, by: Actor) -> list[TableEvent]:
    """The inspector makes the finding his own, or not."""
    coup = live(table)
    if coup.found is None or coup.found_verdict is not Verdict.VOID:
        raise Refused(Reason.RULING_NEEDED, coup.found_clauses[0])
    if by.person == coup.found_by:
        raise Refused(Reason.SAME_PERSON, coup.found_clauses[0], person=by.person)
    if not ask.upheld:
        return [events.RulingGiven(Verdict.STANDS, ask.note, clauses=coup.found_clauses)]
    ruling = _ruling(table, coup.found)
    return [
        events.RulingGiven(Verdict.VOID, ask.note, clauses=coup.found_clauses),
        _ruled_void(ruling, ask.note),
        *void(table, coup.found, ruling.clauses, ask.note),
    ]


def rule_on_finding(table: Table, ask: c.RuleOn, _by: Actor) -> list[TableEvent]:
    """A person rules where the document leaves it to one [act-2015:14.3, tas-2013:3]."""
    coup = live(table)
    if coup.found is None or coup.found_verdict is not Verdict.RULING:
        raise Refused(Reason.NOTHING_TO_RULE_ON, coup.found_clauses[0])
    verdict, clauses = Verdict(ask.verdict), coup.found_clauses
    given = events.RulingGiven(verdict, ask.note, clauses=clauses)
    if verdict is Verdict.STANDS:
        return [given, *_bars(coup.found, verdict, clauses), *_not_dealt(table, clauses)]
    barred = _bars(coup.found, verdict, clauses) if coup.found is Found.SHOE_DISTURBED else []
    return [given, *barred, *void(table, coup.found, clauses, ask.note)]


def _not_dealt(table: Table, clauses: tuple[str, ...]) -> list[TableEvent]:
    """A coup without a card, which a disturbed shoe was to be dealt for: it is not, and what lies
    on it goes back [act-2015:14.3, tas-2013:3].
    """
    coup = live(table)
    if coup.found is not Found.SHOE_DISTURBED or coup.drawn or coup.verdict is not None:
        return []
    return [
        *return_wagers(table, clauses),
        *lapsed(table, coup.number, clauses),
        events.CoupNotDealt(
            coup.number, NextCoup.NONE, coup.carried, disturbed=True, clauses=clauses
        ),
    ]


def _bars(found: Found, verdict: Verdict, clauses: tuple[str, ...]) -> list[TableEvent]:
    """What was found bars more than this coup, however this coup is ruled on."""
    if found is Found.SHOE_DISTURBED:
        return [_no_more_of_it(verdict, clauses)]
    return [_nobody_bets(found, clauses)] if found is Found.FACE_UP_IN_SHOE else []


def _no_more_of_it(verdict: Verdict, clauses: tuple[str, ...], note: str = "") -> TableEvent:
    """Nothing more is dealt from a shoe whose order was disturbed [tas-2018:14.6, mbs-2017:5.4]."""
    found, then = Found.SHOE_DISTURBED, NextCoup.NONE
    return events.IrregularityRuled(found, verdict, then, clauses[0], note=note, clauses=clauses)


def _nobody_bets(found: Found, clauses: tuple[str, ...]) -> TableEvent:
    """Nobody bets into a card that was seen, however this coup is ruled on."""
    kind = NextCoup.NON_BETTING
    return events.IrregularityRuled(found, Verdict.STANDS, kind, clauses[0], clauses=clauses)


DECIDE: Decides = {
    c.ReportIrregularity: report_irregularity,
    c.ConfirmFinding: confirm_finding,
    c.RuleOn: rule_on_finding,
}
