"""Cards dealt face down: permission, and who turns which hand."""

from puntobanco.errors import Reason, Refused
from puntobanco.rules.coup import Side
from puntobanco.rules.documents.competition_rules import FaceDown
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor, Role
from puntobanco.table.authority import MANAGEMENT, OVERSEER, acting, counting_roles, subject
from puntobanco.table.decide.people import check_at_table
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.coup import live
from puntobanco.table.queries.face_down import BET_ON, exposed_by, in_line, rule_of
from puntobanco.table.state import Table


def ask_face_down(table: Table, ask: c.AskFaceDown, by: Actor) -> list[TableEvent]:
    """Players ask to turn the cards themselves [tas-2018:9.3]."""
    person = subject(ask, by)
    check_at_table(table, person)
    return [events.FaceDownAsked(person, clauses=(rule_of(table).clause,))]


def withdraw_face_down(table: Table, ask: c.WithdrawFaceDown, by: Actor) -> list[TableEvent]:
    """Whoever asked may take it back; a hand that is dealt face down is played so
    [tas-2018:9.3].
    """
    person, rule = subject(ask, by), rule_of(table)
    if person not in table.face_down.asked_by:
        raise Refused(Reason.REQUEST_MISSING, rule.clause)
    return [events.FaceDownWithdrawn(person, clauses=(rule.clause,))]


def lapsed_requests(table: Table) -> list[TableEvent]:
    """Requests that end as bets are locked: of whoever has no wager on the coup. The cards are
    for those who bet to turn [tas-2018:9.3, 9.3(a)].
    """
    coup, rule = live(table), rule_of(table)
    if not coup.takes_wagers:
        return []
    bet = {wager.by for wager in coup.wagers} | set(coup.forms)
    clauses = tuple(dict.fromkeys((rule.clause, rule.exposed_clause)))
    gone = sorted(table.face_down.asked_by - bet)
    return [events.FaceDownLapsed(person, clauses=clauses) for person in gone]


def squeeze_card(table: Table, ask: c.SqueezeCard, by: Actor) -> list[TableEvent]:
    """The holder looks at a card of theirs before it is turned [tas-2018:9.3]: one of the house's
    own shoe, which the house shows to nobody else. The record says that it was shown, not its face.
    """
    coup, rule = live(table), rule_of(table)
    if ask.position > len(coup.drawn):
        raise Refused(Reason.NO_SUCH_CARD, rule.clause, position=ask.position)
    side = coup.hands(table.terms).given(ask.position - 1)
    if side is None or coup.held_by.get(side) != by.person:
        raise Refused(Reason.NOT_THE_HOLDER, exposed_by(rule, side))
    if coup.drawn[ask.position - 1].card is not None:
        raise Refused(Reason.CARD_IS_NAMED, rule.clause, card=coup.drawn[ask.position - 1].card)
    if not table.pack.commitment:
        raise Refused(Reason.NOT_THE_HOUSES_SHOE, CONDITIONS)
    if ask.position in coup.shown:
        raise Refused(Reason.CARD_IS_SHOWN, rule.clause)
    return [events.CardShown(ask.position, by.person, clauses=(rule.clause,))]


def acknowledge_face_down(table: Table, ask: c.AcknowledgeFaceDown, by: Actor) -> list[TableEvent]:
    """Management and surveillance say that they have been told [tas-2018:9.3(e)]."""
    rule = rule_of(table)
    if ask.role not in rule.informed or ask.role not in acting(table, by):
        allowed = ", ".join(rule.informed) or "nobody"
        clause = rule.informed_clause or CONDITIONS
        raise Refused(
            Reason.NOT_YOUR_ROLE, clause, command="acknowledge-face-down", allowed=allowed
        )
    others = {who for role, who in table.face_down.informed.items() if role is not ask.role}
    if by.person in others:
        raise Refused(Reason.SAME_PERSON, rule.informed_clause, person=by.person)
    return [events.FaceDownAcknowledged(by.person, ask.role, clauses=(rule.informed_clause,))]


def set_face_down(table: Table, ask: c.SetFaceDown, by: Actor) -> list[TableEvent]:
    """Settle before the first card of a coup how its cards are dealt; bets may be open
    [tas-2018:9.3, 9.3(e), act-2015:2.2]; where a competition's are face down by rule, they are
    [tas-2018:16.7.1(a)].
    """
    rule, play = rule_of(table), table.face_down
    if not ask.down and table.is_contest and table.terms.rules.competition.face_down is not None:
        raise Refused(Reason.FACE_DOWN_BY_RULE, rule.clause)
    if ask.down and rule.asked_by_player and not play.asked_by:
        raise Refused(Reason.REQUEST_MISSING, rule.clause)
    if not rule.asked_by_player and not acting(table, by) & (OVERSEER | MANAGEMENT):
        allowed = ", ".join(sorted(counting_roles(table, OVERSEER | MANAGEMENT)))
        raise Refused(Reason.NOT_YOUR_ROLE, rule.clause, command="set-face-down", allowed=allowed)
    missing = [role for role in rule.informed if Role(role) not in play.informed]
    if ask.down and missing:
        raise Refused(Reason.NOT_INFORMED, rule.informed_clause, missing=", ".join(missing))
    clauses = (rule.clause, rule.informed_clause) if rule.informed_clause else (rule.clause,)
    return [events.FaceDownSet(ask.down, clauses=clauses)]


def name_exposer(table: Table, ask: c.NameExposer, _by: Actor) -> list[TableEvent]:
    """The casino supervisor says who turns a hand; a wager gives no right to it [act-2015:6.3]."""
    rule = rule_of(table)
    if rule.exposed_by != "as-named":
        raise Refused(Reason.HOLDER_BY_RULE, rule.exposed_clause)
    if not live(table).face_down:
        raise Refused(Reason.DEALT_FACE_UP, rule.clause)
    if ask.person:
        check_at_table(table, ask.person)
    return [events.ExposerNamed(ask.side, ask.person, clauses=(rule.exposed_clause,))]


def pass_cards(table: Table, ask: c.PassCards, _by: Actor) -> list[TableEvent]:
    """Pass a hand's face-down cards to the player whose they are to turn."""
    coup, rule = live(table), rule_of(table)
    hands = coup.hands(table.terms)
    hand = hands.player if ask.side is Side.PLAYER else hands.banker
    if len(coup.drawn) < 4 or None not in hand:
        raise Refused(Reason.NOTHING_FACE_DOWN, rule.clause, side=ask.side)
    line = in_line(table, ask.side)
    if not line and not ask.to:
        refused = any(side is ask.side for side, _ in coup.refused)
        unbacked = rule.unbacked_clause or exposed_by(rule, ask.side)
        clause = rule.refused_clause if refused else unbacked
        raise Refused(Reason.DEALER_TURNS, clause or CONDITIONS, side=ask.side)
    to = ask.to or line[0]
    if to not in table.places:
        raise Refused(Reason.NOT_THE_HOLDER, exposed_by(rule, ask.side))
    both, one_set = to in coup.held_by.values(), rule.one_set_clause or CONDITIONS
    if both and not ask.to:
        raise Refused(Reason.ONE_SET_AT_A_TIME, one_set, person=to)
    in_error = both or line[:1] != (to,)
    cited = _passed_wrongly(table, rule) if in_error else _passed_by(table, ask.side, rule)
    if both:
        cited = tuple(dict.fromkeys((one_set, *cited[1:])))
    return [events.CardsPassed(ask.side, to, in_error, clauses=cited)]


def _passed_wrongly(table: Table, rule: FaceDown) -> tuple[str, ...]:
    """The hand goes on, and what was in the wrong hands is replaced after the shoe like all that
    players handled [tas-2018:9.3(a), 16.7.3, 4.4]; so with both hands before one player, said by
    name because it happened [tas-2018:9.3(f)].
    """
    rules = table.terms.rules
    if table.is_contest and rules.competition.wrong_holder:
        return (rules.competition.wrong_holder,)
    handled = rules.cards.handled_replaced
    return (rule.exposed_clause, *([handled.clause] if handled else []))


def _passed_by(table: Table, side: Side, rule: FaceDown) -> tuple[str, ...]:
    """The clauses by which a hand goes to the first in line, and by which a disc shows it."""
    exposed = exposed_by(rule, side)
    line = in_line(table, side)[:2]
    staked = [
        wager.in_time_cents
        for wager in live(table).wagers
        if wager.on == BET_ON[side] and wager.by in line
    ]
    equal = rule.equal_clause if len(staked) == 2 and staked[0] == staked[1] else ""
    return tuple(clause for clause in (exposed, equal, rule.disc_clause) if clause)


def refuse_cards(table: Table, ask: c.RefuseCards, by: Actor) -> list[TableEvent]:
    """The person first in line declines; the next highest follows [tas-2018:9.3(b)]."""
    person, rule = subject(ask, by), rule_of(table)
    if any(table.roles_of(person)):
        person = next(iter(in_line(table, ask.side)), person)
    if person not in in_line(table, ask.side)[:1]:
        raise Refused(Reason.NOT_THE_HOLDER, exposed_by(rule, ask.side))
    return [events.CardsRefused(ask.side, person, clauses=(rule.refused_clause or CONDITIONS,))]


DECIDE: Decides = {
    c.AskFaceDown: ask_face_down,
    c.WithdrawFaceDown: withdraw_face_down,
    c.SqueezeCard: squeeze_card,
    c.AcknowledgeFaceDown: acknowledge_face_down,
    c.SetFaceDown: set_face_down,
    c.NameExposer: name_exposer,
    c.PassCards: pass_cards,
    c.RefuseCards: refuse_cards,
}
