"""What the commands about a competition are given: names with amounts, limits, dollars."""

from puntobanco.errors import MalformedError
from puntobanco.rules.notice import Limits
from puntobanco.rules.paper.notation import parse_amount

MOST_NAMES = 10_000


def amounts_by_name(text: str, option: str) -> dict[str, int]:
    """Read "A 9000,B 4000" into cents.

    >>> amounts_by_name("A 9000, B 40.50", "--chips")
    {'A': 900000, 'B': 4050}
    """
    return {name: parse_amount(amount) for name, amount in _pairs(text, option).items()}


def numbers_by_name(text: str, option: str) -> dict[str, int]:
    """Read "C 20,D 21".

    >>> numbers_by_name("C 20,D 21", "--out")
    {'C': 20, 'D': 21}
    """
    found = dict[str, int]()
    for name, number in _pairs(text, option).items():
        if not (number.isascii() and number.isdigit() and 0 < int(number[:9]) < 10**6):
            raise MalformedError(f"{option}: {number[:20]!r} is no coup; count them from 1")
        found[name] = int(number[:9])
    return found


def names(text: str) -> frozenset[str]:
    """Read "F,G"."""
    return frozenset(name.strip() for name in text.split(",") if name.strip())


def limits_of(text: str, option: str) -> Limits:
    """Read "100-2000".

    >>> limits_of("100-2000", "--limits").max_cents
    200000
    """
    least, dash, most = text.partition("-")
    if not dash:
        raise MalformedError(f"{option} takes limits such as 100-2000, not {text[:40]!r}")
    low, high = parse_amount(least.strip()), parse_amount(most.strip())
    if not 0 < low <= high:
        raise MalformedError(f"{option}: a minimum above 0 comes first, the maximum last")
    return Limits(low, high)


def _pairs(text: str, option: str) -> dict[str, str]:
    found = dict[str, str]()
    for part in text.split(",") if text.strip() else []:
        name, space, value = part.strip().rpartition(" ")
        if not space or not name.strip():
            raise MalformedError(f"{option} takes names with numbers, such as 'A 9000,B 4000'")
        name = " ".join(name.split())
        if name in found:
            raise MalformedError(f"{option} names {name[:40]} twice")
        found[name] = value
    if len(found) > MOST_NAMES:
        raise MalformedError(f"{option} names more than {MOST_NAMES} people")
    return found
