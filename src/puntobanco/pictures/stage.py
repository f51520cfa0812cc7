"""The stage of the felt: both hands with their points, the ring or the winner, what is said."""

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from puntobanco.pictures.felt import PictureFiles, at_spot, lettered
from puntobanco.pictures.geometry import FeltLayout, HandPlace, Spot, round_of

FACES_FROM = 56
"""The width of a card from which its whole face is drawn; below it, its index."""
SIDES = ("player", "banker")


class HandDrawn(NamedTuple):
    cards: tuple[str | None, ...]
    """Two characters a card; None lies face down."""
    points: int | None
    labels: tuple[str, ...]
    """Each card in words."""
    turns: tuple[tuple[int, str], ...] = ()
    """For cards that the viewer turns: the number of each, and what pressing it does."""


class StageTold(NamedTuple):
    """What the stage says."""

    words: str
    note: str = ""
    won: tuple[str, ...] = ()
    """The winning areas; empty before there is a result."""
    winner: str = ""
    letter: str = ""
    seconds: int | None = None
    counts: bool = False
    """The words tell the points of both hands."""
    timed: Mapping[str, int] = {}
    """`until`, `now` and `of` of the bet timer, in milliseconds."""


def _card(
    width: float, spot: Spot, number: int, hand: HandDrawn, side: str, files: PictureFiles
) -> str:
    card, height = hand.cards[number], width * 1.4
    face = "card-back"
    if card is not None:
        face = f"{'card' if width >= FACES_FROM else 'index'}-{card}"
    drawn = (
        f'<g class="slide"><g class="flip"><rect class="cast" x="{-width / 2 + 1:.1f}"'
        f' y="{-height / 2 + 2:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{width * 0.07:.1f}"/>'
        f'<use href="{files.cards}#{face}" x="{-width / 2:.1f}" y="{-height / 2:.1f}"'
        f' width="{width:.1f}" height="{height:.1f}"/></g></g>'
    )
    named = f'role="img" aria-label="{escape(hand.labels[number])}"'
    if number < len(hand.turns) and card is None:
        position, label = hand.turns[number]
        drawn = (
            f'<g class="turns" role="button" tabindex="0" data-position="{position}"'
            f' aria-label="{escape(label)}">{drawn}</g>'
        )
        named = ""
    key = f"{side}-{number} {card or 'down'}"
    return f'<g class="card" transform="{at_spot(spot)}" data-lies="{key}" {named}>{drawn}</g>'


def _spot(place: HandPlace, number: int) -> Spot:
    """Where a card lies; one dealt in error beyond the third, across it."""
    if number < len(place.cards):
        return place.cards[number]
    third = place.cards[-1]
    return Spot(third.x, third.y - (number - 2) * place.card * 0.4, third.turn)


def _halo(place: HandPlace, count: int) -> str:
    """A frame round the cards the hand really has."""
    wide, tall, pad = place.card / 2, place.card * 0.7, 8
    spans = [
        (spot.x - tall, spot.y - wide, spot.x + tall, spot.y + wide)
        if spot.turn
        else (spot.x - wide, spot.y - tall, spot.x + wide, spot.y + tall)
        for spot in place.cards[: max(2, count)]
    ]
    x, y = min(span[0] for span in spans) - pad, min(span[1] for span in spans) - pad
    right, low = max(span[2] for span in spans) + pad, max(span[3] for span in spans) + pad
    return (
        f'<rect class="halo" x="{x:.1f}" y="{y:.1f}" width="{right - x:.1f}" height="{low - y:.1f}"'
        ' rx="12"/>'
    )


def _hand(place: HandPlace, hand: HandDrawn, side: str, name: str, files: PictureFiles) -> str:
    width, height = place.card, place.card * 1.4
    slots = "".join(
        f'<rect class="slot" transform="{at_spot(spot)}" x="{-width / 2:.1f}" y="{-height / 2:.1f}"'
        f' width="{width:.1f}" height="{height:.1f}" rx="{width * 0.07:.1f}"/>'
        for spot in place.cards[:2]
    )
    points = ""
    if hand.points is not None:
        r = place.points_r
        points = (
            f'<g class="points" transform="{at_spot(place.points)}"><circle r="{r:.1f}"/>'
            f"{lettered(str(hand.points), '', Spot(0, r * 0.4), r * 1.15)}</g>"
        )
    cards = "".join(
        _card(width, _spot(place, number), number, hand, side, files)
        for number in range(len(hand.cards))
    )
    label = lettered(name.upper(), "side", place.label, place.label_size, place.label_anchor)
    return (
        f'<g class="hand {side}">{_halo(place, len(hand.cards))}{slots}{label}{points}{cards}</g>'
    )


def _ring(at: FeltLayout, told: StageTold) -> str:
    """The bet timer: a ring that empties; or the winner's letter in its place."""
    r, around = at.ring_r, round_of(at)
    if told.letter:
        return (
            f'<g class="winner {told.winner}" transform="{at_spot(at.ring)}"><circle r="{r:.1f}"/>'
            f"{lettered(told.letter, '', Spot(0, r * 0.37), r)}</g>"
        )
    if told.seconds is None:
        return ""
    timed = " ".join(f'data-{name}="{value}"' for name, value in told.timed.items())
    left = told.seconds * 1000 / max(1, told.timed.get("of", 1))
    return (
        f'<g id="ring" transform="{at_spot(at.ring)}" {timed}><circle class="track" r="{r:.1f}"/>'
        f'<circle class="left" r="{r:.1f}" transform="rotate(-90)" stroke-dasharray="{around:.1f}"'
        f' stroke-dashoffset="{around * max(0, 1 - left):.1f}" data-around="{around:.1f}"/>'
        f"{lettered(str(told.seconds), 'seconds', Spot(0, r * 0.33), r * 0.92)}</g>"
    )


def _left_over(at: FeltLayout, left_over: HandDrawn, files: PictureFiles) -> str:
    """Cards at the mouth of the shoe that begin the next coup, small and beside it."""
    if not left_over.cards:
        return ""
    width = at.player.card * 0.45
    y = at.shoe.y + at.shoe.height + 30 * at.unit if at.shoe else at.ring.y + at.ring_r + 30
    x = at.shoe.x + at.shoe.width / 2 if at.shoe else at.ring.x
    drawn = "".join(
        _card(width, Spot(x + number * (width + 4), y), number, left_over, "left-over", files)
        for number in range(len(left_over.cards))
    )
    return f'<g class="left-over">{drawn}</g>'


def stage(
    at: FeltLayout,
    hands: Mapping[str, HandDrawn],
    names: Mapping[str, str],
    told: StageTold,
    files: PictureFiles,
) -> str:
    """Both hands with their points, the ring or the winner, and what is said."""
    places = {"player": at.player, "banker": at.banker}
    drawn = "".join(_hand(places[side], hands[side], side, names[side], files) for side in SIDES)
    below = Spot(at.headline.x, at.headline.y + at.note_size * 1.55)
    won = f' data-won="{" ".join(told.won)}"' if told.won else ""
    left_over = _left_over(at, hands["left-over"], files) if "left-over" in hands else ""
    headline = "headline counts" if told.counts else "headline"
    return (
        f'<g id="result" data-winner="{told.winner}"{won}>{drawn}{left_over}{_ring(at, told)}'
        f"{lettered(told.words, headline, at.headline, at.headline_size)}"
        f"{lettered(told.note, 'note', below, at.note_size)}</g>"
    )
