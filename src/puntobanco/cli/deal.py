"""`puntobanco deal`: fold cards into hands, or deal a whole shoe."""

import secrets  # noqa: TID251  the command line is the shell that draws
from collections import Counter
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace
from rich.text import Text

from puntobanco.cli import show
from puntobanco.cli.roads import draw_roads
from puntobanco.cli.show import Json, Words
from puntobanco.errors import MalformedError
from puntobanco.roads import roads
from puntobanco.rules.cards import Card, points
from puntobanco.rules.coup import Coup, Result, Side
from puntobanco.rules.drawing import fold
from puntobanco.rules.irregularities import Found, NextCoup, Ruling, Verdict, rule_on
from puntobanco.rules.notation import ShoeText, cards_of, format_drawn, format_shoe, parse_drawn
from puntobanco.rules.notice import Notice, Terms, post, read_notice, sample
from puntobanco.rules.playthrough import Played, deal_shoe, play
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
    ruleset: str = "tas-2018",
    decks: int | None = None,
    notice: Path | None = None,
    shoe: bool = False,
    notation: bool = False,
    json: Json = False,
) -> int:
    """Fold cards into the two hands, or deal a whole shoe.

    Parameters
    ----------
    cards
        In the order they left the shoe: 9c Kd 2h 3s; or as two hands: "9c 2h / Kd 3s". Where
        the dealer put a card: 5h@p on Player, 5h@b on Banker, 5h@- on neither; (5h) had not
        been seen; ?? is face down. Or - to read one coup a line and print one JSON line each.
    ruleset
        tas-2018, tas-2013, act-2015 or mbs-2017.
    decks
        How many decks are in the shoe; the rule set's sample notice decides when left out.
    notice
        A table notice (TOML) to play under; it names its own rule set.
    shoe
        Deal a whole shoe, shuffled by the operating system's randomness, with its roads.
    notation
        With --shoe: print the shoe in the notation instead.
    json
        Print JSON.
    """
    terms = terms_for(ruleset, notice, decks)
    if shoe:
        return _deal_shoe(terms, as_json=json, as_notation=notation)
    text = " ".join(cards)
    if text == "-":
        return show.json_lines(lambda line: _folded(line, terms))
    if not text.strip():
        raise MalformedError("no cards: name some (9c Kd 2h 3s), or --shoe for a whole shoe")
    if json:
        show.print_json(_folded(text, terms))
    else:
        _print_coup(text, terms)
    return 0


def terms_for(ruleset: str, notice: Path | None, decks: int | None = None) -> Terms:
    """The notice to play under: a file, or the rule set's sample."""
    posted: Notice = sample(ruleset) if notice is None else read_notice(notice.read_text("utf-8"))
    return post(posted if decks is None else replace(posted, decks=decks))


def _fold(text: str, terms: Terms) -> Coup:
    drawn = parse_drawn(text)
    check_copies(cards_of(drawn), terms)
    return fold(drawn, terms.rules.tableau)


def _ruling(coup: Coup, terms: Terms) -> Ruling | None:
    """What the rule says to these cards, taken early in a shoe."""
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
        tuple(one.card for one in coup.excess),
        UNSET if ruling is None else _remedy(ruling),
    )


def _remedy(ruling: Ruling) -> Remedy:
    carried, discarded = (
        format_drawn(drawn).split() for drawn in (ruling.carried, ruling.discarded)
    )
    return Remedy(ruling.verdict, ruling.next_coup, carried, discarded, ruling.clauses)


def _print_coup(text: str, terms: Terms) -> None:
    coup = _fold(text, terms)
    table = show.plain_table("", "Cards", "Points", right=(2,))
    for side, hand in (("player", coup.player), ("banker", coup.banker)):
        known = [one for one in hand if one is not None]
        total = str(points(known)) if len(known) == len(hand) else "?"
        table.add_row(show.side(side), show.cards(hand), total)
    show.console.print(table)
    show.console.print(_what_now(coup, terms))
    if ruling := _ruling(coup, terms):
        print_ruling(ruling)


def _what_now(coup: Coup, terms: Terms) -> Text:
    """The result, or what is wanting."""
    play = terms.rules.table_of_play
    if coup.result is not None:
        word = (
            Text("Tie")
            if coup.result is Result.TIE
            else Text.assemble(show.side(coup.result), " wins")
        )
        initial = points(c for c in coup.player[:2] if c), points(c for c in coup.banker[:2] if c)
        if terms.rules.tableau.naturals & set(initial):
            return Text.assemble(word, " with a natural. ", show.cited([play.natural_clause]))
        return Text.assemble(word, ".")
    if coup.owed is None:
        return Text("Face-down cards must be turned before the rule can say what is next.")
    clause = play.player_clause if coup.owed is Side.PLAYER else play.banker_clause
    if len(coup.drawn) < 4:
        clause = terms.rules.irregularities.initial_deal
    elif coup.owed is Side.BANKER and len(coup.player) == 2:
        clause = play.no_card_clause
    return Text.assemble("A card for ", show.side(coup.owed), ". ", show.cited([clause]))


def print_ruling(ruling: Ruling) -> None:
    """What the rule says to what went wrong."""
    moved = [
        f"{ruling.coup.drawn[one].card} goes to {str(ruling.coup.given(one)).capitalize()}"
        for one in ruling.coup.misplaced
    ]
    says = [*moved, *RULINGS[ruling.verdict]]
    if ruling.carried:
        says.append(f"{format_drawn(ruling.carried)} begins the next coup")
    if ruling.discarded:
        says.append(f"{format_drawn(ruling.discarded)} discarded")
    says += NEXT[ruling.next_coup]
    show.console.print(
        Text.assemble("; ".join(says).capitalize(), ". ", show.cited(ruling.clauses))
    )


RULINGS = {
    Verdict.STANDS: (),
    Verdict.VOID: ("the coup is void",),
    Verdict.RULING: ("the document is silent: a recorded ruling decides",),
}
NEXT = {
    NextCoup.ORDINARY: (),
    NextCoup.NON_BETTING: ("the next coup is a non-betting coup",),
    NextCoup.NONE: ("no more coups until the reshuffle",),
}


def _deal_shoe(terms: Terms, *, as_json: bool, as_notation: bool) -> int:
    """Shuffle, cut and deal with the operating system's randomness, to the last coup."""
    cards = full_set(terms.notice.decks)
    margin = terms.rules.shoe.cut_depth.least
    depth = margin + secrets.randbelow(len(cards) - 2 * margin + 1)
    text = deal_shoe(cut(shuffled(cards, secrets.randbelow), depth, terms), terms.notice)
    played = list(play(text))
    drawn = roads(one.coup.result for one in played if one.coup.result)
    if as_notation:
        print(format_shoe(text), end="")
    elif as_json:
        coups = [
            {"cards": cards_of(one.coup.drawn), "result": one.result, "outcome": one.outcome}
            for one in played
        ]
        show.print_json(
            {
                "ruleset": terms.rules.id,
                "cut": depth,
                "burned": cards_of(text.burned),
                "coups": coups,
                "roads": drawn,
            }
        )
    else:
        _print_shoe(terms, depth, text, played)
        draw_roads(drawn)
    return 0


def _print_shoe(terms: Terms, depth: int, text: ShoeText, played: list[Played]) -> None:
    document = terms.rules.document
    show.console.print(
        f"[bold]{terms.notice.decks} decks[/] under {document.title}, {document.issuer}"
        f" ({terms.rules.id}); shuffled, cut {depth} cards deep."
    )
    if text.burned:
        first = text.burned[0].card
        exposed = Text.assemble(" exposed ", show.card(first)) if first else Text("")
        show.console.print(Text.assemble(f"Burned {len(text.burned)}:", exposed))
    table = show.plain_table("Coup", "Player", "", "Banker", "", "Result", "", right=(0, 2, 4))
    for one, written in zip(played, text.coups, strict=True):
        note = "marker" if written.marker_at is not None else ""
        if one.number == len(played):
            note = f"{note}, last coup".removeprefix(", ")
        table.add_row(
            str(one.number),
            show.cards(one.coup.player),
            str(one.coup.player_points),
            show.cards(one.coup.banker),
            str(one.coup.banker_points),
            show.side(one.result or ""),
            Text(note, style="dim"),
        )
    show.console.print(table)
    counts = Counter(one.result for one in played)
    parts = [Text.assemble(show.side(result), f" {counts[result]}") for result in Result]
    show.console.print(Text.assemble(f"{len(played)} coups: ", Text(", ").join(parts), "."))
    show.console.print()
