"""`puntobanco odds`: exact odds of every wager, from any composition of the shoe."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import chain, groupby
from math import sqrt
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import App, Parameter
from rich.text import Text

from puntobanco.cli import show
from puntobanco.cli.files import drawing
from puntobanco.cli.show import Json, Words
from puntobanco.errors import MalformedError
from puntobanco.odds.composition import Composition, full, parse_values, without
from puntobanco.odds.counting import counting
from puntobanco.odds.course import (
    Exposure,
    Point,
    burn_seen,
    course_of,
    edges,
    exposures,
    is_simple,
    play_through,
    seen,
    simple_ends,
)
from puntobanco.odds.distribution import Distribution, distribution
from puntobanco.odds.plot import Panel
from puntobanco.odds.wagers import PricedWager, Worth, pairs, read_paytable, wagers_of, worth
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.documents.ruleset import RULESETS, Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.paper.notation import ShoeText, parse_shoe

Value = TypeVar("Value")
app = App(
    name="odds",
    help_format="plaintext",
    version_flags=[],
    help_epilogue="Example: puntobanco odds --ruleset mbs-2017 --decks 10 --gone 9c Kd",
)

Many = Annotated[tuple[str, ...], Parameter(consume_multiple=True, negative=(), show_default=False)]


@app.default
def odds(
    *,
    ruleset: str | None = None,
    decks: int | None = None,
    gone: Many = (),
    shoe: Path | None = None,
    composition: Words | None = None,
    paytable: Path | None = None,
    json: Json = False,
) -> int:
    """Exact odds of every wager: expected value, house edge, variance.

    Parameters
    ----------
    ruleset
        tas-2018 (when left out), tas-2013, act-2015 or mbs-2017.
    decks
        How many decks the shoe began with; 8 when left out. Any number is priced, and a line
        says so where the document does not allow it.
    gone
        Cards that are gone, such as "9c Kd 2h".
    shoe
        A shoe in the notation: its cards are gone; it has its own rule set and decks.
    composition
        Cards left by value: ten counts, of 0 to 9, with commas; or - for one a line.
    paytable
        Price an operator's own wagers (TOML) instead of the rule set's.
    json
        Print JSON.
    """
    show.refuse_together(composition=composition is not None, gone=gone, shoe=shoe)
    show.refuse_together(composition=composition is not None, decks=decks is not None)
    show.refuse_together(shoe=shoe, decks=decks is not None)
    show.refuse_together(shoe=shoe, ruleset=ruleset)
    text = None if shoe is None else _read_shoe(shoe)
    rules = load_ruleset(text.notice.ruleset if text else ruleset or "tas-2018")
    wagers = wagers_of(rules) if paytable is None else _read_paytable(paytable)
    if composition == "-":
        return show.json_lines(lambda line: _line(line, rules, wagers))
    if composition is not None:
        left = parse_values(composition)
    elif text is not None and shoe is not None:
        cards = seen(text, _of_file(shoe, partial(play_through, text)))
        left = without(full(text.notice.decks), chain(burn_seen(text), *cards))
    else:
        left = _left(decks, gone)
    wagers = tuple(wager for wager in wagers if decks is None or _offered(rules, wager, decks))
    ends = distribution(left, rules.tableau)
    worths = _worths(wagers, left, ends)
    if json:
        show.print_json(_as_json(left, ends, worths, full_answer=True))
    else:
        _print(left, ends, worths, rules)
        _print_allowed(rules, decks)
    return 0


def _read_paytable(file: Path) -> tuple[PricedWager, ...]:
    text = show.read_file(file)
    return _of_file(file, lambda: read_paytable(text))


def _left(decks: int | None, gone: tuple[str, ...]) -> Composition:
    cards = parse_cards(" ".join(gone).replace(",", " "))
    return without(full(8 if decks is None else decks), [str(card) for card in cards])


def _read_shoe(file: Path) -> ShoeText:
    text = show.read_file(file)
    return _of_file(file, lambda: parse_shoe(text))


def _line(text: str, rules: Ruleset, wagers: tuple[PricedWager, ...]) -> dict[str, object]:
    """One composition of a pipeline, by the fast kernel where it will do."""
    left = parse_values(text)
    if left.cards < 6 or not all(is_simple(wager) or wager.is_on_pairs for wager in wagers):
        ends = distribution(left, rules.tableau)
    else:
        ends = simple_ends(counting()(left.by_value, rules.tableau), rules.tableau.naturals)
    return _as_json(left, ends, _worths(wagers, left, ends), full_answer=False)


def _worths(wagers: tuple[PricedWager, ...], left: Composition, ends: Distribution) -> list[Worth]:
    return [one for wager in wagers if (one := worth(wager, left, ends))]


def _as_json(
    left: Composition, ends: Distribution, worths: list[Worth], *, full_answer: bool
) -> dict[str, object]:
    answer: dict[str, object] = {
        "composition": left.by_value,
        "counts": {
            **{result: ends.where(result=result) for result in ("player", "banker", "tie")},
            "banker_on_6": ends.banker_on_6,
        },
        "wagers": {value.name: _worth_json(value) for value in worths},
    }
    if full_answer:
        found = pairs(left)
        answer["sequences"] = ends.total
        answer["natural_either"] = ends.natural_either
        answer["by_cards"] = {str(cards): n for cards, n in ends.by_cards().items()}
        answer["by_total"] = {
            result: ends.by_total(result) for result in ("player", "banker", "tie")
        }
        answer["pairs"] = (
            {kind: str(Fraction(n, found[0])) for kind, n in found[1].items()} if found else None
        )
    return answer


def _worth_json(one: Worth) -> dict[str, object]:
    return {
        "ev": str(one.ev),
        "house_edge": float(one.house_edge),
        "ev_resolved": str(one.ev_resolved),
        "wins": str(one.wins),
        "pushes": str(one.pushes),
        "variance": str(one.variance),
        "standard_deviation": sqrt(one.variance),
    }


def _print(left: Composition, ends: Distribution, worths: list[Worth], rules: Ruleset) -> None:
    show.console.print(
        f"{left.cards} cards left under {rules.id}; by value 0 to 9:"
        f" {' '.join(map(str, left.by_value))}"
    )
    chances = show.plain_table("Chance of", "%", "of 6-card sequences", right=(1, 2))
    rows = {
        "Player": ends.where(result="player"),
        "Banker": ends.where(result="banker"),
        "Tie": ends.where(result="tie"),
        "Banker winning with 6": ends.banker_on_6,
        "a natural": ends.natural_either,
        **{f"{cards} cards": count for cards, count in ends.by_cards().items()},
    }
    for name, count in rows.items():
        chances.add_row(name, _percent(Fraction(count, ends.total)), f"{count:,}")
    show.console.print(chances)
    if found := pairs(left):
        total, kinds = found
        said = ", ".join(f"{kind} {_percent(Fraction(n, total))}" for kind, n in kinds.items())
        show.console.print(f"A pair, on each hand: {said} %.")
    else:
        show.console.print("Pairs need ranks and suits; the composition gives values alone.")
    table = show.plain_table(
        "Wager", "House edge %", "per resolved %", "Wins %", "SD", right=(1, 2, 3, 4)
    )
    for value in worths:
        table.add_row(
            value.name,
            _percent(value.house_edge),
            _percent(-value.ev_resolved),
            _percent(value.wins),
            f"{sqrt(value.variance):.4f}",
        )
    show.console.print(table)


def _print_allowed(rules: Ruleset, decks: int | None) -> None:
    """Say which decks the document allows, where the odds are those of others."""
    allowed = rules.cards.decks
    if decks is None or allowed.least <= decks <= (allowed.most or decks):
        return
    said = f"{allowed.least} to {allowed.most}" if allowed.most != allowed.least else allowed.least
    show.console.print(f"{rules.id} is played with {said} decks, not {decks}. [{allowed.clause}]")


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):.4f}"


@app.command
def table(*, json: Json = False) -> int:
    """House edge of every wager under every rule set and every deck count it allows.

    Parameters
    ----------
    json
        Print JSON.
    """
    rows: list[tuple[str, str, dict[int, Worth]]] = []
    for name in RULESETS:
        rules = load_ruleset(name)
        decks = range(rules.cards.decks.least, (rules.cards.decks.most or 8) + 1)
        ends = {number: distribution(full(number), rules.tableau) for number in decks}
        for wager in wagers_of(rules):
            priced = (
                (n, worth(wager, full(n), ends[n])) for n in decks if _offered(rules, wager, n)
            )
            rows.append((name, wager.name, {n: value for n, value in priced if value}))
    if json:
        show.print_json(
            [
                {"ruleset": name, "wager": wager, "decks": n, **_worth_json(one)}
                for name, wager, found in rows
                for n, one in found.items()
            ]
        )
        return 0
    columns = sorted({number for _, _, found in rows for number in found})
    headings = ["Wager", *map(str, columns)]
    printed = show.plain_table(*headings, right=tuple(range(1, len(headings))))
    for name, of_ruleset in groupby(rows, key=lambda row: row[0]):
        printed.add_row(Text(name, style="bold"))
        for _, wager_name, found in of_ruleset:
            cells = [
                f"{float(found[n].house_edge) * 100:.3f}" if n in found else "–" for n in columns
            ]
            printed.add_row(f"  {wager_name}", *cells)
    show.console.print("House edge in per cent, by decks; below zero the player has it.")
    show.console.print(printed)
    return 0


def _offered(rules: Ruleset, wager: PricedWager, decks: int) -> bool:
    """Is the wager offered with this many decks? Perfect Pairs may need more [tas-2018:4.1]."""
    needs = rules.cards.decks_with_perfect_pairs
    return not (wager.is_on_pairs and needs and decks < needs.least)


@app.command(
    name="course", help_epilogue="Example: puntobanco odds course evening.shoe --plot course.svg"
)
def course_(
    shoe: Path,
    /,
    *,
    plot: Path | None = None,
    paytable: Path | None = None,
    json: Json = False,
) -> int:
    """The course of every wager's edge through a recorded shoe: what the house was exposed to.

    Parameters
    ----------
    shoe
        A shoe in the notation.
    plot
        Draw it, such as to course.svg; .png and .pdf need the extra `plot`.
    paytable
        Follow an operator's own wagers (TOML) instead of the rule set's.
    json
        Print JSON.
    """
    if plot is not None:
        drawing.check_drawable(plot)
    text = _read_shoe(shoe)
    rules = load_ruleset(text.notice.ruleset)
    wagers = wagers_of(rules) if paytable is None else _read_paytable(paytable)
    points = _of_file(shoe, lambda: course_of(text, wagers, rules.tableau))
    found = exposures(points)
    if plot is not None:
        coups = [point.coup for point in points]
        panels = [Panel("house edge, %", coups, some) for some in edges(points)]
        drawing.draw_panels(plot, f"{rules.id}, {text.notice.decks} decks", "coup", panels)
    if json:
        show.print_json(_course_json(points, found))
    else:
        _print_course(points, found)
    return 0


def _of_file(file: Path, work: Callable[[], Value]) -> Value:
    """Say what is wrong with a shoe together with the name of its file."""
    try:
        return work()
    except MalformedError as error:
        raise MalformedError(f"{file}: {error}") from error


def _course_json(points: list[Point], found: tuple[Exposure, ...]) -> dict[str, object]:
    return {
        "coups": [
            {
                "coup": point.coup,
                "cards_left": point.composition.cards,
                "composition": point.composition.by_value,
                "ev": {value.name: str(value.ev) for value in point.worths},
            }
            for point in points
        ],
        "exposure": [
            {
                "wager": one.name,
                "first_coup": one.first,
                "coups": one.coups,
                "best_coup": one.best_coup,
                "best_ev": str(one.best_ev),
            }
            for one in found
        ],
    }


def _print_course(points: list[Point], found: tuple[Exposure, ...]) -> None:
    table = show.plain_table(
        "Wager", "Against the house", "First", "Best", "Players' edge %", right=(1, 2, 3, 4)
    )
    for one in found:
        table.add_row(
            one.name,
            f"{one.coups} of {len(points)} coups",
            f"coup {one.first}" if one.first else "never",
            f"coup {one.best_coup}",
            _percent(one.best_ev),
        )
    show.console.print(table)
