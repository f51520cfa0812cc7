"""What was typed into a form, read: each field by how it is written, all that is wrong at once."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime  # noqa: TID251  to read a moment, not to ask for one
from typing import Any

from msgspec import Struct, to_builtins

from puntobanco.errors import MalformedError
from puntobanco.register.settings import NO_LIMIT_CENTS
from puntobanco.rules.paper.notation import parse_drawn
from puntobanco.table.commands import PlaceWager
from puntobanco.table.session import wager_of
from puntobanco.words import SUITS, money
from puntobanco.words.commands import WRONG

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
LONGEST_MS = 10**7
"""A whole number of milliseconds that may be more than this is a moment, not a length of time."""
MOST_QUOTED = 40


class Now(Struct, frozen=True):
    """When and where a form is read: half an hour from now, or 21:30 as the clock shows it here."""

    ms: int
    utc_minutes: int = 0


def wrong(key: str, text: str = "", **facts: object) -> MalformedError:
    """What was typed cannot be; said in words."""
    return MalformedError(WRONG[key].format(text=text.strip()[:MOST_QUOTED], **facts))


AMOUNT = re.compile(r"([-−]?)\$?(\d{1,12}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,2}))?")
"""A comma stands between thousands or nowhere: 12,50 might be twelve and a half, or 1,250."""


def _money(text: str, _now: Now) -> int:
    """Dollars as people write them, in cents."""
    found = AMOUNT.fullmatch(text.strip())
    if found is None:
        raise wrong("amount", text)
    sign, whole, part = found.groups()
    cents = int(whole.replace(",", "")) * 100 + int(f"{part or 0:0<2}")
    return -cents if sign else cents


def _limit(text: str, now: Now) -> int:
    """The same of a limit: left empty, there is none."""
    return _money(text, now) if text.strip() else NO_LIMIT_CENTS


def _minutes(text: str, now: Now) -> int:
    if not re.fullmatch(r"\d{1,6}", text.strip()):
        raise wrong("minutes", text)
    return now.ms + int(text) * MINUTE_MS


def _start(text: str, now: Now) -> int:
    """`2026-03-14 18:00` as clocks show it there; `18:00`, the next time they do; or `30`, so many
    minutes from now.
    """
    if re.fullmatch(r"\s*\d{1,6}\s*", text):
        return _minutes(text, now)
    if ":" in text and "-" not in text:
        return _time(text, now)
    try:
        said = datetime.strptime(f"{text.strip()} +0000", "%Y-%m-%d %H:%M %z")
    except ValueError as error:
        raise wrong("start", text) from error
    return int(said.timestamp()) * 1000 - now.utc_minutes * MINUTE_MS


def _time(text: str, now: Now) -> int:
    """`21:30`, the next time that a clock on the wall shows it."""
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", text.strip())
    if found is None:
        raise wrong("time", text)
    ahead_ms = now.utc_minutes * MINUTE_MS
    local_ms = now.ms + ahead_ms
    at_ms = (int(found[1]) * 60 + int(found[2])) * MINUTE_MS + local_ms // DAY_MS * DAY_MS
    later = at_ms if at_ms >= local_ms - MINUTE_MS else at_ms + DAY_MS
    return max(later, local_ms) - ahead_ms


def _seconds(text: str, _now: Now) -> int:
    """A length of time in seconds, `0.55`, in milliseconds."""
    if not re.fullmatch(r"\d{1,6}(\.\d{1,3})?", text.strip()):
        raise wrong("seconds", text)
    whole, _, part = text.strip().partition(".")
    return int(whole) * 1000 + int(f"{part or 0:0<3}")


CHIP = re.compile(r"(?i)([^#\n]*)#([0-9a-f]{6})(?:\s*#([0-9a-f]{6}))?")


def chip_rows(text: str) -> list[tuple[str, str, str]]:
    """Amount, face and spots of each chip that is written down, or chosen row by row.

    >>> chip_rows("100000 #1d8653 #fff6e6  #000000 #ffffff 2oo #000000")
    [('100000', '#1d8653', '#fff6e6'), ('', '#000000', '#ffffff'), ('2oo', '#000000', '')]
    """
    return [
        (cents.strip(), f"#{face}", f"#{spot}" if spot else "")
        for cents, face, spot in CHIP.findall(text.lower())
    ]


def wager_typed(text: str) -> PlaceWager:
    """A wager that a dealer writes down in the notation.

    >>> wager_typed("3 b")
    Traceback (most recent call last):
    puntobanco.errors.MalformedError: “3 b” is not a wager. Write box, letter and amount: 3 b 500.
    """
    try:
        return wager_of(text)
    except MalformedError as error:
        raise wrong("wager", text) from error


def _chips(text: str, now: Now) -> list[dict[str, Any]]:
    """`25 #1d8653 #fff6e6`, chip by chip; the colour of the spots may go unsaid, and a row without
    an amount is no chip.
    """
    if rest := CHIP.sub("", text).strip():
        raise wrong("chips", rest)
    return [
        {"cents": _money(cents, now), "face": face} | ({"spot": spot} if spot else {})
        for cents, face, spot in chip_rows(text)
        if cents
    ]


def _stakes(text: str, now: Now) -> list[dict[str, Any]]:
    """`banker 200 tie 5`: an option and an amount, one after the other."""
    words = _list(text.lower(), now)
    if len(words) % 2:
        raise wrong("stakes", text)
    pairs = zip(words[::2], words[1::2], strict=True)
    return [{"on": on, "cents": _money(amount, now)} for on, amount in pairs]


def _piles(text: str, now: Now) -> list[dict[str, int]]:
    """`25 x 40`, a line for each denomination: forty of 25."""
    piles = []
    for line in filter(str.strip, re.split(r"[;\n]", text)):
        found = re.fullmatch(r"\s*(\S+)\s*[x×*]\s*(\d{1,6})\s*", line)
        if found is None:
            raise wrong("piles", line)
        piles.append({"cents": _money(found[1], now), "count": int(found[2])})
    return piles


COLOUR = re.compile(r"#?([0-9a-f]{6})")


def _colour(text: str, _now: Now) -> str:
    """`#20634a`, as a page writes colours, or `20634A`."""
    found = COLOUR.fullmatch(text.strip().lower())
    if found is None:
        raise wrong("colour", text)
    return f"#{found[1]}"


def _as_it_is(text: str, _now: Now) -> str:
    return text


def _list(text: str, _now: Now) -> list[str]:
    return text.replace(",", " ").split()


def _cards(text: str, now: Now) -> list[str]:
    return [_card(one, now) for one in _list(text, now)]


def _drawn(text: str, now: Now) -> Any:
    """Cards as they left the shoe, each with where it was laid if that is said: `9♣ kd 4d@p`."""
    plain = CARD.sub(lambda found: _card(found[0], now), text.replace(",", " "))
    try:
        return to_builtins(parse_drawn(plain))
    except MalformedError as error:
        raise wrong("drawn", text) from error


CARD = re.compile(r"(?i)([2-9tjqka]|10)([cdhs♣♦♥♠])\N{VARIATION SELECTOR-16}?")
LETTER = {suit: letter for letter, suit in SUITS.items()}


def _card(text: str, _now: Now) -> str:
    """`9c`, `9♣`, `10h` or `kd` as the notation has it."""
    found = CARD.fullmatch(text.strip())
    if found is None:
        raise wrong("card", text)
    suit = found[2].lower()
    return found[1].replace("10", "T").upper() + LETTER.get(suit, suit)


def _pairs(text: str, _now: Now) -> dict[str, str]:
    """`one = approval, other = approval`."""
    parts = [one.partition("=") for one in text.split(",") if one.strip()]
    if any(not equals for _, equals, _ in parts):
        raise wrong("pairs", text)
    return {name.strip(): value.strip() for name, _, value in parts}


def _amounts(text: str, now: Now) -> list[int]:
    """`5000 3000 1,250.50`: a comma between amounts has a blank after it."""
    return [_money(one, now) for one in re.split(r"[;\s]+|,\s+", text.strip())]


def _spoken(text: str, _now: Now) -> list[dict[str, str]]:
    """`wendy: rain on Tuesday`, a line for each witness."""
    parts = [line.partition(":") for line in text.splitlines() if line.strip()]
    if not all(by.strip() and words.strip() for by, _, words in parts):
        raise wrong("spoken", text)
    return [{"by": by.strip(), "words": words.strip()} for by, _, words in parts]


def _seating(text: str, _now: Now) -> dict[str, dict[int, str]]:
    """`table-1: ann bob cy@5`, a line for each table: seats 1 and 2, and 5."""
    tables: dict[str, dict[int, str]] = {}
    for line in filter(str.strip, text.splitlines()):
        table, colon, people = line.partition(":")
        if not colon or table.strip() in tables:
            raise wrong("seating", line)
        tables[table.strip()] = _seats(people.split())
    return tables


def _seats(people: list[str]) -> dict[int, str]:
    seats: dict[int, str] = {}
    for number, one in enumerate(people, 1):
        person, at, seat = one.partition("@")
        if at and not re.fullmatch(r"[0-9]{1,2}", seat):
            raise wrong("seat", one)
        place = int(seat) if at else number
        if place in seats:
            raise wrong("seat-taken", seat=place)
        seats[place] = person
    return seats


def _groups(text: str, _now: Now) -> list[list[str]]:
    """`ann bob`, a line for each group."""
    return [re.split(r"[,\s]+", line.strip(", ")) for line in text.splitlines() if line.strip(", ")]


WRITTEN: dict[str, Callable[[str, Now], Any]] = {
    "money": _money,
    "limit": _limit,
    "minutes": _minutes,
    "start": _start,
    "time": _time,
    "card": _card,
    "cards": _cards,
    "drawn": _drawn,
    "list": _list,
    "pairs": _pairs,
    "amounts": _amounts,
    "spoken": _spoken,
    "seating": _seating,
    "groups": _groups,
    "seconds": _seconds,
    "chips": _chips,
    "picture": _as_it_is,
    "colour": _colour,
    "stakes": _stakes,
    "piles": _piles,
    "usual": _as_it_is,
}
"""How a fact is read, by what stands after the @ in its field's name."""
MOMENTS = ("minutes", "time", "start")


class Typed(Struct, frozen=True):
    """What a form says: its facts as far as they can be read, and what is wrong by path."""

    facts: dict[str, Any]
    wrong: dict[str, str]


def read_form(form: Mapping[str, str], now: Now) -> Typed:
    """What was typed, as the facts of a command; what was left empty goes unsaid."""
    facts: dict[str, Any] = {}
    faults: dict[str, str] = {}
    usual = {name.partition("@")[0] for name in form if name.endswith("@usual")}
    for name, text in form.items():
        path, _, how = name.partition("@")
        if (not text.strip() and how != "limit") or path in usual:
            continue
        try:
            at, last = _place(facts, name)
            at[last] = WRITTEN[how](text, now) if how else _as_typed(text)
        except MalformedError as error:
            faults[path] = str(error)
    return Typed(facts, faults)


def facts_of(form: Mapping[str, str], now: Now) -> dict[str, Any]:
    """The same, or nothing if anything is wrong."""
    typed = read_form(form, now)
    for fault in typed.wrong.values():
        raise MalformedError(fault)
    return typed.facts


def _place(facts: dict[str, Any], name: str) -> tuple[dict[str, Any], str]:
    """Where a fact belongs among the others."""
    path, _, how = name.partition("@")
    *within, last = path.split(".")
    if (how and how not in WRITTEN) or len(within) > MOST_WITHIN:
        raise wrong("unknown", name)
    at = facts
    for step in within:
        at = at.setdefault(step, {})
        if not isinstance(at, dict):
            raise wrong("unknown", name)
    return at, last


MOST_WITHIN = 4


def _as_typed(text: str) -> str:
    """One line without blanks around it; of several, all, ended as files end them."""
    plain = text.replace("\r\n", "\n")
    return plain if "\n" in plain.strip() else plain.strip()


def fix_moments(form: Mapping[str, str], facts: Mapping[str, Any]) -> dict[str, str]:
    """The same form with every moment fixed: half an hour from now is half an hour from then."""
    fixed: dict[str, str] = {}
    for name, text in form.items():
        path, _, how = name.partition("@")
        if how not in MOMENTS:
            fixed[name] = text
        elif path in facts:
            fixed[path] = str(facts[path])
    return fixed


def written(fact: object, within: str = "") -> Iterator[tuple[str, str]]:
    """Facts as a form would show them, by their paths; the way back of `read_form`."""
    if isinstance(fact, dict):
        for name, value in fact.items():
            yield from written(value, f"{within}.{name}" if within else str(name))
    elif isinstance(fact, bool):
        yield within, str(fact).lower()
    elif isinstance(fact, int) and within.endswith("cents"):
        yield within, money(fact)
    elif isinstance(fact, int) and within.endswith("_ms") and fact < LONGEST_MS:
        yield within, f"{fact / 1000:g}"
    elif fact not in (None, ""):
        yield within, str(fact)
