"""How many cards have left the shoe, and since its marker, once a list of cards is put right."""

from collections.abc import Iterable, Sequence
from functools import reduce

from msgspec.structs import replace

from puntobanco.rules.coup import Drawn
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import WORST_FIRST, NextCoup
from puntobanco.rules.shoe import Last, Shoe, last_coup, recounted
from puntobanco.table import events
from puntobanco.table.coup_record import CoupRecord
from puntobanco.table.decide.competition.secrets import lapsed
from puntobanco.table.decide.settling import return_wagers
from puntobanco.table.events import TableEvent
from puntobanco.table.evolve import evolve
from puntobanco.table.evolve.corrections import ended_anew
from puntobanco.table.queries.between import dealt_on, is_to_come, last_dealt, next_dealt
from puntobanco.table.queries.coup import next_standing
from puntobanco.table.queries.shoe import marker_since_last_coup
from puntobanco.table.state import LiveCoup, Table


def counted_anew(table: Table, corrected: events.TableEvent) -> list[events.ShoeRecounted]:
    """What a correction makes of the count, where the cards it names do not say it by themselves.

    A card that was never dealt cannot have begun the next coup: the first card on that coup's
    record left the shoe in it. And a marker that was seen is where it was seen: a card that came
    before it and was not keyed is none of those after it [tas-2018:9.4, act-2015:5.7].
    """
    after = evolve(table, corrected)
    if after.shoe is None or table.shoe is None:
        return []
    match corrected:
        case events.CardsCorrected() if _coup(table, corrected.coup) is not None:
            return _after_list(table, after.shoe, corrected)
        case events.ExcessCorrected():
            return _after_excess(table, after.shoe, corrected)
        case events.BurnCorrected() if _was_seen(table.shoe):
            since = table.shoe.since_marker
            if since == after.shoe.since_marker:
                return []
            return [events.ShoeRecounted(after.shoe.drawn, since, clauses=corrected.clauses)]
        case _:
            return []


def _after_list(
    table: Table, by_itself: Shoe, corrected: events.CardsCorrected
) -> list[events.ShoeRecounted]:
    coup, now = _coup(table, corrected.coup), corrected.cards
    assert coup is not None
    assert table.shoe is not None
    began = coup.begun + (len(coup.carried) if isinstance(coup, LiveCoup) and now else 0)
    begun = min(began, len(now))
    after, still_begun = next_dealt(table, coup.number), 0
    if after is not None and after.begun:
        still_begun = _still_begun(table, after, coup.number, now)
    back = after.begun - still_begun if after else 0
    more = (len(now) - begun) - (len(coup.drawn) - coup.begun) + back
    drawn = table.shoe.drawn + more
    since = _since(table, coup, now, begun, back, drawn)
    changes = []
    if begun < coup.begun:
        changes.append((coup.number, begun, coup.drawn[begun : coup.begun]))
    if after is not None and back:
        changes.append((after.number, still_begun, after.drawn[still_begun : after.begun]))
    if not changes and (drawn, since) != (by_itself.drawn, by_itself.since_marker):
        changes.append((0, 0, ()))
    cited = corrected.clauses
    return [events.ShoeRecounted(drawn, since, *change, clauses=cited) for change in changes]


def _after_excess(
    table: Table, by_itself: Shoe, corrected: events.ExcessCorrected
) -> list[events.ShoeRecounted]:
    """A card never drawn between two coups cannot have begun the second: it left the shoe in it."""
    was, now = dealt_on(table, corrected.coup, corrected.cards)
    after, back = next_dealt(table, corrected.coup), len(was) - len(now)
    drawn = by_itself.drawn + back
    since = _since_excess(table, corrected, back, drawn)
    if not back and since == by_itself.since_marker:
        return []
    begun = (after.number, after.begun - back) if after and back else (0, 0)
    return [events.ShoeRecounted(drawn, since, *begun, clauses=corrected.clauses)]


def _since_excess(
    table: Table, corrected: events.ExcessCorrected, back: int, drawn: int
) -> int | None:
    """How many cards came after the marker; a card put right at the end came before it, if it was
    seen then.
    """
    shoe, was, now = table.shoe, corrected.was, corrected.cards
    assert shoe is not None
    if not _was_seen(shoe):
        return recounted(shoe, drawn - shoe.drawn).since_marker
    since = shoe.since_marker or 0
    later = _dealt_later(table, corrected.coup)
    later += sum(number > corrected.coup for number, _ in table.pack.between)
    behind = since - later
    if behind < 0:
        return since
    if behind and behind >= len(was):
        behind += len(now) - len(was)
    elif behind and now[-behind:] != was[-behind:]:
        behind = max(0, len(now) - len(was) + behind)
    return later + behind + back


def _dealt_later(table: Table, number: int) -> int:
    return sum(len(coup.drawn) - coup.begun for coup in _coups(table) if coup.number > number)


def _coups(table: Table) -> list[CoupRecord | LiveCoup]:
    return [*table.coups, *([table.coup] if table.coup else [])]


def _coup(table: Table, number: int) -> CoupRecord | LiveCoup | None:
    return next((coup for coup in _coups(table) if coup.number == number), None)


def _still_begun(
    table: Table, after: CoupRecord | LiveCoup, number: int, now: tuple[Drawn, ...]
) -> int:
    """How many of the next coup's cards were carried over, by the cards of the one before: those
    that are left over of it, or end its list; and all that were drawn between the two.
    """
    between = sum(number <= coup < after.number for coup, _ in table.pack.between)
    from_coup = max(0, after.begun - between)
    left = len(fold(now, table.terms.rules.tableau).excess)
    same = _same_end(now, after.drawn[:from_coup])
    return min(from_coup, max(left, same)) + after.begun - from_coup


def _same_end(cards: Sequence[Drawn], first: Sequence[Drawn]) -> int:
    """How many of the next coup's first cards are the last of this list."""
    names = [card.card for card in cards], [card.card for card in first]
    fits = [count for count in range(1, len(first) + 1) if names[0][-count:] == names[1][:count]]
    return max(fits, default=0)


def _was_seen(shoe: Shoe) -> bool:
    """Is it by sight that the marker is out, and not by the count of cards?"""
    if not shoe.since_marker or shoe.behind_marker is None:
        return shoe.since_marker is not None
    return shoe.since_marker != shoe.behind_marker - shoe.left


def _since(
    table: Table,
    coup: CoupRecord | LiveCoup,
    now: tuple[Drawn, ...],
    begun: int,
    back: int,
    drawn: int,
) -> int | None:
    """How many cards came after the marker: a card put right is before it or after it, as its
    place in the list says; one at the end of what was dealt when it was seen came before it.
    """
    shoe = table.shoe
    assert shoe is not None
    if not _was_seen(shoe):
        return recounted(shoe, drawn - shoe.drawn).since_marker
    since = shoe.since_marker or 0
    later = _dealt_later(table, coup.number)
    later += sum(number >= coup.number for number, _ in table.pack.between)
    of_coup, was = since - later, coup.drawn
    if of_coup < 0:
        return since
    if of_coup > 0:
        before = len(was) - of_coup
        if before <= coup.begun:
            of_coup = len(now) - begun
        elif now[-of_coup:] != was[before:]:
            of_coup = max(0, len(now) - before)
    return later + of_coup + back


def shoe_stands(table: Table, done: Sequence[TableEvent]) -> list[TableEvent]:
    """Whether the shoe goes on or has ended, once a coup or its count is put right."""
    return [*_goes_on(table, done)] or [*_by_count(table, done), *_last_after_all(table, done)]


def _last_after_all(before: Table, done: Iterable[TableEvent]) -> list[events.LastCoupAnnounced]:
    """A coup that was announced as the last by cards that were keyed wrong, or are not owed, is
    not certain to be the last [tas-2018:9.4, act-2015:5.7].
    """
    table = reduce(evolve, done, before)
    coup, shoe = table.coup, table.shoe
    if coup is None or shoe is None or coup.verdict is not None or coup.last is Last.NO:
        return []
    hands = coup.hands(table.terms)
    to_come = max(4 - len(coup.drawn) - len(coup.carried), 0 if hands.owed is None else 1)
    if hands.excess or last_coup(shoe, table.terms, to_come) is not Last.NO:
        return []
    clause = table.terms.rules.shoe.last_coup.clause
    return [events.LastCoupAnnounced(Last.NO, clauses=(clause,))]


def _by_count(before: Table, done: Sequence[TableEvent]) -> list[TableEvent]:
    """What the count makes of the shoe where it moved and nobody else has said it: of an earlier
    coup, or the burn. A coup that was opened since is not dealt, and wagers go back; one that has
    a card is [tas-2018:9.4, act-2015:5.7].
    """
    table = reduce(evolve, done, before)
    shoe, coup, last = table.shoe, table.coup, last_dealt(table)
    if shoe is None or last is None or before.shoe is None or not _moved(before.shoe, shoe):
        return []
    if coup is not None and (not is_to_come(table) or _between_two(done)):
        return []
    ended = not marker_since_last_coup(table) and bool(ended_anew(shoe, last, table).ended)
    facts, clauses = (shoe.drawn, shoe.since_marker), (table.terms.rules.shoe.last_coup.clause,)
    if ended and not shoe.ended:
        ends = events.ShoeRecounted(*facts, ends=True, clauses=clauses)
        return [*_undealt(table, clauses), ends]
    if shoe.ended and not ended and coup is None and table.next_kind is not NextCoup.NONE:
        return [events.ShoeRecounted(*facts, goes_on=True, clauses=clauses)]
    return []


def _moved(one: Shoe, other: Shoe) -> bool:
    return (one.drawn, one.since_marker) != (other.drawn, other.since_marker)


def _between_two(done: Iterable[TableEvent]) -> bool:
    """Is it about a card that came out before the coup that is open, which is dealt then?"""
    return any(isinstance(event, events.ExcessCorrected) for event in done)


def _undealt(table: Table, clauses: tuple[str, ...]) -> list[TableEvent]:
    coup = table.coup
    if coup is None:
        return []
    kind = min(coup.barred, next_standing(table)[0], key=WORST_FIRST.index)
    facts = (coup.number, kind, coup.carried)
    closed = events.CoupNotDealt(*facts, shoe_over=True, clauses=clauses)
    return [*return_wagers(table, clauses), *lapsed(table, coup.number, clauses), closed]


def _goes_on(table: Table, done: Iterable[TableEvent]) -> list[events.ShoeRecounted]:
    """A marker that came out after the last coup does not end the shoe with it, whatever is put
    right of that coup: the round in which it is drawn is the next [act-2015:5.7].
    """
    before = table.shoe
    in_shoe = before is not None and before.since_marker is None and not before.ended
    if table.coup is not None or not table.coups or not (in_shoe or marker_since_last_coup(table)):
        return []
    table = reduce(evolve, done, table)
    shoe = table.shoe
    assert shoe is not None
    again = replace(table, shoe=replace(shoe, ended="", extra_round=table.coups[-1].extra_round))
    if again.shoe == shoe or not marker_since_last_coup(again):
        return []
    clauses = (table.terms.rules.shoe.last_coup.clause,)
    return [events.ShoeRecounted(shoe.drawn, shoe.since_marker, goes_on=True, clauses=clauses)]
