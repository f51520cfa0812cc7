"""One notation for cards, coups, wagers and whole shoes; docs/notation.md explains it.

Tests, doctests, the command line and bug reports all speak it, and what is written parses back.
"""

import re
from itertools import zip_longest

import msgspec

from puntobanco.brief import Brief
from puntobanco.errors import MalformedError
from puntobanco.rules.cards import CARDS, Card, parse_card, parse_cards
from puntobanco.rules.coup import Drawn, Laid
from puntobanco.rules.documents.ruleset import Bet
from puntobanco.rules.irregularities import Found
from puntobanco.rules.notice import Notice, read_notice
from puntobanco.rules.wagers import Wager
from puntobanco.words import money

FENCE = "+++"
MARKER, INDICATOR = "[marker]", "[indicator]"

PLACES = {"p": Laid.PLAYER, "b": Laid.BANKER, "-": Laid.NOWHERE}
PLACE = {laid: letter for letter, laid in PLACES.items()}
BETS = {
    "p": Bet.PLAYER,
    "b": Bet.BANKER,
    "t": Bet.TIE,
    "pp": Bet.PLAYER_PAIR,
    "bp": Bet.BANKER_PAIR,
}
BET = {bet: letters for letters, bet in BETS.items()}

_PLACE = re.compile(r"(\d{1,3})(?:(\+\d)|(\+)?@([A-Za-z][\w.-]*))?", re.ASCII)
_AMOUNT = re.compile(r"(\d{1,12})(?:\.(\d\d))?", re.ASCII)
_CLAIM = re.compile(r"(player|banker|tie) \d-\d|void", re.ASCII)
_NUMBER = re.compile(r"\d{1,4}", re.ASCII)


class CoupText(Brief, frozen=True):
    """One coup as written down."""

    drawn: tuple[Drawn, ...]
    wagers: tuple[Wager, ...] = ()
    carried: tuple[Drawn, ...] = ()
    """Cards left over from the coup before, which begin this one."""
    marker_at: int | None = None
    """The index in `drawn` of the card before which the marker came out."""
    indicator_at: int | None = None
    claim: str = ""
    """The result as the writer claims it: `player 9-3`, `tie 6-6`, `void`."""
    found: tuple[Found, ...] = ()
    late: tuple[int, ...] = ()
    """Numbers of earlier coups in which an error was found after this one began."""


class ShoeText(Brief, frozen=True):
    """A whole shoe as written down: its notice, its burn, its coups."""

    notice: Notice
    coups: tuple[CoupText, ...]
    burned: tuple[Drawn, ...] = ()


def parse_drawn(text: str) -> tuple[Drawn, ...]:
    """Read cards in the order they left the shoe, or as the two hands.

    >>> import puntobanco as pb
    >>> [str(one.card) for one in pb.parse_drawn("9c 2h / Kd 3s")]
    ['9c', 'Kd', '2h', '3s']
    >>> [one.is_seen for one in pb.parse_drawn("9c Kd 2h 3s 5h@p (4d)@- ??")]
    [True, True, True, True, True, False, False]
    """
    if "/" in text:
        return _parse_hands(text)
    return tuple(_parse_drawn_card(word) for word in text.split())


def _parse_drawn_card(word: str) -> Drawn:
    plain = CARDS.get(word)
    if plain is not None:
        return Drawn(plain)
    face, at, place = word.partition("@")
    if at and place not in PLACES:
        raise MalformedError(f"not a place: {word[:20]!r} (@p Player, @b Banker, @- nowhere)")
    laid = PLACES[place] if at else None
    if face == "??":
        return Drawn(None, laid)
    if face.startswith("(") and face.endswith(")"):
        return Drawn(parse_card(face[1:-1]), laid, unseen=True)
    return Drawn(parse_card(face), laid)


def _parse_hands(text: str) -> tuple[Drawn, ...]:
    """Read two hands; the cards left the shoe as Player, Banker, Player, Banker, then thirds."""
    left, _, right = text.partition("/")
    player, banker = parse_cards(left), parse_cards(right)
    if not 2 <= len(player) <= 3 or not 2 <= len(banker) <= 3:
        raise MalformedError(f"not two hands: {text.strip()[:60]!r} (two or three cards each)")
    dealt: list[Drawn] = []
    for turn, cards in enumerate(zip_longest(player, banker)):
        for laid, card in zip((Laid.PLAYER, Laid.BANKER), cards, strict=True):
            if card is not None:
                dealt.append(Drawn(card, laid if turn == 2 else None))
    return tuple(dealt)


def format_drawn(drawn: tuple[Drawn, ...]) -> str:
    return " ".join(_format_drawn_card(card) for card in drawn)


def _format_drawn_card(drawn: Drawn) -> str:
    face = "??" if drawn.card is None else f"({drawn.card})" if drawn.unseen else str(drawn.card)
    return face if drawn.laid is None else f"{face}@{PLACE[drawn.laid]}"


def parse_wager(text: str) -> Wager:
    """Read a wager: box, bet, amount.

    >>> import puntobanco as pb
    >>> pb.parse_wager("3 b 500").cents
    50000
    >>> pb.parse_wager("3+1 pp 12.50 late 2.50").late_cents
    250
    >>> pb.parse_wager("3 x 500")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a wager: '3 x 500' (box, then p b t pp bp, then ...)
    """
    words = text.split()
    place = _PLACE.fullmatch(words[0]) if len(words) >= 3 else None
    if place is None or words[1] not in BETS:
        raise MalformedError(
            f"not a wager: {text.strip()[:60]!r} (box, then p b t pp bp, then amount: '3 b 500')"
        )
    box, standing, beside, person = place.groups()
    by = person or (f"{int(box)}{standing}" if standing else "")
    plus = standing or beside
    cents, rest = parse_amount(words[2]), words[3:]
    late = 0
    if rest[:1] == ["late"] and len(rest) > 1:
        late, rest = parse_amount(rest[1]), rest[2:]
    withdrawn, rest = _flag("withdrawn", rest)
    reduced, rest = _flag("reduced", rest)
    if rest:
        says = "after the amount only 'late 100', 'withdrawn' and 'reduced', in this order"
    elif not cents:
        says = "an amount above nothing"
    elif late > cents:
        says = "no more can be late than was laid down"
    else:
        return Wager(int(box), BETS[words[1]], cents, by, bool(plus), late, withdrawn, reduced)
    raise MalformedError(f"not a wager: {text.strip()[:60]!r} ({says})")


def _flag(name: str, words: list[str]) -> tuple[bool, list[str]]:
    return (True, words[1:]) if words[:1] == [name] else (False, words)


def parse_amount(text: str) -> int:
    """Read money into cents.

    >>> parse_amount("12.50"), parse_amount("500")
    (1250, 50000)
    """
    amount = _AMOUNT.fullmatch(text)
    if amount is None:
        raise MalformedError(f"not an amount: {text[:20]!r} (like 500 or 12.50)")
    return int(amount[1]) * 100 + int(amount[2] or 0)


def format_wager(wager: Wager) -> str:
    place = str(wager.box)
    if wager.standing and not wager.by.startswith(f"{place}+"):
        place += f"+@{wager.by}"
    elif wager.standing:
        place = wager.by
    elif wager.by:
        place += f"@{wager.by}"
    late = f" late {money(wager.late_cents)}" if wager.late_cents else ""
    gone = " withdrawn" if wager.withdrawn else ""
    cut = " reduced" if wager.reduced else ""
    return f"{place} {BET[wager.on]} {money(wager.cents)}{late}{gone}{cut}"


def parse_coup(line: str) -> CoupText:
    """Read a coup: wagers, then `:` and cards, then `=` its result, then `!` what went wrong.

    >>> coup = parse_coup("3 b 500, 4 t 10 : 9c Kd [marker] 2h 3s 5h = player 6-3")
    >>> len(coup.wagers), coup.marker_at, coup.claim
    (2, 2, 'player 6-3')
    >>> format_coup(coup)
    '3 b 500, 4 t 10 : 9c Kd [marker] 2h 3s 5h = player 6-3'
    """
    rest, *findings = line.split("!")
    rest, _, claim = (part.strip() for part in rest.partition("="))
    head, colon, cards = rest.rpartition(":")
    if claim and not _CLAIM.fullmatch(claim):
        raise MalformedError(
            f"not an outcome: {claim[:40]!r} (like 'player 9-3', 'tie 6-6', 'void')"
        )
    wagers = tuple(parse_wager(part) for part in head.split(",")) if colon and head.strip() else ()
    drawn, marker_at, indicator_at, carried = _parse_stream(cards)
    found, late = _parse_findings(findings)
    return CoupText(drawn, wagers, carried, marker_at, indicator_at, claim, found, late)


def _parse_stream(
    text: str,
) -> tuple[tuple[Drawn, ...], int | None, int | None, tuple[Drawn, ...]]:
    """Read cards, with the marker and the indicator card where they came out between them."""
    words = text.split()
    carried = [word[1:] for word in words if word.startswith("^")]
    if words[: len(carried)] != [f"^{word}" for word in carried]:
        raise MalformedError("a card carried over (^) can only begin a coup")
    cards: list[str] = []
    seen_at: dict[str, int] = {}
    for word in words[len(carried) :]:
        if word not in (MARKER, INDICATOR):
            cards.append(word)
        elif word in seen_at:
            raise MalformedError("a marker comes out only once")
        else:
            seen_at[word] = len(cards)
    if seen_at and "/" in cards:
        raise MalformedError("write the cards in the order they left the shoe to show a marker")
    return (
        parse_drawn(" ".join(cards)),
        seen_at.get(MARKER),
        seen_at.get(INDICATOR),
        parse_drawn(" ".join(carried)),
    )


def _parse_findings(findings: list[str]) -> tuple[tuple[Found, ...], tuple[int, ...]]:
    found: list[Found] = []
    late: list[int] = []
    for finding in findings:
        match finding.split():
            case [Found.FOUND_LATE, number] if (
                _NUMBER.fullmatch(number) and int(number) not in late
            ):
                late.append(int(number))
            case [name] if name in set(Found) - {Found.FOUND_LATE}:
                found.append(Found(name))
            case _:
                names = ", ".join(Found).replace("found-late", "found-late NUMBER")
                raise MalformedError(f"not a finding: {finding.strip()[:40]!r} (one of: {names})")
    return tuple(found), tuple(late)


def format_coup(coup: CoupText) -> str:
    words = [_format_drawn_card(card) for card in coup.drawn]
    cuts = [(coup.marker_at, MARKER), (coup.indicator_at, INDICATOR)]
    for at, name in sorted((at, name) for at, name in cuts if at is not None)[::-1]:
        words.insert(at, name)
    words = [f"^{_format_drawn_card(card)}" for card in coup.carried] + words
    wagers = ", ".join(format_wager(wager) for wager in coup.wagers)
    parts = [f"{wagers} :"] if wagers else []
    parts += words
    parts += [f"= {coup.claim}"] if coup.claim else []
    parts += [f"! {finding}" for finding in coup.found]
    parts += [f"! {Found.FOUND_LATE} {number}" for number in coup.late]
    return " ".join(parts)


def parse_shoe(text: str) -> ShoeText:
    """Read a shoe: the notice between +++ lines, then `burn`, then one coup on each line.

    >>> import puntobanco as pb
    >>> pb.parse_shoe("9c Kd 2h 3s")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: not a shoe: the notice comes first, between two lines of +++
    """
    parts = re.split(rf"^{re.escape(FENCE)}\s*$", text, maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0].strip():
        raise MalformedError(f"not a shoe: the notice comes first, between two lines of {FENCE}")
    _, notice, body = parts
    start = text.count("\n", 0, len(text) - len(body)) + 1
    coups: list[CoupText] = []
    burned: tuple[Drawn, ...] = ()
    for number, raw in enumerate(body.split("\n"), start):
        line = raw.partition("#")[0].strip()
        try:
            if line.startswith("burn "):
                if burned or coups:
                    raise MalformedError("cards are burned once, before the first coup")  # noqa: TRY301
                burned = parse_drawn(line.removeprefix("burn "))
            elif line:
                coups.append(parse_coup(line))
        except MalformedError as error:
            raise MalformedError(f"line {number}: {error}") from error
    return ShoeText(read_notice(notice), tuple(coups), burned)


def format_notice(notice: Notice) -> str:
    """Write a notice as TOML, leaving out every field that has its default."""
    default = msgspec.to_builtins(
        Notice(notice.ruleset, notice.decks, notice.method, notice.limits)
    )
    required = {"ruleset", "decks", "method", "limits"}
    return "\n".join(
        f"{key} = {_toml(value)}"
        for key, value in msgspec.to_builtins(notice).items()
        if key in required or value != default[key]
    )


def format_shoe(shoe: ShoeText) -> str:
    """Write a shoe down as `parse_shoe` reads it.

    >>> import puntobanco as pb
    >>> shoe = pb.deal_shoe(pb.full_set(8), pb.sample_notice("mbs-2017"))
    >>> pb.parse_shoe(pb.format_shoe(shoe)) == shoe
    True
    """
    lines = [FENCE, format_notice(shoe.notice), FENCE]
    lines += [f"burn {format_drawn(shoe.burned)}"] if shoe.burned else []
    lines += [format_coup(coup) for coup in shoe.coups]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{k} = {_toml(v)}" for k, v in value.items() if v is not None)
        return f"{{ {inner} }}"
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def cards_of(drawn: tuple[Drawn, ...]) -> tuple[Card, ...]:
    """The cards of a sequence that have been named."""
    return tuple(card.card for card in drawn if card.card is not None)
