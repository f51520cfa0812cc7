"""`puntobanco deal`: fold cards into hands, or deal a whole shoe."""

import random  # noqa: TID251  for a shoe that can be dealt again, never for play
import secrets  # noqa: TID251  the command line is the shell that draws
from collections import Counter
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace
from rich.text import Text

from puntobanco.cli import show
from puntobanco.cli.roads import beads_of, print_roads
from puntobanco.cli.show import Flag, Json, Words
from puntobanco.errors import MalformedError, Reason, Refused
from puntobanco.roads import draw_roads
from puntobanco.rules.announce import natural_clause, next_card_clause
from puntobanco.rules.cards import Card, points
from puntobanco.rules.coup import Coup, Result, Side
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, NextCoup, Ruling, Verdict, rule_on
from puntobanco.rules.notice import Terms, post, read_notice, sample_notice
from puntobanco.rules.paper.notation import (
    ShoeText,
    cards_of,
    format_drawn,
    format_shoe,
    parse_coup,
)
from puntobanco.rules.paper.playthrough import PlayedCoup, deal_shoe, play_shoe
from puntobanco.rules.shoe import check_copies, cut, draw, full_set, new_shoe, shuffled


class Hand(Struct):
    cards: tuple[Card | None, ...]
    points: int | None


class Remedy(Struct):
    """The rule's answer to cards out of order."""

    verdict: Verdict
    next_coup: NextCoup
    carried: list[str]
    discarded: list[str]
    clauses: tuple[str, ...]


class Folded(Struct):
    player: Hand
    banker: Hand
    result: Result | None
    owed: Side | None
    excess: tuple[Card | None, ...]
    ruling: Remedy | UnsetType = UNSET


def deal(
    *cards: Words,
    ruleset: str | None = None,
    decks: int | None = None,
    notice: Path | None = None,
    shoe: Flag = False,
    seed: int | None = None,
    notation: Flag = False,
    json: Json = False,
) -> int:
    """Fold cards into the two hands, or deal a whole shoe.

    Parameters
    ----------
    cards
        Such as 9c Kd 2h 3s, in the order they left the shoe; or - for one coup a line.
    ruleset
        tas-2018 (when left out), tas-2013, act-2015 or mbs-2017.
    decks
        How many decks; when left out, as the notice says.
    notice
        A table notice (TOML) to play under; it names its own rule set.
    shoe
        Deal a whole shoe, shuffled by the operating system's randomness, with its roads.
    seed
        With --shoe: deal the same shoe again for the same number. For classes, not for play.
    notation
        With --shoe: print the shoe in the notation.
    json
        Print JSON.
    """
    show.refuse_options(cards, "deal")
    show.refuse_together(ruleset=ruleset, notice=notice)
    show.refuse_together(notation=notation, json=json)
    terms = terms_for(ruleset, notice, decks)
    text = " ".join(cards)
    if shoe:
        if text:
            raise MalformedError("--shoe deals its own cards; to play a shoe file: settle --shoe")
        return _deal_shoe(terms, seed, as_json=json, as_notation=notation)
    if notation or seed is not None:
        raise MalformedError("--notation and --seed go with --shoe")
    if text == "-":
        return show.json_lines(lambda line: _folded(line, terms))
    if json:
        show.print_json(_folded(text, terms))
    else:
        _print_coup(text, terms)
    return 0


def terms_for(ruleset: str | None, notice: Path | None, decks: int | None = None) -> Terms:
    """The notice to play under: a file, or the rule set's sample."""
    if notice is not None:
        text = show.read_file(notice)
        try:
            posted = read_notice(text)
        except MalformedError as error:
            raise MalformedError(f"{notice}: {error}") from error
        return post(posted if decks is None else replace(posted, decks=decks))
    posted = sample_notice(ruleset or "tas-2018")
    if decks is None:
        return post(posted)
    try:
        return post(replace(posted, decks=decks))
    except Refused as refused:
        if refused.reason is not Reason.DECKS_TOO_FEW_FOR_PAIRS:
            raise
        return post(replace(posted, decks=decks, pairs="", pairs_limits=None))


def _fold(text: str, terms: Terms) -> Coup:
    coup = parse_coup(text)
    drawn = coup.carried + coup.drawn
    if coup.wagers or coup.claim or coup.found or coup.late:
        raise MalformedError("deal folds cards alone; wagers and findings: puntobanco settle")
    if not drawn:
        raise MalformedError("no cards: name some (9c Kd 2h 3s), or --shoe for a whole shoe")
    check_copies(cards_of(drawn), terms)
    return fold(drawn, terms.rules.tableau)


def _ruling(coup: Coup, terms: Terms) -> Ruling | None:
    """The ruling on cards out of order, as if they were the first of a shoe; None if in order."""
    if coup.hidden or not (coup.excess or coup.misplaced):
        return None
    return rule_on(Found.CARDS_OUT_OF_ORDER, coup, draw(new_shoe(terms), len(coup.drawn)), terms)


def _folded(text: str, terms: Terms) -> Folded:
    coup = _fold(text, terms)
    ruling = _ruling(coup, terms)
    return Folded(
        Hand(coup.player, None if None in coup.player else coup.player_points),
        Hand(coup.banker, None if None in coup.banker else coup.banker_points),
        coup.result,
        coup.owed,
        tuple(left_over.card for left_over in coup.excess),
        UNSET if ruling is None else remedy(ruling),
    )


def remedy(ruling: Ruling) -> Remedy:
    carried, discarded = (
        format_drawn(drawn).split() for drawn in (ruling.carried, ruling.discarded)
    )
    return Remedy(ruling.verdict, ruling.next_coup, carried, discarded, ruling.clauses)


def _print_coup(text: str, terms: Terms) -> None:
    coup = _fold(text, terms)
    table = show.plain_table("", "Cards", "Points", right=(2,))
    for side, hand in (("player", coup.player), ("banker", coup.banker)):
        known = [card for card in hand if card is not None]
        total = str(points(known)) if len(known) == len(hand) else "?"
        table.add_row(show.side(side), show.cards(hand), total)
    show.console.print(table)
    show.console.print(_what_now(coup, terms))
    if ruling := _ruling(coup, terms):
        print_ruling(ruling)


def _what_now(coup: Coup, terms: Terms) -> Text:
    """The result, the side that is owed a card, or that cards must be turned first."""
    if coup.owed is not None:
        cited = show.cited([next_card_clause(coup, terms.rules)])
        return Text.assemble("A card for ", show.side(coup.owed), ". ", cited)
    if coup.result is None:
        return Text("Face-down cards must be turned before the rule can say what is next.")
    wins = "" if coup.result is Result.TIE else " wins"
    natural = natural_clause(coup, terms.rules)
    how = Text.assemble(" with a natural. ", show.cited([natural])) if natural else Text(".")
    return Text.assemble(show.side(coup.result), wins, how)


VERDICTS = {
    Verdict.STANDS: "the coup stands",
    Verdict.VOID: "the coup is void",
    Verdict.RULING: "the document leaves this to a ruling, which is recorded",
}
NEXT = {
    NextCoup.ORDINARY: "",
    NextCoup.NON_BETTING: "the next coup is a non-betting coup",
    NextCoup.NONE: "no more coups until the reshuffle",
}


def print_ruling(ruling: Ruling, about: str = "") -> None:
    """Print the verdict of a ruling, what follows for the next coup, and the clauses."""
    parts = [
        Text.assemble(
            show.card(ruling.coup.drawn[index].card), " goes to ", _hand(ruling.coup, index)
        )
        for index in ruling.coup.misplaced
        if ruling.verdict is Verdict.STANDS
    ]
    if ruling.verdict is not Verdict.STANDS or not (parts or ruling.carried or ruling.discarded):
        parts.insert(0, Text(VERDICTS[ruling.verdict]))
    if ruling.carried:
        begin = " begins" if len(ruling.carried) == 1 else " begin"
        parts.append(Text.assemble(show.faces(ruling.carried), begin, " the next coup"))
    if ruling.discarded:
        is_are = " is" if len(ruling.discarded) == 1 else " are"
        parts.append(Text.assemble(show.faces(ruling.discarded), is_are, " discarded"))
    if NEXT[ruling.next_coup]:
        parts.append(Text(NEXT[ruling.next_coup]))
    said = Text("; ").join(parts)
    first = Text(about) if about else Text(said.plain[:1].upper(), style=said.style)
    rest = said if about else said[1:]
    show.console.print(Text.assemble(first, rest, ". ", show.cited(ruling.clauses)))


def _hand(coup: Coup, index: int) -> str:
    return str(coup.given(index)).capitalize()


def _deal_shoe(terms: Terms, seed: int | None, *, as_json: bool, as_notation: bool) -> int:
    """Shuffle, cut and deal to the last coup."""
    below = secrets.randbelow if seed is None else random.Random(seed).randrange  # noqa: S311
    cards = full_set(terms.notice.decks)
    margin = terms.rules.shoe.cut_depth.least
    depth = margin + below(len(cards) - 2 * margin + 1)
    text = deal_shoe(cut(shuffled(cards, below), depth, terms), terms.notice)
    played = list(play_shoe(text))
    if as_notation:
        print(format_shoe(text), end="")
    elif as_json:
        show.print_json(_shoe_json(terms, depth, text, played))
    else:
        _print_shoe(terms, depth, text, played)
        print_roads(draw_roads(beads_of(played)))
    return 0


def _shoe_json(
    terms: Terms, depth: int, text: ShoeText, played: list[PlayedCoup]
) -> dict[str, object]:
    coups = [
        {
            "cards": cards_of(one.coup.drawn),
            "player": Hand(one.coup.player, one.coup.player_points),
            "banker": Hand(one.coup.banker, one.coup.banker_points),
            "result": one.result,
            "marker": written.marker_at is not None,
            "last": one.number == len(played),
        }
        for one, written in zip(played, text.coups, strict=True)
    ]
    return {
        "ruleset": terms.rules.id,
        "decks": terms.notice.decks,
        "cut": depth,
        "burned": len(text.burned),
        "coups": coups,
        "roads": draw_roads(beads_of(played)),
    }


def _print_shoe(terms: Terms, depth: int, text: ShoeText, played: list[PlayedCoup]) -> None:
    document = terms.rules.document
    show.console.print(
        f"{terms.notice.decks} decks under {document.title}, {document.issuer}"
        f" ({terms.rules.id}); shuffled, cut {depth} cards deep."
    )
    if text.burned:
        first = text.burned[0].card
        exposed = Text.assemble(", exposed ", show.card(first)) if first else Text("")
        burned = show.counted(len(text.burned), "card")
        show.console.print(Text.assemble(f"Burned: {burned}", exposed, "."))
    table = show.plain_table("Coup", "Player", "", "Banker", "", "Result", "", right=(0, 2, 4))
    for one, written in zip(played, text.coups, strict=True):
        notes = ["marker"] * (written.marker_at is not None)
        notes += ["last coup"] * (one.number == len(played))
        table.add_row(
            str(one.number),
            show.cards(one.coup.player),
            str(one.coup.player_points),
            show.cards(one.coup.banker),
            str(one.coup.banker_points),
            show.side(one.result or ""),
            Text(", ".join(notes), style="dim"),
        )
    show.console.print(table)
    counts = Counter(coup.result for coup in played)
    parts = [Text.assemble(show.side(result), f" {counts[result]}") for result in Result]
    show.console.print(Text.assemble(f"{len(played)} coups: ", Text(", ").join(parts), "."))
    show.console.print()
