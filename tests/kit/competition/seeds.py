"""How much chance is tried: a number by default, more by a flag of the environment."""

import os


def seeds(flag: str, usual: int) -> range:
    """`FLAG=5000` tries the first 5,000; `FLAG=200-5000` those from 200 on, so that many can be
    tried in parts.
    """
    first, _, end = os.environ.get(flag, str(usual)).rpartition("-")
    return range(int(first or 0), int(end))
