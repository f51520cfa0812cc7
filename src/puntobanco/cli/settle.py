"""`puntobanco settle`: what every wager of a coup, or of a whole shoe, is paid, and why."""

from fractions import Fraction
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec import Struct
from msgspec.structs import replace
from rich.text import Text

from puntobanco.cli import show
from puntobanco.cli.deal import print_ruling, terms_for
from puntobanco.cli.show import Json, Words
from puntobanco.errors import MalformedError
from puntobanco.rules.irregularities import NextCoup
from puntobanco.rules.notation import (
    cards_of,
    format_wager,
    parse_coup,
    parse_shoe,
    parse_wager,
)
from puntobanco.rules.playthrough import Paper, Played, play, play_coup
from puntobanco.rules.settle import Line, Settlement
from puntobanco.rules.shoe import check_copies, new_shoe
from puntobanco.words import money


class Payout(Struct):
    """One wager settled, in cents."""

    wager: str
    box: int
    on: str
    outcome: str
    staked_cents: int
    at_risk_cents: int
    returned_cents: int
    won_cents: int
    odds: str | None
    breakage: str
    warned: bool
    clauses: tuple[str, ...]


class Settled(Struct):
    """One coup settled."""

    coup: int
    outcome: str
    payouts: list[Payout]
    staked_cents: int
    returned_cents: int
    won_cents: int
    bank_cents: int
    breakage: str
    rulings: list[dict[str, object]]


def settle(
    *coup: Words,
    wager: Annotated[tuple[str, ...], Parameter(name=["--wager", "-w"])] = (),
    ruleset: str = "tas-2018",
    notice: Path | None = None,
    shoe: Path | None = None,
    warned: tuple[str, ...] = (),
    json: Json = False,
) -> int:
    """Settle the wagers of a coup, each payout with its clause.

    Parameters
    ----------
    coup
        Cards in the order they left the shoe, or two hands ("9c 2h / Kd 3s"), with wagers
        before a colon: "3 b 500, 4 t 10 : 9c Kd 2h 3s 5h". Or - to read one such coup a line
        and print one JSON line each.
    wager
        A wager: box, bet (p, b, t, pp, bp) and amount, such as "3 b 500". May be repeated.
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017; its sample notice is played under.
    notice
        A table notice (TOML) to play under; it names its own rule set.
    shoe
        A whole shoe in the notation; it carries its own notice.
    warned
        A player already warned about wagers below the minimum.
    json
        Print JSON.
    """
    if shoe is not None:
        return _settle_shoe(shoe, as_json=json)
    terms = terms_for(ruleset, notice)
    paper = Paper(terms, new_shoe(terms), warned=frozenset(warned))
    text = " ".join(coup)
    if text == "-":
        return show.json_lines(lambda line: _settled(_play(line, (), paper)))
    if not text.strip():
        raise MalformedError("no coup: name its cards (9c Kd 2h 3s 5h), or --shoe FILE")
    played = _play(text, wager, paper)
    if json:
        show.print_json(_settled(played))
    else:
        _print(played)
    return 0


def _play(text: str, wagers: tuple[str, ...], paper: Paper) -> Played:
    coup = parse_coup(text)
    check_copies(cards_of(coup.drawn), paper.terms)
    coup = replace(coup, wagers=(*coup.wagers, *map(parse_wager, wagers)))
    played, _ = play_coup(paper, coup)
    return played


def _settle_shoe(file: Path, *, as_json: bool) -> int:
    text = parse_shoe(file.read_text("utf-8"))
    for played in play(text):
        if as_json:
            print(show.json_encoder.encode(_settled(played)).decode())
        else:
            show.console.print(Text(f"Coup {played.number}", style="bold"), end=": ")
            _print(played)
    return 0


def _settled(played: Played) -> Settled:
    settlement = played.settlement
    rulings: list[dict[str, object]] = [
        {
            "found": one.found,
            "verdict": one.verdict,
            "next_coup": one.next_coup,
            "clauses": one.clauses,
        }
        for one in played.rulings
    ]
    return Settled(
        played.number,
        played.outcome,
        [_payout(line) for line in settlement.lines],
        settlement.staked_cents,
        settlement.returned_cents,
        settlement.won_cents,
        settlement.bank_cents,
        str(settlement.breakage),
        rulings,
    )


def _payout(line: Line) -> Payout:
    return Payout(
        format_wager(line.wager),
        line.wager.box,
        line.wager.on,
        line.outcome,
        line.wager.cents,
        line.stake_cents,
        line.returned_cents,
        line.won_cents,
        _odds(line) or None,
        str(Fraction(*line.breakage)) if line.breakage[0] else "0",
        line.warn,
        line.clauses,
    )


def _odds(line: Line) -> str:
    return "{}:{}".format(*line.odds) if line.odds else ""


def _print(played: Played) -> None:
    outcome = played.outcome.capitalize()
    kind = " (non-betting coup)" if played.kind is NextCoup.NON_BETTING else ""
    show.console.print(Text.assemble(outcome, kind, style="bold"))
    for ruling in played.rulings:
        print_ruling(ruling)
    settlement = played.settlement
    if not settlement.lines:
        return
    table = show.plain_table(
        "Box", "On", "Staked", "", "Odds", "Won", "Returned", "Why", right=(2, 4, 5, 6)
    )
    for line in settlement.lines:
        table.add_row(
            line.wager.owner,
            str(line.wager.on),
            money(line.wager.cents),
            f"{line.outcome}{', warned' if line.warn else ''}",
            _odds(line),
            money(line.won_cents) if line.won_cents else "",
            money(line.returned_cents),
            show.cited(line.clauses),
        )
    show.console.print(table)
    _print_totals(settlement)


def _print_totals(settlement: Settlement) -> None:
    breakage = settlement.breakage
    cost = f", of it breakage {breakage / 100}" if breakage else ""
    gained = settlement.bank_cents
    bank = f"bank {'wins' if gained >= 0 else 'pays'} {money(abs(gained))}"
    show.console.print(
        f"Staked {money(settlement.staked_cents)} = won {money(settlement.won_cents)}"
        f" + returned {money(settlement.returned_cents)} + bank {money(gained)} ({bank}{cost})"
    )
