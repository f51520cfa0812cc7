"""What is to be done next, by whom, with the clause: what a dealer is always told
[act-2015:14.5(c)].
"""

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.rules.announce import natural_clause, next_card_clause
from puntobanco.rules.coup import Coup, Side
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.irregularities import NextCoup, Verdict
from puntobanco.table import commands as c
from puntobanco.table.actor import ON_DUTY, Role
from puntobanco.table.authority import AUTHORITY, OVERSEER, PATRON, counting_roles, second_of
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.queries.competition import betting_order, card_for_coups_due, rise_awaited
from puntobanco.table.queries.coup import live, live_proposals
from puntobanco.table.queries.face_down import exposed_by, in_line, rule_of
from puntobanco.table.queries.people import staff_missing
from puntobanco.table.queries.secrets import (
    announced_first,
    secret_rules,
    standing_forms,
    unexamined,
    unopened,
)
from puntobanco.table.queries.shoe import burn_clause, cut_clause, offers
from puntobanco.table.state import Life, LiveCoup, Phase, Table
from puntobanco.words import Step

CARD_FOR = {Side.PLAYER: Step.CARD_FOR_PLAYER, Side.BANKER: Step.CARD_FOR_BANKER}
STAFF_OF = {
    step: frozenset[Role]().union(
        *(allowed.roles - PATRON for allowed in AUTHORITY.values() if step in allowed.steps)
    )
    for step in Step
}
"""Who may give one of the commands of a step, besides patrons."""
QUIET = frozenset({Step.OPEN_TABLE, Step.SESSION_OVER})
"""Steps that nobody at the table waits for."""


class Next(Struct, frozen=True):
    """The next step; `words.STEPS` says it to those whose it is, `words.WAITING` to the others."""

    step: Step
    clause: str
    facts: dict[str, object] = {}
    roles: tuple[Role, ...] = ()
    """Whose it is among the staff, once `with_roles` has said it."""


def next_step(table: Table) -> Next:
    """The one thing to be done now."""
    if table.pack.check_due and table.shoe is None and not table.is_open:
        return _check_at_end(table)
    return BY_PHASE[table.phase](table)


def awaited_roles(table: Table, roles: Iterable[Role]) -> tuple[Role, ...]:
    """Of which roles somebody is waited for; a director only where there is a competition."""
    named = sorted(counting_roles(table, frozenset(roles)))
    if not table.is_contest:
        named = [role for role in named if role is not Role.DIRECTOR] or named
    named = [role for role in named if role is not Role.HOUSE] or named  # a program, not somebody
    return tuple(named)


def whom_to_sign_on(table: Table, step: Next) -> tuple[Role, ...]:
    """Who has to come before the step can be taken: as the step itself says, or all whose it is if
    each of them signs on first and none of them has.
    """
    if step.step in QUIET:
        return ()
    if step.step is Step.SIGN_ON:
        return (Role(str(step.facts["role"])),)
    named = awaited_roles(table, step.roles)
    there = {duty.role for duty in table.staff}
    if table.contest.directors:
        there.add(Role.DIRECTOR)
    return named if ON_DUTY.issuperset(named) and not there.intersection(named) else ()


def with_roles(table: Table, step: Next) -> Next:
    """The step and whose it is: apart, because every card that is dealt asks for the step alone."""
    return replace(step, roles=_whose(table, step))


def _whose(table: Table, step: Next) -> tuple[Role, ...]:
    """The role the document names, or all that may give a command of this step."""
    if named := step.facts.get("role"):
        return (Role(str(named)),)
    roles = STAFF_OF[step.step]
    if step.step is Step.APPROVE:
        roles = second_of(type(table.proposals[_ruling_proposed(table)].ask))
    elif step.step is Step.LOAD_SHOE and "indicator" in step.facts:
        roles = OVERSEER  # they alone have it put in [tas-2018:16.5.1]
    elif step.step is Step.RULE:
        ruling = live(table).found_verdict is Verdict.RULING
        roles = AUTHORITY[c.RuleOn if ruling else c.ConfirmFinding].roles
    return tuple(sorted(counting_roles(table, roles)))


def _ruling_proposed(table: Table) -> int:
    """The number of a proposal that would end the wait for a ruling; 0: there is none."""
    ends = (c.RuleOn, c.VoidCoup)
    return next(
        (
            number
            for number, proposal in live_proposals(table).items()
            if isinstance(proposal.ask, ends)
        ),
        0,
    )


def _named(role: str) -> dict[str, object]:
    return {"role": role} if role else {}


def _check_at_end(table: Table) -> Next:
    rules = table.terms.rules.cards
    return Next(Step.CHECK_AT_END, rules.check_at_end, _named(rules.check_by))


def _open(_table: Table) -> Next:
    return Next(Step.OPEN_TABLE, CONDITIONS)


def _rule(table: Table) -> Next:
    """A finding is confirmed, or a ruling is proposed and approved."""
    coup = live(table)
    if number := _ruling_proposed(table):
        return Next(Step.APPROVE, coup.found_clauses[0], {"proposal": number})
    return Next(Step.RULE, coup.found_clauses[0], {"found": coup.found})


def _clear(table: Table) -> Next:
    return Next(Step.CLEAR, table.terms.rules.dealing.round_of_play or CONDITIONS)


def _prepare(table: Table) -> Next:
    rules, pack = table.terms.rules, table.pack
    match pack.life:
        case Life.NONE if pack.check_due and pack.set_id in pack.retired:
            return _check_at_end(table)
        case Life.NONE:
            return Next(Step.CHECK_CARDS, rules.cards.check, _named(rules.cards.check_by))
        case Life.CHECKED:
            return Next(Step.SHUFFLE, rules.shoe.shuffle, _named(rules.shoe.shuffle_by))
        case Life.SHUFFLED:
            clause = cut_clause(table)
            if due := offers(table):
                return Next(Step.OFFER_CUT, clause, {"seat": due[0]})
            return Next(Step.STAFF_CUT, clause, {"role": rules.shoe.cut.by_staff})
        case Life.CUT | Life.LOADED:
            return _load(table)


def _load(table: Table) -> Next:
    """With the indicator card, where limits are still to rise [tas-2018:16.5.1]."""
    marker = table.terms.rules.shoe.marker
    if clause := rise_awaited(table):
        return Next(Step.LOAD_SHOE, clause, {"indicator": True})
    return Next(Step.LOAD_SHOE, marker.clause if marker else CONDITIONS)


def _between(table: Table) -> Next:
    rules, shoe = table.terms.rules, table.shoe
    assert shoe is not None
    if shoe.ended or shoe.left + len(table.carried) < rules.shoe.least_to_start.least:
        return Next(Step.END_SHOE, shoe.ended or rules.shoe.least_to_start.clause)
    if table.burn_due and rules.shoe.burn:
        return Next(Step.BURN, burn_clause(table, rules.shoe.burn), {"cards": table.burn_due})
    for role, clause in staff_missing(table):
        return Next(Step.SIGN_ON, clause, {"role": role})
    if table.is_contest and not table.contest.allotted:
        return Next(Step.ALLOT, rules.competition.allotment)
    if card_for_coups_due(table):
        return Next(Step.DRAW_FOR_COUPS, rules.competition.ends.coups_by_card or CONDITIONS)
    return _open_coup(table)


def _open_coup(table: Table) -> Next:
    rules = table.terms.rules
    if table.next_kind is NextCoup.NON_BETTING:
        return Next(Step.OPEN_WITHOUT_BETS, table.next_clause)
    if table.no_bet.directed and rules.wagers.no_bet_coups:
        return Next(Step.OPEN_WITHOUT_BETS, rules.wagers.no_bet_coups.clause)
    return Next(Step.OPEN_COUP, rules.wagers.opens)


def _in_coup(table: Table) -> Next:
    coup = live(table)
    return (None if coup.drawn else _before_the_cards(table, coup)) or _cards(table, coup)


def _before_the_cards(table: Table, coup: LiveCoup) -> Next | None:
    """Before the first card: wagers, everyone who must be there, and the call."""
    rules = table.terms.rules.wagers
    if _undealt(table, coup):
        return Next(Step.CLOSE_COUP, _wager_clause(table))
    for role, clause in staff_missing(table):
        return Next(Step.SIGN_ON, clause, {"role": role})
    if table.phase is Phase.BETTING and not coup.called:
        called = rules.close.call or (secret_rules(table).examined if coup.forms else "")
        step, clause = (Step.CALL, called) if called else (Step.TAKE_BETS, "")
        return Next(step, clause or rules.opens)
    return _forms(table, coup)


def _forms(table: Table, coup: LiveCoup) -> Next | None:
    """Forms are examined before the cards; in a final's last coup they are told, too."""
    secret = secret_rules(table)
    for person, form in unexamined(coup).items():
        return Next(Step.EXAMINE_FORM, secret.examined, {"seat": form.seat, "person": person})
    if table.is_contest and announced_first(table) and unopened(table):
        return Next(Step.TELL_FORMS, secret.last_coup or secret.announced)
    return None


def _cards(table: Table, coup: LiveCoup) -> Next:
    rules, hands = table.terms.rules, coup.hands(table.terms)
    if coup.carried:
        return Next(Step.DEAL_CARRIED, coup.carried_clause)
    if hands.owed is not None:
        return Next(CARD_FOR[hands.owed], next_card_clause(hands, rules))
    if hands.result is None:
        return _turn(table, coup, hands)
    clause = natural_clause(hands, rules) or rules.dealing.result
    facts = {
        "result": hands.result,
        "player": hands.player_points,
        "banker": hands.banker_points,
    }
    return Next(Step.DECLARE, clause, facts)


def _undealt(table: Table, coup: LiveCoup) -> bool:
    """Is there nothing to deal for: no wager, and nobody there who could still make one?"""
    if coup.wagers or standing_forms(coup) or coup.drawn or coup.kind is not CoupKind.ORDINARY:
        return False
    return coup.called or coup.locked or not _may_bet(table)


def _may_bet(table: Table) -> bool:
    return bool(betting_order(table)) if table.is_contest else bool(table.places)


def _wager_clause(table: Table) -> str:
    rules = table.terms.rules.wagers
    return rules.free_coups.clause if rules.free_coups else rules.opens


def _turn(table: Table, coup: LiveCoup, hands: Coup) -> Next:
    """Cards lie face down: Player's are turned first, then Banker's."""
    side = Side.PLAYER if None in hands.player else Side.BANKER
    rule, line = rule_of(table), in_line(table, side)
    if line and side not in coup.held_by:
        return Next(Step.PASS_CARDS, exposed_by(rule, side), {"side": side, "person": line[0]})
    return Next(Step.TURN_CARDS, rule.clause, {"side": side})


def _session_over(table: Table) -> Next:
    """The competition takes the result; nothing more is dealt."""
    return Next(Step.SESSION_OVER, table.terms.rules.competition.session.clause or CONDITIONS)


BY_PHASE: dict[Phase, Callable[[Table], Next]] = {
    Phase.SHUT: _open,
    Phase.PREPARING: _prepare,
    Phase.READY: _between,
    Phase.BETTING: _in_coup,
    Phase.DEALING: _in_coup,
    Phase.HELD: _rule,
    Phase.SETTLED: _clear,
    Phase.OVER: _session_over,
}
