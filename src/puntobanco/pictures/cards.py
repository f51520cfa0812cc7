"""Playing cards, drawn: ranks are strokes and suits are paths, so every device shows the same card.

Three drawings of a card: its face; its index, large and without pips, for small cards and for
walls; and its squeeze, without corners and with the side pips moved out, so that one, two, three
or four of them can be read from the edge.
"""

from collections.abc import Iterable, Iterator

RANKS = "A23456789TJQK"
SUITS = "cdhs"
WIDTH, HEIGHT = 250, 350
"""The box every card is drawn in."""
PAPER, EDGE = "#fffdf6", "#cfc6b2"
RED, BLACK = "#bd1f2a", "#16191d"

GLYPHS = {
    "A": "M1.5 27.5 10 1l8.5 26.5M5 18.5h10",
    "2": "M2.6 8.6C2.6-1 17.4-1 17.4 8.2c0 6-8.6 10.6-14.6 18.2h15.6",
    "3": "M3 2h14l-8.4 10C20 11.4 21 26.6 9.6 26.6c-4 0-6.6-1.8-8-5",
    "4": "M14.4 28V1.6L1.6 19.6h17.4",
    "5": "M16.6 2H5.2L4 12.8c4-3.6 14.2-2.6 14.2 6 0 9-12.6 10.4-16.4 3.8",
    "6": "M14.6 1.6C7 6 2.2 11.6 2.2 18.6a7.8 7.8 0 1 0 15.6 0 7.8 7.8 0 0 0-15.4-1.6",
    "7": "M1.8 2h16.4C12 10 8.4 18 7.8 28",
    "8": "M10 13a5.8 5.7 0 1 1 0-11.4A5.8 5.7 0 1 1 10 13a7.8 6.8 0 1 0 0 13.6A7.8 6.8 0 1 0 10 13",
    "9": "M5.4 26.4c7.6-4.4 12.4-10 12.4-17a7.8 7.8 0 1 0-15.6 0 7.8 7.8 0 0 0 15.4 1.6",
    "T": "M-1 5.6 3 2v26M14 1.6c-4 0-6 5-6 12.4s2 12.4 6 12.4 6-5 6-12.4-2-12.4-6-12.4Z",
    "J": "M6 2h11M13 2v18c0 8.6-10.6 8.8-11.6 1",
    "Q": "M10 1.6C4.6 1.6 1.8 7 1.8 14S4.6 26.4 10 26.4 18.2 21 18.2 14 15.4 1.6 10 1.6ZM11 19.6l8 8.4",
    "K": "M3 1v27M17.4 1.4 3 17.2M8.6 11.6 18.6 28",
}
"""Ranks as strokes in a box of 20 by 28."""

SUIT_PATHS = {
    "h": "M50 92C18 66 5 50 5 31 5 16 16 7 28 7c10 0 18 6 22 16C54 13 62 7 72 7c12 0 23 9 23 24 0 19"
    "-13 35-45 61Z",
    "d": "M50 3c9 19 21 34 36 47-15 13-27 28-36 47-9-19-21-34-36-47C29 37 41 22 50 3Z",
    "s": "M50 4c8 18 44 36 44 61 0 14-10 21-20 21-8 0-15-4-19-11 1 9 5 16 13 21H32c8-5 12-12 13-21"
    "-4 7-11 11-19 11C16 86 6 79 6 65 6 40 42 22 50 4Z",
    "c": "M50 5a20.5 20.5 0 0 1 15 34.5 21 21 0 1 1-9.5 33.5c1 10 5 18 13 23h-37c8-5 12-13 13-23A21"
    " 21 0 1 1 35 39.5 20.5 20.5 0 0 1 50 5Z",
}
"""Suits in a box of 100 by 100."""

LEFT, MIDDLE, RIGHT = 87, 125, 163
Pips = tuple[tuple[int, int], ...]


def _pairs(rows: Iterable[int]) -> Pips:
    return tuple((x, y) for y in rows for x in (LEFT, RIGHT))


THREE, FOUR = (64, 175, 286), (64, 138, 212, 286)
PIPS: dict[str, Pips] = {
    "2": ((MIDDLE, 64), (MIDDLE, 286)),
    "3": tuple((MIDDLE, y) for y in THREE),
    "4": _pairs((64, 286)),
    "5": (*_pairs((64, 286)), (MIDDLE, 175)),
    "6": _pairs(THREE),
    "7": (*_pairs(THREE), (MIDDLE, 119)),
    "8": (*_pairs(THREE), (MIDDLE, 119), (MIDDLE, 231)),
    "9": (*_pairs(FOUR), (MIDDLE, 175)),
    "T": (*_pairs(FOUR), (MIDDLE, 101), (MIDDLE, 249)),
}
"""Where the pips of each rank lie."""
SPREAD = 26
"""How far the side pips of a squeezed card are moved out."""

COURTS = {
    "K": {
        "hair": "#8d8378",
        "crown": '<path d="M-20-104-26-132l14 11L0-138l12 17 14-11-6 28Z" fill="{gold}"/>'
        '<path d="M-20-107h40" stroke="{robe}" stroke-width="5"/>'
        '<g fill="{trim}"><circle cx="-26" cy="-133" r="3.4"/><circle cy="-138" r="3.4"/>'
        '<circle cx="26" cy="-133" r="3.4"/></g>',
        "hairs": '<path d="M-23-96c-5 16-3 38 6 50 5-6 9-8 17-8s12 2 17 8c9-12 11-34 6-50-4 10-5 22-9'
        ' 26-5-5-23-5-28 0-4-4-5-16-9-26Z" fill="{hair}"/>',
        "held": '<path d="M50-20v-104l4-10 4 10v104Z" fill="#c9ced6"/>'
        '<path d="M42-38h24M54-38v18" stroke="{gold}" stroke-width="5" stroke-linecap="round"/>',
    },
    "Q": {
        "hair": "#a5612c",
        "crown": '<path d="M-21-103C-24-118-22-124-25-128l11 7 6-13 8 9 8-9 6 13 11-7c-3 4-1 10-4 25Z"'
        ' fill="{gold}"/><g fill="{trim}"><circle cx="-14" cy="-109" r="3"/><circle cy="-109" r="3"/>'
        '<circle cx="14" cy="-109" r="3"/></g>',
        "hairs": '<path d="M-20-104c-10 14-12 40-6 54 6-2 9-8 9-16-5-10-5-24-3-38ZM20-104c10 14 12 40'
        ' 6 54-6-2-9-8-9-16 5-10 5-24 3-38Z" fill="{hair}"/>',
        "held": '<path d="M-50-18q-2-22 2-40" fill="none" stroke="#2f6b46" stroke-width="3"/>'
        '<g fill="{trim}"><circle cx="-47" cy="-76" r="6.5"/>'
        '<circle cx="-39.4" cy="-70.5" r="6.5"/><circle cx="-42.3" cy="-61.5" r="6.5"/>'
        '<circle cx="-51.7" cy="-61.5" r="6.5"/><circle cx="-54.6" cy="-70.5" r="6.5"/></g>'
        '<circle cx="-47" cy="-68" r="5" fill="{gold}"/>',
    },
    "J": {
        "hair": "#5b3a22",
        "crown": '<path d="M-25-102c-4-20 12-30 29-29 18 1 27 13 23 29-16-7-34-7-52 0Z" fill="{robe}"/>'
        '<path d="M-26-100c17-8 36-8 54 0l-1 6c-17-7-35-7-52 0Z" fill="{gold}"/>'
        '<path d="M14-120c10-16 24-20 38-15-8 2-8 10-16 15-7 4-14 4-22 0Z" fill="{trim}"/>',
        "hairs": '<path d="M-22-98c-6 14-6 28-2 38 6 0 9-4 9-9-4-8-4-18-3-29ZM22-98c6 14 6 28 2 38-6'
        ' 0-9-4-9-9 4-8 4-18 3-29Z" fill="{hair}"/>',
        "held": '<path d="M-52-14v-112" stroke="{gold}" stroke-width="4"/>'
        '<path d="M-52-134l9 16-9 10-9-10Z" fill="{trim}"/>',
    },
}
"""What tells king, queen and jack apart."""
ROBES = (
    '<path d="M-66 0v-22c8-18 26-30 46-36h40c20 6 38 18 46 36V0Z" fill="{robe}"/>'
    '<path d="M-22-60 0-22l22-38 12 4L0 0l-34-56Z" fill="{gold}"/>'
    '<path d="M-13-60h26L0-36Z" fill="{skin}"/>'
    '<path d="M-66-14c20-2 36 4 46 14h-14c-8-6-18-8-32-7ZM66-14c-20-2-36 4-46 14h14c8-6 18-8 32-7Z"'
    ' fill="{trim}"/><g fill="{trim}"><circle cx="-7" cy="-22" r="2.6"/><circle cy="-8" r="2.6"/>'
    '<circle cx="7" cy="-22" r="2.6"/></g>'
)
FACE = (
    '<ellipse cy="-84" rx="19" ry="24" fill="{skin}"/>'
    '<path d="M-12-89q4.5-4 9 0M3-89q4.5-4 9 0M0-86v8l-3 2" fill="none" stroke="#2a1c16"'
    ' stroke-width="1.8" stroke-linecap="round"/>'
    '<path d="M-4.5-69q4.5 2.6 9 0" fill="none" stroke="#a8323a" stroke-width="2.2"'
    ' stroke-linecap="round"/>'
)
SHEET = f'<rect x="1" y="1" width="248" height="348" rx="18" fill="{PAPER}" stroke="{EDGE}" stroke-width="2"/>'


def ink(suit: str) -> str:
    return RED if suit in "dh" else BLACK


def _suit(suit: str, x: float, y: float, size: float, turn: int = 0) -> str:
    """A suit of this size about a point."""
    half = size / 2
    turned = f" rotate({turn})" if turn else ""
    return (
        f'<use href="#{suit}" transform="translate({x:g} {y:g}){turned}" x="{-half:g}" y="{-half:g}"'
        f' width="{size:g}" height="{size:g}"/>'
    )


def _rank(rank: str, suit: str, x: float, y: float, height: float, weight: float = 4) -> str:
    return (
        f'<path d="{GLYPHS[rank]}" fill="none" stroke="{ink(suit)}" stroke-width="{weight:g}"'
        f' stroke-linejoin="round" transform="translate({x:g} {y:g}) scale({height / 28:.3f})'
        ' translate(-10 0)"/>'
    )


def _twice(drawn: str) -> str:
    """Once upright and once turned round, as a card is read from both ends."""
    return f'{drawn}<g transform="rotate(180 125 175)">{drawn}</g>'


def _court(rank: str, suit: str) -> str:
    robe, trim = ("#a92730", "#22386b") if suit in "dh" else ("#22304f", "#a8323a")
    parts = COURTS[rank]
    colours = {
        "robe": robe,
        "trim": trim,
        "gold": "#d8a53c",
        "skin": "#f3dcc0",
        "hair": parts["hair"],
    }
    body = (
        ROBES + FACE + parts["hairs"]  # a king's beard lies over his robe
        if rank == "K"
        else parts["hairs"] + ROBES + FACE
    )
    half = (parts["held"] + body + parts["crown"]).format(**colours)
    corner = _suit(suit, 78 if rank == "K" else 172, 96 if rank == "J" else 54, 28)
    return (
        '<rect x="58" y="32" width="134" height="286" rx="8" fill="#fbf3df"/>'
        + _twice(f'<g transform="translate(125 175)">{half}</g>')
        + f'<path d="M58 175h134" stroke="{PAPER}" stroke-width="4"/>'
        + _twice(corner)
        + '<rect x="58" y="32" width="134" height="286" rx="8" fill="none" stroke="#b08a45"'
        ' stroke-width="2.5"/>'
    )


def _middle(rank: str, suit: str, spread: int = 0) -> str:
    """What stands between the corners; `spread` moves the side columns out."""
    if rank in COURTS:
        return _court(rank, suit)
    if rank == "A":
        return _suit(suit, 125, 175, 104)
    out = {LEFT: -spread, MIDDLE: 0, RIGHT: spread}
    return "".join(_suit(suit, x + out[x], y, 46, 180 if y > 176 else 0) for x, y in PIPS[rank])


def _face(rank: str, suit: str) -> str:
    corner = _rank(rank, suit, 31, 18, 46) + _suit(suit, 31, 90, 34)
    return SHEET + _middle(rank, suit) + _twice(corner)


def _index(rank: str, suit: str) -> str:
    return SHEET + _rank(rank, suit, 78, 34, 132, 4.4) + _suit(suit, 158, 252, 142)


def _squeeze(rank: str, suit: str) -> str:
    return SHEET + _middle(rank, suit, SPREAD)


def _back() -> str:
    diamonds = "".join(
        f"M{x} {y - 13}l13 13-13 13-13-13Z" for y in range(45, 320, 26) for x in range(34, 230, 26)
    )
    return (
        SHEET + '<rect x="14" y="14" width="222" height="322" rx="10" fill="#23324d"/>'
        f'<path d="{diamonds}" fill="none" stroke="#6f7c95" stroke-width="1.5"/>'
        '<rect x="22" y="22" width="206" height="306" rx="6" fill="none" stroke="#d9b566"'
        ' stroke-width="2"/><circle cx="125" cy="175" r="42" fill="#23324d" stroke="#d9b566"'
        ' stroke-width="2.5"/>'
        f'<path d="{SUIT_PATHS["d"]}" fill="#d9b566" transform="translate(99 149) scale(.52)"/>'
    )


def _symbol(name: str, drawn: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{drawn}</symbol>'


def _suits() -> str:
    return "".join(
        f'<symbol id="{suit}" viewBox="0 0 100 100"><path d="{path}" fill="{ink(suit)}"/></symbol>'
        for suit, path in SUIT_PATHS.items()
    )


def _file(symbols: Iterator[str]) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{_suits()}{"".join(symbols)}</svg>'


def _pack() -> Iterator[tuple[str, str]]:
    return ((rank, suit) for rank in RANKS for suit in SUITS)


def cards_file() -> str:
    """The whole pack as one file: `card-9c` its face, `index-9c` its index, `card-back`."""

    def symbols() -> Iterator[str]:
        yield _symbol("card-back", _back())
        for rank, suit in _pack():
            yield _symbol(f"card-{rank}{suit}", _face(rank, suit))
            yield _symbol(f"index-{rank}{suit}", _index(rank, suit))

    return _file(symbols())


def squeeze_file() -> str:
    """The pack for squeezing: `squeeze-9c`; the whole of it, so that none is asked for by name."""
    return _file(_symbol(f"squeeze-{rank}{suit}", _squeeze(rank, suit)) for rank, suit in _pack())
