"""`puntobanco settle`: what every wager of a coup, or of a whole shoe, is paid, and why."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from msgspec import Struct
from msgspec.structs import replace
from rich.text import Text

from puntobanco.cli import show
from puntobanco.cli.deal import print_ruling, remedy, terms_for
from puntobanco.cli.show import Json, Words
from puntobanco.errors import MalformedError, Refused
from puntobanco.rules.coup import Result
from puntobanco.rules.irregularities import NextCoup, Verdict
from puntobanco.rules.paper.notation import (
    cards_of,
    format_wager,
    parse_coup,
    parse_shoe,
    parse_wager,
)
from puntobanco.rules.paper.playthrough import Paper, PlayedCoup, play_coup, play_shoe
from puntobanco.rules.settle import Line, Settlement
from puntobanco.rules.shoe import check_copies, new_shoe
from puntobanco.rules.wagers import Wager
from puntobanco.words import money


class Payout(Struct):
    """One wager settled."""

    wager: str
    box: int
    owner: str
    on: str
    outcome: str
    staked_cents: int
    at_risk_cents: int
    returned_cents: int
    won_cents: int
    odds: str | None
    breakage_cents: str
    """Exact, as a fraction."""
    warned: bool
    clauses: tuple[str, ...]


class Settled(Struct):
    """One coup settled."""

    coup: int
    kind: str
    outcome: str
    payouts: list[Payout]
    staked_cents: int
    returned_cents: int
    won_cents: int
    bank_cents: int
    held_cents: int
    breakage_cents: str
    rulings: list[dict[str, object]]
    reversals: list[dict[str, object]]


def settle(
    *coup: Words,
    wager: Annotated[
        tuple[str, ...], Parameter(name=["--wager", "-w"], negative=(), show_default=False)
    ] = (),
    ruleset: str | None = None,
    notice: Path | None = None,
    shoe: Path | None = None,
    warned: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False)] = (),
    json: Json = False,
) -> int:
    """Settle the wagers of a coup, each payout with its clause.

    Parameters
    ----------
    coup
        Such as "3 b 500, 4 t 10 : 9c Kd 2h 3s 5h 6d"; or - for one coup a line.
    wager
        One more wager: box, bet (p, b, t, pp, bp) and amount, such as "3 b 500".
    ruleset
        tas-2018 (when left out), tas-2013, act-2015 or mbs-2017, with its sample notice.
    notice
        A table notice (TOML) to play under; it names its own rule set.
    shoe
        A whole shoe in the notation; it carries its own notice.
    warned
        Who was warned before about wagers below the minimum: 3, 3+1 or a name.
    json
        Print JSON.
    """
    show.refuse_options(coup, "settle")
    if shoe is not None and (coup or wager):
        raise MalformedError("--shoe brings its own coups and wagers; name no others")
    show.refuse_together(ruleset=ruleset, notice=notice, shoe=shoe)
    if shoe is not None:
        return _settle_shoe(shoe, as_json=json)
    terms = terms_for(ruleset, notice)
    paper = Paper(terms, new_shoe(terms), warned=frozenset(warned))
    text = " ".join(coup)
    if text == "-":
        return show.json_lines(lambda line: _settled(_play(line, wager, paper)))
    played = _play(text, wager, paper)
    if json:
        show.print_json(_settled(played))
    else:
        _print(played)
    return 0


NO_CARDS = "no cards: name them after the wagers, '3 b 500 : 9c Kd 2h 3s 5h 6d'"


def _play(text: str, wagers: tuple[str, ...], paper: Paper) -> PlayedCoup:
    if ":" not in text and _are_wagers(text):
        raise MalformedError(NO_CARDS)
    coup = parse_coup(text)
    if not coup.drawn:
        raise MalformedError(NO_CARDS)
    check_copies(cards_of(coup.drawn), paper.terms)
    coup = replace(coup, wagers=(*coup.wagers, *map(parse_wager, wagers)))
    return play_coup(paper, coup).played[-1]


def _are_wagers(text: str) -> bool:
    """Whether wagers alone were written, which would be read as cards without their colon."""
    try:
        return all(parse_wager(part) for part in text.split(","))
    except MalformedError:
        return False


def _settle_shoe(file: Path, *, as_json: bool) -> int:
    """Play the whole shoe before anything is said of it."""
    shoe, text = list[PlayedCoup](), show.read_file(file)
    try:
        shoe.extend(play_shoe(parse_shoe(text)))
    except MalformedError as error:
        raise MalformedError(f"{file}: {error}") from error
    except Refused as refused:
        raise MalformedError(f"{file}: coup {len(shoe) + 1}: {refused}") from refused
    for played in shoe:
        if as_json:
            print(show.json_encoder.encode(_settled(played)).decode())
            continue
        show.console.print(Text(f"Coup {played.number}: ", style="bold"), end="")
        show.console.print(show.faces(played.coup.drawn))
        _print(played)
        show.console.print()
    if not as_json:
        _print_shoe_totals(shoe)
    return 0


def _settled(played: PlayedCoup) -> Settled:
    settlement = played.settlement
    found = [(played.number, ruling) for ruling in played.rulings] + list(played.late)
    rulings: list[dict[str, object]] = [
        {"coup": number, "found": one.found, **msgspec.to_builtins(remedy(one))}
        for number, one in found
    ]
    reversals: list[dict[str, object]] = [
        {
            "wager": format_wager(reversal.wager),
            "owner": reversal.wager.owner,
            "to_owner_cents": reversal.to_owner_cents,
            "clauses": reversal.clauses,
        }
        for reversal in played.reversals
    ]
    return Settled(
        played.number,
        played.kind,
        played.outcome,
        [_payout(line) for line in settlement.lines],
        settlement.staked_cents,
        settlement.returned_cents,
        settlement.won_cents,
        settlement.bank_cents,
        settlement.held_cents,
        str(settlement.breakage),
        rulings,
        reversals,
    )


def _payout(line: Line) -> Payout:
    return Payout(
        format_wager(line.wager),
        line.wager.box,
        line.wager.owner,
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


def _place(wager: Wager) -> str:
    """The box, and who at it when not the seated player."""
    if not wager.by or wager.by.startswith(f"{wager.box}+"):
        return wager.owner
    return f"{wager.box} {wager.by}"


def _print(played: PlayedCoup) -> None:
    outcome = played.outcome.capitalize()
    if outcome == "Ruling":
        outcome = "Awaits a ruling"
    kind = " (non-betting coup)" if played.kind is NextCoup.NON_BETTING else ""
    show.console.print(Text(outcome + kind, style="bold"))
    for ruling in played.rulings:
        print_ruling(ruling)
    _print_lines(played.settlement)
    for number, ruling in played.late:
        print_ruling(ruling, f"Error found in coup {number}: ")
    for reversal in played.reversals:
        owner, cents = _place(reversal.wager), reversal.to_owner_cents
        way = f"bank to {owner}" if cents > 0 else f"{owner} to bank"
        back = Text(f"  back from {way}: {money(abs(cents))} ")
        show.console.print(Text.assemble(back, show.cited(reversal.clauses)))


def _print_lines(settlement: Settlement) -> None:
    if not settlement.lines:
        return
    partly = any(line.stake_cents != line.wager.cents for line in settlement.lines)
    headings = ["Box", "On", "Staked", "Outcome", "Odds", "Won", "Returned", "Why"]
    if partly:
        headings.insert(3, "At risk")
    numbers = {"Staked", "At risk", "Odds", "Won", "Returned"}
    right = tuple(index for index, name in enumerate(headings) if name in numbers)
    table = show.plain_table(*headings, right=right)
    for line in settlement.lines:
        row: list[str | Text] = [
            _place(line.wager),
            str(line.wager.on),
            money(line.wager.cents),
            f"{line.outcome}{', warned' if line.warn else ''}",
            _odds(line),
            money(line.won_cents) if line.won_cents else "",
            money(line.returned_cents),
            show.cited(line.clauses),
        ]
        if partly:
            row.insert(3, money(line.stake_cents))
        table.add_row(*row)
    show.console.print(table)
    _print_totals(settlement)


def _print_totals(settlement: Settlement) -> None:
    gained, held = settlement.bank_cents, settlement.held_cents
    parts = [
        f"won {money(settlement.won_cents)}",
        f"returned {money(settlement.returned_cents)}",
        f"bank {money(gained)}",
    ]
    if held:
        parts.append(f"held {money(held)}")
    said = f"Staked {money(settlement.staked_cents)} = {' + '.join(parts)}."
    breakage = settlement.breakage
    if breakage:
        verb = "cost" if breakage > 0 else "saved"
        said += f" Rounding {verb} the bank {_exactly(abs(breakage) / 100)}."
    show.console.print(said)


def _exactly(amount: Fraction) -> str:
    """An amount with as many places as it needs; odds divide by 2 and 20, so it ends."""
    places = next(n for n in range(2, 12) if (amount * 10**n).denominator == 1)
    return f"{float(amount):.{places}f}"


def _print_shoe_totals(shoe: list[PlayedCoup]) -> None:
    void = {number for coup in shoe for number, late in coup.late if late.verdict is Verdict.VOID}
    results = Counter(None if coup.number in void else coup.result for coup in shoe)
    counts = ", ".join(f"{result.capitalize()} {results[result]}" for result in Result)
    bank = sum(coup.settlement.bank_cents for coup in shoe)
    undone = sum(back.to_owner_cents for coup in shoe for back in coup.reversals)
    show.console.print(
        f"{show.counted(len(shoe), 'coup')}: {counts}, no result {results[None]}."
        f" Bank {money(bank - undone)} over the shoe."
    )
