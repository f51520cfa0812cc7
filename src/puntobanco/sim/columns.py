"""Columns of figures, for a file of one line each."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.uint8]
NOTHING = np.uint8(255)
"""The code of a cell that is empty."""


class Named(NamedTuple):
    """A column of words: the number of each in the list of its names, or NOTHING."""

    codes: Codes
    names: tuple[str, ...]

    def words(self) -> list[str]:
        """Every cell as its word; an empty one is the empty string.

        >>> Named(np.array([1, 255, 0], np.uint8), ("tie", "banker")).words()
        ['banker', '', 'tie']
        """
        by_code = np.array([*self.names, *[""] * (256 - len(self.names))], object)
        words: list[str] = by_code[self.codes].tolist()
        return words


Column: TypeAlias = NDArray[Any] | Named
