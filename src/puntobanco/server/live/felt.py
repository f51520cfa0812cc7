"""The felt of a table as one viewer sees it: its layers, drawn from the view."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from markupsafe import Markup

from puntobanco.pictures import felt, stage
from puntobanco.pictures.chips import Chip
from puntobanco.pictures.geometry import SHAPES, layout
from puntobanco.rules.cards import Card
from puntobanco.rules.coup import Result, Side
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Verdict
from puntobanco.rules.notice import SEATS_MOST
from puntobanco.rules.settle import Outcome
from puntobanco.server.rendering import card_name, say
from puntobanco.table.view import Box, Play, Sign, View, WagerLaid
from puntobanco.words import LAST_SAYING, SAYINGS, Step, told_money

OFFERED = (Bet.PLAYER_PAIR, Bet.BANKER_PAIR, Bet.TIE, Bet.BANKER, Bet.PLAYER)
MINI = 0.6
"""How much of the usual curve a mini table has."""
STATES = {Outcome.WINS: "won", Outcome.LOSES: "lost", Outcome.PENDING: ""}
"""What becomes of the chips, to the eye; the rest goes back to its owner."""
STANDING = "wide"
"""The shape of a felt that stands still."""
BOXES = tuple(f"box-{seat}" for seat in range(1, SEATS_MOST + 1))
"""Each box is a layer, for they change one at a time; those that a table has not are empty."""
PAINTED = ("cloth", *BOXES, "furniture", "stakes", "stage")
LAYERS = (*PAINTED, "said")
INITIAL_CARDS = 4
BOXES_KEPT = 2048
"""Boxes remembered as they were drawn: most are as they were, and the same for many viewers."""


class Drawing(NamedTuple):
    """What decides where everything lies on a felt."""

    shape: str
    seats: tuple[int, ...]
    own: int
    bets: frozenset[str]
    flat: float


class Looker(NamedTuple):
    """What of the viewer and the house the felt depends on."""

    table: str
    shape: str
    now_ms: int
    may_sit: bool
    may_bet: bool
    name_at: Callable[[Box], str]
    chips: Sequence[Chip]
    files: felt.PictureFiles
    plays: bool
    """On the page of a player: one's own box is drawn large."""
    currency: str = ""
    """In which sentences and the placard write amounts; what lies on the felt are bare numbers."""
    bets_ms: int = 15_000
    """How long bets are taken here, as the ring is full; a dealer may give more."""

    def write(self, cents: int) -> str:
        return told_money(cents, self.currency)


def draw_felt(seen: View, looker: Looker) -> dict[str, str]:
    """All layers of the felt."""
    if seen.sign is None:
        return dict.fromkeys(LAYERS, "")
    drawing = _drawing(seen, looker)
    at = layout(*drawing)
    told = _told(seen, looker)
    names = {side.value: say(side.value) for side in Side}
    layout_name = seen.sign.notice.layout
    hands = _hands(seen)
    return {
        "cloth": felt.cloth(at, say("paper.layout", layout=layout_name) if layout_name else ""),
        **_boxes(seen, drawing, looker),
        "furniture": felt.furniture(at, _shoe(seen), _placard(seen.sign, looker), say("felt.rack")),
        "stakes": felt.stakes(at, _stakes(seen, looker), looker.chips, looker.files),
        "stage": stage.stage(at, hands, names, told, looker.files),
        "said": _spoken(seen, told),
    }


def standing_layers(
    seen: View, chips: Sequence[Chip], files: felt.PictureFiles, shape: str = STANDING
) -> dict[str, str]:
    """The layers of a felt that stands still, by their names."""
    looker = Looker("", shape, 0, *(False, False), seat_named, chips, files, plays=False)
    layers = draw_felt(seen, looker)
    return {name: layers[name] for name in PAINTED}


def framed(layers: Mapping[str, str], shape: str = STANDING) -> Markup:
    """Layers as one picture, each in a group of its own."""
    width, height = SHAPES[shape]
    drawn = "".join(f'<g data-layer="{name}">{layer}</g>' for name, layer in layers.items())
    return Markup(  # noqa: S704  our own drawing, whose words are escaped
        f'<svg class="standing felt-picture" viewBox="0 0 {width} {height}" role="group"'
        f' aria-label="{say("felt")}">{felt.DEFINED}{drawn}</svg>'
    )


def seat_named(box: Box) -> str:
    return say("felt.seat", seat=box.seat)


def own_box(seen: View) -> int:
    """The box at which the viewer plays; 0 without one."""
    return seen.own.place.box if seen.own and seen.own.place else 0


def _drawing(seen: View, looker: Looker) -> Drawing:
    assert seen.sign is not None
    notice = seen.sign.notice
    seats = tuple(range(1, notice.seats + 1))
    if notice.numbering == "clockwise":
        seats = seats[::-1]
    own = own_box(seen) if looker.plays else 0
    flat = MINI if notice.layout == "mini" else 1.0
    return Drawing(looker.shape, seats, own, frozenset(map(str, seen.sign.limits)), flat)


# the cloth


def odds_told(sign: Sign, bet: Bet) -> str:
    """The odds of a bet as they stand on a layout."""
    odds = sign.odds.get(bet, ())
    if not odds:
        return ""
    if bet in (Bet.PLAYER_PAIR, Bet.BANKER_PAIR) and len(odds) > 1:
        best = max(odds, key=lambda ratio: ratio[0] / ratio[1])
        return say("felt.odds.best", won=best[0], staked=best[1])
    told = [say("felt.odds", won=won, staked=staked) for won, staked in odds[:2]]
    return told[0] if len(told) == 1 else say("felt.odds.or", one=told[0], other=told[1])


def _range(sign: Sign, bet: Bet, looker: Looker) -> str:
    limits = sign.limits[bet]
    most = told_money(limits.max_cents)  # one sign is enough for both
    return say("felt.range", least=looker.write(limits.min_cents), most=most)


def _offers(sign: Sign, looker: Looker) -> tuple[felt.AreaOffer, ...]:
    return tuple(
        felt.AreaOffer(
            bet.value,
            say(f"felt.word.{bet}"),
            say(f"felt.long.{bet}"),
            odds_told(sign, bet),
            _range(sign, bet, looker),
        )
        for bet in OFFERED
        if bet in sign.limits
    )


def _labels(seen: View, looker: Looker) -> dict[str, str]:
    """The areas of one's own box, to be pressed where scripts run."""
    if not (looker.plays and own_box(seen)) or seen.sign is None:
        return {}
    return {
        bet.value: say(
            "felt.area",
            on=say(f"area.{bet}"),
            least=looker.write(limits.min_cents),
            most=looker.write(limits.max_cents),
        )
        for bet, limits in seen.sign.limits.items()
    }


def _boxes(seen: View, drawing: Drawing, looker: Looker) -> dict[str, str]:
    assert seen.sign is not None
    offers, labels = _offers(seen.sign, looker), tuple(_labels(seen, looker).items())
    drawn = {
        f"box-{box.seat}": _box(drawing, _seat(seen, box, looker), offers, labels)
        for box in seen.boxes
    }
    return {name: drawn.get(name, "") for name in BOXES}


@lru_cache(BOXES_KEPT)
def _box(
    drawing: Drawing,
    seat: felt.SeatDrawn,
    offers: tuple[felt.AreaOffer, ...],
    labels: tuple[tuple[str, str], ...],
) -> str:
    at = layout(*drawing)
    place = next(one for one in at.boxes if one.seat == seat.seat)
    return felt.box(at, place, seat, offers, dict(labels))


def _seat(seen: View, box: Box, looker: Looker) -> felt.SeatDrawn:
    own = own_box(seen) == box.seat
    href = ""
    if looker.may_sit and not box.taken:
        href = f"/tables/{looker.table}/do/sit?seat={box.seat}"
    if own:
        name = say("felt.you")
    elif box.taken:
        name = looker.name_at(box)
    else:
        name = say("felt.take", seat=box.seat) if href else say("felt.free")
    return felt.SeatDrawn(
        box.seat,
        name,
        box.taken,
        href,
        say("felt.take", seat=box.seat),
        tuple(_marks(box, looker)),
        box.turn,
        tuple(_notes(box)),
    )


def _marks(box: Box, looker: Looker) -> Iterator[felt.SeatMark]:
    """What lies beside a box, each with a letter: puck, discs, form and marker."""
    if box.puck:
        yield felt.SeatMark("puck", say("felt.mark.puck"), say("puck"))
    for side in box.discs:
        yield felt.SeatMark(
            f"disc {side}", say(f"felt.letter.{side}"), say("felt.disc", side=say(side))
        )
    if box.form:
        yield felt.SeatMark("form", say("felt.mark.form"), say("felt.form"))
    if box.marker:
        least, most = looker.write(box.marker.min_cents), looker.write(box.marker.max_cents)
        told = say("felt.limits", least=least, most=most)
        yield felt.SeatMark("limits", say("felt.mark.limits"), told)


def _notes(box: Box) -> Iterator[str]:
    if box.chips is not None and box.taken:
        yield told_money(box.chips)
    if box.standing:
        yield f"+{box.standing}"


# the furniture


def _shoe(seen: View) -> felt.ShoeDrawn | None:
    shoe = seen.shoe
    if shoe is None:
        return None
    if shoe.marker_shows:
        label, note = say("felt.shoe.marker"), say("felt.shoe.note.marker")
    else:
        label, note = say("felt.shoe", tenths=shoe.tenths), say("felt.shoe.note")
    return felt.ShoeDrawn(shoe.tenths, shoe.marker_shows, label, note)


def _placard(sign: Sign, looker: Looker) -> list[tuple[str, str]]:
    rows = [(say("felt.main"), _range(sign, Bet.BANKER, looker))]
    if Bet.TIE in sign.limits:
        rows.append((say("tie"), _range(sign, Bet.TIE, looker)))
    if Bet.BANKER_PAIR in sign.limits:
        rows.append((say("felt.pairs"), _range(sign, Bet.BANKER_PAIR, looker)))
    return [*rows, (sign.method.rpartition(": ")[2], "")]


# the chips


def _stakes(seen: View, looker: Looker) -> list[felt.StakeDrawn]:
    """What lies on each area, all players' chips on it together."""
    play = seen.play
    if play is None:
        return []
    piles = defaultdict[tuple[int, Bet], list[tuple[int, WagerLaid]]](list)
    for order, laid in enumerate((*play.settled, *play.wagers), 1):
        piles[laid.box, laid.on].append((order, laid))
    return [_pile(box, on, laid, looker) for (box, on), laid in piles.items()]


def _pile(
    box: int, on: Bet, ordered: list[tuple[int, WagerLaid]], looker: Looker
) -> felt.StakeDrawn:
    laid = [one for _, one in ordered]
    own = [one for one in laid if one.own]
    told = own or laid
    paid, cents = sum(one.won_cents for one in told), sum(one.cents for one in told)
    first = told[0]
    if first.outcome is not None:
        state = STATES.get(first.outcome, "back")
    else:
        state = "late" if first.late or first.withdrawn else ""
    return felt.StakeDrawn(
        box,
        on.value,
        sum(one.cents for one in laid),
        told_money(cents),
        state,
        sum(one.won_cents for one in laid),
        told_money(paid),
        ordered[0][0],
        bool(own),
        say(
            "felt.pay.won" if paid else "felt.laid",
            amount=looker.write(paid or cents),
            on=say(f"area.{on}"),
        ),
    )


# the stage


def _points(hand: tuple[Card | None, ...]) -> int | None:
    cards = [card for card in hand if card is not None]
    if len(cards) < max(2, len(hand)):
        return None
    return sum(card.points for card in cards) % 10


def _hands(seen: View) -> dict[str, stage.HandDrawn]:
    """The coup in play; between coups the last one, whose cards were seen."""
    shown: Mapping[Side, tuple[Card | None, ...]] = {Side.PLAYER: (), Side.BANKER: ()}
    if seen.play is not None:
        shown = {Side.PLAYER: seen.play.player, Side.BANKER: seen.play.banker}
    elif seen.phase == "ready" and seen.past:
        shown = {Side.PLAYER: seen.past[-1].player, Side.BANKER: seen.past[-1].banker}
    turning = seen.own.turning if seen.own else {}
    left = seen.play.left_over if seen.play else seen.left_over
    hands = {
        side.value: stage.HandDrawn(
            tuple(card.value if card else None for card in hand),
            _points(hand),
            tuple(map(card_name, hand)),
            tuple((position, say("squeeze")) for position in turning.get(side, ())),
        )
        for side, hand in shown.items()
    }
    named = tuple(f"{say('left-over')} {card_name(card)}" for card in left)
    values = tuple(card.value if card else None for card in left)
    return {**hands, "left-over": stage.HandDrawn(values, None, named)}


def _told(seen: View, looker: Looker) -> stage.StageTold:
    play = seen.play
    if play is None:
        return stage.StageTold(*_between(seen, looker))
    if play.verdict is Verdict.VOID:
        return stage.StageTold(say("void"))
    if seen.phase == "held":
        return stage.StageTold(say("held"))
    if seen.phase == "betting":
        return _betting(seen, play, looker)
    if play.result is None:
        turns = seen.own is not None and any(seen.own.turning.values())
        note = say("felt.turn") if turns else _last_hand(play)
        return stage.StageTold(dealt_told(play), note, counts=play.next is None)
    won = tuple(dict.fromkeys(one.on.value for one in play.settled if one.outcome is Outcome.WINS))
    won = tuple(dict.fromkeys((play.result.value, *won)))
    note = _own_result(seen, looker) or _last_hand(play)
    return stage.StageTold(
        result_told(play.result, play.player, play.banker),
        note,
        won,
        play.result.value,
        say(f"felt.letter.{play.result}"),
    )


def result_told(
    result: Result, player: tuple[Card | None, ...], banker: tuple[Card | None, ...]
) -> str:
    """A result as it is said on every page."""
    points = {Side.PLAYER: _points(player), Side.BANKER: _points(banker)}
    if result is Result.TIE:
        return say("tied", player=points[Side.PLAYER], banker=points[Side.BANKER])
    side = Side(result.value)
    other = Side.BANKER if side is Side.PLAYER else Side.PLAYER
    return say("wins", side=say(side), won=points[side], lost=points[other])


def _between(seen: View, looker: Looker) -> tuple[str, str, tuple[str, ...], str, str]:
    """Between coups the last result stays in sight."""
    if seen.phase == "shut":
        return say("lobby.shut").capitalize(), "", (), "", ""
    if seen.phase != "ready":
        return say("preparing"), "", (), "", ""
    note = say("next-without-bets") if seen.next_coup == "non-betting" else ""
    if not seen.past or seen.past[-1].result is None:
        return say("felt.ready"), note, (), "", ""
    last = seen.past[-1]
    assert last.result is not None
    words = result_told(last.result, last.player, last.banker)
    note = note or _own_result(seen, looker)
    return words, note, (last.result.value,), last.result.value, say(f"felt.letter.{last.result}")


def _betting(seen: View, play: Play, looker: Looker) -> stage.StageTold:
    if play.called:
        return stage.StageTold(say("no-more-bets"), _last_hand(play))
    if play.time_over:
        return stage.StageTold(say("time-over"))
    if not play.kind.takes_wagers:
        return stage.StageTold(say("no-bets-coup"), _last_hand(play))
    note = _last_hand(play)
    if seen.own and seen.own.place and not note:
        staked = any(laid.own for laid in play.wagers)
        note = say("felt.first") if not staked and looker.may_bet else ""
        if seen.own.last_net_cents is not None:
            note = _last_net(seen.own.last_net_cents, looker)
    seconds, timed = None, {}
    if play.until_ms and looker.now_ms:  # a felt that stands still has no clock
        left = max(0, play.until_ms - looker.now_ms)
        seconds = -(-left // 1000)
        timed = {"until": play.until_ms, "now": looker.now_ms, "of": max(left, looker.bets_ms)}
    return stage.StageTold(say("place-bets"), note, seconds=seconds, timed=timed)


def _last_hand(play: Play) -> str:
    return "" if play.last == "no" else say(f"last-hand.{play.last}")


def dealt_told(play: Play) -> str:
    """What is said while cards are dealt: points once both hands have two, then who draws."""
    if play.player_points is None or play.banker_points is None:
        return say("no-more-bets")
    if play.next is not None:
        return say("felt.third", side=say(play.next))
    return say("felt.points", player=play.player_points, banker=play.banker_points)


def _last_net(cents: int, looker: Looker) -> str:
    return say("felt.last-coup", net=signed(cents, looker)) if cents else say("felt.last-coup.even")


def signed(cents: int, looker: Looker) -> str:
    return f"−{looker.write(-cents)}" if cents < 0 else f"+{looker.write(cents)}"


def _own_result(seen: View, looker: Looker) -> str:
    """What became of each of one's own wagers, in a line."""
    told = []
    for line in seen.own.payouts if seen.own else ():
        on = say(f"area.{line.wager.on}")
        if line.outcome is Outcome.WINS:
            told.append(say("felt.pay.won", amount=looker.write(line.won_cents), on=on))
        elif line.outcome is Outcome.LOSES:
            told.append(say("felt.pay.lost", amount=looker.write(line.collected_cents), on=on))
        else:
            told.append(say("felt.pay.back", on=on))
    return " · ".join(told)


def _spoken(seen: View, told: stage.StageTold) -> str:
    """The same for whoever listens instead of looking, and what a voice says aloud."""
    read = " ".join(filter(None, (f"{told.words}.", told.note and f"{told.note}.")))
    announced = dealer_says(seen.play) if seen.play and seen.phase != "held" else ""
    return f'<span data-announced="{escape(announced)}">{escape(read)}</span>'


def dealer_says(play: Play) -> str:
    """What the dealer has announced last, in the dealer's own words; nothing but that."""
    if play.verdict is Verdict.VOID:
        return ""
    if play.result is not None:
        result = result_told(play.result, play.player, play.banker)
        return SAYINGS[Step.DECLARE].format(result=result)
    if play.called and not (play.player or play.banker):
        return SAYINGS[Step.CALL]
    if not (play.player or play.banker) and not play.time_over:
        opened = Step.OPEN_COUP if play.kind.takes_wagers else Step.OPEN_WITHOUT_BETS
        return f"{LAST_SAYING.get(play.last, '')} {SAYINGS[opened]}".strip()
    if play.player_points is None or play.banker_points is None:
        dealt = len(play.player) + len(play.banker)
        return SAYINGS[Step.CALL] if 0 < dealt <= INITIAL_CARDS else ""
    drawn = {Side.PLAYER: Step.CARD_FOR_PLAYER, Side.BANKER: Step.CARD_FOR_BANKER}
    points = {"player": play.player_points, "banker": play.banker_points}
    return SAYINGS[drawn[play.next]].format(**points) if play.next in drawn else ""
