"""What was directed, reported or declared by mistake, taken back."""

from collections.abc import Callable

from msgspec.structs import replace

from puntobanco.rules.irregularities import WORST_FIRST, Found, NextCoup
from puntobanco.table import events
from puntobanco.table.coup_record import CoupKind
from puntobanco.table.evolve.people import same
from puntobanco.table.queries.coup import live
from puntobanco.table.state import LeftOver, NoBet, Table

OF_THE_SHOE = (Found.FACE_UP_IN_SHOE, Found.SHOE_DISTURBED)
"""Found of the shoe, not of the coup: they stay found though the coup is not void for them."""


def taken_back(table: Table, event: events.TakenBack) -> Table:
    return APPLY_TO[event.what](table, event)


def _no_bet_coup(table: Table, event: events.TakenBack) -> Table:
    """Nobody agreed to it: a coup that was opened for it takes wagers."""
    coup = table.coup
    if coup is not None and coup.kind is CoupKind.NO_BET:
        clause = event.clauses[0]
        coup = replace(coup, kind=CoupKind.ORDINARY, kind_clause=clause, locked=False)
    return replace(table, coup=coup, no_bet=NoBet(running=table.no_bet.running))


def _touched(table: Table, event: events.TakenBack) -> Table:
    pack = table.pack
    still = tuple(who for who in pack.touched if event.person not in ("", who))
    handled = pack.passed or bool(still)
    return replace(table, pack=replace(pack, touched=still, handled=handled))


def _end_shoe(table: Table, _event: events.TakenBack) -> Table:
    """The cards are in the shoe as they were."""
    ended, pack = table.ended_shoe, table.pack
    assert ended is not None
    known = replace(ended.pack, handled=pack.handled, passed=pack.passed, touched=pack.touched)
    return replace(
        table,
        pack=known,
        shoe=ended.shoe,
        next_kind=ended.left_over.next_kind,
        next_clause=ended.left_over.clause,
        carried=ended.left_over.cards,
        findings=ended.findings,
        ended_shoe=None,
    )


def _close_table(table: Table, _event: events.TakenBack) -> Table:
    """It is open as it was, save for its notice of closing and a change that was posted: whatever
    is to hold is put up again. Who has signed on since does not play.
    """
    was = table.closed
    assert was is not None
    on_duty = {duty.person for duty in table.staff}
    return replace(
        table,
        is_open=True,
        closed=None,
        places={who: place for who, place in was.places.items() if who not in on_duty},
        individual={who: own for who, own in was.individual.items() if who not in on_duty},
        abstained={who: rounds for who, rounds in was.abstained.items() if who not in on_duty},
        free_coups=was.free_coups,
        no_bet=was.no_bet,
        face_down=was.face_down,
    )


def _closing_notice(table: Table, _event: events.TakenBack) -> Table:
    return replace(table, closing_ms=None, closing_due=False)


def _void(table: Table, event: events.TakenBack) -> Table:
    """The cards count again; one left over that was not dealt is to be dealt. What the coup was
    void for bars no other, unless it was found of the shoe.
    """
    voids = {number: wagers for number, wagers in table.voids.items() if number != event.coup}
    table = replace(table, voids=voids)
    if table.coup is None or table.coup.number != event.coup:
        return table
    coup = live(table)
    findings = tuple(
        found for found in table.findings if found.coup != coup.number or found.found in OF_THE_SHOE
    )
    own = [found for found in findings if found.coup == coup.number]
    worst = min(own, key=lambda found: WORST_FIRST.index(found.next_kind), default=None)
    by_call = coup.called and table.terms.rules.wagers.close.at == "no-more-bets"
    coup = replace(
        coup,
        carried=coup.left_over.cards,
        left_over=LeftOver(),
        barred=worst.next_kind if worst else NextCoup.ORDINARY,
        barred_clause=worst.clause if worst else "",
        announced=False,
        locked=bool(coup.drawn) or not coup.takes_wagers or by_call,
    )
    return replace(table, coup=coup, findings=findings)


APPLY_TO: dict[str, Callable[[Table, events.TakenBack], Table]] = {
    "no-bet-coup": _no_bet_coup,
    "touched": _touched,
    "end-shoe": _end_shoe,
    "close-table": _close_table,
    "closing-notice": _closing_notice,
    "void": _void,
    "wagers-void": same,
}
APPLY: events.Applies = {events.TakenBack: taken_back}
