"""The result, every payout, and the end of the coup."""

from collections.abc import Iterable
from functools import reduce

from puntobanco.errors import Reason, Refused
from puntobanco.rules.announce import natural_clause, next_card_clause
from puntobanco.rules.coup import Coup
from puntobanco.rules.irregularities import Found, Ruling, rule_on
from puntobanco.rules.notice import PAIR_BETS
from puntobanco.rules.settle import Line, settle, settle_pairs, settle_void
from puntobanco.rules.wagers import Taken, Wager, take
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.decide.competition import secrets, session
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.queries.coup import abstentions, at_close, live
from puntobanco.table.queries.face_down import rule_of
from puntobanco.table.state import Table


def taken(table: Table, wagers: Iterable[Wager]) -> tuple[Taken, ...]:
    """Wagers as the dealer takes them: limits, warnings before this coup, agreed limits."""
    coup, held = live(table), at_close(table, live(table).number)
    warned = coup.warned if coup.takes_wagers else held.warned
    return take(wagers, table.terms, warned, held.individual)


def settled(number: int, lines: Iterable[Line]) -> list[TableEvent]:
    return [
        events.WagerSettled(
            number,
            line.wager,
            line.outcome,
            line.stake_cents,
            line.returned_cents,
            line.won_cents,
            line.odds,
            line.breakage,
            line.warn,
            clauses=line.clauses,
        )
        for line in lines
    ]


def settle_pairs_now(table: Table, hands: Coup) -> list[TableEvent]:
    """Pairs, by the first two cards of each hand, before any third card [act-2015:9.9]."""
    coup = live(table)
    pairs = [wager for wager in coup.wagers if wager.on in PAIR_BETS]
    lines = settle_pairs(hands, taken(table, pairs), table.terms)
    return settled(coup.number, lines)


def return_wagers(table: Table, clauses: tuple[str, ...], person: str = "") -> list[TableEvent]:
    """Give wagers on the layout back as void: everyone's, or one player's."""
    coup = live(table)
    wagers = [wager for wager in coup.wagers if person in ("", wager.by)]
    lines = settle_void(taken(table, wagers), clauses, table.terms).lines
    return settled(coup.number, lines)


def ruled(ruling: Ruling, note: str = "") -> events.IrregularityRuled:
    return events.IrregularityRuled(
        ruling.found,
        ruling.verdict,
        ruling.next_coup,
        ruling.next_clause or (ruling.clauses[-1] if ruling.clauses else ""),
        ruling.carried,
        ruling.discarded,
        note,
        clauses=ruling.clauses,
    )


def declare_result(table: Table, ask: c.DeclareResult, _by: Actor) -> list[TableEvent]:
    """Announce the result and settle every wager [tas-2018:10.2, 15.7, act-2015:8, mbs-2017:4.1].

    Cards out of order are put right by the sequence first [tas-2018:14.1-14.3,
    act-2015:12.1-12.4, mbs-2017:5.2]. Secret wagers are told now, and settled apart from chips
    [tas-2018:16.6.8].
    """
    coup, terms = live(table), table.terms
    hands = coup.hands(terms)
    if coup.carried:
        raise Refused(Reason.CARRIED_FIRST, coup.carried_clause)
    if hands.owed is not None:
        clause, owed = next_card_clause(hands, terms.rules), hands.owed
        raise Refused(Reason.COUP_INCOMPLETE, clause, owed=owed)
    if hands.result is None:
        raise Refused(Reason.CARDS_FACE_DOWN, rule_of(table).clause)
    assert table.shoe is not None
    out: list[TableEvent] = []
    if hands.misplaced or hands.excess:
        out.append(ruled(rule_on(Found.CARDS_OUT_OF_ORDER, hands, table.shoe, terms, coup.last)))
    natural = natural_clause(hands, terms.rules)
    cited = (terms.rules.dealing.result, *([natural] if natural else []))
    result, player, banker = hands.result, hands.player_points, hands.banker_points
    out.append(events.ResultDeclared(coup.number, result, player, banker, clauses=cited))
    lines = settle(hands, taken(table, coup.wagers), terms).lines
    out += settled(coup.number, lines)
    for told in secrets.announced(table, ask.forms):
        secret = settle(hands, taken(table, [told.wager] if told.wager else []), terms).lines
        out += [told, *settled(coup.number, secret)]
        lines += secret
    if coup.forms:
        out += secrets.deductions(reduce(evolve, out, table))
    return [*out, *warnings(table, (*coup.lines, *lines))]


def warnings(table: Table, lines: Iterable[Line]) -> list[TableEvent]:
    """Tell owners below the minimum, once a gaming day [tas-2018:7.5, act-2015:3.4]."""
    clause = table.terms.rules.limits.under_minimum_warning
    told = dict.fromkeys(line.wager.by for line in lines if line.warn)
    return [
        events.WarningGiven(person, clauses=(clause,))
        for person in told
        if person not in table.warned
    ]


def warnings_withdrawn(
    table: Table, number: int, before: Iterable[Line], after: Iterable[Line]
) -> list[TableEvent]:
    """Take back what owners were told by a coup alone that no longer tells them, as a void coup
    tells nobody [tas-2018:7.5, act-2015:3.4]; nothing once the gaming day is over.
    """
    held, clause = at_close(table, number), table.terms.rules.limits.under_minimum_warning
    others = [line for past in table.coups if past.number != number for line in past.lines]
    if table.coup is not None and table.coup.number != number:
        others += table.coup.lines
    still = {line.wager.by for line in (*after, *others) if line.warn} | held.warned
    told = dict.fromkeys(line.wager.by for line in before if line.warn)
    if held.gaming_day != table.gaming_day:
        return []
    return [
        events.WarningWithdrawn(person, clauses=(clause,))
        for person in told
        if person in table.warned - still
    ]


def end_coup(table: Table, _ask: c.EndCoup, _by: Actor) -> list[TableEvent]:
    """The cards go to the discard rack, and the round is over [act-2015:d.round-of-play]."""
    coup, rules = live(table), table.terms.rules
    over = rules.dealing.round_of_play if rules.dealing.round_ends == "cleared" else ""
    cited = [over] if over else []
    following = coup.following
    cited += [clause for clause in (following.clause, coup.left_over.clause) if clause]
    ended = events.CoupEnded(
        coup.number, following.next_kind, following.cards, clauses=tuple(dict.fromkeys(cited))
    )
    return [ended, *_vacate_advice(table), *session.after_coup(table, ended)]


def _vacate_advice(table: Table) -> list[TableEvent]:
    """Tell the casino supervisor of seats that may have to be given up [act-2015:14.6]."""
    rule = table.terms.rules.people.abstention
    if rule is None:
        return []
    counts = abstentions(table, live(table))
    return [
        events.VacateAdvised(person, seat, counts[person], clauses=(rule.clause,))
        for seat, person in table.seated.items()
        if counts.get(person) == rule.rounds != table.abstained.get(person)
    ]


DECIDE: Decides = {c.DeclareResult: declare_result, c.EndCoup: end_coup}
