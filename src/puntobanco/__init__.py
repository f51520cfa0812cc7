"""puntobanco: casino baccarat tables and competitions, run by the book.

`docs/library.md` shows the package as a library.
"""

__version__ = "0.1.0"
