"""A coup and its money before and after: what a command would change, as its reader may see it.

Both sides are views of whoever looks, so that nothing is compared that they may not see.
"""

from collections.abc import Iterator

from msgspec import Struct

from puntobanco.rules.cards import Card, points
from puntobanco.rules.coup import Result
from puntobanco.rules.irregularities import Verdict
from puntobanco.table.view import Past, Play, View


class CoupStanding(Struct, frozen=True):
    """The cards of a coup as they stand, or would."""

    player: tuple[Card | None, ...]
    banker: tuple[Card | None, ...]
    player_points: int | None
    banker_points: int | None
    result: Result | None
    is_void: bool = False
    left_over: tuple[Card | None, ...] = ()


class MoneyRow(Struct, frozen=True):
    """What one person has on the layout and in front of them, in cents."""

    person: str
    box: int
    laid: tuple[int, int]
    """Before and after."""
    chips: tuple[int, int]


class Compared(Struct, frozen=True):
    """One coup and its money, before and after."""

    coup: int
    before: CoupStanding | None
    after: CoupStanding | None
    money: tuple[MoneyRow, ...]
    bank: tuple[int, int] | None = None
    """The bank's gain, for those who see it."""
    differs: bool = False
    """Do the cards, the result or what is left over differ?"""


def compared(before: View, after: View, coup: int | None = None) -> Compared | None:
    """What changes between two views of a table; None where there is no coup to show."""
    number = coup or _latest(before) or _latest(after)
    if not number or before.floor is None or after.floor is None:
        return None
    was, will = _coup(before, number), _coup(after, number)
    bank = None
    if before.oversight is not None and after.oversight is not None:
        bank = before.oversight.bank_cents, after.oversight.bank_cents
    return Compared(number, was, will, tuple(_money(before, after)), bank, was != will)


def _latest(seen: View) -> int:
    if seen.play is not None:
        return seen.play.number
    return seen.past[-1].number if seen.past else 0


def _coup(seen: View, number: int) -> CoupStanding | None:
    coups: tuple[Past | Play, ...] = (*seen.past, seen.play) if seen.play else seen.past
    found = next((one for one in coups if one.number == number), None)
    if found is None:
        return None
    return CoupStanding(
        found.player,
        found.banker,
        _points(found.player),
        _points(found.banker),
        found.result,
        isinstance(found, Play) and found.verdict is Verdict.VOID,
        found.left_over if isinstance(found, Play) else (),
    )


def _points(hand: tuple[Card | None, ...]) -> int | None:
    shown = tuple(card for card in hand if card is not None)
    return points(shown) if len(shown) == len(hand) > 1 else None


def _money(before: View, after: View) -> Iterator[MoneyRow]:
    """Everybody who has a wager in the coup, or whose chips change."""
    laid, then = _laid(before), _laid(after)
    was = before.floor.chips if before.floor else {}
    will = after.floor.chips if after.floor else {}
    people = before.floor.people if before.floor else {}
    at = {person: place.box for person, place in people.items()}
    for person in sorted({*was, *will, *laid, *then}, key=lambda one: (at.get(one, 0), one)):
        row = MoneyRow(
            person,
            at.get(person, 0),
            (laid.get(person, 0), then.get(person, 0)),
            (was.get(person, 0), will.get(person, 0)),
        )
        if row.laid[0] != row.laid[1] or row.chips[0] != row.chips[1] or row.laid[0]:
            yield row


def _laid(seen: View) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in seen.play.wagers if seen.play else ():
        found[one.person] = found.get(one.person, 0) + one.cents
    return found
