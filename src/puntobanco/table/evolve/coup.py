"""A coup from the call for bets to the discard rack."""

from msgspec.structs import replace

from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Drawn, Result, Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import NextCoup, Verdict
from puntobanco.rules.settle import Line, Outcome
from puntobanco.rules.shoe import draw, shoe_after_coup
from puntobanco.rules.wagers import Wager
from puntobanco.table import events
from puntobanco.table.commands import (
    ReportIrregularity,
    RuleOn,
    TakeBack,
    VoidCoup,
    VoidWagers,
)
from puntobanco.table.competition_terms import Contest
from puntobanco.table.coup_record import CoupKind, CoupRecord
from puntobanco.table.evolve.people import move_chips
from puntobanco.table.evolve.shoe import saw
from puntobanco.table.queries.between import places_of
from puntobanco.table.queries.coup import abstentions, is_same, live, next_standing
from puntobanco.table.state import AtClose, FaceDownPlay, LiveCoup, NoBet, Proposal, Table


def coup_opened(table: Table, event: events.CoupOpened) -> Table:
    coup = LiveCoup(
        event.number,
        event.kind,
        event.clauses[0] if event.clauses else "",
        event.last,
        carried=table.carried,
        carried_clause=table.carried_clause,
        face_down=event.face_down,
        until_ms=event.until_ms,
        locked=not event.kind.takes_wagers,
    )
    table = table if event.kind.takes_wagers else bets_closed(table, event.number)
    no_bet = table.no_bet
    if event.kind is not CoupKind.NON_BETTING:  # asked for and agreed to for this coup alone
        no_bet = NoBet(running=no_bet.running)
    return replace(
        table,
        coup=coup,
        coup_number=event.number,
        carried=(),
        carried_clause="",
        next_kind=NextCoup.ORDINARY,
        next_clause="",
        no_bet=no_bet,
        contest=replace(
            table.contest,
            asked=None,
            until_ms=None,
            restricted=frozenset(),
            missed=frozenset(),
            jumped=frozenset(),
        ),
        free_coups=table.free_coups - (event.kind is CoupKind.FREE),
        proposals={
            number: proposal
            for number, proposal in table.proposals.items()
            if not _of_coup_before(proposal)
        },
    )


def _of_coup_before(proposal: Proposal) -> bool:
    """What was reported of it, and a void of the coup in play that was to be taken back."""
    ask = proposal.ask
    return isinstance(ask, ReportIrregularity) or (isinstance(ask, TakeBack) and ask.coup is None)


def wager_placed(table: Table, event: events.WagerPlaced) -> Table:
    coup, wager, contest = live(table), event.wager, table.contest
    if event.out_of_turn:
        contest = replace(contest, jumped=contest.jumped | {wager.box})
    return replace(
        table,
        coup=replace(coup, wagers=(*coup.wagers, wager)),
        chips=move_chips(table, wager.by, -wager.cents),
        contest=contest,
    )


def wager_changed(
    table: Table, event: events.WagerChanged | events.WagerReduced | events.WagerMadeUp
) -> Table:
    coup, wager = live(table), event.wager
    was = next(lying for lying in coup.wagers if is_same(lying, wager))
    wagers = tuple(wager if lying is was else lying for lying in coup.wagers)
    return replace(
        table,
        coup=replace(coup, wagers=wagers),
        chips=move_chips(table, wager.by, was.cents - wager.cents),
    )


def wager_withdrawn(table: Table, event: events.WagerWithdrawn) -> Table:
    """In time it is gone; too late, it is still there for the rules."""
    coup, wager = live(table), event.wager
    if wager.withdrawn:
        return wager_changed(table, events.WagerChanged(wager))
    wagers = tuple(lying for lying in coup.wagers if not is_same(lying, wager))
    return replace(
        table,
        coup=replace(coup, wagers=wagers),
        chips=move_chips(table, wager.by, wager.cents),
    )


def no_more_bets_called(table: Table, _event: events.NoMoreBetsCalled) -> Table:
    return replace(table, coup=replace(live(table), called=True))


def bets_locked(table: Table, _event: events.BetsLocked) -> Table:
    coup = replace(live(table), locked=True, warned=table.warned)
    return bets_closed(replace(table, coup=coup), coup.number)


def bets_closed(table: Table, number: int) -> Table:
    """Keep what holds now for the wagers of this coup, unless it is as it was for the last."""
    now = AtClose(table.gaming_day, table.warned, table.individual, table.places)
    kept = tuple(entry for entry in table.closes if entry[0] < number)
    if not kept or kept[-1][1] != now:
        kept = (*kept, (number, now))
    return replace(table, closes=kept)


def coup_not_dealt(table: Table, event: events.CoupNotDealt) -> Table:
    """As before it was opened, save that its number is used; what was found of it still holds."""
    coup = live(table)
    assert table.shoe is not None
    shoe = table.shoe
    if event.next_kind is NextCoup.NONE and not shoe.ended:
        shoe = replace(shoe, ended=coup.barred_clause)
    barred = coup.kind is CoupKind.NON_BETTING and coup.barred is NextCoup.ORDINARY
    return replace(
        table,
        coup=None,
        shoe=shoe,
        next_kind=event.next_kind,
        next_clause=coup.kind_clause if barred else coup.barred_clause,
        carried=event.carried,
        carried_clause=coup.carried_clause,
        free_coups=table.free_coups + (coup.kind is CoupKind.FREE),
        proposals=_outliving(table),
    )


def free_coups_allowed(table: Table, event: events.FreeCoupsAllowed) -> Table:
    """The coup on which bets are being taken is the first of them."""
    coup, more = table.coup, event.coups
    if coup is not None and not coup.locked and coup.kind is CoupKind.ORDINARY:
        coup, more = replace(coup, kind=CoupKind.FREE), more - 1
    return replace(
        table,
        coup=coup,
        free_coups=table.free_coups + more,
        free_coups_given=table.free_coups_given + event.coups,
    )


def no_bet_coup_asked(table: Table, event: events.NoBetCoupAsked) -> Table:
    asked = replace(table.no_bet, asked_by=event.person, agreed=frozenset({event.person}))
    return replace(table, no_bet=asked)


def no_bet_coup_agreed(table: Table, event: events.NoBetCoupAgreed) -> Table:
    agreed = table.no_bet.agreed | {event.person}
    return replace(table, no_bet=replace(table.no_bet, agreed=agreed))


def no_bet_coup_directed(table: Table, _event: events.NoBetCoupDirected) -> Table:
    return replace(table, no_bet=replace(table.no_bet, directed=True))


def face_down_asked(table: Table, event: events.FaceDownAsked) -> Table:
    asked = table.face_down.asked_by | {event.person}
    return replace(table, face_down=replace(table.face_down, asked_by=asked))


def face_down_withdrawn(
    table: Table, event: events.FaceDownWithdrawn | events.FaceDownLapsed
) -> Table:
    asked = table.face_down.asked_by - {event.person}
    return replace(table, face_down=replace(table.face_down, asked_by=asked))


def face_down_acknowledged(table: Table, event: events.FaceDownAcknowledged) -> Table:
    informed = {**table.face_down.informed, event.role: event.person}
    return replace(table, face_down=replace(table.face_down, informed=informed))


def face_down_set(table: Table, event: events.FaceDownSet) -> Table:
    """Once cards are dealt face up again, face-down play must be asked for anew."""
    now = replace(table.face_down, on=True) if event.down else FaceDownPlay()
    coup = table.coup
    if coup is not None and not coup.drawn:
        coup = replace(coup, face_down=event.down)
    return replace(table, face_down=now, coup=coup)


def exposer_named(table: Table, event: events.ExposerNamed) -> Table:
    coup = live(table)
    return replace(table, coup=replace(coup, named={**coup.named, event.side: event.person}))


def card_drawn(table: Table, event: events.CardDrawn) -> Table:
    coup = live(table)
    assert table.shoe is not None
    pack = saw(table.pack, event.card)
    if not pack.check_due:
        pack = replace(pack, check_due=True)
    return replace(
        table,
        coup=replace(coup, drawn=(*coup.drawn, Drawn(event.card, event.laid))),
        shoe=draw(table.shoe),
        pack=pack,
    )


def excess_card_drawn(table: Table, event: events.ExcessCardDrawn) -> Table:
    assert table.shoe is not None
    pack = saw(table.pack, event.card)
    coup = table.coup  # one that is open has no card yet, and one that is void has its own
    before = table.coup_number - (coup is not None and coup.verdict is None)
    drawn = (before, Drawn(event.card, event.laid))
    pack = replace(pack, between=(*pack.between, drawn), check_due=True)
    return replace(table, shoe=draw(table.shoe), pack=pack)


def carried_dealt(table: Table, event: events.CarriedDealt) -> Table:
    coup = live(table)
    return replace(
        table,
        coup=replace(
            coup,
            drawn=(*coup.drawn, Drawn(event.card)),
            carried=coup.carried[1:],
            begun=coup.begun + 1,
        ),
        pack=saw(table.pack, event.card) if event.named else table.pack,
    )


def carried_turned(table: Table, event: events.CarriedTurned) -> Table:
    """It has its name from now on, where it was drawn too; the ruling that follows names it among
    the cards that begin the next coup.
    """
    _, _, carried = next_standing(table)
    table = replace(table, pack=saw(table.pack, event.card))
    places = places_of(table, carried[: event.position])
    if not places:
        return table
    number, position = places[-1]
    coups = tuple(
        replace(past, drawn=_named(past.drawn, position, event.card))
        if past.number == number and position >= 0
        else past
        for past in table.coups
    )
    between = table.pack.between
    if position < 0:  # drawn between coups: counted from the first
        at = -position - 1
        turned = replace(between[at][1], card=event.card)
        between = (*between[:at], (between[at][0], turned), *between[at + 1 :])
    return replace(table, coups=coups, pack=replace(table.pack, between=between))


def _named(drawn: tuple[Drawn, ...], index: int, card: Card) -> tuple[Drawn, ...]:
    return (*drawn[:index], replace(drawn[index], card=card), *drawn[index + 1 :])


def card_turned(table: Table, event: events.CardTurned) -> Table:
    coup, index = live(table), event.position - 1
    coup = replace(coup, drawn=_named(coup.drawn, index, event.card))
    hands = coup.hands(table.terms)
    face_down = {Side.PLAYER: None in hands.player, Side.BANKER: None in hands.banker}
    held_by = {side: person for side, person in coup.held_by.items() if face_down[side]}
    return replace(table, coup=replace(coup, held_by=held_by), pack=saw(table.pack, event.card))


def card_shown(table: Table, event: events.CardShown) -> Table:
    coup = live(table)
    return replace(table, coup=replace(coup, shown=coup.shown | {event.position}))


def cards_passed(table: Table, event: events.CardsPassed) -> Table:
    coup = live(table)
    return replace(
        table,
        coup=replace(coup, held_by={**coup.held_by, event.side: event.person}),
        pack=replace(table.pack, handled=True, passed=True),
    )


def cards_refused(table: Table, event: events.CardsRefused) -> Table:
    coup = live(table)
    refused = (*coup.refused, (event.side, event.person))
    held_by = {side: who for side, who in coup.held_by.items() if side is not event.side}
    return replace(table, coup=replace(coup, refused=refused, held_by=held_by))


def points_announced(table: Table, _event: events.PointsAnnounced) -> Table:
    return replace(table, coup=replace(live(table), announced=True))


def last_coup_announced(table: Table, event: events.LastCoupAnnounced) -> Table:
    return replace(table, coup=replace(live(table), last=event.last))


def result_declared(table: Table, event: events.ResultDeclared) -> Table:
    coup = replace(live(table), verdict=Verdict.STANDS, result=event.result)
    return replace(table, coup=coup)


def wager_settled(table: Table, event: events.WagerSettled) -> Table:
    """Chips leave the layout: some to the owner, the rest to the bank, winnings from it."""
    coup, wager, line = table.coup, event.wager, event.line
    to_bank = line.collected_cents - line.won_cents
    if coup is None or coup.number != event.coup:  # an earlier coup settled anew: no chips lie
        return replace(
            table,
            chips=move_chips(table, wager.by, -to_bank),
            bank_cents=table.bank_cents + to_bank,
        )
    wagers = list(coup.wagers)
    wagers.remove(
        wager if wager in wagers else next(lies for lies in wagers if is_same(lies, wager))
    )
    return replace(
        table,
        coup=replace(coup, wagers=tuple(wagers), lines=(*coup.lines, line)),
        chips=move_chips(table, wager.by, wager.cents - to_bank),
        bank_cents=table.bank_cents + to_bank,
    )


def coup_ended(table: Table, event: events.CoupEnded) -> Table:
    coup = live(table)
    assert table.shoe is not None
    assert table.notice is not None
    assert coup.verdict is not None
    record = CoupRecord(
        coup.number,
        coup.kind,
        table.notice,
        coup.drawn,
        coup.verdict,
        coup.result,
        coup.lines,
        coup.begun,
        table.shoe.extra_round,
    )
    shoe = shoe_after_coup(table.shoe, coup.result, table.terms) if coup.drawn else table.shoe
    following = coup.following
    if event.next_kind is NextCoup.NONE and not shoe.ended:
        shoe = replace(shoe, ended=following.clause)
    return replace(
        table,
        coup=None,
        coups=(*table.coups, record),
        shoe=shoe,
        next_kind=event.next_kind,
        next_clause=following.clause,
        carried=event.carried,
        carried_clause=coup.left_over.clause,
        abstained=abstentions(table, coup),
        no_bet=replace(table.no_bet, running=_running(table.no_bet.running, coup)),
        proposals=_outliving(table),
        contest=_after(table, coup) if table.is_contest else table.contest,
    )


def _after(table: Table, coup: LiveCoup) -> Contest:
    """What a competition keeps of a coup: wagers that ride, and whether it counts."""
    counts = coup.verdict is Verdict.STANDS and coup.takes_wagers
    coups = table.contest.coups + counts
    return replace(table.contest, rides=_rides(table, coup), coups=coups)


def _rides(table: Table, coup: LiveCoup) -> tuple[Wager, ...]:
    """Wagers on the hands that a Tie leaves lying; a void coup leaves all as it was before it
    [tas-2018:16.5.8].
    """
    if coup.verdict is Verdict.VOID:
        return table.contest.rides
    if coup.result is not Result.TIE:
        return ()
    return tuple(
        replace(line.wager, cents=line.stake_cents, late_cents=0, withdrawn=False, reduced=False)
        for line in _of_chips(coup)
        if line.wager.on in BET_ON_HAND and line.outcome is Outcome.PUSHES
    )


def _of_chips(coup: LiveCoup) -> tuple[Line, ...]:
    """The lines of wagers that were laid: a form is used up by a Tie [tas-2018:16.6.5]."""
    secret = [form.wager for form in coup.forms.values() if form.wager]
    lines = list[Line]()
    for line in reversed(coup.lines):  # forms are settled after chips
        if line.wager in secret:
            secret.remove(line.wager)
        else:
            lines.insert(0, line)
    return tuple(lines)


BET_ON_HAND = (Bet.PLAYER, Bet.BANKER)


def _outliving(table: Table) -> dict[int, Proposal]:
    """The proposals that are about more than the coup that is over."""
    return {
        number: proposal
        for number, proposal in table.proposals.items()
        if not isinstance(proposal.ask, OF_THIS_COUP)
    }


OF_THIS_COUP = (VoidCoup, VoidWagers, RuleOn, ReportIrregularity)
"""Proposals that die with the coup they were made for."""


def _running(running: int, coup: LiveCoup) -> int:
    """No-bet coups in a row; what is void, or non-betting by rule, neither counts nor breaks it."""
    if coup.verdict is Verdict.VOID or coup.kind is CoupKind.NON_BETTING:
        return running
    return running + 1 if coup.kind is CoupKind.NO_BET else 0


APPLY: events.Applies = {
    events.CoupOpened: coup_opened,
    events.WagerPlaced: wager_placed,
    events.WagerChanged: wager_changed,
    events.WagerReduced: wager_changed,
    events.WagerMadeUp: wager_changed,
    events.WagerWithdrawn: wager_withdrawn,
    events.NoMoreBetsCalled: no_more_bets_called,
    events.BetsLocked: bets_locked,
    events.CoupNotDealt: coup_not_dealt,
    events.FreeCoupsAllowed: free_coups_allowed,
    events.NoBetCoupAsked: no_bet_coup_asked,
    events.NoBetCoupAgreed: no_bet_coup_agreed,
    events.NoBetCoupDirected: no_bet_coup_directed,
    events.FaceDownAsked: face_down_asked,
    events.FaceDownWithdrawn: face_down_withdrawn,
    events.FaceDownLapsed: face_down_withdrawn,
    events.FaceDownAcknowledged: face_down_acknowledged,
    events.FaceDownSet: face_down_set,
    events.ExposerNamed: exposer_named,
    events.CardDrawn: card_drawn,
    events.ExcessCardDrawn: excess_card_drawn,
    events.CarriedDealt: carried_dealt,
    events.CarriedTurned: carried_turned,
    events.CardTurned: card_turned,
    events.CardShown: card_shown,
    events.CardsPassed: cards_passed,
    events.CardsRefused: cards_refused,
    events.PointsAnnounced: points_announced,
    events.LastCoupAnnounced: last_coup_announced,
    events.ResultDeclared: result_declared,
    events.WagerSettled: wager_settled,
    events.CoupEnded: coup_ended,
}
