"""`puntobanco competition places` and `clinch`: who ranks where, and can it still change?"""

from msgspec import Struct, field

from puntobanco.cli import show
from puntobanco.cli.competition.given import amounts_by_name, limits_of, names, numbers_by_name
from puntobanco.cli.show import Flag, Json
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.clinch import clinch as clinched
from puntobanco.rules.competition.clinch import play_under
from puntobanco.rules.competition.places import Ended, PlaceRow, Standing, advance, award
from puntobanco.rules.documents.competition_rules import EndRules
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.paper.notation import parse_amount
from puntobanco.words import money

MOST_COUPS = 200
MOST_PLACES = 10_000


class PlaceLine(Struct):
    """One group of equals, as programs read it."""

    from_: int = field(name="from")
    to: int
    people: tuple[str, ...]
    how: str
    each_cents: int | None
    added_cents: int
    clauses: tuple[str, ...]


class PlaceList(Struct):
    places: tuple[PlaceLine, ...]
    through: tuple[str, ...]
    contested: tuple[str, ...]
    places_left: int


class ClinchFigures(Struct):
    verdict: str
    ahead: tuple[str, ...]
    proof: tuple[str, ...]


def places(
    *,
    ruleset: str,
    chips: str = "",
    out: str = "",
    gone: str = "",
    prizes: str | None = None,
    advance: int | None = None,
    below_minimum: Flag = False,
    json: Json = False,
) -> int:
    """Say who ranks where, who is through, and what equals do about it.

    Exit code 1 while something is still to be played for or ruled on.

    Parameters
    ----------
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017.
    chips
        Those who were never out, with their chips in dollars, such as "A 9000,B 4000".
    out
        Those who were eliminated, each with the coup, such as "C 20,D 20".
    gone
        Those who take no place, such as disqualified players.
    prizes
        The prizes in dollars, first place first, such as 5000,3000.
    advance
        Instead of prizes: how many advance.
    below_minimum
        The session is over because none of those left can make the minimum.
    json
        Print JSON.
    """
    rules = load_ruleset(ruleset).competition
    if (prizes is None) == (advance is None):
        raise MalformedError("say either --prizes or --advance")
    ends = rules.ends if rules else EndRules()
    ended = Ended(
        amounts_by_name(chips, "--chips"),
        numbers_by_name(out, "--out"),
        names(gone),
        below_minimum,
    )
    standing = _standing(ended, prizes, advance, ends)
    if json:
        show.print_json(_list(standing))
    else:
        _print(standing, advance)
    return 1 if standing.contested else 0


def _standing(ended: Ended, prizes: str | None, places: int | None, ends: EndRules) -> Standing:
    if places is not None:
        if not 1 <= places <= MOST_PLACES:
            raise MalformedError(f"--advance takes 1 to {MOST_PLACES}, not {places}")
        return advance(ended, places, ends)
    amounts = (prizes or "").split(",") if (prizes or "").strip() else []
    return award(ended, [parse_amount(amount.strip()) for amount in amounts], ends)


def _list(standing: Standing) -> PlaceList:
    lines = tuple(
        PlaceLine(
            row.from_,
            row.to,
            row.people,
            row.how,
            row.each_cents,
            row.added_cents,
            row.clauses,
        )
        for row in standing.places
    )
    return PlaceList(lines, standing.through, standing.contested, standing.places_left)


def _print(standing: Standing, places: int | None) -> None:
    table = show.plain_table("Place", "Who", "How", "Each", "Why", right=(0, 3))
    for row in standing.places:
        each = "to come" if row.each_cents is None else money(row.each_cents)
        cited = show.cited(row.clauses)
        table.add_row(_span(row), ", ".join(row.people), str(row.how), each, cited)
    show.console.print(table)
    for row in standing.places:
        if row.added_cents:
            show.console.print(f"The operator adds {money(row.added_cents)} to {_span(row)}.")
    if places is not None:
        show.console.print(f"Through: {', '.join(standing.through) or 'nobody yet'}.")
    if standing.contested:
        stake = show.counted(standing.places_left, "place" if places is not None else "prize")
        show.console.print(f"Still contested: {', '.join(standing.contested)}, for {stake}.")


def _span(row: PlaceRow) -> str:
    return str(row.from_) if row.from_ == row.to else f"{row.from_}-{row.to}"


def clinch(
    *,
    ruleset: str,
    chips: str,
    advance: int,
    coups: int,
    limits: str,
    tie_limits: str = "",
    pairs_limits: str = "",
    unit: str = "0.01",
    json: Json = False,
) -> int:
    """Say whether who advances is decided, secured (by betting the minimum) or still open.

    Exit code 1 if it is open. Only what is decided is ground to finish early.

    Parameters
    ----------
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017.
    chips
        Who holds how many chips, in dollars, such as "A 21001,B 5000".
    advance
        How many advance.
    coups
        How many coups are left.
    limits
        Minimum and maximum in dollars, such as 100-2000.
    tie_limits
        Those of Tie; without any, the same.
    pairs_limits
        Those of a pairs wager, where the conditions of a competition offer one.
    unit
        The unit of wagers in dollars; without any, a cent.
    json
        Print JSON.
    """
    if not 1 <= advance <= MOST_PLACES:
        raise MalformedError(f"--advance takes 1 to {MOST_PLACES}, not {advance}")
    if not 0 <= coups <= MOST_COUPS:
        raise MalformedError(f"--coups takes 0 to {MOST_COUPS}, not {coups}")
    held, unit_cents = amounts_by_name(chips, "--chips"), parse_amount(unit)
    if not held:
        raise MalformedError("--chips names nobody")
    if not unit_cents:
        raise MalformedError("--unit takes an amount above 0")
    play = play_under(
        load_ruleset(ruleset),
        limits_of(limits, "--limits"),
        limits_of(tie_limits, "--tie-limits") if tie_limits else None,
        limits_of(pairs_limits, "--pairs-limits") if pairs_limits else None,
        unit_cents,
    )
    found = clinched(held, advance, coups, play)
    if json:
        show.print_json(ClinchFigures(found.verdict, found.ahead, found.proof))
    else:
        show.console.print(f"{found.verdict.capitalize()}. Ahead: {', '.join(found.ahead) or '-'}.")
        for step in found.proof:
            show.console.print(f"  {step}")
    return 1 if found.verdict == "open" else 0
