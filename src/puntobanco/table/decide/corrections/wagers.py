"""A wager that lay in time and was keyed late, wrong or not at all."""

from msgspec.structs import replace

from puntobanco.errors import Reason, Refused
from puntobanco.rules.documents.ruleset import CONDITIONS
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.notice import PAIR_BETS, Limits, Terms
from puntobanco.rules.settle import Line, Outcome, settle, settle_pairs
from puntobanco.rules.wagers import (
    Wager,
    check_payable,
    check_place,
    reduce_differential,
    reduce_pro_rata,
    take,
)
from puntobanco.table import commands as c
from puntobanco.table import events
from puntobanco.table.actor import Actor
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.decide.betting import check_box
from puntobanco.table.decide.corrections.earlier import record_of
from puntobanco.table.decide.settling import settled, taken, warnings, warnings_withdrawn
from puntobanco.table.decide.voiding import reversals
from puntobanco.table.events import Decides, TableEvent
from puntobanco.table.queries.coup import at_close, is_same, with_wagers
from puntobanco.table.state import LiveCoup, Table
from puntobanco.words import money


def correct_wager(table: Table, ask: c.CorrectWager, _by: Actor) -> list[TableEvent]:
    """What lay in time is honoured, whatever was keyed [tas-2018:6.3, act-2015:4.6,
    mbs-2017:5.6]; what it won or lost is settled anew, and nobody else's wager is touched.

    Where a coup was dealt without bets by mistake, those that lay are put on record, and it was an
    ordinary one [tas-2018:14.1, act-2015:12.2].
    """
    coup = table.coup
    bettors = {line.wager.by for record in table.coups for line in record.lines}
    here = {*table.places, *table.chips, *at_close(table, ask.coup).places}
    if ask.person not in {*here, *bettors} and ask.older is None:
        raise Refused(Reason.NEVER_HERE, CONDITIONS, person=ask.person)
    if coup is not None and coup.number == ask.coup:
        return _correct_live(table, coup, ask)
    return _correct_record(table, record_of(table, ask.coup, ask.older), ask)


def _correct_live(table: Table, coup: LiveCoup, ask: c.CorrectWager) -> list[TableEvent]:
    clause = table.terms.rules.wagers.close.late
    if coup.verdict is Verdict.VOID:
        raise Refused(Reason.COUP_IS_VOID, _void(table.terms), coup=coup.number)
    form = coup.forms.get(ask.person)
    if form is not None and form.wager is not None and form.wager.on is ask.on:
        raise Refused(Reason.FORM_ON_THE_SAME, clause, person=ask.person)
    if not coup.takes_wagers and not coup.drawn:  # what bars bets on it is put right instead
        raise Refused(Reason.NON_BETTING_COUP, coup.kind_clause)
    lying = [wager for wager in coup.wagers if _is_meant(wager, ask)]
    line = _line(coup.lines, ask)
    if line is None and not lying:
        _check_not_void(coup.lines, ask, table.terms)
    was = line.wager if line else lying[0] if lying else None
    wager = _as_it_lay(table, was, ask)
    _check_box(table, was, ask)
    kept = [past for past in coup.lines if past is not line]
    others = [*coup.wagers, *(past.wager for past in coup.lines)]
    _check(wager, was, others, table.terms)
    own = at_close(table, coup.number).individual
    _check_cut(wager, was, [*coup.wagers, *_staked(coup.lines)], table.terms, own)
    void = tuple(past for past in kept if _is_meant(past.wager, ask))
    corrected = events.WagerCorrected(coup.number, wager, was, ask.note, void, clauses=(clause,))
    undone = reversals(coup.number, (line,) if line else (), (clause,), table.terms)
    lines = settled_now(table, coup, wager)
    return [
        *undone,
        corrected,
        *settled(coup.number, lines),
        *warnings(table, lines),
        *warnings_withdrawn(table, coup.number, coup.lines, (*kept, *lines)),
    ]


def settled_now(table: Table, coup: LiveCoup, wager: Wager) -> tuple[Line, ...]:
    """Settled at once, if its kind has been settled in this coup already [act-2015:9.9]."""
    hands, terms = coup.hands(table.terms), table.terms
    early = terms.rules.settlement.pairs_paid == "before-third-cards"
    if not wager.cents:
        return ()
    if coup.verdict is not None:
        return settle(hands, taken(table, [wager]), terms).lines
    if early and wager.on in PAIR_BETS and coup.announced:
        return tuple(settle_pairs(hands, taken(table, [wager]), terms))
    return ()


def _correct_record(table: Table, record: CoupRecord, ask: c.CorrectWager) -> list[TableEvent]:
    terms = table.terms_under(record.notice)
    clause = terms.rules.wagers.close.late
    if record.verdict is Verdict.VOID:
        raise Refused(Reason.COUP_IS_VOID, _void(terms), coup=record.number)
    settled_then = record.lines
    if ask.person in table.contest.secrets_used.get(record.number, {}):
        settled_then = _chips(settled_then, ask)
    line = _line(settled_then, ask)
    if line is None:
        _check_not_void(settled_then, ask, terms)
    was = line.wager if line else None
    wager = _as_it_lay(table, was, ask)
    _check_box(table, was, ask)
    _check(wager, was, [past.wager for past in record.lines], terms)
    own = at_close(table, record.number).individual
    _check_cut(wager, was, _staked(record.lines), terms, own)
    lines = lines_then(table, record, wager, terms)
    kept = tuple(past for past in record.lines if past is not line)
    return [
        events.WagerCorrected(record.number, wager, was, ask.note, clauses=(clause,)),
        *reversals(record.number, (line,) if line else (), (clause,), terms),
        *settled(record.number, lines),
        *warnings(table, lines),
        *warnings_withdrawn(table, record.number, record.lines, (*kept, *lines)),
        events.RecordReplaced(
            replace(record, kind=with_wagers(record.kind), lines=(*kept, *lines)),
            clauses=(clause,),
        ),
    ]


def lines_then(table: Table, record: CoupRecord, wager: Wager, terms: Terms) -> tuple[Line, ...]:
    """The wager settled by the coup's cards, by the warnings and agreed limits of that coup
    [tas-2018:7.2, 7.5, act-2015:3.2, 3.4].
    """
    if not wager.cents:
        return ()
    held = at_close(table, record.number)
    at_risk = take([wager], terms, held.warned, held.individual)
    return settle(fold(record.drawn, terms.rules.tableau), at_risk, terms).lines


def _line(lines: tuple[Line, ...], ask: c.CorrectWager) -> Line | None:
    """What was settled of the wager; not of one that was declared void before its owner laid it
    again [act-2015:14.2(a)].
    """
    meant = (line for line in lines if _is_meant(line.wager, ask))
    return next((line for line in meant if line.outcome is not Outcome.VOID), None)


def _check_not_void(lines: tuple[Line, ...], ask: c.CorrectWager, terms: Terms) -> None:
    """Refuse a wager of which nothing is left: declared void, it stays void [act-2015:14.2(a)]."""
    if any(_is_meant(line.wager, ask) for line in lines):
        clause = terms.rules.people.wager_void
        raise Refused(Reason.NO_WAGERS_OF_THEIRS, clause, person=ask.person)


def _chips(lines: tuple[Line, ...], ask: c.CorrectWager) -> tuple[Line, ...]:
    """Chips are settled before a form on the same option, and the form is not meant."""
    return tuple(line for line in lines if _is_meant(line.wager, ask))[:1]


def _void(terms: Terms) -> str:
    return terms.rules.settlement.void or CONDITIONS


def _is_meant(wager: Wager, ask: c.CorrectWager) -> bool:
    return (wager.by, wager.box, wager.on) == (ask.person, ask.box, ask.on)


def _as_it_lay(table: Table, was: Wager | None, ask: c.CorrectWager) -> Wager:
    """Seated or standing as the player was in that coup, wherever they are by now; who was keyed
    later, as they came [tas-2018:6.4]. What was cut back stays cut [tas-2018:7.3(b)].
    """
    place = at_close(table, ask.coup).places.get(ask.person) or table.places.get(ask.person)
    standing = was.standing if was else place is not None and place.standing
    reduced = was is not None and was.reduced
    return Wager(ask.box, ask.on, ask.cents, ask.person, standing, reduced=reduced)


def _check_box(table: Table, was: Wager | None, ask: c.CorrectWager) -> None:
    """A wager that is on no record lay where its owner could have laid it, by the places of that
    coup [tas-2018:6.4].
    """
    places = at_close(table, ask.coup).places
    if was is None and ask.person in places:
        check_box(table, places, ask.person, ask)


def _staked(lines: tuple[Line, ...]) -> list[Wager]:
    return [line.wager for line in lines if line.outcome is not Outcome.VOID]


def _check_cut(
    wager: Wager, was: Wager | None, lying: list[Wager], terms: Terms, own: dict[str, Limits]
) -> None:
    """Refuse more than lay once the dealer had cut it: the cut is undone by nobody's word about
    chips, or more would lie than the liability on show [tas-2018:7.3(b), act-2015:3.6].
    """
    if was is None or not was.reduced or wager.cents <= was.cents:
        return
    as_said = [wager if is_same(other, wager) else other for other in lying]
    cuts = (*reduce_pro_rata(as_said, wager.on, terms, own), *reduce_differential(as_said, terms))
    if any(cut.wager.on is wager.on for cut in cuts):
        facts = {"was": money(was.cents), "amount": money(wager.cents)}
        raise Refused(Reason.MORE_THAN_THE_CUT, cuts[0].clause, **facts)


def _check(wager: Wager, was: Wager | None, placed: list[Wager], terms: Terms) -> None:
    """Refuse what could not have lain there; of its amount the rules take what they take."""
    if wager == was or (was is None and not wager.cents):
        raise Refused(Reason.AS_ON_RECORD, CONDITIONS)
    check_place(wager, [other for other in placed if not is_same(other, wager)], terms)
    check_payable(wager, terms)


DECIDE: Decides = {c.CorrectWager: correct_wager}
