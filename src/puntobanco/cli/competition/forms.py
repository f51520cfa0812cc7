"""`puntobanco competition secret`: a secret wager examined, deemed and settled."""

from typing import Annotated, Literal

from cyclopts import Parameter
from msgspec import Struct

from puntobanco.cli import show
from puntobanco.cli.competition.given import amounts_by_name, limits_of
from puntobanco.cli.show import Flag, Json
from puntobanco.errors import MalformedError
from puntobanco.rules.competition.secret import (
    TYPES,
    Position,
    SecretForm,
    content,
    deem,
    examine,
    holds_cents,
)
from puntobanco.rules.coup import Result
from puntobanco.rules.documents.ruleset import Bet, Method, Ruleset
from puntobanco.rules.documents.texts import load_ruleset
from puntobanco.rules.paper.notation import parse_amount
from puntobanco.words import money

RESULTS = {"p": Result.PLAYER, "b": Result.BANKER, "t": Result.TIE}
SIX = 6
FULL_NAMES = {bet.value: letter for letter, bet in TYPES.items()}


class DeemedFigures(Struct):
    amount_cents: int
    taken_cents: int
    clauses: tuple[str, ...]


class SecretFigures(Struct):
    examined: tuple[str, ...]
    deemed: DeemedFigures
    holds_cents: int | None


def secret(
    *,
    held: str,
    form: Annotated[str, Parameter(allow_leading_hyphen=True)],
    limits: str,
    unit: str,
    left: int,
    laid: str = "",
    result: Literal["p", "b", "t"] | None = None,
    method: str = "commission",
    six: Flag = False,
    tie_limits: str = "",
    absent: Flag = False,
    ruleset: str = "tas-2018",
    json: Json = False,
) -> int:
    """Say what is wrong with a secret wager, what it counts for, and what the player then holds.

    Exit code 1 if the form is sent back.

    Parameters
    ----------
    held
        The player's chips in dollars, those laid on this coup included.
    form
        Amount in figures, in words, and type, such as "1000|one thousand|b".
    limits
        Minimum and maximum in dollars, such as 100-2000.
    unit
        The unit of wagers in dollars.
    left
        How many secret wagers the player has left, this one included.
    laid
        Chips laid on this coup, such as "b 1500,t 100".
    result
        How the coup ended: p, b or t.
    method
        How Banker is paid: commission or federal.
    six
        Banker won with 6.
    tie_limits
        Limits of Tie; without any, the same.
    absent
        The player is away.
    ruleset
        The document, if not tas-2018.
    json
        Print JSON.
    """
    rules = load_ruleset(ruleset)
    secrets = rules.competition.secret if rules.competition else None
    if secrets is None:
        raise MalformedError(f"{ruleset} has no secret wagers; see tas-2018 or tas-2013")
    written = _form(form)
    if left < 0:
        raise MalformedError(f"--left counts from 0, not {left}")
    at = Position(
        parse_amount(held),
        limits_of(limits, "--limits"),
        _positive(unit),
        left,
        _laid(laid),
        limits_of(tie_limits, "--tie-limits") if tie_limits else None,
        absent,
    )
    if at.free_cents < 0:
        raise MalformedError("--laid is more than --held, which includes it")
    pays = _method(rules, method)
    faults, deemed = examine(written, at), deem(written, at, secrets)
    holds = None
    if result is not None:
        ended = (RESULTS[result], SIX if six and result == "b" else -1)
        holds = holds_cents(written, deemed, at, ended, pays)
    counts = DeemedFigures(deemed.amount_cents, deemed.taken_cents, deemed.clauses)
    figures = SecretFigures(tuple(faults), counts, holds)
    if json:
        show.print_json(figures)
    else:
        _print(figures)
    return 1 if faults else 0


def _form(text: str) -> SecretForm:
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != len(SecretForm.__struct_fields__):
        raise MalformedError('--form takes figures, words and type, such as "1000|one thousand|b"')
    figures, words, on = parts
    form = SecretForm(figures, words, FULL_NAMES.get(on.lower(), on.lower()))
    content(form)  # refuses what no form has room for
    return form


def _laid(text: str) -> dict[Bet, int]:
    found = amounts_by_name(text, "--laid")
    if unknown := [on for on in found if on not in TYPES]:
        raise MalformedError(f"--laid: {unknown[0][:20]!r} is no type of wager; say p, b or t")
    return {TYPES[on]: cents for on, cents in found.items()}


def _positive(text: str) -> int:
    cents = parse_amount(text)
    if not cents:
        raise MalformedError("--unit takes an amount above 0")
    return cents


def _method(rules: Ruleset, name: str) -> Method:
    for method in rules.settlement.methods:
        if method.name == name:
            return method
    offered = ", ".join(method.name for method in rules.settlement.methods)
    raise MalformedError(f"no method {name[:40]!r}; choose {offered}")


def _print(figures: SecretFigures) -> None:
    deemed = figures.deemed
    if figures.examined:
        show.console.print(f"Sent back: {', '.join(figures.examined)}.")
    else:
        show.console.print("Accepted.")
    said = f"After the coup it counts for {money(deemed.amount_cents)}"
    if deemed.taken_cents:
        said = f"After the coup {money(deemed.taken_cents)} is taken, and nothing is played"
    show.console.print(f"{said}. ", show.cited(deemed.clauses), sep="")
    if figures.holds_cents is not None:
        show.console.print(f"The player then holds {money(figures.holds_cents)}.")
