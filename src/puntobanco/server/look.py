"""How the house looks on its pages: a stylesheet of custom properties, a logo, amounts of money.

The stylesheet sets nothing but colours that `tokens.css` names, each so that it can be read:
a felt was checked when it was set, an accent is brought as far as it must be in light and dark.
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup
from msgspec import Struct

from puntobanco.colours import BLACK, WHITE, ink_on, mixed, readable_on
from puntobanco.pictures.chips import Chip, chips_file
from puntobanco.register.settings import Settings
from puntobanco.words import told_money

FELT_SHADES = {"--felt-1": 0.0, "--felt-2": 0.16, "--felt-3": 0.4}
"""The felt from its middle to its edge, by the share of black in it."""
FAINTEST = "#ffcfc6"
"""Of all that is written on a felt and its areas, what needs the darkest one."""
WELL, DARK_WELL = "#ebe6d8", "#232d29"
"""The grounds of the light theme and of the dark one on which an accent is hardest to read."""
LOOK = "look"
"""The cookie of a reader's own choice."""
CHOICES = {
    "light": ("data-theme", "light"),
    "dark": ("data-theme", "dark"),
    "contrast": ("data-contrast", "more"),
}
CALM = ':root:not([data-contrast="more"])'
"""Whoever asks for more contrast keeps the felt that was made for it."""


class HouseLook(Struct, frozen=True):
    """What templates need of it; the version changes whenever stylesheet or logo do."""

    name: str
    currency: str
    logo: str
    """The logo's address; empty: there is none."""
    styles: str
    """The stylesheet's address; empty: the house looks as usual."""
    chips: str
    """The address of the pictures of its chips."""


def worn_of(chosen: str) -> dict[str, str]:
    """A reader's own choice, as the page itself wears it: so is its first picture.

    >>> worn_of("dark.contrast"), worn_of("pink")
    ({'data-theme': 'dark', 'data-contrast': 'more'}, {})
    """
    return dict(CHOICES[one] for one in chosen.split(".") if one in CHOICES)


def look_of(settings: Settings) -> HouseLook:
    look, css = settings.look, stylesheet(settings)
    logo = f"/look/logo.png?v={_version(look.logo)}" if look.logo else ""
    styles = f"/look.css?v={_version(css)}" if css else ""
    chips = f"/look/chips.svg?v={_chips_version(chips_of(settings))}"
    return HouseLook(look.name, look.currency, logo, styles, chips)


def chips_of(settings: Settings) -> tuple[Chip, ...]:
    """The house's chips as they are drawn."""
    return tuple(Chip(chip.cents, chip.face, chip.spot) for chip in settings.chips)


def chip_pictures(settings: Settings) -> str:
    """The house's chips as one file of symbols."""
    return chips_file(chips_of(settings))


def stylesheet(settings: Settings) -> str:
    """The house's colours, and those of its tables; empty: none were set."""
    look = settings.look
    rules = [f":root {{ {_accent(look.accent)} }}"] if look.accent else []
    felts = list(_felts(settings))
    if felts:
        rules += ["@media not (prefers-contrast: more) {", *felts, "}"]
    return "\n".join(rules)


def _felts(settings: Settings) -> Iterator[str]:
    if felt := settings.look.felt:
        yield f"{CALM} {{ {_felt(felt)} --bar: var(--felt-3); }}"
    for table, look in sorted(settings.tables.items()):
        if look.felt:
            yield f'{CALM} [data-table="{table}"] {{ {_felt(look.felt)} }}'


def _felt(felt: str) -> str:
    felt = readable_on(FAINTEST, felt, BLACK)
    return " ".join(f"{name}: {mixed(felt, BLACK, dark)};" for name, dark in FELT_SHADES.items())


def _accent(accent: str) -> str:
    light, dark = readable_on(WELL, accent, BLACK), readable_on(DARK_WELL, accent, WHITE)
    return (
        f"--accent: light-dark({light}, {dark});"
        f" --on-accent: light-dark({ink_on(light)}, {ink_on(dark)});"
        " --accent-wash: color-mix(in srgb, var(--accent) 12%, var(--sheet));"
    )


@lru_cache(16)
def _chips_version(chips: tuple[Chip, ...]) -> str:
    return _version(chips_file(chips))


def _version(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def shown_money(cents: int, currency: str) -> Markup:
    """An amount; the reader's own browser writes it as the reader is used to."""
    of = Markup(' data-currency="{}"').format(currency) if currency else ""
    return Markup('<data class="money" value="{}"{}>{}</data>').format(
        cents, of, told_money(cents, currency)
    )
