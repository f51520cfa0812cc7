"""The felt as it lies before the trainee: cards where the dealer laid them, or put right."""

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Laid
from puntobanco.rules.drawing import fold
from puntobanco.table.state import Table
from puntobanco.table.view import View, Viewer, view


class LaidCard(Struct, frozen=True):
    """A card and where the dealer put it."""

    card: Card | None
    place: str


class Felt(Struct, frozen=True):
    """A table as it lies before the trainee."""

    view: View
    aside: tuple[Card | None, ...]
    """Cards on no hand. What they are for is not said beside them."""
    drawn: tuple[tuple[int, tuple[LaidCard, ...]], ...] = ()
    """By coup, its cards in the order they left the shoe."""


def felt_before(table: Table) -> Felt:
    """The cards where the dealer laid them, not where the rules put them: that is the question."""
    felt = felt_after(table)
    seen, aside = felt.view, felt.aside
    lies = [(record.number, record.drawn) for record in table.coups]
    if table.coup is not None and seen.play is not None:
        lies.append((table.coup.number, table.coup.drawn))
        laid = table.coup.hands(table.terms).as_laid()
        points = {} if seen.play.result else {"player_points": None, "banker_points": None}
        play = replace(seen.play, player=laid.player, banker=laid.banker, **points)
        seen = replace(seen, play=play)
        nowhere = [drawn for drawn in table.coup.drawn if drawn.laid is Laid.NOWHERE]
        aside = tuple(drawn.card for drawn in (*nowhere, *table.coup.carried))
    shown = tuple((number, _in_order(cards, table)) for number, cards in lies if cards)
    return replace(felt, view=seen, aside=aside, drawn=shown)


def felt_after(table: Table) -> Felt:
    """The table as everybody sees it: the hands put right, and what is left over."""
    seen = view(table, Viewer())
    if seen.play is None:
        return Felt(replace(seen, left_over=()), seen.left_over)
    alone = replace(seen, play=replace(seen.play, left_over=()))
    return Felt(alone, seen.play.left_over)


def _in_order(cards: tuple[Drawn, ...], table: Table) -> tuple[LaidCard, ...]:
    hands = fold(cards, table.terms.rules.tableau)
    return tuple(
        LaidCard(drawn.card, str(drawn.laid or hands.given(index)))
        for index, drawn in enumerate(cards)
    )
