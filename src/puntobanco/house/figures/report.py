"""Reports: what was played in a range of gaming days, in lines of any kind, from figures kept.

Money alone is added up; competition chips and play chips are in reports of their own.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import erfc, sqrt
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from puntobanco.house.figures.chosen import EVERY, Chosen, coups
from puntobanco.house.figures.expected import expectation
from puntobanco.house.figures.parts import Kind, parts
from puntobanco.house.figures.projection import FiguresRead, cell_handles, cells
from puntobanco.house.figures.sums import Sums, add
from puntobanco.register.settings import Settings
from puntobanco.words import name_order

By = Literal[
    "table", "day", "hour", "dealer", "wager", "rules", "shoe", "coup", "person", "competition",
    "play",
]  # fmt: skip
WAYS: tuple[By, ...] = get_args(By)
EVER = ("", "9999-12-31")
"""A range that has every gaming day."""
KIND_OF: dict[By, Kind] = {
    "table": "rules", "day": "rules", "rules": "rules", "hour": "hour", "dealer": "dealer",
    "wager": "wager", "shoe": "shoe", "person": "person", "competition": "competition",
    "play": "play",
}  # fmt: skip
"""The cells that each report is added up from."""
BOOKS: tuple[Kind, ...] = ("competition", "play")
"""What is played in chips that are no money."""
Found = tuple[str, str, str, Sums]
"""A cell: table, gaming day, name, sums."""


class Figures(Struct, frozen=True):
    """A line of a report. Money is in cents."""

    key: str
    coups: int
    handle_cents: int
    """What was at risk."""
    paid_cents: int
    hold_cents: int
    """What the bank kept; below zero, what it lost."""
    breakage_cents: str
    """What rounding cost the bank, exactly."""
    voids: int
    corrections: int
    results: str
    """Player, Banker and Tie."""
    player_wins: int = 0
    banker_wins: int = 0
    ties: int = 0
    expected_cents: int | None = None
    """What the exact odds expect of the hold; null where the text of a rule set is lost."""
    spread_cents: int | None = None
    """One standard deviation of it."""
    table: str = ""
    """What the line is about, each part by itself; empty or null what it is not about."""
    gaming_day: str = ""
    hour: str = ""
    dealer: str = ""
    wager: str = ""
    ruleset: str = ""
    shoe: int | None = None
    coup: int | None = None
    person: str = ""
    competition: str = ""

    def share(self, cents: int | None) -> float | None:
        """An amount in per cent of the handle."""
        if cents is None or not self.handle_cents:
            return None
        return 100 * cents / self.handle_cents

    @property
    def breakage(self) -> int:
        """What rounding cost the bank, in whole cents."""
        return round(Fraction(self.breakage_cents))

    @property
    def off(self) -> float | None:
        """How many spreads the hold lies from what was expected."""
        if self.expected_cents is None or not self.spread_cents:
            return None
        return (self.hold_cents - self.expected_cents) / self.spread_cents

    @property
    def one_in(self) -> int | None:
        """Of how many, one lies as far from what is expected, or farther, by chance alone."""
        chance = erfc(abs(self.off) / sqrt(2)) if self.off is not None else 0
        return round(1 / chance) if chance > 1e-9 else None


COLUMNS = (
    *("table", "gaming_day", "hour", "dealer", "wager", "ruleset", "shoe", "coup", "person"),
    *("competition", "coups", "player_wins", "banker_wins", "ties", "voids", "corrections"),
    *("handle_cents", "paid_cents", "hold_cents", "expected_cents", "spread_cents"),
    "breakage_cents",
)
"""The columns of a report as CSV; a line leaves those empty that it is not about."""


def csv_line(one: Figures) -> list[object]:
    """The cells of a line; breakage is a fraction of a cent, and here a decimal."""
    cells = {name: getattr(one, name) for name in COLUMNS}
    return list({**cells, "breakage_cents": float(Fraction(one.breakage_cents))}.values())


class ReportAsked(Struct, frozen=True):
    """What is reported: lines of a kind, a range of gaming days, one table or all."""

    by: By = "table"
    first: str = EVER[0]
    last: str = EVER[1]
    table: str = ""
    person: str = ""
    """One patron's part in it, by gaming day or by table."""


def gathered(reading: FiguresRead, kind: Kind, asked: ReportAsked) -> list[Found]:
    """The cells of one kind; of a patron, theirs."""
    if not asked.person:
        return list(cells(reading, kind, asked.first, asked.last, asked.table))
    found = cells(reading, "person", asked.first, asked.last, asked.table, asked.person)
    return list(found)


def handles(
    reading: FiguresRead, kind: Kind, asked: ReportAsked
) -> Iterator[tuple[str, str, str, int]]:
    """The handle alone of each cell of one kind: table, gaming day, name, cents."""
    return cell_handles(reading, kind, asked.first, asked.last, asked.table)


class Report(Struct, frozen=True):
    """Lines, and all of them together."""

    by: By
    first: str
    last: str
    table: str
    total: Figures
    """Of all that was played; a coup with several wagers or patrons counts once."""
    lines: list[Figures]


def report(
    reading: FiguresRead, asked: ReportAsked, settings: Settings, most: int = EVERY
) -> Report:
    """A report; of its lines, the last ones at most."""
    return report_and_cells(reading, asked, settings, most)[0]


def report_and_cells(
    reading: FiguresRead, asked: ReportAsked, settings: Settings, most: int
) -> tuple[Report, int, list[Found]]:
    """A report with the last of its lines, for only these are worked out; how many there are; and
    the cells that all of it is added up from, so that nobody reads them twice.
    """
    kind = KIND_OF.get(asked.by, "rules")
    found = gathered(reading, kind, asked)
    whole = found if kind in ("rules", *BOOKS) else gathered(reading, "rules", asked)
    all_of_it = total(whole)
    if asked.by == "coup":
        shown, count = list(_by_coup(reading, asked, settings, most)), all_of_it.coups
    else:
        shown = lines(found, asked.by, settings, most)
        count = len({GROUPS[asked.by](*cell[:3]) for cell in found})
    made = Report(asked.by, asked.first, asked.last, asked.table, all_of_it, shown)
    return made, count, whole


def lines(found: Iterable[Found], by: By, settings: Settings, most: int = EVERY) -> list[Figures]:
    """Cells in groups, each group a line; the last ones at most."""
    groups: dict[tuple[str, ...], list[Sums]] = {}
    for table, day, name, sums in found:
        groups.setdefault(GROUPS[by](table, day, name), []).append(sums)
    last = sorted(groups, key=_in_order)[-most:]
    found_lines = [_line(by, group, add(groups[group])) for group in last]
    if by == "hour":  # in the order of a gaming day, from the hour in which it begins
        begins = settings.gaming_days[-1].minutes // 60
        found_lines.sort(key=lambda one: (int(one.hour) - begins) % 24)
    return found_lines


def total(found: Iterable[Found]) -> Figures:
    """All of it in one line."""
    return figures_of("", add(sums for *_, sums in found))


GROUPS: dict[By, Callable[[str, str, str], tuple[str, ...]]] = {
    "table": lambda table, _day, _name: (table,),
    "day": lambda _table, day, _name: (day,),
    "shoe": lambda table, _day, name: (table, name),
    **dict.fromkeys(
        ("hour", "dealer", "wager", "rules", "person", "competition", "play"),
        lambda _table, _day, name: (name,),
    ),
}
PARTS: dict[By, tuple[str, ...]] = {
    "table": ("table",), "day": ("gaming_day",), "shoe": ("table", "shoe"), "hour": ("hour",),
    "dealer": ("dealer",), "wager": ("wager",), "rules": ("ruleset",), "person": ("person",),
    "competition": ("competition",), "play": ("table",),
}  # fmt: skip
"""What a line of each kind is about."""


def _in_order(group: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    return tuple(name_order(part) for part in group)


def _line(by: By, group: tuple[str, ...], sums: Sums) -> Figures:
    about = dict(zip(PARTS[by], group, strict=True))
    key = f"{group[0]} shoe {group[1]}" if by == "shoe" else group[0]
    numbers = {"shoe": int(about["shoe"])} if "shoe" in about else {}
    return replace(figures_of(key, sums), **{**about, **numbers})


def figures_of(key: str, sums: Sums) -> Figures:
    """A line with what was to be expected."""
    wanted = expectation(sums)
    return Figures(
        key,
        sums.coups,
        sums.handle_cents,
        sums.paid_cents,
        sums.hold_cents,
        str(Fraction(*sums.breakage)),
        sums.voids,
        sums.corrections,
        f"{sums.player_wins}/{sums.banker_wins}/{sums.ties}",
        sums.player_wins,
        sums.banker_wins,
        sums.ties,
        round(wanted.cents) if wanted else None,
        round(wanted.spread_cents) if wanted else None,
    )


def _by_coup(
    reading: FiguresRead, asked: ReportAsked, settings: Settings, most: int
) -> Iterator[Figures]:
    """A line for each coup, in the order in which a table played them."""
    chosen = Chosen(first=asked.first, last=asked.last, table=asked.table)
    found = [coup for coup, _ in coups(reading, chosen, most=most)]
    for coup in sorted(found, key=lambda coup: (_in_order((coup.table,)), coup.number)):
        (day, *_), sums = next(iter(parts(coup, settings).items()))  # the whole comes first
        line = figures_of(f"{coup.table} coup {coup.number}", sums)
        yield replace(
            line, table=coup.table, gaming_day=day, shoe=coup.shoe, coup=coup.number,
            dealer=coup.dealer, ruleset=coup.ruleset,
        )  # fmt: skip
