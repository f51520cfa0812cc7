"""Colours as pages write them, `#rrggbb`: how far apart two are, and a lighter or darker one."""

from colorsys import rgb_to_hls

WHITE, BLACK = "#ffffff", "#000000"
READABLE = 4.5
"""The contrast that text of any size needs (WCAG 2.2, AA)."""
STEPS = 100


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG counts it, from 1 to 21.

    >>> round(contrast("#ffffff", "#000000"), 2), contrast("#20634a", "#20634a")
    (21.0, 1.0)
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another in it.

    >>> mixed("#20634a", "#000000", 0.5), mixed("#20634a", "#ffffff", 0)
    ('#103225', '#20634a')
    """
    parts = zip(_parts(colour), _parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def readable_on(ground: str, colour: str, towards: str) -> str:
    """The colour, brought so far towards another that it can be read on this ground.

    >>> readable_on("#ffffff", "#0f6549", BLACK), readable_on("#ffffff", "#ffe14d", BLACK)
    ('#0f6549', '#857528')
    """
    shades = (mixed(colour, towards, step / STEPS) for step in range(STEPS + 1))
    return next((shade for shade in shades if contrast(shade, ground) >= READABLE), towards)


def ink_on(ground: str) -> str:
    """Black or white, whichever is read more easily; one of them always can be.

    >>> ink_on("#0f6549"), ink_on("#4fc596")
    ('#ffffff', '#000000')
    """
    return max((WHITE, BLACK), key=lambda ink: contrast(ink, ground))


HUES = {
    15: "red",
    45: "orange",
    70: "yellow",
    170: "green",
    255: "blue",
    290: "violet",
    335: "pink",
}
"""By the degree at which each ends, the hues that have a name; beyond the last it is red again."""
PALE, DARK, BRIGHT = 0.12, 0.3, 0.75
"""Saturation below which a colour is a grey; lightness of a dark and of a light one."""
CREAM = (20, 70, 0.86)
"""The hues between which a colour is called cream, and the lightness from which on."""


def colour_words(colour: str) -> tuple[str, str]:
    """What people call a colour: how light it is, and its name.

    >>> colour_words("#bf2730"), colour_words("#25282e"), colour_words("#2f7fb5")
    (('plain', 'red'), ('plain', 'black'), ('plain', 'blue'))
    >>> colour_words("#e7e3d8"), colour_words("#f3ead6"), colour_words("#ffe0b2")
    (('plain', 'cream'), ('plain', 'cream'), ('light', 'orange'))
    """
    red, green, blue = (part / 255 for part in _parts(colour))
    hue, light, saturation = rgb_to_hls(red, green, blue)
    if saturation < PALE or not 0.18 < light < 0.94:
        return "plain", "black" if light < DARK else "white" if light > BRIGHT else "grey"
    if CREAM[0] < 360 * hue < CREAM[1] and light >= CREAM[2]:
        return "plain", "cream"
    name = next((name for end, name in HUES.items() if 360 * hue < end), "red")
    return "dark" if light < DARK else "light" if light > BRIGHT else "plain", name


def _parts(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(part / 255) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
