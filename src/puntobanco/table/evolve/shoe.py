"""The set of cards and the shoe."""

from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn
from puntobanco.rules.irregularities import NextCoup
from puntobanco.rules.shoe import Shoe, draw
from puntobanco.table import events
from puntobanco.table.commands import (
    CloseTable,
    CorrectBurn,
    CorrectExcess,
    CorrectFinding,
    CorrectMarker,
    EndShoe,
)
from puntobanco.table.evolve.people import same
from puntobanco.table.state import UNLOADED, EndedShoe, LeftOver, Life, Pack, Table


def saw(pack: Pack, card: Card | None) -> Pack:
    """A card showed its face."""
    if card is None:
        return pack
    return replace(pack, seen={**pack.seen, card: pack.seen.get(card, 0) + 1})


def cards_checked(table: Table, event: events.CardsChecked) -> Table:
    complete = not event.missing and not event.surplus
    unused = table.pack.life in UNLOADED  # what was shuffled came into no shoe
    pack = replace(
        table.pack,
        set_id=event.set_id,
        shuffles=table.pack.shuffles - unused,
        lot=event.lot,
        player=event.player,
        life=Life.CHECKED if complete else Life.NONE,
        check_due=table.pack.check_due and event.set_id == table.pack.set_id,
    )
    if event.set_id != table.pack.set_id:
        pack = replace(pack, handled=False, passed=False, touched=())
    return replace(table, pack=pack, ended_shoe=None)


def cards_shuffled(table: Table, event: events.CardsShuffled) -> Table:
    pack = replace(
        table.pack,
        life=Life.SHUFFLED,
        shuffles=table.pack.shuffles + (not event.again),
        commitment=event.commitment,
        words=(),
        opening_due=False,
        cut_refused=(),
        burned=(),
        burn_forgotten=False,
        between=(),
        seen={},
        indicator=False,
    )
    return replace(table, pack=pack, ended_shoe=None)


def cut_refused(table: Table, event: events.CutRefused) -> Table:
    refused = (*table.pack.cut_refused, event.seat)
    return replace(table, pack=replace(table.pack, cut_refused=refused))


def words_added(table: Table, event: events.WordsAdded) -> Table:
    words = (*table.pack.words, (event.person, event.words))
    return replace(table, pack=replace(table.pack, words=words))


def cards_cut(table: Table, event: events.CardsCut) -> Table:
    pack = replace(
        table.pack, life=Life.CUT, cutter=event.seat, cut_depth=event.depth, cut_refused=()
    )
    return replace(table, pack=pack)


def shoe_loaded(table: Table, event: events.ShoeLoaded) -> Table:
    has_indicator = event.indicator_behind is not None
    return replace(
        table,
        pack=replace(
            table.pack,
            life=Life.LOADED,
            indicator=has_indicator,
            last_cutter=table.pack.cutter,
        ),
        shoe=Shoe(event.cards, event.behind),
        shoe_number=table.shoe_number + 1,
        coups=(),
        past={**table.past, **{record.number: record.digest for record in table.coups}},
        free_coups_given=table.free_coups,
        next_kind=NextCoup.ORDINARY,
        next_clause="",
        carried=(),
        findings=(),
    )


def cards_burned(table: Table, event: events.CardsBurned) -> Table:
    assert table.shoe is not None
    first = (Drawn(event.exposed),) if event.exposed else ()
    gone = (*first, *[Drawn()] * event.face_down)
    pack = saw(table.pack, event.exposed)
    pack = replace(pack, burned=(*pack.burned, *gone), check_due=True)
    return replace(table, pack=pack, shoe=draw(table.shoe, len(gone)))


def cards_touched(table: Table, event: events.CardsTouched) -> Table:
    touched = (*table.pack.touched, event.person)
    return replace(table, pack=replace(table.pack, handled=True, touched=touched))


def shoe_ended(table: Table, event: events.ShoeEnded) -> Table:
    pack = table.pack
    assert table.shoe is not None
    left = LeftOver(table.carried, table.next_kind, table.next_clause)
    ended = EndedShoe(pack, table.shoe, left, table.findings)
    pack = replace(
        pack,
        life=Life.NONE if event.set_retired else Life.CHECKED,
        retired=pack.retired | {pack.set_id} if event.set_retired else pack.retired,
        opening_due=bool(pack.commitment),
        indicator=False,
        last_dealt=table.dealt,
    )
    return replace(
        table,
        pack=pack,
        shoe=None,
        ended_shoe=ended,
        carried=(),
        next_kind=NextCoup.ORDINARY,
        next_clause="",
        findings=(),
        proposals={
            number: proposal
            for number, proposal in table.proposals.items()
            if not isinstance(proposal.ask, OF_THIS_SHOE)
        },
    )


OF_THIS_SHOE = (CorrectMarker, CorrectBurn, CorrectFinding, CorrectExcess, EndShoe, CloseTable)
"""Proposals that die with the shoe they were made for."""


def cards_checked_at_end(table: Table, event: events.CardsCheckedAtEnd) -> Table:
    complete = not event.missing and not event.surplus
    life = table.pack.life if complete else Life.NONE
    return replace(table, pack=replace(table.pack, check_due=False, life=life), ended_shoe=None)


def commitment_opened(table: Table, _event: events.CommitmentOpened) -> Table:
    """Cards whose order everybody knows are shuffled anew before they come into a shoe."""
    pack = table.pack
    life = Life.CHECKED if pack.life in UNLOADED else pack.life
    return replace(table, pack=replace(pack, opening_due=False, life=life), ended_shoe=None)


def marker_seen(table: Table, _event: events.MarkerSeen) -> Table:
    """The marker is where it is seen to be, wherever it was thought to lie."""
    assert table.shoe is not None
    return replace(table, shoe=replace(table.shoe, since_marker=0))


def indicator_seen(table: Table, _event: events.IndicatorSeen) -> Table:
    return replace(
        table,
        pack=replace(table.pack, indicator=False),
        contest=replace(table.contest, indicator_out=True),
    )


APPLY: events.Applies = {
    events.CardsChecked: cards_checked,
    events.CardsShuffled: cards_shuffled,
    events.WordsAdded: words_added,
    events.CutRefused: cut_refused,
    events.CardsCut: cards_cut,
    events.ShoeLoaded: shoe_loaded,
    events.CardsBurned: cards_burned,
    events.CardsTouched: cards_touched,
    events.CardsChanged: same,
    events.ShoeEnded: shoe_ended,
    events.CardsCheckedAtEnd: cards_checked_at_end,
    events.CommitmentOpened: commitment_opened,
    events.MarkerSeen: marker_seen,
    events.IndicatorSeen: indicator_seen,
}
