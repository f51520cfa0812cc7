"""Amounts as people write them on a form: in figures, and in words."""

import re

ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
TEENS = ("eleven", "twelve", "thirteen", "fourteen", "fifteen")
LATE_TEENS = ("sixteen", "seventeen", "eighteen", "nineteen")
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SMALL = {word: value for value, word in enumerate((*ONES, *TEENS, *LATE_TEENS), 1)}
SMALL |= {word: 10 * tens for tens, word in enumerate(TENS, 2)}
SMALL |= {"fourty": 40, "ninty": 90}
"""Numbers below a hundred in one word, with the two misspellings that leave no doubt."""
NOTHING = {"zero", "nil", "nought"}
GREAT = (("million", 10**6), ("thousand", 10**3))
_FIGURES = re.compile(r"\$? ?(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.(\d\d))?", re.ASCII)
_WORD = re.compile(r"[a-z]+")


def figures_cents(text: str) -> int | None:
    """Read an amount in figures; None if it is not one.

    >>> figures_cents("$1,500"), figures_cents("12.50"), figures_cents("15oo")
    (150000, 1250, None)
    """
    found = _FIGURES.fullmatch(text.strip())
    if found is None:
        return None
    return int(found[1].replace(",", "")) * 100 + int(found[2] or 0)


def words_cents(text: str) -> int | None:
    """Read an amount in words, with or without "and"; None if it is not one.

    >>> words_cents("One thousand and fifty dollars"), words_cents("fifteen hundred")
    (105000, 150000)
    >>> words_cents("two dollars and fifty cents"), words_cents("one thousand thousand")
    (250, None)
    """
    plain = text.lower().replace("-", " ").replace(",", " ")
    words = plain.split()
    if not words or not all(_WORD.fullmatch(word) for word in words):
        return None
    if len(words) > 1 and words[-1] == "only":
        words = words[:-1]
    dollars, cents = _parted(words)
    whole = _whole(dollars) if dollars else 0
    part = _below_hundred(cents) if cents else 0
    return None if whole is None or part is None else whole * 100 + part


def spell_cents(cents: int) -> str:
    """Write an amount in words, as it stands on a receipt or a form.

    >>> spell_cents(150_000), spell_cents(1_204_250)
    ('one thousand five hundred dollars', 'twelve thousand and forty-two dollars and fifty cents')
    """
    dollars, rest = divmod(cents, 100)
    units = "dollar" if dollars == 1 else "dollars"
    told = f"{_spelled(dollars)} {units}" if dollars or not rest else ""
    part = f"{_spelled(rest)} {'cent' if rest == 1 else 'cents'}" if rest else ""
    return " and ".join(filter(None, (told, part)))


def _spelled(number: int) -> str:
    if number == 0:
        return "zero"
    told = []
    for name, worth in (("billion", 10**9), *GREAT):
        many, number = divmod(number, worth)
        if many:
            told.append(f"{_spelled_small(many)} {name}")
    if number:
        told.append(("and " if told and number < 100 else "") + _spelled_small(number))
    return " ".join(told)


def _spelled_small(number: int) -> str:
    """A number below a thousand."""
    hundreds, rest = divmod(number, 100)
    below = (*ONES, *TEENS, *LATE_TEENS)
    if rest < 20:
        small = below[rest - 1] if rest else ""
    else:
        small = TENS[rest // 10 - 2] + (f"-{ONES[rest % 10 - 1]}" if rest % 10 else "")
    told = f"{ONES[hundreds - 1]} hundred" if hundreds and hundreds < 11 else ""
    return " and ".join(filter(None, (told, small)))


def _parted(words: list[str]) -> tuple[list[str], list[str]]:
    """The words before "dollars" and those before "cents"; dollars alone go without saying."""
    money = {"dollar", "dollars"} & set(words)
    if words[-1] in {"cent", "cents"}:
        if not money:
            return [], words[:-1] or ["?"]
        at = words.index(money.pop())
        return words[:at] or ["?"], _after_and(words[at + 1 : -1]) or ["?"]
    if words[-1] in money:
        return words[:-1] or ["?"], []
    return words, []


def _whole(words: list[str]) -> int | None:
    """A whole number: millions, thousands, and the rest, which alone may be "fifteen hundred"."""
    if len(words) == 1 and words[0] in NOTHING:
        return 0
    total = 0
    for name, worth in GREAT:
        if name not in words:
            continue
        at = words.index(name)
        many = _hundreds(words[:at], most=9)
        if many is None:
            return None
        total += many * worth
        words = words[at + 1 :]
        if words == ["and"]:
            return None
        words = _after_and(words)
    if not words:
        return total or None
    rest = _hundreds(words, most=9 if total else 99)
    return None if rest is None else total + rest


def _hundreds(words: list[str], most: int) -> int | None:
    """A number below a thousand, or up to so many hundreds; "a hundred" is one."""
    if "hundred" not in words:
        return 1 if words == ["a"] else _below_hundred(words)
    at = words.index("hundred")
    many = 1 if words[:at] == ["a"] else _below_hundred(words[:at])
    if many is None or many > most:
        return None
    rest = words[at + 1 :]
    if not rest:
        return many * 100
    small = _below_hundred(_after_and(rest))
    return None if small is None else many * 100 + small


def _below_hundred(words: list[str]) -> int | None:
    values = [SMALL.get(word, 0) for word in words]
    match values:
        case [small] if small:
            return small
        case [tens, unit] if tens >= 20 and 1 <= unit <= 9:
            return tens + unit
        case _:
            return None


def _after_and(words: list[str]) -> list[str]:
    return words[1:] if words[:1] == ["and"] else words
