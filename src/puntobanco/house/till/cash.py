"""Notes and coins by currency, the largest first, so that a drawer can be counted by them."""

USUAL = (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 1)
"""Cents of each in a house without a currency, or with one that is not listed."""
AUSTRALIAN = (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5)
NOTES_AND_COINS: dict[str, tuple[int, ...]] = {
    "AUD": AUSTRALIAN,
    "NZD": (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10),
    "SGD": (1_000_000, 100_000, 10_000, 5_000, 1_000, 500, 200, 100, 50, 20, 10, 5),
    "USD": (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 25, 10, 5, 1),
    "CAD": (10_000, 5_000, 2_000, 1_000, 500, 200, 100, 25, 10, 5),
    "EUR": (50_000, 20_000, *USUAL[:11], 2, 1),
    "GBP": (*USUAL[1:11], 2, 1),
    "CHF": (100_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5),
    "HKD": (100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10),
    "MOP": (100_000, 50_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10),
}


def notes_and_coins(currency: str) -> tuple[int, ...]:
    """Those of a currency.

    >>> notes_and_coins("AUD")[:3]
    (10000, 5000, 2000)
    """
    return NOTES_AND_COINS.get(currency, USUAL)
